"""Gaming months as a stranger reckons them, what must hold of them, and clocks that come to a month's end (PROTOCOL 1).

A round keeps the month it was numbered in, whenever it ends. Which month it is say the servers' clocks, in the time
zone of the terms, and never a table's: a table is told it once a batch stands in it.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.sim.wires import UP

SECOND_US = 1_000_000
DAY_US = 86_400 * SECOND_US
ZONE, DAY_BEGINS = ZoneInfo("Australia/Sydney"), timedelta(hours=6)
"""Of the terms of every history."""
Key = tuple[str, int, int]


def month_at(time_us: int) -> str:
    """The gaming month of a moment: that of the day which began last."""
    there = datetime.fromtimestamp(time_us // SECOND_US, tz=UTC).astimezone(ZONE).replace(tzinfo=None)
    return f"{there - DAY_BEGINS:%Y-%m}"


def end_of_month(time_us: int) -> int:
    """The first moment of the month after that of a moment."""
    year, month = map(int, month_at(time_us).split("-"))
    begins = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=ZONE) + DAY_BEGINS
    return int(begins.timestamp()) * SECOND_US


class Months:
    """The months that rounds, journals and words of the servers are of."""

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.of: dict[Key, str] = {}
        """Of each round, as its first message has it."""
        self.turned = 0
        """How often a journal went on in another month."""
        self._told: defaultdict[str, set[str]] = defaultdict(set)
        """What each table was told."""
        self._journals: dict[tuple[str, int], tuple[int, str]] = {}
        """Of each journal, the last round with accepted wagers, and its month."""

    def next_life(self) -> "Months":
        """The same for a ledger that was brought back: tables remember what they were told, and all else is anew."""
        after = Months()
        after._told, after.turned = self._told, self.turned
        return after

    def faults(self, command: dict[str, Any], time_us: int, cloned: set[str]) -> Iterator[str]:
        """Name what a command, decided at a moment, has of another month than it must.

        Cloned tables may deal a round again that they do not remember, in another month: there people look.
        """
        said, answer = command["command"], command["answer"]
        said = said.get("message", said) if said["kind"] in {"signed", "handed_in"} else said
        said = said.get("message", said) if said["kind"] == "signed" else said
        if "month" not in said or "round" not in said or answer["kind"] == "refused":
            return
        key = (said["table"], said["journal"], said["round"])
        if self.of.setdefault(key, said["month"]) != said["month"] and key[0] not in cloned:
            yield f"{command['id']}: the round began in {self.of[key]}"
        if said["month"] > month_at(time_us):
            yield f"{command['id']}: it is only {month_at(time_us)}"
        if answer["kind"] == "wagers":
            last, month = self._journals.get(key[:2], (0, said["month"]))
            if key[2] > last:
                if said["month"] < month and key[0] not in cloned:
                    yield f"{command['id']}: round {last} was of {month} already"
                self.turned += said["month"] > month
                self._journals[key[:2]] = (key[2], said["month"])

    def told(self, table: str, month: str, time_us: int) -> Iterator[str]:
        """Note the month that a table is told by a server that knows the ledger up to a batch of this time."""
        self._told[table].add(month)
        if month and month != month_at(time_us):
            yield f"{table} is told that it is {month}, and the ledger is in {month_at(time_us)}"

    def wrote(self, table: str, name: str) -> Iterator[str]:
        """Hold a message in a spool against what its table was ever told."""
        month = name.split("/")[2]
        if month not in self._told[table]:
            yield f"{name}: of a month that nobody told it, only of {sorted(self._told[table])}"


def month_ends(world: Any, a: int, b: int) -> None:
    """Every clock comes to the end of a month within seconds, sooner with wagers on their way or a round open."""
    for extra in range(60 if b % 3 else 0):
        asked = any(b'"kind":"wagers"' in frame for wire in world.wires for frame in wire.ways[UP].frames)
        waiting = [one for one in world.agents() if (now := one.desk.dealing.round) and (now.accepted or b % 2)]
        if asked or (b % 3 == 1 and waiting):
            break
        world.go(a + extra, 1)
    now_us = world.wall_us
    world.clocks_moved_us += max(0, end_of_month(now_us) - now_us - b % (4 * SECOND_US))
    world.faults["month_end"] += 1


def table_clock(world: Any, a: int, b: int) -> None:
    """The clock of a table's computer is wrong by minutes or months, also after it is started again."""
    names = sorted(world.tables)
    world.table_clocks_us[names[a % len(names)]] = (b % 81 - 40) * DAY_US + b % DAY_US
    world.faults["table_clock"] += 1
