"""A link, its directory and its meters as the web edge sees them, with replies that a test writes down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.core.answers import ConnectedAnswer
from jackpot.core.by_people import RoundPlace
from jackpot.core.commands import Connect
from jackpot.core.ports import Heard, Reply, Submitted
from jackpot.core.state import Enrolled
from jackpot.wire.codec import encode
from jackpot.wire.messages import ByPeople, HandIn, HandingIn, HitNow, Receipt, RoundNow
from jackpot.wire.refusals import Refusal
from jackpot.wire.snapshots import HitShown, PoolShown, Snapshot
from rules.terms import Terms, fingerprint
from tests.support.terms import demo_terms

RECEIPT = Receipt(1, 7, "ab" * 32)


def public(key: Ed25519PrivateKey) -> str:
    """The public half of a key, as the site writes it down."""
    return key.public_key().public_bytes_raw().hex()


@dataclass
class ScriptedLink:
    """A link whose inbox is a list; the hello of a table that is there is accepted, the test answers all else."""

    name: str = "southern"
    link_key: str = "cd" * 32
    inbox: list[Submitted] = field(default_factory=list)
    connects: list[Connect] = field(default_factory=list)
    hits_now: tuple[HitNow, ...] = ()
    hello_reply: Callable[[Connect], Reply] | None = None
    hello_round: RoundNow | None = None
    """How the table's last round stands, as the reply to an accepted hello has it."""
    standings: dict[tuple[str, int], str] = field(default_factory=dict)
    rounds_now: dict[str, RoundNow] = field(default_factory=dict)
    looked: int = 0
    """How often it was asked whether a connection is the table still."""
    arrived: Callable[[], None] = lambda: None

    def submit(self, submitted: Submitted) -> None:
        """Take a command; a hello is accepted at once, and not decided where its table has left."""
        message = submitted.command.message
        if isinstance(message, Connect) and submitted.gone is not None and submitted.gone():
            submitted.reply(Reply(submitted.command.id, b"", None, Refusal.BUSY))
            return
        if isinstance(message, Connect):
            self.connects.append(message)
            submitted.reply(self.hello_reply(message) if self.hello_reply else self._welcome(submitted, message))
            return
        self.inbox.append(submitted)
        self.arrived()

    def answer(self, answer: msgspec.Struct, *, hits: tuple[HitNow, ...] = ()) -> None:
        """Answer the oldest command in the inbox."""
        submitted = self.inbox.pop(0)
        submitted.reply(Reply(submitted.command.id, encode(answer), RECEIPT, None, hits))

    def month(self) -> str:
        """The gaming month."""
        return "2026-11"

    def hits(self, table: str) -> tuple[HitNow, ...]:
        """The hits of the test."""
        return self.hits_now if table == "T1" else ()

    receipts: "ScriptedPeople | None" = None
    behind = False

    def round_now(self, table: str) -> RoundNow | None:
        """As the test says."""
        return self.rounds_now.get(table)

    def standing(self, table: str, journal: int, connection: int, terms: str) -> str:  # noqa: ARG002 - as the port has it
        """As the test says."""
        self.looked += 1
        return self.standings.get((table, connection), "")

    def terms(self, name: str = "") -> Terms | None:
        """The demonstration's terms."""
        demo = demo_terms()
        return demo if name in {"", fingerprint(demo)} else None

    def _welcome(self, submitted: Submitted, hello: Connect) -> Reply:
        answer = ConnectedAnswer(hello.journal or 1, hello.connection, 0, fingerprint(demo_terms()))
        return Reply(submitted.command.id, encode(answer), RECEIPT, round=self.hello_round, month="2026-11")


@dataclass
class ScriptedPeople:
    """A ledger that holds every receipt, and what people did to a round."""

    did: list[ByPeople] | Exception
    asked: list[RoundPlace] = field(default_factory=list)

    async def wanted(
        self,
        table: str,  # noqa: ARG002 - as the port has it
        spool: str,  # noqa: ARG002 - as the port has it
        receipt: Receipt | None,  # noqa: ARG002 - as the port has it
        *,
        stopped: bool,  # noqa: ARG002 - as the port has it
    ) -> tuple[bool, HandIn | None]:
        """Nothing is lost."""
        return False, None

    async def keep(
        self,
        table: str,  # noqa: ARG002 - as the port has it
        spool: str,  # noqa: ARG002 - as the port has it
        receipt: Receipt | None,  # noqa: ARG002 - as the port has it
        frame: HandingIn,  # noqa: ARG002 - as the port has it
    ) -> HandIn | None:
        """Nothing is asked for."""
        return None

    async def by_people(self, place: RoundPlace, seats: int) -> list[ByPeople]:  # noqa: ARG002 - as the port has it
        """As the test says."""
        self.asked.append(place)
        if isinstance(self.did, Exception):
            raise self.did
        return self.did


@dataclass
class ScriptedDirectory:
    """Tables of one link, each with its key."""

    scripted: ScriptedLink = field(default_factory=ScriptedLink)
    tables: dict[str, Ed25519PrivateKey] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def enrolled(self, table: str) -> Enrolled | None:
        """A table that was given a key."""
        self.asked.append(table)
        key = self.tables.get(table)
        return Enrolled(table, self.scripted.name, public(key), 1, 1) if key is not None else None

    def link(self, name: str) -> ScriptedLink | None:
        """The one link."""
        return self.scripted if name == self.scripted.name else None


@dataclass
class ScriptedMeters:
    """What "came over Redis", when the test says so."""

    newest: dict[str, Heard] = field(default_factory=dict)
    told: list[Callable[[str, Heard], None]] = field(default_factory=list)

    def heard(self, link: str) -> Heard | None:
        """The newest of a link."""
        return self.newest.get(link)

    def watch(self, told: Callable[[str, Heard], None]) -> None:
        """Keep who is to be told."""
        self.told.append(told)

    def come(self, heard: Heard) -> None:
        """Let a snapshot come."""
        self.newest[heard.snapshot.link] = heard
        for told in self.told:
            told(heard.snapshot.link, heard)


def snapshot(cents: int, commit: int, *, beat: int = 0, hits: Sequence[HitShown] = (), **fields: object) -> Snapshot:
    """A snapshot of the demonstration's link."""
    given: dict[str, object] = {
        "link": "southern",
        "generation": 1,
        "commit": commit,
        "status": "running",
        "terms": fingerprint(demo_terms()),
        "month": "2026-11",
        "pools": [PoolShown("main", 1, cents, 0, "")],
        "hits": list(hits),
        "publisher": "test",
        "beat": beat or commit,
        "elapsed_ms": commit,
    }
    return msgspec.convert(given | fields, Snapshot)
