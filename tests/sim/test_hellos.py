"""A hello that was long on its way: its table has left and said another since, and it is of before (PROTOCOL 1)."""

import random
from unittest.mock import patch

import pytest

from jackpot.core.state import LINKED
from tests.sim.hosts import Host
from tests.sim.programs import Action, Played, play
from tests.sim.settling import settle_down
from tests.sim.test_cases import MINUTE_US, until, world_of
from tests.sim.world import World

HISTORIES = range(4)
LINES = ("go", "go", "pause_server", "cut", "time", "kill_table")


def history(number: int) -> Played:
    """Processes that stand still for up to a minute, with hellos in their sockets, while tables go to the other one."""
    chance = random.Random(number)
    kinds = [chance.choice(LINES) for _ in range(80)]
    return play(number, [Action(kind, chance.getrandbits(20), chance.getrandbits(27)) for kind in kinds])


@pytest.mark.parametrize("number", HISTORIES)
def test_a_late_hello_quarantines_nobody(number: int) -> None:
    """Whoever wakes with it in hand sees that its table has left, and has nothing decided."""
    played = history(number)
    assert played.violation is None
    assert played.faults["pause_server"] > 5


def test_a_late_hello_that_counted_would_be_seen() -> None:
    """Without that look a table that did nothing wrong is quarantined for a number that does not rise."""
    with patch.object(Host, "_left", lambda _self, _wire: False):
        found = [played.violation for number in HISTORIES if (played := history(number)).violation is not None]
    assert {one.rule for one in found} == {"a table whose spool is its own is not quarantined"}


@pytest.mark.parametrize("place", ["load", "post"])
def test_a_process_that_stood_still_with_a_hello_half_done_decides_it_no_more(place: str) -> None:
    """It was reading the ledger, or had decided; its table went to the other process, which the ledger knows by now."""
    with world_of({}) as world:
        until(world, lambda: bool(posters(world, place)))
        (late,) = posters(world, place)
        waiting = {wire.table.name for wire in late.wires if wire.greeted}
        assert waiting
        late.paused_until_us = world.now_us + MINUTE_US
        until(world, lambda: all(world.ledger.rows.tables[name].connection > 1 for name in waiting))
        late.paused_until_us = world.now_us
        settle_down(world)
        assert {world.ledger.rows.tables[name].status for name in waiting} == {LINKED}


def posters(world: World, place: str) -> list[Host]:
    """The processes whose poster waits at a place."""
    hosts = [host for host in world.hosts.values() if host is not None]
    return [host for host in hosts if any((one.name, one.at.place) == ("poster", place) for one in host.strands)]
