"""A ledger that went back is handed what it lost: the same answers, the same balances up to malfunctions (case 58)."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.core.accounts import RESERVE
from jackpot.core.hits import PAID, Hit
from jackpot.core.reopening import Choices, HeldMessage
from jackpot.core.state import LinkState
from jackpot.wire.codec import decode_answer
from jackpot.wire.messages import RecordAnswer
from jackpot.wire.snapshots import HitShown, PoolShown, Snapshot
from tests.support.floor import Floor
from tests.support.lives import Restored, held_of

TABLES = ("T1", "T2", "T3")
OPENING = 7
"""Batches in which the link is opened and its tables say hello."""
HANDS = ("", "flush", "full_house", "straight_flush", "royal_flush")
KINDS = ("record", "record", "record", "withdraw", "void", "open")
TWO = Choices("Ann", "Bob")
Step = tuple[str, str, list[str], bool]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(TABLES),
        st.sampled_from(KINDS),
        st.lists(st.sampled_from(HANDS), min_size=1, max_size=2),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


class History:
    """Tables play, and people pay what is won."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        """Open the link and play."""
        self.floor = Floor(tables=TABLES)
        self.next = dict.fromkeys(TABLES, 1)
        self.open: set[str] = set()
        self.people = 0
        for step in steps:
            self.step(*step)

    @property
    def hits(self) -> Sequence[Hit]:
        """All hits of this history."""
        return list(self.floor.state.hits.values())

    @property
    def choices(self) -> Choices:
        """What two people say who know it all: which hits were paid, and that the others are open."""
        paid = tuple(str(hit.key) for hit in self.hits if hit.state == PAID)
        return Choices("Ann", "Bob", paid=paid, open=tuple(str(hit.key) for hit in self.hits))

    def step(self, table: str, kind: str, hands: list[str], paid: bool) -> None:  # noqa: FBT001 - drawn as one tuple
        """Play a round of a table to this end; what is won is paid, or stays. A table whose hit is open waits."""
        if table in self.open or any(hit.key.table == table and hit.state != PAID for hit in self.hits):
            return
        number, seats = self.next[table], range(1, len(hands) + 1)
        self.next[table] += 1
        self.line(f"{table} wagers {number}: {' '.join(map(str, seats))}")
        won = " ".join(f"{seat}={hand}" if hand else str(seat) for seat, hand in zip(seats, hands, strict=True))
        match kind:
            case "record":
                self.line(f"{table} record {number}: {won}")
            case "withdraw":
                self.line(f"{table} withdraw {number}:")
                self.line(f"{table} record {number}: 1")
            case "void":
                self.line(f"{table} void {number}:")
            case _:
                self.open.add(table)
        if paid:
            self.pay()

    def line(self, words: str) -> str:
        """Do what a line says."""
        return self.floor.line(words.split())

    def pay(self) -> None:
        """Let people pay every hit that may be paid."""
        for hit in self.hits:
            for move in ("resolve", "verify", "approve", "approve", "pay"):
                self.people += 2
                names = f"by=p{self.people} " + (f"with=p{self.people - 1} reason=seen" if move == "resolve" else "")
                self.line(f"{move} {hit.key} {names}")


def balances(state: LinkState) -> dict[str, int]:
    """What every account holds that holds anything, in microcents."""
    return {name: held.microcents for name, held in state.balances.items() if held.microcents}


def awards_stand(restored: Restored) -> None:
    """Every answer that a table holds is the id's again, and every prize in one has the amount that was told."""
    for one in restored.held:
        assert restored.answers[one.id] == one.answer
        answer = decode_answer(one.answer)
        for line in answer.awards if isinstance(answer, RecordAnswer) else ():
            (hit,) = [hit for key, hit in restored.state.hits.items() if str(key) == line.hit]
            assert hit.amount_cents == line.amount_cents


@settings(max_examples=60, deadline=None)
@given(STEPS, st.data())
def test_a_history_cut_anywhere_and_handed_back_is_the_same(steps: list[Step], data: st.DataObject) -> None:
    """All tables hold what they were answered: each answer stands, each account is where it was, to the microcent."""
    history = History(steps)
    floor = history.floor
    restored = Restored(floor, data.draw(st.integers(OPENING, len(floor.batches))), TABLES)
    made = restored.reopen(history.choices)
    assert restored.state.head.generation == 2
    awards_stand(restored)
    assert not made.corrections
    assert balances(restored.state) == balances(floor.state)
    for key, hit in floor.state.hits.items():
        again = restored.state.hits[key]
        assert (again.amount_cents, again.state == PAID) == (hit.amount_cents, hit.state == PAID)


