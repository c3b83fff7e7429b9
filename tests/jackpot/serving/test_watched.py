"""What systemd is told: ready, alive, stopping."""

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpot.serving.watched import tell_systemd, watched
from tests.support.running import WITHIN_S, run


def lying(systemd: socket.socket) -> Iterator[bytes]:
    """What lies in its queue, which is short: what finds no room there is not heard."""
    systemd.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            yield systemd.recv(100)
    systemd.settimeout(WITHIN_S)


def test_systemd_hears_ready_signs_of_life_and_the_end(tmp_path: Path) -> None:
    """READY once, WATCHDOG again and again, STOPPING at the end; signs of life come from the event loop."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(path))
        systemd.settimeout(WITHIN_S)
        environment = {
            "NOTIFY_SOCKET": str(path),
            "WATCHDOG_USEC": "20000",
            "WATCHDOG_PID": str(os.getpid()),
        }

        async def live() -> list[bytes]:
            heard: list[bytes] = []
            async with watched(environment):
                while heard.count(b"WATCHDOG=1") < 3:
                    heard.append(await asyncio.to_thread(systemd.recv, 100))
                heard += lying(systemd)
            return heard

        heard = run(live())
        assert heard[0] == b"READY=1"
        rest = [systemd.recv(100)]
        while rest[-1] == b"WATCHDOG=1":
            rest.append(systemd.recv(100))
        assert rest[-1] == b"STOPPING=1"


@pytest.mark.parametrize("path", ["", "nowhere", "/there/is/no/such/socket", "@no-such-name"])
def test_nobody_need_listen(path: str) -> None:
    """Without systemd, or with one that is gone, nothing is said and nothing fails."""
    tell_systemd("READY=1", {"NOTIFY_SOCKET": path} if path else {})

    async def live() -> None:
        async with watched({}):
            pass

    run(live())
