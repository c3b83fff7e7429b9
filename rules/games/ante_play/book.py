"""What tells one book of an ante, a play wager and a side wager from another: its words, its numbers and its clauses.

Three Card and Four Card Poker are one game in two books. What both do stands in this package and asks a ``Book`` which
clause says so; what only one of them does stands with that game.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol

from rules.limits import Refused
from rules.rounds import Device, Face
from rules.settings import AntePlaySettings

Decision = Literal["play", "fold", "concede", "short", "absent", "void"]
"""What became of a hand: its player played it (TCP 8.5, FCP 8.5), folded (8.3), played and then conceded it (TCP 9.5,
FCP 9.3), was short of a play wager (TCP 12.10, FCP 12.11) or made no decision (TCP 12.12, FCP 12.13); or the hand was
declared void."""

HandFault = Literal["card_count", "not_reconstructed", "prohibited_device", "invalid"]
"""What is wrong with one player's wagers: void for too few or too many cards (TCP 12.7, FCP 12.6), for a hand the
dealer arranged wrongly that could not be reconstructed (FCP 12.9) or for a prohibited device (TCP 14.4.1, FCP 14.3.1);
or found invalid in the course of the hand (TCP 12.16.2)."""

VoidCause = Literal["misdeal", "foreign_card", "device_failed", "invalidated"]
"""Why a whole round has no result: a misdeal (TCP 12.4, FCP 12.4), a missing or foreign card (TCP 12.9, FCP 12.10), a
shuffling device that failed (13.2), or an outcome invalidated by a casino supervisor (TCP 14.5, FCP 14.4)."""


class AreaLimits(NamedTuple):
    """What a sign states for one area, in cents; ``None`` where it states no maximum."""

    min_cents: int = 1
    max_cents: int | None = None
    unit_cents: int = 1


class Sign(Protocol):
    """The sign at a table of such a game (TCP 6.1, FCP 6.1)."""

    def of(self, area: str) -> AreaLimits:
        """What it states for ``ante``, ``play`` or ``side``."""


class NoSign:
    """The sign of a table that states nothing."""

    def of(self, area: str) -> AreaLimits:  # noqa: ARG002 - the form of every sign
        """Any wager of a cent or more."""
        return AreaLimits()


NO_SIGN: Final = NoSign()
"""What a table without a sign plays by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clauses:
    """Which clause of a book says what."""

    place: str
    """Before the first card an ante, a side wager or both are placed."""
    side_only: str
    """With a side wager alone there is no play wager."""
    untouched: str
    """No wager is moved after the first card."""
    one_wager: str
    """One wager on one area."""
    refuse: str
    """A supervisor may refuse a wager before the first card."""
    up_card_shoe: str
    """A card dealt face up from a shoe, in the book that has one."""
    up_card_device: str
    concede: str
    """After the dealer's hand is exposed a player may concede."""
    conceded: str
    """What was conceded never comes back."""
    settle_hand: str
    """The dealer settles each hand by its optimal value."""
    collect: str
    """The cards are counted and collected after settlement."""
    dealer_exposed: str
    """A card of the dealer's exposed in error."""
    card_count: str
    empty: str
    """A hand dealt to an area without a wager."""
    foreign_card: str
    short: str
    absent: str
    collusion: str
    invalid_found: str
    """What becomes of wagers found invalid."""
    invalid_before: str
    """An invalid wager found before the hand goes back."""
    invalid: str
    """An invalid wager found in the course of the hand."""
    invalid_earlier: str
    """An invalid wager of a hand that has been settled: that hand stands."""
    own_card: str
    """What makes a wager invalid."""
    device: str
    """What a supervisor may do about a prohibited device."""
    outcome: str
    """A supervisor may invalidate the outcome of a game."""
    forfeit: str
    """With an invalidated outcome wagers may be refunded, those of who defrauded forfeited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """One book of an ante, a play wager and a side wager."""

    code: str
    """How its rules are cited, such as ``TCP``."""
    game: str
    title: str
    edition: str
    """The date of the rule edition."""
    side: str
    """The area of the side wager, such as ``pair_plus``."""
    side_title: str
    hand: int
    """Cards of a player's hand (1.1)."""
    hand_words: str
    dealers_hand: int
    """Cards of the dealer's hand (1.1)."""
    clauses: Clauses
    hand_faults: Mapping[HandFault, str]
    """The faults that a hand can have, each with the clause by which its wagers are dealt with."""
    knows_invalid: bool
    """Whether the book itself says what becomes of invalid wagers; otherwise the ruling ``carded_play`` does."""
    deal_order: Callable[[Device, Iterable[int]], tuple[tuple[int, Face], ...]]
    play_refused: Callable[[int, int, AntePlaySettings], Refused | None]
    """Why a play wager of an amount may not be placed on an ante, if it may not (8.5)."""

    def rule(self, number: str) -> str:
        """A clause that both books number alike.

        >>> from rules.games.three_card_poker.book import BOOK
        >>> BOOK.rule("7.2")
        'TCP 7.2'
        """
        return f"{self.code} {number}"

    @property
    def areas(self) -> tuple[str, str]:
        """The areas wagered on before the first card."""
        return ("ante", self.side)
