"""Super Streak and Loss Limits: what a run of results makes of a wager, when one may be placed, what goes back."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.games.sic_bo import Dice, Limits, LossLimit, Placed, Round, Run, Runs, Seat, settle, streak_refused, turn
from rules.games.sic_bo.loss_limits import wager_over
from rules.limits import Refused
from rules.rounds import Line, OpenWager, RoundError
from rules.schedules import shipped
from rules.settings import SicBoSettings

S, B, T, X = (1, 1, 2), (5, 6, 6), (2, 2, 2), None
"""A small even result, a big odd one, a triple, and no result."""
ODDS = {4: 6, 5: 10, 6: 15, 7: 20, 8: 35, 9: 50, 10: 75, 11: 100, 12: 500}


def played(wager: str, rolls: str, settings: SicBoSettings | None = None) -> tuple[str, int]:
    """The outcome of a streak wager of 10 over rolls written S, B, T, X, and what the player has from it."""
    settings = settings or SicBoSettings()
    still: tuple[OpenWager, ...] = (OpenWager(1, wager, 10, 0),)
    for number, roll in enumerate(rolls, start=1):
        dice: Dice | None = {"S": S, "B": B, "T": T, "X": X}[roll]
        settlement = settle(Round(dice, still_open=still, no_result="broken" if dice is None else None), settings)
        still = settlement.still_open
        if not still:
            (line,) = settlement.lines
            assert number == len(rolls)
            return line.outcome, line.net_cents
    return f"open at {still[0].in_a_row}", 0


@pytest.mark.parametrize("length", range(13))
def test_a_streak_is_paid_by_its_length(length: int) -> None:
    """SIC 6.4, 7.2: at three or fewer in a row the wager loses, from four on it is paid by the chart, up to twelve."""
    rolls = "S" * length + ("B" if length < 12 else "")
    wanted = ("win", 10 * ODDS[length]) if length >= 4 else ("lose", -10)
    assert played("super_streak_small", rolls) == wanted
    assert {int(row): odds.pays for row, odds in shipped("sic_7_2").odds["super_streak"].items()} == ODDS


ROLLS = """
super_streak_small | SSSTSB   | win +60
super_streak_small | TTSSSB   | lose -10
super_streak_small | SSSXSXB  | win +60
super_streak_small | SSSTTTB  | lose -10
super_streak_small | T        | open at 0
super_streak_small | X        | open at 0
super_streak_small | SSTX     | open at 2
super_streak_big   | BBBBS    | win +60
super_streak_big   | S        | lose -10
super_streak_odd   | BBBBBS   | win +100
super_streak_even  | SSSSB    | win +60
super_streak_even  | B        | lose -10
"""


@pytest.mark.parametrize("line", ROLLS.strip().splitlines())
def test_a_day_of_rolls(line: str) -> None:
    """SIC 6.4, 8.6: a triple and no result neither win, lose nor progress; the streak goes on as if they were not."""
    wager, rolls, wanted = (part.strip() for part in line.split("|"))
    outcome, net = played(wager, rolls)
    assert wanted == (outcome if outcome.startswith("open") else f"{outcome} {net:+d}")


def test_the_pairs_are_independent() -> None:
    """SIC 6.5: Small may change over to Big in the middle of an Odd streak; a result may end one of each at once."""
    still = tuple(OpenWager(1, f"super_streak_{side}", 10, 4) for side in ("small", "odd"))
    middle = settle(Round((5, 6, 6), still_open=still))
    assert [(line.wager, line.outcome) for line in middle.lines] == [("super_streak_small", "win")]
    assert middle.still_open == (OpenWager(1, "super_streak_odd", 10, 5),)
    both = settle(Round((4, 4, 6), still_open=still))
    assert [line.outcome for line in both.lines] == ["win", "win"]


def test_a_total_of_ten_ends_odd_and_even_streaks_by_the_ruling() -> None:
    """SIC 3.3.2, 6.3: where Even does not win on 10, the total is of neither side, and ends streaks of both."""
    for reading, even in (("lose", "lose"), ("win", "open")):
        settings = SicBoSettings(even_on_10=reading)  # type: ignore[arg-type]
        assert turn("odd", 2, (1, 3, 6), settings).outcome == "lose"
        assert turn("even", 2, (1, 3, 6), settings).outcome == even
        runs = Runs(Run("small", 2), Run("even", 2)).after((1, 3, 6), settings)
        assert runs == Runs(Run("small", 3), Run("even", 3) if reading == "win" else Run(None, 0))
        still = (OpenWager(1, "super_streak_even", 10, 2),)
        assert settle(Round((1, 3, 6), still_open=still), settings).rulings == (("even_on_10", reading),)
    assert streak_refused("even", Runs(Run("small", 1), Run(None, 0))) is None


def test_twelve_is_paid_at_once_or_when_the_streak_ends() -> None:
    """SIC 6.3: by the ruling twelve in a row are paid when they are there, or stay in play until the streak ends."""
    at_end = SicBoSettings(pay_12="at_end")
    assert played("super_streak_small", "S" * 12) == ("win", 5000)
    assert played("super_streak_small", "S" * 12, at_end) == ("open at 12", 0)
    assert played("super_streak_small", "S" * 15 + "B", at_end) == ("win", 5000)
    at_11 = Round(S, still_open=(OpenWager(1, "super_streak_small", 10, 11),))
    assert settle(at_11).rulings == (("pay_12", "at_12"),)
    assert settle(at_11).lines[0].rules == ("SIC 6.3", "SIC 6.4.2", "SIC 7.2")
    assert settle(at_11, at_end).rulings == (("pay_12", "at_end"),)
    at_12 = Round(B, still_open=(OpenWager(1, "super_streak_small", 10, 12),))
    assert settle(at_12, at_end).rulings == (("pay_12", "at_end"),)
    with pytest.raises(RoundError) as caught:
        settle(at_12)
    assert caught.value.field == "still_open[0].in_a_row"


FAILURES = """
3 | S | lose | win +60 6.4.2 7.2
4 | S | lose | win +100 6.4.2 7.2
2 | S | lose | lose +0 6.4.1
2 | S | void | void +0
3 | T | void | void +0
4 | T | void | win +60 6.4.2 7.2
5 | B | void | win +100 6.4.2 7.2
3 | B | void | lose +0 6.4.1
"""


@pytest.mark.parametrize("line", FAILURES.strip().splitlines())
def test_an_equipment_failure_ends_every_streak_wager(line: str) -> None:
    """SIC 8.7.1: paid by the result on the dice, and ended; at three or fewer that it ends, as the ruling says."""
    before, roll, ruling, wanted = (part.strip() for part in line.split("|"))
    dice: Dice = {"S": S, "B": B, "T": T}[roll]
    still = (OpenWager(1, "super_streak_small", 10, int(before)),)
    settlement = settle(Round(dice, still_open=still, lit=()), SicBoSettings(terminated_short=ruling))  # type: ignore[arg-type]
    (line_,) = settlement.lines
    rules = " ".join(rule.removeprefix("SIC ") for rule in line_.rules)
    assert settlement.still_open == ()
    outcome, paid, *cited = wanted.split()
    assert (line_.outcome, f"+{line_.paid_cents}") == (outcome, paid)
    assert rules == " ".join(["8.7.1", *cited])
    ended_short = roll != "B" and int(before) + (roll == "S") < 4
    assert dict(settlement.rulings) == ({"terminated_short": ruling} if ended_short else {})


def test_a_wager_that_the_failure_ends_at_once() -> None:
    """SIC 8.7.1: a wager placed before the failing round is in play too, and ends with it."""
    settlement = settle(Round(S, (Seat(1, (Placed("super_streak_small", 10),)),), lit=()))
    assert [(line.outcome, line.rules) for line in settlement.lines] == [("lose", ("SIC 8.7.1", "SIC 6.4.1"))]


WINDOWS = """
         | small - | odd -
