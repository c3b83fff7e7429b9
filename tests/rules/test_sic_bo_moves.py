"""A Sic Bo table move by move: every pair of state and move with its rule, and what the felt allows."""

from dataclasses import replace
from typing import Any

import pytest

from rules.games.sic_bo import PLAY, Felt, Limits, LossLimit, Run, Runs, Seat
from rules.games.sic_bo.colour_checks import Issue, Rack
from rules.limits import Refused
from rules.play import MoveRefused, Position
from rules.rounds import OpenWager
from tests.support.moves import MoveTable, rows_of
from tests.support.sic_bo import move_of, moved, refusal

# From the covered dice to wagers paid: state, move, rule, the next state.
TABLE = """
dice_covered       | declare            | 9.2.1  | dice_covered
dice_covered       | declare_remaining  | 9.2.3  | dice_covered
dice_covered       | find_invalid       | 8.14.1 | dice_covered
dice_covered       | place_streak       | 6.1    | dice_covered
dice_covered       | take_back          | 3.11   | dice_covered
dice_covered       | refuse_wager       | 9.16   | dice_covered
dice_covered       | final_call         | 6.6    | dice_covered
dice_covered       | close_table        | 9.13   | table_closed
dice_covered       | tumble             | 5.1    | tumbling
tumbling           | tumble             | 5.1    | tumbling
tumbling           | open_bets          | 5.1    | wagers_open
tumbling           | tumbler_failed     | 8.2    | no_result
tumbling           | dice_exposed       | 8.3    | no_result
tumbling           | broken             | 8.5    | no_result
wagers_open        | place              | 3.4    | wagers_open
wagers_open        | call_bet           | 3.12   | wagers_open
wagers_open        | take_back          | 3.11   | wagers_open
wagers_open        | refuse_wager       | 9.16   | wagers_open
wagers_open        | no_more_bets       | 5.2    | no_more_bets
wagers_open        | tumbler_failed     | 8.2    | no_result
wagers_open        | not_activated      | 8.3    | no_result
wagers_open        | dice_exposed       | 8.3    | no_result
wagers_open        | broken             | 8.5    | no_result
no_more_bets       | press              | 5.2    | no_more_bets
no_more_bets       | uncover            | 5.2    | uncovered
no_more_bets       | tumbler_failed     | 8.2    | no_result
no_more_bets       | not_activated      | 8.3    | no_result
no_more_bets       | button_not_pressed | 8.4    | no_result
no_more_bets       | broken             | 8.5    | no_result
uncovered          | announce           | 5.3    | announced
uncovered          | die_not_flat       | 8.1    | no_result
uncovered          | tumbler_failed     | 8.2    | no_result
uncovered          | not_activated      | 8.3    | no_result
uncovered          | broken             | 8.5    | no_result
announced          | enter              | 5.4    | entered
announced          | broken             | 8.5    | no_result
entered            | light              | 5.5    | lit
entered            | light_wrongly      | 8.7    | lit_wrongly
lit                | collect            | 5.5    | losers_collected
losers_collected   | pay                | 5.5    | wagers_paid
lit_wrongly        | light_wrongly      | 8.7    | lit_wrongly
lit_wrongly        | collect            | 8.7    | collected_by_dice
collected_by_dice  | pay                | 8.7    | play_stopped
play_stopped       | notify_inspector   | 8.8    | inspector_notified
inspector_notified | rectify            | 8.8    | wagers_paid
no_result          | return_wagers      | 8.6    | wagers_paid
"""
IN_PLAY = ("tumbling", "wagers_open", "no_more_bets", "uncovered", "announced", "entered", "lit", "lit_wrongly")
"""Where an outcome may be invalidated (9.9)."""

