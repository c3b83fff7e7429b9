"""What the server counts of a batch, and that nobody outside can multiply its series."""

import pytest
from prometheus_client import generate_latest

from jackpot.core.commands import command_of
from jackpot.core.facts import Fact
from jackpot.core.posting import Posted
from jackpot.core.state import LinkState
from jackpot.telemetry import STATUSES, Telemetry
from jackpot.telemetry.money import void_rule
from jackpot.wire.codec import encode
from jackpot.wire.messages import Void
from rules.irregularities.caribbean_stud import ROWS
from rules.irregularities.voiding import FORFEITS, VOID_RULES
from tests.support.chains import Link


def value(telemetry: Telemetry, name: str, **labels: str) -> float | None:
    """A series' value."""
    return telemetry.registry.get_sample_value(name, labels)


def test_a_batch_is_counted_by_what_happened_in_it() -> None:
    """Wagers, refusals, awards, rounds and alarms rise by what the facts of a batch say."""
    telemetry = Telemetry()
    telemetry.opened("southern")
    facts = [
        Fact("accepted", "T1", 1, {"seats": 3, "cents": 300}),
        Fact("seat_refused", "T1", 1, {"code": "no_ante", "seat": 4, "value": ""}),
        Fact("award", "T1", 1, {"hit": "T1/1/1/3/main", "prize": "royal_flush", "cents": 5_000_000}),
        Fact("recorded", "T1", 1, {}),
        Fact("gap", "T1", 1, {"missing": 2}),
    ]
    telemetry.posted("southern", Posted(LinkState("southern"), facts, 2, 900, 1_000_000, 1_004_000, "fence"), 5)
    link = {"link": "southern"}
    assert value(telemetry, "jackpot_wagers_accepted_total", **link) == 3
    assert value(telemetry, "jackpot_refusals_total", code="no_ante", **link) == 1
    assert value(telemetry, "jackpot_awards_total", prize="royal_flush", **link) == 1
    assert value(telemetry, "jackpot_award_cents_total", prize="royal_flush", **link) == 5_000_000
    assert value(telemetry, "jackpot_rounds_total", kind="recorded", **link) == 1
    assert value(telemetry, "jackpot_alarms_total", kind="gap", **link) == 1
    assert value(telemetry, "jackpot_queue", **link) == 5
    assert value(telemetry, "jackpot_batch_seconds_sum", **link) == 0.004
    assert value(telemetry, "jackpot_batches_decided_again_total", reason="fence", **link) == 1


def test_a_link_shows_where_it_stands() -> None:
    """Meter, epoch, commit, generation and hits are those of the state."""
    telemetry, link = Telemetry(), Link()
    telemetry.opened("southern")
    link.decide([link.wagers("T1", 1)])
    telemetry.stands("southern", link.state)
    assert value(telemetry, "jackpot_meter_cents", link="southern", pool="main") == 5_000_066
    assert value(telemetry, "jackpot_epoch", link="southern", pool="main") == 1
    assert value(telemetry, "jackpot_commit", link="southern") == link.state.head.commit
    assert value(telemetry, "jackpot_hits", link="southern", state="pending") == 0


def test_a_ledger_whose_time_is_ahead_of_the_clock_says_by_how_much() -> None:
    """A clock that was days ahead for one batch is told of until that date; one that is past the ledger's is not."""
    link = Link()
    link.decide([link.wagers("T1", 1)])
    last_us = link.state.head.time_us
    for clock_us, ahead_s in ((last_us - 259_200_000_000, 259_200), (last_us, 0), (last_us + 7_000_000, 0)):
        telemetry = Telemetry(now_us=lambda clock_us=clock_us: clock_us)  # type: ignore[misc]
        telemetry.stands("southern", link.state)
        assert value(telemetry, "jackpot_ledger_time_ahead_seconds", link="southern") == ahead_s


def test_a_table_that_has_played_no_round_has_no_last_one() -> None:
    """Enrolled alone, no age of a last round is told; with its first round it is."""
    telemetry, link = Telemetry(), Link(2)
    telemetry.opened("southern")
    link.decide([*link.play("T1", 1)])
    telemetry.stands("southern", link.state)
    assert value(telemetry, "jackpot_table_last_round_age_seconds", link="southern", table="T1") is not None
    assert value(telemetry, "jackpot_table_last_round_age_seconds", link="southern", table="T2") is None
    assert value(telemetry, "jackpot_table_connected", link="southern", table="T2") == 0


def test_a_link_has_one_status() -> None:
    """Of the statuses a link can have it shows 1 for the one it has."""
    telemetry = Telemetry()
    telemetry.opened("southern")
    telemetry.says("southern", "stopped")
    shown = {status: value(telemetry, "jackpot_link_status", link="southern", status=status) for status in STATUSES}
    assert shown == {"running": 0, "stopped": 1, "ledger_behind": 0, "ledger_unreachable": 0}


def test_a_void_is_counted_under_its_rule() -> None:
    """Every rule by which people or tables may void has a series of its own: none of them is only `other`."""
    assert {void_rule(rule) for rule in (*VOID_RULES, FORFEITS)} == {*VOID_RULES, FORFEITS}
    of_tables = {way.by or way.rule for way in ROWS if "jackpot" in way.returns}
    assert "other" not in {void_rule(rule) for rule in of_tables}, of_tables


@pytest.mark.parametrize(
    ("rule", "alarmed"),
    [
        *[(rule, 0) for rule in (*VOID_RULES, FORFEITS)],
        ("CSP 14.9.2", 0),  # the clause of a rule
        *[(rule, 1) for rule in ("CSP 17.1", "CSP 14.5", "CSP 14.15", "CSP 14.90", "hello", " ", "csp 14.4")],
    ],
)
def test_a_void_whose_rule_voids_nothing_is_taken_and_people_are_called(rule: str, alarmed: int) -> None:
    """A table's void goes the way of every void, whatever its rule: only the series of JackpotVoidUnderNoRule rises."""
    telemetry, link = Telemetry(), Link(1)
    telemetry.opened("southern")
    link.decide([link.wagers("T1", 1)])
    usual = link.decision([link.void("T1", 1)])
    given = link.decision([command_of(encode(Void("T1", 1, "2026-11", 1, 1, rule, "Cy")))])
    telemetry.facts("southern", given.facts)
    assert given.replies[0].answer == usual.replies[0].answer
    assert given.state.balances == usual.state.balances
    assert value(telemetry, "jackpot_voids_total", link="southern", rule="other") == alarmed


def test_facts_of_any_words_make_no_series() -> None:
    """Codes, prizes, tables and kinds that nobody knows add nothing but to `other` (case 36)."""
    telemetry = Telemetry()
    telemetry.opened("southern")

    def facts(number: int) -> list[Fact]:
        return [
            Fact("refused", f"T{number}", number, {"code": f"code{number}"}),
            Fact("award", f"T{number}", number, {"prize": f"prize{number}", "cents": 1}),
            Fact(f"kind{number}", f"T{number}", number),
        ]

    telemetry.facts("southern", facts(0))
    before = generate_latest(telemetry.registry).count(b"\n")
    for number in range(1, 1000):
        telemetry.facts("southern", facts(number))
    assert generate_latest(telemetry.registry).count(b"\n") == before
