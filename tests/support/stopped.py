"""What is said while a part of a site stands still: server, Redis and Postgres, each for a while, under play.

`python -m tests.support.stopped --seconds 60` prints the timeline that stands in `deploy/OBSERVED.md`. A part is
stopped with SIGSTOP, which is worse than its end: connections stay open and nobody is told anything.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from prometheus_client.parser import text_string_to_metric_families

from tests.support.alerts import RULES
from tests.support.browser import browsing
from tests.support.own_time import own_time
from tests.support.playing import Playing, playing, until
from tests.support.prometheus import Prometheus, own_config, prometheus

BACK_WITHIN_S = 30.0
"""After a part goes on, everything is as before within this time."""
ON_S = 10.0
"""So long it is looked on afterwards: alerts that wait a minute for their cause are just beginning to fire."""
BOARD = """() => [document.body.dataset.state, document.querySelector('#band').innerText,
    document.querySelector('#alarm').innerText].join(' ').replace(/\\s+/g, ' ').trim()"""
NOTHING = "no answer"


@dataclass(frozen=True, slots=True)
class Said:
    """What was said at one moment: by a board's page, its feed as JSON, the tables, `/duty`, and the alerts."""

    board: str
    feed: str
    tables: str
    duty: str
    alerts: str

    @property
    def well(self) -> bool:
        """Whether everything is as it should be; alerts go on for five minutes and are looked at by themselves."""
        return (
            self.board.startswith("live")
            and self.feed == "fresh"
            and self.duty == "ready"
            and "closed" not in self.tables
        )

    @property
    def well_and_quiet(self) -> bool:
        """Whether no alert says otherwise either."""
        return self.well and not self.alerts


@dataclass(slots=True)
class Timeline:
    """What was said after a part had been stopped, second by second; only what was new is kept."""

    part: str
    rows: list[tuple[float, str, Said]] = field(default_factory=list)
    back_s: float = 0.0
    """How long after the part went on all was well again."""

    def add(self, at_s: float, mark: str, said: Said) -> None:
        """Note what is said, where it is not what was said before."""
        if mark or not self.rows or self.rows[-1][2] != said:
            self.rows.append((at_s, mark, said))

    def table(self) -> str:
        """The timeline as Markdown."""
        lines = [
            f"| s | {self.part} | board | feed | tables | `/duty` | alerts |",
            "| --: | --- | --- | --- | --- | --- | --- |",
        ]
        for at_s, mark, said in self.rows:
            cells = (f"{at_s:.0f}", mark, said.board, said.feed, said.tables, said.duty, said.alerts)
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)


@dataclass(slots=True)
class Watch:
    """Everything that is looked at each second."""

    site: Playing
    prometheus: Prometheus
    page: Page
    threads: ThreadPoolExecutor

    def look(self) -> Said:
        """Ask all at once; what does not answer within a second is said to be silent."""
        feed = self.threads.submit(_or_nothing, self._feed)
        tables = self.threads.submit(_or_nothing, self._tables)
        duty = self.threads.submit(_or_nothing, self._duty)
        alerts = self.threads.submit(self._alerts)
        board = str(self.page.evaluate(BOARD))
        return Said(board, feed.result(), tables.result(), duty.result(), alerts.result())

    def _feed(self) -> str:
        now = json.loads(self.site.read(f"/boards/{self.site.link}/feed?format=json", 0.8))
        return "fresh" if now["fresh"] else f"not fresh, {now['state']['status']}"

    def _tables(self) -> str:
        metrics = read_metrics(self.site.read_tables("/metrics", 0.8))
        opened = [value for (name, _), value in metrics.items() if name == "tablelink_jackpot_open"]
        reasons = sorted(
            dict(labels)["reason"]
            for (name, labels), value in metrics.items()
            if name == "tablelink_jackpot_closed" and value
        )
        counted = ", ".join(f"{reasons.count(reason)} {reason}" for reason in dict.fromkeys(reasons))
        words = [f"{int(sum(opened))} open"]
        if len(opened) - sum(opened):
            words.append(f"{int(len(opened) - sum(opened))} closed" + (f" ({counted})" if counted else ""))
        return ", ".join(words)

    def _duty(self) -> str:
        now = json.loads(self.site.read(f"/duty/now?link={self.site.link}", 0.8))
        return "ready" if now["ready"] else "not ready: " + ", ".join(sorted(now["not_ready"]))

    def _alerts(self) -> str:
        found = [
            (one["state"], one["labels"]["alertname"].removeprefix("Jackpot"))
            for one in self.prometheus.alerts()
            if one["labels"]["severity"] != "none"
        ]
        return ", ".join(
            f"{state}: {' '.join(sorted({name for its, name in found if its == state}))}"
            for state in ("firing", "pending")
            if any(its == state for its, _ in found)
        )


