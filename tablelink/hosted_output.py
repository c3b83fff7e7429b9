"""What a hosted table shows of its rounds: a line a round for people, or an object a line for programs; and metrics.

**Never** shows a round before it is in the spool.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from prometheus_client import CollectorRegistry
from rich.console import Console
from rich.text import Text

from jackpot.serving.metrics import Declared, new_registry
from rules.games import GAMES
from rules.money import money
from rules.play import MoveRefused
from tablelink.core.hosting import Refusal, Statement, words
from tablelink.families import HOSTED_FAMILIES
from tablelink.hosted_notices import Notice, notices
from tablelink.hosted_spool import Kept, hosted_statements

__all__ = ["HostedTelemetry", "Shower", "hosted_lines", "many"]

MONEY: Final = ("staked", "paid", "returned")

_encode = msgspec.json.Encoder().encode


def many(number: int, what: str) -> str:
    """Return how many of something.

    >>> many(1, "round"), many(2, "round")
    ('1 round', '2 rounds')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


class HostedTelemetry:
    """The families of a hosted table."""

    def __init__(self, table: str, game: str) -> None:
        """Put them on a registry of their own, every series at nought."""
        self.registry: CollectorRegistry = new_registry()
        declared = Declared(HOSTED_FAMILIES, self.registry)
        self._of = (table, game)
        self._rounds = declared.counter("tablelink_hosted_rounds_total")
        self._moves = declared.counter("tablelink_hosted_moves_total")
        self._cents = declared.counter("tablelink_hosted_cents_total")
        for became in ("settled", "refused"):
            self._rounds.labels(table, game, became)
        for became in ("accepted", "refused"):
            self._moves.labels(table, game, became)
        for what in MONEY:
            self._cents.labels(table, game, what)

    def refresh(self) -> None:
        """Bring every gauge up to now: there is none."""

    def settled(self, done: Statement) -> None:
        """Count a round and its money."""
        self._rounds.labels(*self._of, "settled").inc()
        for what, cents in zip(MONEY, (done.staked_cents, done.paid_cents, done.returned_cents), strict=True):
            self._cents.labels(*self._of, what).inc(cents)

    def refused(self, refusal: Refusal) -> None:
        """Count a round that was refused, and the move that its machine refused, if it was one."""
        self._rounds.labels(*self._of, "refused").inc()
        if refusal.by_rule:
            self._moves.labels(*self._of, "refused").inc()

    def moved(self) -> None:
        """Count an accepted move."""
        self._moves.labels(*self._of, "accepted").inc()

    def move_refused(self) -> None:
        """Count a refused move."""
        self._moves.labels(*self._of, "refused").inc()


class Shower:
    """Tells people or programs what happens, and counts it."""

    def __init__(
        self,
        game: str,
        telemetry: HostedTelemetry,
        write: Callable[[str], object] | None,
        console: Console,
        *,
        counted: str = "line",
    ) -> None:
        """With `write` each round is an object on a line of its own; else `console` shows a line for people.

        `counted` is what a round's number is called: the line of a file, or the round of a table.
        """
        self._game = game
        self._telemetry = telemetry
        self._write = write
        self._console = console
        self._counted = counted

    def settled(self, done: Statement) -> None:
        """Show a settled round."""
        self._telemetry.settled(done)
        if self._write is not None:
            self._write(_encode({self._counted: done.number, **done.said}).decode())
            return
        self._show(done.number, _shown(done.said), "", done)

    def refused(self, refusal: Refusal) -> None:
        """Show a round that was refused."""
        self._telemetry.refused(refusal)
        for fault in refusal.faults:
            if self._write is not None:
                self._write(_encode({self._counted: refusal.number, **fault}).decode())
            else:
                what = ": ".join(str(fault[part]) for part in ("field", "value", "error") if fault[part])
                self._say(Text.assemble((f"{self._counted} {refusal.number:>5}  ", "bold"), ("refused  ", "red"), what))

    def moved(self) -> None:
        """Count an accepted move."""
        self._telemetry.moved()

    def move_refused(self, number: int, error: MoveRefused) -> None:
        """Show a move that was refused, to people; the totals have it for programs."""
        self._telemetry.move_refused()
        if self._write is None:
            what = f"{words(error.move)}: {error.rule}: {error.reason}"
            self._say(Text.assemble((f"{self._counted} {number:>5}  ", "bold"), ("no       ", "yellow"), what))

    def totals(self, said: dict[str, Any]) -> None:
        """Show what the run and its spool come to."""
        if self._write is not None:
            self._write(_encode(said).decode())
            return
        title, spool = GAMES[self._game].title, said["spool"]
        moves = sum(said["moves_refused"].values())
        self._say(
            Text(
                f"{title}, table {said['table']}: {many(said['rounds'], 'round')} settled here, "
                f"{said['refused']} refused, {many(moves, 'move')} refused. "
                f"In the spool: {many(spool['rounds'], 'round')}, staked {money(spool['staked_cents'])}, "
                f"paid {money(spool['paid_cents'])}, returned {money(spool['returned_cents'])}."
            )
        )

    def _show(self, number: int, shown: str, style: str, done: Statement) -> None:
        amounts = (("staked", done.staked_cents), ("paid", done.paid_cents), ("returned", done.returned_cents))
        net = done.staked_cents - done.paid_cents - done.returned_cents
        parts = [f"{name} {money(cents):>11}" for name, cents in amounts]
        line = Text.assemble((f"{self._counted} {number:>5}  ", "bold"), (f"{shown:<24}  ", style), "  ".join(parts))
        line.append(f"  house {money(net):>11}", "green" if net >= 0 else "red")
        self._say(line)

    def _say(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)


def hosted_lines(path: Path, *, as_json: bool) -> Iterator[str]:
    """A line for each round of a hosted spool that is done with: its statement, or why it was refused.

    Of a table that people drive also what was told and written down, before the statement of its round. Raises
    TableError where the file is no such spool.
    """
    waiting = list(notices(path))
    for kept in hosted_statements(path):
        while waiting and waiting[0].number <= kept.number:
            yield _notice_line(waiting.pop(0), as_json=as_json)
        yield _kept_line(kept, as_json=as_json)
    for notice in waiting:
        yield _notice_line(notice, as_json=as_json)


def _notice_line(notice: Notice, *, as_json: bool) -> str:
    return _encode(notice.said).decode() if as_json else notice.words


def _kept_line(kept: Kept, *, as_json: bool) -> str:
    body = msgspec.json.decode(kept.body)
    if as_json:
        named = {"number": kept.number, "became": kept.became, "statement": body}
        record = {} if kept.record is None else {"record": msgspec.Raw(kept.record)}
        return _encode(named | record).decode()
    if kept.became == "settled":
        net = ", ".join(f"seat {each['seat']} {money(each['net_cents'])}" for each in body["net"])
        return f"{kept.number:>6}  settled  {_shown(body):<24}  {net or 'nothing settled'}"
    return f"{kept.number:>6}  refused  {body[0]['field']}: {body[0]['error']}"


def _shown(said: Any) -> str:
    """The dice or the dealer's cards of a round, in a few words."""
    if "dice" in said:
        return f"{' '.join(map(str, said['dice']))} = {said['total']}{', triple' if said['triple'] else ''}"
    if "no_result" in said:
        return f"no result: {str(said['no_result']).replace('_', ' ')}"
    dealer = said.get("dealer")
    return str(dealer["cards"]) if dealer else "void"
