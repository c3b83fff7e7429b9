"""Cases from the field that need minutes and a network, told step by step in the world (CASES 25, 26, 60)."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from jackpot.core.answers import decode_stored
from jackpot.core.chain import decode_body
from jackpot.core.decide_tables import JOURNALS_OF_A_LIFE
from jackpot.core.state import LINKED, QUARANTINED
from jackpot.wire.messages import RefusedAnswer
from tablelink.core.dealing import lamps
from tablelink.core.inputs import Placed
from tablelink.scripted import Plan, PlannedSeat
from tests.sim import tables
from tests.sim.hosts import Host
from tests.sim.reins import by_hand
from tests.sim.restoring import bring_back
from tests.sim.settling import settle_down
from tests.sim.spooling import keep_copy, lost_tail, old_spool
from tests.sim.tables import TableMachine
from tests.sim.wires import UP, Wire
from tests.sim.world import World

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
DAY_US = 1_440 * MINUTE_US
MOST_STEPS = 200_000
HELLO = b'"kind":"hello"'


def plan(prizes: dict[tuple[str, int], str]) -> Callable[..., Plan]:
    """Rounds in which seats 1 and 3 wager; at seat 3 lies a prize where one is named for table and round."""

    def planned(_seed: int, table: str, number: int, coin_cents: int) -> Plan:
        hands = tables._hands(((0, ""), (1, ""), (3, prizes.get((table, number), ""))))
        seats = [
            PlannedSeat(Placed(seat, 500, coin_cents, coin_cents, "chips"), hands[seat], "bet", 1000) for seat in (1, 3)
        ]
        return Plan(hands[0], tuple(seats))

    return planned


@contextmanager
def world_of(prizes: dict[tuple[str, int], str]) -> Iterator[World]:
    """A world in which these prizes are dealt, and nothing goes wrong by itself."""
    with by_hand(), patch.object(tables, "planned", plan(prizes)):
        world = World(26)
        yield world
        world.end()


def until(world: World, holds: Callable[[], bool]) -> None:
    """Let the world go on until something holds."""
    for number in range(MOST_STEPS):
        if holds():
            return
        world.go(number, 1)
    raise AssertionError("it never came to that")


def accepted(world: World, name: str) -> bool:
    """Whether a table's first round has its wagers accepted."""
    table = world.tables[name]
    round_ = table.desk.dealing.round if table is not None else None
    return round_ is not None and bool(round_.accepted)


def cut(world: World, name: str, minutes: int) -> int:
    """Cut a table off once its first round has its wagers accepted; the moment at which it is back."""
    until(world, lambda: accepted(world, name))
    table = world.tables[name]
    assert table is not None
    table.partitioned_until_us = world.now_us + minutes * MINUTE_US
    return table.partitioned_until_us


def hits(world: World) -> dict[str, str]:
    """Every hit of the ledger with its state."""
    return {str(key): hit.state for key, hit in world.ledger.rows.hits.items()}


