"""A table as a value: its sign and the signs shown, who plays where and by which limits, who may not; and a step.

Decides nothing: the acts stand in the files beside this one.
"""

from dataclasses import Field, dataclass, replace
from typing import Any, ClassVar, Final, Generic, Literal, Protocol, TypeVar

from rules.irregularities.collusion import Direction
from rules.play import Move
from rules.rounds import HIGHEST_SEAT, Device
from rules.settings import SharedSettings
from rules.tables.books import PROVISIONS, Provisions


class Sign(Protocol):
    """What a game's sign is: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


L = TypeVar("L", bound=Sign)
"""A game's sign: its ``Limits``."""

Shown = Literal["minimum", "old_minimum", "closing"]
"""What a sign with a proposed time says: the table's new limits, the new minimum of who plays by an old one, or that
the table closes."""

_PLAIN_WORDS: Final = SharedSettings()


class ActRefused(ValueError):
    """An act that is not allowed now: the rule that refuses it, and the reason; as text ``rule: reason``."""

    def __init__(self, rule: str, reason: str) -> None:
        self.rule = rule
        self.reason = reason
        super().__init__(f"{rule}: {reason}")


@dataclass(frozen=True, slots=True)
class Player(Generic[L]):
    """Who plays at a table: at which box, on which areas, since when, and by which limits."""

    player: str
    """A name that tells players apart, such as the number of the Player Card."""
    box: int
    """The area at which the player is; a marker stands there (6.5.1.1, 6.5.1.3)."""
    areas: tuple[int, ...]
    """Every area the player has, the box among them; more than one only in Casino War (WAR 5.6)."""
    since_us: int
    old: L | None = None
    """The limits with the pre-existing minimum, where the player is entitled to it: a marker lies there (6.5.1)."""
    own: L | None = None
    """The limits on a sign for this player alone (6.6)."""
    idle_rounds: int = 0
    """How many rounds in a row passed without a wager while all other seats were in use (CSP 16.10)."""


@dataclass(frozen=True, slots=True)
class Posted(Generic[L]):
    """A sign on display that says what will change, and when."""

    what: Shown
    shown_us: int
    at_us: int
    """The proposed time."""
    limits: L | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute or complaint about the game, and how far it has come (CSP 16.13)."""

    name: str
    """What it is called at its table, such as ``1``."""
    person: str
    """Who raised it."""
    at_us: int
    decided_by: str = ""
    """Who decided it in the first instance."""
    asked_us: int | None = None
    """When a review was asked for."""
    reviewed: bool = False
    """Whether a casino supervisor reviewed it: then it is over (CSP 16.14)."""


@dataclass(frozen=True, slots=True)
class Table(Generic[L]):
    """A table between and around rounds. Time is microseconds since 1970, UTC, and is told, never asked."""

    book: str
    sign: L
    now_us: int
    """When the last act was; time never goes back."""
    places: int = HIGHEST_SEAT
    """How many seats, or playing areas, the table has."""
    settings: SharedSettings = _PLAIN_WORDS
    device: Device = "shuffler"
    low_limit: bool = False
    tournament: bool = False
    super_streak: bool = False
    """Whether Super Streak is offered, so that the sign of closing is also its final call (SIC 6.6)."""
    takes_cash: bool = True
    drop_box: bool = True
    state: Literal["open", "in_round", "closed"] = "open"
    players: tuple[Player[L], ...] = ()
    """By their boxes."""
    most_players: int | None = None
    """How many may play, where the supervisor limited that (SIC 3.15)."""
    posted: tuple[Posted[L], ...] = ()
    reserved: tuple[tuple[int, str], ...] = ()
    """Areas for the sole use of a player (WAR 5.9)."""
    waiting: tuple[str, ...] = ()
    """Who wishes to play and found no seat (WAR 5.6.1)."""
    out: tuple[tuple[str, str], ...] = ()
    """Who may not take part any more, each with the clause."""
    directions: tuple[Direction, ...] = ()
    """What was directed against collusion (CSP 14.13)."""
    disputes: tuple[Dispute, ...] = ()
    """What was disputed, in the order in which it was raised (CSP 16.13)."""

    @property
    def provisions(self) -> Provisions:
        """The clauses of the table's book."""
        return PROVISIONS[self.book]

    def of(self, player: str, rule: str) -> Player[L]:
        """A player of the table; raises ``ActRefused`` by a rule for somebody who is none."""
        for each in self.players:
            if each.player == player:
                return each
        raise ActRefused(rule, f"player: {player}: does not play at this table")

    def at(self, area: int) -> Player[L] | None:
        """Who has an area."""
        return next((each for each in self.players if area in each.areas), None)

    def with_player(self, player: Player[L]) -> "Table[L]":
        """The table with a player added or changed."""
        others = [each for each in self.players if each.player != player.player]
        return replace(self, players=tuple(sorted((*others, player), key=lambda each: each.box)))

    def free(self) -> tuple[int, ...]:
        """The areas nobody has and nobody reserved."""
        kept = dict(self.reserved)
        return tuple([area for area in range(1, self.places + 1) if self.at(area) is None and area not in kept])

    def limits_of(self, area: int) -> L:
        """The limits that a wager at a seat is held to: the player's own, the old, or the sign's (6.1, 6.5.4, 6.6)."""
        player = self.at(area)
        if player is None:
            return self.sign
        # CSP 6.5.4, TCP 6.5.4, FCP 6.5.4, WAR 6.5.4: without an entitlement of his own a player keeps to the table's.
        return player.own or player.old or self.sign


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of what is written down at a table: what, when, by which rule, about whom, by whom, and why."""

    kind: str
    at_us: int
    rule: str
    person: str
    """Who said or did it."""
    reason: str
    player: str = ""
    seat: int | None = None
    area: str = ""
    cents: int | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """What somebody must be told or do now, by which rule."""

    to: str
    rule: str
    words: str

    def __str__(self) -> str:
        """Say it as people are told.

        >>> print(Due("an inspector", "CSP 16.4.4", "attends and assumes responsibility"))
        an inspector: attends and assumes responsibility (CSP 16.4.4)
        """
        return f"{self.to}: {self.words} ({self.rule})"


@dataclass(frozen=True, slots=True)
class Step(Generic[L]):
    """What an act led to: the table after it, what people are told, what is written down, and moves for the felt."""

    table: Table[L]
    told: tuple[Due, ...] = ()
    written: tuple[Entry, ...] = ()
    moves: tuple[Move, ...] = ()
    """The moves that the round in progress makes for it, by the names they have on every felt."""


def named(rule: str, **words: str) -> None:
    """Raise ``ActRefused`` by a rule where a word that must be given is blank."""
    for name, word in words.items():
        if not word.strip():
            raise ActRefused(rule, f"{name}: missing: it is written down with a {name}")
