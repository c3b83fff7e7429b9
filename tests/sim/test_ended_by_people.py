"""A round that two people ended at the server, and the ledger goes back to before that (PROTOCOL 5)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from jackpot.core.amendments import Forfeited, VoidOpen
from jackpot.core.commands import command_of, of_act
from jackpot.core.void_again import AS_BEFORE
from jackpot.wire.codec import encode
from jackpot.wire.ids import VOID_AGAIN, VOID_OF_TWO
from jackpot.wire.messages import Void
from tablelink.core.inputs import Voided
from tablelink.supervising import told_of
from tests.sim.restoring import MOST_LOST, bring_back
from tests.sim.settling import settle_down
from tests.sim.spooling import keep_copy, old_spool
from tests.sim.tables import TableMachine
from tests.sim.test_cases import decided, until, world_of
from tests.sim.world import World

PEOPLE: dict[str, Any] = {"by": "Ann", "second": "Ben"}


@contextmanager
def played() -> Iterator[tuple[World, TableMachine, dict[str, Any]]]:
    """A ledger that is old enough to go back, and a round of T1 that is lit and stands still: where that is."""
    with world_of({}) as world:
        until(world, lambda: len(world.ledger.batches) > MOST_LOST)
        table = world.tables["T1"]
        assert table is not None
        until(world, lambda: lit(table))
        under_way = table.desk.dealing.round
        assert under_way is not None
        world.stand_still.add(("T1", 1, under_way.number))
        yield world, table, {"table": "T1", "journal": 1, "month": under_way.month, "round": under_way.number}


def lit(table: TableMachine) -> bool:
    """Whether a round is under way with accepted wagers."""
    under_way = table.desk.dealing.round
    return under_way is not None and bool(under_way.accepted)


def heard(world: World, table: TableMachine, holds: Callable[[], bool]) -> None:
    """Let T1 hear of what people did, and all others finish."""
    until(world, lambda: not world.office.busy)
    world.calm = True
    until(world, holds)
    until(world, lambda: not table.disk.unanswered())


def goes_back(world: World, commit: int, before: int = 0) -> bool:
    """Bring the ledger back to before a commit, and so many batches further; it has been opened again then."""
    return bring_back(world, sum(batch.last_commit >= commit for batch in world.ledger.batches) + before - 1)


@pytest.mark.parametrize("before", [0, 15])
def test_a_void_of_two_people_comes_back_with_the_ledger(before: int) -> None:
    """Its table has written it down in their words: under its own id it is posted again, and says who voided it.

    Whether its wagers were lost with it or not.
    """
    with played() as (world, table, at):
        world.office.post(command_of(encode(Void(**at, revision=VOID_OF_TWO, rule="CSP 16.5", **PEOPLE))))
        heard(world, table, lambda: table.desk.dealing.round is None)
        commit, _, answer = decided(world, name := f"T1/1/{at['month']}/{at['round']}/void/3")
        assert goes_back(world, commit, before)
        _, said, again = decided(world, name)
        assert (said["kind"], said["message"]["by"], said["message"]["second"]) == ("handed_in", "Ann", "Ben")
        assert again == answer
        assert ("T1", 1, at["round"]) not in world.ledger.rows.rounds
        settle_down(world)


def test_a_void_of_a_seat_comes_back_with_the_ledger() -> None:
    """The round goes on without that seat in the next life too, and its record is taken."""
    with played() as (world, table, at):
        world.office.post(command_of(encode(Void(**at, revision=VOID_OF_TWO, rule="CSP 16.5", seats=[3], **PEOPLE))))
        heard(world, table, lambda: table.desk.dealing.round is None)
        commit, _, answer = decided(world, name := f"T1/1/{at['month']}/{at['round']}/void.3/3")
        assert goes_back(world, commit)
        assert decided(world, name)[2] == answer
        assert ("T1", 1, at["round"]) not in world.ledger.rows.rounds
        settle_down(world)


def test_a_void_of_a_seat_that_its_table_never_heard_of_comes_back_with_the_record() -> None:
    """T1 was cut off and recorded a prize at seat 3: others were told that it wins nothing, and so it stays.

    Nobody holds the void, but the record's answer says that the seat was out: its wager is back in the next life too.
    """
    prizes: dict[tuple[str, int], str] = {}
    with world_of(prizes) as world:
        until(world, lambda: len(world.ledger.batches) > MOST_LOST)
        table = world.tables["T1"]
        assert table is not None
        number = table.desk.dealing.next_round + 1
        prizes["T1", number] = "straight_flush"
        until(world, lambda: lit(table) and table.desk.dealing.round.number == number)  # type: ignore[union-attr]
        table.partitioned_until_us = world.now_us + 60_000_000
        at: dict[str, Any] = {"table": "T1", "journal": 1, "month": "2026-11", "round": number}
        world.office.post(command_of(encode(Void(**at, revision=VOID_OF_TWO, rule="CSP 16.5", seats=[3], **PEOPLE))))
        heard(world, table, lambda: table.desk.dealing.round is None)
        name = f"T1/1/2026-11/{number}"
        answer = decided(world, f"{name}/record/1")[2]
        assert (answer["disputed"], answer.get("awards", [])) == (True, [])
        assert goes_back(world, decided(world, f"{name}/void.3/3")[0])
        assert decided(world, f"{name}/record/1")[2] == answer
        _, again, out = decided(world, f"{name}/void.3/{VOID_AGAIN}")
        assert (again["rule"], out["seats"]) == (AS_BEFORE, [3])
        assert not world.ledger.rows.hits
        settle_down(world)


def test_a_forfeited_wager_is_no_word_of_a_table() -> None:
    """Only people say it, and say it again: until then the round is open, and its table tells who had done it."""
    with played() as (world, table, at):
        people = {**PEOPLE, "rule": "CSP 16.6", "reason": "film"}
        world.office.post(of_act(VoidOpen(**at, revision=2, **people, forfeits=(Forfeited(3, "Sue", "fraud"),))))
        heard(world, table, lambda: table.desk.dealing.round is None)
        commit = decided(world, f"T1/1/{at['month']}/{at['round']}/amend/2")[0]
        assert goes_back(world, commit)
        assert ("T1", 1, at["round"]) in world.ledger.rows.rounds
        assert "by Ann and Ben at the server (CSP 16.6)" in told_of(table.desk.dealing)[0]
        settle_down(world)
        assert ("T1", 1, at["round"]) not in world.ledger.rows.rounds


def test_a_void_that_was_refused_after_one_of_people_ends_nothing() -> None:
    """Its id has that answer for ever, in the next life too: the round is open there, and people end it once more."""
    with played() as (world, table, at):
        people = {**PEOPLE, "rule": "CSP 16.6", "reason": "film"}
        world.office.post(of_act(VoidOpen(**at, revision=2, **people, forfeits=(Forfeited(3, "Sue", "fraud"),))))
        table.agent.tell(Voided("CSP 14.4", "Cy"))
        heard(world, table, lambda: table.desk.dealing.round is None)
        name = f"T1/1/{at['month']}/{at['round']}"
        assert decided(world, f"{name}/void/1")[2]["code"] == "round_voided"
        assert goes_back(world, decided(world, f"{name}/amend/2")[0])
        assert ("T1", 1, at["round"]) in world.ledger.rows.rounds
        world.office.post(command_of(encode(Void(**at, revision=VOID_OF_TWO, rule="CSP 16.5", **PEOPLE))))
        until(world, lambda: not world.office.busy)
        assert decided(world, f"{name}/void/3")[2]["seats"] == [1, 3]
        settle_down(world)


def test_a_table_and_two_people_void_at_once() -> None:
    """Each word has an id and an answer of its own: who comes second is refused, and no id is used again."""
    with played() as (world, table, at):
        table.agent.tell(Voided("CSP 14.4", "Cy"))
        world.office.post(command_of(encode(Void(**at, revision=VOID_OF_TWO, rule="CSP 16.5", **PEOPLE))))
        heard(world, table, lambda: table.desk.dealing.round is None)
        settle_down(world)
        name = f"T1/1/{at['month']}/{at['round']}"
        assert decided(world, f"{name}/void/3")[2]["seats"] == [1, 3]
        assert decided(world, f"{name}/void/1")[2]["code"] == "round_voided"


def test_an_older_spool_of_a_round_that_people_ended_under_other_terms() -> None:
    """Its hello names another journal than its table's, and is refused: it is told of no round, and its people end it.

    What they do is handed in and refused; the table takes up the terms then, and goes on in a spool of its own.
    """
    with played() as (world, table, at):
        keep_copy(world, 0, 0)
        world.office.post(command_of(encode(Void(**at, revision=VOID_OF_TWO, rule="CSP 16.5", **PEOPLE))))
        heard(world, table, lambda: table.desk.dealing.round is None)
        table.disk.torn = True
        world.kill_table(table)
        until(world, lambda: world.ledger.rows.tables["T1"].journal == 2)
        assert world.office.new_terms(1)
        until(world, lambda: not world.office.busy)
        old_spool(world, 0, 0)
        assert world.faults["older_spool"] == 1
        settle_down(world)
        name = f"T1/1/{at['month']}/{at['round']}"
        assert decided(world, f"{name}/void/3")[2]["seats"] == [1, 3]
        assert decided(world, f"{name}/record/1")[2]["code"] == "round_voided"
        assert world.ledger.rows.tables["T1"].journal > 2
