"""The cards of a table (rules 2, 3 and 4 of the four books that have cards): decks, checks, shuffles, cuts, shoes.

>>> from rules.decks.checks import Found, faults_of
>>> from rules.cards import CARD_TEXTS
>>> print(faults_of([Found(face, "red") for face in CARD_TEXTS[1:]], "red"))
missing: 2c
"""
