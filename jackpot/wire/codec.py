"""Bytes to frames and back, strictly: a frame equals its own re-encoding, or is refused with the field and the value.

Equality with the re-encoding catches what a JSON reader lets pass: repeated keys, other spellings of a number, white
space.
"""

import json
import re
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from jackpot.wire.messages import FromTable, HelloBody, StoredAnswer, ToTable
from jackpot.wire.snapshots import Published, Snapshot

VERSION = 4
"""The newest version of the protocol."""
HAND_IN_SINCE = 2
"""From this version on a table can be asked to hand in what a ledger has lost."""
ROUND_NOW_SINCE = 3
"""From this version on a table is told how its last round stands."""
PEOPLE_SINCE = 4
"""From this version on a table is told what people did at the server to its last round."""
VERSIONS = (1, HAND_IN_SINCE, ROUND_NOW_SINCE, PEOPLE_SINCE)
"""The versions these frames are of; the highest that both sides speak is used."""
FRAME_BYTES = 64 * 1024
"""A frame's size at most: a full record of seven seats is under 4 KiB."""

T = TypeVar("T")

_encoder = msgspec.json.Encoder()
_from_table: msgspec.json.Decoder[FromTable] = msgspec.json.Decoder(FromTable)
_to_table: msgspec.json.Decoder[ToTable] = msgspec.json.Decoder(ToTable)
_hello = msgspec.json.Decoder(HelloBody)
_answer: msgspec.json.Decoder[StoredAnswer] = msgspec.json.Decoder(StoredAnswer)
_snapshot = msgspec.json.Decoder(Snapshot)
_published = msgspec.json.Decoder(Published)
_PATH = re.compile(r" - at `\$\.?([^`]*)`")
_UNSTORABLE = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])")
"""An escaped NUL, or half of an escaped surrogate pair: neither can be stored, and no frame writes a pair so."""


def spoken(protocols: Iterable[int]) -> int:
    """Return the version that is used with who speaks these: the highest that both sides speak, 0 where there is none.

    >>> spoken([1, 2, 9]), spoken([9])
    (2, 0)
    """
    return max({*VERSIONS} & {*protocols}, default=0)


class FrameError(ValueError):
    """A frame that cannot be read: `field` (a path), `value` (cut at 40 characters), `reason`."""

    def __init__(self, field: str, value: str, reason: str) -> None:
        """Keep the three parts and make one sentence of them."""
        super().__init__(f"{field or 'frame'}: {reason} (got {value})")
        self.field = field or "frame"
        self.value = value
        self.reason = reason


def encode(frame: msgspec.Struct) -> bytes:
    """Return the canonical bytes of a frame, an answer or a part of one."""
    return _encoder.encode(frame)


def decode_from_table(data: bytes) -> FromTable:
    """Read a frame a table sent; raises FrameError.

    >>> decode_from_table(b'{"kind":"ask"}')
    Ask()
    >>> decode_from_table(b'{"kind":"ask","kind":"ask"}')
    Traceback (most recent call last):
    ...
    jackpot.wire.codec.FrameError: frame: the bytes are not the frame's canonical form (got {"kind":"ask","kind":"ask"})
    """
    return _strict(_from_table, data)


def decode_to_table(data: bytes) -> ToTable:
    """Read a frame the server sent; raises FrameError."""
    return _strict(_to_table, data)


def decode_hello(data: bytes | msgspec.Raw) -> HelloBody:
    """Read the body of a hello; raises FrameError."""
    return _strict(_hello, bytes(data))


def decode_answer(data: bytes | msgspec.Raw) -> StoredAnswer:
    """Read the stored part of an answer; raises FrameError."""
    return _strict(_answer, bytes(data))


def decode_snapshot(data: bytes | msgspec.Raw) -> Snapshot:
    """Read a snapshot's body; raises FrameError."""
    return _strict(_snapshot, bytes(data))


def decode_published(data: bytes) -> Published:
    """Read what came over the channel; raises FrameError."""
    return _strict(_published, data)


def escapes(data: bytes) -> bool:
    r"""Whether a character is written by its number somewhere, which hardly a frame does.

    >>> escapes(b'"\\u0000"'), escapes(b'"\\n"'), escapes(b'"a"')
    (True, False, False)
    """
    return b"\\" in data and b"\\u" in data  # one byte is found several times as fast as two


def _strict(decoder: "msgspec.json.Decoder[T]", data: bytes) -> T:
    if len(data) > FRAME_BYTES:
        raise FrameError("frame", f"{len(data)} bytes", f"a frame has at most {FRAME_BYTES} bytes")
    try:
        if not data.isascii():
            data.decode()  # the reader does not look into parts that stay bytes
        frame = decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise translated(str(error), data) from None
    except RecursionError:
        raise FrameError("frame", _cut(data), "nested too deep for a frame") from None
    if escapes(data) and _UNSTORABLE.search(data):
        raise FrameError("frame", _cut(data), "a text holds a NUL or half a surrogate pair")
    if _encoder.encode(frame) != data:
        raise FrameError("frame", _cut(data), "the bytes are not the frame's canonical form")
    return frame


def translated(message: str, data: bytes) -> FrameError:
    """Turn a reader's message, which gives the path and not the value, into one with both."""
    found = _PATH.search(message)
    path = found.group(1) if found else ""
    return FrameError(path, _value_at(path, data), message[: found.start()] if found else message)


class _Written(str):
    """A number as it was written."""

    __slots__ = ()


def _value_at(path: str, data: bytes) -> str:
    try:
        value = json.loads(data, parse_float=_Written)
        for step in re.findall(r"[^.\[\]]+", path):
            value = value[int(step)] if step.isdigit() else value[step]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return _cut(data)
    return (value if isinstance(value, _Written) else json.dumps(value, ensure_ascii=True))[:40]


def _cut(data: bytes) -> str:
    return data[:40].decode("utf-8", "replace")
