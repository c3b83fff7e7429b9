"""The acts of people on the command line: what they do, what they answer, and what they refuse."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jackpot.cli.keys import read_key
from rules.terms import fingerprint
from tests.support.terms import demo_terms
from tests.support.terms_files import terms_file

if TYPE_CHECKING:
    from tests.jackpot.cli.conftest import CommandLine

OPEN = ("--by", "Olga", "--second", "Petra", "--json")


def opened(jackpot: "CommandLine", folder: Path) -> None:
    """Open the demonstration's link."""
    done = jackpot("link", "open", str(terms_file(folder)), *OPEN)
    assert done.code == 0, done.err


def test_a_link_is_opened_by_two_people(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Opening a link answers its fingerprint, makes its key for its owner alone, seeds its pool; again is the same."""
    opened(jackpot, tmp_path)
    key = jackpot.keys / "links" / "southern.key"
    assert key.stat().st_mode & 0o777 == 0o600
    read_key(key)
    again = jackpot("link", "open", str(terms_file(tmp_path)), *OPEN)
    assert again.object == {"link": "southern", "version": 1, "terms": fingerprint(demo_terms())}
    shown = jackpot("link", "show", "southern", "--json").object
    assert (shown["meters_cents"], shown["commit"]) == ({"main": "5000000"}, 1)


def test_one_person_is_not_two(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A link that one person proposes and confirms is refused with the reason, and stays closed (case 18)."""
    done = jackpot("link", "open", str(terms_file(tmp_path)), "--by", "Olga", "--second", "Olga", "--json")
    assert (done.code, done.object["refused"]) == (1, "same_person")
    assert jackpot("link", "show", "southern").code == 2


def test_terms_other_than_the_approved_are_refused(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A seed typed ten times too small is not what was approved: nothing is opened (case 18)."""
    wrong = json.loads(terms_file(tmp_path).read_text())["pools"]
    wrong[0]["seed_cents"] = 500_000
    file = terms_file(tmp_path, "wrong.json", pools=wrong)
    done = jackpot("link", "open", str(file), *OPEN, "--approved", fingerprint(demo_terms()))
    assert done.code == 2
    assert "not the terms approved" in done.err
    right = jackpot("link", "open", str(terms_file(tmp_path)), *OPEN, "--approved", fingerprint(demo_terms()))
    assert right.code == 0


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"retained_ppm": 700_001}, "retained_ppm"),
        ({"approval_reference": ""}, "approval_reference"),
        ({"currency": "dollars"}, "currency: dollars"),
        ({"nope": 1}, "nope"),
    ],
)
def test_terms_no_casino_could_honour_are_named(
    jackpot: "CommandLine", tmp_path: Path, changes: dict[str, object], named: str
) -> None:
    """Wrong terms are refused with the field and the value, exit code 2, before anything is changed."""
    done = jackpot("link", "open", str(terms_file(tmp_path, "wrong.json", **changes)), *OPEN)
    assert (done.code, done.object["error"]) == (2, "usage")
    assert named in done.err


def test_terms_follow_each_other_by_version(jackpot: "CommandLine", tmp_path: Path) -> None:
    """The next version holds from its commit; one that is not the next is refused."""
    opened(jackpot, tmp_path)
    third = jackpot("link", "terms", str(terms_file(tmp_path, "3.json", version=3)), *OPEN)
    assert (third.code, third.object["refused"]) == (1, "terms_not_next")
    second = jackpot("link", "terms", str(terms_file(tmp_path, "2.json", version=2)), *OPEN)
    assert (second.code, second.object["version"]) == (0, 2)


def test_tables_are_enrolled_with_their_keys(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Enrolling makes each table's key and admits it; again it changes its settings; on another link it is refused."""
    opened(jackpot, tmp_path)
    done = jackpot("table", "enrol", "southern", "T1", "T2", "--by", "Olga", "--json").object
    for told in done["tables"]:
        assert read_key(Path(told["key_file"])).public_key().public_bytes_raw().hex() == told["public_key"]
    settings = tmp_path / "settings.json"
    settings.write_text('{"least_round_s": 0}')
    again = jackpot("table", "enrol", "southern", "T1", "--by", "Olga", "--settings", str(settings), "--json").object
    assert again["tables"][0]["public_key"] == done["tables"][0]["public_key"]
    assert again["settings"]["least_round_s"] == 0
    settings.write_text('{"least_round_s": 0, "least_round_s": 9}')
    twice = jackpot("table", "enrol", "southern", "T1", "--by", "Olga", "--settings", str(settings), "--json")
    assert (twice.code, "least_round_s: repeated (got 9)" in twice.err) == (2, True)
    shown = jackpot("link", "show", "southern", "--json").object
    assert shown["tables"] == {"T1": "admitted", "T2": "admitted"}
    other = jackpot("link", "open", str(terms_file(tmp_path, "n.json", name="northern")), *OPEN)
    assert other.code == 0
    assert "southern" in jackpot("table", "enrol", "northern", "T1", "--by", "Olga").err
    nowhere = jackpot("table", "enrol", "nowhere", "T9", "--by", "Olga", "--json")
    assert (nowhere.code, nowhere.object["refused"]) == (1, "not_open")


def test_an_agents_own_key_is_enrolled_without_its_private_half(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A public key is enough to enrol a table; a wrong one is named."""
    opened(jackpot, tmp_path)
    done = jackpot("table", "enrol", "southern", "T1", "--by", "Olga", "--public-key", "ab" * 32, "--json")
    assert done.object["tables"][0]["key_file"] == ""
    assert not (jackpot.keys / "tables").exists()
    wrong = jackpot("table", "enrol", "southern", "T1", "--by", "Olga", "--public-key", "abc")
    assert (wrong.code, "64 hexadecimal digits" in wrong.err) == (2, True)


def test_wrong_settings_are_named(jackpot: "CommandLine", tmp_path: Path) -> None:
    """Settings that cannot be are refused with the field."""
    opened(jackpot, tmp_path)
    settings = tmp_path / "settings.json"
    settings.write_text('{"seats": 99}')
    done = jackpot("table", "enrol", "southern", "T1", "--by", "Olga", "--settings", str(settings))
    assert (done.code, "seats" in done.err, "99" in done.err) == (2, True, True)


def test_a_word_is_given_for_an_enrolled_table_only(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A supervisor's word needs a table and a reason, and may be given as often as needed."""
    opened(jackpot, tmp_path)
    jackpot("table", "enrol", "southern", "T1", "--by", "Olga")
    for _ in range(2):
        done = jackpot("table", "journal", "T1", "--by", "Sol", "--reason", "new disk", "--json")
        assert done.object == {"table": "T1", "spool": "any"}
    nobody = jackpot("table", "journal", "T9", "--by", "Sol", "--reason", "new disk", "--json")
    assert (nobody.code, nobody.object["refused"]) == (1, "no_such_table")
    assert jackpot("table", "journal", "T1", "--by", "Sol").code == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nonsense",), 2),
        (("hit", "list", "--nonsense"), 2),
        (("link", "open", "/nowhere/terms.json", *OPEN), 2),
        (("hit", "show", "T1/1/17/3/main"), 1),
        (("hit", "show", "nonsense"), 1),
    ],
)
def test_what_is_wrong_ends_with_its_exit_code(jackpot: "CommandLine", arguments: tuple[str, ...], code: int) -> None:
    """A wrong command line is 2, a refusal is 1; never a traceback."""
    assert jackpot(*arguments).code == code
    assert jackpot.program(*arguments).code == code


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("hit", "list", "--nonsense"), 2, "usage"),
        (("hit", "nonsense"), 2, "usage"),
        (("nonsense",), 2, "usage"),
        (("link", "stop", "southern", "--by", "\udcff", "--reason", "no UTF-8"), 2, "usage"),
        (("link", "lift", "northern", "--by", "Ann", "--with", "Ben", "--reason", "no such link"), 2, "usage"),
        (("aside", "list", "northern"), 2, "usage"),
        (("hit", "approve", "T1/1/17/3/main"), 2, "usage"),
        (("link", "open", "/nowhere/terms.json", "--by", "Olga", "--second", "Petra"), 2, "usage"),
        (("hit", "list", "--database-url", "postgresql://nobody@127.0.0.1:1/none"), 3, "unreachable"),
    ],
)
def test_with_json_an_error_is_an_object_too(
    jackpot: "CommandLine", arguments: tuple[str, ...], code: int, error: str
) -> None:
    """A program that reads standard output finds one object whatever went wrong, and the same exit code as without."""
    done = jackpot(*arguments, "--json")
    assert (done.code, done.object["error"]) == (code, error)
    assert done.object["text"]
    assert done.object["text"].split()[0] in done.err
    plain = jackpot(*arguments)
    assert (plain.code, plain.out) == (code, "")


