"""What the people and devices at the table have been asked, and what of their answer still counts.

Asks one thing at a time, and takes it back when the table does not want it any more, as after a void.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from tablelink.core.dealing import Dealing
from tablelink.device import Device, DeviceInput, DevicePrompt

__all__ = ["Asking", "Responded"]


@dataclass(frozen=True, slots=True)
class Responded:
    """What a device answered, to which prompt; or the error it raised instead."""

    prompt: DevicePrompt
    given: DeviceInput | Exception


class Asking:
    """A device and what it has been asked."""

    def __init__(self, device: Device, tell: Callable[[Responded], None]) -> None:
        """`tell` is told each answer; it never raises and never waits."""
        self._device = device
        self._tell = tell
        self._prompt: DevicePrompt | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def last_round(self) -> int | None:
        """The number of the last round the device plays, None where it plays on."""
        return self._device.last_round

    def want(self, prompt: DevicePrompt | None, dealing: Dealing) -> None:
        """Ask for what the table wants now, or for nothing; **if repeated** for the same prompt it is asked once."""
        if prompt == self._prompt:
            return
        if self._task is not None:
            self._task.cancel()
        self._prompt, self._task = prompt, None
        if prompt is not None:
            self._task = asyncio.create_task(self._respond(prompt, dealing))

    def counts(self, responded: Responded) -> bool:
        """Whether an answer is to what is wanted still; then it has been given, and the next may be asked."""
        if responded.prompt != self._prompt:
            return False
        self._prompt, self._task = None, None
        return True

    async def close(self) -> None:
        """Ask for nothing any more; **if repeated** nothing more happens."""
        task, self._prompt, self._task = self._task, None, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _respond(self, prompt: DevicePrompt, dealing: Dealing) -> None:
        given: DeviceInput | Exception
        try:
            given = await self._device.respond(prompt, dealing)
        except Exception as error:  # noqa: BLE001 - whatever it is, it ends the run where it is raised again
            given = error
        self._tell(Responded(prompt, given))