T        | small - | odd -
X        | small - | odd -
S        | small + | odd +
B        | small + | odd +
ST       | small + | odd +
SXT      | small + | odd +
SS       | small - | odd -
SSTX     | small - | odd -
SSB      | small + | odd +
SSBT     | small + | odd +
SBS      | small + | odd +
SSBB     | small - | odd -
"""


@pytest.mark.parametrize("line", WINDOWS.strip().splitlines())
def test_when_a_streak_wager_may_be_placed(line: str) -> None:
    """SIC 6.2: after the day's first result, or one that ended a run; a triple or no result keeps it as it was."""
    rolls, *wanted = (part.strip() for part in line.split("|"))
    runs = Runs()
    for roll in rolls:
        dice = {"S": S, "B": B, "T": T, "X": X}[roll]
        runs = runs if dice is None else runs.after(dice)
    for pair in wanted:
        side, may = pair.split()
        refused = streak_refused(side, runs)  # type: ignore[arg-type]
        assert (refused is None) == (may == "+")
        assert refused is None or refused.rule == "SIC 6.2"
        round_ = Round(S, (Seat(1, (Placed(f"super_streak_{side}", 10),)),), runs=runs)  # type: ignore[arg-type]
        outcomes = [line.outcome for line in settle(round_).lines]
        assert ("void" in outcomes) == (may == "-")


