"""What a Casino War table lists as legal is what it accepts, at every moment of a round; and where its deals end."""

from dataclasses import replace
from typing import Any

import pytest

from rules.cards import parse_cards
from rules.games.casino_war import PLAY, Felt, Limits, Round, Seat, round_of, settle
from rules.limits import Refused
from rules.play import Move, MoveRefused, Position
from rules.rounds import RoundError
from rules.settings import CasinoWarSettings
from tests.support.casino_war import dealt, played, staged, table, wagered
from tests.support.legal import disagreements

SEATED = {
    *("place", "take_back", "deal", "settle_tie", "settle_hand", "war", "surrender", "absent", "settle_war"),
    *("withdraw", "void_wagers", "cut", "refuse_cut", "riffle", "find_invalid"),
}


def filled_in(move: Move, felt: Felt) -> Move:
    """A move with the amount or the card that people choose."""
    if move.name == "place":
        return replace(move, cents=40 if move.seat in felt.own_limits else 500)
    if move.name == "war":
        return replace(move, cents=next((seat.initial_cents for seat in felt.seats if seat.seat == move.seat), 1))
    return replace(move, cards=parse_cards("2c")) if move.name == "deal" else move


def moments() -> list[tuple[str, Position[Felt]]]:
    """Tables at every moment of a round, from a shoe and from a device, and after what may go wrong."""
    found = [(device, table(device)) for device in ("shoe", "shuffler")]
    found += [(f"new {loaded}", PLAY.begin(Felt("shoe", loaded=loaded))) for loaded in (True, False)]
    checked = PLAY.step(PLAY.begin(Felt("shoe")), Move("check_cards"))
    found += [("checked", checked), ("shuffled", PLAY.step(checked, Move("shuffle")))]
    found.append(("loaded", played(checked, Move("shuffle"), Move("cut"))))
    found.append(("device shuffled", replace(found[-2][1], felt=Felt("shuffler"))))
    stages = ("wagers", "dealing", "interim", "ties", "hands", "at_war", "second", "over")
    found += [(name, staged(name)) for name in stages]
    found.append(("called", PLAY.step(staged("wagers"), Move("no_more_bets"))))
    found.append(("nobody at war", played(staged("hands"), Move("surrender", 2))))
    found.append(("second deal", dealt(staged("at_war"), "9h")))
    found.append(("extra card", PLAY.step(staged("hands"), Move("extra_card"))))
    found.append(("collected", PLAY.step(staged("over"), Move("collect_cards"))))
    found.append(("void", PLAY.step(staged("hands"), Move("void_round"))))
    found.append(("void collected", PLAY.step(found[-1][1], Move("collect_cards"))))
    found.append(("one out", PLAY.step(staged("hands"), Move("void_wagers", 2))))
    device = dealt(wagered("1 initial 500", "3 initial 500", "3 tie 500", "9 initial 500", device="shuffler"), "8c")
    failed = PLAY.step(device, Move("device_fails"))
    found += [("device", device), ("device failed", failed), ("damaged", PLAY.step(failed, Move("find_damage")))]
    found.append(("disadvantaged", PLAY.step(failed, Move("find_disadvantage"))))
    found.append(("choosing", played(failed, Move("find_no_other"), Move("shoe_instead"))))
    found.append(("chosen", PLAY.step(found[-1][1], Move("cut"))))
    people = PLAY.step(PLAY.begin(Felt("shoe", at_table={4: "Ann", 1: "Bob", 7: "Cyd"})), Move("check_cards"))
    found += [("people", people), ("cut offered", PLAY.step(people, Move("shuffle")))]
    found.append(("cut refused", PLAY.step(found[-1][1], Move("refuse_cut", 4))))
    carded = CasinoWarSettings(carded_play="all_games")
    found.append(("carded", dealt(wagered("1 initial 500", "3 initial 500", settings=carded), "8c")))
    found.append(("invalid", PLAY.step(found[-1][1], Move("find_invalid", 3))))
    found.append(("faced", PLAY.step(staged("dealing"), Move("burn_faced"))))
    found.append(("cutting card", PLAY.step(staged("dealing"), Move("cutting_card"))))
    found.append(("too few", PLAY.step(staged("dealing"), Move("reshuffle_discards"))))
    found.append(("closed", table(closed={3: Refused("WAR 5.9", "area 3 is reserved for Ann")})))
    return found


