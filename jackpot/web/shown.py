"""What boards say they show, held against what they were told: which are stale, which show what never was?

A board says it at each change of epoch and every ten seconds (PROTOCOL 6). Only the last word of each is kept, in
bounded memory; the first of each epoch goes to the log. Pure: the time is given. A board that closes its feed and says
nothing more has left: it may be at another server, where it speaks; what is connected nowhere the site's alerts miss.

Nobody proves who they are: a word counts for the board it names and no other. Where a site lists its screens, other
names are strangers: listed, and no alarm begins or ends for their words; and a screen that says nothing is missed,
however long ago it spoke. `MOST_WORDS` bounds what a name may cost.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from jackpot.wire.messages import Name, Number
from jackpot.wire.snapshots import Snapshot

__all__ = ["BoardNow", "Fault", "Shown", "Told", "Words"]

STALE_AFTER_MS = 15_000
"""A board says every ten seconds what it shows: after this it has missed one word and had time for another."""
GONE_AFTER_MS = 600_000
"""A board that said nothing for so long is switched off, or bears another name by now."""
LATE_MS = 5_000
"""So long may a board show a commit that is not the newest: past that it is not live (PROTOCOL 6)."""
MOST_COMMITS = 1_024
"""At ten snapshots a second these are the last hundred seconds: ten words of a board."""
MOST_BOARDS = 5_000
MOST_WORDS = 20
WORDS_MS = 10_000
"""So many words of one name are taken in such a time: a board says two or three."""
WRONG_TWICE = 2
"""One word may be said while wheels turn; two in a row with an amount that never was are no accident."""

Fault = Literal["", "silent", "no_amount", "behind", "wrong_amount", "ahead"]
"""What is not as it should be: no word, no amount of a live link, an older commit, an amount that this commit did not
have, a commit that this process has not heard of."""

MADE_NAME: Final = re.compile(r"[0-9a-f]{12}")
"""What a page calls itself that no site has given a name."""
NEVER_TOLD: Final[frozenset[Fault]] = frozenset({"wrong_amount", "ahead"})


class Shown(Struct, frozen=True, forbid_unknown_fields=True):
    """What a board says it shows of the main pool; `painted_cents` is empty where it shows no amount.

    `leaving` is the last word of a page that somebody closes and that no site has given a name.
    """

    board: Name
    generation: Number
    commit: Number
    epoch: Number
    painted_cents: Annotated[str, Meta(pattern=r"^[0-9]{0,20}$")] = ""
    heap: Number = 0
    leaving: bool = False


class BoardNow(Struct, frozen=True):
    """A board as the office lists it: its last word, how long ago that was, and since when it has not been right."""

    board: str
    stranger: bool
    """Not one of the site's screens: listed, and not counted."""
    stale: bool
    wrong: bool
    fault: Fault
    said_ms_ago: int
    right_ms_ago: int
    generation: int
    commit: int
    epoch: int
    painted_cents: str
    heap: int


Taken = Literal["first", "again", "too_many", "too_often"]
"""What became of a word: the first of an epoch, another one, or not taken."""


@dataclass(slots=True)
class _Meter:
    epoch: int
    cents: str
    newer_ms: int | None = None
    """When a newer one was told."""


@dataclass(slots=True)
class Told:
    """The main meter as the boards of a link were told it at the last commits."""

    newest: tuple[int, int] | None = None
    """Generation and commit; None before the first."""
    _meters: dict[tuple[int, int], _Meter] = field(default_factory=dict)
    _live_ms: int | None = None
    _running: bool = False

    def take(self, snapshot: Snapshot, now_ms: int, *, live: bool) -> None:
        """Note what boards are told now."""
        self._live_ms, self._running = now_ms if live else None, snapshot.status == "running"
        if not snapshot.pools:
            return
        at = (snapshot.generation, snapshot.commit)
        if self.newest is not None and at != self.newest and self.newest in self._meters:
            self._meters[self.newest].newer_ms = now_ms
        self.newest = at
        main = snapshot.pools[0]
        self._meters[at] = _Meter(main.epoch, str(main.cents))
        while len(self._meters) > MOST_COMMITS:
            del self._meters[next(iter(self._meters))]

    def live(self, now_ms: int) -> bool:
        """Say whether boards may show an amount as live."""
        return self._live_ms is not None and now_ms - self._live_ms <= LATE_MS

    def fault(self, shown: Shown, now_ms: int) -> Fault:
        """Say what is wrong with what a board shows, if anything; before the first snapshot nobody can say."""
        at = (shown.generation, shown.commit)
        if self.newest is None:
            return ""
        if at > self.newest:
            return "ahead"
        meter = self._meters.get(at)
        if meter is None:
            return "behind"
        if not shown.painted_cents:
            return "no_amount" if self._running and self.live(now_ms) else ""
        if (shown.epoch, shown.painted_cents) != (meter.epoch, meter.cents):
            return "wrong_amount"
        return "" if meter.newer_ms is None or now_ms - meter.newer_ms <= LATE_MS else "behind"


