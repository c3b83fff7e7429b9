"""A hosted table that people drive as bytes, between two rounds: a restart begins from there, not from the first day.

Of the felt only what a next round keeps; its limits and people are laid anew. Knows no file.
"""

from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Final, get_type_hints

import msgspec

from rules.games import GAMES
from rules.play import Position
from rules.tables import Answer, Table
from tablelink.core.floor.taking import laid_out
from tablelink.core.floor.value import Floor, Opened, approved_of, new_felt

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
