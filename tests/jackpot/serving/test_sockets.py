"""What a kernel is asked of the machine at the other end of a connection."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jackpot.serving.sockets import _INFO, Acknowledged
from tests.support.serving import eventually, run, vanish


async def a_few_ticks() -> None:
    """Let a kernel's clock go on, in whose ticks it counts how long a machine has been silent."""
    until_s = time.monotonic() + 0.03
    await eventually(lambda: time.monotonic() > until_s)


@asynccontextmanager
async def full() -> AsyncIterator[tuple[asyncio.Transport, socket.socket]]:
    """A connection, and the machine at its other end that takes no more, since nobody reads there."""
    connected = asyncio.get_running_loop().create_future()
    server = await asyncio.start_server(lambda _, writer: connected.set_result(writer), "127.0.0.1", 0)
    with socket.socket() as reads:
        reads.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reads.connect(server.sockets[0].getsockname())
        writer: asyncio.StreamWriter = await connected
        transport = writer.transport
        assert isinstance(transport, asyncio.Transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while not transport.get_write_buffer_size():
            transport.write(b"x" * 700)
        yield transport, reads
        transport.abort()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
    server.close()
    await server.wait_closed()


def waits(transport: asyncio.Transport) -> bool:
    """Whether something that was sent is still waited for."""
    info = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO.size)
    return bool(_INFO.unpack(info)[0])


def test_a_machine_that_reads_again_is_not_stuck() -> None:
    """Its room is full for long, then it reads: what is sent to it at once is waited for, yet it did speak."""

    async def play() -> None:
        for _ in range(10):
            async with full() as (transport, reads):
                await eventually(lambda: not waits(transport))
                with Acknowledged(transport) as machine:
                    assert not machine.is_stuck()
                    await a_few_ticks()
                    assert not machine.is_stuck(), "it has acknowledged all that it had room for"
                    await a_few_ticks()
                    reads.recv(1 << 14)
                    assert not machine.is_stuck()

    run(play())


def test_a_machine_that_is_gone_is_stuck() -> None:
    """Nothing came from it since the question before, and it was sent something."""

    async def play() -> None:
        async with full() as (transport, reads):
            with Acknowledged(transport) as machine:
                vanish(reads)
                reads.recv(1 << 14)  # makes room, but whatever is sent into it is lost
                await eventually(machine.is_stuck)

    run(play())
