"""What is approved for one table: its limits, rulings and schedules, its device, how it sees cards, and its timers.

The table shows its settings in its hello; those not approved are refused, field by field (PROTOCOL 3).
"""

from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jackpot.wire.codec import FrameError, encode, translated
from jackpot.wire.messages import FieldDifference
from rules.records import LimitsRecord, SettingsRecord
from rules.strict_json import first_fault

Seconds = Annotated[int, Meta(ge=0, le=3600)]


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything is written out, so that a later default can change no table.

    What was added since is absent where it says what held before: an approval given then stays word for word.
    """

    device: Literal["shoe", "shuffler"] = "shoe"
    capture: Literal["full", "claims"] = "full"
    seats: Annotated[int, Meta(ge=1, le=9)] = 7
    least_round_s: Seconds = 10
    answer_within_s: Seconds = 2
    rules_version: Annotated[int, Meta(ge=1)] = 1
    schedules: tuple[str, ...] = ("csp_10_1",)
    limits: LimitsRecord = LimitsRecord()
    settings: SettingsRecord = SettingsRecord()
    without_jackpot: Literal["stop"] | UnsetType = UNSET
    """`stop`: no game while the jackpot is lost. Absent: base game by a supervisor's approval (CSP 14.15)."""


_settings = msgspec.json.Decoder(TableSettings)


@lru_cache(maxsize=4096)
def table_settings(text: str) -> TableSettings:
    """Read a table's settings, which are in their canonical form; raises FrameError naming field and value."""
    data = text.encode()
    try:
        settings = _settings.decode(data)
    except msgspec.DecodeError as error:
        raise translated(str(error), data) from None
    if encode(settings) != data:
        raise FrameError("settings", text[:40], "not the canonical form: every field written, in its order")
    return settings


def parse_settings(data: bytes) -> TableSettings:
    """Read a table's settings as people write them: fields in any order, those left out with their defaults.

    The office approves and the agent shows what this makes of the same file. Raises FrameError naming field and value.
    """
    fault = first_fault(data)
    if fault is not None:
        raise FrameError(fault.field or "settings", fault.value, fault.reason)
    try:
        return _settings.decode(data)
    except msgspec.DecodeError as error:
        raise translated(str(error), data) from None


def settings_text(settings: TableSettings) -> str:
    """Return the canonical text of a table's settings."""
    return encode(settings).decode()


def settings_differences(table: str, approved: str) -> list[FieldDifference]:
    """Return every field in which what a table shows is not what is approved for it.

    >>> mine = settings_text(TableSettings(least_round_s=0))
    >>> settings_differences(mine, settings_text(TableSettings()))
    [FieldDifference(field='settings.least_round_s', table='0', link='10')]
    """
    left, right = _leaves("settings", _plain(table)), _leaves("settings", _plain(approved))
    return [
        FieldDifference(field, left.get(field, "absent")[:40], right.get(field, "absent")[:40])
        for field in sorted(left.keys() | right.keys())
        if left.get(field) != right.get(field)
    ]


def _plain(text: str) -> object:
    return msgspec.json.decode(encode(table_settings(text)))


def _leaves(path: str, value: object) -> dict[str, str]:
    if isinstance(value, dict):
        return {key: text for name, part in value.items() for key, text in _leaves(f"{path}.{name}", part).items()}
    return {path: encode_plain(value)}


def encode_plain(value: object) -> str:
    """Return a leaf as text."""
    return msgspec.json.encode(value).decode()