# The rule that refuses a move wherever the table above has none for it; after a colon, where another rule does.
REFUSED = """
declare            | 9.2.1
declare_remaining  | 9.2.3
restrict           | 9.4
end_restriction    | 9.4
issue_checks       | 3.9
share_checks       | 3.8
second_colour      | 3.10
redeem_checks      | 3.7
find_loss_limit    | 8.15
disregard_display  | 8.9
place_streak       | 6.1
take_back          | 3.11
refuse_wager       | 9.16
final_call         | 6.6
close_table        | 9.13
tumble             | 5.1 ; play_stopped inspector_notified: 8.8
open_bets          | 5.1
place              | 3.11 ; dice_covered tumbling: 5.1
call_bet           | 3.12
no_more_bets       | 5.2
press              | 5.2
uncover            | 5.2
announce           | 5.3
enter              | 5.4
light              | 5.5
light_wrongly      | 8.7
collect            | 5.5
pay                | 5.5
notify_inspector   | 8.8
rectify            | 8.8
return_wagers      | 8.6
die_not_flat       | 8.1
tumbler_failed     | 8.2
not_activated      | 8.3
dice_exposed       | 8.3
button_not_pressed | 8.4
broken             | 8.5
invalidate         | 9.9
find_invalid       | 8.14.2
void_wagers        | 9.8.1
"""

ROWS = rows_of(TABLE)
ROWS += [[state, "invalidate", "9.9", "no_result"] for state in IN_PLAY]
SAME = """
find_invalid      | 8.14.2 | tumbling wagers_open no_more_bets uncovered announced entered lit lit_wrongly
void_wagers       | 9.8.1  | tumbling wagers_open no_more_bets uncovered announced entered lit lit_wrongly
find_loss_limit   | 8.15   | tumbling wagers_open no_more_bets uncovered announced entered lit lit_wrongly
disregard_display | 8.9    | announced entered lit lit_wrongly
restrict          | 9.4    | dice_covered wagers_open
end_restriction   | 9.4    | dice_covered wagers_open
issue_checks      | 3.9    | dice_covered wagers_open
share_checks      | 3.8    | dice_covered wagers_open
second_colour     | 3.10   | dice_covered wagers_open
redeem_checks     | 3.7    | dice_covered wagers_open
"""
ROWS += [[state, move, rule, state] for move, rule, states in rows_of(SAME) for state in states.split()]
MOVES = MoveTable("SIC", ROWS, REFUSED)


def test_the_table_of_moves() -> None:
    """From the covered dice to wagers paid each move leads where the table says, by its rule."""
    MOVES.has(PLAY)


@pytest.mark.parametrize("state", MOVES.states)
def test_every_other_pair_is_refused_with_its_rule(state: str) -> None:
    """A move that the table does not have in a state is refused, by the rule that says when it has its place."""
    MOVES.has_no_other(PLAY, Position(state, Felt()))


