"""Correcting a record on the command line, typing one in, orders, and what came back: real Postgres, audited after."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jackpot.cli.amending import Corrected, People, correct_round
from jackpot.core.commands import MoveHit, of_act
from jackpot.core.kept_hits import ENDED_KEPT
from jackpot.wire.ids import parse_hit
from tests.jackpot.cli.test_rounds import OTHER, balances, paid, posted, sound
from tests.support.chains import NOTHING, ROYAL, STRAIGHT_FLUSH, Link

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

FLUSH = "Qh Jh 8h 5h 2h"
BY, WHY = ("--by", "Max", "--with", "Ida"), ("--reason", "read again from the film", "--json")
DEE = ("--by", "Dee")
EVE = ("--by", "Eve")


def record_of(jackpot: "CommandLine", folder: Path, *at: str, **cards: str) -> Path:
    """The record that stands, in a file, with other cards at some seats: `seat_3="..."`; claims are left out."""
    path = folder / "record.json"
    shown = jackpot("round", "show", *at, "--save", str(path), "--json")
    assert shown.code == 0, shown.err
    record = json.loads(path.read_text())
    for seat in record["seats"]:
        seat["cards"] = cards.get(f"seat_{seat['seat']}", seat["cards"])
    record.pop("claims", None)
    path.write_text(json.dumps(record))
    return path


def corrected(jackpot: "CommandLine", path: Path, *more: str) -> dict[str, Any]:
    """What `jackpot round correct` says."""
    done = jackpot("round", "correct", "T1", "1", "--file", str(path), *more, *WHY)
    assert done.code == 0, done.err
    return done.object


def test_a_card_mistyped(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Case 50: shown first, then posted by two; the first record is still on file; repeated: the first answer."""
    link = Link(2)
    link.decide([link.wagers("T1", 1)])
    link.decide([link.record("T1", 1, {1: FLUSH, 2: NOTHING, 3: OTHER})])
    posted(jackpot, link)
    path = record_of(jackpot, tmp_path, "T1", "1", seat_1="Qh Jh 8h 5h 2s")
    before = balances(jackpot)
    shown = corrected(jackpot, path, "--by", "Max")
    assert (shown["posted"], shown["released"]) == (False, ["T1/1/1/1/house"])
    assert {"field": "seats[1].cards", "was": "Qh Jh 8h 5h 2h", "is": "Qh Jh 8h 5h 2s"} in shown["changed"]
    assert balances(jackpot) == before
    done = corrected(jackpot, path, *BY)
    assert (done["posted"], done["released"], done["revision"]) == (True, ["T1/1/1/1/house"], 2)
    again = corrected(jackpot, path, "--by", "Ann", "--with", "Bob")
    assert {**again, "changed": done["changed"]} == done
    assert balances(jackpot)["house"] == -5_000_000_000_000
    hit = jackpot("hit", "show", "T1/1/1/1/house", "--json").object
    assert (hit["state"], [act["move"] for act in hit["acts"]]) == (
        "released",
        ["award", "reject", "with", "release", "with"],
    )
    stands = jackpot("round", "show", "T1", "1", "--json").object
    assert stands["record"]["revision"] == 2
    lines = sound(jackpot, tmp_path / "export")
    assert [line["kind"] for line in lines] == ["record", "correct_recorded"]
    assert lines[0]["seats"][0]["cards"] == FLUSH
    assert lines[1]["record"]["seats"][0]["cards"] == "Qh Jh 8h 5h 2s"


