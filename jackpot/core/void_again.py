"""Which seats had gone out of play before their record by no word that anybody holds? They are void again.

Two people had voided them at the server and their table had not heard of it, or the table's own word is lost with the
end of its spool. The answer to the record says which (PROTOCOL 5): else their hands would win what others were told.
"""

from collections.abc import Mapping

from jackpot.core.reading import not_in_play
from jackpot.core.state import LinkState
from jackpot.wire.codec import decode_answer
from jackpot.wire.ids import VOID_OF_TWO, message_id
from jackpot.wire.messages import RecordAnswer, Void, WagersAnswer

__all__ = ["AS_BEFORE", "void_again", "words_of_void"]

AS_BEFORE = "as before the ledger went back"
"""What such a void says in place of its rule, which is lost with those who named it."""


def void_again(state: LinkState, handed_in: Mapping[str, bytes], by: str, second: str) -> Mapping[str, Void]:
    """Return the void that stands before a record, by the record's id, in the name of the two who open the link again.

    `handed_in` are answers of messages, by their ids; `state` is the ledger as it was restored. **Never** names a seat
    that is out of play in it, or whose wager had not been accepted.
    """
    told = {name: decode_answer(answer) for name, answer in handed_in.items()}
    found: dict[str, Void] = {}
    for name, answer in told.items():
        if not isinstance(answer, RecordAnswer):
            continue
        table, journal, month, number, _kind, _revision = name.split("/")
        place = (table, int(journal), month, int(number))
        wagers, opened = told.get(message_id(*place, "wagers", 1)), state.rounds.get((table, place[1], place[3]))
        accepted = opened.accepted if opened is not None else frozenset[int]()
        if isinstance(wagers, WagersAnswer):
            accepted = frozenset(each.seat for each in wagers.seats if each.accepted)
        seats = [seat for seat in sorted(accepted) if not_in_play(seat) in answer.differences]
        if seats:
            found[name] = Void(*place, VOID_OF_TWO, AS_BEFORE, by, seats, second=second)
    return found


def words_of_void(void: Void) -> str:
    """Say what is posted before a record, for the list that two people see.

    >>> words_of_void(Void("T1", 1, "2026-11", 17, 3, AS_BEFORE, "Ann", [2, 5], second="Bob"))
    'round T1/1/17 seats 2, 5: its record was answered without them'
    """
    seats = f"seat{'s' if void.seats[1:] else ''} {', '.join(map(str, void.seats))}"
    of = "them" if void.seats[1:] else "it"
    return f"round {void.table}/{void.journal}/{void.round} {seats}: its record was answered without {of}"
