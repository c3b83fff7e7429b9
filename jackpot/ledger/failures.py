"""How does the ledger say that it did not do what was asked? With exceptions that both sides know.

Each is what the posting coroutine expects (`jackpot.core.ports`) and an operating error with a stable code, so that a
command line can print it and a program can tell what was written.
"""

from jackpot.core.ports import (
    BatchRefusedError,
    FenceConflictError,
    OutcomeUnknownError,
    StoppedError,
    UnreachableError,
)
from jackpot.errors import LedgerError, OperatingError

NO_ANSWER = "no answer in time"
"""Why, where an error has no words: who waited gave up."""


class AddressWrong(OperatingError):
    """What is given for the address of Postgres is none; it is never repeated, since it may hold a password."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"database_url: no address of Postgres such as postgresql://service:PASSWORD@HOST:5432/jackpot: {reason}",
            code="bad_address",
            retryable=False,
        )


class LedgerUnreachable(LedgerError, UnreachableError):
    """The ledger does not answer, or cannot keep what it is given now; nothing was written."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The ledger does not answer: {reason or NO_ANSWER}",
            code="ledger_unreachable",
            retryable=True,
            outcome="not_posted",
        )


class LedgerOutcomeUnknown(LedgerError, OutcomeUnknownError):
    """The connection was lost while a batch was being committed: it may stand, now or a moment later."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The ledger was lost during a commit: {reason}", code="outcome_unknown", retryable=True, outcome="unknown"
        )


class LedgerRefused(LedgerError, BatchRefusedError):
    """The database refuses the rows themselves; nothing was written."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The ledger refuses the batch: {reason}", code="batch_refused", retryable=False, outcome="not_posted"
        )


class LedgerFenced(LedgerError, FenceConflictError):
    """Another poster was quicker; nothing was written."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"Another poster was quicker: {reason}", code="fence_conflict", retryable=True, outcome="not_posted"
        )


class LinkStopped(LedgerError, StoppedError):
    """The link is stopped, in every process, until two people lift it; nothing was written."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The link is stopped: {reason}", code="link_stopped", retryable=False, outcome="not_posted")
