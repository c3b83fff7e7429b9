"""Where does a table find what it needs, and who said so? One value of settings, read once at start.

Later wins: defaults, the TOML file (`--config` or `TABLELINK_CONFIG`), the environment (`TABLELINK_SERVER`), flags. The
approved settings of the table (limits, rulings, device, timers) stand in a file of their own, as `jackpot table enrol`
wrote it, because the server holds them to be equal.
"""

import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from jackpot.serving.logs import LogForm, LogLevel
from jackpot.serving.settings import SettingFault, read_settings, setting_sentence
from jackpot.serving.tls import TlsFault, believing
from jackpot.wire.codec import FrameError
from jackpot.wire.settings import TableSettings, parse_settings
from jackpot.wire.written import hold_name
from rules.records import RecordError
from rules.terms import TermsError, parse_form
from tablelink.core.felt import Felt, lay_felt
from tablelink.errors import TableError

__all__ = ["ENVIRONMENT", "Config", "SettingRefused", "believed", "held_table", "read_config", "read_felt"]

ENVIRONMENT = "TABLELINK_"
SCHEMES = frozenset({"ws", "wss", "http", "https"})
SECRETS = ("redis_url",)
"""Settings that may hold a password, so that `NAME_file` may be given instead."""


class SettingRefused(TableError):
    """A setting that cannot be used: its name, its value (never a secret one), where it was set, and why."""

    def __init__(self, field: str, value: object, source: str, reason: str) -> None:
        """Keep the field, and make one sentence."""
        super().__init__(setting_sentence(field, value, source, reason, SECRETS), code="bad_setting")
        self.field = field


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An agent's settings. Paths are relative to the working folder."""

    server: str = "ws://127.0.0.1:8080"
    """The jackpot server, ws:// or wss://."""
    redis_url: str = ""
    """Redis or Valkey; empty: no meter, and so no jackpot."""
    table: str = "T1"
    keys: Path = Path("keys")
    """The folder of the table's key, `T1.key`, and of its seal."""
    spool: Path = Path("spool")
    """The folder of the table's spool, `T1.spool`."""
    terms: Path = Path("terms.json")
    """The terms on the table's own felt and sign."""
    settings: Path | None = None
    """The settings approved for this table, as JSON; none: the defaults, with no limits on the sign."""
    ca: Path | None = None
    """Certificates that the server's is checked against; none: those of the system."""
    listen: str = ""
    """HOST:PORT or unix:PATH for `/metrics` and `/healthz`; empty: nowhere."""
    play_on_after_s: Annotated[int, Meta(ge=-1)] | None = None
    """After so long a simulated supervisor lets play go on without its jackpot; -1: only a person; none: see `run`."""
    spool_keep_days: Annotated[int, Meta(ge=1, le=4000)] = 40
    """As long as backups of the ledger reach back; whole gaming months are kept, so it may be two months more."""
    log_form: LogForm = "auto"
    log_level: LogLevel = "info"


def read_config(file: Path | None, environment: Mapping[str, str], flags: Mapping[str, object]) -> Config:
    """Read the settings; flags that are None were not given.

    Raises SettingRefused, which names the setting, its value and where it was set.
    """
    try:
        config = read_settings(Config, file, environment, flags, prefix=ENVIRONMENT, secrets=SECRETS)
    except SettingFault as fault:
        raise SettingRefused(*fault.parts) from None
    held_table(config.table)
    if not _reachable(config.server):
        raise SettingRefused("server", config.server, "", "no address such as wss://HOST:PORT, or ws:// without TLS")
    return config


def held_table(name: str) -> str:
    """Return a table's name, which is that of its files too; raises SettingRefused for what is none."""
    try:
        hold_name("table", name)
    except FrameError as error:
        raise SettingRefused("table", name, "", error.reason) from None
    return name


def _reachable(server: str) -> bool:
    try:
        parts = urlsplit(server)
        return parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def read_felt(table: str, terms: Path, settings: Path | None) -> Felt:
    """Return what lies on a table's felt: the terms of a file, and the settings approved for the table.

    Never asks whether the terms make sense: that is for the server, which names every field that is not the link's.
    Raises TableError naming file, field and value.
    """
    try:
        shown = parse_form(_read(terms, "terms"))
        approved = TableSettings() if settings is None else parse_settings(_read(settings, "settings"))
        return lay_felt(table, shown, approved)
    except TermsError as error:
        raise TableError(f"{terms}: {error}", code="bad_terms") from error
    except (FrameError, RecordError) as error:
        raise TableError(f"{settings}: {error}", code="bad_settings") from error


def _read(path: Path, field: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingRefused(field, path, "", error.strerror or str(error)) from None


def believed(config: Config) -> ssl.SSLContext | None:
    """Return what the table believes of a server's certificate, None without TLS; raises SettingRefused."""
    if not config.server.startswith(("wss://", "https://")):
        if config.ca is not None:
            why = f"the server {config.server[:40]!r} is reached without TLS: give its address as wss://"
            raise SettingRefused("ca", config.ca, "", why)
        return None
    try:
        return believing("ca", config.ca)
    except TlsFault as fault:
        raise SettingRefused(fault.field, fault.path, "", fault.reason) from None
