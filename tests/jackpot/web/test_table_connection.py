"""A table's connection whose peer has left while what it had said lay in the socket."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

from aiohttp import WSMessage, WSMsgType

from jackpot.web.table_connection import TableConnection

if TYPE_CHECKING:
    from jackpot.web.sessions import Session


class Left:
    """A socket that holds a ping, and whose peer has gone."""

    def __init__(self) -> None:
        """Begin with the ping unread."""
        self.said = [WSMessage(WSMsgType.PING, b"", None), WSMessage(WSMsgType.CLOSED, None, None)]

    async def receive(self) -> WSMessage:
        """Read on."""
        return self.said.pop(0)

    async def pong(self, _data: bytes) -> None:
        """There is nobody to answer."""
        raise ConnectionResetError("Cannot write to closing transport")


def test_a_ping_of_a_table_that_has_left_is_no_fault_of_the_server() -> None:
    """A server that stood still reads it a minute late: the connection ends as any other."""
    ws = Left()
    connection = TableConnection(cast("Any", ws), cast("Any", None), lambda: 0)
    asyncio.run(connection.read(cast("Session", type("Quiet", (), {"receive": None})())))
    assert ws.said == []
