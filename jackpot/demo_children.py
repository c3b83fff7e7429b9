"""The programs a demo starts: each in a session of its own, ended by the demo alone, and never left behind."""

import ctypes
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PR_SET_PDEATHSIG = 1
END_S = 20.0
"""A program told to end has this long: an agent finishes the step it is in, a server hands over its tables."""


def _dies_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))


@dataclass(slots=True)
class Child:
    """A program of the demo: what it is called, how it is started, where its words go."""

    name: str
    argv: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = field(default=None)
    done: bool = False
    """Whether it was killed when it had nothing left to do."""

    @property
    def log(self) -> Path:
        """Where its standard error is kept."""
        return self.folder / f"{self.name}.log"

    @property
    def output(self) -> Path:
        """Where its standard output is kept: of a program that ends with a summary, its last line is that."""
        return self.folder / f"{self.name}.out"

    def start(self) -> None:
        """Start it, or start it again. From the main thread only: it is ended when that thread dies."""
        with self.log.open("ab") as log, self.output.open("wb") as output:
            self.process = subprocess.Popen(
                self.argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=log,
                env=dict(self.environment),
                start_new_session=True,
                # The demo has one thread, and the child calls prctl alone before it becomes the program.
                preexec_fn=_dies_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
            )

    def ended(self) -> int | None:
        """Return its exit code, None while it runs."""
        return None if self.process is None else self.process.poll()

    def end(self) -> None:
        """Tell it to end."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def wait(self, until: float) -> int | None:
        """Wait for its end until a moment of the monotonic clock; kill it then. Return its exit code."""
        if self.process is None:
            return None
        try:
            return self.process.wait(max(until - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(5)

    def last_words(self, lines: int = 5) -> str:
        """Return the end of its log, for a person who must know why it failed."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-lines:])


def end_all(children: Sequence[Child]) -> None:
    """End programs together and wait for them."""
    for child in children:
        child.end()
    until = time.monotonic() + END_S
    for child in children:
        child.wait(until)
