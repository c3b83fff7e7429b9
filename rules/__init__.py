"""The rules of the games: pure values and functions over them.

Knows no clock, no randomness of its own, no network and no ledger; every settled line names the rule that made it.
"""
