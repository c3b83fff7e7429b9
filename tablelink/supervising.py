"""What may a supervisor ask of a table that runs? How it stands, and to let play go on without the jackpot (CSP 14.15).

A Unix socket beside the spool, for the account that owns it alone: one line of JSON a question, one an answer. Decides
nothing: an approval is a step of the table like any other, in its spool before it is answered.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Annotated, Final

import msgspec

from tablelink.agent import Agent
from tablelink.core.dealing import Dealing
from tablelink.errors import TableError
from tablelink.standing import SECOND_US, Approval
from tablelink.subscriber import own_clock_us

__all__ = ["Approved", "PlayOn", "Show", "Stands", "ask", "supervised"]

SUFFIX: Final = ".supervisor"
LINE_BYTES: Final = 16_384
ASKED_WITHIN_S: Final = 10.0
NO_QUESTION: Final = "not a question to a table"
LONGEST_PATH: Final = 100
"""Bytes of a socket's address that Linux takes for sure; a longer path goes by its folder's descriptor."""

NAME_LENGTH: Final = 200

Name = Annotated[str, msgspec.Meta(max_length=NAME_LENGTH, pattern=r"^[^\x00-\x1f\x7f]*\Z")]
"""A person's name as it was typed; who is to be named is decided by the table."""


class Show(msgspec.Struct, frozen=True, tag_field="ask", tag="show", forbid_unknown_fields=True):
    """How does the table stand?"""


class PlayOn(
    msgspec.Struct, frozen=True, tag_field="ask", tag="play_on", forbid_unknown_fields=True, omit_defaults=True
):
    """A gaming supervisor approves that play goes on without the jackpot; an inspector was notified."""

    by: Name
    inspector: Name
    until_us: int = 0
    """Until when, by the machine's own clock, it is waited for; an agent that comes to it later does not take it.

    0 where that is not said, as by the program before.
    """


class Approved(msgspec.Struct, frozen=True):
    """The approval by which a table plays on."""

    by: str
    inspector: str
    why: tuple[str, ...]


class Stands(msgspec.Struct, frozen=True):
    """How a table stands; `refused` says why what was asked cannot be, or nothing."""

    table: str
    rung: str
    closed: tuple[str, ...]
    journal: int
    spool: str
    round: int | None
    next_round: int
    unanswered: int
    approved: Approved | None
    refused: str = ""
    told: tuple[str, ...] = ()
    """What became at the server of the round under way, or of the last one, that the table did not do itself."""


_asked = msgspec.json.Decoder(Show | PlayOn)
_stands = msgspec.json.Decoder(Stands)


@asynccontextmanager
async def supervised(agent: Agent, spool: Path) -> AsyncIterator[None]:
    """Answer supervisors of a table while the context lasts. A socket that a crash left is replaced.

    Raises TableError where the socket cannot be made.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            async with asyncio.timeout(ASKED_WITHIN_S):
                line = await reader.readuntil()
                writer.write(msgspec.json.encode(await _answer(agent, line)) + b"\n")
                await writer.drain()
        writer.close()

    path = _socket_of(spool)
    path.unlink(missing_ok=True)
    try:
        with _short(path) as address:
            server = await asyncio.start_unix_server(answer, address, limit=LINE_BYTES)
            os.chmod(path, 0o600)  # noqa: PTH101 - as above
    except OSError as error:
        raise TableError(f"No supervisor can be heard at {path}: {error.strerror}.", code="cannot_listen") from error
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def ask(spool: Path, asked: Show | PlayOn) -> Stands:
    """Ask the table of a spool, and return how it stands then.

    Raises TableError where no agent runs it here, or what is asked is too long; where an approval was sent and no
    answer came, it says that its outcome is not known. **Never** taken after that by an agent that stood still, but for
    one that still runs the program before, which knows of no such time: it is asked in its own words.
    """
    if not isinstance(asked, PlayOn):
        return _ask(spool, asked)
    stands = _ask(spool, msgspec.structs.replace(asked, until_us=own_clock_us() + int(ASKED_WITHIN_S * SECOND_US)))
    return _ask(spool, asked) if stands.refused.startswith(NO_QUESTION) else stands


def _ask(spool: Path, asked: Show | PlayOn) -> Stands:
    path, question, sent = _socket_of(spool), msgspec.json.encode(asked) + b"\n", False
    if len(question) > LINE_BYTES:
        raise TableError(f"The names are too long to be asked of a table: {NAME_LENGTH} letters.", code="too_long")
    try:
        with _short(path) as address, socket.socket(socket.AF_UNIX) as line:
            line.settimeout(ASKED_WITHIN_S)
            line.connect(address)
            line.sendall(question)
            sent = True
            with line.makefile("rb") as answer:
                told = answer.readline(LINE_BYTES)
        return _stands.decode(told)
    except (OSError, msgspec.DecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        if sent and isinstance(asked, PlayOn):
            raise TableError(
                f"The agent of the spool {spool} has not said whether it approved that ({why}): that is not known. Look"
                " with `tablelink supervisor show`; it does not take it any more from now on.",
                code="not_known",
            ) from error
        raise TableError(f"No agent answers for the spool {spool}: {why}.", code="no_agent") from error


async def _answer(agent: Agent, line: bytes) -> Stands:
    try:
        asked = _asked.decode(line)
    except msgspec.DecodeError as error:
        return _standing(agent, f"{NO_QUESTION}: {error}")
    if isinstance(asked, Show):
        return _standing(agent)
    answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def told(why: str) -> None:
        if not answered.done():
            answered.set_result(why)

    agent.tell(Approval(asked.by, asked.inspector, told, asked.until_us or None))
    return _standing(agent, await answered)


def _standing(agent: Agent, refused: str = "") -> Stands:
    now_us, desk = own_clock_us(), agent.desk
    dealing, without = desk.dealing, desk.dealing.without
    return Stands(
        table=desk.felt.table,
        rung=agent.rung(now_us),
        closed=agent.why_closed(now_us),
        journal=dealing.journal,
        spool=desk.spool_id,
        round=None if dealing.round is None else dealing.round.number,
        next_round=dealing.next_round,
        unanswered=len(desk.outbox),
        approved=None if without is None else Approved(without.by, without.inspector, without.why),
        refused=refused,
        told=told_of(dealing),
    )


def told_of(dealing: Dealing) -> tuple[str, ...]:
    """Return what people are told of the round under way, or else of the last one that ended."""
    if dealing.round is not None and dealing.round.amended:
        return tuple(each.words for each in dealing.round.amended)
    return () if dealing.last is None else dealing.last.words


def _socket_of(spool: Path) -> Path:
    return spool.with_suffix(SUFFIX)


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """Give an address for a socket's path that Linux takes, however long the path is."""
    if len(os.fsencode(path)) <= LONGEST_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
