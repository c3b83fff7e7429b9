"""What a void would come to, before anybody posts it; and what of a rule or a hit is said that does not fit."""

from typing import TYPE_CHECKING

import pytest

from tests.jackpot.cli.test_rounds import OTHER, balances, paid, posted
from tests.support.chains import NOTHING, ROYAL, STRAIGHT_FLUSH, Link

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

VOID = ("round", "void", "T1", "1")
ASKED = ("--by", "Max")
TWO = ("--by", "Max", "--with", "Ida", "--reason", "a red three")
PLAN = """\
T1 round 1 would be void; wagers back at seats: 1, 2, 3
  seat 1: 1.00 in chips to the player
  seat 2: 1.00 in chips to the player
  seat 3: 1.00 in chips to the player
  out of pool/main 0.66, reserve 0.24, retained 2.10
"""
NOT_POSTED = "nothing was posted: say --by, --with and --reason to post it\n"


@pytest.fixture
def recorded(jackpot: "CommandLine") -> "CommandLine":
    """A ledger in which T1 has recorded a straight flush that is not paid, and round 2 of T2 is open."""
    link = Link(2)
    link.decide([link.wagers("T1", 1), link.wagers("T2", 1)])
    link.decide([link.record("T1", 1, {1: STRAIGHT_FLUSH, 2: NOTHING, 3: OTHER})])
    posted(jackpot, link)
    return jackpot


@pytest.mark.parametrize("asked", [ASKED, (*TWO, "--show")])
def test_a_void_is_shown_before_it_is_posted(recorded: "CommandLine", asked: tuple[str, ...]) -> None:
    """Who gets what back, out of which accounts, which hit falls: nothing moves by it, and posted it is just that."""
    before = balances(recorded)
    done = recorded(*VOID, "--rule", "14.9", *asked)
    hit = "  T1/1/1/1/main would be released: its 5,000.13 are held no more\n"
    assert (done.code, done.out) == (0, PLAN + hit + NOT_POSTED)
    told = recorded(*VOID, "--rule", "14.9", *asked, "--json").object
    assert (told.pop("posted"), balances(recorded)) == (False, before)
    made = recorded(*VOID, "--rule", "14.9", *TWO, "--json").object
    assert made.pop("posted")
    assert made == told
    again = recorded(*VOID, "--rule", "14.9", *asked, "--json").object
    assert (again.pop("posted"), again) == (True, made)


def test_a_seat_and_a_forfeited_wager_are_shown_too(recorded: "CommandLine") -> None:
    """Of one seat only what is its own; of who defrauded, what is set aside and what the others get."""
    before = balances(recorded)
    one = recorded(*VOID, "--rule", "14.8", "--seat", "2", *ASKED).out
    assert "wagers back at seats: 2\n" in one
    assert "out of pool/main 0.22, reserve 0.08, retained 0.70\n" in one
    fraud = ("--forfeit", "1", "--directed-by", "Sue", "--direction", "film")
    kept = recorded(*VOID, "--rule", "16.6", *fraud, *ASKED).out
    assert "wagers back at seats: 2, 3\n" in kept
    assert "  into forfeited 1.00\n  forfeited at seats: 1\n" in kept
    assert (one.endswith(NOT_POSTED), kept.endswith(NOT_POSTED), balances(recorded)) == (True, True, before)


def test_a_void_of_an_open_round_is_shown_too(recorded: "CommandLine") -> None:
    """It goes another way into the ledger, and is shown in the same words; its table is spoken of when it is posted."""
    before = balances(recorded)
    done = recorded("round", "void", "T2", "1", "--rule", "14.4", *ASKED)
    assert done.out == PLAN.replace("T1", "T2") + NOT_POSTED
    assert balances(recorded) == before
    assert "T2 hears of it" in recorded("round", "void", "T2", "1", "--rule", "14.4", *TWO).out


@pytest.mark.parametrize("table", ["T1", "T2"])
@pytest.mark.parametrize("seat", ["8", "0", "-1"])
def test_a_seat_that_the_table_does_not_have_is_void_with_no_other(
    recorded: "CommandLine", table: str, seat: str
) -> None:
    """Its table is told of voids of seats that it has: it would play on with the other one, as if it had lost rows."""
    before = balances(recorded)
    done = recorded("round", "void", table, "1", "--rule", "14.8", "--seat", "1", "--seat", seat, *TWO)
    assert (done.code, f"{table} has 7 seats, from 1 on: {seat}" in done.err) == (1, True), done.err
    assert balances(recorded) == before


