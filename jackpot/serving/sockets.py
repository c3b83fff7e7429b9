"""How soon a long-lived connection notices that nobody is at its other end: told to the kernel, or asked of it."""

import asyncio
import contextlib
import os
import socket
import struct
import time
from typing import Self

__all__ = ["Acknowledged", "notice_lost_peers"]

_INFO = struct.Struct("=24xI28xI60xQ")
"""Of `struct tcp_info`: segments waited for, milliseconds since the last acknowledgement, bytes ever acknowledged."""


def notice_lost_peers(transport: asyncio.Transport, within_s: int, *, send_buffer: int | None = None) -> None:
    """Send small pieces at once, and end the connection when its peer acknowledges nothing for so long.

    `send_buffer` bounds, in bytes, what the kernel keeps for a peer that does not read. Unix sockets need none of it.
    """
    sock = transport.get_extra_info("socket")
    if sock is None or sock.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    idle, every, probes = max(1, within_s // 2), max(1, within_s // 6), 3
    wanted = (
        (socket.IPPROTO_TCP, "TCP_NODELAY", 1),
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", idle),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", every),
        (socket.IPPROTO_TCP, "TCP_KEEPCNT", probes),
        (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", within_s * 1000),
        (socket.SOL_SOCKET, "SO_SNDBUF", send_buffer),
    )
    with socket.socket(fileno=os.dup(sock.fileno())) as same:  # uvloop's own object takes no options
        for level, name, value in wanted:
            if value is not None and hasattr(socket, name):  # not every system has all of them
                with contextlib.suppress(OSError):
                    same.setsockopt(level, getattr(socket, name), value)


class Acknowledged:
    """Whether the machine at the other end still acknowledges what it is sent. Ask only while the transport is open."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Look at this transport's connection; one that is no TCP owes nothing."""
        sock = transport.get_extra_info("socket")
        tcp = sock is not None and sock.family in {socket.AF_INET, socket.AF_INET6} and hasattr(socket, "TCP_INFO")
        self._same = socket.socket(fileno=sock.fileno()) if tcp else None  # uvloop's own object takes no options
        self._bytes, self._asked_s = -1, time.monotonic()

    def __enter__(self) -> Self:
        """Begin to look."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Let go of the connection, which is not ours to close."""
        if self._same is not None:
            self._same.detach()

    def is_stuck(self) -> bool:
        """Say whether nothing was acknowledged since this was asked last, though something sent is waited for.

        A peer that acknowledges and does not read is not stuck, nor one that was sent something this moment. Nor one
        that reads again: its machine has room once more, which it says by acknowledging what it acknowledged before.
        """
        if self._same is None:
            return False
        info = self._same.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO.size)
        if len(info) < _INFO.size:
            return False  # a kernel that counts no bytes; the time-out of the connection tells later
        waited_for, silent_ms, acknowledged = _INFO.unpack(info)
        before, self._bytes = self._bytes, acknowledged
        asked_s, self._asked_s = self._asked_s, time.monotonic()
        return bool(waited_for) and acknowledged == before and silent_ms >= (self._asked_s - asked_s) * 1000
