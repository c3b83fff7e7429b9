"""A table that people drive, told line by line as they type it, for the tests: ``line | what it comes to``.

A line may begin with the minutes and seconds since the table was made, as ``+20:00``. What it comes to: ``ok``; ``no``
and the rule that refuses it with words of the reason; ``?`` and the field that is not understood; or, separated by
``;`` or on a line of its own that begins with ``|``, words that are told or written, ``settled`` with each wager's
outcome, or the state that it leads to in ``[]``.
"""

from typing import Any, Final

from tablelink.core.floor import (
    Changed,
    Floor,
    NotUnderstood,
    Refused,
    Said,
    Tick,
    closed_floor,
    next_due_us,
    read_line,
    take,
)
from tablelink.core.floor.showing import ahead

MADE_US: Final = 1_795_000_000_000_000
"""A day in November 2026."""
EVEN: Final = '{"settings":{"even_on_10":"lose"},"limits":{"min_cents":{"table":500},"max_cents":{"table":50000},%s}}'
APPROVED: Final = {
    "caribbean_stud": '{"limits":{"ante_min_cents":500,"ante_max_cents":50000,"ante_unit_cents":500}}',
    "three_card_poker": '{"limits":{"ante_min_cents":500,"ante_max_cents":50000,"pair_plus_min_cents":100}}',
    "four_card_poker": '{"limits":{"ante_min_cents":500,"ante_max_cents":50000,"aces_up_min_cents":100}}',
    "casino_war": '{"limits":{"initial_min_cents":500,"initial_max_cents":50000,"tie_min_cents":100}}',
    "sic_bo": EVEN % '"streak_cents":500',
}
"""What is approved for the table of each game."""


class Driving:
    """A driven table, and everything that was said at it, told and written."""

    def __init__(self, game: str, approved: str | None = None) -> None:
        self.floor: Floor = closed_floor(game, "T1", approved or APPROVED[game], MADE_US)
        self.now_us = MADE_US
        self.given: list[tuple[Said, int]] = []
        self.changed: list[Changed] = []

    @property
    def records(self) -> list[Any]:
        """The records of the rounds that were stated."""
        return [each.record for each in self.changed if each.statement is not None]

    def tell(self, text: str) -> "Driving":
        """Go through every line, and hold each to what it says it comes to."""
        for line in text.strip().replace("\n|", ";").splitlines():
            said, _, expected = (part.strip() for part in line.partition("|"))
            came = self.line(said)
            for wanted in (expected or "ok").split(";"):
                assert agrees(came, wanted.strip()), f"{line.strip()}: came to {came}"
        return self

    def line(self, said: str) -> list[str]:
        """Take one line at its moment, and return what it came to, part by part."""
        if said.startswith("+"):
            moment, _, said = said.partition(" ")
            minutes, _, seconds = moment[1:].partition(":")
            self.now_us = MADE_US + (int(minutes) * 60 + int(seconds or 0)) * 1_000_000
        came = self._due()
        if not said:
            return came or ["ok"]
        before = self.floor
        given: tuple[Said, ...] = ()
        try:
            if said == "next":
                coming = ahead(self.floor)
                assert coming is not None, f"{said}: nothing comes by itself"
                given = (coming,)
            else:
                given = read_line(self.floor, said)
            for each in given:
                came += self._take(each, self.now_us)
        except NotUnderstood as error:
            return [f"? {error.field}: {error.value}: {error.reason}"]
        except Refused as error:
            assert len(given) > 1 or self.floor is before
            return [f"no {error}"]
        return [*came, f"[{self.floor.at.state}]", "ok"]

    def _due(self) -> list[str]:
        came: list[str] = []
        while (due_us := next_due_us(self.floor)) is not None and due_us <= self.now_us:
            came += self._take(Tick(), due_us)
        return came

    def _take(self, given: Said, at_us: int) -> list[str]:
        changed = take(self.floor, given, at_us)
        self.floor = changed.floor
        self.given.append((given, at_us))
        self.changed.append(changed)
        came = [str(each) for each in changed.told]
        came += [f"{each.kind}: {each.player} {each.reason} ({each.rule}) by {each.person}" for each in changed.written]
        if changed.statement is not None:
            lines = [f"{line.seat} {line.wager} {line.outcome}" for line in changed.statement.said["lines"]]
            came.append(f"settled {', '.join(lines)}")
        return came


def agrees(came: list[str], wanted: str) -> bool:
    """Whether what a line came to is what was wanted: its words, or how it was refused."""
    if wanted == "ok":
        return came[-1] == "ok"
    if wanted == "no":
        return came[0].startswith("no ")
    if wanted.startswith(("no ", "? ")):
        head, _, words = wanted.partition(": ")
        return came[0].startswith(f"{head}:") and words in came[0]
    return any(wanted in each for each in came)
