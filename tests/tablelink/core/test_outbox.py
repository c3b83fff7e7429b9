"""One message in flight, again until it is answered: as text tables, and against histories of loss and repeat."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import Raw

from jackpot.wire.messages import Answer, BadFrame, Eject, HitNow, Hits, Later, Receipt, ToTable
from tablelink.core.outbox import (
    FIRST_PAUSE_US,
    LONGEST_PAUSE_US,
    STUCK_AFTER_US,
    Fact,
    Outbox,
    PutOff,
    Settled,
    Told,
)

RECEIPT = Receipt(1, 1, "ab")
HIT = HitNow("T1/1/17/3/main", "royal_flush", "pending", 100)


def name(text: str) -> str:
    """`17/wagers` as an id of table T1."""
    number, kind = text.split("/")
    return f"T1/1/2026-11/{number}/{kind}/1"


def answer(text: str, *hits: HitNow) -> Answer:
    """An answer to a message."""
    return Answer(name(text), Raw(b"{}"), RECEIPT, "2026-11", list(hits))


def short(facts: list[Fact]) -> str:
    """What facts say, for a table."""
    words = []
    for fact in facts:
        match fact:
            case Settled(id=which, after_withdrawal=late):
                words.append(f"settled {which.split('/', 3)[3].removesuffix('/1')}{' late' if late else ''}")
            case PutOff(code=code):
                words.append(f"put off {code}")
            case Told(hits=hits):
                words.append(f"hits {len(hits)}" if hits else "")
    return " ".join(filter(None, words))


TABLES = {
    "one in flight, in order": """
        open           ->
        submit 1/wagers -> 1/wagers
        submit 1/record ->
        answer 1/wagers -> settled 1/wagers | 1/record
        answer 1/record -> settled 1/record
        """,
    "nothing goes before the connection is open, nothing after it is lost": """
        submit 1/wagers ->
        open            -> 1/wagers
        lost            ->
        answer 1/wagers -> settled 1/wagers
        open            ->
        """,
    "sent again after a reconnect, until it is answered": """
        submit 1/record ->
        open            -> 1/record
        lost            ->
        open            -> 1/record
        open            -> 1/record
        answer 1/record -> settled 1/record
        answer 1/record ->
        """,
    "a withdrawal takes the place of wagers that were never sent": """
        submit 1/wagers   ->
        submit 1/withdraw ->
        open              -> 1/withdraw
        answer 1/withdraw -> settled 1/withdraw
        """,
    "an answer after the withdrawal is evidence, and the withdrawal goes": """
        open              ->
        submit 1/wagers   -> 1/wagers
        submit 1/withdraw ->
        submit 1/record   ->
        answer 1/wagers   -> settled 1/wagers late | 1/withdraw
        answer 1/withdraw -> settled 1/withdraw | 1/record
        """,
    "wagers in flight when the connection broke are not sent again once withdrawn": """
        open              ->
        submit 1/wagers   -> 1/wagers
        lost              ->
        submit 1/withdraw ->
        open              -> 1/withdraw
        """,
    "a void of the round takes the wagers' place too, one of a seat does not": """
        open              ->
        submit 1/wagers   -> 1/wagers
        lost              ->
        submit 1/void     ->
        submit 2/wagers   ->
        submit 2/void.3   ->
        open              -> 1/void
        answer 1/void     -> settled 1/void | 2/wagers
        """,
    "later: the same again after growing pauses, and nothing passes it": """
        open             ->
        submit 1/record  -> 1/record
        submit 2/record  ->
        later 1/record   -> put off busy
        wait 99          ->
        wait 1           -> 1/record
        later 1/record   -> put off busy
        wait 199         ->
        wait 1           -> 1/record
        answer 1/record  -> settled 1/record | 2/record
        """,
    "a withdrawal does not wait for the pause of the wagers it replaces": """
        open              ->
        submit 1/wagers   -> 1/wagers
        later 1/wagers    -> put off busy
        submit 1/withdraw -> 1/withdraw
        """,
    "a withdrawal under way is put off as anything, although its wagers were too": """
        open              ->
        submit 1/wagers   -> 1/wagers
        submit 1/withdraw ->
        later 1/wagers    -> put off busy | 1/withdraw
        later 1/withdraw  -> put off busy
        wait 100          -> 1/withdraw
        """,
    "a frame the server cannot read stays, as with later": """
        open            ->
        submit 1/record -> 1/record
        bad             -> put off bad_frame
        wait 100        -> 1/record
        """,
    "a question goes between messages, and holds nothing up for ever": """
        open            ->
        submit 1/record -> 1/record
        ask             ->
        answer 1/record -> settled 1/record | ask
        submit 2/record ->
        hits            -> hits 1 | 2/record
        """,
    "a question is lost with its connection": """
        open            ->
        ask             -> ask
        lost            ->
        submit 2/record ->
        open            -> 2/record
        """,
    "answers of another journal or of nothing are left": """
        open            ->
        submit 1/wagers -> 1/wagers
        answer 9/wagers ->
        later 9/wagers  ->
        eject           ->
        answer 1/wagers -> settled 1/wagers
        """,
    "one id waits once": """
        submit 1/record ->
        submit 1/record ->
        open            -> 1/record
        answer 1/record -> settled 1/record
        """,
}


def play(table: str) -> Iterator[tuple[str, str, str]]:
    """Play a table's lines: each with what it was to bring, and what it brought."""
    box, now_us = Outbox(), 0
    frames: dict[str, Callable[[str], ToTable]] = {
        "answer": answer,
        "later": lambda text: Later(name(text), "busy", "busy"),
        "bad": lambda _: BadFrame("frame", "x", "unreadable"),
        "hits": lambda _: Hits("2026-11", [HIT]),
        "eject": lambda _: Eject("terms_differ", "no"),
    }
    for line in table.strip().splitlines():
        given, _, expected = line.partition("->")
        verb, _, rest = given.strip().partition(" ")
        facts: list[Fact] = []
        match verb:
            case "open":
                box.opened(now_us)
            case "lost":
                box.lost(now_us)
            case "submit":
                box.submit(rest.encode(), name(rest))
            case "ask":
                box.ask()
            case "wait":
                now_us += int(rest) * 1000
            case _:
                facts = box.receive(frames[verb](rest), now_us)
        sent = " ".join("ask" if frame == b'{"kind":"ask"}' else frame.decode() for frame in box.frames_to_send(now_us))
        yield given.strip(), " ".join(expected.split()), " | ".join(filter(None, [short(facts), sent]))


