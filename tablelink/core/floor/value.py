"""A hosted table that people drive, as a value: its limits and people, the round they play, and what they told of it.

Decides nothing: ``taking`` says what leads from one to the next.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Final, get_args, get_type_hints

from rules.directions import Forfeit
from rules.games.caribbean_stud import Felt as StudFelt
from rules.games.casino_war import Felt as WarFelt
from rules.games.four_card_poker import Felt as FourCardFelt
from rules.games.sic_bo import Felt as DiceFelt
from rules.games.three_card_poker import Felt as ThreeCardFelt
from rules.play import Play, Position
from rules.records import FORMS, RecordError
from rules.records.forms import InvalidWagersRecord, PaymentErrorRecord, part_of
from rules.records.sic_bo import EVEN_NAMED
from rules.records.tables import Approved, read_table, stated_table
from rules.rounds import HIGHEST_SEAT
from rules.settings import SharedSettings
from rules.tables import Answer, KnownCards, Table
from tablelink.core.moves import TOLD

NOT_BEGUN: Final = frozenset(
    {"cards_new", "cards_checked", "cards_shuffled", "cards_loaded", "wagers_open", "no_more_bets"}
)
"""The states of a card table before the first card leaves the shoe or device."""
DICE_NOT_BEGUN: Final = frozenset({"dice_covered"})
"""The state of a Sic Bo table before the tumbler is activated."""


@dataclass(frozen=True, slots=True)
class Reports:
    """What people reported of a round, and when the first thing wrong was found in it."""

    found: tuple[str, ...] = ()
    """What went wrong although every wager stands, by its kinds."""
    payments: tuple[PaymentErrorRecord, ...] = ()
    invalid: tuple[InvalidWagersRecord, ...] = ()
    found_us: int | None = None
    told: tuple[str, ...] = ()
    """The rules of the notices that people were told of when their cause was found."""


@dataclass(frozen=True, slots=True)
class Floor:
    """A hosted table that people drive."""

    game: str
    name: str
    around: Table[Any]
    at: Position[Any]
    approved: str = "{}"
    """What is approved for the table, as its file states it: limits, rulings and schedules."""
    cards: Mapping[str, Answer] = field(default_factory=dict)
    """What is known of the players' cards, as it was last told to the table."""
    last: int = 0
    """The number of the last round that has its statement."""
    stated: bool = False
    """Whether the round on the felt has its statement, and play is stopped after it (SIC 8.8)."""
    left: frozenset[int] = frozenset()
    """The areas whose players left while something of theirs was on the felt."""
    forfeits: tuple[Forfeit, ...] = ()
    """What was directed about the round's wagers, where its outcome is invalidated."""
    reports: Reports = field(default_factory=Reports)
    """What was reported of the round so far."""
    dealer: str = ""
    before: "Floor | None" = field(default=None, compare=False, repr=False)
    """The table before the last move of the round, where that can be entered anew."""

    @property
    def play(self) -> Play[Any]:
        """The game's machine."""
        return TOLD[self.game].play

    @property
    def number(self) -> int:
        """The number of the round that is played, or comes."""
        return self.last if self.stated else self.last + 1

    def player_at(self, area: int) -> str:
        """The name of the player at an area; empty where nobody is."""
        who = self.around.at(area)
        return "" if who is None else who.player

    @property
    def begun(self) -> bool:
        """Whether the round of play has begun: the first card is out, or the tumbler ran."""
        not_begun = DICE_NOT_BEGUN if self.game == "sic_bo" else NOT_BEGUN
        return self.at.state not in not_begun and not self.stated

    @property
    def over(self) -> bool:
        """Whether nothing of the round is left to do but its statement."""
        return self.at.state in TOLD[self.game].over and not self.stated

    @property
    def port(self) -> KnownCards:
        """Where the table asks about a player's card."""
        return KnownCards(self.cards)

    @property
    def terms(self) -> Approved:
        """What is approved for the table."""
        return approved_of(self.game, self.approved)


@dataclass(frozen=True, slots=True)
class Opened:
    """How a table was opened: what it deals from, and what its equipment is."""

    places: int = HIGHEST_SEAT
    device: Any = "shuffler"
    chip_cents: int = 1
    touch_screen: bool = False


@lru_cache(maxsize=16)
def approved_of(game: str, text: str) -> Approved:
    """What a table's file states; raises ``RecordError``, also where Even is offered and its reading not named."""
    approved, stated = read_table(game, text.encode()), stated_table(game, text.encode())
    named = getattr(stated.settings, "even_on_10", None)
    if game == "sic_bo" and "even" in approved.limits.offered and named is None:
        raise RecordError("settings.even_on_10", "", EVEN_NAMED)
    return approved


def new_felt(game: str, terms: Approved, opened: Opened) -> Any:
    """A felt on which nothing lies."""
    rulings: Any = terms.settings
    if game == "sic_bo":
        return DiceFelt(rulings, terms.limits, opened.places, touch_screen=opened.touch_screen)
    if game == "caribbean_stud":
        return StudFelt(opened.device, rulings, terms.limits, jackpot="closed")  # There is no link (CSP 14.15).
    if game == "casino_war":
        return WarFelt(opened.device, rulings, terms.limits, chip_cents=opened.chip_cents)
    felt = ThreeCardFelt if game == "three_card_poker" else FourCardFelt
    return felt(opened.device, rulings, terms.limits)


def shared(settings: SharedSettings) -> SharedSettings:
    """The rulings that every game has, out of a game's own."""
    return SharedSettings(**{each.name: getattr(settings, each.name) for each in fields(SharedSettings)})


def record_fields(floor: Floor) -> dict[str, Any]:
    """The table's own fields of a record: what it shows, rules and pays by."""
    parts: dict[str, Any] = {
        name: part_of(_part(floor.game, name), value)
        for name, value in (("limits", _plain(floor.at.felt.limits)), ("settings", floor.terms.settings))
    }
    return {**parts, "schedules": stated_table(floor.game, floor.approved.encode()).schedules}


def _part(game: str, name: str) -> Any:
    """The form of a part of a game's record."""
    hint = get_type_hints(FORMS[game].form.record)[name]
    return next(each for each in get_args(hint) if each is not type(None))


def _plain(limits: Any) -> Any:
    """A sign whose columns are plain, as a record carries them."""
    columns = {
        each.name: dict(column) for each in fields(limits) if isinstance(column := getattr(limits, each.name), Mapping)
    }
    return replace(limits, **columns)
