"""A thousand recorded rounds of a demonstration, every kind of prize among them, played again by a table."""

import asyncio
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from jackpot.core.answers import decode_stored
from jackpot.wire.messages import AwardLine, RecordAnswer
from jackpot.wire.settings import TableSettings
from rules.games.caribbean_stud import qualifying, settle
from rules.progressive import award
from rules.records import RoundRecord, decode_record, settled_record, to_round
from tablelink.replay import recorded_table
from tests.support.casino import Casino
from tests.support.seated import Seat, agrees
from tests.support.terms import demo_terms

RECORDED = Path(__file__).parent.parent / "data" / "rounds.jsonl"
APPROVED = TableSettings(least_round_s=0, answer_within_s=30)
PRIZES = {"royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"}
CENT = 1_000_000
WITHIN_S = 300
"""A thousand rounds one after the other, each message on disk before it is sent: seconds, on a busy machine more."""


@cache
def lines() -> tuple[dict[str, Any], ...]:
    """The lines of the file as plain JSON."""
    return tuple(msgspec.json.decode(line) for line in RECORDED.read_bytes().splitlines())


@cache
def records() -> tuple[RoundRecord, ...]:
    """The records of the file, in the order of their commits."""
    return tuple(decode_record(line) for line in RECORDED.read_bytes().splitlines())


def test_every_kind_of_prize_is_in_the_file() -> None:
    """At least a thousand rounds; all five prizes were paid, and some round had two winners of the meter at once."""
    assert len(lines()) >= 1_000
    paid = [[one["prize"] for one in line["awards"]] for line in lines()]
    assert {prize for round_ in paid for prize in round_} == PRIZES
    assert any(round_.count("straight_flush") > 1 for round_ in paid)


def test_all_of_it_settles_as_it_was_recorded() -> None:
    """Every line of the base game and every award comes to what stands in the file, from cards and meter alone."""
    terms = demo_terms()
    for record, line in zip(records(), lines(), strict=True):
        played = to_round(record)
        assert settled_record(settle(played, terms=terms).lines) == record.settled, line["commit"]
        meter = line["meter_before_cents"] * CENT
        own = sum("jackpot_cents" in seat for seat in line["seats"]) * 22 * CENT
        resolution = award({"main": meter}, {"main": own}, qualifying(played, terms), terms)
        assert [(one.seat, one.prize, one.amount_cents) for one in resolution.awards] == [
            (one["seat"], one["prize"], one["amount_cents"]) for one in line["awards"]
        ], line["commit"]


def test_a_table_replays_all_of_it(tmp_path: Path) -> None:
    """One table plays every round of the file at a link: the same cards, decisions, prizes; spool and ledger agree."""

    async def play() -> Casino:
        casino = Casino(settings=APPROVED)
        async with casino.serving() as url:
            seat = Seat(casino, url, tmp_path)
            played = await seat.play(len(records()), device=lambda _simulated: recorded_table(RECORDED, "T1", APPROVED))
        assert played.rounds == len(records())
        agrees(casino, seat)
        return casino

    casino = asyncio.run(asyncio.wait_for(play(), WITHIN_S))
    again = [decode_record(record) for record in casino.records()]
    assert [(one.dealer, one.seats, one.settled) for one in again] == [
        (one.dealer, one.seats, one.settled) for one in records()
    ]
    prizes = Counter(hit.prize for known in casino.known.values() for hit in _awards(known.answer))
    assert prizes == Counter(one["prize"] for line in lines() for one in line["awards"])


def _awards(answer: bytes) -> list[AwardLine]:
    told = decode_stored(answer)
    return told.awards if isinstance(told, RecordAnswer) else []
