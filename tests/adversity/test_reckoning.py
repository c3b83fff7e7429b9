"""The comparison sees every way in which tables and ledger can differ: one that finds nothing would prove nothing."""

from collections.abc import Callable
from copy import deepcopy

import pytest

from tests.adversity.reckoning import Known, Memory, compare

WAGERS, RECORD, WITHDRAW = (
    f"T1/1/2026-11/{number}/{kind}/1" for number, kind in ((1, "wagers"), (1, "record"), (2, "withdraw"))
)
SEAT = "T1/1/2026-11/1/3"


def both() -> tuple[Memory, Memory]:
    """A round that was wagered, recorded and won, and one that was withdrawn, as both sides remember them."""
    messages = {name: Known(name.encode(), b"{}", place) for place, name in enumerate((WAGERS, RECORD, WITHDRAW), 1)}
    spools = Memory(messages, sent={SEAT}, accepted={SEAT}, awards={"T1/1/1/3/main": 7})
    return spools, deepcopy(spools)


def test_the_same_memories_have_no_difference() -> None:
    """What is equal is said to be equal, with its counts."""
    found = compare(*both())
    assert not found.differences
    assert (found.sent, found.answered, found.stored, found.awards) == (1, 1, 1, 1)


CHANGES: dict[str, Callable[[Memory, Memory], object]] = {
    "answered and not the same in the ledger: 1": lambda _spools, ledger: ledger.messages.pop(RECORD),
    "without an answer": lambda spools, _ledger: spools.messages.update({RECORD: Known(RECORD.encode())}),
    "in the ledger and in no spool": lambda spools, _ledger: spools.messages.pop(WITHDRAW),
    "stored with other bytes": lambda _spools, ledger: ledger.messages.update({WAGERS: Known(b"x", b"{}", 1)}),
    "answered and not the same": lambda _spools, ledger: ledger.messages.update({WAGERS: Known(b"x", b"[]", 1)}),
    "sent and not answered": lambda spools, _ledger: spools.sent.add(f"{SEAT}0"),
    "answered as accepted and not stored": lambda _spools, ledger: ledger.accepted.clear(),
    "stored and not answered as accepted": lambda _spools, ledger: ledger.accepted.add(f"{SEAT}0"),
    "awards that differ": lambda _spools, ledger: ledger.awards.update({"T1/1/1/3/main": 8}),
}


@pytest.mark.parametrize("said", CHANGES)
def test_a_difference_is_named(said: str) -> None:
    """Each kind of difference is a sentence that names what is missing where."""
    spools, ledger = both()
    CHANGES[said](spools, ledger)
    assert any(one.startswith(said) for one in compare(spools, ledger).differences)


def test_wagers_whose_place_a_withdrawal_took_need_no_answer() -> None:
    """They may never have arrived; their withdrawal has the answer."""
    spools, ledger = both()
    name = "T1/1/2026-11/2/wagers/1"
    spools.messages[name] = Known(b"w")
    spools.superseded.add(name)
    assert not compare(spools, ledger).differences


def test_what_two_people_voided_unheard_is_known_to_the_ledger_alone() -> None:
    """Their table had written the end of its round already: the wager went back, and its spool cannot know that."""
    void = "T1/1/2026-11/1/void/3"
    spools, ledger = both()
    ledger.messages[void] = Known(b"v", b"{}", 4)
    ledger.by_people[void] = {SEAT}
    ledger.accepted.clear()
    assert not compare(deepcopy(spools), ledger).differences
    del spools.messages[RECORD], ledger.messages[RECORD]
    found = compare(spools, ledger).differences
    assert [one.split(":")[0] for one in found] == [
        "in the ledger and in no spool",
        "answered as accepted and not stored",
    ], "a table that has not ended its round hears of it"
