"""What people amend, in Postgres and in memory alike: posted, read back, audited, exported; a misstatement is named."""

from collections.abc import Sequence
from pathlib import Path

import asyncpg
import pytest

from jackpot.core import reopening
from jackpot.core.chain import decode_body
from jackpot.core.ports import Batch
from jackpot.core.reopening import Choices
from jackpot.core.replay import decide_again
from jackpot.core.state import LinkState
from jackpot.ledger.audit import audit
from jackpot.ledger.audit_files import audit_export
from jackpot.ledger.export import export
from jackpot.ledger.past import find_record, find_round, overpaid
from jackpot.ledger.past_rounds import PastRounds
from jackpot.ledger.store import PostgresStore
from jackpot.wire.ids import parse_hit
from tests.jackpot.ledger.conftest import Stores
from tests.support.embedded_fixture import Database
from tests.support.floor import Floor
from tests.support.golden_amended import batches
from tests.support.lives import Restored
from tests.support.running import run
from tests.support.terms import with_rulings

LONG_AGO = 66
"""Prizes that end after another, so that no state keeps it."""


def test_every_amendment_is_read_back(stores: Stores) -> None:
    """After each act the state that is read back is the one that was decided: hits, accounts, epochs, journals."""
    state = LinkState("southern")

    async def scene() -> None:
        nonlocal state
        async with stores.closing():
            store = stores.store()
            for batch in batches():
                await store.post(batch)
                state = decide_again(state, decode_body(batch.body)).state
                assert await stores.store().load() == state

    run(scene())
    assert state.balances["recovered/T1/1/1/1/house"].microcents == 10_000_000_000


def test_a_hit_of_long_ago_moves_on_where_it_ended(stores: Stores) -> None:
    """Its row and its account go on: versions without a gap, whatever other prizes ended since."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        pay_out T1/1/1/3/house                                                 paid
    """)
    _others_end(floor)
    floor.play("T1 correct 1: 3=full_house  corrected")
    run(_is_read_as_decided(stores, floor))


def test_a_prize_that_another_order_is_argued_against_is_read_however_many_ended_since(stores: Stores) -> None:
    """It was paid while a table was cut off whose royal comes after it: a server started anew has it too."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 3                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T3 record 1: 1=royal_flush                                             recorded
        pay_out T3/1/1/1/main manager=Hal reason=film                          paid
        T1 record 1: 3=royal_flush                                             recorded
    """)
    _others_end(floor)
    assert parse_hit("T3/1/1/1/main") in floor.state.hits
    run(_is_read_as_decided(stores, floor))


def test_a_prize_of_a_tables_last_round_is_read_however_many_ended_since(stores: Stores) -> None:
    """The table may still tell of that round: a server started anew knows what was won in it."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        pay_out T1/1/1/3/house                                                 paid
    """)
    _others_end(floor)
    assert parse_hit("T1/1/1/3/house") in floor.state.hits
    run(_is_read_as_decided(stores, floor))


def _others_end(floor: Floor) -> None:
    """Let more hits of another table end than a state keeps."""
    for number in range(1, LONG_AGO):
        floor.play(f"""
            T2 wagers {number}: 1                                              accepted
            T2 record {number}: 1=flush                                        recorded
            pay_out T2/1/{number}/1/house                                      paid
        """)


async def _is_read_as_decided(stores: Stores, floor: Floor) -> None:
    async with stores.closing():
        store = stores.store()
        for batch in floor.batches:
            await store.post(batch)
        assert await stores.store().load() == floor.state


async def _post(ledger: Database, made: Sequence[Batch]) -> None:
    store = PostgresStore(ledger.service_url, "southern")
    for batch in made:
        await store.post(batch)
    await store.close()


def test_the_audit_agrees_with_every_amendment(ledger: Database, tmp_path: Path) -> None:
    """On the rows and on an export alone."""

    async def scene() -> None:
        await _post(ledger, batches())
        report = await audit(ledger.auditor_url)
        assert report.differences == []
        await export(ledger.auditor_url, "southern", tmp_path)

    run(scene())
    assert audit_export(tmp_path).differences == []


THREE = """
    T1 wagers 1: 1 2 3                                                         accepted
    T1 record 1: 1=royal_flush 2=royal_flush 3=royal_flush                     recorded
"""


