"""Overpayments and underpayments, and invalid stakes that were kept: what of them goes on a month-end list.

CSP 14.16 to 14.19, TCP 12.13 to 12.15, SIC 8.10 to 8.13. The two other books have no such rule; a table of theirs that
holds to it all the same (ruling ``carded_play``) lists by the text of TCP. Knows no ledger and no round.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

OVER_CENTS: Final = 100_000
"""An individual error of more than $1,000.00 is listed (CSP 14.19, TCP 12.15.2, SIC 8.13)."""

PRINTED_IN: Final[Mapping[str, str]] = {"CSP": "CSP", "TCP": "TCP", "SIC": "SIC", "FCP": "TCP", "WAR": "TCP"}
"""The book whose text on payment errors a table of each book goes by: its own, or by the ruling ``carded_play``."""

LISTED_BY: Final[Mapping[str, str]] = {"CSP": "CSP 14.19", "TCP": "TCP 12.15.2", "SIC": "SIC 8.13"}
"""The rule of the month-end list, in the books that have one."""

Answer = Literal["none", "rectified", "attempted", "brought_to_nicc"]
"""What was done about an error within a reasonable time: nothing yet, rectified, attempted to (by identifying,
contacting or liaising with the patron, CSP 14.18.1), or brought to the attention of the NICC."""

_ANSWERED: Final[Mapping[Answer, str]] = {
    "none": "not answered yet",
    "rectified": "rectified",
    "attempted": "an attempt was made to rectify it",
    "brought_to_nicc": "brought to the attention of the NICC",
}


@dataclass(frozen=True, slots=True)
class PaymentError:
    """A wager, or at Sic Bo a cash or colour change, that was not settled correctly.

    Always an error: raises ``ValueError`` where what was paid is what was owed, or an amount is below nothing.
    """

    book: str
    seat: int
    wager: str
    owed_cents: int
    """What the player should have been handed for it, a stake that goes back with it."""
    paid_cents: int
    """What the player was handed."""
    suspected: bool = False
    """Whether the casino suspects, after reasonable enquiries, that it was intentional (CSP 14.16.1, 14.17)."""
    patron_identified: bool = False
    answer: Answer = "none"
    day: date | None = None
    """The gaming day on which the casino became aware of it, where that is known."""
    carded_play: Literal["as_book", "all_games"] = "as_book"
    """Whether the table goes by the rules on payment errors although its book has none."""

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
    def by_ruling(self) -> bool:
        """Whether its book has no rule on it, so that the table's ruling says whether there is one."""
        return self.book not in LISTED_BY

    @property
    def printed_in(self) -> str | None:
        """The book whose rules it comes under; ``None`` where none does."""
        return None if self.by_ruling and self.carded_play == "as_book" else PRINTED_IN[self.book]


@dataclass(frozen=True, slots=True)
class MonthEndLine:
    """A line that a round puts on the month-end list: an individual error of more than $1,000.00."""

    what: Literal["overpayment", "underpayment"]
    seat: int
    wager: str
    cents: int
    """How much too much, or too little, was paid."""
    owed_cents: int
    paid_cents: int
    rule: str
    why: str
    """What was done about it, and whether it is suspected to have been intentional."""
    day: date | None = None
    """The gaming day on which the casino became aware of it; ``None`` where nobody said."""


@dataclass(frozen=True, slots=True)
class KeptStake:
    """A losing wager found invalid that the casino kept (CSP 14.20.2, TCP 12.16.2, SIC 8.14.2): whose, and why.

    ``person`` and ``reason`` are empty where the record of the round does not give them; then they are asked for.
    """

    seat: int
    wager: str
    cents: int
    rule: str
    person: str = ""
    reason: str = ""
    day: date | None = None


def is_breach(error: PaymentError) -> bool:
    """Whether an error is, as it stands, a breach of the rules (CSP 14.16, TCP 12.13, SIC 8.10).

    It is none once it was not intentional nor suspected to be, and was answered within a reasonable time.
    """
    return error.suspected or error.answer == "none"


def duties(error: PaymentError) -> tuple[str, ...]:
    """What the casino has still to do about an error, in words (CSP 14.17, 14.18.1.1, 14.18.1.2).

    >>> error = PaymentError("CSP", 3, "bet", 2000, 200_000, suspected=True)
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


def listed(error: PaymentError) -> MonthEndLine | None:
    """The line by which an error goes on the month-end list, if it does: one of more than $1,000.00 by itself.

    Always also one that was answered, and one that was intentional. Never one of a book without the rule.

    >>> listed(PaymentError("CSP", 3, "bet", 2000, 102_000))
    >>> listed(PaymentError("SIC", 3, "colour_change", 100_001, 0)).cents
    100001
    """
    if abs(error.over_cents) <= OVER_CENTS or error.printed_in is None:  # CSP 14.19, TCP 12.15.2, SIC 8.13
        return None
    return MonthEndLine(
        what="overpayment" if error.over_cents > 0 else "underpayment",
        seat=error.seat,
        wager=error.wager,
        cents=abs(error.over_cents),
        owed_cents=error.owed_cents,
        paid_cents=error.paid_cents,
        rule=LISTED_BY[error.printed_in],
        why=f"{'suspected to be intentional, ' if error.suspected else ''}{_ANSWERED[error.answer]}",
        day=error.day,
    )


def said(error: PaymentError, rule: str) -> str:
    """An error as the supervisor is told of it, with what is still to do; ``rule`` is the one it comes under.

    >>> said(PaymentError("CSP", 3, "bet", 2000, 2500, answer="rectified"), "CSP 14.16")
    'seat 3: the bet was overpaid by 500 cents; rectified (CSP 14.16)'
    """
    left = duties(error)
    state = f"to do: {', '.join(left)}" if left else _ANSWERED[error.answer]
    breach = "; as it stands a breach of these rules" if is_breach(error) else ""
    return f"{_wrong(error)}; {state}{breach} ({rule})"


def said_without_rule(error: PaymentError) -> str:
    """The same of an error in a book that has no rule on it, at a table that goes by its book."""
    return f"{_wrong(error)}; this book has no rule on it (carded_play)"


def _wrong(error: PaymentError) -> str:
    over = error.over_cents
    wrong = f"overpaid by {over}" if over > 0 else f"underpaid by {-over}"
    return f"seat {error.seat}: the {error.wager.replace('_', ' ')} was {wrong} cents"
