"""What is said of the round that was open when a table's program began: its wagers are made, or withdrawn (case 39)."""

from pathlib import Path

import msgspec
import pytest
import structlog

from jackpot.wire.messages import Wagers
from tablelink.core.inputs import AwaitAnswer
from tests.support.casino import SETTINGS, Casino
from tests.support.seated import Seat, agrees, scene

QUICK = msgspec.structs.replace(SETTINGS, answer_within_s=1)


@pytest.mark.parametrize("answered", [True, False])
def test_a_restarted_table_says_whether_the_round_is_wagered_or_withdrawn(tmp_path: Path, answered: bool) -> None:  # noqa: FBT001 - a case
    """At once that they are with the server, then what became of them; of the next round nothing is said."""

    async def play(casino: Casino, seat: Seat) -> None:
        casino.swallow = lambda command: isinstance(command.message, Wagers)
        async with seat.agent(None) as running:
            await running.at(AwaitAnswer, 1)
        if answered:
            casino.swallow = lambda _command: False
        async with seat.agent(1) as running:
            await running.task
        casino.swallow = lambda _command: False
        async with seat.agent(1) as running:
            await running.task
        assert len(casino.records()) == 2
        agrees(casino, seat)

    with structlog.testing.capture_logs() as logs:
        scene(tmp_path, play, settings=QUICK)
    told = [line for line in logs if line["event"] == "round_taken_up"]
    assert [(line["table"], line["round"]) for line in told] == [("T1", 1)] * 2
    assert [line["wagers"] for line in told] == ["unanswered", "answered" if answered else "withdrawn"]
    assert (told[1]["why"], bool(told[1]["seats"])) == (("", True) if answered else ("no answer within 1 s", False))
