"""Where is the bench played? On a site of its own: embedded servers, a link with tables, the server and a load.

Everything lies in a folder for temporary files and is gone afterwards. Postgres keeps fsync on, as everywhere.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import msgspec

from jackpot.bench_certificate import self_signed
from jackpot.bench_load import Order, Setting, Tally
from jackpot.cli import acts
from jackpot.cli.keys import kept_key, key_file, public_hex
from jackpot.config import ENVIRONMENT
from jackpot.demo_children import Child, end_all
from jackpot.embedded import Servers, embedded
from jackpot.errors import OperatingError
from jackpot.ledger.migrate import migrate
from jackpot.wire.settings import TableSettings, settings_text
from rules.terms import Terms, canonical_bytes, parse_terms

LINK_TERMS = "demo_terms.json"
BENCH_DATABASE = "bench"
"""Where the baselines work: on the same Postgres, beside the ledger's own database."""
SERVER_WITHIN_S = 60.0
OK = 200
AGENT = "A1"
"""A table that is enrolled and not played by the load."""
TERMS_FILE, SETTINGS_FILE = "terms.json", "settings.json"
END_WITHIN_S = 2.0
"""A load that is in the middle of an order when nobody wants it any more is not waited for longer."""
LOOK_S = 0.05


class BenchFailed(OperatingError):
    """Something the bench needs could not be had, or what it counted does not add up; the message says which."""

    def __init__(self, why: str) -> None:
        super().__init__(why, code="bench_failed", retryable=True)


@dataclass(frozen=True, slots=True)
class BenchSite:
    """A site that plays: its Postgres, its server, and the load that plays its tables."""

    servers: Servers
    load: "LoadProcess"
    server: Child
    folder: Path
    """Where its keys and the files of `agent_flags` are, and where programs may keep what they write."""
    address: str
    """Of the server, as it says it."""

    @property
    def baseline_url(self) -> str:
        """The database of the baselines."""
        return self.servers.url("postgres", BENCH_DATABASE)

    def wagers_stored(self) -> int:
        """Return how many accepted wagers are rows in the ledger."""
        return asyncio.run(_count(self.servers.auditor_url))

    @property
    def agent_flags(self) -> list[str]:
        """What a `tablelink` of this site is started with, as table `AGENT`, which the load does not play."""
        folder = self.folder
        return [
            *("--server", self.address.replace("http", "ws", 1), "--redis-url", self.servers.redis_url),
            *("--keys", str(folder / "keys" / "tables"), "--spool", str(folder / "spools")),
            *("--terms", str(folder / TERMS_FILE), "--settings", str(folder / SETTINGS_FILE)),
        ]

    def seconds_to_ready(self) -> float:
        """Start one more server on the same ledger, and return how long it took until it was ready; then end it.

        Raises BenchFailed.
        """
        began = time.perf_counter()
        with _server(self.servers, self.folder / "keys", self.folder, name="another") as (_child, address):
            while not is_ready(address):
                if time.perf_counter() - began > SERVER_WITHIN_S:
                    raise BenchFailed(f"a server was not ready within {SERVER_WITHIN_S:.0f} s")
                time.sleep(LOOK_S)
            return time.perf_counter() - began

    def execute(self, sql: str, *arguments: object) -> None:
        """Run one statement on the ledger as no server may: as the superuser of the bench's own Postgres."""
        asyncio.run(_execute(self.servers.url("postgres"), sql, *arguments))

    def run(self, program: str, *arguments: str) -> str:
        """Run a program of Postgres' own on the baselines' database and return what it wrote; raises BenchFailed."""
        command = [str(self.servers.bin / program), *arguments, self.baseline_url]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BenchFailed(f"{program}: {done.stderr.strip()[-300:]}")
        return done.stdout


