"""A command whose asker has left before it was decided is not decided: a late hello is of before (PROTOCOL 1)."""

import pytest

from jackpot.core.ports import Reply, Submitted
from jackpot.core.posting import keep_posting, post
from tests.support.memory_store import Fault
from tests.support.stage import INCREMENT, SEED, HandInbox, Stage, commands_of, run, said


def test_who_has_left_is_told_busy_and_nothing_is_decided() -> None:
    """Its neighbours are decided in the same batch, in their order."""
    stage = Stage()
    commands = commands_of(stage)
    replies = run(post(stage.poster(), commands, {commands[1].id: lambda: True, commands[2].id: lambda: False}))
    assert [said(reply) for reply in replies] == ["wagers", "busy", "wagers", "wagers"]
    assert [reply.id for reply in replies] == [command.id for command in commands]
    assert stage.ledger.known(commands[1].id) is None
    assert stage.meter() == SEED + 9 * INCREMENT
    alone = run(post(stage.poster(), commands[1:2], {commands[1].id: lambda: True}))
    assert [said(reply) for reply in alone] == ["busy"]


def test_who_leaves_before_it_is_decided_again_is_not_decided() -> None:
    """A process that stood still meets the fence, and sees under the lock that its table has gone elsewhere."""
    stage = Stage()
    asleep, awake = stage.poster(), stage.poster()
    commands = commands_of(stage)
    stage.post(asleep, commands[:1])
    stage.post(awake, commands[1:2])
    looks = iter([False, True])
    replies = run(post(asleep, commands[2:], {commands[2].id: lambda: next(looks)}))
    assert [said(reply) for reply in replies] == ["busy", "wagers"]
    assert stage.told[-1].again == "fence"
    assert stage.ledger.known(commands[2].id) is None


@pytest.mark.parametrize("place", ["load", "answers"])
def test_who_leaves_while_the_state_is_read_is_not_decided(place: str) -> None:
    """What is read then may hold what its table did elsewhere: decided on that, it would come after."""
    stage, left = Stage(), set[str]()
    poster = stage.poster()
    first, second = commands_of(stage)[:2]
    stage.post(stage.poster(), [first])
    turn = post(poster, [first, second], {second.id: lambda: bool(left)})
    while turn.send(None) != place:
        pass
    left.add("gone")
    assert [said(reply) for reply in run(turn)] == ["wagers", "busy"]
    assert stage.ledger.known(second.id) is None


def test_what_was_posted_before_its_asker_left_is_answered_as_posted() -> None:
    """The commit came and its word was lost: read back it is there, whoever has left meanwhile."""
    stage = Stage()
    commands = commands_of(stage)
    looks = iter([False, True])
    stage.ledger.fault = lambda place: Fault.LOST_AFTER if place == "post" else Fault.NONE
    replies = run(post(stage.poster(), commands[:1], {commands[0].id: lambda: next(looks, True)}))
    assert [said(reply) for reply in replies] == ["wagers"]
    assert stage.stored()[commands[0].id] == replies[0].answer


def test_the_coroutine_asks_who_is_there() -> None:
    """What is taken from the inbox says whether its asker has left."""
    stage, replies = Stage(), list[Reply]()
    commands = commands_of(stage)[:2]
    load = [Submitted(commands[0], replies.append, gone=lambda: True), Submitted(commands[1], replies.append)]
    working = keep_posting(HandInbox(load), stage.poster())
    for _ in range(20):
        if len(replies) == len(load):
            break
        working.send(None)
    working.close()
    assert [said(reply) for reply in replies] == ["busy", "wagers"]
