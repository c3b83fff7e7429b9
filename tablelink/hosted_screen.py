"""What a hosted table that people drive shows: lines for people at a terminal, or an object a line for a device.

On a terminal the whole table after each act, eighty columns wide; where lines come from a file, what has changed.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.text import Text

from rules.money import money
from rules.play import MoveRefused
from rules.tables import ActRefused
from tablelink.core.floor import ASKS, Floor, NotUnderstood, readable
from tablelink.core.floor.given import Made, Tick, Undo
from tablelink.core.floor.showing import acts, header, legal, next_words, seat_lines, signs
from tablelink.core.hosting import Statement, words
from tablelink.hosted_console import Heard
from tablelink.hosted_floor import FloorSpool
from tablelink.hosted_notices import entry_words
from tablelink.hosted_output import HostedTelemetry, many

__all__ = ["DeviceLines", "Terminal"]

LAST_NOTICES: Final = 20
"""How many notices `log` shows."""
ACTS_A_LINE: Final = 5
"""Names in eighty columns."""
MOST_AREAS: Final = 3
"""Areas that are named; more are counted."""
_QUIET: Final = "bright_black"
_SAID_ALONE: Final = {
    "undo": "takes back the last move of the round; an act, which is written down, is not undone",
    "next": "makes the move that NEXT names, as an empty line does",
    "help": "the moves that are legal now, and the acts; help NAME: one of them; help all: every act",
    "table": "the table as it stands",
    "signs": "what the signs show now, and from when on",
    "log": "what was told and written down last",
    "quit": "ends the program; the same command goes on from here",
}
"""What a line of one word does that is neither move nor act."""

_CENTS: Final = re.compile(
    r"\b(?P<of>(?:minimum|maximum|steps|required|denomination) of )?(?P<cents>[0-9]{1,15})(?P<unit> cents)?\b"
)
"""An amount in a refusal's reason: so many cents, or what a minimum is of."""

_encode = msgspec.json.Encoder().encode


class _Counted:
    """Counts what happens, for metrics."""

    def __init__(self, telemetry: HostedTelemetry) -> None:
        self._telemetry = telemetry

    def count(self, heard: Heard) -> None:
        """Count a move, or a round."""
        if heard.changed is None:
            if isinstance(heard.refused, MoveRefused):
                self._telemetry.move_refused()
            return
        if isinstance(heard.given, Made):
            self._telemetry.moved()
        if heard.changed.statement is not None:
            self._telemetry.settled(heard.changed.statement)