def test_a_prize_named_that_the_cards_no_longer_show(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Cards put right and the claim left in: the refusal says that the claim is taken out too, and then it goes."""
    link = Link(1)
    link.decide([link.wagers("T1", 1)])
    link.decide([link.record("T1", 1, {1: FLUSH, 2: NOTHING, 3: OTHER})])
    posted(jackpot, link)
    path = record_of(jackpot, tmp_path, "T1", "1", seat_1="Qh Jh 8h 5h 2s")
    right = path.read_text()
    path.write_text(json.dumps(json.loads(right) | {"claims": [{"seat": 1, "prize": "flush"}]}))
    refused = jackpot("round", "correct", "T1", "1", "--file", str(path), *BY, *WHY)
    assert refused.code == 1
    assert refused.object["value"] == (
        "claims: seat 1 named flush, the cards show no prize; "
        "a prize that the cards do not show is taken out of the record's `claims` too"
    )
    path.write_text(right)
    assert corrected(jackpot, path, *BY)["released"] == ["T1/1/1/1/house"]


def test_a_flush_claimed_ten_seconds_late(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Case 50: after 'no jackpot hand' a flush is claimed: awarded once, marked late, paid once."""
    link = Link(1)
    link.decide([link.wagers("T1", 1)])
    link.decide([link.record("T1", 1, {1: NOTHING, 2: OTHER, 3: "Qd Td 8d 7d 5c"})])
    posted(jackpot, link)
    path = record_of(jackpot, tmp_path, "T1", "1", seat_3="Qd Td 8d 7d 5d")
    done = corrected(jackpot, path, *BY, "--late")
    (award,) = done["awards"]
    assert (award["amount_cents"], done["marks"]) == ("10000", ["late", "corrected"])
    assert corrected(jackpot, path, *BY, "--late")["awards"] == done["awards"]
    hit = award["hit"]
    assert jackpot("hit", "verify", hit, "--by", "Max", "--json").object["refused"] == "same_person"
    assert jackpot("hit", "verify", hit, "--by", "Ann", "--json").object["state"] == "verified"
    assert jackpot("hit", "approve", hit, "--by", "Bob", "--with", "Cy", "--json").object["state"] == "approved"
    slip = ("hit", "pay", hit, "--by", "Dee", "--json")
    paid = jackpot(*slip).object
    assert paid["state"] == "paid"
    assert jackpot(*slip).object == paid
    assert jackpot("hit", "pay", hit, "--by", "Eve", "--json").object["refused"] == "illegal_move"
    assert balances(jackpot)["paid"] == 10_000_000_000
    sound(jackpot, tmp_path / "export")


def test_a_move_is_said_again(jackpot: "CommandLine") -> None:
    """Case 20: the same move by the same people is answered as the first time, and done once; not in other words.

    Who would pay it again is told what was paid, and by whom.
    """
    link = Link(1)
    link.decide([link.wagers("T1", 1)])
    link.decide([link.record("T1", 1, {1: STRAIGHT_FLUSH, 2: NOTHING, 3: OTHER})])
    posted(jackpot, link)
    hit = "T1/1/1/1/main"
    for words in (("verify", hit, "--by", "Ann"), ("approve", hit, "--by", "Bob", "--with", "Cy"), ("pay", hit, *DEE)):
        first, again = (jackpot("hit", *words, "--json") for _ in range(2))
        assert (first.code, again.code, again.object) == (0, 0, first.object)
    moves = ["award", "verify", "approve", "approve", "threshold", "pay"]
    assert [act["move"] for act in jackpot("hit", "show", hit, "--json").object["acts"]] == moves
    told = "5,000.06 was paid, as Dee said in commit 8"
    others = {("--by", "dee"): "same_person", (*DEE, "--reason", "once more"): "same_person", EVE: "illegal_move"}
    for other, code in others.items():
        refused = jackpot("hit", "pay", hit, *other, "--json")
        assert (refused.object["refused"], refused.object["text"]) == (code, told)
        assert told in refused.err
    assert balances(jackpot)["paid"] == 500_006_000_000


def test_a_hit_of_long_ago_is_found(jackpot: "CommandLine") -> None:
    """However many ended since: shown, paid again as the first time, and moved no more; decided neither."""
    link = Link(2)
    link.decide([link.wagers("T1", 1)])
    link.decide([link.record("T1", 1, {1: STRAIGHT_FLUSH, 2: NOTHING, 3: OTHER})])
    hit = "T1/1/1/1/main"
    for move, person in (("verify", "Dee"), ("approve", "Eve"), ("approve", "Fay"), ("pay", "Gus")):
        link.decide([of_act(MoveHit(hit, move, person, len(link.state.hits[parse_hit(hit)].acts)))])
    for command in link.play("T1", 2):
        link.decide([command])
    for number in range(1, ENDED_KEPT + 2):
        link.decide([link.wagers("T2", number)])
        link.decide([link.record("T2", number, {1: FLUSH, 2: NOTHING, 3: OTHER})])
        paid(link, f"T2/1/{number}/1/house", ())
    assert parse_hit(hit) not in link.state.hits
    posted(jackpot, link)
    assert jackpot("hit", "show", hit, "--json").object["state"] == "paid"
    assert jackpot("hit", "pay", hit, "--json", "--by", "Gus").object["state"] == "paid"
    for words in (
        ("pay", hit, "--json", "--by", "Hal"),
        ("decide", hit, "--json", *BY, "--order", "commit", "--reason", "film"),
    ):
        assert jackpot("hit", *words).object["refused"] == "illegal_move"
    assert "was paid, as Gus said" in jackpot("hit", "pay", hit, "--by", "Hal").err
    assert jackpot("hit", "show", "T1/1/1/2/main", "--json").object["refused"] == "no_such_hit"


def test_the_same_correction_twice_at_once(jackpot: "CommandLine", tmp_path: Path) -> None:
    """By the same people and by others, at the same moment: one award, one answer."""
    link = Link(1)
    link.decide([link.wagers("T1", 1)])
    link.decide([link.record("T1", 1, {1: NOTHING, 2: OTHER, 3: "Qd Td 8d 7d 5c"})])
    posted(jackpot, link)
    data = record_of(jackpot, tmp_path, "T1", "1", seat_3="Qd Td 8d 7d 5d").read_bytes()
    people = [People("Max", "film", "Ida"), People("Max", "film", "Ida"), People("Ann", "film", "Bob")]

    async def at_once() -> list[Corrected]:
        asked = [correct_round(jackpot.database_url, "T1", 1, None, data, each, late=True) for each in people]
        return await asyncio.gather(*asked)

    first, *others = [one.answer for one in asyncio.run(at_once())]
    assert others == [first, first]
    assert balances(jackpot)["payable/T1/1/1/3/house"] == 10_000_000_000
    assert len(sound(jackpot, tmp_path / "export")) == 2


def test_what_was_paid_stays_paid_and_comes_back_in_parts(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A royal paid that was none: the pool is whole, the prize is owed; it comes back in parts, never more."""
    link = Link(2)
    link.decide([link.wagers("T1", 1), *link.play("T2", 1, {1: NOTHING, 2: OTHER, 3: FLUSH})])
    link.decide([link.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: OTHER})])
    paid(link, "T1/1/1/1/main")
    link.decide([*link.play("T1", 2, {4: NOTHING})])
    posted(jackpot, link)
    path = record_of(jackpot, tmp_path, "T1", "1", seat_1="As Ks Qs Js Th")
    late = jackpot("round", "correct", "T1", "1", "--file", str(path), *BY, *WHY)
    assert (late.object["refused"], late.code) == ("name_needed", 1)
    done = corrected(jackpot, path, "--by", "Max", "--manager", "Mo")
    assert done["overpaid"] == [{"hit": "T1/1/1/1/main", "cents": "5000132"}]
    assert balances(jackpot)["pool/main"] == 5_000_000_000_000 + 7 * 22_000_000
    back = ("hit", "recovered", "T1/1/1/1/main", *BY, "--reason", "he was written to (14.18.1.2)", "--json")
    assert jackpot(*back, "--cents", "5000133").object["refused"] == "nothing_owed"
    first = jackpot(*back, "--cents", "1000000", "--part", "1")
    assert (first.code, first.object["left_cents"]) == (0, "4000132")
    assert jackpot(*back, "--cents", "1000000", "--part", "1").object == first.object
    assert jackpot(*back, "--cents", "4000133").object["refused"] == "nothing_owed"
    assert jackpot(*back, "--cents", "4000132").object["left_cents"] == "0"
    assert jackpot(*back, "--cents", "1").object["refused"] == "nothing_owed"
    (listed,) = jackpot("hit", "overpaid", "--json").object["overpaid"]
    assert (listed["amount_cents"], listed["left_cents"], listed["month_end"]) == ("5000132", "0", "CSP 14.19")
    assert [part["cents"] for part in listed["recovered"]] == ["1000000", "4000132"]
    lines = tmp_path / "lines.jsonl"
    lines.write_text(jackpot("hit", "overpaid", "--lines").out)
    month = json.loads(lines.read_text())["month_end"][0]["day"][:7]
    asked = [sys.executable, "-m", "rules", "month", "--month", month, "--json", str(lines)]
    made = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
    (error,) = made["payment_errors"]
    assert (error["table"], error["seat"], error["cents"], error["rule"]) == ("T1", 1, 5_000_132, "CSP 14.19")
    assert (error["owed_cents"], error["paid_cents"], error["why"]) == (0, 5_000_132, "rectified")
    held = balances(jackpot)
    assert (held["recoverable"], held["recovered/T1/1/1/1/main"], sum(held.values())) == (0, 5_000_132_000_000, 0)
    sound(jackpot, tmp_path / "export")


def test_a_record_is_typed_in_for_a_lost_journal(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Two people type it in; a manager where the journal is the table's own still; the hits are manual."""
    link = Link(1)
    link.decide([link.wagers("T1", 1)])
    posted(jackpot, link)
    paper = {
        "capture": "claims",
        "no_other_hand": True,
        "declared_by": "Dee",
        "seats": [
            {"seat": 1, "ante_cents": 500, "jackpot_cents": 100, "cards": STRAIGHT_FLUSH, "decision": "bet"},
            {"seat": 2, "ante_cents": 500, "jackpot_cents": 100},
            {"seat": 3, "ante_cents": 500, "jackpot_cents": 100},
        ],
        "claims": [{"seat": 1, "prize": "straight_flush"}],
    }
    path = tmp_path / "paper.json"
    path.write_text(json.dumps(paper))
    typing = ("round", "record", "T1", "1", "--file", str(path), "--reason", "spool lost, from the film", "--json")
    assert "T1: linked, journal 1; open: round 1 of journal 1" in jackpot("link", "show", "southern").out
    shown = jackpot(*typing, "--by", "Max")
    assert (shown.code, shown.object["posted"], shown.object["marks"]) == (0, False, ["manual"]), shown.err
    said = jackpot(*typing[:-1], "--by", "Max").out
    assert said.endswith(
        "nothing was posted: say --by, --with and --reason to post it, and --manager where this is the journal that T1"
        " plays in\n"
    )
    assert jackpot(*typing, *BY).object["refused"] == "name_needed"
    done = jackpot(*typing, *BY, "--manager", "Mo")
    assert done.object["awards"][0]["amount_cents"] == "500006"
    assert jackpot("link", "show", "southern", "--json").object["open_rounds"] == []
    assert jackpot(*typing, "--by", "Ann", "--with", "Bob").object == done.object
    hit = jackpot("hit", "show", "T1/1/1/1/main", "--json").object
    assert (hit["marks"], [act["by"] for act in hit["acts"] if act["by"]]) == (["manual"], ["Max", "Ida", "Mo"])
    (line,) = sound(jackpot, tmp_path / "export")
    assert (line["kind"], line["awards"][0]["amount_cents"]) == ("record", 500006)


def test_which_of_two_royals_came_first(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Case 60: both disputed; two people and a manager say the other order: both amounts on file, both go on."""
    link = Link(2)
    link.decide([link.wagers("T1", 1, [3])])
    link.decide([link.wagers("T2", 1, [1])])
    link.decide([link.record("T2", 1, {1: ROYAL})])
    link.decide([link.record("T1", 1, {3: "Ac Kc Qc Jc Tc"})])
    posted(jackpot, link)
    listed = jackpot("hit", "list")
    assert listed.out.count("decide,") == 2, listed.out
    decide = ("hit", "decide", "T2/1/1/1/main", "--order", "wagers", *WHY)
    shown = jackpot(*decide, "--by", "Max").object
    assert [(one["hit"], one["by_commit_cents"], one["by_wagers_cents"]) for one in shown["hits"]] == [
        ("T1/1/1/3/main", "5000000", "5000044"),
        ("T2/1/1/1/main", "5000044", "5000000"),
    ]
    assert jackpot(*decide, *BY).object["refused"] == "name_needed"
    done = jackpot(*decide, *BY, "--manager", "Mo")
    assert (done.code, [one["state"] for one in done.object["hits"]]) == (0, ["pending", "pending"])
    held = balances(jackpot)
    assert (held["payable/T1/1/1/3/main"], held["payable/T2/1/1/1/main"]) == (5_000_044_000_000, 5_000_000_000_000)
    sound(jackpot, tmp_path / "export")


def in_two_disputes(jackpot: "CommandLine") -> None:
    """Post a royal of T2 that is disputed with T1's prize, and then with T3's."""
    link = Link(3)
    link.decide([link.wagers("T1", 1, [1])])
    link.decide([link.wagers("T2", 1, [1])])
    link.decide([link.record("T1", 1, {1: STRAIGHT_FLUSH})])
    link.decide([link.wagers("T3", 1, [1])])
    link.decide([link.record("T2", 1, {1: ROYAL})])
    link.decide([link.record("T3", 1, {1: "Ac Kc Qc Jc Tc"})])
    posted(jackpot, link)


def test_a_royal_in_two_disputes_is_held_until_both_are_decided(jackpot: "CommandLine", tmp_path: Path) -> None:
    """T2's is disputed with T1's prize, then with T3's: once the one is decided it tells of the other, and waits."""
    in_two_disputes(jackpot)
    t1, t2, t3 = (f"T{number}/1/1/1/main" for number in (1, 2, 3))
    first = jackpot("hit", "decide", t1, "--order", "wagers", *BY, "--manager", "Mo", *WHY).object
    assert {one["hit"]: one["state"] for one in first["hits"]} == {t1: "pending", t2: "disputed"}
    evidence = [
        act["reason"] for act in jackpot("hit", "show", t3, "--json").object["acts"] if act["move"] == "dispute"
    ]
    assert evidence[0] in jackpot("hit", "show", t2).out
    assert jackpot("hit", "verify", t2, "--by", "Ann", "--json").object["refused"] == "illegal_move"
    said = jackpot("hit", "resolve", t3, "--by", "Kim", "--with", "Lea", "--reason", "films")
    assert f"{t3} is pending" in said.out
    second = jackpot("hit", "decide", t2, "--order", "commit", "--by", "Ann", "--with", "Bob", *WHY).object
    assert {one["hit"]: one["state"] for one in second["hits"]} == {t2: "pending", t3: "pending"}
    sound(jackpot, tmp_path / "export")


def test_who_resolves_a_hit_of_two_disputes_is_told_of_the_other(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Two people's word ends the dispute that the hit tells of: another holds it still, and it is said."""
    in_two_disputes(jackpot)
    said = jackpot("hit", "resolve", "T2/1/1/1/main", "--by", "Kim", "--with", "Lea", "--reason", "films")
    assert "is disputed" in said.out, said.out
    assert "another dispute holds it still" in said.out, said.out
    said = jackpot("hit", "resolve", "T2/1/1/1/main", "--by", "Ann", "--with", "Bob", "--reason", "films")
    assert "is pending" in said.out, said.out
    sound(jackpot, tmp_path / "export")


@pytest.mark.parametrize("recorded", [False, True])
def test_a_wager_is_forfeited_by_direction(jackpot: "CommandLine", tmp_path: Path, *, recorded: bool) -> None:
    """CSP 16.6: the outcome is invalidated; one wager is forfeited by name and reason, the others go back."""
    link = Link(1)
    link.decide([link.wagers("T1", 1)])
    if recorded:
        link.decide([link.record("T1", 1, {1: STRAIGHT_FLUSH, 2: NOTHING, 3: OTHER})])
    posted(jackpot, link)
    void = ("round", "void", "T1", "1", "--rule", "16.6", *BY, *WHY)
    assert jackpot(*void).code == 2
    assert jackpot(*void, "--forfeit", "1").object["refused"] == "name_needed"
    directed = (*void, "--forfeit", "1", "--directed-by", "Sue", "--direction", "marked cards")
    done = jackpot(*directed)
    assert (done.code, done.object["seats"], done.object["forfeited"]) == (0, [2, 3], [1]), done.err
    assert jackpot(*directed).object == done.object
    held = balances(jackpot)
    assert (held["forfeited"], held["wagers"], held["pool/main"]) == (100_000_000, -100_000_000, 5_000_000_000_000)
    lines = sound(jackpot, tmp_path / "export")
    assert lines[-1]["forfeits"] == [{"seat": 1, "person": "Sue", "reason": "marked cards"}]


def test_a_round_corrected_then_void_is_sound(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Paid, raised by another's fall, paid again, then void: the audit holds each act to the moment it was made."""
    link = Link(2)
    link.decide([link.wagers("T1", 1, [2, 5])])
    link.decide([link.record("T1", 1, {2: ROYAL, 5: "Ac Kc Qc Jc Tc"})])
    paid(link, "T1/1/1/5/main")
    posted(jackpot, link)
    path = record_of(jackpot, tmp_path, "T1", "1", seat_2="As Ks Qs Js Th")
    done = corrected(jackpot, path, *BY)
    assert done["raised"] == [{"hit": "T1/1/1/5/main", "cents": "44"}]
    assert jackpot("hit", "pay", "T1/1/1/5/main", "--by", "Hal", "--json").object["state"] == "paid"
    void = jackpot("round", "void", "T1", "1", "--rule", "14.9", *BY, *WHY)
    assert void.object["overpaid"] == [{"hit": "T1/1/1/5/main", "cents": "5000044"}], void.err
    assert sum(balances(jackpot).values()) == 0
    sound(jackpot, tmp_path / "export")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, column 2: not JSON: Expecting property name enclosed in double quotes"),
        ('{"seats":[{"seat":1,"ante_cents":"5"}]}', "seats[0].ante_cents: 5: expected int, got str"),
    ],
)
def test_a_file_that_is_no_record(jackpot: "CommandLine", tmp_path: Path, text: str, said: str) -> None:
    """The field and its value are named; nothing changes."""
    link = Link(1)
    link.decide([*link.play("T1", 1)])
    posted(jackpot, link)
    path = tmp_path / "no.json"
    path.write_text(text)
    before = balances(jackpot)
    done = jackpot("round", "correct", "T1", "1", "--file", str(path), *BY, *WHY)
    assert (done.code, done.object) == (2, {"error": "usage", "text": f"{path}: {said}"})
    assert balances(jackpot) == before
