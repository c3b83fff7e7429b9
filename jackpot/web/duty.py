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
from jackpot.web.duty_samples import EVERY_S, History, sample_of

__all__ = ["Duty"]

OLD_AFTER_S: Final = 3 * EVERY_S
"""Counts older than that are no answer: whoever notes them has stopped."""

STARTING_LOOKS: Final = 40


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

    def add_to(self, app: web.Application) -> None:
        """Serve the page and what it shows."""
        app.router.add_get("/duty", self._serve_page)
        app.router.add_get("/duty/now", self._serve_now)

    async def keep_sampling(self) -> None:
        """Note every ten seconds what the server has counted, for ever.

        A process that just started has asked nobody yet: until the first answers came, ten seconds at most, nothing is
        noted, and the page says that the server is starting and not that Postgres is away.
        """
        for _look in range(STARTING_LOOKS):
            if not any(self._checks().values()):
                break
            await asyncio.sleep(EVERY_S / STARTING_LOOKS)
        while True:
            self.sample()
            await asyncio.sleep(EVERY_S)

    def sample(self) -> None:
        """Note what the server has counted by now."""
        self._refresh()
        history = self._history
        history.take(sample_of(self._telemetry.registry.collect(), time.monotonic(), time.time_ns() // 1_000_000))
        for link in self._names():
            for line in LINES:
                history.draw(f"{link}/{line}", point_now(history, link, line))

    async def _serve_page(self, _request: web.Request) -> web.Response:
        return self._page.render(page=self._assets.version)

    async def _serve_now(self, request: web.Request) -> web.Response:
        links = sorted(self._names())
        link = request.query.get("link") or next(iter(links), "")
        served = self._directory.link(link) if link else None
        if link and (link not in links or served is None):
            raise Problem(404, "no_such_link", "This server serves no such link.", field="link", value=link)
        history = self._history
        wrong = {name: why for name, why in self._checks().items() if why}
        since_s = time.monotonic() - history.now.elapsed_s if history.now else math.inf
        if since_s > OLD_AFTER_S:
            wrong["duty"] = f"what the server counted was last noted {since_s:.0f} s ago" if history.now else "starting"
        terms = served.terms("") if served is not None else None
        answered = (
            answers(history, link, currency=terms.currency if terms is not None else "")
            if link and since_s <= OLD_AFTER_S
            else []
        )
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
