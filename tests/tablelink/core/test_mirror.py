"""What a table believes of what comes down, how fresh it is, and when its jackpot is open."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from jackpot.wire.codec import encode
from jackpot.wire.messages import Shown
from jackpot.wire.snapshots import PoolShown, Published, Snapshot, signed_bytes
from tablelink.core.mirror import PUBLISHERS_KEPT, Mirror, Standing, Verdict, why_closed

SECOND = 1_000_000
TERMS = "ab" * 32


def sign(data: bytes) -> bytes:
    """A signature that only a test needs."""
    return bytes([sum(data) % 256, len(data) % 256])


def verify(data: bytes, signature: bytes) -> bool:
    """Whether it is one."""
    return signature == sign(data)


def sent(
    commit: int = 1,
    *,
    beat: int = 1,
    cents: int = 100,
    fall: tuple[int, str] = (0, ""),
    at_ms: int = 0,
    **changes: Any,
) -> bytes:
    """A snapshot as it goes over the channel."""
    snapshot = Snapshot(
        link="southern",
        generation=1,
        commit=commit,
        status="running",
        terms=TERMS,
        month="2026-11",
        pools=[PoolShown("main", 1, cents, *fall)],
        hits=[],
        publisher="p1",
        beat=beat,
        elapsed_ms=at_ms,
    )
    body = encode(msgspec.structs.replace(snapshot, **changes))
    return encode(Published(Raw(body), sign(signed_bytes(body)).hex()))


def mirror() -> Mirror:
    """A mirror that knows nothing."""
    return Mirror("southern", verify)


def shown_cents(held: Mirror) -> int:
    """The main meter as it is shown."""
    shown = held.shown()
    assert shown is not None
    return shown.cents


def test_what_is_not_the_links_own_word_is_counted_and_left() -> None:
    """Wrong signatures, nonsense, other links (case 29)."""
    held = mirror()
    good = sent()
    for data, verdict in (
        (good[:-6] + b'"00"}', Verdict.UNREADABLE),
        (encode(Published(Raw(msgspec.json.decode(good, type=Published).body), "0000")), Verdict.WRONG_SIGNATURE),
        (b"nonsense", Verdict.UNREADABLE),
        (sent(link="northern"), Verdict.OTHER_LINK),
    ):
        assert held.receive(data, 0) is verdict
    assert held.snapshot is None
    assert not held.fresh(0)
    assert held.counts[Verdict.UNREADABLE] == 2
    assert held.receive(good, 0) is Verdict.TAKEN


def test_old_ones_are_left() -> None:
    """Out of order, or replayed from yesterday: ignored and counted; the meter stands (case 29)."""
    held = mirror()
    first, second = sent(5, beat=1, cents=100), sent(6, beat=2, cents=200)
    assert held.receive(second, 0) is Verdict.TAKEN
    assert held.receive(first, 1) is Verdict.REPLAYED
    assert held.receive(second, 2) is Verdict.REPLAYED
    assert held.receive(sent(5, beat=3, publisher="yesterday"), 3) is Verdict.OUT_OF_ORDER
    assert held.receive(sent(9, beat=3, generation=0), 4) is Verdict.OUT_OF_ORDER
    assert shown_cents(held) == 200
    assert (held.counts[Verdict.REPLAYED], held.counts[Verdict.OUT_OF_ORDER]) == (2, 2)


def test_a_meter_falls_only_with_its_cause() -> None:
    """A lower meter names a fall that came after what was shown (case 23, 29)."""
    held = mirror()
    held.receive(sent(5, beat=1, cents=300), 0)
    assert held.receive(sent(6, beat=2, cents=200), 1) is Verdict.UNEXPLAINED_FALL
    assert held.receive(sent(7, beat=3, cents=200, fall=(5, "award")), 2) is Verdict.UNEXPLAINED_FALL
    assert held.receive(sent(7, beat=4, cents=200, fall=(6, "")), 3) is Verdict.UNEXPLAINED_FALL
    assert shown_cents(held) == 300
    assert held.receive(sent(7, beat=5, cents=200, fall=(6, "award")), 4) is Verdict.TAKEN
    assert held.receive(sent(8, beat=6, cents=250, fall=(6, "award")), 5) is Verdict.TAKEN
    assert shown_cents(held) == 250


def test_a_publisher_without_a_ledger_hides_no_fall() -> None:
    """A snapshot of an unreachable ledger tells of no pool; what was shown before it still binds."""
    held = mirror()
    held.receive(sent(5, beat=1, cents=300), 0)
    assert held.receive(sent(5, beat=2, status="ledger_unreachable", pools=[]), 1) is Verdict.TAKEN
    assert held.receive(sent(6, beat=3, cents=200), 2) is Verdict.UNEXPLAINED_FALL


def test_another_life_of_the_ledger_may_stand_lower() -> None:
    """After a restore people have reconciled it, and the generation is higher (PROTOCOL 5)."""
    held = mirror()
    held.receive(sent(50, beat=1, cents=300), 0)
    assert held.receive(sent(7, beat=2, cents=200, generation=2), 1) is Verdict.TAKEN
    assert held.shown() == Shown(2, 7, 1, 200)


def test_missed_snapshots_cost_nothing() -> None:
    """Five changes and new terms lost: the next snapshot says all, and the gap is known (case 27)."""
    held = mirror()
    held.receive(sent(1, beat=1, cents=100), 0)
    assert held.receive(sent(7, beat=7, cents=700, terms="cd" * 32), 8 * SECOND) is Verdict.TAKEN
    assert (shown_cents(held), held.missed) == (700, 5)
    assert held.snapshot is not None
    assert held.snapshot.terms == "cd" * 32


def test_fresh_for_five_seconds_of_ones_own_clock() -> None:
    """A beat not seen before, arrived live (PROTOCOL 6)."""
    held = mirror()
    held.receive(sent(beat=1, at_ms=1000), 1 * SECOND)
    assert held.fresh(6 * SECOND)
    assert not held.fresh(6 * SECOND + 1)
    held.receive(sent(beat=1, at_ms=1000), 6 * SECOND)
    assert not held.fresh(6 * SECOND + 1), "the same beat again is none"
    assert held.fresh_within(30 * SECOND, 36 * SECOND)
    assert not held.fresh_within(30 * SECOND, 36 * SECOND + 1)


def test_the_retained_copy_never_counts_as_live() -> None:
    """It tells a newcomer where things stood, and no more; nor does it stand in the way of the live one."""
    held = mirror()
    assert held.receive(sent(3, beat=9), 0, live=False) is Verdict.TAKEN
    assert shown_cents(held) == 100
    assert not held.fresh(0)
    assert not held.fresh_within(30 * SECOND, 0)
    assert held.receive(sent(3, beat=9), 1) is Verdict.TAKEN
    assert held.fresh(1)


def test_the_retained_copy_never_takes_the_meter_back() -> None:
    """Read after the live stream has gone on, it is old news."""
    held = mirror()
    held.receive(sent(3, beat=1, cents=300), 0)
    assert held.receive(sent(2, beat=0, cents=200), 1, live=False) is Verdict.OUT_OF_ORDER
    assert shown_cents(held) == 300


def test_a_proxy_that_delivers_late_is_stale() -> None:
    """Beats come in time, but each is more than five seconds behind the best: its word is old (PROTOCOL 6)."""
    held = mirror()
    for second in range(10):
        held.receive(sent(beat=second + 1, at_ms=second * 1000), second * SECOND)
    for second in range(10, 30):
        held.receive(sent(beat=second + 1, at_ms=(second - 6) * 1000, commit=second), second * SECOND)
    assert not held.fresh(29 * SECOND)
    assert held.snapshot is not None
    assert held.snapshot.commit == 29, "what is newer is shown all the same"


def test_a_stream_that_catches_up_is_fresh_again() -> None:
    """A stall of the network ends; nothing has to be restarted."""
    held = mirror()
    held.receive(sent(beat=1, at_ms=0), 0)
    held.receive(sent(beat=2, at_ms=1000), 8 * SECOND)
    assert not held.fresh(8 * SECOND)
    held.receive(sent(beat=3, at_ms=8000), 8 * SECOND)
    assert held.fresh(8 * SECOND)


def test_clocks_that_drift_are_not_late() -> None:
    """A sender's clock 100 ppm slow for three days is 26 s behind, and yet every beat is live."""
    held = mirror()
    day = 86_400
    for second in range(0, 3 * day, 600):
        held.receive(sent(beat=second + 1, at_ms=second * 1000 - second // 10), second * SECOND)
        assert held.fresh(second * SECOND)


def test_each_publisher_has_its_own_stream() -> None:
    """Two processes beat with clocks of their own; their beats are not mixed, and not many are kept."""
    held = mirror()
    held.receive(sent(beat=900, at_ms=10**9), 0)
    assert held.receive(sent(beat=1, at_ms=5, publisher="p2"), 1) is Verdict.TAKEN
    for number in range(2 * PUBLISHERS_KEPT):
        held.receive(sent(beat=1, publisher=f"q{number}"), 2)
    assert len(held._streams) == PUBLISHERS_KEPT


def test_a_new_publisher_is_not_fresh_by_a_way_that_is_late() -> None:
    """A server begins while a proxy holds all back: its first beat is as late as its neighbour's, and is no best.

    It counts once one that is known comes in time, or none has told otherwise for five seconds.
    """
    held = mirror()
    held.receive(sent(beat=1, at_ms=0), 0)
    held.receive(sent(beat=2, at_ms=1_000), 20 * SECOND)
    held.receive(sent(beat=1, at_ms=10**6, publisher="p2"), 20 * SECOND)
    held.receive(sent(beat=2, at_ms=10**6 + 5_000, publisher="p2"), 25 * SECOND)
    assert not held.fresh(25 * SECOND)
    assert held.receive(sent(beat=2, at_ms=10**6 + 5_000, publisher="p2"), 26 * SECOND) is Verdict.REPLAYED
    held.receive(sent(beat=3, at_ms=10**6 + 5_001, publisher="p2"), 25 * SECOND + 1)
    assert held.fresh(25 * SECOND + 1)
    held.receive(sent(beat=3, at_ms=2_000), 40 * SECOND)
    held.receive(sent(beat=4, at_ms=41_000), 41 * SECOND)
    held.receive(sent(beat=1, at_ms=7, publisher="p3"), 42 * SECOND)
    assert held.fresh(47 * SECOND)


OWN = Standing(session_up=True, generation=1, fingerprint=TERMS)


def opened(held: Mirror | None, own: Standing = OWN, now_us: int = 0) -> str:
    """The first reason why it is closed, empty where it is open."""
    return " / ".join(why_closed(held, own, now_us, 30 * SECOND))


@pytest.mark.parametrize(
    ("own", "changes", "now_us", "reason"),
    [
        (OWN, {}, 0, ""),
        (OWN, {}, 35 * SECOND, ""),
        (OWN, {}, 35 * SECOND + 1, "stale for too long"),
        (Standing(session_up=False, generation=1, fingerprint=TERMS), {}, 0, "no session"),
        (Standing(session_up=True, generation=2, fingerprint=TERMS), {}, 0, "generation 1, the table's of 2"),
        (Standing(session_up=True, generation=1, fingerprint="cd" * 32), {}, 0, "CSP 11.9"),
        (OWN, {"status": "stopped"}, 0, "the link is stopped"),
        (OWN, {"status": "ledger_unreachable"}, 0, "the link is ledger unreachable"),
        (Standing(True, "", 1, TERMS, "T1/1/2026-11/1/record/1"), {}, 0, "record/1 has no answer yet"),
        (
            Standing(True, "", 1, TERMS, "T1/1/2026-11/1/wagers/1", put_off="busy: the link is busy"),
            {},
            0,
            "wagers/1 has no answer yet: the server puts it off, busy: the link is busy",
        ),
        (Standing(True, "", 1, TERMS, "", ("T1/1/1/3/main",)), {}, 0, "not yet paid out: T1/1/1/3/main"),
        (Standing(True, "terms_differ: no", 1, TERMS), {}, 0, "terms_differ"),
    ],
)
def test_open_only_if_all_hold(own: Standing, changes: dict[str, Any], now_us: int, reason: str) -> None:
    """Each condition of PROTOCOL 6 alone closes the jackpot, and says so."""
    held = mirror()
    held.receive(sent(**changes), 0)
    found = opened(held, own, now_us)
    assert (found == "") == (reason == "")
    assert reason in found


def test_closed_before_any_meter_was_seen() -> None:
    """Without a meter, without its retained copy, or with that alone, nothing is open."""
    held = mirror()
    assert "no meter" in opened(None)
    assert "no meter" in opened(held)
    held.receive(sent(), 0, live=False)
    assert "stale" in opened(held)


@given(
    st.lists(
        st.tuples(st.integers(1, 6), st.integers(1, 8), st.integers(1, 5), st.integers(0, 6), st.booleans()),
        max_size=30,
    )
)
def test_the_state_never_goes_back(history: list[tuple[int, int, int, int, bool]]) -> None:
    """Whatever arrives in whatever order: commits rise, and a lower meter always has its cause."""
    held, before = mirror(), None
    for commit, beat, cents, fell, live in history:
        held.receive(sent(commit, beat=beat, cents=cents, fall=(fell, "award" if fell else "")), 0, live=live)
        after = held.snapshot
        if before is not None and after is not None:
            assert after.commit >= before.commit
            if after.pools[0].cents < before.pools[0].cents:
                assert after.pools[0].last_fall_commit > before.commit
        before = after
