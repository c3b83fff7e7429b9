"""`/healthz`, `/readyz`, `/metrics`: is the process alive, may tables rely on it, and what has it counted?"""

from collections.abc import Callable, Mapping

import msgspec
from aiohttp import web

from jackpot.serving.metrics import exposition
from jackpot.telemetry import Telemetry

__all__ = ["Health"]


class Health:
    """What watches the server asks here."""

    def __init__(
        self, checks: Callable[[], Mapping[str, str]], telemetry: Telemetry, refresh: Callable[[], None]
    ) -> None:
        """`checks` says why each thing that must hold does not (empty: it does); `refresh` brings gauges up to now."""
        self._checks, self._telemetry, self._refresh = checks, telemetry, refresh

    def add_to(self, app: web.Application) -> None:
        """Serve all three."""
        app.router.add_get("/healthz", self._alive)
        app.router.add_get("/readyz", self._ready)
        app.router.add_get("/metrics", self._metrics)

    async def _alive(self, _request: web.Request) -> web.Response:
        return web.Response(text="alive\n", headers={"Cache-Control": "no-store"})

    async def _ready(self, _request: web.Request) -> web.Response:
        checks = dict(self._checks())
        wrong = {name: why for name, why in checks.items() if why}
        body = {"ready": not wrong, "checks": {name: checks[name] or "ok" for name in checks}}
        return web.Response(
            status=503 if wrong else 200,
            body=msgspec.json.encode(body),
            content_type="application/json",
            headers={"Cache-Control": "no-store"},
        )

    async def _metrics(self, _request: web.Request) -> web.Response:
        self._refresh()
        return await exposition(self._telemetry.registry)
