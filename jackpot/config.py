"""Where does the server find what it needs, and who said so? One value of settings, read once at start.

Later wins: defaults, the TOML file (`--config` or `JACKPOT_CONFIG`), the environment (`JACKPOT_DATABASE_URL`), flags.
What is secret may stand in a file of its own (`database_url_file`): then it is in no environment and no process list.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jackpot.errors import OperatingError
from jackpot.serving.logs import LogForm, LogLevel, hide_secrets

__all__ = ["ENVIRONMENT", "Config", "SettingRefused", "read_config"]

ENVIRONMENT = "JACKPOT_"
"""What the names of settings in the environment begin with."""
SECRETS = ("database_url", "redis_url")
"""Settings that may hold a password, so that `NAME_file` may be given instead."""
SHOWN = 40


class SettingRefused(OperatingError):
    """A setting that cannot be used: its name, its value (never a secret one), where it was set, and why."""

    def __init__(self, field: str, value: object, source: str, reason: str) -> None:
        """Keep the field, and make one sentence."""
        text = str(value) if isinstance(value, Path) else str(value)[:SHOWN]  # half a path names no file
        shown = "" if field in SECRETS else f" {text!r}"
        super().__init__(f"{field}{shown} (from {source}): {reason}", code="bad_setting", retryable=False)
        self.field = field


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The server's settings."""

    data: Path | None = None
    """The data folder: with embedded servers, and with the keys."""
    database_url: str = ""
    """Postgres as the role `service`; empty: the embedded one of `data`."""
    redis_url: str = ""
    """Redis or Valkey; empty: the embedded one of `data`."""
    listen: str = "127.0.0.1:8080"
    """HOST:PORT, or unix:PATH."""
    keys: Path | None = None
    """The folder of the links' private keys; by default `keys` in `data`."""
    standby: bool = False
    """Whether a standby is configured: then the server is ready only while it holds every commit (PROTOCOL 5)."""
    log_form: LogForm = "auto"
    log_level: LogLevel = "info"
    publish_every_ms: Annotated[int, Meta(ge=20, le=1_000)] = 100
    """The least time between two snapshots of a link that nothing makes urgent."""

    @property
    def keys_folder(self) -> Path | None:
        """Where private keys are."""
        return self.keys or (self.data / "keys" if self.data is not None else None)

    def shown(self) -> dict[str, object]:
        """Return the settings as a log line may show them."""
        return dict(
            hide_secrets(None, "", {name: _plain(value) for name, value in msgspec.structs.asdict(self).items()})
        )


def read_config(file: Path | None, environment: Mapping[str, str], flags: Mapping[str, object]) -> Config:
    """Read the settings; flags that are None were not given.

    Raises SettingRefused, which names the setting, its value and where it was set.
    """
    file = file or (Path(environment["JACKPOT_CONFIG"]) if environment.get("JACKPOT_CONFIG") else None)
    given: dict[str, object] = {}
    sources: dict[str, str] = {}
    for source, settings in (
        (str(file), _from_file(file)),
        ("the environment", _from_environment(environment)),
        ("the command line", {name: value for name, value in flags.items() if value is not None}),
    ):
        for name, value in settings.items():
            plain, found = _secret_from_file(name, value, source)
            given[plain] = found
            sources[plain] = source
    known = {field.name: field for field in msgspec.structs.fields(Config)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise SettingRefused(name, value, sources[name], f"no such setting; known are {', '.join(known)}")
        try:
            values[name] = msgspec.convert(
                value, known[name].type, strict=not isinstance(value, str), dec_hook=_decoded
            )
        except (msgspec.ValidationError, ValueError) as error:
            raise SettingRefused(name, value, sources[name], str(error)) from None
    return Config(**values)


def _from_file(file: Path | None) -> Mapping[str, object]:
    if file is None:
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingRefused("config", file, "the command line", error.strerror or str(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingRefused("config", file, "the command line", f"not TOML: {error}") from None


def _from_environment(environment: Mapping[str, str]) -> Mapping[str, object]:
    known = {field.name for field in msgspec.structs.fields(Config)} | {f"{name}_file" for name in SECRETS}
    found = {name: environment.get(f"{ENVIRONMENT}{name.upper()}") for name in known}
    return {name: value for name, value in found.items() if value is not None}


def _secret_from_file(name: str, value: object, source: str) -> tuple[str, object]:
    plain = name.removesuffix("_file")
    if plain == name or plain not in SECRETS:
        return name, value
    value = Path(str(value))
    try:
        return plain, value.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise SettingRefused(name, value, source, str(reason)) from None


def _decoded(kind: type, value: object) -> object:
    if kind is Path and isinstance(value, str):
        return Path(value).expanduser()
    if isinstance(value, kind):
        return value
    raise ValueError(f"not a {kind.__name__.lower()}")


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value
