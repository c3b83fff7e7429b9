"""What the server makes of a record: winners by the cards at accepted seats, claims where cards cannot be read."""

import msgspec
import pytest

from jackpot.core.reading import Reading, read
from jackpot.core.state import OpenRound, Run
from rules.progressive import Winner
from rules.records import ClaimRecord, RoundRecord, SeatRecord, SettledRecord, decode_record
from tests.support.hands import record_line
from tests.support.terms import demo_terms, with_rulings

AT = {"table": "T1", "journal": 1, "month": "2026-11", "round": 17, "revision": 1}
RUN = Run((1, 3), 100, (22, 0, 8, 70), ("chips", "chips"))
OPENED = OpenRound("T1", 1, 17, "2026-11", "", 9, 0, (RUN,), (1,))


def recorded(*words: str) -> RoundRecord:
    """The record of a round at seats 1 and 3."""
    return decode_record(record_line(AT, words, frozenset({1, 3}), demo_terms(), "7e" * 32))


def reading(record: RoundRecord) -> Reading:
    """What the server makes of it."""
    return read(record, OPENED, demo_terms())


def test_a_claim_is_one_a_seat() -> None:
    """Where cards cannot be read a seat's first claim stands; a seat that did not wager has none."""
    claims = (ClaimRecord(3, "flush"), ClaimRecord(3, "royal_flush"), ClaimRecord(2, "flush"), ClaimRecord(1, "flush"))
    record = msgspec.structs.replace(recorded("3=flush", "cards=1:As,As,2c,3d,4h"), claims=claims)
    found = reading(record)
    assert found.claimed == (Winner(3, "flush"), Winner(1, "flush"))
    assert (found.winners, found.cards) == ((), {})
    assert found.differences[0].startswith("seats[0].cards: seen twice")


def test_hands_are_kept_as_they_were_written() -> None:
    """The cards of each seat are on the hit as on the record."""
    record = recorded("3=royal_flush")
    assert reading(record).cards == {seat.seat: seat.cards for seat in record.seats}
    assert reading(record).winners == (Winner(3, "royal_flush"),)
    assert reading(record).differences == ()


@pytest.mark.parametrize(
    ("ruling", "word", "wins"),
    [
        ({}, "3=flush/fold", True),
        ({"folded_hand_wins": False}, "3=flush/fold", False),
        ({"folded_hand_wins": False}, "3=flush/absent", False),
        ({"folded_hand_wins": False}, "3=flush", True),
        ({"conceded_hand_wins": False}, "3=flush/concede", False),
    ],
)
def test_the_terms_say_whose_hands_win(ruling: dict[str, bool], word: str, *, wins: bool) -> None:
    """A folded, absent or conceded hand wins as the terms read rule 11.4; naming it otherwise is a difference."""
    record = msgspec.structs.replace(recorded(word), claims=None)
    found = read(record, OPENED, with_rulings(**ruling))
    assert [winner.seat for winner in found.winners] == ([3] if wins else [])


def test_the_base_game_is_compared_line_by_line() -> None:
    """A line that is missing, one too many, another amount, another order: each said with what either side has."""
    record = recorded()
    settled = record.settled or ()
    assert len(settled) == 4
    first = settled[0]
    assert reading(record).differences == ()
    missing = msgspec.structs.replace(record, settled=settled[1:])
    by_rules = f"paid {first.paid_cents}, returned {first.returned_cents} by the rules"
    assert reading(missing).differences == (f"settled: seat 1 ante is nothing at the table, {by_rules}",)
    more = msgspec.structs.replace(record, settled=(*settled, SettledRecord(7, "ante", 5, 5)))
    assert reading(more).differences == (
        "settled: seat 7 ante is paid 5, returned 5 at the table, nothing by the rules",
    )
    turned = msgspec.structs.replace(record, settled=settled[::-1])
    assert reading(turned).differences == ("settled: the lines are the same in another order, or one is there twice",)


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"schedules": ("none",)}, "schedules[0]: unknown"),
        ({"game": "tarock"}, "game: unknown"),
        ({"edition": "1999-01-01"}, "edition: not the edition"),
        ({"dealer": None}, "dealer: missing"),
        ({"seats": ()}, "seats: a round of play has at least one ante"),
        ({"seats": (SeatRecord(3, 500, 100), SeatRecord(3, 500, 100))}, "seats[1].seat: a seat is there twice"),
    ],
)
def test_whatever_a_table_writes_is_read(changes: dict[str, object], difference: str) -> None:
    """A record that cannot have been is a difference, not an error: nothing a table writes is refused for good."""
    found = reading(msgspec.structs.replace(recorded(), **changes))
    assert any(said.startswith(difference) for said in found.differences), found.differences
