"""Where in a JSON text is the fault, and what stands there.

Libraries give a path or a byte, rarely the value, and let repeated names and nulls pass. Asked only about a text that
was refused or is not in its canonical form, so plain is better here than fast. Knows nothing of what the text should
hold.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

REPEATED: Final = "repeated"
"""The reason where a name is there twice."""
SHOWN: Final = 40
"""How much of a value an error shows: enough to find it, too little to flood a console or a log."""

_PIECES: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]', re.DOTALL)
_BLANK: Final = re.compile(r"\s*")
_STEPS: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_BYTE_ORDER_MARK: Final = "\ufeff"
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_DEEPEST: Final = 16  # Twice as deep as any form; Python's own reader and writer give up only near a thousand.
_MOST_DIGITS: Final = 20  # As many as an int64 has; longer ones are never made into numbers, which can take minutes.


class Fault(NamedTuple):
    """One fault: the field's path (``seats[2].ante_cents``, empty for the whole), its value as text, the reason."""

    field: str
    value: str
    reason: str


class _Number(str):
    """A number as it was written."""

    __slots__ = ()


class _Object(list[tuple[str, object]]):
    """An object with its names in the order in which they were written, repeated ones too."""


def first_fault(data: bytes, foreign: str = "") -> Fault | None:
    """The first fault that any record would have: not JSON, a repeated name, a null, a text that cannot be stored.

    Never looks into the field at the path ``foreign``, which holds another form with a reader of its own.

    >>> first_fault(b'{"seats":[{"seat":1,"seat":2}]}')
    Fault(field='seats[0].seat', value='2', reason='repeated')
    >>> first_fault(b'{"game":"caribbean_stud","jackpot":null,"game":"x"}')
    Fault(field='game', value='x', reason='repeated')
    >>> first_fault(b'{"seats":[{"ante_cents":NaN}]}')
    Fault(field='seats[0].ante_cents', value='NaN', reason='not a number that JSON has')
    >>> first_fault(b'{"seats":[]}') is None
    True
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return Fault("", shown(data[error.start :].decode("ascii", "backslashreplace")), "not UTF-8")
    if text.startswith(_BYTE_ORDER_MARK):
        return Fault("", shown(text), "begins with a byte order mark, which JSON does not have")
    for _, steps in _places(text, len(text)):
        if len(steps) > _DEEPEST:
            named = max((place for place, step in enumerate(steps[:_DEEPEST], 1) if isinstance(step, str)), default=0)
            return Fault(_joined(steps[:named]), shown(text), "nested too deep")
    try:
        tree = _read(text)
    except json.JSONDecodeError as error:
        rest = re.split(r"[\s,}\]]", text[error.pos :], maxsplit=1)[0]
        return Fault(_path_at(text, error.pos), shown(rest), f"not JSON: {error.msg}")
    return _fault_in(tree, "", foreign)


def value_at(data: bytes, path: str) -> str:
    """The value at a path of a JSON text, as text; empty where there is none or the text cannot be read.

    >>> value_at(b'{"seats":[{"ante_cents":1e400}]}', "seats[0].ante_cents")
    '1e400'
    """
    try:
        value = _read(data.decode())
    except (ValueError, RecursionError):
        return ""
    for name, place in _STEPS.findall(path):
        if isinstance(value, _Object) and name:
            value = dict(value).get(name, "")
        elif isinstance(value, list) and place.isdigit() and int(place) < len(value):
            value = value[int(place)]
        else:
            return ""
    return _as_text(value)


def _read(text: str) -> object:
    """Any JSON text as values that lose nothing of how it was written."""
    return json.loads(text, object_pairs_hook=_Object, parse_int=_Number, parse_float=_Number, parse_constant=_constant)


class _Constant(_Number):
    """``NaN`` and its like, which Python reads and JSON does not have."""

    __slots__ = ()


def _constant(written: str) -> _Constant:
    return _Constant(written)


def _fault_in(value: object, path: str, foreign: str) -> Fault | None:
    """The first fault at or below a value."""
    if foreign and path == foreign:
        return None
    if value is None:
        return Fault(path, "null", "null: what is absent is left out")
    if isinstance(value, _Constant):
        return Fault(path, value, "not a number that JSON has")
    if isinstance(value, str) and _UNSTORABLE.search(value):
        return Fault(path, _as_text(value), "a text holds a NUL or half a surrogate pair")
    if isinstance(value, _Object):
        inside = [(f"{path}.{shown(name)}" if path else shown(name), inner) for name, inner in value]
        seen: set[str] = set()
        for (name, _), (below, inner) in zip(value, inside, strict=True):
            if name in seen:
                return Fault(below, _as_text(inner), REPEATED)
            seen.add(name)
        for below, inner in inside:  # after all names: which form the rest has, a repeated one may have told twice
            fault = _fault_in(inner, below, foreign)
            if fault:
                return fault
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            fault = _fault_in(inner, f"{path}[{place}]", foreign)
            if fault:
                return fault
    return None


def line_of(data: bytes, path: str) -> int:
    r"""The line of a JSON text on which a field stands, or where it is missing the object or list that lacks it.

    >>> line_of(b'{\n"prizes":[\n{"name":"a"},\n{"name":"b"}]}', "prizes[1].name")
    4
    >>> line_of(b'\nhello\n{}', "")
    2
    """
    text = data.decode("utf-8", "replace")
    most = path.count(".") + path.count("[") + 1  # Deeper steps lead nowhere that is asked for.
    places: dict[str, int] = {}
    for position, steps in _places(text, len(text)):
        if len(steps) <= most:
            places.setdefault(_joined(steps), position)
    while path not in places and path:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    whole = len(text) - len(text.lstrip())
    return text.count("\n", 0, places[path] if path else whole) + 1


def _path_at(text: str, position: int) -> str:
    """The path of the field in which a place of a text lies, as far as the text can be read."""
    steps: Sequence[str | int] = ()
    for _, reached in _places(text, position):
        steps = reached
    return _joined(steps)


def _places(text: str, end: int) -> Iterator[tuple[int, Sequence[str | int]]]:
    """Where a text comes to another field before its place ``end``, and the steps to that field, which then go on."""
    steps: list[str | int] = []
    for piece in _PIECES.finditer(text, 0, end):
        match piece[0]:
            case "{":
                steps.append("")
            case "[":
                steps.append(0)
            case "}" | "]":
                if steps:
                    steps.pop()
            case ",":
                if steps and isinstance(steps[-1], int):
                    steps[-1] += 1
                elif steps:
                    steps[-1] = ""
            case name:
                if steps and steps[-1] == "":
                    steps[-1] = name[1:-1]
        blank = _BLANK.match(text, piece.end()) if piece[0] in "[," else None
        yield blank.end() if blank else piece.start(), steps


def _joined(steps: Sequence[str | int]) -> str:
    """Steps into a JSON text as a path."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step:
            path += f".{shown(step)}" if path else shown(step)
    return path


def _as_text(value: object) -> str:
    """A value as an error shows it: texts bare, all else as JSON."""
    if isinstance(value, str):
        return shown(value)
    return shown(json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":")))


def _plain(value: object, deep: int = 0) -> object:
    """A value as Python writes JSON, as far as it is shown: long numbers become texts, what lies deep nothing."""
    if deep > SHOWN:
        return ""
    if isinstance(value, _Object):
        return {name: _plain(inner, deep + 1) for name, inner in value}
    if isinstance(value, list):
        return [_plain(inner, deep + 1) for inner in value]
    if isinstance(value, _Number) and value.isdigit() and len(value) < _MOST_DIGITS:
        return int(value)
    return value


def shown(text: str) -> str:
    """A text cut to what an error shows, with what no output can carry escaped.

    >>> shown("a" * 50) == "a" * SHOWN
    True
    """
    cut = text[:SHOWN]
    return cut if cut.isprintable() else cut.encode("unicode_escape").decode("ascii")[:SHOWN]
