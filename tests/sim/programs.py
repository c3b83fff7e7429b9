"""What befalls a world: a program of actions from a seed, played, judged, and made short where it fails.

An action names what it is about by numbers that are taken modulo what is there, so that any part of a program is one.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.sim.befalling import KINDS
from tests.sim.reins import by_hand
from tests.sim.settling import settle_down
from tests.sim.witness import Violation
from tests.sim.world import World

ACTIONS: Final = 150
"""Actions in a program: some hundred rounds at three tables."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that befalls a world, and the numbers it needs."""

    kind: str
    a: int
    b: int

    def __str__(self) -> str:
        """As a line of a program."""
        return f"{self.kind} {self.a} {self.b}"


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a program."""

    steps: int
    faults: Counter[str]
    rounds: int
    violation: Violation | None = None
    actions: int = 0
    """How many actions of the program were played."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A program that breaks something, made short."""

    seed: int
    program: tuple[Action, ...]
    violation: Violation
    tries: int = 0

    def __str__(self) -> str:
        """As it is printed: what broke, the seed, and each action on its line."""
        lines = [f"seed {self.seed}: {self.violation}", f"  found again by {len(self.program)} actions:"]
        return "\n".join([*lines, *(f"    {action}" for action in self.program)])


def program_of(seed: int, length: int = ACTIONS) -> tuple[Action, ...]:
    """The program of a seed."""
    chance = random.Random(seed)
    kinds, weights = list(KINDS), [weight for weight, _ in KINDS.values()]
    made: list[Action] = []
    while len(made) < length:
        kind = chance.choices(kinds, weights)[0]
        made.append(Action(kind, chance.getrandbits(20), chance.getrandbits(27)))
        if kind != "go":
            made.append(Action("go", chance.getrandbits(20), chance.getrandbits(27)))
    return tuple(made[:length])


BROKE = "nothing breaks"
"""The rule that is violated where the world itself, its model or the product raises what nobody expects."""


def play(seed: int, program: Sequence[Action], *, calm: bool = True) -> Played:
    """Play a program, let faults stop, and say whether everything held that must."""
    with by_hand():
        world = World(seed)
        violation: Violation | None = None
        actions = 0
        try:
            for action in program:
                actions += 1
                KINDS[action.kind][1](world, action.a, action.b)
            if calm:
                settle_down(world)
        except Violation as found:
            violation = found
        except Exception as broken:  # noqa: BLE001 - whatever broke, its seed is to be told, and the others go on
            violation = Violation(BROKE, f"{type(broken).__name__}: {broken}")
        world.end()
        rounds = len(world.witness.over)
        model = world.witness.model
        world.faults["second_server"] += world.ledger.fenced
        world.faults["month_turned"] += world.witness.months.turned
        world.faults["share_grew"] += len(model.shared)
        world.faults["order_by_commit"] += sum(order == "commit" for order, _ in model.decided)
        world.faults["order_by_wagers"] += sum(order == "wagers" for order, _ in model.decided)
        world.faults["order_among_three"] += sum(rounds > 2 for _, rounds in model.decided)
        return Played(world.steps, world.faults, rounds, violation, actions)


def failing(seed: int, played: Played, *, most_tries: int = 100) -> Failing:
    """The history of a seed that failed, made short: what came after it failed goes first."""
    assert played.violation is not None
    program = program_of(seed)
    calm = played.actions == len(program)
    return shortened(seed, program[: played.actions], played.violation, most_tries=most_tries, calm=calm)


def shortened(
    seed: int, program: Sequence[Action], violation: Violation, *, most_tries: int = 100, calm: bool = True
) -> Failing:
    """Take actions out of a program while it breaks the same rule (Zeller's ddmin), in so many tries at most."""
    kept, broken, tries = list(program), violation, 0
    size = max(1, len(kept) // 2)
    while size and tries < most_tries:
        at, shorter = 0, False
        while at < len(kept) and tries < most_tries:
            attempt = kept[:at] + kept[at + size :]
            tries += 1
            found = play(seed, attempt, calm=calm).violation
            if found is not None and found.rule == violation.rule:
                kept, broken, shorter = attempt, found, True
            else:
                at += size
        size = size if shorter and size == 1 else size // 2
    return Failing(seed, tuple(kept), broken, tries)


@dataclass(slots=True)
class Soaked:
    """What many histories came to."""

    histories: int = 0
    steps: int = 0
    rounds: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    failing: list[Failing] = field(default_factory=list)

    def add(self, played: Played) -> None:
        """Count one more."""
        self.histories += 1
        self.steps += played.steps
        self.rounds += played.rounds
        self.faults += played.faults

    def line(self, seed: int, seconds: float) -> dict[str, Any]:
        """The line it ends with."""
        return {
            "seed": seed,
            "seconds": round(seconds, 1),
            "histories": self.histories,
            "steps": self.steps,
            "faults": dict(sorted(self.faults.items())),
            "violations": [str(one) for one in self.failing],
        }
