"""The main job on one machine: Postgres, Valkey, a server, tables as programs of their own, supervisors, a live view.

Everything is started here, watched here and ended here. What the tables' spools hold is compared with the ledger at the
end, and the ledger is audited: the demo's last word is worked out, not hoped for.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from rich.console import Console
from rich.live import Live

from jackpot.cli import acts
from jackpot.cli.keys import public_hex
from jackpot.demo_children import Child, end_all
from jackpot.demo_plan import Plan
from jackpot.demo_reckoning import Reckoning, reckon
from jackpot.demo_spools import recorded
from jackpot.demo_view import Now, Rate, TableNow, console, line, screen
from jackpot.demo_watch import Watch
from jackpot.embedded import Servers, running
from jackpot.errors import OperatingError
from jackpot.ledger.migrate import migrate
from jackpot.wire.settings import TableSettings, settings_text
from rules.terms import Terms, canonical_bytes, parse_terms

OWN_PROCESS = 8
"""Up to so many tables are a process each; above it one process runs them all."""
VIEW_EVERY_S = 0.5
SAY_EVERY_S = 10.0
"""Where there is no terminal to draw on, a line says how far it is."""
READY_S = 30.0
"""The server answers by then, or the demo says why not."""
SETTLE_S = 120.0
"""After the last round, hits are settled by then: supervisors need three acts each."""
BY, SECOND = "Olga (owner)", "Petra (compliance)"


class DemoFailed(OperatingError):
    """The demo could not go on: which part, and its last words."""

    def __init__(self, message: str) -> None:
        """Keep the sentence."""
        super().__init__(message, code="demo_failed", retryable=False)


@dataclass(slots=True)
class Stage:
    """What is running for a demo."""

    plan: Plan
    servers: Servers
    terms: Terms
    port: int
    server: Child
    supervisors: Child
    agents: list[Child]
    begun: Mapping[str, int]
    """Rounds in each table's spool when the demo began."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    notes: list[str] = field(default_factory=list)

    @property
    def board(self) -> str:
        """The address of the meter board."""
        return f"{self.address}/boards/{self.terms.name}"

    @property
    def address(self) -> str:
        """Where the server answers."""
        return f"http://127.0.0.1:{self.port}"


def run(plan: Plan) -> int:
    """Play the demo; return the exit code: 0 when the spools and the ledger agree and the audit finds no difference.

    Raises OperatingError where a part cannot be started or ends in mid-play. Ctrl-C ends it cleanly.
    """
    say = console(plain=plan.as_json)
    say.print(f"data: {plan.data}")
    with running(plan.data) as servers:
        terms = parse_terms(plan.terms.read_bytes())
        return asyncio.run(_demo(plan, servers, terms))


async def _demo(plan: Plan, servers: Servers, terms: Terms) -> int:
    terms = await _set_up(plan, servers, terms)
    with _held_port() as held:
        stage = _stage(plan, servers, terms, held.getsockname()[1])
        await _staged(stage)
    say = console(plain=plan.as_json)
    reckoning = await reckon(plan, servers, terms, say)
    return _tell(plan, reckoning, stage)


