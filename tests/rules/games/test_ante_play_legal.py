"""What a Three Card or Four Card Poker table lists as legal is what it accepts, at every moment."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules.play import Move, Position
from rules.settings import FourCardSettings
from tests.support.ante_play import FOUR, THREE, Hands
from tests.support.legal import disagreements
from tests.support.moves import rows_of

SEATED = {
    *("place", "take_back", "refuse_wager", "deal", "play", "fold", "short", "absent", "concede", "settle_hand"),
    *("reconstruct", "lose_track", "discard_hand", "void_hand", "void_wagers", "find_invalid", "expose"),
    *("direct_first", "direct_apart", "exclude"),
}


# What a round goes through after its wagers, at seat 2 an ante of 1000 and at seat 4 a side wager of 500.
MOMENTS = """
called           | no_more_bets
jammed           | no_more_bets reshuffle
invalid before   | find_invalid:2
excluded         | exclude:5
dealing          | deal
exposed          | deal deal deal deal deal expose:2
dealer exposed   | deal deal deal deal deal expose_dealer
dealt            | ALL
directed         | direct_first:2 direct_english ALL direct_apart:4
folded           | ALL fold:2
absent           | ALL absent:2
first            | direct_first:2 ALL
waited           | direct_first:2 ALL fold:2
void hand        | ALL void_hand:2
void wagers      | ALL fold:2 void_wagers:2
decided          | ALL play:2 play:4
decided short    | ALL short:2 absent:4
turned           | ALL play:2 play:4 turn_dealer
conceded         | ALL play:2 play:4 turn_dealer concede:2
set              | ALL play:2 play:4 turn_dealer set_dealer
one settled      | ALL play:2 play:4 turn_dealer set_dealer good:2
one invalid      | ALL play:2 play:4 turn_dealer set_dealer find_invalid:2 good:2
settled          | ALL play:2 play:4 turn_dealer set_dealer good:2 odd:4
lost             | ALL play:2 play:4 turn_dealer set_dealer good:2 lose_track:2
collected        | ALL play:2 play:4 turn_dealer set_dealer good:2 odd:4 collect_cards
void round       | ALL play:2 play:4 turn_dealer set_dealer good:2 void_round
void collected   | ALL invalidate collect_cards
"""


def filled_in(hands: Hands) -> Callable[[Move, Any], Move]:
    """How a move gets the amount or the cards that people choose."""

    def fill(move: Move, felt: Any) -> Move:
        match move.name:
            case "place":
                return replace(move, cents=500)
            case "play":
                ante = next((seat.ante_cents for seat in felt.seats if seat.seat == move.seat), None)
                return replace(move, cents=ante)
            case "deal" if felt.seats and not felt.all_dealt() and felt.next_is_up():
                return replace(move, cards=hands.tables.up)
            case "expose_dealer":
                left = [card for card in hands.dealer if card not in (*felt.known, *(hands.tables.up or ()))]
                return replace(move, cards=tuple(left[:1]))
            case "turn_dealer":
                return replace(move, cards=hands.dealer)
            case "set_dealer":
                return replace(move, cards=hands.dealer_set)
            case "settle_hand" | "reconstruct":
                return replace(move, cards=hands.odd)
        return move

    return fill


def led_to(hands: Hands, at: Position[Any], path: str) -> Position[Any]:
    """The table after the moves that a row names; those that the game has not are left out."""
    tables, fill = hands.tables, filled_in(hands)
    for word in path.split():
        name, _, seat = word.partition(":")
        if name == "ALL":
            at = tables.dealt(at)
        elif name in {"good", "odd"}:
            at = tables.play.step(at, Move("settle_hand", int(seat), cards=getattr(hands, name)))
        elif name in hands.game.PLAY.places:
            to = at.felt.next_place() if name == "deal" else int(seat) if seat else None
            at = tables.play.step(at, fill(Move(name, to), at.felt))
    return at


def moments(hands: Hands) -> list[tuple[str, Position[Any]]]:
    """Tables at every moment of a round, from a shoe and from a device, and after what may go wrong."""
    tables, play = hands.tables, hands.game.PLAY
    side = hands.game.BOOK.side
    settings = {} if hands is THREE else {"settings": FourCardSettings(carded_play="all_games")}
    found = [(device, tables.table(device)) for device in ("shoe", "shuffler")]
    found.append(("new", play.begin(hands.game.Felt("shoe"))))
    checked = play.step(found[-1][1], Move("check_cards"))
    found += [("checked", checked), ("shuffled", play.step(checked, Move("shuffle")))]
    found.append(("device shuffled", replace(found[-1][1], felt=hands.game.Felt("shuffler"))))
    for name, path in rows_of(MOMENTS):
        device = "shuffler" if "reshuffle" in path else "shoe"
        wagered = tables.wagered("2 ante 1000", f"4 {side} 500", device=device, **settings)
        if hands is THREE and "lose_track" in path:
            continue
        found.append((name, led_to(hands, wagered, path)))
    nine = [f"{seat} ante 500" for seat in range(1, 10)]
    found.append(("all nine", tables.dealt(tables.wagered(*nine, f"9 {side} 500", device="shuffler"))))
    found.append(("as the book has it", tables.wagered("2 ante 1000")))
    return found


CASES = [
    pytest.param(hands, name, at, id=f"{hands.game.BOOK.code} {name}")
    for hands in (THREE, FOUR)
    for name, at in moments(hands)
]


@pytest.mark.parametrize(("hands", "moment", "at"), CASES)
def test_what_is_listed_is_what_is_accepted(hands: Hands, moment: str, at: Position[Any]) -> None:
    """A table's console offers every legal move and no other, with the amounts and cards that people choose."""
    if moment in {"settled", "collected"}:  # The cards of one hand cannot be those of another.
        at = replace(at, felt=at.felt.with_seat(replace(at.felt.seats[1], cards=None)))
    assert disagreements(hands.game.PLAY, at, SEATED, hands.game.BOOK.areas, filled_in(hands)) == [], moment


@pytest.mark.parametrize("hands", [THREE, FOUR], ids=["TCP", "FCP"])
def test_every_move_is_met_in_some_moment(hands: Hands) -> None:
    """The moments above are not too few: each move of the game is legal in one of them."""
    met = {move.name for _, at in moments(hands) for move in hands.game.PLAY.legal_moves(at)}
    assert met == set(hands.game.PLAY.places)
