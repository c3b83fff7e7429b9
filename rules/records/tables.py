"""What is approved for a table, as a file states it: its limits, rulings and schedules, as a record has them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

import msgspec

from rules.records import FORMS, rulings_of, schedules_of, sign_of
from rules.records.forms import Form, Name, Part, RecordError
from rules.records.sic_bo import EVEN_NAMED
from rules.schedules import Schedule
from rules.settings import SharedSettings


@dataclass(frozen=True, slots=True)
class Approved:
    """A table's sign, its rulings, and the schedule that each wager is paid by."""

    limits: Any
    settings: SharedSettings
    schedules: Mapping[str, Schedule]


@cache
def _form(game: str) -> Form[Any]:
    """The form of a table's file: those fields of its game's record that are the table's and not a round's."""
    hints = get_type_hints(FORMS[game].form.record, include_extras=True)
    fields = [(name, hints[name], None) for name in ("limits", "settings", "schedules")]
    part = msgspec.defstruct(
        "TableRecord", [("game", Name | None, None), *fields], bases=(Part,), frozen=True, kw_only=True
    )
    return Form(part)


def stated_table(game: str, data: bytes) -> Any:
    """What a file states of a table of a game, as it states it: what is absent is ``None``; raises ``RecordError``."""
    stated = _form(game).decode(data)
    if stated.game not in {None, game}:
        raise RecordError("game", stated.game, f"a table of another game than {game}")
    return stated


def read_table(game: str, data: bytes) -> Approved:
    """What a file states of a table of a game, read as strictly as a record; defaults for the rest.

    Raises ``RecordError``, also where it is another game's, or offers Even without saying how Even is read.

    >>> read_table("casino_war", b'{"limits":{"initial_min_cents":500,"initial_min_cents":5}}')
    Traceback (most recent call last):
    rules.records.forms.RecordError: limits.initial_min_cents: 5: repeated
    """
    stated = stated_table(game, data)
    table = msgspec.structs.replace(stated, game=game)
    approved = Approved(sign_of(table), rulings_of(table), schedules_of(table))
    offered = () if stated.limits is None else getattr(stated.limits, "offered", None) or ()
    if "even" in offered and (stated.settings is None or stated.settings.even_on_10 is None):
        raise RecordError("settings.even_on_10", "", EVEN_NAMED)
    return approved
