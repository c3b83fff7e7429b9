"""What people do at a ledger that went back, before a server saw it and after: nothing is posted, and they read why."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jackpot.cli.acts import SITE, read_state
from jackpot.core.behind import Mark
from jackpot.ledger.checkpoint import Checkpoint
from jackpot.ledger.going_back import GoingBack
from tests.support.running import run
from tests.support.terms_files import terms_file

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

TWO = ("--by", "Ann", "--with", "Bea", "--reason", "seen")


def remembered(folder: Path, **commits: int) -> Path:
    """A data folder whose checkpoint file has these links at these commits."""
    folder.mkdir()
    checkpoint = Checkpoint(folder / "checkpoint.json")
    for link, commit in commits.items():
        checkpoint.note(link, Mark(1, commit, "5d" * 32))
    checkpoint.write()
    return folder


def opened(jackpot: "CommandLine", folder: Path) -> None:
    """Open the demonstration's link, and enrol a table."""
    done = jackpot("link", "open", str(terms_file(folder)), "--by", "Olga", "--second", "Petra")
    assert done.code == 0, done.err
    assert jackpot("table", "enrol", "southern", "T1", "--by", "Olga").code == 0


def places(jackpot: "CommandLine") -> list[int]:
    """How far link and site have come."""
    return [run(read_state(jackpot.database_url, chain)).head.commit for chain in ("southern", SITE)]


async def look(url: str, mark: Mark) -> None:
    """Hold the ledger to a place as a server does, which stops the link."""
    receipts = GoingBack(url, "southern")
    await receipts.look(mark, "checkpoint")
    await receipts.close()


def acts(folder: Path) -> list[tuple[str, ...]]:
    """Each act of people at the ledger, with what it asks for."""
    file = folder / "record.json"
    seat = {"seat": 1, "ante_cents": 1000, "decision": "fold", "cards": "2s 2d 7h 9c Jd"}
    file.write_text(json.dumps({"dealer": "As Kd 9h 5c 3d", "seats": [seat]}), encoding="utf-8")
    hit = "T1/1/4/3/main"
    return [
        ("link", "open", str(terms_file(folder, "n.json", name="northern")), "--by", "Olga", "--second", "Petra"),
        ("link", "terms", str(terms_file(folder, "v2.json", version=2)), "--by", "Olga", "--second", "Petra"),
        ("table", "enrol", "southern", "T2", "--by", "Olga"),
        ("table", "journal", "T1", "--by", "Olga", "--reason", "a new disk"),
        *(("hit", move, hit, "--by", "Ann") for move in ("verify", "pay")),
        ("hit", "approve", hit, "--by", "Ann", "--with", "Bea"),
        ("hit", "resolve", hit, *TWO),
        *(("hit", move, hit, *TWO, "--rule", "11.4") for move in ("reject", "release", "forfeit")),
        ("hit", "decide", hit, "--order", "commit", *TWO),
        ("hit", "recovered", hit, "--cents", "1", *TWO),
        ("round", "void", "T1", "4", "--rule", "14.9", *TWO),
        ("round", "correct", "T1", "4", "--file", str(file), *TWO),
        ("round", "record", "T1", "4", "--file", str(file), *TWO),
        ("aside", "settle", "abcdef0123456789", *TWO),
        ("link", "behind", "southern"),
        ("link", "reopen", "southern", "--by", "Ann", "--with", "Bea", "--list", "abcd"),
    ]


