"""What two people bring to a round, as acts with bytes: voids, records corrected and typed in, orders, what came back.

Each carries what the ledger holds of the round, where no state keeps it any more; the audit holds that again.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from jackpot.core.past import PastRound
from jackpot.wire.messages import Frame, Int64, Month, Name, Number, Text, Value


class Forfeited(Value, frozen=True):
    """A casino supervisor's direction that the wager at a seat be forfeited: who directed it, and why (16.6)."""

    seat: Int64
    person: Text
    reason: Text


class VoidRecorded(Frame, frozen=True, tag="void_recorded"):
    """Two people void a recorded round, or some of its seats: with the rule and all that the ledger holds of it.

    `revision` counts what has been decided of the round: the record was the first, so that of two at once one is first.
    """

    table: Name
    journal: Number
    month: Month
    round: Number
    revision: Number
    rule: Text
    by: Text
    second: Text
    reason: Text
    past: PastRound
    seats: Annotated[tuple[Int64, ...], Meta(max_length=9)] = ()
    forfeits: Annotated[tuple[Forfeited, ...], Meta(max_length=9)] = ()


class VoidOpen(Frame, frozen=True, tag="void_open"):
    """Two people void a round that has no record yet, with wagers that a casino supervisor directs to be forfeited.

    A void that forfeits nothing is the table's own message.
    """

    table: Name
    journal: Number
    month: Month
    round: Number
    revision: Number
    rule: Text
    by: Text
    second: Text
    reason: Text
    forfeits: Annotated[tuple[Forfeited, ...], Meta(min_length=1, max_length=9)]


class CorrectRecorded(Frame, frozen=True, tag="correct_recorded"):
    """Two people correct the record of a round: with the record as it is to be, and all the ledger holds of the round.

    `corrects` is the commit of the record that stands until now; `revision` is the record's own too. `manager` is who
    stands for the supervisor once the table's next round has begun.
    """

    table: Name
    journal: Number
    month: Month
    round: Number
    revision: Number
    corrects: Number
    by: Text
    reason: Text
    record: msgspec.Raw
    past: PastRound
    second: Text = ""
    manager: Text = ""


class RecordTyped(Frame, frozen=True, tag="record_typed"):
    """Two people type in the record of an open round whose journal is lost.

    `manager` says that it is lost where the table was granted no new journal since.
    """

    table: Name
    journal: Number
    month: Month
    round: Number
    by: Text
    second: Text
    reason: Text
    record: msgspec.Raw
    manager: Text = ""


class DecideOrder(Frame, frozen=True, tag="decide_order"):
    """Two people say which of two tables' prizes from one meter came first, which the ledger had held (PROTOCOL 7).

    `order` is `commit` (of the records) or `wagers` (their acceptance). `nth` is how many acts the hit had when it was
    looked at; table, journal and round are of the round that was recorded last, `wagers_commit` is that of its wagers.
    `manager` where the terms say the other order.
    """

    hit: str
    order: Literal["commit", "wagers"]
    by: Text
    second: Text
    reason: Text
    nth: Number
    table: Name
    journal: Number
    round: Number
    wagers_commit: Number
    manager: Text = ""


class Recovered(Frame, frozen=True, tag="recovered"):
    """Two people say that so much of an overpayment came back (14.16-14.19); `part` counts what came back before.

    `owed_cents` is all that was ever to be recovered of this hit.
    """

    hit: str
    part: Number
    cents: Number
    by: Text
    second: Text
    reason: Text
    owed_cents: Number


Amendment = VoidRecorded | VoidOpen | CorrectRecorded | RecordTyped
"""What two people bring to one round of one table."""