def decided(world: World, name: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """The commit of a command, what it said and what it was answered."""
    for batch in world.ledger.batches:
        for each in decode_body(batch.body).commands:
            if each.id == name:
                return each.commit, json.loads(bytes(each.command)), json.loads(bytes(each.answer))
    raise AssertionError(f"{name} was never decided")


def test_a_link_cut_after_the_cards_and_back_after_twenty_minutes() -> None:
    """Case 26: the hit stands, resolved against the pool at its commit, with the version that was last shown."""
    with world_of({("T1", 1): "royal_flush"}) as world:
        back_us = cut(world, "T1", 20)
        world.calm = True  # the others finish their rounds, and wait
        was_commit = world.ledger.rows.head.commit
        until(world, lambda: world.now_us >= back_us - SECOND_US)
        assert ("T1", 1, 1) in world.ledger.rows.rounds
        assert hits(world) == {}
        until(world, lambda: bool(hits(world)))
        commit, said, answer = decided(world, "T1/1/2026-11/1/record/1")
        assert commit > was_commit
        assert answer["awards"][0]["amount_cents"] == answer["meters"][0]["before_cents"] > 5_000_100
        # A record with a hit is signed.
        assert said["message"]["shown"]["commit"] <= was_commit
        settle_down(world)


def test_another_tables_royal_waits_for_a_round_that_is_cut_off() -> None:
    """Case 60: T2's royal, minutes later, is not approved while T1's round is open; both disputed, decided, paid."""
    with world_of({("T1", 1): "royal_flush", ("T2", 3): "royal_flush"}) as world:
        back_us = cut(world, "T1", 8)
        until(world, lambda: bool(hits(world)))
        world.calm = True
        assert list(hits(world)) == ["T2/1/3/3/main"]
        while world.now_us < back_us - MINUTE_US:
            if not world.office.busy:
                world.office.move_hit(0, manager=False)
            until(world, lambda: not world.office.busy)
            world.now_us += 10 * SECOND_US
        assert hits(world)["T2/1/3/3/main"] == "verified"
        refused = [decode_stored(reply.answer) for reply in world.office.replies if reply.later is None]
        assert "round_open" in {answer.code for answer in refused if isinstance(answer, RefusedAnswer)}
        until(world, lambda: "T1/1/1/3/main" in hits(world))
        assert hits(world) == {"T1/1/1/3/main": "disputed", "T2/1/3/3/main": "disputed"}
        reasons = [act.reason for hit in world.ledger.rows.hits.values() for act in hit.acts if act.move == "dispute"]
        assert all("by commit" in reason and "by wagers" in reason for reason in reasons), reasons
        settle_down(world)
        assert hits(world) == {"T1/1/1/3/main": "paid", "T2/1/3/3/main": "paid"}


def test_forty_rounds_without_a_link() -> None:
    """Case 25: no jackpot wager meanwhile; back, while others wager, the spool drains in order, each id once."""
    with world_of({}) as world:
        back_us = cut(world, "T1", 60)
        table = world.tables["T1"]
        assert table is not None
        for other in world.agents():
            other.paused_until_us = 0 if other is table else back_us
        until(world, lambda: len(table.disk.unanswered()) >= 40)
        waiting = table.disk.unanswered()
        assert not [name for name in waiting if "/wagers/" in name]
        for other in world.agents():
            other.paused_until_us = 0
        table.partitioned_until_us = min(back_us, world.now_us + SECOND_US)
        until(world, lambda: not set(waiting) & set(table.disk.unanswered()))
        commits = [decided(world, name)[0] for name in waiting]
        assert commits == sorted(commits)
        assert len(set(commits)) == len(waiting)
        settle_down(world)


def test_a_spool_of_a_lost_life_comes_back() -> None:
    """T1's disk was torn, the ledger went back, and all went on without it; its copy hands in what only it holds."""
    with world_of({}) as world:
        until(world, lambda: len(world.ledger.batches) > 40)
        torn = world.tables["T1"]
        assert torn is not None
        keep_copy(world, 0, 0)
        told = {name: answer for name, _, answer in torn.disk.messages() if answer is not None}
        world.new_disk("T1")
        assert bring_back(world, 19)
        assert not all(world.ledger.known(name) for name in told)
        world.office.word("T1", "")
        until(world, lambda: world.ledger.rows.tables["T1"].journal > JOURNALS_OF_A_LIFE)
        old_spool(world, 0, 0)
        assert {name: known.answer for name in told if (known := world.ledger.known(name)) is not None} == told
        assert world.ledger.rows.head.generation == 3
        settle_down(world)


def lies_at_a_paused_server(world: World) -> TableMachine:
    """T1's hello lies at a server that stands still; T1 has gone on elsewhere, a word was given for it, it wakes."""
    until(world, lambda: accepted(world, "T1"))
    table = world.tables["T1"]
    assert table is not None
    assert table.wire is not None
    table.wire.close_table()
    until(world, lambda: bool(greetings(world, table)))
    late = greetings(world, table)[0].host
    late.paused_until_us = world.now_us + MINUTE_US
    first = table.desk.dealing.next_round
    until(world, lambda: world.ledger.rows.journals["T1", 1].highest > first)
    assert table.agent._session.up
    world.office.word("T1", table.desk._spool.id)
    until(world, lambda: bool(world.ledger.rows.tables["T1"].word))
    late.paused_until_us = world.now_us
    return table


def test_a_hello_that_lay_at_a_paused_server_comes_after_a_word() -> None:
    """Its table has left, so it is not decided: the word is there still, and T1 plays on as if nothing had been."""
    with world_of({}) as world:
        table = lies_at_a_paused_server(world)
        first = table.desk.dealing.next_round
        until(world, lambda: not greetings(world, table) and world.ledger.rows.journals["T1", 1].highest > first + 1)
        own = world.ledger.rows.tables["T1"]
        assert (own.journal, own.status, own.word) == (1, LINKED, table.desk._spool.id)
        assert (table.agent._session.up, table.agent._session.refused) == (True, None)
        settle_down(world)


def test_a_word_that_went_to_nobody_ends_the_connection_that_was_the_table() -> None:
    """A table that leaves right after it answered is not seen to have left: what was T1 is ended, and T1 is told.

    Its wagers would all be refused, each round, with the jackpot open on its display and nobody called.
    """
    with world_of({}) as world, patch.object(Host, "_left", lambda _self, _wire: False):
        world.witness.cloned.add("T1")  # to a server that does not see it leave it is two agents of one spool
        table = lies_at_a_paused_server(world)
        until(world, lambda: world.ledger.rows.tables["T1"].journal == 2)
        until(world, lambda: table.agent._session.refusal.startswith("wrong_journal: "))
        assert (table.alive, world.ledger.rows.tables["T1"].status) == (True, QUARANTINED)
        settle_down(world)


def test_a_spool_that_lost_its_end_is_told_once_a_hello_can_be_decided() -> None:
    """Put off, its table lights what its spool holds (case 54): nobody knows better. Then it is told, and stops."""
    with world_of({}) as world:
        until(world, lambda: accepted(world, "T1"))
        lost_tail(world, 0, 0)
        (name,) = world.witness.cloned
        old = world.disks[name]
        hosts = [host for host in world.hosts.values() if host is not None]
        for host in hosts:
            host.ledger_away_until_us = world.now_us + MINUTE_US
        until(world, lambda: put_off(world, name) == "ledger_unreachable")
        table = world.tables[name]
        assert table is not None
        assert "accepted" in lamps(table.desk.dealing).values()
        for host in hosts:
            host.ledger_away_until_us = 0
        world.kill_table(table, back_us=0)  # started again: it asks at once
        until(world, lambda: world.disks[name] is not old)
        settle_down(world)


def test_a_server_whose_clock_runs_ahead_turns_no_month() -> None:
    """It reaches no ledger and puts a table off; what is played meanwhile is of the ledger's month, and is taken.

    Numbered by that clock it would wait until its month began, and the table stay without the jackpot as long.
    """
    with world_of({}) as world:
        until(world, lambda: accepted(world, "T1"))
        ahead, right = [host for host in world.hosts.values() if host is not None]
        ahead.wall.off_us, ahead.ledger_away_until_us = 40 * DAY_US, world.now_us + MINUTE_US
        world.kill_host(right, back_us=MINUTE_US)
        until(world, lambda: put_off(world, "T1") == "ledger_unreachable")
        table = world.tables["T1"]
        assert table is not None
        first = table.desk.dealing.next_round
        until(world, lambda: table.desk.dealing.next_round > first + 1)
        assert f"T1/1/2026-11/{first}/record/1" in table.disk.unanswered()
        world.kill_host(ahead)
        settle_down(world)


@pytest.mark.parametrize("begun_anew", [False, True])
def test_a_board_shows_no_meter_that_lay_on_the_way_before_it_heard_any(*, begun_anew: bool) -> None:
    """All stands still for a quarter of a minute just as two servers begin: what each had told of is no news then.

    Nor does a server that begins then hear what was on its way to the one before it.
    """
    with world_of({}) as world:
        way = world.radio["server 2"]
        way.not_before_us = 15 * SECOND_US
        until(world, lambda: bool(way.frames) and world.ledger.rows.head.commit > 4)
        assert b'"commit":4' in way.frames[0]
        world.now_us += 15 * SECOND_US
        server = world.hosts[2]
        assert server is not None
        if begun_anew:
            world.kill_host(server, back_us=0)
        settle_down(world)


def put_off(world: World, name: str) -> str:
    """With which word a table's hello was refused last; empty where it was not."""
    table = world.tables[name]
    refused = table.agent._session.refused if table is not None else None
    return refused.code if refused is not None else ""


def greetings(world: World, table: TableMachine) -> list[Wire]:
    """The connections of a table on which its hello is on the way."""
    return [wire for wire in world.wires if wire.table is table and any(HELLO in each for each in wire.ways[UP].frames)]
