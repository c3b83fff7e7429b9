"""``python -m rules promotion``: every finding with its line, and an answer for every document, whatever it holds."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main

GOLD_DRAW = Path(__file__).parent / "gold_draw.json"
Document = Callable[..., bytes]


@pytest.fixture
def file(tmp_path: Path, document: Document) -> Callable[[str], str]:
    """A document in a file, changed as a text says."""

    def written(changes: str) -> str:
        path = tmp_path / "draw.json"
        path.write_bytes(document(changes))
        return str(path)

    return written


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """The exit code and the object of the command with ``--json``."""
    code = main(["promotion", "--json", *arguments])
    return code, json.loads(capsys.readouterr().out)


def test_a_document_with_which_nothing_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, no findings, the ruling it hangs on, and the denied claims that are retained (CSP 17.9.1)."""
    code, said = asked(capsys, str(GOLD_DRAW))
    (document,) = said["documents"]
    assert (code, document["findings"], document["counts"]) == (0, [], {"breach": 0, "due": 0, "question": 0})
    assert document["games"] == ["caribbean_stud", "three_card_poker", "sic_bo"]
    assert document["rulings"] == {"promotion_amendment": "approval"}
    (claim,) = document["kept_claims"]
    assert (claim["claimants"][0]["name"], claim["value_cents"]) == ("C. Vale", 50_000)


@pytest.mark.parametrize(("cents", "kept"), [(10_000, 0), (10_001, 1)])
def test_a_denied_claim_over_100_dollars_is_retained(
    cents: int, kept: int, capsys: pytest.CaptureFixture[str], file: Callable[[str], str]
) -> None:
    """CSP 17.9.1, TCP 15.9.1, SIC 10.10.1: over $100, so not one of $100 exactly."""
    _, said = asked(capsys, file(f"refused_claims[0].value_cents = {cents}"))
    assert len(said["documents"][0]["kept_claims"]) == kept


def test_a_breach_is_named_with_line_field_and_rule(
    capsys: pytest.CaptureFixture[str], file: Callable[[str], str]
) -> None:
    """Exit code 1; the line is that of the field, or of the object that lacks it."""
    path = file('scrutineer = absent & prizes[2].paid_by = ["cash"]')
    lines = Path(path).read_text().splitlines()
    code, said = asked(capsys, path)
    cash, scrutineer = said["documents"][0]["findings"]
    assert code == 1
    assert (cash["rule"], cash["field"], cash["value"]) == ("CSP 17.4", "prizes[2].paid_by", "cash")
    assert lines[cash["line"] - 1].strip() == '"paid_by": ['
    assert (scrutineer["rule"], scrutineer["line"], scrutineer["weight"]) == ("CSP 17.2", 1, "breach")


def test_what_is_due_is_a_breach_once_it_is_late(
    capsys: pytest.CaptureFixture[str], file: Callable[[str], str]
) -> None:
    """With ``--at`` the clocks run: before, exit code 0 and the time; after, exit code 1 (CSP 17.12)."""
    path = file("submission = absent")
    for at, code, weight in (
        ((), 0, "due"),
        (("--at", "2026-11-30T18:00:00+11:00"), 0, "due"),
        (("--at", "2026-11-30T18:00:01+11:00"), 1, "breach"),
    ):
        done, said = asked(capsys, path, *at)
        (finding,) = said["documents"][0]["findings"]
        assert (done, finding["weight"], finding["due"]) == (code, weight, "2026-11-30T18:00:00+11:00")


def test_people_read_lines(capsys: pytest.CaptureFixture[str], file: Callable[[str], str]) -> None:
    """Without ``--json`` each finding is a line with file and line number, and a last line counts."""
    path = file('submission = absent & prizes[0].name = "car and a case of wine" & draws = [] & terms.place = absent')
    assert main(["promotion", path, str(GOLD_DRAW)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[1].endswith(": against the rule: CSP 17.7.7: terms.place: missing: the place of the promotion")
    assert said[0].startswith(f"{path}:")
    assert ": to be looked at: CSP 17.5.4: prizes[0]: wine: " in said[0]
    assert said[2].endswith("missing: the full terms to NICC (by 2026-11-30T18:00:00+11:00)")
    counted = "1 against the rules, 1 to be done, 1 to be looked at, 1 denied claims over $100 to retain"
    assert said[3] == f"{path}: Gold Draw: {counted}"
    assert said[4].startswith(f"{GOLD_DRAW}: Gold Draw: 0 against the rules")


BAD = (
    (b"", 1, "", "not JSON"),
    (b'{\n"name":"a",\n"games":7}', 3, "games", "expected"),
    (b'{\n"name":"a",\n"name":"b"}', 2, "name", "repeated"),
    (b'{"name":"a",\n"terms":{\n"place":null}}', 3, "terms.place", "null"),
    (b"\xff", 1, "", "not UTF-8"),
    (b'{"name":"a","games":["sic_bo"]}', 1, "starts", "missing"),
)


@pytest.mark.parametrize(("data", "line", "field", "reason"), BAD)
def test_a_bad_document_is_named_by_line_and_field(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, line: int, field: str, reason: str
) -> None:
    """Exit code 1, and the other documents are checked all the same."""
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    code, said = asked(capsys, str(path), str(GOLD_DRAW))
    bad, good = said["documents"]
    assert (code, bad["line"], bad["field"]) == (1, line, field)
    assert bad["error"].startswith(reason)
    assert good["counts"]["breach"] == 0


def test_a_document_comes_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``-`` is standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOLD_DRAW.read_bytes())))
    assert asked(capsys, "-")[0] == 0


def test_a_file_without_an_end_fills_no_memory(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A document of more than a million bytes is refused unread."""
    path = tmp_path / "long.json"
    path.write_bytes(b" " * 1_000_001)
    code, said = asked(capsys, str(path))
    assert (code, said["documents"][0]["error"]) == (1, "longer than 1000000 bytes")


def test_no_such_file_or_time(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Exit code 2, nothing on standard output, one line that names what was asked wrongly."""
    assert main(["promotion", "--json", str(tmp_path / "none.json")]) == 2
    said = capsys.readouterr()
    assert (said.out, "none.json" in said.err) == ("", True)
    for at in ("soon", "2026-12-01T18:00:00", "0001-01-01T00:00:00+11:00"):
        with pytest.raises(SystemExit) as end:
            main(["promotion", str(GOLD_DRAW), "--at", at])
        assert end.value.code == 2
        assert at in capsys.readouterr().err
