"""The ladder of a table whose jackpot fails, rung by rung, down and up again (CSP 14.15): stories as text tables.

A line is what happens, then the rung the table stands on and what becomes of a round whose bets are placed. What may be
seen: `fresh` or `old` (the meter), and the reasons why the jackpot is closed; `waits N` are seconds; `base` a round in
which nobody plays the jackpot.
"""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from jackpot.wire.settings import TableSettings, settings_differences, settings_text, table_settings
from tablelink.core.dealing import Dealing, NotNowError, step
from tablelink.core.felt import Felt
from tablelink.core.inputs import JackpotBack, WithoutJackpot
from tablelink.core.ladder import RUNGS, Patience, rung, turn
from tablelink.core.mirror import IN_PLAY, REASONS
from tablelink.steps import decode_checkpoint, decode_step, encode_checkpoint, encode_step
from tests.support.tables import felt, granted

SECOND_US = 1_000_000
PEOPLE, SIMULATED = Patience(2 * SECOND_US), Patience(2 * SECOND_US, 20 * SECOND_US)
USUAL = felt()
HARD = replace(USUAL, approved=msgspec.structs.replace(USUAL.approved, without_jackpot="stop"))

STORIES: dict[str, tuple[Felt, Patience, str]] = {
    "the meter grows old, the jackpot is lost, a supervisor approves, it is back": (
        USUAL,
        PEOPLE,
        """
        fresh                           -> normal      deal
        old                             -> meter_old   deal
        old meter_stale                 -> closed      wait
        waits 3600                      -> closed      wait
        approve Sue Ines                -> playing_on  deal
        old meter_stale no_session      -> playing_on  deal
        fresh                           -> normal      deal
        back                            -> normal      deal
        fresh link_status               -> closed      wait
        approve Tom Ines                -> playing_on  deal
        """,
    ),
    "a round in which nobody plays the jackpot is not dealt either while it is lost and nobody has approved": (
        USUAL,
        PEOPLE,
        """
        base fresh                      -> normal      deal
        base fresh no_session           -> closed      wait
        approve Sue Ines                -> playing_on  deal
        """,
    ),
    "what belongs to play is no malfunction: no rung down, but no jackpot either": (
        USUAL,
        PEOPLE,
        """
        fresh unanswered                -> normal      wait
        base fresh unanswered           -> normal      deal
        base old hit_open               -> meter_old   deal
        """,
    ),
    "an answer that never comes: a supervisor may approve that too": (
        USUAL,
        PEOPLE,
        """
        fresh unanswered                -> normal      wait
        approve Sue Ines                -> playing_on  wait
        waits 2                         -> playing_on  deal
        """,
    ),
    "play goes on without it already: the answer that would open it is waited for, no longer than any answer": (
        USUAL,
        PEOPLE,
        """
        old no_session                  -> closed      wait
        approve Sue Ines                -> playing_on  deal
        fresh unanswered                -> playing_on  wait
        waits 2                         -> playing_on  deal
        base fresh unanswered           -> playing_on  deal
        """,
    ),
    "an approval is somebody's, tells who was notified, and is given once": (
        USUAL,
        PEOPLE,
        """
        fresh refused                   -> closed      wait
        approve _ Ines                  -> refused
        approve Sue _                   -> refused
        approve Sue Ines                -> playing_on  deal
        approve Tom Ines                -> refused
        """,
    ),
    "a hard stop: no game at all while the jackpot is lost, whoever asks, and none is approved": (
        HARD,
        SIMULATED,
        """
        fresh                           -> normal      deal
        old                             -> meter_old   deal
        old meter_stale                 -> stopped     wait
        approve Sue Ines                -> refused
        waits 3600                      -> stopped     wait
        base old meter_stale            -> stopped     wait
        fresh unanswered                -> normal      wait
        fresh                           -> normal      deal
        """,
    ),
    "a simulated supervisor approves after a while": (
        USUAL,
        SIMULATED,
        """
        old no_session                  -> closed      wait
        waits 19                        -> closed      wait
        waits 20                        -> closed      approve
        """,
    ),
}


def _refused(dealing: Dealing, given: Any, on: Felt) -> bool:
    try:
        step(dealing, given, on)
    except NotNowError:
        return True
    return False


@pytest.mark.parametrize("name", STORIES)
def test_the_ladder(name: str) -> None:
    """Each line comes to its rung and its turn; what is refused changes nothing."""
    on, patience, story = STORIES[name]
    dealing, closed, fresh, plays, waited_us = granted(), frozenset[str](), True, True, 0
    for line in story.strip().splitlines():
        said, _, expected = line.partition("->")
        verb, *rest = said.split()
        waited_us = 0
        match verb:
            case "approve":
                by, inspector = (" " if word == "_" else word for word in rest)
                given = WithoutJackpot(by, inspector, tuple(sorted(closed)))
                if expected.split() == ["refused"]:
                    assert _refused(dealing, given, on), line
                    continue
                dealing, posts = step(dealing, given, on)
                assert posts == ()
            case "back":
                dealing, _posts = step(dealing, JackpotBack(), on)
                assert dealing.without is None
            case "waits":
                waited_us = int(rest[0]) * SECOND_US
            case _:
                plays = verb != "base"
                seen = rest if verb == "base" else [verb, *rest]
                fresh, closed = seen[0] == "fresh", frozenset(seen[1:])
                assert closed <= set(REASONS)
        hard = on.approved.without_jackpot == "stop"
        at = rung(closed, fresh=fresh, approved=dealing.without is not None, hard_stop=hard)
        found = turn(at, closed, patience, plays=plays, waited_us=waited_us)
        assert [at, found] == expected.split(), line


def test_every_reason_but_those_of_play_is_a_rung_down() -> None:
    """Nothing that keeps the jackpot closed is overlooked: each alone stops a hard-stop table, but what is play."""
    for reason in REASONS:
        at = rung({reason}, fresh=True, approved=False, hard_stop=True)
        assert at == ("normal" if reason in IN_PLAY else "stopped"), reason
        assert at in RUNGS


def test_an_approval_is_a_step_like_any_other() -> None:
    """It is read back from the spool as it was written, by itself and in a checkpoint; a new journal begins without."""
    given = WithoutJackpot("Sue", "Ines", ("no session with the server",))
    for each in (given, JackpotBack()):
        name, body, cards = encode_step(each)
        assert (decode_step(name, body, cards), cards) == (each, b"")
    dealing, _posts = step(granted(), given, USUAL)
    assert dealing.without == given
    assert decode_checkpoint(encode_checkpoint(dealing)) == dealing


def test_the_hard_stop_is_a_setting_of_the_table() -> None:
    """It is approved for the table and shown at hello, named where it differs; a table without it says nothing new."""
    hard = settings_text(TableSettings(without_jackpot="stop"))
    assert table_settings(hard).without_jackpot == "stop"
    assert "without_jackpot" not in settings_text(TableSettings())
    (named,) = settings_differences(settings_text(TableSettings()), hard)
    assert (named.field, named.table, named.link) == ("settings.without_jackpot", "absent", '"stop"')
