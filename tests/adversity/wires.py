"""A TCP proxy on the loopback in a process of its own: lines that can be held, slowed, cut and refused.

`python -m tests.adversity.wires database redis tables` says its ports as one line of JSON, then does what each line of
its standard input says (`database hold both`) and answers each with `ok`; `database held` it answers with how often
somebody has spoken on that line since. It ends with its standard input.

A line that is *held* swallows nothing: bytes stay where they are, connections stay open, new ones are taken and hear
nothing; a black hole is a hold that ends in a cut. *half open* is a hold of one direction. What is held when the near
ends are orphaned still arrives when it is delivered, long after who sent it has begun again on a new connection.
"""

import asyncio
import json
import socket
import struct
import sys
from dataclasses import dataclass, field

__all__ = ["Line"]

CHUNK = 65_536
HELLO_WORDS = 3


@dataclass
class Line:
    """One proxied address."""

    target: str = ""
    """`HOST:PORT` or `/path/of/a/socket`; empty: nobody is there."""
    slow_s: float = 0.0
    hasty_s: float = 0.0
    """So long after it has said its third word a connection is reset; nought: it is left alone."""
    refusing: bool = False
    up: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while bytes pass towards the target."""
    down: asyncio.Event = field(default_factory=asyncio.Event)
    open: set[asyncio.StreamWriter] = field(default_factory=set)
    near: set[asyncio.StreamWriter] = field(default_factory=set)
    orphaned: list[asyncio.Event] = field(default_factory=list)
    held: int = 0
    """How often something came that was held, since the last hold."""

    def __post_init__(self) -> None:
        self.up.set()
        self.down.set()

    def do(self, words: list[str]) -> str:
        """Do what is said of this line; returns what is answered."""
        match words:
            case ["to", target]:
                self.target = target
            case ["held"]:
                return str(self.held)
            case ["hold", way]:
                self.held = 0
                for gate in self._gates(way):
                    gate.clear()
            case ["clear"]:
                self.slow_s, self.hasty_s, self.refusing = 0.0, 0.0, False
                self.up.set()
                self.down.set()
            case ["orphan"]:
                self.orphaned.append(self.up)
                self.up = asyncio.Event()
                self.up.set()
                for writer in self.near:
                    _reset(writer)
            case ["deliver"]:
                for gate in self.orphaned:
                    gate.set()
                self.orphaned.clear()
            case ["slow", ms]:
                self.slow_s = int(ms) / 1000
            case ["hasty", ms]:
                self.hasty_s = int(ms) / 1000
            case ["refuse"]:
                self.refusing = True
                self.cut()
            case ["cut"]:
                self.cut()
            case _:
                raise ValueError(words)
        return "ok"

    def _gates(self, way: str) -> list[asyncio.Event]:
        return [gate for name, gate in (("up", self.up), ("down", self.down)) if way in {name, "both"}]

    def cut(self) -> None:
        """Break every connection with a reset; what was on its way is lost."""
        for writer in self.open:
            _reset(writer)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either side ends it."""
        far: asyncio.StreamWriter | None = None
        self.open.add(writer)
        self.near.add(writer)
        try:
            if self.refusing:
                return
            await self.up.wait()
            far_reader, far = await self._reach()
            self.open.add(far)
            ways = [
                asyncio.create_task(self._carry(reader, far, self.up, hasty=writer)),
                asyncio.create_task(self._carry(far_reader, writer, self.down)),
            ]
            _done, left = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in left:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        except OSError:
            pass  # nobody is there
        finally:
            self.near.discard(writer)
            for one in (writer, far):
                if one is not None:
                    self.open.discard(one)
                    _reset(one)

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self.target.startswith("/"):
            return await asyncio.open_unix_connection(self.target)
        host, _, port = self.target.rpartition(":")
        if not port:
            raise ConnectionRefusedError
        return await asyncio.open_connection(host, int(port))

    async def _carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        gate: asyncio.Event,
        *,
        hasty: asyncio.StreamWriter | None = None,
    ) -> None:
        words = 0
        while data := await reader.read(CHUNK):
            words += 1
            if self.slow_s:
                await asyncio.sleep(self.slow_s)
            self.held += not gate.is_set()
            await gate.wait()
            writer.write(data)
            await writer.drain()
            # The first two words of a table ask for the connection and say hello: the third is its wagers or a record.
            if self.hasty_s and hasty is not None and words >= HELLO_WORDS:
                asyncio.get_running_loop().call_later(self.hasty_s, _reset, hasty)
        await gate.wait()  # an end is held too: what a dead network never tells


def _reset(writer: asyncio.StreamWriter) -> None:
    own = writer.get_extra_info("socket")
    if own is not None and own.family == socket.AF_INET and own.fileno() >= 0:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _main(names: list[str]) -> None:
    lines = {name: Line() for name in names}
    servers = [await asyncio.start_server(line.serve, "127.0.0.1", 0) for line in lines.values()]
    ports = {name: server.sockets[0].getsockname()[1] for name, server in zip(names, servers, strict=True)}
    _say(json.dumps(ports))
    told = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(told), sys.stdin)
    while said := (await told.readline()).decode().split():
        _say(lines[said[0]].do(said[1:]))
    for line in lines.values():
        line.cut()


def _say(words: str) -> None:
    print(words, flush=True)  # noqa: T201 - a program prints


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1:]))
