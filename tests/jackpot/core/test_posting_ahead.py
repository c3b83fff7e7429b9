"""A batch is decided while another is written: on what that one leaves, and again where it left something else."""

import random
from collections.abc import Coroutine
from typing import Any

import pytest

from jackpot.core import posting
from jackpot.core.accounts import BrokenInvariant
from jackpot.core.decide import decide_all
from jackpot.core.ports import Reply, Submitted
from jackpot.core.posting import keep_posting
from tests.support.memory_store import Fault
from tests.support.stage import INCREMENT, SEED, HandInbox, Stage, assert_answered_alike, commands_of, said


class Playing:
    """A poster that is stepped from place to place, and is given its next load while it writes."""

    def __init__(self, *loads: list[Any]) -> None:
        """Have loads of commands wait."""
        self.stage = Stage()
        self.heard: list[Reply] = []
        made = [[Submitted(command, self.heard.append) for command in load] for load in loads]
        self.inbox = HandInbox(*(made or self.rounds()))
        self.poster = self.stage.poster()
        self.coroutine: Coroutine[Any, Any, Any] = keep_posting(self.inbox, self.poster)
        self.places: list[str] = []

    def rounds(self) -> list[list[Submitted]]:
        """The wagers of two of the tables, then of the other two."""
        commands = commands_of(self.stage)
        return [[Submitted(one, self.heard.append) for one in half] for half in (commands[:2], commands[2:])]

    def on(self, place: str) -> None:
        """Go on until the poster waits at a place."""
        while not self.places or self.places[-1] != place:
            self.places.append(self.coroutine.send(None))

    def ahead(self) -> None:
        """Hand the second load over while the first is being written, and go on to the end."""
        self.on("post")
        self.inbox.hand_over()
        self.on("empty")
        self.coroutine.close()


def test_a_batch_is_decided_while_another_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is decided once, before the first is durable; nobody of it is answered before its own commit."""
    play = Playing()
    decided: list[int] = []

    def counted(*given: Any) -> Any:
        decided.append(len(play.stage.ledger.batches))
        return decide_all(*given)

    monkeypatch.setattr(posting, "decide_all", counted)
    play.on("post")
    play.inbox.hand_over()
    assert decided == [1, 1]
    play.on("posted")
    assert play.heard == []
    play.places.append("between")
    play.on("post")
    assert [said(reply) for reply in play.heard] == ["wagers"] * 2
    play.on("empty")
    assert [said(reply) for reply in play.heard] == ["wagers"] * 4
    assert play.places == ["load", "post", "posted", "between", "post", "posted", "empty"]
    assert len(decided) == 2
    assert [(told.commands, told.state.head.batch) for told in play.stage.told] == [(2, 2), (2, 3)]
    assert play.stage.meter() == SEED + 12 * INCREMENT
    assert play.poster.state == play.stage.ledger.rows.state()
    play.coroutine.close()


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LOST_UNDER_WAY, Fault.LOST_IN_THE_SOCKET])
def test_what_was_decided_on_a_batch_that_was_lost_is_decided_again(fault: Fault) -> None:
    """Whether the first batch stands or not, the second follows what the ledger holds; each command counts once."""
    play = Playing()
    faults = [fault]
    play.stage.ledger.fault = lambda place: faults.pop() if place == "post" and faults else Fault.NONE
    play.ahead()
    assert [said(reply) for reply in play.heard] == ["wagers"] * 4
    assert_answered_alike(play.stage, play.heard)
    assert play.stage.meter() == SEED + 12 * INCREMENT


def test_another_process_between_the_two_is_met_by_the_fence() -> None:
    """The first batch finds the head moved on; the second, decided on what never was, is decided on what is there."""
    play = Playing()
    play.on("post")
    play.inbox.hand_over()
    play.stage.post(play.stage.poster(), commands_of(play.stage)[1:3])
    play.on("empty")
    play.coroutine.close()
    assert [said(reply) for reply in play.heard] == ["wagers"] * 4
    assert_answered_alike(play.stage, play.heard)
    assert play.stage.meter() == SEED + 12 * INCREMENT


def test_another_process_known_to_be_ahead_is_read_before_the_second_is_written() -> None:
    """A head that was seen past its own makes the poster read and decide again, as for any batch."""
    play = Playing()
    play.on("post")
    play.inbox.hand_over()
    play.inbox.overtaken = True
    play.on("posted")
    play.places.clear()
    play.on("empty")
    play.coroutine.close()
    assert play.places == ["load", "post", "posted", "empty"]
    assert [said(reply) for reply in play.heard] == ["wagers"] * 4


def test_a_repeat_is_never_decided_ahead() -> None:
    """What may have been decided before waits for its turn and gets the first answer, from memory or the ledger."""
    play = Playing()
    first, second = play.inbox.loads
    play.inbox.loads = [first, [*second, first[0]]]
    play.ahead()
    assert len(play.heard) == 5
    assert play.heard[0] == play.heard[4]
    assert_answered_alike(play.stage, play.heard)
    assert play.stage.meter() == SEED + 12 * INCREMENT


def test_an_invariant_broken_ahead_stops_the_link_when_its_turn_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch under way is still answered; then the poster stops, and nobody of the second is told anything."""
    play = Playing()
    play.on("post")

    def cannot_be(*_given: Any) -> Any:
        raise BrokenInvariant("nought is one")

    monkeypatch.setattr(posting, "decide_all", cannot_be)
    play.inbox.hand_over()
    with pytest.raises(BrokenInvariant, match="nought is one"):
        play.on("empty")
    assert [said(reply) for reply in play.heard] == ["wagers"] * 2
    assert len(play.stage.ledger.batches) == 2


@pytest.mark.parametrize("seed", range(40))
def test_processes_that_race_and_decide_ahead(seed: int) -> None:
    """Two processes, stepped in any order, handed loads at any place, with losses anywhere: once each, alike."""
    chance = random.Random(seed)
    stage = Stage()
    kinds = [Fault.NONE] * 5 + [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LOST_UNDER_WAY, Fault.LOST_IN_THE_SOCKET]
    stage.ledger.fault = lambda place: chance.choice(kinds) if place == "post" else Fault.NONE
    heard: list[Reply] = []
    commands = commands_of(stage)
    going: list[tuple[HandInbox, Coroutine[Any, Any, Any]]] = []
    for _ in range(2):
        mixed = chance.sample(commands, 4)
        inbox = HandInbox(*([Submitted(one, heard.append)] for one in mixed))
        going.append((inbox, keep_posting(inbox, stage.poster())))
    for _ in range(10_000):
        inbox, one = chance.choice(going)
        if chance.random() < 0.5:
            inbox.hand_over()
        if one.send(None) == "empty" and len(heard) == 8:
            break
    assert len(heard) == 8
    assert_answered_alike(stage, heard)
    assert stage.meter() == SEED + 12 * INCREMENT
    for _inbox, coroutine in going:
        coroutine.close()
