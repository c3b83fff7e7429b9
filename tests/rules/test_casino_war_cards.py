"""The cards of a Casino War table from round to round, and what goes wrong although every wager stands."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from rules.cards import parse_cards
from rules.games.casino_war import PLAY, Felt, Round, Seat, Standing, next_round, round_of, settle, settlement_of
from rules.games.casino_war.cutting import offered
from rules.irregularities import irregularity, told
from rules.limits import Refused
from rules.play import Move, MoveRefused, Position
from rules.records.casino_war import FORM, casino_war_record, casino_war_round
from rules.rounds import DEALER, RoundError
from rules.settings import CasinoWarSettings
from tests.support.casino_war import dealt, played, refusal, table, wagered

PEOPLE = {4: "Ann", 1: "Bob", 7: "Cyd"}


# Why they are cut, where the cutting card appeared, who is asked first and by which rule, and the others.
OFFERED = """
game_begins  | -  | 4 4.3.1 | 7 1
cutting_card | 1  | 1 4.3.2 | 4 7
cutting_card | 0  | 7 4.3.3 | 1 4
cutting_card | 2  | 7 4.3.3 | 1 4
first_card   | -  | 7 4.3.4 | 1 4
replaced     | -  | 7 4.3.5 | 1 4
reshuffled   | -  | 7 4.3.5 | 1 4
"""


@pytest.mark.parametrize("line", OFFERED.strip().splitlines())
def test_who_is_offered_the_cut(line: str) -> None:
    """WAR 4.3, 4.4: the player designated, then clockwise around the table, a casino supervisor at the last."""
    why, where, first, others = (part.strip() for part in line.split("|"))
    order = offered(why, PEOPLE, None if where == "-" else int(where))  # type: ignore[arg-type]
    seat, rule = first.split()
    assert (order[0].seat, order[0].rule) == (int(seat), f"WAR {rule}")
    assert [(each.seat, each.rule) for each in order[1:]] == [
        *((int(each), "WAR 4.4") for each in others.split()),
        (None, "WAR 4.4"),
    ]


def test_the_cut_goes_round_and_a_supervisor_cuts_at_the_last() -> None:
    """WAR 4.3, 4.4: only who is offered the cut makes or refuses it; where all refuse, the supervisor cuts."""
    at = played(PLAY.begin(Felt("shoe", at_table=PEOPLE)), Move("check_cards"), Move("shuffle"))
    assert PLAY.step(at, Move("cut", 4)).state == "cards_loaded"
    for area in (4, 7, 1):
        for other in {1, 4, 7, None} - {area}:
            assert refusal(at, Move("cut", other)) in {"WAR 4.3.1", "WAR 4.4"}
        at = PLAY.step(at, Move("refuse_cut", area))
    assert PLAY.step(at, Move("cut")).state == "cards_loaded"
    assert refusal(at, Move("refuse_cut", 4)) == "WAR 4.4"


def over(at: Position[Felt]) -> Position[Felt]:
    """The same table after a round in which seat 2 wins, its cards collected."""
    return played(dealt(at, "9c 8s"), Move("settle_hand", 2), Move("collect_cards"))


ONE = ("2 initial 1000",)


def test_the_next_round_goes_on_with_the_cards_that_remain() -> None:
    """WAR 4.1, 11.6.1: until the cutting card comes, play goes on with the same cards, also after a void round."""
    at = next_round(over(wagered(*ONE, chip_cents=250, at_table=PEOPLE)))
    left = Felt("shoe", chip_cents=250, at_table=PEOPLE, loaded=True, occasion="reshuffled")
    assert (at.state, at.felt) == ("cards_new", left)
    assert PLAY.step(at, Move("play_on")).state == "wagers_open"
    void = PLAY.step(PLAY.step(dealt(wagered(*ONE), "9c"), Move("not_reconstructed")), Move("collect_cards"))
    assert next_round(void).felt.loaded
    for state in ("wagers_open", "round_void", "hands_settled"):
        with pytest.raises(RoundError, match="has not ended"):
            next_round(Position(state, Felt("shoe")))


def after_extra(card: str = "", **felt: Any) -> Position[Felt]:
    """The table after a round in which the dealer's hand was dealt an extra card."""
    move = Move("extra_card", cards=parse_cards(card) if card else None)
    at = PLAY.step(dealt(wagered(*ONE, **felt), "9c 8s"), move)
    return played(at, Move("settle_hand", 2), Move("collect_cards"))


