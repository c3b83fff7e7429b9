"""What goes wrong in a round of Three Card or Four Card Poker: generated, and settled by a second opinion.

Written from the rule texts (TCP 12, 13, 14; FCP 12, 13, 14), without an import of `rules`.
"""

import random
from collections.abc import Callable, Mapping
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