SIGN = Limits(
    {"table": 100}, {"table": 1_000}, player_max_cents=1_500, streak_cents=500, offered=("odd", "super_streak")
)
LIMITED = Seat(5, loss_limit=LossLimit(900, declared_cents=700))
NOT_ON_THE_FELT = """
covered  | place_streak 1 super_streak_big 400  | 6.7   | not the amount required of 500
covered  | place_streak 1 super_streak_even 500 | 6.2   | a streak of even is in progress, 2 in a row
covered  | place_streak 1 small 500             | 5.1   | after the call
covered  | place_streak 2 super_streak_big 500  | 6.2   | remains in play
covered  | place_streak 4 super_streak_odd 500  | 6.7   | is placed, of one amount
new_day  | place_streak 1 super_streak_odd 500  | 6.2   | before the first result
placed   | place_streak 4 super_streak_small 500 | 6.7   | is placed
covered  | place_streak 1 tie 500               | 6.1   | no area
covered  | place_streak 8 super_streak_big 500  | 3.15  | players 1 to 7
covered  | place_streak - super_streak_big 500  | 6.1   | seat: missing
covered  | place_streak 1 super_streak_big -    | 6.1   | cents: missing
covered  | declare 1 - 500                      | 9.2.1 | no Loss Limit
covered  | declare 5 - -                        | 9.2.1 | cents: missing
covered  | declare_remaining 1 - 500            | 9.2.3 | no Loss Limit
covered  | declare_remaining 5 - -              | 9.2.3 | not from 0
covered  | declare_remaining 6 - 0              | 6.2   | has a wager in play
covered  | restrict 1 - -                       | 9.4   | no Loss Limit
covered  | end_restriction 5 - -                | 9.4   | not restricted
rested   | restrict 5 - -                       | 9.4   | restricted already
rested   | place_streak 5 super_streak_big 500  | 9.4   | takes a break
covered  | place_streak 7 super_streak_big 500  | 9.1   | belongs to another
covered  | find_invalid 1 - -                   | 8.14.1| no wager
invalid  | find_invalid 2 - -                   | 8.14.1| no wager that is not void
invalid  | place_streak 2 super_streak_small 500 | 9.1   | are invalid
covered  | issue_checks 3 red 100               | 3.8   | red is issued to seat 1
covered  | issue_checks 3 pink 100              | 3.5   | no colour of the set
covered  | issue_checks 3 blue -                | 3.9   | cents: missing
covered  | issue_checks 8 blue 100              | 3.15  | players 1 to 7
covered  | issue_checks 1 blue 100              | 3.10  | discretion of a casino supervisor
covered  | second_colour 1 blue 200             | 3.10  | worth 100 cents each
covered  | second_colour 1 blue 100             | 3.10  | would be left with
covered  | redeem_checks 3 red -                | 3.7   | not issued to seat 3
covered  | redeem_checks 1 blue -               | 3.7   | not issued to seat 1
new_day  | issue_checks 1 red 100               | 3.5   | no set of colour checks
covered  | take_back 1 super_streak_big -       | 3.11  | placed nothing
covered  | take_back 2 super_streak_big -       | 3.11  | placed nothing
covered  | close_table - - -                    | 6.6   | wagers remain in play
called   | place_streak 1 super_streak_big 500  | 6.6   | final call
called   | final_call - - -                     | 6.6   | was made
new_day  | place_streak 1 super_streak_big 500  | 6.2   | before the first result
new_day  | close_table - - -                    | 6.6   | no final call
tumbling | open_bets - - -                      | 5.1   | 2 of at least 3 times
open     | place 1 super_streak_big 500         | 6.1   | before the round of play
open     | place 1 small 50                     | 4.1   | below the minimum
open     | place 3 small 600                    | 4.1   | above the maximum of 1000
open     | place 3 total_4 1000                 | 4.1   | more than 1500 cents on the layout
open     | place 1 even 500                     | 3.3   | not offered
open     | place 1 four_numbers_1_2_3_4 500     | 3.3   | not offered
open     | place 1 small 0                      | 3.4   | not from 1
open     | place 1 small -                      | 3.4   | cents: missing
open     | call_bet 1 small -                   | 3.12  | no chips came with it
open     | call_bet 3 small 600                 | 4.1   | above the maximum of 1000
open     | place - small 500                    | 3.4   | seat: missing
open     | place 0 small 500                    | 3.15  | players 1 to 7
open     | place 1 - 500                        | 3.4   | no area
open     | place 5 small 750                    | 9.2.2 | 50 cents of it are chips that were not declared
open     | place 5 small 950                    | 9.3   | 900 cents are left
open     | take_back 2 super_streak_big -       | 3.11  | placed nothing
open     | take_back 4 super_streak_odd -       | 6.2   | remains in play
open     | take_back 3 big -                    | 3.11  | placed nothing
open     | refuse_wager 3 big -                 | 9.16  | placed nothing
open     | find_invalid 1 - -                   | 8.14.2| no wager
open     | void_wagers 1 - -                    | 9.8.1 | no wager
open     | find_loss_limit 1 - 500              | 8.15  | no wager that could exceed
open     | find_loss_limit 3 - -                | 8.15  | not from 0
open     | find_loss_limit 5 - 500              | 8.15  | is followed already
void     | place 3 big 500                      | 9.8.2 | are prohibited device
told     | disregard_display - - - 1 1 2        | 8.9   | the actual outcome
told     | disregard_display - - - 1 1          | 8.9   | 2 dice
void     | find_invalid 3 - -                   | 8.14.2| void already
closed   | uncover - - -                        | 8.4   | was not pressed
pressed  | press - - -                          | 5.2   | it was pressed
pressed  | button_not_pressed - - -             | 8.4   | it was pressed
shown    | announce - - - 2 1 1                 | 5.3   | from the lowest to the highest
shown    | announce - - - 1 1                   | 5.3   | 2 dice
shown    | announce - - - 1 1 7                 | 5.3   | no face
shown    | announce - - -                       | 5.3   | 0 dice
told     | enter - - - 1 1 3                    | 5.4   | not the winning numbers 1 1 2
entered  | light_wrongly - tie -                | 8.7   | no area
entered  | light_wrongly - super_streak_odd -   | 8.7   | none that a result illuminates
entered  | light_wrongly - even -               | 8.7   | none that a result illuminates
wrong    | light_wrongly - big -                | 8.7   | the winning ones
"""


