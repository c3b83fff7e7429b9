"""Ways to break the product that a simulator must notice: each is a change of shipped code while it lasts.

`python -m tests.sim.mutants` plays each until it is found, and prints the short history that finds it.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Final
from unittest.mock import patch

from jackpot.bus import Publisher
from jackpot.core import (
    awarding,
    decide,
    decide_amends,
    decide_corrections,
    decide_hits,
    decide_records,
    decide_reopened,
    decide_tables,
    decide_wagers,
    posting,
    releases,
    reversals,
)
from jackpot.core.answers import ConnectedAnswer
from jackpot.core.ports import FenceConflictError, OutcomeUnknownError, UnreachableError
from jackpot.core.state import Journal
from jackpot.core.verdicts import Undecided
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.messages import RefusedAnswer
from rules.splitting import split_wager
from tablelink import standing
from tablelink.core import dealing, outbox
from tablelink.core.dealing import step_now
from tablelink.core.outbox import Outbox, Settled
from tablelink.desk import Desk
from tablelink.spool import Spool, Write
from tests.sim import hosts
from tests.sim.breaking import (
    month_of_greenwich,
    month_of_the_table,
    order_of_records,
    order_turned,
    people_not_heard,
    retained_as_live,
)
from tests.sim.programs import BROKE, Failing, failing, play, program_of

Change = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One way to break it, the rule it breaks, and in how many histories it must be found."""

    name: str
    breaks: str
    change: Change
    within: int = 20


# --- the poster -------------------------------------------------------------------------------------------------------


async def _posted_twice(poster: Any, held: Any, commands: Any, _gone: Any) -> Any:
    """What is decided under the lock is decided as if nothing had been stored."""
    decision = decide.decide_all(await held.load(), commands, {}, poster.clock.now_us())
    if decision.batch is not None:
        await held.post(decision.batch)
    return [True] * len(commands), decision


def _double_post() -> AbstractContextManager[object]:
    return patch.object(posting, "_decide_held", _posted_twice)


def _read_without_lock() -> AbstractContextManager[object]:
    """After a lost connection it is read back at once, and what is not there yet is said not to have happened."""

    async def read_back(poster: Any, commands: Any, started: int, why: str, _gone: Any) -> Any:
        while True:
            try:
                state = await poster.store.load()
                known = await poster.store.answers([command.id for command in commands])
            except UnreachableError:
                await poster.clock.pause(1)
                continue
            break
        decision = decide.decide_all(state, commands, known, poster.clock.now_us())
        if decision.batch is not None:
            with contextlib.suppress(FenceConflictError, OutcomeUnknownError):
                await poster.store.post(decision.batch)
        return await posting._done(poster, commands, decision, started, why)

    return patch.object(posting, "_under_lock", read_back)


def _answer_before_commit() -> AbstractContextManager[object]:
    """A connection that was lost while it committed is taken for one that has committed."""
    honest = posting.post

    async def post(poster: Any, commands: Any, *gone: Any) -> Any:
        store, sent = poster.store, poster.store.post

        async def hopeful(batch: Any) -> None:
            with contextlib.suppress(OutcomeUnknownError):
                await sent(batch)

        store.post = hopeful
        return await honest(poster, commands, *gone)

    return patch.object(posting, "post", post)


# --- what is decided --------------------------------------------------------------------------------------------------


def _forgotten_reseed() -> AbstractContextManager[object]:
    return patch.object(awarding, "_fill", lambda *_given: None)


def _stored_refusal() -> AbstractContextManager[object]:
    honest = decide._decide

    def stored(draft: Any, command: Any, facts: Any) -> Any:
        try:
            return honest(draft, command, facts)
        except Undecided as undecided:
            if undecided.answer is not None:
                raise
            refusal = undecided.refusal
            return RefusedAnswer(refusal.code, refusal.text, refusal.rule)

    return patch.object(decide, "_decide", stored)


def _void_by_rates() -> AbstractContextManager[object]:
    """A void gives back what a wager would be split into now, not what its row says."""
    honest = reversals.reverse

    def reverse(draft: Any, opened: Any, seats: Any, ref: str) -> Any:
        terms = draft.terms.terms
        meters = {pool.name: draft.book.balance(f"pool/{pool.name}") for pool in terms.pools}
        now = split_wager(terms, meters, draft.book.balance("reserve"))
        parts = (*now.pools, *now.overflow, now.reserve, now.retained)
        runs = tuple(_with_parts(run, parts) for run in opened.runs)
        return honest(draft, _with_runs(opened, runs), seats, ref)

    @contextlib.contextmanager
    def change() -> Iterator[None]:
        with patch.object(decide_wagers, "reverse", reverse), patch.object(decide_amends, "reverse", reverse):
            yield

    return change()


def _with_parts(run: Any, parts: Sequence[int]) -> Any:
    return type(run)(run.seats, run.wager_cents, tuple(parts), run.tenders)


