"""What does a row of the bench say? A goal, two series measured for it; and its JSON, its table and its chart.

Values and baselines are measured in turns in one run, because a machine's speed is never the same twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from statistics import median
from typing import Literal

import msgspec
from rich import box
from rich.table import Table

_ROWS, _END_OF_ROWS = "<!-- rows -->", "<!-- end of rows -->"
Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Goal:
    """A row before it is measured: what it is called, which way is better, what it must reach, and what it means.

    Where there is a `baseline`, `reach` is of the ratio to it, else of the value itself.
    """

    name: str
    unit: str
    better: Better
    reach: float
    says: str
    baseline: str


@dataclass(frozen=True, slots=True)
class Measured:
    """The values of the repeats and, in the same order, those of the baseline measured beside each."""

    values: Sequence[float]
    baselines: Sequence[float] = ()
    short: str = ""
    """Why the row is not what its goal asks for, and so never ok; empty where it is."""


class Result(msgspec.Struct, frozen=True):
    """A row as `--json` writes it. What could not be measured is null, and `ok` false.

    `value` and `baseline` are medians of the repeats. `spread` is how far the repeats lie apart: the largest less the
    smallest, of the ratios where there is a baseline, as a share of their median.
    """

    name: str
    value: float | None
    unit: str
    better: Better
    baseline: float | None
    ratio: float | None
    reach: float
    ok: bool
    repeats: int
    spread: float | None


def result_of(goal: Goal, measured: Measured | None) -> Result:
    """Judge what was measured by its goal; None is what could not be measured.

    >>> goal = Goal("wagers", "wagers/s", "higher", 10, "", "pgbench")
    >>> one = result_of(goal, Measured([9000.0, 12000.0, 10000.0], [1000.0, 1000.0, 800.0]))
    >>> one.value, one.baseline, one.ratio, one.ok, one.repeats, one.spread
    (10000.0, 1000.0, 10.0, True, 3, 0.29)
    >>> result_of(goal, None).ok
    False
    """
    if measured is None or not measured.values:
        return Result(goal.name, None, goal.unit, goal.better, None, None, goal.reach, ok=False, repeats=0, spread=None)
    value, baseline, ratio = median(measured.values), None, None
    series: Sequence[float] = measured.values
    if measured.baselines:
        baseline = median(measured.baselines)
        ratio = value / baseline
        series = [mine / base for mine, base in zip(measured.values, measured.baselines, strict=True)]
    reached = value if ratio is None else ratio
    return Result(
        name=goal.name,
        value=_significant(value),
        unit=goal.unit,
        better=goal.better,
        baseline=_significant(baseline),
        ratio=_significant(ratio),
        reach=goal.reach,
        ok=not measured.short and (reached >= goal.reach if goal.better == "higher" else reached <= goal.reach),
        repeats=len(measured.values),
        spread=round((max(series) - min(series)) / median(series), 2),
    )


def json_text(results: Sequence[Result]) -> str:
    """Return the rows as `--json` prints them, on one line."""
    return msgspec.json.encode({"rows": list(results)}).decode()


def table_of(results: Sequence[Result], goals: Sequence[Goal]) -> Table:
    """Return the rows for a terminal."""
    table = Table(
        title="jackpot bench", title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD, pad_edge=False
    )
    table.add_column("row", no_wrap=True)
    for heading in ("value", "baseline", "ratio", "reach", "spread", "ok"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in results:
        sign = "≥" if one.better == "higher" else "≤"
        table.add_row(
            one.name,
            f"{_shown(one.value)} {one.unit}",
            _shown(one.baseline),
            _shown(one.ratio),
            f"{sign} {_shown(one.reach)}",
            "" if one.spread is None else f"{one.spread:.0%}",
            "[green]yes[/]" if one.ok else "[red]no[/]",
        )
    table.caption = "\n".join(f"{goal.name}: {goal.says}" for goal in goals)
    return table


def markdown_text(results: Sequence[Result], goals: Sequence[Goal], machine: str, date: str, command: str) -> str:
    """Return the rows as a table for a document, with what they were measured on, when and how."""
    lines = [
        f"`{command}`, {date}, on {machine}.",
        "",
        "| row | value | baseline | ratio | reach | ok | repeats | spread |",
        "| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |",
    ]
    for one in results:
        sign = "≥" if one.better == "higher" else "≤"
        spread = "-" if one.spread is None else f"{one.spread:.0%}"
        lines.append(
            f"| {one.name} | {_shown(one.value)} {one.unit} | {_shown(one.baseline)} | {_shown(one.ratio)}"
            f" | {sign} {_shown(one.reach)} | {'yes' if one.ok else 'no'} | {one.repeats} | {spread} |"
        )
    lines.append("")
    for goal in goals:
        against = f" Baseline: {goal.baseline}." if goal.baseline else ""
        lines.append(f"- **{goal.name}**: {goal.says}{against}")
    return "\n".join(lines) + "\n"


def with_rows(document: str, rows: str) -> str:
    r"""Return a document with the rows between its two marks, in place of those that were there.

    An empty one gets its marks. Raises ValueError for other words without marks: they would be lost.

    >>> with_rows("Before. <!-- rows -->old<!-- end of rows --> After.", "new")
    'Before. <!-- rows -->\nnew<!-- end of rows --> After.'
    """
    before, mark, rest = document.partition(_ROWS)
    _old, end, after = rest.partition(_END_OF_ROWS)
    if not end and document.strip():
        raise ValueError(f"it has no {_ROWS} with {_END_OF_ROWS} after it, between which the rows could stand")
    return f"{before}{mark}\n{rows}{end}{after}" if end else f"{_ROWS}\n{rows}{_END_OF_ROWS}\n"


def html_text(results: Sequence[Result], goals: Sequence[Goal], machine: str) -> str:
    """Return the rows as a page that needs nothing else: a bar for what was reached, a mark for what was to be."""
    by_name = {goal.name: goal for goal in goals}
    rows = "\n".join(_html_row(one, by_name[one.name]) for one in results)
    return _PAGE.replace("{machine}", escape(machine)).replace("{rows}", rows)


def _html_row(one: Result, goal: Goal) -> str:
    reached = one.value if one.ratio is None else one.ratio
    scale = 100 / max(reached or 0.0, one.reach, 1e-9) * 0.9
    colour = "#1a7f4b" if one.ok else "#b3261e"
    figure = "not measured" if reached is None else _shown(reached)
    bar = (
        f'<svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{figure} of {_shown(one.reach)}">'
        f'<rect width="{(reached or 0.0) * scale:.2f}" height="8" fill="{colour}"/>'
        f'<rect x="{one.reach * scale:.2f}" width="0.6" height="8" fill="#111"/></svg>'
    )
    against = f"{_shown(one.value)} {one.unit}"
    if one.baseline is not None:
        against += f" against {_shown(one.baseline)}: {goal.baseline}"
    return (
        f"<tr><th scope=row>{escape(one.name)}</th><td>{bar}</td><td>{figure}</td><td>{_shown(one.reach)}</td>"
        f"<td>{'yes' if one.ok else 'no'}</td></tr><tr><td colspan=5>{escape(goal.says)} {escape(against)}, "
        f"{one.repeats} repeats{'' if one.spread is None else f', spread {one.spread:.0%}'}.</td></tr>"
    )


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>jackpot bench</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;padding:.3rem .6rem .3rem 0;font-variant-numeric:tabular-nums}
td[colspan]{color:#444;border-bottom:1px solid #ccc}
svg{width:100%;min-width:10rem;height:1rem;background:#eee}
</style>
<h1>jackpot bench</h1>
<p>{machine}</p>
<p>The bar is what was reached, the mark what was to be reached.</p>
<table><thead><tr><th>row<th>reached<th><th>reach<th>ok</tr></thead><tbody>
{rows}
</tbody></table></html>
"""


def _significant(value: float | None) -> float | None:
    """Keep four significant digits: the rest is noise."""
    return None if value is None else float(f"{value:.4g}")


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
