"""What a wager's odds are, as values: each outcome with its exact chance, and what they come to together.

Knows no game. Every number is exact; a decimal is made only to be read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from rules.schedules import Schedule
from rules.wagers import Odds

Method = Literal["exact", "sampled"]
"""How a row was worked out: every way counted, or rounds drawn at random."""

DECIMALS: Final = 6
"""Places of the decimals beside exact numbers: a house edge is published with five, as 2.317 %."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a wager may end, and in how many of all equally likely ways it does."""

    outcome: str
    pays: Fraction
    """What the player is up by it for each unit of the wager, or down where negative."""
    ways: int
    of: int

    @property
    def chance(self) -> Fraction:
        """How likely it is."""
        return Fraction(self.ways, self.of)


@dataclass(frozen=True, slots=True)
class Row:
    """The odds of one wager under one schedule, one reading of the rules and one way to play.

    Always: the chances of its outcomes sum to 1.
    """

    game: str
    schedule: str
    """The schedules it is paid by, a comma between two of them; for the jackpot wager what its prizes stand in."""
    settings: tuple[tuple[str, str], ...]
    """The readings and amounts it hangs on, each with its value."""
    wager: str
    strategy: str
    """How the player plays; empty where there is nothing to decide."""
    outcomes: tuple[Outcome, ...]
    method: Method = "exact"
    standard_error: Fraction | None = None
    """Of a sampled row; ``None`` where it is exact."""

    @property
    def expected_return(self) -> Fraction:
        """What the player is up by on average for each unit of the wager: the sum of what each outcome pays."""
        return sum((each.pays * each.chance for each in self.outcomes), Fraction())

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of each unit of the wager on average."""
        return -self.expected_return


def times(odds: Odds) -> Fraction:
    """Odds as what they pay for each unit.

    >>> times(Odds(3, 2))
    Fraction(3, 2)
    """
    return Fraction(odds.pays, odds.to)


def schedule_names(schedules: Mapping[str, Schedule], wagers: Iterable[str]) -> str:
    """The names of the schedules that these wagers are paid by, each once."""
    return ", ".join(dict.fromkeys(schedules[wager].name for wager in wagers))


def outcomes_of(counts: Mapping[tuple[str, Fraction], int], of: int) -> tuple[Outcome, ...]:
    """The outcomes that were counted, the dearest for the house first; those that never come are left out."""
    found = [Outcome(name, pays, ways, of) for (name, pays), ways in counts.items() if ways]
    return tuple(sorted(found, key=lambda each: (-each.pays, each.outcome)))


def decimal_text(number: Fraction, places: int = DECIMALS) -> str:
    """A number as a decimal for people, rounded to the nearest, halves away from zero; never for money.

    >>> decimal_text(Fraction(-512, 22100)), decimal_text(Fraction(23167, 1000), 1), decimal_text(Fraction(-1, 10**9))
    ('-0.023167', '23.2', '0.000000')
    """
    scale = 10**places
    whole, part = divmod((2 * scale * abs(number.numerator) + number.denominator) // (2 * number.denominator), scale)
    sign = "-" if number < 0 and (whole or part) else ""
    return f"{sign}{whole}.{part:0{places}}" if places else f"{sign}{whole}"


def exact_text(number: Fraction) -> str:
    """A number as ``n/d``, its denominator always there.

    >>> exact_text(Fraction(40)), exact_text(Fraction(-1, 2))
    ('40/1', '-1/2')
    """
    return f"{number.numerator}/{number.denominator}"
