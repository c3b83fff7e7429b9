"""The JSON form of a promotion: the fields of ``rules.promotions.documents``, read strictly.

What a book requires may be left out, since saying so with its rule is the checks' work; names, times and amounts that
are none are refused here.
"""

from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

import msgspec

from rules.promotions.books import BOOK_OF_GAME
from rules.promotions.documents import Promotion
from rules.records.forms import LARGEST, YEARS, RecordError, translated
from rules.strict_json import first_fault, shown

_decoder = msgspec.json.Decoder(Promotion)


def read_promotion(data: bytes) -> Promotion:
    """The promotion that a JSON text holds.

    Never takes an unknown or repeated field, a null, a time without its offset from UTC, or a game without a book.
    Raises ``RecordError`` with field, value and reason.

    >>> read_promotion(b'{"name":"Gold Draw","games":["bingo"]}')
    Traceback (most recent call last):
    rules.records.forms.RecordError: starts: missing
    """
    fault = first_fault(data)
    if fault:
        raise RecordError(*fault)
    try:
        promotion = _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise translated(error, data) from None
    _check(promotion, msgspec.json.decode(data), "")
    if not promotion.games:
        raise RecordError("games", "", "missing: a promotion is in conjunction with one game at least")
    for place, game in enumerate(promotion.games):
        if game not in BOOK_OF_GAME:
            raise RecordError(f"games[{place}]", game, f"unknown; known are {', '.join(BOOK_OF_GAME)}")
        if game in promotion.games[:place]:
            raise RecordError(f"games[{place}]", game, "repeated")
    return promotion


def _check(value: Any, stated: Any, path: str) -> None:
    """Refuse what the reader of values lets pass: unknown names, times without an offset, numbers of no size."""
    if is_dataclass(value):
        known = [each.name for each in fields(value)]
        for name, inner in stated.items():
            below = f"{path}.{shown(name)}" if path else shown(name)
            if name not in known:
                raise RecordError(below, "", f"unknown field; known are {', '.join(known)}")
            _check(getattr(value, name), inner, below)
    elif isinstance(value, tuple):
        for place, inner in enumerate(value):
            _check(inner, stated[place], f"{path}[{place}]")
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check(inner, inner, f"{path}.{shown(name)}")
    elif isinstance(value, datetime):
        if value.tzinfo is None:
            raise RecordError(path, str(stated), "a time has its offset, such as 2026-12-01T18:00:00+11:00")
        if value.year not in YEARS:
            raise RecordError(path, str(stated), f"not in the years {YEARS.start} to {YEARS.stop - 1}")
    elif isinstance(value, int) and not 0 <= value <= LARGEST:
        raise RecordError(path, str(stated), f"not from 0 to {LARGEST}")
