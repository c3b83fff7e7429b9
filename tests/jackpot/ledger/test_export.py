"""An export: what a stranger needs, what the stranger's own sums say of it, and its audit without a database."""

import json
import random
from pathlib import Path

import pytest

from jackpot.core.chain import decode_body
from jackpot.ledger.audit_files import ExportUnreadable, audit_export
from jackpot.ledger.export import export, ledger_line
from jackpot.ledger.round_lines import RoundLines
from jackpot.ledger.store import PostgresStore
from rules.records import decode_record
from tests.jackpot.ledger.test_audit import eventful
from tests.oracle.ledger import differences_in
from tests.support.chains import Link
from tests.support.embedded_fixture import Database
from tests.support.histories import History
from tests.support.running import run
from tests.support.terms import demo_terms, two_pool_terms


def post_and_export(ledger: Database, link: Link, folder: Path) -> None:
    """Post a link's batches and write its export as the auditor."""

    async def scene() -> None:
        store = PostgresStore(ledger.service_url, link.chain)
        for batch in link.batches:
            await store.post(batch)
        await store.close()
        await export(ledger.auditor_url, link.chain, folder)

    run(scene())


@pytest.fixture
def exported(ledger: Database, tmp_path: Path) -> Path:
    """The export of an eventful link."""
    post_and_export(ledger, eventful(), tmp_path)
    return tmp_path


def test_a_stranger_and_the_audit_agree_with_it(exported: Path) -> None:
    """From the three files alone the money comes out the same, and so do the files."""
    assert differences_in(exported) == []
    report = audit_export(exported)
    assert report.differences == []
    assert report.chains[0].batches == 8


def test_lines_say_what_the_form_asks(exported: Path) -> None:
    """A record carries commits, meters and awards; a withdrawal and a void say what they moved; in commit order."""
    lines = [json.loads(line) for line in (exported / "rounds.jsonl").read_bytes().splitlines()]
    assert [line["kind"] for line in lines] == ["withdraw", "record", "void", "record"]
    assert [line["commit"] for line in lines] == sorted(line["commit"] for line in lines)
    withdraw, first, _, second = lines
    assert withdraw["returned_seats"] == [4, 5]
    assert {"account": "wagers", "microcents": "0"} not in withdraw["moved"]
    assert withdraw["moved"]
    assert [award["prize"] for award in first["awards"]] == ["full_house", "royal_flush"]
    assert all(
        award["amount_cents"] == award["from_pool_cents"] + award["topup_cents"] + award["bonus_cents"]
        for award in first["awards"]
    )
    assert first["wagers_commit"] < first["commit"]
    assert second["meter_before_cents"] > second["meter_after_cents"]
    for line in (first, second):
        decode_record(json.dumps(line, separators=(",", ":")).encode(), canonical=True)


def test_bodies_are_the_stored_bytes(ledger: Database, tmp_path: Path) -> None:
    """A line of the chain holds the body byte for byte."""
    link = eventful()
    post_and_export(ledger, link, tmp_path)
    lines = (tmp_path / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    assert lines == [ledger_line(batch.digest, batch.previous, batch.body) for batch in link.batches]


@pytest.mark.parametrize("terms", [demo_terms(), two_pool_terms()], ids=["one pool", "two pools"])
def test_histories_are_told_as_a_stranger_works_them_out(terms: object, tmp_path: Path) -> None:
    """Random histories, refusals, repeats and corrections among them: every line is what the oracle expects."""
    for seed in range(6):
        chance = random.Random(seed)
        history = History(terms, 3, chance)  # type: ignore[arg-type]
        for turn in range(12):
            ends = [end for table in history.rounds if (end := history.play(table)) is not None]
            for end in ends:
                end()
            history.post()
            history.settle_hits()
            if turn % 4 == 3:
                history.come_back()
        folder = tmp_path / str(seed)
        folder.mkdir()
        history.write(folder)
        writer = RoundLines()
        lines = [line for _, _, body in history.batches for line in writer.take(decode_body(body))]
        (folder / "rounds.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
        assert differences_in(folder) == []
        assert audit_export(folder).differences == []


@pytest.mark.parametrize(
    ("name", "before", "after", "named"),
    [
        ("ledger.jsonl", b'"cents":0', b'"cents":9', "batch"),
        ("ledger.jsonl", b'"balance_after":"5', b'"balance_after":"6', "batch"),
        ("rounds.jsonl", b'"meter_after_cents":5', b'"meter_after_cents":4', "rounds.jsonl"),
        ("rounds.jsonl", b'"returned_seats":[4,5]', b'"returned_seats":[4]', "rounds.jsonl"),
        ("terms.json", b'"seed_cents":5000000', b'"seed_cents":5000001', "terms.json"),
    ],
)
def test_a_changed_file_is_named(exported: Path, name: str, before: bytes, after: bytes, named: str) -> None:
    """One figure changed in one file: the file, or the batch, is named."""
    text = (exported / name).read_bytes()
    assert before in text
    (exported / name).write_bytes(text.replace(before, after, 1))
    report = audit_export(exported)
    assert [found.table for found in report.found] == [named]


def test_a_line_taken_out_is_named(exported: Path) -> None:
    """A batch, or a round, that is missing in the middle is missed."""
    for name in ("ledger.jsonl", "rounds.jsonl"):
        whole = (exported / name).read_bytes()
        lines = whole.splitlines(keepends=True)
        (exported / name).write_bytes(b"".join(lines[:2] + lines[3:]))
        assert not audit_export(exported).ok
        (exported / name).write_bytes(whole)
    assert audit_export(exported).ok


def test_what_is_no_export_is_said_to_be_none(exported: Path) -> None:
    """A missing file and a line without the form of a batch are named with file and line."""
    (exported / "ledger.jsonl").write_bytes(b'{"digest":1}\n')
    with pytest.raises(ExportUnreadable, match=r"ledger\.jsonl line 1"):
        audit_export(exported)
    (exported / "ledger.jsonl").unlink()
    with pytest.raises(ExportUnreadable, match="is missing"):
        audit_export(exported)
