"""What a batch is digested from, and what stands under an id however it comes again."""

import hashlib

import msgspec

from jackpot.core.chain import GENESIS, Body, BodyCommand, BodyEntry, BodyHit, Head, decode_body, digest, encode_body
from jackpot.core.decide import decide_all
from jackpot.core.state import LinkState
from tests.support.floor import NOW_US, Floor

BODY = Body(
    "southern",
    7,
    NOW_US,
    1,
    1,
    [BodyCommand(12, "T1/1/2026-11/17/wagers/1", msgspec.Raw(b'{"kind":"ask"}'), msgspec.Raw(b'{"kind":"wagers"}'))],
    [BodyEntry("pool/main", 3, "22000000", "9007199254740993000000", "increment", 12, "")],
    [BodyHit("T1/1/17/3/main", "royal_flush", "pending", 5, 4, 1, 0, 12)],
)


def test_a_body_is_read_back_to_the_byte() -> None:
    """The stored bytes are the body whole; microcents beyond 64 bits keep every digit."""
    data = encode_body(BODY)
    assert encode_body(decode_body(data)) == data
    assert b'"balance_after":"9007199254740993000000"' in data


def test_a_digest_hangs_on_the_one_before() -> None:
    """SHA-256 of the previous digest's bytes and the body's."""
    data = encode_body(BODY)
    assert digest(GENESIS, data) == hashlib.sha256(GENESIS + data).digest()
    assert digest(digest(GENESIS, data), data) != digest(GENESIS, data)


def test_a_batch_is_never_before_the_last() -> None:
    """A clock that goes back, or another machine's that is behind, makes no earlier batch (PROTOCOL 4)."""
    floor = Floor()
    before = floor.state.head.time_us
    floor.time_us -= 3_600_000_000
    floor.play("T1 wagers 1: 1  accepted")
    assert floor.state.head.time_us == before
    assert decode_body(floor.batches[-1].body).time_us == before


def test_commits_are_without_gaps() -> None:
    """What is put off, repeated or set aside takes no number; each batch begins after the last."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 1                                                         accepted
        T1 wagers 2: 1                                                         later:round_open
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1                                                         recorded
    """)
    commits = [one.commit for batch in floor.batches for one in decode_body(batch.body).commands]
    assert commits == list(range(1, len(commits) + 1))
    assert [batch.batch for batch in floor.batches] == list(range(1, len(floor.batches) + 1))
    assert [batch.first_commit for batch in floor.batches[1:]] == [
        batch.last_commit + 1 for batch in floor.batches[:-1]
    ]
    assert floor.state.head == Head(len(commits), floor.batches[-1].digest, len(commits), 1, floor.batches[-1].time_us)


def test_what_is_put_off_in_a_batch_takes_no_number() -> None:
    """Between two that are decided together stands one that is not: their numbers follow on one another."""
    floor, other = Floor(), Floor()
    other.play("""
        T1 wagers 1: 1                                                         accepted
        T1 wagers 2: 1                                                         later:round_open
        T2 wagers 1: 1                                                         accepted
    """)
    head = floor.state.head.commit
    floor.decide(*other.sent[-3:])
    assert [one.commit for one in decode_body(floor.batches[-1].body).commands] == [head + 1, head + 2]
    assert floor.state.head.commit == head + 2


def test_nothing_to_decide_makes_no_batch() -> None:
    """No commands, or only repeats and what is put off: no batch, and the state is the same."""
    floor = Floor()
    assert decide_all(floor.state, [], {}, NOW_US).batch is None
    repeated = decide_all(floor.state, floor.sent, floor.known, NOW_US)
    assert repeated.batch is None
    assert repeated.state is floor.state
    assert LinkState("southern").head == Head(0, GENESIS, 0, 1, 0)


def test_what_is_not_stored_has_the_heads_receipt() -> None:
    """An answer that changes nothing is given with the head it was worked out from, also beside others that do."""
    floor = Floor()
    floor.play("T1 hello terms.currency=NZD  terms_differ")
    head = floor.state.head
    again = floor.act(floor.hello("T1", {"terms.currency": "NZD"}))
    assert again.receipt is not None
    assert (again.receipt.commit, again.receipt.digest) == (head.commit, head.digest.hex())
    assert floor.state.head == head
