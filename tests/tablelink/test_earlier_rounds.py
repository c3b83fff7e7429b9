"""What is found about a round at a driven table once it was stated: told anew, once, and whole."""

import contextlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from rules.records.months import errors_of, read_settled
from tablelink.hosted_output import hosted_lines
from tests.support.driven import MADE_US
from tests.support.driven_spools import MINUTE_US, Stopped, Stopping, driven, opened, say

STATED: Final = (
    *("open by Lee", "join ann 1 valid", "check_cards", "load", "place 1 ante 10", "no_more_bets", "deal all"),
    *("play 1", "turn_dealer As Kd 9h", "settle_hand 1 2s 2d 4h", "next", "next"),
)
"""A round of Three Card Poker, up to its statement, in which the ante pays $20.00 back."""


class Revising(Stopping):
    """A spool whose program is stopped also before an earlier round's statement is told anew."""

    def _do(self, name: str, values: Sequence[Any] = ()) -> Any:
        if name == "revise_statement":
            self.left -= 1
            if self.left == 0:
                raise Stopped
        return super()._do(name, values)


def test_a_payment_error_is_found_after_the_round_was_stated(tmp_path: Path) -> None:
    """TCP 12.13, 12.15.2: it is told, kept with the round a revision later, and on the list of the month it was found
    in; the wagers stay as they were settled, and a restart stands where the table stood.
    """
    path, clock = tmp_path / "T1.spool", [MADE_US]
    with opened(path, "three_card_poker") as spool:
        table, told = driven(spool, "three_card_poker", lambda: clock[0])
        say(table, *STATED)
        (before,) = [each.changed.statement for each in told.heard_of if each.changed and each.changed.statement]
        clock[0] += 14 * 24 * 60 * MINUTE_US
        said = "earlier_payment_error 1 1 ante 1320 rectified by Kim"
        say(table, said, said, "earlier_payment_error 1 1 play 20 by Kim", "earlier_payment_error 2 1 ante 30 by Kim")
        say(table, "earlier_payment_error 1 2 ante 30 by Kim", "earlier_payment_error x 1 ante 30 by Kim")
        first, *refused = told.heard_of[-5:]
        assert first.changed is not None
        assert first.changed.floor == table.floor
        assert first.changed.revised is not None
        assert [str(each) for each in first.changed.told] == [
            "the NICC: to be notified at the end of the month, by 2026-12-31 (TCP 12.15.2)"
        ]
        assert [str(each.refused).split(": ")[-1] for each in refused] == [
            "an error with it is there already",
            "that is what was owed",
            "payment_error",
            "none that was settled at seat 2",
        ]
        assert [each.field for each in told.faults] == ["round"]
        assert first.changed.revised.said["lines"] == before.said["lines"]
    with opened(path, "three_card_poker") as spool:
        assert spool.floor("{}", 0) == table.floor
        assert spool.totals()["rounds"] == 1
    (settled,) = [each for line in hosted_lines(path, as_json=True) if (each := read_settled(line.encode()))]
    assert (settled.round, settled.revision) == (1, 1)
    assert [(each.line.wager, each.line.cents, each.line.day) for each in errors_of(settled)] == [
        ("ante", 130_000, date(2026, 12, 2))
    ]


@pytest.mark.parametrize("row", [1, 2, 3, 4, 5])
def test_stopped_while_an_earlier_round_is_told_anew_nothing_of_it_is_there(row: int, tmp_path: Path) -> None:
    """Before each row of the write a stop leaves statement, table and notices as they were."""
    path = tmp_path / "T1.spool"
    with opened(path, "three_card_poker", Revising) as spool:
        table, _ = driven(spool, "three_card_poker")
        say(table, *STATED)
        kept, floor, told = spool.kept(1), table.floor, len(spool.notices(100))
        spool.left = row  # type: ignore[attr-defined]  # it is Revising
        with contextlib.suppress(Stopped):
            say(table, "earlier_payment_error 1 1 ante 1320 by Kim")
        assert spool.left == 0  # type: ignore[attr-defined]
    with opened(path, "three_card_poker") as spool:
        assert (spool.kept(1), spool.floor("{}", 0), len(spool.notices(100))) == (kept, floor, told)
