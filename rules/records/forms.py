"""What the JSON forms of all games have in common: their fields, how strictly they are read, how a fault is named."""

import re
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from rules.cards import CardError, parse_cards
from rules.irregularities.payments import Answer
from rules.limits import LARGEST_WAGER_CENTS
from rules.rounds import HIGHEST_SEAT
from rules.strict_json import SHOWN, first_fault, shown, value_at

LARGEST: Final = 2**63 - 1
"""What the ledger's bigint holds."""

Count = Annotated[int, Meta(ge=0, le=LARGEST)]
Cents = Annotated[int, Meta(ge=0, le=LARGEST)]
WagerCents = Annotated[int, Meta(ge=1, le=LARGEST_WAGER_CENTS)]
SeatNumber = Annotated[int, Meta(ge=1, le=HIGHEST_SEAT)]
_NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z"
Name = Annotated[str, Meta(pattern=_NAME)]
_MONTH: Final = r"^[0-9]{4}-(0[1-9]|1[0-2])\Z"
Month = Annotated[str, Meta(pattern=_MONTH)]
_EDITION: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z"
Edition = Annotated[str, Meta(pattern=_EDITION)]
_FINGERPRINT: Final = r"^[0-9a-f]{64}\Z"
Fingerprint = Annotated[str, Meta(pattern=_FINGERPRINT)]
CARDS_PATTERN: Final = "^[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs])*$"
"""Cards as players write them, for those who check a text before they send it; the reader names the card."""
Cards = Annotated[str, Meta(max_length=80, extra_json_schema={"pattern": CARDS_PATTERN})]
"""Longer than any hand, so that a hand of too many cards is named as one (CSP 14.8, TCP 12.7)."""
Person = Annotated[str, Meta(min_length=1, max_length=80)]

YEARS: Final = range(2000, 2200)
"""The years that a day may be of; others are slips, and clocks added to the last of all would not be dates."""
_YEAR: Final = "2[01][0-9]{2}"
_DAY: Final = rf"^{_YEAR}-[0-9]{{2}}-[0-9]{{2}}\Z"
Day = Annotated[str, Meta(pattern=_DAY)]
"""A gaming day, such as 2026-11-03."""
_MOMENT: Final = (
    rf"^{_YEAR}-[0-9]{{2}}-[0-9]{{2}}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(\.[0-9]{{1,6}})?(Z|[+-][0-9]{{2}}:[0-9]{{2}})\Z"
)
Moment = Annotated[str, Meta(pattern=_MOMENT)]
"""A moment with its offset from UTC, such as 2026-11-28T21:05:00+11:00."""
_AREA: Final = r"^[a-z][a-z_0-9]{0,39}\Z"
Area = Annotated[str, Meta(pattern=_AREA)]
AnySeat = Annotated[int, Meta(ge=1, le=99)]

_IN_WORDS: Final = {
    _NAME: "not a name: up to 64 letters, digits, dots, hyphens and underscores, the first a letter or a digit",
    _MONTH: "not a month, such as 2026-11",
    _EDITION: "not a day, such as 2024-08-16",
    _FINGERPRINT: "not a digest: 64 hexadecimal digits in small letters",
    _DAY: "not a day, such as 2026-11-03",
    _MOMENT: "not a moment with its offset from UTC, such as 2026-11-28T21:05:00+11:00",
    _AREA: "not a name such as big or single_die_3: up to 40 small letters, digits and underscores, the first a letter",
}
"""What a text is not that does not match a pattern."""

RULES_VERSION: Final = 1
"""The version of this package's settlement; it rises when a round may come to other amounts under the same settings."""

_encoder = msgspec.json.Encoder()
_PATH: Final = re.compile(r" - at (?:`key` in )?`\$\.?([^`]*)`")
_UNMATCHED: Final = {f"Expected `str` matching regex {pattern!r}": words for pattern, words in _IN_WORDS.items()}
_NAMED: Final = re.compile(
    r"Object (?:contains|missing required|contains unknown) (?:unknown )?field `(.*)`", re.DOTALL
)


class RecordError(ValueError):
    """A record that cannot be read or cannot have been: the field by its path, its value cut short, the reason."""

    def __init__(self, field: str, value: str, reason: str) -> None:
        self.field = field
        self.value = value[:SHOWN]
        self.reason = reason
        super().__init__(": ".join(part for part in (field, self.value, reason) if part))


class Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What a record and its parts share: strict fields in this order, left out where absent."""


class PaymentErrorRecord(Part, frozen=True, kw_only=True):
    """What a player was handed for a wager that was not settled correctly (CSP 14.16, TCP 12.13, SIC 8.10).

    ``paid_cents`` is all that was handed over, a stake that went back with it; ``owed_cents`` is needed only for what
    the settlement does not say: a jackpot wager that won, or at Sic Bo a ``cash_change`` or ``colour_change``.
    """

    seat: AnySeat
    wager: Area
    paid_cents: Cents
    owed_cents: Cents | None = None
    suspected: bool | None = None
    patron_identified: bool | None = None
    answer: Answer | None = None
    day: Day | None = None


class InvalidWagersRecord(Part, frozen=True):
    """Whose wagers were found invalid at a seat, and why (CSP 14.20, TCP 12.16, SIC 8.14)."""

    seat: AnySeat
    person: Person
    reason: Person


class GameRecord(Part, frozen=True, kw_only=True):
    """What the record of every game but the linked one begins with; each game adds the round, its rulings and sign."""

    kind: Literal["record"] | None = None
    game: Name
    edition: Edition | None = None
    table: Name | None = None
    journal: Count | None = None
    month: Month | None = None
    round: Count | None = None
    revision: Count | None = None
    schedules: tuple[Name, ...] | None = None
    rules_version: Count | None = None
    found_at: Moment | None = None
    """When what went wrong was found, in the casino's own time."""
    payment_errors: tuple[PaymentErrorRecord, ...] | None = None
    invalid_wagers: tuple[InvalidWagersRecord, ...] | None = None


R = TypeVar("R", bound=Part)
"""One game's record."""


class Form(Generic[R]):
    """The strict JSON form of one kind of record."""

    def __init__(self, record: type[R], foreign: str = "") -> None:
        """``foreign`` is the path of a field that holds another form, with a reader of its own."""
        self.record = record
        self._foreign = foreign
        self._decoder = msgspec.json.Decoder(record)

    def decode(self, data: bytes | msgspec.Raw, *, canonical: bool = False) -> R:
        """The record that a JSON text holds.

        Never takes an unknown or repeated field, a null, or a number in any other form than an integer. With
        ``canonical`` the bytes must be those that ``encode`` gives. Does not read the cards. Raises ``RecordError``.
        """
        text = bytes(data)
        try:
            record = self._decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise translated(error, text, self._foreign) from None
        if _encoder.encode(record) != text:
            fault = first_fault(text, self._foreign)
            if fault:
                raise RecordError(*fault)
            if canonical:
                raise RecordError("", text[:SHOWN].decode("utf-8", "replace"), "not the canonical form of a record")
        return record

    def encode(self, record: R) -> bytes:
        """A record's canonical bytes: compact, fields in their order, absent ones left out."""
        return _encoder.encode(record)


def translated(error: Exception, text: bytes, foreign: str = "") -> RecordError:
    """A reader's message on a text as field, value and reason; ``foreign`` as in ``Form``."""
    fault = first_fault(text, foreign)
    if fault:
        return RecordError(*fault)
    message = str(error)
    found = _PATH.search(message)
    path = found[1] if found else ""
    reason = message[: found.start()] if found else message
    reason = _UNMATCHED.get(reason, reason)
    value = value_at(text, path)
    named = _NAMED.fullmatch(reason)
    if named:
        within = f"{path}." if path else ""
        value = value_at(text, within + named[1])
        path = within + shown(named[1])  # A name is as long as whoever wrote it likes.
        reason = "unknown field" if "unknown" in reason else "missing"
    reason = reason.replace("`", "").replace(" | null", "")  # A null is refused too: what is absent is left out.
    return RecordError(path, value, reason[:1].lower() + reason[1:])


def encode_part(part: object) -> str:
    """A part of a record as JSON text, to show it."""
    return _encoder.encode(part).decode()


def present(part: Part) -> dict[str, Any]:
    """The fields of a part that are there."""
    return {name: value for name, value in msgspec.structs.asdict(part).items() if value is not None}


V = TypeVar("V")


def value_of(value: type[V], part: Part | None, where: str) -> V:
    """A part as the value it stands for, such as a table's sign; its defaults where it is not there.

    Raises ``RecordError`` where the value cannot be, as the value's own ``field: value: reason`` says.
    """
    if part is None:
        return value()
    try:
        return value(**present(part))
    except ValueError as error:
        name, shown, reason = str(error).split(": ", 2)
        raise RecordError(f"{where}.{name}", shown, reason) from None


P = TypeVar("P", bound=Part)


def part_of(part: type[P], value: object) -> P:
    """A value as the part that carries it: every field written, so that no later default can change it."""
    return part(**{name: getattr(value, name) for name in part.__struct_fields__})


def read_hand(text: str, field: str) -> tuple[int, ...]:
    """The cards of a hand; raises ``RecordError`` naming the one that is none."""
    try:
        return parse_cards(text)
    except CardError as error:
        raise RecordError(field, error.card, error.reason) from None


def check_edition(stated: str | None, edition: str) -> None:
    """Refuse a record of another edition of the rules; raises ``RecordError``."""
    if stated is not None and stated != edition:
        raise RecordError("edition", stated, f"not the edition of these rules, {edition}")
