"""Is a promotion as the books of its games want it? All checks, book by book."""

from collections.abc import Iterator
from datetime import datetime

from rules.promotions.books import BOOK_OF_GAME
from rules.promotions.conduct import check_conduct
from rules.promotions.documents import Promotion
from rules.promotions.findings import Finding
from rules.promotions.prizes import check_prizes
from rules.promotions.terms import check_terms


def check(promotion: Promotion, now: datetime | None = None) -> tuple[Finding, ...]:
    """What is found in a promotion by the book of each of its games, in the order of the games and of their rules.

    ``now`` is the time at which one asks; without it nothing that is still to be done is late. Always every finding,
    never only the first. Raises ``ValueError`` for a game without a book.
    """
    return tuple(_found(promotion, now))


def _found(promotion: Promotion, now: datetime | None) -> Iterator[Finding]:
    for game in promotion.games:
        if game not in BOOK_OF_GAME:
            raise ValueError(f"games: {game}: unknown; known are {', '.join(BOOK_OF_GAME)}")
        book = BOOK_OF_GAME[game]
        yield from check_prizes(promotion, book)
        yield from check_terms(promotion, book)
        yield from check_conduct(promotion, book, now)