def test_an_unexposed_extra_card_is_the_first_of_the_next_round() -> None:
    """WAR 11.4: it lies under the shoe, so no cutting card comes before it; after it the cards come from the shoe."""
    at = played(next_round(after_extra()), Move("play_on"), Move("place", 2, "initial", 1000))
    assert at.felt.under
    assert "cutting_card" not in {move.name for move in PLAY.legal_moves(at)}
    assert refusal(at, Move("cutting_card")) == "WAR 11.4"
    first = dealt(at, "9c")
    assert not first.felt.under
    assert PLAY.step(first, Move("cutting_card")).felt.cutting_card == DEALER


def test_when_no_card_lies_under_the_shoe() -> None:
    """WAR 11.3, 11.4, 11.5: it was exposed, was a misdeal, went among shuffled cards, or a void round began with it."""
    assert not next_round(after_extra("9c")).felt.under
    strict = CasinoWarSettings(dealer_extra_card="misdeal")
    misdealt = PLAY.step(dealt(wagered(*ONE, settings=strict), "9c 8s"), Move("extra_card"))
    assert not next_round(PLAY.step(misdealt, Move("collect_cards"))).felt.under
    assert not next_round(PLAY.step(after_extra(), Move("direct_shuffle"))).felt.under
    at = next_round(after_extra())
    assert not played(at, Move("check_cards"), Move("shuffle")).felt.under
    device = played(next_round(after_extra(device="shuffler")), Move("check_cards"))
    assert device.felt.under
    assert not played(device, Move("load")).felt.under
    assert not played(at, Move("play_on"), Move("burn_empty")).felt.under


@pytest.mark.parametrize(("cards", "place"), [("", 2), ("9c", DEALER)])
def test_after_the_cutting_card_the_cards_are_shuffled_and_cut(cards: str, place: int) -> None:
    """WAR 4.1.3, 4.3.2, 4.3.3: the round is completed; who had the cutting card cuts, or who sits at the right."""
    begun = dealt(wagered("1 initial 500", *ONE, at_table={2: "Ann", 1: "Bob", 7: "Cyd"}), "7c")
    at = PLAY.step(dealt(begun, cards) if cards else begun, Move("cutting_card"))
    assert at.felt.cutting_card == place
    at = played(dealt(at, "8s" if cards else "9c 8s"), Move("settle_hand", 2), Move("settle_hand", 1))
    at = next_round(PLAY.step(at, Move("collect_cards")))
    assert at.state == "cards_checked"
    assert refusal(at, Move("play_on")) == "WAR 4.1"
    cutter = 2 if place == 2 else 7
    assert PLAY.step(PLAY.step(at, Move("shuffle")), Move("cut", cutter)).state == "cards_loaded"


def test_a_cutting_card_at_first_is_followed_by_a_shuffle_at_once() -> None:
    """WAR 4.1.2, 4.3.4: exposed or drawn as the first card, the cards are shuffled; the wagers lie where they were."""
    at = PLAY.step(wagered(*ONE, at_table=PEOPLE), Move("cutting_card"))
    assert at.state == "cards_checked"
    at = played(at, Move("shuffle"), Move("cut", 7), Move("burn"))
    assert settlement_of(over(at)).net_cents(2) == 1000
    with pytest.raises(MoveRefused):
        PLAY.step(dealt(wagered(*ONE, device="shuffler"), "9c"), Move("cutting_card"))


def test_a_forgotten_shuffle_is_made_up_after_the_round() -> None:
    """WAR 11.11: another round begun after the cutting card is completed and stands; then they are shuffled and cut."""
    at = next_round(over(wagered(*ONE)))
    with pytest.raises(MoveRefused):
        PLAY.step(replace(at, state="cards_checked"), Move("forget_shuffle"))
    came = replace(at, state="cards_checked", felt=replace(at.felt, cutting_card=2, loaded=False))
    at = PLAY.step(PLAY.step(came, Move("forget_shuffle")), Move("place", 2, "initial", 1000))
    assert refusal(at, Move("cutting_card")) == "WAR 4.1.3"
    at = over(at)
    assert settlement_of(at).net_cents(2) == 1000
    assert set(told(irregularity("WAR", "not_shuffled"))) <= set(settlement_of(at).notes)
    assert next_round(at).state == "cards_checked"


