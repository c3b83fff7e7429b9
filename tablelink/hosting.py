"""A table that plays one of the five games by itself: its settings, its people and devices, its spool, what it shows.

Needs no server, no Redis, no key and no terms; a setting of a jackpot link is refused by name, because nobody who gave
it wants a table without one.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog
from rich.console import Console

from jackpot.serving.running import Listen, ListenError, listening
from rules.games import GAMES
from rules.records import RecordError
from tablelink.config import Config, SettingRefused
from tablelink.core.floor import Floor, closed_floor
from tablelink.core.floor.value import approved_of
from tablelink.desk import wall_clock_us
from tablelink.errors import TableError
from tablelink.hosted import Host, Rounds
from tablelink.hosted_console import Driven, Lines
from tablelink.hosted_floor import FloorSpool
from tablelink.hosted_output import HostedTelemetry, Shower
from tablelink.hosted_replay import recorded_rounds
from tablelink.hosted_screen import DeviceLines, Terminal
from tablelink.hosted_simulation import simulated_rounds
from tablelink.hosted_spool import HostedSpool
from tablelink.keys import seal_for
from tablelink.telemetry import application

__all__ = ["LINK_SETTINGS", "Hosting", "check_unlinked", "host", "is_hosted_game"]

LINK_SETTINGS: Final = (
    "server",
    "redis_url",
    "redis_url_file",
    "terms",
    "settings",
    "ca",
    "play_on_after_s",
    "stack_deck",
)
"""What only a table on a link is told."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Hosting:
    """What a hosted table is told: its game and name, who plays, how fast and how long, and how it is shown."""

    game: str
    config: Config
    replay: Path | None
    seed: int | None
    rounds: int | None
    pace_s: float
    as_json: bool
    console: bool = False
    """Whether people make its moves, a line at a time."""

    def planned(self) -> Rounds:
        """The rounds of its people and devices; raises TableError where none were named."""
        if self.replay is not None:
            return partial(recorded_rounds, self.replay, self.game)
        if self.seed is not None:
            return partial(simulated_rounds, self.seed, self.config.table, self.game)
        raise TableError(
            "Nobody is at the table: say --console, --simulate, or --replay FILE.", code="nobody_at_the_table"
        )


def is_hosted_game(game: str, *, no_link: bool) -> bool:
    """Whether a table of a game plays by itself; raises TableError for a game that is none of the five."""
    if game not in GAMES:
        raise TableError(f"No such game: {game[:40]!r}; known are {', '.join(GAMES)}.", code="no_such_game")
    return no_link or not GAMES[game].linked


def check_unlinked(
    game: str,
    config: Config,
    flags: Mapping[str, object],
    environment: Mapping[str, str],
    prefix: str,
    *,
    console: bool = False,
) -> None:
    """Refuse a setting of a link at a table that joins none; raises SettingRefused naming it.

    A table that people drive is told what is approved for it by ``settings``.
    """
    usual = Config()
    for name in LINK_SETTINGS:
        if console and name == "settings":
            continue
        variable = f"{prefix}{name.upper()}"
        if flags.get(name) is not None:
            value, source = flags[name], "the command line"
        elif variable in environment:
            value, source = environment[variable], "the environment"
        elif getattr(config, name, None) != getattr(usual, name, None):
            value, source = getattr(config, name), "the configuration"
        else:
            continue
        title = GAMES[game].title
        why = "this table was told --no-link" if GAMES[game].linked else f"a {title} table joins no jackpot link"
        raise SettingRefused(name, value, source, f"{why}: leave it out")


