"""The rules of Sic Bo as tables: dice and bets on the left, what each bet comes to on the right."""

from typing import Any

import pytest

from rules.directions import Forfeit
from rules.games.sic_bo import AREAS, Limits, Placed, Round, Seat, settle, winning_areas, wrongly_lit
from rules.games.sic_bo.layout import dice_fault
from rules.rounds import OpenWager, RoundError, Settlement
from rules.schedules import parse_schedule, shipped
from rules.settings import SicBoSettings

# Dice ; bets of 10 each ; and what each comes to: wager, outcome, +winnings, <stake given back, and the rules cited.
TABLE = """
1 1 2 ; small ; small win +10 <10 3.2.1.1 7.1
1 3 6 ; small ; small win +10 <10 3.2.1.1 7.1
1 4 6 ; small ; small lose +0 <0 3.2.1.2
1 1 1 ; small ; small lose +0 <0 3.2.1.2
2 2 2 ; small ; small lose +0 <0 3.2.1.2
3 3 3 ; small ; small lose +0 <0 3.2.1.2
1 4 6 ; big ; big win +10 <10 3.2.2.1 7.1
5 6 6 ; big ; big win +10 <10 3.2.2.1 7.1
1 3 6 ; big ; big lose +0 <0 3.2.2.2
4 4 4 ; big ; big lose +0 <0 3.2.2.2
5 5 5 ; big ; big lose +0 <0 3.2.2.2
6 6 6 ; big ; big lose +0 <0 3.2.2.2
1 2 2 ; odd ; odd win +10 <10 3.3.1.1 7.1
5 6 6 ; odd ; odd win +10 <10 3.3.1.1 7.1
3 3 3 ; odd ; odd lose +0 <0 3.3.1.2
1 1 2 ; odd ; odd lose +0 <0 3.3.1.2
1 1 2 ; even ; even win +10 <10 3.3.2.1 7.1
5 5 6 ; even ; even win +10 <10 3.3.2.1 7.1
1 3 6 ; even ; even lose +0 <0 3.3.2.2
2 2 2 ; even ; even lose +0 <0 3.3.2.2
6 6 6 ; even ; even lose +0 <0 3.3.2.2
1 2 2 ; even ; even lose +0 <0 3.3.2.2
4 4 4 ; specific_triple_4 ; specific_triple_4 win +1800 <10 3.2.3 7.1
4 4 5 ; specific_triple_4 ; specific_triple_4 lose +0 <0 3.2.3
5 5 5 ; specific_triple_4 ; specific_triple_4 lose +0 <0 3.2.3
4 4 5 ; specific_double_4 ; specific_double_4 win +110 <10 3.2.4 7.1
4 4 4 ; specific_double_4 ; specific_double_4 win +110 <10 3.2.4 7.1
4 5 5 ; specific_double_4 ; specific_double_4 lose +0 <0 3.2.4
1 1 1 ; any_triple ; any_triple win +310 <10 3.2.5 7.1
1 1 2 ; any_triple ; any_triple lose +0 <0 3.2.5
1 1 2 ; total_4 ; total_4 win +620 <10 3.2.6 7.1
1 1 3 ; total_5 ; total_5 win +310 <10 3.2.6 7.1
2 2 2 ; total_6 ; total_6 win +180 <10 3.2.6 7.1
1 2 4 ; total_7 ; total_7 win +120 <10 3.2.6 7.1
1 2 5 ; total_8 ; total_8 win +80 <10 3.2.6 7.1
3 3 3 ; total_9 ; total_9 win +70 <10 3.2.6 7.1
1 3 6 ; total_10 ; total_10 win +60 <10 3.2.6 7.1
1 4 6 ; total_11 ; total_11 win +60 <10 3.2.6 7.1
4 4 4 ; total_12 ; total_12 win +70 <10 3.2.6 7.1
1 6 6 ; total_13 ; total_13 win +80 <10 3.2.6 7.1
2 6 6 ; total_14 ; total_14 win +120 <10 3.2.6 7.1
5 5 5 ; total_15 ; total_15 win +180 <10 3.2.6 7.1
4 6 6 ; total_16 ; total_16 win +310 <10 3.2.6 7.1
5 6 6 ; total_17 ; total_17 win +620 <10 3.2.6 7.1
5 6 6 ; total_16 ; total_16 lose +0 <0 3.2.6
1 2 6 ; two_dice_1_2 ; two_dice_1_2 win +60 <10 3.2.7 7.1
1 2 2 ; two_dice_1_2 ; two_dice_1_2 win +60 <10 3.2.7 7.1
1 1 3 ; two_dice_1_2 ; two_dice_1_2 lose +0 <0 3.2.7
2 3 4 ; single_die_2 ; single_die_2 win +10 <10 3.2.8 7.1
2 2 4 ; single_die_2 ; single_die_2 win +20 <10 3.2.8 7.1
2 2 2 ; single_die_2 ; single_die_2 win +120 <10 3.2.8 7.1
1 3 4 ; single_die_2 ; single_die_2 lose +0 <0 3.2.8
1 2 4 ; four_numbers_1_2_3_4 ; four_numbers_1_2_3_4 win +70 <10 3.3.3 7.1
1 2 2 ; four_numbers_1_2_3_4 ; four_numbers_1_2_3_4 lose +0 <0 3.3.3
1 2 5 ; four_numbers_1_2_3_4 ; four_numbers_1_2_3_4 lose +0 <0 3.3.3
3 4 5 ; four_numbers_2_3_4_5 ; four_numbers_2_3_4_5 win +70 <10 3.3.3 7.1
2 5 6 ; four_numbers_2_3_5_6 ; four_numbers_2_3_5_6 win +70 <10 3.3.3 7.1
3 4 6 ; four_numbers_3_4_5_6 ; four_numbers_3_4_5_6 win +70 <10 3.3.3 7.1
5 1 1 ; big single_die_1 two_dice_1_5 ; big lose +0 <0 3.2.2.2 | two_dice_1_5 win +60 <10 3.2.7 7.1 | single_die_1 win +20 <10 3.2.8 7.1
"""  # noqa: E501 - a line a roll

