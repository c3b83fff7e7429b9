"""A site's own servers: Debian's Postgres and Redis, with TLS and passwords, under the example configuration.

Started in a folder of their own on ports of their own, as an account without privileges where the test is root. What a
package started or made by itself is neither used nor touched.
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jackpot.embedded_binaries import Account
from tests.support.running import WITHIN_S

ROOT = Path(__file__).parents[2]
MISSING = "Debian's package {0} is needed: `make debian-packages` or `apt-get install {0}`"
LOOK_S = 0.05
CLEAN = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


@dataclass(frozen=True, slots=True)
class SiteServers:
    """Where the servers of a site are."""

    folder: Path
    postgres_port: int
    redis_port: int

    @property
    def administrator(self) -> Mapping[str, str]:
        """What psql finds in its environment to be the cluster's administrator."""
        return {"PGHOST": str(self.folder), "PGPORT": str(self.postgres_port), "PGUSER": "postgres"}


@contextlib.contextmanager
def own_folder() -> Iterator[Path]:
    """Give a folder with a short path that the servers' account owns and can walk to; removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="site-"))
    account = Account.of_servers()
    if account.other:
        os.chown(folder, account.uid, account.gid)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def postgres(folder: Path, port: int, cert: Path, key: Path) -> Iterator[None]:
    """Run Postgres under `deploy/site` while the context lasts; its administrator comes by the socket in the folder."""
    programs = _newest("/usr/lib/postgresql", "initdb", "postgresql")
    own_cert, own_key = _handed(folder, "db", cert, key)
    data = folder / "pgdata"
    run_as(folder, [programs / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8"])
    changes = {
        "/etc/postgresql/tls/server.pem": own_cert,
        "/etc/postgresql/tls/server.key": own_key,
        "'*'": "'127.0.0.1'",
    }
    settings = _example("postgresql.conf", changes)
    with (data / "postgresql.conf").open("a") as conf:
        conf.write(f"{settings}\nport = {port}\nunix_socket_directories = '{folder}'\nlog_statement = 'all'\n")
    (data / "pg_hba.conf").write_text(_example("pg_hba.conf", {"peer": "trust", "10.20.0.0/24": "127.0.0.1/32"}))
    with _server(folder, "postgres", [programs / "postgres", "-D", data], signal.SIGINT, folder / f".s.PGSQL.{port}"):
        yield


@contextlib.contextmanager
def redis(folder: Path, port: int, cert: Path, key: Path, ca: Path, users: Path) -> Iterator[None]:
    """Run Redis under `deploy/site` while the context lasts."""
    program = shutil.which("redis-server")
    assert program is not None, MISSING.format("redis-server")
    own_cert, own_key = _handed(folder, "redis", cert, key)
    own_ca, own_users = _handed(folder, "redis-more", ca, users)
    changes = {
        "/etc/redis/tls/server.pem": own_cert,
        "/etc/redis/tls/server.key": own_key,
        "/etc/redis/tls/ca.pem": own_ca,
        "/etc/redis/users.acl": own_users,
        "tls-port 6379": f"tls-port {port}",
        "bind 0.0.0.0": "bind 127.0.0.1",
    }
    conf = folder / "redis.conf"
    conf.write_text(_example("redis.conf", changes) + f"\ndir {folder}\n")
    conf.chmod(0o644)
    with _server(folder, "redis", [program, conf], signal.SIGTERM, ("127.0.0.1", port)):
        yield


def run_as(folder: Path, command: list[Any]) -> None:
    """Run a program to its end as the servers' account."""
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=CLEAN,
        **Account.of_servers().change(),
    )
    assert done.returncode == 0, done.stderr


def until(holds: Callable[[], bool], what: str, within_s: float = 300.0) -> None:
    """Look until something holds; fails the test with `what` where it does not in time."""
    end = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < end, f"not within {within_s:g} s: {what}"
        time.sleep(LOOK_S)


def log_of(folder: Path, name: str) -> str:
    """What a server said."""
    return (folder / f"{name}.log").read_text(errors="replace")


@contextlib.contextmanager
def _server(
    folder: Path, name: str, command: list[Any], end: signal.Signals, address: Path | tuple[str, int]
) -> Iterator[None]:
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, env=CLEAN, start_new_session=True,
            **Account.of_servers().change(),
        )  # fmt: skip

    def ready() -> bool:
        assert process.poll() is None, log_of(folder, name)
        return _accepts(address)

    try:
        until(ready, f"{name} accepts connections")
        yield
        assert process.poll() is None, log_of(folder, name)
    finally:
        process.send_signal(end)
        process.wait(WITHIN_S)


def _handed(folder: Path, name: str, *files: Path) -> list[Path]:
    """Copies of files that the servers' account alone can read."""
    account, copies = Account.of_servers(), []
    for number, file in enumerate(files):
        copy = folder / f"{name}.{number}"
        shutil.copyfile(file, copy)
        copy.chmod(0o600)
        if account.other:
            os.chown(copy, account.uid, account.gid)
        copies.append(copy)
    return copies


def _example(name: str, changes: Mapping[str, Any]) -> str:
    """A file of `deploy/site` with a site's own names in it; each must be there to be changed."""
    text = (ROOT / "deploy" / "site" / name).read_text()
    for old, new in changes.items():
        assert old in text, f"{name} does not say {old}"
        text = text.replace(old, str(new))
    return text


def _newest(folder: str, program: str, package: str) -> Path:
    found = sorted(Path(folder).glob(f"*/bin/{program}"), key=lambda path: int(re.sub(r"\D", "", path.parts[-3])))
    assert found, MISSING.format(package)
    return found[-1].parent


def _accepts(address: Path | tuple[str, int]) -> bool:
    family = socket.AF_UNIX if isinstance(address, Path) else socket.AF_INET
    with socket.socket(family) as probe:
        return probe.connect_ex(str(address) if isinstance(address, Path) else address) == 0
