"""Settings of a table: who said them last, what is wrong with them, and the secrets that stand in files."""

from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from jackpot.wire.settings import TableSettings, settings_text
from rules.records import LimitsRecord
from rules.terms import canonical_bytes
from tablelink.config import Config, SettingRefused, read_config, read_felt
from tablelink.errors import TableError
from tablelink.keys import read_key, seal_for
from tests.support.terms import demo_bytes, demo_terms, tree_with


def test_later_wins(tmp_path: Path) -> None:
    """Defaults, the file, the environment, the command line."""
    file = tmp_path / "table.toml"
    file.write_text('server = "ws://file"\ntable = "T2"\nspool = "there"\nplay_on_after_s = 5\n')
    config = read_config(file, {"TABLELINK_TABLE": "T3", "TABLELINK_SPOOL": "here"}, {"table": "T4", "listen": None})
    assert config == Config(server="ws://file", table="T4", spool=Path("here"), play_on_after_s=5)
    assert read_config(None, {"TABLELINK_CONFIG": str(file)}, {}).table == "T2"


def test_a_secret_may_stand_in_a_file(tmp_path: Path) -> None:
    """Then it is in no environment and no process list."""
    secret = tmp_path / "redis"
    secret.write_text("redis://:hunter2@redis/0\n")
    assert read_config(None, {"TABLELINK_REDIS_URL_FILE": str(secret)}, {}).redis_url == "redis://:hunter2@redis/0"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour = 3", "colour '3'.*no such setting"),
        ("spool_keep_days = 0", "spool_keep_days '0'.*>= 1"),
        ('spool_keep_days = "40"', None),
        ("table = 7", "table '7'"),
        ("table = '../T1'", "table '../T1': wanted a name of 1 to 24 letters"),
        ("table = 'T 1'", "table 'T 1'"),
        ("server = 'jackpot'", "server 'jackpot': no address such as wss://HOST:PORT"),
        ("server = 'ftp://jackpot:1'", "server 'ftp://jackpot:1'"),
        ("server = 'ws://jackpot:99999'", "server 'ws://jackpot:99999'"),
        ("spool = 7", "spool '7'"),
        ("log_level = 'loud'", "log_level 'loud'"),
        ("redis_url_file = '/nowhere'", "redis_url_file.*No such file"),
        ("= 3", "not TOML"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, words: str | None) -> None:
    """With its value and where it was set."""
    file = tmp_path / "table.toml"
    file.write_text(text)
    if words is None:
        assert read_config(file, {}, {}).spool_keep_days == 40
        return
    with pytest.raises(SettingRefused, match=words) as caught:
        read_config(file, {}, {})
    assert caught.value.code == "bad_setting"


def test_a_wrong_secret_is_not_repeated() -> None:
    """An error message is read by many."""
    with pytest.raises(SettingRefused) as caught:
        read_config(None, {}, {"redis_url": ["redis://:hunter2@redis"]})
    assert "hunter2" not in str(caught.value)


def test_a_file_that_is_not_there() -> None:
    """The configuration that was named must be there."""
    with pytest.raises(SettingRefused, match="config"):
        read_config(Path("/nowhere.toml"), {}, {})


def test_the_felt(tmp_path: Path) -> None:
    """Terms and settings as they are shown in the hello, whatever white space the file had."""
    terms, settings = tmp_path / "terms.json", tmp_path / "settings.json"
    approved = TableSettings(capture="claims", limits=LimitsRecord(ante_min_cents=500))
    terms.write_bytes(demo_bytes())
    settings.write_text(settings_text(approved) + "\n")
    felt = read_felt("T1", terms, settings)
    assert canonical_bytes(felt.terms) == canonical_bytes(demo_terms())
    assert (felt.approved, felt.limits.ante_min_cents) == (approved, 500)
    assert read_felt("T1", terms, None).approved == TableSettings()


def test_settings_as_people_wrote_them(tmp_path: Path) -> None:
    """The file that the office approved is the agent's too: any order and layout, what it leaves out by default."""
    terms, settings = tmp_path / "terms.json", tmp_path / "settings.json"
    terms.write_bytes(demo_bytes())
    settings.write_text('{\n  "seats": 6,\n  "capture": "claims"\n}\n')
    assert read_felt("T1", terms, settings).approved == TableSettings(capture="claims", seats=6)


