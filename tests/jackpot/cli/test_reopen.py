"""What the person who restored is told: why the link stands still, whom it waits for, what to do next."""

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec import Raw

from jackpot.core.commands import Admit, of_act
from jackpot.ledger.going_back import GoingBack
from jackpot.ledger.store import PostgresStore
from jackpot.wire.messages import Receipt
from tests.support.chains import SETTINGS, Link

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

BEYOND = Receipt(1, 90, "5d" * 32)


def posted(jackpot: "CommandLine", receipt: Receipt | None) -> Link:
    """Post a link of T1 and T2, with T3 admitted and never connected; T1 says hello with a last receipt."""
    link = Link(2)
    link.decide([of_act(Admit("T3", 1, "cd" * 32, Raw(SETTINGS.encode()), "Ann"))])

    async def scene() -> None:
        store, going_back = PostgresStore(jackpot.database_url, link.chain), GoingBack(jackpot.database_url, link.chain)
        for batch in link.batches:
            await store.post(batch)
        await going_back.wanted("T1", "aa", receipt, stopped=False)
        await store.close()
        await going_back.close()

    asyncio.run(scene())
    return link


def test_a_link_whose_ledger_went_back_says_why_it_stands_and_what_is_next(jackpot: "CommandLine") -> None:
    """Its status is not that of a link which a person or a broken invariant stopped, nor is the way out."""
    link = posted(jackpot, BEYOND)
    shown = jackpot("link", "show", link.chain, "--json").object
    assert shown["status"] == "ledger_behind"
    assert shown["stopped_for"].startswith("ledger_behind: table T1 has commit 90 of generation 1")
    assert f"jackpot link behind {link.chain}" in shown["next"]
    assert (
        f"next: let every table connect and hand in; jackpot link behind {link.chain}"
        in jackpot("link", "show", link.chain).out
    )


def test_a_link_that_was_stopped_by_hand_says_what_is_next(jackpot: "CommandLine") -> None:
    """Stopped for a cause that people find: two of them lift it; a link that runs has nothing to be done."""
    link = posted(jackpot, None)
    assert jackpot("link", "show", link.chain, "--json").object["next"] == ""
    stopped = jackpot("link", "stop", link.chain, "--by", "Ann", "--reason", "a wrong meter")
    shown = jackpot("link", "show", link.chain, "--json").object
    assert shown["status"] == "stopped"
    assert shown["next"].endswith(f"jackpot link lift {link.chain}")
    assert shown["next"] in stopped.out


def test_who_is_waited_for_is_told_in_one_line(jackpot: "CommandLine") -> None:
    """All tables that have not handed in, and of which only people know whether they ever played."""
    link = posted(jackpot, BEYOND)
    told = jackpot("link", "behind", link.chain)
    (line,) = [line for line in told.out.splitlines() if "not handed in" in line]
    assert "not ready: not handed in: T1, T2, T3. Let each connect; --without one" in line
    assert "never played (T3: no journal here)" in line
    found = jackpot("link", "behind", link.chain, "--without", "T3", "--json").object
    assert found["waiting"] == ["T1", "T2"]
    assert "no journal" not in " ".join(found["obstacles"])


@pytest.mark.parametrize(
    "words",
    [("show",), ("behind",), ("reopen", "--by", "Ann", "--with", "Bob", "--list", "00")],
    ids=lambda words: words[0],
)
def test_a_link_that_is_not_there_is_named(jackpot: "CommandLine", words: tuple[str, ...]) -> None:
    """It is an error of who asks, and not a link that has lost nothing."""
    done = jackpot("link", words[0], "nolink", *words[1:])
    assert done.code == 2
    assert "there is no link nolink in this ledger" in done.err
