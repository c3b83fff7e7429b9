"""What a spool keeps through every kind of ending, what it hides, and what it refuses to be."""

import hashlib
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw

from jackpot.wire.codec import decode_from_table
from jackpot.wire.messages import Answer, Receipt, Signed
from jackpot.wire.signing import NO_HEAD, signed_bytes
from rules.cards import cards_text
from tablelink.core.dealing import Dealing, lamps, prompt, step
from tablelink.core.inputs import (
    Answered,
    AwaitAnswer,
    Deal,
    DealerTurned,
    Dealt,
    Decide,
    GoOn,
    Granted,
    Input,
    NoMoreBets,
    Placed,
    Post,
    Voided,
)
from tablelink.core.outbox import Settled
from tablelink.errors import TableError
from tablelink.simulation import simulated_table
from tablelink.spool import DAY_US, Spool, Write
from tablelink.spool_file import open_spool
from tests.support.tables import GRANTED, SHOWN, felt, green, play

FELT = felt()
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
SEAL = bytes(range(32))


HOLD = """
import sys
from pathlib import Path
from tablelink.spool import Spool
spool = Spool(Path(sys.argv[1]), "T1", seal=bytes(32), sign=bytes)
print("held", flush=True)
sys.stdin.read()
"""


def opened(path: Path, *, table: str = "T1", seal: bytes = SEAL) -> Spool:
    """A spool of a table."""
    return Spool(path, table, seal=seal, sign=KEY.sign)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a spool may be."""
    return tmp_path / "T1.spool"


class Desk:
    """Takes steps as an agent does: written first, then true."""

    def __init__(self, spool: Spool) -> None:
        """Begin as the spool has it."""
        self.spool = spool
        self.dealing = spool.rebuild(FELT)
        self.sent: list[tuple[bytes, str]] = []

    def take(self, given_: Input, answered: str = "", *, late: bool = False) -> None:
        """Take a step, with the answer that it may be."""
        before = self.dealing
        after, posts = step(before, given_, FELT)
        starts = before.round is None and after.round is not None
        answer = Answer(answered, Raw(b"{}"), Receipt(1, len(self.sent), "ab"), "2026-11")
        settled = Settled(answered, answer, late) if answered else None
        self.sent += self.spool.write(Write((given_,), posts, settled, before if starts else None), 1)
        self.dealing = after


BETS = NoMoreBets((Placed(1, 1000, 100, 100), Placed(3, 500)), (), SHOWN)
WAGERS = "T1/1/2026-11/1/wagers/1"


def test_power_lost_between_write_and_send(path: Path) -> None:
    """The wagers are in the spool and were never sent: they are sent now, or withdrawn; the seat is amber (case 39)."""
    with opened(path) as spool:
        desk = Desk(spool)
        desk.take(GRANTED)
        desk.take(BETS)
    with opened(path) as spool:
        again = Desk(spool)
        assert again.dealing == desk.dealing
        assert prompt(again.dealing, FELT) == AwaitAnswer(1, WAGERS)
        assert lamps(again.dealing) == {1: "placed", 3: "dark"}
        assert spool.unanswered() == desk.sent == [(desk.sent[0][0], WAGERS)]
        again.take(GoOn("no answer within 2 s"))
        assert [name for _body, name in spool.unanswered()] == ["T1/1/2026-11/1/withdraw/1"]
    with opened(path) as spool:
        assert lamps(spool.rebuild(FELT)) == {1: "dark", 3: "dark"}
        assert [name for _body, name in spool.unanswered()] == ["T1/1/2026-11/1/withdraw/1"]


def test_power_lost_between_answer_and_light(path: Path) -> None:
    """The answer is in the spool: after the restart the seat is wagered and lit, not withdrawn (case 54)."""
    with opened(path) as spool:
        desk = Desk(spool)
        desk.take(GRANTED)
        desk.take(BETS)
        desk.take(Answered(WAGERS, green(1)), WAGERS)
    with opened(path) as spool:
        again = spool.rebuild(FELT)
        assert lamps(again) == {1: "accepted", 3: "dark"}
        assert prompt(again, FELT) == Deal(1, (1, 3))
        assert spool.unanswered() == []
        assert spool.last_receipt() == Receipt(1, 1, "ab")


def test_a_new_disk_is_a_new_journal(path: Path) -> None:
    """Another spool has another id and no round; what the old one was told lights nothing here (case 53)."""
    with opened(path) as spool:
        desk = Desk(spool)
        desk.take(GRANTED)
        desk.take(BETS)
        old_id = spool.id
    path.unlink()
    with opened(path) as spool:
        assert spool.id != old_id
        assert spool.rebuild(FELT) == Dealing()
        desk = Desk(spool)
        desk.take(Granted(2, "2026-11", 0))
        desk.take(Answered(WAGERS, green(1)))
        desk.take(BETS)
        desk.take(Answered(WAGERS, green(1)))
        assert desk.sent[0][1] == "T1/2/2026-11/1/wagers/1"
        assert lamps(desk.dealing) == {1: "placed", 3: "dark"}


ROUNDS = play(simulated_table(3, "T1", FELT.approved, 100, stack_deck=True), FELT, 12)


@settings(max_examples=15)
@given(st.sets(st.integers(0, len(ROUNDS) - 1), max_size=6))
def test_restarts_anywhere_change_nothing(tmp_path_factory: pytest.TempPathFactory, ends: set[int]) -> None:
    """A table that lost its power after any step goes on as the one that did not, to the byte."""
    path = tmp_path_factory.mktemp("spools") / "T1.spool"
    spool = opened(path)
    desk = Desk(spool)
    for number, (given_, after, posts) in enumerate(ROUNDS):
        desk.take(given_, given_.id if isinstance(given_, Answered) else "")
        assert desk.dealing == after
        if number in ends:
            sent = desk.sent
            spool.close()
            spool = opened(path)
            desk = Desk(spool)
            desk.sent = sent
            assert desk.dealing == after
        assert [name for _body, name in desk.sent[len(desk.sent) - len(posts) :]] == [post.id for post in posts]
    spool.close()


def rows(path: Path) -> Iterator[bytes]:
    """Every value of every row, and every byte of every file of the spool."""
    for file in path.parent.iterdir():
        yield file.read_bytes()
    db = sqlite3.connect(path)
    for table in ("spool", "message", "step", "checkpoint"):
        for row in db.execute(f"SELECT * FROM {table}"):  # noqa: S608 - a fixed name
            yield from (str(value).encode() if not isinstance(value, bytes) else value for value in row)
    db.close()


def test_a_void_that_an_earlier_program_took_is_rebuilt(path: Path) -> None:
    """It named no rule that voids a round, which none can now: the table stands where it had come to all the same."""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_ in (GRANTED, BETS, Voided("hello", "Sue")):
            desk.take(given_)
    with opened(path) as spool:
        assert spool.rebuild(FELT) == desk.dealing
        assert desk.dealing.next_round == 2


def test_no_card_can_be_read_before_it_is_turned(path: Path, tmp_path: Path) -> None:
    """Until the last decision the spool holds a shoe's cards encrypted only: no text, no numbers (case 51)."""
    sealed: bytes = b""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in play(simulated_table(3, "T1", FELT.approved, 100), FELT, 3):
            desk.take(given_)
            if isinstance(given_, Dealt):
                assert given_.sealed is not None
                sealed = bytes(given_.sealed.cards)
            turned = isinstance(given_, DealerTurned) or not isinstance(prompt(desk.dealing, FELT), Decide)
            if sealed and not turned:
                copy = tmp_path / "copy"
                shutil.copytree(path.parent, copy, ignore=shutil.ignore_patterns("copy"))
                assert desk.dealing.round is not None
                hands = desk.dealing.round.hands(FELT.approved.device)
                texts = [cards_text(hand[:3]).encode() for hand in hands.values()]
                for value in rows(copy / path.name):
                    assert sealed[:4] not in value
                    assert not [text for text in texts if text in value]
                shutil.rmtree(copy)
    assert sealed


