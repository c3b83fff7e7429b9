"""A spool that nothing is wrong with is never called damaged, or a table stands still in front of players."""

import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import pack

import pytest
from msgspec import Raw

from jackpot.wire.messages import Answer, Receipt
from tablelink.core.outbox import Settled
from tablelink.errors import TableError
from tablelink.retiring import retire
from tablelink.spool import Write
from tablelink.spool_file import OpenSpool, make_spool
from tablelink.spool_log import log_fault
from tablelink.totals import spool_messages
from tests.tablelink.test_hosted import opened as hosted
from tests.tablelink.test_spool import ROUNDS, Desk, opened

PARTS = ("", "-wal")
PAGE = 4096
OPENED: dict[str, Callable[[Path], OpenSpool]] = {"linked": opened, "hosted": hosted}


@contextmanager
def no_room() -> Iterator[None]:
    """No file grows in here."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def killed(path: Path, folder: Path) -> Path:
    """A spool as it lies there when its program is killed now."""
    folder.mkdir()
    for part in PARTS:
        if Path(f"{path}{part}").exists():
            shutil.copy(f"{path}{part}", folder / f"{path.name}{part}")
    return folder / path.name


@pytest.mark.parametrize("kind", OPENED)
@pytest.mark.parametrize("state", ["new", "closed", "killed"])
def test_a_disk_without_room_is_no_damage(tmp_path: Path, state: str, kind: str) -> None:
    """An agent that starts there is started again until there is room, and goes on; nothing of it is retired."""
    path = tmp_path / "T1.spool"
    if state != "new":
        with OPENED[kind](path):
            path = killed(path, tmp_path / "killed") if state == "killed" else path
    with no_room(), pytest.raises(TableError) as told:
        OPENED[kind](path)
    assert (told.value.code, told.value.exit_code) == ("spool_unreachable", 1)
    if state != "new" and kind == "linked":
        with no_room(), pytest.raises(TableError) as told:
            spool_messages(path)
        assert told.value.code == "spool_unreachable"
    OPENED[kind](path).close()


def test_a_restored_ledger_counts_its_commits_from_further_back(tmp_path: Path) -> None:
    """A receipt of a later generation is later, with a lower commit too: its log goes on from the file."""
    path = tmp_path / "T1.spool"
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_)
        ids = [name for _body, name in desk.sent]
        spool.write(settled(ids[0], Receipt(1, 500, "ab")), 1)
    with opened(path) as spool:
        spool.write(settled(ids[1], Receipt(2, 301, "cd")), 1)
        left = killed(path, tmp_path / "killed")
    with opened(left) as spool:
        assert spool.last_receipt() == Receipt(2, 301, "cd")


def test_pages_that_power_cut_in_two_are_in_the_log(tmp_path: Path) -> None:
    """The log was being written into the file: what that says of itself in between is no sign of another's log."""
    path = tmp_path / "T1.spool"
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_)
    before = path.read_bytes()
    with opened(path) as spool:
        spool.write(settled(desk.sent[0][1], Receipt(1, 2**40, "ab" * 32)), 1)
        for _ in range(130):
            spool.next_connection()
        left = killed(path, tmp_path / "killed")
    log, after = Path(f"{left}-wal").read_bytes(), path.read_bytes().ljust(len(before), b"\0")
    for place in range(1, PAGE // 512):
        for one, other in ((before, after), (after, before)):
            pages = [slice(begin, begin + PAGE) for begin in range(0, len(after), PAGE)]
            cut = place * 512
            left.write_bytes(b"".join(one[page][:cut] + other[page][cut:] for page in pages))
            Path(f"{left}-wal").write_bytes(log)
            with opened(left) as spool:
                assert spool.next_connection() == 131


def settled(name: str, receipt: Receipt) -> Write:
    """An answer of the server."""
    return Write(settled=Settled(name, Answer(name, Raw(b"{}"), receipt, "2026-11"), False))


def test_a_new_spool_keeps_a_log_before_it_lies_in_its_place(tmp_path: Path) -> None:
    """Else its first start would change that, and be killed in between: what is half changed only a writer can read."""
    path = tmp_path / "T1.spool"
    make_spool(path, "T1")
    assert path.read_bytes()[18:20] == bytes((2, 2))
    assert [each.name for each in tmp_path.iterdir()] == ["T1.spool"]


def test_a_spool_of_an_earlier_program_that_was_killed_at_its_first_start_goes_on(tmp_path: Path) -> None:
    """It changed the new file to one with a log, and left the page that it was changing in a journal."""
    path = tmp_path / "T1.spool"
    make_spool(path, "T1")
    body = path.read_bytes()
    head = bytes.fromhex("d9d505f920a163d7") + pack(">5I", 1, 7, len(body) // PAGE, 512, PAGE)
    page = body[:18] + bytes((1, 1)) + body[20:PAGE]
    sums = 7 + sum(page[PAGE - 200 * count] for count in range(1, PAGE // 200 + 1))
    Path(f"{path}-journal").write_bytes(head.ljust(512, b"\0") + pack(">I", 1) + page + pack(">I", sums))
    with opened(path) as spool:
        assert spool.next_connection() == 1
    assert not Path(f"{path}-journal").exists()


def test_the_empty_log_of_who_looked_at_a_spool_holds_up_no_new_one(tmp_path: Path) -> None:
    """A spool that was moved by hand leaves it behind; a log with something in it would go into the new file."""
    path = tmp_path / "T1.spool"
    opened(path).close()
    spool_messages(path)
    path.rename(tmp_path / "away")
    assert Path(f"{path}-wal").stat().st_size == 0
    opened(path).close()
    path.unlink()
    Path(f"{path}-journal").write_bytes(b"another's")
    with pytest.raises(TableError, match=r"damaged.*another file") as told:
        opened(path)
    assert told.value.code == "spool_damaged"
    retire(path)
    opened(path).close()


def test_a_spool_behind_a_link_is_the_one_that_it_leads_to(tmp_path: Path) -> None:
    """Its log lies beside the file itself, and is looked at and watched there; nobody has it by another name."""
    path, link = tmp_path / "there" / "T1.spool", tmp_path / "link.spool"
    link.symlink_to(path)
    path.parent.mkdir()
    opened(link).close()
    assert link.is_symlink()
    log = Path(f"{path}-wal")
    with opened(link) as spool:
        with pytest.raises(TableError, match="in use"):
            opened(path)
        spool.next_connection()
        left = killed(path, tmp_path / "killed")
        log.rename(tmp_path / "away")
        with pytest.raises(TableError, match=r"damaged.*taken away"):
            spool.next_connection()
        (tmp_path / "away").rename(log)
        assert spool.next_connection() == 2
    shutil.copy(left, path)
    log.write_bytes(b"garbage" * 9)
    with pytest.raises(TableError, match=r"damaged.*log"):
        opened(link)


def test_writes_that_were_cut_short_twice_are_no_damage(tmp_path: Path) -> None:
    """Power failed in a long write whose end alone was on the disk, and again in a shorter one at the same place."""
    path = tmp_path / "T1.spool"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE it (what BLOB)")
    log = Path(f"{path}-wal")
    begin = log.stat().st_size
    left = killed(path, tmp_path / "killed")
    db.close()
    for pages in (9, 6, 3, 1):
        db = sqlite3.connect(left, isolation_level=None)
        before = Path(f"{left}-wal").read_bytes()
        db.execute("INSERT INTO it VALUES (zeroblob(?))", (pages * PAGE,))
        again = killed(left, tmp_path / f"killed-{pages}")
        db.close()
        body = bytearray(Path(f"{again}-wal").read_bytes())
        lost = slice(begin, begin + 24 + PAGE)
        body[lost] = before[lost].ljust(24 + PAGE, b"\0")
        Path(f"{again}-wal").write_bytes(body)
        left = again
        assert log_fault(left) == ""


def test_what_cannot_be_asked_for_is_not_said_to_be_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that does not answer for a moment: the write fails, and the next one goes on."""
    path = tmp_path / "T1.spool"
    with opened(path) as spool:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "stat", _no_answer)
            with pytest.raises(TableError) as told:
                spool.next_connection()
            assert told.value.code == "spool_unreachable"
        assert spool.next_connection() == 1
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", _no_answer)
        Path(f"{path}-wal").touch()
        with pytest.raises(TableError) as told:
            opened(path)
        assert told.value.code == "spool_unreachable"


def _no_answer(*_: object, **__: object) -> None:
    raise OSError(5, "Input/output error")