def test_terms_that_drifted_are_shown_as_they_are(tmp_path: Path) -> None:
    """The table does not judge its terms: the server names every field that is not the link's (11.9)."""
    terms = tmp_path / "terms.json"
    terms.write_bytes(tree_with("retained_ppm", 1))
    assert read_felt("T1", terms, None).terms.retained_ppm == 1


@pytest.mark.parametrize(
    ("terms", "settings", "words"),
    [
        (b"nonsense", None, "terms.json"),
        (demo_bytes(), b'{"device":"hand"}', "settings.json.*device"),
        (demo_bytes(), b'{"seats":6,"seats":7}', "settings.json.*seats: repeated.*7"),
        (demo_bytes(), b'{"seats":6', "settings.json.*not JSON"),
        (demo_bytes(), b"\xff", "settings.json"),
    ],
)
def test_a_felt_that_cannot_be_read(tmp_path: Path, terms: bytes, settings: bytes | None, words: str) -> None:
    """The file is named, and what is wrong in it."""
    there, approved = tmp_path / "terms.json", tmp_path / "settings.json"
    there.write_bytes(terms)
    approved.write_bytes(settings or b"")
    with pytest.raises(TableError, match=words):
        read_felt("T1", there, approved if settings is not None else None)


def test_a_felt_that_is_not_there(tmp_path: Path) -> None:
    """The terms that were named must be there."""
    with pytest.raises(TableError, match=r"terms .*No such file"):
        read_felt("T1", tmp_path / "terms.json", None)


def test_limits_no_wager_could_comply_with(tmp_path: Path) -> None:
    """A sign with a minimum above its maximum is no sign."""
    terms, settings = tmp_path / "terms.json", tmp_path / "settings.json"
    terms.write_bytes(demo_bytes())
    settings.write_text(settings_text(TableSettings(limits=LimitsRecord(ante_min_cents=500, ante_max_cents=100))))
    with pytest.raises(TableError, match="ante_max_cents"):
        read_felt("T1", terms, settings)


def test_a_key_as_it_was_enrolled(tmp_path: Path) -> None:
    """PEM, as `jackpot table enrol` writes it, or its bare bytes."""
    key = Ed25519PrivateKey.generate()
    path = tmp_path / "T1.key"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    assert read_key(path).private_bytes_raw() == key.private_bytes_raw()
    path.write_bytes(key.private_bytes_raw())
    assert read_key(path).private_bytes_raw() == key.private_bytes_raw()


def test_what_is_no_key(tmp_path: Path) -> None:
    """Missing, nonsense, or of another kind: said, without a part of it."""
    path = tmp_path / "T1.key"
    with pytest.raises(TableError, match="cannot be read"):
        read_key(path)
    path.write_bytes(b"hunter2")
    with pytest.raises(TableError, match="no private key") as caught:
        read_key(path)
    assert "hunter2" not in str(caught.value)
    other = generate_private_key(SECP256R1())
    path.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(TableError, match="not an Ed25519"):
        read_key(path)


def test_the_seal_is_made_once(tmp_path: Path) -> None:
    """Beside the table's key, for its owner alone, and the same ever after; one that was cut is not guessed at."""
    key = tmp_path / "T1.key"
    seal = seal_for(key)
    assert len(seal) == 32
    assert seal_for(key) == seal
    assert seal_for(tmp_path / "T2.key") != seal
    assert (tmp_path / "T1.seal").stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["T1.seal", "T2.seal"]
    (tmp_path / "T1.seal").write_bytes(b"short")
    with pytest.raises(TableError, match="32 bytes"):
        seal_for(key)
    with pytest.raises(TableError, match="cannot be read"):
        seal_for(tmp_path / "nowhere" / "T1.key")


def test_settings_are_plain_json() -> None:
    """What the hello shows is what the file holds: one canonical text."""
    assert msgspec.json.decode(settings_text(TableSettings()))["answer_within_s"] == 2
