"""Which rounds does a ledger keep open that was brought back, though their tables are done with them?

Two people had ended them at the server by what no table says (a forfeited wager, a record that was typed in), and that
was lost: people end them again.
"""

from collections.abc import Iterable, Sequence

from jackpot.core.state import LinkState
from jackpot.wire.codec import decode_answer
from jackpot.wire.ids import NO_SEAT, void_kind
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal

__all__ = ["RoundKey", "left_open", "words_of"]

RoundKey = tuple[str, int, int]
HANDS = void_kind((NO_SEAT,))
"""The kind of a table's word on the hands of a round that two people have ended."""


def left_open(state: LinkState, handed_in: Iterable[tuple[str, bytes]]) -> Sequence[RoundKey]:
    """Return each open round that has a later one in its journal, or of which its table says that people ended it.

    What it said after its wagers was refused, or it has told the hands of a round that it had heard of the end of.

    `handed_in` are ids and answers of messages.
    """
    refused: set[RoundKey] = set()
    for name, answer in handed_in:
        table, journal, _month, number, kind, _revision = name.split("/")
        told = decode_answer(answer)
        over = isinstance(told, RefusedAnswer) and kind != "wagers" and told.code != Refusal.ID_REUSED.code
        if kind == HANDS or over:
            refused.add((table, int(journal), int(number)))
    return [key for key in sorted(state.rounds) if key in refused or state.journals[key[:2]].highest > key[2]]


def words_of(key: RoundKey) -> str:
    """Say what people are to do about one.

    >>> words_of(("T1", 1, 17))
    'round T1/1/17 open, and T1 is done with it: void it or type its record in'
    """
    table, journal, number = key
    return f"round {table}/{journal}/{number} open, and {table} is done with it: void it or type its record in"
