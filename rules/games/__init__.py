"""Which games there are, and what each can do with a round: one registry for tables, server and command line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from rules.games import caribbean_stud
from rules.hands import HandValue
from rules.limits import Limits
from rules.progressive import Winner
from rules.rounds import Device, Round, Settlement
from rules.schedules import Schedule
from rules.settings import Settings
from rules.terms import Terms


class Settle(Protocol):
    """What every wager of a round comes to."""

    def __call__(
        self,
        round_: Round,
        settings: Settings = ...,
        limits: Limits = ...,
        schedule: Schedule | None = ...,
        terms: Terms | None = ...,
    ) -> Settlement:
        """Settle a round; raises ``RoundError`` where that cannot be done."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game as tables, server and command line use it."""

    name: str
    title: str
    edition: str
    """The date of its rule edition."""
    schedule: str
    """The schedule it is paid by where a table names none."""
    settle: Settle
    qualifying: Callable[[Round, Terms], tuple[Winner, ...]]
    """The hands of a round that win a jackpot prize."""
    prize_of: Callable[[HandValue], str | None]
    """The jackpot prize a hand qualifies for."""
    deal_order: Callable[[Device, tuple[int, ...]], tuple[tuple[int, caribbean_stud.Face], ...]]
    """Who gets each card of the deck, the dealer as 0, and how it lies."""


GAMES: Final[Mapping[str, Game]] = MappingProxyType(
    {
        caribbean_stud.GAME: Game(
            name=caribbean_stud.GAME,
            title="Caribbean Stud Poker",
            edition=caribbean_stud.EDITION,
            schedule=caribbean_stud.SCHEDULE,
            settle=caribbean_stud.settle,
            qualifying=caribbean_stud.qualifying,
            prize_of=caribbean_stud.prize_of,
            deal_order=caribbean_stud.deal_order,
        )
    }
)
"""Every game by its name."""
