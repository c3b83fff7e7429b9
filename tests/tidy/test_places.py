"""The repository names no machine it was written on, and stands anywhere."""

import re
from collections.abc import Iterator

import pytest

from tests.support.sources import ROOT, Breach, Source, assert_none, sources

TOP_LEVEL = {"pyproject.toml", "jackpot", "tablelink", "rules", "deploy", "tests", "README.md", "Makefile"}

# Put together here so that this file does not hold them.
PLACES = [
    re.compile(rf"(?<![\w.]){re.escape(folder)}\b")
    for folder in ("/" + "root/", "/" + "home/", "/" + "work/", "/" + "Users/", "/" + "opt/py")
]
HOSTS = [
    re.compile(pattern)
    for pattern in (
        r"\bpy" + r"pi\.",
        r"python" + r"hosted\.",
        "file" + ":///",
        "--(extra-)?" + "index-url",
        "--" + "find-links",
        "--trusted" + "-host",
    )
]


def places(source: Source) -> Iterator[Breach]:
    """Lines that name a path of some machine or the host of a package registry."""
    for number, line in enumerate(source.text.splitlines(), start=1):
        for pattern in (*PLACES, *HOSTS):
            found = pattern.search(line)
            if found:
                yield Breach(source.file, number, f"names a place: {found[0]}")


def test_no_file_names_a_place() -> None:
    """Lock files too: hashes say what is installed, the machine's own settings say from where."""
    assert_none(breach for source in sources() for breach in places(source))


def test_locks_are_there_and_hashed() -> None:
    """Each lock pins every package to one version and its hashes."""
    for name in ("runtime", "development"):
        lines = (ROOT / "deploy" / "locks" / f"{name}.txt").read_text().splitlines()
        pins = [number for number, line in enumerate(lines) if not line.startswith(" ")]
        assert len(pins) > 30
        for number in pins:
            assert re.match(r"[a-z0-9-]+==\S+( ; .*)? \\$", lines[number]), lines[number]
            assert lines[number + 1].startswith("    --hash=sha256:")


def test_the_top_level_is_fixed() -> None:
    """Nothing stands at the top but what the design put there, and dot files."""
    top = {source.file.partition("/")[0] for source in sources()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


@pytest.mark.parametrize("line", ["cd /" + "root/x", '"/' + 'home/me"', "--index" + "-url x", "https://py" + "pi.org"])
def test_each_kind_is_seen(line: str) -> None:
    """Paths and hosts, wherever they stand on a line."""
    assert list(places(Source("a", line)))


@pytest.mark.parametrize("line", ["rules/" + "home/x", "GET /" + "homework", "/var/lib/jackpot", "/boards/{link}"])
def test_addresses_of_our_own_are_let_through(line: str) -> None:
    """A path of the product is no path of a machine."""
    assert not list(places(Source("a", line)))
