"""A second opinion on the money: slow, plain, written from the rule text, sharing no import with what it checks.

Always: every module here works on plain dictionaries, lists and integers, and imports the standard library only.
Never: imports `rules`, `jackpot` or `tablelink`; only the tests beside it do, to compare.
"""
