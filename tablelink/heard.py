"""What does a word of the server mean to a table? The inputs that it is; all else is counted and logged.

Takes no step itself: the agent does, all that one frame said in one.
"""

from collections.abc import Sequence

import structlog

from jackpot.wire.codec import decode_answer
from jackpot.wire.messages import HitNow, Refused, RefusedAnswer, Welcome
from tablelink.core.dealing import Dealing, unreadable
from tablelink.core.inputs import Amended, Answered, Granted, HitsNow, Input, MonthTurned
from tablelink.core.outbox import Fact, PutOff, Settled, Told
from tablelink.desk import Desk
from tablelink.standing import loudness
from tablelink.telemetry import Telemetry

__all__ = ["amended", "heard", "welcomed"]

ENDS = frozenset({"record", "void"})
"""The kinds of message that end a round, this one or one of a while ago."""

_log = structlog.get_logger(__name__)


def welcomed(word: Welcome, dealing: Dealing) -> Sequence[Input]:
    """Return what a welcome changes: the journal and month it grants, the table's hits as they are now."""
    given: list[Input] = []
    if (word.journal, word.month) != (dealing.journal, dealing.month):
        given.append(Granted(word.journal, word.month, word.highest_round))
    if tuple(word.hits) != dealing.hits:
        given.append(HitsNow(tuple(word.hits)))
    return given


def amended(word: Welcome | Refused, dealing: Dealing) -> Amended | None:
    """Return the next thing that people did at the server to the round under way; None where all is taken."""
    under_way, told = dealing.round, word.round
    if under_way is None or told is None or (told.journal, told.round) != (under_way.journal, under_way.number):
        return None
    for each in told.people:
        seats, forfeited = tuple(each.seats), tuple(each.forfeited)
        given = Amended(told.journal, told.round, each.act, each.rule, each.by, each.second, seats, forfeited)
        if given not in under_way.amended:
            return given
    return None


def heard(facts: Sequence[Fact], desk: Desk, telemetry: Telemetry) -> tuple[Sequence[Input], Settled | None]:
    """Return the inputs that a frame is, and the answer that it brought, if it brought one."""
    given: list[Input] = []
    settled: Settled | None = None
    table = desk.felt.table
    for fact in facts:
        match fact:
            case Settled():
                settled = fact
                given += _meant(fact, desk, telemetry)
            case PutOff(name, code, text):
                telemetry.put_off(table, code)
                _log.log(loudness(code), "put_off", table=table, id=name, code=code, text=text)
            case Told(hits, month):
                given += _changed(hits, month, desk.dealing)
    return given, settled


def _meant(fact: Settled, desk: Desk, telemetry: Telemetry) -> Sequence[Input]:
    """The input that an answer is, where the table still waits for it; others are only kept."""
    answer = bytes(fact.answer.answer).decode()
    table, dealing = desk.felt.table, desk.dealing
    if fact.after_withdrawal:
        telemetry.late_answers.labels(table).inc()
        _log.warning("answer_after_withdrawal", table=table, id=fact.id)
        return ()
    if why := unreadable(answer):
        _log.error("answer_unreadable", table=table, id=fact.id, why=why)
        return ()
    refused = decode_answer(answer.encode())
    if isinstance(refused, RefusedAnswer) and fact.id.split("/")[4] in ENDS:
        # A round ends once, by the word that the ledger had first; people tell those who were told otherwise here.
        _log.error("round_refused", table=table, id=fact.id, code=refused.code, text=refused.text)
    waits = {dealing.round.wagers_id if dealing.round else "", dealing.last.id if dealing.last else ""}
    return (Answered(fact.id, answer),) if fact.id in waits else ()


def _changed(hits: tuple[HitNow, ...], month: str, dealing: Dealing) -> Sequence[Input]:
    changed: list[Input] = []
    if hits != dealing.hits:
        changed.append(HitsNow(hits))
    if month and month != dealing.month:
        changed.append(MonthTurned(month))
    return changed