def _with_runs(opened: Any, runs: Sequence[Any]) -> Any:
    fields = {name: getattr(opened, name) for name in opened.__struct_fields__}
    return type(opened)(**{**fields, "runs": tuple(runs)})


def _reused_journal() -> AbstractContextManager[object]:
    """A new spool is granted the number of the journal that was lost."""

    def grant(draft: Any, table: Any, journal: Any, hello: Any, facts: Any) -> Any:
        if not table.word:
            return honest(draft, table, journal, hello, facts)
        granted = Journal(table.name, max(table.journal, 1), hello.spool, month=draft.month)
        draft.put_journal(granted)
        draft.put_table(replace(table, status="linked", journal=granted.journal, connection=hello.connection, word=""))
        return ConnectedAnswer(granted.journal, hello.connection, 0, draft.terms.fingerprint)

    honest = decide_tables._grant
    return patch.object(decide_tables, "_grant", grant)


def _past_an_open_round() -> AbstractContextManager[object]:
    return patch.object(decide_hits, "_waits_for", lambda *_given: "")


def _order_forgotten() -> AbstractContextManager[object]:
    return patch.object(decide_records, "dispute_order", lambda _draft, _opened, hits, _facts: list(hits))


def _withdrawn_accepted() -> AbstractContextManager[object]:
    """Wagers that come after their withdrawal are taken for new ones."""
    honest = decide_wagers.late

    def late(draft: Any, journal: Any, round_no: int) -> Any:
        opened = draft.rounds.get((journal.table, journal.journal, round_no))
        return None if opened is not None and opened.withdrawn else honest(draft, journal, round_no)

    return patch.object(decide_wagers, "late", late)


def _epoch_forgotten() -> AbstractContextManager[object]:
    """A void after a royal takes the increment out of the next meter."""
    return patch.object(reversals, "in_its_meter", lambda *_given: True)


# --- what is amended --------------------------------------------------------------------------------------------------


def _seed_kept() -> AbstractContextManager[object]:
    """A prize that took the pool falls away, and the pool keeps the seed that it was given after it."""
    return patch.object(releases, "_unseed", lambda *_given: None)


def _share_doubled() -> AbstractContextManager[object]:
    """Who stays in a round is given twice what another's share had taken from them."""
    honest = releases._raise

    def twice(draft: Any, hit: Any, *given: Any) -> None:
        honest(draft, hit, *given)
        honest(draft, hit, *given)

    return patch.object(releases, "_raise", twice)


def _void_again() -> AbstractContextManager[object]:
    """What a round holds is read without the seats that went out of it: its wagers go back a second time."""
    return patch.object(PastRounds, "_ends", lambda *_given: None)


def _overpaid_by_the_pool() -> AbstractContextManager[object]:
    """The round of a prize that was paid is void, and nobody makes the pool whole."""
    honest = releases._give_back

    def give_back(draft: Any, hit: Any, *given: Any) -> None:
        honest(draft, replace(hit, from_pool_cents=0) if hit.state == "paid" else hit, *given)

    return patch.object(releases, "_give_back", give_back)


def _paid_not_set_off() -> AbstractContextManager[object]:
    """A record is corrected, and what was paid of the old prize does not count for the new one."""
    return patch.object(decide_corrections, "_again", lambda *_given: False)


# --- the ledger's lives -----------------------------------------------------------------------------------------------


def _amount_decided_anew() -> AbstractContextManager[object]:
    """After a restore a prize is what the restored meter makes of it, not what its table was told."""
    return patch.object(decide_reopened, "_award_stands", lambda *_given: None)


# --- the table --------------------------------------------------------------------------------------------------------


def _answer_not_kept() -> AbstractContextManager[object]:
    return patch.object(Spool, "_put_answer", lambda *_given: None)


def _lamp_before_spool() -> AbstractContextManager[object]:
    """The table's state moves on while its step is still on the way to the disk."""

    async def take(self: Any, *given: Any, settled: Any = None) -> Any:
        before = after = self.dealing
        posts: tuple[Any, ...] = ()
        for one in given:
            after, more = step_now(after, one, self.felt)
            posts += more
        starts = before.round is None and after.round is not None
        self.dealing = after
        sent = await self._write(Write(given, posts, settled, checkpoint=before if starts else None))
        for message, name in sent:
            self.outbox.submit(message, name)
        if settled is not None:
            self.heard(settled.answer.receipt)
        return posts

    return patch.object(Desk, "take", take)


