"""A link that a person or a broken invariant stopped runs again by two people's word, after an audit that agrees."""

import asyncio
from typing import TYPE_CHECKING

import asyncpg

from jackpot.core.ports import Batch, StoppedError
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


def posts(jackpot: "CommandLine", link: Link, batch: Batch | None = None) -> bool:
    """Whether the link takes this batch, or one that follows."""
    batch = batch or link.decide([*link.play("T1", 2)])

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


def test_one_person_stops_a_link_and_two_open_it_again(jackpot: "CommandLine") -> None:
    """Stopped by hand it takes nothing in any process; the first stop stands; an audit and two people lift it."""
    link = Link(1)
    stop = ("link", "stop", link.chain, "--by", "Ann", "--reason", "the sign shows another prize", "--json")
    assert jackpot(*stop).code == 2, "a link that is not there is not stopped, and nothing is begun for it"

    async def begin() -> None:
        store = PostgresStore(jackpot.database_url, link.chain)
        await store.post(link.opening)
        await store.close()

    asyncio.run(begin())
    assert jackpot(*stop[:3], "--by", " ", *stop[5:]).object["refused"] == "name_needed"
    assert jackpot(*stop[:5], "--reason", " ", "--json").object["refused"] == "reason_needed"
    assert jackpot("link", "show", link.chain, "--json").object["status"] == "running"
    done = jackpot(*stop)
    assert done.code == 0, done.err
    assert (done.object["stopped_for"], done.object["earlier"]) == ("Ann: the sign shows another prize", False)
    again = jackpot("link", "stop", link.chain, "--by", "Bob", "--reason", "me too", "--json").object
    assert (again["stopped_for"], again["earlier"]) == ("Ann: the sign shows another prize", True)
    shown = jackpot("link", "show", link.chain, "--json").object
    assert (shown["status"], shown["stopped_for"]) == ("stopped", "Ann: the sign shows another prize")
    lost = jackpot("link", "behind", link.chain, "--json")
    assert (lost.code, lost.object["taken_back"], lost.object["tables"]) == (0, [], {})
    assert lost.object["text"].endswith("it is stopped for Ann: the sign shows another prize")
    assert jackpot("link", "behind", "northern", "--json").code == 2
    batch = link.decide([*link.play("T1", 1)])
    assert not posts(jackpot, link, batch)
    assert not posts(jackpot, link, batch), "another process is told the same"
    done = jackpot("link", "lift", link.chain, "--by", "Ann", "--with", "Bob", *WHY)
    assert (done.code, done.object["stopped_for"]) == (0, "Ann: the sign shows another prize")
    assert jackpot("link", "show", link.chain, "--json").object["status"] == "running"
    assert posts(jackpot, link, batch)
    assert jackpot("audit", "--json").object["differences"] == []
