"""One application as both programs serve it: errors as documents, requests counted and logged, pages kept safe."""

import time
from collections.abc import Callable

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from prometheus_client import Histogram

from jackpot.serving.metrics import METHODS, bounded
from jackpot.serving.problems import Translate, problem_documents, route_of

__all__ = ["SECURITY_HEADERS", "new_application"]

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Sent with everything: a page runs only what this server serves, and stands in nobody's frame."""
LARGEST_BODY = 64 * 1024

_log = structlog.get_logger(__name__)


def new_application(
    seconds: Histogram,
    *,
    translate: Translate = lambda _: None,
    quiet: Callable[[str], bool] = lambda _: False,
) -> web.Application:
    """Return an application whose requests are timed in `seconds` and logged, unless `quiet` says so of their route."""
    app = web.Application(
        middlewares=[_observed(seconds, quiet), problem_documents(translate)], client_max_size=LARGEST_BODY
    )
    app.on_response_prepare.append(_secure)
    return app


async def _secure(_request: web.Request, response: web.StreamResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers["Server"] = "jackpot"


def _observed(seconds: Histogram, quiet: Callable[[str], bool]) -> Middleware:
    """Time and log each request under its route's pattern: what strangers ask for makes no new series (case 36)."""

    @web.middleware
    async def observed(request: web.Request, handler: Handler) -> web.StreamResponse:
        route, began, status = route_of(request), time.perf_counter(), 499
        try:
            response = await handler(request)
            status = response.status
        except web.HTTPException as error:
            status = error.status
            raise
        else:
            return response
        finally:
            took = time.perf_counter() - began
            method = bounded(request.method, METHODS)
            if status != 101 and not quiet(route):
                seconds.labels(route, method, f"{status // 100}xx").observe(took)
                _log.info("request", method=method, route=route, status=status, ms=round(took * 1000, 1))

    return observed
