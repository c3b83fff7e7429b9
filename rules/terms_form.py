"""The written form of terms, read strictly.

In which exact words are terms written down, and what is wrong with words that are not? A form is a JSON object in which
every field of a dataclass stands, none is unknown and none stands twice. The dataclass itself says what each field may
hold: its type, and for numbers, texts and lists a bound in `Annotated` (`Bounds`, `Wording`, `AtMost`, `Named`). This
module reads and writes any such dataclass. It does not know what terms are, what their numbers mean, nor whether they
make sense together: that is `rules/terms.py` and `rules/terms_checks.py`.
"""

import json
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

SHOWN: Final = 40
"""A refusal shows this many characters of a value: enough to find it, too few to flood a console or a log line."""

INT64: Final = 2**63 - 1
"""The largest amount, in cents, that the ledger's `bigint` holds."""

LARGEST_FORM: Final = 65_536
"""A form longer than this many bytes is refused unread: real terms take under 4 KiB."""

LONGEST_NUMBER: Final = 20
"""Twenty characters hold every int64 with its sign; longer digits are never made into a number."""

Leaf = int | str | bool | None
"""What a form holds at its ends: a whole number, a text, a yes or no, or nothing (`null`)."""


class TermsError(ValueError):
    """Terms that cannot be read, or that no casino could honour: the field, its value and the reason, for people.

    `field` is a dotted path (`pay_table.straight_flush.minimum_cents`; `pools.0.seed_cents` for the first pool),
    empty for the form as a whole. `value` is what stood there, cut at 40 characters.

    >>> print(TermsError("qualifying_wager_cents", "true", "not a whole number"))
    qualifying_wager_cents: true: not a whole number
    """

    def __init__(self, field: str, value: str, reason: str) -> None:
        self.field = field
        self.value = value[:SHOWN]
        self.reason = reason
        super().__init__(": ".join(part for part in (field, self.value, reason) if part))


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most a whole number may be."""

    least: int = 0
    most: int = INT64


@dataclass(frozen=True, slots=True)
class Wording:
    """The pattern a text has as a whole, and how to say so to a person whose text has not."""

    pattern: str
    meaning: str


@dataclass(frozen=True, slots=True)
class AtMost:
    """A list holds one entry at least and this many at most."""

    entries: int


@dataclass(frozen=True, slots=True)
class Named:
    """A tuple written as an object with exactly these names, in this order: each is its entry's field `name`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _NotWhole:
    """A number as it stood in the form that is no whole number (`1.0`, `1e400`, `NaN`) or longer than any amount."""

    digits: str


class _Repeated(dict[str, Any]):
    """An object in which a field stood twice; it remembers the name until the path to it is known."""

    twice: str = ""


def as_text(value: object) -> str:
    """A value as a person would read it out: texts bare, nothing as `none`.

    >>> [as_text(value) for value in (5_000_000, True, None, "house")]
    ['5000000', 'true', 'none', 'house']
    """
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case _NotWhole():
            return value.digits
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            return str(value)


