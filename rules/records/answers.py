"""A settlement as one JSON object: what ``python -m rules settle`` answers to a round of any game."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from rules.cards import cards_text
from rules.hands import Worth
from rules.progressive import Award
from rules.records.caribbean_stud import award_record
from rules.records.forms import Part
from rules.records.reports import reports_shown
from rules.rounds import Line, Settlement

_HEADER = ("table", "journal", "month", "round", "revision")


def answer(
    record: Part,
    round_: Any,
    settlement: Settlement,
    shown: Mapping[str, Any],
    awards: tuple[Award, ...] | None = None,
) -> dict[str, Any]:
    """The answer to a record: whose round it was, what was shown, what every wager came to, and who is to be told.

    ``shown`` is what the game says of its cards or dice; ``awards`` are those of a link, where its meter was given.
    """
    lines = settlement.lines if awards is None else tuple(_with_awards(settlement.lines, awards))
    stated = {name: getattr(record, name) for name in _HEADER}
    said: dict[str, Any] = {name: value for name, value in stated.items() if value is not None}
    said |= {"game": round_.game, "edition": round_.edition, **shown, "lines": lines}
    said["net"] = [
        {"seat": seat, "net_cents": sum(each.net_cents for each in lines if each.seat == seat)}
        for seat in sorted({each.seat for each in lines})
    ]
    return said | reports_shown(settlement)


def poker_shown(round_: Any, settlement: Settlement) -> dict[str, Any]:
    """What a poker game says of its hands: the dealer's, where it was captured, and each that was seen."""
    shown: dict[str, Any] = {}
    if round_.dealer is not None and settlement.dealer is not None:
        shown["dealer"] = {"cards": cards_text(round_.dealer), **hand_shown(settlement.dealer)}
        if settlement.dealer_qualifies is not None:
            shown["dealer"]["qualifies"] = settlement.dealer_qualifies
    shown["hands"] = [{"seat": seat, **hand_shown(value)} for seat, value in settlement.hands]
    return shown


def hand_shown(value: Worth) -> dict[str, str]:
    """What a hand is worth, in words."""
    return {"hand": value.name, "category": value.category, "rule": value.rule}


def awards_shown(awards: Sequence[Award]) -> list[dict[str, Any]]:
    """The awards of a link, each with its rules."""
    return [{**msgspec.structs.asdict(award_record(each)), "rules": each.rules} for each in awards]


def _with_awards(lines: Sequence[Line], awards: Sequence[Award]) -> Iterator[Line]:
    """Lines with what the link pays on the jackpot wagers."""
    by_seat = {each.seat: each for each in awards}
    for line in lines:
        won = by_seat.get(line.seat) if line.wager == "jackpot" else None
        yield line if won is None else replace(line, paid_cents=won.amount_cents, rules=(*line.rules, *won.rules))