async def host(hosting: Hosting, stop: asyncio.Event) -> bool:
    """Run a hosted table until its rounds are played or `stop` is set; returns whether every round was settled.

    Raises TableError where it cannot go on; what was settled before is in its spool and was shown.
    """
    config, game = hosting.config, hosting.game
    if hosting.console:
        await _driven(hosting, stop)
        return True
    rounds = hosting.planned()
    telemetry = HostedTelemetry(config.table, game)
    write = partial(print, flush=True) if hosting.as_json else None
    console = Console(file=sys.stdout, highlight=False)
    shower = Shower(game, telemetry, write, console, counted="line" if hosting.replay else "round")
    path = config.spool / f"{config.table}.spool"
    with HostedSpool(path, config.table, game, seal=_seal(config), now_us=wall_clock_us) as spool:
        table = Host(spool, shower, pace_s=hosting.pace_s, keep_days=config.spool_keep_days)
        async with _served(telemetry, config.listen):
            await table.run(rounds, stop, hosting.rounds)
        played = table.played
        said: dict[str, Any] = {"table": config.table, "game": game, "edition": GAMES[game].edition}
        said |= {"rounds": played.rounds, "refused": played.refused, "moves": played.moves}
        said |= {"moves_refused": dict(sorted(played.moves_refused.items())), "spool": spool.totals()}
        shower.totals(said)
        return not spool.totals()["refused"]


async def _driven(hosting: Hosting, stop: asyncio.Event) -> None:
    """Run a table that people drive, from standard input, until that ends or `stop` is set."""
    config = hosting.config
    telemetry = HostedTelemetry(config.table, hosting.game)
    screen: DeviceLines | Terminal = DeviceLines(telemetry, partial(print, flush=True))
    if not hosting.as_json:
        console = Console(file=sys.stdout, highlight=False)
        screen = Terminal(telemetry, console, typed_here=sys.stdin.isatty() and console.is_terminal)
    stated = _stated(config, hosting.game)
    path = config.spool / f"{config.table}.spool"
    with FloorSpool(path, config.table, hosting.game, seal=_seal(config), now_us=wall_clock_us) as spool:
        floor = _stands(spool, config, hosting.game, stated)
        table = Driven(spool, floor, screen, wall_clock_us, as_json=hosting.as_json, keep_days=config.spool_keep_days)
        lines = Lines(sys.stdin.fileno())
        lines.start()
        async with _served(telemetry, config.listen):
            await table.run(lines, stop)
        screen.end(spool)


def _stated(config: Config, game: str) -> str | None:
    """The file of what is approved for the table, where there is one, read through once.

    Raises SettingRefused where it cannot be read, TableError naming field and value where it states what cannot be.
    """
    if config.settings is None:
        return None
    try:
        stated = config.settings.read_text("utf-8").strip()
        approved_of(game, stated)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not UTF-8"
        raise SettingRefused("settings", config.settings, "the configuration", why) from None
    except RecordError as error:
        raise TableError(f"{config.settings}: {error}", code="bad_settings") from error
    return stated


def _stands(spool: FloorSpool, config: Config, game: str, stated: str | None) -> Floor:
    """The table as it was left; one that is closed by what is approved for it now.

    Raises TableError where a table without a file needs one.
    """
    try:
        floor = spool.floor(stated or "{}", wall_clock_us())
    except RecordError as error:
        raise TableError(f"A {GAMES[game].title} table needs --settings: {error}", code="bad_settings") from error
    if stated is None or stated == floor.approved:
        return floor
    if floor.around.state != "closed" or floor.stated:
        _log.warning("settings", why="the table is open: the approved settings hold when it opens next")
        return floor
    floor = closed_floor(game, config.table, stated, floor.around.now_us, floor.last)
    spool.set_approved(floor)
    return floor


def _seal(config: Config) -> bytes:
    """The key for cards that are not turned, made on first use."""
    try:
        config.keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"The folder {config.keys} cannot be made: {error.strerror}.", code="no_seal") from error
    return seal_for(config.keys / f"{config.table}.key")


@contextlib.asynccontextmanager
async def _served(telemetry: HostedTelemetry, listen: str) -> AsyncIterator[None]:
    if not listen:
        yield
        return
    try:
        async with listening(application(telemetry), Listen.parse(listen)) as address:
            _log.info("metrics", address=address)
            yield
    except ListenError as error:
        raise TableError(str(error), code="cannot_listen") from error