def test_sealed_cards_open_with_their_own_key_only(path: Path) -> None:
    """Another seal key is an error that says so; nothing is dealt from guesses."""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in play(simulated_table(3, "T1", FELT.approved, 100), FELT, 1):
            desk.take(given_)
            if isinstance(given_, Dealt):
                break
    with opened(path, seal=bytes(32)) as spool, pytest.raises(TableError, match="seal key"):
        spool.rebuild(FELT)


def test_the_head_runs_over_all_ends_of_rounds(path: Path) -> None:
    """Records and voids of whole rounds, in their order; what is signed is the head with this one in (PROTOCOL 1)."""
    posts = [
        Post("T1/1/2026-11/1/wagers/1", b'{"kind":"ask"}'),
        Post("T1/1/2026-11/1/record/1", b'{"a":1}', ends_round=True),
        Post("T1/1/2026-11/2/void/1", b'{"b":2}', ends_round=True, sign=True),
    ]
    with opened(path) as spool:
        spool.write(Write(posts=tuple(posts[:2])), 1)
    with opened(path) as spool:
        ((message, _name),) = spool.write(Write(posts=(posts[2],)), 1)
    head = hashlib.sha256(hashlib.sha256(NO_HEAD + b'{"a":1}').digest() + b'{"b":2}').digest()
    frame = decode_from_table(message)
    assert isinstance(frame, Signed)
    assert (frame.head, bytes(frame.message)) == (head.hex(), b'{"b":2}')
    KEY.public_key().verify(bytes.fromhex(frame.signature), signed_bytes(head, b'{"b":2}'))