def read_form(of: type[T], data: bytes) -> T:
    """Read a dataclass from its form, strictly.

    Never takes `true` or `1.0` for a whole number, a text for a number, or a form with an unknown, missing or
    repeated field. Raises `TermsError` for all of these, for what is not JSON in UTF-8, and for a value outside its
    bounds.
    """
    if len(data) > LARGEST_FORM:
        raise TermsError("", f"{len(data)} bytes", f"longer than {LARGEST_FORM} bytes")
    try:
        tree = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_NotWhole,
            parse_constant=_NotWhole,
        )
    except UnicodeDecodeError as error:
        raise TermsError("", "", f"not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise TermsError("", "", f"not JSON at character {error.pos}: {error.msg}") from error
    except RecursionError as error:
        raise TermsError("", "", "nested too deep for terms") from error
    return of(**_read_fields(_hints(of), tree, ""))


def write_form(value: object) -> bytes:
    """Write a dataclass in its canonical form: compact JSON in UTF-8, the fields in the order of the dataclass.

    Always gives the same bytes for the same value; `read_form` gives the value back.
    """
    tree = _write_fields(_hints(type(value)), value)
    return json.dumps(tree, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode("utf-8")


def form_leaves(value: object) -> dict[str, Leaf]:
    """Every leaf of a dataclass's form by its dotted path, in the order of the form; lists count from 0."""
    return dict(_walk(_write_fields(_hints(type(value)), value), ""))


def _hints(of: Any) -> dict[str, Any]:
    return _hints_once(of)


@cache
def _hints_once(of: Any) -> dict[str, Any]:
    # Working out a dataclass's hints takes longer than reading a form, so it is done once per dataclass.
    hints = get_type_hints(of, include_extras=True)
    return {field.name: hints[field.name] for field in fields(of)}


def _hints_but_name(of: Any) -> dict[str, Any]:
    return {name: hint for name, hint in _hints(of).items() if name != "name"}


def _parted(hint: Any) -> tuple[Any, Any]:
    """A hint without `Annotated`, and the bound that stood in it."""
    if get_origin(hint) is Annotated:
        plain, bound = get_args(hint)[:2]
        return plain, bound
    return hint, None


def _read(hint: Any, value: object, at: str) -> Any:
    plain, bound = _parted(hint)
    if get_origin(plain) in {types.UnionType, Union}:
        if value is None:
            return None
        plain = next(one for one in get_args(plain) if one is not type(None))
    if is_dataclass(plain):
        return plain(**_read_fields(_hints(plain), value, at))  # type: ignore[operator]
    if get_origin(plain) is Literal:
        words = get_args(plain)
        if value not in words:
            raise _refusal(at, value, "not one of " + ", ".join(words))
        return value
    if get_origin(plain) is tuple:
        of = get_args(plain)[0]
        return _read_named(of, bound, value, at) if isinstance(bound, Named) else _read_list(of, bound, value, at)
    if plain is bool:
        if type(value) is not bool:
            raise _refusal(at, value, "neither true nor false")
        return value
    return _read_whole(bound, value, at) if plain is int else _read_text(bound, value, at)


def _read_whole(bound: Bounds, value: object, at: str) -> int:
    # To Python True is an int and 1.0 equals 1; on paper neither is an amount.
    if type(value) is not int:
        raise _refusal(at, value, "not a whole number")
    if not bound.least <= value <= bound.most:
        raise _refusal(at, value, f"not from {bound.least} to {bound.most}")
    return value


def _read_text(bound: Wording, value: object, at: str) -> str:
    # Printable keeps out NUL and lone surrogates too, which Postgres or UTF-8 cannot hold.
    # Digits are ASCII only: a full-width 6 would be other bytes, so another fingerprint, for the same hour.
    if not isinstance(value, str) or not value.isprintable() or not re.fullmatch(bound.pattern, value, re.ASCII):
        raise _refusal(at, value, f"not {bound.meaning}")
    return value


def _read_list(of: Any, bound: AtMost, value: object, at: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise _refusal(at, value, "not a list")
    if not 1 <= len(value) <= bound.entries:
        raise TermsError(at, f"{len(value)} entries", f"not from 1 to {bound.entries} entries")
    return tuple(of(**_read_fields(_hints(of), one, f"{at}.{n}")) for n, one in enumerate(value))


def _read_named(of: Any, bound: Named, value: object, at: str) -> tuple[Any, ...]:
    entries = _same_fields(bound.names, value, at)
    hints = _hints_but_name(of)
    return tuple(of(name=name, **_read_fields(hints, entries[name], f"{at}.{name}")) for name in bound.names)


def _read_fields(hints: Mapping[str, Any], value: object, at: str) -> dict[str, Any]:
    entries = _same_fields(tuple(hints), value, at)
    return {name: _read(hint, entries[name], _under(at, name)) for name, hint in hints.items()}


def _same_fields(names: Sequence[str], value: object, at: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _refusal(at, value, "not an object")
    if isinstance(value, _Repeated):
        raise _refusal(_under(at, value.twice), value[value.twice], "repeated field")
    for name in value:
        if name not in names:
            raise _refusal(_under(at, name), value[name], "unknown field")
    for name in names:
        if name not in value:
            raise TermsError(_under(at, name), "", "missing field")
    return value


def _refusal(at: str, value: object, reason: str) -> TermsError:
    return TermsError(at, _plain(as_text(value)), reason)


def _under(at: str, name: str) -> str:
    return f"{at}.{_plain(name)}" if at else _plain(name)


def _plain(shown: str) -> str:
    """What a stranger wrote, short and in characters that no terminal, log or UTF-8 encoder stumbles over."""
    cut = shown[:SHOWN]
    return cut if cut.isprintable() else cut.encode("unicode_escape").decode("ascii")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) == len(pairs):
        return entries
    repeated = _Repeated(entries)
    names = [name for name, _ in pairs]
    repeated.twice = next(name for name in entries if names.count(name) > 1)
    return repeated


def _integer(digits: str) -> int | _NotWhole:
    return int(digits) if len(digits) <= LONGEST_NUMBER and digits.isascii() else _NotWhole(digits)


def _write(hint: Any, value: Any) -> Any:
    plain, bound = _parted(hint)
    if isinstance(bound, Named):
        hints = _hints_but_name(get_args(plain)[0])
        return {one.name: _write_fields(hints, one) for one in value}
    if isinstance(value, tuple):
        return [_write_fields(_hints(type(one)), one) for one in value]
    if is_dataclass(value):
        return _write_fields(_hints(type(value)), value)
    return value


def _write_fields(hints: Mapping[str, Any], value: object) -> dict[str, Any]:
    return {name: _write(hint, getattr(value, name)) for name, hint in hints.items()}


def _walk(tree: Any, at: str) -> Iterator[tuple[str, Leaf]]:
    if isinstance(tree, dict):
        for name, inner in tree.items():
            yield from _walk(inner, _under(at, name))
    elif isinstance(tree, list):
        for n, inner in enumerate(tree):
            yield from _walk(inner, f"{at}.{n}")
    else:
        yield at, tree
