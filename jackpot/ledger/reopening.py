"""How is a link opened again whose ledger went back? In one transaction, by two people who have seen the list.

Everything that tables handed in is posted under the link's lock, the stop is lifted and what was handed in is cleared:
all of it is durable together, or nothing has happened.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.core.behind import known_to_nobody
from jackpot.core.ports import Known
from jackpot.core.reopening import Choices, HeldMessage, Lost, Plan, TableHits, plan
from jackpot.core.state import LinkState
from jackpot.ledger.clock import SystemClock
from jackpot.ledger.connection import Connection, close, connect, translated
from jackpot.ledger.going_back import Holder, Standing, holders, standing
from jackpot.ledger.rows import batch_arguments
from jackpot.ledger.seals import seal
from jackpot.ledger.statements import statement
from jackpot.ledger.store import load_state
from jackpot.ledger.stored_answers import find_answers
from jackpot.wire.messages import Receipt
from jackpot.wire.written import hold_name, hold_text

LOOK_UP = 1000
"""Ids asked for at once."""


class NotReadyError(Exception):
    """The link cannot be opened yet, or what people saw is not what stands now; each reason in words."""

    def __init__(self, reasons: Sequence[str]) -> None:
        """Keep the reasons."""
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class NotBehindError(Exception):
    """Nothing of this link was lost: it is not stopped as `ledger_behind`, and no table has handed anything in."""


@dataclass(frozen=True, slots=True)
class Behind:
    """A link whose ledger went back: why, who hands in, and what would be posted."""

    stop: Standing | None
    """None where the link goes on, and a table came back that had not handed in."""
    holders: Sequence[Holder]
    state: LinkState
    plan: Plan
    unknown: Sequence[str] = ()
    """Tables that people do not wait for, and neither the ledger nor a connection names: those may be lost too."""


async def look_behind(url: str, link: str, choices: Choices) -> Behind:
    """Work out what would be posted if these people agreed; changes nothing.

    Raises NotBehindError, UnreachableError.
    """
    connection = await connect(url, f"jackpot behind {link}")
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            await connection.fetchval(statement("take_time"))
            return await _look(connection, link, choices)
    finally:
        await close(connection)


async def reopen(url: str, link: str, choices: Choices, seen: str = "") -> Behind:
    """Post everything again, raise the generation and lift the stop.

    `seen` is the fingerprint of the list that the two people saw, where they give it.
    **Always** all of it or nothing. **If repeated** there is nothing to open. Raises NotBehindError, NotReadyError,
    UnreachableError, OutcomeUnknownError; FrameError for names and words that no act could keep.
    """
    connection = await connect(url, f"jackpot reopen {link}")
    try:
        with translated(commits=True):
            async with connection.transaction():
                await connection.fetchval(statement("take_time"))
                await connection.fetch(statement("lock_head"), link)
                behind = await _look(connection, link, choices)
                if behind.plan.obstacles:
                    raise NotReadyError([*behind.plan.obstacles, *known_to_nobody(behind.unknown)])
                if seen and seen != behind.plan.fingerprint:
                    changed = f"the list is {behind.plan.fingerprint} now, not {seen}: look at it again"
                    raise NotReadyError([changed, *known_to_nobody(behind.unknown)])
                if behind.stop is not None:
                    await _lift(connection, link, choices, behind)
                for decision in behind.plan.decisions:
                    if decision.batch is not None:
                        await connection.fetchval(statement("post_batch"), *batch_arguments(decision.batch))
                await _leave_out(connection, link, behind.plan.left_out)
                await connection.execute(statement("clear_handed_in"), link)
        return behind
    finally:
        await close(connection)


async def _look(connection: Connection, link: str, choices: Choices) -> Behind:
    _hold(link, choices)
    stop = await standing(connection, link)
    held = await _held(connection, link)
    other = await connection.fetchrow(statement("standing_stop"), link) if stop is None else None
    if stop is None and (other is not None or not held):
        raise NotBehindError("" if other is None else other["reason"])
    state = await load_state(connection, link)
    known: dict[str, Known] = {}
    for begin in range(0, len(held), LOOK_UP):
        known |= await find_answers(connection, link, [one.id for one in held[begin : begin + LOOK_UP]])
    found = await holders(connection, link)
    named = {*state.tables, *(one.table for one in found)}
    unknown = [table for table in dict.fromkeys(choices.without) if table not in named]
    names = sorted(named if stop is not None else {one.table for one in held})
    stop_us = 0 if stop is None else stop.stopped_us
    heard = [one for one in found if one.stop_us == stop_us]
    tables = [_table(name, [one for one in heard if one.table == name]) for name in names]
    lost = Lost(None if stop is None else stop.gone, held, tables, known)
    return Behind(stop, found, state, plan(state, lost, choices, SystemClock().now_us()), unknown)


def _hold(link: str, choices: Choices) -> None:
    """Refuse what people wrote and no act could keep; raises FrameError."""
    hold_name("link", link)
    hold_text("by", choices.by)
    hold_text("with", choices.second)
    for table in choices.without:
        hold_name("without", table)
    for one in choices.left_out:
        hold_text("leave_out", one)


def _table(name: str, heard: Sequence[Holder]) -> TableHits:
    """Return what a table is known to hold, by all its spools that handed in for this stop, the newest last."""
    shown = {hit.hit: hit for holder in heard for hit in holder.shown}
    is_open = frozenset(hit.hit for hit in heard[-1].hits) if heard else frozenset[str]()
    return TableHits(name, bool(heard) and all(holder.complete for holder in heard), is_open, shown)


async def _held(connection: Connection, link: str) -> list[HeldMessage]:
    rows = await connection.fetch(statement("load_handed_in"), link)
    return [
        HeldMessage(
            row["id"],
            row["table"],
            Receipt(row["generation"], row["commit"], row["digest"]),
            row["spool"],
            row["message"],
            row["answer"],
        )
        for row in rows
    ]


async def _lift(connection: Connection, link: str, choices: Choices, behind: Behind) -> None:
    stop = await connection.fetchrow(statement("read_stop"), link)
    if stop is None:
        raise NotBehindError("")
    at, reason = SystemClock().now_us(), f"reopened as generation {behind.plan.generation}"
    sealed = seal(stop["digest"], at, choices.by, choices.second, reason)
    row = (link, stop["stopped_us"], at, choices.by, choices.second, reason, sealed)
    await connection.execute(statement("lift_stop"), *row)


async def _leave_out(connection: Connection, link: str, left_out: Sequence[HeldMessage]) -> None:
    """Keep what was left out beside the commands that could not be decided: with its bytes and why."""
    if not left_out:
        return
    at = SystemClock().now_us()
    rows = []
    for one in left_out:
        receipt = one.receipt
        error = f"left out by two people: answered in commit {receipt.commit} of generation {receipt.generation}"
        sha256 = hashlib.sha256(one.message).digest()
        rows.append((one.id, sha256, one.message, error, seal(link, one.id, sha256, one.message, error, at)))
    ids, digests, raws, errors, seals = (list(column) for column in zip(*rows, strict=True))
    await connection.execute(statement("keep_aside"), link, ids, digests, raws, errors, at, seals)