def test_uncut_cards_are_shuffled_and_cut_after_the_round() -> None:
    """WAR 11.9: the round in play is completed and stands, then the cards are shuffled and cut."""
    at = played(PLAY.begin(Felt("shoe")), *map(Move, ("check_cards", "shuffle", "forget_cut", "burn")))
    at = over(PLAY.step(at, Move("place", 2, "initial", 1000)))
    assert settlement_of(at).notes == told(irregularity("WAR", "not_cut"))
    assert (next_round(at).state, next_round(at).felt.occasion) == ("cards_checked", "reshuffled")


# What happened in a round, and how the next one begins: its state, and why its cards are cut.
AFTER = """
burn_faced direct_check | cards_new     | reshuffled
direct_shuffle          | cards_checked | reshuffled
replace_cards           | cards_new     | replaced
"""


@pytest.mark.parametrize("line", AFTER.strip().splitlines())
def test_people_have_the_cards_checked_shuffled_or_replaced(line: str) -> None:
    """WAR 3.5, 4.1.4, 11.1.1: by direction, after the round, the cards are checked, shuffled or replaced."""
    names, state, occasion = (part.strip() for part in line.split("|"))
    *during, after = names.split()
    at = dealt(wagered(*ONE, device="shuffler"), "9c")
    at = dealt(played(at, *map(Move, during)), "8s")
    at = played(at, Move("settle_hand", 2), Move("collect_cards"), Move(after))
    assert (next_round(at).state, next_round(at).felt.occasion) == (state, occasion)
    assert not next_round(at).felt.loaded


def test_a_missing_card_has_the_deck_checked() -> None:
    """WAR 11.17: this round's wagers go back, earlier results stand, the deck is checked, two are notified."""
    at = PLAY.step(PLAY.step(dealt(wagered(*ONE), "9c"), Move("void_round")), Move("collect_cards"))
    assert "Surveillance and an inspector are notified (WAR 11.17.4)" in settlement_of(at).notes
    assert (next_round(at).state, next_round(at).felt.loaded) == ("cards_new", False)


def test_a_device_that_failed_begins_anew() -> None:
    """WAR 12.4: the round is terminated; the next one begins with shuffled cards."""
    at = dealt(wagered(*ONE, device="shuffler"), "9c")
    at = played(at, *map(Move, ("device_fails", "find_disadvantage", "device_failed", "collect_cards")))
    assert settlement_of(at).net_cents(2) == 0
    assert next_round(at).state == "cards_checked"


def test_a_shoe_from_which_shuffled_discards_come_is_cut() -> None:
    """WAR 11.7, 12.5.3: discards are shuffled and cut, and the round is completed; a device takes them uncut."""
    at = PLAY.step(dealt(wagered(*ONE, at_table=PEOPLE), "9c"), Move("reshuffle_discards"))
    assert refusal(at, Move("deal", DEALER, cards=parse_cards("8s"))) == "WAR 4.3"
    at = PLAY.step(PLAY.step(at, Move("refuse_cut", 7)), Move("cut", 1))
    assert settlement_of(over_one(at)).net_cents(2) == 1000
    forgot = PLAY.step(PLAY.step(dealt(wagered(*ONE), "9c"), Move("reshuffle_discards")), Move("forget_cut"))
    assert forgot.felt.found == ("insufficient_cards", "not_cut")
    device = PLAY.step(dealt(wagered(*ONE, device="shuffler"), "9c"), Move("reshuffle_discards"))
    assert not device.felt.cut_due


def over_one(at: Position[Felt]) -> Position[Felt]:
    """The same table after the dealer's card, and the one hand settled."""
    return PLAY.step(dealt(at, "8s"), Move("settle_hand", 2))


def test_discards_go_back_into_the_device_after_the_initial_deal() -> None:
    """WAR 7.2, 11.14: once, after the initial deal; forgotten, they stay in the rack and every wager stands."""
    at = dealt(wagered(*ONE, device="shuffler"), "9c 8s")
    for name in ("return_discards", "forget_discards"):
        done = PLAY.step(at, Move(name))
        for again in ("return_discards", "forget_discards"):
            assert refusal(done, Move(again)) in {"WAR 7.2", "WAR 11.14"}
        settlement = settlement_of(PLAY.step(done, Move("settle_hand", 2)))
        assert settlement.net_cents(2) == 1000
        assert settlement.notes == (told(irregularity("WAR", "not_returned_to_device")) if "forget" in name else ())