# As above under a sign: the table 5 to 20, a total from 2, total 4 at most 8; a bet says its amount.
SIGN = Limits({"table": 5, "total": 2}, {"table": 20, "total_4": 8}, streak_cents=10)
UNDER_A_SIGN = """
1 1 2 ; small:5 ; small win +5 <5 3.2.1.1 7.1
1 1 2 ; small:4 ; small win +4 <4 3.2.1.1 7.1 4.2
1 4 6 ; small:4 ; small lose +0 <0 3.2.1.2 4.2
1 1 2 ; small:20 ; small win +20 <20 3.2.1.1 7.1
1 1 2 ; small:30 ; small win +20 <30 3.2.1.1 7.1 4.3
1 4 6 ; small:30 ; small lose +0 <10 3.2.1.2 4.3
1 1 2 ; small:15 small:10 ; small win +20 <25 3.2.1.1 7.1 4.3
1 1 2 ; total_4:10 ; total_4 win +496 <10 3.2.6 7.1 4.3
1 1 2 ; total_5:2 ; total_5 lose +0 <0 3.2.6
1 1 2 ; total_4:2 ; total_4 win +124 <2 3.2.6 7.1
"""


def bets(text: str) -> tuple[Placed, ...]:
    """Bets of 10 cents, or of what they say."""
    parts = [part.partition(":") for part in text.split()]
    return tuple(Placed(AREAS[name].wager, int(cents or 10)) for name, _, cents in parts)


def rolled(dice: str, text: str, **changes: Any) -> Round:
    """A roll with the bets of one player."""
    first, second, third = map(int, dice.split())
    return Round((first, second, third), (Seat(1, bets(text)),), **changes)


def said(settlement: Settlement) -> str:
    """The lines of a settlement in the words of the table."""
    return " | ".join(
        f"{line.wager} {line.outcome} +{line.paid_cents} <{line.returned_cents} "
        + " ".join(rule.removeprefix("SIC ") for rule in line.rules)
        for line in settlement.lines
    )


