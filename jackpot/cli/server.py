"""The server: everything is bound together here, and nowhere else. It runs until it is told to stop."""

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis.asyncio import Redis

from jackpot.bus import Hearing, connect_redis, elapsed_ms, keep_hearing
from jackpot.cli.links import LinkAtWork, Site, ended, kept_running
from jackpot.cli.output import UsageError
from jackpot.cli.reach import embedded_servers
from jackpot.cli.self_check import SelfCheck, keep_checkpoint, leave_checkpoint
from jackpot.cli.watching import keep_auditing, keep_looking_at_database
from jackpot.config import Config, SettingRefused
from jackpot.core.state import LinkState
from jackpot.errors import OperatingError
from jackpot.ledger.checkpoint import Checkpoint
from jackpot.ledger.failures import LedgerUnreachable
from jackpot.ledger.revisions import hold_schema
from jackpot.serving.application import new_application
from jackpot.serving.logs import set_up_logs, without_secrets
from jackpot.serving.metrics import keep_measuring_lag
from jackpot.serving.problems import Problem
from jackpot.serving.running import (
    Connections,
    Listen,
    ListenError,
    check_free,
    collect_seldom,
    listening,
    run_until_stopped,
)
from jackpot.serving.tls import ServerCertificate, TlsFault, renewing
from jackpot.serving.watched import watched
from jackpot.telemetry import Telemetry
from jackpot.web.boards import Boards
from jackpot.web.duty import Duty
from jackpot.web.health import Health
from jackpot.web.tables import Tables

__all__ = ["run_server"]

QUIET = frozenset({"/healthz", "/readyz", "/metrics", "/duty/now", "/boards/{link}/shown"})
"""Routes that are asked all day: they are not logged."""

_log = structlog.get_logger(__name__)


def run_server(settings: Config, began: Callable[[str, str], None]) -> None:
    """Serve until SIGTERM or SIGINT; `began` is told the address it is reached at, and where Redis is, without secrets.

    Raises UsageError, SettingRefused, and what `jackpot.embedded` and migrations raise.
    """
    set_up_logs(settings.log_form, settings.log_level)
    try:
        where = Listen.parse(settings.listen)
    except ListenError as error:
        raise SettingRefused("listen", settings.listen, "", str(error)) from None
    keys = settings.keys_folder
    if keys is None:
        raise UsageError("say where private keys are: --keys DIR, or --data DIR")
    _check_free(where)
    certificate = _certificate(settings)
    with _servers(settings) as (ledger_url, bus_url):
        server = Server(settings, ledger_url, bus_url, keys, certificate)

        async def main(stop: asyncio.Event) -> None:
            async with AsyncExitStack() as stack:
                try:
                    address = await server.start(stack, where)
                except ListenError as error:
                    raise _another_address(error) from None
                collect_seldom()
                began(address, without_secrets(bus_url))
                _log.info("serving", address=address, **settings.shown())
                async with watched():
                    await stop.wait()

        run_until_stopped(main)


def _check_free(where: Listen) -> None:
    """Ask whether the address is free before Postgres is started for it; raises UsageError."""
    try:
        check_free(where)
    except ListenError as error:
        raise _another_address(error) from None


def _another_address(error: ListenError) -> UsageError:
    return UsageError(f"{error}: name another address, --listen HOST:PORT")


def _certificate(settings: Config) -> ServerCertificate | None:
    """Read the certificate to be shown, if any; raises SettingRefused naming setting and file."""
    cert, key = settings.tls_cert, settings.tls_key
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        missing, given = ("tls_key", "tls_cert") if key is None else ("tls_cert", "tls_key")
        raise SettingRefused(missing, "", "", f"{given} is given: a certificate and its key go together")
    try:
        return ServerCertificate(cert, key)
    except TlsFault as fault:
        raise SettingRefused(fault.field, fault.path, "", fault.reason) from None


@contextmanager
def _servers(settings: Config) -> Iterator[tuple[str, str]]:
    """Give the addresses of Postgres and Redis: those set, else the embedded ones, started where they do not run."""
    if settings.database_url and settings.redis_url:
        yield settings.database_url, settings.redis_url
        return
    if settings.data is None:
        missing = "redis_url" if settings.database_url else "database_url"
        raise SettingRefused(missing, "", "", "needed where there is no data folder (--data)")
    with embedded_servers(settings.data, valkey=not settings.redis_url) as servers:
        yield settings.database_url or servers.service_url, settings.redis_url or servers.redis_url


