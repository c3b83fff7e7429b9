"""The life of a deck: checked, pre-shuffled and locked away, in play, changed and why, counted at any time, retired.

A deck is what a table plays with as one: one deck of 52, at Casino War six. What happens to it is written down with who
did it, when and by which rule; nothing else changes it. Knows no order of its cards (``shoes``) and no clock.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal

from rules.decks.books import BOOKS, CardBook, Clause
from rules.decks.checks import CardFaults, Found, faults_of

State = Literal["new", "checked", "secured", "in", "held", "out", "retired"]
"""Where a deck stands: delivered; checked; pre-shuffled or not, and locked away; on a table; found wrong and held until
it is set right; changed for another; never used again."""

Act = Literal["deliver", "check", "secure", "put_in", "shift", "change", "count", "set_right", "retire"]
"""What happens to a deck; ``set_right`` is cards of it replaced, of a table's deck too (WAR 12.3.3)."""

Checker = Literal["dealer", "casino_supervisor", "deck_checking_device"]
"""Who checks cards before they are used (CSP 3.4, TCP 3.4, FCP 3.4, WAR 3.3)."""

Orderer = Literal["casino_supervisor", "inspector"]
"""Who may have the cards counted at any time (CSP 3.8, TCP 3.8, FCP 3.8, WAR 3.8)."""

_COMPLETE: Final = CardFaults()

_LEGAL: Final[Mapping[Act, frozenset[State]]] = MappingProxyType(
    {
        "deliver": frozenset[State](),
        "check": frozenset[State](["new", "checked", "held", "out"]),
        "secure": frozenset[State](["checked"]),
        "put_in": frozenset[State](["checked", "secured"]),
        "shift": frozenset[State](["in"]),
        "change": frozenset[State](["in", "held"]),
        "count": frozenset[State](["new", "checked", "secured", "in", "held", "out"]),
        "set_right": frozenset[State](["in", "held", "out"]),
        "retire": frozenset[State](["new", "checked", "secured", "held", "out"]),
    }
)
"""The states in which each act has its place. A deck in play is changed for another before it is retired."""

_CLAUSES: Final[Mapping[Act, Clause]] = MappingProxyType(
    {
        "deliver": "cards",
        "check": "checked",
        "secure": "secured",
        "put_in": "checked",
        "shift": "dealt_from",
        "change": "changed",
        "count": "counted",
        "set_right": "wrong_card",
        "retire": "changed",
    }
)
"""The clause of each act; it refuses the act where it has no place."""


