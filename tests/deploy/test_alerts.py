"""The alerts of a site: promtool reads and tries them, the runbook has an entry for each, and no name is a dead one."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jackpot.telemetry.families import ALARMS
from jackpot.telemetry.families import FAMILIES as SERVER
from tablelink.families import FAMILIES as TABLE
from tests.support.alerts import DEPLOY, RULES, alerts, recorded
from tests.support.prometheus import program

TESTS = sorted((DEPLOY / "prometheus" / "tests").glob("*.yml"))
HEADINGS = ("What it means.", "What players see.", "What to do.", "How to know it is over.")
PAGES = {
    "JackpotInvariantBroken",
    "JackpotServerDown",
    "JackpotWinNotOnDisplays",
    "JackpotHitUnverified",
    "JackpotAuditDifference",
}
OTHERS = {"process_start_time_seconds"}
"""Names that no table of families has: they are every Python program's own."""
CHANGES = (
    ('process_start_time_seconds{job="jackpot",instance="a"}', "stale _ _"),
    ('jackpot_terms_version{link="southern"}', ""),
    ('jackpot_last_change_timestamp_seconds{link="southern",change="status"}', ""),
)
"""What each annotation watches, and what Prometheus reads of it at the change itself."""
RUNBOOK = "https://ops.casino.example/jackpot/runbook.md#"


