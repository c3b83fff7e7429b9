"""A second settlement of Sic Bo, written from the rule text: slow, plain, and without an import of `rules`.

A round is a dictionary as a person would write it down: dice, each player's bets in the order in which they were
placed, and the Super Streak wagers that lie there from before. Clause numbers are those of the book.
"""

from collections.abc import Mapping, Sequence
from typing import Any

SMALL = [4, 5, 6, 7, 8, 9, 10]  # 3.2.1.1
BIG = [11, 12, 13, 14, 15, 16, 17]  # 3.2.2.1
ODD = [5, 7, 9, 11, 13, 15, 17]  # 3.3.1.1
EVEN = [4, 6, 8, 12, 14, 16, 18]  # 3.3.2.1: as printed, without 10

PAYS = {"small": 1, "big": 1, "odd": 1, "even": 1, "triple": 180, "double": 11, "any": 31, "combination": 6, "four": 7}
TOTAL_PAYS = {4: 62, 5: 31, 6: 18, 7: 12, 8: 8, 9: 7, 10: 6, 11: 6, 12: 7, 13: 8, 14: 12, 15: 18, 16: 31, 17: 62}
DIE_PAYS = {1: 1, 2: 2, 3: 12}
STREAK_PAYS = {4: 6, 5: 10, 6: 15, 7: 20, 8: 35, 9: 50, 10: 75, 11: 100, 12: 500}  # 7.2

DEFAULTS: dict[str, Any] = {
    "even_on_10": "lose",
    "even_on_666": "lose",
    "pay_12": "at_12",
    "terminated_short": "lose",
    "loss_limit_excess": "split",
    "token_on_win": "returned",
    "invalid_losing": "kept",
    "refund_invalidated": True,
}

Line = dict[str, Any]
Open = dict[str, Any]


def is_triple(dice: Sequence[int]) -> bool:
    """Tell whether all three dice show the same."""
    return dice[0] == dice[1] and dice[1] == dice[2]


def even_totals(settings: Mapping[str, Any]) -> list[int]:
    """List the totals on which Even wins, by the table's reading of the printed list."""
    return [*EVEN, 10] if settings["even_on_10"] == "win" else EVEN


def pays(wager: str, dice: Sequence[int], settings: Mapping[str, Any]) -> int | None:
    """Say what a bet on an area is paid, to one; nothing where it loses (3.2, 3.3, 7.1)."""
    total = dice[0] + dice[1] + dice[2]
    if wager in {"small", "big", "odd"}:
        totals = {"small": SMALL, "big": BIG, "odd": ODD}[wager]
        return PAYS[wager] if total in totals and not is_triple(dice) else None
    if wager == "even":
        if total == 18:
            return PAYS["even"] if settings["even_on_666"] == "win" else None
        return PAYS["even"] if total in even_totals(settings) and not is_triple(dice) else None
    if wager == "any_triple":
        return PAYS["any"] if is_triple(dice) else None
    numbers = [int(word) for word in wager.split("_") if word.isdigit()]
    shown = {number: list(dice).count(number) for number in range(1, 7)}
    if wager.startswith("specific_triple"):
        return PAYS["triple"] if shown[numbers[0]] == 3 else None
    if wager.startswith("specific_double"):
        return PAYS["double"] if shown[numbers[0]] >= 2 else None
    if wager.startswith("total"):
        return TOTAL_PAYS[total] if total == numbers[0] else None
    if wager.startswith("two_dice"):
        return PAYS["combination"] if shown[numbers[0]] and shown[numbers[1]] else None
    if wager.startswith("single_die"):
        return DIE_PAYS.get(shown[numbers[0]])
    appear = [number for number in numbers if shown[number] == 1]
    return PAYS["four"] if len(appear) == 3 else None


def family(wager: str) -> str:
    """Name the kind of bet that an area belongs to."""
    return "_".join(word for word in wager.split("_") if not word.isdigit())


