"""What people do to rounds that are over: hits fall away, recorded rounds are void, what was paid is void too.

What an act carries of its round is read from the ledger's batches, as the audit reads it.
"""

import random
from typing import Any

import msgspec

from jackpot.core.accounts import MICROCENTS
from jackpot.core.amendments import (
    CorrectRecorded,
    DecideOrder,
    Forfeited,
    RecordTyped,
    Recovered,
    VoidOpen,
    VoidRecorded,
)
from jackpot.core.answers import decode_stored
from jackpot.core.commands import MoveHit
from jackpot.core.decide_hits import FALL_RULES
from jackpot.core.hits import ENDED, Hit, undecided
from jackpot.core.past import PastRound
from jackpot.ledger.past import Held, posted_of
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.ids import message_id
from jackpot.wire.messages import RefusedAnswer
from rules.irregularities.voiding import FORFEITS, SEATS, VOID_RULES, WHOLE
from rules.terms import fingerprint
from tests.sim.months import month_at
from tests.sim.office import Office
from tests.support.hands import record_line

Key = tuple[str, int, int]
PRIZES = ("royal_flush", "straight_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")
LATELY = 12
"""Rounds as young as this are amended more often than others."""


class Archive:
    """What the ledger holds of rounds that are over."""

    def __init__(self, ledger: Any) -> None:
        """Read nothing yet."""
        self._ledger = ledger
        self._past = PastRounds()
        self._read = 0

    def held(self, key: Key) -> Held:
        """All that the ledger holds of a round."""
        for batch in self._ledger.batches[self._read :]:
            self._past.take(batch)
        self._read = len(self._ledger.batches)
        return self._past.held(key)

    def of(self, key: Key) -> PastRound:
        """All that an act carries of a round."""
        return self.held(key).past

    def next_revision(self, key: Key, month: str) -> int:
        """The revision of the next act that amends a round."""
        revision = 2
        while (known := self._ledger.known(message_id(*key[:2], month, key[2], "amend", revision))) is not None:
            if isinstance(decode_stored(known.answer), RefusedAnswer):
                break
            revision += 1
        return revision


