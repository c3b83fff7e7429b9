"""What people do to a round that a table plays is seen by how it stands; what the table did itself is none of it."""

import pytest

from jackpot.web.round_watch import RoundWatch
from jackpot.wire.codec import encode
from jackpot.wire.messages import RefusedAnswer, RoundNow, SeatAnswer, VoidAnswer, WagersAnswer

AT = "T1/1/2026-11/17"
WAGERS = encode(WagersAnswer([SeatAnswer(3, True), SeatAnswer(5, True), SeatAnswer(6, False)]))
BEFORE = RoundNow(1, 16, "recorded")
WENT_ON = RoundNow(1, 17, "open", [3, 5])

SEEN = [
    # what the hello told, which of the table's messages were answered since, how the round stands, whether it is seen
    (BEFORE, (), BEFORE, False),
    (BEFORE, ("wagers",), WENT_ON, False),
    (BEFORE, ("wagers",), RoundNow(1, 17, "voided"), True),
    (BEFORE, ("wagers",), RoundNow(1, 17, "recorded"), True),
    (BEFORE, ("wagers",), RoundNow(1, 17, "open", [5]), True),
    (BEFORE, ("wagers",), RoundNow(1, 17, "open"), True),
    (BEFORE, ("wagers", "withdraw"), RoundNow(1, 17, "withdrawn"), False),
    (BEFORE, ("wagers", "void.3"), RoundNow(1, 17, "open", [5]), False),
    (BEFORE, ("wagers", "void.3"), RoundNow(1, 17, "open"), True),
    (BEFORE, ("wagers", "void"), RoundNow(1, 17, "voided"), False),
    (BEFORE, ("wagers", "record"), RoundNow(1, 17, "recorded"), False),
    (BEFORE, ("wagers", "record"), RoundNow(1, 17, "voided"), False),  # it was refused, and the table knows why
    (WENT_ON, (), WENT_ON, False),
    (WENT_ON, (), RoundNow(1, 17, "open", [3]), True),
    (WENT_ON, (), RoundNow(1, 17, "voided"), True),
    (RoundNow(1, 17, "open", [5]), ("wagers",), RoundNow(1, 17, "open", [5]), False),  # told, and answered again
    (RoundNow(1, 17, "voided"), (), RoundNow(1, 17, "voided"), False),
    (None, (), None, False),
    (None, (), RoundNow(1, 1, "voided"), True),
]


@pytest.mark.parametrize(("told", "answered", "now", "seen"), SEEN)
def test_only_what_the_table_did_not_do_is_seen(
    told: RoundNow | None, answered: tuple[str, ...], now: RoundNow | None, *, seen: bool
) -> None:
    """Each way a round can stand beside what its table knows of it; asked twice it is the same."""
    watch = RoundWatch(told)
    for kind in answered:
        watch.answered(f"{AT}/{kind}/1", WAGERS if kind == "wagers" else encode(VoidAnswer([])))
    assert (watch.changed(now), watch.changed(now)) == (seen, seen)


def test_refused_wagers_put_nothing_into_play() -> None:
    """A round whose wagers were refused has no seat that could go out of it."""
    watch = RoundWatch(BEFORE)
    watch.answered(f"{AT}/wagers/1", encode(RefusedAnswer("table_closed", "closed")))
    assert not watch.changed(RoundNow(1, 17, "open"))
