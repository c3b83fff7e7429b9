"""Random histories of rounds that are voided, and hits that fall away, against a model that was written separately."""

from dataclasses import dataclass, field
from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.support.floor import Floor

CENT = 1_000_000
SEED = 5_000_000 * CENT
BONUS = {"flush": 10_000, "full_house": 15_000, "four_of_a_kind": 50_000}
LEAST = {"straight_flush": 500_000, "royal_flush": 5_000_000}
TABLES = ("T1", "T2", "T3")
HANDS = ["", "", "flush", "full_house", "straight_flush", "straight_flush", "royal_flush"]
MOST = {"royal_flush": 2, "straight_flush": 2, "flush": 1, "full_house": 1}


def shares(jackpot_cents: int, winners: dict[int, str]) -> dict[int, list[int]]:
    """What each winner takes from the pool and what is added to it, in cents: rule 12 on one frozen meter."""
    due = {seat: [0, BONUS[prize]] for seat, prize in winners.items() if prize in BONUS}
    left = jackpot_cents
    for prize, stays in (("straight_flush", Fraction(9, 10)), ("royal_flush", Fraction(0))):
        seats = [seat for seat, won in winners.items() if won == prize]
        if seats:
            each = int(left * (1 - stays ** len(seats)) / len(seats))
            due |= {seat: [each, max(LEAST[prize] - each, 0)] for seat in seats}
            left -= each * len(seats)
    return due


@dataclass
class Resolved:
    """Prizes that were resolved together: the meter they were resolved on, what seeded the pool then."""

    meter: int
    winners: dict[int, str]
    seeded: list[int]


@dataclass
class Recorded:
    """A recorded round: who is in play, what each won and has due, and in which resolution."""

    winners: dict[int, str]
    due: dict[int, list[int]]
    seats: set[int]
    of: dict[int, Resolved]
    paid: dict[int, int] = field(default_factory=dict)
    taken: Resolved | None = None
    """Whose prize has what its wagers put into the pool; None while it is in there."""


