"""What does a chain hold under these ids? Read out of the bytes of their batches."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from jackpot.core.accounts import BrokenInvariant
from jackpot.core.chain import BodyCommand, decode_body
from jackpot.core.ports import Known
from jackpot.ledger.connection import Connection
from jackpot.ledger.rows import month_of
from jackpot.ledger.statements import statement
from jackpot.wire.messages import Receipt

__all__ = ["find_answers", "find_commands"]


async def find_answers(connection: Connection, chain: str, ids: Sequence[str]) -> dict[str, Known]:
    """Find the answers of commands by their ids."""
    known: dict[str, Known] = {}
    async for row, command in find_commands(connection, chain, ids):
        receipt = Receipt(row["generation"], row["commit"], row["digest"].hex())
        known[row["id"]] = Known(row["sha256"], bytes(command.answer), receipt)
    return known


async def find_commands(
    connection: Connection, chain: str, ids: Sequence[str]
) -> AsyncIterator[tuple[Any, BodyCommand]]:
    """Find commands by their ids, in the order of their commits: the row, and the command with its answer.

    Each is read out of the bytes of its batch, one batch in memory at a time.
    """
    found = await connection.fetch(statement("find_answers"), chain, list(ids), [month_of(each) for each in ids])
    at = 0
    commands: Sequence[BodyCommand] = ()
    for row in found:
        if row["batch"] != at:
            at = row["batch"]
            commands = decode_body(await connection.fetchval(statement("batch_body"), chain, at)).commands
        command = commands[row["position"]]
        if (command.id, command.commit) != (row["id"], row["commit"]):
            raise BrokenInvariant(f"{chain}: the row of {row['id']} names a place in batch {at} that is {command.id}'s")
        yield row, command
