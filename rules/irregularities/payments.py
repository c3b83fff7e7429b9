"""Overpayments and underpayments, invalid stakes that were kept, and what of it goes on the month-end list.

CSP 14.16 to 14.19, TCP 12.13 to 12.15, SIC 8.10 to 8.13; the two other books have no such rule, and their tables list
by the ruling ``carded_play`` alone. Knows no ledger: rows come from the gaming days.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from rules.irregularities.rows import month_end

OVER_CENTS: Final = 100_000
"""An individual error of more than $1,000.00 is listed (CSP 14.19, TCP 12.15.2, SIC 8.13)."""

LISTED_BY: Final[Mapping[str, str]] = {"CSP": "CSP 14.19", "TCP": "TCP 12.15.2", "SIC": "SIC 8.13"}
"""The rule of the month-end list, in the books that have one."""

Answer = Literal["none", "rectified", "attempted", "brought_to_nicc"]
"""What was done about an error within a reasonable time: nothing yet, rectified, attempted to (by identifying,
contacting or liaising with the patron, CSP 14.18.1), or brought to the attention of the NICC."""


@dataclass(frozen=True, slots=True)
class PaymentError:
    """A wager that was not settled correctly, as a row of the gaming day on which it became known.

    Always an error: raises ``ValueError`` where what was paid is what was owed, or an amount is below nothing.
    """

    book: str
    day: date
    """The gaming day on which the casino became aware of it."""
    table: str
    round: int
    seat: int
    wager: str
    owed_cents: int
    paid_cents: int
    suspected: bool = False
    """Whether the casino suspects, after reasonable enquiries, that it was intentional (CSP 14.16.1, 14.17)."""
    patron_identified: bool = False
    answer: Answer = "none"
    carded_play: Literal["as_book", "all_games"] = "as_book"
    """Whether the table lists errors although its book has no such rule."""

    def __post_init__(self) -> None:
        """Refuse what is no error."""
        for name in ("owed_cents", "paid_cents"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: {getattr(self, name)}: below nothing")
        if self.owed_cents == self.paid_cents:
            raise ValueError(f"paid_cents: {self.paid_cents}: that is what was owed")

    @property
    def over_cents(self) -> int:
        """How much too much was paid; too little where it is below zero."""
        return self.paid_cents - self.owed_cents

    @property
    def rule(self) -> str:
        """The rule by which an error of this table is listed; empty where none is."""
        return LISTED_BY.get(self.book, "carded_play" if self.carded_play == "all_games" else "")


def is_breach(error: PaymentError) -> bool:
    """Whether an error is, as it stands, a breach of the rules (CSP 14.16, TCP 12.13, SIC 8.10).

    It is none once it was not intentional nor suspected to be, and was answered within a reasonable time.
    """
    return error.suspected or error.answer == "none"


def duties(error: PaymentError) -> tuple[str, ...]:
    """What the casino has still to do about an error, in words (CSP 14.17, 14.18.1.1, 14.18.1.2).

    >>> error = PaymentError("CSP", date(2026, 11, 3), "T1", 17, 3, "bet", 2000, 200_000, suspected=True)
    >>> duties(error)
    ('request or demand the return of 198000 cents', 'identify the patron involved')
    """
    owed = []
    if error.answer == "none":
        over = error.over_cents
        owed.append(f"request or demand the return of {over} cents" if over > 0 else f"reimburse {-over} cents")
    if error.suspected and not error.patron_identified:
        owed.append("identify the patron involved")
    return tuple(owed)


@dataclass(frozen=True, slots=True)
class MonthEndList:
    """What the NICC is informed of at the end of a month."""

    due: date
    """The last day of the month."""
    rows: tuple[PaymentError, ...]
    overpaid_cents: int
    underpaid_cents: int


def month_end_list(errors: Iterable[PaymentError], month: date) -> MonthEndList:
    """The errors of more than $1,000.00 that became known in the month of a day, by day, table, round and seat.

    Always each error by itself: many small ones are never added up to a listed one. An intentional one is listed too.
    """
    end = month_end(month)
    rows = [
        error
        for error in errors
        if (error.day.year, error.day.month) == (end.year, end.month)
        and abs(error.over_cents) > OVER_CENTS
        and error.rule
    ]
    rows.sort(key=lambda error: (error.day, error.table, error.round, error.seat, error.wager))
    return MonthEndList(
        due=end,
        rows=tuple(rows),
        overpaid_cents=sum(error.over_cents for error in rows if error.over_cents > 0),
        underpaid_cents=-sum(error.over_cents for error in rows if error.over_cents < 0),
    )


@dataclass(frozen=True, slots=True)
class KeptStake:
    """A losing wager found invalid that the casino kept (CSP 14.20.2, TCP 12.16.2, SIC 8.14.2): whose, and why."""

    day: date
    table: str
    round: int
    seat: int
    wager: str
    cents: int
    person: str
    reason: str


def kept_total_cents(kept: Iterable[KeptStake]) -> int:
    """The total of the invalid stakes that were kept; raises ``ValueError`` for one without a person or a reason."""
    total = 0
    for stake in kept:
        for name in ("person", "reason"):
            if not getattr(stake, name).strip():
                raise ValueError(f"{name}: : missing: a kept stake has a person and a reason (CSP 14.20)")
        total += stake.cents
    return total
