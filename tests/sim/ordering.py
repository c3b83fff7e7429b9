"""Two tables' prizes from one meter of which the later may have come first, and who decides which (PROTOCOL 7)."""

from collections.abc import Callable
from typing import TypeVar

from rules.terms import prize_named
from tests.sim.tables import TableMachine
from tests.sim.world import World

T = TypeVar("T")
SECOND_US = 1_000_000
LONG_US = 3_600 * SECOND_US
MOST_LOOKS = 150


def late_prize(world: World, a: int, b: int) -> None:
    """A table falls silent with a prize of a meter in its cards; others draw on that meter; then its record comes."""
    for one in world.agents():
        one.be_lucky(1 + b % 2)
    found = _played_on(world, a, lambda: [one for one in world.agents() if not one.clone and holds_a_prize(one)])
    if not found:
        return
    table = found[a % len(found)]
    table.paused_until_us = world.now_us + LONG_US
    since, wanted = world.ledger.rows.head.commit, 1 + b % 2
    _played_on(world, a, lambda: not table.alive or len(drawn_since(world, since)) >= wanted)
    table.paused_until_us = world.now_us
    world.faults["pause_table"] += 1
    for extra in range(MOST_LOOKS if drawn_since(world, since) else 0):
        if not table.alive or table.desk.dealing.round is None:
            return
        world.go(a + extra, 4)


def _played_on(world: World, number: int, seen: Callable[[], T]) -> T:
    """Play on until something is seen, or for long enough; a manager lets prizes pass open rounds meanwhile."""
    for extra in range(MOST_LOOKS):
        if found := seen():
            return found
        if not world.office.busy:
            world.office.move_hit(number + extra, manager=True)
        world.go(number + extra, 8)
    return seen()


def decide(world: World, a: int, b: int) -> None:
    """People say of hits that wait for it which order holds, one dispute after the other."""
    for extra in range(1 + b % 3):
        if world.office.busy or not world.amendments.decide_order(a + extra):
            return
        world.go(a + extra, 15)


def holds_a_prize(table: TableMachine) -> bool:
    """Whether a round is under way at a table with accepted wagers, one of them on a hand that wins from a meter."""
    under_way = table.desk.dealing.round
    if under_way is None or not under_way.accepted:
        return False
    prizes = table.prizes(under_way.number)
    return any(prizes.get(seat) and prize_named(table.terms, prizes[seat]).pool for seat in under_way.accepted)


def drawn_since(world: World, commit: int) -> set[tuple[str, int, int]]:
    """The rounds that drew on a meter after a commit."""
    return {key[:3] for key, hit in world.ledger.rows.hits.items() if hit.commit > commit and hit.from_meter}
