"""Which seats had gone out of play by no word that anybody holds? They are void again (PROTOCOL 5).

Two people had voided them at the server and their table had not heard of it, or its own word is lost with the end of
its spool. What the table was answered next says it: else a hand would win what others were told of, and a wager that
went back be kept.
"""

from collections.abc import Iterable, Mapping

from jackpot.core.commands import Message, command_from_table
from jackpot.core.reading import not_in_play
from jackpot.core.state import LinkState
from jackpot.wire.codec import decode_answer
from jackpot.wire.ids import VOID_AGAIN
from jackpot.wire.messages import (
    RecordAnswer,
    StoredAnswer,
    Void,
    VoidAnswer,
    Wagers,
    WagersAnswer,
    Withdraw,
    WithdrawAnswer,
)
from rules.records import RoundRecord
from rules.terms import Terms

__all__ = ["AS_BEFORE", "void_again", "words_of_void"]

AS_BEFORE = "as before the ledger went back"
"""What such a void says in place of its rule, which is lost with those who named it."""


def void_again(
    state: LinkState, handed_in: Iterable[tuple[bytes, bytes]], brought: Mapping[str, Terms], by: str, second: str
) -> Mapping[str, Void]:
    """Return the voids that stand before messages, by the messages' ids, in the names of the two who open it again.

    `handed_in` are messages and their answers, in order; `state` is the ledger as it was restored, `brought` are terms
    that are put in force again, by their fingerprints. **Never** names a seat that is out of play by then, or whose
    wager had not been accepted; **never** under an id that a table's message has.
    """
    terms = {**{name: one.terms for name, one in state.older.items()}, **brought}
    under = {key: opened.terms for key, opened in state.rounds.items()}
    in_play = {key: opened.accepted for key, opened in state.rounds.items()}
    found: dict[str, Void] = {}
    for message, was in handed_in:
        said, answer = command_from_table(message), decode_answer(was)
        key, place = (said.table, said.journal, said.round), (said.table, said.journal, said.month, said.round)
        if isinstance(said.message, Wagers):
            under[key] = said.message.terms
        own = terms.get(under.get(key, ""))
        returns = own is not None and own.rulings.void_returns_jackpot
        out, in_play[key] = _out(said.message, answer, in_play.get(key, frozenset()), returns=returns)
        seats = sorted(out)
        if seats:
            found[said.id] = Void(*place, VOID_AGAIN, AS_BEFORE, by, seats, second=second)
    return found


def _out(
    message: Message, answer: StoredAnswer, in_play: frozenset[int], *, returns: bool
) -> tuple[frozenset[int], frozenset[int]]:
    """Return which of the seats in play were not when a message was answered, and which are in play after it."""
    match message, answer:
        case Wagers(), WagersAnswer():
            return frozenset(), frozenset(each.seat for each in answer.seats if each.accepted)
        case Withdraw(), WithdrawAnswer():
            return in_play - frozenset(answer.seats), frozenset()
        case Void(), VoidAnswer():
            named = in_play & (frozenset(message.seats) or in_play)
            # Where a void gives no wager back its answer names no seat.
            return named - frozenset(answer.seats) if returns else frozenset(), in_play - named
        case RoundRecord(), RecordAnswer():
            return frozenset(seat for seat in in_play if not_in_play(seat) in answer.differences), frozenset()
        case _:
            return frozenset(), in_play


def words_of_void(void: Void) -> str:
    """Say what is void again, for the list that two people see.

    >>> words_of_void(Void("T1", 1, "2026-11", 17, 4, AS_BEFORE, "Ann", [2, 5], second="Bob"))
    'round T1/1/17 seats 2, 5: out of play by what T1 was answered next'
    """
    seats = f"seat{'s' if void.seats[1:] else ''} {', '.join(map(str, void.seats))}"
    return f"round {void.table}/{void.journal}/{void.round} {seats}: out of play by what {void.table} was answered next"
