"""What do the tables and the ledger remember, id by id? Held against each other after every fault.

A wager is named by its round and seat (`T1/1/2026-11/17/3`). *Sent* are the jackpot wagers that tables put into
messages and that did not go back to the player (withdrawn, voided or refused); *answered* those of which a table's
spool holds that they were accepted; *stored* those of the ledger that no answer of its own reversed. All three are the
same set, always; and so are the awards in the spools and the hits in the ledger. But two people may void a round, or
seats of it, that the table has ended already and not told of yet: then the ledger alone knows of that, and the spool
holds the table's own end of the round.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jackpot.core.answers import decode_stored
from jackpot.core.chain import decode_body
from jackpot.core.commands import command_of
from jackpot.ledger.connection import close, connect
from jackpot.ledger.statements import statement
from jackpot.ledger.totals import read_totals
from jackpot.wire.codec import decode_answer, decode_from_table
from jackpot.wire.ids import VOID_OF_TWO
from jackpot.wire.messages import VoidAnswer, Wagers, WagersAnswer, WithdrawAnswer
from tablelink.totals import spool_messages, spool_totals

KINDS = frozenset({"wagers", "withdraw", "record", "void"})
LAST = 2**62
SHOWN = 5
"""So many ids of a difference are named."""


@dataclass(frozen=True, slots=True)
class Known:
    """A message: the digest of its bytes, the answer to it, and the commit that decided it; no answer: b"" and 0."""

    sha256: bytes
    answer: bytes = b""
    commit: int = 0


@dataclass(slots=True)
class Memory:
    """What one side remembers."""

    messages: dict[str, Known] = field(default_factory=dict)
    superseded: set[str] = field(default_factory=set)
    """Wagers without an answer whose round was withdrawn or voided."""
    sent: set[str] = field(default_factory=set)
    returned: set[str] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)
    by_people: dict[str, set[str]] = field(default_factory=dict)
    """Voids of two people by their id: the wagers that went back."""
    awards: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What came of a comparison: how many of each, and every difference as a sentence."""

    sent: int
    returned: int
    answered: int
    stored: int
    awards: int
    messages: int
    differences: Sequence[str]


def in_spools(spools: Sequence[Path]) -> Memory:
    """Return what the tables' spools hold."""
    memory = Memory()
    for path in spools:
        _add_spool(memory, path)
        memory.awards |= spool_totals(path)[1]["awards"]
    return memory


def _add_spool(memory: Memory, path: Path) -> None:
    rows = spool_messages(path)[1]
    whole = {row["round_id"] for row in rows if row["kind"] in {"withdraw", "void"}}
    for row in rows:
        answer = row["answer"] or b""
        memory.messages[row["id"]] = Known(_sha256(row["body"]), answer, row["commit_no"] or 0)
        if row["kind"] != "wagers":
            memory.returned |= _back(row["round_id"], decode_answer(answer) if answer else None)
            continue
        placed = set(_placed(row["round_id"], row["body"]))
        if row["round_id"] in whole:
            memory.returned |= placed
            if not answer:
                memory.superseded.add(row["id"])
            continue
        found = decode_answer(answer) if answer else None
        accepted = found.seats if isinstance(found, WagersAnswer) else []
        memory.accepted |= {f"{row['round_id']}/{seat.seat}" for seat in accepted if seat.accepted}
        memory.returned |= (placed - memory.accepted) if answer else set()
        memory.sent |= placed
    memory.sent -= memory.returned
    memory.accepted -= memory.returned


def _back(round_id: str, answer: object) -> set[str]:
    """The wagers that an answer says went back."""
    seats = answer.seats if isinstance(answer, WithdrawAnswer | VoidAnswer) else []
    return {f"{round_id}/{seat}" for seat in seats}


def _placed(round_id: str, body: bytes) -> Iterator[str]:
    message = decode_from_table(body)
    if isinstance(message, Wagers):
        yield from (f"{round_id}/{seat.seat}" for seat in message.seats if seat.jackpot_cents)


