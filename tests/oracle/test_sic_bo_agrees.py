"""`rules/games/sic_bo` held against the second opinion: single rolls, whole days with streaks, and every area."""

import json
import random
from collections import Counter
from itertools import product
from typing import Any, get_args

from rules.directions import Forfeit
from rules.games.sic_bo import (
    Dice,
    Limits,
    LossLimit,
    NoResult,
    Placed,
    Round,
    Run,
    Runs,
    Seat,
    Wager,
    row_won,
    settle,
    streak_refused,
    winning_areas,
)
from rules.rounds import OpenWager, Settlement
from rules.schedules import shipped
from rules.settings import SicBoSettings
from tests.oracle.sic_bo import all_areas, is_triple, may_place_streak, pays
from tests.oracle.sic_bo import settle as second_opinion

ROLLS = 8_000
DAYS = 150
AT_LEAST = 40
SIDES = ["small", "big", "odd", "even"]
STREAKS = [f"super_streak_{side}" for side in SIDES]
OPTIONAL = ["odd", "even", "four_numbers", "super_streak"]
NO_RESULTS = get_args(NoResult)
AREAS: list[Wager] = [wager for wager in get_args(Wager) if wager not in STREAKS]
AMOUNTS = [1, 5, 500, 1_000, 1_000, 2_500, 4_999, 5_001, 60_000, 10**12]


def random_dice(chance: random.Random, side: str | None = None) -> list[int]:
    """Roll three dice; triples and totals of 10 more often than at a table, or a result of a side."""
    while True:
        dice = [chance.randint(1, 6) for _ in range(3)]
        if side is None and chance.random() < 0.15:
            dice = [dice[0]] * 3
        if side is None and chance.random() < 0.1:
            dice = chance.choice([[1, 3, 6], [1, 1, 2], [6, 5, 6]])
        if side is None or (pays(side, dice, {"even_on_10": "lose", "even_on_666": "lose"}) and not is_triple(dice)):
            return dice


def random_sign(chance: random.Random) -> dict[str, Any]:
    """A sign that states nothing, or amounts for the table, for kinds of bet and for single areas."""
    sign: dict[str, Any] = {"offered": chance.choice([OPTIONAL, OPTIONAL, ["super_streak", "odd"]])}
    if chance.random() < 0.5:
        sign["min_cents"] = {"table": chance.choice([1, 500, 1_000]), "single_die": 100}
        sign["max_cents"] = {"table": chance.choice([5_000, 100_000]), "total": 2_500, "total_4": 1_000}
    if chance.random() < 0.4:
        sign["streak_cents"] = chance.choice([500, 1_000])
    if chance.random() < 0.2:
        sign["player_max_cents"] = chance.choice([3_000, 50_000])
    return sign


def random_settings(chance: random.Random) -> dict[str, Any]:
    """Any rulings that a table may have."""
    return {
        "even_on_10": chance.choice(["lose", "win"]),
        "even_on_666": chance.choice(["lose", "win"]),
        "pay_12": chance.choice(["at_12", "at_end"]),
        "terminated_short": chance.choice(["lose", "void"]),
        "loss_limit_excess": chance.choice(["split", "whole"]),
        "token_on_win": chance.choice(["returned", "as_voucher"]),
        "invalid_losing": chance.choice(["kept", "returned"]),
        "refund_invalidated": chance.choice([True, False]),
    }


