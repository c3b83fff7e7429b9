"""What goes wrong in a round: generated, settled by a second opinion, and who is told of it, in every book.

Written from the rule texts (TCP 12, 13, 14; FCP 12, 13, 14; of notices and lists CSP 14, WAR 11 and SIC 8 too), without
an import of `rules`.
"""

import calendar
import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

Line = dict[str, Any]

CAUSES = ("misdeal", "foreign_card", "device_failed", "invalidated", "invalidated")


def void_round(
    one_round: Mapping[str, Any],
    settings: Mapping[str, Any],
    everything: Callable[[Mapping[str, Any], str], list[Line]],
) -> list[Line]:
    """Settle a round without a result (TCP 12.4, 12.9.2, 13.2.1, 14.6; FCP 12.4, 12.10.2, 13.2.1, 14.5).

    All goes back; of an invalidated outcome it may, and what a supervisor directs is forfeited.
    """
    lines = []
    for seat in one_round["seats"]:
        forfeited = seat["seat"] in [each["seat"] for each in one_round.get("forfeits", [])]
        kept = forfeited or (one_round["void_by"] == "invalidated" and not settings["refund_invalidated"])
        lines += everything(seat, "lose" if kept else "void")
    return lines


def without_winnings(lines: list[Line], seat: Mapping[str, Any], settings: Mapping[str, Any]) -> list[Line]:
    """Take the winnings out of an invalid seat's lines (TCP 12.16.2): a winning wager goes back, and nothing with it.

    A losing one is kept, or goes back, as the table has it; a bonus is all winnings.
    """
    found = []
    for line in lines:
        if line["wager"] == "ante_bonus":
            continue
        if line["outcome"] == "lose" and settings["invalid_losing"] == "kept":
            found.append(line)
            continue
        by_voucher = settings["token_on_win"]
        once = seat.get(f"{line['wager']}_tender") == "token_once" and by_voucher != "returned"
        back = 0 if once else line["stake_cents"]
        found.append({**line, "outcome": "void", "paid_cents": 0, "returned_cents": back})
    return found


def spoil(one_round: dict[str, Any], chance: random.Random, limits: Callable[[], dict[str, Any]]) -> None:
    """Let something go wrong in a round: the whole of it, or some wagers; and give some players limits of their own."""
    if chance.random() < 0.1:
        one_round["void_by"] = chance.choice(CAUSES)
        if one_round["void_by"] == "invalidated" and chance.random() < 0.5:
            numbers = [seat["seat"] for seat in one_round["seats"]]
            one_round["forfeits"] = [{"seat": chance.choice(numbers), "person": "A. Lee", "reason": "marked cards"}]
        if "dealer_set" not in one_round and chance.random() < 0.5:
            del one_round["dealer"]
    for seat in one_round["seats"]:
        if seat["decision"] != "void" and chance.random() < 0.1:
            seat["void_for"] = "invalid"
        if chance.random() < 0.1:
            seat["own_limits"] = {name: cents for name, cents in limits().items() if cents is not None}


INFORMED = {  # the clause by which somebody is told at once of a missing or foreign card
    "caribbean_stud": ("Surveillance and an Inspector", "CSP 14.9.4"),
    "three_card_poker": ("Surveillance and an Inspector", "TCP 12.9.4"),
    "four_card_poker": ("Surveillance and an Inspector", "FCP 12.10.4"),
    "casino_war": ("Surveillance and an inspector", "WAR 11.17.4"),
}
MONTHLY = {  # the clause by which the NICC is told at the end of the month, in the books that print one
    "caribbean_stud": ("NICC", "CSP 14.19"),
    "three_card_poker": ("the NICC", "TCP 12.15.2"),
    "sic_bo": ("the NICC", "SIC 8.13"),
}
BORROWED = MONTHLY["three_card_poker"]
"""By which a table of another book lists that holds to the rules on carded play all the same."""


