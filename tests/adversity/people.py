"""What do two people do to rounds while a site is broken? By the commands that they would type, on the ledger itself.

`OPEN` is what is done to the round that a table plays now, `LAST` to the last one that it recorded.
"""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Mapping
from typing import Any

from typer.testing import CliRunner

from jackpot.cli import acts
from jackpot.cli.app import app
from jackpot.core.state import QUARANTINED, LinkState, OpenRound
from tests.adversity.site import Site
from tests.support.playing import until

__all__ = ["end_again", "people", "said", "word"]

BY = ("--by", "Ann (manager)", "--with", "Ben (supervisor)", "--reason", "the table cannot be reached")
MANAGER = ("--manager", "Mo (gaming manager)")
FRAUD = ("--directed-by", "Sue (supervisor)", "--direction", "marked cards")
ON_ITS_WAY_S = 0.3
"""What was under way when a line was held is decided after so long."""


def people(site: Site, act: str, table: str, how: str = "late") -> None:
    """Have two people end, or change, the round that a table plays; returns when its program can hear of it.

    `late`: the table's words are held, and come after that; `lost`: they are swallowed, and its connection is reset;
    `dead`: its program is killed.
    """
    opened = _caught(site, table, how)
    _ACTS[act](site, opened)
    if how == "dead":
        site.start("tables")
        return
    if how == "lost":
        site.lines.do("tables", "cut")
    site.lines.do("tables", "clear")


def _caught(site: Site, table: str, how: str) -> OpenRound:
    """Have a round of a table stand still that is open in the ledger, with accepted wagers, and return it."""
    found: list[OpenRound] = []

    def stands() -> bool:
        if _open_round(site, table) is None:
            return False
        if how == "dead":
            os.kill(site.pid("tables"), signal.SIGKILL)
        else:
            site.lines.do("tables", "hold", "both")
        time.sleep(ON_ITS_WAY_S)
        opened = _open_round(site, table)
        if opened is not None:
            found.append(opened)
        elif how == "dead":
            site.start("tables")
        else:
            site.lines.do("tables", "clear")
        return bool(found)

    until(stands, f"{table} plays a round with the jackpot")
    return found[0]


def end_again(site: Site, place: str, act: str) -> None:
    """Have two people end a round again that is open: `table/journal/number`."""
    table, journal, number = place.split("/")
    state = asyncio.run(acts.read_state(site.url("service"), site.link))
    _ACTS[act](site, state.rounds[table, int(journal), int(number)])


def said(site: Site, *words: str) -> Mapping[str, Any]:
    """Run a command to its end; give its object."""
    done = CliRunner().invoke(app, [*words, "--database-url", site.url("service"), "--json"])
    assert done.exit_code == 0, (words, done.stdout, done.stderr, done.exception)
    told: Mapping[str, Any] = json.loads(done.stdout)
    return told


def _open_round(site: Site, table: str) -> OpenRound | None:
    state = asyncio.run(acts.read_state(site.url("service"), site.link))
    return next((one for key, one in state.rounds.items() if key[0] == table and one.accepted), None)


def _void(site: Site, opened: OpenRound) -> None:
    said(site, "round", "void", *_at(opened), "--rule", "14.9", *BY)


def _void_seat(site: Site, opened: OpenRound) -> None:
    said(site, "round", "void", *_at(opened), "--rule", "14.8", "--seat", str(min(opened.accepted)), *BY)


def _forfeit(site: Site, opened: OpenRound) -> None:
    said(site, "round", "void", *_at(opened), "--rule", "16.6", "--forfeit", str(min(opened.accepted)), *FRAUD, *BY)


def _record(site: Site, opened: OpenRound) -> None:
    file = site.data / f"{opened.table}-{opened.round}.json"
    file.write_text(json.dumps(_nothing(opened)))
    said(site, "round", "record", *_at(opened), "--file", str(file), *BY, *MANAGER)


def _at(opened: OpenRound) -> tuple[str, str]:
    return opened.table, str(opened.round)


def _nothing(opened: OpenRound) -> Mapping[str, Any]:
    """A record of the round by which nobody wins: no hand was shown, by the dealer's word."""
    seats = [{"seat": seat, "ante_cents": 1000, "jackpot_cents": 100} for seat in sorted(opened.accepted)]
    return {"seats": seats, "capture": "claims", "no_other_hand": True, "declared_by": "Dee (dealer)"}


def word(site: Site, table: str) -> None:
    """Give a supervisor's word on a table once its round is over, if that quarantined it.

    Its record may have been on its way already, with a seat that people had voided meanwhile.
    """
    states: list[LinkState] = []

    def over() -> bool:
        states[:] = [asyncio.run(acts.read_state(site.url("service"), site.link))]
        return not any(key[0] == table for key in states[0].rounds)

    until(over, f"a round of {table} is over")
    if states[0].tables[table].status == QUARANTINED:
        said(
            site, "table", "journal", table, "--by", "Sue (supervisor)", "--reason", "a seat was void before its record"
        )


_ACTS: Mapping[str, Callable[[Site, OpenRound], None]] = {
    "void": _void,
    "void-seat": _void_seat,
    "forfeit": _forfeit,
    "record": _record,
}