async def in_ledger(url: str, link: str) -> Memory:
    """Return what the ledger holds, read out of the bytes of its batches and its rows of wagers and hits."""
    memory = Memory()
    connection = await connect(url, "adversity")
    try:
        for row in await connection.fetch(statement("audit_batches"), link, 0, LAST, LAST):
            for command in decode_body(row["body"]).commands:
                _add_command(memory, command.id, bytes(command.command), bytes(command.answer), command.commit)
        wagers = await connection.fetch(Path(__file__).with_name("wagers.sql").read_text(), link)
    finally:
        await close(connection)
    memory.accepted = {row["wager"] for row in wagers} - memory.returned
    memory.awards = dict((await read_totals(url, link)).awards)
    return memory


def _add_command(memory: Memory, name: str, raw: bytes, answer: bytes, commit: int) -> None:
    parts = name.split("/")
    if len(parts) != 6 or parts[4].partition(".")[0] not in KINDS:
        return  # people's acts and hellos
    assert name not in memory.messages, f"{name} was decided twice"
    said = command_of(raw)
    if said.handed_in is not None:
        commit = said.handed_in.receipt.commit  # posted again: its table remembers its place in the life before
    memory.messages[name] = Known(_sha256(said.said), answer, commit)
    back = _back("/".join(parts[:4]), decode_stored(answer))
    memory.returned |= back
    if back and parts[5] == str(VOID_OF_TWO):
        memory.by_people[name] = back


def compare(spools: Memory, ledger: Memory) -> Reckoning:
    """Hold the two memories against each other."""
    unheard = _unheard(spools, ledger)
    spools.accepted -= (back := set().union(*unheard.values()))
    spools.sent -= back
    differences = [
        *_named("answered and not the same in the ledger", _other(spools.messages, ledger.messages)),
        *_named("without an answer", _unanswered(spools)),
        *_named("in the ledger and in no spool", ledger.messages.keys() - spools.messages.keys() - unheard.keys()),
        *_named("stored with other bytes than were sent", _other_bytes(spools.messages, ledger.messages)),
        *_named("sent and not answered", spools.sent - spools.accepted),
        *_named("answered as accepted and not stored", spools.accepted - ledger.accepted),
        *_named("stored and not answered as accepted", ledger.accepted - spools.accepted),
        *_named("awards that differ", {hit for hit, _ in spools.awards.items() ^ ledger.awards.items()}),
    ]
    return Reckoning(
        sent=len(spools.sent),
        returned=len(spools.returned),
        answered=len(spools.accepted),
        stored=len(ledger.accepted),
        awards=len(ledger.awards),
        messages=len(ledger.messages),
        differences=differences,
    )


def _unheard(spools: Memory, ledger: Memory) -> Mapping[str, set[str]]:
    """The voids of two people, with the wagers they gave back, of rounds whose table had written their end already."""
    ends = {name.rsplit("/", 2)[0] for name in spools.messages if name.endswith(("/record/1", "/void/1"))}
    voids = ledger.by_people.items()
    return {name: back for name, back in voids if name not in spools.messages and name.rsplit("/", 2)[0] in ends}


def _other(spools: Mapping[str, Known], ledger: Mapping[str, Known]) -> set[str]:
    return {name for name, known in spools.items() if known.commit and ledger.get(name) != known}


def _unanswered(spools: Memory) -> set[str]:
    return {name for name, known in spools.messages.items() if not known.commit} - spools.superseded


def _other_bytes(spools: Mapping[str, Known], ledger: Mapping[str, Known]) -> set[str]:
    return {name for name in spools.keys() & ledger.keys() if spools[name].sha256 != ledger[name].sha256}


def _named(what: str, names: set[str]) -> Iterator[str]:
    if names:
        shown = ", ".join(sorted(names)[:SHOWN])
        yield f"{what}: {len(names)} ({shown}{', ...' if len(names) > SHOWN else ''})"


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def less(after: Reckoning, before: Reckoning) -> Reckoning:
    """What one fault's play added; its differences are those of all that was ever played."""
    changes = {
        name: getattr(after, name) - getattr(before, name)
        for name in ("sent", "returned", "answered", "stored", "awards", "messages")
    }
    return Reckoning(**changes, differences=after.differences)


NOTHING = Reckoning(0, 0, 0, 0, 0, 0, [])

__all__ = ["NOTHING", "Memory", "Reckoning", "compare", "in_ledger", "in_spools", "less"]