def report(
    one_round: dict[str, Any], lines: list[Line], chance: random.Random, *, equipment: bool = False
) -> dict[str, Any]:
    """The same round with what people reported of it: wrong payments of all sizes, invalid wagers' people, a moment."""
    told: dict[str, Any] = {}
    if chance.random() < 0.6:
        told["found_at"] = (
            f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T{chance.choice(['05:30', '23:30'])}:00+11:00"
        )
    paid = []
    for line in lines:
        if chance.random() < 0.4 and not (line["wager"] == "jackpot" and line["outcome"] == "win"):
            owed = line["paid_cents"] + line["returned_cents"]
            by = chance.choice([-100_001, -100_000, -1, 1, 100_000, 100_001, 5_000_000])
            error: dict[str, Any] = {"seat": line["seat"], "wager": line["wager"], "paid_cents": owed + by}
            if owed + by < 0:
                continue
            if chance.random() < 0.3:
                error |= {"suspected": True, "answer": chance.choice(["none", "rectified", "attempted"])}
            if chance.random() < 0.3:
                error["day"] = "2024-02-01"
            paid.append(error)
    if paid:
        told["payment_errors"] = paid
    invalid = [seat["seat"] for seat in one_round.get("seats", []) if seat.get("void_for") == "invalid"]
    if invalid and chance.random() < 0.7:
        told["invalid_wagers"] = [{"seat": chance.choice(invalid), "person": "A. Player", "reason": "another's card"}]
    if equipment and chance.random() < 0.3:
        told["found"] = ["equipment_failed"]
    return {**one_round, **told}


def _gaming_day(moment: str) -> str:
    """The day on which a moment falls where days begin at six in the morning; none where nobody said the moment."""
    return str((datetime.fromisoformat(moment) - timedelta(hours=6)).date()) if moment else ""


def _listed(one_round: Mapping[str, Any], lines: list[Line]) -> list[dict[str, Any]]:
    """The errors of more than $1,000.00 (CSP 14.19, TCP 12.15.2, SIC 8.13), each with its clause and its day."""
    game, settings = one_round["game"], one_round.get("settings", {})
    if game not in MONTHLY and settings.get("carded_play") != "all_games":
        return []
    to, clause = MONTHLY.get(game, BORROWED)
    found = []
    for error in one_round.get("payment_errors", []):
        (line,) = [each for each in lines if (each["seat"], each["wager"]) == (error["seat"], error["wager"])]
        too_much = error["paid_cents"] - line["paid_cents"] - line["returned_cents"]
        if too_much > 100_000 or too_much < -100_000:
            day = error.get("day") or _gaming_day(one_round.get("found_at", ""))
            what = "overpayment" if too_much > 0 else "underpayment"
            found.append({"to": to, "rule": clause, "day": day, "what": what, "cents": abs(too_much)} | error)
    return found


def month_end(one_round: Mapping[str, Any], lines: list[Line]) -> list[tuple[Any, ...]]:
    """What a round puts on the month-end list: what, at which seat, on which wager, how much, by which clause, when."""
    return [
        tuple(each[name] for name in ("what", "seat", "wager", "cents", "rule", "day"))
        for each in _listed(one_round, lines)
    ]


def notices(one_round: Mapping[str, Any], lines: list[Line], *, dark: bool = False) -> set[tuple[str, ...]]:
    """Who is to be told: whom, within what from when on, by which clause, and by when where the round says when.

    ``dark`` is whether the equipment of a Sic Bo table failed to illuminate the winning areas (SIC 8.7, 8.8).
    """
    moment = one_round.get("found_at", "")
    owed: set[tuple[str, ...]] = set()
    if one_round.get("void_by") == "foreign_card":
        to, clause = INFORMED[one_round["game"]]
        owed.add((to, "at_once", "finding", clause, moment))
    if "equipment_failed" in one_round.get("found", []):
        owed.add(("an inspector", "at_once", "malfunction", "CSP 14.15", moment))
    if dark:
        owed.add(("an inspector", "at_once", "malfunction", "SIC 8.8", moment))
    for each in _listed(one_round, lines):
        by = ""
        if each["day"]:
            year, month = int(each["day"][:4]), int(each["day"][5:7])
            by = f"{year}-{month:02}-{calendar.monthrange(year, month)[1]}"
        owed.add((each["to"], "month_end", "awareness", each["rule"], by))
    return owed


def kept(one_round: Mapping[str, Any], lines: list[Line]) -> list[tuple[Any, ...]]:
    """The stakes of losing invalid wagers that the casino keeps (CSP 14.20.2, TCP 12.16.2, SIC 8.14.2): whose, why.

    None of a round without a result: what is collected there is forfeited, which is something else.
    """
    settings = one_round.get("settings", {})
    if one_round.get("void_by") or one_round.get("no_result") or settings.get("invalid_losing") == "returned":
        return []
    invalid = [seat["seat"] for seat in one_round.get("seats", []) if seat.get("void_for") == "invalid"]
    whose = {each["seat"]: each for each in one_round.get("invalid_wagers", [])}
    found = []
    for line in lines:
        cents = line["stake_cents"] - line["returned_cents"]
        if line["outcome"] == "lose" and line["seat"] in invalid and cents:
            about = whose.get(line["seat"], {"person": None, "reason": None})
            found.append((line["seat"], line["wager"], cents, about["person"], about["reason"]))
    return found
