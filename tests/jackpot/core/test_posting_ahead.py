"""The batch that is decided while the one before it is written: what it waits for, and when it is thrown away."""

import random
from collections.abc import Coroutine, Sequence
from typing import Any

import pytest

from jackpot.core import posting
from jackpot.core.accounts import BrokenInvariant
from jackpot.core.commands import Command
from jackpot.core.decide import Deciding, decide_all
from jackpot.core.ports import Reply, Submitted
from jackpot.core.posting import keep_posting
from tests.support.memory_store import Fault
from tests.support.stage import INCREMENT, SEED, HandInbox, Stage, assert_answered_alike, commands_of, once, said

LOST = [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LOST_UNDER_WAY, Fault.LOST_IN_THE_SOCKET]


class Scene:
    """Two loads of commands at one poster, whose ledger is so slow that the second is decided while it writes."""

    def __init__(self, first: Sequence[Command], second: Sequence[Command], stage: Stage) -> None:
        """Begin with the first taken and the second waiting."""
        self.stage = stage
        self.heard: list[Reply] = []
        self.inbox = HandInbox(*([Submitted(one, self.heard.append) for one in load] for load in (first, second)))
        self.places: list[str] = []
        self.looks = 0
        stage.ledger.quick = self.quick
        self.poster = stage.poster()
        self.under_way: Coroutine[Any, Any, None] = keep_posting(self.inbox, self.poster)

    def quick(self) -> bool:
        """Whether a batch is written: once it was looked at often enough."""
        self.looks += 1
        return self.looks % 6 == 0

    def play(self, until: str = "empty") -> None:
        """Step until a place is reached."""
        while not self.places or self.places[-1] != until:
            self.places.append(self.under_way.send(None))

    def end(self) -> None:
        """Kill the process."""
        self.under_way.close()


def two_loads() -> tuple[Stage, list[Command], list[Command]]:
    """Wagers of two tables, then of two others."""
    stage = Stage()
    commands = commands_of(stage)
    return stage, commands[:2], commands[2:]


def test_the_next_batch_waits_for_the_one_before_it() -> None:
    """It is decided while that is written, written when that is durable; each is answered after its own commit."""
    stage, first, second = two_loads()
    scene = Scene(first, second, stage)
    scene.play("posted")
    assert not scene.heard
    assert len(stage.ledger.batches) == 2
    assert len(scene.inbox.loads) == 1, "what is decided ahead is not taken yet"
    scene.places.append(scene.under_way.send(None))
    assert [reply.id for reply in scene.heard] == [command.id for command in first]
    assert len(stage.ledger.batches) == 2, "answered while the next is under way"
    assert not scene.inbox.loads
    scene.play()
    assert [reply.id for reply in scene.heard] == [command.id for command in (*first, *second)]
    assert [said(reply) for reply in scene.heard] == ["wagers"] * 4
    batches = stage.ledger.batches[1:]
    assert [reply.receipt.digest for reply in scene.heard if reply.receipt] == [
        batch.digest.hex() for batch in batches for _ in range(2)
    ]
    assert [told.state.head.batch for told in stage.told] == [2, 3]
    assert stage.meter() == SEED + 12 * INCREMENT
    scene.end()


@pytest.mark.parametrize("fault", [*LOST, Fault.AWAY])
def test_what_was_decided_on_a_batch_that_is_not_durable_is_thrown_away(fault: Fault) -> None:
    """Its commands are decided again on what the ledger holds: once each, whatever became of the batch before."""
    stage, first, second = two_loads()
    scene = Scene(first, second, stage)
    stage.ledger.fault = once([("post", fault)])
    scene.play()
    stage.ledger.arrive()
    words = ["ledger_unreachable"] * 2 if fault is Fault.AWAY else ["wagers"] * 2
    assert [said(reply) for reply in scene.heard] == [*words, "wagers", "wagers"]
    answered = {reply.id: reply.answer for reply in scene.heard if reply.receipt}
    assert answered.items() <= stage.stored().items()
    assert stage.meter() == SEED + 3 * INCREMENT * len(answered)
    scene.end()


def test_another_process_in_between() -> None:
    """A fence conflict: the batch decided ahead of it never reaches the ledger, and its commands are decided once."""
    stage, first, second = two_loads()
    scene = Scene(first, second, stage)
    scene.play("ahead")
    stage.post(stage.poster(), [*second[:1], *first[1:]])
    scene.play()
    assert [said(reply) for reply in scene.heard] == ["wagers"] * 4
    assert stage.told[1].again == "fence"
    assert {reply.id: reply.answer for reply in scene.heard}.items() <= stage.stored().items()
    assert stage.meter() == SEED + 12 * INCREMENT
    scene.end()


