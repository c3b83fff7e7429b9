"""`/duty`: one page for whoever is called at night. Five questions, their answers, and the last hour in charts.

It asks nothing of Postgres or Redis, so it answers while they do not.
"""

import asyncio
import math
import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web
from msgspec import Struct

from jackpot.core.ports import Directory
from jackpot.serving.assets import Assets, Page
from jackpot.serving.problems import Problem
from jackpot.telemetry import Telemetry
from jackpot.web.duty_questions import LINES, Answer, answers, point_now
from jackpot.web.duty_samples import EVERY_S, History, Sample, sample_of

__all__ = ["Duty"]

OLD_AFTER_S: Final = 3 * EVERY_S
"""Counts older than that are no answer: whoever notes them has stopped."""

LOOK_S: Final = 0.25
ASKED_WITHIN_S: Final = EVERY_S
"""So long may the first answers of all that is asked take, after a start or a pause."""
PAUSED_S: Final = 2.0
"""A process that was not run for so long has read nothing meanwhile; what it read before is old, not wrong."""


class Now(Struct, frozen=True):
    """What the page shows of one link; `at_ms` is the server's time of day when it was counted."""

    link: str
    links: list[str]
    process: int
    at_ms: int
    every_s: int
    ready: bool
    not_ready: dict[str, str]
    page: str
    answers: list[Answer]


class Duty:
    """The duty page of this process."""

    def __init__(
        self,
        directory: Directory,
        names: Callable[[], Iterable[str]],
        telemetry: Telemetry,
        checks: Callable[[], Mapping[str, str]],
        *,
        refresh: Callable[[], None],
        assets: Assets,
    ) -> None:
        """`names` are the links served; `checks` are those of `/readyz`; `refresh` brings gauges up to now."""
        self._directory, self._names, self._telemetry = directory, names, telemetry
        self._checks, self._refresh, self._assets = checks, refresh, assets
        self._page = Page(Path(__file__).with_name("duty.html"), assets)
        self._history = History()
        self._noted: Mapping[str, str] = {}
        """What was wrong when the server's counts were noted last."""
        self._given: dict[tuple[str, str], tuple[Sample | None, list[Answer]]] = {}
        """The answers given last, by link and currency, and for which of the samples."""
        self._pause = (0.0, -math.inf)
        """For how long the process was not run last, and when that ended."""

    def add_to(self, app: web.Application) -> None:
        """Serve the page and what it shows."""
        app.router.add_get("/duty", self._serve_page)
        app.router.add_get("/duty/now", self._serve_now)

    async def keep_sampling(self) -> None:
        """Note every ten seconds what the server has counted, for ever.

        A process that just started, or was not run for a while (a stopped process, a frozen machine), has asked nobody
        yet: until the first answers came, ten seconds at most, nothing is noted, and the page says so and not that
        Postgres is away.
        """
        while True:
            await self._ask_anew()
            self.sample()
            while not await self._rest():
                self.sample()

    async def _ask_anew(self) -> None:
        """Wait until all that is asked has answered, ten seconds at most."""
        until_s = time.monotonic() + ASKED_WITHIN_S
        while any(self._checks().values()) and time.monotonic() < until_s:
            await self._look()

    async def _rest(self) -> bool:
        """Wait until it is time to note again, or until after a pause: say whether it was that."""
        until_s = time.monotonic() + EVERY_S
        while time.monotonic() < until_s:
            if await self._look():
                return True
        return False

    async def _look(self) -> bool:
        """Wait a moment; say whether that lasted far longer, because the process was not run."""
        began_s = time.monotonic()
        await asyncio.sleep(LOOK_S)
        ended_s = time.monotonic()
        if ended_s - began_s > PAUSED_S:
            self._pause = (ended_s - began_s, ended_s)
            return True
        return False

    def _paused(self) -> str:
        """Say that the process was not run and has not asked all anew since; empty where it was not."""
        lasted_s, ended_s = self._pause
        ago_s = time.monotonic() - ended_s
        noted_s = self._history.now.elapsed_s if self._history.now else -math.inf
        if not lasted_s or noted_s > ended_s:
            return ""
        return f"it was not run for {lasted_s:.0f} s until {ago_s:.0f} s ago, and read nothing meanwhile"

    def sample(self) -> None:
        """Note what the server has counted by now."""
        self._refresh()
        self._noted = self._wrong()
        history = self._history
        history.take(sample_of(self._telemetry.registry.collect(), time.monotonic(), time.time_ns() // 1_000_000))
        for link in self._names():
            for line in LINES:
                history.draw(f"{link}/{line}", point_now(history, link, line))

    def _wrong(self) -> dict[str, str]:
        """Why the server is not ready, thing by thing."""
        return {name: why for name, why in self._checks().items() if why}

    def _note_again(self) -> None:
        """Note anew where something went wrong, or is well again, since it was noted: no look is told otherwise."""
        if self._history.now is not None and self._wrong() != self._noted:
            self._history.forget_newest()
            self.sample()

    def _answers(self, link: str, currency: str) -> list[Answer]:
        """Answer for a link, once for all who ask before something is noted again: wagers wait for it meanwhile."""
        noted, given = self._given.get((link, currency), (None, []))
        if noted is None or noted is not self._history.now:
            given = answers(self._history, link, currency=currency)
            self._given[link, currency] = (self._history.now, given)
        return given

    async def _serve_page(self, _request: web.Request) -> web.Response:
        return self._page.render(page=self._assets.version)

    async def _serve_now(self, request: web.Request) -> web.Response:
        links = sorted(self._names())
        link = request.query.get("link") or next(iter(links), "")
        served = self._directory.link(link) if link else None
        if link and (link not in links or served is None):
            raise Problem(404, "no_such_link", "This server serves no such link.", field="link", value=link)
        history, wrong = self._history, self._wrong()
        if paused := self._paused():
            wrong["server"] = paused
        else:
            self._note_again()
        since_s = time.monotonic() - history.now.elapsed_s if history.now else math.inf
        if since_s > OLD_AFTER_S:
            wrong["duty"] = f"what the server counted was last noted {since_s:.0f} s ago" if history.now else "starting"
        terms = served.terms("") if served is not None else None
        currency = terms.currency if terms is not None else ""
        answered = self._answers(link, currency) if link and since_s <= OLD_AFTER_S else []
        now = Now(
            link=link,
            links=links,
            process=os.getpid(),
            at_ms=history.now.at_ms if history.now else 0,
            every_s=EVERY_S,
            ready=not wrong,
            not_ready=wrong,
            page=self._assets.version,
            answers=answered,
        )
        body = msgspec.json.encode(now)
        response = web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})
        response.enable_compression()
        return response