def test_a_ledger_that_is_away_is_exit_code_3(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A Postgres that is not there is said in one sentence, exit code 3; no address, or none at all, is exit code 2."""
    away = jackpot("hit", "list", JACKPOT_DATABASE_URL=f"postgresql://service@/jackpot?host={tmp_path}")
    assert (away.code, away.err.count("\n")) == (3, 1)
    nameless = jackpot("hit", "list", JACKPOT_DATABASE_URL="", JACKPOT_DATABASE_URL_FILE="/nowhere/url")
    assert nameless.code == 2
    assert "for JACKPOT_DATABASE_URL_FILE: /nowhere/url: No such file" in nameless.err
    unread = jackpot("migrate", "--database-url-file", "/nowhere/url")
    assert (unread.code, "--database-url-file: /nowhere/url: No such file" in unread.err) == (2, True), unread.err
    nowhere = "postgresql://service:hunter2@127.0.0.1:port/jackpot"
    for address, words in (("jackpot", "invalid DSN"), (nowhere, "port is no number")):
        for arguments in (("hit", "list"), ("migrate", "--database-url", address)):
            none = jackpot(*arguments, JACKPOT_DATABASE_URL=address)
            assert (none.code, none.err.count("\n"), words in none.err, "hunter2" in none.err) == (2, 1, True, False)
    unnamed = jackpot("hit", "list", JACKPOT_DATABASE_URL="")
    assert (unnamed.code, "--data" in unnamed.err) == (2, True)


def test_an_auditor_exports_what_there_is(jackpot: "CommandLine", tmp_path: Path) -> None:
    """The role that may only read needs no link's name where there is one; what it may not do is said as that."""
    opened(jackpot, tmp_path)
    auditor = jackpot.database_url.replace("service@", "auditor@")
    assert auditor != jackpot.database_url
    done = jackpot("export", str(tmp_path / "out"), "--json", JACKPOT_DATABASE_URL=auditor)
    assert (done.code, done.object["link"]) == (0, "southern"), done.err
    missing = jackpot("export", str(tmp_path / "out"), "--link", "northern", JACKPOT_DATABASE_URL=auditor)
    assert (missing.code, missing.err) == (2, "there is no link northern in this ledger\n")
    refused = jackpot("link", "show", "southern", JACKPOT_DATABASE_URL=auditor)
    assert (refused.code, "role `service`" in refused.err) == (3, True)


def test_a_bench_that_could_not_be_written_down_is_not_run(jackpot: "CommandLine", tmp_path: Path) -> None:
    """A folder that is not there, and a document whose words would be lost, are named before anything is measured."""
    own = tmp_path / "README.md"
    own.write_text("# Somebody's own\n")
    for option, file, named in (
        ("--html", tmp_path / "no" / "x.html", "no folder"),
        ("--markdown", own, "<!-- rows -->"),
    ):
        done = jackpot("bench", "--only", "hands", option, str(file))
        assert (done.code, str(file) in done.err, named in done.err) == (2, True, True)
    assert own.read_text() == "# Somebody's own\n"


def test_help_is_broken_where_the_terminal_ends(jackpot: "CommandLine") -> None:
    """Paragraphs stay paragraphs; a line within one ends where the terminal does, not where the source's line did."""
    said = jackpot("round", "void", "--help", COLUMNS="80").out.split("Arguments")[0].splitlines()
    begun = next(place for place, line in enumerate(said) if line.strip().startswith("Without --with"))
    *paragraph, _last = [line.strip() for line in said[begun:] if line.strip() and not line.startswith("╭")]
    assert all(len(line) > 60 for line in paragraph), paragraph


def test_every_command_has_help(jackpot: "CommandLine") -> None:
    """Each command says what it does."""
    for words in (
        (),
        ("serve",),
        ("audit",),
        ("migrate",),
        ("link", "open"),
        ("link", "terms"),
        ("table", "enrol"),
        ("table", "journal"),
        ("hit", "list"),
        ("hit", "verify"),
        ("hit", "approve"),
        ("hit", "pay"),
        ("hit", "resolve"),
        ("export",),
    ):
        done = jackpot(*words, "--help")
        assert (done.code, "Usage" in done.out) == (0, True)
    assert jackpot.program("--help").code == 0
