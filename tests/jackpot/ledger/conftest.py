"""Ledgers for the tests: a migrated database of a test's own, and stores of either kind over one chain."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field

import pytest

from jackpot.embedded import Servers
from jackpot.ledger.migrate import migrate
from jackpot.ledger.runner import StoppableStore
from jackpot.ledger.store import PostgresStore
from tests.support.embedded_fixture import Database, drop_database, fresh_database
from tests.support.memory_store import MemoryLedger
from tests.support.patience import patience


@pytest.fixture
def as_shipped() -> None:
    """Ask for it where the seconds are tested that a connection to the ledger waits."""


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest) -> Iterator[None]:
    """No machine or disk that stands still for some seconds fails a test that is not about them."""
    with nullcontext() if "as_shipped" in request.fixturenames else patience():
        yield


@pytest.fixture(scope="session")
def migrated(servers: Servers) -> Iterator[Database]:
    """A migrated database that nobody uses, to be copied."""
    made = fresh_database(servers)
    asyncio.run(migrate(made.owner_url))
    yield made
    drop_database(servers, made)


@pytest.fixture
def ledger(servers: Servers, migrated: Database) -> Iterator[Database]:
    """A migrated ledger without a batch, of the test's own."""
    made = fresh_database(servers, template=migrated.name)
    yield made
    drop_database(servers, made)


@dataclass
class Stores:
    """One chain, and stores of as many processes as a test wants."""

    make: Callable[[str], StoppableStore]
    kind: str
    opened: list[StoppableStore] = field(default_factory=list)

    def store(self, chain: str = "southern") -> StoppableStore:
        """The store of one more process."""
        self.opened.append(self.make(chain))
        return self.opened[-1]

    @asynccontextmanager
    async def closing(self) -> AsyncIterator["Stores"]:
        """Close every store at the end."""
        try:
            yield self
        finally:
            for store in self.opened:
                await store.close()


@pytest.fixture(params=["memory", "postgres"])
def stores(request: pytest.FixtureRequest) -> Stores:
    """Stores over one new chain: in memory, and in Postgres."""
    if request.param == "postgres":
        database: Database = request.getfixturevalue("ledger")
        return Stores(lambda chain: PostgresStore(database.service_url, chain), "postgres")
    ledgers: dict[str, MemoryLedger] = {}
    return Stores(lambda chain: ledgers.setdefault(chain, MemoryLedger(chain)).store(), "memory")