def random_bets(chance: random.Random, sign: dict[str, Any], busy: set[str], eager: float) -> list[dict[str, Any]]:
    """The bets of a player in the order in which they were placed; an area may be added to."""
    areas = [area for area in AREAS if not any(area.startswith(name) for name in OPTIONAL)]
    areas += [area for area in AREAS if any(area.startswith(name) for name in sign["offered"])]
    streaks = [area for area in STREAKS if area not in busy and chance.random() < eager]
    chosen = streaks + chance.sample(areas, chance.choice([1, 2, 4, 12] if eager < 0.5 else [0, 1, 2]))
    if not chosen:
        return [{"wager": "small", "cents": 1_000}]
    chosen += [chance.choice(chosen)] if chance.random() < 0.3 else []
    tenders = {area: chance.choice(["token", "token_once"]) for area in chosen if chance.random() < 0.1}
    bets = [
        {"wager": area, "cents": chance.choice(AMOUNTS[:-1] if area in chosen[-1:] else AMOUNTS)} for area in chosen
    ]
    return [bet | ({"tender": tenders[bet["wager"]]} if bet["wager"] in tenders else {}) for bet in bets]


def random_seat(
    number: int, chance: random.Random, sign: dict[str, Any], busy: set[str], eager: float = 0.25
) -> dict[str, Any]:
    """A player, now and then with limits of his own, or with wagers that turn out void."""
    seat: dict[str, Any] = {"seat": number, "wagers": random_bets(chance, sign, busy, eager)}
    placed = sum(bet["cents"] for bet in seat["wagers"])
    if chance.random() < 0.1:
        seat["own_max_cents"] = chance.choice([2_000, 10**6])
    if chance.random() < 0.3:
        limit = chance.choice([placed, placed // 2, placed + 10**6, 1_500, 0])
        seat["loss_limit"] = {"limit_cents": limit, "net_loss_cents": chance.choice([0, 0, 700, -700])}
    if chance.random() < 0.06:
        seat["void_for"] = chance.choice(["invalid", "prohibited_device"])
    return seat


def random_round(chance: random.Random) -> dict[str, Any]:
    """A roll at a table of some players, with streak wagers open from before, and now and then something wrong."""
    sign, settings = random_sign(chance), random_settings(chance)
    numbers = chance.sample(range(1, 13), chance.choice([0, 1, 2, 4]))
    still_open: list[dict[str, Any]] = [
        {
            "seat": number,
            "wager": wager,
            "stake_cents": chance.choice([500, 1_000, 5_001]),
            "in_a_row": chance.randint(0, 12 if settings["pay_12"] == "at_end" else 11),
            "tender": chance.choice(["chips"] * 9 + ["token_once"]),
        }
        for number in [*numbers, 14, 15]
        for wager in STREAKS
        if chance.random() < 0.2
    ]
    busy = {number: {each["wager"] for each in still_open if each["seat"] == number} for number in numbers}
    one_round: dict[str, Any] = {
        "dice": random_dice(chance),
        "seats": [random_seat(number, chance, sign, busy[number]) for number in numbers],
        "still_open": still_open,
        "settings": settings,
        "limits": sign,
    }
    for seat in one_round["seats"][:1]:
        wager = f"total_{sum(one_round['dice'])}"
        if wager in AREAS and wager not in {bet["wager"] for bet in seat["wagers"]}:
            seat["wagers"].insert(0, {"wager": wager, "cents": 1_000})
    go_wrong(one_round, chance)
    return one_round


def go_wrong(one_round: dict[str, Any], chance: random.Random) -> None:
    """Let something go wrong at the table: no result, an invalidated one, areas lit wrongly, a final call."""
    what = chance.random()
    if what < 0.12:
        one_round["no_result"] = chance.choice([*NO_RESULTS, "invalidated", "invalidated"])
        one_round["dice"] = None
        if one_round["no_result"] == "invalidated" and one_round["seats"] and chance.random() < 0.5:
            seat = chance.choice(one_round["seats"])["seat"]
            one_round["forfeits"] = [{"seat": seat, "person": "A. Lee", "reason": "a fraudulent act"}]
    elif what < 0.3:
        settings, offered = one_round["settings"], one_round["limits"]["offered"]
        lit = {area for area in all_areas(offered) if pays(area, one_round["dice"], settings)}
        lit ^= set(chance.sample(all_areas(offered), chance.choice([0, 1, 2])))
        one_round["lit"] = sorted(lit) if chance.random() < 0.8 else []
    if chance.random() < 0.05:
        one_round["final_call"] = True


def as_round(one_round: dict[str, Any], runs: Runs | None = None) -> Round:
    """The same round as `rules` has it."""
    seats = []
    for seat in one_round["seats"]:
        limit = LossLimit(**seat["loss_limit"]) if "loss_limit" in seat else None
        bets = tuple(Placed(bet["wager"], bet["cents"], bet.get("tender", "chips")) for bet in seat["wagers"])
        own = {name: seat.get(name) for name in ("own_max_cents", "void_for")}
        seats.append(Seat(seat["seat"], bets, loss_limit=limit, **own))
    return Round(
        dice=None if one_round["dice"] is None else as_dice(one_round["dice"]),
        seats=tuple(seats),
        still_open=tuple(OpenWager(**each) for each in one_round["still_open"]),
        runs=runs,
        no_result=one_round.get("no_result"),
        lit=tuple(one_round["lit"]) if "lit" in one_round else None,
        final_call=one_round.get("final_call", False),
        forfeits=tuple(Forfeit(**each) for each in one_round.get("forfeits", [])),
    )


def as_dice(dice: list[int]) -> Dice:
    """Three dice as `rules` has them."""
    first, second, third = dice
    return first, second, third


def ours(one_round: dict[str, Any], runs: Runs | None = None) -> Settlement:
    """The settlement of `rules`."""
    sign = one_round["limits"] | {"offered": tuple(one_round["limits"]["offered"])}
    return settle(as_round(one_round, runs), SicBoSettings(**one_round["settings"]), Limits(**sign))


FIELDS = ("seat", "wager", "stake_cents", "outcome", "paid_cents", "returned_cents", "tender")


def told(settlement: Settlement) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A settlement as the second opinion tells it."""

    def order(each: dict[str, Any]) -> tuple[int, str]:
        return each["seat"], each["wager"]

    lines = [{name: getattr(line, name) for name in FIELDS} for line in settlement.lines]
    names = ("seat", "wager", "stake_cents", "in_a_row", "tender")
    still = [{name: getattr(each, name) for name in names} for each in settlement.still_open]
    return sorted(lines, key=order), sorted(still, key=order)


def kinds_of(one_round: dict[str, Any], lines: list[dict[str, Any]], still: list[dict[str, Any]]) -> list[str]:
    """Name what happened in a round, to prove that the comparison met it."""
    kinds = [f"no result: {one_round['no_result']}"] if "no_result" in one_round else []
    failed = "lit" in one_round
    before = {(each["seat"], each["wager"]): each["in_a_row"] for each in one_round["still_open"]}
    seats = {seat["seat"]: seat for seat in one_round["seats"]}
    for line in lines:
        kind = "_".join(word for word in line["wager"].split("_") if not word.isdigit())
        kinds.append(f"{kind} {line['outcome']}")
        if kind.startswith("super_streak") and line["outcome"] == "win":
            kinds.append(f"streak of {line['paid_cents'] // max(1, line['stake_cents'])} to 1")
        if kind.startswith("super_streak") and failed and line["outcome"] in {"win", "lose", "void"}:
            kinds.append(f"streak {line['outcome']} with wrong lights")
        if kind == "total" and line["outcome"] == "win":
            kinds.append(line["wager"])
            if one_round["dice"] and is_triple(one_round["dice"]):
                kinds.append("a total wins on a triple")
        if kind == "single_die" and line["outcome"] == "win":
            kinds.append(f"single die on {one_round['dice'].count(int(line['wager'][-1]))}")
        if line["outcome"] == "lose" and line["returned_cents"] > 0:
            kinds.append("a part goes back")
        player = seats.get(line["seat"], {})
        if "loss_limit" in player and line["outcome"] == "returned":
            kinds.append(f"over the Loss Limit, {one_round['settings']['loss_limit_excess']}")
        if player.get("void_for"):
            kinds.append(f"{player['void_for']} {line['outcome']}")
        if any(each["seat"] == line["seat"] for each in one_round.get("forfeits", [])):
            kinds.append(f"forfeited {line['outcome']}")
        if line["outcome"] != "lose" and line["tender"] == "token_once" and not line["returned_cents"]:
            kinds.append("token taken up")
    for each in still:
        grown = each["in_a_row"] - before.get((each["seat"], each["wager"]), 0)
        kinds.append(f"streak {'goes on' if grown else 'waits'}")
    return kinds


SIDE_KINDS = [f"{side} {outcome}" for side in SIDES for outcome in ("win", "lose", "void")]
FAMILY_KINDS = [
    f"{kind} {outcome}"
    for kind in ("specific_triple", "specific_double", "any_triple", "total", "two_dice", "single_die", "four_numbers")
    for outcome in ("win", "lose", "void")
]
EXPECTED_KINDS = [
    *SIDE_KINDS,
    *FAMILY_KINDS,
    *(f"super_streak_{side} {outcome}" for side in SIDES for outcome in ("win", "lose", "void", "returned")),
    *(f"streak of {odds} to 1" for odds in (6, 10, 15, 20, 35, 50, 75, 100, 500)),
    *(f"streak {outcome} with wrong lights" for outcome in ("win", "lose", "void")),
    *("streak goes on", "streak waits", "a total wins on a triple", "a part goes back", "token taken up"),
    *(f"single die on {number}" for number in (1, 2, 3)),
    *(f"no result: {cause}" for cause in NO_RESULTS),
    *(f"over the Loss Limit, {how}" for how in ("split", "whole")),
    *(f"total_{total}" for total in range(4, 18)),
    *("invalid void", "invalid lose", "prohibited_device void", "forfeited lose"),
]
EVERY_ROLL = [(first, second, third) for first, second, third in product(range(1, 7), repeat=3)]


def test_every_line_of_every_roll_is_settled_alike(chance: random.Random) -> None:
    """Thousands of rolls under any sign and rulings: the same outcome, winnings, stakes back and streaks still open."""
    met: Counter[str] = Counter()
    for _ in range(ROLLS):
        one_round = random_round(chance)
        settlement = ours(one_round)
        theirs = second_opinion(one_round)
        assert told(settlement) == theirs, json.dumps(one_round)
        assert all(line.rules for line in settlement.lines), json.dumps(one_round)
        met.update(kinds_of(one_round, *theirs))
    scarce = {kind: met[kind] for kind in EXPECTED_KINDS if met[kind] < AT_LEAST}
    assert scarce == {}, met


def test_whole_days_with_streaks_are_settled_alike(chance: random.Random) -> None:
    """Days of rolls: streak wagers placed, counted, paid and refused alike, and no stake lost on the way."""
    met: Counter[str] = Counter()
    for _ in range(DAYS):
        met.update(play_day(chance))
    expected = [
        *("streak goes on", "streak waits", "placed in time", "placed out of time", "no result", "wrong lights"),
        *(f"streak of {odds} to 1" for odds in (6, 10, 15, 20, 35, 50, 75, 100, 500)),
        *(f"super_streak_{side} {outcome}" for side in SIDES for outcome in ("win", "lose", "void")),
    ]
    assert {kind: met[kind] for kind in expected if met[kind] < AT_LEAST} == {}, met


def tendencies(chance: random.Random) -> list[str]:
    """Which side each roll of a day shows, if nothing comes between: runs of every length, and what ends them."""
    sides: list[str] = []
    while len(sides) < 60:
        first, second = chance.choice([SIDES[:2], SIDES[1::-1], SIDES[2:], SIDES[:1:-1]])
        sides += [second, *[first] * chance.randint(1, 13)]
    return sides


def play_day(chance: random.Random) -> list[str]:
    """Play a day of rolls, and name what happened."""
    sign, settings = random_sign(chance), random_settings(chance)
    still: list[dict[str, Any]] = []
    results: list[list[int]] = []
    runs, placed, settled = Runs(), 0, 0
    kinds: list[str] = []
    for tendency in tendencies(chance):
        one_round: dict[str, Any] = {
            "dice": random_dice(chance),
            "settings": settings,
            "limits": sign,
            "still_open": still,
        }
        what = chance.random()
        if what < 0.92:
            one_round["dice"] = random_dice(chance, tendency)
        if what < 0.015:
            one_round["lit"] = []
            kinds.append("wrong lights")
        elif what > 0.98:
            one_round |= {"dice": None, "no_result": chance.choice(NO_RESULTS)}
            kinds.append("no result")
        busy = {number: {each["wager"] for each in still if each["seat"] == number} for number in range(1, 5)}
        numbers = chance.sample(range(1, 5), 2)
        one_round["seats"] = [random_seat(number, chance, sign, busy[number], 0.6) for number in numbers]
        settlement = ours(one_round, runs)
        lines, still_after = second_opinion(one_round, results)
        assert told(settlement) == (lines, still_after), json.dumps([results, one_round])
        placed += sum(bet["cents"] for seat in one_round["seats"] for bet in seat["wagers"])
        settled += sum(line["stake_cents"] for line in lines)
        kinds += kinds_of(one_round, lines, still_after)
        for side in SIDES:
            timely = may_place_streak(side, results, settings)
            assert (streak_refused(side, runs) is None) == timely  # type: ignore[arg-type]
            kinds.append("placed in time" if timely else "placed out of time")
        still = still_after
        if one_round["dice"] is not None:
            results.append(one_round["dice"])
            runs = runs.after(as_dice(one_round["dice"]), SicBoSettings(**settings))
    assert placed == settled + sum(each["stake_cents"] for each in still)
    return kinds


def test_every_area_on_every_roll_is_paid_alike() -> None:
    """All 216 rolls on all 56 areas under the four readings of Even: the same winners at the same odds."""
    odds = shipped("sic_7_1").odds
    for on_10, on_666 in product(("lose", "win"), repeat=2):
        settings: dict[str, Any] = {"even_on_10": on_10, "even_on_666": on_666}
        for dice in EVERY_ROLL:
            for area in AREAS:
                row = row_won(area, dice, SicBoSettings(**settings))
                kind = "_".join(word for word in area.split("_") if not word.isdigit())
                assert (odds[kind][row].pays if row else None) == pays(area, dice, settings), (area, dice)
            lit = winning_areas(dice, SicBoSettings(**settings))
            assert set(lit) == {area for area in all_areas(OPTIONAL) if pays(area, dice, settings)}


def test_the_order_of_seats_changes_nothing(chance: random.Random) -> None:
    """The same seats in another order are the same round, with the same settlement."""
    for _ in range(300):
        one_round = random_round(chance)
        there = ours(one_round)
        chance.shuffle(one_round["seats"])
        chance.shuffle(one_round["still_open"])
        assert ours(one_round) == there


def test_the_runs_of_a_day_are_counted_alike(chance: random.Random) -> None:
    """The length of a run is the number of results at the end of the day that show its side, triples left out."""
    for on_10 in ("lose", "win"):
        settings: dict[str, Any] = {"even_on_10": on_10, "even_on_666": "lose"}
        for _ in range(300):
            results = [random_dice(chance) for _ in range(chance.randint(0, 12))]
            runs = Runs()
            for dice in results:
                runs = runs.after(as_dice(dice), SicBoSettings(**settings))
            for pair, run in ((SIDES[:2], runs.small_big), (SIDES[2:], runs.odd_even)):
                shown = [
                    next((side for side in pair if pays(side, dice, settings)), None)
                    for dice in results
                    if not is_triple(dice)
                ]
                last = shown[-1] if shown else None
                length = 0
                while last is not None and length < len(shown) and shown[-1 - length] == last:
                    length += 1
                assert run == (Run(last, length) if shown else None)  # type: ignore[arg-type]
