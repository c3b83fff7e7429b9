"""``python -m rules promotion``: check the documents of promotions by the last rule of each of their games' books.

It lists every breach, what is still due and by when, and what a person should look at, each with its rule, line and
field. ``--at`` is the time at which one asks: what was to be done before it, and is not, is a breach. The form of a
document is in ``rules/promotions/documents.py``; ``tests/rules/promotions/gold_draw.json`` is one.
"""

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import msgspec
from rich.console import Console

from rules.cli.files import fault_text
from rules.promotions.checking import check
from rules.promotions.conduct import kept_claims
from rules.promotions.documents import Promotion
from rules.promotions.findings import Finding
from rules.records.forms import YEARS, RecordError
from rules.records.promotions import read_promotion
from rules.strict_json import SHOWN, line_of

LARGEST_DOCUMENT: Final = 1_000_000
"""Bytes of a document; one with a thousand draws is smaller, and a file without an end must not fill memory."""

_WORDS: Final = {"breach": "against the rule", "due": "to be done", "question": "to be looked at"}
_STANDARD_INPUT: Final = "-"


def add(commands: Any) -> None:
    """Declare the command and its arguments."""
    promotion = commands.add_parser("promotion", help="check the documents of promotions", description=__doc__)
    promotion.add_argument("files", nargs="+", metavar="FILE", help="a promotion as JSON; -: standard input")
    promotion.add_argument("--at", type=_time, metavar="TIME", help="when one asks, such as 2026-12-01T18:00:00+11:00")
    promotion.add_argument("--json", action="store_true", help="one object on standard output")
    promotion.set_defaults(run=run)


def run(chosen: Namespace, console: Console) -> int:
    """Check the files asked for; returns the exit code: 0, 1 for a breach or a bad document, 2 for no such file."""
    documents = []
    for name in chosen.files:
        try:
            documents.append(_checked(name, _read(name), chosen.at))
        except OSError as error:
            console.print(f"rules promotion: {fault_text(error)}", markup=False)
            return 2
    if chosen.json:
        print(msgspec.json.encode({"documents": documents}).decode())
    else:
        for line in (line for document in documents for line in _lines(document)):
            print(line)
    bad = any("error" in each or each["counts"]["breach"] for each in documents)
    return 1 if bad else 0


def _time(text: str) -> datetime:
    """A time as an argument gives it."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text[:SHOWN]}: no time such as 2026-12-01T18:00:00+11:00") from None
    if time.tzinfo is None or time.year not in YEARS:
        raise ArgumentTypeError(f"{text[:SHOWN]}: a time has its offset, and a year from {YEARS.start}")
    return time


def _read(name: str) -> bytes:
    """The bytes of a document, of one that is too long only its beginning. Raises ``OSError``."""
    if name == _STANDARD_INPUT:
        return sys.stdin.buffer.read(LARGEST_DOCUMENT + 1)
    with open(name, "rb") as source:  # noqa: PTH123 - a name from the command line, shown as it was typed
        return source.read(LARGEST_DOCUMENT + 1)


def _checked(name: str, data: bytes, now: datetime | None) -> dict[str, Any]:
    """What a document comes to: its findings, or what is wrong with its form."""
    if len(data) > LARGEST_DOCUMENT:
        reason = f"longer than {LARGEST_DOCUMENT} bytes"
        return {"file": name, "line": 1, "field": "", "value": "", "error": reason}
    try:
        promotion = read_promotion(data)
    except RecordError as error:
        where = {"line": line_of(data, error.field), "field": error.field, "value": error.value}
        return {"file": name, **where, "error": error.reason}
    findings = check(promotion, now)
    return {
        "file": name,
        "name": promotion.name,
        "games": promotion.games,
        "rulings": _rulings(promotion),
        "counts": {weight: sum(each.weight == weight for each in findings) for weight in _WORDS},
        "findings": [_shown(each, data) for each in findings],
        "kept_claims": kept_claims(promotion),
    }


def _rulings(promotion: Promotion) -> dict[str, str]:
    """The ruling that a check of it hangs on (SIC 10.9.1, 10.13.1)."""
    return {"promotion_amendment": promotion.promotion_amendment} if "sic_bo" in promotion.games else {}


def _shown(finding: Finding, data: bytes) -> dict[str, Any]:
    """A finding in its JSON form."""
    shown: dict[str, Any] = {
        "weight": finding.weight,
        "rule": finding.rule,
        "line": line_of(data, finding.field),
        "field": finding.field,
        "value": finding.value[:SHOWN],
        "reason": finding.reason,
    }
    return shown if finding.due is None else shown | {"due": finding.due}


def _lines(document: dict[str, Any]) -> Iterator[str]:
    """A document's findings for people."""
    if "error" in document:
        parts = (document["field"], document["value"], document["error"])
        yield f"{document['file']}:{document['line']}: {': '.join(part for part in parts if part)}"
        return
    for each in document["findings"]:
        said = ": ".join(part for part in (each["rule"], each["field"], each["value"], each["reason"]) if part)
        due = f" (by {each['due'].isoformat()})" if "due" in each else ""
        yield f"{document['file']}:{each['line']}: {_WORDS[each['weight']]}: {said}{due}"
    counts = document["counts"]
    yield (
        f"{document['file']}: {document['name']}: {counts['breach']} against the rules, {counts['due']} to be done, "
        f"{counts['question']} to be looked at, {len(document['kept_claims'])} denied claims over $100 to retain"
    )
