"""What tables show of any random history, and what two royals get to the cent wherever they fall (CASES 8 and 23)."""

import random

import pytest
from msgspec import Raw

from jackpot.core.accounts import CAUSES, MICROCENTS, pool_account
from jackpot.core.chain import decode_body
from jackpot.core.commands import Command, command_of
from jackpot.core.decide import decide_all
from jackpot.core.replay import decide_again
from jackpot.core.state import LinkState
from jackpot.wire.codec import encode
from jackpot.wire.messages import SeatWager, Shown, Wagers
from jackpot.wire.snapshots import PoolShown, Published, Snapshot
from rules.terms import fingerprint
from tablelink.core.mirror import Mirror, Verdict
from tests.support.floor import MONTH, Floor
from tests.support.hands import record_line
from tests.support.histories import NEXT_MOVE, History
from tests.support.terms import demo_terms

FALLS = {"award", "reversal", "transfer", "correction", "limit", "release"}
"""Why a meter may be lower than it was."""


def snapshot_of(state: LinkState, beat: int) -> bytes:
    """A link's state as it goes over the channel, without a signature."""
    shown = [
        PoolShown(
            life.pool,
            life.epoch,
            state.balances[pool_account(life.pool)].microcents // MICROCENTS,
            life.last_fall_commit,
            life.last_fall_cause,
        )
        for life in state.pools.values()
    ]
    head = state.head
    body = Snapshot("southern", head.generation, head.commit, "running", "ab", "2026-11", shown, [], "one", beat, beat)
    return encode(Published(Raw(encode(body)), "00"))


def played(seed: int) -> tuple[list[LinkState], list[bytes]]:
    """A random history: the state after each batch, and the batches."""
    history = History(demo_terms(), 3, random.Random(seed))
    for _ in range(60):
        ends = [end for table in history.rounds if (end := history.play(table)) is not None]
        history.post()
        history.chance.shuffle(ends)
        for end in ends:
            end()
        history.post()
        while any(hit.state in NEXT_MOVE for hit in history.state.hits.values()):
            history.settle_hits()
        history.come_back()
    state = LinkState("southern")
    states: list[LinkState] = []
    bodies = [body for _, _, body in history.batches]
    for body in bodies:
        state = decide_again(state, decode_body(body)).state
        states.append(state)
    return states, bodies


@pytest.mark.parametrize("seed", range(6))
def test_every_fall_that_is_shown_names_its_cause(seed: int) -> None:
    """Case 23: whichever snapshots are lost, a table never shows a lower meter but with the cause that is on record."""
    states, bodies = played(seed)
    causes: dict[int, set[str]] = {}
    for entry in (entry for body in bodies for entry in decode_body(body).entries):
        if entry.account == "pool/main" and int(entry.microcents) < 0:
            causes.setdefault(entry.commit, set()).add(entry.cause)
    for every in (1, 2, 5):
        mirror, falls, before = Mirror("southern", lambda _data, _signature: True), 0, 0
        for beat, state in enumerate(states[::every], start=1):
            if not state.pools:
                continue
            assert mirror.receive(snapshot_of(state, beat), beat) is Verdict.TAKEN
            assert mirror.snapshot is not None
            pool = mirror.snapshot.pools[0]
            if pool.cents < before:
                falls += 1
                assert pool.last_fall_cause in FALLS & CAUSES
                assert causes[pool.last_fall_commit] == {pool.last_fall_cause}
            before = pool.cents
        assert falls > 1


def command(floor: Floor, table: str, *hand: str) -> Command:
    """The wagers of a table's first round at seat 1, or its record where a hand is named."""
    if hand:
        at = {"table": table, "journal": 1, "month": MONTH, "round": 1, "revision": 1}
        return command_of(record_line(at, hand, frozenset({1}), floor.terms, fingerprint(floor.terms)))
    placed, shown = [SeatWager(1, 500, 100, 100)], Shown(1, 0, 1, 0)
    return command_of(encode(Wagers(table, 1, MONTH, 1, 1, fingerprint(floor.terms), shown, placed)))


def test_the_second_of_two_royals_gets_the_reseeded_meter_to_the_cent() -> None:
    """Case 8: J = 120,000.00 to the first to commit; to the other the seed and what was wagered since, never less."""
    chance = random.Random(8)
    others = [f"T{number}" for number in range(3, 13)]
    floor = Floor(tables=("T1", "T2", *others))
    floor.decide(command(floor, "T1"), command(floor, "T2"))
    floor.play("given pool/main 12000000000000  so")
    wagers = [command(floor, table) for table in others]
    royals = {table: command(floor, table, "1=royal_flush") for table in ("T1", "T2")}
    for _ in range(1_000):
        mixed = chance.sample([*wagers, *royals.values()], 12)
        waiting, state = list(mixed), floor.state
        while waiting:
            size = chance.randint(1, len(waiting))
            state = decide_all(state, waiting[:size], {}, floor.time_us).state
            waiting = waiting[size:]
        first, second = sorted(mixed.index(one) for one in royals.values())
        amounts = {hit.key.table: hit.amount_cents for hit in state.hits.values()}
        assert amounts[mixed[first].table] == 12_000_000 + 22 * first
        assert amounts[mixed[second].table] == 5_000_000 + 22 * (second - first - 1)
        assert state.balances["pool/main"].microcents == (5_000_000 + 22 * (11 - second)) * MICROCENTS