def test_a_write_is_whole_or_not_at_all(path: Path) -> None:
    """A message that cannot be kept leaves neither its step nor a head behind."""
    post = Post("T1/1/2026-11/1/record/1", b"{}", ends_round=True)
    with opened(path) as spool:
        spool.write(Write((GRANTED,), (post,)), 1)
        with pytest.raises(TableError, match="UNIQUE"):
            spool.write(Write((BETS,), (post,)), 1)
        assert spool.rebuild(FELT).round is None
        assert len(spool.unanswered()) == 1


def test_a_full_disk_is_said_at_the_commit_and_nothing_is_written(path: Path) -> None:
    """SQLite writes at the commit: its error is the spool's own too, and what was written before is all there is."""
    spool = opened(path)
    spool.write(Write((GRANTED,)), 0)
    size = Path(f"{path}-wal").stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        with pytest.raises(TableError) as error:
            spool.write(Write((GRANTED,)), 0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert error.value.code == "spool_unreachable"
    kept = [row["name"] for row in spool._do("steps_after", (0,))]
    spool.close()
    assert kept == ["granted"]


def test_connection_numbers_only_rise(path: Path) -> None:
    """Whatever ends the program, no number is said twice (PROTOCOL 1)."""
    said = []
    for _ in range(3):
        with opened(path) as spool:
            said += [spool.next_connection(), spool.next_connection()]
    assert said == sorted(set(said))


def test_one_id_one_answer(path: Path) -> None:
    """A second answer to an id changes nothing; the newest receipt is kept in the order of the ledger."""
    with opened(path) as spool:
        spool.write(Write(posts=(Post(WAGERS, b"{}"),)), 1)
        for commit, body in ((5, b'"first"'), (4, b'"second"')):
            answer = Answer(WAGERS, Raw(body), Receipt(1, commit, "ab"), "2026-11")
            spool.write(Write(settled=Settled(WAGERS, answer)), 1)
        assert spool.last_receipt() == Receipt(1, 5, "ab")
        assert spool.unanswered() == []
    row = open_spool(path, read_only=True).execute("SELECT answer FROM message").fetchone()
    assert row["answer"] == b'"first"'


def test_what_is_old_is_pruned_but_nothing_that_is_owed(path: Path) -> None:
    """Older than backups reach back goes; what has no answer stays, with its round, and so does a restart's need."""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_, given_.id if isinstance(given_, Answered) and "/2/" not in given_.id else "")
        before, kept = desk.dealing, spool.unanswered()
        assert spool.prune(41 * DAY_US, 41, "2027-02") == 0
        assert spool.prune(41 * DAY_US, 40, "2027-02") == 8
        assert spool.unanswered() == kept
        assert spool.rebuild(FELT) == before
    with opened(path) as spool:
        assert spool.rebuild(FELT) == before


def test_a_clock_that_is_wrong_prunes_nothing_that_is_still_needed(path: Path) -> None:
    """Far ahead now, or far behind when it was written: what is young by the months that the server told stays."""
    with opened(path) as spool:
        desk = Desk(spool)
        for given_, _after, _posts in ROUNDS:
            desk.take(given_, given_.id if isinstance(given_, Answered) else "")
        steps = "SELECT count(*) FROM step"
        before = open_spool(path, read_only=True).execute(steps).fetchone()[0]
        for told in ("", "2026-11", "2026-12", "2027-01"):  # the rounds are of November: it ends 31 days before January
            assert spool.prune(75 * 365 * DAY_US, 40, told) == 0
        assert open_spool(path, read_only=True).execute(steps).fetchone()[0] == before
        assert spool.prune(75 * 365 * DAY_US, 31, "2027-01") == 8


def test_a_spool_is_one_tables(path: Path) -> None:
    """A spool put under another table's name is refused."""
    opened(path).close()
    with pytest.raises(TableError, match="is of table T1, not T2"):
        opened(path, table="T2")
    opened(path).close()


def test_two_agents_cannot_share_a_spool(path: Path) -> None:
    """The second is told that it is in use; the lock goes with the process that holds it, however it ends."""
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            HOLD,
            str(path),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(TableError, match="in use"):
            opened(path)
    finally:
        holder.kill()
        holder.communicate()
    opened(path).close()


def test_a_spool_of_another_form_is_left_alone(path: Path) -> None:
    """A newer program's spool is not read by an older one."""
    opened(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(TableError, match="form 99"):
        opened(path)


def test_a_half_made_spool_is_no_spool(path: Path) -> None:
    """A crash while it was made leaves a file beside, which the next start makes anew."""
    Path(f"{path}.new").write_bytes(b"half")
    with opened(path) as spool:
        assert spool.rebuild(FELT) == Dealing()


def test_every_write_is_synced(path: Path) -> None:
    """Durable when it returns: WAL with synchronous FULL (2), never less (PROTOCOL 2)."""
    with opened(path) as spool:
        assert spool._db.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert spool._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
