"""What people write, held to what frames may hold before it is posted: what cannot be read again stops an audit.

Names the field, the value and, in words, what is allowed.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from jackpot.wire.codec import FrameError
from jackpot.wire.messages import Name, Text

__all__ = ["hold_name", "hold_storable", "hold_text", "in_words"]

A_NAME = "wanted a name of 1 to 24 letters, digits, - and _, which a letter or a digit begins"
_WORDS: Mapping[str, str] = {
    r"\[A-Za-z0-9_-\]|`str` of length <= 24$|`str` of length >= 1$": A_NAME,
    r"`str` of length <= 400$": "wanted at most 400 characters",
    r"\[0-9a-f\]|`str` of length <= 256$": "wanted at most 256 hexadecimal digits in small letters, two a byte",
    r"\[0-9\]\{4\}-": "wanted a month, as in 2026-11",
    r"\[0-9\]\{1,38\}": "wanted a whole number",
}
"""What a reader's own words mean to people."""


def in_words(error: FrameError) -> FrameError:
    """Return an error that says in words what is allowed, where it says so by a pattern or a length.

    >>> str(in_words(FrameError("by", "AAAA", "Expected `str` of length <= 400")))
    'by: wanted at most 400 characters (got AAAA)'
    """
    found = next((words for pattern, words in _WORDS.items() if re.search(pattern, error.reason)), error.reason)
    return FrameError(error.field, error.value, found)


def hold_name(field: str, value: str) -> None:
    """Refuse what is no name of a table or a link; raises FrameError."""
    _hold(field, value, Name)


def hold_text(field: str, value: str) -> None:
    """Refuse words for people that are too long to be kept; raises FrameError."""
    _hold(field, value, Text)


def hold_storable(value: object) -> None:
    """Refuse a text that holds a NUL or half a surrogate pair, wherever it is in a frame; raises FrameError."""
    for field, text in _texts(value, ""):
        if _unstorable(text):
            raise FrameError(field, ascii(text)[:40], "wanted a text without a NUL or half a surrogate pair")


def _hold(field: str, value: str, kind: object) -> None:
    if _unstorable(value):
        raise FrameError(field, ascii(value)[:40], "wanted a text without a NUL or half a surrogate pair")
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise in_words(FrameError(field, ascii(value)[:40], str(error))) from None


def _unstorable(text: str) -> bool:
    return "\0" in text or any("\ud800" <= char <= "\udfff" for char in text)


def _texts(value: object, at: str) -> Iterator[tuple[str, str]]:
    """Every text of a frame with its path; parts that stay bytes are held to their own form by their readers."""
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name), f"{at}.{name}" if at else name)
    elif isinstance(value, tuple | list):
        for place, one in enumerate(value):
            yield from _texts(one, f"{at}[{place}]")