class LoadProcess:
    """The load as a process of its own, with one order under way at a time."""

    def __init__(self, setting: Setting, log: Path) -> None:
        """Start it and wait until all tables were welcomed; raises BenchFailed."""
        self.setting = setting
        self.accepted = 0
        """Wagers that it saw accepted, in all orders."""
        self._log = log
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "jackpot.bench_load"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                start_new_session=True,
            )
        try:
            self._say(setting)
        except BaseException:
            self.end()
            raise

    def play(self, order: Order) -> Tally:
        """Have an order played to its end; raises BenchFailed."""
        tally = self._say(order)
        self.accepted += tally.accepted
        if tally.refused:
            raise BenchFailed(f"the server refused {tally.refused} of the load's messages or seats")
        return tally

    def end(self) -> None:
        """End it: it hangs up on its tables when nothing more is asked of it. **If repeated** nothing more happens."""
        try:
            self._process.communicate(timeout=END_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def _say(self, words: Setting | Order) -> Tally:
        out, back = self._process.stdin, self._process.stdout
        line = b""
        if out is not None and back is not None and self._process.poll() is None:
            with contextlib.suppress(BrokenPipeError):
                out.write(msgspec.json.encode(words) + b"\n")
            line = back.readline()
        if not line:
            said = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["it said nothing"]
            raise BenchFailed(said[-1])
        return msgspec.json.decode(line, type=Tally)


@contextmanager
def bench_site(tables: int, *, tls: bool = False) -> Iterator[BenchSite]:
    """Set a site up with so many linked tables and let it run while the context lasts, its server with TLS if wanted.

    Raises BenchFailed, and what `jackpot.embedded` and the ledger raise.
    """
    with tempfile.TemporaryDirectory(prefix="jackpot-bench-") as name:
        data = Path(name)
        keys = data / "keys"
        with embedded(data) as servers:
            terms = parse_terms(files("jackpot").joinpath(LINK_TERMS).read_bytes())
            settings = TableSettings(least_round_s=0)
            names = [f"B{number}" for number in range(1, tables + 1)]
            asyncio.run(_open(servers, keys, terms, settings, [*names, AGENT]))
            (data / TERMS_FILE).write_bytes(canonical_bytes(terms))
            (data / SETTINGS_FILE).write_text(settings_text(settings), encoding="utf-8")
            certificate = self_signed(data) if tls else None
            with _server(servers, keys, data, certificate=certificate) as (server, address):
                where = urlsplit(address)
                if where.hostname is None or where.port is None:
                    raise BenchFailed(f"the server listens on {address}, which is no host and port")
                setting = Setting(
                    host=where.hostname,
                    port=where.port,
                    keys=str(keys),
                    tables=names,
                    terms=canonical_bytes(terms).decode(),
                    settings=settings_text(settings),
                    certificate=str(certificate[0]) if certificate else "",
                )
                load = LoadProcess(setting, data / "load.log")
                try:
                    yield BenchSite(servers, load, server, data, address)
                finally:
                    load.end()


def is_ready(address: str) -> bool:
    """Ask a server whether it is ready."""
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=1) as answer:  # noqa: S310 - the bench's own server
            return bool(answer.status == OK)
    except OSError:
        return False


def bench_sql(name: str) -> str:
    """Return the SQL of the bench by that name; it stands in a file beside this one, with what it is for."""
    return files("jackpot").joinpath(f"{name}.sql").read_text(encoding="utf-8")


async def _open(servers: Servers, keys: Path, terms: Terms, settings: TableSettings, names: Sequence[str]) -> None:
    """Bring the ledger to its schema, open the link and enrol the tables, as the commands do."""
    await migrate(servers.owner_url)
    await acts.open_link(servers.service_url, keys, terms, by="bench", second="bench second")
    publics = {name: public_hex(kept_key(key_file(keys, "table", name))) for name in names}
    await acts.enrol(servers.service_url, terms.name, publics, settings, by="bench")
    await _execute(servers.superuser_url, bench_sql("bench_database"))
    await _execute(servers.url("postgres", BENCH_DATABASE), bench_sql("bench_tables"))


@contextmanager
def _server(
    servers: Servers,
    keys: Path,
    folder: Path,
    *,
    name: str = "server",
    certificate: tuple[Path, Path] | None = None,
) -> Iterator[tuple[Child, str]]:
    """Run `jackpot serve` on a free port while the context lasts; give it and its address."""
    flags: dict[str, str] = {
        "--database-url": servers.service_url,
        "--redis-url": servers.redis_url,
        "--keys": str(keys),
        "--listen": "127.0.0.1:0",
        "--log-level": "warning",
    }
    if certificate is not None:
        flags |= {"--tls-cert": str(certificate[0]), "--tls-key": str(certificate[1])}
    words = [word for flag in flags.items() for word in flag]
    server = Child(name, [sys.executable, "-m", "jackpot", "serve", "--json", *words], folder, environment())
    server.start()
    try:
        yield server, _address(server)
    finally:
        end_all([server])


def _address(server: Child) -> str:
    """Wait for the one line in which the server says where it listens; raises BenchFailed."""
    until = time.monotonic() + SERVER_WITHIN_S
    while time.monotonic() < until and server.ended() is None:
        said = server.output.read_text(encoding="utf-8")
        if said.endswith("\n"):
            return str(json.loads(said)["address"])
        time.sleep(LOOK_S)
    raise BenchFailed(f"the server did not start: {server.last_words(3)}")


def environment() -> Mapping[str, str]:
    """Return this process's environment without settings of a server, which would be others than the bench's.

    The server does not audit itself meanwhile: that would be measured too.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith(ENVIRONMENT)}
    return {**own, f"{ENVIRONMENT}AUDIT_EVERY_S": "0"}


async def _execute(url: str, sql: str, *arguments: object) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql, *arguments)
    finally:
        await connection.close()


async def _count(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval(bench_sql("bench_count")))
    finally:
        await connection.close()
