"""Random histories of a link, held after every step against a model of the meter that is written apart from decide.

The model knows one pool without a limit: what a wager brings, what rule 12 takes, where seeds and reversals come from.
(`tests/oracle` holds whole exports, limits and every ruling against a stranger's model.)
"""

import hashlib
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jackpot.core.chain import decode_body
from jackpot.core.commands import command_of
from jackpot.core.decide import decide_all
from jackpot.core.ports import Known
from jackpot.core.replay import decide_again
from jackpot.core.state import LinkState
from jackpot.wire.messages import RecordAnswer, RefusedAnswer, VoidAnswer, WithdrawAnswer
from rules.terms import parse_terms
from tests.support.floor import NOW_US, Floor, changed_terms
from tests.support.held import known_of
from tests.support.terms import demo_terms

CENT = 1_000_000
SEED = 5_000_000 * CENT
BONUS = {"four_of_a_kind": 50_000, "full_house": 15_000, "flush": 10_000}
PRIZES = ["", "", "", "flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"]
MOST = {"royal_flush": 2, "straight_flush": 2, "four_of_a_kind": 1, "full_house": 1, "flush": 1}
NEXT = {"pending": "verify", "verified": "approve", "approved": "pay", "disputed": "resolve"}
TABLES = ("T1", "T2", "T3")