class Terminal:
    """A table on a terminal, or as a transcript."""

    def __init__(self, telemetry: HostedTelemetry, console: Console, *, typed_here: bool) -> None:
        """`typed_here` says that the lines are typed at the same terminal: then it has shown them already."""
        self._counted = _Counted(telemetry)
        self._console = console
        self._typed_here = typed_here
        self._shown: tuple[str, ...] = ()
        self._behind = False
        """Whether more was taken of a line than the table that is shown has."""

    def begin(self, floor: Floor) -> None:
        """Show the table as it stands, whole."""
        self._table(floor, whole=True)
        self._ahead(floor)

    def typed(self, text: str) -> None:
        """Show a line that came from a file."""
        if not self._typed_here:
            self._say(Text(f"> {readable(text)}", "bold"))

    def heard(self, heard: Heard) -> None:
        """Show what something that was said came to."""
        self._counted.count(heard)
        if heard.changed is None:
            self._say(Text.assemble(("no  ", "bold red"), in_dollars(readable(str(heard.refused)))))
            if self._behind:
                self._behind = False
                self._table(heard.floor, whole=self._typed_here)
                self._ahead(heard.floor)
            else:
                self._prompt()
            return
        self._behind = heard.more
        for entry in heard.changed.written:
            self._say(Text.assemble(("written  ", _QUIET), entry_words(entry)))
        if heard.changed.statement is not None:
            self._statement(heard.changed.statement)
        if not heard.more:
            self._table(heard.floor, whole=self._typed_here)
        for due in heard.changed.told:
            self._say(Text.assemble(("▲ ", "bold yellow"), readable(str(due))))
        if not heard.more:
            self._ahead(heard.floor)

    def not_understood(self, line: int, error: NotUnderstood, floor: Floor) -> None:
        """Show that a line said nothing."""
        del line, floor
        self._say(Text.assemble(("?   ", "bold yellow"), readable(str(error))))
        self._prompt()

    def asked(self, line: int, name: str, floor: Floor, spool: FloorSpool) -> None:
        """Answer a question."""
        del line
        if name == "table":
            self._table(floor, whole=True)
        elif name == "signs":
            for sign in signs(floor):
                self._say(Text(sign))
        elif name == "log":
            for notice in spool.notices(LAST_NOTICES):
                self._say(Text(notice.words))
        else:
            about = name.removeprefix("help").strip()
            for said in _explained(floor, about) if about else _helped(floor):
                self._say(said)
        self._ahead(floor)

    def end(self, spool: FloorSpool) -> None:
        """Show what the spool holds."""
        held = spool.totals()
        self._say(
            Text(
                f"In the spool: {many(held['rounds'], 'round')}, staked {money(held['staked_cents'])}, paid "
                f"{money(held['paid_cents'])}, returned {money(held['returned_cents'])}."
            )
        )

    def _table(self, floor: Floor, *, whole: bool) -> None:
        """The table: whole, or the lines of it that have changed."""
        lines = (header(floor), *seat_lines(floor))
        for place, line in enumerate(lines):
            if whole or line not in self._shown:
                self._say(Text(line, "bold" if place == 0 else ""))
        self._shown = lines

    def _statement(self, done: Statement) -> None:
        """The lines of a settled round, and what each player is up or down."""
        for line in done.said["lines"]:
            paid = f"paid {money(line.paid_cents)}" if line.paid_cents else ""
            back = f"returned {money(line.returned_cents)}" if line.returned_cents else ""
            amounts = "  ".join(part for part in (paid, back) if part)
            said = f"{line.seat:>2} {line.wager.replace('_', ' '):<18} {money(line.stake_cents):>11}  {line.outcome:<9}"
            self._say(Text.assemble(f"{said} {amounts:<34}".rstrip(), ("  " + ", ".join(line.rules), _QUIET)))
        net = "  ".join(f"seat {each['seat']} {money(each['net_cents'])}" for each in done.said["net"])
        self._say(Text(f"round {done.number} is settled  {net}".rstrip(), "bold green"))
        for note in done.said["notes"]:
            self._say(Text(f"   {in_dollars(readable(str(note)))}"))

    def _ahead(self, floor: Floor) -> None:
        self._say(Text.assemble(("NEXT  ", "bold yellow"), next_words(floor)))
        self._prompt()

    def _prompt(self) -> None:
        if self._typed_here:
            self._console.print("> ", end="")

    def _say(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)


class DeviceLines:
    """A table for a device: an object a line."""

    def __init__(self, telemetry: HostedTelemetry, write: Callable[[str], object]) -> None:
        """Give each line to `write`."""
        self._counted = _Counted(telemetry)
        self._write = write

    def begin(self, floor: Floor) -> None:
        """Say how the table stands."""
        self._say(_state(floor) | {"seats": seat_lines(floor)})

    def typed(self, text: str) -> None:
        """Say nothing: the device knows what it sent."""

    def heard(self, heard: Heard) -> None:
        """Say what something that was said came to."""
        self._counted.count(heard)
        said: dict[str, Any] = {} if heard.line is None else {"line": heard.line}
        said["said"] = _name(heard.given)
        if heard.changed is None:
            self._say(said | _refusal(heard.refused) | _state(heard.floor))
            return
        changed = heard.changed
        if changed.told:
            said["told"] = changed.told
        if changed.written:
            said["written"] = changed.written
        if changed.statement is not None:
            said["settled"] = changed.statement.said
        if changed.revised is not None:
            said["revised"] = changed.revised.said
        self._say(said | _state(heard.floor))

    def not_understood(self, line: int, error: NotUnderstood, floor: Floor) -> None:
        """Say what is wrong with a line."""
        fault = {"line": line, "field": error.field, "value": error.value, "error": error.reason}
        self._say(fault | _state(floor))

    def asked(self, line: int, name: str, floor: Floor, spool: FloorSpool) -> None:
        """Answer a question."""
        said: dict[str, Any] = {"line": line, "said": name} | _state(floor)
        if name == "table":
            said["seats"] = seat_lines(floor)
        elif name == "signs":
            said["signs"] = signs(floor)
        elif name == "log":
            said["notices"] = [each.said for each in spool.notices(LAST_NOTICES)]
        else:
            said["moves"] = legal(floor)
            said["acts"] = [{"name": each, "usage": usage, "rule": rule} for each, usage, _, rule in acts(floor)]
        self._say(said)

    def end(self, spool: FloorSpool) -> None:
        """Say what the spool holds."""
        self._say({"spool": spool.totals()})

    def _say(self, said: dict[str, Any]) -> None:
        self._write(_encode(said).decode())