def read_metrics(text: bytes) -> Mapping[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Return every series of an exposition, by its name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


def _or_nothing(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except OSError:
        return NOTHING


def parts(site: Playing) -> Mapping[str, Sequence[int]]:
    """The parts that can be stopped, and their processes."""
    assert site.server.process is not None
    assert site.servers.postgres_pid is not None
    assert site.servers.valkey_pid is not None
    return {
        "server": [site.server.process.pid],
        "Redis": [site.servers.valkey_pid],
        "Postgres": [site.servers.postgres_pid],
    }


@contextmanager
def standing_still(pids: Sequence[int]) -> Iterator[None]:
    """Stop processes and their children; they go on when the context is left, however it is."""
    family = [one for pid in pids for one in family_of(pid)]
    for pid in family:
        _signalled(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in reversed(family):
            _signalled(pid, signal.SIGCONT)


def _signalled(pid: int, what: signal.Signals) -> None:
    """Send a signal to a process; one that has ended needs none."""
    with suppress(ProcessLookupError):
        os.kill(pid, what)


def family_of(pid: int) -> Iterator[int]:
    """A process, its children and theirs; of one that ends meanwhile, as a worker of Postgres does, none."""
    yield pid
    with suppress(FileNotFoundError, ProcessLookupError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from family_of(int(child))


def exercise(watch: Watch, part: str, seconds: float, on_s: float = 0.0) -> Timeline:
    """Stop a part for so many seconds of this machine's own time, watch until all is well again, and `on_s` more.

    Raises AssertionError where it does not come back by itself.
    """
    timeline = Timeline(part)

    def follow(until_s: float, mark: str, *, well: bool = False) -> bool:
        while (at_s := passed() - began) < until_s:
            said = watch.look()
            timeline.add(at_s, mark, said)
            if well and said.well:
                return True
            mark = ""
            time.sleep(max(0.0, 1.0 - (passed() - began - at_s)))
        return False

    with own_time() as passed:
        timeline.add(0.0, "", watch.look())
        began = passed()
        with standing_still(parts(watch.site)[part]):
            follow(seconds, "stopped")
        went_on_s = passed() - began
        back = follow(went_on_s + BACK_WITHIN_S, "goes on", well=True)
        timeline.back_s = passed() - began - went_on_s
        follow(went_on_s + timeline.back_s + on_s, "")
    assert back, f"{part}: not as before within {BACK_WITHIN_S:.0f} s\n{timeline.table()}"
    return timeline


@contextmanager
def watched_site(folder: Path, tables: int = 4) -> Iterator[Watch]:
    """A site at play that is watched by Prometheus and shown on a board."""
    with playing(folder / "site", tables=tables, pace_s=3.0, play_on_after_s=5) as site:
        config = own_config(folder, site.server_address, site.tables_address, site.link, RULES)
        with prometheus(folder, config) as running, browsing() as browser, ThreadPoolExecutor(4) as threads:
            page = browser.new_page()
            page.goto(f"http://{site.server_address}/boards/{site.link}")
            watch = Watch(site, running, page, threads)
            until(lambda: set(running.targets().values()) == {"up"}, "both programs are read", site.server)
            until(lambda: watch.look().well_and_quiet, "all is well to begin with", site.server)
            yield watch


def accounts(site: Playing) -> Mapping[str, Any]:
    """Audit the ledger as a stranger would; return what the audit says."""
    command = [sys.executable, "-m", "jackpot", "audit", "--json", "--database-url", site.servers.auditor_url]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Stop each part for so many seconds, print the timelines, and audit."""
    parser = argparse.ArgumentParser(description="Stop each part of a playing site for a while and say what was said.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--parts", nargs="*", default=["server", "Redis", "Postgres"])
    asked = parser.parse_args()
    for part in asked.parts:  # each at a site of its own: alerts go on for five minutes
        with tempfile.TemporaryDirectory(prefix="stopped-") as folder, watched_site(Path(folder)) as watch:
            timeline = exercise(watch, part, asked.seconds, on_s=ON_S)
            _say(f"\n### {part}\n\n{timeline.table()}\n\nAll was as before {timeline.back_s:.0f} s after it went on.")
            _say(f"The audit afterwards: {json.dumps(accounts(watch.site))}")


def _say(words: str) -> None:
    print(words, flush=True)  # noqa: T201 - a program prints


if __name__ == "__main__":
    main()
