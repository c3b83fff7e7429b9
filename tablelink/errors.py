"""What can go wrong in running a table, as exceptions with a stable code.

Knows no refusals (they are values, `jackpot.wire.refusals`) and nothing of the game (`tablelink.core`).
"""


class TableError(Exception):
    """Something outside the rules keeps the table from going on: a file damaged, a key missing, a setting wrong.

    Always carries a `code` that never changes meaning, and one clear sentence.

    >>> error = TableError("The spool is damaged.", code="spool_damaged")
    >>> error.code, str(error)
    ('spool_damaged', 'The spool is damaged.')
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code
