"""A site at play, as programs: embedded servers, `jackpot serve`, supervisors, and tables in one `tablelink swarm`.

Everything that was started is ended with the context. Ports are free ones of the loopback, and stay the same when a
program is started again.
"""

import asyncio
import os
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jackpot.cli import acts
from jackpot.cli.keys import kept_key, key_file, public_hex
from jackpot.demo_children import Child, end_all
from jackpot.embedded import Servers, embedded
from jackpot.ledger.migrate import migrate
from jackpot.wire.settings import TableSettings, settings_text
from rules.terms import Terms, canonical_bytes
from tests.support.ports import free_port
from tests.support.terms import demo_terms

START_S = 300.0
"""Whatever is started answers by then, or the test says what it said last."""
LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Playing:
    """What is running, and how it is reached."""

    data: Path
    servers: Servers
    terms: Terms
    server: Child
    tables: Child
    server_address: str
    """HOST:PORT of the jackpot server."""
    tables_address: str
    """HOST:PORT of the tables' metrics."""

    @property
    def link(self) -> str:
        """The link that is played."""
        return self.terms.name

    def read(self, path: str, timeout_s: float = 2.0) -> bytes:
        """Return what the server answers; raises OSError where it does not answer in time."""
        return _read(f"http://{self.server_address}{path}", timeout_s)

    def read_tables(self, path: str, timeout_s: float = 2.0) -> bytes:
        """Return what the tables' program answers; raises OSError where it does not answer in time."""
        return _read(f"http://{self.tables_address}{path}", timeout_s)


@contextmanager
def playing(
    data: Path,
    *,
    tables: int = 4,
    pace_s: float = 2.0,
    play_on_after_s: int = 2,
    least_round_s: int = 0,
    screens: str = "",
) -> Iterator[Playing]:
    """Set a site up in a folder and let it play while the context lasts; from the main thread only."""
    names = [f"T{number}" for number in range(1, tables + 1)]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JACKPOT_", "TABLELINK_"))}
    own["JACKPOT_SCREENS"] = screens
    server_address, tables_address = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    terms = demo_terms()
    settings = TableSettings(capture="full", least_round_s=least_round_s)

    def program(name: str, *argv: str) -> Child:
        return Child(name, [sys.executable, "-m", *argv], data, own)

    with embedded(data, settings={"shared_buffers": "64MB", "max_wal_size": "1GB"}) as servers:
        asyncio.run(_open(servers, data, terms, settings, names))
        server = program(
            "server", "jackpot", "serve", "--listen", server_address, "--data", str(data),
            "--database-url", servers.service_url, "--redis-url", servers.redis_url,
        )  # fmt: skip
        supervisors = program("supervisors", "jackpot.demo_supervisors", servers.service_url, terms.name)
        swarm = program(
            "tables", "tablelink", "swarm", "--tables", str(tables), "--server", f"ws://{server_address}",
            "--redis-url", servers.redis_url, "--keys", str(data / "keys" / "tables"), "--spool", str(data / "spools"),
            "--terms", str(data / "terms.json"), "--settings", str(data / "settings.json"),
            "--listen", tables_address, "--play-on-after", str(play_on_after_s), "--pace", str(pace_s),
            "--simulate", "--stack-deck", "--seed", "7",
        )  # fmt: skip
        site = Playing(data, servers, terms, server, swarm, server_address, tables_address)
        try:
            server.start()
            until(lambda: _answers(site.read, "/readyz"), "the server is ready", server)
            supervisors.start()
            swarm.start()
            until(lambda: _answers(site.read_tables, "/healthz"), "the tables answer", swarm)
            yield site
        finally:
            end_all([swarm])
            end_all([supervisors])
            end_all([server])


def until(holds: Callable[[], bool], what: str, child: Child | None = None, within_s: float = START_S) -> None:
    """Wait until something holds that nobody tells of, in bounded time; a child that ends meanwhile is an error."""
    ends = time.monotonic() + within_s
    while not holds():
        gone = child is not None and child.ended() is not None
        words = child.last_words() if child is not None else ""
        assert not gone, f"{what}: it has ended: {words}"
        assert time.monotonic() < ends, f"{what}: not within {within_s:.0f} s: {words}"
        time.sleep(LOOK_S)


def _read(url: str, timeout_s: float) -> bytes:
    with urllib.request.urlopen(url, timeout=timeout_s) as answer:  # noqa: S310 - an address of our own
        return bytes(answer.read())


def _answers(read: Callable[[str], bytes], path: str) -> bool:
    try:
        return bool(read(path))
    except OSError:
        return False


async def _open(servers: Servers, data: Path, terms: Terms, settings: TableSettings, names: list[str]) -> None:
    """Bring the ledger to its schema, open the link and enrol the tables, as the commands do."""
    keys = data / "keys"
    await migrate(servers.owner_url)
    await acts.open_link(servers.service_url, keys, terms, by="Olga (owner)", second="Petra (compliance)")
    publics = {name: public_hex(kept_key(key_file(keys, "table", name))) for name in names}
    await acts.enrol(servers.service_url, terms.name, publics, settings, by="Olga (owner)")
    (data / "settings.json").write_text(settings_text(settings), encoding="utf-8")
    (data / "terms.json").write_bytes(canonical_bytes(terms))
