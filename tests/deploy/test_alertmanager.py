"""Whom Alertmanager tells what: one call where five hundred tables lose one server, and a sign of life beside it."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.support.alertmanager import Alertmanager, alertmanager
from tests.support.alerts import DEPLOY, alerts
from tests.support.playing import until
from tests.support.prometheus import program

CONFIG = DEPLOY / "alertmanager" / "alertmanager.yml"
TABLES = 500
FOLLOW = ("JackpotTableLate", "JackpotSpoolBacklog")
"""What such a table has, which follows from the loss of its server."""


def fired(name: str, **more: str) -> dict[str, Any]:
    """An alert as Prometheus sends it, with the labels that its rule gives it."""
    [rule] = [one for one in alerts() if one["alert"] == name]
    return {"labels": {"alertname": name, "site": "example", **rule["labels"], **more}, "annotations": {}}


def ended(alert: dict[str, Any]) -> dict[str, Any]:
    """The same alert, over."""
    return alert | {"endsAt": datetime.now(UTC).isoformat()}


def still_wrong(manager: Alertmanager) -> dict[str, int]:
    """How many of each alert that follows were told of last, each in one ticket."""
    last = {group["alerts"][0]["labels"]["alertname"]: len(group["alerts"]) for group in manager.said("ticket")}
    return {name: last.get(name, 0) for name in FOLLOW}


def test_amtool_accepts_the_configuration() -> None:
    """Alertmanager would start with this configuration."""
    command = [program("amtool", "prometheus-alertmanager"), "check-config", str(CONFIG)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_its_way() -> None:
    """Pages go to the pager, tickets to the tickets, the sign of life out of the house."""
    amtool = program("amtool", "prometheus-alertmanager")
    ways = {"page": "pager", "ticket": "tickets", "none": "dead-mans-switch"}
    for one in alerts():
        labels = [f"{name}={value}" for name, value in fired(one["alert"])["labels"].items()]
        command = [amtool, "config", "routes", "test", f"--config.file={CONFIG}", *labels]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == ways[one["labels"]["severity"]], one["alert"]


def test_a_lost_server_is_one_call(tmp_path: Path) -> None:
    """A server down with 500 tables is one page and no ticket; what then is still wrong is told when it is back."""
    down = fired("JackpotServerDown", link="southern")
    tables = [fired(name, link="southern", table=f"T{number}") for number in range(1, TABLES + 1) for name in FOLLOW]
    with alertmanager(tmp_path, CONFIG) as manager:
        manager.post([down, fired("JackpotDeadMansSwitch")])
        until(lambda: bool(manager.said("page") and manager.said("alive")), "the page is sent")
        manager.post(tables)
        manager.post([fired("JackpotDiskLow", instance="db")])
        until(lambda: bool(manager.said("ticket")), "what does not follow from the server is told")
        [meanwhile] = manager.said("ticket")
        manager.post([ended(down)])
        until(lambda: still_wrong(manager) == dict.fromkeys(FOLLOW, TABLES), "what is still wrong is told afterwards")
        until(lambda: len(manager.said("page")) == 2, "the page is called off")
    first, over = manager.said("page")
    assert [one["labels"]["alertname"] for one in first["alerts"]] == ["JackpotServerDown"]
    assert (first["status"], over["status"]) == ("firing", "resolved")
    assert [one["labels"]["alertname"] for one in meanwhile["alerts"]] == ["JackpotDiskLow"]


def test_what_follows_and_bears_no_link_is_silent_too(tmp_path: Path) -> None:
    """A part of the server that fails for want of its ledger is no second ticket, though it is no link's own.

    Nor does a ledger's loss keep another link's troubles quiet.
    """
    other = fired("JackpotCommitSlow", link="northern")
    with alertmanager(tmp_path, CONFIG) as manager:
        manager.post([fired("JackpotLedgerUnreachable", link="southern")])
        until(lambda: bool(manager.said("ticket")), "the lost ledger is told")
        manager.post([fired("JackpotPartFailing", task="poster"), fired("JackpotCommitSlow", link="southern")])
        manager.post([other])
        until(lambda: len(manager.said("ticket")) > 1, "the other link's is told")
        manager.post([fired("JackpotDiskLow", instance="db")])
        until(lambda: len(manager.said("ticket")) > 2, "what does not follow is told")
        told = [one["labels"] for group in manager.said("ticket")[1:] for one in group["alerts"]]
    assert told == [other["labels"], fired("JackpotDiskLow", instance="db")["labels"]]