def staged(where: str) -> Position[Felt]:
    """A table at a named moment of the same round."""
    runs = Runs(Run("small", 1), Run("even", 2))
    still = (OpenWager(2, "super_streak_big", 500, 0), OpenWager(6, "super_streak_big", 500, 0))
    closed = {7: Refused("SIC 9.1", "the card belongs to another")}
    rack = Rack("T1", ("red", "blue")).issuing(Issue(1, "red", 100))
    players = (LIMITED, replace(LIMITED, seat=6))
    felt = Felt(limits=SIGN, places=7, touch_screen=True, players=players, still_open=still, runs=runs, closed=closed)
    at = PLAY.begin(replace(felt, rack=rack))
    at = replace(at, felt=replace(at.felt, runs=replace(runs, odd_even=Run("even", 1))))
    at = moved(at, "place_streak 4 super_streak_odd 500")
    at = replace(at, felt=replace(at.felt, runs=runs))
    if where == "new_day":
        return PLAY.begin(Felt(limits=SIGN))
    if where == "placed":
        return moved(at, "place_streak 4 super_streak_small 500")
    if where == "rested":
        return moved(at, "restrict 5")
    if where == "invalid":
        return moved(at, "find_invalid 2")
    if where == "called":
        return moved(at, "final_call")
    stages = {
        "covered": (),
        "tumbling": ("tumble", "tumble"),
        "open": ("tumble", "open_bets", "place 3 small 500", "place 3 small 100"),
        "void": ("void_wagers 3",),
        "closed": ("no_more_bets",),
        "pressed": ("press",),
        "shown": ("uncover",),
        "told": ("announce - - - 1 1 2",),
        "entered": ("enter - - - 1 1 2",),
        "wrong": ("light_wrongly - big",),
    }
    for name, moves in stages.items():
        at = at if name == "void" and where != "void" else moved(at, *moves)
        if name == where:
            return at
    raise AssertionError(where)


@pytest.mark.parametrize("line", NOT_ON_THE_FELT.strip().splitlines())
def test_what_the_felt_does_not_allow_is_refused_with_its_rule(line: str) -> None:
    """A move that has its place but cannot be made there, or with that amount or dice, is refused; nothing changes."""
    where, what, rule, reason = (part.strip() for part in line.split("|"))
    at = staged(where)
    before = replace(at)
    with pytest.raises(MoveRefused, match=reason) as caught:
        PLAY.step(at, move_of(*what.split()))
    assert caught.value.rule == f"SIC {rule}"
    assert at == before


CHECKS = {"issue_checks", "share_checks", "second_colour"}
AMOUNTS = {"place_streak", "declare", "declare_remaining", "find_loss_limit"}


def test_legal_moves_are_legal() -> None:
    """Every move that the table offers can be made, once its amount and dice are chosen."""
    stages: dict[str, Any] = {"open": {"cents": 500}, "told": {"cards": (1, 1, 2)}, "shown": {"cards": (1, 1, 2)}}
    for where in ("covered", "tumbling", "open", "closed", "shown", "told", "entered", "wrong"):
        at = staged(where)
        for move in PLAY.legal_moves(at):
            chosen = {"cents": 500} if move.name in AMOUNTS else stages.get(where, {})
            if move.name == "disregard_display":
                chosen = {"cards": (4, 5, 6)}
            if move.name in CHECKS:
                chosen = {"cents": 100}
            rule = refusal(at, replace(move, **chosen))
            assert rule in {None, "SIC 4.1"} or move.seat in {5, 6}, (where, move, rule)
