"""What acts on a chain are answered: stored like a table's answers, so that a repeated act gets the first answer."""

from collections.abc import Mapping

import msgspec

from jackpot.wire.messages import (
    AwardLine,
    FieldDifference,
    Frame,
    Int64,
    MeterAround,
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


def cents_of(amounts: Mapping[str, int]) -> tuple[Cents, ...]:
    """Return amounts by hit as answers tell them."""
    return tuple(Cents(hit, cents) for hit, cents in amounts.items())


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
    forfeited: tuple[Int64, ...] = ()
    """Seats out of play whose wager was forfeited, not returned (16.6)."""


class CorrectedAnswer(Frame, frozen=True, tag="corrected"):
    """What a corrected record did: hits that fell away, those that came, each in full, and amounts owed either way.

    `raised` are hits that were paid less than they come to now, or other winners': the rest is in their accounts.
    `differences` are of the base game, where the table settled otherwise than the rules.
    """

    revision: int
    meters: tuple[MeterAround, ...]
    awards: tuple[AwardLine, ...] = ()
    released: tuple[str, ...] = ()
    overpaid: tuple[Cents, ...] = ()
    raised: tuple[Cents, ...] = ()
    underpaid: tuple[Cents, ...] = ()
    settled: tuple[str, ...] = ()
    """Hits whose dispute about the record this ended: their amounts stand."""
    differences: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


class OrderAmount(Value, frozen=True):
    """What a hit comes to in either order."""

    hit: str
    state: str
    by_commit_cents: int
    by_wagers_cents: int


class OrderAnswer(Frame, frozen=True, tag="ordered"):
    """Which order holds, and both amounts of every hit that it touches; what was paid stays paid."""

    order: str
    hits: tuple[OrderAmount, ...]
    overpaid: tuple[Cents, ...] = ()
    raised: tuple[Cents, ...] = ()


class RecoveredAnswer(Frame, frozen=True, tag="recovered"):
    """How much of an overpayment has come back, and what is still owed."""

    hit: str
    recovered_cents: int
    left_cents: int


class ReopenedAnswer(Frame, frozen=True, tag="reopened"):
    """The ledger's next life has begun."""

    generation: int


class StoodAnswer(Frame, frozen=True, tag="stood"):
    """What stands from a lost life of the ledger: the hit or the pool, and what the house put in for it, in cents."""

    what: str
    amount_cents: int
    corrected_cents: int = 0


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
    | CorrectedAnswer
    | OrderAnswer
    | RecoveredAnswer
    | ReopenedAnswer
    | StoodAnswer
    | SiteAnswer
)
"""Every answer a batch may hold."""

_stored: msgspec.json.Decoder[Stored] = msgspec.json.Decoder(Stored)


def decode_stored(data: bytes | msgspec.Raw) -> Stored:
    """Read a stored answer; raises msgspec.DecodeError."""
    return _stored.decode(data)
