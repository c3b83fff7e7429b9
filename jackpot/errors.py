"""What can go wrong in running the jackpot server, as exceptions with a stable code.

Knows no refusals (they are values, in `jackpot.wire.refusals`) and no broken invariants (in `jackpot.core.accounts`:
nobody catches those; the link stops).
"""

from typing import Literal

Outcome = Literal["not_posted", "unknown"]


class OperatingError(Exception):
    """Something outside the rules prevented an operation: a server away, a folder in use, a setting wrong.

    Always carries a `code` that never changes meaning, whether the same call may succeed later (`retryable`), and one
    clear sentence.

    >>> error = OperatingError("The ledger does not answer.", code="ledger_unreachable", retryable=True)
    >>> error.code, error.retryable, str(error)
    ('ledger_unreachable', True, 'The ledger does not answer.')
    """

    def __init__(self, message: str, *, code: str, retryable: bool) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable


class LedgerError(OperatingError):
    """Postgres did not do what was asked of it.

    `outcome` says what the caller may conclude: `not_posted` (certainly nothing was written) or `unknown` (the batch
    may or may not stand; only reading the ids back under the link's lock tells, PROTOCOL 4).

    >>> LedgerError("No connection.", code="ledger_unreachable", retryable=True, outcome="unknown").outcome
    'unknown'
    """

    def __init__(self, message: str, *, code: str, retryable: bool, outcome: Outcome) -> None:
        super().__init__(message, code=code, retryable=retryable)
        self.outcome: Outcome = outcome
