"""How is an embedded Postgres or Valkey set up, started, known to be ready, and stopped?

Both run with their working directory in the folder they own and name it by /proc/self/cwd or a relative path, never by
its full path: the account that runs them may be unable to walk there from the root (a data folder below root's home).
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from jackpot.embedded_binaries import Binaries, EmbeddedFailed, Launcher

POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"
START_WITHIN_S = 300  # a killed server may have max_wal_size to replay; one that died is noticed at once
LATEST = 20
"""Lines of the log in which the reason for a failed start is looked for: more are of earlier starts."""
STOP_WITHIN_S = 30
POLL_S = 0.02
HERE = "/proc/self/cwd"

POSTGRES_SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "unix_socket_directories": "..",
    "unix_socket_permissions": "0700",
    "fsync": "on",
    "synchronous_commit": "on",
    "shared_buffers": "256MB",
    "max_connections": "200",
    "max_wal_size": "4GB",
    "jit": "off",  # every statement of the ledger is short
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_min_messages": "log",  # not "error": the fence refuses statements every day, and who sent one hears of it
    "shared_preload_libraries": "pg_stat_statements",
}
VALKEY_SETTINGS: Mapping[str, str] = {
    "port": "0",
    "unixsocket": VALKEY_SOCKET,
    "unixsocketperm": "700",
    "save": "",  # what Valkey holds is worked out anew from Postgres
    "appendonly": "no",
    "daemonize": "no",
    "loglevel": "warning",
    "client-output-buffer-limit": "pubsub 1mb 256kb 30",  # one that does not read is dropped before it takes all memory
}


@dataclass(frozen=True, slots=True)
class Server:
    """A server that was started: its name, its process, how to ask it to end, and how to see that it is ready."""

    name: str
    process: subprocess.Popen[bytes]
    end: signal.Signals
    ready: Callable[[], bool]


def make_cluster(cluster: Path, binaries: Binaries, launcher: Launcher) -> None:
    """Make a new cluster with roles and database; built beside and renamed, so an interrupted one never counts.

    Raises EmbeddedFailed.
    """
    new = cluster.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    launcher.account.make_folder(new)
    locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    roles = ["--username=postgres", "--auth=trust"]
    initdb: list[Path | str] = [binaries.postgres_bin / "initdb", "-D", HERE, *roles, *locale]
    _finish(launcher.start(initdb, new, signal.SIGTERM), launcher.log)
    with Path(__file__).with_name("embedded.sql").open("rb") as first:
        single = ["--single", "-j", "-c", "exit_on_error=on", "-D", HERE, "postgres"]
        alone: list[Path | str] = [binaries.postgres_bin / "postgres", *single]
        _finish(launcher.start(alone, new, signal.SIGTERM, first), launcher.log)
    new.rename(cluster)
    _make_names_durable(cluster.parent)


def start_postgres(cluster: Path, binaries: Binaries, launcher: Launcher, settings: Mapping[str, str]) -> Server:
    """Start Postgres on a cluster, its socket in the folder above. The caller holds the data folder's lock."""
    _forget_dead_postmaster(cluster)
    given = [f"--{name}={value}" for name, value in {**POSTGRES_SETTINGS, **settings}.items()]
    fast_shutdown = signal.SIGINT
    process = launcher.start([binaries.postgres_bin / "postgres", "-D", HERE, *given], cluster, fast_shutdown)

    def ready() -> bool:
        """Whether the postmaster wrote so in its pid file, which is where pg_ctl looks too."""
        try:
            lines = (cluster / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[0] == str(process.pid) and lines[7].strip() == "ready"

    return Server("Postgres", process, fast_shutdown, ready)


def start_valkey(folder: Path, binaries: Binaries, launcher: Launcher) -> Server:
    """Start Valkey in a folder, its socket there."""
    (folder / VALKEY_SOCKET).unlink(missing_ok=True)
    given = [word for name, value in VALKEY_SETTINGS.items() for word in (f"--{name}", value)]
    process = launcher.start([binaries.valkey_server, *given], folder, signal.SIGTERM)
    return Server("Valkey", process, signal.SIGTERM, lambda: accepts(folder / VALKEY_SOCKET))


def wait_until_ready(server: Server, log: IO[bytes]) -> None:
    """Wait until a server takes connections; raises EmbeddedFailed, with its last words, should it end instead."""
    end = time.monotonic() + START_WITHIN_S
    while not server.ready():
        if server.process.poll() is not None or time.monotonic() > end:
            raise _failed(server.name, log)
        time.sleep(POLL_S)


def stop(servers: list[Server]) -> None:
    """Ask all servers to end, then wait for each; one that takes too long is ended hard (Postgres recovers from it)."""
    for server in servers:
        server.process.send_signal(server.end)
    for server in servers:
        for harder in (signal.SIGQUIT, signal.SIGKILL):
            try:
                server.process.wait(STOP_WITHIN_S)
            except subprocess.TimeoutExpired:
                server.process.send_signal(harder)
        server.process.wait()


def accepts(path: Path) -> bool:
    """Whether something listens on a socket, however long its path."""
    with _opened(path.parent) as folder, socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(f"/proc/self/fd/{folder}/{path.name}") == 0


def _finish(process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    try:
        if process.wait(START_WITHIN_S) != 0:
            raise _failed("A new Postgres cluster", log)
    finally:
        process.kill()
        process.wait()


def _failed(name: str, log: IO[bytes]) -> EmbeddedFailed:
    lines = [line for line in Path(log.name).read_text(errors="replace").split("\n") if line.strip()]
    # Both servers write here, so what the other said last may stand below the reason.
    reasons = [line for line in lines[-LATEST:] if any(word in line for word in ("FATAL", "PANIC", "Fatal"))]
    last = (reasons or lines or ["it said nothing"])[-1]
    return EmbeddedFailed(f"{name} did not start: {last} (see {log.name}).")


def _forget_dead_postmaster(cluster: Path) -> None:
    """Remove the pid files of a postmaster that is no more.

    Postgres itself takes any process of the recorded number for a postmaster: a zombie that nobody waits for, or, after
    a container's restart, our own Valkey. A real one works in the cluster's folder; no backend is left either, since
    each of them would hold the data folder's lock.
    """
    pid_file = cluster / "postmaster.pid"
    try:
        pid = int(pid_file.read_text().split("\n")[0])
        works_here = Path(f"/proc/{pid}/cwd").samefile(cluster)
    except (OSError, ValueError):
        works_here = False
    if not works_here:
        pid_file.unlink(missing_ok=True)
        cluster.with_name(f"{POSTGRES_SOCKET}.lock").unlink(missing_ok=True)


def _make_names_durable(folder: Path) -> None:
    with _opened(folder) as descriptor:
        os.fsync(descriptor)


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