@pytest.mark.parametrize(
    ("before", "act"),
    [
        (THREE, "release T1/1/1/2/main by=Dee with=Eve reason=minor rule=16.1      released"),
        (THREE, "T1 correct 1: 1=royal_flush 3=royal_flush                         corrected"),
        (THREE, "T1 amend 1: 2 rule=14.8                                           void_recorded"),
        (
            """
            T2 wagers 1: 1 2                                                   accepted
            T1 wagers 1: 1                                                     accepted
            T1 record 1: 1=royal_flush                                         recorded
            T2 record 1: 1=royal_flush 2=royal_flush                           recorded
            release T1/1/1/1/main by=Dee with=Eve reason=minor rule=16.1       released
            """,
            "decide T2/1/1/1/main order=commit                                 ordered",
        ),
    ],
)
def test_whoever_has_read_the_ledger_posts_the_same(ledger: Database, before: str, act: str) -> None:
    """A person's command, or a server started anew, has a round's hits in another order than who awarded them."""
    floor = Floor()
    floor.play(before)

    async def scene() -> None:
        store = PostgresStore(ledger.service_url, "southern")
        for batch in floor.batches:
            await store.post(batch)
        floor.state = await store.load()
        floor.play(act)
        await store.post(floor.batches[-1])
        await store.close()
        assert (await audit(ledger.auditor_url)).differences == []

    run(scene())


def test_the_record_that_stands_is_found(ledger: Database) -> None:
    """The last correction's, not the first; what is owed of a hit and came back is listed."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        pay_out T1/1/1/3/house                                                 paid
        T1 correct 1: 3                                                        corrected
        recover T1/1/1/3/house cents=4000                                      recovered
    """)

    async def scene() -> None:
        await _post(ledger, floor.batches)
        found = await find_round(ledger.service_url, "southern", ("T1", 1, 1))
        assert found is not None
        assert found.next_revision == 3
        assert found.held.owed_cents == {"T1/1/1/3/house": 10_000}
        record = await find_record(ledger.service_url, "southern", found.held.recorded)
        assert record is not None
        assert record.revision == 2
        assert await find_record(ledger.service_url, "southern", 1) is None
        assert await find_record(ledger.service_url, "southern", 9_999) is None
        moved = [microcents for _, microcents, _, _ in await overpaid(ledger.service_url, "southern")]
        assert moved == [10_000_000_000, -4_000_000_000]

    run(scene())


GAPS = """
    T1 wagers 1: 1 2 3                                                         accepted
    T1 record 1: 1=flush 2 3                                                   recorded
    T1 correct 1: 1 2 3 revision=4                                             corrected
    T1 amend 1: 3 rule=14.8 revision=9                                         void_recorded
    T1 wagers 11: 1                                                            accepted
    T1 record 11: 1=flush                                                      recorded
    T1 amend 11: 1 rule=14.8                                                   void_recorded
    T1 correct 1: 1=flush 2 revision=7 manager=Mo                              corrected
"""


def test_no_act_on_a_round_is_hidden_by_a_gap(ledger: Database) -> None:
    """Revisions rise, and may leave numbers out: what was posted by hand, or before a life that was lost, counts."""
    floor = Floor()
    floor.play(GAPS)

    async def scene() -> None:
        await _post(ledger, floor.batches)
        found = await find_round(ledger.service_url, "southern", ("T1", 1, 1))
        assert found is not None
        own = floor.past.held(("T1", 1, 1))
        assert (found.past, found.held.recorded) == (own.past, own.recorded)
        assert list(found.amended) == [4, 9, 7]
        assert found.next_revision == 10
        assert (await audit(ledger.auditor_url)).differences == []

    run(scene())


