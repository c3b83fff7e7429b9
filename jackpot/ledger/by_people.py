"""What did people do to a round that its table had not ended? Read when the table says hello (`core.by_people`)."""

from jackpot.core.by_people import RoundPlace, told_of, under_ids
from jackpot.ledger.connection import Connection, translated
from jackpot.ledger.statements import statement
from jackpot.ledger.stored_answers import find_commands
from jackpot.wire.ids import message_id
from jackpot.wire.messages import ByPeople

__all__ = ["by_people"]


async def by_people(connection: Connection, chain: str, place: RoundPlace, seats: int) -> list[ByPeople]:
    """Return what people did to an open round of so many seats, in the order in which it was decided.

    **Always** read behind a COMMIT that wrote: nothing is told that may be lost. Raises UnreachableError.
    """
    beginning = message_id(*place, "amend", 1).removesuffix("1")
    with translated():
        async with connection.transaction():
            await connection.fetch(statement("mark_head"), chain)
            amended = await connection.fetch(statement("past_amendments"), chain, place[2], beginning)
            names = [*under_ids(place, seats), *(row["id"] for row in amended)]
            found = [
                told_of(bytes(command.command), bytes(command.answer))
                async for _row, command in find_commands(connection, chain, names)
            ]
    return [one for one in found if one is not None]