@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_settlement(line: str) -> None:
    """Each bet comes to what its rule says (SIC 3.2, 3.3, 7.1; CASES 48)."""
    dice, text, wanted = (part.strip() for part in line.split(";"))
    assert said(settle(rolled(dice, text))) == wanted


@pytest.mark.parametrize("line", UNDER_A_SIGN.strip().splitlines())
def test_settlement_under_a_sign(line: str) -> None:
    """SIC 4.2, 4.3: a bet below the minimum is valid, one above the maximum counts up to it; both are noted."""
    dice, text, wanted = (part.strip() for part in line.split(";"))
    settlement = settle(rolled(dice, text), limits=SIGN)
    assert said(settlement) == wanted
    assert len(settlement.notes) == ("4.2" in wanted or "4.3" in wanted)


def test_six_six_six() -> None:
    """CASES 48: Big, Small, Odd, Even and totals lose; the triples, double and die pay, each once."""
    every = " ".join(area.wager for area in AREAS.values() if area.side is None)
    won = {line.wager: line.paid_cents for line in settle(rolled("6 6 6", every)).lines if line.outcome == "win"}
    assert won == {"any_triple": 310, "specific_triple_6": 1800, "specific_double_6": 110, "single_die_6": 120}


@pytest.mark.parametrize(
    ("dice", "setting", "lose", "win"),
    [("1 3 6", "even_on_10", "3.3.2.2", "3.3.2.1"), ("6 6 6", "even_on_666", "3.3.2.2", "3.3.2.1")],
)
def test_even_is_read_one_way_or_the_other(dice: str, setting: str, lose: str, win: str) -> None:
    """SIC 3.3.2: whether Even wins on 10, and on 6-6-6, is the table's ruling, and named where it matters."""
    round_ = rolled(dice, "even")
    wins: dict[str, Any] = {setting: "win"}
    plain, kind = settle(round_), settle(round_, SicBoSettings(**wins))
    assert said(plain) == f"even lose +0 <0 {lose}"
    assert said(kind) == f"even win +10 <10 {win} 7.1"
    assert (plain.rulings, kind.rulings) == (((setting, "lose"),), ((setting, "win"),))
    assert settle(rolled("1 1 2", "even")).rulings == ()
    assert settle(rolled(dice, "odd")).rulings == ()


NO_RESULTS = """
die_not_flat       | 8.1
tumbler_failed     | 8.2
not_activated      | 8.3
dice_exposed       | 8.3
button_not_pressed | 8.4
broken             | 8.5
"""


@pytest.mark.parametrize("line", NO_RESULTS.strip().splitlines())
def test_no_result_voids_all_but_super_streak(line: str) -> None:
    """SIC 8.1 to 8.6: every bet goes back as it was placed; a streak wager neither wins, loses nor progresses."""
    cause, rule = (part.strip() for part in line.split("|"))
    still_open = (OpenWager(2, "super_streak_big", 10, 3),)
    round_ = Round(None, (Seat(1, bets("small:30 super_streak_odd")),), still_open, no_result=cause)  # type: ignore[arg-type]
    settlement = settle(round_, limits=SIGN)
    assert said(settlement) == f"small void +0 <30 {rule} 8.6"
    assert settlement.still_open == (OpenWager(1, "super_streak_odd", 10, 0), *still_open)


def test_an_invalidated_outcome_is_refunded_kept_or_forfeited() -> None:
    """SIC 9.9, 9.10: wagers on the result may be refunded, by the ruling; a supervisor may direct one forfeited."""
    seats = (Seat(1, bets("small")), Seat(2, bets("big:30")))
    round_ = Round(None, seats, (OpenWager(2, "super_streak_big", 10, 3),), no_result="invalidated")
    settlement = settle(round_)
    assert said(settlement) == "small void +0 <10 9.9 9.10 | big void +0 <30 9.9 9.10"
    assert settlement.rulings == (("refund_invalidated", True),)
    assert settlement.still_open == round_.still_open
    kept = settle(round_, SicBoSettings(refund_invalidated=False), SIGN)
    assert said(kept) == "small lose +0 <0 9.9 9.10 | big lose +0 <10 9.9 9.10 4.3"
    forfeited = settle(
        Round(None, seats, no_result="invalidated", forfeits=(Forfeit(2, "A. Lee", "loaded dice"),)), limits=SIGN
    )
    assert said(forfeited) == "small void +0 <10 9.9 9.10 | big lose +0 <10 9.9 9.10 4.3"
    assert forfeited.notes == ("seat 2: big is forfeited, directed by A. Lee: loaded dice (SIC 9.10)",)