def test_a_command_that_is_told_busy_meanwhile_is_not_posted() -> None:
    """What does not wait any more when the batch before it is durable was decided for nothing."""
    stage, first, second = two_loads()
    scene = Scene(first, second, stage)
    scene.play("posted")
    scene.inbox.loads[0].pop(0)
    scene.play()
    assert [reply.id for reply in scene.heard] == [command.id for command in (*first, second[1])]
    assert stage.meter() == SEED + 9 * INCREMENT
    scene.end()


def test_a_repeat_that_must_be_looked_up_waits_for_its_turn() -> None:
    """While a batch is written the ledger cannot be asked: what comes before the repeat goes ahead, the rest after."""
    stage, first, second = two_loads()
    scene = Scene(first, [second[0], first[0], second[1]], stage)
    scene.play()
    assert [reply.id for reply in scene.heard] == [one.id for one in (*first, second[0], first[0], second[1])]
    assert scene.heard[3] == scene.heard[0]
    assert len(stage.ledger.batches) == 4
    assert stage.meter() == SEED + 12 * INCREMENT
    scene.end()


def test_an_invariant_broken_ahead_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch before it is answered; then it is decided again and stops the link, its tables unanswered."""
    stage, first, second = two_loads()
    honest = decide_all

    def cannot_be(*given: Any) -> Any:
        if second[0] in given[1]:
            raise BrokenInvariant("nought is one")
        return honest(*given)

    class Breaking(Deciding):
        def add(self, commands: Sequence[Command], known: Any) -> None:
            if second[0] in commands:
                raise BrokenInvariant("nought is one")
            super().add(commands, known)

    monkeypatch.setattr(posting, "decide_all", cannot_be)
    monkeypatch.setattr(posting, "Deciding", Breaking)
    scene = Scene(first, second, stage)
    with pytest.raises(BrokenInvariant, match="nought is one"):
        scene.play()
    assert [said(reply) for reply in scene.heard] == ["wagers"] * 2
    assert len(stage.ledger.batches) == 2


@pytest.mark.parametrize("fault", [Fault.NONE, *LOST])
def test_a_stop_at_every_await(fault: Fault) -> None:
    """Killed anywhere, with one batch written and the next decided: one answer an id, the meter counted once."""
    step = 0
    while True:
        stage, first, second = two_loads()
        scene = Scene(first, second, stage)
        stage.ledger.fault = once([("post", fault)])
        for _ in range(step + 1):
            scene.places.append(scene.under_way.send(None))
            if scene.places[-1] == "empty":
                break
        heard = {reply.id: reply.answer for reply in scene.heard if reply.receipt}
        assert heard.items() <= stage.stored().items(), "who was answered is in the ledger"
        ended = scene.places[-1] == "empty"
        scene.end()
        stage.ledger.fault = once(())
        replies = stage.post(stage.poster(), [*first, *second])
        stage.ledger.arrive()
        assert [said(reply) for reply in replies] == ["wagers"] * 4
        answers = {reply.id: reply.answer for reply in replies}
        assert heard.items() <= answers.items()
        assert answers.items() <= stage.stored().items()
        assert stage.meter() == SEED + 12 * INCREMENT
        if ended:
            break
        step += 1
    assert step >= 6


@pytest.mark.parametrize("seed", range(40))
def test_processes_that_race(seed: int) -> None:
    """Two processes over a ledger now slow, now quick, now lost, stepped in any order: once each, and alike."""
    chance = random.Random(seed)
    stage = Stage(8)
    stage.ledger.quick = lambda: chance.random() < 0.3
    kinds = [Fault.NONE] * 6 + LOST
    stage.ledger.fault = lambda place: chance.choice(kinds) if place == "post" else Fault.NONE
    heard: list[Reply] = []
    going: list[Coroutine[Any, Any, None]] = []
    for _ in range(2):
        mixed = chance.sample(commands_of(stage), 8)
        loads = [[Submitted(one, heard.append) for one in mixed[at : at + 2]] for at in range(0, 8, 2)]
        going.append(keep_posting(HandInbox(*loads), stage.poster()))
    for _ in range(20_000):
        if chance.choice(going).send(None) == "empty" and len(heard) == 16:
            break
    assert len(heard) == 16
    assert_answered_alike(stage, heard)
    assert stage.meter() == SEED + 24 * INCREMENT
    for coroutine in going:
        coroutine.close()
