"""Voiding a round on the command line, whatever has become of it since: real Postgres, audited and exported after."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jackpot.core.commands import Act, Enrol, MoveHit, OpenSite, RegisterLink, of_act
from jackpot.ledger.runner import post_once
from jackpot.ledger.store import PostgresStore
from tests.support.chains import NOTHING, ROYAL, STRAIGHT_FLUSH, Link

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

OTHER = "Qc Jd 8c 5s 3c"
PEOPLE = ("--by", "Max", "--with", "Ida", "--reason", "a red three of another deck", "--json")


def posted(jackpot: "CommandLine", link: Link) -> None:
    """Put a link's history into the ledger, and its tables on the site."""

    async def scene() -> None:
        store = PostgresStore(jackpot.database_url, link.chain)
        for batch in link.batches:
            await store.post(batch)
        await store.close()
        acts: list[Act] = [OpenSite("ab", "Ann"), RegisterLink(link.chain, "cd", "Ann")]
        acts += [Enrol(table, link.chain, "ef", 1, "Ann") for table in link.tables]
        await post_once(jackpot.database_url, "site", [of_act(act) for act in acts])

    asyncio.run(scene())


def paid(link: Link, hit: str, approvals: Sequence[str] = ("Eve", "Fay")) -> None:
    """Let people settle a hit."""
    link.decide([of_act(MoveHit(hit, "verify", "Dee", 1))])
    for person in approvals:
        link.decide([of_act(MoveHit(hit, "approve", person, 1))])
    link.decide([of_act(MoveHit(hit, "pay", "Gus", 1))])


def balances(jackpot: "CommandLine", link: str = "southern") -> dict[str, int]:
    """What each account holds, in microcents."""
    store = PostgresStore(jackpot.database_url, link)

    async def reading() -> dict[str, int]:
        state = await store.load()
        await store.close()
        return {name: held.microcents for name, held in state.balances.items()}

    return asyncio.run(reading())


def sound(jackpot: "CommandLine", folder: Path) -> list[dict[str, Any]]:
    """Audit the ledger and its export; give the lines of the rounds."""
    audit = jackpot("audit", "--json")
    assert (audit.code, audit.object["differences"]) == (0, []), audit.out
    assert jackpot("export", str(folder), "--link", "southern").code == 0
    offline = jackpot("audit", "--export", str(folder), "--json")
    assert (offline.code, offline.object["differences"]) == (0, []), offline.out
    return [json.loads(line) for line in (folder / "rounds.jsonl").read_text().splitlines()]


def test_a_paid_prize_of_a_void_round_stays_paid(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Case 52: a foreign card after a straight flush was paid: wagers back, meter whole, the prize to be recovered.

    What comes back of it is whole cents, never an amount that could be dollars, and the audit finds it owed.
    """
    link = Link(2)
    link.decide([link.wagers("T1", 1), link.withdraw("T2", 1)])
    link.decide([link.record("T1", 1, {1: STRAIGHT_FLUSH, 2: NOTHING, 3: OTHER})])
    paid(link, "T1/1/1/1/main")
    link.decide([*link.play("T1", 2, {4: NOTHING})])
    posted(jackpot, link)
    shown = jackpot("round", "show", "T1", "1", "--json").object
    assert [wager["seat"] for wager in shown["wagers"]] == [1, 2, 3]
    done = jackpot("round", "void", "T1", "1", "--rule", "14.9", *PEOPLE)
    assert done.code == 0, done.err
    assert done.object["seats"] == [1, 2, 3]
    assert done.object["overpaid"] == [{"hit": "T1/1/1/1/main", "cents": "500006"}]
    (notice,) = done.object["notices"]
    assert notice["to"] == "Surveillance and an Inspector"
    assert (notice["within"], notice["from"], notice["rule"]) == ("at_once", "finding", "CSP 14.9.4")
    held = balances(jackpot)
    assert held["pool/main"] == 5_000_000_000_000 + 22_000_000
    assert held["recoverable"] == 500_006_000_000
    assert sum(held.values()) == 0
    state = jackpot("hit", "show", "T1/1/1/1/main", "--json").object
    assert (state["state"], state["acts"][-2]["move"]) == ("paid", "overpaid")
    (listed,) = jackpot("hit", "overpaid", "--json").object["overpaid"]
    assert (listed["hit"], listed["amount_cents"]) == ("T1/1/1/1/main", "500006")
    again = jackpot("round", "void", "T1", "1", "--rule", "14.9", "--by", "Ann", "--with", "Bob", *PEOPLE[4:])
    assert again.object == done.object
    assert "void by revision 2: seats 1, 2, 3" in jackpot("round", "show", "T1", "1").out
    back = ("hit", "recovered", "T1/1/1/1/main", *PEOPLE, "--cents")
    for text in ("3000.00", "3,000", "3e5", "0", "-5"):
        assert jackpot(*back, text).code == 2, text
    assert jackpot(*back, "300000").object["left_cents"] == "200006"
    *_, void, part = sound(jackpot, tmp_path / "export")
    assert (void["kind"], part["kind"]) == ("void_recorded", "recovered")
    assert void["returned_seats"] == [1, 2, 3]


def test_seats_then_the_rest(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A hand is void, later the whole round: each seat's wager goes back once, other seats' hits as they stand."""
    link = Link(2)
    link.decide([link.wagers("T1", 1), link.void("T1", 1, [3])])
    link.decide([link.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: OTHER}, accepted=[1, 2])])
    posted(jackpot, link)
    one = jackpot("round", "void", "T1", "1", "--rule", "14.8", "--seat", "2", *PEOPLE)
    assert (one.object["seats"], one.object["released"]) == ([2], [])
    rest = jackpot("round", "void", "T1", "1", "--rule", "14.4", *PEOPLE)
    assert (rest.object["seats"], rest.object["released"]) == ([1], ["T1/1/1/1/main"])
    held = balances(jackpot)
    assert (held["pool/main"], held["reserve"], held["wagers"]) == (5_000_022_000_000, 8_000_000, 0)
    # The royal had the increment of seat 2 when its hand was void: the house gave it, and the pool has it back.
    assert held["house"] == -5_000_030_000_000
    sound(jackpot, tmp_path / "export")


