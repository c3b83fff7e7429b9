"""A link that a broken invariant stopped runs again on the word of two people, after an audit without difference."""

import asyncio
from typing import TYPE_CHECKING

import asyncpg

from jackpot.core.ports import StoppedError
from jackpot.ledger.store import PostgresStore
from tests.support.chains import Link

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

WHY = ("--reason", "a fault of 0.1.0, mended in 0.1.1", "--json")


def stopped(jackpot: "CommandLine", link: Link) -> None:
    """Post a link's batches and stop it."""

    async def scene() -> None:
        store = PostgresStore(jackpot.database_url, link.chain)
        for batch in link.batches:
            await store.post(batch)
        await store.stop("pool/main would fall to -1 microcents", "where it was seen")
        await store.close()

    asyncio.run(scene())


def posts(jackpot: "CommandLine", link: Link) -> bool:
    """Whether the link takes the next batch."""
    batch = link.decide([*link.play("T1", 2)])

    async def scene() -> bool:
        store = PostgresStore(jackpot.database_url, link.chain)
        try:
            await store.post(batch)
        except StoppedError:
            return False
        finally:
            await store.close()
        return True

    return asyncio.run(scene())


def test_two_people_lift_a_stop_after_an_audit(jackpot: "CommandLine") -> None:
    """The link posts again, the stop and who lifted it stay on file under a seal, and nothing is lifted twice."""
    link = Link(1)
    link.decide([*link.play("T1", 1)])
    stopped(jackpot, link)
    one = jackpot("link", "lift", link.chain, "--by", "Ann", "--with", "ann", *WHY)
    assert (one.code, one.object["refused"]) == (1, "same_person")
    assert jackpot("link", "lift", link.chain, "--by", "Ann", "--with", " ", *WHY).object["refused"] == "name_needed"
    done = jackpot("link", "lift", link.chain, "--by", "Ann", "--with", "Bob", *WHY)
    assert done.code == 0, done.err
    assert done.object["stopped_for"] == "pool/main would fall to -1 microcents"
    assert posts(jackpot, link)
    assert jackpot("link", "lift", link.chain, "--by", "Ann", "--with", "Bob", *WHY).object["refused"] == "not_stopped"
    assert jackpot("audit", "--json").object["differences"] == []


def test_nothing_is_lifted_over_a_difference(jackpot: "CommandLine") -> None:
    """One microcent that does not follow from the commands: the link stays stopped, table and row are named."""
    link = Link(1)
    link.decide([*link.play("T1", 1)])
    stopped(jackpot, link)

    async def spoil() -> None:
        owner = await asyncpg.connect(jackpot.database_url.replace("service@", "owner@"))
        await owner.execute(
            "UPDATE account SET balance_microcents = balance_microcents + 1 WHERE account = 'pool/main'"
        )
        await owner.close()

    asyncio.run(spoil())
    done = jackpot("link", "lift", link.chain, "--by", "Ann", "--with", "Bob", *WHY)
    assert (done.code, done.object["refused"]) == (1, "audit_difference")
    assert "account pool/main" in done.object["text"]
    assert not posts(jackpot, link)
