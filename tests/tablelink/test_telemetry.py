"""What a table agent shows Prometheus before anything has happened, and on which rung of its ladder it stands."""

from pathlib import Path

from tablelink.core.ladder import RUNGS
from tablelink.telemetry import TableNow, Telemetry


def test_a_table_is_shown_from_its_first_moment(tmp_path: Path) -> None:
    """Before any message has waited, one rung is 1 and the age of the oldest is nought; asking is no fault."""
    telemetry = Telemetry(now=lambda: 100.0)
    now = TableNow(
        session_up=False,
        closed={"no_session"},
        step="stopped",
        unanswered=0,
        oldest="",
        open_hits=0,
        spool=tmp_path / "T1.spool",
    )
    telemetry.runs("T1", lambda: now)
    telemetry.refresh()
    shown = {
        rung: telemetry.registry.get_sample_value("tablelink_degraded", {"table": "T1", "step": rung}) for rung in RUNGS
    }
    assert shown == {rung: rung == "stopped" for rung in RUNGS}
    ages = {"table": "T1"}
    assert telemetry.registry.get_sample_value("tablelink_unanswered_oldest_age_seconds", ages) == 0
