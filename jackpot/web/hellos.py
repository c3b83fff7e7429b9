"""A table's hello: read from its bytes, put as the act that is decided, and answered in the frames of its version."""

from collections.abc import Sequence

import msgspec

from jackpot.core.answers import ConnectedAnswer, HelloRefusedAnswer
from jackpot.core.commands import Connect
from jackpot.core.decide_wagers import SEATS
from jackpot.core.ports import Reply, TableLink
from jackpot.web.round_watch import RoundWatch
from jackpot.web.sessions import kind_of
from jackpot.wire.codec import (
    PEOPLE_SINCE,
    ROUND_NOW_SINCE,
    FrameError,
    decode_from_table,
    decode_hello,
    spoken,
)
from jackpot.wire.messages import Hello, HelloBody, HitNow, Receipt, Refused, RoundNow, Welcome
from jackpot.wire.settings import table_settings

__all__ = ["connect_of", "last_round_of", "read_hello", "refused_of", "watch_of", "welcome_of"]


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


async def last_round_of(body: HelloBody, link: TableLink, reply: Reply) -> RoundNow | None:
    """Return how the table's last round stands, as far as its version of the protocol can say so.

    From version 4 on with what people did to it, read from the ledger where the spool's last round is that one. Raises
    UnreachableError: without that a table would take it for rows that it has lost.
    """
    told, version = reply.round, spoken(body.protocols)
    if told is None or version < ROUND_NOW_SINCE:
        return None
    own = (body.journal, body.next_round) == (told.journal, told.round + 1)
    if version < PEOPLE_SINCE or not own or link.receipts is None:
        return told
    place = (body.table, told.journal, reply.month, told.round)
    return msgspec.structs.replace(told, people=await link.receipts.by_people(place, _seats_of(body)))


def _seats_of(body: HelloBody) -> int:
    """Return how many seats the table says it has, and as many as a layout has at most where that says nothing."""
    try:
        return min(table_settings(bytes(body.settings).decode()).seats, SEATS)
    except FrameError:
        return SEATS


def watch_of(body: HelloBody, told: RoundNow | None) -> RoundWatch | None:
    """Return what sees people change the round of a table that can be told of it."""
    return RoundWatch(told) if spoken(body.protocols) >= PEOPLE_SINCE else None


def welcome_of(
    body: HelloBody,
    link: TableLink,
    answer: ConnectedAnswer,
    receipt: Receipt,
    hits: Sequence[HitNow],
    told: RoundNow | None,
) -> Welcome:
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
        hits=list(hits),
        round=told,
    )


def refused_of(link: TableLink, answer: HelloRefusedAnswer, told: RoundNow | None) -> Refused:
    """Return what a table is told whose hello was refused."""
    return Refused(answer.code, answer.text, answer.differences, answer.journal, link.month(), told)
