"""How the web edge says no: documents, bounded series, no tracebacks for strangers' mistakes."""

import asyncio
import io
import json

import pytest
from aiohttp import web
from prometheus_client import generate_latest

from jackpot.serving.application import new_application
from jackpot.serving.logs import set_up_logs
from jackpot.serving.metrics import new_registry, request_seconds
from jackpot.serving.problems import Problem
from tests.support.serving import asking, eventually, run


def application() -> tuple[web.Application, object]:
    """An application with one good route, one that refuses, one that errs, one that knows its error."""
    registry = new_registry()

    def translate(error: Exception) -> Problem | None:
        return Problem(503, "ledger_unreachable", "The ledger does not answer.") if isinstance(error, OSError) else None

    app = new_application(request_seconds("test", registry), translate=translate)

    async def good(_request: web.Request) -> web.Response:
        return web.Response(text="good")

    async def refuses(_request: web.Request) -> web.Response:
        raise Problem(422, "not_so", "This is not so.", field="name", value="x" * 100)

    async def errs(_request: web.Request) -> web.Response:
        raise ValueError("a secret of the inside")

    async def away(_request: web.Request) -> web.Response:
        raise OSError("gone")

    async def reads(request: web.Request) -> web.Response:
        return web.Response(text=await request.text())

    app.router.add_get("/good/{name}", good)
    app.router.add_post("/read", reads)
    app.router.add_post("/posted", good)
    app.router.add_get("/refuses", refuses)
    app.router.add_get("/errs", errs)
    app.router.add_get("/away", away)
    return app, registry


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/nowhere", 404, "not_found"),
        ("/posted", 405, "method_not_allowed"),
        ("/refuses", 422, "not_so"),
        ("/errs", 500, "internal_error"),
        ("/away", 503, "ledger_unreachable"),
    ],
)
def test_every_error_is_a_problem_document(path: str, status: int, code: str) -> None:
    """Whatever goes wrong, the answer is a problem document with its code, and tells nothing of the inside."""

    async def scene() -> None:
        async with asking(application()[0]) as client, client.get(path) as answer:
            assert answer.status == status
            assert answer.content_type == "application/problem+json"
            document = json.loads(await answer.read())
            assert document["type"] == f"urn:problem:{code}"
            assert document["status"] == status
            assert "secret" not in json.dumps(document)

    run(scene())


def test_a_problem_names_field_and_value_cut_short() -> None:
    """A wrong field is named with its value, cut at 40 characters."""

    async def scene() -> None:
        async with asking(application()[0]) as client, client.get("/refuses") as answer:
            document = json.loads(await answer.read())
            assert (document["field"], document["value"]) == ("name", "x" * 40)

    run(scene())


def test_a_wrong_method_names_the_right_ones() -> None:
    """A refused method is answered with those that are allowed."""

    async def scene() -> None:
        async with asking(application()[0]) as client, client.get("/posted") as answer:
            assert answer.headers["Allow"] == "POST"

    run(scene())


def test_every_answer_carries_the_headers_that_keep_pages_safe() -> None:
    """Good answers and problems alike carry the content policy."""

    async def scene() -> None:
        async with asking(application()[0]) as client:
            for path in ("/good/1", "/nowhere", "/errs"):
                async with client.get(path) as answer:
                    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
                    assert answer.headers["X-Content-Type-Options"] == "nosniff"

    run(scene())


def test_strangers_make_no_series() -> None:
    """Ten thousand different paths and methods add nothing to the metrics but counts (case 36)."""

    async def scene() -> None:
        app, registry = application()
        async with asking(app) as client:

            async def ask(count: int) -> None:
                for number in range(count):
                    async with client.get(f"/nowhere/{number}"), client.get(f"/good/{number}"):
                        pass
                    async with client.request(f"ODD{number}", "/nowhere"):
                        pass

            await ask(2)
            before = generate_latest(registry).count(b"\n")  # type: ignore[arg-type]
            await ask(300)
            assert generate_latest(registry).count(b"\n") == before  # type: ignore[arg-type]

    run(scene())


