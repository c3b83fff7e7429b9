"""What can be read at a table while its cards lie face down: no frame, log line or metric tells of one (CASES 51)."""

import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
import structlog
from prometheus_client import generate_latest

from jackpot.wire.settings import TableSettings
from tablelink.core.dealing import Dealing
from tablelink.core.inputs import Decide, TurnDealer
from tablelink.device import Device, DeviceInput, DevicePrompt
from tests.support.casino import Casino
from tests.support.seated import Seat, agrees, scene

ROUNDS = 12
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
BEFORE_IT_IS_TURNED = (Decide, TurnDealer)


class Onlooker:
    """A device that looks at all that can be read whenever cards lie face down."""

    def __init__(self, device: Device, casino: Casino, logs: list[MutableMapping[str, Any]]) -> None:
        """Look at this casino's frames and these log lines; metrics are added once there is an agent (`metrics`)."""
        self._device, self._casino, self._logs = device, casino, logs
        self.metrics: list[Any] = []
        self.looked = 0

    @property
    def last_round(self) -> int | None:
        """As the other device."""
        return self._device.last_round

    async def respond(self, prompt: DevicePrompt, dealing: Dealing) -> DeviceInput:
        """Read everything of this round so far, then answer as the other device."""
        if isinstance(prompt, BEFORE_IT_IS_TURNED):
            readable = self._readable(prompt.round)
            assert not CARD.findall(readable), readable
            self.looked += 1
        return await self._device.respond(prompt, dealing)

    def _readable(self, number: int) -> str:
        frames = [raw for raw in self._casino.messages if f'"round":{number},'.encode() in raw]
        assert len(frames) <= 1, "of this round at most its wagers were sent"
        told = b"\n".join([*frames, self._casino.snapshot()]).decode()
        metrics = [generate_latest(one.registry).decode() for one in self.metrics]
        return "\n".join([told, *map(repr, self._logs), *metrics])


@pytest.mark.parametrize("capture", ["full", "claims"])
def test_nothing_tells_of_a_card_before_it_is_turned(tmp_path: Path, capture: Any) -> None:
    """Case 51: until the last decision no frame, snapshot, log line or metric holds a card of the round under way."""
    settings = TableSettings(least_round_s=0, answer_within_s=20, capture=capture)
    looked: list[int] = []

    async def play(casino: Casino, seat: Seat) -> None:
        with structlog.testing.capture_logs() as logs:
            found: list[Onlooker] = []

            def onlooker(device: Device) -> Device:
                found.append(Onlooker(device, casino, logs))
                return found[-1]

            async with seat.agent(ROUNDS, device=onlooker) as running:
                found[0].metrics.append(running.agent._telemetry)
                await running.task
            looked.append(found[0].looked)
        assert any("welcome" in repr(line) for line in logs), "log lines were looked at"
        agrees(casino, seat)

    casino = scene(tmp_path, play, settings=settings)
    assert looked[0] >= ROUNDS
    told = b"\n".join(casino.messages).decode()
    assert CARD.findall(told), "once turned, a card is on the record: the look-out knows one when it sees it"
