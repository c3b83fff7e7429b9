"""What the running server keeps an eye on: its own audit, the database, the disk. Programs stand in for the audit."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, MutableMapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from jackpot.cli import watching
from jackpot.cli.watching import AUDIT, keep_auditing, keep_looking_at_database
from jackpot.telemetry import Telemetry
from tests.support.running import run, until
from tests.support.terms_files import terms_file

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

URL = "postgresql://auditor:hunter2@db.example/jackpot"
DAY_S = 86_400
CLEAN = {"audit": "ok", "chains": [{"chain": "southern", "batches": 3, "commits": 17}], "differences": []}
Logs = Sequence[MutableMapping[str, Any]]


def saying(said: object, code: int = 0) -> tuple[str, ...]:
    """A program that writes an object as the audit does, and ends with a code."""
    return sys.executable, "-c", f"print({json.dumps(said)!r}); raise SystemExit({code})"


def value(telemetry: Telemetry, name: str, **labels: str) -> float | None:
    """A series' value."""
    return telemetry.registry.get_sample_value(name, labels)


def ended(telemetry: Telemetry) -> dict[str, float | None]:
    """How many audits ended, by how."""
    return {how: value(telemetry, "jackpot_audits_total", outcome=how) for how in ("ok", "differences", "failed")}


@contextlib.asynccontextmanager
async def auditing(
    telemetry: Telemetry, argv: Sequence[str], every_s: int = DAY_S, ready: Callable[[], bool] = lambda: True
) -> AsyncIterator["asyncio.Task[None]"]:
    """The server's audit at work; it is cancelled at the end."""
    task = asyncio.create_task(keep_auditing(URL, every_s, telemetry, ready, argv))
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def audited(argv: Sequence[str], times: int = 1, every_s: int = DAY_S) -> tuple[Telemetry, Logs]:
    """What is counted and logged once so many audits have ended."""
    telemetry = Telemetry(now_us=lambda: 0)
    telemetry.opened("southern")

    async def scene() -> None:
        async with auditing(telemetry, argv, every_s):
            await until(lambda: sum(count or 0 for count in ended(telemetry).values()) >= times)

    with structlog.testing.capture_logs() as logs:
        run(scene())
    return telemetry, logs


def test_a_clean_audit_is_counted_and_logged_with_how_far_it_came() -> None:
    """Its age begins anew, and each link shows the commit it reached."""
    telemetry, logs = audited(saying(CLEAN))
    assert ended(telemetry) == {"ok": 1, "differences": 0, "failed": 0}
    assert value(telemetry, "jackpot_audit_commit", link="southern") == 17
    assert value(telemetry, "jackpot_audit_differences") == 0
    assert value(telemetry, "jackpot_audit_interval_seconds") == DAY_S
    assert (value(telemetry, "jackpot_audit_seconds") or 0) > 0
    assert [(line["log_level"], line["event"], line["commits"]) for line in logs] == [
        ("info", "audited", {"southern": 17})
    ]


def test_a_difference_is_shown_and_named_in_the_log() -> None:
    """Whoever is called by the gauge finds table and row of each difference, up to ten, as critical lines."""
    found = [f"southern: entry {row}: balance_after 5, worked out 6" for row in range(12)]
    telemetry, logs = audited(saying({**CLEAN, "audit": "differences", "differences": found}, 1))
    assert ended(telemetry) == {"ok": 0, "differences": 1, "failed": 0}
    assert value(telemetry, "jackpot_audit_differences") == 12
    assert {line["log_level"] for line in logs} == {"critical"}
    assert [line["event"] for line in logs] == ["audit_differs", *["audit_difference"] * 10]
    assert logs[1]["difference"] == found[0]


def test_differences_are_believed_by_the_exit_code_too() -> None:
    """An audit that ends as one that found differences is never counted as clean."""
    telemetry, _logs = audited(saying(CLEAN, 1))
    assert ended(telemetry) == {"ok": 0, "differences": 1, "failed": 0}


def test_an_audit_that_could_not_be_made_is_no_clean_one() -> None:
    """It is counted as failed, its last words are logged without the password, and no difference is made up."""
    words = f"print('first', file=sys.stderr); print('{URL} does not answer', file=sys.stderr); raise SystemExit(3)"
    telemetry, logs = audited((sys.executable, "-c", f"import sys; {words}"))
    assert ended(telemetry) == {"ok": 0, "differences": 0, "failed": 1}
    (line,) = logs
    assert (line["log_level"], line["event"], line["code"]) == ("error", "audit_failed", 3)
    assert line["why"].endswith("db.example/jackpot does not answer")
    assert "hunter2" not in str(logs)


