"""Where may a test stop a program? At points that it names as it reaches them; a release goes on through every one.

Nothing here, and nothing that is installed, reads a setting or the environment to stop at a point. A watcher is put in
by the adversity tests' own launcher (`tests/adversity/stopping.py`, which reads JACKPOT_STOP_AT); a release has none,
and no way to get one. Without a watcher a point costs one comparison.
"""

from collections.abc import Callable

Watcher = Callable[[str, object], None]
"""Told of each point as it is reached, with what is in hand there."""

watcher: Watcher | None = None


def reached(point: str, what: object = None) -> None:
    """Say that a point is reached. **Never** does anything in a release.

    >>> reached("durable")
    """
    if watcher is not None:
        watcher(point, what)