def test_a_withdrawal_took_every_seat_out_whatever_its_answer_names(
    ledger: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger opened again before such voids were posted again: the answer is of a life that had a seat out before.

    Its wager went back with the others', and nobody gives it back a second time.
    """
    monkeypatch.setattr(reopening, "void_again", lambda *_given: {})
    floor = Floor()
    opening = len(floor.batches)
    floor.play("""
        T1 wagers 1: 1 2 3                                                     accepted
        T1 void 1: 2 rule=16.5 with=Ben revision=3                             voided
        T1 withdraw 1:                                                         withdrawn
        T1 record 1: 1=flush/nojackpot                                         recorded
    """)
    back = Restored(floor, opening, floor.state.tables)
    back.held = [one for one in back.held if "/void" not in one.id]
    back.reopen(Choices("Ann", "Bob"))
    made, past = [*floor.batches[:opening], *back.posted], PastRounds()
    for batch in made:
        past.take(batch)
    assert not past.of(("T1", 1, 1)).wagers

    async def scene() -> None:
        await _post(ledger, made)
        found = await find_round(ledger.service_url, "southern", ("T1", 1, 1))
        assert found is not None
        assert not found.past.wagers
        assert (await audit(ledger.auditor_url)).differences == []

    run(scene())


def test_the_row_of_an_act_that_is_gone_is_named(ledger: Database) -> None:
    """A row that a restore has lost hides no later act, and the audit says which it is."""
    floor = Floor()
    floor.play(GAPS)

    async def scene() -> None:
        await _post(ledger, floor.batches)
        owner = await asyncpg.connect(ledger.owner_url)
        await owner.execute("ALTER TABLE command DISABLE TRIGGER USER")
        await owner.execute("ALTER TABLE command_2026_11 DISABLE TRIGGER USER")
        await owner.execute("DELETE FROM command WHERE id = 'T1/1/2026-11/1/amend/4'")
        await owner.close()
        found = await find_round(ledger.service_url, "southern", ("T1", 1, 1))
        assert found is not None
        assert list(found.amended) == [9, 7]
        (difference,) = (await audit(ledger.auditor_url)).differences
        assert "T1/1/2026-11/1/amend/4" in difference

    run(scene())


BEFORE = """
    T1 wagers 1: 3                                                             accepted
    T2 wagers 1: 1                                                             accepted
    T1 record 1: 3=royal_flush                                                 recorded
    pay_out T1/1/1/3/main manager=Mo reason=film                               paid
"""


@pytest.mark.parametrize(
    ("story", "told"),
    [
        (f"{BEFORE}\nT1 correct 1: 3 corrects=8  corrected", "its corrects"),
        (
            f"{BEFORE}\nT1 correct 1: 3  corrected\nrecover T1/1/1/3/main cents=1 owed=9000000  recovered",
            "its owed_cents",
        ),
        (
            f"{BEFORE}\nT2 record 1: 1=royal_flush  recorded\ndecide T2/1/1/1/main wagers_commit=1  ordered",
            "its wagers_commit",
        ),
    ],
)
def test_an_act_that_misstates_its_round_is_named(ledger: Database, tmp_path: Path, story: str, told: str) -> None:
    """The decision believes what an act carries; the audit does not, on the rows nor on an export."""
    floor = Floor()
    floor.play(story)

    async def scene() -> None:
        await _post(ledger, floor.batches)
        (difference,) = (await audit(ledger.auditor_url)).differences
        assert told in difference
        await export(ledger.auditor_url, "southern", tmp_path)

    run(scene())
    (offline,) = audit_export(tmp_path).differences
    assert told in offline


def test_a_void_that_gives_nothing_back_takes_its_seat_out_all_the_same(ledger: Database) -> None:
    """`void_returns_jackpot` false: no record brings a seat that was void a prize, nobody voids it again."""
    floor = Floor(with_rulings(void_returns_jackpot=False))
    floor.play("""
        T1 wagers 1: 1 2                                                       accepted
        T1 void 1: 2 rule=14.8                                                 voided
        T1 record 1: 1                                                         recorded
        T1 correct 1: 1 2=flush                                                corrected
        T1 amend 1: 2 rule=14.8 revision=3                                     round_voided
        T2 wagers 1: 1                                                         accepted
        T2 void 1: rule=14.9                                                   voided
        T2 amend 1: rule=14.9                                                  round_voided
    """)
    assert not floor.state.hits

    async def scene() -> None:
        await _post(ledger, floor.batches)
        for key in (("T1", 1, 1), ("T2", 1, 1)):
            found = await find_round(ledger.service_url, "southern", key)
            assert found is not None
            assert found.past == floor.past.of(key)
        assert (await audit(ledger.auditor_url)).differences == []

    run(scene())


@pytest.mark.parametrize(
    "out",
    [
        "T1 amend 1: 1 rule=16.15  void_recorded",
        "forfeit T1/1/1/1/main by=Mo with=Ny reason=minor rule=16.4  forfeited\nT1 amend 1: 1 rule=16.5  void_recorded",
    ],
    ids=["a pool's", "a fund's"],
)
def test_a_share_of_a_void_seat_is_told_with_its_round(ledger: Database, tmp_path: Path, out: str) -> None:
    """However long ago: by the rows as by the batches, and the audit holds what the act carried of it."""
    floor = Floor(with_rulings(rejected_share="kept"))
    floor.play(f"""
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=royal_flush 2=royal_flush                               recorded
        pay_out T1/1/1/2/main                                                  paid
        {out}
        T1 wagers 2: 1                                                         accepted
        T1 record 2: 1                                                         recorded
    """)
    _others_end(floor)
    assert not [key for key in floor.state.hits if key.table == "T1"]
    floor.play("T1 correct 1: 1 2=royal_flush revision=3 manager=Max  corrected")

    async def scene() -> None:
        await _post(ledger, floor.batches)
        found = await find_round(ledger.service_url, "southern", ("T1", 1, 1))
        assert found is not None
        assert found.past == floor.past.of(("T1", 1, 1))
        assert [each.hit for each in found.past.hits] == ["T1/1/1/1/main", "T1/1/1/2/main"]
        assert (await audit(ledger.auditor_url)).differences == []
        await export(ledger.auditor_url, "southern", tmp_path)

    run(scene())
    assert audit_export(tmp_path).differences == []
