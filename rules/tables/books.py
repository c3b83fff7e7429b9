"""Which clause of which book rules a table and its people: one row a book; where the books differ, the rows differ.

A clause that a book has not is ``None``: then an act that needs it is refused there, or asks for nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

MINUTE_US: Final = 60_000_000
NOTICE_US: Final = 20 * MINUTE_US
"""How long a sign is shown before a minimum rises or a table closes: 20 minutes, in every book."""

ABSTAINED_ROUNDS: Final = 3
"""After so many rounds in a row without a wager a player may be asked for the seat, in every book."""

CARDS_FROM_US: Final = 1_723_989_600_000_000
"""19 August 2024, midnight in Sydney: from then on a player must have a valid Player Card (CSP 5.1, TCP 5.1, SIC 3.1).
"""


@dataclass(frozen=True, slots=True)
class Provisions:
    """The clauses of a book about limits and people at a table."""

    book: str
    sign: str
    """Minimum, maximum and unit stand on a sign."""
    alter: str
    """Limits are altered at any time, a minimum raised with a sign 20 minutes ahead."""
    old_minimum: str | None
    """The pre-existing minimum of players already there rises with a sign of its own 20 minutes ahead."""
    raise_at_once: str | None
    """A minimum may rise at once, but not for players already there."""
    marker: str | None
    marker_goes: str | None
    marker_at_box: str | None
    """With several boxes the marker stands where the player is."""
    two_signs: str | None
    newcomers: str | None
    own_limits: str | None
    """A player may wager above the maximum, on a sign of his own."""
    low_limit: str | None
    """What low limit gaming must keep to; its first part bans tournaments, its second a card shoe."""
    card: str | None
    """A valid Player Card at the commencement of play."""
    own_card: str | None
    """Only with one's own, never for another; otherwise the wager is invalid."""
    invalid: str | None
    """What becomes of invalid wagers."""
    proxy: str | None
    """A clause of its own against proxy betting, which lets a player present be helped with the hand alone."""
    loss_limit: str | None
    one_hand: str | None
    """A player has one hand in a round."""
    one_wager: str | None
    """One wager alone is accepted on an area."""
    several: str | None
    """A player may wager on several areas."""
    give_up: str | None
    reserve: str | None
    player_number: str | None
    """The supervisor may limit how many play."""
    device: str
    """Nobody uses a prohibited device."""
    possession: bool
    """Whether having one is forbidden too, not its use or control alone."""
    device_duty: str
    """Except in the course of duty."""
    device_measures: str
    """What a supervisor may do about it: 1 void, 2 out of the game, 3 out of the casino, 4 detained."""
    detains: bool
    """Whether the fourth is one of them."""
    employee: str | None
    """An employee in breach of the gambling policy need not be paid."""
    close: str
    abstain: str
    refuse: str | None
    """A supervisor may refuse a wager before the first card."""
    drop_box: str
    cashless: str | None
    """The drop box may go while the table is cashless."""
    dispute: str
    """A dispute is decided by a supervisor of the game first, and reviewed by a casino supervisor if that is asked for.
    """
    final: str
    """The decision is final; who is not satisfied with it is advised of the right to complain to an inspector."""
    decides: str
    """By what name the book calls who decides first."""
    absent: bool
    """Whether a casino supervisor decides first where that person is absent."""
    refuse_in_round: bool = False
    """Whether a wager may be refused in a round that has begun, until the call of no more bets."""


