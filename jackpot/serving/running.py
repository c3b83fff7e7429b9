"""How a program with a web edge starts, and how it ends: on SIGTERM within five seconds, with everything connected.

Long-lived connections (WebSockets, server-sent events) are kept in `Connections`, so that the end of the program is
told to all of them at once.
"""

import asyncio
import contextlib
import gc
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import structlog
import uvloop
from aiohttp import web

__all__ = ["Connections", "Listen", "ListenError", "check_free", "collect_seldom", "listening", "run_until_stopped"]

T = TypeVar("T")
GRACE_S = 1.0
"""How long open connections may take to say good-bye, requests to be answered, and again to be cancelled.

The end of a program takes under five seconds with all of it.
"""
YOUNG_VALUES = 50_000
"""So many new values are looked through for cycles at once: under 10 MB."""

_log = structlog.get_logger(__name__)


class ListenError(ValueError):
    """A text that is no address to listen on, or an address that cannot be listened on."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Where to listen: a host and a port (0: any that is free), or a Unix socket.

    >>> Listen.parse("127.0.0.1:8080"), Listen.parse("[::1]:0").host, Listen.parse("unix:/run/jackpot.sock").path
    (Listen(host='127.0.0.1', port=8080, path=''), '::1', '/run/jackpot.sock')
    """

    host: str = "127.0.0.1"
    port: int = 0
    path: str = ""

    @classmethod
    def parse(cls, text: str) -> "Listen":
        """Read `HOST:PORT` or `unix:PATH`; raises ListenError naming the text."""
        if text.startswith("unix:") and len(text) > len("unix:"):
            return cls("", 0, text.removeprefix("unix:"))
        host, colon, port = text.rpartition(":")
        if not colon or not port.isascii() or not port.isdigit() or int(port) > 65_535:
            raise ListenError(f"{text!r} is no address to listen on: wanted HOST:PORT or unix:PATH")
        return cls(host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port))


def check_free(listen: Listen) -> None:
    """Raise ListenError where a host and port are taken or not ours, before anything else is started for them.

    **Never** holds the address: who takes it a moment later is noticed by `listening`. Asks nothing of a Unix socket.
    """
    if listen.path:
        return
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(
            listen.host, listen.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, protocol) as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    tried.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                tried.bind(address)
    except OSError as error:
        raise _cannot_listen(listen, error) from error


def _cannot_listen(listen: Listen, error: OSError) -> ListenError:
    where = listen.path or f"{listen.host}:{listen.port}"
    return ListenError(f"cannot listen on {where}: {error.strerror or error}")


class Connection(Protocol):
    """A connection that lasts until somebody ends it."""

    async def close(self) -> None:
        """End it; **if repeated** nothing more happens."""
        ...


class Connections:
    """The long-lived connections of an application."""

    def __init__(self) -> None:
        """Begin with none."""
        self._open: set[Connection] = set()
        self.closing = False

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._open)

    @contextlib.contextmanager
    def holding(self, connection: Connection) -> Iterator[None]:
        """Hold a connection while the context lasts."""
        self._open.add(connection)
        try:
            yield
        finally:
            self._open.discard(connection)

    async def close_all(self, _app: web.Application | None = None) -> None:
        """End all at once, and wait for them no longer than the time of grace. Give it to `on_shutdown`."""
        self.closing = True
        closing = [asyncio.ensure_future(connection.close()) for connection in self._open]
        if closing:
            _done, late = await asyncio.wait(closing, timeout=GRACE_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*closing, return_exceptions=True)


@contextlib.asynccontextmanager
async def listening(app: web.Application, listen: Listen, *, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Serve an application while the context lasts, and give the address it is reached at.

    Raises ListenError where the address is taken or not ours.
    """
    runner = web.AppRunner(
        app, handle_signals=False, access_log=None, shutdown_timeout=GRACE_S, keepalive_timeout=75, tcp_keepalive=True
    )
    await runner.setup()
    try:
        site: web.BaseSite
        if listen.path:
            site = web.UnixSite(runner, listen.path, ssl_context=tls)
        else:
            site = web.TCPSite(runner, listen.host, listen.port, ssl_context=tls, backlog=1024)
        try:
            await site.start()
        except OSError as error:
            raise _cannot_listen(listen, error) from error
        yield _address(runner, listen, "https" if tls else "http")
    finally:
        await runner.cleanup()
        if listen.path:
            Path(listen.path).unlink(missing_ok=True)  # noqa: ASYNC240 - one name in a local folder


def collect_seldom() -> None:
    """Let Python look for cycles seldom, and never among what is there already. Call it when a program has started.

    A batch makes tens of thousands of values that die with it and no cycles; looking through them, and through all that
    was loaded, costs a seventh of what a batch does. Cycles are still found, some megabytes later.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_VALUES, 20, 50)


def run_until_stopped(main: Callable[[asyncio.Event], Coroutine[None, None, T]]) -> T:
    """Run a program's one coroutine on uvloop; SIGTERM and SIGINT set the event it is given.

    A second signal cancels it: whoever presses Ctrl-C twice does not want to wait.
    """

    async def stoppable() -> T:
        stop, loop, task = asyncio.Event(), asyncio.get_running_loop(), asyncio.current_task()

        def asked(name: str) -> None:
            if stop.is_set() and task is not None:
                task.cancel()
            else:
                _log.info("stopping", signal=name)
                stop.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, asked, number.name)
        try:
            return await main(stop)
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(stoppable())


def _address(runner: web.AppRunner, listen: Listen, scheme: str) -> str:
    if listen.path:
        return f"unix:{listen.path}"
    host, port = runner.addresses[0][:2]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
