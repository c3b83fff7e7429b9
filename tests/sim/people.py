"""What two people do at the server to a round that its table still plays: the table hears of it, or plays on first."""

import random
from typing import Any

import msgspec

from jackpot.core.amendments import Forfeited, RecordTyped, VoidOpen
from jackpot.core.commands import command_of
from jackpot.core.state import OpenRound
from jackpot.wire.codec import encode
from jackpot.wire.ids import VOID_OF_TWO
from jackpot.wire.messages import Void
from rules.irregularities.voiding import FORFEITS
from tests.sim.tables import TableMachine
from tests.sim.world import World
from tests.support.hands import record_line

PRIZES = ("", "", "royal_flush", "straight_flush", "full_house")


def end_open(world: World, a: int, b: int) -> None:
    """Two people void a round under way or seats of it, forfeit a wager of it, or type its record in."""
    for extra in range(200):
        found = [(one, opened) for one in world.agents() if (opened := _open_round(world, one)) is not None]
        if found and not world.office.busy:
            break
        world.go(a + extra, 1)
    else:
        return
    table, opened = found[a % len(found)]
    if b % 4:
        # Nobody at the table does anything before it has heard what was decided.
        world.stand_still.add((opened.table, opened.journal, opened.round))
    world.faults["ended_by_people"] += _act(world, opened, random.Random(b))
    if b % 3 == 0:
        table.partitioned_until_us = world.now_us + b % 5_000_000
        world.faults["partition"] += 1


def _open_round(world: World, table: TableMachine) -> OpenRound | None:
    """The round under way at a table where its wagers were accepted and it is lit."""
    under_way = table.desk.dealing.round
    if table.clone or under_way is None or not under_way.accepted or under_way.amended:
        return None
    opened: OpenRound | None = world.ledger.rows.rounds.get((table.name, under_way.journal, under_way.number))
    return opened if opened is not None and opened.runs else None


def _act(world: World, opened: OpenRound, chance: random.Random) -> bool:
    at: dict[str, Any] = {"table": opened.table, "journal": opened.journal}
    at |= {"month": opened.month, "round": opened.round}
    people: dict[str, Any] = {"by": world.office.person(), "second": world.office.person()}
    seats = sorted(opened.accepted)
    what = chance.choice(("void", "void", "seats", "forfeit", "record"))
    if what in {"void", "seats"}:
        named = [chance.choice(seats)] if what == "seats" else []
        frame = Void(**at, revision=VOID_OF_TWO, rule="CSP 16.5", **people, seats=named)
        world.office.post(command_of(encode(frame)), twice=chance.random() < 0.2, patient=False)
        return True
    people["reason"] = "film"
    if what == "forfeit":
        directed = (Forfeited(chance.choice(seats), "Sue", "fraud"),)
        world.office.act(VoidOpen(**at, **people, revision=2, rule=FORFEITS, forfeits=directed), patient=False)
        return True
    own = next(each for each in world.ledger.rows.terms if each.fingerprint == opened.terms).terms
    words = [f"{seat}={prize}" if (prize := chance.choice(PRIZES)) else f"{seat}" for seat in seats]
    try:
        record = record_line({**at, "revision": 1}, words, opened.accepted, own, opened.terms)
    except ValueError:
        return False
    act = RecordTyped(**at, **people, record=msgspec.Raw(record), manager=world.office.person())
    world.office.act(act, patient=False)
    return True
