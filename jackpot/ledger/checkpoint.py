"""How far had each chain come? A file beside the ledger, outside the folder that a backup brings back (PROTOCOL 5).

One JSON object, chain to place. Written whole beside and renamed, so that whoever reads it finds the old or the new
one; **never** with an earlier place than it has: a restored ledger must not talk its own past into it.
"""

import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from jackpot.core.behind import Mark
from jackpot.errors import OperatingError

__all__ = ["Checkpoint", "CheckpointUnreadable"]

_marks = msgspec.json.Decoder(dict[str, Mark])


class CheckpointUnreadable(OperatingError):
    """The file is there and says nothing: a person looks at it before it is taken away."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The checkpoint file {path} cannot be read ({reason}): it says how far the ledger had come. Put it right,"
            " or move it away where the ledger was certainly not restored.",
            code="checkpoint_unreadable",
            retryable=False,
        )


class Checkpoint:
    """The places of all chains, as the file has them and as they have come on since."""

    def __init__(self, path: Path) -> None:
        """Read the file; one that is not there says nothing. Raises CheckpointUnreadable."""
        self.path = path
        self._marks = dict(self._read())
        self._written = dict(self._marks)
        self._alone = threading.Lock()

    def of(self, chain: str) -> Mark | None:
        """Return how far a chain had come; None for one that is not in the file."""
        return self._marks.get(chain)

    def furthest(self, chain: str) -> Mark | None:
        """Return how far a chain has come by what the file says now too: several servers may share it.

        A file that cannot be read any more says nothing here; that it is so is told where it is written.
        """
        found = [self._marks.get(chain)]
        with suppress(CheckpointUnreadable):
            found.append(self._read().get(chain))
        return max((mark for mark in found if mark is not None), key=lambda mark: mark.place, default=None)

    @property
    def chains(self) -> Mapping[str, Mark]:
        """Every chain and how far it had come."""
        return self._marks

    def note(self, chain: str, mark: Mark) -> None:
        """Take in how far a chain has come; an earlier place than is known changes nothing."""
        before = self._marks.get(chain)
        if mark.commit and (before is None or before.place < mark.place):
            self._marks[chain] = mark

    def write(self) -> bool:
        """Put what is new on the disk, durable when it returns; say whether anything was. Raises OSError.

        Several servers may share a file: of each chain the furthest place stays. One thread writes at a time: a disk
        that is slow may still be at it when the server ends and writes for the last time.
        """
        with self._alone:
            return self._write()

    def _write(self) -> bool:
        if self._marks == self._written:
            return False
        for chain, mark in self._read().items():
            self.note(chain, mark)
        writing = dict(self._marks)
        body = msgspec.json.format(msgspec.json.encode(dict(sorted(writing.items()))), indent=1) + b"\n"
        # By machine too: in containers that share a folder every server is process 1.
        beside = self.path.with_name(f".{self.path.name}.{os.uname().nodename}.{os.getpid()}")
        with beside.open("wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        self._written = writing
        return True

    def _read(self) -> Mapping[str, Mark]:
        try:
            return _marks.decode(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
            raise CheckpointUnreadable(self.path, str(error)) from error
