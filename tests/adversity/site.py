"""A site whose every part can be broken: embedded Postgres and Valkey, `jackpot serve`, `tablelink swarm`, and lines.

The server reaches Postgres (`database`) and Valkey (`redis`), and the tables reach the server (`tables`) and Valkey,
over lines of the tests' own proxy; supervisors, audit and the comparison reach the ledger directly. Whatever is started
here is ended here, by its own process id; all addresses are the loopback's and no port is fixed.
"""

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jackpot.cli import acts
from jackpot.cli.keys import kept_key, key_file, public_hex
from jackpot.demo_children import Child, end_all
from jackpot.embedded import Servers, embedded
from jackpot.errors import OperatingError
from jackpot.ledger.migrate import migrate
from jackpot.wire.settings import TableSettings, settings_text
from rules.terms import canonical_bytes
from tests.adversity.reckoning import Reckoning, compare, in_ledger, in_spools
from tests.support.playing import until
from tests.support.terms import demo_terms

ROOT = Path(__file__).parents[2]
OWNER = "Olga (owner)"
POSTGRES = {"shared_buffers": "64MB", "max_wal_size": "1GB", "max_connections": "40"}
AGAIN = 6
"""So often at most the tables' program is started to finish its rounds: it may be killed, or refuse a full disk."""
FINISH_S = 90.0
"""So long play may stand still before it is said not to end."""


@dataclass
class Lines:
    """The proxy's process, told what to do."""

    process: "subprocess.Popen[str]"
    ports: Mapping[str, int]

    def do(self, line: str, *words: object) -> None:
        """Have a line do something; returns when it is done."""
        assert self._asked(line, *words) == "ok", f"the proxy did not do: {line} {words}"

    def held(self, line: str) -> int:
        """How often somebody has spoken on a line since it was held."""
        return int(self._asked(line, "held"))

    def _asked(self, line: str, *words: object) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(" ".join((line, *map(str, words))) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def clear(self) -> None:
        """Let everything pass again."""
        for line in self.ports:
            self.do(line, "clear")


@dataclass
class Site:
    """What is running."""

    data: Path
    lines: Lines
    tables: int
    link: str
    programs: Mapping[str, Child]
    stack: ExitStack
    backs: dict[str, Servers] = field(default_factory=dict)
    own: dict[str, ExitStack] = field(default_factory=dict)

    # --- starting -----------------------------------------------------------------------------------------------------

    def start(self, part: str) -> None:
        """Start a part, or start it again; returns when it answers."""
        if part in {"postgres", "redis"}:
            self._start_back(part)
            return
        child = self.programs[part]
        self.stop_file(part).unlink(missing_ok=True)
        child.start()
        if part in {"server", "second"}:
            until(lambda: bool(child.output.read_bytes().strip()), "the server serves", child)
            self.lines.do("tables", "to", self.address_of(part))

    def address_of(self, server: str) -> str:
        """Where a server is now, `HOST:PORT`."""
        said = json.loads(self.programs[server].output.read_text())
        return str(said["address"]).removeprefix("http://")

    def _start_back(self, part: str) -> None:
        """Run Postgres or Valkey; what a killed one left is cleared away first."""
        if part in self.own:
            self.own.pop(part).close()
        own = self.own[part] = ExitStack()
        database = part == "postgres"
        settings = POSTGRES if database else None
        self.backs[part] = own.enter_context(
            embedded(self.data / part, postgres=database, valkey=not database, settings=settings)
        )
        name = ".s.PGSQL.5432" if database else "valkey.sock"
        self.lines.do("database" if database else "redis", "to", self.backs[part].socket_dir / name)

    def pid(self, part: str) -> int:
        """The process of a part."""
        match part:
            case "postgres":
                found = self.backs[part].postgres_pid
            case "redis":
                found = self.backs[part].valkey_pid
            case _:
                process = self.programs[part].process
                found = process.pid if process is not None else None
        assert found is not None
        return found

    def stop_file(self, part: str) -> Path:
        """The file in which a program is told at which point to die."""
        return self.data / f"{part}.stop"

    def url(self, role: str = "auditor") -> str:
        """The ledger, directly."""
        return self.backs["postgres"].url(role)

    # --- play ---------------------------------------------------------------------------------------------------------

    def play(self, commits: int) -> int:
        """Let the tables begin their rounds; returns the last commit when so many were made."""
        before = self.head()
        self.start("tables")
        until(lambda: self.head() >= before + commits, "the tables play", self.programs["tables"])
        return self.head()

    def head(self) -> int:
        """The last commit of the ledger, -1 where it does not answer."""
        try:
            return asyncio.run(acts.read_state(self.url("service"), self.link)).head.commit
        except OperatingError:
            return -1

    def finish(self) -> None:
        """Have every round that was begun played, recorded, answered and paid; a program that died is started again."""
        tables = self.programs["tables"]
        for _ in range(AGAIN):
            code = self._ended(tables)
            if code == 0:
                return
            self.start("tables")
        raise AssertionError(f"the tables do not finish: {tables.last_words()}")

    def _ended(self, tables: Child) -> int:
        assert tables.process is not None
        head = self.head()
        while True:
            try:
                return tables.process.wait(FINISH_S)
            except subprocess.TimeoutExpired:
                before, head = head, self.head()
                words = "\n".join(child.last_words(12) for child in self.programs.values())
                assert head > before, f"the tables did not go on in {FINISH_S:.0f} s\n{words}"

    # --- afterwards ---------------------------------------------------------------------------------------------------

    def reckon(self) -> Reckoning:
        """Compare the tables' memory with the ledger's, id by id; play is over."""
        spools = sorted((self.data / "spools").glob("*.spool"))
        return compare(in_spools(spools), asyncio.run(in_ledger(self.url(), self.link)))

    def audit(self) -> Mapping[str, Any]:
        """Audit the ledger as a stranger would, by the command."""
        command = [sys.executable, "-m", "jackpot", "audit", "--json", "--database-url", self.url()]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=_environment())
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {"error": done.stderr}
        return {"ok": done.returncode == 0, **found}

    def ready(self) -> bool:
        """Whether the server says that all is well."""
        try:
            with urllib.request.urlopen(f"http://{self.address_of('server')}/readyz", timeout=2) as answer:
                return bool(answer.read())
        except OSError:
            return False

    def wait_ready(self) -> None:
        """Wait until the server says that all is well."""
        until(self.ready, "the server is ready", self.programs["server"])