def test_no_act_is_taken_by_a_ledger_that_ends_before_the_checkpoint_file(
    jackpot: "CommandLine", tmp_path: Path
) -> None:
    """Each is refused as a server's own would be, says what to do, and changes neither ledger nor file nor evidence."""
    opened(jackpot, tmp_path)
    before, data = places(jackpot), remembered(tmp_path / "d", southern=97)
    file = (data / "checkpoint.json").read_bytes()
    for words in acts(tmp_path):
        done = jackpot(*words, "--data", str(data), "--json")
        assert (done.code, done.object.get("refused")) == (1, "ledger_behind"), (words, done.err)
        assert "southern: ledger_behind: checkpoint has commit 97 of generation 1" in done.object["value"]
        assert "start the server (`jackpot serve`)" in done.object["value"]
        assert "jackpot link behind southern" in done.object["value"]
    assert places(jackpot) == before
    assert (data / "checkpoint.json").read_bytes() == file
    shown = jackpot("link", "show", "southern", "--data", str(data), "--json").object
    assert shown["status"] == "running", "the stop is the server's, with what was shown of the link"
    assert jackpot("audit", "--data", str(data)).code == 0


def test_the_file_that_the_environment_names_counts_too(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A site with a Postgres of its own names the server's file; one no further than the ledger says nothing."""
    opened(jackpot, tmp_path)
    file = remembered(tmp_path / "elsewhere", southern=97) / "checkpoint.json"
    enrol = ("table", "enrol", "southern", "T2", "--by", "Olga", "--json")
    assert jackpot(*enrol, JACKPOT_CHECKPOINT=str(file)).object["refused"] == "ledger_behind"
    state = run(read_state(jackpot.database_url, "southern"))
    held = Checkpoint(tmp_path / "held.json")
    held.note("southern", Mark(1, state.head.commit, state.head.digest.hex(), state.head.batch))
    held.write()
    assert jackpot(*enrol, JACKPOT_CHECKPOINT=str(held.path)).code == 0


def test_a_link_that_the_ledger_does_not_know_is_not_opened_anew(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Its tables hold receipts of the one that is lost: first the right backup, or the file is moved away by people."""
    data = remembered(tmp_path / "d", southern=97)
    opening = ("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra", "--json")
    done = jackpot(*opening, "--data", str(data))
    assert done.object["refused"] == "ledger_behind"
    assert f"where that link is gone for good, move {data / 'checkpoint.json'} away" in done.object["value"]
    (data / "checkpoint.json").unlink()
    assert jackpot(*opening, "--data", str(data)).code == 0


def test_a_file_that_says_nothing_lets_nobody_act(jackpot: "CommandLine", tmp_path: Path) -> None:
    """It may be of a ledger that went back: a person looks at it first, as before a server starts."""
    opened(jackpot, tmp_path)
    (tmp_path / "checkpoint.json").write_text("{", encoding="utf-8")
    done = jackpot("table", "enrol", "southern", "T2", "--by", "Olga", "--data", str(tmp_path), "--json")
    assert done.code == 2
    assert "checkpoint.json cannot be read" in done.err


def test_the_brake_is_never_refused(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A link is stopped by hand also where the ledger went back, and what is read is read."""
    opened(jackpot, tmp_path)
    data = str(remembered(tmp_path / "d", southern=97))
    assert jackpot("link", "stop", "southern", "--by", "Ann", "--reason", "odd", "--data", data).code == 0
    assert jackpot("hit", "list", "--data", data).code == 0


@pytest.mark.parametrize("behind", [True, False])
def test_an_act_on_a_stopped_link_says_why_it_is_and_what_is_next(
    jackpot: "CommandLine", tmp_path: Path, *, behind: bool
) -> None:
    """Whatever stopped it: a ledger that went back is opened again in another way than what a person stopped."""
    opened(jackpot, tmp_path)
    if behind:
        run(look(jackpot.database_url, Mark(1, 97)))
    else:
        assert jackpot("link", "stop", "southern", "--by", "Ann", "--reason", "a wrong meter").code == 0
    done = jackpot("table", "journal", "T1", "--by", "Olga", "--reason", "a new disk", "--json")
    assert done.object["refused"] == ("ledger_behind" if behind else "link_stopped")
    assert done.object["value"].endswith(jackpot("link", "show", "southern", "--json").object["next"])
    assert ("commit 97 of generation 1" if behind else "Ann: a wrong meter") in done.object["value"]
