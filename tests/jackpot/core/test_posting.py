"""The posting coroutine, stepped by hand: who is answered what, and when (PROTOCOL 4)."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from jackpot.core import posting
from jackpot.core.accounts import BrokenInvariant
from jackpot.core.commands import command_of
from jackpot.core.ports import Batch, BatchRefusedError, Reply, Submitted
from jackpot.core.posting import keep_posting, post
from jackpot.wire.messages import Void
from tests.support.chains import NOTHING
from tests.support.memory_store import Fault, MemoryLedger
from tests.support.stage import INCREMENT, SEED, HandInbox, Stage, broken, commands_of, run, said


def test_an_answer_is_given_after_it_is_durable() -> None:
    """One batch, one answer a command with the batch's receipt; what happened is told after it was written."""
    stage = Stage()
    poster, places = stage.poster(), list[str]()
    replies = run(post(poster, commands_of(stage)), places)
    assert places == ["load", "post", "posted"]
    assert [said(reply) for reply in replies] == ["wagers"] * 4
    batch = stage.ledger.batches[-1]
    assert [reply.receipt.commit for reply in replies if reply.receipt] == [
        *range(batch.first_commit, batch.last_commit + 1)
    ]
    assert {reply.receipt.digest for reply in replies if reply.receipt} == {batch.digest.hex()}
    assert stage.meter() == SEED + 12 * INCREMENT
    (told,) = stage.told
    assert (told.commands, told.bytes, told.again) == (4, len(batch.body), "")
    assert {fact.kind for fact in told.facts} == {"accepted"}
    assert told.state == stage.ledger.rows.state()


def test_a_repeat_is_answered_from_memory_then_from_the_ledger() -> None:
    """The same bytes get the same answer and receipt, and nothing is written; a process that forgot asks the ledger."""
    stage = Stage()
    poster, commands = stage.poster(), commands_of(stage)
    first = stage.post(poster, commands)
    places = list[str]()
    assert run(post(poster, commands), places) == first
    assert places == []
    poster.memory.clear()
    assert run(post(poster, commands), places) == first
    assert places == ["answers"]
    assert run(post(stage.poster(), commands)) == first
    assert len(stage.ledger.batches) == 2


def test_every_kind_of_message_is_looked_up_when_it_may_have_been_decided() -> None:
    """Wagers, a void of a seat, a withdrawal, a record, a void: repeated at once or later, to a process that forgot."""
    stage = Stage()
    poster, link = stage.poster(), stage.link
    messages = [
        link.wagers("T1", 1),
        link.void("T1", 1, (2,)),
        link.withdraw("T1", 1),
        link.record("T1", 1, {1: NOTHING}, ()),
        link.withdraw("T1", 2),
        link.void("T1", 2),
        link.wagers("T1", 3),
    ]
    first: list[Reply] = []
    for message in messages:
        first += stage.post(poster, [message])
        for again in messages[: len(first)]:
            poster.memory.clear()
            (reply,) = stage.post(poster, [again])
            assert (reply.answer, reply.receipt) == next((r.answer, r.receipt) for r in first if r.id == again.id)
    assert [said(reply) for reply in first] == [
        *("wagers", "voided", "withdrawn", "recorded", "withdrawn", "voided", "wagers"),
    ]
    assert len(stage.ledger.batches) == 1 + len(messages)
    assert not stage.ledger.aside


def test_other_bytes_under_an_id_are_not_answered_as_the_first() -> None:
    """The id was used before with other content: refused, whoever asks, and nothing is written (case 12)."""
    stage = Stage()
    poster = stage.poster()
    stage.post(poster, commands_of(stage))
    other = stage.link.wagers("T1", 1, (5,))
    for asked in (poster, stage.poster()):
        (reply,) = stage.post(asked, [other])
        assert b"id_reused" in reply.answer
    assert len(stage.ledger.batches) == 2


