"""Where settings come from, who wins, and how a wrong one is named."""

from pathlib import Path

import pytest

from jackpot.config import Config, SettingRefused, read_config


def test_later_wins(tmp_path: Path) -> None:
    """Flags win over the environment, that over the file, that over defaults."""
    file = tmp_path / "jackpot.toml"
    file.write_text('listen = "1.1.1.1:1"\nlog_level = "debug"\npublish_every_ms = 200\n')
    environment = {"JACKPOT_LISTEN": "2.2.2.2:2", "JACKPOT_LOG_LEVEL": "error", "JACKPOT_CONFIG": str(file)}
    config = read_config(None, environment, {"listen": "3.3.3.3:3", "log_level": None})
    assert (config.listen, config.log_level, config.publish_every_ms) == ("3.3.3.3:3", "error", 200)
    assert read_config(None, {}, {}) == Config()


def test_a_secret_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    """An address with a password is read from the file named, and never shown."""
    secret = tmp_path / "url"
    secret.write_text("postgresql://service:hunter2@db/jackpot\n")
    config = read_config(None, {"JACKPOT_DATABASE_URL_FILE": str(secret)}, {"redis_url": "redis://:hunter3@redis/0"})
    assert config.database_url == "postgresql://service:hunter2@db/jackpot"
    assert "hunter" not in str(config.shown())


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        ({"publish_every_ms": 5}, "publish_every_ms '5' (from the command line)"),
        ({"publish_every_ms": True}, "publish_every_ms 'True'"),
        ({"log_form": "xml"}, "log_form 'xml' (from the command line): wanted auto, json, console"),
        ({"nothing_like_it": 1}, "nothing_like_it '1'"),
        ({"data": 7}, "data '7'"),
        ({"config_file": "x"}, "config_file 'x'"),
    ],
)
def test_a_wrong_setting_is_named_with_its_value_and_source(flags: dict[str, object], named: str) -> None:
    """A setting that cannot be used says which, what stood there, and who set it."""
    with pytest.raises(SettingRefused) as refused:
        read_config(None, {}, flags)
    assert named in str(refused.value)


def test_a_wrong_secret_is_not_shown() -> None:
    """A database address of a wrong kind is named without its value."""
    with pytest.raises(SettingRefused) as refused:
        read_config(None, {}, {"database_url": ["postgresql://service:hunter2@db"]})
    assert str(refused.value).startswith("database_url (from the command line)")


@pytest.mark.parametrize("text", ["listen = ", "\xff", '[section]\nlisten = "x"'])
def test_a_file_that_is_wrong_is_named(tmp_path: Path, text: str) -> None:
    """A file that is not TOML, or holds what is no setting, is named."""
    file = tmp_path / "jackpot.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(SettingRefused) as refused:
        read_config(file, {}, {})
    assert str(file) in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A file that cannot be read is named, settings and secrets alike."""
    nowhere = tmp_path / "none"
    with pytest.raises(SettingRefused, match="none"):
        read_config(nowhere, {}, {})
    with pytest.raises(SettingRefused, match="none"):
        read_config(None, {"JACKPOT_REDIS_URL_FILE": str(nowhere)}, {})
