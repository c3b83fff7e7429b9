"""What is posted when a ledger that went back begins its next life (PROTOCOL 5): acts beside those of `commands`."""

import msgspec

from jackpot.wire.messages import Frame, Hex, Name, Number, Receipt, Text


class Reopened(Frame, frozen=True, tag="reopened"):
    """Two people open a link whose ledger went back: its next life begins.

    `last` is the place up to which the ledger's lost life is known to have gone, `missing` the commits of it that
    nobody holds (`91-93`), `without` the tables that were not waited for, `left_out` the messages that were not posted.
    """

    link: Name
    generation: Number
    last: Receipt
    by: Text
    second: Text
    missing: tuple[Text, ...] = ()
    without: tuple[Name, ...] = ()
    left_out: tuple[Text, ...] = ()


class HandedIn(Frame, frozen=True, tag="handed_in"):
    """A message that was answered in a lost life of the ledger, as its table's spool holds it, posted again.

    It is a command under the message's own id; `spool` is the table's, for a journal that was lost with the rest.
    """

    message: msgspec.Raw
    answer: msgspec.Raw
    receipt: Receipt
    spool: Hex = ""


class PaidBefore(Frame, frozen=True, tag="paid_before"):
    """A hit was paid in a lost life of the ledger: it stays paid, at the amount that was shown."""

    hit: str
    amount_cents: Number
    generation: Number
    by: Text
    second: Text


class MeterShown(Frame, frozen=True, tag="meter_shown"):
    """What a pool was last shown at in a lost life of the ledger; players' money does not fall below it unsaid."""

    pool: Name
    epoch: Number
    cents: Number
    generation: Number
    by: Text
    second: Text


OfLife = Reopened | HandedIn | PaidBefore | MeterShown
"""The acts of a reopening."""


def life_id(act: Reopened | PaidBefore | MeterShown) -> str:
    """Return the id of an act of a reopening; what is handed in keeps its own."""
    match act:
        case Reopened():
            return f"{act.link}/reopened/{act.generation}"
        case PaidBefore():
            return f"{act.hit}/paid_before/{act.generation}"
        case MeterShown():
            return f"{act.pool}/meter_shown/{act.generation}"
