"""What no history of a table can bring about, whatever its supervisor and its players try in whatever order."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.tables import NOTICE_US, PROVISIONS, Table, advance, coming, markers, minimums
from tests.support.table_story import FIRST_AREA, OPENED_US, Story, a_table

MINUTE_US = 60_000_000
PLAYERS = ("ann", "ben", "cid", "zoe")
DOLLARS = st.sampled_from([5, 10, 15, 25, 50])
MOSTS = st.sampled_from([100, 500, 2000])
AHEAD_US = st.sampled_from([0, NOTICE_US - 1, NOTICE_US, NOTICE_US + 1])
LATER_US = st.sampled_from([0, 1, MINUTE_US, NOTICE_US - 1, NOTICE_US])
SOMEBODY, SOMEWHERE = st.sampled_from(PLAYERS), st.integers(1, 4)

ON_LIMITS = st.one_of(
    st.tuples(st.sampled_from(["alter", "raise", "raise"]), DOLLARS, MOSTS),
    st.tuples(st.sampled_from(["show", "old"]), DOLLARS, MOSTS, st.just("at"), AHEAD_US),
    st.tuples(st.just("down"), st.sampled_from(["minimum", "old", "closing"])),
    st.tuples(st.just("own"), SOMEBODY, DOLLARS, MOSTS),
    st.tuples(st.just("unown"), SOMEBODY),
    st.tuples(st.just("tick")),
)
ON_PEOPLE = st.one_of(
    st.tuples(st.sampled_from(["join", "change", "take", "give_up", "reserve"]), SOMEBODY, SOMEWHERE),
    st.tuples(st.sampled_from(["leave", "wait", "ask"]), SOMEBODY),
    st.tuples(st.just("closing"), AHEAD_US),
    st.tuples(st.sampled_from(["close", "begin", "end"])),
    st.tuples(st.just("device"), SOMEBODY, st.just("out_of_game")),
)
HISTORIES = st.lists(st.tuples(LATER_US, st.one_of(ON_LIMITS, ON_LIMITS, ON_PEOPLE)), min_size=12, max_size=40)
SEATED = [(0, ("join", "ann", 1)), (0, ("join", "ben", 2))]
"""Two players are there from the start, so that there is somebody whose minimum could rise."""


def clock(at_us: int) -> str:
    """A moment as a story writes it."""
    minutes, left = divmod(at_us - OPENED_US, MINUTE_US)
    return f"{minutes}:{left // 1_000_000}.{left % 1_000_000:06d}"


@dataclass
class Watcher:
    """What was seen of a table so far, kept apart from the table's own account."""

    book: str
    shown: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Every sign put up: what it says, when it was shown, its proposed time, and its minimum."""

    def least(self, table: Table[Any], player: str) -> int:
        """The minimum a player is held to, but for a sign of the player's own."""
        seat = next(each for each in table.players if each.player == player)
        return minimums(replace(table, players=(replace(seat, own=None),)).limits_of(seat.box))[FIRST_AREA[self.book]]

    def saw(self, before: Table[Any], after: Table[Any], act: tuple[Any, ...], *, done: bool) -> None:
        """Hold what an act brought about to what the rules let happen."""
        if done and act[0] in {"show", "old"}:
            self.shown.append((act[0], after.now_us, after.now_us + act[-1], act[1] * 100))
        stayed = {each.player for each in before.players} & {each.player for each in after.players}
        for player in sorted(stayed):
            was, now = self.least(before, player), self.least(after, player)
            if now > was:
                assert self.announced(now, after.now_us), (player, was, now, self.shown)
        self.check(after)
        if done and act[0] == "join":
            seat = next(each for each in after.players if each.player == act[1])
            assert after.limits_of(seat.box) == after.sign
        if done and act[0] == "close" and before.players:
            assert any(what == "closing" and at_us <= after.now_us for what, _, at_us, _ in self.shown)
        if done and act[0] == "closing":
            self.shown.append(("closing", after.now_us, after.now_us + act[-1], 0))

    def announced(self, cents: int, now_us: int) -> bool:
        """Whether a sign said so 20 minutes before its time, which has come."""
        return any(
            what != "closing" and least >= cents and at_us <= now_us and at_us - shown_us >= NOTICE_US
            for what, shown_us, at_us, least in self.shown
        )

    def check(self, table: Table[Any]) -> None:
        """Hold a table to what is true of each."""
        areas = [area for each in table.players for area in each.areas]
        assert len(areas) == len(set(areas))
        assert all(each.box in each.areas and 1 <= each.box <= table.places for each in table.players)
        if PROVISIONS[self.book].several is None:
            assert len(areas) == len(table.players)
        stated = minimums(table.sign)[FIRST_AREA[self.book]]
        for each in table.players:
            old = None if each.old is None else minimums(each.old)[FIRST_AREA[self.book]]
            assert old is None or old < stated
            assert dict(table.reserved).get(each.box, each.player) == each.player
        assert markers(table) == tuple(each.box for each in table.players if each.old is not None)
        assert all(each.at_us > table.now_us for each in table.posted if each.what != "closing")


def words_of(act: tuple[Any, ...], at_us: int) -> str:
    """An act as a story writes it."""
    name, *rest = act
    if name in {"show", "old", "closing"}:
        rest[-1] = clock(at_us + rest[-1])
    return f"{clock(at_us)} {name} {' '.join(map(str, rest))}"


def watched(book: str, history: Iterable[tuple[int, tuple[Any, ...]]]) -> Story:
    """A story of acts, each seen by a watcher."""
    story, watcher, at_us = Story(a_table(book, places=3)), Watcher(book), OPENED_US
    for later, act in [*SEATED, *history]:
        at_us += later
        before = story.table
        if act[0] == "tick":
            story.table = advance(before, at_us).table
            watcher.saw(before, story.table, act, done=True)
            continue
        came = story.line(words_of(act, at_us))
        assert came == "ok" or came.startswith(book), came
        watcher.saw(before, story.table, act, done=came == "ok")
    return story


@pytest.mark.parametrize("book", PROVISIONS)
@settings(max_examples=80, deadline=None)
@given(history=HISTORIES)
def test_no_minimum_rises_without_its_sign(book: str, history: list[tuple[int, tuple[Any, ...]]]) -> None:
    """Nobody who stays is held to a higher minimum but by a sign shown 20 minutes before; each refusal has a rule."""
    watched(book, history)


@settings(max_examples=60, deadline=None)
@given(history=HISTORIES, hops=st.lists(LATER_US, max_size=5))
def test_time_passes_alike_in_one_step_or_many(history: list[tuple[int, tuple[Any, ...]]], hops: list[int]) -> None:
    """What has come by a moment is the same whether the table was asked on the way or not."""
    story = watched("CSP", history)
    end_us = story.table.now_us + sum(hops)
    table = story.table
    for hop in hops:
        table = advance(table, table.now_us + hop).table
    assert table == advance(story.table, end_us).table
    assert coming(table, story.cards, end_us).own_limits == coming(story.table, story.cards, end_us).own_limits
