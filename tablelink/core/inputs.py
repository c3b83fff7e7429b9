"""What can happen at a table, as values: what people and devices put in, what the server said, what the table asks for.

Each input is one step: it is in the spool before anyone acts on it (PROTOCOL 2), and a table is rebuilt by taking its
inputs again in their order. Knows nothing of what follows from them (`dealing`).
"""

from dataclasses import dataclass, field
from typing import Literal

from jackpot.wire.messages import HitNow, Shown
from rules.rounds import Decision

Lamp = Literal["dark", "placed", "accepted"]
"""A seat's jackpot lamp: dark, amber (placed), green (accepted by the server, CSP 11.2)."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """The cards as the shoe read them, in the order of the deal.

    **Never** shows a card when it is printed: no log line or error can hold one before it is turned (case 51).
    """

    cards: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Placed:
    """One seat's wagers at "no more bets": its ante, the dealer's count of the jackpot wager, what the sensor saw."""

    seat: int
    ante_cents: int
    jackpot_cents: int = 0
    sensor_cents: int = 0
    tender: Literal["chips", "token"] = "chips"

    @property
    def plays_jackpot(self) -> bool:
        """Whether dealer or sensor saw anything on the jackpot's area."""
        return self.jackpot_cents != 0 or self.sensor_cents != 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A hand shown as one that wins a prize: its five cards, and what its player did with it."""

    seat: int
    cards: tuple[int, ...]
    decision: Decision
    bet_cents: int | None = None


@dataclass(frozen=True, slots=True)
class Granted:
    """The server's welcome: the journal that is the spool's own, the gaming month, the highest round it knows."""

    journal: int
    month: str
    highest_round: int


@dataclass(frozen=True, slots=True)
class MonthTurned:
    """The server said that another gaming month has begun."""

    month: str


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    """The dealer called "no more bets", before the first card (CSP 5.7).

    `closed` says why the jackpot was closed, in words; it is empty where it was open. `shown` is the snapshot the table
    was showing.
    """

    seats: tuple[Placed, ...]
    closed: tuple[str, ...] = ()
    shown: Shown | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The server's answer to a message of this table, as it came."""

    id: str
    answer: str


@dataclass(frozen=True, slots=True)
class HitsNow:
    """The table's open hits, as the server says they stand now."""

    hits: tuple[HitNow, ...]


@dataclass(frozen=True, slots=True)
class GoOn:
    """The dealer goes on without an answer to the wagers: the round is dealt without the jackpot."""

    reason: str


@dataclass(frozen=True, slots=True)
class Dealt:
    """All cards of the round are dealt (CSP 7); `sealed` where a shoe or shuffler read them."""

    sealed: Sealed | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """What a player did with the hand (CSP 8.1), with the bet where there is one."""

    seat: int
    decision: Decision
    bet_cents: int | None = None


@dataclass(frozen=True, slots=True)
class DealerTurned:
    """The dealer's hand is turned up, after the last decision (CSP 9.1)."""