@settings(max_examples=40, deadline=None)
@given(STEPS, st.data())
def test_what_a_table_was_told_stands_whoever_is_missing(steps: list[Step], data: st.DataObject) -> None:
    """One table's spool is gone: the others' answers and amounts stand, and the house alone makes up the difference."""
    history = History(steps)
    floor, gone = history.floor, data.draw(st.sampled_from(TABLES))
    holders = [table for table in TABLES if table != gone]
    restored = Restored(floor, data.draw(st.integers(OPENING, len(floor.batches))), holders)
    known = set(restored.state.hits)
    theirs = [str(hit.key) for hit in history.hits if hit.key.table != gone or hit.key in known]
    paid = tuple(hit for hit in history.choices.paid if hit in theirs)
    before = sum(balances(restored.state).values())
    made = restored.reopen(Choices("Ann", "Bob", (gone,), paid=paid, open=history.choices.open))
    awards_stand(restored)
    assert sum(balances(restored.state).values()) == before == 0
    entries = [entry for batch in restored.posted for entry in batch.rows.entries if entry.cause == "correction"]
    assert bool(entries) >= bool(made.corrections)
    assert not [entry for entry in entries if entry.account == RESERVE]
    taken = [entry for entry in entries if entry.account.startswith("pool/") and entry.amount < 0]
    assert not taken, "players' money makes up for no malfunction"


def shown(floor: Floor, cents: int, hits: Sequence[HitShown] = (), epoch: int = 1) -> Snapshot:
    """What was last shown of the link, at its last commit."""
    head = floor.state.head
    pools = [PoolShown("main", epoch, cents, 0, "")]
    status, month, beat = "running", "2026-11", 1
    return Snapshot("southern", head.generation, head.commit, status, "", month, pools, list(hits), "one", beat, 1)


def test_a_paid_royal_that_the_boards_showed_stays_paid() -> None:
    """Who verified and paid it is lost; that it was paid, and the epoch it ended, are not: nothing is paid twice."""
    history = History([("T1", "record", ["royal_flush"], True), ("T2", "record", [""], True)])
    (hit,) = history.hits
    told = HitShown(str(hit.key), hit.prize, hit.state, hit.amount_cents, "T1", hit.moved)
    meter = history.floor.balance("pool/main") // 1_000_000
    restored = Restored(history.floor, OPENING, TABLES, shown(history.floor, meter, [told], epoch=2))
    made = restored.reopen(TWO)
    assert [one.hit for one in made.paid] == [str(hit.key)]
    assert restored.state.hits[hit.key].state == PAID
    assert balances(restored.state) == balances(history.floor.state)


def test_a_meter_that_was_shown_higher_is_made_whole_by_the_house() -> None:
    """Wagers that nobody holds are missing: players were shown their increments, the house puts them in."""
    history = History([("T1", "record", ["", ""], True), ("T2", "record", [""], True)])
    floor = history.floor
    meter = floor.balance("pool/main") // 1_000_000
    restored = Restored(floor, OPENING, ["T2", "T3"], shown(floor, meter))
    made = restored.reopen(Choices("Ann", "Bob", ("T1",)))
    assert [dict(fact.figures) for fact in made.corrections] == [{"why": "meter_shown", "what": "main", "cents": 44}]
    assert restored.state.balances["pool/main"].microcents // 1_000_000 == meter


def test_a_prize_keeps_the_amount_its_table_was_told() -> None:
    """T1's wagers are gone, so T2's tenth of the meter comes to less: the amount stays, the house adds the rest."""
    history = History([("T1", "record", [""] * 2, True)] * 30 + [("T2", "record", ["straight_flush"], False)])
    (hit,) = history.hits
    restored = Restored(history.floor, OPENING, ["T2", "T3"])
    made = restored.reopen(Choices("Ann", "Bob", ("T1",)))
    again = restored.state.hits[hit.key]
    assert again.amount_cents == hit.amount_cents
    (fact,) = made.corrections
    assert fact.figures["why"] == "amount_answered"
    assert again.topup_cents - hit.topup_cents == fact.figures["cents"]


