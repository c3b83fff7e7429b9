"""Sic Bo played move by move: how rolls and days end, streaks over them, and that whatever is played settles."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.directions import Forfeit
from rules.games import GAMES
from rules.games.sic_bo import PLAY, Felt, Limits, LossLimit, Run, Runs, Seat, next_round, settle, settlement_of
from rules.games.sic_bo.colour_checks import Rack
from rules.games.sic_bo.racks import markers
from rules.limits import Refused
from rules.play import Move, MoveRefused
from rules.rounds import OpenWager, RoundError
from rules.settings import SicBoSettings
from tests.support.sic_bo import DAY, OPENED, SHOWN, moved, refusal, rolled


def test_a_round_as_it_is_played() -> None:
    """SIC 5: dice tumble, bets are placed, the result is called, entered and lit, losers collected, winners paid."""
    at = rolled(PLAY.begin(Felt()), "1 small 500", "2 total_4 100", "1 big 500")
    assert at.state == "wagers_paid"
    assert PLAY.legal_moves(at) == ()
    settlement = settlement_of(at)
    assert settlement == settle(at.felt.round())
    assert (settlement.net_cents(1), settlement.net_cents(2)) == (0, 6200)
    assert next_round(at) == PLAY.begin(Felt(runs=DAY))


def test_a_day_with_a_streak() -> None:
    """SIC 6: a wager placed before the dice tumble stays in play over rolls, a triple and no result, and is paid."""
    at = next_round(rolled(PLAY.begin(Felt())))
    at = moved(at, "place_streak 3 super_streak_small 500")
    for dice in ("1 1 2", "2 2 2", "1 2 2", "1 1 2"):
        at = next_round(rolled(at, dice=dice))
    at = next_round(moved(at, *OPENED, "place 3 big 500", *SHOWN, "die_not_flat", "return_wagers"))
    assert at.felt.still_open == (OpenWager(3, "super_streak_small", 500, 3),)
    assert at.felt.runs == Runs(Run("small", 4), Run("even", 1))
    at = next_round(rolled(at))
    at = rolled(at, "3 big 500", dice="5 6 6")
    lines = settlement_of(at).lines
    assert [(line.wager, line.outcome, line.paid_cents) for line in lines] == [
        ("big", "win", 500),
        ("super_streak_small", "win", 3000),
    ]
    assert next_round(at).felt.still_open == ()


def test_bets_on_an_area_add_up_with_one_tender() -> None:
    """SIC 3.4, 4.1: a bet may be added to, within the sign; chips and tokens do not mix on one area."""
    at = moved(PLAY.begin(Felt()), *OPENED, "place 1 small 500", "place 1 small 200")
    with pytest.raises(MoveRefused, match="one tender"):
        PLAY.step(at, Move("place", 1, "small", 100, tender="token"))
    at = moved(at, "take_back 1 small")
    at = PLAY.step(at, Move("place", 1, "small", 100, tender="token"))
    assert [(bet.cents, bet.tender) for bet in at.felt.player(1).wagers] == [(100, "token")]


def test_a_refused_streak_wager_leaves_the_layout() -> None:
    """SIC 9.16: prior to "no more bets" a supervisor may refuse any wager, also a streak wager just placed."""
    at = moved(PLAY.begin(Felt(runs=DAY)), "place_streak 1 super_streak_odd 500", *OPENED)
    assert moved(at, "refuse_wager 1 super_streak_odd").felt.players == ()
    at = moved(PLAY.begin(Felt(runs=DAY)), "place_streak 1 super_streak_odd 500", "take_back 1 super_streak_odd")
    assert at.felt.players == ()


def test_a_table_without_a_touch_screen_has_nothing_to_press() -> None:
    """SIC 5.2: the button is pressed where a touch screen is used, and only there."""
    at = moved(PLAY.begin(Felt()), *OPENED, "no_more_bets")
    with pytest.raises(MoveRefused) as caught:
        moved(at, "press")
    assert caught.value.rule == "SIC 5.2"
    assert Move("uncover") in PLAY.legal_moves(at)
    screen = moved(PLAY.begin(Felt(touch_screen=True)), *OPENED, "no_more_bets")
    assert Move("uncover") not in PLAY.legal_moves(screen)
    assert Move("uncover") in PLAY.legal_moves(moved(screen, "press"))


def test_wrong_lights_stop_the_table_until_the_fault_is_rectified() -> None:
    """SIC 8.7, 8.8: the dice decide, streaks end, an inspector is told; no roll before the fault is rectified."""
    still = (OpenWager(2, "super_streak_small", 500, 4),)
    wrong = ("light_wrongly - big", "light_wrongly - small", "collect", "pay")
    at = rolled(PLAY.begin(Felt(runs=DAY, still_open=still)), "1 small 500", ended=wrong)
    assert at.state == "play_stopped"
    assert [line.paid_cents for line in settlement_of(at).lines] == [500, 5000]
    for moves in ((), ("notify_inspector",)):
        with pytest.raises(RoundError, match="has not ended"):
            next_round(moved(at, *moves))
    after = next_round(moved(at, "notify_inspector", "rectify")).felt
    assert (after.still_open, after.runs) == ((), Runs(Run("small", 2), Run("even", 2)))
    dark = rolled(PLAY.begin(Felt()), "1 small 500", ended=("light_wrongly", "collect", "pay"))
    assert dark.felt.lit == ()
    assert settlement_of(dark).lines[0].outcome == "win"


def test_the_final_call_lets_streaks_end_before_the_table_closes() -> None:
    """SIC 6.6, 9.13: after the call no streak wager is taken; those in play stay, then the table closes."""
    at = moved(PLAY.begin(Felt(runs=DAY)), "place_streak 1 super_streak_small 500", "final_call")
    at = next_round(rolled(at))
    assert at.felt.final_call
    with pytest.raises(MoveRefused):
        moved(at, "close_table")
    at = next_round(rolled(at, dice="5 6 6"))
    closed = moved(at, "close_table")
    assert (closed.state, PLAY.legal_moves(closed)) == ("table_closed", ())
    plain = PLAY.begin(Felt(limits=Limits(offered=())))
    assert moved(plain, "close_table").state == "table_closed"
    with pytest.raises(MoveRefused, match="not offered"):
        moved(plain, "final_call")


def test_a_loss_limit_goes_on_from_roll_to_roll() -> None:
    """SIC 9.2, 9.3: chips are declared before the dice tumble; what was lost, and what is open, leaves less room."""
    at = PLAY.begin(Felt(players=(Seat(1, loss_limit=LossLimit(1000)),), runs=DAY))
    at = moved(at, "declare 1 - 1500", "place_streak 1 super_streak_small 200")
    at = next_round(rolled(at, "1 big 300"))
    assert at.felt.player(1).loss_limit == LossLimit(1000, 300, 1000)
    at = moved(at, *OPENED)
    with pytest.raises(MoveRefused, match="500 cents are left"):
        moved(at, "place 1 big 600")
    at = moved(at, "place 1 small 500", *SHOWN, "announce - - - 5 6 6", "enter - - - 5 6 6", "light", "collect", "pay")
    assert next_round(at).felt.player(1).loss_limit == LossLimit(1000, 1000, 500)


def test_void_wagers_of_a_player() -> None:
    """SIC 8.14.2, 9.8.1: found during the round, an invalid wager wins nothing, and a device makes all void."""
    opened = moved(PLAY.begin(Felt()), *OPENED, "place 1 small 500", "place 2 small 500")
    for move, rule in (("find_invalid", "SIC 8.14.2"), ("void_wagers", "SIC 9.8.1")):
        at = moved(opened, f"{move} 1", *SHOWN, "announce - - - 1 1 2", "enter - - - 1 1 2", "light", "collect", "pay")
        first, second = settlement_of(at).lines
        assert (first.outcome, first.returned_cents, first.rules[0]) == ("void", 500, rule)
        assert second.outcome == "win"
        assert next_round(at).felt.players == ()
    streak = PLAY.begin(Felt(runs=DAY, still_open=(OpenWager(1, "super_streak_small", 500, 2),)))
    at = moved(streak, *OPENED, "void_wagers 1", *SHOWN, "announce - - - 1 1 2", "enter - - - 1 1 2", "light")
    assert [(line.wager, line.outcome) for line in settlement_of(at).lines] == [("super_streak_small", "void")]


def test_an_invalidated_outcome() -> None:
    """SIC 9.9, 9.10: wagers on the result are refunded, or forfeited as a supervisor directs; streaks stay in play."""
    at = rolled(PLAY.begin(Felt(runs=DAY)), "1 small 500", "2 big 500", ended=("light", "invalidate", "return_wagers"))
    assert [line.outcome for line in settlement_of(at).lines] == ["void", "void"]
    forfeits = (Forfeit(2, "A. Lee", "loaded dice"),)
    assert [line.outcome for line in settlement_of(at, forfeits=forfeits).lines] == ["void", "lose"]
    assert next_round(at, forfeits=forfeits).felt.runs == DAY


def test_a_roll_is_not_settled_half_way() -> None:
    """SIC 5.5: before the winning areas are lit there is no settlement, and no next roll before wagers are paid."""
    at = PLAY.begin(Felt())
    for move in (*OPENED, "place 1 small 500", *SHOWN, "announce - - - 1 1 2", "enter - - - 1 1 2"):
        at = moved(at, move)
        with pytest.raises(RoundError, match="not illuminated"):
            settlement_of(at)
        with pytest.raises(RoundError, match="not ended"):
            next_round(at)
    assert settlement_of(moved(at, "light")).net_cents(1) == 500


AMOUNTS = {
    *("place", "call_bet", "place_streak", "declare", "declare_remaining", "find_loss_limit"),
    *("issue_checks", "share_checks", "second_colour"),
}
RARE = {
    "restrict",
    "declare_remaining",
    "invalidate",
    "broken",
    "tumbler_failed",
    "dice_exposed",
    "not_activated",
    "void_wagers",
    "find_invalid",
}


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), at_end=st.booleans(), touch_screen=st.booleans())
def test_whatever_is_played_settles(seed: int, at_end: bool, touch_screen: bool) -> None:  # noqa: FBT001 - drawn
    """Any moves that are legal end in settlements over which money in is money out; a refused move changes nothing.

    The players in another order are the same round.
    """
    rng = random.Random(seed)
    rulings = SicBoSettings(even_on_10="win", pay_12="at_end" if at_end else "at_12")
    players = (Seat(2, loss_limit=LossLimit(10_000, declared_cents=3_000)),)
    at = PLAY.begin(Felt(rulings, Limits(streak_cents=500), 3, touch_screen, players, rack=Rack("T1", ("red", "blue"))))
    placed = settled = 0
    for _ in range(150):
        legal = PLAY.legal_moves(at)
        if not legal:
            if at.state == "table_closed":
                break
            assert at.state == "wagers_paid"
            settlement = settlement_of(at)
            assert settlement == settle(at.felt.round(), at.felt.settings, at.felt.limits)
            assert all(line.rules and 0 <= line.returned_cents <= line.stake_cents for line in settlement.lines)
            assert len({(line.seat, line.wager) for line in settlement.lines}) == len(settlement.lines)
            back = sum(line.paid_cents + line.returned_cents for line in settlement.lines)
            nets = sum(settlement.net_cents(seat) for seat in range(1, 4))
            assert sum(line.stake_cents for line in settlement.lines) + nets == back
            one = at.felt.round()
            turned = replace(
                one,
                seats=tuple(rng.sample(one.seats, len(one.seats))),
                still_open=tuple(rng.sample(one.still_open, len(one.still_open))),
            )
            assert settle(turned, at.felt.settings, at.felt.limits) == settlement
            placed += sum(player.placed_cents for player in at.felt.players)
            settled += sum(line.stake_cents for line in settlement.lines)
            at = next_round(at)
            assert placed == settled + sum(wager.stake_cents for wager in at.felt.still_open)
            continue
        names = sorted({move.name for move in legal})
        name = rng.choices(names, [0.03 if name in RARE else 0.2 if name == "close_table" else 1 for name in names])[0]
        move = rng.choice([move for move in legal if move.name == name])
        if name in AMOUNTS:
            move = replace(move, cents=rng.choice([500, 500, 1_500]) if name == "find_loss_limit" else 500)
        if name == "disregard_display":
            move = replace(move, cards=(1, 3, 5) if at.felt.dice != (1, 3, 5) else (1, 3, 6))
        if name == "announce":
            move = replace(move, cards=tuple(sorted(rng.choices((1, 2, 3, 4, 5, 6), k=3))))
        if name == "enter":
            move = replace(move, cards=at.felt.dice)
        odd = Move(
            rng.choice(sorted(PLAY.places)),
            rng.randint(-1, 4),
            rng.choice(["small", "tie", None]),
            rng.choice([None, 500]),
        )
        before, rule = replace(at), refusal(at, odd)
        assert at == before
        assert rule is None or rule.startswith("SIC ")
        if rule is None:
            assert any(odd.name == each.name for each in legal)
        if refusal(at, move) not in {"SIC 9.2.2", "SIC 9.3"}:  # Those refuse the amount chosen here.
            at = PLAY.step(at, move)


def test_an_invalid_wager_found_before_the_round_goes_back() -> None:
    """SIC 8.14.1, 8.14.3: returned before the tumbler runs; one in play from earlier rounds is settled invalid."""
    at = moved(PLAY.begin(Felt(runs=DAY)), "place_streak 1 super_streak_small 500", "find_invalid 1")
    assert at.felt.players == ()
    at = moved(at, "place_streak 1 super_streak_small 500")
    at = next_round(rolled(at))
    at = moved(at, "find_invalid 1")
    assert at.felt.still_open == (OpenWager(1, "super_streak_small", 500, 1),)
    lines = settlement_of(rolled(at)).lines
    assert [(line.wager, line.outcome, line.rules[0]) for line in lines] == [
        ("super_streak_small", "void", "SIC 8.14.2")
    ]


@pytest.mark.parametrize(("ruling", "kept"), [("split", 300), ("whole", 0)])
def test_a_loss_limit_found_in_the_round(ruling: Any, kept: int) -> None:
    """SIC 8.15, 8.15.1, 8.15.2: what exceeds it goes back, the last bet first; earlier rounds stand."""
    at = PLAY.begin(Felt(SicBoSettings(loss_limit_excess=ruling)))
    at = moved(at, *OPENED, "place 1 small 500", "place 1 big 500", "place 1 any_triple 200", "find_loss_limit 1 - 800")
    at = moved(at, *SHOWN, "announce - - - 1 1 2", "enter - - - 1 1 2", "light", "collect", "pay")
    settlement = settlement_of(at)
    assert [(line.wager, line.outcome, line.returned_cents) for line in settlement.lines] == [
        ("small", "win", 500),
        ("big", "lose" if kept else "returned", 500 - kept),
        ("any_triple", "returned", 200),
    ]
    assert all("SIC 8.15.1" in line.rules for line in settlement.lines[1:])
    assert "advise the player of rule 9.2" in settlement.notes[0]
    assert next_round(at).felt.player(1).loss_limit == LossLimit(800, kept - 500)


def test_a_display_that_errs_is_disregarded() -> None:
    """SIC 8.9: the dice decide, and people are told; the record of the round says the same."""
    shown = ("light", "disregard_display - - - 4 5 6", "collect", "pay")
    at = rolled(PLAY.begin(Felt()), "1 small 500", ended=shown)
    assert settlement_of(at).lines == settlement_of(rolled(PLAY.begin(Felt()), "1 small 500")).lines
    assert settlement_of(at).notes == ("the display shows 4 5 6 and is disregarded (SIC 8.9)",)
    assert at.felt.round().display == (4, 5, 6)


def test_a_player_takes_a_break_and_declares_what_remains() -> None:
    """SIC 9.2.3, 9.4: restricted until the new period, in which nothing is lost yet; leaving, chips are declared."""
    at = PLAY.begin(Felt(players=(Seat(1, loss_limit=LossLimit(1000, 900)),)))
    rested = moved(at, "restrict 1", *OPENED)
    assert refusal(rested, Move("place", 1, "small", 100)) == "SIC 9.4"
    assert Move("place", 1, "small") not in PLAY.legal_moves(rested)
    again = moved(rested, "end_restriction 1", "place 1 small 1000")
    assert again.felt.player(1).loss_limit == LossLimit(1000)
    assert moved(at, "restrict 1", "declare_remaining 1 - 0").felt == Felt()


def test_colour_checks_are_issued_and_redeemed_at_their_table() -> None:
    """SIC 3.5 to 3.10: a first colour, a shared one, a second one; a marker above the minimum; kept over rounds."""
    at = PLAY.begin(Felt(limits=Limits({"table": 200}), places=3, rack=Rack("T1", ("red", "blue", "green"))))
    at = moved(at, "issue_checks 1 red 500", "issue_checks 2 blue 100", "issue_checks 1 red 500")
    assert [(each.seat, each.colour) for each in markers(at.felt)] == [(1, "red")]
    at = moved(at, "share_checks 3 red 100", "second_colour 1 green 500")
    assert len(at.felt.rack.issued if at.felt.rack else ()) == 4
    at = moved(at, "redeem_checks 1 red", *OPENED, "redeem_checks 3 red")
    assert [(each.seat, each.colour) for each in (at.felt.rack or Rack("", ())).issued] == [(2, "blue"), (1, "green")]
    paid = moved(at, *SHOWN, "announce - - - 1 1 2", "enter - - - 1 1 2", "light", "collect", "pay")
    assert next_round(paid).felt.rack == at.felt.rack


def test_what_the_table_says_of_its_players_holds_on_the_felt() -> None:
    """SIC 9.1, 9.8.2: a player whom the table shut out places no wager, by the table's rule, in the next round too."""
    closed = {2: Refused("SIC 9.8.2", "excluded from the game")}
    at = rolled(PLAY.begin(Felt(closed=closed)), "1 small 500")
    at = moved(next_round(at), *OPENED)
    assert refusal(at, Move("place", 2, "small", 100)) == "SIC 9.8.2"
    assert not [move for move in PLAY.legal_moves(at) if move.seat == 2 and move.name in {"place", "call_bet"}]


def test_the_registry_has_the_machine() -> None:
    """A table finds the game's moves where it finds its settlement."""
    assert GAMES["sic_bo"].play is PLAY