def test_only_what_nobody_foresaw_leaves_a_traceback() -> None:
    """A server's error is logged with its traceback, one JSON line; a stranger's mistake (a 4xx) is not."""
    stream = io.StringIO()
    set_up_logs("json", "info", stream)

    async def scene() -> None:
        async with asking(application()[0]) as client:
            for path in ("/nowhere", "/refuses", "/posted"):
                async with client.get(path):
                    pass
            assert "Traceback" not in stream.getvalue()
            assert "exception" not in stream.getvalue()
            async with client.get("/errs"):
                pass

    run(scene())
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in lines if "exception" in line] == ["request_failed"]
    assert {line["route"] for line in lines if line["event"] == "request"} >= {"unmatched", "/refuses"}


def test_who_went_away_before_the_answer_leaves_no_traceback() -> None:
    """A reader that has closed its connection meanwhile is one line of 499, and no error of the server.

    After a minute in which the server stood still the first hundreds that it answers are such.
    """
    stream = io.StringIO()
    set_up_logs("json", "info", stream)

    async def scene() -> None:
        app, _registry = application()
        came, gone = asyncio.Event(), asyncio.Event()

        async def late(request: web.Request) -> web.StreamResponse:
            came.set()
            await gone.wait()
            response = web.StreamResponse()
            await response.prepare(request)
            await response.write(b"too late")
            return response

        app.router.add_get("/late", late)
        async with asking(app) as client:
            url = client._base_url
            assert url is not None
            _reader, writer = await asyncio.open_connection(url.host, url.port)
            writer.write(b"GET /late HTTP/1.1\r\nHost: boards\r\n\r\n")
            await came.wait()
            writer.transport.abort()
            await asyncio.sleep(0)
            async with client.get("/good/1"):  # by then the server has heard of it
                gone.set()
            await eventually(lambda: "/late" in stream.getvalue())

    run(scene())
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["status"] for line in lines if line.get("route") == "/late"] == [499]
    assert not [line for line in lines if "exception" in line]


def test_what_is_not_http_leaves_no_traceback() -> None:
    """Bytes that are no request are answered 400 and leave one line without a traceback."""
    stream = io.StringIO()
    set_up_logs("json", "info", stream)

    async def scene() -> None:
        async with asking(application()[0]) as client:
            url = client._base_url
            assert url is not None
            reader, writer = await asyncio.open_connection(url.host, url.port)
            writer.write(b"\x16\x03\x01 what is this\r\n\r\n")
            assert b"400" in await reader.readline()
            writer.close()
            await writer.wait_closed()

    run(scene())
    assert "Traceback" not in stream.getvalue()
    assert '"exception"' not in stream.getvalue()


@pytest.mark.parametrize(
    ("headers", "body", "answer"),
    [
        (b"Content-Encoding: deflate\r\nContent-Length: 7\r\n", b"garbage", b"HTTP/1.1 400 "),
        (
            b"Content-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n",
            b"7\r\ngarbage\r\n0\r\n\r\n",
            b"HTTP/1.1 400 ",
        ),
        (b"Content-Length: 100\r\n", b"half of it", b""),
    ],
)
def test_a_body_that_cannot_be_read_leaves_no_traceback(headers: bytes, body: bytes, answer: bytes) -> None:
    """A body that is not coded as its headers say is answered 400; of one that breaks off no error is made."""
    stream = io.StringIO()
    set_up_logs("json", "info", stream)

    async def scene() -> None:
        async with asking(application()[0]) as client:
            url = client._base_url
            assert url is not None
            reader, writer = await asyncio.open_connection(url.host, url.port)
            writer.write(b"POST /read HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n" + body)
            await writer.drain()
            if answer:
                assert (await reader.readline()).startswith(answer)
            writer.close()
            await writer.wait_closed()
            await eventually(lambda: '"route": "/read"' in stream.getvalue())

    run(scene())
    assert '"exception"' not in stream.getvalue()
    assert "request_failed" not in stream.getvalue()
    assert '"status": 400' in stream.getvalue()
