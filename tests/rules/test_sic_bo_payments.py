"""Over- and underpayments at a Sic Bo table, of wagers, cash changes and colour changes: rules 8.10 to 8.13."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from rules.irregularities import irregularity, notices_due
from rules.irregularities.payments import PaymentError, duties, is_breach, listed

OVER = PaymentError("SIC", 3, "total_4", 6_200, 106_201)


@pytest.mark.parametrize("what", ["total_4", "super_streak_big", "cash_change", "colour_change"])
def test_what_the_nicc_is_informed_of_at_the_end_of_the_month(what: str) -> None:
    """SIC 8.13: any single one of more than $1,000.00, over or under, suspected or not."""
    error = replace(OVER, wager=what)
    over, under = listed(error), listed(replace(error, owed_cents=100_001, paid_cents=0, suspected=True))
    assert over is not None
    assert under is not None
    assert (over.what, over.cents, over.rule, over.wager) == ("overpayment", 100_001, "SIC 8.13", what)
    assert (under.what, under.cents, under.rule) == ("underpayment", 100_001, "SIC 8.13")
    assert under.why == "suspected to be intentional, not answered yet"
    assert listed(replace(error, paid_cents=106_200)) is None


@pytest.mark.parametrize("kind", ["payment_error", "payment_error_suspected"])
def test_the_notice_has_the_clock_of_the_month(kind: str) -> None:
    """SIC 8.13: the NICC is informed at the end of the month; wagers stand as they were settled."""
    row = irregularity("SIC", kind)
    (due,) = notices_due(row, datetime(2026, 11, 3, 12, tzinfo=UTC))
    assert (due.to, due.rule, due.within, due.since, due.by) == (
        "the NICC",
        "SIC 8.13",
        "month_end",
        "awareness",
        date(2026, 11, 30),
    )
    assert (row.returns, row.stands, row.listed) == ((), ("layout", "super_streak"), "SIC 8.13")


def test_an_error_that_was_answered_is_no_breach() -> None:
    """SIC 8.10, 8.11, 8.12: not intentional and answered in reasonable time; else there is something still to do."""
    assert is_breach(OVER)
    assert duties(OVER) == ("request or demand the return of 100001 cents",)
    assert not is_breach(replace(OVER, answer="rectified"))
    suspected = replace(OVER, suspected=True, answer="attempted")
    assert is_breach(suspected)
    assert duties(suspected) == ("identify the patron involved",)
    assert duties(replace(OVER, paid_cents=0)) == ("reimburse 6200 cents",)
