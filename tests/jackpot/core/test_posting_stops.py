"""The posting coroutine stopped at every await, and raced against another: each id has one answer (cases 6, 57)."""

import random
from collections.abc import Coroutine
from typing import Any

import pytest

from jackpot.core.ports import Reply, Submitted
from jackpot.core.posting import keep_posting, post
from tests.support.memory_store import Fault
from tests.support.stage import INCREMENT, SEED, HandInbox, Stage, assert_answered_alike, commands_of, once, said

FAULTS: list[list[tuple[str, Fault]]] = [
    [],
    [("post", Fault.LOST_BEFORE)],
    [("post", Fault.LOST_AFTER)],
    [("post", Fault.LOST_UNDER_WAY)],
    [("post", Fault.LOST_IN_THE_SOCKET)],
    [("post", Fault.LOST_AFTER), ("commit", Fault.LOST_AFTER)],
]


@pytest.mark.parametrize("stale", [False, True])
@pytest.mark.parametrize(
    "faults", FAULTS, ids=[",".join(fault.name for _, fault in faults) or "well" for faults in FAULTS]
)
def test_a_stop_at_every_await(faults: list[tuple[str, Fault]], *, stale: bool) -> None:
    """Killed anywhere, the next process is asked the same again: one answer an id, the meter counted once (case 6)."""
    step = 0
    while True:
        stage = Stage()
        poster, commands = stage.poster(), commands_of(stage)
        if stale:
            stage.post(poster, [])
            stage.post(stage.poster(), commands[:2])
        stage.ledger.fault = once(faults)
        under_way = post(poster, commands)
        ended = not stepped(under_way, step)
        under_way.close()
        stage.ledger.fault = once(())
        replies = stage.post(stage.poster(), commands)
        stage.ledger.arrive()
        assert [said(reply) for reply in replies] == ["wagers"] * 4
        assert stage.meter() == SEED + 12 * INCREMENT
        assert {reply.id: reply.answer for reply in replies}.items() <= stage.stored().items()
        if ended:
            break
        step += 1
    assert step >= 3


def stepped(coroutine: Coroutine[Any, Any, Any], steps: int) -> bool:
    """Step a coroutine so often; whether it still waits."""
    try:
        for _ in range(steps + 1):
            coroutine.send(None)
    except StopIteration:
        return False
    return True


@pytest.mark.parametrize("seed", range(40))
def test_processes_that_race(seed: int) -> None:
    """Two processes, stepped in any order, with losses anywhere and every command sent to both: once each, alike."""
    chance = random.Random(seed)
    stage = Stage()
    kinds = [Fault.NONE] * 5 + [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LOST_UNDER_WAY, Fault.LOST_IN_THE_SOCKET]
    stage.ledger.fault = lambda place: chance.choice(kinds) if place == "post" else Fault.NONE
    heard: list[Reply] = []
    commands = commands_of(stage)
    going: list[Coroutine[Any, Any, Any]] = []
    for _ in range(2):
        mixed = chance.sample(commands, 4)
        inbox = HandInbox(
            [Submitted(one, heard.append) for one in mixed[:2]], [Submitted(one, heard.append) for one in mixed[2:]]
        )
        going.append(keep_posting(inbox, stage.poster()))
    for _ in range(10_000):
        one = chance.choice(going)
        if one.send(None) == "empty" and len(heard) == 8:
            break
    assert len(heard) == 8
    assert_answered_alike(stage, heard)
    assert stage.meter() == SEED + 12 * INCREMENT
    for coroutine in going:
        coroutine.close()
