"""What becomes of a spool that is not what was written: found at the start, never replaced, taken out of use whole."""

import sqlite3
from pathlib import Path
from threading import Event, Thread

import pytest

from jackpot.wire.messages import HandIn
from tablelink.core.inputs import Dealt, GoOn, NoMoreBets, Post
from tablelink.errors import TableError
from tablelink.retiring import retire, what_to_do
from tablelink.spool import Write
from tablelink.spool_file import open_spool
from tests.support.running import WITHIN_S
from tests.support.tables import GRANTED
from tests.tablelink.test_spool import BETS, FELT, ROUNDS, WAGERS, Desk, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a spool may be."""
    return tmp_path / "T1.spool"


@pytest.mark.parametrize(
    ("table", "column"),
    [("step", "name"), ("step", "body"), ("step", "sealed"), ("message", "body"), ("checkpoint", "body")],
)
def test_a_row_that_is_not_what_was_written_is_found_at_the_start(path: Path, table: str, column: str) -> None:
    """SQLite checks no content: a turned byte in a step, a message or the checkpoint is neither played nor sent."""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_)
            if isinstance(given_, Dealt):
                break
    db = sqlite3.connect(path)
    rows = db.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall()  # noqa: S608 - ours
    place, value = rows[-1]
    turned = value[:-1] + ("~" if isinstance(value, str) else bytes([value[-1] ^ 1]))
    db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (turned, place))  # noqa: S608 - as above
    db.commit()
    db.close()
    with pytest.raises(TableError, match=f"damaged.*{table}.*not what was written") as caught, opened(path) as spool:
        spool.rebuild(FELT)
    assert caught.value.code == "spool_damaged"


def test_a_spool_out_of_use_is_kept_whole_and_says_what_is_owed(path: Path) -> None:
    """Moved away with its log, never over another; its open round is named with the commands; the next is empty."""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_)
            if isinstance(given_, NoMoreBets):
                break
        number = spool.id
        with pytest.raises(TableError, match="in use"):
            retire(path)
    retired = retire(path)
    assert (retired.table, retired.readable, retired.kept.name) == ("T1", True, f"{path.name}.retired-1")
    (open_round,) = retired.open_rounds
    assert retired.unanswered == [f"{open_round}/wagers/1"]
    said = "\n".join(what_to_do(retired, path))
    assert "jackpot table journal T1" in said
    assert f"jackpot round void T1 {open_round.rsplit('/')[-1]} --journal 1" in said
    with pytest.raises(TableError, match="There is no spool"):
        retire(path)
    path.write_bytes(b"nothing that could be read" * 100)
    unread = retire(path)
    assert (unread.readable, unread.kept.name) == (False, f"{path.name}.retired-2")
    assert "JackpotRoundOpen" in "\n".join(what_to_do(unread, path))
    retired.kept.rename(path)
    with opened(path) as spool:
        assert spool.id == number


def test_a_spool_is_let_go_once_no_thread_is_in_it(path: Path) -> None:
    """A program that ends leaves a write of its own behind: closed under it, SQLite ended the program by a fault."""
    spool = opened(path)
    inside, go_on, over = Event(), Event(), Event()

    def signed(_bytes: bytes) -> bytes:
        inside.set()
        go_on.wait(WITHIN_S)
        return bytes(64)

    spool._sign = signed

    def written() -> None:
        spool.write(Write(posts=(Post("T1/1/2026-11/1/record/1", b"{}", ends_round=True, sign=True),)), 0)

    def closed() -> None:
        spool.close()
        over.set()

    threads = [Thread(target=written), Thread(target=closed)]
    threads[0].start()
    assert inside.wait(WITHIN_S)
    threads[1].start()
    assert not over.wait(0.2)
    go_on.set()
    for thread in threads:
        thread.join(WITHIN_S)
    assert over.is_set()
    with opened(path) as again:
        assert [name for _body, name in again.unanswered()] == ["T1/1/2026-11/1/record/1"]


def test_no_spool_is_made_beside_the_log_of_another(path: Path) -> None:
    """SQLite would write another spool's log into the new file: it is refused, and `retire` moves the log away."""
    Path(f"{path}-wal").write_bytes(b"a log that was left")
    with pytest.raises(TableError, match="the log of another file"):
        opened(path)
    assert retire(path).readable is False
    opened(path).close()


