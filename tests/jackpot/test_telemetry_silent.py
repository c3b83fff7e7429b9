"""A table that fell silent with a round open: who is called is told which table and which round (PROTOCOL 7)."""

from jackpot.core.facts import Fact
from jackpot.telemetry import Telemetry
from tests.support.chains import NOTHING, STRAIGHT_FLUSH, Link

SECOND_US = 1_000_000


def test_a_silent_table_and_its_round_are_named_until_the_record_comes() -> None:
    """Case 26: cut off with a prize dealt, 20 minutes: table, round and age; back, the hit names table, round, seat."""
    link = Link(2)
    telemetry = Telemetry(now_us=lambda: link.time_us + 1200 * SECOND_US)
    telemetry.opened("southern")
    link.decide([*link.play("T1", 1, {1: NOTHING}), link.wagers("T2", 1)])
    link.decide([link.record("T2", 1, {1: NOTHING, 2: "5h 5d 8c Jd Qd", 3: "4h 6s 8d Jc Qc"})])
    link.decide([link.wagers("T1", 2, [5])])

    def shown(name: str, table: str) -> float | None:
        return telemetry.registry.get_sample_value(name, {"link": "southern", "table": table})

    telemetry.stands("southern", link.state)
    assert shown("jackpot_table_open_round", "T1") == 2
    assert shown("jackpot_table_round_open_seconds", "T1") == 1200
    assert shown("jackpot_table_open_round", "T2") is None
    assert shown("jackpot_table_round_open_seconds", "T2") == 0
    decision = link.decision([link.record("T1", 2, {5: STRAIGHT_FLUSH})])
    (award,) = [fact for fact in decision.facts if fact.kind == "award"]
    assert (award.table, award.round, award.figures["hit"]) == ("T1", 2, "T1/1/2/5/main")
    telemetry.stands("southern", decision.state)
    assert shown("jackpot_table_open_round", "T1") is None


def test_a_gap_is_told_with_its_table_and_round() -> None:
    """Rounds that a table left out are an alarm; the log line has the table, the round and how many are missing."""
    link = Link(1)
    decision = link.decision([link.wagers("T1", 4)])
    assert [fact for fact in decision.facts if fact.kind == "gap"] == [Fact("gap", "T1", 4, {"missing": 3})]
    telemetry = Telemetry()
    telemetry.opened("southern")
    telemetry.facts("southern", decision.facts)
    alarms = {"link": "southern", "kind": "gap"}
    assert telemetry.registry.get_sample_value("jackpot_alarms_total", alarms) == 1
