"""Which games there are, and what each can do with a round: one registry for tables, server and command line."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

from rules.games import caribbean_stud, casino_war, four_card_poker, sic_bo, three_card_poker
from rules.hands import HandValue
from rules.limits import Limits
from rules.play import Play
from rules.progressive import Winner
from rules.rounds import Device, Face, Round, Settlement
from rules.schedules import Schedule
from rules.settings import (
    CasinoWarSettings,
    FourCardSettings,
    Settings,
    SharedSettings,
    SicBoSettings,
    ThreeCardSettings,
)
from rules.terms import Terms


class Settle(Protocol):
    """What every wager of a round comes to. Round, settings and limits are those of the game."""

    def __call__(
        self, round_: Any, settings: Any = ..., limits: Any = ..., schedules: Mapping[str, Schedule] | None = ...
    ) -> Settlement:
        """Settle a round; raises ``RoundError`` where that cannot be done."""


def _nobody(round_: Round, terms: Terms) -> tuple[Winner, ...]:  # noqa: ARG001 - the form of every game's
    """The winners of a jackpot prize in a game that has none."""
    return ()


def _no_prize(value: HandValue) -> str | None:  # noqa: ARG001 - the form of every game's
    """The jackpot prize of a hand in a game that has none."""
    return None


@dataclass(frozen=True, slots=True)
class Game:
    """A game as tables, server and command line use it."""

    name: str
    title: str
    book: str
    """How its rules are cited, such as ``TCP``."""
    edition: str
    """The date of its rule edition."""
    reference: str
    """The authority's reference of its rule edition; empty where its text bears none."""
    schedules: tuple[str, ...]
    """The schedules it is paid by where a table names no others: one of each chart."""
    settings: type[SharedSettings]
    """The table's rulings, with their defaults."""
    limits: type[Any]
    """The table's sign."""
    settle: Settle
    deal_order: Callable[[Device, Iterable[int]], tuple[tuple[int, Face], ...]] | None
    """Who gets each card of the deck, the dealer as 0, and how it lies; ``None`` for a game without a fixed deal."""
    play: Play[Any] | None = None
    """The game move by move."""
    linked: bool = False
    """Whether its tables can join a jackpot link."""
    qualifying: Callable[[Round, Terms], tuple[Winner, ...]] = _nobody
    """The hands of a round that win a jackpot prize."""
    prize_of: Callable[[HandValue], str | None] = _no_prize
    """The jackpot prize a hand qualifies for."""


def _settle_caribbean_stud(
    round_: Round,
    settings: Settings | None = None,
    limits: Limits | None = None,
    schedules: Mapping[str, Schedule] | None = None,
) -> Settlement:
    """Settle a round of Caribbean Stud that no link asks about."""
    schedule = None if schedules is None else schedules["bet"]
    return caribbean_stud.settle(round_, settings or Settings(), limits or Limits(), schedule)


_ROWS: Final = (
    Game(
        name=caribbean_stud.GAME,
        title=caribbean_stud.TITLE,
        book="CSP",
        edition=caribbean_stud.EDITION,
        reference="DF24/017426",
        schedules=(caribbean_stud.SCHEDULE,),
        settings=Settings,
        limits=Limits,
        settle=_settle_caribbean_stud,
        deal_order=caribbean_stud.deal_order,
        play=caribbean_stud.PLAY,
        linked=True,
        qualifying=caribbean_stud.qualifying,
        prize_of=caribbean_stud.prize_of,
    ),
    Game(
        name=three_card_poker.GAME,
        title=three_card_poker.TITLE,
        book="TCP",
        edition=three_card_poker.EDITION,
        reference="DF24/017426",
        schedules=three_card_poker.SCHEDULES,
        settings=ThreeCardSettings,
        limits=three_card_poker.Limits,
        settle=three_card_poker.settle,
        deal_order=three_card_poker.deal_order,
        play=three_card_poker.PLAY,
    ),
    Game(
        name=four_card_poker.GAME,
        title=four_card_poker.TITLE,
        book="FCP",
        edition=four_card_poker.EDITION,
        reference="",
        schedules=four_card_poker.SCHEDULES,
        settings=FourCardSettings,
        limits=four_card_poker.Limits,
        settle=four_card_poker.settle,
        deal_order=four_card_poker.deal_order,
        play=four_card_poker.PLAY,
    ),
    Game(
        name=casino_war.GAME,
        title=casino_war.TITLE,
        book="WAR",
        edition=casino_war.EDITION,
        reference="",
        schedules=casino_war.SCHEDULES,
        settings=CasinoWarSettings,
        limits=casino_war.Limits,
        settle=casino_war.settle,
        deal_order=casino_war.deal_order,
        play=casino_war.PLAY,
    ),
    Game(
        name=sic_bo.GAME,
        title=sic_bo.TITLE,
        book="SIC",
        edition=sic_bo.EDITION,
        reference="",
        schedules=sic_bo.SCHEDULES,
        settings=SicBoSettings,
        limits=sic_bo.Limits,
        settle=sic_bo.settle,
        deal_order=None,
        play=sic_bo.PLAY,
    ),
)

GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.name: game for game in _ROWS})
"""Every game by its name."""
