"""Random histories under every kind of fault: what must hold holds after each step, and at the end all is answered."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import jackpot.core.decide
import jackpot.core.hits
import jackpot.core.posting
import tablelink.core.dealing
import tablelink.core.mirror
import tablelink.core.outbox
from tests.sim.befalling import KINDS
from tests.sim.programs import BROKE, Action, failing, play, program_of
from tests.sim.soaking import KINDS_OF_FAULT
from tests.support.running import WITHIN_S

HISTORIES = 6
SHIPPED = (
    tablelink.core.dealing,
    tablelink.core.outbox,
    tablelink.core.mirror,
    jackpot.core.posting,
    jackpot.core.decide,
    jackpot.core.hits,
)


def defined(path: Path) -> set[str]:
    """The names of the classes and functions that a file defines at its top."""
    tree = ast.parse(path.read_text())
    kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for node in tree.body if isinstance(node, kinds)}


def test_the_world_runs_what_is_shipped() -> None:
    """Dealing, outbox, mirror, posting, decide and hits are the product's: the world defines none of their names."""
    shipped = {name for module in SHIPPED for name in defined(Path(str(module.__file__)))}
    ours = {name: path.name for path in Path(__file__).parent.glob("*.py") for name in defined(path)}
    assert not shipped & ours.keys(), {name: ours[name] for name in shipped & ours.keys()}


@pytest.mark.parametrize("number", range(HISTORIES))
def test_a_random_history(number: int, request: pytest.FixtureRequest) -> None:
    """A history of this run's own seed: faults of every kind, and nothing is lost, doubled or misstated."""
    seed = int(str(request.config.getoption("hypothesis_seed")).split(",")[0]) * 1_000 + number
    played = play(seed, program_of(seed))
    assert played.violation is None, f"python -m tests.sim --history {seed}\n{played.violation}"
    assert played.steps > 200


def test_without_faults_everything_is_played() -> None:
    """A day on which nothing goes wrong: many rounds, none withdrawn; people settle hits, and order where two raced."""
    program = [action for action in program_of(1, 300) if action.kind in {"go", "hit"}]
    played = play(1, program)
    assert played.violation is None
    assert played.rounds > 50
    assert set(+played.faults) - {"order_by_commit", "second_server"} == {"hit_moved"}


def test_the_same_actions_make_the_same_world() -> None:
    """A seed is enough to see a history again."""
    one, other = play(5, program_of(5)), play(5, program_of(5))
    assert (one.steps, one.faults, one.rounds) == (other.steps, other.faults, other.rounds)


def test_every_kind_of_fault_comes() -> None:
    """What is soaked is in the programs: a kind that never came would prove nothing."""
    kinds = {action.kind for seed in range(40) for action in program_of(seed)}
    assert kinds == set(KINDS)
    assert len(KINDS_OF_FAULT) == len(set(KINDS_OF_FAULT))


def test_what_breaks_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where anything raises what nobody expects, its seed is told and made short: an hour of soaking is not lost."""

    def broken(*_given: object) -> None:
        raise KeyError("house")

    monkeypatch.setitem(KINDS, "go", (KINDS["go"][0], broken))
    played = play(7, program_of(7))
    assert played.violation is not None
    assert str(played.violation) == f"{BROKE}: KeyError: 'house'"
    assert len(failing(7, played).program) == 1


def test_any_part_of_a_program_is_a_program() -> None:
    """Actions are about whatever is there, so that failing histories can be made short."""
    for kind in KINDS:
        played = play(3, [Action(kind, 12_345, 67_891), Action("go", 1, 20)], calm=False)
        assert played.violation is None, kind


def test_a_soak_ends_with_one_line() -> None:
    """What the tables log is not among it; where kinds of fault came too seldom it says so beside, and exits with 1."""
    asked = [sys.executable, "-m", "tests.sim", "--seconds", "1", "--seed", "1", "--workers", "2"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=WITHIN_S)
    (line,) = done.stdout.splitlines()
    assert list(json.loads(line)) == ["seed", "seconds", "histories", "steps", "faults", "violations"]
    assert (done.returncode, "too seldom" in done.stderr) == (1, True)
