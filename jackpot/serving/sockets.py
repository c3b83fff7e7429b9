"""How soon a long-lived connection notices that nobody is at its other end: told to the kernel once a connection."""

import asyncio
import contextlib
import os
import socket

__all__ = ["notice_lost_peers"]


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
