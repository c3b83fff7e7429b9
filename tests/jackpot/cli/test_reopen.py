"""What the person who restored is told: why the link stands still, whom it waits for, what to do next."""

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec import Raw

from jackpot.core.commands import Admit, command_of, of_act
from jackpot.ledger.going_back import GoingBack
from jackpot.ledger.store import PostgresStore
from jackpot.wire.codec import encode
from jackpot.wire.ids import VOID_OF_TWO
from jackpot.wire.messages import HandingIn, Held, Receipt, SeatAnswer, Wagers, WagersAnswer
from tests.support.chains import NOTHING, ROYAL, SETTINGS, Link
from tests.support.lives import held_of

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


def test_a_table_that_nobody_knows_is_named(jackpot: "CommandLine") -> None:
    """Not waited for may be one whose admission the restore lost, or it is a slip of the pen: people see which."""
    link = posted(jackpot, BEYOND)
    here = [word for table in ("T1", "T2", "T3") for word in ("--without", table)]
    told = jackpot("link", "behind", link.chain, *here)
    assert "nobody knows" not in told.out
    seen = jackpot("link", "behind", link.chain, *here, "--json").object
    assert seen["unknown"] == []
    mistyped = (*here, "--without", "T9")
    (line,) = [line for line in jackpot("link", "behind", link.chain, *mistyped).out.splitlines() if "T9" in line]
    assert line.startswith("  nobody knows T9: neither this ledger nor a table that connected since names it")
    found = jackpot("link", "behind", link.chain, *mistyped, "--json").object
    assert (found["unknown"], found["obstacles"]) == (["T9"], [])
    reopen = ("link", "reopen", link.chain, "--by", "Ann", "--with", "Bob")
    other = jackpot(*reopen, *mistyped, "--list", str(seen["list"]))
    assert other.code == 1
    assert "look at it again; nobody knows T9" in other.err
    waiting = jackpot(*reopen, "--without", "T9", "--list", str(seen["list"]))
    assert "not handed in: T1, T2, T3" in waiting.err
    assert "; nobody knows T9" in waiting.err
    done = jackpot(*reopen, *mistyped, "--list", str(found["list"]))
    assert (done.code, jackpot("audit").code) == (0, 0)


def test_a_spool_that_has_not_handed_in_is_named_by_its_journal(jackpot: "CommandLine") -> None:
    """T1 plays on in its third journal, after a restore to its first: it has handed in, and two spools of it have not.

    The ledger knows the first, and of the second only that there was one; each is named until it hands in.
    """
    link = posted(jackpot, BEYOND)
    wagers = link.wagers("T1", 1).message
    assert isinstance(wagers, Wagers)
    answer = encode(WagersAnswer([SeatAnswer(seat, accepted=True) for seat in (1, 2, 3)]))

    def hand_in(spool: str, journal: int = 0) -> None:
        """Let a spool hand in a round of a journal, or nothing."""
        message = encode(msgspec.structs.replace(wagers, journal=journal))
        held = [Held(Raw(message), Raw(answer), Receipt(1, 80 + journal % 10, "5d" * 32))] if journal else []

        async def scene() -> None:
            going_back = GoingBack(jackpot.database_url, link.chain)
            await going_back.keep("T1", spool, BEYOND, HandingIn("T1", held))
            await going_back.close()

        asyncio.run(scene())

    def named() -> tuple[object, str]:
        """The journals in the object, and in the words."""
        lines = jackpot("link", "behind", link.chain).out.splitlines()
        (words,) = [line.partition(" was played in")[0] for line in lines if "by another spool" in line] or [""]
        return jackpot("link", "behind", link.chain, "--json").object["journals_not_handed_in"], words

    assert named() == ({}, "")
    hand_in("cc")
    assert named() == ({"T1": [1]}, "  T1 has handed in by another spool, and by none that journal 1")
    hand_in("cc", 3)
    assert named() == ({"T1": [1, 2]}, "  T1 has handed in by another spool, and by none that journal 1 or 2")
    hand_in(b"T1".hex())
    assert named() == ({"T1": [2]}, "  T1 has handed in by another spool, and by none that journal 2")
    hand_in("bb", 2)
    assert named() == ({}, "")
    hand_in("dd", 1_000_002)
    assert named()[0] == {"T1": [1_000_001]}, "each life of the ledger numbers its own"