def test_a_streak_wager_out_of_time_is_void() -> None:
    """SIC 1.1, 6.2, 6.6: one placed while a streak is in progress, or after the final call, goes back; others stay."""
    seat = Seat(1, (Placed("super_streak_small", 10), Placed("super_streak_small", 5), Placed("big", 10)))
    runs = Runs(Run("small", 4), Run("odd", 1))
    for changes, rule in (({"runs": runs}, "SIC 6.2"), ({"final_call": True}, "SIC 6.6")):
        settlement = settle(Round((5, 6, 6), (seat,), **changes))
        big, streak = settlement.lines
        assert (big.outcome, big.paid_cents) == ("win", 10)
        assert (streak.outcome, streak.stake_cents, streak.returned_cents) == ("void", 15, 15)
        assert streak.rules == (rule, "SIC 1.1")
        assert len(settlement.notes) == 1
    still = (OpenWager(2, "super_streak_small", 10, 4),)
    closing = settle(Round(S, (), still, final_call=True))
    assert closing.still_open == (OpenWager(2, "super_streak_small", 10, 5),)


def test_a_streak_wager_has_one_amount() -> None:
    """SIC 6.7, 4.2, 4.3: more than the amount required goes back at once and the rest stays in play; less is valid."""
    sign = Limits(streak_cents=10)
    over = settle(Round(S, (Seat(1, (Placed("super_streak_small", 25),)),)), limits=sign)
    (line,) = over.lines
    assert (line.outcome, line.stake_cents, line.returned_cents, line.rules) == ("returned", 15, 15, ("SIC 4.3",))
    assert over.still_open == (OpenWager(1, "super_streak_small", 10, 1),)
    lost = settle(Round(B, (Seat(1, (Placed("super_streak_small", 25),)),)), limits=sign)
    assert [(each.stake_cents, each.returned_cents) for each in lost.lines] == [(25, 15)]
    under = settle(Round(S, (Seat(1, (Placed("super_streak_small", 5),)),), runs=Runs(Run("small", 1))), limits=sign)
    assert (under.lines, under.still_open[0].stake_cents) == ((), 5)
    assert under.notes == ("seat 1: super streak small of 5 cents is below the minimum, and valid (SIC 4.2)",)


def test_counting_the_changeover_is_refused_with_its_reason() -> None:
    """SIC 6.2-6.5: a streak counted from the changeover itself would give the player four fifths of every wager."""
    with pytest.raises(ValueError, match="80%"):
        SicBoSettings(streak_basis="changeover")

    def expected(already: int) -> Fraction:
        """The player's expectation where so many results count when the wager is placed."""
        total = Fraction(0)
        for more in range(13 - already):
            length, last = already + more, already + more == 12
            chance = Fraction(1, 2 ** (more if last else more + 1))
            total += chance * ODDS.get(length, -1)
        return total

    assert 0.803 < expected(1) < 0.804
    assert -0.099 < expected(0) < -0.098


# The limit ; lost so far ; open from before ; bets in their order ; and what of them counts, split or whole.
LIMITED = """
10 ;  0 ; - ; small:5 big:5         ; small:5 big:5       ; small:5 big:5
10 ;  0 ; - ; small:5 big:6         ; small:5 big:5       ; small:5 big:0       ; named
10 ;  0 ; - ; small:5 big:6 odd:3   ; small:5 big:5 odd:0 ; small:5 big:0 odd:0 ; named
10 ;  0 ; - ; small:5 big:5 odd:3   ; small:5 big:5 odd:0 ; small:5 big:5 odd:0
10 ;  4 ; - ; small:5 big:6 odd:3   ; small:5 big:1 odd:0 ; small:5 big:0 odd:0 ; named
10 ; -4 ; - ; small:5 big:6 odd:3   ; small:5 big:6 odd:3 ; small:5 big:6 odd:3
10 ; 12 ; - ; small:5               ; small:0             ; small:0
10 ;  0 ; 7 ; small:5               ; small:3             ; small:0             ; named
10 ;  0 ; - ; small:5 big:4 small:3 ; small:6 big:4       ; small:5 big:4       ; named
 0 ;  0 ; - ; small:5               ; small:0             ; small:0
"""