@dataclass(frozen=True, slots=True)
class Conceded:
    """A player who had bet conceded the hand once the dealer's was turned (CSP 9.7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandsTurned:
    """The last hand has been turned; nothing is paid yet.

    `claims` are the hands shown as winning where no device read the cards; `declared_by` says that no other does.
    """

    claims: tuple[Claim, ...] = ()
    declared_by: str = ""


@dataclass(frozen=True, slots=True)
class Voided:
    """No result: the whole round, or the seats named; with the rule and who asked (CSP 14, 15, 16)."""

    rule: str
    by: str
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Amended:
    """What two people did at the server to the round under way, as the hello told it: it is the table's own from then.

    A void of the whole round, or of the seats named; or the record, which they typed in. `forfeited` are seats whose
    wager is kept (CSP 16.6).
    """

    journal: int
    round: int
    act: Literal["void", "record"]
    rule: str
    by: str
    second: str
    seats: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """Who did what, and under which rule.

        >>> Amended(1, 17, "void", "CSP 16.6", "Ann", "Ben", (), (3,)).words
        'round 17 is void, by Ann and Ben at the server (CSP 16.6); the wager of seat 3 is forfeited, others go back'
        >>> Amended(1, 17, "void", "CSP 14.8", "Ann", "Ben", (3,)).words
        'seat 3 of round 17 is void, by Ann and Ben at the server (CSP 14.8); wagers go back'
        >>> Amended(1, 17, "record", "", "Ann", "Ben").words
        'round 17 is recorded, by Ann and Ben at the server'
        """
        by = f"by {self.by} and {self.second} at the server" + (f" ({self.rule})" if self.rule else "")
        if self.act == "record":
            return f"round {self.round} is recorded, {by}"
        back = "wagers go back"
        if self.forfeited:
            back = f"the wager of {seats_in_words(self.forfeited)} is forfeited, others go back"
        what = f"{seats_in_words(self.seats)} of round {self.round}" if self.seats else f"round {self.round}"
        return f"{what} is void, {by}; {back}"


def seats_in_words(seats: tuple[int, ...]) -> str:
    """Name seats.

    >>> seats_in_words((3,)), seats_in_words((3, 5))
    ('seat 3', 'each of seats 3, 5')
    """
    return f"seat {seats[0]}" if len(seats) == 1 else f"each of seats {', '.join(map(str, seats))}"


@dataclass(frozen=True, slots=True)
class WithoutJackpot:
    """A gaming supervisor approved that play goes on without the jackpot, and an inspector was notified (CSP 14.15).

    `why` says why the jackpot was closed then, in words.
    """

    by: str
    inspector: str
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JackpotBack:
    """The jackpot is open again: the approval has ended, and the next loss needs one of its own."""


Input = (
    Granted
    | MonthTurned
    | NoMoreBets
    | Answered
    | HitsNow
    | GoOn
    | Dealt
    | Decided
    | DealerTurned
    | Conceded
    | HandsTurned
    | Voided
    | Amended
    | WithoutJackpot
    | JackpotBack
)
"""Everything that moves a table."""

INPUTS: dict[str, type[Input]] = {
    "granted": Granted,
    "month": MonthTurned,
    "no_more_bets": NoMoreBets,
    "answered": Answered,
    "hits": HitsNow,
    "go_on": GoOn,
    "dealt": Dealt,
    "decided": Decided,
    "dealer_turned": DealerTurned,
    "conceded": Conceded,
    "hands_turned": HandsTurned,
    "voided": Voided,
    "amended": Amended,
    "without_jackpot": WithoutJackpot,
    "jackpot_back": JackpotBack,
}
"""The inputs by the names they have in a spool."""


@dataclass(frozen=True, slots=True)
class AwaitJournal:
    """No round is numbered before the server has granted the spool its journal."""


@dataclass(frozen=True, slots=True)
class AwaitPayout:
    """The cards of a winning hand lie face up until it is paid out: no next round (CSP 9.5)."""

    hits: tuple[HitNow, ...]


@dataclass(frozen=True, slots=True)
class PlaceWagers:
    """Players place their wagers for this round."""

    round: int


@dataclass(frozen=True, slots=True)
class AwaitAnswer:
    """The wagers are with the server; the amber seats wait for their green."""

    round: int
    id: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal to the dealer (0) and these seats."""

    round: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decide:
    """This seat folds or bets."""

    round: int
    seat: int
    ante_cents: int


@dataclass(frozen=True, slots=True)
class TurnDealer:
    """Turn the dealer's hand."""

    round: int


@dataclass(frozen=True, slots=True)
class TurnHands:
    """Turn the players' hands, from the dealer's right; who has bet may still concede."""

    round: int
    jackpot_seats: tuple[int, ...]


Prompt = AwaitJournal | AwaitPayout | PlaceWagers | AwaitAnswer | Deal | Decide | TurnDealer | TurnHands
"""What a table waits for next."""

DEVICE_PROMPTS = (PlaceWagers, Deal, Decide, TurnDealer, TurnHands)
"""The prompts that the people and devices at the table answer."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message for the spool: its id, its bytes for ever, whether it ends a round, whether the table's key signs."""

    id: str
    body: bytes
    ends_round: bool = False
    sign: bool = False
