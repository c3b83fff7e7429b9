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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import msgspec

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
END_WITHIN_S = 2.0
"""A load that is in the middle of an order when nobody wants it any more is not waited for longer."""
LOOK_S = 0.05


class BenchFailed(OperatingError):
    """Something the bench needs could not be had, or what it counted does not add up; the message says which."""

    def __init__(self, why: str) -> None:
        super().__init__(why, code="bench_failed", retryable=True)


@dataclass(frozen=True, slots=True)
class BenchSite:
    """A site that plays: how its Postgres is reached, and the load that plays its tables."""

    servers: Servers
    load: "LoadProcess"

    @property
    def baseline_url(self) -> str:
        """The database of the baselines."""
        return self.servers.url("postgres", BENCH_DATABASE)

    def wagers_stored(self) -> int:
        """Return how many accepted wagers are rows in the ledger."""
        return asyncio.run(_count(self.servers.auditor_url))

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
def bench_site(tables: int) -> Iterator[BenchSite]:
    """Set a site up with so many linked tables and let it run while the context lasts.

    Raises BenchFailed, and what `jackpot.embedded` and the ledger raise.
    """
    with tempfile.TemporaryDirectory(prefix="jackpot-bench-") as name:
        data = Path(name)
        keys = data / "keys"
        with embedded(data) as servers:
            terms = parse_terms(files("jackpot").joinpath(LINK_TERMS).read_bytes())
            settings = TableSettings(least_round_s=0)
            names = [f"B{number}" for number in range(1, tables + 1)]
            asyncio.run(_open(servers, keys, terms, settings, names))
            with _server(servers, keys, data) as (host, port):
                load = LoadProcess(
                    Setting(
                        host=host,
                        port=port,
                        keys=str(keys),
                        tables=names,
                        terms=canonical_bytes(terms).decode(),
                        settings=settings_text(settings),
                    ),
                    data / "load.log",
                )
                try:
                    yield BenchSite(servers, load)
                finally:
                    load.end()


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
def _server(servers: Servers, keys: Path, folder: Path) -> Iterator[tuple[str, int]]:
    """Run `jackpot serve` on a free port while the context lasts; give the host and the port."""
    flags: Mapping[str, str] = {
        "--database-url": servers.service_url,
        "--redis-url": servers.redis_url,
        "--keys": str(keys),
        "--listen": "127.0.0.1:0",
        "--log-level": "warning",
    }
    words = [word for flag in flags.items() for word in flag]
    server = Child("server", [sys.executable, "-m", "jackpot", "serve", "--json", *words], folder, _environment())
    server.start()
    try:
        address = urlsplit(_address(server))
        if address.hostname is None or address.port is None:
            raise BenchFailed(f"the server listens on {address.geturl()}, which is no host and port")
        yield address.hostname, address.port
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


def _environment() -> Mapping[str, str]:
    """Return this process's environment without settings of a server, which would be others than the bench's."""
    return {name: value for name, value in os.environ.items() if not name.startswith(ENVIRONMENT)}


async def _execute(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


async def _count(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval(bench_sql("bench_count")))
    finally:
        await connection.close()
