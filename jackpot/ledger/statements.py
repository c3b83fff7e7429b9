"""Where is the SQL? In `queries/`, one statement a file, named by the file and explained at its top."""

from functools import cache
from importlib.resources import files


@cache
def statement(name: str) -> str:
    """The statement of that name, as the file in `queries/` has it, its explanation included."""
    return files("jackpot.ledger").joinpath("queries", f"{name}.sql").read_text(encoding="utf-8")