def in_dollars(reason: str) -> str:
    """A refusal's reason with its amounts as people read them.

    >>> in_dollars("WAR 6.1: place: 200 cents are below the minimum of 500")
    'WAR 6.1: place: $2.00 are below the minimum of $5.00'
    """

    def dollars(found: re.Match[str]) -> str:
        named = found["of"] or ""
        return f"{named}{money(int(found['cents']))}" if named or found["unit"] else found[0]

    return _CENTS.sub(dollars, reason)


def _state(floor: Floor) -> dict[str, Any]:
    state = "closed" if floor.around.state == "closed" else floor.at.state
    return {"round": floor.number, "state": state, "next": next_words(floor)}


def _name(given: object) -> str:
    if isinstance(given, Tick):
        return "due"
    return "undo" if isinstance(given, Undo) else str(getattr(given, "name", ""))


def _refusal(refused: Exception | None) -> dict[str, Any]:
    if isinstance(refused, MoveRefused):
        return {"refused": {"rule": refused.rule, "reason": refused.reason, "move": words(refused.move)}}
    if isinstance(refused, ActRefused):
        return {"refused": {"rule": refused.rule, "reason": refused.reason}}
    return {"refused": {"rule": "", "reason": str(refused)}}


def _helped(floor: Floor) -> Iterator[Text]:
    """The moves that are legal now, each with its rule, and the names of the acts: on one screen."""
    for each in legal(floor):
        seats = "seat " + " ".join("dealer" if seat == 0 else str(seat) for seat in each.seats) if each.seats else ""
        areas = ", ".join(each.areas) if len(each.areas) <= MOST_AREAS else f"one of {len(each.areas)} areas"
        where = "  ".join(part for part in (seats, areas) if part)
        yield Text.assemble((f"{each.name:<18} ", "bold"), f"{where:<42} ", (each.rule, _QUIET))
    names = [f"{name:<16}" for name, _, _, _ in acts(floor)]
    for place in range(0, len(names), ACTS_A_LINE):
        yield Text("".join(names[place : place + ACTS_A_LINE]).rstrip(), "cyan")
    asks = ", ".join(each for each in ASKS if each != "help")
    yield Text(f"help NAME, help all, undo; an empty line: what NEXT is; {asks}")


def _explained(floor: Floor, name: str) -> Iterator[Text]:
    """What is typed for an act, what it does and by which rule; of all of them, where all are asked for.

    Of a move what follows its name, and, while it is legal, every area that it can be made on.
    """
    known = acts(floor)
    for act, usage, about, rule in known:
        if name in {"all", act}:
            yield Text.assemble((f"{act} ", "bold cyan"), usage, (f"  {about} ({rule})", _QUIET))
    if name == "all" or name in [act for act, _, _, _ in known]:
        return
    if name in _SAID_ALONE:
        yield Text.assemble((f"{name}  ", "bold cyan"), _SAID_ALONE[name])
        return
    if name not in floor.play.places:
        yield Text(f"no act of this book, and no move of its rounds: {readable(name)}")
        return
    usage = "SEAT, AREA, AMOUNT, CARDS or DICE, those that it has"
    rule = floor.play.places[name]
    yield Text.assemble((f"{name} ", "bold cyan"), usage, (f"  a move of the round ({rule})", _QUIET))
    move = next((each for each in legal(floor) if each.name == name), None)
    if move is None:
        yield Text(f"not while the table is at: {floor.at.state.replace('_', ' ')}")
    elif move.areas:
        yield Text(f"areas now: {', '.join(move.areas)}")
