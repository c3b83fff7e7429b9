"""A spool and the log beside it, damaged in whatever way: refused and left as it is, or all that was written stands."""

import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from tablelink.core.inputs import NoMoreBets
from tablelink.errors import STAYS_DOWN, TableError
from tablelink.spool import Spool
from tablelink.spool_log import log_fault
from tablelink.totals import spool_messages
from tests.tablelink.test_hosted import opened as hosted
from tests.tablelink.test_spool import FELT, ROUNDS, Desk, opened

PAGE = 4096
DAMAGES = 60
PARTS = ("", "-wal")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one spool in four states: killed early and late, closed, and closed with rounds after it."""
    folder = tmp_path_factory.mktemp("written")
    path = folder / "T1.spool"
    with opened(path) as spool:
        desk = Desk(spool)
        for count, (given_, _after, _posts) in enumerate(ROUNDS):
            desk.take(given_)
            if count == len(ROUNDS) // 3:
                _kept(path, folder / "early")
        _kept(path, folder / "late")
    _kept(path, folder / "closed")
    return folder


def _kept(path: Path, folder: Path) -> None:
    folder.mkdir()
    for part in PARTS:
        if Path(f"{path}{part}").exists():
            shutil.copy(f"{path}{part}", folder / f"T1.spool{part}")


def placed(written: Path, state: str, folder: Path) -> Path:
    """A spool in one of its states, in a folder of its own."""
    shutil.copytree(written / state, folder)
    return folder / "T1.spool"


def lies(path: Path) -> Mapping[str, bytes]:
    """The spool and its log, byte for byte; one with nothing in it is none, which SQLite leaves where it has read."""
    files = {part: Path(f"{path}{part}") for part in PARTS}
    return {part: body for part, file in files.items() if file.is_file() and (body := file.read_bytes())}


def content(path: Path) -> list[object]:
    """What a spool says at its start: the table, what is to be sent, what is known of each message."""
    with opened(path) as spool:
        said = [spool.rebuild(FELT), spool.unanswered(), spool.last_receipt()]
    return [*said, [tuple(row) for row in spool_messages(path)[1]]]


def damage(random: Random, path: Path) -> None:
    """Turn bits, overwrite or exchange pages, cut off: of the file, or of its log where it has one.

    **Never** of the log's last write, which a crash may have left so: what was said by it the server knows.
    """
    file = random.choice([each for part in PARTS if (each := Path(f"{path}{part}")).exists()])
    whole = file.read_bytes()
    end = len(whole) if file == path else len(whole) * 3 // 4
    body = bytearray(whole[:end])
    pages = [slice(begin, begin + PAGE) for begin in range(0, len(body) - PAGE + 1, PAGE)]
    match random.randrange(5):
        case 0 | 1 as more:
            for _ in range(1 + 7 * more):
                body[random.randrange(len(body))] ^= 1 << random.randrange(8)
        case 2:
            body[random.choice(pages)] = bytes([random.choice((0, 255))]) * PAGE
        case 3:
            one, other = random.sample(pages, 2)
            body[one], body[other] = body[other], body[one]
        case _ if file == path:
            del body[random.randrange(len(body)) :]
        case _:  # one that was cut off behind is one that a crash left
            body[: random.randrange(1, PAGE)] = b""
    file.write_bytes(body + whole[end:])


@pytest.mark.parametrize("seed", range(DAMAGES))
def test_whatever_is_damaged_nothing_is_lost_unseen(written: Path, tmp_path: Path, seed: int) -> None:
    """Refused with what is to be done, and no byte changed; or all is there, since no page of it was in use."""
    random = Random(seed)
    state = random.choice(("late", "closed"))
    whole = content(placed(written, state, tmp_path / "whole"))
    path = placed(written, state, tmp_path / "damaged")
    damage(random, path)
    before = lies(path)
    try:
        found = content(path)
    except TableError as error:
        said = (error.code, error.exit_code, f"tablelink spool retire {path}" in str(error))
    else:
        assert found == whole
        return
    assert said == ("spool_damaged", STAYS_DOWN, True)
    assert lies(path) == before


TURNED = ("turned", "its beginning", "garbage", "a folder")


@pytest.mark.parametrize(
    ("state", "log"),
    [*(("closed", log) for log in ("early", "another's", *TURNED)), *(("late", log) for log in TURNED)],
)
def test_a_log_that_is_not_its_own_is_never_taken(written: Path, tmp_path: Path, state: str, log: str) -> None:
    """SQLite would write it into the file: rounds would be gone that the file itself still has.

    A spool whose file has heard of nothing yet takes any log of its own for a later one: the server knows better.
    """
    path = placed(written, state, tmp_path / "here")
    beside = Path(f"{path}-wal")
    late = (written / "late" / "T1.spool-wal").read_bytes()
    if log == "early":
        beside.write_bytes((written / "early" / "T1.spool-wal").read_bytes())
    elif log == "another's":
        with opened(tmp_path / "other.spool") as other:
            Desk(other).take(ROUNDS[0][0])
            shutil.copy(tmp_path / "other.spool-wal", beside)
    elif log == "a folder":
        beside.unlink(missing_ok=True)
        beside.mkdir()
    else:
        at = {"turned": len(late) // 3, "its beginning": 20, "garbage": 0}[log]
        beside.write_bytes(late[:at] + bytes([late[at] ^ 64]) + late[at + 1 :])
    before = lies(path)
    with pytest.raises(TableError, match=r"damaged.*tablelink spool retire") as refused:
        opened(path)
    assert refused.value.code == "spool_damaged"
    assert lies(path) == before


def test_a_log_that_a_crash_left_is_whole(written: Path, tmp_path: Path) -> None:
    """Its last write may be torn anywhere, an earlier log's frames may follow it: no damage, and it goes on."""
    path = placed(written, "late", tmp_path / "here")
    log = Path(f"{path}-wal")
    body = log.read_bytes()
    for torn in (body[:-1], body[:-PAGE], body[:-24] + bytes(24), body[: len(body) // 2], body[:32], body[:7], b""):
        log.write_bytes(torn)
        assert log_fault(path) == ""
    log.write_bytes(body + body[32:].replace(body[16:24], bytes(8)))
    assert log_fault(path) == ""
    opened(path).close()


def test_a_folder_in_the_place_of_a_spool_is_retired_too(tmp_path: Path) -> None:
    """An agent that is started there says so, and is not started again for ever."""
    (tmp_path / "T1.spool").mkdir()
    with pytest.raises(TableError, match=r"damaged.*a folder lies.*tablelink spool retire") as refused:
        opened(tmp_path / "T1.spool")
    assert refused.value.exit_code == STAYS_DOWN


@pytest.mark.parametrize("kind", ["linked", "hosted"])
@pytest.mark.parametrize("how", ["gone", "replaced", "log gone", "a folder"])
def test_a_spool_that_is_taken_away_in_use_is_told_at_the_next_write(tmp_path: Path, how: str, kind: str) -> None:
    """SQLite goes on writing to a file that nobody finds any more; put back, it holds all that was written."""
    path = tmp_path / "T1.spool"
    with opened(path) if kind == "linked" else hosted(path) as spool:
        number = spool.next_connection() if isinstance(spool, Spool) else spool.prune(1)
        away = Path(f"{path}-wal" if how == "log gone" else path)
        away.rename(tmp_path / "away")
        if how == "replaced":
            shutil.copy(tmp_path / "away", path)
        elif how == "a folder":
            path.mkdir()
        with pytest.raises(TableError, match=rf"damaged.*{away.name} was taken away or replaced") as told:
            _ = spool.next_connection() if isinstance(spool, Spool) else spool.prune(1)
        assert told.value.exit_code == STAYS_DOWN
        if how == "a folder":
            path.rmdir()
        (tmp_path / "away").replace(away)
        again = spool.next_connection() if isinstance(spool, Spool) else spool.prune(1)
    assert again == (number + 1 if kind == "linked" else number)


def test_a_page_that_is_damaged_in_use_is_told_where_it_is_read(written: Path, tmp_path: Path) -> None:
    """Not in cached pages: at the first that is read. It is a damaged spool then, which a new start does not mend."""
    path = placed(written, "closed", tmp_path / "here")
    with opened(path) as spool:
        body = bytearray(path.read_bytes())
        body[PAGE:] = bytes(len(body) - PAGE)
        path.write_bytes(body)
        spool._db.execute("PRAGMA shrink_memory")
        with pytest.raises(TableError, match=r"damaged.*tablelink spool retire") as told:
            _ = (spool.rebuild(FELT), spool.unanswered(), spool.next_connection())
    assert told.value.code == "spool_damaged"


@pytest.mark.parametrize(("column", "value"), [("answer", "x'7b7d20'"), ("kind", "'wagerz'"), ("body", "x'7b7d20'")])
def test_what_is_said_of_a_message_is_held_to_what_was_written(tmp_path: Path, column: str, value: str) -> None:
    """At the start and where a spool is shown: nothing is added up, sent or left out by what has turned."""
    path = tmp_path / "T1.spool"
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_, "T1/1/2026-11/1/record/1" if isinstance(given_, NoMoreBets) else "")
    db = sqlite3.connect(path)
    db.execute(f"UPDATE message SET {column} = {value} WHERE id = 'T1/1/2026-11/1/record/1'")  # noqa: S608 - ours
    db.commit()
    db.close()
    for looked in (opened, spool_messages):
        with pytest.raises(TableError, match=r"damaged.*T1/1/2026-11/1/record/1.*not what was written"):
            looked(path)


def test_a_text_that_is_none_is_a_damaged_spool(tmp_path: Path) -> None:
    """A bit that turned in a text makes it no UTF-8: Python says so without any code of SQLite's."""
    path = tmp_path / "T1.spool"
    opened(path).close()
    db = sqlite3.connect(path)
    db.execute("UPDATE spool SET digest = CAST(x'ff41' AS TEXT)")
    db.commit()
    db.close()
    with pytest.raises(TableError, match="damaged") as told:
        opened(path)
    assert told.value.exit_code == STAYS_DOWN
