"""How does a web edge say no: as a problem document (RFC 9457), never as a page of a framework or a traceback.

A handler raises `Problem`; `problem_documents` turns it, the framework's own errors and whatever else goes wrong into
documents. Only what nobody foresaw is logged with a traceback; who went away before the answer is no error of ours.
"""

from collections.abc import Callable

import msgspec
import structlog
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

__all__ = ["CONTENT_TYPE", "Problem", "problem_documents", "problem_response"]

CONTENT_TYPE = "application/problem+json"
LONGEST_VALUE = 40
"""How much of a wrong value is given back: enough to find it."""
ASKER_GONE = 499
"""Whoever asked has closed the connection; after a server stood still most of those that wait have."""

_log = structlog.get_logger(__name__)


class Problem(Exception):
    """Why a request is not answered: the HTTP status, a code that never changes meaning, and one clear sentence.

    `field` and `value` name what was wrong where one field was; the value is cut at 40 characters.
    """

    def __init__(self, status: int, code: str, detail: str, *, field: str = "", value: object = "") -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
        self.value = str(value)[:LONGEST_VALUE]


Translate = Callable[[Exception], Problem | None]
"""Turns an exception a program knows into a problem; None for one it does not know."""


def problem_response(problem: Problem) -> web.Response:
    """Return a problem as its document."""
    document: dict[str, str | int] = {
        "type": f"urn:problem:{problem.code}",
        "title": problem.code.replace("_", " "),
        "status": problem.status,
        "detail": problem.detail,
    }
    if problem.field:
        document |= {"field": problem.field, "value": problem.value}
    headers = {"Cache-Control": "no-store"}
    if problem.status == 503:
        headers["Retry-After"] = "1"
    return web.Response(
        status=problem.status, body=msgspec.json.encode(document), content_type=CONTENT_TYPE, headers=headers
    )


def problem_documents(translate: Translate = lambda _: None) -> Middleware:
    """Return the middleware that answers every error with a problem document.

    Always logs a traceback for what nobody foresaw, and never for a request that was merely wrong.
    """

    @web.middleware
    async def documents(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as error:
            if error.status < 400:
                raise
            response = problem_response(_of_framework(error))
            response.headers.extend({name: error.headers[name] for name in ("Allow",) if name in error.headers})
            return response
        except Exception as error:  # noqa: BLE001 - whatever it is, the stranger gets a document and the log the rest
            if error is request.content.exception():
                return problem_response(Problem(400, "unreadable", "What was sent breaks off or cannot be decoded."))
            if isinstance(error, ConnectionResetError) and _has_gone(request):
                return web.Response(status=ASKER_GONE)  # sent to nobody: it is for the log
            problem = error if isinstance(error, Problem) else translate(error)
            if problem is None:
                _log.exception("request_failed", method=request.method, route=route_of(request))
                problem = Problem(500, "internal_error", "The server made an error; nothing was changed.")
            return problem_response(problem)

    return documents


def _has_gone(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


def route_of(request: web.Request) -> str:
    """Return the pattern a request matched (`/boards/{link}`): one of a fixed set, whatever strangers ask for."""
    resource = request.match_info.route.resource
    return "unmatched" if resource is None else resource.canonical


def _of_framework(error: web.HTTPException) -> Problem:
    code = error.reason.lower().replace(" ", "_").replace("'", "").replace("-", "_")
    details = {
        404: "There is nothing at this address.",
        405: "This address is not asked in this way.",
        413: "What was sent is too large.",
    }
    return Problem(error.status, code, details.get(error.status, error.text or error.reason))
