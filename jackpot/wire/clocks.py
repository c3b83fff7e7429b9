"""How does a table tell its time of day? In the payload of its pings, which is part of no frame and is stored nowhere.

Nothing is decided by it: the server shows how far a table's clock is off, so that somebody sets it (case 37).
"""

MOST_DIGITS = 14
"""Milliseconds since 1970 of any year a clock may show."""


def ping_of_clock(now_ms: int) -> bytes:
    """Return the payload of a ping that tells a time of day, in milliseconds since 1970.

    >>> ping_of_clock(1_795_777_200_000)
    b'1795777200000'
    """
    return str(now_ms).encode()


def clock_of_ping(payload: bytes) -> int | None:
    """Return the time of day that a ping tells, None for one that tells none.

    >>> clock_of_ping(b"1795777200000"), clock_of_ping(b""), clock_of_ping(b"-1"), clock_of_ping(b"1e3")
    (1795777200000, None, None, None)
    """
    told = bytes(payload)
    return int(told) if 0 < len(told) <= MOST_DIGITS and told.isdigit() else None
