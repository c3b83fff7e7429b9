"""How does the ledger's edge reach Postgres, and what may it conclude when a connection or a statement fails?

Every foreign exception becomes one of those in `jackpot.core.ports` here and nowhere else. Knows no batch.
"""

import asyncio
import os
import socket
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import asyncpg

from jackpot.ledger.failures import (
    AddressWrong,
    LedgerFenced,
    LedgerOutcomeUnknown,
    LedgerRefused,
    LedgerUnreachable,
    LinkStopped,
)
from jackpot.ledger.statements import statement
from jackpot.serving.points import reached

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
T = TypeVar("T")

CONNECT_WITHIN_S = 5
CLOSE_WITHIN_S = 2
KEEPALIVE_S = 5
"""A peer that has vanished is noticed after this long, and once more for its one missed answer."""

SETTINGS: Mapping[str, str] = {
    "default_transaction_isolation": "read committed",  # a look-up after a lock must see what the lock waited for
    "idle_in_transaction_session_timeout": "2s",  # a process that was paused lets go of the link's lock
    "lock_timeout": "2s",
    "tcp_keepalives_idle": str(KEEPALIVE_S),
    "tcp_keepalives_interval": str(KEEPALIVE_S),
    "tcp_keepalives_count": "1",
    "jit": "off",
    "timezone": "UTC",
}
"""Of every connection that posts, or reads for an answer (PROTOCOL 4)."""

FENCES = frozenset({"batch_fence", "batch_fence_digest"})
LOCK_NOT_HAD = "55P03"
STOPPED = "JP001"
"""What the schema's own trigger raises for a stopped link."""
REFUSED = frozenset({"22", "23", "54", "P0"})
"""Classes of errors that are about the rows themselves: data exceptions, broken constraints, more than Postgres can
take of anything, and what a trigger raises without a code of its own."""
OWN_REFUSALS = frozenset({"JP002", "JP003"})
ENDED = frozenset({"57P01", "57P02", "57P05", "25P03"})
"""The server ended the session. What was being committed may stand: a wait for a standby is broken off like this."""
NOT_ALLOWED = "42501"
NOT_THERE = frozenset({"42P01", "42703", "42883", "42P10", "42704"})
"""A table, column, function, constraint or name is missing: a database of an older schema was brought back."""


async def connect(url: str, name: str, settings: Mapping[str, str] = SETTINGS) -> Connection:
    """Open a connection under a name that Postgres shows; raises UnreachableError, AddressWrong."""
    with translated(), addressed():
        connection = await asyncpg.connect(
            url, timeout=CONNECT_WITHIN_S, server_settings={"application_name": name, **settings}
        )
    _keep_alive(connection)
    return connection


async def close(connection: Connection) -> None:
    """Say goodbye; a transaction under way is rolled back. **If cancelled** the connection is dropped."""
    try:
        await connection.close(timeout=CLOSE_WITHIN_S)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        connection.terminate()


async def uncancelled(connection: Connection, work: Coroutine[Any, Any, T]) -> T:
    """Await the statement that commits.

    **If cancelled** the connection is abandoned and Postgres is not asked to cancel anything: the outcome is unknown.
    """
    task = asyncio.ensure_future(work)
    reached("statement-begun")
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_outcome_nobody_hears)
        connection.terminate()
        raise


