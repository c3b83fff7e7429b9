"""What do the batches of a chain make of the rounds that people bring back? Gathered from the first, without Postgres.

The audit of an export holds against this what acts carry of their rounds.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from jackpot.core.accounts import MICROCENTS, RECOVERABLE, payable_account
from jackpot.core.amending import RoundKey
from jackpot.core.amendments import Amendment
from jackpot.core.answers import CorrectedAnswer, VoidRecordedAnswer, decode_stored
from jackpot.core.chain import Body, decode_body
from jackpot.core.commands import command_of
from jackpot.core.hits import Hit
from jackpot.core.past import PastEntry, PastRound, PastWager, past_hit
from jackpot.core.ports import Batch
from jackpot.ledger.past import EVER, Held, award_commits, posted_in
from jackpot.wire.ids import parse_hit
from jackpot.wire.messages import RecordAnswer, Void, VoidAnswer, Withdraw, WithdrawAnswer


class PastRounds:
    """Gathers what acts may carry of the rounds named, batch by batch from the first: for an audit without Postgres."""

    def __init__(self, only: Collection[RoundKey] | None = None) -> None:
        """Begin before the first batch; without names every round is kept."""
        self._only = only
        self._rounds: dict[RoundKey, _Gathered] = {}

    def take(self, batch: Batch) -> None:
        """Take a batch in."""
        wagers = batch.rows.wagers
        for place, table in enumerate(wagers.table):
            key = (table, wagers.journal[place], wagers.round[place])
            if self._kept(key):
                self._wagered(key, batch, place)
        hits = {hit.key: hit for hit in batch.rows.hits if self._kept(hit.key[:3])}
        for hit in hits.values():
            gathered = self._rounds.setdefault(hit.key[:3], _Gathered())
            gathered.hits[hit.key] = hit
            account = payable_account(str(hit.key))
            if account in batch.rows.balances:
                gathered.versions[account] = batch.rows.balances[account].version
        body: Body | None = None
        for hit in hits.values():
            for commit in [each for each in hit.awarded_in if batch.first_commit <= each <= batch.last_commit]:
                body = body or decode_body(batch.body)
                gathered = self._rounds[hit.key[:3]]
                gathered.posted[commit] = list(posted_in(body.entries, commit, list(gathered.hits.values())))
        self._overpaid(batch)
        if any(f"/{kind}" in row.id for row in batch.rows.commands for kind in _ENDING):
            self._ends(body or decode_body(batch.body))

    def of(self, key: RoundKey) -> PastRound:
        """Give what an act carries of a round."""
        return self.held(key).past

    def held(self, key: RoundKey) -> Held:
        """Give what the ledger holds of a round."""
        gathered = self._rounds.get(key, _Gathered())
        every = sorted(gathered.hits.values(), key=lambda hit: (hit.key.seat, hit.key.pool))
        hits = [hit for hit in every if hit.key.seat not in gathered.gone]
        posted: list[PastEntry] = []
        for commit in award_commits(hits, EVER):
            pools = {hit.key.pool for hit in hits if commit in hit.awarded_in}
            names = {str(hit.key) for hit in hits if commit in hit.awarded_in}
            posted += [
                each
                for each in gathered.posted.get(commit, [])
                if (each.ref in names if each.cause == "stake" else each.ref.partition("/")[0] in pools)
            ]
        wagers = [wager for wager in gathered.wagers if wager.seat not in gathered.gone]
        wagers.sort(key=lambda wager: wager.seat)
        told = [
            past_hit(hit, gathered.versions.get(payable_account(str(hit.key)), 0))
            for hit in every
            if hit in hits or hit.out
        ]
        past = PastRound(gathered.commit, tuple(wagers), tuple(told), tuple(posted))
        return Held(past, gathered.recorded, gathered.owed_cents)

    def _kept(self, key: RoundKey) -> bool:
        return self._only is None or key in self._only

    def _wagered(self, key: RoundKey, batch: Batch, place: int) -> None:
        wagers = batch.rows.wagers
        gathered = self._rounds.setdefault(key, _Gathered())
        gathered.commit = wagers.commit[place]
        parts = tuple(map(int, wagers.parts[place].strip("{}").split(",")))
        tenders = wagers.tenders[place].strip("{}").split(",")
        for seat, tender in zip(wagers.seats[place].strip("{}").split(","), tenders, strict=True):
            gathered.wagers.append(PastWager(int(seat), wagers.wager_cents[place], tender, parts))

    def _overpaid(self, batch: Batch) -> None:
        for entry in batch.rows.entries:
            if entry.account == RECOVERABLE and entry.amount > 0:
                key = parse_hit(entry.ref)[:3]
                if self._kept(key):
                    owed = self._rounds.setdefault(key, _Gathered()).owed_cents
                    owed[entry.ref] = owed.get(entry.ref, 0) + entry.amount // MICROCENTS

    def _ends(self, body: Body) -> None:
        """Take in what a body says of seats that went out of play, and of records."""
        for each in body.commands:
            answer = decode_stored(each.answer)
            if not isinstance(answer, _ENDS):
                continue
            command = command_of(bytes(each.command))
            said = command.message
            key = (command.table, command.journal, command.round)
            if isinstance(said, Amendment):
                key = (said.table, said.journal, said.round)
            if key not in self._rounds:
                continue
            gathered = self._rounds[key]
            if isinstance(answer, RecordAnswer | CorrectedAnswer):
                gathered.recorded = each.commit
            else:
                gathered.gone.update(answer.out if isinstance(answer, VoidRecordedAnswer) else answer.seats)
            if isinstance(said, Void | Withdraw):
                # Out of play is out of play, also where the terms gave no wager back for it, or where the answer is
                # that of a lost life, in which seats had gone out before.
                named = said.seats if isinstance(said, Void) else ()
                gathered.gone.update(named or [wager.seat for wager in gathered.wagers])


_ENDING = ("withdraw", "void", "amend/", "record/", "typed/")
"""The kinds, in ids, of messages and acts that end a round's seats or bring its record."""


_ENDS = VoidAnswer | WithdrawAnswer | VoidRecordedAnswer | RecordAnswer | CorrectedAnswer


@dataclass(slots=True)
class _Gathered:
    commit: int = 0
    recorded: int = 0
    wagers: list[PastWager] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    hits: dict[object, Hit] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    posted: dict[int, list[PastEntry]] = field(default_factory=dict)
    owed_cents: dict[str, int] = field(default_factory=dict)
