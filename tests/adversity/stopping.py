"""A program of the product that ends dead at a point: `python -m tests.adversity.stopping jackpot serve ...`.

JACKPOT_STOP_AT names a file. While the file says `POINT NTH MS`, the process kills itself with SIGKILL when it reaches
that point for the NTH time, MS milliseconds later. Points are those that `jackpot.serving.points` is told of; `/kind`
after a point means only those with such a thing in hand, as `step-durable/record`.
"""

import os
import runpy
import signal
import sys
import threading
from pathlib import Path

from jackpot.serving import points
from tablelink.spool import Write

__all__ = ["kind_of"]


def kind_of(what: object) -> str:
    """Say what is in hand at a point: what a table writes, by its message, or by the answer that it keeps.

    >>> kind_of(Write()), kind_of(None)
    ('step', '')
    """
    if not isinstance(what, Write):
        return str(what or "")
    if what.settled is not None:
        return f"answer-{_message(what.settled.id)}"
    return _message(what.posts[0].id) if what.posts else "step"


def _message(name: str) -> str:
    """The kind of message of an id: `T1/1/2026-11/17/record/1` is a record."""
    return name.split("/")[-2].partition(".")[0]


class _Stopper:
    """Counts how often the point was reached since the file named it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._alone = threading.Lock()
        self._wanted = ""
        self._left = 0

    def reached(self, point: str, what: object) -> None:
        """Count a point; end the process where it is the one."""
        try:
            wanted = self._file.read_text()
        except FileNotFoundError:
            return
        name, nth, after_ms = wanted.split()
        if name not in {point, f"{point}/{kind_of(what)}"}:
            return
        with self._alone:
            if wanted != self._wanted:
                self._wanted, self._left = wanted, int(nth)
            self._left -= 1
            if self._left == 0:
                self._end(int(after_ms))

    @staticmethod
    def _end(after_ms: int) -> None:
        if after_ms:
            threading.Timer(after_ms / 1000, os.kill, (os.getpid(), signal.SIGKILL)).start()
        else:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Run the program named, with its arguments, as `python -m` would."""
    file = os.environ.pop("JACKPOT_STOP_AT", "")
    if file:
        points.watcher = _Stopper(Path(file)).reached
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