def amounts(text: str) -> list[tuple[str, int]]:
    """Wagers with their amounts."""
    return [(name, int(cents)) for name, _, cents in (part.partition(":") for part in text.split())]


@pytest.mark.parametrize("line", LIMITED.strip().splitlines())
def test_what_exceeds_a_loss_limit_goes_back_last_bet_first(line: str) -> None:
    """SIC 8.15: only what is within the limit counts; the bet that crosses it is split or goes back, by the ruling."""
    limit, lost, at_risk, text, split, whole, *named = (part.strip() for part in line.split(";"))
    placed = tuple(Placed(name, cents) for name, cents in amounts(text))  # type: ignore[arg-type]
    seat = Seat(1, placed, loss_limit=LossLimit(int(limit), int(lost)))
    still = () if at_risk == "-" else (OpenWager(1, "super_streak_odd", int(at_risk), 2),)
    for excess, wanted in (("split", split), ("whole", whole)):
        settings = SicBoSettings(loss_limit_excess=excess)  # type: ignore[arg-type]
        settlement = settle(Round((2, 2, 2), (seat,), still), settings)
        assert [(each.wager, each.stake_cents - each.returned_cents) for each in settlement.lines] == amounts(wanted)
        over = sum(bet.cents for bet in placed) - sum(cents for _, cents in amounts(wanted))
        assert bool(over) == any("SIC 8.15.1" in each.rules for each in settlement.lines)
        notes = (f"seat 1: {over} cents exceed the Loss Limit and go back, the last bet first (SIC 8.15.1); ",)
        assert settlement.notes == ((notes[0] + "advise the player of rule 9.2",) if over else ())
        assert settlement.rulings == ((("loss_limit_excess", excess),) if named else ())
        outcomes = {each.wager: each.outcome for each in settlement.lines}
        assert all((outcomes[wager] == "returned") == (cents == 0) for wager, cents in amounts(wanted))


def test_a_streak_wager_over_a_loss_limit_stays_in_part() -> None:
    """SIC 8.15.1, 6.2: of a new streak wager what is over the limit goes back at once, the rest stays in play."""
    seat = Seat(1, (Placed("super_streak_small", 10),), loss_limit=LossLimit(6))
    settlement = settle(Round(S, (seat,)))
    assert settlement.still_open == (OpenWager(1, "super_streak_small", 6, 1),)
    (line,) = settlement.lines
    assert (line.outcome, line.stake_cents, line.returned_cents, line.rules) == ("returned", 4, 4, ("SIC 8.15.1",))
    nothing = settle(Round(S, (Seat(1, seat.wagers, loss_limit=LossLimit(0)),)))
    assert (nothing.still_open, [each.returned_cents for each in nothing.lines]) == ((), [10])


@pytest.mark.parametrize(("left", "excess", "said"), [(6, "split", True), (6, "whole", False), (10, "split", False)])
def test_less_than_the_sign_requires_is_said(left: int, excess: Any, *, said: bool) -> None:
    """SIC 6.7, 8.15.1: where a Loss Limit splits a streak wager, what stays is less than the sign's amount."""
    seat = Seat(1, (Placed("super_streak_small", 10),), loss_limit=LossLimit(left))
    settlement = settle(Round(S, (seat,)), SicBoSettings(loss_limit_excess=excess), Limits(streak_cents=10))
    words = "seat 1: super streak small counts with 6 cents, less than the 10 required: the Loss Limit leaves no more"
    assert (f"{words} (SIC 6.7, 8.15.1)" in settlement.notes) == said
    assert any("SIC 6.7" in line.rules for line in settlement.lines) == said
    assert not said or settlement.still_open[0].stake_cents == 6


def test_only_what_the_sign_lets_count_uses_a_loss_limit() -> None:
    """SIC 4.3, 8.15: above the maximum a bet is not at risk, so it takes nothing of the Loss Limit."""
    seat = Seat(1, (Placed("small", 30), Placed("big", 10)), loss_limit=LossLimit(20))
    lines = settle(Round((2, 2, 2), (seat,)), limits=Limits(max_cents={"table": 10})).lines
    assert [line.stake_cents - line.returned_cents for line in lines] == [10, 10]