@dataclass
class Model:
    """What the pool and the reserve hold, in microcents, and the accepted seats of open rounds with their epoch."""

    pool: int = SEED
    reserve: int = 0
    epoch: int = 1
    increment: int = 22 * CENT
    open: dict[tuple[str, int], tuple[set[int], int, int]] = field(default_factory=dict)

    def accept(self, key: tuple[str, int], seats: set[int]) -> None:
        """Each accepted dollar grows the meter by its rate and the reserve by eight cents."""
        self.pool += self.increment * len(seats)
        self.reserve += 8 * CENT * len(seats)
        self.open[key] = (seats, self.epoch, self.increment)

    def reverse(self, key: tuple[str, int], seats: set[int]) -> None:
        """What went in comes out, of the pool while its epoch lasts, else of the reserve as far as that goes."""
        accepted, epoch, increment = self.open[key]
        for _ in seats & accepted:
            if epoch == self.epoch:
                self.pool -= increment
            else:
                self.reserve -= min(increment, self.reserve)
            self.reserve -= min(8 * CENT, self.reserve)
        self.open[key] = (accepted - seats, epoch, increment)

    def award(self, key: tuple[str, int], winners: dict[int, str]) -> dict[int, int]:
        """Rule 12: a tenth for each straight flush in turn, shared; what is left for the royals; minimums; bonuses."""
        amounts = {seat: BONUS[prize] for seat, prize in winners.items() if prize in BONUS}
        for prize, leaves, minimum in (("straight_flush", Fraction(9, 10), 500_000), ("royal_flush", 0, 5_000_000)):
            seats = [seat for seat, won in winners.items() if won == prize]
            if seats:
                taken = Fraction(self.pool // CENT) * (1 - leaves ** len(seats))
                each = int(taken / len(seats))
                self.pool -= each * len(seats) * CENT
                amounts |= dict.fromkeys(seats, max(each, minimum))
        if "royal_flush" in winners.values():
            self.reserve -= min(self.reserve, SEED)
            self.pool += SEED
            self.epoch += 1
        del self.open[key]
        return amounts


class History(RuleBasedStateMachine):
    """Three tables, people, and a network that repeats; each step is decided and held against the model."""

    def __init__(self) -> None:
        """Open the link."""
        super().__init__()
        self.floor = Floor(tables=TABLES)
        self.model = Model()
        self.rounds = dict.fromkeys(TABLES, 0)
        self.answers: dict[str, bytes] = {}
        self.people = 0

    def line(self, text: str) -> str:
        """Do what a line says; whatever is stored under an id must be what stood there first."""
        became = self.floor.line(text.split())
        for name, known in self.floor.known.items():
            assert self.answers.setdefault(name, known.answer) == known.answer
        return became

    @rule(table=st.sampled_from(TABLES), seats=st.sets(st.integers(1, 7), max_size=7), odd=st.sets(st.integers(1, 7)))
    def wager(self, table: str, seats: set[int], odd: set[int]) -> None:
        """Players wager; some stakes are not the qualifying wager; the round may be refused or put off."""
        self.rounds[table] += 1
        number = self.rounds[table]
        placed = " ".join(f"{seat}/jackpot=50" if seat in odd else f"{seat}" for seat in sorted(seats))
        became = self.line(f"{table} wagers {number}: {placed}")
        if became.startswith("later:"):
            self.rounds[table] -= 1
        elif self.floor.state.rounds[table, 1, number].accepted:
            accepted = seats - odd
            assert self.floor.state.rounds[table, 1, number].accepted == accepted
            self.model.accept((table, number), accepted)
        else:
            assert became in {"nothing", "not_qualifying_wager", "table_closed"}

    @rule(table=st.sampled_from(TABLES), seats=st.sets(st.integers(1, 7)), whole=st.booleans())
    def reverse(self, table: str, seats: set[int], *, whole: bool) -> None:
        """A withdrawal or a void, of a round under way or one that never was."""
        number = self.rounds[table]
        key = (table, number)
        before = set(self.model.open.get(key, (set(), 0, 0))[0])
        named = " ".join(map(str, sorted(seats)))
        became = self.line(f"{table} withdraw {number}:" if whole else f"{table} void {number}: {named}")
        answer = self.floor.last
        if became.startswith("later:") or isinstance(answer, RefusedAnswer):
            return
        assert isinstance(answer, WithdrawAnswer | VoidAnswer)
        gone = before if whole or not seats else before & seats
        fresh = answer.seats == sorted(gone)
        assert fresh or (table, 1, number) not in self.floor.state.rounds or not before
        if fresh and key in self.model.open:
            self.model.reverse(key, gone)

    @rule(table=st.sampled_from(TABLES), data=st.data(), claims=st.booleans())
    def record(self, table: str, data: st.DataObject, *, claims: bool) -> None:
        """A round is recorded with any prizes at any seats, by a shoe or by word."""
        number = max(self.rounds[table], 1)
        key = (table, number)
        accepted, _, _ = self.model.open.get(key, (set(), 0, 0))
        opened = self.floor.state.rounds.get((table, 1, number))
        if opened is None and claims:
            return  # A second record is rarely tried: there is more to see in rounds under way.
        prizes = {seat: data.draw(st.sampled_from(PRIZES), label=f"seat {seat}") for seat in sorted(accepted)}
        seen: list[str] = []
        for seat, prize in prizes.items():
            # No deck holds more than four royals, nor these in any mixture: what does not fit was not dealt.
            prizes[seat] = prize if seen.count(prize) < MOST.get(prize, 0) else ""
            seen.append(prizes[seat])
        words = " ".join(f"{seat}={prize}" for seat, prize in prizes.items())
        became = self.line(f"{table} record {number}: {words} {'claims' if claims else ''}")
        self.rounds[table] = number
        answer = self.floor.last
        if opened is None or became.startswith("later:"):
            return
        assert isinstance(answer, RecordAnswer)
        winners = {seat: prize for seat, prize in prizes.items() if prize}
        if key not in self.model.open:
            assert answer.awards == []
            return
        expected = self.model.award(key, winners)
        assert {line.seat: line.amount_cents for line in answer.awards} == expected

    @rule()
    def settle(self) -> None:
        """People move every open hit one step, nobody twice."""
        for hit in list(self.floor.state.hits.values()):
            move = NEXT.get(hit.state)
            if move is not None:
                self.people += 2
                second = f"with=p{self.people + 1}" if move == "resolve" else ""
                self.line(f"{move} {hit.key} by=p{self.people} {second} manager=m{self.people} reason=seen")

    @rule(rate=st.sampled_from([210_000, 220_000]))
    def new_terms(self, rate: int) -> None:
        """The increment changes while rounds are open; tables come back under the new terms."""
        became = self.line(f"terms pools.0.increment_ppm={rate} retained_ppm={920_000 - rate}")
        assert became == "opened"
        self.model.increment = rate * 100
        for table in TABLES:
            self.line(f"{table} hello")

    @rule(table=st.sampled_from(TABLES))
    def clone(self, table: str) -> None:
        """An agent says hello with a number that does not rise; a supervisor speaks."""
        assert self.line(f"{table} hello connection=1") == "connection_not_rising"
        assert self.line(f"word {table}") == "word"
        assert self.line(f"{table} hello") == "connected"

    @precondition(lambda self: len(self.floor.sent) > 10)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        """The network brings an old message again: the same answer as the first time, and nothing moves."""
        command = data.draw(st.sampled_from([one for one in self.floor.sent if one.id in self.floor.known]))
        known, before = self.floor.known[command.id], self.floor.state
        (reply,) = self.floor.decide(command)
        if known.sha256 == hashlib.sha256(command.raw).digest():
            assert (reply.answer, reply.receipt) == (known.answer, known.receipt)
        else:
            assert b"id_reused" in reply.answer
        assert self.floor.state == before

    @invariant()
    def the_meter_is_the_models(self) -> None:
        """Pool, reserve and epoch are what the model says, and all accounts together are nought."""
        assert self.floor.balance("pool/main") == self.model.pool
        assert self.floor.balance("reserve") == self.model.reserve
        assert self.floor.state.pools["main"].epoch == self.model.epoch
        assert sum(balance.microcents for balance in self.floor.state.balances.values()) == 0

    @invariant()
    def what_is_open_is_held_aside(self) -> None:
        """Each hit that is not paid has its money under its own name, to the cent."""
        for hit in self.floor.state.hits.values():
            owed = 0 if hit.state == "paid" else hit.amount_cents * CENT
            assert self.floor.balance(f"payable/{hit.key}") == owed

    def teardown(self) -> None:
        """The whole history again from its bytes, and in other batches: the same chain, the same meters and answers."""
        again = LinkState(self.floor.terms.name)
        for batch in self.floor.batches:
            again = decide_again(again, decode_body(batch.body)).state
        assert again == self.floor.state
        in_batches(self.floor, 1)
        in_batches(self.floor, 7)
        in_batches(self.floor, 10_000)


LIMITS = {
    "reversals, awards and seeds that make room again under a limit": """
        T1 wagers 1: 1 2 3                                                     accepted
        T2 wagers 1: 1 2 3                                                     accepted
        T1 void 1: 1                                                           voided
        T3 wagers 1: 1 2 3 4                                                   accepted
        T2 withdraw 1:                                                         withdrawn
        T2 wagers 2: 1 2                                                       accepted
        T1 record 1: 2=straight_flush                                          recorded
        T2 record 2: 1 2                                                       recorded
        T2 wagers 3: 1 2 3 4 5 6 7                                             accepted
        T3 record 1: 1=royal_flush                                             recorded
        T2 record 3: 1                                                         recorded
        T2 wagers 4: 1 2 3 4 5 6 7                                             accepted
        T2 record 4:                                                           recorded
        terms pools.0.limit_cents=5000200 reserve.limit_cents=9                opened
        T2 hello                                                               connected
        T2 wagers 5: 1 2 3                                                     accepted
    """,
}


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize("story", LIMITS.values(), ids=LIMITS.keys())
def test_limits_hold_in_any_batches(story: str, size: int) -> None:
    """With a pool and a reserve at their limits, wagers decided together are split as they are one by one."""
    changes = {"pools.0.limit_cents": 5_000_100, "reserve.limit_cents": 30}
    floor = Floor(parse_terms(changed_terms(demo_terms(), changes)))
    floor.play(story)
    in_batches(floor, size)


def in_batches(floor: Floor, size: int) -> None:
    """Decide all that was sent again in batches of a size, at one moment, against deciding it one by one."""
    commands = [command_of(command.raw) for command in floor.sent]
    known: dict[str, Known] = {}
    state, one_by_one = LinkState(floor.terms.name), LinkState(floor.terms.name)
    alone: dict[str, Known] = {}
    for start in range(0, len(commands), size):
        part = commands[start : start + size]
        decision = decide_all(state, part, known, NOW_US)
        state = decision.state
        answers = [(reply.answer, reply.later) for reply in decision.replies]
        if decision.batch is not None:
            known |= known_of(decision)
        for command, answer in zip(part, answers, strict=True):
            single = decide_all(one_by_one, [command], alone, NOW_US)
            one_by_one = single.state
            assert (single.replies[0].answer, single.replies[0].later) == answer, command.id
            if single.batch is not None:
                alone |= known_of(single)
    assert balances(state) == balances(one_by_one)
    assert (state.rounds, state.hits, state.pools, state.tables) == (
        one_by_one.rounds,
        one_by_one.hits,
        one_by_one.pools,
        one_by_one.tables,
    )


def balances(state: LinkState) -> dict[str, int]:
    """What each account holds; versions differ with the batches."""
    return {account: balance.microcents for account, balance in state.balances.items()}


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=60, stateful_step_count=40)