def test_a_table_is_spoken_of_where_a_wager_of_its_open_round_is_forfeited(recorded: "CommandLine") -> None:
    """It hears of that as of every void; of a round that is recorded there is nothing to hear."""
    fraud = ("--rule", "16.6", "--forfeit", "1", "--directed-by", "Sue", "--direction", "film", *TWO)
    assert "T2 hears of it" in recorded("round", "void", "T2", "1", *fraud).out
    assert "hears of it" not in recorded(*VOID, *fraud).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--rule", "99.9"), "no round is voided under this rule, only under CSP 14.1, "),
        (("--rule", "14.4", "--seat", "1"), "the whole round is void, not seats of it: leave --seat out: CSP 14.4"),
        (("--rule", "14.8"), "only seats are void, not the whole round: name each, --seat SEAT: CSP 14.8"),
    ],
)
def test_a_rule_that_does_not_fit_is_answered_with_what_does(
    jackpot: "CommandLine", arguments: tuple[str, ...], words: str
) -> None:
    """Before the ledger is asked for anything: there is no such round either."""
    done = jackpot(*VOID, *arguments, *TWO)
    assert (done.code, words in done.err) == (1, True), done.err


def test_a_void_is_posted_by_two_with_a_reason(recorded: "CommandLine") -> None:
    """Of an open round too, whose table needs no second person: one name twice, or no reason, moves nothing."""
    before = balances(recorded)
    for table in ("T1", "T2"):
        for names, code in (
            (("--by", "Max", "--with", " max", "--reason", "a red three"), "same_person"),
            (TWO[:4], "reason_needed"),
        ):
            done = recorded("round", "void", table, "1", "--rule", "14.4", *names, "--json")
            assert (done.code, done.object["refused"]) == (1, code)
    assert balances(recorded) == before


def test_a_hit_that_was_not_overpaid_and_one_that_is_not_there_are_told_apart(jackpot: "CommandLine") -> None:
    """Neither has anything that could come back: which of the two it is, is said."""
    link = Link(1)
    link.decide([link.wagers("T1", 1)])
    link.decide([link.record("T1", 1, {1: ROYAL, 2: NOTHING, 3: OTHER})])
    paid(link, "T1/1/1/1/main")
    posted(jackpot, link)
    for hit, words in (
        ("T1/1/1/1/main", "nothing of this hit was overpaid: nothing is to come back: T1/1/1/1/main: CSP 14.16"),
        ("T1/1/1/2/main", "the ledger holds no such hit: T1/1/1/2/main"),
        ("T1/1/77/1/main", "the ledger holds no such hit: T1/1/77/1/main"),
    ):
        done = jackpot("hit", "recovered", hit, "--cents", "100", *TWO)
        assert (done.code, done.err.strip()) == (1, words)


def test_the_rules_under_which_a_hit_falls_are_named(recorded: "CommandLine") -> None:
    """A rule of another kind: which they are, and nothing moves."""
    before = balances(recorded)
    done = recorded("hit", "reject", "T1/1/1/1/main", "--rule", "14.9", *TWO)
    assert (done.code, "no hit falls away under this rule, only under CSP 11.4, CSP 14.20" in done.err) == (1, True)
    assert balances(recorded) == before


@pytest.mark.parametrize("columns", ["80", "70"])
def test_the_list_of_hits_breaks_no_word(recorded: "CommandLine", columns: str) -> None:
    """On a terminal of eighty columns, and a little less: hit, prize, state and amount are each on one line, whole."""
    told = recorded("hit", "list", COLUMNS=columns).out
    (line,) = [line for line in told.splitlines() if "T1/1/1/1/main" in line]
    assert line.split()[:4] == ["T1/1/1/1/main", "straight_flush", "pending", "5,000.13"]
    assert told.splitlines()[0].strip() == "Hits of southern"
    assert all(len(line.rstrip()) <= int(columns) for line in told.splitlines())
    words = " ".join(told.split())
    assert "verify, reject, release," in words
