"""How a table is to be run, and what came of it."""

import ssl
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Played", "Way"]


@dataclass(frozen=True, slots=True)
class Way:
    """How a table is run: how many rounds, and how long a closed jackpot is waited for before play goes on without it.

    After `play_on_after_s` a simulated supervisor approves it; None: only a person does (`supervising`). In a run that
    ends by itself a table that the server refused is not waited for.
    """

    server: str
    rounds: int | None = None
    ends: bool = False
    """Whether the run ends by itself: nobody then waits for a table that was never granted a journal."""
    play_on_after_s: int | None = None
    spool_keep_days: int = 40
    tls: ssl.SSLContext | None = None


@dataclass(slots=True)
class Played:
    """What an agent did in this run."""

    rounds: int = 0
    withdrawn: int = 0
    refusal: dict[str, Any] | None = None
    awards: dict[str, int] = field(default_factory=dict)
