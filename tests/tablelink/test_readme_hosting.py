"""The README's example of a table without a link, run from its own text."""

import re
import subprocess
import sys
from pathlib import Path

from tests.support.sources import ROOT

_EXAMPLE = re.compile(
    r"^\$ (cat > rolls\.jsonl .*?^ROLLS\n)\$ (tablelink run .*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


_DRIVEN = re.compile(
    r"^\$ (cat > table\.json .*?^TABLE\n)\$ (tablelink run .*? --console .*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def test_the_table_shows_what_the_readme_says(tmp_path: Path) -> None:
    """A day of rolls, one line refused with its rule: the same words, and exit code 1."""
    found = _EXAMPLE.search((ROOT / "README.md").read_text("utf-8"))
    assert found is not None
    rolls, command, shown = found.groups()
    here = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    done = subprocess.run(
        ["/bin/bash", "-c", f"{rolls}{command}"],
        cwd=tmp_path,
        env=here,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.rstrip() for line in done.stdout.splitlines()] == shown.splitlines()


def test_a_driven_table_shows_what_the_readme_says(tmp_path: Path) -> None:
    """What is typed in the example leads to what stands there, line for line."""
    found = _DRIVEN.search((ROOT / "README.md").read_text("utf-8"))
    assert found is not None
    table, command, shown = found.groups()
    typed = [line.removeprefix("> ") for line in shown.splitlines() if line.startswith("> ")]
    assert len(typed) > 10
    done = subprocess.run(
        ["/bin/bash", "-c", f"{table}{command}"],
        input="".join(f"{line}\n" for line in typed),
        cwd=tmp_path,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.rstrip() for line in done.stdout.splitlines()] == shown.splitlines()