@pytest.mark.parametrize(("moment", "at"), moments(), ids=[name for name, _ in moments()])
def test_what_is_listed_is_what_is_accepted(moment: str, at: Position[Felt]) -> None:
    """A table's console offers every legal move and no other, with the amounts and cards that people choose."""
    assert disagreements(PLAY, at, SEATED, ("initial", "tie"), filled_in) == [], moment


def test_a_war_that_is_left_does_not_end_the_others() -> None:
    """WAR 12.5.4: with one area out in the middle of the subsequent deal the others are dealt and settled."""
    at = dealt(wagered("1 initial 500", "3 initial 500", "5 initial 500", device="shuffler"), "8c 8d 8h 8s")
    at = played(at, *(Move("war", seat, cents=500) for seat in (1, 3, 5)))
    at = played(at, *map(Move, ("device_fails", "find_no_other", "shoe_instead", "cut")))
    at = PLAY.step(dealt(at, "9c"), Move("withdraw", 1))
    assert at.state == "second_deal"
    at = dealt(at, "9d 9h Ts")
    assert at.state == "war_dealt"
    at = played(at, Move("settle_war", 3), Move("withdraw", 5))
    assert at.state == "hands_settled"
    at = played(dealt(staged("at_war"), "9h"), Move("void_wagers", 2))
    assert at.state == "hands_settled"


def test_only_what_went_back_keeps_its_progress() -> None:
    """WAR 8: a settled round does not carry how far its interim settlement was; an area that went out does."""
    at = PLAY.step(staged("over"), Move("void_wagers", 4))
    assert [seat.interim for seat in round_of(at.felt).seats] == ["none", "hand", "none"]
    at = PLAY.step(staged("over"), Move("invalidate"))
    assert [seat.interim for seat in round_of(at.felt).seats] == ["hand", "hand", "hand"]


def test_a_wager_at_the_maximum_is_not_over_it() -> None:
    """WAR 6.3: an initial wager of exactly the maximum cuts nothing, and no ruling is asked."""
    seat = Seat(1, 20, None, "war", 20, parse_cards("8c Th"))
    settlement = settle(Round("shoe", parse_cards("8s 9d"), (seat,)), limits=Limits(initial_max_cents=20))
    assert [line.rules[-1] for line in settlement.lines] == ["WAR 10.1", "WAR 10.1"]
    assert settlement.rulings == ()


@pytest.mark.parametrize(
    ("dealer", "player", "rule"), [("8s 9s Ts", "9c", "(WAR 11.13)"), ("8s", "9c Tc Jc", "(WAR 11.15)")]
)
def test_too_many_cards_are_named_with_their_rule(dealer: str, player: str, rule: Any) -> None:
    """WAR 11.13, 11.15: too many cards to the dealer, or to a player, is a misdeal by its own rule."""
    with pytest.raises(RoundError) as caught:
        Round("shoe", parse_cards(dealer), (Seat(1, 10, cards=parse_cards(player)),))
    assert caught.value.reason.endswith(rule)


@pytest.mark.parametrize("card", [-1, 52])
def test_what_is_no_card_is_not_dealt(card: int) -> None:
    """WAR 3.1: a device that names no card of a deck is refused, and nothing lies on the felt."""
    with pytest.raises(MoveRefused, match="no card") as caught:
        PLAY.step(staged("wagers"), Move("deal", 2, cards=(card,)))
    assert caught.value.rule == "WAR 3.1"
