"""The bytes of a batch and their digest: the one thing that everything else can be worked out from (PROTOCOL 4).

A batch's body is compact JSON. Microcents stand in it as decimal text, since a meter of $92 billion passes 2**63
microcents.
The digest is the SHA-256 of the previous digest's bytes and the body's bytes.
"""

import hashlib
from dataclasses import dataclass

import msgspec

from jackpot.wire.codec import encode

GENESIS = hashlib.sha256(b"jackpot chain 1").digest()
"""What the first batch of a chain stands on."""


class BodyCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command as it came and its answer as it was decided, byte for byte."""

    commit: int
    id: str
    command: msgspec.Raw
    answer: msgspec.Raw


class BodyEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry; `microcents` and `balance_after` are decimal text."""

    account: str
    version: int
    microcents: str
    balance_after: str
    cause: str
    commit: int
    ref: str


class BodyHit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hit as this batch left it."""

    hit: str
    prize: str
    state: str
    amount_cents: int
    from_pool_cents: int
    topup_cents: int
    bonus_cents: int
    commit: int


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A batch whole: its place in the chain, its time (microseconds since 1970 UTC), what it holds."""

    chain: str
    batch: int
    time_us: int
    generation: int
    decide: int
    commands: list[BodyCommand]
    entries: list[BodyEntry]
    hits: list[BodyHit]


@dataclass(frozen=True, slots=True)
class Head:
    """Where a chain stands: after its last batch."""

    batch: int = 0
    digest: bytes = GENESIS
    commit: int = 0
    generation: int = 1
    time_us: int = 0


_body = msgspec.json.Decoder(Body)


def encode_body(body: Body) -> bytes:
    """Return the bytes that are stored and digested."""
    return encode(body)


def decode_body(data: bytes) -> Body:
    """Read stored bytes back; raises msgspec.DecodeError."""
    return _body.decode(data)


def digest(previous: bytes, body: bytes) -> bytes:
    """Return the digest of a batch (32 bytes)."""
    return hashlib.sha256(previous + body).digest()