_ROWS: Final = (
    Provisions(
        book="CSP",
        sign="CSP 6.1",
        alter="CSP 6.5",
        old_minimum="CSP 6.5.2",
        raise_at_once="CSP 6.5.1",
        marker="CSP 6.5.1.1",
        marker_goes="CSP 6.5.1.2",
        marker_at_box=None,
        two_signs="CSP 6.5.3",
        newcomers="CSP 6.5.4",
        own_limits="CSP 6.6",
        low_limit=None,
        card="CSP 5.1",
        own_card="CSP 16.1",
        invalid="CSP 14.20",
        proxy=None,
        loss_limit=None,
        one_hand="CSP 5.8",
        one_wager="CSP 5.9",
        several=None,
        give_up=None,
        reserve=None,
        player_number=None,
        device="CSP 16.2",
        possession=False,
        device_duty="CSP 16.3",
        device_measures="CSP 16.4",
        detains=True,
        employee="CSP 16.15",
        close="CSP 16.9",
        abstain="CSP 16.10",
        refuse="CSP 16.12",
        drop_box="CSP 2.5",
        cashless="CSP 2.5.1",
        dispute="CSP 16.13",
        final="CSP 16.14",
        decides="gaming supervisor",
        absent=False,
    ),
    Provisions(
        book="TCP",
        sign="TCP 6.1",
        alter="TCP 6.5",
        old_minimum="TCP 6.5.2",
        raise_at_once="TCP 6.5.1",
        marker="TCP 6.5.1.1",
        marker_goes="TCP 6.5.1.2",
        marker_at_box="TCP 6.5.1.3",
        two_signs="TCP 6.5.3",
        newcomers="TCP 6.5.4",
        own_limits="TCP 6.6",
        low_limit="TCP 6.7",
        card="TCP 5.1",
        own_card="TCP 14.1",
        invalid="TCP 12.16",
        proxy=None,
        loss_limit=None,
        one_hand="TCP 5.6",
        one_wager="TCP 5.7",
        several=None,
        give_up=None,
        reserve=None,
        player_number=None,
        device="TCP 14.2",
        possession=False,
        device_duty="TCP 14.3",
        device_measures="TCP 14.4",
        detains=False,
        employee=None,
        close="TCP 14.9",
        abstain="TCP 14.10",
        refuse="TCP 14.12",
        drop_box="TCP 2.4",
        cashless="TCP 2.4.1",
        dispute="TCP 14.13",
        final="TCP 14.14",
        decides="gaming supervisor",
        absent=False,
    ),
    Provisions(
        book="FCP",
        sign="FCP 6.1",
        alter="FCP 6.5",
        old_minimum="FCP 6.5.2",
        raise_at_once="FCP 6.5.1",
        marker="FCP 6.5.1.1",
        marker_goes="FCP 6.5.1.2",
        marker_at_box="FCP 6.5.1.3",
        two_signs="FCP 6.5.3",
        newcomers="FCP 6.5.4",
        own_limits=None,
        low_limit="FCP 6.6",
        card=None,
        own_card=None,
        invalid=None,
        proxy=None,
        loss_limit=None,
        one_hand="FCP 5.5",
        one_wager="FCP 5.6",
        several=None,
        give_up=None,
        reserve=None,
        player_number=None,
        device="FCP 14.1",
        possession=False,
        device_duty="FCP 14.2",
        device_measures="FCP 14.3",
        detains=False,
        employee=None,
        close="FCP 14.8",
        abstain="FCP 14.9",
        refuse="FCP 14.11",
        drop_box="FCP 2.4",
        cashless=None,
        dispute="FCP 14.12",
        final="FCP 14.13",
        decides="gaming supervisor",
        absent=False,
    ),
    Provisions(
        book="WAR",
        sign="WAR 6.1",
        alter="WAR 6.5",
        old_minimum="WAR 6.5.2",
        raise_at_once="WAR 6.5.1",
        marker="WAR 6.5.1.1",
        marker_goes="WAR 6.5.1.2",
        marker_at_box="WAR 6.5.1.3",
        two_signs="WAR 6.5.3",
        newcomers="WAR 6.5.4",
        own_limits="WAR 6.6",
        low_limit=None,
        card=None,
        own_card=None,
        invalid=None,
        proxy=None,
        loss_limit=None,
        one_hand=None,
        one_wager="WAR 5.5",
        several="WAR 5.6",
        give_up="WAR 5.6.1",
        reserve="WAR 5.9",
        player_number=None,
        device="WAR 13.1",
        possession=True,
        device_duty="WAR 13.2",
        device_measures="WAR 13.3",
        detains=True,
        employee=None,
        close="WAR 13.8",
        abstain="WAR 13.9",
        refuse=None,
        drop_box="WAR 2.5",
        cashless=None,
        dispute="WAR 13.11",
        final="WAR 13.12",
        decides="gaming supervisor",
        absent=False,
    ),
    Provisions(
        book="SIC",
        sign="SIC 4.1",
        alter="SIC 4.5",
        old_minimum=None,
        raise_at_once=None,
        marker=None,
        marker_goes=None,
        marker_at_box=None,
        two_signs=None,
        newcomers=None,
        own_limits="SIC 4.6",
        low_limit=None,
        card="SIC 3.1",
        own_card="SIC 9.1",
        invalid="SIC 8.14",
        proxy="SIC 9.20",
        loss_limit="SIC 9.3",
        one_hand=None,
        one_wager=None,
        several=None,
        give_up=None,
        reserve=None,
        player_number="SIC 3.15",
        device="SIC 9.6",
        possession=False,
        device_duty="SIC 9.7",
        device_measures="SIC 9.8",
        detains=False,
        employee=None,
        close="SIC 9.13",
        abstain="SIC 9.14",
        refuse="SIC 9.16",
        drop_box="SIC 2.7.3",
        cashless="SIC 2.7.3.1",
        dispute="SIC 9.17",
        final="SIC 9.18",
        decides="games supervisor",
        absent=True,
        refuse_in_round=True,
    ),
)

PROVISIONS: Final[Mapping[str, Provisions]] = MappingProxyType({row.book: row for row in _ROWS})
"""Every book's row, by its name."""
