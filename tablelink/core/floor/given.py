"""What people and devices say at a hosted table they drive themselves: a move of the round, an act around it, a moment.

Each is kept in the table's spool in the form of this file, and taken again from there after a restart. Decides nothing.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from rules.play import Move
from rules.wagers import Tender

LONGEST_NAME: Final = 80
"""Characters of a person's or player's name: what a record's directions carry."""
LONGEST_TEXT: Final = 400
"""Characters of a reason or a decision."""

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Words = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Number = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class NotUnderstood(ValueError):
    """A line that says nothing a table could do: the field, its value cut short, and the reason."""

    def __init__(self, field: str, value: str, reason: str) -> None:
        self.field = field
        self.value = readable(value)[:40]
        self.reason = reason
        super().__init__(": ".join(part for part in (field, self.value, reason) if part))


class Given(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True
):
    """One thing that is said at a table."""


class Made(Given, frozen=True, tag="move"):
    """A move of the round, and whose word or hand it is by."""

    name: Name
    seat: Number | None = None
    area: Name | None = None
    cents: Number | None = None
    cards: Annotated[tuple[Number, ...], Meta(max_length=64)] | None = None
    tender: Tender = "chips"
    person: Name = ""
    """Who directed it; of a wager who puts it on the layout, where that is not its player."""
    reason: Words = ""
    player: Name = ""
    """Whose wager it is, where that is not the player of the area."""
    claim: Words = ""
    stake_of: Name = ""
    only_helped: bool = False

    @property
    def move(self) -> Move:
        """The move for the game's machine."""
        return Move(self.name, self.seat, self.area, self.cents, self.cards, self.tender)


class Act(Given, frozen=True, tag="act"):
    """Something done around the round: what it takes of these fields, ``ACTS`` says of each."""

    name: Name
    player: Name = ""
    label: Name = ""
    """What a dispute is called."""
    areas: Annotated[tuple[Number, ...], Meta(max_length=64)] = ()
    words: Annotated[tuple[Name, ...], Meta(max_length=64)] = ()
    cents: Number | None = None
    sign: Annotated[dict[Name, Number | None], Meta(max_length=64)] = {}
    """Amounts that change on a sign, in cents, each by its field without ``_cents``; none: the sign states it not."""
    text: Words = ""
    person: Name = ""
    reason: Words = ""
    minutes: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    """How far ahead a proposed time is; 20 where it is not said."""


class Tick(Given, frozen=True, tag="tick"):
    """Time has passed, and something was due."""


class Undo(Given, frozen=True, tag="undo"):
    """The last move of the round was entered wrongly: the table as it was before."""


class Line(Given, frozen=True, tag="line"):
    """A line as people type it, from a device that types for them."""

    text: Annotated[str, Meta(max_length=4_096)]


Said = Made | Act | Tick | Undo
"""What a table takes."""

_encoder = msgspec.json.Encoder()
_said = msgspec.json.Decoder(Said)
_told = msgspec.json.Decoder(Made | Act | Undo | Line)


def encode_given(given: Given) -> bytes:
    """What was said, as a spool keeps it."""
    return _encoder.encode(given)


def decode_given(body: bytes) -> Said:
    """What a spool keeps; raises ``msgspec.DecodeError``."""
    given: Said = _said.decode(body)
    return given


def read_told(line: bytes) -> Made | Act | Undo | Line:
    """What a device says in a line of JSON, read strictly; raises ``NotUnderstood``."""
    try:
        given: Made | Act | Undo | Line = _told.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _translated(error, line.decode("utf-8", "replace")) from None
    _check_texts(given)
    return given


def check(given: Made | Act | Undo) -> None:
    """Hold what somebody typed to the form that a spool keeps; raises ``NotUnderstood`` naming the field."""
    try:
        _told.decode(_encoder.encode(given))
    except (msgspec.DecodeError, UnicodeError) as error:
        raise _translated(error, given.name if isinstance(given, Made | Act) else "") from None
    _check_texts(given)


def _translated(error: Exception, value: str) -> NotUnderstood:
    """A reader's message as field, value and reason."""
    message, _, where = str(error).partition(" - at `$")
    return NotUnderstood(where.strip("`."), "" if where else value, message)


def _check_texts(given: Given) -> None:
    """Refuse a text that a screen or a record could not show; raises ``NotUnderstood`` naming the field."""
    for field, text in _texts(given):
        if not text.isprintable():
            raise NotUnderstood(field, text, "a character that cannot be shown")


def _texts(given: Given) -> Iterator[tuple[str, str]]:
    for field in given.__struct_fields__:
        value: Any = getattr(given, field)
        parts = value if isinstance(value, tuple | dict) else (value,)
        yield from ((field, part) for part in parts if isinstance(part, str))


def readable(text: str) -> str:
    """A text with everything that a screen could not show replaced.

    >>> readable("a" + chr(27) + "[2J")
    'a?[2J'
    """
    return "".join(each if each.isprintable() else "?" for each in text)
