"""A Four Card Poker table move by move, from new cards to cards collected: its table of states, moves and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

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
from rules.games.four_card_poker import felt as acts
from rules.games.four_card_poker.book import BOOK
from rules.games.four_card_poker.felt import Felt
from rules.games.four_card_poker.rounds import Round
from rules.games.four_card_poker.settling import settle
from rules.play import Arrow, Move, Play, Position
from rules.rounds import Device, Settlement
from rules.schedules import Schedule

_WHILE_PLAYED: Final = ("dealing", "cards_dealt", "hands_decided", "dealer_turned", "dealer_set", "hands_settled")
_ARRANGED: Final = ("dealer_set", "hands_settled", "cards_collected")


def _rows() -> Iterator[Arrow]:
    """Every row of the table; a hand arranged wrongly may be corrected until the next round begins (FCP 12.9)."""
    yield from opening_rows(BOOK)
    yield from deciding_rows(BOOK)
    yield Arrow("hands_decided", "turn_dealer", "dealer_turned", "FCP 8.6")
    yield Arrow("dealer_turned", "set_dealer", "dealer_set", "FCP 9.1", "hands_settled")
    yield Arrow("dealer_turned", "concede", "dealer_turned", "FCP 9.3")
    yield Arrow("dealer_set", "set_dealer", "dealer_set", "FCP 9.1")
    yield Arrow("dealer_set", "settle_hand", "dealer_set", "FCP 9.6", "hands_settled")
    yield Arrow("dealer_set", "concede", "dealer_set", "FCP 9.3", "hands_settled")
    yield Arrow("hands_settled", "collect_cards", "cards_collected", "FCP 9.2.2")
    for state in _ARRANGED:
        yield Arrow(state, "reconstruct", state, "FCP 12.9")
        yield Arrow(state, "lose_track", state, "FCP 12.9")
    yield from irregular_rows(BOOK, _WHILE_PLAYED, {"cards_dealt": "hands_decided", "dealer_set": "hands_settled"})


ARROWS: Final = tuple(_rows())
"""Every move from new cards to cards collected, with its rule."""

_PLACES: Final[Mapping[str, str]] = {
    **places(BOOK),
    "settle_hand": "FCP 9.2",
    "set_dealer": "FCP 9.1",
    "reconstruct": "FCP 12.9",
    "lose_track": "FCP 12.9",
}


def _options(state: str, felt: Felt) -> tuple[Move, ...]:
    """The moves that the felt allows in a state."""
    return tuple(_moves(state, felt))


def _moves(state: str, felt: Felt) -> Iterator[Move]:
    yield from moves(state, felt)
    if not felt.settled:
        yield Move("set_dealer")
    for seat in felt.seats:
        if seat.seat in felt.settled and seat.decision != "void" and felt.void_by is None:
            yield from (Move(name, seat.seat) for name in ("reconstruct", "lose_track"))


PLAY: Final[Play[Felt]] = Play(
    start="cards_new",
    arrows=ARROWS,
    places=_PLACES,
    exceptions=exceptions(BOOK, (*_WHILE_PLAYED, "round_void", "cards_collected"))
    | {(state, "set_dealer"): "FCP 12.8" for state in ("hands_settled", "cards_collected")},
    acts={
        **shared_acts(),
        "set_dealer": acts.set_dealer,
        "reconstruct": acts.reconstruct,
        "lose_track": acts.lose_track,
    },
    options=_options,
    complete={**shared_complete(), "set_dealer": settled},
)
"""The game as a machine. A hand that was arranged wrongly may be corrected until the next round begins (FCP 12.9), so
that after the cards are collected there are still moves."""


def round_of(at: Position[Felt], forfeits: tuple[Forfeit, ...] = ()) -> Round:
    """The whole round that was played move by move; raises ``RoundError`` where a hand has still to be settled.

    ``forfeits`` are the directions that went with an invalidated outcome.
    """
    felt = at.felt
    check_settled(at)
    return Round(felt.device, felt.dealer, felt.seats, felt.void_by, forfeits, felt.dealer_set)


def settlement_of(
    at: Position[Felt], schedules: Mapping[str, Schedule] | None = None, forfeits: tuple[Forfeit, ...] = ()
) -> Settlement:
    """What the wagers of a round that was played move by move come to.

    Always as ``settle`` has it for the whole round. ``forfeits`` are the directions that went with an invalidated
    outcome (FCP 14.5). Raises ``RoundError`` where a hand has still to be settled.
    """
    return settle(round_of(at, forfeits), at.felt.settings, at.felt.limits, schedules)


def next_round(at: Position[Felt], *, device: Device | None = None, left: tuple[int, ...] = ()) -> Position[Felt]:
    """The table before its next round, as for Three Card Poker; a hand can be reconstructed no more (FCP 12.9)."""
    coming = ante_play.next_round(at, device=device, left=left)
    return Position(coming.state, replace(coming.felt, dealer_set=None))
