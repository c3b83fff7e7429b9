"""The embedded servers: whose folder, whose account, who ends whom."""

import asyncio
import contextlib
import importlib.util
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
import redis

from jackpot import embedded_binaries
from jackpot.embedded import (
    EmbeddedFailed,
    EmbeddedFolderRefused,
    EmbeddedInUse,
    Servers,
    attach,
    embedded,
    running,
)
from tests.support.embedded_fixture import Database, fresh_database

ROOT = Path(__file__).parents[2]
STARTER = """
import sys
from pathlib import Path
from jackpot.embedded import embedded
with embedded(Path(sys.argv[1])) as servers:
    print(servers.postgres_pid, servers.valkey_pid, flush=True)
    sys.stdin.read()
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the servers as another account")


@contextlib.contextmanager
def starter(data: Path, python: str = sys.executable) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """Another process that runs the servers of `data` until its input ends; with the servers' pids."""
    with subprocess.Popen(
        [python, "-c", STARTER, data], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, [int(word) for word in process.stdout.readline().split()]
        finally:
            process.communicate(timeout=300)


def is_running(pid: int) -> bool:
    """Whether a process exists that has not ended yet (one that nobody waited for still has a number)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def value(url: str, question: str, *arguments: object) -> object:
    """The one value Postgres answers."""

    async def ask() -> object:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(question, *arguments)
        finally:
            await connection.close()

    return asyncio.run(ask())


@pytest.mark.parametrize("role", ["owner", "service", "auditor"])
def test_each_role_connects_and_none_is_superuser(servers: Servers, role: str) -> None:
    """The three roles exist from the first start, and Postgres itself holds them to their privileges."""
    url = servers.url(role)
    assert value(url, "SELECT session_user || ' ' || current_database()") == f"{role} jackpot"
    assert (
        value(url, "SELECT rolsuper OR rolcreaterole OR rolbypassrls FROM pg_roles WHERE rolname = $1", role) is False
    )


def test_only_the_owner_makes_tables(servers: Servers) -> None:
    """What service and auditor may touch is what the migrations give them, nothing by default."""
    assert value(servers.owner_url, "SELECT has_schema_privilege('public', 'CREATE')") is True
    assert value(servers.service_url, "SELECT has_schema_privilege('public', 'CREATE')") is False
    assert value(servers.auditor_url, "SELECT has_schema_privilege('public', 'CREATE')") is False


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit", "full_page_writes"])
def test_what_is_committed_is_on_disk(servers: Servers, setting: str) -> None:
    """The embedded default is as durable as any server: a demo's ledger is a ledger."""
    assert value(servers.service_url, "SELECT current_setting($1)", setting) == "on"


def test_nothing_listens_on_the_network(servers: Servers) -> None:
    """Both servers are reached through the folder of their account only, whose mode is 0700."""
    assert value(servers.service_url, "SELECT current_setting('listen_addresses')") == ""
    with redis.Redis.from_url(servers.redis_url, decode_responses=True) as valkey:
        assert valkey.config_get("port") == {"port": "0"}
    assert servers.socket_dir.stat().st_mode & 0o777 == 0o700


@as_root
def test_root_starts_them_as_nobody(servers: Servers) -> None:
    """Postgres refuses root, and Valkey has no need of it."""
    nobody = pwd.getpwnam("nobody")
    for pid in (servers.postgres_pid, servers.valkey_pid):
        status = Path(f"/proc/{pid}/status").read_text()
        assert f"Uid:\t{nobody.pw_uid}\t{nobody.pw_uid}\t{nobody.pw_uid}" in status
        assert "Groups:\t \n" in status


def test_a_database_of_its_own_is_empty_and_can_be_copied(servers: Servers, database: Database) -> None:
    """Tests do not see each other's tables, and a migrated database is copied rather than migrated again."""
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    value(database.owner_url, "CREATE TABLE felt (seat bigint)")
    copy = fresh_database(servers, template=database.name)
    assert value(copy.auditor_url, tables) == 1
    assert value(fresh_database(servers).auditor_url, tables) == 0


def test_the_ledger_is_still_there_at_the_next_start(tmp_path: Path) -> None:
    """A second start on a data folder goes on with what the first one left."""
    with embedded(tmp_path, valkey=False) as servers:
        assert servers.valkey_pid is None
        value(servers.owner_url, "CREATE TABLE kept AS SELECT 17 AS round")
    with embedded(tmp_path, valkey=False) as servers:
        assert value(servers.owner_url, "SELECT round FROM kept") == 17
    assert attach(tmp_path) is None


def test_killing_the_starter_ends_both_servers_and_frees_the_folder(tmp_path: Path) -> None:
    """SIGKILL of the starter leaves no orphan, and the next start waits for the folder rather than fail."""
    with starter(tmp_path) as (process, pids):
        assert all(is_running(pid) for pid in pids)
        process.kill()
        process.wait()
        with embedded(tmp_path) as servers:
            assert not any(is_running(pid) for pid in pids)
            assert value(servers.service_url, "SELECT 1") == 1


def test_killing_both_starter_and_postgres_loses_nothing_committed(tmp_path: Path) -> None:
    """A cluster whose postmaster got SIGKILL recovers at the next start."""
    with starter(tmp_path) as (process, pids):
        value(Servers(tmp_path, tmp_path / "embedded/servers", tmp_path, *pids).owner_url, "CREATE TABLE kept ()")
        os.kill(pids[0], signal.SIGKILL)
        process.kill()
    with embedded(tmp_path, valkey=False) as servers:
        assert value(servers.owner_url, "SELECT count(*) FROM pg_tables WHERE tablename = 'kept'") == 1


def test_a_pid_file_with_the_number_of_another_process_stops_nobody(tmp_path: Path) -> None:
    """After a container's restart the old postmaster's number may belong to anyone, such as our own Valkey."""
    data = tmp_path / "data"
    with embedded(data, valkey=False):
        pid_file = data / "embedded" / "servers" / "pg18" / "postmaster.pid"
        lines = pid_file.read_text().split("\n")
    with starter(tmp_path / "other") as (_, pids):
        pid_file.write_text("\n".join([str(pids[1]), *lines[1:]]))
        with embedded(data, valkey=False) as servers:
            assert value(servers.service_url, "SELECT 1") == 1


def test_ctrl_c_reaches_the_starter_only(tmp_path: Path) -> None:
    """The servers are in sessions of their own, so the starter decides when its ledger goes away."""
    with starter(tmp_path) as (process, pids):
        sessions = {os.getsid(pid) for pid in pids}
        assert sessions == set(pids)
        assert os.getsid(process.pid) not in sessions


def test_a_second_process_attaches_to_what_runs(tmp_path: Path) -> None:
    """Commands beside a running demo use its servers, and leave them running."""
    with starter(tmp_path) as (_, pids):
        with running(tmp_path) as servers:
            assert [servers.postgres_pid, servers.valkey_pid] == pids
            assert value(servers.service_url, "SELECT 1") == 1
        assert all(is_running(pid) for pid in pids)


def test_who_needs_the_ledger_alone_does_not_wait_for_a_valkey_that_died(tmp_path: Path) -> None:
    """While a server plays on without Redis, hits are settled and the ledger is audited beside it."""
    with starter(tmp_path) as (_, (postgres, valkey)):
        os.kill(valkey, signal.SIGKILL)
        with running(tmp_path, valkey=False) as servers:
            assert servers.postgres_pid == postgres
            assert value(servers.service_url, "SELECT 1") == 1
        assert attach(tmp_path) is None
        with pytest.raises(EmbeddedInUse), running(tmp_path):
            pass


def test_a_second_start_is_refused_at_once(tmp_path: Path) -> None:
    """Two runs never share a folder; the error says which, and that it may pass."""
    with starter(tmp_path), pytest.raises(EmbeddedInUse, match=str(tmp_path)) as refused, embedded(tmp_path):
        pytest.fail("started twice")
    assert (refused.value.code, refused.value.retryable) == ("embedded_in_use", True)


def test_running_starts_what_nobody_runs(tmp_path: Path) -> None:
    """The same command works alone: it brings the servers up for as long as it needs them."""
    with running(tmp_path, valkey=False) as servers:
        assert value(servers.service_url, "SELECT 1") == 1
        with pytest.raises(EmbeddedInUse), running(tmp_path, valkey=True):
            pytest.fail("Valkey does not run")
    assert attach(tmp_path) is None


def test_a_folder_that_is_not_ours_is_refused_and_untouched(tmp_path: Path) -> None:
    """Files of someone else are never taken for a ledger, nor is their folder's mode changed."""
    other = tmp_path / "embedded"
    other.mkdir(mode=0o755)
    (other / "holiday.jpg").touch()
    with pytest.raises(EmbeddedFolderRefused, match="not ours"), embedded(tmp_path):
        pytest.fail("took over a folder")
    assert [path.name for path in other.iterdir()] == ["holiday.jpg"]
    assert other.stat().st_mode & 0o777 == 0o755


def test_a_link_is_refused(tmp_path: Path) -> None:
    """Nobody can lead us to another place by planting a link."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for use in (embedded, running):
        with pytest.raises(EmbeddedFolderRefused, match="is a link"), use(tmp_path / "link"):
            pytest.fail("followed a link")
    assert not any((tmp_path / "real").iterdir())


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    """A wrong path is answered with a sentence, not with an operating system's exception."""
    (tmp_path / "file").touch()
    for data in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(EmbeddedFolderRefused, match="file"), embedded(data):
            pytest.fail("used a file")


@as_root
def test_another_users_folder_is_refused(tmp_path: Path) -> None:
    """Even root does not take a folder over from its owner."""
    os.chown(tmp_path, pwd.getpwnam("nobody").pw_uid, -1)
    with pytest.raises(EmbeddedFolderRefused, match="another user"), embedded(tmp_path):
        pytest.fail("took over a folder")


def test_a_data_folder_with_a_long_path_works(tmp_path: Path) -> None:
    """Sockets of a folder too deep for a socket's address are reached by a short link, gone afterwards."""
    data = tmp_path / ("deep" * 30) / "data"
    data.mkdir(parents=True)
    with embedded(data) as servers:
        assert value(servers.service_url, "SELECT 1") == 1
        with redis.Redis.from_url(servers.redis_url) as valkey:
            assert valkey.ping()
        assert attach(data) == servers
        link = servers.socket_dir
        assert link.is_symlink()
    assert not link.parent.exists()


@as_root
def test_a_data_folder_its_account_cannot_walk_to_works(tmp_path: Path) -> None:
    """A data folder below root's home (mode 0700) needs no mode loosened."""
    shut = tmp_path / "home"
    shut.mkdir(mode=0o700)
    with embedded(shut / "data") as servers:
        assert value(servers.service_url, "SELECT 1") == 1
    assert shut.stat().st_mode & 0o777 == 0o700


@as_root
def test_binaries_the_account_cannot_run_are_copied_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A venv below root's home serves too; a copy with a file missing is made anew."""
    originals = embedded_binaries.installed()
    shut, shared = tmp_path / "venv", tmp_path / "shared"
    shut.mkdir(mode=0o700)
    shared.mkdir()
    for folder in originals:
        shutil.copytree(folder, shut / folder.name)
    for folder in (shared, tmp_path, *list(tmp_path.parents)[:-2]):
        folder.chmod(0o755)
    monkeypatch.setattr(embedded_binaries, "installed", lambda: [shut / folder.name for folder in originals])
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(shared))
    account = embedded_binaries.Account.of_servers()
    found = embedded_binaries.find_binaries(account)
    assert found.postgres_bin.is_relative_to(shared)
    made = found.postgres_bin.stat().st_ctime_ns
    assert embedded_binaries.find_binaries(account).postgres_bin.stat().st_ctime_ns == made
    (found.postgres_bin / "initdb").unlink()
    assert (embedded_binaries.find_binaries(account).postgres_bin / "initdb").exists()