def test_wrongly_lit_areas_are_settled_by_the_dice() -> None:
    """SIC 8.7, 8.8: dark and wrongly lit areas are named, the dice decide, an inspector is told and play stops."""
    right = winning_areas((1, 2, 3))
    lit = (*[wager for wager in right if wager != "total_6"], "big")
    round_ = rolled("3 1 2", "total_6 big", lit=lit)
    settlement = settle(round_)
    assert wrongly_lit(round_) == (("total_6",), ("big",))
    assert said(settlement) == "big lose +0 <0 8.7 3.2.2.2 | total_6 win +180 <10 8.7 3.2.6 7.1"
    assert settlement.notes == (
        "settled by the dice: dark total_6; wrongly lit big (SIC 8.7)",
        "an inspector is notified at once; no play until the fault is rectified (SIC 8.8)",
    )
    assert settle(rolled("3 1 2", "total_6", lit=right)) == settle(rolled("3 1 2", "total_6"))
    assert len(wrongly_lit(rolled("3 1 2", "total_6", lit=()))[0]) == len(right)


def test_an_area_that_the_table_has_not_need_not_be_lit() -> None:
    """SIC 2.3, 3.3: the winning areas of the layout are lit, and a layout without Even has no such area."""
    sign = Limits(offered=("odd",))
    lit = winning_areas((1, 2, 3), offered=("odd",))
    assert "even" not in lit
    assert settle(rolled("1 2 3", "small", lit=lit), limits=sign).notes == ()
    assert wrongly_lit(rolled("1 2 3", "small", lit=lit)) == (("even", "four_numbers_1_2_3_4"), ())


def test_the_display_is_disregarded() -> None:
    """SIC 8.9: a number display that shows another result changes nothing; the dealer is told."""
    settlement = settle(rolled("3 1 2", "total_6", display=(1, 1, 1)))
    assert settlement.lines == settle(rolled("3 1 2", "total_6", display=(1, 2, 3))).lines
    assert settlement.notes == ("the display shows 1 1 1 and is disregarded (SIC 8.9)",)
    assert settle(rolled("3 1 2", "total_6", display=(1, 2, 3))).notes == ()


def test_an_invalid_wager_wins_nothing() -> None:
    """SIC 8.14.2: a winning invalid wager goes back without winnings; what becomes of a losing one is a ruling."""
    round_ = Round((1, 1, 2), (Seat(1, bets("small big:30"), void_for="invalid"),))
    settlement = settle(round_, limits=SIGN)
    assert said(settlement) == "small void +0 <10 8.14.2 3.2.1.1 | big lose +0 <10 8.14.2 3.2.2.2 4.3"
    assert settlement.rulings == (("invalid_losing", "kept"),)
    assert "seat 1: the big wager is invalid (SIC 9.1): 20 cents are kept (SIC 8.14.2)" in settlement.notes
    returned = settle(round_, SicBoSettings(invalid_losing="returned"))
    assert said(returned) == "small void +0 <10 8.14.2 3.2.1.1 | big void +0 <30 8.14.2 3.2.2.2"


def test_a_prohibited_device_makes_wagers_void() -> None:
    """SIC 9.8.1: every wager of the person is declared void and goes back, streaks in play too."""
    still_open = (OpenWager(1, "super_streak_big", 10, 5),)
    round_ = Round((1, 1, 2), (Seat(1, bets("small:30"), void_for="prohibited_device"),), still_open)
    settlement = settle(round_, limits=SIGN)
    assert said(settlement) == "small void +0 <30 9.8.1 | super_streak_big void +0 <10 9.8.1"
    assert settlement.still_open == ()


