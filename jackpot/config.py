"""Where does the server find what it needs, and who said so? One value of settings, read once at start.

Later wins: defaults, the TOML file (`--config` or `JACKPOT_CONFIG`), the environment (`JACKPOT_DATABASE_URL`), flags.
What is secret may stand in a file of its own (`database_url_file`): then it is in no environment and no process list.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from jackpot.errors import OperatingError
from jackpot.serving.logs import LogForm, LogLevel, hide_secrets
from jackpot.serving.settings import SettingFault, read_settings, setting_sentence

__all__ = ["ENVIRONMENT", "Config", "SettingRefused", "read_config"]

ENVIRONMENT = "JACKPOT_"
"""What the names of settings in the environment begin with."""
SECRETS = ("database_url", "redis_url")
"""Settings that may hold a password, so that `NAME_file` may be given instead."""


class SettingRefused(OperatingError):
    """A setting that cannot be used: its name, its value (never a secret one), where it was set, and why."""

    def __init__(self, field: str, value: object, source: str, reason: str) -> None:
        """Keep the field, and make one sentence."""
        sentence = setting_sentence(field, value, source, reason, SECRETS)
        super().__init__(sentence, code="bad_setting", retryable=False)
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
    checkpoint: Path | None = None
    """The file that says how far each link's ledger had come (PROTOCOL 5), on another disk than Postgres' folder where
    there is one; by default `checkpoint.json` in `data`."""
    tls_cert: Path | None = None
    """The certificate shown to tables and boards as PEM, with its issuers; none: no TLS."""
    tls_key: Path | None = None
    """The certificate's private key as PEM."""
    standby: bool = False
    """Whether a standby is configured: then the server is ready only while it holds every commit (PROTOCOL 5)."""
    log_form: LogForm = "auto"
    log_level: LogLevel = "info"
    publish_every_ms: Annotated[int, Meta(ge=20, le=1_000)] = 100
    """The least time between two snapshots of a link that nothing makes urgent."""

    screens: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_ -]*$")] = ""
    """The names of the site's boards (`?board=NAME`), apart by spaces: then they alone count as boards, and no other
    name begins or ends an alarm. Empty: every board counts."""
    audit_every_s: Annotated[int, Meta(ge=0, le=604_800)] = 3_600
    """How often the server audits its own ledger, in seconds, beginning when it is ready; 0: never."""

    @property
    def keys_folder(self) -> Path | None:
        """Where private keys are."""
        return self.keys or (self.data / "keys" if self.data is not None else None)

    @property
    def checkpoint_file(self) -> Path | None:
        """Where it is written how far each link's ledger has come."""
        return self.checkpoint or (self.data / "checkpoint.json" if self.data is not None else None)

    def shown(self) -> dict[str, object]:
        """Return the settings as a log line may show them."""
        return dict(
            hide_secrets(None, "", {name: _plain(value) for name, value in msgspec.structs.asdict(self).items()})
        )


def read_config(file: Path | None, environment: Mapping[str, str], flags: Mapping[str, object]) -> Config:
    """Read the settings; flags that are None were not given.

    Raises SettingRefused, which names the setting, its value and where it was set.
    """
    try:
        return read_settings(Config, file, environment, flags, prefix=ENVIRONMENT, secrets=SECRETS)
    except SettingFault as fault:
        raise SettingRefused(*fault.parts) from None


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value