async def _staged(stage: Stage) -> None:
    """Play, and end what was started, however it ends."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stage.stop.set)
    try:
        await _play(stage)
    finally:
        # Tables first, so that each ends on an answer; the server last. Nothing else is to be done meanwhile.
        for children in (stage.agents, [stage.supervisors], [stage.server]):
            end_all(children)


async def _set_up(plan: Plan, servers: Servers, terms: Terms) -> Terms:
    """Open the link and enrol the tables, or find them as an earlier demo left them; return the terms in force."""
    await migrate(servers.owner_url)
    keys = plan.data / "keys"
    state = await acts.read_state(servers.service_url, terms.name)
    if state.terms is None:
        await acts.open_link(servers.service_url, keys, terms, by=BY, second=SECOND)
    else:
        terms = state.terms.terms
    settings = TableSettings(capture=plan.capture, least_round_s=0, answer_within_s=30)  # type: ignore[arg-type]
    public = {name: public_hex(acts.table_key(keys, name)[1]) for name in plan.names}
    await acts.enrol(servers.service_url, terms.name, public, settings, by=BY)
    (plan.data / "settings.json").write_text(settings_text(settings), encoding="utf-8")
    (plan.data / "terms.json").write_bytes(canonical_bytes(terms))
    return terms


def _stage(plan: Plan, servers: Servers, terms: Terms, port: int) -> Stage:
    logs = plan.data / "logs"
    logs.mkdir(exist_ok=True)
    own = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "HOME": str(plan.data)}

    def program(name: str, *argv: str) -> Child:
        return Child(name, [sys.executable, "-m", *argv], logs, own)

    server = program(
        "server", "jackpot", "serve",
        "--database-url", servers.service_url, "--redis-url", servers.redis_url,
        "--keys", str(plan.data / "keys"), "--listen", f"127.0.0.1:{port}",
        "--checkpoint", str(plan.data / "checkpoint.json"),
    )  # fmt: skip
    supervisors = program("supervisors", "jackpot.demo_supervisors", servers.service_url, terms.name)
    agent = [
        "--server", f"ws://127.0.0.1:{port}", "--redis-url", servers.redis_url,
        "--keys", str(plan.data / "keys" / "tables"), "--spool", str(plan.data / "spools"),
        "--terms", str(plan.data / "terms.json"), "--settings", str(plan.data / "settings.json"),
        "--simulate", "--seed", str(plan.seed), "--json", "--play-on-after", "-1",
    ]  # fmt: skip
    agent += ["--stack-deck"] if plan.stack_deck else []
    agent += ["--rounds", str(plan.rounds)] if plan.rounds else []
    if plan.tables <= OWN_PROCESS:
        agents = [program(f"table-{name}", "tablelink", "run", name, *agent) for name in plan.names]
    else:
        agents = [program("tables", "tablelink", "swarm", "--tables", str(plan.tables), *agent)]
    return Stage(plan, servers, terms, port, server, supervisors, agents, recorded(plan))


async def _play(stage: Stage) -> None:
    """Start the programs, show what they do, and come back when the rounds are played and every hit is settled."""
    shown = console(plain=stage.plan.as_json)
    rate = Rate()
    started = time.monotonic()
    stage.server.start()
    await _ready(stage)
    if stage.stop.is_set():
        return
    for name, address in (
        ("board", stage.board),
        ("duty", f"{stage.address}/duty"),
        ("metrics", f"{stage.address}/metrics"),
    ):
        shown.print(f"{name}: {address}")
    for child in [stage.supervisors, *stage.agents]:
        child.start()
    settled_by: float | None = None
    said_s = 0.0
    watch = Watch(stage.servers.auditor_url, stage.servers.redis_url, stage.terms)
    async with watch:
        with _live(shown) as live:
            while not stage.stop.is_set():
                tables, wagers, open_hits = await watch.look()
                snapshot, fresh = watch.snapshot()
                server = "running" if stage.server.ended() is None else "down"
                mine = [_since(stage, table) for table in tables if table.name in stage.plan.names]
                at_s = time.monotonic() - started
                now = Now(at_s, mine, wagers, snapshot, fresh, stage.board, server)
                live.update(
                    screen(now, rate.of(now), stage.plan.rounds, stage.terms.currency), refresh=shown.is_terminal
                )
                if not shown.is_terminal and at_s >= said_s:
                    said_s = at_s + SAY_EVERY_S
                    shown.print(line(now))
                _mind(stage)
                if all(child.ended() is not None for child in stage.agents):
                    settled_by = settled_by or time.monotonic() + SETTLE_S
                    if not open_hits:
                        return
                    if time.monotonic() > settled_by:
                        raise DemoFailed(f"{open_hits} hits were not settled within {SETTLE_S:.0f} s")
                await _pause(stage, VIEW_EVERY_S)


@contextlib.contextmanager
def _live(shown: Console) -> Iterator[Live]:
    """Draw on a terminal; elsewhere the last picture alone is left, and its last line is ended."""
    with Live(console=shown, auto_refresh=False) as live:
        yield live
    if not shown.is_terminal:
        shown.print()


def _since(stage: Stage, table: TableNow) -> TableNow:
    """Return a table with the rounds of this demo alone."""
    return replace(table, rounds=max(table.rounds - stage.begun.get(table.name, 0), 0))


async def _pause(stage: Stage, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stage.stop.wait(), seconds)


def _mind(stage: Stage) -> None:
    """Start again what must run and does not; raise for what cannot be mended."""
    if stage.server.ended() is not None:
        stage.notes.append(f"the server ended with {stage.server.ended()} and was started again")
        stage.server.start()
    if stage.supervisors.ended() is not None:
        stage.supervisors.start()
    for child in stage.agents:
        code = child.ended()
        if code is not None and code < 0 and not child.done:
            stage.notes.append(f"{child.name} was killed by signal {-code} and was started again")
            _again(stage, child)
        elif code and not child.done:
            raise DemoFailed(f"{child.name} ended with {code}: {child.last_words() or child.output}")


def _again(stage: Stage, child: Child) -> None:
    """Start a killed table again, for the rounds that its spool says are left."""
    if stage.plan.rounds:
        name = child.name.removeprefix("table-")
        if name not in stage.plan.names:
            raise DemoFailed(f"{child.name} was killed: how many rounds each of its tables has left, it alone knew")
        left = stage.plan.rounds - (recorded(stage.plan).get(name, 0) - stage.begun.get(name, 0))
        child.done = left <= 0
        at = list(child.argv).index("--rounds") + 1
        child.argv = [*child.argv[:at], str(left), *child.argv[at + 1 :]]
    if not child.done:
        child.start()


async def _ready(stage: Stage) -> None:
    """Wait until the server takes connections, or the demo is to stop."""
    until = time.monotonic() + READY_S
    while time.monotonic() < until and not stage.stop.is_set():
        if stage.server.ended() is not None:
            raise DemoFailed(f"the server ended with {stage.server.ended()}: {stage.server.last_words()}")
        try:
            _reader, writer = await asyncio.open_connection("127.0.0.1", stage.port)
        except OSError:
            await _pause(stage, 0.05)
        else:
            writer.close()
            return
    if stage.stop.is_set():
        return
    raise DemoFailed(f"the server did not answer within {READY_S:.0f} s: {stage.server.last_words()}")


def _held_port() -> socket.socket:
    """Give a socket whose port is nobody else's until it is closed: the server takes it beside it, and again."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held


def _tell(plan: Plan, reckoning: Reckoning, stage: Stage) -> int:
    """Say how it ended: the totals, and what does not agree."""
    say = console(plain=plan.as_json)
    for sentence in [*stage.notes, *reckoning.differences]:
        say.print(sentence)
    if plan.as_json:
        print(json.dumps(reckoning.totals))  # noqa: T201 - the last line of standard output is the result
    else:
        say.print(reckoning.table())
    return 1 if reckoning.differences else 0