@pytest.mark.parametrize(("on_win", "returned"), [("returned", 10), ("as_voucher", 0)])
def test_a_token_goes_back_by_the_ruling(on_win: str, returned: int) -> None:
    """SIC 1.1: winnings on a token are chips; whether the token itself goes back is the ruling's or its voucher's."""
    round_ = Round((1, 1, 2), (Seat(1, (Placed("small", 10, "token_once"),)),))
    settlement = settle(round_, SicBoSettings(token_on_win=on_win))  # type: ignore[arg-type]
    (line,) = settlement.lines
    assert (line.paid_cents, line.returned_cents, line.tender) == (10, returned, "token_once")
    assert settlement.rulings == (("token_on_win", on_win),)


def test_a_players_own_sign_counts_for_him_alone() -> None:
    """SIC 4.6: a sign for one player has its own minimum and maximum; the others play by the table's."""
    seats = (Seat(1, bets("small:30"), own_min_cents=25, own_max_cents=50), Seat(2, bets("small:30")))
    settlement = settle(Round((1, 1, 2), seats), limits=SIGN)
    assert [line.paid_cents for line in settlement.lines] == [30, 20]
    low = settle(Round((1, 1, 2), (Seat(1, bets("small:10"), own_min_cents=25),)), limits=SIGN)
    assert low.lines[0].rules[-1] == "SIC 4.2"


def test_a_players_maximum_counts_what_was_placed_first() -> None:
    """SIC 4.1, 4.3: where the sign has a maximum for a player, what was placed last goes back above it."""
    round_ = rolled("1 1 2", "big:10 small:10 total_4:10")
    settlement = settle(round_, limits=Limits(player_max_cents=15))
    assert said(settlement) == (
        "small win +5 <10 3.2.1.1 7.1 4.3 | big lose +0 <0 3.2.2.2 | total_4 returned +0 <10 4.3"
    )


def test_another_schedule_pays() -> None:
    """SIC 7.1: the odds are the schedule's, and its rule is cited."""
    text = "\n".join(
        f"[odds.{wager}]\n{chr(10).join(f'{row} = {chr(34)}2 to 1{chr(34)}' for row in rows)}"
        for wager, rows in shipped("sic_7_1").odds.items()
    )
    heading = 'name = "two"\ngame = "sic_bo"\nedition = "2024-08-19"\nrule = "SIC 7.9"\napproval = "none"\n'
    schedule = parse_schedule(heading + text)
    (line,) = settle(rolled("1 1 2", "total_4"), schedules=dict.fromkeys(schedule.odds, schedule)).lines
    assert (line.paid_cents, line.rules) == (20, ("SIC 3.2.6", "SIC 7.9"))


def test_what_the_table_does_not_offer_is_no_wager() -> None:
    """SIC 3.3, 6.1: on a table without Even, four numbers or Super Streak there is no such area to settle."""
    for wager, rule in (("even", "SIC 3.3"), ("four_numbers_1_2_3_4", "SIC 3.3"), ("super_streak_odd", "SIC 6.1")):
        with pytest.raises(RoundError, match=rule) as caught:
            settle(rolled("1 1 2", f"odd {wager}"), limits=Limits(offered=("odd",)))
        assert (caught.value.field, caught.value.value) == ("seats[0].wagers[1].wager", wager)


def test_lines_run_by_seat_and_then_by_the_book() -> None:
    """Whatever the order in which bets were placed, lines stand by seat and in the book's order of wagers."""
    seats = (Seat(12, bets("super_streak_big odd small")), Seat(3, bets("total_4 big")))
    lines = settle(Round((1, 1, 2), seats)).lines
    assert [(line.seat, line.wager) for line in lines] == [
        *((3, "big"), (3, "total_4"), (12, "small"), (12, "odd"), (12, "super_streak_big")),
    ]