class History(RuleBasedStateMachine):
    """Three tables play whole rounds; people pay, release and void, in any order, as often as they like."""

    def __init__(self) -> None:
        """Open the link."""
        super().__init__()
        self.floor = Floor(tables=TABLES)
        self.rounds: dict[tuple[str, int], Recorded] = {}
        self.next = dict.fromkeys(TABLES, 1)
        self.pool, self.reserve, self.recoverable, self.epoch = SEED, 0, 0, 1
        self.people = 0
        self.made: list[Resolved] = []

    def names(self) -> str:
        """Two people whom nobody has met."""
        self.people += 2
        return f"by=p{self.people - 1} with=p{self.people} reason=seen"

    def hit(self, key: tuple[str, int], seat: int) -> str:
        """The name of a seat's hit."""
        pool = "house" if self.rounds[key].winners[seat] in BONUS else "main"
        return f"{key[0]}/1/{key[1]}/{seat}/{pool}"

    @rule(table=st.sampled_from(TABLES), hands=st.lists(st.sampled_from(HANDS), min_size=1, max_size=4))
    def play(self, table: str, hands: list[str]) -> None:
        """A round is wagered and recorded; a table with an open hit waits (9.5)."""
        number, seats = self.next[table], range(1, len(hands) + 1)
        if self.floor.line(f"{table} wagers {number}: {' '.join(map(str, seats))}".split()) != "accepted":
            return
        dealt = [hand if hands[:place].count(hand) < MOST.get(hand, 0) else "" for place, hand in enumerate(hands)]
        words = [f"{seat}={hand}" if hand else f"{seat}" for seat, hand in zip(seats, dealt, strict=True)]
        assert self.floor.line(f"{table} record {number}: {' '.join(words)}".split()) == "recorded"
        self.next[table] += 1
        self.pool += 22 * CENT * len(hands)
        self.reserve += 8 * CENT * len(hands)
        winners = {seat: hand for seat, hand in zip(seats, dealt, strict=True) if hand}
        one = self.rounds[table, number] = Recorded({}, {}, set(seats), {})
        self.award(one, winners)

    def award(self, one: Recorded, winners: dict[int, str]) -> None:
        """Prizes are resolved together on the meter as it stands; a royal begins it again."""
        resolved = Resolved(self.pool, winners, [])
        due = shares(self.pool // CENT, winners)
        self.pool -= sum(took for took, _ in due.values()) * CENT
        if "royal_flush" in winners.values():
            resolved.seeded = [min(self.reserve, SEED), SEED - min(self.reserve, SEED)]
            self.reserve -= resolved.seeded[0]
            self.pool, self.epoch = self.pool + SEED, self.epoch + 1
            for each in self.rounds.values():
                each.taken = each.taken or resolved
        self.made.append(resolved)
        one.due |= due
        one.winners |= winners
        one.of |= dict.fromkeys(winners, resolved)

    @precondition(lambda self: self.rounds)
    @rule(data=st.data())
    def pay(self, data: st.DataObject) -> None:
        """A hit is verified, approved and paid, or what it rose by since."""
        key = data.draw(st.sampled_from(sorted(self.rounds)))
        one = self.rounds[key]
        for seat in sorted(one.winners):
            hit = self.hit(key, seat)
            if seat not in one.due or self.floor.line(["hit", hit, "state"]) not in {"pending", "verified", "approved"}:
                continue
            if self.floor.line(["hit", hit, "state"]) == "pending":
                self.people += 1
                self.floor.line(f"verify {hit} by=p{self.people}".split())
            while self.floor.line(["hit", hit, "state"]) == "verified":
                self.people += 1
                self.floor.line(f"approve {hit} by=p{self.people}".split())
            self.people += 1
            assert self.floor.line(f"pay {hit} by=p{self.people}".split()) == "paid"
            one.paid[seat] = sum(one.due[seat])

    @precondition(lambda self: self.rounds)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        """A hit falls away; one that is paid does not."""
        key = data.draw(st.sampled_from(sorted(self.rounds)))
        one = self.rounds[key]
        if not one.winners:
            return
        seat = data.draw(st.sampled_from(sorted(one.winners)))
        # What has ended is answered so, or is so long ago that the ledger has it no more.
        became = self.floor.line(f"release {self.hit(key, seat)} {self.names()} rule=11.4".split())
        if became == "released":
            self.fall(one, {seat})
        else:
            assert became in {"illegal_move", "no_such_hit"}
            assert seat in one.paid or seat not in one.due

    @precondition(lambda self: self.rounds)
    @rule(data=st.data(), whole=st.booleans())
    def void(self, data: st.DataObject, *, whole: bool) -> None:
        """A round is void, or seats of it: once a seat."""
        key = data.draw(st.sampled_from(sorted(self.rounds)))
        one = self.rounds[key]
        named = set() if whole else data.draw(st.sets(st.integers(1, 4), min_size=1))
        seats = " ".join(map(str, sorted(named)))
        revision = len(self.floor.batches) + 2
        rule = "14.4" if whole else "14.8"
        line = f"{key[0]} amend {key[1]}: {seats} rule={rule} revision={revision} {self.names()}"
        became = self.floor.line(line.split())
        if not one.seats or named - one.seats:
            assert became == "round_voided"
            return
        assert became == "void_recorded"
        gone = (named or set(one.seats)) & one.seats
        falling = gone & one.due.keys()
        self.fall(one, falling)
        for _ in gone:
            if one.taken is None:
                taken = min(self.pool, 22 * CENT)
                self.pool -= taken
                self.reserve -= min(self.reserve, 22 * CENT - taken)
            else:
                self.reserve -= min(self.reserve, 22 * CENT)
            self.reserve -= min(self.reserve, 8 * CENT)
        one.seats -= gone

    @precondition(lambda self: self.rounds)
    @rule(data=st.data(), hands=st.lists(st.sampled_from(HANDS), min_size=4, max_size=4))
    def correct(self, data: st.DataObject, hands: list[str]) -> None:
        """A record is corrected: prizes fall away, others come; what was paid counts for what comes instead."""
        key = data.draw(st.sampled_from(sorted(self.rounds)))
        one = self.rounds[key]
        dealt = [hand if hands[:place].count(hand) < MOST.get(hand, 0) else "" for place, hand in enumerate(hands)]
        won = {seat: hand for seat, hand in enumerate(dealt, start=1) if hand and seat in one.seats}
        words = " ".join(f"{seat}={won[seat]}" if seat in won else f"{seat}" for seat in sorted(one.seats))
        people = self.names().replace("with=", "manager=") + " with=-"
        line = f"{key[0]} correct {key[1]}: {words} revision={len(self.floor.batches) + 2} {people}"
        became = self.floor.line(line.split())
        if not one.seats:
            assert became == "round_voided"
            return
        assert became == "corrected"
        gone = {seat for seat in one.due if won.get(seat) != one.winners[seat]}
        again = {seat for seat in gone & won.keys() if (won[seat] in BONUS) == (one.winners[seat] in BONUS)}
        had = {seat: one.paid.pop(seat) for seat in again & one.paid.keys()}
        self.fall(one, gone)
        self.award(one, {seat: hand for seat, hand in won.items() if seat not in one.due})
        for seat, cents in had.items():
            one.paid[seat] = min(cents, sum(one.due[seat]))
            self.recoverable += (cents - one.paid[seat]) * CENT

    def fall(self, one: Recorded, gone: set[int]) -> None:
        """Prizes go back; those resolved with them are resolved again; a seed nobody won goes back last."""
        before = {seat: one.of[seat] for seat in gone}
        for seat in gone:
            self.pool += one.due[seat][0] * CENT
            self.recoverable += one.paid.pop(seat, 0) * CENT
            del one.due[seat]
        resolutions = [of for of in self.made if any(of is each for each in before.values())]
        for of in resolutions:
            if any(one.winners[seat] in LEAST for seat in gone if before[seat] is of):
                staying = {seat: one.winners[seat] for seat in one.due if one.of[seat] is of}
                for seat, (took, added) in shares(of.meter // CENT, staying).items():
                    more, was = took - one.due[seat][0], sum(one.due[seat])
                    if more > 0 and took + added >= was:
                        self.pool -= more * CENT
                        one.due[seat] = [took, added]
        for of in resolutions:
            left = [seat for seat in one.due if one.winners[seat] == "royal_flush" and one.of[seat] is of]
            fell = [seat for seat in gone if one.winners[seat] == "royal_flush" and before[seat] is of]
            if fell and not left:
                self.reserve += of.seeded[0]
                self.pool -= min(self.pool, of.seeded[0])
                self.pool -= min(self.pool, of.seeded[1])
                for each in self.rounds.values():
                    each.taken = None if each.taken is of else each.taken

    @invariant()
    def the_accounts_are_the_models(self) -> None:
        """Pool, reserve and what is to be recovered; all accounts together are nought; no player's money below it."""
        assert self.floor.balance("pool/main") == self.pool
        assert self.floor.balance("reserve") == self.reserve
        assert self.floor.balance("recoverable") == self.recoverable
        assert self.floor.state.pools["main"].epoch == self.epoch

    @invariant()
    def every_winner_has_what_is_due(self) -> None:
        """Each prize is what its winner gets by the round as it stands, and what is not paid of it is held aside."""
        for key, one in self.rounds.items():
            for seat, due in one.due.items():
                found = [hit for name, hit in self.floor.state.hits.items() if str(name) == self.hit(key, seat)]
                if found:
                    assert found[0].amount_cents == sum(due)
                    held = self.floor.balance(f"payable/{self.hit(key, seat)}")
                    assert held == (sum(due) - one.paid.get(seat, 0)) * CENT


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=50, stateful_step_count=20)
