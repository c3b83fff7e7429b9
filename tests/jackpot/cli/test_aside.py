"""What could not be decided is listed with what is to be done, and ends by being decided or by two people's word."""

import asyncio
from typing import TYPE_CHECKING, Any

from jackpot.core.commands import Command
from jackpot.core.ports import SetAside
from jackpot.ledger.store import PostgresStore
from jackpot.ledger.watched import look_at_database
from tests.support.chains import Link

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

BY_TWO = ("--by", "Ann", "--with", "Bob", "--reason", "the round was voided", "--json")


def kept(jackpot: "CommandLine", link: Link, *commands: Command, error: str = "ValueError: a fault") -> None:
    """Post what the link has decided so far, then keep commands aside."""

    async def scene() -> None:
        store = PostgresStore(jackpot.database_url, link.chain)
        for batch in link.batches:
            await store.post(batch)
        await store.set_aside([SetAside(command, error) for command in commands])
        await store.close()

    asyncio.run(scene())


def listed(jackpot: "CommandLine", *asked: str) -> list[dict[str, Any]]:
    """What the list says."""
    done = jackpot("aside", "list", *asked, "--json")
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = done.object["aside"]
    return found


def counted(jackpot: "CommandLine") -> int:
    """What the alarm counts."""
    return sum(asyncio.run(look_at_database(jackpot.database_url)).aside.values())


def test_each_is_listed_with_its_error_and_what_is_to_be_done(jackpot: "CommandLine") -> None:
    """Case 56: the one of many that could not be decided has its table, round, error and the next step by name."""
    link = Link(1)
    wagers, record = link.play("T1", 7)
    kept(jackpot, link, wagers, record, link.withdraw("T1", 8), link.void("T1", 9))
    found = {one["kind"]: one for one in listed(jackpot, link.chain)}
    assert found.keys() == {"wagers", "record", "withdrawal", "void"}
    told = found["record"]
    assert (told["table"], told["round"], told["error"]) == ("T1", 7, "ValueError: a fault")
    assert "jackpot round void T1 7 --rule RULE --by NAME)" in told["to_do"]
    assert "went on without the jackpot in round 7" in found["wagers"]["to_do"]
    assert "T1 sends it again" in jackpot("aside", "list").out
    nowhere = jackpot("aside", "list", "northern")
    assert (nowhere.code, nowhere.err) == (2, "there is no link northern\n")
    assert counted(jackpot) == 4


def test_a_month_that_nobody_made_is_made_by_migrating(jackpot: "CommandLine") -> None:
    """What Postgres says of it helps nobody: the next step is the command that makes months, not the maker."""
    link = Link(1)
    error = 'The ledger refuses the batch: no partition of relation "wager" found for row (23514)'
    kept(jackpot, link, link.wagers("T1", 7), error=error)
    (told,) = listed(jackpot, link.chain)
    assert "Run `jackpot migrate`" in told["to_do"]
    assert "maker" not in told["to_do"]


def test_what_was_decided_since_needs_nobody(jackpot: "CommandLine") -> None:
    """A newer program took the same bytes: the list is empty, the alarm ends, and `--all` still shows it."""
    link = Link(1)
    wagers = link.wagers("T1", 1)
    kept(jackpot, link, wagers)
    assert counted(jackpot) == 1
    batch = link.decide([wagers])

    async def post() -> None:
        store = PostgresStore(jackpot.database_url, link.chain)
        await store.post(batch)
        await store.close()

    asyncio.run(post())
    assert (listed(jackpot), counted(jackpot)) == ([], 0)
    (one,) = listed(jackpot, "--all")
    assert one["decided"] == batch.last_commit
    assert f"commit {batch.last_commit}" in one["to_do"]


def test_two_people_settle_what_nothing_more_comes_of(jackpot: "CommandLine") -> None:
    """By its key, once: the command and its error stay, under a seal that the audit reads; one person is not enough."""
    link = Link(1)
    kept(jackpot, link, *link.play("T1", 1))
    key = listed(jackpot)[0]["key"]
    assert jackpot("aside", "settle", key, *BY_TWO[:3], "ann", *BY_TWO[4:]).object["refused"] == "same_person"
    assert jackpot("aside", "settle", key, "--by", " ", *BY_TWO[2:]).object["refused"] == "name_needed"
    assert jackpot("aside", "settle", key, *BY_TWO[:5], " ", "--json").object["refused"] == "reason_needed"
    assert jackpot("aside", "settle", "ffffff", *BY_TWO).code == 2
    assert jackpot("aside", "settle", key[:5], *BY_TWO).code == 2
    done = jackpot("aside", "settle", key[:8], *BY_TWO)
    assert (done.code, done.object["settled"]["with"]) == (0, "Bob"), done.err
    again = jackpot("aside", "settle", key, "--by", "Cy", "--with", "Di", *BY_TWO[4:])
    assert again.object["settled"]["by"] == "Ann"
    assert (len(listed(jackpot)), counted(jackpot), len(listed(jackpot, "--all"))) == (1, 1, 2)
    assert jackpot("audit", "--json").object["differences"] == []
