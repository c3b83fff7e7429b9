"""What a demo is asked to play, and what it cannot."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

TERMS = Path(__file__).with_name("demo_terms.json")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played. `rounds` None plays at a pace people can follow until Ctrl-C."""

    data: Path
    tables: int = 4
    rounds: int | None = None
    seed: int = 1
    stack_deck: bool = False
    capture: str = "full"
    as_json: bool = False
    export: Path | None = None
    terms: Path = TERMS

    @property
    def names(self) -> list[str]:
        """The tables."""
        return [f"T{number}" for number in range(1, self.tables + 1)]

    @property
    def spools(self) -> list[str]:
        """The spools there are in the data folder, those of earlier demos too."""
        return sorted(map(str, (self.data / "spools").glob("*.spool")))


def new_folder() -> Path:
    """Return a new data folder for a demo that names none; it is printed and kept."""
    base = Path.cwd() / time.strftime("demo-%Y%m%d-%H%M%S")
    base.mkdir(mode=0o700)
    return base


def unplayable(capture: str, tables: int) -> Sequence[str]:
    """Return what cannot be played, as sentences; none where all is well."""
    wrong = []
    if capture not in {"full", "claims"}:
        wrong.append(f"--capture {capture}: wanted full or claims")
    if not 1 <= tables <= 500:
        wrong.append(f"--tables {tables}: wanted 1 to 500")
    return wrong