IMPOSSIBLE: list[tuple[dict[str, Any], str, str]] = [
    ({"dice": None}, "dice", ""),
    ({"dice": (1, 2, 7)}, "dice", "1 2 7"),
    ({"dice": (0, 2, 6)}, "dice", "0 2 6"),
    ({"display": (1, 2, 9)}, "display", "1 2 9"),
    ({"no_result": "broken"}, "dice", "1 2 3"),
    ({"dice": None, "no_result": "broken", "lit": ()}, "lit", ""),
    ({"lit": ("super_streak_big",)}, "lit[0]", "super_streak_big"),
    ({"lit": ("small", "tie")}, "lit[1]", "tie"),
    ({"seats": (Seat(0, bets("small")),)}, "seats[0].seat", "0"),
    ({"seats": (Seat(100, bets("small")),)}, "seats[0].seat", "100"),
    ({"seats": (Seat(1, bets("small")), Seat(1, bets("big")))}, "seats[1].seat", "1"),
    ({"seats": (Seat(1),)}, "seats[0].wagers", "[]"),
    ({"seats": (Seat(1, (Placed("tie", 10),)),)}, "seats[0].wagers[0].wager", "tie"),  # type: ignore[arg-type]
    ({"seats": (Seat(1, (Placed("small", 0),)),)}, "seats[0].wagers[0].cents", "0"),
    ({"seats": (Seat(1, (Placed("small", 10**12 + 1),)),)}, "seats[0].wagers[0].cents", "1000000000001"),
    ({"seats": (Seat(1, (Placed("small", 10**12), Placed("small", 1))),)}, "seats[0].wagers[1].cents", "1"),
    ({"seats": (Seat(1, (Placed("small", 1), Placed("small", 1, "token"))),)}, "seats[0].wagers[1].tender", "token"),
    ({"seats": (Seat(1, bets("small"), own_max_cents=0),)}, "seats[0].own_max_cents", "0"),
    ({"seats": (Seat(1, bets("small"), own_min_cents=5, own_max_cents=4),)}, "seats[0].own_max_cents", "4"),
    ({"still_open": (OpenWager(1, "small", 10, 0),)}, "still_open[0].wager", "small"),
    ({"still_open": (OpenWager(1, "super_streak_big", 10, 13),)}, "still_open[0].in_a_row", "13"),
    ({"still_open": (OpenWager(1, "super_streak_big", 10, -1),)}, "still_open[0].in_a_row", "-1"),
    ({"still_open": (OpenWager(1, "super_streak_big", 0, 1),)}, "still_open[0].stake_cents", "0"),
    ({"still_open": (OpenWager(0, "super_streak_big", 10, 1),)}, "still_open[0].seat", "0"),
    ({"still_open": (OpenWager(1, "super_streak_big", 10, 1),) * 2}, "still_open[1].wager", "super_streak_big"),
    (
        {"still_open": (OpenWager(1, "super_streak_big", 10, 1),), "seats": (Seat(1, bets("super_streak_big")),)},
        "seats[0].wagers[0].wager",
        "super_streak_big",
    ),
    ({"forfeits": (Forfeit(1, "A. Lee", "fraud"),)}, "forfeits", ""),
    ({"dice": None, "no_result": "invalidated", "forfeits": (Forfeit(7, "A. Lee", "x"),)}, "forfeits[0].seat", "7"),
]


@pytest.mark.parametrize(("changes", "field", "value"), IMPOSSIBLE)
def test_impossible_rounds(changes: dict[str, Any], field: str, value: str) -> None:
    """CASES 45: dice that are none, a repeated seat, an amount that is none, a streak wager twice: never a round."""
    with pytest.raises(RoundError) as caught:
        Round(**{"dice": (1, 2, 3), "seats": (Seat(1, bets("small")),), **changes})
    assert (caught.value.field, caught.value.value) == (field, value)


def test_dice_are_three() -> None:
    """SIC 2.5: three dice, numbered one to six."""
    assert dice_fault([1, 2, 3, 4]) == "4 dice where there are three (SIC 2.5)"
    assert dice_fault([1, 2, 0]) == "0: no face of a die (SIC 2.5)"


def test_a_roll_without_wagers_is_a_round() -> None:
    """A day's runs are made by every result, whether or not somebody wagered on it (SIC 6.2)."""
    assert settle(Round((1, 2, 3))) == Settlement(())
