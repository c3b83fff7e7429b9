"""Case 58: the ledger is brought back to between two hits while tables hold newer receipts, one of a paid royal.

Real programs: `jackpot serve` with its own Postgres and Valkey, tables as `tablelink run`, `pg_basebackup`. The link
refuses to open, names what is missing, takes it back, and ends with every receipt matched.
"""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from jackpot.cli.app import app
from jackpot.core.ports import Known
from jackpot.embedded import Servers, attach
from jackpot.ledger.store import PostgresStore
from jackpot.wire.settings import TableSettings, settings_text
from rules.terms import canonical_bytes
from tests.adversity.restoring import put_back
from tests.support.playing import until
from tests.support.terms import demo_terms

NOTHING = "2c 4d 6c 7s 9d"
STRAIGHT_FLUSH = "9h 8h 7h 6h 5h"
ROYAL = "As Ks Qs Js Ts"
DEALER = "Ah Kd 4s 3h 2d"
PRIZE = "T1/1/4/3/main"
WITHIN_S = 40.0


def rounds(hands: Sequence[str]) -> str:
    """A file of rounds: a dealer, a seat with these cards and one with nothing, both in the jackpot."""
    seats = [
        [
            {
                "seat": seat,
                "ante_cents": 1000,
                "jackpot_cents": 100,
                "decision": "bet",
                "bet_cents": 2000,
                "cards": cards,
            }
            for seat, cards in ((1, "3c 5d 8c Jd Qd"), (3, hand))
        ]
        for hand in hands
    ]
    return "".join(json.dumps({"dealer": DEALER, "seats": each}) + "\n" for each in seats)


