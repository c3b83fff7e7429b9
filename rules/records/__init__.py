"""The one JSON form of a round: strict, compact, and the same in a file, on the wire, in a spool and at a replay.

Each game has a form of its own, told by its ``game``; a record that names none is of Caribbean Stud, the form that a
link takes. A record is read in two steps, so that a table's word is kept even where its cards make no sense:
``decode_record`` holds it to its form, ``to_round`` to what can happen at a table. Knows nothing of what it is settled
to.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import msgspec

from rules.games import GAMES
from rules.records import caribbean_stud, casino_war, four_card_poker, sic_bo, three_card_poker
from rules.records.answers import poker_shown
from rules.records.caribbean_stud import (
    AwardRecord,
    Capture,
    ClaimRecord,
    JackpotRecord,
    LimitsRecord,
    MeterRecord,
    PrizeName,
    RoundRecord,
    SeatRecord,
    SettingsRecord,
    SettledRecord,
    ShownRecord,
    award_record,
    decode_record,
    encode_record,
    faults_of,
    limits_of,
    limits_record,
    record_of,
    schedule_of,
    settings_of,
    settings_record,
    settled_record,
    to_round,
)
from rules.records.forms import RULES_VERSION, Form, GameRecord, RecordError, encode_part, value_of
from rules.rounds import Settlement
from rules.schedules import BadChoice, Schedule, chosen
from rules.settings import SharedSettings
from rules.strict_json import first_fault

__all__ = [
    "FORMS",
    "RULES_VERSION",
    "AnyRecord",
    "AwardRecord",
    "Capture",
    "ClaimRecord",
    "GameForm",
    "JackpotRecord",
    "LimitsRecord",
    "MeterRecord",
    "PrizeName",
    "RecordError",
    "RoundRecord",
    "SeatRecord",
    "SettingsRecord",
    "SettledRecord",
    "ShownRecord",
    "award_record",
    "decode_any",
    "decode_record",
    "encode_any",
    "encode_part",
    "encode_record",
    "faults_of",
    "limits_of",
    "limits_record",
    "record_of",
    "rulings_of",
    "schedule_of",
    "schedules_of",
    "settings_of",
    "settings_record",
    "settled_record",
    "sign_of",
    "to_round",
]

AnyRecord = RoundRecord | GameRecord
"""The record of any game."""


@dataclass(frozen=True, slots=True)
class DayForm:
    """How the rounds of a game in which wagers stay in play follow from one another."""

    left_by: Callable[[Any, Any, Settlement], Any]
    """What a round leaves on its table, by its record, itself and its settlement: parts of the next round's record."""
    continued: Callable[[Any, Any], Any]
    """A record with what the round before left, where it does not say itself what is in play."""
    said: Callable[[Any], dict[str, Any]]
    """What a round leaves, as fields of its answer."""


@dataclass(frozen=True, slots=True)
class GameForm:
    """How one game's rounds are read and shown."""

    form: Form[Any]
    to_round: Callable[[Any], Any]
    """The round that a record tells of; raises ``RecordError``."""
    shown: Callable[[Any, Settlement], dict[str, Any]] = poker_shown
    """What an answer says of its cards or dice."""
    day: DayForm | None = None
    """How its rounds follow from one another, where wagers stay in play from round to round."""


FORMS: Final[Mapping[str, GameForm]] = MappingProxyType(
    {
        "caribbean_stud": GameForm(caribbean_stud.IRREGULAR_FORM, to_round),
        "three_card_poker": GameForm(three_card_poker.FORM, three_card_poker.three_card_round),
        "four_card_poker": GameForm(
            four_card_poker.FORM, four_card_poker.four_card_round, four_card_poker.four_card_shown
        ),
        "casino_war": GameForm(casino_war.FORM, casino_war.casino_war_round, casino_war.casino_war_shown),
        "sic_bo": GameForm(
            sic_bo.FORM,
            sic_bo.sic_bo_round,
            sic_bo.sic_bo_shown,
            DayForm(sic_bo.left_by, sic_bo.continued, sic_bo.said),
        ),
    }
)
"""The form of each game's record, by game."""


class _Peek(msgspec.Struct):
    """Which game a record says it is of."""

    game: str = "caribbean_stud"


_peek = msgspec.json.Decoder(_Peek)


def decode_any(data: bytes) -> AnyRecord:
    """The record of any game that a JSON text holds, as strictly as ``decode_record``.

    Raises ``RecordError``, also where no game of that name is known.

    >>> type(decode_any(b'{"game":"three_card_poker","dealer":"As Kd 4h","seats":[]}')).__name__
    'ThreeCardRecord'
    >>> decode_any(b'{"game":"faro","seats":[]}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rules.records.forms.RecordError: game: faro: unknown; known are caribbean_stud, three_card_poker, ...
    """
    try:
        game = _peek.decode(data).game
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return decode_record(data)  # Which says what is wrong with it.
    known = FORMS.get(game)
    if known is None:
        raise RecordError(*(first_fault(data) or ("game", game, f"unknown; known are {', '.join(FORMS)}")))
    record: AnyRecord = known.form.decode(data)
    return record


def encode_any(record: AnyRecord) -> bytes:
    """The canonical bytes of any game's record."""
    return FORMS[game_of(record)].form.encode(record)


def game_of(record: AnyRecord) -> str:
    """The name of the game a record is of."""
    return record.game or "caribbean_stud"


def rulings_of(record: Any) -> SharedSettings:
    """The table's rulings that a record of any game was settled under."""
    return value_of(GAMES[game_of(record)].settings, record.settings, "settings")


def sign_of(record: Any) -> Any:
    """The table's sign that a record of any game was settled under; raises ``RecordError``."""
    return value_of(GAMES[game_of(record)].limits, record.limits, "limits")


def schedules_of(record: AnyRecord) -> Mapping[str, Schedule]:
    """The schedule that each wager of a record is paid by.

    Raises ``RecordError`` where a schedule named does not exist, is another game's, or two pay one wager.
    """
    game = GAMES[game_of(record)]
    try:
        return chosen(game.name, game.schedules, record.schedules or ())
    except BadChoice as error:
        raise RecordError(f"schedules[{error.place}]", error.name, error.reason) from None