def test_chips_that_were_not_declared_are_noticed() -> None:
    """SIC 9.2.2, 8.15.1: who wagers chips that were never declared is advised; within the limit the wager counts."""
    seat = Seat(1, (Placed("small", 30),), loss_limit=LossLimit(100, declared_cents=20))
    settlement = settle(Round(S, (seat,)))
    assert settlement.lines[0].paid_cents == 30
    assert settlement.notes == (
        "seat 1: chips of 10 cents were not declared (SIC 9.2.2); advise the player of rule 9.2 (SIC 8.15.1)",
    )


def test_a_loss_limit_over_a_day() -> None:
    """SIC 9.2, 9.3: declarations add up, a wager counts when it is settled, winnings give room again."""
    limit = LossLimit(100).declaring(60).declaring(40)
    assert limit.declared_cents == 100
    assert wager_over(limit, 100, 0, 0) is None
    assert wager_over(limit, 60, 41, 0) == Refused("SIC 9.3", "it would exceed the Loss Limit: 59 cents are left")
    assert wager_over(limit, 60, 0, 41) == Refused("SIC 9.3", "it would exceed the Loss Limit: 59 cents are left")
    lost = limit.after_round(50, [Line(1, "small", 30, "lose", 0, 0, ("SIC 3.2.1.2",))])
    assert (lost.net_loss_cents, lost.declared_cents, lost.room_cents(20)) == (30, 50, 50)
    won = lost.after_round(0, [Line(1, "super_streak_small", 20, "win", 120, 20, ("SIC 6.4.2",))])
    assert (won.net_loss_cents, won.declared_cents, won.room_cents(0)) == (-90, 190, 190)
    assert LossLimit(100).after_round(50, []).declared_cents is None
    undeclared = wager_over(LossLimit(100, declared_cents=10), 15, 0, 0)
    assert undeclared is not None
    assert undeclared.rule == "SIC 9.2.2"


@pytest.mark.parametrize(("changes", "field"), [({"limit_cents": -1}, "limit"), ({"declared_cents": -1}, "declared")])
def test_a_loss_limit_is_an_amount(changes: dict[str, Any], field: str) -> None:
    """SIC 8.15: no limit is below nothing, nor are chips declared."""
    with pytest.raises(ValueError, match=f"^{field}_cents: -1: "):
        LossLimit(**{"limit_cents": 5, **changes})


@pytest.mark.parametrize(
    ("runs", "field"),
    [
        ({"small_big": Run("odd", 1)}, "small_big.side: odd"),
        ({"odd_even": Run("big", 1)}, "odd_even.side: big"),
        ({"small_big": Run(None, 0)}, "small_big.in_a_row: 0"),
        ({"odd_even": Run(None, 2)}, "odd_even.in_a_row: 2"),
        ({"odd_even": Run("odd", 0)}, "odd_even.in_a_row: 0"),
    ],
)
def test_a_run_is_of_its_pair(runs: dict[str, Any], field: str) -> None:
    """SIC 6.5: Small and Big are one pair, Odd and Even the other; a run has its length."""
    with pytest.raises(ValueError, match=f"^{field}: "):
        Runs(**runs)


@given(rolls=st.lists(st.tuples(*[st.integers(1, 6)] * 3), max_size=40), side=st.sampled_from(["small", "odd", "even"]))
def test_a_stake_is_settled_once(rolls: list[Dice], side: str) -> None:
    """SIC 6.2: a streak wager stays until its streak ends, and then has one line, whatever is rolled."""
    still: tuple[OpenWager, ...] = (OpenWager(1, f"super_streak_{side}", 10, 0),)
    lines: list[Line] = []
    for dice in rolls:
        settlement = settle(Round(dice, still_open=still))
        lines += settlement.lines
        still = settlement.still_open
    assert len(lines) + len(still) == 1


def test_every_roll_moves_a_streak_one_way() -> None:
    """SIC 6.4: of all 216 rolls each lets a wager progress, ends it, or, on the six triples, leaves it as it was."""
    for side, ways in (("small", 105), ("big", 105), ("odd", 105), ("even", 105 - 27)):
        turns = [turn(side, 5, dice) for dice in product(range(1, 7), repeat=3)]  # type: ignore[arg-type]
        counts = [now.in_a_row for now in turns if now.outcome == "open"]
        assert (counts.count(6), counts.count(5), len(turns) - len(counts)) == (ways, 6, 210 - ways)