@pytest.mark.parametrize("table", TABLES)
def test_tables(table: str) -> None:
    """What goes out, and what an answer means, line by line."""
    for given, expected, found in play(TABLES[table]):
        assert found == expected, given


def test_pauses_grow_to_an_end_and_begin_anew() -> None:
    """A link in trouble is left alone, but never for more than some seconds; an answer ends the trouble."""
    box, now_us, pauses = Outbox([(b"1", name("1/record")), (b"2", name("2/record"))]), 0, []
    box.opened(0)
    for _ in range(10):
        assert box.frames_to_send(now_us) == [b"1"]
        box.receive(Later(name("1/record"), "busy", ""), now_us)
        due_us = box.due_us()
        assert due_us is not None
        pauses.append(due_us - now_us)
        now_us = due_us
    assert pauses[:3] == [FIRST_PAUSE_US, 2 * FIRST_PAUSE_US, 4 * FIRST_PAUSE_US]
    assert pauses[-1] == LONGEST_PAUSE_US
    box.frames_to_send(now_us)
    box.receive(answer("1/record"), now_us)
    box.frames_to_send(now_us)
    box.receive(Later(name("2/record"), "busy", ""), now_us)
    assert box.due_us() == now_us + FIRST_PAUSE_US


def test_a_paused_server_is_given_up() -> None:
    """A process paused with our message in hand does not hold the table: another connection is tried (case 55)."""
    box = Outbox([(b"1", name("1/wagers"))])
    assert box.due_us() is None
    box.opened(7)
    box.frames_to_send(7)
    assert box.due_us() == 7 + STUCK_AFTER_US
    assert not box.stuck(6 + STUCK_AFTER_US)
    assert box.stuck(7 + STUCK_AFTER_US)


def test_envelopes_tell_the_hits_as_they_are_now() -> None:
    """A stored answer says what was decided then; its envelope lists the open hits now (PROTOCOL 2, case 62)."""
    box = Outbox([(b"1", name("1/record"))])
    box.opened(0)
    box.frames_to_send(0)
    assert box.receive(answer("1/record", HIT), 0)[-1] == Told((HIT,), "2026-11")
    assert box.receive(Later(name("1/record"), "busy", "", [HIT]), 0)[-1] == Told((HIT,))


def test_why_a_message_is_put_off_is_known_until_it_is_answered() -> None:
    """Of the oldest message alone: one that a withdrawal took the place of, or that has its answer, waits no more."""
    box = Outbox()
    box.opened(0)
    for kind in ("wagers", "record"):
        box.submit(b"w", name(f"1/{kind}"))
        box.frames_to_send(0)
    assert box.why == ""
    box.receive(Later(name("1/wagers"), "hit_open", "a hit is open"), 0)
    box.lost(0)
    assert box.why == "hit_open: a hit is open", "a lost connection takes no word back"
    box.submit(b"x", name("1/withdraw"))
    assert box.why == ""
    box.opened(0)
    box.frames_to_send(0)
    box.receive(BadFrame("frame", "x", "unreadable"), 0)
    box.frames_to_send(FIRST_PAUSE_US)
    assert (box.in_flight, box.why) == (name("1/record"), "bad_frame: frame: unreadable (got x)")
    box.receive(answer("1/record"), FIRST_PAUSE_US)
    assert box.why == ""