@pytest.mark.parametrize(
    "change",
    [
        "id = randomblob(16)",
        "connection = connection + 1",
        "head = randomblob(32)",
        "generation = generation + 1",
        "commit_no = commit_no + 64",
        "digest = replace(digest, 'a', 'b')",
        "generation = NULL",
    ],
)
def test_what_a_spool_says_of_itself_is_found_turned(path: Path, change: str) -> None:
    """A receipt that nobody gave would stop the link for every table (PROTOCOL 5): such a spool says no hello."""
    with opened(path) as spool:
        desk = Desk(spool)
        desk.take(GRANTED)
        desk.take(BETS)
        desk.take(GoOn("no answer"), WAGERS, late=True)
        spool.next_connection()
    db = sqlite3.connect(path)
    db.execute(f"UPDATE spool SET {change}")  # noqa: S608 - ours
    db.commit()
    db.close()
    with pytest.raises(TableError, match=r"damaged.*of itself is not what was written") as caught:
        opened(path)
    assert caught.value.code == "spool_damaged"


@pytest.mark.parametrize("steps", [-1, 1])
def test_a_checkpoint_stands_after_its_own_step(path: Path, steps: int) -> None:
    """A turned place would play a step twice or leave one out, so that a round's number is used again."""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_)
        spool._db.execute("UPDATE checkpoint SET place = place + ?", (steps,))
        with pytest.raises(TableError, match="checkpoint is not what was written"):
            spool.rebuild(FELT)


@pytest.mark.parametrize("damage", ["overwritten", "empty", "text", "cut"])
def test_a_damaged_spool_is_never_replaced(path: Path, damage: str) -> None:
    """The error says that it is damaged and what to do, and the file stays as it is."""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_)
    body = path.read_bytes()
    ruined = {
        "overwritten": body[:8192] + b"\xff" * 4096 + body[12288:],
        "empty": b"",
        "text": b"not a database at all, but a long enough text to be read as one" * 100,
        "cut": body[: len(body) // 2],
    }[damage]
    path.write_bytes(ruined)
    with pytest.raises(TableError, match=r"damaged.*supervisor's word") as caught:
        opened(path)
    assert caught.value.code == "spool_damaged"
    assert path.read_bytes() == ruined


@pytest.mark.parametrize("column", ["body", "answer", "digest"])
def test_nothing_is_handed_in_to_a_restored_ledger_that_was_not_written_so(path: Path, column: str) -> None:
    """A turned byte in a message, its answer or its receipt ends the hand-in: a ledger is not rebuilt from a guess."""
    with opened(path) as spool:
        desk = Desk(spool)
        desk.take(GRANTED)
        desk.take(BETS)
        desk.take(GoOn("no answer"), WAGERS, late=True)
        assert len(spool.held_after(HandIn(0, 0), 1_000)[0]) == 1
        (value,) = spool._db.execute(f"SELECT {column} FROM message WHERE id = ?", (WAGERS,)).fetchone()  # noqa: S608 - ours
        turned = "ac" if isinstance(value, str) else value[:-1] + bytes([value[-1] ^ 1])
        spool._db.execute(f"UPDATE message SET {column} = ? WHERE id = ?", (turned, WAGERS))  # noqa: S608 - as above
        with pytest.raises(TableError, match=f"damaged.*{WAGERS}.*not what was written"):
            spool.held_after(HandIn(0, 0), 1_000)


def test_a_folder_is_no_spool(tmp_path: Path) -> None:
    """Who names the folder of the spools is told so, in words."""
    with pytest.raises(TableError, match="which is a folder: name a file in it") as refused:
        open_spool(tmp_path, read_only=True)
    assert refused.value.code == "no_spool"
