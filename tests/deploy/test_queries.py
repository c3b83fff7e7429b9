"""Every query of rules and dashboard, put to a Prometheus that reads a site at play: each finds what it asks for.

A query that compares finds nothing while all is well, and so does one whose name is misspelt. Therefore each comparison
is asked as `bool` (1 or 0 where there was a series or none), `or` and `unless` as `and` (both sides must have series),
`absent(...)` as what it misses, and Grafana's variables as the values they take. What never happened in this play must
answer 0: its series stand from the first moment.
"""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.support.alerts import DEPLOY, RULES, alerts, recorded
from tests.support.playing import Playing, playing, until
from tests.support.prometheus import Prometheus, own_config, prometheus

ASKED_WITHIN_S = 60.0
VARIABLES = {"$__rate_interval": "1m", "$__interval": "15s", "$link": ".*"}


def dashboard_queries() -> Iterator[tuple[str, str]]:
    """The queries of panels, annotations and variable, each with what it is for."""
    board = json.loads((DEPLOY / "grafana" / "dashboards" / "jackpot.json").read_text(encoding="utf-8"))
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            yield f"panel {panel['title']} {target['refId']}", target["expr"]
    for note in board["annotations"]["list"]:
        yield f"annotation {note['name']}", note["expr"]
    for variable in board["templating"]["list"]:
        yield f"variable {variable['name']}", re.sub(r"label_values\((\w+), \w+\)", r"\1", variable["definition"])


def queries() -> Mapping[str, str]:
    """All queries, by what they are for, as they are put to a site where all is well."""
    found = {f"record {name}": expression for name, expression in recorded().items()}
    found |= {f"alert {one['alert']}": one["expr"] for one in alerts()}
    found |= dict(dashboard_queries())
    return {name: as_asked(expression) for name, expression in found.items()}


def as_asked(expression: str) -> str:
    """Rewrite a query so that it has an answer exactly where all it names has series.

    >>> as_asked('a{x="$link"} > 1 or absent(b)')
    'a{x=".*"} > bool 1 and on () (b)'
    """
    for variable, value in VARIABLES.items():
        expression = expression.replace(variable, value)
    expression = expression.replace(" or on () vector(NaN)", "").replace(" or vector(0)", "")
    expression = re.sub(r" (==|>=|<=|>|<) (?!bool )", r" \1 bool ", expression)
    expression = re.sub(r" or ", " and on () ", expression)
    return re.sub(r"\babsent\(", "(", expression.replace(" unless ", " and "))


def ask(prometheus: Prometheus, expression: str) -> Sequence[Mapping[str, Any]]:
    """Put a query; one that Prometheus cannot read fails with its words."""
    try:
        return prometheus.query(expression)
    except HTTPError as error:
        pytest.fail(f"{expression}: {error.read().decode(errors='replace')}")


def has_number(series: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an answer says anything: a quantile of nothing is no number yet."""
    return any(one["value"][1] != "NaN" for one in series)


def a_board(site: Playing) -> None:
    """Say once what a board shows, as its page does."""
    at = json.loads(site.read(f"/boards/{site.link}/feed?format=json"))["state"]
    shown = {"board": "B1", "generation": at["generation"], "commit": at["commit"], "epoch": at["pools"][0]["epoch"]}
    body = json.dumps(shown | {"painted_cents": str(at["pools"][0]["cents"]), "heap": 1}).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(
        Request(f"http://{site.server_address}/boards/{site.link}/shown", body, headers), timeout=60
    ) as answer:
        assert answer.status == 204


def test_every_query_has_an_answer(tmp_path: Path) -> None:
    """No query of rules and dashboard is blind; the list with its answers is printed."""
    with playing(tmp_path / "site", tables=3, pace_s=1.0, screens="B1") as site:
        a_board(site)
        config = own_config(tmp_path, site.server_address, site.tables_address, site.link, RULES)
        with prometheus(tmp_path, config) as running, ThreadPoolExecutor(4) as several:
            until(lambda: set(running.targets().values()) == {"up"}, "both programs are read")
            ends, unanswered, answers = time.monotonic() + ASKED_WITHIN_S, queries(), dict[str, Any]()
            while unanswered and time.monotonic() < ends:
                found = several.map(ask, [running] * len(unanswered), unanswered.values())
                answers |= {name: series for name, series in zip(unanswered, found, strict=True) if has_number(series)}
                unanswered = {name: asked for name, asked in unanswered.items() if name not in answers}
                time.sleep(0.5)
            ill = [rule["name"] for rule in running.rules() if rule["health"] != "ok"]
    for name, series in sorted(answers.items()):
        shown = ", ".join(f"{one['metric'] or ''}{one['value'][1]}" for one in series[:3])
        print(f"{name}\n    {queries()[name]}\n    {len(series)} series: {shown[:200]}")  # noqa: T201 - for who reads it
    assert not unanswered, "\n".join(f"{name}: {asked}" for name, asked in unanswered.items())
    assert not ill


TOLD_BY_ALL = (
    "commit|generation|reserve_cents|liability_cents|terms_version|hits|hit_oldest_age_seconds|tables_enrolled|tables"
    "|meter_cents|meter_seed_cents|meter_limit_cents|epoch|table_linked|table_open_round|table_round_open_seconds|kept_aside"
)
"""What each server tells of the ledger, all of them the same."""


def test_what_all_servers_tell_alike_is_shown_once() -> None:
    """With two servers the dashboard shows no hit, table or cent twice: one of the same figures is taken first."""
    for name, query in dashboard_queries():
        once = re.sub(rf"\b(max|min)( by \([a-z, ]+\))? ?\(jackpot_({TOLD_BY_ALL})\b", "", query)
        if not name.startswith(("annotation", "variable")):
            assert re.findall(rf"\bjackpot_(?:{TOLD_BY_ALL})\b", once) == [], (name, query)