def stated(limits: Mapping[str, Any], which: str, wager: str) -> int | None:
    """Read an amount off the sign: for the area, else for the kind of bet, else for the table (4.1)."""
    amounts = limits.get(which, {})
    for name in (wager, family(wager), "table"):
        if name in amounts:
            return int(amounts[name])
    return None


def most_of(wager: str, seat: Mapping[str, Any], limits: Mapping[str, Any]) -> int | None:
    """Say the maximum of a bet: the streak's amount (6.7), the player's own (4.6), or the sign's (4.1)."""
    if wager.startswith("super_streak"):
        return limits.get("streak_cents")
    return seat.get("own_max_cents") or stated(limits, "max_cents", wager)


def bets_that_count(one_round: Mapping[str, Any], seat: Mapping[str, Any], settings: Mapping[str, Any]) -> list[Line]:
    """Say how much of each bet of a player counts: under the sign (4.3), then within the Loss Limit (8.15).

    The bets stay in the order in which they were placed; each says what was placed and what of it counts.
    """
    limits = one_round.get("limits", {})
    bets = [dict(bet, counts=bet["cents"]) for bet in seat["wagers"]]
    for bet in bets:  # above the maximum: only up to it, all that lies on the area taken together
        most = most_of(bet["wager"], seat, limits)
        while most is not None and sum(each["counts"] for each in bets if each["wager"] == bet["wager"]) > most:
            last = [each for each in bets if each["wager"] == bet["wager"] and each["counts"]][-1]
            over = sum(each["counts"] for each in bets if each["wager"] == bet["wager"]) - most
            last["counts"] -= min(over, last["counts"])
    ceiling = limits.get("player_max_cents")
    if ceiling is not None:
        take_back(bets, ceiling, whole=False)
    if "loss_limit" in seat:
        loss = seat["loss_limit"]
        at_risk = sum(each["stake_cents"] for each in one_round.get("still_open", []) if each["seat"] == seat["seat"])
        room = loss["limit_cents"] - loss.get("net_loss_cents", 0) - at_risk
        take_back(bets, max(0, room), whole=settings["loss_limit_excess"] == "whole")
    return bets


def take_back(bets: list[Line], allowed: int, *, whole: bool) -> None:
    """Take bets back in reverse order until no more than is allowed lies there (8.15.1)."""
    for bet in reversed(bets):
        over = sum(each["counts"] for each in bets) - allowed
        if over <= 0:
            return
        bet["counts"] = 0 if whole else bet["counts"] - min(over, bet["counts"])


