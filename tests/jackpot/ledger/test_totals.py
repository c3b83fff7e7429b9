"""What a link came to: the totals of an eventful link, worked out by hand."""

from jackpot.ledger.store import PostgresStore
from jackpot.ledger.totals import Totals, read_totals
from tests.jackpot.ledger.test_audit import eventful
from tests.support.embedded_fixture import Database
from tests.support.running import run


def test_totals_count_what_stands(ledger: Database) -> None:
    """Withdrawn and voided wagers are left out with their increments; prizes, seeds and the meter are the ledger's."""
    link = eventful()

    async def scene() -> Totals:
        store = PostgresStore(ledger.service_url, link.chain)
        for batch in link.batches:
            await store.post(batch)
        await store.close()
        return await read_totals(ledger.auditor_url, link.chain)

    totals = run(scene())
    # T1 wagered three seats, T2 two (withdrawn), T3 one (void); then T2 and T3 three each.
    assert (totals.tables, totals.rounds) == (3, 2)
    assert (totals.wagers, totals.wagers_cents) == (9, 900)
    assert totals.increments_microcents == 9 * 22_000_000
    hits = link.state.hits.values()
    assert totals.hits == {
        "royal_flush": 1,
        "straight_flush": 1,
        "four_of_a_kind": 0,
        "full_house": 2,
        "flush": 0,
    }
    assert totals.awards == {str(hit.key): hit.amount_cents for hit in hits}
    assert totals.awards_cents == sum(hit.amount_cents for hit in hits)
    assert totals.topups_cents == sum(hit.topup_cents for hit in hits)
    assert totals.bonuses_cents == 2 * 15_000
    assert totals.seeds_cents == 2 * 5_000_000
    assert totals.meter_cents == link.state.balances["pool/main"].microcents // 1_000_000