def test_an_open_round_is_voided_too(jackpot: "CommandLine", tmp_path: Path) -> None:
    """The same command ends a round whose table has lost its journal."""
    link = Link(1)
    link.decide([link.wagers("T1", 1)])
    posted(jackpot, link)
    done = jackpot("round", "void", "T1", "1", "--rule", "14.4", *PEOPLE)
    assert (done.code, done.object["seats"]) == (0, [1, 2, 3])
    assert "notices" not in done.object
    assert balances(jackpot)["pool/main"] == 5_000_000_000_000
    sound(jackpot, tmp_path / "export")


@pytest.mark.parametrize(
    ("arguments", "refused"),
    [
        (("T1", "1", "--rule", "14.5"), "no_such_rule"),
        (("T1", "1", "--rule", "14.8"), "no_such_rule"),
        (("T1", "9", "--rule", "14.4"), "no_such_round"),
        (("T9", "1", "--rule", "14.4"), "no_such_table"),
    ],
)
def test_what_is_no_void_is_refused(jackpot: "CommandLine", arguments: tuple[str, ...], refused: str) -> None:
    """Rule, round and table are named; nothing changes."""
    link = Link(1)
    link.decide([*link.play("T1", 1)])
    posted(jackpot, link)
    done = jackpot("round", "void", *arguments, *PEOPLE)
    assert (done.code, done.object["refused"]) == (1, refused)
    assert refused != "no_such_round" or done.object["value"] == "T1 round 9"
    assert balances(jackpot) == {name: held.microcents for name, held in link.state.balances.items()}


def test_what_could_not_be_kept_moves_no_hit_and_voids_no_round(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Words too long, whoever's and wherever: exit code 2 with the field, every account as it was, a clean audit."""
    link = Link(2)
    link.decide([link.wagers("T1", 1), link.wagers("T2", 1)])
    link.decide([link.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: OTHER})])
    posted(jackpot, link)
    before, long = balances(jackpot), "A" * 500
    why, hit = ("--reason", "seen"), "T1/1/1/1/main"
    falls = ("--rule", "11.4")
    directed = ("--rule", "16.6", "--forfeit", "2")
    for field, arguments in (
        ("by", ("hit", "verify", hit, "--by", long)),
        ("reason", ("hit", "verify", hit, "--by", "Max", "--reason", long)),
        ("manager", ("hit", "approve", hit, "--by", "Max", "--manager", long, *why)),
        ("second", ("hit", "reject", hit, *falls, "--by", "Max", "--with", long, *why)),
        ("rule", ("hit", "reject", hit, "--rule", long, *PEOPLE[:-1])),
        ("by", ("round", "void", "T2", "1", "--rule", "14.4", "--by", long, "--with", "Ida", *why)),
        ("reason", ("round", "void", "T1", "1", "--rule", "14.4", *PEOPLE[:4], "--reason", long)),
        ("person", ("round", "void", "T1", "1", *directed, *PEOPLE[:-1], "--directed-by", long, "--direction", "film")),
    ):
        done = jackpot(*arguments)
        assert (done.code, field in done.err, "wanted at most 400 characters" in done.err) == (2, True, True), done
    assert balances(jackpot) == before
    sound(jackpot, tmp_path / "export")


def test_a_hit_is_rejected_and_released(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Case 22: a royal that was not one: rejected by two, released by two others; every account as without it."""
    link = Link(2)
    link.decide([link.wagers("T1", 1), link.wagers("T2", 1)])
    link.decide([link.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: OTHER})])
    posted(jackpot, link)
    hit = "T1/1/1/1/main"
    why = ("--rule", "11.4", "--reason", "a red ten", "--json")
    held = jackpot("hit", "reject", hit, "--by", "Max", "--with", "Ida", *why).object
    assert (held["state"], held["amount_cents"]) == ("rejected", "5000132")
    assert jackpot("hit", "release", hit, "--by", "Max", "--with", "Sue", *why).object["refused"] == "same_person"
    done = jackpot("hit", "release", hit, "--by", "Ann", "--with", "Sue", *why)
    assert (done.code, done.object["state"]) == (0, "released")
    after = balances(jackpot)
    assert (after["pool/main"], after["reserve"], after["house"]) == (5_000_132_000_000, 48_000_000, -5_000_000_000_000)
    lines = sound(jackpot, tmp_path / "export")
    assert (lines[-1]["kind"], lines[-1]["hit"]) == ("release", hit)