def _outcome_nobody_hears(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()


@contextmanager
def addressed() -> Iterator[None]:
    """Tell an address that is none from a server that does not answer: raises AddressWrong."""
    try:
        yield
    except asyncpg.ClientConfigurationError as error:
        raise AddressWrong(str(error)) from error
    except OSError:  # a certificate that is not believed is a ValueError too
        raise
    except ValueError:
        raise AddressWrong("its port is no number, or its host no name") from None  # its words may hold the password


@contextmanager
def translated(*, commits: bool = False) -> Iterator[None]:
    """Turn what asyncpg and the system raise into what the posting coroutine knows.

    With `commits`, a connection lost while the statement was under way leaves the outcome unknown; without, nothing was
    written. Raises FenceConflictError, StoppedError, BatchRefusedError, OutcomeUnknownError, UnreachableError.
    """
    try:
        yield
    except asyncpg.PostgresError as error:
        raise _meaning(error, commits=commits) from error
    except (asyncpg.DataError, UnicodeEncodeError) as error:
        # A value that does not fit its column's type, found before anything was sent.
        raise LedgerRefused(str(error)) from error
    except asyncpg.InterfaceError as error:
        # The connection was known to be closed: nothing was sent.
        raise LedgerUnreachable(str(error)) from error
    except (OSError, asyncpg.InternalClientError) as error:
        # The second: the server's last word came while the driver was about to speak; it says so as a fault of its own.
        raise (LedgerOutcomeUnknown if commits else LedgerUnreachable)(in_words(error)) from error


def in_words(error: BaseException) -> str:
    """Return why a connection or a statement failed, on one line. A missing socket, or a file of OpenSSL, has no name.

    >>> in_words(FileNotFoundError(2, "No such file or directory"))
    'a file that the address names is not there: a socket, sslrootcert, sslcert or sslkey'
    """
    cause = getattr(error, "orig", None) or error  # SQLAlchemy's own wrapping says nothing a site could use
    if isinstance(cause, FileNotFoundError) and cause.filename is None:
        return "a file that the address names is not there: a socket, sslrootcert, sslcert or sslkey"
    return " ".join(str(cause).split())


def _meaning(error: asyncpg.PostgresError, *, commits: bool) -> Exception:
    code = error.sqlstate or ""
    constraint = getattr(error, "constraint_name", None)
    if constraint in FENCES or (commits and code == LOCK_NOT_HAD):
        # Who waits two seconds for the head has met another poster: it is that one's lock.
        return LedgerFenced(str(error))
    if code == STOPPED:
        return LinkStopped(str(error))
    if code[:2] in REFUSED or code in OWN_REFUSALS:
        return LedgerRefused(f"{error} ({constraint or code})")
    if commits and (code.startswith("08") or code in ENDED):
        return LedgerOutcomeUnknown(str(error))
    if code == NOT_ALLOWED:
        return LedgerUnreachable(
            f"{error} ({code}): give the address of the role `service` (to audit and export: auditor)"
        )
    if code in NOT_THERE:
        return LedgerUnreachable(f"{error} ({code}): its schema is not this program's; `jackpot migrate` brings it")
    # A lock not had in time, a deadlock, a full disk, a server that starts or was demoted: not this batch's fault.
    return LedgerUnreachable(f"{error} ({code})")


def _keep_alive(connection: Connection) -> None:
    transport = connection._transport  # type: ignore[attr-defined]  # noqa: SLF001  asyncpg offers no other way to it
    own = transport.get_extra_info("socket")
    if own is None or own.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    with socket.socket(fileno=os.dup(own.fileno())) as same:  # uvloop's own object takes no options
        same.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        same.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_S)
        same.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, KEEPALIVE_S)
        same.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 1)


@dataclass(frozen=True, slots=True)
class Durability:
    """What a COMMIT on a connection means (PROTOCOL 5)."""

    primary: bool
    fsync: bool
    full_page_writes: bool
    synchronous_commit: str
    standby_names: str
    standbys: int
    """Standbys connected now, as far as the role may see them: what replays, not what only keeps the log."""
    standby_expected: bool = False
    """Whether the site says that there is one."""

    @property
    def problem(self) -> str:
        """Why a commit would not be on every disk that may take over; empty if it is.

        >>> Durability(True, True, True, "on", "", 0).problem
        ''
        >>> Durability(True, True, True, "on", "", 1).problem
        'there is a standby and synchronous_standby_names is empty'
        """
        if not self.primary:
            return "the server is a standby"
        if not self.fsync or not self.full_page_writes:
            return "fsync or full_page_writes is off"
        if self.synchronous_commit not in {"on", "remote_apply"}:
            return f"synchronous_commit is {self.synchronous_commit}"
        if (self.standbys or self.standby_expected) and not self.standby_names:
            return "there is a standby and synchronous_standby_names is empty"
        return ""


async def durability(connection: Connection, *, standby_expected: bool = False) -> Durability:
    """Ask a connection what its COMMIT means; raises UnreachableError."""
    with translated():
        row = await connection.fetchrow(statement("durability"))
    if row is None:
        raise LedgerUnreachable("the server did not say how durable it is")
    return Durability(**row, standby_expected=standby_expected)
