"""Which wagers may be placed at a table.

The sign of Caribbean Stud's rule 6.1 as a value, the questions a table asks it before the first card, and what every
game's sign has in common. Does not settle: that a wager under the minimum is valid when found after the first card
(CSP 6.2), and one over the maximum counts up to it (CSP 6.3), the ``games`` apply.
"""

from dataclasses import dataclass
from typing import Final

LARGEST_WAGER_CENTS: Final = 10**12
"""Ten billion dollars: no sign carries more, and 250 times twice as much still fits the ledger's 64 bits."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a wager may not be placed: the rule that says so, and the reason for people."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The sign at a table (CSP 6.1, 11.3), amounts in cents; ``None`` is what the sign does not state."""

    ante_min_cents: int = 1
    ante_max_cents: int | None = None
    ante_unit_cents: int = 1
    """The unit in which antes above the minimum are made (CSP 6.1)."""
    bet_max_cents: int | None = None
    """A maximum for the bet area of its own; otherwise the bet, twice the ante, follows from the ante's."""
    jackpot_cents: int | None = None
    """The one amount of a wager on the progressive jackpot (CSP 5.4, 11.3)."""

    def __post_init__(self) -> None:
        """Refuse a sign that no wager could comply with."""
        check_sign("ante", self.ante_min_cents, self.ante_max_cents, self.ante_unit_cents)
        check_sign("bet", 1, self.bet_max_cents, 1)
        if self.jackpot_cents is not None:
            _check_cents("jackpot_cents", self.jackpot_cents)


def check_sign(area: str, min_cents: int, max_cents: int | None, unit_cents: int) -> None:
    """Refuse what a sign states for an area where no wager could comply with it.

    Raises ``ValueError`` as ``field: value: reason``.

    >>> check_sign("ante", 1000, 500, 1)
    Traceback (most recent call last):
    ValueError: ante_max_cents: 500: below the minimum of 1000 cents
    """
    for name, cents in (("min", min_cents), ("max", max_cents), ("unit", unit_cents)):
        if cents is not None:
            _check_cents(f"{area}_{name}_cents", cents)
    if max_cents is not None and max_cents < min_cents:
        raise ValueError(f"{area}_max_cents: {max_cents}: below the minimum of {min_cents} cents")


def _check_cents(name: str, cents: int) -> None:
    if not 1 <= cents <= LARGEST_WAGER_CENTS:
        raise ValueError(f"{name}: {cents}: not from 1 to {LARGEST_WAGER_CENTS} cents")


def outside_sign(cents: int, min_cents: int, max_cents: int | None, unit_cents: int, rule: str) -> Refused | None:
    """Why an amount does not comply with what a sign states for an area, if it does not; ``rule`` says that it must."""
    if cents < min_cents:
        return Refused(rule, f"{cents} cents are below the minimum of {min_cents}")
    if max_cents is not None and cents > max_cents:
        return Refused(rule, f"{cents} cents are above the maximum of {max_cents}")
    if (cents - min_cents) % unit_cents:
        return Refused(rule, f"{cents} cents are not whole steps of {unit_cents} above the minimum of {min_cents}")
    return None


def ante_refused(ante_cents: int, limits: Limits) -> Refused | None:
    """Why an ante may not be placed before the first card, if it may not.

    >>> sign = Limits(ante_min_cents=1000, ante_max_cents=50_000, ante_unit_cents=500)
    >>> ante_refused(1500, sign) is None
    True
    >>> ante_refused(1700, sign)
    Refused(rule='CSP 6.1', reason='1700 cents are not whole steps of 500 above the minimum of 1000')
    """
    return outside_sign(ante_cents, limits.ante_min_cents, limits.ante_max_cents, limits.ante_unit_cents, "CSP 6.1")


def second_wager_refused(area: str) -> Refused:
    """Why another wager may not join one on the same area (CSP 5.9)."""
    return Refused("CSP 5.9", f"only one wager is accepted on the {area} area")


def jackpot_refused(jackpot_cents: int, ante_cents: int | None, qualifying_wager_cents: int) -> Refused | None:
    """Why a wager on the progressive jackpot is not accepted and handed back, if it is not.

    >>> jackpot_refused(100, None, 100)
    Refused(rule='CSP 11.1', reason='a wager on the progressive jackpot needs an ante first')
    >>> jackpot_refused(200, 1000, 100)
    Refused(rule='CSP 5.4', reason='200 cents are not the correct denomination of 100')
    """
    if ante_cents is None:
        return Refused("CSP 11.1", "a wager on the progressive jackpot needs an ante first")
    if jackpot_cents != qualifying_wager_cents:
        return Refused("CSP 5.4", f"{jackpot_cents} cents are not the correct denomination of {qualifying_wager_cents}")
    return None


def bet_refused(bet_cents: int, ante_cents: int) -> Refused | None:
    """Why a bet must be corrected, or the hand folded, before the dealer's cards are exposed (CSP 5.6, 14.11), if so.

    >>> bet_refused(1500, 1000)
    Refused(rule='CSP 5.6', reason='a bet of 1500 cents is not exactly twice the ante of 1000')
    """
    if bet_cents != 2 * ante_cents:
        return Refused("CSP 5.6", f"a bet of {bet_cents} cents is not exactly twice the ante of {ante_cents}")
    return None
