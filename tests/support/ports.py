"""Ports of the loopback for programs that must be told theirs before they listen, or that come back to theirs."""

import socket

_held: list[socket.socket] = []


def held_port() -> socket.socket:
    """Give a socket whose port nobody else is given until it is closed, whether or not somebody listens there.

    It is bound and does not listen: a server takes the port beside it, as it says that it may be taken again
    (SO_REUSEADDR); who asks for any port, or connects from any, gets another one.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held


def free_port() -> int:
    """Return a port of the loopback that stays this process's own until it ends."""
    held = held_port()
    _held.append(held)
    return int(held.getsockname()[1])
