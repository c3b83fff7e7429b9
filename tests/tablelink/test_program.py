"""The program as it is started: killed, stopped, its last line, its exit codes; a whole link and a real Valkey."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from redis.asyncio import Redis

from jackpot.embedded import embedded
from jackpot.wire.settings import settings_text
from jackpot.wire.snapshots import channel
from rules.records import decode_record
from rules.terms import canonical_bytes
from tablelink.errors import STAYS_DOWN
from tablelink.simulation import simulated_table
from tablelink.totals import spool_totals
from tests.support.casino import Casino
from tests.support.serving import eventually, run
from tests.support.tables import felt, records
from tests.support.terms import tree_with


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Valkey of these tests' own."""
    with embedded(tmp_path_factory.mktemp("valkey"), postgres=False) as servers:
        yield servers.redis_url


@dataclass
class House:
    """A casino with its files as programs want them."""

    casino: Casino
    url: str
    redis_url: str
    folder: Path

    def flags(self) -> list[str]:
        """What every table program is told."""
        return [
            *("--server", self.url, "--redis-url", self.redis_url),
            *("--keys", str(self.folder / "keys"), "--spool", str(self.folder / "spools")),
            *("--terms", str(self.folder / "terms.json"), "--settings", str(self.folder / "settings.json")),
        ]

    async def start(self, *argv: str) -> asyncio.subprocess.Process:
        """Start the program."""
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-W", "error", "-m", "tablelink", *argv),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def finish(self, process: asyncio.subprocess.Process, code: int = 0) -> Any:
        """Wait for its end; what its last line says."""
        output, errors = await process.communicate()
        assert process.returncode == code, errors.decode()
        assert b"Traceback" not in errors
        return json.loads(output.splitlines()[-1]) if output else None

    def totals(self, table: str = "T1") -> dict[str, Any]:
        """What a table's spool holds."""
        return spool_totals(self.folder / "spools" / f"{table}.spool")[1]


@asynccontextmanager
async def house(folder: Path, redis_url: str, tables: int = 1) -> AsyncIterator[House]:
    """Open a casino and carry its snapshots over Valkey."""
    casino = Casino(tables)
    casino.write_keys(folder / "keys")
    (folder / "terms.json").write_bytes(canonical_bytes(casino.link_terms))
    (folder / "settings.json").write_text(settings_text(casino.settings))
    outgoing: asyncio.Queue[bytes] = asyncio.Queue()
    casino.carriers.append(outgoing.put_nowait)
    redis = Redis.from_url(redis_url)

    async def carry() -> None:
        while True:
            await redis.publish(channel(casino.name), await outgoing.get())

    carrying = asyncio.create_task(carry())
    try:
        async with casino.serving() as url:
            yield House(casino, url, redis_url, folder)
    finally:
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)
        await redis.aclose()


def _recorded(casino: Casino, rounds: int) -> bool:
    return len(casino.records()) >= rounds


def test_killed_again_and_again(tmp_path: Path, valkey: str) -> None:
    """Kill -9 in mid-play, four times: every round is recorded once, as if nothing had been (cases 39, 53, 54)."""
    on = felt()
    written = records(simulated_table(11, "T1", on.approved, 100, stack_deck=True), on, 24)
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(b"\n".join(written))

    async def play() -> None:
        async with house(tmp_path, valkey) as there:
            argv = ["run", "T1", *there.flags(), "--replay", str(file), "--json"]
            for kill_at in (3, 9, 14, 20):
                process = await there.start(*argv)
                await eventually(partial(_recorded, there.casino, kill_at))
                process.kill()
                await process.communicate()
            done = await there.finish(await there.start(*argv))
            assert done["unanswered"] == 0
            assert there.totals()["wagers"] == there.casino.wagers
            assert there.totals()["awards"] == there.casino.awards
            played = [decode_record(record) for record in there.casino.records()]
            wanted = [decode_record(record) for record in written]
            assert [(r.round, r.dealer, r.seats, r.claims) for r in played] == [
                (r.round, r.dealer, r.seats, r.claims) for r in wanted
            ]

    run(play())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stopped_cleanly(tmp_path: Path, valkey: str, number: signal.Signals) -> None:
    """The step under way is finished, the exit code is 0, the last line says what was played."""

    async def play() -> None:
        async with house(tmp_path, valkey) as there:
            process = await there.start("run", "T1", *there.flags(), "--simulate", "--pace", "0", "--json")
            await eventually(partial(_recorded, there.casino, 3))
            process.send_signal(number)
            done = await there.finish(process)
            assert done["rounds"] >= 3
            assert done["by_table"]["T1"]["spool"]["rounds"] == there.totals()["rounds"]

    run(play())


def test_a_swarm(tmp_path: Path, valkey: str) -> None:
    """Many tables in one process: each with its spool, one summary, metrics for each, no card in any of them."""

    async def play() -> None:
        async with house(tmp_path, valkey, tables=5) as there:
            listen = f"unix:{tmp_path}/m.sock"
            argv = ["swarm", "--tables", "5", *there.flags(), "--simulate", "--seed", "3", "--listen", listen, "--json"]
            process = await there.start(*argv, "--rounds", "6")
            text = ""
            connector = aiohttp.UnixConnector(f"{tmp_path}/m.sock")
            async with aiohttp.ClientSession(connector=connector) as client:
                while 'tablelink_session_up{table="T1"} 1.0' not in text:
                    try:
                        async with client.get("http://table/metrics") as response:
                            text = await response.text()
                        async with client.get("http://table/healthz") as response:
                            assert response.status == 200
                    except aiohttp.ClientError:
                        if process.returncode is not None:
                            break
                    await asyncio.sleep(0.01)
            done = await there.finish(process)
            assert (done["tables"], done["rounds"]) == (5, 30)
            assert done["wagers"] == there.casino.wagers
            assert done["unanswered"] == 0
            assert 'tablelink_rounds_total{ended="recorded",table="T5"}' in text

    run(play())


