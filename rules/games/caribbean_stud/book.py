"""Which book the rules of Caribbean Stud stand in."""

from typing import Final

GAME: Final = "caribbean_stud"
TITLE: Final = "Caribbean Stud Poker"
EDITION: Final = "2024-08-16"
"""The date of the rule edition."""
