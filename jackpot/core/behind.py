"""Does a ledger still hold what was answered? Where it does not, it went back: what is known of the life it lost.

Pure: a place in a chain is held against the chain itself. Who remembers places (a checkpoint file, the last snapshot,
a table's receipt) is the edges' to say.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final

import msgspec

from jackpot.core.chain import Head
from jackpot.wire.codec import FrameError
from jackpot.wire.messages import Number, Receipt, Value
from jackpot.wire.snapshots import Snapshot

LEDGER_BEHIND = "ledger_behind"
"""The status of a link whose ledger went back, and how the reason of its stop begins."""


LOST_LIVES: Final = 1_000
"""So many lives at most a ledger has lost at once: two people began each of them after a restore."""
MOST_COMMITS: Final = 2**53
"""A ledger that commits a thousand times a second gets there in 285,000 years."""
DIGEST_DIGITS: Final = 64


class Mark(Value, frozen=True):
    """A place in a chain that somebody remembers; without a digest where only its number was told."""

    generation: Number
    commit: Number
    digest: str = ""
    batch: Number = 0

    @property
    def place(self) -> tuple[int, int]:
        """Generation and commit: the order of all receipts."""
        return self.generation, self.commit


class Verdict(Enum):
    """What a chain says to a place that somebody remembers."""

    HELD = "the chain holds it"
    BEYOND = "the chain ends before it"
    FORKED = "the chain holds something else there"
    LOST = "it is of a life that the chain has lost, and has begun another since"


class GoneBack(Value, frozen=True):
    """Why a link was stopped as `ledger_behind`: the evidence, as its stop keeps it."""

    told_by: str
    """`checkpoint`, `snapshot`, `connection`, or `table T3`."""
    head: Mark
    last: Mark
    forked: bool = False
    shown: Snapshot | None = None
    """What was last shown of the link, where Redis still has it."""

    @property
    def reason(self) -> str:
        """The words of the stop."""
        if self.forked:
            return (
                f"{LEDGER_BEHIND}: {self.told_by} has another commit {self.last.commit} of generation"
                f" {self.last.generation} than the ledger holds"
            )
        return (
            f"{LEDGER_BEHIND}: {self.told_by} has commit {self.last.commit} of generation {self.last.generation}, and"
            f" the ledger ends at commit {self.head.commit} of generation {self.head.generation}"
        )


def mark_of(head: Head) -> Mark:
    """Return the place at which a chain stands."""
    return Mark(head.generation, head.commit, head.digest.hex(), head.batch)


def mark_of_receipt(receipt: Receipt) -> Mark:
    """Return the place that a receipt names."""
    return Mark(receipt.generation, receipt.commit, receipt.digest)


def hold_receipt(receipt: Receipt, known: Mark, field: str) -> None:
    """Pass a receipt that a ledger of this link can have given, lost or not; raises FrameError for one that none can.

    `known` is the furthest place that is known of it. What is past the head stops the link, and two people open it
    again past that: a number alone, which is as good as any other, must neither be past all numbers then, nor stop the
    link a second time.

    >>> hold_receipt(Receipt(2, 95, "5d" * 32), Mark(1, 90), "last_receipt")
    >>> hold_receipt(Receipt(2**62, 95, "5d" * 32), Mark(1, 90), "last_receipt")
    Traceback (most recent call last):
    ...
    jackpot.wire.codec.FrameError: last_receipt.generation: no ledger of this link has begun so many lives (got \
4611686018427387904)
    """
    if not 1 <= receipt.generation <= known.generation + LOST_LIVES:
        reason = (
            "no ledger of this link has begun so many lives" if receipt.generation else "lives begin with the first"
        )
        raise FrameError(f"{field}.generation", str(receipt.generation), reason)
    if not 1 <= receipt.commit <= MOST_COMMITS:
        raise FrameError(f"{field}.commit", str(receipt.commit), "no ledger has had so many commits, nor a nought-th")
    if len(receipt.digest) != DIGEST_DIGITS:
        raise FrameError(f"{field}.digest", receipt.digest[:40], "a batch is named by the 32 bytes of its digest")


def judge(head: Mark, mark: Mark, at: Mark | None) -> Verdict:
    """Hold a remembered place against a chain: its head, and what it has at that commit (None where it has nothing).

    >>> head = Mark(1, 90, "aa")
    >>> judge(head, Mark(1, 95, "bb"), None).name, judge(head, Mark(1, 80, "cc"), Mark(1, 80, "cc")).name
    ('BEYOND', 'HELD')
    >>> judge(head, Mark(1, 80, "cc"), Mark(1, 80, "dd")).name, judge(Mark(2, 99), Mark(1, 95), Mark(2, 95)).name
    ('FORKED', 'LOST')
    """
    if mark.place > head.place:
        return Verdict.BEYOND
    if not mark.commit:
        return Verdict.HELD
    if at is None or at.generation > mark.generation:
        return Verdict.LOST
    if at.generation < mark.generation or (mark.digest and at.digest != mark.digest):
        return Verdict.FORKED
    return Verdict.HELD


def missing(head: Mark, last: Mark, held: Iterable[Mark]) -> Sequence[str]:
    """Name the commits past a head that nobody holds, as ranges: `generation/first-last`.

    Where tables hold others before it the ledger had gone on by itself, on top of an end that was before those.

    >>> missing(Mark(1, 90), Mark(1, 97), [Mark(1, 92), Mark(1, 93), Mark(1, 96)])
    ['1/91', '1/94-95', '1/97']
    >>> missing(Mark(1, 94), Mark(1, 97), [Mark(1, 92), Mark(1, 93), Mark(1, 96)])
    ['1/94-95', '1/97']
    """
    commits: dict[int, set[int]] = {head.generation: set(), last.generation: set()}
    for mark in held:
        if mark.generation >= head.generation:
            commits.setdefault(mark.generation, set()).add(mark.commit)
    named: list[str] = []
    for generation, found in sorted(commits.items()):
        end_here = [head.commit + 1] if generation == head.generation else []
        first = min([*end_here, *found], default=last.commit)
        end = max([*found, last.commit if generation == last.generation else 0])
        gap = first
        for commit in (*sorted(found), end + 1):
            if commit > gap:
                named.append(f"{generation}/{gap}" + (f"-{commit - 1}" if commit - 1 > gap else ""))
            gap = commit + 1
    return named


def not_handed_in(waiting: Sequence[str], unplayed: Sequence[str]) -> Sequence[str]:
    """Say in one line who is waited for, and who need not be: of some only people know whether they ever played.

    >>> print(*not_handed_in(["T1", "T4"], ["T4"]))
    not handed in: T1, T4. Let each connect; --without one that is gone for good, or never played (T4: no journal here)
    """
    if not waiting:
        return ()
    never = f", or never played ({', '.join(unplayed)}: no journal here)" if unplayed else ""
    return (f"not handed in: {', '.join(waiting)}. Let each connect; --without one that is gone for good{never}",)


def known_to_nobody(tables: Sequence[str]) -> Sequence[str]:
    """Say in one line of which tables that are not waited for nobody knows: people may, and may have mistyped.

    >>> print(*known_to_nobody(["T9"]))
    nobody knows T9: neither this ledger nor a table that connected since names it. Mistyped, or the restore lost it?
    """
    if not tables:
        return ()
    named = f"nobody knows {', '.join(tables)}: neither this ledger nor a table that connected since names"
    return (f"{named} {'it' if len(tables) == 1 else 'them'}. Mistyped, or the restore lost it?",)


_gone_back = msgspec.json.Decoder(GoneBack)


def decode_gone_back(evidence: str) -> GoneBack:
    """Read a stop's evidence; raises msgspec.DecodeError."""
    return _gone_back.decode(evidence)