def test_other_terms_are_named_and_the_exit_code_says_so(tmp_path: Path, valkey: str) -> None:
    """Refused: code 3, the field in the summary and on standard error (11.9)."""

    async def play() -> None:
        async with house(tmp_path, valkey) as there:
            (tmp_path / "terms.json").write_bytes(tree_with("pay_table.flush.amount_cents", 9_900))
            process = await there.start("run", "T1", *there.flags(), "--simulate", "--rounds", "2", "--json")
            output, errors = await process.communicate()
            assert process.returncode == 3
            refusal = json.loads(output)["by_table"]["T1"]["refusal"]
            assert [d["field"] for d in refusal["differences"]] == ["pay_table.flush.amount_cents"]
            assert b"pay_table.flush.amount_cents is 9900 here, 10000 on the link" in errors

    run(play())


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["run", "T1"], b"terms"),
        (["run", "T1", "--terms", "TERMS"], b"Nobody is at the table"),
        (["run", "T1", "--terms", "TERMS", "--keys", "KEYS", "--simulate", "--redis-url", "http://x"], b"redis_url"),
        (["spool", "totals", "nowhere.spool"], b"There is no spool"),
    ],
)
def test_errors_are_one_sentence(tmp_path: Path, argv: list[str], words: bytes) -> None:
    """What was foreseen has no traceback, exit code 2, and nothing on standard output."""
    (tmp_path / "terms.json").write_bytes(tree_with("version", 1))

    async def play() -> None:
        there = House(Casino(), "ws://127.0.0.1:9", "", tmp_path)
        there.casino.write_keys(tmp_path / "keys")
        files = {"TERMS": str(tmp_path / "terms.json"), "KEYS": str(tmp_path / "keys")}
        full = [files.get(text, text) for text in argv]
        process = await there.start(*full)
        output, errors = await process.communicate()
        assert process.returncode == 2
        assert output == b""
        assert words in errors
        assert b"Traceback" not in errors

    run(play())


def test_a_table_without_its_key_is_named(tmp_path: Path, valkey: str) -> None:
    """One table of a swarm cannot start: the others play, the exit code is 1, the summary says which and why.

    Where no table has its key the command was wrong: one line names the first that is missing, and the code is 2.
    """

    async def play() -> None:
        async with house(tmp_path, valkey, tables=2) as there:
            (tmp_path / "keys" / "T2.key").unlink()
            argv = ["swarm", "--tables", "2", *there.flags(), "--simulate", "--rounds", "2", "--json"]
            done = await there.finish(await there.start(*argv), 1)
            assert done["by_table"]["T1"]["rounds"] == 2
            assert "T2.key" in done["by_table"]["T2"]["error"]
            (tmp_path / "keys" / "T1.key").unlink()
            for argv in (["run", "T2"], ["swarm", "--tables", "2"]):
                process = await there.start(*argv, *there.flags(), "--simulate", "--rounds", "2")
                output, errors = await process.communicate()
                assert (process.returncode, output) == (2, b""), errors.decode()
                (words,) = errors.decode().splitlines()
                named = tmp_path / "keys" / ("T2.key" if argv[0] == "run" else "T1.key")
                assert words == f"tablelink: The table's key {named} cannot be read: No such file or directory."

    run(play())


def test_a_spool_to_be_taken_out_of_use_ends_the_run_for_good(tmp_path: Path, valkey: str) -> None:
    """Started again it would be the same: the exit code is one on which systemd leaves it; of two both need it."""

    async def play() -> None:
        async with house(tmp_path, valkey, tables=2) as there:
            spools = tmp_path / "spools"
            spools.mkdir(exist_ok=True)
            (spools / "T1.spool").write_bytes(b"nothing that could be read" * 100)
            flags = [*there.flags(), "--simulate", "--rounds", "1", "--json"]
            done = await there.finish(await there.start("run", "T1", *flags), STAYS_DOWN)
            assert "tablelink spool retire" in done["by_table"]["T1"]["error"]
            (tmp_path / "keys" / "T2.key").unlink()
            await there.finish(await there.start("swarm", "--tables", "2", *flags), 1)
            (spools / "T1.spool").unlink()
            (spools / "T1.spool").mkdir()
            await there.finish(await there.start("run", "T1", *flags), STAYS_DOWN)
        units = Path(__file__).parents[2] / "deploy" / "systemd"
        assert f"\nRestartPreventExitStatus={STAYS_DOWN}\n" in (units / "tablelink@.service").read_text()

    run(play())


def test_looking_into_a_spool(tmp_path: Path, valkey: str) -> None:
    """Totals by table, and every message with what became of it; an agent may be writing meanwhile."""

    async def play() -> None:
        async with house(tmp_path, valkey) as there:
            await there.finish(await there.start("run", "T1", *there.flags(), "--simulate", "--rounds", "3", "--json"))
            spool = str(tmp_path / "spools" / "T1.spool")
            totals = await there.finish(await there.start("spool", "totals", spool, "--json"))
            assert totals == {"T1": there.totals()}
            process = await there.start("spool", "show", spool, "--json")
            output, _ = await process.communicate()
            lines = [json.loads(line) for line in output.splitlines()]
            assert [line["id"] for line in lines if "/record/" in line["id"]] == [
                f"T1/1/2026-11/{number}/record/1" for number in (1, 2, 3)
            ]
            for words in ("totals", "show"):
                process = await there.start("spool", words, spool)
                output, _ = await process.communicate()
                assert b"T1" in output

    run(play())
