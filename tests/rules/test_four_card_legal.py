"""What a Four Card Poker table lists as legal is what it accepts, at every moment; and which hands it turns."""

from dataclasses import replace

import pytest

from rules.cards import parse_cards
from rules.games.four_card_poker import PLAY, Felt
from rules.play import Move, Position
from tests.rules.test_four_card_play import ACES, KINGS, KINGS_SET, UP, dealt, played, staged, table, wagered
from tests.support.legal import disagreements

SEATED = {
    *("place", "take_back", "refuse_wager", "deal", "play", "fold", "short", "absent", "concede", "settle_hand"),
    *("reconstruct", "lose_track", "discard_hand", "void_hand", "void_wagers"),
}
ODD = parse_cards("Jh 6d Tc 3h 2h")


def filled_in(move: Move, felt: Felt) -> Move:
    """A move with the amount or the cards that people choose."""
    match move.name:
        case "place":
            return replace(move, cents=500)
        case "play":
            return replace(move, cents=next((seat.ante_cents for seat in felt.seats if seat.seat == move.seat), None))
        case "deal":
            return replace(move, cards=UP)
        case "turn_dealer":
            return replace(move, cards=KINGS)
        case "set_dealer":
            return replace(move, cards=KINGS_SET)
        case "settle_hand" | "reconstruct":
            return replace(move, cards=ODD)
    return move


def moments() -> list[tuple[str, Position[Felt]]]:
    """Tables at every moment of a round, from a shoe and from a device, and after what may go wrong."""
    found = [(device, table(device)) for device in ("shoe", "shuffler")]
    found.append(("new", PLAY.begin(Felt("shoe"))))
    checked = PLAY.step(found[-1][1], Move("check_cards"))
    found += [("checked", checked), ("shuffled", PLAY.step(checked, Move("shuffle")))]
    found.append(("device shuffled", replace(found[-1][1], felt=Felt("shuffler"))))
    stages = ("wagers", "last", "dealt", "folded", "decided", "turned", "set", "conceded", "exposed", "lost")
    found += [(name, staged(name)) for name in stages]
    found.append(("called", PLAY.step(staged("wagers"), Move("no_more_bets"))))
    found.append(("dealing", PLAY.step(staged("wagers"), Move("deal", 2))))
    found.append(("settled", PLAY.step(staged("exposed"), Move("settle_hand", 4, cards=ODD))))
    found.append(("collected", PLAY.step(found[-1][1], Move("collect_cards"))))
    found.append(("void", PLAY.step(staged("exposed"), Move("void_round"))))
    found.append(("void collected", PLAY.step(found[-1][1], Move("collect_cards"))))
    nine = [f"{seat} ante 500" for seat in range(1, 10)]
    found.append(("device", dealt(wagered(*nine, "9 aces_up 500", device="shuffler"))))
    found.append(("all at play", PLAY.step(found[-1][1], Move("absent", 9))))
    found.append(("one void", PLAY.step(staged("set"), Move("void_hand", 2))))
    return found


@pytest.mark.parametrize(("moment", "at"), moments(), ids=[name for name, _ in moments()])
def test_what_is_listed_is_what_is_accepted(moment: str, at: Position[Felt]) -> None:
    """A table's console offers every legal move and no other, with the amounts and cards that people choose."""
    if moment in {"settled", "collected"}:  # The cards of one hand cannot be those of another.
        at = replace(at, felt=at.felt.with_seat(replace(at.felt.seats[1], cards=None)))
    assert disagreements(PLAY, at, SEATED, ("ante", "aces_up"), filled_in) == [], moment


@pytest.mark.parametrize(
    ("wagers", "decision", "turned"),
    [
        (("2 ante 1000",), "absent", False),
        (("2 ante 1000",), "short", False),
        (("2 ante 1000", "2 aces_up 500"), "absent", True),
        (("2 ante 1000", "2 aces_up 500"), "short", True),
        (("2 ante 1000", "2 aces_up 500"), "fold", False),
    ],
)
def test_the_hand_of_a_player_who_left_is_turned_for_its_aces_up(
    wagers: tuple[str, ...], decision: str, *, turned: bool
) -> None:
    """FCP 12.11, 12.13: without an Aces Up wager the cards are discarded; with one it plays to completion."""
    at = played(dealt(wagered(*wagers)), Move(decision, 2), Move("turn_dealer", cards=KINGS))
    at = PLAY.step(at, Move("set_dealer", cards=KINGS_SET))
    assert at.state == ("dealer_set" if turned else "hands_settled")


def test_a_void_hand_may_be_the_last() -> None:
    """FCP 12.6: a void hand ends the betting round, or the settlement, only where no other hand is left."""
    at = PLAY.step(staged("dealt"), Move("void_hand", 2))
    assert at.state == "cards_dealt"
    assert PLAY.step(at, Move("void_hand", 4)).state == "hands_decided"
    assert PLAY.step(staged("set"), Move("void_hand", 2)).state == "dealer_set"
    assert PLAY.step(staged("exposed"), Move("void_hand", 4)).state == "hands_settled"


def test_a_dealers_hand_set_rightly_leaves_no_mark() -> None:
    """FCP 12.8: only four cards that are not the highest stand as set."""
    assert staged("set").felt.dealer_set is None
    wrong = PLAY.step(staged("turned"), Move("set_dealer", cards=parse_cards("Ks 7h 4h 3c")))
    assert wrong.felt.dealer_set == parse_cards("Ks 7h 4h 3c")
    assert staged("exposed").felt.seats[0].cards == ACES