def test_a_journal_that_was_granted_since_is_granted_again() -> None:
    """A table's new spool began after the backup: what it holds is taken back in a journal of the same number.

    It counts its connections from one, whatever the spool before it had come to: else it would be quarantined.
    """
    history = History()
    for words in ("word T1 spool=aa", "T1 hello journal=0 spool=aa", "T1 wagers 1: 1 2", "T1 record 1: 1 2"):
        history.line(words)
    restored = Restored(history.floor, OPENING, TABLES)
    assert restored.state.tables["T1"].connection
    restored.reopen(TWO)
    assert (restored.state.tables["T1"].journal, restored.state.tables["T1"].connection) == (2, 0)
    assert balances(restored.state) == balances(history.floor.state)


GRANTS = {
    "a lost life granted a journal to a spool that is lost too": """
        word T1                                                                word
        T1 hello journal=0 spool=aa                                            connected
        T1 wagers 1: 1                                                         accepted
        back to 7 without T1                                                   2
        table T1 journal                                                       1
        word T1                                                                word
        T1 hello journal=0 spool=bb                                            connected
        table T1 journal                                                       1000001
        T1 wagers 1: 1                                                         accepted
        word T1                                                                word
        T1 hello journal=0 spool=cc                                            connected
        table T1 journal                                                       1000002
    """,
    "the first journal too, where the table was enrolled before the backup": """
        back to 6 without T3                                                   2
        table T3 journal                                                       0
        T3 hello journal=0 spool=bb                                            connected
        table T3 journal                                                       1000001
    """,
    "a spool that holds a journal of a lost life, and nothing that was answered, has no claim to it": """
        word T1                                                                word
        T1 hello journal=0 spool=aa                                            connected
        back to 7                                                              2
        T1 hello journal=2 spool=aa                                            wrong_journal
        word T1                                                                word
        T1 hello journal=2 spool=aa                                            connected
        table T1 journal                                                       1000001
    """,
    "what is handed in keeps its journal; the next is of the new life": """
        word T1                                                                word
        T1 hello journal=0 spool=aa                                            connected
        T1 wagers 1: 1                                                         accepted
        back to 7                                                              2
        table T1 journal                                                       2
        word T1                                                                word
        T1 hello journal=0 spool=bb                                            connected
        table T1 journal                                                       1000001
    """,
    "what comes late is of the journal that was granted then, beside the table's own": """
        word T1                                                                word
        T1 hello journal=0 spool=aa                                            connected
        T1 wagers 1: 1                                                         accepted
        back to 7 without T1                                                   2
        word T1                                                                word
        T1 hello journal=0 spool=bb                                            connected
        late T1                                                                3
        table T1 journal                                                       1000001
        table T1                                                               linked
        T1 wagers 1: 1                                                         later:round_open
        T1 record 1: 1 journal=2                                               recorded
        T1 wagers 1: 1                                                         accepted
    """,
    "two lives are lost, and each had granted a journal": """
        word T1                                                                word
        T1 hello journal=0 spool=aa                                            connected
        back to 7 without T1                                                   2
        word T1                                                                word
        T1 hello journal=0 spool=bb                                            connected
        table T1 journal                                                       1000001
        back to 7 without T1                                                   3
        word T1                                                                word
        T1 hello journal=0 spool=cc                                            connected
        table T1 journal                                                       2000001
    """,
}


def tell(story: str) -> None:
    """Play a story in which the ledger goes back to some batch of it, and is opened again by two people.

    A table that was not waited for comes `late`: what it holds is posted while the link goes on.
    """
    floor, lost = Floor(tables=TABLES), list[HeldMessage]()
    for line in story.strip().splitlines():
        *words, comes_to = line.split()
        if words[0] not in {"back", "late"}:
            assert floor.line(words) == comes_to, line
            continue
        back = words[0] == "back"
        gone = words[4:] if back else []
        restored = Restored(floor, int(words[2]) if back else len(floor.batches), [t for t in TABLES if t not in gone])
        if back:
            lost = held_of(floor.batches[restored.batches :], gone)
        else:
            restored.held = lost
        restored.reopen(Choices("Ann", "Bob", tuple(gone)))
        floor.batches = [*floor.batches[: restored.batches], *restored.posted]
        floor.state, floor.known = restored.state, {}
        assert str(floor.state.head.generation) == comes_to, line