def test_memory_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest answers go first."""
    monkeypatch.setattr(posting, "MEMORY", 3)
    stage = Stage()
    poster, commands = stage.poster(), commands_of(stage)
    stage.post(poster, commands)
    assert list(poster.memory) == [command.id for command in commands[1:]]


def test_two_processes_at_one_link() -> None:
    """A fence conflict: what is there is answered from there, the rest is decided under the lock; all counted once."""
    stage = Stage()
    one, two = stage.poster(), stage.poster()
    commands = commands_of(stage)
    stage.post(one, [])
    stage.post(two, [])
    first = stage.post(one, commands[:3])
    places = list[str]()
    second = run(post(two, commands[1:]), places)
    assert places == ["post", "lock", "locked", "load", "answers", "commit"]
    assert second[:2] == first[1:]
    assert stage.told[-1].again == "fence"
    assert stage.meter() == SEED + 12 * INCREMENT
    assert len(stage.stored()) == len(commands) + len(stage.link.opening.rows.commands)
    third = stage.post(two, commands_of(stage, 2))
    assert stage.told[-1].again == "", "alone again, one statement is enough"
    assert len(third) == 4


def test_an_answer_that_shows_another_process_is_ahead() -> None:
    """A stored answer past its own state: the process reads on before it decides, and nothing is decided twice."""
    stage = Stage()
    one, two = stage.poster(), stage.poster()
    commands = commands_of(stage)
    stage.post(one, commands[:1])
    stage.post(two, [])
    void = stage.link.void("T1", 1, (2,))
    first = stage.post(one, [void, commands[1]])
    places = list[str]()
    second = run(post(two, [void, commands[1], commands[2]]), places)
    assert places == ["answers", "load", "answers", "post", "posted"]
    assert second[:2] == first
    assert stage.told[-1].again == ""
    assert stage.meter() == SEED + 8 * INCREMENT


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LOST_UNDER_WAY, Fault.LOST_IN_THE_SOCKET])
def test_an_outcome_that_is_not_known(fault: Fault) -> None:
    """Committed, not committed, committed a moment or much later: read back under the lock, decided once (case 57)."""
    stage = Stage()
    poster, commands = stage.poster(), commands_of(stage)
    replies = stage.post(poster, commands, ("post", fault))
    assert [said(reply) for reply in replies] == ["wagers"] * 4
    stage.ledger.arrive()
    assert stage.meter() == SEED + 12 * INCREMENT
    assert {reply.id: reply.answer for reply in replies}.items() <= stage.stored().items()
    assert stage.told[-1].again == "unknown"
    assert len(stage.ledger.batches) == 2
    assert stage.post(poster, commands) == replies


def test_nobody_is_answered_before_the_ledger_is_read_back() -> None:
    """While the outcome is unknown and the ledger away, it is tried again and again; then everyone is answered once."""
    stage = Stage()
    faults = [
        ("post", Fault.LOST_AFTER),
        ("lock", Fault.AWAY),
        ("commit", Fault.LOST_AFTER),
        ("commit", Fault.LOST_BEFORE),
    ]
    replies = stage.post(stage.poster(), commands_of(stage), *faults)
    assert stage.clock.tries == [1, 2, 3]
    assert [said(reply) for reply in replies] == ["wagers"] * 4
    assert stage.meter() == SEED + 12 * INCREMENT


@pytest.mark.parametrize("place", ["load", "post"])
def test_a_ledger_that_does_not_answer(place: str) -> None:
    """Nothing was written: every command is told so, keeps its id, and is decided when the ledger is back."""
    stage = Stage()
    poster, commands = stage.poster(), commands_of(stage)
    replies = stage.post(poster, commands, (place, Fault.AWAY))
    assert [said(reply) for reply in replies] == ["ledger_unreachable"] * 4
    assert len(stage.ledger.batches) == 1
    assert [said(reply) for reply in stage.post(poster, commands)] == ["wagers"] * 4


def test_a_stopped_link() -> None:
    """A stop holds in every process, also where the conflict or the loss came first; nothing is written."""
    stage = Stage()
    one, two = stage.poster(), stage.poster()
    commands = commands_of(stage)
    stage.post(one, [])
    stage.post(two, [])
    stage.post(one, commands[:1])
    stage.ledger.stop_reason = "audit"
    for poster, faults in ((one, []), (two, []), (stage.poster(), [("post", Fault.LOST_BEFORE)])):
        replies = stage.post(poster, commands[1:], *faults)
        assert [said(reply) for reply in replies] == ["link_stopped"] * 3
    assert len(stage.ledger.batches) == 2


def refuse(stage: Stage, name: str) -> Callable[[Batch], None]:
    """The checks of a database that cannot store one command, whatever batch it is in."""
    honest = type(stage.ledger).check

    def check(_ledger: MemoryLedger, batch: Batch) -> None:
        if any(row.id == name for row in batch.rows.commands):
            raise BatchRefusedError(f"{name} cannot be stored")
        honest(stage.ledger, batch)

    return check  # type: ignore[return-value]


@pytest.mark.parametrize("conflict", [False, True])
def test_a_batch_the_database_refuses(monkeypatch: pytest.MonkeyPatch, *, conflict: bool) -> None:
    """It is posted again one by one; what fails alone is set aside with its error, its neighbours are answered (56)."""
    stage = Stage()
    poster, commands = stage.poster(), commands_of(stage)
    stage.post(poster, [])
    if conflict:
        stage.post(stage.poster(), commands_of(stage)[3:])
        commands = commands[:3]
    monkeypatch.setattr(MemoryLedger, "check", refuse(stage, commands[1].id))
    replies = stage.post(poster, commands)
    assert [said(reply) for reply in replies] == [
        "kept_aside" if command.id == commands[1].id else "wagers" for command in commands
    ]
    (aside,) = stage.ledger.aside.values()
    assert (aside.command.id, aside.error) == (commands[1].id, f"{commands[1].id} cannot be stored")
    assert stage.meter() == SEED + 9 * INCREMENT


def test_a_command_that_cannot_be_decided() -> None:
    """It is kept with its error once, its table told so; its neighbours never notice."""
    stage = Stage()
    poster, commands = stage.poster(), commands_of(stage)
    commands[2] = broken(commands[2])
    for _ in range(2):
        replies = stage.post(poster, commands)
        assert [said(reply) for reply in replies] == ["wagers", "wagers", "kept_aside", "wagers"]
    (aside,) = stage.ledger.aside.values()
    assert aside.command == commands[2]
    assert aside.error.startswith("AttributeError")


def test_what_could_not_be_kept_aside_is_not_said_to_be() -> None:
    """The neighbours' answers are durable and go out; the one is told that the ledger does not answer."""
    stage = Stage()
    poster, commands = stage.poster(), commands_of(stage)
    commands[2] = broken(commands[2])
    replies = stage.post(poster, commands, ("aside", Fault.AWAY))
    assert [said(reply) for reply in replies] == ["wagers", "wagers", "ledger_unreachable", "wagers"]
    assert not stage.ledger.aside


