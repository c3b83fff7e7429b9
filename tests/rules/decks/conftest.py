"""What the tests of decks share: cards as a person lays them out, and hours of one day."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest

from rules.cards import CARD_TEXTS
from rules.decks.checks import Found


@pytest.fixture
def laid_out() -> Callable[..., list[Found]]:
    """Every card of so many decks with one back, without those named, with others besides."""

    def lay(back: str = "red", decks: int = 1, without: str = "", extra: tuple[Found, ...] = ()) -> list[Found]:
        cards = [Found(face, back) for _ in range(decks) for face in CARD_TEXTS]
        for face in without.split():
            cards.remove(Found(face, back))
        return [*cards, *extra]

    return lay


@pytest.fixture
def at() -> Callable[[int], datetime]:
    """An hour of the day."""
    begin = datetime(2026, 11, 28, tzinfo=timezone(timedelta(hours=11)))
    return lambda hour: begin + timedelta(hours=hour)