@pytest.mark.parametrize("story", GRANTS.values(), ids=GRANTS.keys())
def test_no_life_grants_a_journal_that_a_lost_one_may_have_granted(story: str) -> None:
    """An id is used once, whatever was lost: who lost the spool and the grant begins in the new life's own numbers."""
    tell(story)


IN_PLAY = {
    "the lost journal's round is open again, and the table's next one stands": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        word T1                                                                word
        T1 hello journal=0 spool=aa                                            connected
        T1 type 1: 1 journal=1                                                 recorded
        T1 wagers 1: 1                                                         accepted
        back to 10                                                             2
        verify T2/1/1/1/main by=Ann                                            verified
        approve T2/1/1/1/main by=Bob                                           verified
        approve T2/1/1/1/main by=Cy                                            round_open
        T1 record 1: 1                                                         recorded
        approve T2/1/1/1/main by=Cy                                            round_open
        T1 wagers 2: 1                                                         later:round_open
        T1 type 1: 1 journal=1                                                 recorded
        approve T2/1/1/1/main by=Cy                                            approved
        T1 wagers 2: 1                                                         accepted
    """,
    "whichever of the two rounds ends first": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        word T1                                                                word
        T1 hello journal=0 spool=aa                                            connected
        T1 type 1: 1 journal=1                                                 recorded
        T1 wagers 1: 1                                                         accepted
        back to 8                                                              2
        T1 type 1: 1 journal=1                                                 recorded
        T1 wagers 2: 1                                                         later:round_open
        T1 withdraw 1:                                                         withdrawn
        T1 wagers 2: 1                                                         accepted
    """,
}


@pytest.mark.parametrize("story", IN_PLAY.values(), ids=IN_PLAY.keys())
def test_every_round_of_a_table_that_is_in_play_is_waited_for(story: str) -> None:
    """After a restore a table may have two: neither a prize of another table nor its own next wagers pass either."""
    tell(story)


def test_what_cannot_be_taken_back_is_named_and_may_be_left_out() -> None:
    """Terms that are lost too are named with the wagers under them; people bring the file, or leave the wagers out."""
    history = History()
    history.line("terms pools.0.increment_ppm=170000 retained_ppm=750000")
    history.line("T1 wagers 1: 1")
    history.line("T1 record 1: 1")
    restored = Restored(history.floor, OPENING, TABLES)
    wagers, record = (one.id for one in restored.held)
    wrong = restored.planned(TWO).wrong
    assert wrong.keys() == {wagers}
    assert "other_terms" in wrong[wagers]
    assert not Restored(history.floor, OPENING, TABLES).planned(Choices("Ann", "Bob", left_out=(wagers, record))).wrong
    made = restored.reopen(Choices("Ann", "Bob", terms=(history.floor.terms,)))
    assert balances(restored.state) == balances(history.floor.state)
    assert made.missing == ["1/8"]


def test_a_settled_hit_of_which_nobody_says_how_is_asked_for() -> None:
    """The table is told of the hit no more, and no snapshot is left: people say whether it was paid, nobody guesses."""
    history = History([("T1", "record", ["straight_flush"], True)])
    (hit,) = history.hits
    restored = Restored(history.floor, OPENING, TABLES)
    assert restored.planned(TWO).ask == [str(hit.key)]
    assert not restored.planned(Choices("Ann", "Bob", open=(str(hit.key),))).ask
    waiting = Restored(history.floor, OPENING, ["T2", "T3"]).planned(TWO)
    assert waiting.waiting == ["T1"]


@pytest.mark.parametrize(
    ("choices", "code"), [(Choices("Ann", " ann"), "same_person"), (Choices("", "Bob"), "name_needed")]
)
def test_two_people_open_it(choices: Choices, code: str) -> None:
    """One person under two spellings, or nobody, opens nothing."""
    restored = Restored(History().floor, OPENING, TABLES)
    assert code in " ".join(restored.planned(choices).wrong.values())


def test_the_list_that_was_seen_is_named() -> None:
    """Its fingerprint is the same for the same list, and another when a table hands in more."""
    history = History([("T1", "record", [""], True), ("T2", "record", [""], True)])
    whole, part = Restored(history.floor, OPENING, TABLES), Restored(history.floor, OPENING, ["T1"])
    assert whole.planned(TWO).fingerprint == whole.planned(Choices("Cy", "Dee")).fingerprint
    assert whole.planned(TWO).fingerprint != part.planned(TWO).fingerprint
