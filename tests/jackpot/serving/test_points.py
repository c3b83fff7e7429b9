"""A point of a program is passed by every release; only the adversity tests' own launcher stops at one."""

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

from jackpot.serving import points
from tests.support.sources import PACKAGES, ROOT, python

TRY = "import jackpot.serving.points as points; points.reached('durable'); print('went on')"


def _program(folder: Path, *argv: str) -> "subprocess.CompletedProcess[str]":
    """Run a program with everything set that stops one at its first durable batch."""
    file = folder / "stop"
    file.write_text("durable 1 0")
    environment = {**os.environ, "JACKPOT_STOP_AT": str(file), "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    command = [sys.executable, *argv]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=environment)


def test_a_release_ignores_the_environment_variable(tmp_path: Path) -> None:
    """With JACKPOT_STOP_AT set, and its file in place, a program that was started as installed goes on."""
    done = _program(tmp_path, "-c", TRY)
    assert (done.returncode, done.stdout) == (0, "went on\n"), done.stderr


def test_the_tests_own_launcher_stops_there(tmp_path: Path) -> None:
    """The same program under the launcher ends with SIGKILL at the point."""
    (tmp_path / "tried.py").write_text(TRY)
    done = _program(tmp_path, "-m", "tests.adversity.stopping", "tried")
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, ""), done.stderr


def test_nothing_that_is_installed_puts_a_watcher_in() -> None:
    """No module of the packages gives `points` a watcher but the None it begins with, or reads the variable."""
    assert points.watcher is None
    for source in python(*PACKAGES):
        docstrings = {id(node.value) for node in ast.walk(source.tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(source.tree):
            named = isinstance(node, ast.Constant) and "JACKPOT_STOP_AT" in str(node.value)
            assert not named or id(node) in docstrings, source.breach(node, "reads the variable")
            given = isinstance(node, ast.Attribute) and node.attr == "watcher" and isinstance(node.ctx, ast.Store)
            assert not given, source.breach(node, "puts a watcher in")
