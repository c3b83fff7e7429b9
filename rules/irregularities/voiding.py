"""Under which rules has a linked round of Caribbean Stud, or a hand, no result? One list, of tables and the office.

Knows no round: whether a rule's case is there is people's to say, who name it.
"""

from collections.abc import Collection, Mapping
from typing import Final

__all__ = ["EITHER", "FORFEITS", "SEATS", "VOID_RULES", "WHOLE", "void_fault", "voids"]

WHOLE, SEATS, EITHER = "the whole round", "seats named", "the round or seats named"
VOID_RULES: Final[Mapping[str, str]] = {
    "CSP 14.1": WHOLE,  # misdeal, seen by the dealer
    "CSP 14.2": WHOLE,  # misdeal, the dealer's hand
    "CSP 14.3": WHOLE,  # misdeal, cards exposed
    "CSP 14.4": WHOLE,  # misdeal
    "CSP 14.8": SEATS,  # a hand of too few or too many cards
    "CSP 14.9": WHOLE,  # a missing or a foreign card
    "CSP 14.20": SEATS,  # an invalid wager
    "CSP 15.2": WHOLE,  # the shuffling device
    "CSP 16.4": SEATS,  # a wager declared void: a device, an unfair act
    "CSP 16.5": EITHER,  # an outcome that was invalidated
    "CSP 16.15": SEATS,  # an employee's wager
}
"""The rules under which a round may be voided, and how much of it. The ledger decides by it: other rules here are
another decide version."""
FORFEITS: Final = "CSP 16.6"
"""The rule under which the wagers of who defrauded may be forfeited; all others go back: two people's at the server."""
_FORFEITED: Final = "the whole round by two people at the server, who forfeit a wager"
_LONGEST: Final = 40


def voids(rule: str, seats: Collection[int]) -> bool:
    """Whether a round is void under a rule, or these seats where any are named.

    >>> voids("CSP 14.9", []), voids("CSP 14.9", [3]), voids("CSP 14.8", [3]), voids("CSP 17.1", [])
    (True, False, True, False)
    """
    return VOID_RULES.get(rule) in {EITHER, SEATS if seats else WHOLE}


def void_fault(rule: str, seats: Collection[int]) -> str:
    """Why a round, or these seats, cannot be void under a rule, and under which they can; empty where they are.

    >>> void_fault("CSP 17.1", [3])
    'CSP 17.1 voids nothing; seats named are void under CSP 14.8, CSP 14.20, CSP 16.4, CSP 16.5, CSP 16.15'
    >>> void_fault("CSP 14.8", [])[:79]
    'CSP 14.8 voids seats named; the whole round is void under CSP 14.1, CSP 14.2, C'
    """
    if voids(rule, seats):
        return ""
    scope = VOID_RULES.get(rule, _FORFEITED if rule == FORFEITS else "nothing")
    wanted = "seats named are" if seats else "the whole round is"
    possible = ", ".join(each for each in VOID_RULES if voids(each, seats))
    return f"{rule[:_LONGEST]} voids {scope}; {wanted} void under {possible}"
