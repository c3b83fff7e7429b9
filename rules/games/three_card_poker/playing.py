"""A Three Card Poker table move by move, from new cards to cards collected: its table of states, moves and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.directions import Forfeit
from rules.games import ante_play
from rules.games.ante_play.options import moves
from rules.games.ante_play.playing import (
    check_settled,
    deciding_rows,
    exceptions,
    irregular_rows,
    opening_rows,
    places,
    settled,
    shared_acts,
    shared_complete,
)
from rules.games.three_card_poker.book import BOOK
from rules.games.three_card_poker.rounds import Round
from rules.games.three_card_poker.settling import settle
from rules.games.three_card_poker.sign import Limits
from rules.play import Arrow, Move, Play, Position
from rules.rounds import Settlement
from rules.schedules import Schedule
from rules.settings import ThreeCardSettings


@dataclass(frozen=True, slots=True)
class Felt(ante_play.Felt):
    """What lies on the layout of a Three Card Poker table, and what it plays by."""

    BOOK: ClassVar[ante_play.Book] = BOOK

    settings: ThreeCardSettings = ThreeCardSettings()  # noqa: RUF009 - a frozen value
    limits: Limits = Limits()  # noqa: RUF009 - a frozen value


_WHILE_PLAYED: Final = ("dealing", "cards_dealt", "hands_decided", "dealer_turned", "hands_settled")


def _rows() -> Iterator[Arrow]:
    """Every row of the table."""
    yield from opening_rows(BOOK)
    yield from deciding_rows(BOOK)
    yield Arrow("cards_dealt", "expose_dealer", "cards_dealt", "TCP 12.6")
    yield Arrow("hands_decided", "turn_dealer", "dealer_turned", "TCP 8.6", "hands_settled")
    yield Arrow("dealer_turned", "concede", "dealer_turned", "TCP 9.5", "hands_settled")
    yield Arrow("dealer_turned", "settle_hand", "dealer_turned", "TCP 9.8", "hands_settled")
    yield Arrow("hands_settled", "collect_cards", "cards_collected", "TCP 9.4.2")  # TCP 9.3.3 too
    yield from irregular_rows(BOOK, _WHILE_PLAYED, {"cards_dealt": "hands_decided", "dealer_turned": "hands_settled"})


ARROWS: Final = tuple(_rows())
"""Every move from new cards to cards collected, with its rule."""

_PLACES: Final[Mapping[str, str]] = places(BOOK)


def _options(state: str, felt: Felt) -> tuple[Move, ...]:
    """The moves that the felt allows in a state."""
    return tuple(moves(state, felt))


PLAY: Final[Play[Felt]] = Play(
    start="cards_new",
    arrows=ARROWS,
    places=_PLACES,
    exceptions=exceptions(BOOK, (*_WHILE_PLAYED, "round_void", "cards_collected")),
    acts=shared_acts(),
    options=_options,
    complete={**shared_complete(), "turn_dealer": settled},
)
"""The game as a machine."""


def round_of(at: Position[Felt], forfeits: tuple[Forfeit, ...] = ()) -> Round:
    """The whole round that was played move by move; raises ``RoundError`` where a hand has still to be settled.

    ``forfeits`` are the directions that went with an invalidated outcome.
    """
    felt = at.felt
    check_settled(at)
    return Round(felt.device, felt.dealer, felt.seats, felt.void_by, forfeits)


def settlement_of(
    at: Position[Felt], schedules: Mapping[str, Schedule] | None = None, forfeits: tuple[Forfeit, ...] = ()
) -> Settlement:
    """What the wagers of a round that was played move by move come to.

    Always as ``settle`` has it for the whole round. ``forfeits`` are the directions that went with an invalidated
    outcome (TCP 14.6). Raises ``RoundError`` where a hand has still to be settled.
    """
    return settle(round_of(at, forfeits), at.felt.settings, at.felt.limits, schedules)