@dataclass(slots=True)
class _Board:
    told: Told
    word: Shown
    said_ms: int
    right_ms: int
    """When it last said what was true, or first said anything."""
    fault: Fault = ""
    wrong_words: int = 0
    wrong: bool = False
    left_ms: int | None = None
    """When it closed the last of its feeds itself; None while one is open, and where it was dropped: it may hang."""
    _words: int = 0
    _words_ms: int = 0

    def too_often(self, now_ms: int) -> bool:
        """Count a word; say whether that is more than a board has to say."""
        if now_ms - self._words_ms >= WORDS_MS:
            self._words, self._words_ms = 0, now_ms
        self._words += 1
        return self._words > MOST_WORDS

    def judge(self) -> None:
        """Hold the last word against what was told."""
        self.fault = self.told.fault(self.word, self.said_ms)
        if not self.fault:
            self.right_ms, self.wrong = self.said_ms, False
        if self.fault != "wrong_amount":
            self.wrong_words = 0

    def look(self, now_ms: int) -> bool:
        """Say whether it turns out just now that it shows what was never told."""
        if self.fault == "ahead":  # by another process it may have been told a moment before us
            self.judge()
        late = self.fault == "ahead" and now_ms - self.said_ms > LATE_MS and self.told.live(now_ms)
        before, self.wrong = self.wrong, self.wrong or late or self.wrong_words >= WRONG_TWICE
        return self.wrong and not before

    def shows(self) -> tuple[int, int]:
        """The generation and commit whose amount it shows; (0, 0) where it shows none, or what was never told."""
        if not self.word.painted_cents or self.fault in NEVER_TOLD:
            return (0, 0)
        return (self.word.generation, self.word.commit)

    def stale(self, now_ms: int) -> bool:
        """Whether it has not said for 15 seconds what was true when it said it; one that left is not asked."""
        left = self.left_ms is not None and self.left_ms >= self.said_ms
        return now_ms - self.right_ms > STALE_AFTER_MS and not left

    def gone(self, now_ms: int) -> bool:
        """Whether it left here and has said nothing since: it is switched off, or another server's."""
        return self.left_ms is not None and now_ms - max(self.left_ms, self.said_ms) > STALE_AFTER_MS


