"""What people do to rounds that are over: hits fall away, recorded rounds are void, what was paid is void too.

What an act carries of its round is read from the ledger's batches, as the audit reads it.
"""

import random
from typing import Any

from jackpot.core.amendments import VoidRecorded
from jackpot.core.answers import VoidRecordedAnswer, decode_stored
from jackpot.core.commands import MoveHit
from jackpot.core.decide_amends import SEATS, VOID_RULES, WHOLE
from jackpot.core.decide_hits import FALL_RULES
from jackpot.core.hits import ENDED, Hit
from jackpot.ledger.past import posted_of
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.ids import message_id
from tests.sim.office import Office

Key = tuple[str, int, int]
LATELY = 12
"""Rounds as young as this are amended more often than others."""


class Archive:
    """What the ledger holds of rounds that are over."""

    def __init__(self, ledger: Any) -> None:
        """Read nothing yet."""
        self._ledger = ledger
        self._past = PastRounds()
        self._read = 0

    def of(self, key: Key) -> Any:
        """All that an act carries of a round."""
        for batch in self._ledger.batches[self._read :]:
            self._past.take(batch)
        self._read = len(self._ledger.batches)
        return self._past.of(key)

    def next_revision(self, key: Key, month: str) -> int:
        """The revision of the next act that amends a round."""
        revision = 2
        while (known := self._ledger.known(message_id(*key[:2], month, key[2], "amend", revision))) is not None:
            if not isinstance(decode_stored(known.answer), VoidRecordedAnswer):
                break
            revision += 1
        return revision


class Amendments:
    """The people who amend what is recorded."""

    def __init__(self, world: Any, office: Office) -> None:
        """Begin with nothing amended."""
        self._world, self._office = world, office
        self._archive = Archive(world.ledger)

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
        self._world.faults["paid_then_void"] += bool(paid and (not act.seats or _seats_of(paid) & set(act.seats)))
        self._office.act(act, twice=chance.random() < 0.3, patient=False)
        if chance.random() < 0.2:
            # Two other people, at the same moment, of the same round.
            self._office.act(self._void(key, chance), patient=False)
        return True

    def _void(self, key: Key, chance: random.Random) -> VoidRecorded:
        past = self._archive.of(key)
        rule = chance.choice(sorted(VOID_RULES))
        in_play = sorted(past.seats)
        seats: tuple[int, ...] = ()
        if VOID_RULES[rule] == SEATS or (VOID_RULES[rule] != WHOLE and chance.random() < 0.5):
            seats = tuple(sorted(chance.sample(in_play, chance.randint(1, len(in_play)))))
        month = self._world.witness.model.recorded[key].month
        at = (*key[:2], month, key[2], self._archive.next_revision(key, month))
        return VoidRecorded(*at, rule, self._office.person(), self._office.person(), "film", past, seats)


def _shared(over: Any, pool: str) -> bool:
    """Whether several hands of a round have a prize of a pool."""
    return len([prize for prize in over.prizes.values() if prize.pool == pool and prize.from_meter]) > 1


def _seats_of(hits: set[str]) -> set[int]:
    return {int(hit.split("/")[3]) for hit in hits}
