"""What can go wrong in running a table, as exceptions with a stable code.

Knows no refusals (they are values, `jackpot.wire.refusals`) and nothing of the game (`tablelink.core`).
"""

from typing import Final

ASKED_WRONGLY: Final = frozenset(
    {
        "bad_key",
        "bad_setting",
        "bad_settings",
        "bad_terms",
        "cannot_listen",
        "cut_refused",
        "no_console",
        "no_key",
        "no_rounds",
        "no_spool",
        "no_such_game",
        "nobody_at_the_table",
        "record_unreadable",
        "too_long",
        "two_kinds_of_people",
    }
)
"""The codes of what an option, an argument or a file named there does wrong."""
NEEDS_PEOPLE: Final = frozenset(
    {
        "older_spool",
        "other_journal",
        "spool_damaged",
        "spool_form",
        "spool_of_another_kind",
        "spool_of_another_table",
        "wrong_seal",
    }
)
"""The codes of what stays as it is however often the program is started again: people put another spool there first."""
STAYS_DOWN: Final = 5
"""What the program ends with then, so that whoever starts it again leaves it (`RestartPreventExitStatus`)."""


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

    @property
    def exit_code(self) -> int:
        """What the program ends with: 2 where it was asked wrongly, 5 where people have to act first, else 1."""
        if self.code in NEEDS_PEOPLE:
            return STAYS_DOWN
        return 2 if self.code in ASKED_WRONGLY else 1
