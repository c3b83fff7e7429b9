"""What people write on the command line: refused before anything is posted or made where it could not be kept."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.terms_files import terms_file

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

LONG = "A" * 500
BAD = (LONG, "Ann\0", "\ud800")
NAMES = ("T 3", "", " ", "../x", "a" * 25, *BAD)
BY = ("--by", "Ann")
TWO = (*BY, "--with", "Ben")
WHY = ("--reason", "seen")
OPEN = ("--by", "Olga", "--second", "Petra", "--json")


def files(folder: Path) -> set[str]:
    """Every file beneath a folder and beside it."""
    return {os.fspath(path) for path in folder.rglob("*") if path.suffix == ".key"}


def standing(jackpot: "CommandLine") -> tuple[object, ...]:
    """How far the link has come, and whether the audit finds all well."""
    audit = jackpot("audit", "--json")
    assert audit.code == 0, audit.err
    return jackpot("link", "show", "southern", "--json").object["commit"], audit.object


def opened(jackpot: "CommandLine", folder: Path) -> None:
    """Open a link with a table."""
    assert jackpot("link", "open", str(terms_file(folder)), *OPEN).code == 0
    assert jackpot("table", "enrol", "southern", "T1", "--by", "Olga").code == 0


def acts(folder: Path) -> list[tuple[str, ...]]:
    """Commands with one part that cannot be kept; each is to be refused with exit code 2."""
    terms = str(terms_file(folder, "2.json", version=2))
    first = str(terms_file(folder, "n.json", name="northern"))
    found: list[tuple[str, ...]] = []
    for name in NAMES:
        found += [
            ("table", "enrol", "southern", name, *BY),
            ("table", "enrol", name, "T2", *BY),
            ("table", "journal", name, *BY, *WHY),
            ("link", "stop", name, *BY, *WHY),
            ("link", "lift", name, *TWO, *WHY),
            ("link", "show", name),
            ("round", "void", name, "1", "--rule", "14.4", *TWO, *WHY),
        ]
    for text in BAD:
        found += [
            ("table", "enrol", "southern", "T2", "--by", text),
            ("table", "journal", "T1", "--by", text, *WHY),
            ("table", "journal", "T1", *BY, "--reason", text),
            ("link", "terms", terms, "--by", text, "--second", "Ben"),
            ("link", "terms", terms, "--by", "Ann", "--second", text),
            ("link", "open", first, "--by", text, "--second", "Ben"),
            ("link", "open", first, "--by", "Ann", "--second", text),
            ("link", "stop", "southern", "--by", text, *WHY),
            ("link", "stop", "southern", *BY, "--reason", text),
            ("link", "lift", "southern", *TWO, "--reason", text),
        ]
    return found


def test_what_could_not_be_kept_changes_nothing(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Names that are none and texts too long, by whatever command: exit code 2, no key, no commit, a clean audit."""
    opened(jackpot, tmp_path)
    before, keys = standing(jackpot), files(tmp_path)
    for arguments in acts(tmp_path):
        done = jackpot(*arguments)
        assert done.code == 2, (arguments, done)
        assert LONG not in done.err
    assert (standing(jackpot), files(tmp_path)) == (before, keys)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("table", "enrol", "southern", "T 3", *BY), "table: wanted a name of 1 to 24 letters, digits, - and _"),
        (("table", "enrol", "southern", "T3", "--by", LONG), "by: wanted at most 400 characters (got"),
        (("link", "stop", "southern", *BY, "--reason", LONG), "reason: wanted at most 400 characters (got"),
    ],
)
def test_the_refusal_names_field_and_value_and_what_is_allowed(
    jackpot: "CommandLine", tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    """A refusal says in words what is wanted, and shows the beginning of what was given."""
    opened(jackpot, tmp_path)
    done = jackpot(*arguments)
    assert (done.code, said in done.err) == (2, True)


def test_nobody_enrols_without_a_name(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Whoever enrols is named, before a key is made."""
    opened(jackpot, tmp_path)
    keys = files(tmp_path)
    for name in ("", "  "):
        done = jackpot("table", "enrol", "southern", "T2", "--by", name, "--json")
        assert (done.code, done.object["refused"]) == (1, "name_needed")
    assert files(tmp_path) == keys


def test_an_act_without_a_name_says_whose_is_missing(jackpot: "CommandLine", tmp_path: Path) -> None:
    """It is the name of who does it, not of another person, wherever one name is enough; the option is told."""
    opened(jackpot, tmp_path)
    jackpot("table", "enrol", "southern", "T1", *BY)
    terms = str(terms_file(tmp_path, "2.json", version=2))
    for arguments, option in (
        (("table", "journal", "T1", "--by", " ", "--reason", "new disk"), "by"),
        (("link", "stop", "southern", "--by", "", "--reason", "seen"), "by"),
        (("link", "terms", terms, "--by", "", "--second", "Ben"), "by"),
        (("link", "open", terms, "--by", "Ann", "--second", " "), "second"),
    ):
        done = jackpot(*arguments)
        assert (done.code, done.err) == (1, f"the act needs a name, and none is given: {option}\n")


def test_one_person_who_opens_a_link_leaves_the_site_as_it_was(jackpot: "CommandLine", tmp_path: Path) -> None:
    """What is refused in the end is refused before the site is told of a link, and says who is named twice."""
    done = jackpot("link", "open", str(terms_file(tmp_path)), "--by", "Ann", "--second", "ANN", "--json")
    assert (done.code, done.object["refused"], done.object["value"]) == (1, "same_person", "ANN is named twice")
    assert "two different people are asked for: ANN is named twice" in done.err
    assert (jackpot("hit", "list", "--json").object, files(tmp_path)) == ({"hits": []}, set())
    assert jackpot("link", "open", str(terms_file(tmp_path)), *OPEN).code == 0


def test_a_link_that_is_open_already_says_so(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Opened again by others it is refused with its name and what to do instead."""
    opened(jackpot, tmp_path)
    done = jackpot("link", "open", str(terms_file(tmp_path)), "--by", "Ann", "--second", "Ben", "--json")
    assert (done.code, done.object["refused"]) == (1, "link_exists")
    assert "the link is already open: southern: `jackpot link terms`" in done.err


def test_terms_put_in_force_by_others_are_named(jackpot: "CommandLine", tmp_path: Path) -> None:
    """The same version again by others is refused with its number."""
    opened(jackpot, tmp_path)
    second = str(terms_file(tmp_path, "2.json", version=2))
    assert jackpot("link", "terms", second, *OPEN).code == 0
    done = jackpot("link", "terms", second, "--by", "Ann", "--second", "Ben", "--json")
    assert (done.object["refused"], "version 2" in done.err) == ("terms_not_next", True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("hit", "list"),
        ("audit",),
        ("migrate",),
        ("link", "show", "southern"),
        ("table", "enrol", "southern", "T1", *BY),
        ("link", "stop", "southern", *BY, *WHY),
    ],
)
def test_a_folder_mistyped_makes_no_ledger(jackpot: "CommandLine", tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A command names a data folder that is not there and ends with exit code 2; nothing is made (no second ledger)."""
    data = tmp_path / "D3typo"
    done = jackpot(*arguments, "--data", str(data), JACKPOT_DATABASE_URL="", JACKPOT_KEYS="")
    assert (done.code, f"{data}: no data folder here" in done.err, data.exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n "seats": [,]}', "line 2, column 12: not JSON"),
        ("", "line 1, column 1: not JSON"),
        ("{}", "seats: missing"),
    ],
)
def test_a_record_that_cannot_be_read_is_named_with_its_place(
    jackpot: "CommandLine", tmp_path: Path, text: str, where: str
) -> None:
    """The file, and where in it, before the ledger is asked."""
    file = tmp_path / "record.json"
    file.write_text(text)
    for name in ("correct", "record"):
        done = jackpot("round", name, "T1", "1", "--file", str(file), *TWO, *WHY)
        assert (done.code, f"{file}: {where}" in done.err) == (2, True), done.err
