"""A ledger in Postgres that was brought back to some time ago, and what its tables hold of what it lost."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from msgspec import Raw

from jackpot.core.chain import decode_body
from jackpot.core.commands import command_of
from jackpot.core.ports import Batch
from jackpot.ledger.going_back import GoingBack
from jackpot.ledger.reading import PostgresLinkReader
from jackpot.ledger.store import PostgresStore
from jackpot.wire.messages import HandingIn, Held, Receipt
from tests.support.chains import FULL_HOUSE, NOTHING, ROYAL, Link
from tests.support.embedded_fixture import Database


@dataclass
class Restored:
    """A ledger that holds the first batches of a link, and the link's whole history, as its tables remember it."""

    url: str
    link: Link
    kept: int
    going_back: GoingBack

    def held(self, table: str, since: int | None = None) -> list[Held]:
        """What a table's spool holds past the head, or past so many batches."""
        return [
            Held(Raw(bytes(command.said)), Raw(bytes(one.answer)), receipt_of(batch, one.commit))
            for batch in self.link.batches[self.kept if since is None else since :]
            for one in decode_body(batch.body).commands
            if (command := command_of(bytes(one.command))).table == table and command.round
        ]

    async def hand_in(self, table: str) -> None:
        """Let a table hand in all it holds."""
        held = self.held(table)
        asked = await self.going_back.keep(table, table.encode().hex(), held[-1].receipt, HandingIn(table, held))
        assert asked is None


def receipt_of(batch: Batch, commit: int) -> Receipt:
    """The receipt of a commit of a batch."""
    return Receipt(batch.generation, commit, batch.digest.hex())


@asynccontextmanager
async def restored(ledger: Database) -> AsyncIterator[Restored]:
    """Two tables play two rounds each, the second with a royal; then the ledger is as it was before their second."""
    link = Link(2)
    for number, hands in ((1, {1: NOTHING}), (2, {1: ROYAL, 3: FULL_HOUSE})):
        for table in link.tables:
            for command in link.play(table, number, hands if table == "T1" else {1: NOTHING}):
                link.decide([command])
    kept = 5
    store = PostgresStore(ledger.service_url, link.chain)
    going_back = GoingBack(ledger.service_url, link.chain)
    try:
        for batch in link.batches[:kept]:
            await store.post(batch)
        yield Restored(ledger.service_url, link, kept, going_back)
    finally:
        await store.close()
        await going_back.close()


async def status(back: Restored) -> tuple[str, int, int]:
    """What a link's reader would have shown: status, generation, commit."""
    reader = PostgresLinkReader(back.url, back.link.chain)
    try:
        reading = await reader.reading()
        return reading.status, reading.generation, reading.commit
    finally:
        await reader.close()