def test_an_audit_that_could_not_be_made_is_tried_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that was away for a minute does not leave the site without an audit for a day."""
    assert watching.AGAIN_AFTER_S < DAY_S
    monkeypatch.setattr(watching, "AGAIN_AFTER_S", 0)
    telemetry, _logs = audited((sys.executable, "-c", "raise SystemExit(3)"), times=2)
    assert ended(telemetry) == {"ok": 0, "differences": 0, "failed": 2}


def test_the_audit_is_made_again_and_again() -> None:
    """So many seconds after each audit the next one begins."""
    telemetry, _logs = audited(saying(CLEAN), times=2, every_s=1)
    assert ended(telemetry)["ok"] == 2


def test_the_password_is_in_no_list_of_processes(tmp_path: Path) -> None:
    """The address goes by the environment; another setting of the server's does not reach the audit."""
    told = tmp_path / "told"
    look = "import os, sys, json; open({!r}, 'w').write(json.dumps([sys.argv, dict(os.environ)]))"
    program = (sys.executable, "-c", f"{look.format(str(told))}; print({json.dumps(CLEAN)!r})")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JACKPOT_LISTEN", "0.0.0.0:1")
        audited(program)
    arguments, environment = json.loads(told.read_text())
    assert "hunter2" not in str(arguments)
    assert {name: text for name, text in environment.items() if name.startswith("JACKPOT_")} == {
        "JACKPOT_DATABASE_URL": URL
    }


def test_nothing_is_audited_before_the_server_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that is just being read is not read twice at once; once the server is ready the audit begins."""
    monkeypatch.setattr(watching, "READY_EVERY_S", 0)
    telemetry, looked = Telemetry(), list[bool]()

    def ready() -> bool:
        looked.append(len(looked) >= 3)
        assert sum(count or 0 for count in ended(telemetry).values()) == 0
        return looked[-1]

    async def scene() -> None:
        async with auditing(telemetry, saying(CLEAN), ready=ready):
            await until(lambda: ended(telemetry)["ok"])

    run(scene())
    assert looked == [False, False, False, True]


def test_a_server_told_never_to_audit_shows_so() -> None:
    """An interval of nought is shown as that, and no audit is begun."""
    telemetry, asked = Telemetry(), list[bool]()

    def ready() -> bool:
        asked.append(True)
        return True

    async def scene() -> None:
        async with auditing(telemetry, saying(CLEAN), every_s=0, ready=ready) as task:
            for _ in range(10):
                await asyncio.sleep(0)
            assert not task.done()

    run(scene())
    assert (value(telemetry, "jackpot_audit_interval_seconds"), asked) == (0, [])


@pytest.mark.parametrize("deaf", [False, True])
def test_the_audit_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, deaf: bool) -> None:
    """Cancelled, the audit under way is asked to end, and one that does not hear is killed: none is left behind."""
    monkeypatch.setattr(watching, "END_WITHIN_S", 0.2)
    began = tmp_path / "began"
    ignored = "signal.signal(signal.SIGTERM, signal.SIG_IGN);" if deaf else ""
    words = f"import os, signal; {ignored} os.symlink(str(os.getpid()), {str(began)!r})\nwhile True: signal.pause()"

    async def scene() -> int:
        async with auditing(Telemetry(), (sys.executable, "-c", words)):
            await until(began.is_symlink)
            return int(began.readlink().name)

    pid = run(scene())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_servers_own_audit_reads_a_real_ledger(jackpot: "CommandLine", tmp_path: Path) -> None:
    """The program that the server starts says what the server understands."""
    assert jackpot("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Petra").code == 0
    telemetry = Telemetry()
    telemetry.opened("southern")

    async def scene() -> None:
        task = asyncio.create_task(keep_auditing(jackpot.database_url, DAY_S, telemetry, lambda: True, AUDIT))
        await until(lambda: any(ended(telemetry).values()))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(scene())
    assert ended(telemetry) == {"ok": 1, "differences": 0, "failed": 0}
    assert (value(telemetry, "jackpot_audit_commit", link="southern") or 0) > 0


def test_what_postgres_says_of_itself_is_shown_and_forgotten_once_it_is_not_seen(
    jackpot: "CommandLine", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Size and connections are those of now; of a database that is not seen nothing is shown, the disk still is."""
    monkeypatch.setattr(watching, "LOOK_EVERY_S", 0.01)
    telemetry = Telemetry()
    names = ("jackpot_postgres_database_bytes", "jackpot_postgres_connections", "jackpot_postgres_connections_limit")

    async def look(url: str, holds: Callable[[], bool]) -> None:
        task = asyncio.create_task(keep_looking_at_database(url, tmp_path, telemetry))
        await until(holds)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(look(jackpot.database_url, lambda: all((value(telemetry, name) or 0) > 0 for name in names)))
    free, size = value(telemetry, "jackpot_disk_free_bytes"), value(telemetry, "jackpot_disk_bytes")
    assert 0 < (free or 0) < (size or 0)
    run(look("postgresql://nobody@127.0.0.1:1/none", lambda: value(telemetry, names[0]) is None))
    assert [value(telemetry, name) for name in names] == [None, None, None]
    assert value(telemetry, "jackpot_disk_bytes") == size