class Amendments:
    """The people who amend what is recorded."""

    def __init__(self, world: Any, office: Office) -> None:
        """Begin with nothing amended."""
        self._world, self._office = world, office
        self._archive = Archive(world.ledger)
        self._looked_at: set[tuple[str, int]] = set()
        """Disputes in which the records' order was said to hold, by their hit and how many acts it had."""

    def let_fall(self, number: int) -> bool:
        """Have two people reject, release or forfeit a hit, sooner one that shares a meter; False for none."""
        chance = random.Random(number)
        hits = [hit for _, hit in sorted(self._world.ledger.rows.hits.items()) if hit.state not in ENDED]
        if not hits:
            return False
        over = self._world.witness.model.recorded
        shared = [hit for hit in hits if hit.key[:3] in over and _shared(over[hit.key[:3]], hit.key.pool)]
        hit = chance.choice(shared or hits)
        move = chance.choice(["release"] * 6 + ["reject", "reject", "forfeit"])
        if hit.state == "claimed":
            move = "reject"
        self._office.act(self._fall(hit, move, chance.choice(sorted(FALL_RULES))), twice=chance.random() < 0.2)
        return True

    def _fall(self, hit: Hit, move: str, rule: str) -> MoveHit:
        by, second = self._office.person(), self._office.person()
        posted = posted_of(self._archive.of(hit.key[:3]), str(hit.key)) if move == "release" else ()
        return MoveHit(str(hit.key), move, by, len(hit.acts), second, "seen by both", rule=rule, posted=posted)

    def void_recorded(self, number: int) -> bool:
        """Have two people void a recorded round or seats of it, sooner one with prizes; False where there is none."""
        chance = random.Random(number)
        over = self._world.witness.model.recorded
        keys = [key for key, one in over.items() if one.opened.seats]
        if not keys:
            return False
        won = [key for key in keys if _shared(over[key], "main")] if chance.random() < 0.4 else []
        won = won or [key for key in keys if over[key].prizes]
        if won and chance.random() < 0.7:
            keys = won
        partly = [key for key in over if over[key].amended and over[key].opened.seats]
        if partly and chance.random() < 0.3:
            keys = partly
        key = chance.choice(keys[-LATELY:] if chance.random() < 0.7 else keys)
        act = self._void(key, chance)
        paid = {hit.hit for hit in act.past.hits if hit.state == "paid"}
        self._world.faults["void_recorded"] += 1
        self._world.faults["void_last_month"] += over[key].month < month_at(self._world.wall_us)
        self._world.faults["paid_then_void"] += bool(paid and (not act.seats or _seats_of(paid) & set(act.seats)))
        self._office.act(act, twice=chance.random() < 0.3, patient=False)
        if chance.random() < 0.2:
            # Two other people, at the same moment, of the same round.
            self._office.act(self._void(key, chance), patient=False)
        return True

    def correct(self, number: int) -> bool:
        """Have two people correct a record: some seats win what they did, others something else; False for none."""
        chance = random.Random(number)
        over = self._world.witness.model.recorded
        keys = [key for key, one in over.items() if one.opened.seats]
        if not keys:
            return False
        paid = [key for key in keys if any(prize.paid for prize in over[key].prizes.values())]
        if paid and chance.random() < 0.4:
            keys = paid
        key = chance.choice(keys[-LATELY:] if chance.random() < 0.8 else keys)
        held, month = self._archive.held(key), over[key].month
        at: dict[str, Any] = {"table": key[0], "journal": key[1], "month": month, "round": key[2]}
        revision = self._archive.next_revision(key, month)
        record = self._record({**at, "revision": revision}, over[key], held.past, chance)
        if record is None:
            return False
        words: dict[str, Any] = {"by": self._office.person(), "manager": self._office.person(), "reason": "film"}
        act = CorrectRecorded(
            **at, revision=revision, corrects=held.recorded, record=msgspec.Raw(record), past=held.past, **words
        )
        self._world.faults["corrected_record"] += 1
        self._office.act(act, twice=chance.random() < 0.2, patient=False)
        return True

    def _record(self, at: Any, over: Any, past: PastRound, chance: random.Random) -> bytes | None:
        """A record of the round as it is to be; None where no deck holds it."""
        rows = self._world.ledger.rows
        own = max((each for each in rows.terms if each.since <= past.commit), key=lambda each: each.since).terms
        words = []
        for seat in sorted(past.seats):
            now = over.prizes[seat].prize if seat in over.prizes else ""
            prize = now if chance.random() < 0.5 else chance.choice(("", "", *PRIZES))
            if now and over.prizes[seat].paid and chance.random() < 0.5:
                prize = chance.choice(PRIZES[:3] if over.prizes[seat].pool == "main" else PRIZES[3:])
            words.append(f"{seat}={prize}" if prize else f"{seat}")
        try:
            return record_line(at, words, past.seats, own, fingerprint(own))
        except ValueError:
            return None

    def type_in(self, number: int) -> bool:
        """Have two people end a round of a lost journal by the record as it is on paper; False where there is none."""
        lost = [one for one in self._office.lost_rounds() if one.runs]
        if not lost:
            return False
        chance = random.Random(number)
        one = chance.choice(lost)
        at: dict[str, Any] = {"table": one.table, "journal": one.journal, "month": one.month, "round": one.round}
        people: dict[str, Any] = {"by": self._office.person(), "second": self._office.person(), "reason": "paper"}
        own = next(each for each in self._world.ledger.rows.terms if each.fingerprint == one.terms).terms
        if chance.random() < 0.3:
            directed = (Forfeited(chance.choice(sorted(one.accepted)), "Sue", "fraud"),)
            act: Any = VoidOpen(**at, **people, revision=2, rule=FORFEITS, forfeits=directed)
        else:
            words = [
                f"{seat}={prize}" if (prize := chance.choice(("", *PRIZES))) else f"{seat}" for seat in one.accepted
            ]
            try:
                record = record_line({**at, "revision": 1}, words, one.accepted, own, one.terms)
            except ValueError:
                return False
            act = RecordTyped(**at, **people, record=msgspec.Raw(record))
        self._world.faults["typed_record"] += 1
        self._office.act(act, patient=False)
        return True

    def recover(self, number: int) -> bool:
        """Have two people post a part of an overpayment as come back; False where nothing is owed."""
        chance = random.Random(number)
        balances = self._world.ledger.rows.balances
        owed = [
            (hit, cents, cents - back)
            for key in self._world.witness.model.recorded
            for hit, cents in self._archive.held(key).owed_cents.items()
            if (back := getattr(balances.get(f"recovered/{hit}"), "microcents", 0) // MICROCENTS) < cents
        ]
        if not owed:
            return False
        hit, cents, left = chance.choice(owed)
        part = 1
        while self._world.ledger.known(f"{hit}/recovered/{part}") is not None:
            part += 1
        back = chance.choice((left, chance.randint(1, left)))
        people: dict[str, Any] = {"by": self._office.person(), "second": self._office.person(), "reason": "letter"}
        self._office.act(Recovered(hit=hit, part=part, cents=back, owed_cents=cents, **people), twice=True)
        return True

    def decide_order(self, number: int) -> bool:
        """Have people say which of two tables' prizes from one meter came first; False where nobody waits for it."""
        chance = random.Random(number)
        hits = self._world.ledger.rows.hits
        waiting = [hit for _, hit in sorted(hits.items()) if hit.state == "disputed" and undecided(hit)]
        if not waiting:
            return False
        self._office.act(self._order(chance.choice(waiting), chance), twice=chance.random() < 0.3, patient=False)
        return True

    def settle_order(self, hit: Hit) -> bool:
        """Have the records' order hold, as it can be said always once nobody disputes cards; False where it failed."""
        looked_at = (str(hit.key), len(hit.acts))
        if looked_at in self._looked_at:
            return False
        self._looked_at.add(looked_at)
        self._office.act(self._order(hit, None), patient=False)
        return True

    def _order(self, hit: Hit, chance: random.Random | None) -> DecideOrder:
        """As the command line makes the act."""
        since = undecided(hit)[-1]
        hits = self._world.ledger.rows.hits
        last = next((key for key, one in hits.items() if since in one.awarded_in), hit.key)
        manager = self._office.person() if chance is None or chance.random() < 0.8 else ""
        return DecideOrder(
            hit=str(hit.key),
            order="wagers" if chance is not None and chance.random() < 0.7 else "commit",
            by=self._office.person(),
            second=self._office.person(),
            reason="both films",
            nth=len(hit.acts),
            table=last.table,
            journal=last.journal,
            round=last.round,
            wagers_commit=self._archive.of(last[:3]).commit,
            manager=manager,
        )

    def _void(self, key: Key, chance: random.Random) -> VoidRecorded:
        past = self._archive.of(key)
        if chance.random() < 0.1:
            return self._invalidated(key, past, chance)
        rule = chance.choice(sorted(VOID_RULES))
        in_play = sorted(past.seats)
        seats: tuple[int, ...] = ()
        if VOID_RULES[rule] == SEATS or (VOID_RULES[rule] != WHOLE and chance.random() < 0.5):
            seats = tuple(sorted(chance.sample(in_play, chance.randint(1, len(in_play)))))
        month = self._world.witness.model.recorded[key].month
        at = (*key[:2], month, key[2], self._archive.next_revision(key, month))
        return VoidRecorded(*at, rule, self._office.person(), self._office.person(), "film", past, seats)

    def _invalidated(self, key: Key, past: PastRound, chance: random.Random) -> VoidRecorded:
        """A void in which the wager of who defrauded is forfeited (16.6)."""
        month = self._world.witness.model.recorded[key].month
        at = (*key[:2], month, key[2], self._archive.next_revision(key, month))
        directed = (Forfeited(chance.choice(sorted(past.seats)), "Sue", "fraud"),)
        return VoidRecorded(
            *at, FORFEITS, self._office.person(), self._office.person(), "film", past, forfeits=directed
        )


def _shared(over: Any, pool: str) -> bool:
    """Whether several hands of a round have a prize of a pool."""
    return len([prize for prize in over.prizes.values() if prize.pool == pool and prize.from_meter]) > 1


def _seats_of(hits: set[str]) -> set[int]:
    return {int(hit.split("/")[3]) for hit in hits}
