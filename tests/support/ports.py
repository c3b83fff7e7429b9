"""Ports of the loopback for programs that must be told theirs before they listen."""

import random
import socket

PLACES = range(20_000, 32_000)
"""Below those that Linux gives to whoever connects: no connection of another test takes one before its program does."""


def free_port() -> int:
    """Return a port of the loopback that nobody listens at now."""
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", random.SystemRandom().choice(PLACES)))
            except OSError:
                continue
            return int(probe.getsockname()[1])
