"""Commands that once stopped a table or lost a prize: what the ledger makes of them, and that a stranger agrees."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jackpot.wire.codec import encode
from jackpot.wire.messages import SeatWager, Shown, Wagers
from rules.games.caribbean_stud import settle
from rules.records import encode_record, record_of
from rules.terms import fingerprint
from tests.oracle.ledger import differences_in
from tests.support.histories import MONTH, History
from tests.support.plain_rounds import as_round
from tests.support.terms import demo_terms

ROUND: dict[str, Any] = {
    "dealer": "Kd Qd 9c 7h 2s",
    "device": "shoe",
    "seats": [
        {"seat": 2, "ante_cents": 1000, "decision": "bet", "bet_cents": 2000, "cards": "3h 4s 6d 8c Th"},
        {"seat": 4, "ante_cents": 1000, "decision": "bet", "bet_cents": 2000, "cards": "As Ks Js 9s 3s"},
    ],
}


@pytest.fixture
def history(chance: random.Random) -> History:
    """A link with one table, before its first round."""
    return History(demo_terms(), 1, chance)


def place(number: int, month: str = MONTH) -> dict[str, Any]:
    """The place of a round of the table."""
    return {"table": "T1", "journal": 1, "month": month, "round": number, "revision": 1}


def wager(history: History, at: dict[str, Any], terms: str = "") -> None:
    """Wager on seat 4, under the link's terms or those given."""
    terms = terms or fingerprint(history.terms)
    shown = Shown(generation=1, commit=0, epoch=1, cents=0)
    history.send(encode(Wagers(**at, terms=terms, shown=shown, seats=[SeatWager(4, 1000, 100, 100)])))
    history.post()


def record(history: History, at: dict[str, Any], *, undecided: bool = False) -> None:
    """Record the round, with the wagers that are in play, whole or without the decision of seat 2."""
    played = as_round(ROUND)
    opened = history.state.rounds.get(("T1", 1, at["round"]))
    accepted = opened.accepted if opened else frozenset()
    seats = [replace(one, jackpot_cents=100 if one.seat in accepted else None) for one in played.seats]
    if undecided:
        seats[0] = replace(seats[0], decision=None, bet_cents=None)
    played = replace(played, seats=tuple(seats))
    settlement = None if undecided else settle(played)
    history.send(encode_record(record_of(played, settlement, **at, terms=fingerprint(history.terms))))
    history.post()


def test_a_round_refused_for_its_terms_can_be_recorded(history: History, tmp_path: Path) -> None:
    """Terms the link never had refuse the wagers (11.9), and do not keep the round open for ever."""
    wager(history, place(1), "f" * 64)
    record(history, place(1))
    assert history.state.rounds == {}
    history.write(tmp_path)
    assert differences_in(tmp_path) == []


def test_a_round_of_a_month_to_come_does_not_close_the_table(history: History) -> None:
    """Wagers of a month the link is not in are refused, and the next round of the right month is taken."""
    wager(history, place(1, "2099-01"))
    record(history, place(1, "2099-01"))
    wager(history, place(2))
    assert history.state.rounds["T1", 1, 2].accepted == {4}


def test_a_decision_never_entered_loses_no_prize(history: History, tmp_path: Path) -> None:
    """The base game cannot be settled; the flush at seat 4 can be read all the same: awarded, and people decide."""
    wager(history, place(1))
    record(history, place(1), undecided=True)
    assert [(hit.prize, hit.state, hit.amount_cents) for hit in history.state.hits.values()] == [
        ("flush", "disputed", 10_000)
    ]
    history.write(tmp_path)
    assert differences_in(tmp_path) == []