def promtool(*arguments: str | Path) -> str:
    """Run promtool; what it does not like fails the test with its own words."""
    command = [program("promtool", "prometheus"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def entries() -> dict[str, str]:
    """The runbook's entries of alerts, by their headings."""
    parts = re.split(r"^### (Jackpot\w+)\n", (DEPLOY / "runbook.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def names_in(text: str) -> Iterator[str]:
    """The metrics that a text speaks of."""
    for name in re.findall(r"\b(?:jackpot|tablelink|process)_[a-z0-9_]+\b", text):
        if name != "jackpot_board":  # an event of the log
            yield name


def known_metrics() -> set[str]:
    """Every name under which a declared family has series."""
    known = set(OTHERS)
    for family in (*SERVER, *TABLE):
        known.add(family.name)
        if family.kind == "histogram":
            known |= {f"{family.name}{ending}" for ending in ("_bucket", "_sum", "_count")}
    return known


def test_promtool_accepts_the_configuration() -> None:
    """Prometheus would start with this configuration."""
    promtool("check", "config", "--syntax-only", DEPLOY / "prometheus" / "prometheus.yml")


def test_promtool_accepts_the_rules() -> None:
    """Every rule can be read, and none is there twice."""
    promtool("check", "rules", "--lint-fatal", *RULES)


@pytest.mark.parametrize("file", TESTS, ids=[file.stem for file in TESTS])
def test_alerts_fire_when_they_should(file: Path) -> None:
    """Each alert fires in its time, is silent otherwise, and fires once for what swings."""
    promtool("test", "rules", file)


def test_every_alert_is_tried() -> None:
    """No alert is without a test of firing and one of swinging."""
    tried = {name for file in TESTS for name in re.findall(r"name: (Jackpot\w+ \w+)$", file.read_text(), re.MULTILINE)}
    always = {"JackpotDeadMansSwitch", "JackpotExporterAbsent"}  # tests/silence.yml
    wanted = {
        f"{one['alert']} {what}" for one in alerts() for what in ("fires", "swings") if one["alert"] not in always
    }
    assert tried == wanted


def test_five_alerts_page() -> None:
    """These five wake somebody, with what players see and what to type first; the others are tickets."""
    paging = [one for one in alerts() if one["labels"]["severity"] == "page"]
    assert {one["alert"] for one in paging} == PAGES
    assert all({"players", "first_command"} <= one["annotations"].keys() for one in paging)
    assert {one["labels"]["severity"] for one in alerts() if one not in paging} == {"ticket", "none"}


def test_pages_are_worked_out_as_often_as_the_server_is_read() -> None:
    """A minute of a server that does not answer is told after a minute, and not when other rules have their turn."""
    text = (DEPLOY / "prometheus" / "prometheus.yml").read_text(encoding="utf-8")
    every = re.findall(r"job_name: jackpot\n    scrape_interval: (\w+)\n", text)
    for file, group in zip(RULES, ("jackpot-recording", "jackpot-pages"), strict=True):
        found = re.findall(rf"- name: {group}\n    interval: (\w+)\n", file.read_text(encoding="utf-8"))
        assert found == every, file


def test_alerts_neither_hurry_nor_flap() -> None:
    """Each waits one to five minutes before it fires, and goes on for five after.

    None that waits a minute looks back so far that one bad scrape would last it.
    """
    for one in alerts():
        if one["alert"] != "JackpotDeadMansSwitch":
            assert (one["for"] in {"1m", "5m"}, one["keep_firing_for"]) == (True, "5m"), one["alert"]
            looks_back = set(re.findall(r"(?:max|min)_over_time\(.*?\[(\w+)", one["expr"]))
            assert one["for"] == "5m" or looks_back <= {"30s"}, one["alert"]


def test_alerts_and_runbook_agree() -> None:
    """Every alert has its entry in the runbook and its link to it, and the runbook has no other."""
    book = entries()
    assert list(book) == [one["alert"] for one in alerts()]
    for one in alerts():
        assert one["annotations"]["runbook_url"] == RUNBOOK + one["alert"].lower()
        found = re.findall(r"^\*\*([^*]+)\*\*", book[one["alert"]], re.MULTILINE)
        assert tuple(found) == HEADINGS, one["alert"]


def raised() -> set[str]:
    """The kinds of alarms that the server's source raises: facts of a batch, and what telemetry is told itself."""
    found: set[str] = set()
    for file in sorted((DEPLOY.parent / "jackpot").rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match call:
                case ast.Call(func=ast.Name("Fact"), args=[ast.Constant(str(kind)), *_]) if kind in ALARMS:
                    found.add(kind)
                case ast.Call(func=ast.Attribute(attr="alarm" | "_alarm"), args=[_, ast.Constant(str(kind))]):
                    found.add(kind)
                case ast.Call(func=ast.Attribute(attr="alarm" | "_alarm"), args=[_, kind]):
                    assert ast.unparse(kind) == "refusal.code", f"{file}: an alarm whose kind cannot be read"
                    found.add("kept_aside")
                case _:
                    pass
    return found


def test_every_kind_of_alarm_calls_somebody_or_is_said_to_call_nobody() -> None:
    """The runbook's table has each kind that can be raised, with its alert or the word nobody."""
    book = (DEPLOY / "runbook.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"^\| `(\w+)` \| (Jackpot\w+|nobody\b.*) \|$", book, re.MULTILINE))
    assert list(said) == list(ALARMS)
    assert raised() == set(ALARMS)
    assert {who for who in said.values() if not who.startswith("nobody")} <= {one["alert"] for one in alerts()}
    of_one = {kind: one["alert"] for one in alerts() for kind in re.findall(r'kind="(\w+)"', one["expr"])}
    assert of_one.items() <= said.items()


def test_no_name_is_a_dead_one() -> None:
    """Every metric that rules, dashboard and runbook name is declared by a program or recorded by a rule."""
    files = [*RULES, DEPLOY / "runbook.md", DEPLOY / "grafana" / "dashboards" / "jackpot.json"]
    dead = {name for file in files for name in names_in(file.read_text(encoding="utf-8"))} - known_metrics()
    assert dead == set()
    asked = {
        name
        for file in [DEPLOY / "prometheus" / "rules" / "alerts.yml", files[-1]]
        for name in re.findall(r"\b(?:link|site):[a-z0-9_]+:[a-z0-9_]+", file.read_text(encoding="utf-8"))
    }
    assert asked == set(recorded())


def test_what_follows_from_a_failure_is_silent_while_it_is_known() -> None:
    """`follows` names only failures that have an alert, and Alertmanager knows them."""
    config = (DEPLOY / "alertmanager" / "alertmanager.yml").read_text(encoding="utf-8")
    known = set(re.findall(r"follows=~\"\(\.\* \)\?(\w+)\(", config))
    named = {word for one in alerts() for word in one["labels"].get("follows", "").split()}
    assert named == known == {"server", "ledger", "redis"}
    assert not [one for one in alerts() if one["labels"]["severity"] == "page" and "follows" in one["labels"]]


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana reads it."""
    found: dict[str, Any] = json.loads((DEPLOY / "grafana" / "dashboards" / "jackpot.json").read_text(encoding="utf-8"))
    return found


def panels() -> list[dict[str, Any]]:
    """The panels that show something."""
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def test_the_dashboard_is_laid_out() -> None:
    """Ids are unique, nothing overlaps, twelve panels stand above the fold, every panel asks the provisioned source."""
    every = dashboard()["panels"]
    assert len({panel["id"] for panel in every}) == len(every)
    taken: set[tuple[int, int]] = set()
    for panel in every:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells
    assert sum(panel["gridPos"]["y"] + panel["gridPos"]["h"] <= 21 for panel in panels()) == 12
    source = (DEPLOY / "grafana" / "provisioning" / "datasources" / "prometheus.yml").read_text(encoding="utf-8")
    uids = {target["datasource"]["uid"] for panel in panels() for target in panel["targets"]}
    assert [f"uid: {uid}" in source for uid in uids] == [True]
    assert dashboard()["refresh"] == "15s"
    assert [variable["name"] for variable in dashboard()["templating"]["list"]] == ["link"]


def test_panels_explain_themselves() -> None:
    """Each has a description, a unit, an axis from nought, a link into the runbook, and NO DATA in its colour."""
    anchors = {RUNBOOK + one["alert"].lower() for one in alerts()}
    for panel in panels():
        defaults = panel["fieldConfig"]["defaults"]
        assert panel["description"]
        assert defaults["unit"]
        assert (defaults["min"], defaults["noValue"]) == (0, "NO DATA"), panel["title"]
        assert {link["url"] for link in panel["links"]} <= anchors
        assert panel["links"]
        [mapping] = [each for each in defaults["mappings"] if each["options"]["match"] == "null+nan"]
        assert (mapping["options"]["result"]["text"], mapping["options"]["result"]["color"]) == ("NO DATA", "#DAB9FF")
        if panel["type"] == "stat":  # a query without series would otherwise leave the panel blank, not alarmed
            assert all(target["expr"].endswith("or on () vector(NaN)") for target in panel["targets"]), panel["title"]


def limits(expression: str) -> set[float]:
    """The numbers that an alert compares with; of whole things, `> 0` and one are the same."""
    found = {float(number) for number in re.findall(r"[<>]=?\s*([0-9.]+)", expression)}
    return found | ({1.0} if 0.0 in found else set())


def test_a_threshold_is_an_alerts() -> None:
    """A panel draws a limit only where the alert it links to has the same."""
    of = {RUNBOOK + one["alert"].lower(): limits(one["expr"]) for one in alerts()}
    for panel in panels():
        allowed = set().union(*(of[link["url"]] for link in panel["links"]))
        for rule in panel["fieldConfig"]["overrides"]:
            for link in next((each["value"] for each in rule["properties"] if each["id"] == "links"), []):
                allowed |= of[link["url"]]
        steps = [panel["fieldConfig"]["defaults"]["thresholds"]["steps"]]
        for rule in panel["fieldConfig"]["overrides"]:
            steps += [each["value"]["steps"] for each in rule["properties"] if each["id"] == "thresholds"]
        drawn = {step["value"] for each in steps for step in each if step["value"] is not None}
        assert drawn <= allowed, panel["title"]


def test_what_changed_is_marked(tmp_path: Path) -> None:
    """Deploys, terms and failovers are drawn into every graph, at whatever moment of Grafana's steps they come."""
    notes = dashboard()["annotations"]["list"]
    assert [note["name"] for note in notes] == ["Deploys", "Terms", "Failovers"]
    # Grafana asks each 15 s, Prometheus scrapes at its own moments, and a server that starts is not read for a while.
    tests = [
        {
            "interval": "7s",
            "input_series": [{"series": series, "values": f"100x{4 + later} {away} 200x{12 - later}"}],
            "promql_expr_test": [
                {"expr": f"count(count_over_time(({asked})[2m:15s]))", "eval_time": "2m", "exp_samples": [{"value": 1}]}
            ],
        }
        for note, (series, away) in zip(notes, CHANGES, strict=True)
        for asked in [
            note["expr"].replace("$__rate_interval", "1m").replace("$__interval", "15s").replace("$link", ".*")
        ]
        for later in range(5)
    ]
    file = tmp_path / "changes.yml"
    file.write_text(json.dumps({"evaluation_interval": "15s", "tests": tests}), encoding="utf-8")
    promtool("test", "rules", file)


def test_no_figure_is_shortened() -> None:
    """Money is written to the cent and what is counted to the last one: not as 5 K tables, nor as 84.21 K dollars."""
    rules = [each for panel in panels() for each in panel["fieldConfig"]["overrides"]]
    units = {each["value"] for rule in rules for each in rule["properties"] if each["id"] == "unit"}
    assert units | {panel["fieldConfig"]["defaults"]["unit"] for panel in panels()} == {
        "bytes", "locale", "percentunit", "s",
    }  # fmt: skip
    money = [panel for panel in panels() if "_cents" in panel["targets"][0]["expr"]]
    assert {panel["fieldConfig"]["defaults"]["custom"]["axisLabel"] for panel in money} == {"in each link's currency"}
    assert {panel["fieldConfig"]["defaults"]["decimals"] for panel in money} == {2}


def labels_of(expression: str) -> set[str]:
    """The labels by which the lines of a query differ: those of its outermost `by`, or of the rule that it reads."""
    if re.match(r"\(?(?:sum|max|min)\(", expression):
        return set()
    if found := re.match(r"(link:\w+:\w+)\{", expression):
        expression = recorded()[found[1]]
    if found := re.search(r"\bby \(([a-z, ]+)\)", expression):
        return set(found[1].split(", ")) - {"le"}
    return set()


def test_no_two_lines_have_one_name() -> None:
    """Each line's name has every label by which it differs from another: of two links, it says which."""
    for panel in panels():
        for target in panel["targets"]:
            named = set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
            assert labels_of(target["expr"]) == named, (panel["title"], target["expr"])
