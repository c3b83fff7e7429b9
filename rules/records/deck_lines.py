"""The JSON form of what happens to decks: a line an act, in the order in which it was done (rules 3.1 to 3.8).

``act`` says which it is; its fields are the arguments of the act in ``rules.decks.lives``. Read as strictly as a round.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from rules.decks import lives
from rules.decks.checks import CardFaults, Found
from rules.decks.lives import Checker, Deck, DeckRefused, Moment, Orderer
from rules.games import GAMES
from rules.records.forms import Form, Name, Part, Person, RecordError
from rules.records.questions import CardGame
from rules.rounds import Device
from rules.strict_json import first_fault

Time = Annotated[datetime, Meta(tz=True)]
Faces = Annotated[str, Meta(max_length=4000)]
"""What the cards' faces say, one space between two; six decks are 935 characters."""


class FoundCard(Part, frozen=True, kw_only=True):
    """A card with another back than the deck's."""

    face: Person
    back: Person


class DeckLine(Part, frozen=True, kw_only=True):
    """What every act on a deck has: which deck, when, and who did it or had it done."""

    deck: Name
    at: Time
    by: Person


class Deliver(DeckLine, frozen=True, kw_only=True):
    """A new deck for the tables of a game."""

    act: Literal["deliver"]
    game: CardGame
    back: Person


class Check(DeckLine, frozen=True, kw_only=True):
    """Every card checked before use: the faces as they were found, and cards with other backs."""

    act: Literal["check"]
    how: Checker
    found: Faces
    other_backs: tuple[FoundCard, ...] = ()


class Secure(DeckLine, frozen=True, kw_only=True):
    """A checked deck locked away."""

    act: Literal["secure"]
    pre_shuffled: bool = True


class PutIn(DeckLine, frozen=True, kw_only=True):
    """A checked deck brought to a table."""

    act: Literal["put_in"]
    table: Name


class Shift(DeckLine, frozen=True, kw_only=True):
    """A deck in play moved to another shoe or device."""

    act: Literal["shift"]
    to: Person


class Change(DeckLine, frozen=True, kw_only=True):
    """A deck taken out of play, with the reason and where play stood."""

    act: Literal["change"]
    why: Person
    between_rounds: bool
    device: Device
    cutting_card_exposed: bool = False
    shuffled_since: bool = False


class Count(DeckLine, frozen=True, kw_only=True):
    """The cards checked and verified at the instruction of a supervisor or an inspector."""

    act: Literal["count"]
    ordered_by: Orderer
    found: Faces
    other_backs: tuple[FoundCard, ...] = ()


class SetRight(DeckLine, frozen=True, kw_only=True):
    """Cards of a deck replaced with those of a new one."""

    act: Literal["set_right"]
    cards: Faces
    new_deck: Name


class Retire(DeckLine, frozen=True, kw_only=True):
    """A deck taken out of use for good."""

    act: Literal["retire"]
    why: Person


class _Peek(msgspec.Struct):
    act: str = ""


_peek: Final = msgspec.json.Decoder(_Peek)

FORMS: Final[Mapping[str, Form[Any]]] = MappingProxyType(
    {
        "deliver": Form(Deliver),
        "check": Form(Check),
        "secure": Form(Secure),
        "put_in": Form(PutIn),
        "shift": Form(Shift),
        "change": Form(Change),
        "count": Form(Count),
        "set_right": Form(SetRight),
        "retire": Form(Retire),
    }
)
"""The form of each act."""


def decode_deck_line(data: bytes) -> DeckLine:
    """What a JSON text says happened to a deck; raises ``RecordError``, also for an act that nobody knows.

    >>> line = decode_deck_line(b'{"act":"retire","deck":"D7","at":"2026-11-28T06:00:00Z","by":"J. Ho","why":"worn"}')
    >>> line.deck, line.why
    ('D7', 'worn')
    """
    try:
        act = _peek.decode(data).act
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        act = "deliver"  # Whose form says what is wrong with it.
    form = FORMS.get(act)
    if form is None:
        raise RecordError(*(first_fault(data) or ("act", act, f"unknown; known are {', '.join(FORMS)}")))
    line: DeckLine = form.decode(data)
    return line


def after(decks: Mapping[str, Deck], line: DeckLine) -> Deck:
    """The deck of a line after its act; ``decks`` are those known before, by their ids.

    Raises ``RecordError`` for a deck that is not known, or is delivered twice; ``DeckRefused`` for what cannot happen.
    """
    known = decks.get(line.deck)
    if isinstance(line, Deliver):
        if known is not None:
            raise RecordError("deck", line.deck, "delivered already: every deck has an id of its own")
        return lives.deliver(line.deck, GAMES[line.game].book, line.back, line.at, line.by)
    if known is None:
        raise RecordError("deck", line.deck, "unknown: it was never delivered")
    return _ACTS[type(line)](known, line)


def _found(deck: Deck, line: Check | Count) -> list[Found]:
    """The cards as they were found; a card of no back of its own has the deck's."""
    faces = line.found.split(" ") if line.found else []
    return [*(Found(face, deck.back) for face in faces), *(Found(card.face, card.back) for card in line.other_backs)]


def _moment(line: Change) -> Moment:
    return Moment(
        line.between_rounds,
        line.device,
        cutting_card_exposed=line.cutting_card_exposed,
        shuffled_since=line.shuffled_since,
    )


_ACTS: Final[Mapping[type[DeckLine], Callable[[Deck, Any], Deck]]] = MappingProxyType(
    {
        Check: lambda deck, it: lives.check(deck, _found(deck, it), it.how, it.at, it.by),
        Secure: lambda deck, it: lives.secure(deck, it.at, it.by, pre_shuffled=it.pre_shuffled),
        PutIn: lambda deck, it: lives.put_in(deck, it.table, it.at, it.by),
        Shift: lambda deck, it: lives.shift(deck, f"to {it.to}", it.at, it.by),
        Change: lambda deck, it: lives.change(deck, _moment(it), it.why, it.at, it.by),
        Count: lambda deck, it: lives.count(deck, _found(deck, it), it.ordered_by, it.at, it.by),
        SetRight: lambda deck, it: lives.set_right(deck, it.cards.split(), it.new_deck, it.at, it.by),
        Retire: lambda deck, it: lives.retire(deck, it.why, it.at, it.by),
    }
)


def stands(deck: Deck) -> dict[str, Any]:
    """Where a deck stands after its last act, as JSON has it: its state, the rule, and what a check found."""
    last = deck.life[-1]
    said: dict[str, Any] = {"deck": deck.id, "act": last.act, "state": last.state, "rule": last.rule}
    return said | ({"faults": _faults(last.faults)} if last.act in {"check", "count"} else {})


def _faults(faults: CardFaults) -> dict[str, Any]:
    return {
        "missing": faults.missing,
        "double": faults.double,
        "foreign": [{"face": card.face, "back": card.back} for card in faults.foreign],
    }


def refusal(refused: DeckRefused, line: DeckLine) -> dict[str, Any]:
    """What cannot happen to a deck, as JSON has it: field, value, reason as of a bad line, and the rule."""
    act = getattr(line, "act", "")
    return {"field": "act", "value": act, "error": refused.reason, "deck": line.deck, "rule": refused.rule}
