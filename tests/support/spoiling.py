"""Lines and documents as no honest program writes them, made from good ones: one thing wrong in each, by chance."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

WRONG_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        2**63,
        10**400,
        0.5,
        1e300,
        "",
        "x",
        "\uff11\uff10\uff10",
        "100",
        "\0",
        "\ud800",
        [],
        {},
        [[]],
        {"": {}},
    ),
    *("A" * 5_000, [0] * 2_000, {"$ref": "#"}, "NaN", "../../etc/passwd", "'; --", "10h", "As As", "Ah  Kh"),
)
_TOKENS = (
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"-0",
    b"01",
    b"1.0",
    b"1e2",
    b"1e400",
    b"9" * 5_000,
    b"0x10",
    b"tru",
    b"'a'",
)
_MARK = "spoilt here"


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A bad text, what was done to it, and the field that an error must name, where only one can be meant."""

    text: bytes
    how: str
    field: str | None = None


def spoilt(good: Any, chance: random.Random) -> Spoilt:
    """A copy of a JSON value as bytes with one thing wrong in it."""
    ways = (
        _value,
        _value,
        _value,
        _token,
        _token,
        _missing,
        _unknown,
        _repeated,
        _repeated,
        _bytes,
        _bytes,
        _nested,
        _whole,
    )
    return chance.choice(ways)(json.loads(json.dumps(good)), chance)


def places(value: Any, path: str = "") -> Iterator[tuple[Any, Any, str]]:
    """Every place in a JSON value: what holds it, its name or number there, and its path."""
    if isinstance(value, dict):
        for name, inner in value.items():
            below = f"{path}.{name}" if path else name
            yield value, name, below
            yield from places(inner, below)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield value, number, f"{path}[{number}]"
            yield from places(inner, f"{path}[{number}]")


def _text(value: Any) -> bytes:
    return json.dumps(value).encode()


def _value(good: Any, chance: random.Random) -> Spoilt:
    """Another value, of any type."""
    holder, name, path = chance.choice(list(places(good)))
    holder[name] = chance.choice(WRONG_VALUES)
    field = path if holder[name] is None and ".terms." not in path else None  # Terms have nulls of their own.
    return Spoilt(_text(good), f"{path} is {str(holder[name])[:20]!r}", field)


def _token(good: Any, chance: random.Random) -> Spoilt:
    """A number as JSON does not write one, or as no record does."""
    holder, name, path = chance.choice(list(places(good)))
    holder[name] = _MARK
    token = chance.choice(_TOKENS)
    return Spoilt(_text(good).replace(json.dumps(_MARK).encode(), token), f"{path} is {token[:20]!r}")


def _missing(good: Any, chance: random.Random) -> Spoilt:
    holder, name, path = chance.choice(list(places(good)))
    del holder[name]
    return Spoilt(_text(good), f"no {path}")


def _unknown(good: Any, chance: random.Random) -> Spoilt:
    objects = [("", good), *((path, holder[name]) for holder, name, path in places(good))]
    path, holder = chance.choice([(path, each) for path, each in objects if isinstance(each, dict)])
    holder["luck"] = 1
    return Spoilt(_text(good), f"luck in {path}")


def _repeated(good: Any, chance: random.Random) -> Spoilt:
    """A name twice in one object, with the same value or another."""
    holder, name, path = chance.choice([each for each in places(good) if isinstance(each[0], dict)])
    holder[_MARK] = chance.choice([holder[name], 1, None, "x"])
    text = _text(good).replace(json.dumps(_MARK).encode(), json.dumps(name).encode())
    return Spoilt(text, f"{path} twice", path)


def _bytes(good: Any, chance: random.Random) -> Spoilt:
    """A text that was cut, overwritten, or is in another encoding."""
    text = _text(good)
    at = chance.randrange(len(text))
    match chance.randrange(6):
        case 0:
            return Spoilt(text[:at], f"cut at {at}")
        case 1:
            junk = bytes(
                chance.choice([0, 9, 34, 44, 92, 123, 125, 128, 237, 255]) for _ in range(chance.randint(1, 4))
            )
            return Spoilt(text[:at] + junk + text[at:], f"{junk!r} at {at}")
        case 2:
            return Spoilt(text[:at] + bytes([chance.choice([0x80, 0xC0, 0xFF])]) + text[at:], f"no UTF-8 at {at}")
        case 3:
            return Spoilt(text + chance.choice([text, b"}", b",", b" x"]), "more after it", None)
        case 4:
            return Spoilt(b"\xef\xbb\xbf" + text, "a byte order mark")
        case _:
            return Spoilt(json.dumps(good).encode("utf-16-le").replace(b"\n", b""), "UTF-16")


def _nested(good: Any, chance: random.Random) -> Spoilt:
    """A value nested deeper than any reader likes."""
    holder, name, path = chance.choice(list(places(good)))
    holder[name] = _MARK
    depth = chance.choice([100, 900, 1_100, 5_000, 100_000])
    opening, closing = chance.choice([(b"[", b"]"), (b'{"a":', b"}")])
    inner = opening * depth + b"1" + closing * chance.choice([0, depth])
    return Spoilt(_text(good).replace(json.dumps(_MARK).encode(), inner), f"{path} nested {depth} deep")


def _whole(good: Any, chance: random.Random) -> Spoilt:  # noqa: ARG001 - the form of every way
    """Something else altogether."""
    text = chance.choice([b"[]", b"null", b"1", b'""', b"{}", b"\x00", b"{" * 50, b"[" * 200_000, b"x" * 1_100_000])
    return Spoilt(text, f"only {text[:10]!r}")