def test_a_seat_that_two_people_had_voided_is_on_the_list_and_is_void_again(jackpot: "CommandLine") -> None:
    """T1 had not heard of it and holds no word of it: who opens the link sees it, and the audit agrees with it."""
    link = posted(jackpot, BEYOND)
    kept = len(link.batches)
    void = msgspec.structs.replace(link.void("T1", 1, [2]).message, revision=VOID_OF_TWO, by="Cy", second="Dee")
    for command in (link.wagers("T1", 1), command_of(encode(void)), link.record("T1", 1, {1: ROYAL, 2: NOTHING})):
        link.decide([command])
    held = [one for one in held_of(link.batches[kept:], ["T1"]) if "/void" not in one.id]

    async def scene() -> None:
        going_back = GoingBack(jackpot.database_url, link.chain)
        handing = HandingIn("T1", [Held(Raw(one.message), Raw(one.answer), one.receipt) for one in held])
        await going_back.keep("T1", b"T1".hex(), BEYOND, handing)
        await going_back.close()

    asyncio.run(scene())
    gone = ("--without", "T2", "--without", "T3", "--open", "T1/1/1/1/main")
    words = "round T1/1/1 seat 2: out of play by what T1 was answered next"
    assert f"  void again: {words}" in jackpot("link", "behind", link.chain, *gone).out.splitlines()
    found = jackpot("link", "behind", link.chain, *gone, "--json").object
    assert (found["void_again"], found["obstacles"]) == ([words], [])
    done = jackpot("link", "reopen", link.chain, *gone, "--by", "Ann", "--with", "Bob", "--list", str(found["list"]))
    assert (done.code, done.err) == (0, "")
    assert jackpot("audit").code == 0


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["T1/1/1/1/main="], "T1/1/1/1/main: '' is no number of cents: $3,000.00 are 300000"),
        (["T1/1/1/1/main=5000.02"], "T1/1/1/1/main: '5000.02' is no number of cents: $3,000.00 are 300000"),
        (["T1/1/1/1/main=-1"], "T1/1/1/1/main: '-1' is no number of cents: $3,000.00 are 300000"),
        (["T1/1/1/1/main=0"], "T1/1/1/1/main: 0 cents is not from 1 to 1000000000000000"),
        (["T1/1/1/1/main=1000000000000001"], "T1/1/1/1/main: 1000000000000001 cents is not from 1 to 1000000000000000"),
        (["T1/1/1/1/main=" + "9" * 50], f"T1/1/1/1/main: '{'9' * 40}' is no number of cents: $3,000.00 are 300000"),
        (["T1/1/1/1/main=2", "T1/1/1/1/main=3"], "T1/1/1/1/main: named twice, with two amounts"),
        (["T1/1/1/1/main", "T1/1/1/1/main=3"], "T1/1/1/1/main: named twice, with two amounts"),
    ],
)
def test_an_amount_that_was_paid_is_cents_within_bounds(jackpot: "CommandLine", said: list[str], why: str) -> None:
    """Whoever types dollars, or slips with the pen, is told the field and the value; nothing is looked at."""
    done = jackpot("link", "behind", "southern", *[word for one in said for word in ("--paid", one)])
    assert done.code == 2
    assert f"--paid {why}" in done.err


def test_the_amount_is_none_of_the_hits_name(jackpot: "CommandLine") -> None:
    """A hit that nobody holds is named without what was said to be paid of it."""
    link = posted(jackpot, BEYOND)
    found = jackpot("link", "behind", link.chain, "--paid", "T7/1/1/1/main=1000000000000000", "--json").object
    assert "T7/1/1/1/main: nobody holds such a hit" in found["obstacles"]


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