@dataclass
class Casino:
    """A data folder, and the programs that are run on it."""

    data: Path
    address: str = ""
    redis: str = ""

    def jackpot(self, *words: str, code: int = 0) -> dict[str, Any]:
        """Run a command to its end; give its object."""
        done = CliRunner().invoke(app, [*words, "--data", str(self.data), "--json"])
        assert isinstance(done.exception, SystemExit | None), done.exc_info
        assert done.exit_code == code, (words, done.stdout, done.stderr)
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    @contextmanager
    def serving(self) -> Iterator[None]:
        """The server, and its Postgres and Valkey, while the context lasts."""
        with self.data.joinpath("serve.log").open("ab") as log:
            server = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "jackpot",
                    "serve",
                    "--data",
                    str(self.data),
                    "--listen",
                    "127.0.0.1:0",
                    "--json",
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment(),
            )
        try:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            self.address, self.redis = told["address"], told["redis"]
            yield
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=WITHIN_S) == 0
            if server.stdout is not None:
                server.stdout.close()

    def play(self, hands: dict[str, Sequence[str]]) -> None:
        """Let tables play these rounds from where their spools stand, until all is paid out."""
        with self.playing(hands):
            pass

    @contextmanager
    def playing(self, hands: dict[str, Sequence[str]]) -> Iterator[None]:
        """Tables that play these rounds from where their spools stand; at the end all is answered and paid out."""
        tables = [self._table(name, own) for name, own in hands.items()]
        try:
            yield
            until(lambda: self.settle() and all(table.poll() is not None for table in tables), "the tables have played")
            assert [table.returncode for table in tables] == [0] * len(tables)
        finally:
            for table in tables:
                table.kill()
                table.wait()

    def _table(self, name: str, hands: Sequence[str]) -> "subprocess.Popen[bytes]":
        file = self.data / f"{name}.jsonl"
        file.write_text(rounds(hands), encoding="utf-8")
        with self.data.joinpath(f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [
                    *(sys.executable, "-m", "tablelink", "run", name, "--replay", str(file), "--json"),
                    *("--server", self.address.replace("http", "ws", 1), "--redis-url", self.redis),
                    *("--keys", str(self.data / "keys" / "tables"), "--spool", str(self.data / "spools")),
                    *("--terms", str(self.data / "terms.json"), "--settings", str(self.data / "settings.json")),
                    *("--pace", "0", "--play-on-after", "-1"),
                ],
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=environment(),
            )

    def settle(self) -> bool:
        """Move every open hit one step on; say that this was done."""
        for hit in self.jackpot("hit", "list")["hits"]:
            move = {"pending": "verify", "verified": "approve", "approved": "pay"}.get(hit["state"])
            if move == "approve":
                self.jackpot("hit", "approve", hit["hit"], "--by", "Bea", "--with", "Cleo")
            elif move is not None:
                self.jackpot("hit", move, hit["hit"], "--by", {"verify": "Ann", "pay": "Dora"}[move])
        return True

    def ready(self) -> tuple[bool, dict[str, str]]:
        """What `/readyz` says."""
        request = urllib.request.Request(f"{self.address}/readyz")  # noqa: S310 - the address is our own server's
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - the same
                said = json.loads(answer.read())
        except urllib.error.HTTPError as error:
            said = json.loads(error.read())
        return said["ready"], said["checks"]

    def servers(self) -> Servers:
        """The running Postgres and Valkey."""
        found = attach(self.data)
        assert found is not None
        return found

    def ledger_url(self) -> str:
        """Where the ledger is."""
        return self.servers().service_url

    def back_up(self) -> None:
        """Take a base backup of Postgres while tables may play."""
        servers = self.servers()
        words = ("-D", str(self.data / "backup"), "-h", str(servers.socket_dir), "-U", "postgres", "-c", "fast")
        subprocess.run([str(servers.bin / "pg_basebackup"), *words], check=True, env=environment())

    def restore(self) -> None:
        """Put the backup where Postgres keeps the ledger; nothing runs meanwhile."""
        put_back(self.data / "backup", self.data / "embedded")

    def exported(self) -> list[dict[str, Any]]:
        """The rounds as an export has them, each settled again by the rules; none may differ."""
        folder = self.data / "export"
        self.jackpot("export", str(folder))
        words = ("settle", "--terms", str(folder / "terms.json"), str(folder / "rounds.jsonl"))
        done = subprocess.run(
            [sys.executable, "-m", "rules", *words], capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def receipts(self) -> dict[str, bytes]:
        """Every message that the spools hold an answer of, with that answer."""
        held: dict[str, bytes] = {}
        for path in sorted((self.data / "spools").glob("*.spool")):
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
                held |= dict(db.execute("SELECT id, answer FROM message WHERE answer IS NOT NULL").fetchall())
        return held


def commits(ranges: Sequence[str]) -> int:
    """How many commits these ranges name."""
    ends = [name.partition("/")[2].split("-") for name in ranges]
    return sum(int(end[-1]) - int(end[0]) + 1 for end in ends)


def environment() -> dict[str, str]:
    """No setting of the machine's own; the server's own audits would take the time that this test has."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JACKPOT_", "TABLELINK_"))}
    return own | {"JACKPOT_AUDIT_EVERY_S": "0"}


def test_a_ledger_restored_between_two_hits_takes_all_back(tmp_path: Path) -> None:
    """Case 58: refused, named, taken back from the tables, a paid royal stays paid, every receipt matched, audit ok."""
    casino = Casino(tmp_path)
    casino.data.joinpath("terms.json").write_bytes(canonical_bytes(demo_terms()))
    casino.data.joinpath("settings.json").write_text(settings_text(TableSettings(least_round_s=0)), encoding="utf-8")
    first, second = [NOTHING, STRAIGHT_FLUSH], [NOTHING, ROYAL]
    with casino.serving():
        casino.jackpot("link", "open", str(tmp_path / "terms.json"), "--by", "Olga", "--second", "Petra")
        settings = str(tmp_path / "settings.json")
        casino.jackpot("table", "enrol", "southern", "T1", "T2", "--by", "Olga", "--settings", settings)
        casino.play({"T1": first})
        casino.back_up()
        casino.play({"T1": first + second, "T2": [NOTHING] * 2})
    held = casino.receipts()
    casino.restore()

    with casino.serving():
        until(lambda: casino.ready()[1]["link/southern"] == "the link is ledger_behind", "the link is stopped")
        people = ("southern", "--by", "Ann", "--with", "Bea")
        assert casino.jackpot("link", "reopen", *people, "--list", "00", code=1)["refused"] == "not_ready"
        assert "--list" in casino.jackpot("link", "reopen", *people, code=2)["text"], "nobody has seen a list"
        with casino.playing({"T1": [*first, *second, NOTHING], "T2": [NOTHING] * 3}):
            until(
                lambda: casino.jackpot("link", "behind", "southern")["tables"] == {"T1": True, "T2": True}, "all is in"
            )
            behind = casino.jackpot("link", "behind", "southern")
            (obstacle,) = behind["obstacles"]
            assert obstacle == f"hit {PRIZE} was settled, and nobody holds whether it was paid: --paid or --open it"
            assert len(behind["taken_back"]) == len(held) - 2 * len(first)
            won = [award for one in behind["taken_back"] for award in one["awards"]]
            assert won == [{"hit": PRIZE, "prize": "royal_flush", "cents": "5000000"}]
            lost = behind["last"]["commit"] - behind["head"]["commit"]
            assert commits(behind["missing"]) == lost - len(behind["taken_back"]), "hellos, and what the office did"
            less = casino.jackpot("link", "behind", "southern", "--paid", f"{PRIZE}=4900000")
            assert less["paid"] == [{"hit": PRIZE, "cents": "4900000"}]
            assert less["corrections"] == [{"why": "amount_paid", "what": PRIZE, "cents": -100_000}]
            behind = casino.jackpot("link", "behind", "southern", "--paid", PRIZE)
            assert behind["list"] != less["list"], "what both agree to names the amount"
            opened = casino.jackpot("link", "reopen", *people, "--paid", PRIZE, "--list", behind["list"])
            assert (opened["generation"], opened["corrections"]) == (2, [])
        casino.play({"T1": [*first, *second, NOTHING, NOTHING], "T2": [NOTHING] * 4})
        until(lambda: casino.ready()[0], "ready again")
        assert casino.jackpot("audit")["audit"] == "ok"
        hits = {hit["hit"]: hit for hit in casino.jackpot("hit", "list", "--all")["hits"]}
        assert (hits[PRIZE]["state"], int(hits[PRIZE]["amount_cents"])) == ("paid", 5_000_000)
        assert len(casino.exported()) == len([name for name in held if "/record/" in name]) + 4
        found = asyncio.run(answers_of(casino.ledger_url(), list(held)))
    assert {name: known.answer for name, known in found.items()} == held
    assert held.items() <= casino.receipts().items()


async def answers_of(url: str, ids: list[str]) -> Mapping[str, Known]:
    """What the ledger holds under these ids."""
    store = PostgresStore(url, "southern")
    try:
        return await store.answers(ids)
    finally:
        await store.close()
