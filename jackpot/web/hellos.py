"""A table's hello: read from its bytes, put as the act that is decided, and answered in the frames of its version."""

from jackpot.core.answers import ConnectedAnswer, HelloRefusedAnswer
from jackpot.core.commands import Connect
from jackpot.core.ports import Reply, TableLink
from jackpot.web.sessions import kind_of
from jackpot.wire.codec import ROUND_NOW_SINCE, FrameError, decode_from_table, decode_hello, spoken
from jackpot.wire.messages import Hello, HelloBody, Receipt, Refused, RoundNow, Welcome

__all__ = ["connect_of", "read_hello", "refused_of", "welcome_of"]


def read_hello(data: bytes, table: str) -> tuple[Hello, HelloBody]:
    """Read the first frame of a table's connection; raises FrameError."""
    frame = decode_from_table(data)
    if not isinstance(frame, Hello):
        raise FrameError("kind", kind_of(data), "the first frame is a hello")
    body = decode_hello(frame.body)
    if body.table != table:
        raise FrameError("body.table", body.table, f"this is the address of table {table[:40]}")
    return frame, body


def connect_of(body: HelloBody, nonce: bytes, month: str, *, alive: bool) -> Connect:
    """Return what is decided of a hello."""
    return Connect(
        table=body.table,
        journal=body.journal,
        spool=body.spool,
        connection=body.connection,
        next_round=body.next_round,
        program=body.program,
        terms=body.terms,
        settings=body.settings,
        month=month,
        last_receipt=body.last_receipt,
        alive=alive,
        nonce=nonce.hex(),
    )


def welcome_of(body: HelloBody, link: TableLink, answer: ConnectedAnswer, receipt: Receipt, reply: Reply) -> Welcome:
    """Return what a table is told whose hello was accepted."""
    return Welcome(
        protocol=spoken(body.protocols),
        link=link.name,
        table=body.table,
        journal=answer.journal,
        connection=answer.connection,
        highest_round=answer.highest_round,
        month=link.month(),
        terms=answer.terms,
        link_key=link.link_key,
        receipt=receipt,
        hits=list(reply.hits),
        round=_round_of(body, reply),
    )


def refused_of(body: HelloBody, link: TableLink, answer: HelloRefusedAnswer, reply: Reply) -> Refused:
    """Return what a table is told whose hello was refused."""
    told = _round_of(body, reply)
    return Refused(answer.code, answer.text, answer.differences, answer.journal, link.month(), told)


def _round_of(body: HelloBody, reply: Reply) -> RoundNow | None:
    """Return how the table's last round stands, where its version of the protocol can say so."""
    return reply.round if spoken(body.protocols) >= ROUND_NOW_SINCE else None