class Words:
    """The last word of each board."""

    def __init__(
        self, differs: Callable[[str, Shown, Fault], None], screens: Collection[str] = (), *, began_ms: int = 0
    ) -> None:
        """`differs` is told, once until it is right again, of a board that shows what was never told.

        `screens` are the names that the site has given; without any every board counts. They are missed from
        `began_ms` on.
        """
        self._differs, self._screens = differs, frozenset(screens)
        self._spoke_ms = dict.fromkeys(sorted(screens), began_ms)
        self._boards: dict[tuple[str, str], _Board] = {}
        self._feeds: Counter[tuple[str, str]] = Counter()

    def opened(self, link: str, board: str) -> None:
        """Know that a board reads a feed."""
        self._feeds[link, board] += 1
        if (known := self._boards.get((link, board))) is not None:
            known.left_ms = None

    def closed(self, link: str, board: str, now_ms: int, *, left: bool) -> None:
        """Know that a board reads one feed less, because it `left` or because it did not read."""
        key = (link, board)
        self._feeds[key] -= 1
        if self._feeds[key] > 0:
            return
        del self._feeds[key]
        if left and (known := self._boards.get(key)) is not None:
            known.left_ms = now_ms

    def say(self, link: str, shown: Shown, told: Told, now_ms: int) -> Taken:
        """Take a board's word, unless there are too many boards or too many words of this one."""
        key = (link, shown.board)
        known, first = self._boards.get(key), True
        if known is not None and known.too_often(now_ms):
            return "too_often"
        if shown.board in self._spoke_ms:
            self._spoke_ms[shown.board] = now_ms
        board = self._boards.pop(key, None)
        if board is None:
            if len(self._boards) >= MOST_BOARDS and shown.board not in self._screens:
                return "too_many"
            board = _Board(told, shown, now_ms, now_ms)
        else:
            first = (board.word.generation, board.word.epoch) != (shown.generation, shown.epoch)
        self._boards[key] = board  # at the end: who was heard longest ago comes first
        board.told, board.word, board.said_ms = told, shown, now_ms
        board.wrong_words += 1
        board.judge()
        self._look_at(key, now_ms)
        return "first" if first else "again"

    def leave(self, link: str, board: str) -> None:
        """Forget a page that was closed: nobody looks at it, so it is not missed. A screen with a name is."""
        if MADE_NAME.fullmatch(board):
            self._boards.pop((link, board), None)

    def look(self, now_ms: int) -> None:
        """Find out who shows what was never told, and forget who is gone; once a second."""
        for key in list(self._boards):
            self._look_at(key, now_ms)
            if self._boards[key].gone(now_ms):
                del self._boards[key]
        while self._boards and now_ms - next(iter(self._boards.values())).said_ms > GONE_AFTER_MS:
            del self._boards[next(iter(self._boards))]

    def reporting(self, link: str) -> int:
        """How many boards of a link say what they show."""
        return sum(1 for _ in self._of(link))

    def stale(self, link: str, now_ms: int) -> int:
        """How many of them have not said for 15 seconds what was true when they said it."""
        return sum(board.stale(now_ms) for board in self._of(link))

    def wrong(self, link: str) -> int:
        """How many of them show what was never told."""
        return sum(board.wrong for board in self._of(link))

    def silent_ms(self, now_ms: int) -> Mapping[str, int]:
        """Return how long each screen of the site has said nothing, of whatever link."""
        return {screen: now_ms - spoke_ms for screen, spoke_ms in self._spoke_ms.items()}

    def furthest(self, link: str) -> tuple[int, int] | None:
        """Return the newest generation and commit whose amount any of them says it shows; None where none speaks.

        A board that shows no amount shows no win either, nor does one vouch for it whose amount or commit was never
        told: where all are so, it is (0, 0).
        """
        return max((board.shows() for board in self._of(link)), default=None)

    def now(self, link: str, now_ms: int) -> list[BoardNow]:
        """List the boards of a link, the worst first."""
        every = (board for (name, _board), board in self._boards.items() if name == link)
        listed = [_now(board, now_ms, stranger=self._is_stranger(board.word.board)) for board in every]
        return sorted(listed, key=lambda each: (not each.wrong, -each.right_ms_ago, each.board))

    def _of(self, link: str) -> Iterator[_Board]:
        """The boards of a link that count."""
        return (
            board
            for (name, board_name), board in self._boards.items()
            if name == link and not self._is_stranger(board_name)
        )

    def _is_stranger(self, board: str) -> bool:
        return bool(self._screens) and board not in self._screens

    def _look_at(self, key: tuple[str, str], now_ms: int) -> None:
        board = self._boards[key]
        if board.look(now_ms) and not self._is_stranger(key[1]):
            self._differs(key[0], board.word, board.fault)


def _now(board: _Board, now_ms: int, *, stranger: bool) -> BoardNow:
    word = board.word
    return BoardNow(
        board=word.board,
        stranger=stranger,
        stale=board.stale(now_ms),
        wrong=board.wrong,
        fault="silent" if now_ms - board.said_ms > STALE_AFTER_MS else board.fault,
        said_ms_ago=now_ms - board.said_ms,
        right_ms_ago=now_ms - board.right_ms,
        generation=word.generation,
        commit=word.commit,
        epoch=word.epoch,
        painted_cents=word.painted_cents,
        heap=word.heap,
    )