def test_riffled_on_request() -> None:
    """WAR 4.2: pre-shuffled cards are riffled at a player's request, before the multishuffler or before the cut."""
    at = PLAY.step(PLAY.begin(Felt("shoe", at_table=PEOPLE)), Move("check_cards"))
    assert PLAY.step(at, Move("riffle", 1)) == at
    at = PLAY.step(at, Move("shuffle"))
    assert PLAY.step(at, Move("riffle", 7)) == at


def test_an_area_the_table_closed_takes_no_wager() -> None:
    """WAR 5.6.1, 5.9: what the table says of given-up and reserved areas holds on the felt, by its rule."""
    at = table(closed={3: Refused("WAR 5.6.1", "area 3 is given up")})
    assert refusal(at, Move("place", 3, "initial", 500)) == "WAR 5.6.1"
    assert refusal(at, Move("place", 2, "initial", 500)) is None


LOST = Seat(1, 1000, 200, None, None, parse_cards("7c"))


# What went wrong, and what people are told to do.
TOLD = """
card_faced             | the card is burned and play continues (WAR 11.1)
card_in_error          | it is dealt as the next card (WAR 11.2)
reconstructed          | excess cards are burned (WAR 11.12)
insufficient_cards     | the discards are shuffled and cut, and the round is completed (WAR 11.7)
not_cut                | the round is completed, then the cards are shuffled and cut (WAR 11.9)
no_burn_card           | the card remains in play (WAR 11.10)
not_shuffled           | the round is completed, then the cards are shuffled and cut (WAR 11.11)
not_returned_to_device | the cards remain in the discard rack until the next initial deal is completed (WAR 11.14)
device_undamaged       | the cards go to another device (WAR 12.2)
device_damaged_cards   | damaged cards are removed, the others go to another device (WAR 12.3.1, 12.3.2) ; damaged cards are replaced from a new deck (WAR 12.3.3)
device_no_other        | damaged cards are replaced, all are shuffled and cut (WAR 12.5.2, 12.5.3) ; the round is completed from a card shoe for who stays in (WAR 12.5.4)
"""  # noqa: E501 - a line a row


def test_every_one_of_them_is_told() -> None:
    """WAR 11, 12: for each of them people are told something."""
    assert [line.split()[0] for line in TOLD.strip().splitlines()] == list(get_args(Standing))


@pytest.mark.parametrize("line", TOLD.strip().splitlines())
def test_what_leaves_every_wager_standing_is_told(line: str) -> None:
    """WAR 11, 12: its row says that no wager returns; the settlement is as without it, and people are told."""
    kind: Any
    kind, words = (part.strip() for part in line.split("|"))
    row = irregularity("WAR", kind)
    assert row.stands or kind == "device_no_other"
    plain = Round("shoe", parse_cards("8s"), (LOST,))
    settlement = settle(replace(plain, found=(kind,)))
    assert settlement.lines == settle(plain).lines
    assert [str(note) for note in settlement.notes] == words.split(" ; ")
    record = casino_war_record(replace(plain, found=(kind,)))
    assert casino_war_round(FORM.decode(FORM.encode(record))) == replace(plain, found=(kind,))


def test_nothing_goes_wrong_twice() -> None:
    """A record names each of them once."""
    with pytest.raises(RoundError, match="twice") as caught:
        Round("shoe", parse_cards("8s"), (LOST,), found=("not_cut", "card_faced", "not_cut"))
    assert caught.value.field == "found[2]"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("burn_faced", "card_faced"), ("deal_misplaced", "card_in_error"), ("reconstruct", "reconstructed")],
)
def test_a_card_out_of_its_order(name: str, kind: Any) -> None:
    """WAR 11.1, 11.2, 11.6, 11.12: burned, dealt as the next one, or the round dealt again; its wagers stand."""
    at = PLAY.step(dealt(wagered(*ONE, "3 initial 10"), "9c"), Move(name))
    assert at.felt.found == (kind,)
    assert PLAY.step(at, Move(name)).felt.found == (kind,)
    cards = "9c 9d 8s" if name == "reconstruct" else "9d 8s"
    at = played(dealt(at, cards), Move("settle_hand", 3), Move("settle_hand", 2))
    settlement = settlement_of(at)
    assert settlement == settle(round_of(at.felt))
    assert settlement.notes == told(irregularity("WAR", kind))
    assert settlement.net_cents(2) == 1000


