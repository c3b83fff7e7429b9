"""What a table's connection says of its own end: whose words could not be read is not the other's fault."""

import asyncio
import contextlib

import pytest
from aiohttp import web

from jackpot.serving.running import Listen, listening
from jackpot.wire.codec import encode
from jackpot.wire.messages import BadFrame, Challenge, HelloBody
from tablelink.client import Arrived, Client, Lost
from tests.support.frames import BODY
from tests.support.running import run

UNREAD = encode(BadFrame("body.last_receipt.generation", "1002", "no ledger of this link has begun so many lives"))
ENDS = {
    "a hello that the server cannot read": (
        UNREAD,
        "the server could not read this table's hello: body.last_receipt.generation: no ledger of this link",
    ),
    "a word that the table cannot read": (b'{"kind":"nonsense"}', "the server sent what cannot be read: "),
}


@pytest.mark.parametrize(("word", "why"), [*ENDS.values()], ids=[*ENDS])
def test_whose_words_could_not_be_read(word: bytes, why: str) -> None:
    """The log of the table names the side that whoever reads it has to look at."""

    async def serve(request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        await ws.send_str(encode(Challenge("00" * 32, [1])).decode())
        await ws.receive()
        await ws.send_str(word.decode())
        await ws.close()
        return ws

    async def hello() -> HelloBody:
        return BODY

    async def play() -> str:
        app = web.Application()
        app.router.add_get("/tables/T1", serve)
        lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def told(arrived: Arrived) -> None:
            if isinstance(arrived, Lost) and not lost.done():
                lost.set_result(arrived.why)

        async with listening(app, Listen("127.0.0.1", 0)) as address:
            client = Client(address.replace("http", "ws", 1), "T1", hello, lambda _data: b"", told)
            running = asyncio.create_task(client.run())
            try:
                return await lost
            finally:
                running.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await running

    assert run(play()).startswith(why)
