"""What a check of a promotion says: what is against a rule, what is to be done and by when, what people look at."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

Weight = Literal["breach", "due", "question"]
"""Against a rule; to be done and not late yet; for a person to look at, since no program can tell."""

OVER_SCRUTINEER_CENTS: Final = 1_000_000
"""More than $10,000: a scrutineer oversees the draw (.2); a winner chooses how cash is paid (FCP 15.4, WAR 14.4)."""

OVER_CLAIM_CENTS: Final = 10_000
"""More than $100: all details of a denied claim are retained (CSP 17.9.1)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found."""

    rule: str
    field: str
    """Where in the document, such as ``prizes[0].contents``."""
    value: str
    reason: str
    weight: Weight = "breach"
    due: datetime | None = None
    """By when it is to be done, where a clock runs."""

    def __str__(self) -> str:
        """Say it in a line.

        >>> print(Finding("CSP 17.2", "scrutineer", "", "missing: a prize has a value over $10,000"))
        CSP 17.2: scrutineer: missing: a prize has a value over $10,000
        """
        return ": ".join(part for part in (self.rule, self.field, self.value, self.reason) if part)


def is_missing(text: str) -> bool:
    """Whether a text says nothing."""
    return not text.strip()