class Histories(RuleBasedStateMachine):
    """A table, a server with a memory, and a line between them that loses, repeats and breaks."""

    @initialize()
    def begin(self) -> None:
        """An empty spool and a server that knows nothing."""
        self.box = Outbox()
        self.now_us = 0
        self.number = 0
        self.spool: list[str] = []  # ids in the order they were written
        self.answered: set[str] = set()  # ids whose answer is in the spool
        self.replaced: set[str] = set()  # wagers whose place a withdrawal took
        self.decided: list[str] = []  # ids the server has decided, first time each
        self.to_server: list[str] = []
        self.to_table: list[ToTable] = []
        self.open = False
        self.under_way = 0  # frames sent on this connection and not replied to, as the table sees it

    def write(self, text: str) -> None:
        """Put a message into the spool, then into the outbox."""
        self.spool.append(name(text))
        self.box.submit(name(text).encode(), name(text))

    @rule(withdrawn=st.booleans(), voided=st.booleans(), jackpot=st.booleans())
    def play_round(self, *, withdrawn: bool, voided: bool, jackpot: bool) -> None:
        """A round, as the dealing writes it: wagers, perhaps a withdrawal, then its end."""
        self.number += 1
        if jackpot:
            self.write(f"{self.number}/wagers")
            if withdrawn and name(f"{self.number}/wagers") not in self.answered:
                self.write(f"{self.number}/withdraw")
                self.replaced.add(name(f"{self.number}/wagers"))
        self.write(f"{self.number}/void" if voided else f"{self.number}/record")
        if jackpot and voided and name(f"{self.number}/wagers") not in self.answered:
            self.replaced.add(name(f"{self.number}/wagers"))

    @rule()
    def send(self) -> None:
        """Move bytes."""
        for frame in self.box.frames_to_send(self.now_us):
            assert self.open
            which = frame.decode()
            assert which not in self.answered, "what has its answer is not sent again"
            self.to_server.append(which)
            self.under_way += 1

    @precondition(lambda self: self.to_server)
    @rule()
    def serve(self) -> None:
        """Let the server decide the oldest message it was sent, or answer it from its memory."""
        which = self.to_server.pop(0)
        if which not in self.decided:
            self.decided.append(which)
        self.to_table.append(Answer(which, Raw(b"{}"), RECEIPT, "2026-11"))

    @precondition(lambda self: self.to_server)
    @rule()
    def put_off(self) -> None:
        """Let the server say later."""
        self.to_table.append(Later(self.to_server.pop(0), "busy", ""))

    @precondition(lambda self: self.to_table)
    @rule(again=st.booleans())
    def deliver(self, *, again: bool) -> None:
        """Let a reply arrive, perhaps twice."""
        frame = self.to_table.pop(0)
        for _ in range(1 + again):
            for fact in self.box.receive(frame, self.now_us):
                if isinstance(fact, Settled):
                    assert fact.id not in self.answered, "one id, one answer"
                    assert fact.after_withdrawal == (fact.id in self.replaced)
                    self.answered.add(fact.id)
        self.under_way -= 1

    @rule()
    def break_line(self) -> None:
        """Lose the connection and all that is on it; the server may have decided what it was sent."""
        self.box.lost(self.now_us)
        self.open, self.to_server, self.to_table, self.under_way = False, [], [], 0

    @rule()
    def connect(self) -> None:
        """Open another connection."""
        self.break_line()
        self.box.opened(self.now_us)
        self.open = True

    @rule()
    def restart(self) -> None:
        """Lose power: the outbox is made again from the spool."""
        self.break_line()
        left = [which for which in self.spool if which not in self.answered and which not in self.replaced]
        self.box = Outbox((which.encode(), which) for which in left)

    @rule(ms=st.integers(0, 6000))
    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.now_us += ms * 1000

    @invariant()
    def one_in_flight(self) -> None:
        """Never two messages in flight."""
        if hasattr(self, "box"):
            assert self.under_way <= 1

    @invariant()
    def in_order(self) -> None:
        """The server meets messages in the order of the spool; what a withdrawal replaced comes before it or never."""
        if hasattr(self, "box"):
            places = [self.spool.index(which) for which in self.decided]
            assert places == sorted(places)

    def teardown(self) -> None:
        """With a line that holds, everything gets its answer that a withdrawal has not replaced."""
        if not hasattr(self, "box"):
            return
        self.connect()
        for _ in range(2 * len(self.spool) + 2):
            self.now_us += LONGEST_PAUSE_US
            self.send()
            while self.to_server:
                self.serve()
            while self.to_table:
                self.deliver(again=False)
        assert set(self.spool) - self.replaced <= self.answered
        assert len(self.box) == 0


TestHistories = Histories.TestCase
TestHistories.settings = settings(stateful_step_count=40)