def test_a_broken_invariant_is_nobodys_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is raised to whoever stops the link; nothing was written and nobody answered."""
    stage = Stage()
    commands = commands_of(stage)

    def cannot_be(*_given: Any) -> Any:
        raise BrokenInvariant("nought is one")

    monkeypatch.setattr(posting, "decide_all", cannot_be)
    with pytest.raises(BrokenInvariant, match="nought is one"):
        stage.post(stage.poster(), commands)
    assert len(stage.ledger.batches) == 1


def test_the_coroutine_posts_for_ever() -> None:
    """It takes what waits, answers each, and goes on; where another process is ahead it reads before it decides."""
    stage = Stage()
    heard: list[Reply] = []
    loads = [[Submitted(command, heard.append) for command in commands_of(stage, number)] for number in (1, 2)]
    inbox, poster, places = HandInbox(*loads), stage.poster(), list[str]()
    under_way = keep_posting(inbox, poster)
    while not places or places[-1] != "empty":
        places.append(under_way.send(None))
    assert [said(reply) for reply in heard] == ["wagers"] * 4 + ["round_open"] * 4
    assert inbox.asked == [posting.BATCH_MAX] * 3
    assert places == ["load", "post", "posted", "empty"]
    voids = [Void(table, 1, "2026-11", 1, 1, "CSP 14.4", "Cy") for table in stage.link.tables]
    commands = [command_of(msgspec.json.encode(void)) for void in voids]
    stage.post(stage.poster(), commands)
    inbox.overtaken = True
    inbox.loads.append([Submitted(command, heard.append) for command in commands_of(stage, 2)])
    places.clear()
    while not places or places[-1] != "empty":
        places.append(under_way.send(None))
    assert places == ["load", "post", "posted", "empty"]
    assert [said(reply) for reply in heard[8:]] == ["wagers"] * 4
    under_way.close()
