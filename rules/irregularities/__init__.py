"""What can go wrong at a table, game by game: one row a kind, from which settling, notes, notices and lists follow.

Which wagers return, which stand, which are lost; who must be notified, by when; what goes on the month-end list. The
games cite these rows where they void a round or tell people what to do.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.irregularities import caribbean_stud, casino_war, poker, sic_bo
from rules.irregularities.rows import Irregularity, Notice, NoticeDue, dated, month_end, notices_due, told

BOOKS: Final[Mapping[str, Mapping[str, Irregularity]]] = MappingProxyType(
    {
        book: MappingProxyType({row.kind: row for row in rows})
        for book, rows in (
            ("CSP", caribbean_stud.ROWS),
            ("TCP", poker.THREE_CARD),
            ("FCP", poker.FOUR_CARD),
            ("WAR", casino_war.ROWS),
            ("SIC", sic_bo.ROWS),
        )
    }
)
"""Every irregularity, by its book and its kind."""


def irregularity(book: str, kind: str) -> Irregularity:
    """The row of a kind of irregularity in a book; raises ``KeyError`` where the book has none of it.

    >>> irregularity("CSP", "foreign_card").returns
    ('ante', 'bet', 'jackpot')
    >>> irregularity("SIC", "broken").stands
    ('super_streak',)
    """
    return BOOKS[book][kind]


def notices_under(book: str, rule: str) -> tuple[NoticeDue, ...]:
    """The notices that what is declared under a rule calls for: for who is told of a void by its rule alone.

    >>> [notice.rule for notice in notices_under("CSP", "CSP 14.9")], notices_under("CSP", "CSP 14.4")
    (['CSP 14.9.4'], ())
    """
    rows = [row for row in BOOKS[book].values() if rule in {row.rule, row.clause}]
    return tuple(dict.fromkeys(due for row in rows for due in notices_due(row)))


__all__ = [
    "BOOKS",
    "Irregularity",
    "Notice",
    "NoticeDue",
    "dated",
    "irregularity",
    "month_end",
    "notices_due",
    "notices_under",
    "told",
]