def streak_ends(
    side: str, count: int, one_round: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[str, int, int | None]:
    """Say what a result does to a streak wager: open, win, lose or void; its count; what it is paid (6.4, 8.7.1)."""
    if "no_result" in one_round:
        return "open", count, None  # 8.6
    dice = one_round["dice"]
    if not is_triple(dice):
        totals = {"small": SMALL, "big": BIG, "odd": ODD, "even": even_totals(settings)}[side]
        if sum(dice) not in totals:
            return ("win", count, STREAK_PAYS[count]) if count >= 4 else ("lose", count, None)
        count = min(count + 1, 12)
        if count == 12 and settings["pay_12"] == "at_12":
            return "win", count, STREAK_PAYS[12]
    if equipment_failed(one_round, settings):
        if count >= 4:
            return "win", count, STREAK_PAYS[count]
        return settings["terminated_short"], count, None
    return "open", count, None


def equipment_failed(one_round: Mapping[str, Any], settings: Mapping[str, Any]) -> bool:
    """Tell whether other areas were lit than win (8.7)."""
    if "lit" not in one_round:
        return False
    offered = one_round.get("limits", {}).get("offered", ["odd", "even", "four_numbers", "super_streak"])
    should = {area for area in all_areas(offered) if pays(area, one_round["dice"], settings) is not None}
    return set(one_round["lit"]) != should


def all_areas(offered: Sequence[str]) -> list[str]:
    """List the areas of the layout, without those of optional bets that the casino does not offer (3.2, 3.3)."""
    pairs = [(low, high) for low in range(1, 6) for high in range(low + 1, 7)]
    areas = ["small", "big", "any_triple", *(f"total_{total}" for total in TOTAL_PAYS)]
    for number in range(1, 7):
        areas += [f"specific_triple_{number}", f"specific_double_{number}", f"single_die_{number}"]
    areas += [f"two_dice_{low}_{high}" for low, high in pairs]
    areas += [area for area in ("odd", "even") if area in offered]
    if "four_numbers" in offered:
        areas += [f"four_numbers_{'_'.join(numbers)}" for numbers in ("1234", "2345", "2356", "3456")]
    return areas


def may_place_streak(side: str, results: Sequence[Sequence[int]], settings: Mapping[str, Any]) -> bool:
    """Tell from a day's results whether a streak wager on a side may be placed now (6.2); triples do not count."""
    pair = ["small", "big"] if side in {"small", "big"} else ["odd", "even"]
    totals = {"small": SMALL, "big": BIG, "odd": ODD, "even": even_totals(settings)}
    kinds = [
        next((name for name in pair if sum(dice) in totals[name]), "neither") for dice in results if not is_triple(dice)
    ]
    if not kinds:
        return False  # before the first result of the day
    return len(kinds) == 1 or kinds[-1] != kinds[-2] or kinds[-1] == "neither"


def out_of_time(
    wager: str, one_round: Mapping[str, Any], results: Sequence[Sequence[int]] | None, settings: Mapping[str, Any]
) -> bool:
    """Tell whether a bet is a streak wager placed when none could be (6.2, 6.6)."""
    if not wager.startswith("super_streak"):
        return False
    if one_round.get("final_call", False):
        return True
    return results is not None and not may_place_streak(wager.rpartition("_")[2], results, settings)


def goes_back(outcome: str, tender: str, settings: Mapping[str, Any]) -> bool:
    """Tell whether the stake itself goes back: unless it lost, or is a token that its voucher takes up (1.1)."""
    if outcome == "lose":
        return False
    if tender != "token_once" or outcome == "returned":
        return True
    return bool(settings["token_on_win"] == "returned")  # noqa: S105 - a token to wager with


def line_of(
    seat: int, wager: str, placed: int, counts: int, tender: str, outcome: str, odds: int | None = None, *, back: bool
) -> Line:
    """Write what became of a bet."""
    return {
        "seat": seat,
        "wager": wager,
        "stake_cents": placed,
        "outcome": outcome,
        "paid_cents": counts * odds if odds is not None and outcome == "win" else 0,
        "returned_cents": placed if back else placed - counts,
        "tender": tender,
    }


def void_for(one_round: Mapping[str, Any], number: int) -> str | None:
    """Tell why a player's wagers are void, if they are (8.14, 9.8.1)."""
    return next((seat.get("void_for") for seat in one_round["seats"] if seat["seat"] == number), None)


def settle_bet(
    seat: int, wager: str, placed: int, counts: int, tender: str, one_round: Mapping[str, Any], settings: dict[str, Any]
) -> Line:
    """Settle a bet that is decided by this one result."""
    odds = None
    forfeited = any(each["seat"] == seat for each in one_round.get("forfeits", []))
    why = void_for(one_round, seat)
    if why == "prohibited_device" and not forfeited:
        outcome, counts = "void", placed  # 9.8.1
    elif one_round.get("no_result") == "invalidated" and (forfeited or not settings["refund_invalidated"]):
        outcome = "lose" if counts else "returned"  # 9.10
    elif "no_result" in one_round:
        outcome, counts = "void", placed  # 8.6, 9.10
    elif counts == 0:
        outcome = "returned"
    else:
        odds = pays(wager, one_round["dice"], settings)
        outcome = "lose" if odds is None else "win"
        if why == "invalid" and (outcome == "win" or settings["invalid_losing"] == "returned"):
            outcome, counts = "void", placed  # 8.14.2
    return line_of(seat, wager, placed, counts, tender, outcome, odds, back=goes_back(outcome, tender, settings))


def settle_streak(
    own: Mapping[str, Any], placed: int, counts: int, one_round: Mapping[str, Any], settings: dict[str, Any]
) -> tuple[list[Line], list[Open]]:
    """Settle a streak wager, or leave it open; what of a new one does not count goes back at once."""
    seat, wager, tender = own["seat"], own["wager"], own.get("tender", "chips")
    why = void_for(one_round, seat)
    if why == "prohibited_device":  # 9.8.1
        return [line_of(seat, wager, placed, placed, tender, "void", back=goes_back("void", tender, settings))], []
    if counts == 0:
        return [line_of(seat, wager, placed, 0, tender, "returned", back=True)], []
    outcome, count, odds = streak_ends(wager.rpartition("_")[2], own.get("in_a_row", 0), one_round, settings)
    if why == "invalid" and (outcome != "lose" or settings["invalid_losing"] == "returned"):  # 8.14.2
        return [line_of(seat, wager, placed, placed, tender, "void", back=goes_back("void", tender, settings))], []
    if outcome == "open":
        over = placed - counts
        lines = [line_of(seat, wager, over, 0, tender, "returned", back=True)] if over else []
        still = {"seat": seat, "wager": wager, "stake_cents": counts, "in_a_row": count, "tender": tender}
        return lines, [still]
    return [line_of(seat, wager, placed, counts, tender, outcome, odds, back=goes_back(outcome, tender, settings))], []


def settle(
    one_round: Mapping[str, Any], results: Sequence[Sequence[int]] | None = None
) -> tuple[list[Line], list[Open]]:
    """Settle a round: its lines, and the streak wagers that stay open, both by seat and then by name of the wager.

    `results` are the day's results before it; without them every streak wager is taken as placed in time.
    """
    settings = {**DEFAULTS, **one_round.get("settings", {})}
    lines: list[Line] = []
    still_open: list[Open] = []
    for own in one_round.get("still_open", []):
        more, still = settle_streak(own, own["stake_cents"], own["stake_cents"], one_round, settings)
        lines, still_open = lines + more, still_open + still
    for seat in one_round["seats"]:
        late = [bet for bet in seat["wagers"] if out_of_time(bet["wager"], one_round, results, settings)]
        allowed = [bet for bet in seat["wagers"] if bet not in late]
        for wager in dict.fromkeys(bet["wager"] for bet in late):  # void by 1.1
            cents = sum(bet["cents"] for bet in late if bet["wager"] == wager)
            tender = next(bet.get("tender", "chips") for bet in late if bet["wager"] == wager)
            back = goes_back("void", tender, settings)
            lines.append(line_of(seat["seat"], wager, cents, cents, tender, "void", back=back))
        bets = bets_that_count(one_round, {**seat, "wagers": allowed}, settings)
        for wager in dict.fromkeys(bet["wager"] for bet in bets):
            its = [bet for bet in bets if bet["wager"] == wager]
            placed, counts = sum(bet["cents"] for bet in its), sum(bet["counts"] for bet in its)
            own = {"seat": seat["seat"], "wager": wager, "tender": its[0].get("tender", "chips")}
            if wager.startswith("super_streak"):
                more, still = settle_streak(own, placed, counts, one_round, settings)
                lines, still_open = lines + more, still_open + still
            else:
                lines.append(settle_bet(own["seat"], wager, placed, counts, own["tender"], one_round, settings))

    def order(line: Mapping[str, Any]) -> tuple[int, str]:
        return line["seat"], line["wager"]

    return sorted(lines, key=order), sorted(still_open, key=order)
