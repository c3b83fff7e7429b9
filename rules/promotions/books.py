"""What the last rule of each book says of promotional prizes, and where the five differ: data rows with their clauses.

In all five: what a prize never is (.5), that terms are stated (.6), what they say (.7) and how a winner is told (.8).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Final, Literal

Amending = Literal["approval", "resubmit", "ruling"]
"""Whether terms amended after the start need the authority's approval, or are submitted again; Sic Bo says both."""

Payment = Literal["cash", "crossed_cheque", "electronic_transfer"]
"""How money is paid; a combination names more than one."""

PAYMENTS: Final[tuple[Payment, ...]] = ("cash", "crossed_cheque", "electronic_transfer")
"""Every way in which money is paid that a book names."""


@dataclass(frozen=True, slots=True)
class PromotionBook:
    """The last rule of one book."""

    book: str
    game: str
    chapter: int
    """The number of the rule."""
    authority: str
    """Who is told of a promotion."""
    scrutineer_must: bool
    """Whether a draw of a prize of more than $10,000 shall be overseen by a scrutineer (.2), or may be."""
    cash_allowed: bool
    """Whether a prize may be paid in cash, and one of more than $10,000 as the winner chooses (.4)."""
    bank_only: bool
    """Whether money is paid by crossed cheque or transfer only (.4); else in the way that the terms say."""
    no_alternative: frozenset[str]
    """The kinds of prizes in kind that may not be paid in money instead (.3)."""
    alternative_in_terms: bool
    """Whether the terms clearly state that a prize may be paid in money instead (.3)."""
    notice: str
    """The clause of the notice to the authority before the promotion begins."""
    notice_lead: timedelta
    """How long before the start the notice is given at the latest."""
    amending: Amending
    amendment: str
    """The clause of amended terms; for Sic Bo that of approval."""
    refusal: str
    """The clause of refused claims."""
    dispute: str
    compromised: str
    """The clause of a promotion or draw whose integrity is compromised."""
    compromised_to: str
    """Who is notified of it."""
    compromised_within: timedelta
    """Within which time; nothing where it is immediately."""

    def rule(self, clause: str) -> str:
        """A clause of this book's rule as it is cited.

        >>> BOOKS["CSP"].rule("2"), BOOKS["SIC"].rule("9, 13")
        ('CSP 17.2', 'SIC 10.9, 10.13')
        """
        return f"{self.book} {', '.join(f'{self.chapter}.{each}' for each in clause.split(', '))}"


_DAY: Final = timedelta(hours=24)
_TWO_DAYS: Final = timedelta(hours=48)
_AT_ONCE: Final = timedelta()
_DOLLARS: Final = frozenset({"casino_dollars"})
_SLOTS_TOO: Final = frozenset({"casino_dollars", "slots_dollars"})

_ROWS: Final = (
    PromotionBook(
        book="CSP",
        game="caribbean_stud",
        chapter=17,
        authority="NICC",
        scrutineer_must=True,  # CSP 17.2
        cash_allowed=False,  # CSP 17.4
        bank_only=True,  # CSP 17.4
        no_alternative=_DOLLARS,  # CSP 17.3
        alternative_in_terms=False,
        notice="12",
        notice_lead=_DAY,  # CSP 17.12
        amending="resubmit",  # CSP 17.12.1
        amendment="12.1",
        refusal="9",
        dispute="10",
        compromised="11",
        compromised_to="the Inspector",
        compromised_within=_TWO_DAYS,  # CSP 17.11
    ),
    PromotionBook(
        book="TCP",
        game="three_card_poker",
        chapter=15,
        authority="NICC",
        scrutineer_must=True,  # TCP 15.2
        cash_allowed=False,  # TCP 15.4
        bank_only=True,  # TCP 15.4
        no_alternative=_DOLLARS,  # TCP 15.3
        alternative_in_terms=False,
        notice="12",
        notice_lead=_DAY,  # TCP 15.12
        amending="resubmit",  # TCP 15.12.1
        amendment="12.1",
        refusal="9",
        dispute="10",
        compromised="11",
        compromised_to="the Inspector",
        compromised_within=_TWO_DAYS,  # TCP 15.11
    ),
    PromotionBook(
        book="FCP",
        game="four_card_poker",
        chapter=15,
        authority="the Authority",
        scrutineer_must=True,  # FCP 15.2
        cash_allowed=True,  # FCP 15.4
        bank_only=False,
        no_alternative=_SLOTS_TOO,  # FCP 15.3
        alternative_in_terms=True,  # FCP 15.3
        notice="9",
        notice_lead=_DAY,  # FCP 15.9
        amending="approval",  # FCP 15.9.1
        amendment="9.1",
        refusal="10",
        dispute="11",
        compromised="12",
        compromised_to="the inspectorate",
        compromised_within=_AT_ONCE,  # FCP 15.12
    ),
    PromotionBook(
        book="WAR",
        game="casino_war",
        chapter=14,
        authority="the Authority",
        scrutineer_must=False,  # WAR 14.2
        cash_allowed=True,  # WAR 14.4
        bank_only=False,
        no_alternative=_SLOTS_TOO,  # WAR 14.3
        alternative_in_terms=False,
        notice="9",
        notice_lead=_AT_ONCE,  # WAR 14.9: prior to the commencement, without hours
        amending="approval",  # WAR 14.9.1
        amendment="9.1",
        refusal="10",
        dispute="11",
        compromised="12",
        compromised_to="the inspectorate",
        compromised_within=_AT_ONCE,  # WAR 14.12
    ),
    PromotionBook(
        book="SIC",
        game="sic_bo",
        chapter=10,
        authority="the NICC",
        scrutineer_must=True,  # SIC 10.2
        cash_allowed=False,  # SIC 10.4
        bank_only=False,  # SIC 10.4: the terms say how
        no_alternative=_DOLLARS,  # SIC 10.3
        alternative_in_terms=False,
        notice="9, 13",
        notice_lead=_DAY,  # SIC 10.9, 10.13
        amending="ruling",  # SIC 10.9.1 against SIC 10.13.1
        amendment="9.1",
        refusal="10",
        dispute="11",
        compromised="12",
        compromised_to="the Inspector",
        compromised_within=_TWO_DAYS,  # SIC 10.12
    ),
)

BOOKS: Final[Mapping[str, PromotionBook]] = MappingProxyType({row.book: row for row in _ROWS})
"""The row of each book."""

BOOK_OF_GAME: Final[Mapping[str, PromotionBook]] = MappingProxyType({row.game: row for row in _ROWS})
"""The row of each game."""
