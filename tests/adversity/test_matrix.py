"""Which faults a run is asked for: by their place in the table, and never by a word that names no place in it."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.adversity.faults import FAULTS, Fault
from tests.adversity.matrix import Outcome, main


def ran(monkeypatch: pytest.MonkeyPatch, rows: str) -> list[str]:
    """The names of the faults a run of these rows would do; none is done."""
    chosen: list[str] = []

    def noted(faults: Iterable[Fault], _folder: Path, _times: int) -> Sequence[Outcome]:
        chosen.extend(fault.name for fault in faults)
        return ()

    monkeypatch.setattr(sys, "argv", ["matrix", "--rows", rows])
    monkeypatch.setattr("tests.adversity.matrix.run_faults", noted)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in ((1,) if chosen else (2,)), "no outcome is no success"
    return chosen


@pytest.mark.parametrize(("rows", "first", "last"), [("31", 31, 31), ("31-40", 31, 40), ("1-1", 1, 1)])
def test_rows_are_one_or_the_first_and_the_last(
    monkeypatch: pytest.MonkeyPatch, rows: str, first: int, last: int
) -> None:
    """The rows are numbered as they are printed: from 1, the last one with them."""
    assert ran(monkeypatch, rows) == [fault.name for fault in FAULTS][first - 1 : last]


@pytest.mark.parametrize("rows", ["", "31-", "-31", "31-x", "3-2", "0", "1-999", "31-40-50", "3 1", "٣"])
def test_rows_that_are_none_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rows: str
) -> None:
    """Named with what was written, before any site is made."""
    assert ran(monkeypatch, rows) == []
    assert f"argument --rows: {rows}: " in capsys.readouterr().err
