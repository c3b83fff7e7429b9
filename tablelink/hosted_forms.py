"""What is said at a hosted table that people drive, and the table between two rounds, as bytes: strict, and both ways.

A restart begins from the table's bytes, not from the first day: of its felt they hold what a next round keeps, for its
limits and people are laid anew. Knows no file.
"""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, replace
from types import MappingProxyType
from typing import Any, Final, get_type_hints

import msgspec

from rules.games import GAMES
from rules.play import Position
from rules.records.forms import translated
from rules.strict_json import REPEATED, first_fault
from rules.tables import Answer, Table
from tablelink.core.floor import Act, Floor, Line, Made, NotUnderstood, Said, Tick, Undo
from tablelink.core.floor.given import check
from tablelink.core.floor.taking import laid_out
from tablelink.core.floor.value import Opened, approved_of, new_felt

__all__ = ["decode_floor", "decode_given", "encode_floor", "encode_given", "read_told"]

_KINDS: Final[Mapping[str, type]] = {"move": Made, "act": Act, "tick": Tick, "undo": Undo, "line": Line}
"""What is said, by the `kind` in its bytes."""


def _form(kind: str) -> Any:
    """The strict form of one kind of what is said."""
    hints = get_type_hints(_KINDS[kind])
    parts: list[Any] = []
    for each in fields(_KINDS[kind]):
        default = each.default
        if each.default_factory is not MISSING:
            default = msgspec.field(default_factory=each.default_factory)
        parts.append((each.name, hints[each.name]) if default is MISSING else (each.name, hints[each.name], default))
    return msgspec.defstruct(
        kind.capitalize(),
        parts,
        frozen=True,
        kw_only=True,
        tag=kind,
        tag_field="kind",
        forbid_unknown_fields=True,
        omit_defaults=True,
    )


_FORMS: Final = {kind: _form(kind) for kind in _KINDS}
_NAMES: Final = {given: kind for kind, given in _KINDS.items()}
_GIVEN: Final = {form: _KINDS[kind] for kind, form in _FORMS.items()}
_said: Any = msgspec.json.Decoder(_FORMS["move"] | _FORMS["act"] | _FORMS["tick"] | _FORMS["undo"])
_told: Any = msgspec.json.Decoder(_FORMS["move"] | _FORMS["act"] | _FORMS["undo"] | _FORMS["line"])


def encode_given(given: Said) -> bytes:
    """What was said, as a spool keeps it."""
    return msgspec.json.encode(_FORMS[_NAMES[type(given)]](**asdict(given)))


def decode_given(body: bytes) -> Said:
    """What a spool keeps; raises ``msgspec.DecodeError``."""
    given: Said = _given(_said.decode(body))
    return given


def read_told(line: bytes) -> Made | Act | Undo | Line:
    """What a device says in a line of JSON, read strictly; raises ``NotUnderstood`` naming field and value."""
    try:
        given: Made | Act | Undo | Line = _given(_told.decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        told = translated(error, line, foreign="sign")  # In a sign a null is no maximum.
        raise NotUnderstood(told.field, told.value, told.reason) from None
    fault = first_fault(line)
    if fault is not None and fault.reason == REPEATED:
        raise NotUnderstood(*fault)
    if not isinstance(given, Line):
        check(given)
    return given


def _given(form: Any) -> Any:
    return _GIVEN[type(form)](**msgspec.structs.asdict(form))


LAID: Final = frozenset({"settings", "limits", "own_limits", "closed", "terms", "at_table"})
"""The parts of a felt that are laid on it before each round, or are approved for the table."""


class _Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table between two rounds."""

    game: str
    name: str
    around: msgspec.Raw
    state: str
    felt: dict[str, msgspec.Raw]
    approved: str
    cards: dict[str, Answer] = {}
    last: int = 0
    dealer: str = ""


def encode_floor(floor: Floor) -> bytes:
    """A table between two rounds as bytes."""
    kept = _Kept(
        floor.game,
        floor.name,
        _raw(floor.around),
        floor.at.state,
        {name: _raw(value) for name, value in _differs(floor)},
        floor.approved,
        dict(floor.cards),
        floor.last,
        floor.dealer,
    )
    return msgspec.json.encode(kept)


def decode_floor(body: bytes) -> Floor:
    """The table that bytes tell of; raises ``msgspec.DecodeError`` or ``RecordError``."""
    kept = msgspec.json.decode(body, type=_Kept)
    game = GAMES[kept.game]
    around = msgspec.json.decode(kept.around, type=Table[game.limits])  # type: ignore[name-defined]
    felt = new_felt(kept.game, approved_of(kept.game, kept.approved), Opened())
    hints = get_type_hints(type(felt))
    felt = replace(
        felt,
        **{name: msgspec.json.decode(part, type=hints[name], dec_hook=_custom) for name, part in kept.felt.items()},
    )
    floor = Floor(
        kept.game,
        kept.name,
        around,
        Position(kept.state, felt),
        kept.approved,
        kept.cards,
        kept.last,
        dealer=kept.dealer,
    )
    return laid_out(floor)


def _differs(floor: Floor) -> Any:
    """The parts of the felt that are not as on a new one."""
    felt = floor.at.felt
    plain = new_felt(floor.game, floor.terms, Opened())
    for each in fields(felt):
        value = getattr(felt, each.name)
        if each.name not in LAID and value != getattr(plain, each.name):
            yield each.name, value


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value, enc_hook=_plain))


def _plain(value: object) -> Any:
    """What msgspec does not write by itself: a mapping that cannot be changed."""
    if not isinstance(value, MappingProxyType):
        raise TypeError(f"{type(value).__name__}: no part of a table between two rounds")
    return dict(value)


def _custom(wanted: type, value: object) -> Any:
    """A part whose type is a protocol, and which nothing between two rounds holds."""
    raise msgspec.ValidationError(f"{wanted}: {value}")