@dataclass(frozen=True, slots=True)
class Server:
    """The server's parts, before they run."""

    settings: Config
    ledger_url: str
    bus_url: str
    keys: Path
    certificate: ServerCertificate | None = None

    async def start(self, stack: AsyncExitStack, where: Listen) -> str:
        """Start all parts; they end, in the right order, with the stack. Return the address it is reached at.

        Raises SchemaDiffers. A ledger that does not answer is waited for, and its schema looked at when it does.
        """
        with suppress(LedgerUnreachable):
            await hold_schema(self.ledger_url)
        telemetry, connections = Telemetry(), Connections()
        hearing = Hearing(telemetry, own=f"{os.uname().nodename[:16]}-{os.getpid()}-{secrets.token_hex(4)}")
        redis = connect_redis(self.bus_url)
        stack.push_async_callback(redis.aclose)
        listener = connect_redis(self.bus_url)
        stack.push_async_callback(listener.aclose)
        file = self.settings.checkpoint_file
        checkpoint = None if file is None else Checkpoint(file)
        if checkpoint is None:
            _log.warning("no_checkpoint_file", setting="checkpoint", why="a restored ledger is noticed by less")
        check = SelfCheck(redis, telemetry.alarm, checkpoint)
        begin = self._beginning(hearing.own, redis, telemetry, checkpoint)
        site = Site(self.ledger_url, self.keys, begin, hearing, check)
        if checkpoint is not None:
            stack.push_async_callback(lambda: leave_checkpoint(checkpoint, site.marks()))
        stack.push_async_callback(site.stop)
        tables = Tables(site, connections, telemetry)
        screens = self.settings.screens.split()
        boards = Boards(site, hearing, connections, telemetry, elapsed_ms=elapsed_ms, screens=screens)

        def checks() -> Mapping[str, str]:
            return _checks(site, hearing, telemetry)

        def refresh() -> None:
            _refresh(site, hearing, tables, boards, telemetry)

        health = Health(checks, telemetry, refresh)
        duty = Duty(site, lambda: site.links, telemetry, checks, refresh=refresh, assets=boards.assets)
        app = new_application(telemetry.requests, translate=_problem, quiet=QUIET.__contains__)
        for part in (tables, boards, health, duty):
            part.add_to(app)

        async def farewell(_app: object) -> None:
            for link in site.links.values():
                link.closing = True
            await tables.drain()
            await connections.close_all()

        app.on_shutdown.append(farewell)
        await site.look()
        for name, work in (
            ("site", site.keep_looking),
            ("hearing", lambda: keep_hearing(hearing, listener)),
            ("beats", boards.keep_beating),
            ("duty", duty.keep_sampling),
            ("tables", tables.keep_looking),
            *((("checkpoint", lambda: keep_checkpoint(checkpoint, site.marks)),) if checkpoint is not None else ()),
            *self._watching(telemetry, lambda: not any(checks().values())),
        ):
            task = asyncio.create_task(kept_running(name, work, telemetry.task_failed))
            stack.push_async_callback(ended, task)
        if self.certificate is None:
            return await stack.enter_async_context(listening(app, where))
        await stack.enter_async_context(renewing(self.certificate, telemetry.certificate_ends))
        return await stack.enter_async_context(listening(app, where, tls=self.certificate.context))

    def _watching(
        self, telemetry: Telemetry, ready: Callable[[], bool]
    ) -> Sequence[tuple[str, Callable[[], Awaitable[None]]]]:
        settings, url = self.settings, self.ledger_url
        return (
            ("lag", lambda: keep_measuring_lag(telemetry.loop_lag.of())),
            ("database", lambda: keep_looking_at_database(url, settings.data, telemetry)),
            ("audit", lambda: keep_auditing(url, settings.audit_every_s, telemetry, ready)),
        )

    def _beginning(
        self, publisher: str, redis: Redis, telemetry: Telemetry, checkpoint: Checkpoint | None
    ) -> Callable[[LinkState, Ed25519PrivateKey], LinkAtWork]:
        settings = self.settings

        def begin(state: LinkState, key: Ed25519PrivateKey) -> LinkAtWork:
            return LinkAtWork(
                self.ledger_url,
                state,
                key,
                redis,
                telemetry,
                publisher=publisher,
                least_s=settings.publish_every_ms / 1000,
                standby=settings.standby,
                checkpoint=lambda: None if checkpoint is None else checkpoint.furthest(state.chain),
            )

        return begin


def _checks(site: Site, hearing: Hearing, telemetry: Telemetry) -> Mapping[str, str]:
    up = telemetry.registry.get_sample_value("jackpot_redis_up")
    checks = {"site": site.problem, "redis": "" if up else "the channels of snapshots are not read"}
    for name, link in site.links.items():
        checks |= link.problems()
        heard = hearing.heard(name)
        fresh = heard is not None and heard.live and elapsed_ms() - heard.at_ms < 5_000
        checks[f"meter/{name}"] = "" if fresh else "no snapshot came back in the last 5 seconds"
    return checks


def _refresh(site: Site, hearing: Hearing, tables: Tables, boards: Boards, telemetry: Telemetry) -> None:
    """Bring every gauge up to now that is worked out when somebody asks."""
    connected = tables.connected()
    for name, link in site.links.items():
        link.show(connected, hearing.heard(name))
        telemetry.displayed(name, link.state, boards.furthest(name))
        telemetry.standing.others(link.state, tables.welcomed(), another=hearing.another(name, elapsed_ms()))
    telemetry.ready.set(not any(_checks(site, hearing, telemetry).values()))
    telemetry.refresh()


def _problem(error: Exception) -> Problem | None:
    if isinstance(error, OperatingError):
        return Problem(503 if error.retryable else 500, error.code, str(error))
    return None
