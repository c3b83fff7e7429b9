"""What a table agent needs of its dealer, players, sensors and shoe: an answer to each prompt, in the table's own time.

Knows no rules and no server. A console, a card-reading shoe, a simulation and a recorded file stand behind `Device`.
"""

import asyncio
from typing import Final, Protocol

from tablelink.core.dealing import Dealing
from tablelink.core.inputs import (
    Conceded,
    Deal,
    DealerTurned,
    Dealt,
    Decide,
    Decided,
    HandsTurned,
    NoMoreBets,
    PlaceWagers,
    TurnDealer,
    TurnHands,
)

DevicePrompt = PlaceWagers | Deal | Decide | TurnDealer | TurnHands
"""What people and devices at a table are asked for."""
DeviceInput = NoMoreBets | Dealt | Decided | DealerTurned | Conceded | HandsTurned
"""What they answer."""


class Device(Protocol):
    """The people and devices at a table."""

    @property
    def last_round(self) -> int | None:
        """The number of the last round they play, None where they play on."""
        ...

    async def respond(self, prompt: DevicePrompt, dealing: Dealing) -> DeviceInput:
        """Answer a prompt. **If cancelled** nothing was done; **if repeated** the answer is the same.

        Wagers are answered without word of the jackpot being open: that is the agent's to see.
        """
        ...


_SHARES: Final[dict[type[DevicePrompt], float]] = {
    PlaceWagers: 0.35,
    Deal: 0.2,
    Decide: 0.04,
    TurnDealer: 0.1,
    TurnHands: 0.15,
}
"""How a round's time goes by: the decisions of five players take about a fifth of it."""


class Paced:
    """Another device at a pace that people can follow."""

    def __init__(self, device: Device, round_s: float) -> None:
        """`round_s` is about how long a round takes."""
        self._device = device
        self._round_s = round_s

    @property
    def last_round(self) -> int | None:
        """The number of the last round the device plays."""
        return self._device.last_round

    async def respond(self, prompt: DevicePrompt, dealing: Dealing) -> DeviceInput:
        """Answer a prompt after a while."""
        await asyncio.sleep(self._round_s * _SHARES[type(prompt)])
        return await self._device.respond(prompt, dealing)