def _late_answer_lights() -> AbstractContextManager[object]:
    """An answer after the withdrawal lights the lamps all the same."""

    @contextlib.contextmanager
    def change() -> Iterator[None]:
        honest = outbox.Outbox._settled

        def settled(self: Outbox, answer: Any) -> Any:
            return [Settled(answer.id, answer) if isinstance(fact, Settled) else fact for fact in honest(self, answer)]

        def answered(state: Any, given: Any) -> Any:
            under_way = state.round
            if under_way is not None and given.id == under_way.wagers_id:
                lit = dealing._lit(replace(under_way, withdrawn=""), given.answer)
                return replace(state, round=lit)
            return plain(state, given)

        plain = dealing._answered
        with patch.object(Outbox, "_settled", settled), patch.object(dealing, "_answered", answered):
            yield

    return change()


def _lost_rows_unnoticed() -> AbstractContextManager[object]:
    """A spool that has lost what it had written plays on."""
    return patch.object(standing, "forgotten", lambda _dealing, _told: "")


# --- what is shown ----------------------------------------------------------------------------------------------------


def _snapshot_from_memory() -> AbstractContextManager[object]:
    """What is published is what this process remembers, not what it has read from the primary."""

    async def publish_memory(self: Any) -> Any:
        reading = hosts.reading_of(self._month.__self__.link.state)
        self.last = reading
        return reading

    return patch.object(Publisher, "_read", publish_memory)


MUTANTS: Final = (
    Mutant("double post", "what is decided under the lock is not looked up first", _double_post),
    Mutant("read-back without the lock", "a commit can arrive a second later", _read_without_lock),
    Mutant("answer before the commit", "a lost connection is taken for a commit", _answer_before_commit),
    Mutant("forgotten reseed", "a pool that was won starts from nought", _forgotten_reseed),
    Mutant("refusal stored", "later refusals become the id's answer for ever", _stored_refusal),
    Mutant("void from rates", "not from the accounts that the wager's row names", _void_by_rates, within=40),
    Mutant("void from the next meter", "a royal has taken the increment since", _epoch_forgotten),
    Mutant("journal used twice", "ids are used again after a spool was lost", _reused_journal),
    Mutant("approved past an open round", "an older round may still hold a prize", _past_an_open_round),
    Mutant("order forgotten", "two tables' prizes from one meter, and nobody decides", _order_forgotten),
    Mutant("withdrawn round accepted", "wagers after their withdrawal", _withdrawn_accepted, within=60),
    Mutant("seed kept after a release", "a prize fell away, and what filled the pool for it stays", _seed_kept),
    Mutant("share doubled", "a winner who stays gets twice what another had", _share_doubled, within=40),
    Mutant("void given back twice", "seats that went out of a round are in it again", _void_again, within=100),
    Mutant("paid prize, pool not whole", "the house makes good what was paid and is void", _overpaid_by_the_pool),
    Mutant("paid prize not set off", "what was paid counts for the corrected prize", _paid_not_set_off, within=40),
    Mutant("order turned round", "of several rounds the first was first", order_turned, within=40),
    Mutant("order of the records", "people say which order holds", order_of_records, within=40),
    Mutant("month of the table's clock", "the server says which month it is", month_of_the_table),
    Mutant("month of Greenwich", "it is that of the terms' time zone", month_of_greenwich),
    Mutant("amount told forgotten", "after a restore what was answered stands", _amount_decided_anew, within=40),
    Mutant("answer not kept at the table", "a lamp is lit by an answer that a crash forgets", _answer_not_kept),
    Mutant("lamp before the spool", "the table acts before its step is on the disk", _lamp_before_spool),
    Mutant("late answer lights", "an answer after the withdrawal is evidence only", _late_answer_lights),
    Mutant("lost rows not noticed", "a stored answer lights a seat whose wager went back", _lost_rows_unnoticed),
    Mutant("people not heard", "a void of two people is taken for rows that are lost", people_not_heard),
    Mutant("retained copy as live", "it says where things stood, not that they do", retained_as_live, within=40),
    Mutant("snapshot from memory", "an old meter is shown as new", _snapshot_from_memory),
)
"""The ways to break it."""


@dataclass(frozen=True, slots=True)
class Found:
    """How a mutant was found."""

    mutant: Mutant
    histories: int
    history: Failing


def hunt(mutant: Mutant, *, tries: int = 60) -> Found | None:
    """Play histories until one finds the mutant, and make that short; None where as many as are stated do not."""
    for seed in range(mutant.within):
        with mutant.change():
            played = play(seed, program_of(seed))
            if played.violation is not None:
                assert played.violation.rule != BROKE, played.violation  # it is to be noticed, not to fall over
                return Found(mutant, seed + 1, failing(seed, played, most_tries=tries))
    return None


def main() -> None:
    """Hunt them all, and print what finds each."""
    for mutant in MUTANTS:
        found = hunt(mutant)
        if found is None:
            print(f"{mutant.name}: NOT FOUND in {mutant.within} histories", flush=True)  # noqa: T201 - a program prints
        else:
            print(f"{mutant.name}: history {found.histories}\n{found.history}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()


__all__ = ["MUTANTS", "Found", "Mutant", "hunt"]