class DeckRefused(ValueError):
    """What cannot happen to a deck: the deck's id, the rule that refuses it, the reason."""

    def __init__(self, deck: str, rule: str, reason: str) -> None:
        self.deck = deck
        self.rule = rule
        self.reason = reason
        super().__init__(f"{rule}: {deck}: {reason}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened to a deck."""

    act: Act
    at: datetime
    by: str
    """The person who did it, or had it done."""
    rule: str
    state: State
    """Where the deck stands since."""
    words: str = ""
    """How, at which table or why."""
    faults: CardFaults = _COMPLETE


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck, by its id, with all that happened to it."""

    id: str
    book: str
    back: str
    """The colour and design of the backs, one for all its cards (3.1)."""
    life: tuple[Entry, ...]

    @property
    def state(self) -> State:
        """Where it stands."""
        return self.life[-1].state

    @property
    def cards(self) -> CardBook:
        """What its book says of its cards."""
        return BOOKS[self.book]

    @property
    def faults(self) -> CardFaults:
        """What the last check or count of it found; nothing wrong where its cards were set right since."""
        return next((each.faults for each in reversed(self.life) if each.act in _LOOKED_AT), _COMPLETE)


_LOOKED_AT: Final = frozenset({"deliver", "check", "count", "set_right"})


def deliver(deck: str, book: str, back: str, at: datetime, by: str) -> Deck:
    """A new deck for the tables of a book (CSP 3.1, TCP 3.1, FCP 3.1, WAR 3.1).

    Raises ``DeckRefused`` for a book without cards, or where id, back or person is not named.

    >>> deliver("D7", "WAR", "red", datetime(2026, 11, 28, 6), "J. Ho").cards.size
    312
    """
    if book not in BOOKS:
        raise DeckRefused(deck, "", f"{book} is played with no cards; the books with cards are {', '.join(BOOKS)}")
    rule = BOOKS[book].rule("cards")
    for name, text in (("id", deck), ("back", back), ("by", by)):
        if not text.strip():
            raise DeckRefused(deck, rule, f"{name}: missing")
    return Deck(deck, book, back, (Entry("deliver", at, by, rule, "new"),))


def check(deck: Deck, found: Iterable[Found], how: Checker, at: datetime, by: str) -> Deck:
    """Check every card before the deck is used (CSP 3.4, TCP 3.4, FCP 3.4, WAR 3.3).

    Always held where a card is missing, double or foreign, each named in the entry. Raises ``DeckRefused`` for a deck
    that is locked away, in play or retired.
    """
    faults = faults_of(found, deck.back, deck.cards.decks)
    return _after(deck, "check", at, by, "held" if faults else "checked", how.replace("_", " "), faults)


def secure(deck: Deck, at: datetime, by: str, *, pre_shuffled: bool = True) -> Deck:
    """Lock a checked deck away until it may be required, pre-shuffled or not (CSP 3.5, TCP 3.5, FCP 3.5, WAR 3.4).

    Raises ``DeckRefused`` for one that was not checked.
    """
    return _after(deck, "secure", at, by, "secured", "pre-shuffled" if pre_shuffled else "not shuffled")


def put_in(deck: Deck, table: str, at: datetime, by: str) -> Deck:
    """Bring a checked deck to a table.

    Never one that was not checked since it last left a table (CSP 3.4, 3.7; TCP 3.4, 3.7; FCP 3.4, 3.7; WAR 3.3):
    raises ``DeckRefused``.
    """
    return _after(deck, "put_in", at, by, "in", f"table {table}")


def shift(deck: Deck, words: str, at: datetime, by: str) -> Deck:
    """Move a deck in play from one shoe or device to another (WAR 12.2), its cards being the same."""
    return _after(deck, "shift", at, by, "in", words)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where play stands when cards are to be changed."""

    between_rounds: bool
    """Whether a round of play is completed and the next has not begun."""
    device: Literal["shoe", "shuffler"]
    cutting_card_exposed: bool = False
    """Whether the cutting card was exposed in that round (WAR 3.5.2)."""
    shuffled_since: bool = False
    """Whether the cards were shuffled since that round (WAR 3.5.2)."""


def change(deck: Deck, moment: Moment, why: str, at: datetime, supervisor: str) -> Deck:
    """Take a deck out of play for a reason, at a casino supervisor's discretion (CSP 3.7, TCP 3.7, FCP 3.7, WAR 3.5).

    Never during a round; at Casino War from a shoe only after one in which the cutting card was exposed, and before the
    shuffle. A deck found wrong goes out all the same: its round is void (CSP 14.9.2). Raises ``DeckRefused``.
    """
    if not why.strip():
        raise DeckRefused(deck.id, deck.cards.rule("changed"), "why: missing: a change has its reason")
    if deck.state != "held":
        if not moment.between_rounds:
            raise DeckRefused(deck.id, deck.cards.rule("changed"), "cards are changed after a round of play")
        late = moment.shuffled_since or not moment.cutting_card_exposed
        if deck.book == "WAR" and moment.device == "shoe" and late:
            reason = "from a shoe cards are replaced after the cutting card was exposed and before the shuffle"
            raise DeckRefused(deck.id, "WAR 3.5.2", reason)
    return _after(deck, "change", at, supervisor, "out", why)


def count(deck: Deck, found: Iterable[Found], ordered_by: Orderer, at: datetime, by: str) -> Deck:
    """Have the dealer check and verify the cards, at any time (CSP 3.8, TCP 3.8, FCP 3.8, WAR 3.8).

    Always leaves a deck where it stands if all is there, and holds it if a card is missing, double or foreign. Raises
    ``DeckRefused`` for a retired one.
    """
    faults = faults_of(found, deck.back, deck.cards.decks)
    counted = _after(deck, "count", at, by, deck.state, f"instructed by {ordered_by.replace('_', ' ')}", faults)
    if not faults:
        return counted
    return replace(counted, life=(*deck.life, replace(counted.life[-1], state="held")))


def set_right(deck: Deck, replaced: Iterable[str], new_deck: str, at: datetime, by: str) -> Deck:
    """Replace cards of a deck with those of a new deck: damaged ones (WAR 12.3.3, 12.5.2), missing or foreign ones.

    Always leaves a deck in play in play, since damaged cards are replaced in the round (WAR 12.3.4); any other has to
    be checked before it is used. Raises ``DeckRefused`` where no card is named, or no deck they come from.
    """
    names = ", ".join(replaced)
    if not names or not new_deck.strip():
        raise DeckRefused(deck.id, deck.cards.rule("wrong_card"), "which cards are replaced, and from which new deck?")
    state: State = "in" if deck.state == "in" else "out"
    return _after(deck, "set_right", at, by, state, f"{names} from {new_deck}")


def retire(deck: Deck, why: str, at: datetime, by: str) -> Deck:
    """Take a deck that is on no table out of use for good, with the reason; raises ``DeckRefused`` for one in play."""
    if not why.strip():
        raise DeckRefused(deck.id, deck.cards.rule("changed"), "why: missing: a deck is retired for a reason")
    return _after(deck, "retire", at, by, "retired", why)


def _after(
    deck: Deck, act: Act, at: datetime, by: str, state: State, words: str, faults: CardFaults = _COMPLETE
) -> Deck:
    """The deck with one more entry; raises ``DeckRefused`` where the act has no place, or who or when is wrong."""
    rule = deck.cards.rule(_CLAUSES[act])
    if deck.state not in _LEGAL[act]:
        raise DeckRefused(deck.id, rule, f"{act.replace('_', ' ')}: not while it is {_STANDS[deck.state]}")
    if not by.strip():
        raise DeckRefused(deck.id, rule, "by: missing: a deck's life names persons")
    if at < deck.life[-1].at:
        raise DeckRefused(deck.id, rule, f"at: {at.isoformat()}: before {deck.life[-1].at.isoformat()}")
    return replace(deck, life=(*deck.life, Entry(act, at, by, rule, state, words, faults)))


_STANDS: Final[Mapping[State, str]] = MappingProxyType(
    {
        "new": "new and not checked",
        "checked": "checked",
        "secured": "locked away",
        "in": "in play",
        "held": "held for its faults",
        "out": "out of play and not checked since",
        "retired": "retired",
    }
)
"""Each state in words."""
