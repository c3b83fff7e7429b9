"""What a table hands in after the ledger went back: what its spool holds answered, in the ledger's order."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Raw

from jackpot.wire.codec import FRAME_BYTES, decode_from_table, encode
from jackpot.wire.messages import Answer, HandIn, HandingIn, HitNow, Receipt, Void, VoidAnswer
from jackpot.wire.snapshots import HitShown, Snapshot
from tablelink.core.inputs import Post
from tablelink.core.outbox import Settled
from tablelink.desk import Desk
from tablelink.spool import Spool, Write
from tests.support.tables import felt

WORDS = "x" * 300
"""A void with as much to say as a record has cards."""


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[Spool]:
    """A spool of table T1."""
    with Spool(tmp_path / "T1.spool", "T1", seal=bytes(32), sign=bytes) as opened:
        yield opened


def void(number: int) -> Post:
    """A void of a round, as the table writes it down."""
    said = Void("T1", 1, "2026-11", number, 1, "CSP 14.4", "Sue", cards_seen=WORDS)
    return Post(f"T1/1/2026-11/{number}/void/1", encode(said))


def fill(spool: Spool, commits: dict[int, tuple[int, int]], unanswered: int = 0) -> None:
    """Write voids down, each answered in its generation and commit, and some that have no answer yet."""
    for number in [*commits, *range(1000, 1000 + unanswered)]:
        spool.write(Write(posts=(void(number),)), 1)
    for number, (generation, commit) in commits.items():
        name = void(number).id
        receipt = Receipt(generation, commit, "ab")
        told = Settled(name, Answer(name, Raw(encode(VoidAnswer([]))), receipt, "2026-11"))
        spool.write(Write(settled=told), 1)


def commits_of(frame: HandingIn) -> list[tuple[int, int]]:
    """The places of what was handed in."""
    return [(one.receipt.generation, one.receipt.commit) for one in frame.held]


def handed(spool: Spool, asked: HandIn, shown: Snapshot | None = None) -> HandingIn:
    """The frame in which a table answers, read as the server reads it."""
    frame = decode_from_table(asyncio.run(Desk(felt(), spool).hand_in(asked, shown)))
    assert isinstance(frame, HandingIn)
    return frame


def test_what_was_answered_past_a_place_is_handed_in(spool: Spool) -> None:
    """Oldest receipt first, generation before commit; not what is at the place or before it, nor what has no answer."""
    fill(spool, {1: (1, 90), 2: (1, 97), 3: (1, 93), 4: (2, 91), 5: (1, 80)}, unanswered=2)
    frame = handed(spool, HandIn(1, 90))
    assert (commits_of(frame), frame.more) == ([(1, 93), (1, 97), (2, 91)], False)
    assert [bytes(one.message) for one in frame.held] == [void(number).body for number in (3, 2, 4)]
    assert not handed(spool, HandIn(2, 91)).held


def test_a_long_spool_is_handed_in_page_by_page(spool: Spool) -> None:
    """Each frame is one that the server takes; asked again from the last receipt, the pages are all, once each."""
    fill(spool, {number: (1, 100 + number) for number in range(1, 301)})
    asked, places, pages = HandIn(1, 0), list[tuple[int, int]](), 0
    while True:
        data = asyncio.run(Desk(felt(), spool).hand_in(asked, None))
        assert len(data) <= FRAME_BYTES
        frame = decode_from_table(data)
        assert isinstance(frame, HandingIn)
        places += commits_of(frame)
        pages += 1
        if not frame.more:
            break
        asked = HandIn(*places[-1])
    assert places == [(1, 100 + number) for number in range(1, 301)]
    assert pages > 2


def test_its_hits_go_with_it(spool: Spool) -> None:
    """How the last snapshot showed them, those that were paid too; another table's are not this one's to tell."""
    hits = [HitShown(f"{table}/1/4/3/main", "royal_flush", "paid", 5_000_000, table, 90) for table in ("T1", "T2")]
    shown = Snapshot("southern", 1, 90, "running", "", "2026-11", [], hits, "one", 1, 1)
    frame = handed(spool, HandIn(1, 0), shown)
    assert frame.shown == [HitNow("T1/1/4/3/main", "royal_flush", "paid", 5_000_000)]
    assert frame.hits == []
