"""What acts on a chain are answered: stored like a table's answers, so that a repeated act gets the first answer."""

import msgspec

from jackpot.wire.messages import (
    FieldDifference,
    Frame,
    Int64,
    Moved,
    RecordAnswer,
    RefusedAnswer,
    Value,
    VoidAnswer,
    WagersAnswer,
    WithdrawAnswer,
)


class OpenedAnswer(Frame, frozen=True, tag="opened"):
    """The link is open under these terms."""

    terms: str
    version: int


class AdmittedAnswer(Frame, frozen=True, tag="admitted"):
    """The table is admitted, or what is approved for it has changed."""

    table: str


class WordAnswer(Frame, frozen=True, tag="word"):
    """The word is noted: the next hello that fits it is granted a journal, or is the table again."""

    table: str


class ConnectedAnswer(Frame, frozen=True, tag="connected"):
    """The hello is accepted: this journal and this connection are the table now."""

    journal: int
    connection: int
    highest_round: int
    terms: str


class HelloRefusedAnswer(Frame, frozen=True, tag="hello_refused"):
    """The hello is refused, with every field that differs."""

    code: str
    text: str
    rule: str = ""
    differences: list[FieldDifference] = msgspec.field(default_factory=list)
    journal: int = 0


class Cents(Value, frozen=True):
    """An amount of a hit."""

    hit: str
    cents: int


class HitAnswer(Frame, frozen=True, tag="moved"):
    """The hit after the move."""

    hit: str
    state: str
    amount_cents: int
    approvals: int
    approvers: int
    raised: tuple[Cents, ...] = ()
    """What other winners of the round get more, where the hit fell away."""
    later: tuple[Cents, ...] = ()
    """What later hits of the pool would have come to more without it: they keep their amounts."""


class VoidRecordedAnswer(Frame, frozen=True, tag="void_recorded"):
    """What a void after the record did: seats reversed and what that moved, seats out of play, and their hits.

    `overpaid` were paid and are to be recovered; `raised` are other winners' hits that get more, `underpaid` those that
    ended too long ago for the ledger to move.
    """

    seats: tuple[Int64, ...]
    moved: tuple[Moved, ...] = ()
    out: tuple[Int64, ...] = ()
    released: tuple[str, ...] = ()
    overpaid: tuple[Cents, ...] = ()
    raised: tuple[Cents, ...] = ()
    underpaid: tuple[Cents, ...] = ()


class SiteAnswer(Frame, frozen=True, tag="site"):
    """What the site knows now."""

    name: str


Stored = (
    WagersAnswer
    | RefusedAnswer
    | WithdrawAnswer
    | VoidAnswer
    | RecordAnswer
    | OpenedAnswer
    | AdmittedAnswer
    | WordAnswer
    | ConnectedAnswer
    | HelloRefusedAnswer
    | HitAnswer
    | VoidRecordedAnswer
    | SiteAnswer
)
"""Every answer a batch may hold."""

_stored: msgspec.json.Decoder[Stored] = msgspec.json.Decoder(Stored)


def decode_stored(data: bytes | msgspec.Raw) -> Stored:
    """Read a stored answer; raises msgspec.DecodeError."""
    return _stored.decode(data)