# A hand, and what becomes of its wagers where they are invalid, and the losing ones kept.
INVALID = """
9c -         | initial void +0 <1000 | tie lose +0 <0
7c -         | initial lose +0 <0    | tie lose +0 <0
8c surrender | initial lose +0 <500  | tie void +0 <200
8c9d war     | initial void +0 <1000 | war void +0 <1000 | tie void +0 <200
8c2d war     | initial lose +0 <0    | war lose +0 <0 | tie void +0 <200
"""


@pytest.mark.parametrize("line", INVALID.strip().splitlines())
@pytest.mark.parametrize("ruling", ["kept", "returned"])
def test_an_invalid_wager_wins_nothing_where_the_table_asks_for_cards(line: str, ruling: Any) -> None:
    """WAR 1.1, ``carded_play``: a winning one goes back without winnings, a losing one by ruling."""
    hand, *wanted = (part.strip() for part in line.split("|"))
    cards, decision = hand.split()
    seat = Seat(
        1,
        1000,
        200,
        None if decision == "-" else decision,  # type: ignore[arg-type]
        1000 if decision == "war" else None,
        parse_cards(" ".join(cards[place : place + 2] for place in range(0, len(cards), 2))),
        void_for="invalid",
    )
    round_ = Round("shoe", parse_cards("8s 8d" if decision == "war" else "8s"), (seat,))
    rulings = CasinoWarSettings(carded_play="all_games", invalid_losing=ruling)
    settlement = settle(round_, rulings)
    said = [f"{one.wager} {one.outcome} +{one.paid_cents} <{one.returned_cents}" for one in settlement.lines]
    if ruling == "kept":
        assert said == [" ".join(each.split()) for each in wanted]
    else:
        assert {(one.outcome, one.paid_cents) for one in settlement.lines} == {("void", 0)}
        assert settlement.net_cents(1) == 0
    assert all("WAR 1.1" in one.rules for one in settlement.lines)
    assert all(rule.startswith("WAR ") for one in settlement.lines for rule in one.rules)
    assert dict(settlement.rulings)["carded_play"] == "all_games"
    assert ("invalid_losing" in dict(settlement.rulings)) == any(" lose " in each for each in wanted)
    assert len(settlement.notes) == len(settlement.lines)


def test_the_book_itself_has_no_invalid_wagers() -> None:
    """RULINGS ``carded_play``: a table that follows the book refuses such a record, and such a finding."""
    round_ = Round("shoe", parse_cards("8s"), (replace(LOST, void_for="invalid"),))
    with pytest.raises(RoundError, match="no rule on Player Cards") as caught:
        settle(round_)
    assert caught.value.field == "seats[0].void_for"


def test_an_invalid_wager_is_found_before_or_in_the_round() -> None:
    """``carded_play``: before the first card it goes back; in the round it is played out and wins nothing."""
    carded = CasinoWarSettings(carded_play="all_games")
    at = wagered(*ONE, "3 initial 10", settings=carded)
    before = PLAY.step(PLAY.step(at, Move("no_more_bets")), Move("find_invalid", 2))
    assert (before.state, [seat.seat for seat in before.felt.seats]) == ("wagers_open", [3])
    at = dealt(PLAY.step(dealt(at, "9c"), Move("find_invalid", 2)), "9d 8s")
    at = played(at, Move("settle_hand", 3), Move("settle_hand", 2))
    settlement = settlement_of(at)
    assert [(line.seat, line.outcome, line.paid_cents) for line in settlement.lines] == [(2, "void", 0), (3, "win", 10)]
    assert settlement == settle(round_of(at.felt), carded)
    void = settlement_of(PLAY.step(at, Move("not_reconstructed")))
    assert next((line.outcome, line.rules) for line in void.lines) == ("void", ("WAR 11.6",))
