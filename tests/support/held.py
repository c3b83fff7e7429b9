"""What holds of any batch that a decision makes, whatever was decided: held in every test that decides."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from jackpot.core.accounts import NOTHING, Balance, pool_account
from jackpot.core.chain import decode_body
from jackpot.core.commands import Command, Message
from jackpot.core.decide import Decision
from jackpot.core.kept_hits import READ_ANYHOW
from jackpot.core.ports import Known
from jackpot.core.replay import decide_again
from jackpot.core.state import LinkState

K = TypeVar("K")
V = TypeVar("V")


def hold_batch(before: LinkState, decision: Decision) -> None:
    """Hold a batch to what holds of any: sums, versions, balances, causes of falls, the same bytes decided again."""
    batch = decision.batch
    assert batch is not None
    assert sum(entry.amount for entry in batch.rows.entries) == 0
    balances = dict(before.balances)
    for entry in batch.rows.entries:
        last = balances.get(entry.account, NOTHING)
        if entry.account.startswith("payable/") and entry.account not in balances:
            # Of a hit that ended long ago a state keeps no account: it holds nothing, and goes on where it ended.
            last = Balance(entry.version - 1, 0)
        assert (entry.version, entry.balance_after) == (last.version + 1, last.microcents + entry.amount), entry
        balances[entry.account] = replace(last, version=entry.version, microcents=entry.balance_after)
    for account, balance in batch.rows.balances.items():
        assert balances[account] == balance
    for fault in falls_without_cause(before, decision):
        raise AssertionError(fault)
    again = decide_again(before, decode_body(batch.body))
    assert again.batch is not None
    assert (again.batch.body, again.batch.digest) == (batch.body, batch.digest)
    assert again.state == decision.state
    if batch.decide >= READ_ANYHOW:
        anyhow = decide_again(read_anyhow(before), decode_body(batch.body))
        assert anyhow.batch is not None
        assert anyhow.batch.body == batch.body, "another process, which had read the state, would have posted otherwise"
        assert anyhow.state == decision.state


def read_anyhow(state: LinkState) -> LinkState:
    """The same state, what it holds in another order: who reads it from the ledger has it in the ledger's order."""
    return replace(
        state,
        older=_backwards(state.older),
        pools=_backwards(state.pools),
        tables=_backwards(state.tables),
        journals=_backwards(state.journals),
        rounds=_backwards(state.rounds),
        hits=_backwards(state.hits),
    )


def _backwards(held: Mapping[K, V]) -> dict[K, V]:
    return dict(reversed(list(held.items())))


def falls_without_cause(before: LinkState, decision: Decision) -> Iterator[str]:
    """Each pool that holds less after a batch than before, whose life names no cause of this batch for it (case 23)."""
    assert decision.batch is not None
    commits = range(decision.batch.first_commit, decision.batch.last_commit + 1)
    for name, life in decision.state.pools.items():
        account = pool_account(name)
        fell = decision.state.balances[account].microcents < before.balances.get(account, NOTHING).microcents
        causes = {e.cause for e in decision.batch.rows.entries if e.account == account and e.amount < 0}
        if fell and not (life.last_fall_commit in commits and life.last_fall_cause in causes):
            yield f"{name} fell for {causes}; its life names {life.last_fall_cause} at {life.last_fall_commit}"


def copied(state: LinkState) -> LinkState:
    """A state whose mappings are its own: what they hold is frozen."""
    return replace(
        state,
        older=dict(state.older),
        balances=dict(state.balances),
        pools=dict(state.pools),
        tables=dict(state.tables),
        journals=dict(state.journals),
        rounds=dict(state.rounds),
        hits=dict(state.hits),
        links=dict(state.links),
        enrolled=dict(state.enrolled),
    )


def known_of(decision: Decision) -> dict[str, Known]:
    """What the ledger holds after a batch under the ids decided in it."""
    assert decision.batch is not None
    rows = {row.id: row.sha256 for row in decision.batch.rows.commands}
    found: dict[str, Known] = {}
    for reply in decision.replies:
        if reply.id in rows and reply.receipt is not None:
            found.setdefault(reply.id, Known(rows[reply.id], reply.answer, reply.receipt))
    return found


def saying(command: Command, message: Message) -> Command:
    """The same command, saying something else than its bytes: what no edge makes."""
    return Command(command.id, command.raw, message, command.month, command.table, command.journal, command.round)
