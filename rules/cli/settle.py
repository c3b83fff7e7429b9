"""``python -m rules settle``: settle rounds from files or standard input, one JSON line for each.

It answers every line: with its settlement, or with ``{line, field, value, error}``. With ``--terms`` it also
reads an export's rounds back and works out every award anew. A Sic Bo line that does not say which streak wagers are in
play goes on from the line before of its table, so that a file of rolls plays a day.
"""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from rules.cli.files import fault_text, read_terms
from rules.cli.lines import check_length, error_line, numbered, opened, place, write
from rules.games import caribbean_stud
from rules.progressive import Award
from rules.readback import award_differences, owed_differences, resolve, settle_any, settle_record, settled_differences
from rules.records import FORMS, AnyRecord, RecordError, RoundRecord, decode_any, game_of
from rules.records.answers import answer, awards_shown
from rules.records.days import Day
from rules.terms import Terms, TermsError, fingerprint, parse_terms


class _Kind(msgspec.Struct):
    """What a line of an export is about."""

    kind: str = "record"


@dataclass(slots=True)
class _Count:
    """What was done with the lines."""

    settled: int = 0
    passed_over: int = 0
    errors: list[dict[str, Any]] = field(default_factory=list)


def add(commands: Any) -> None:
    """Declare the command and its arguments."""
    settle = commands.add_parser("settle", help="settle rounds, one JSON line each", description=__doc__)
    settle.add_argument("files", nargs="*", type=Path, metavar="FILE", help="JSON Lines; - or none: standard input")
    settle.add_argument(
        "--terms", action="append", type=Path, default=[], metavar="FILE", help="a link's terms (once per version)"
    )
    settle.add_argument("--json", action="store_true", help="one object on standard output: counts and bad lines only")
    settle.set_defaults(run=run)


def run(chosen: Namespace, console: Console) -> int:
    """Settle the files asked for; returns the exit code: 0, 1 where a line was bad, 2 where a file cannot be read."""
    try:
        every_terms = {fingerprint(terms): terms for terms in map(read_terms, chosen.terms)}
        count = _settle_files(chosen.files, every_terms, console, lines_out=not chosen.json)
    except BrokenPipeError:
        raise
    except (OSError, TermsError) as error:
        console.print(f"rules settle: {fault_text(error)}", markup=False)
        return 2
    if chosen.json:
        print(msgspec.json.encode(count).decode())
    elif console.is_terminal:
        console.print(
            f"{count.settled} settled, {count.passed_over} passed over, {len(count.errors)} bad", markup=False
        )
    return 1 if count.errors else 0


def _settle_files(
    files: Sequence[Path], every_terms: Mapping[str, Terms], console: Console, *, lines_out: bool
) -> _Count:
    """Settle every line of every file, and print what each came to."""
    count = _Count()
    for path in files or [Path("-")]:
        with opened(path, console) as source:
            day = Day()
            for number, line in numbered(source):
                answer = _answer(line, every_terms, day, number)
                if answer is None:
                    count.passed_over += 1
                    continue
                said = [place(files, path, number) | each for each in answer]
                wrong = [each for each in said if "error" in each]
                count.errors += wrong
                count.settled += len(said) - len(wrong)
                if lines_out:
                    write(said)
    return count


def _answer(line: bytes, every_terms: Mapping[str, Terms], day: Day, number: int) -> list[dict[str, Any]] | None:
    """What a line comes to: its settlement or what is wrong with it; ``None`` where it is passed over."""
    if not line.strip():
        return None
    try:
        check_length(line)
        if every_terms and _other_kind(line):
            return None
        return _settled(decode_any(line.strip()), every_terms, day, number)
    except RecordError as error:
        day.bad(number)
        return [error_line(error)]


def _other_kind(line: bytes) -> bool:
    """Whether a line of an export tells of something else than a round."""
    try:
        return msgspec.json.decode(line, type=_Kind).kind != "record"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False  # Then it is no record either, and reading it as one says what is wrong.


def _settled(record: AnyRecord, every_terms: Mapping[str, Terms], day: Day, number: int) -> list[dict[str, Any]]:
    """The settlement of a record, or every field in which it differs from the rules."""
    if isinstance(record, RoundRecord):
        return _settled_linked(record, every_terms)
    record, notes = day.continued(record)
    round_, settlement = settle_any(record)
    left = day.after(number, record, round_, settlement)
    differences = list(settled_differences(record, settlement))
    if differences:
        return [error_line(each) for each in differences]
    said = answer(record, round_, settlement, FORMS[game_of(record)].shown(round_, settlement)) | left
    return [said | {"rulings": dict(settlement.rulings), "notes": (*notes, *settlement.notes)}]


def _settled_linked(record: RoundRecord, every_terms: Mapping[str, Terms]) -> list[dict[str, Any]]:
    """The settlement of a round that may have been linked, with its awards where its meter or its terms are given."""
    terms = _terms_of(record, every_terms)
    round_, settlement = settle_record(record, terms)
    differences = list(settled_differences(record, settlement))
    awards: tuple[Award, ...] | None = None
    if record.jackpot is not None and terms is not None:
        meters = {terms.pools[0].name: record.jackpot.meter_cents}
        meters |= {each.pool: each.before_cents for each in record.meters or ()}
        awards = resolve(meters, settlement.qualifying, terms).awards
        differences += owed_differences(record, settlement, awards)
    elif every_terms and record.terms is not None and terms is not None:
        winners = caribbean_stud.qualifying(round_, terms)
        differences += award_differences(record, winners, terms, tuple(every_terms.values()))
    if differences:
        return [error_line(each) for each in differences]
    said = answer(record, round_, settlement, FORMS[round_.game].shown(round_, settlement), awards)
    said |= {"qualifying": settlement.qualifying, "left_face_up": settlement.left_face_up}
    if awards is not None:
        said["awards"] = awards_shown(awards)
    return [said | {"rulings": dict(settlement.rulings), "notes": settlement.notes}]


def _terms_of(record: RoundRecord, every_terms: Mapping[str, Terms]) -> Terms | None:
    """The terms a record was wagered under, where they are known."""
    if record.jackpot is not None:
        stated = bytes(record.jackpot.terms)
        if not stated.startswith(b'"'):
            return _parsed(stated)
        return _known(stated.decode().strip('"'), "jackpot.terms", every_terms)
    if record.terms is not None and every_terms:
        return _known(record.terms, "terms", every_terms)
    return None


def _known(wanted: str, where: str, every_terms: Mapping[str, Terms]) -> Terms:
    if wanted not in every_terms:
        raise RecordError(where, wanted, "no terms with this fingerprint were given (--terms)")
    return every_terms[wanted]


@lru_cache(maxsize=64)
def _parsed(data: bytes) -> Terms:
    """Terms stated on a line; most files state the same ones on each."""
    try:
        return parse_terms(data)
    except TermsError as error:
        raise RecordError(f"jackpot.terms.{error.field}".rstrip("."), error.value, error.reason) from None
