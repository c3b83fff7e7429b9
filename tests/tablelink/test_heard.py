"""What an answer means to a table: people are told of a round that ended otherwise at the server."""

from types import SimpleNamespace
from typing import cast

import pytest
from msgspec import Raw
from structlog.testing import capture_logs

from jackpot.wire.codec import encode
from jackpot.wire.messages import Answer, Receipt, RefusedAnswer
from tablelink.core.outbox import Settled
from tablelink.desk import Desk
from tablelink.heard import heard
from tablelink.telemetry import Telemetry
from tests.support.dealing_words import FULL, through

PLAYED = ("bets 1:1000 3:500", "deal", "bet 1 2000", "fold 3", "dealer", "turned")


@pytest.mark.parametrize(
    ("kind", "said"),
    [("record/1", ["round_refused"]), ("void/1", ["round_refused"]), ("void.3/2", []), ("wagers/1", [])],
)
def test_a_refused_end_of_an_earlier_round_is_said_aloud(kind: str, said: list[str]) -> None:
    """The line was away while people voided it, and the table has played on without the jackpot: its log names it."""
    dealing, _ = through(*PLAYED, *PLAYED)
    answer = Raw(encode(RefusedAnswer("round_voided", "void")))
    name = f"T1/1/2026-11/1/{kind}"
    settled = Settled(name, Answer(name, answer, Receipt(1, 7, "ab" * 32), "2026-11", []))
    desk = cast("Desk", SimpleNamespace(felt=FULL, dealing=dealing))
    with capture_logs() as logs:
        given, _ = heard([settled], desk, Telemetry())
    assert ([line["event"] for line in logs], given) == (said, [])