def test_an_interrupted_first_start_counts_for_nothing(tmp_path: Path) -> None:
    """A cluster half made is thrown away, never started."""
    with embedded(tmp_path, postgres=False):
        pass
    half = tmp_path / "embedded" / "servers" / "pg18.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    with embedded(tmp_path, valkey=False) as servers:
        assert value(servers.service_url, "SELECT 1") == 1
    assert not half.exists()


def test_a_ledger_of_another_release_is_not_hidden_by_an_empty_one(tmp_path: Path) -> None:
    """After an upgrade of Postgres the old ledger is named; a new, empty one would look like lost money."""
    with embedded(tmp_path, postgres=False):
        pass
    (tmp_path / "embedded" / "servers" / "pg15").mkdir()
    with pytest.raises(EmbeddedFailed, match="pg15, not pg18"), embedded(tmp_path):
        pytest.fail("began a second ledger")


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    """The error carries the server's own last words, and the other server is gone."""
    with (
        pytest.raises(EmbeddedFailed, match="max_connections"),
        embedded(tmp_path, settings={"max_connections": "none"}),
    ):
        pytest.fail("started with a setting that makes no sense")
    assert attach(tmp_path) is None
    with embedded(tmp_path) as servers:
        assert value(servers.service_url, "SELECT 1") == 1


def test_missing_wheels_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever installed without the servers learns both ways out."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EmbeddedFailed, match=r"progressive-jackpot\[server\].*--database-url"), embedded(tmp_path):
        pytest.fail("started from nothing")


def test_only_the_main_thread_starts_servers(tmp_path: Path) -> None:
    """Servers end with the thread that started them, so any other thread is refused."""
    failures: list[str] = []

    def start() -> None:
        try:
            with embedded(tmp_path):
                pytest.fail("started from another thread")
        except RuntimeError as error:
            failures.append(str(error))

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert failures == ["The embedded servers can be started from the main thread only."]


def test_state_left_by_a_killed_starter_is_not_believed(tmp_path: Path) -> None:
    """Whether something runs is read off a lock, never off a file's being there."""
    with embedded(tmp_path):
        state = (tmp_path / "embedded" / "state.json").read_text()
    assert set(json.loads(state)) == {"socket_dir", "bin", "postgres_pid", "valkey_pid"}
    (tmp_path / "embedded" / "state.json").write_text(state)
    assert attach(tmp_path) is None