@contextmanager
def site(data: Path, *, tables: int = 4, rounds: int = 10, pace_s: float = 0.5) -> Iterator[Site]:
    """Set a site up in a folder that is short to name, and end it; from the main thread only."""
    names = [f"T{number}" for number in range(1, tables + 1)]
    terms, settings = demo_terms(), TableSettings(capture="full", least_round_s=0)
    with ExitStack() as stack:
        lines = stack.enter_context(_lines())
        programs = _programs(data, lines, tables, rounds, pace_s)
        made = Site(data, lines, tables, terms.name, programs, stack)
        try:
            made.start("postgres")
            made.start("redis")
            asyncio.run(_open(made, terms, settings, names))
            programs["supervisors"].argv = _python("jackpot.demo_supervisors", made.url("service"), terms.name)
            made.start("server")
            made.start("supervisors")
            made.wait_ready()
            yield made
        finally:
            lines.clear()
            for part in ("tables", "supervisors", "second", "server"):
                end_all([programs[part]])
            for own in made.own.values():
                own.close()


@contextmanager
def _lines() -> Iterator[Lines]:
    command = _python("tests.adversity.wires", "database", "redis", "tables")
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment(), start_new_session=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Lines(process, json.loads(process.stdout.readline()))
    finally:
        process.stdin.close()
        process.wait(10)
        process.stdout.close()


def _programs(data: Path, lines: Lines, tables: int, rounds: int, pace_s: float) -> Mapping[str, Child]:
    at = {name: f"127.0.0.1:{port}" for name, port in lines.ports.items()}
    redis = f"redis://{at['redis']}"

    def stoppable(part: str, *argv: str) -> Child:
        environment = {**_environment(), "JACKPOT_STOP_AT": str(data / f"{part}.stop")}
        return Child(part, _python("tests.adversity.stopping", *argv), data, environment)

    keys = data / "keys"
    serve = (
        "jackpot", "serve", "--listen", "127.0.0.1:0", "--keys", str(keys), "--json",
        "--database-url", f"postgresql://service@{at['database']}/jackpot?sslmode=disable", "--redis-url", redis,
    )  # fmt: skip
    return {
        "server": stoppable("server", *serve),
        "second": stoppable("second", *serve),
        "supervisors": Child("supervisors", [], data, _environment()),
        "tables": stoppable(
            "tables", "tablelink", "swarm", "--tables", str(tables), "--rounds", str(rounds), "--pace", str(pace_s),
            "--server", f"ws://{at['tables']}", "--redis-url", redis, "--keys", str(keys / "tables"),
            "--spool", str(data / "spools"), "--terms", str(data / "terms.json"),
            "--settings", str(data / "settings.json"), "--simulate", "--stack-deck", "--seed", "7",
        ),
    }  # fmt: skip


def _python(*argv: str) -> list[str]:
    return [sys.executable, "-m", *argv]


def _environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JACKPOT_", "TABLELINK_"))}
    return {**own, "PYTHONPATH": str(ROOT)}


async def _open(made: Site, terms: Any, settings: TableSettings, names: list[str]) -> None:
    """Bring the ledger to its schema, open the link and enrol the tables, as the commands do."""
    keys = made.data / "keys"
    await migrate(made.url("owner"))
    await acts.open_link(made.url("service"), keys, terms, by=OWNER, second="Petra (compliance)")
    publics = {name: public_hex(kept_key(key_file(keys, "table", name))) for name in names}
    await acts.enrol(made.url("service"), terms.name, publics, settings, by=OWNER)
    (made.data / "settings.json").write_text(settings_text(settings), encoding="utf-8")
    (made.data / "terms.json").write_bytes(canonical_bytes(terms))
