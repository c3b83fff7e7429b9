"""What two people bring to a round as calls: records corrected and typed in, orders decided, what came back of a prize.

Each can be asked what it would do (`shown`): it is decided on the ledger as it stands and posted nowhere. Raises
Refused, UnreachableError, OutcomeUnknownError; RecordError for a file that is no record.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from jackpot.cli.acts import Voided, journal_now, link_of, post_or_ask, read_state
from jackpot.cli.output import Refused
from jackpot.cli.people import refused_for
from jackpot.core.accounts import MICROCENTS
from jackpot.core.amendments import (
    CorrectRecorded,
    DecideOrder,
    Forfeited,
    RecordTyped,
    Recovered,
    VoidOpen,
    VoidRecorded,
)
from jackpot.core.answers import (
    CorrectedAnswer,
    OrderAnswer,
    RecoveredAnswer,
    Stored,
    VoidRecordedAnswer,
    decode_stored,
)
from jackpot.core.commands import FIRST_REVISION, Act, of_act
from jackpot.core.hits import undecided
from jackpot.core.reading import read
from jackpot.core.state import LinkState, OpenRound
from jackpot.ledger.past import Found, find_hit, find_record, find_round, overpaid
from jackpot.ledger.store import PostgresStore
from jackpot.wire.ids import IdError, message_id, parse_hit
from jackpot.wire.messages import RecordAnswer, RefusedAnswer
from jackpot.wire.refusals import Refusal
from rules.records import RoundRecord, decode_record, encode_record

SOMEBODY = ("the first person", "the second person", "a manager")
"""Who acts where it is only asked what would come of it, and nobody was named."""
_LINKS_OWN = (
    *("jackpot", "wagers_commit", "commit", "meter_before_cents", "awards", "meter_after_cents", "meters"),
    "meter_basis_cents",
)


@dataclass(frozen=True, slots=True)
class People:
    """Who acts, and why. Without a second person or a manager nothing is posted: what would come of it is shown."""

    by: str
    reason: str
    second: str = ""
    manager: str = ""
    show: bool = False

    @property
    def only_asked(self) -> bool:
        """Whether it is only asked what would come of it."""
        return self.show or not (self.second.strip() or self.manager.strip())

    def shown(self) -> "People":
        """These people, with somebody in every place that is not filled."""
        first, second, manager = SOMEBODY
        return People(self.by or first, self.reason or "asked", self.second or second, self.manager or manager)


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a corrected record changed, or would: the fields by their places, and what became of the hits."""

    link: str
    fields: Sequence[tuple[str, str, str]]
    answer: CorrectedAnswer
    posted: bool


@dataclass(frozen=True, slots=True)
class Typed:
    """What a record typed in came to, or would."""

    link: str
    answer: RecordAnswer
    posted: bool


async def record_in_force(url: str, link: str, found: Found) -> RoundRecord | None:
    """Read the record of a round that stands: the last that corrected it, else the first."""
    return await find_record(url, link, found.held.recorded) if found.held.recorded else None


async def correct_round(
    url: str, table: str, number: int, journal: int | None, data: bytes, people: People, *, late: bool
) -> Corrected:
    """Let a corrected record take the place of the one that stands, or show what would come of it.

    **If repeated** gives the first answer: the record that stands is the one that was brought; so does the second of
    two at once, whoever asks.
    """
    try:
        return await _correct(url, table, number, journal, data, people, late=late)
    except Refused as refused:
        if refused.answer.code != Refusal.ID_REUSED.code:
            raise
    return await _correct(url, table, number, journal, data, people, late=late)


async def _correct(
    url: str, table: str, number: int, journal: int | None, data: bytes, people: People, *, late: bool
) -> Corrected:
    link = await link_of(url, table)
    state = await read_state(url, link)
    key = (table, journal_now(state, table) if journal is None else journal, number)
    if key in state.rounds:
        raise Refused(RefusedAnswer(Refusal.ROUND_OPEN.code, Refusal.ROUND_OPEN.text, value="/".join(map(str, key))))
    found = await find_round(url, link, key)
    standing = await record_in_force(url, link, found) if found is not None else None
    if found is None or standing is None:
        words = "no record of a round with accepted wagers is on file"
        raise refused_for(Refusal.NO_SUCH_ROUND, "/".join(map(str, key)), words=words)
    revision = found.next_revision
    record = _completed(data, standing, {"revision": revision, "late": True if late else None})
    fields = different_fields(standing, record)
    if not fields:
        return _repeated(link, found)
    who = people.shown() if people.only_asked else people
    act = CorrectRecorded(
        table=table,
        journal=key[1],
        month=found.month,
        round=number,
        revision=revision,
        corrects=found.held.recorded,
        by=who.by,
        reason=who.reason,
        record=msgspec.Raw(encode_record(record)),
        past=found.past,
        second=who.second,
        manager=who.manager,
    )
    opened = OpenRound(*key, found.month, str(standing.terms), found.past.commit, 0, found.past.runs, ())
    _refuse_wrong(record, opened, state)
    answer = await _do(url, link, state, act, only_asked=people.only_asked)
    if not isinstance(answer, CorrectedAnswer):
        raise TypeError(f"a corrected record was answered with {type(answer).__name__}")
    return Corrected(link, fields, answer, posted=not people.only_asked)


def _refuse_wrong(record: RoundRecord, opened: OpenRound, state: LinkState) -> None:
    """Name in full what a record says otherwise than its cards or the ledger: the refusal there cuts it short."""
    terms = state.older.get(opened.terms)
    wrong = read(record, opened, terms.terms).of_the_jackpot if terms is not None else ()
    if wrong:
        value = "; ".join(wrong)
        if any(each.startswith("claims:") for each in wrong):
            value += "; a prize that the cards do not show is taken out of the record's `claims` too"
        raise refused_for(Refusal.RECORD_WRONG, value)


def _repeated(link: str, found: Found) -> Corrected:
    """The record that was brought stands already: its answer, or that it is the first one's own words."""
    last = [answer for answer in found.amended.values() if isinstance(answer, CorrectedAnswer)]
    if not last:
        raise refused_for(Refusal.RECORD_WRONG, words="the record differs in nothing from the one on file")
    return Corrected(link, (), last[-1], posted=True)


async def type_record(url: str, table: str, number: int, journal: int | None, data: bytes, people: People) -> Typed:
    """Resolve and end an open round by a record that two people type in, or show what would come of it.

    **If repeated** gives the first answer, whatever the file says by then.
    """
    link = await link_of(url, table)
    state = await read_state(url, link)
    journals = sorted(key[1] for key in state.rounds if key[0] == table and key[2] == number)
    of = journal if journal is not None else next(iter(journals), journal_now(state, table))
    opened = state.rounds.get((table, of, number))
    before = await _typed_before(url, link, (table, of, number)) if opened is None else None
    if before is not None:
        return Typed(link, before, posted=True)
    if opened is None:
        words = "no such round is open: a recorded one is corrected"
        raise refused_for(Refusal.NO_SUCH_ROUND, f"{table}/{of}/{number}", words=words)
    at = {"table": table, "journal": of, "month": opened.month, "round": number, "revision": FIRST_REVISION}
    record = _completed(data, None, {**at, "kind": "record", "terms": opened.terms, "late": None})
    _refuse_wrong(record, opened, state)
    who = people.shown() if people.only_asked else people
    act = RecordTyped(
        table, of, opened.month, number, who.by, who.second, who.reason, msgspec.Raw(encode_record(record)), who.manager
    )
    answer = await _do(url, link, state, act, only_asked=people.only_asked)
    if not isinstance(answer, RecordAnswer):
        raise TypeError(f"a record typed in was answered with {type(answer).__name__}")
    return Typed(link, answer, posted=not people.only_asked)


async def _typed_before(url: str, link: str, key: tuple[str, int, int]) -> RecordAnswer | None:
    """The answer to a record that was typed in for a round before; None where none was."""
    found = await find_round(url, link, key)
    if found is None:
        return None
    name = message_id(key[0], key[1], found.month, key[2], "typed", FIRST_REVISION)
    store = PostgresStore(url, link)
    try:
        known = (await store.answers([name])).get(name)
    finally:
        await store.close()
    answer = decode_stored(known.answer) if known is not None else None
    return answer if isinstance(answer, RecordAnswer) else None


async def invalidate_round(
    url: str,
    table: str,
    number: int,
    journal: int | None,
    forfeits: Sequence[Forfeited],
    people: People,
) -> Voided:
    """Void a round whose outcome is invalidated, with the wagers forfeited that a supervisor directed (16.5.2, 16.6).

    **If repeated** gives the first answer.
    """
    only_asked = people.only_asked
    people = people.shown() if only_asked else people
    link = await link_of(url, table)
    state = await read_state(url, link)
    key = (table, journal_now(state, table) if journal is None else journal, number)
    opened = state.rounds.get(key)
    found = await find_round(url, link, key)
    if found is None:
        words = "no wager of this round was accepted"
        raise refused_for(Refusal.NO_SUCH_ROUND, f"{table} round {number}", words=words)
    for answer in found.amended.values():
        if isinstance(answer, VoidRecordedAnswer) and answer.forfeited:
            return Voided(answer, posted=True)
    at = (*key[:2], found.month, number, found.next_revision, "CSP 16.6", people.by, people.second, people.reason)
    act: Act = VoidOpen(*at, tuple(forfeits))
    if opened is None:
        act = VoidRecorded(*at, found.past, (), tuple(forfeits))
    done = await _do(url, link, state, act, only_asked=only_asked)
    if not isinstance(done, VoidRecordedAnswer):
        raise TypeError(f"a void was answered with {type(done).__name__}")
    return Voided(done, posted=not only_asked, of_open=opened is not None)


async def decide_order(url: str, hit: str, order: Literal["commit", "wagers"], people: People) -> OrderAnswer:
    """Say which of two tables' prizes came first, or show what either order comes to."""
    try:
        key = parse_hit(hit)
    except IdError as error:
        raise refused_for(Refusal.NO_SUCH_HIT, words=str(error)) from None
    link = await link_of(url, key.table)
    state = await read_state(url, link)
    one = state.hits.get(key)
    if one is None:
        gone = await find_hit(url, link, key)  # No state keeps it any more, or there never was one.
        raise refused_for(
            *((Refusal.ILLEGAL_MOVE, f"decide from {gone.state}") if gone else (Refusal.NO_SUCH_HIT, hit))
        )
    since = (undecided(one) or [one.commit])[-1]
    last = next((name for name, other in state.hits.items() if since in other.awarded_in), key)
    found = await find_round(url, link, last[:3])
    who = people.shown() if people.only_asked else people
    act = DecideOrder(
        hit=hit,
        order=order,
        by=who.by,
        second=who.second,
        reason=who.reason,
        nth=len(one.acts),
        table=last.table,
        journal=last.journal,
        round=last.round,
        wagers_commit=found.past.commit if found is not None else 0,
        manager=who.manager,
    )
    answer = await _do(url, link, state, act, only_asked=people.only_asked)
    if not isinstance(answer, OrderAnswer):
        raise TypeError(f"an order was answered with {type(answer).__name__}")
    return answer


async def recover(url: str, hit: str, cents: int, part: int | None, people: People) -> RecoveredAnswer:
    """Post a part of an overpayment as come back; without a part's number it is the next.

    **If repeated** with the part's number gives the first answer; without one it is another part.
    """
    try:
        key = parse_hit(hit)
    except IdError as error:
        raise refused_for(Refusal.NO_SUCH_HIT, words=str(error)) from None
    link = await link_of(url, key.table)
    moved = [microcents for name, microcents, _, _ in await overpaid(url, link) if name == hit]
    owed = sum(each for each in moved if each > 0) // MICROCENTS
    back = sum(each < 0 for each in moved)
    if not owed:
        found = await find_round(url, link, key[:3])
        if found is None or hit not in {one.hit for one in found.past.hits}:
            raise refused_for(Refusal.NO_SUCH_HIT, hit)
        raise refused_for(Refusal.NOTHING_OWED, hit, words="nothing of this hit was overpaid: nothing is to come back")
    act = Recovered(hit, part or back + 1, cents, people.by, people.second, people.reason, owed)
    answer = await _do(url, link, await read_state(url, link), act, only_asked=False)
    if not isinstance(answer, RecoveredAnswer):
        raise TypeError(f"what came back was answered with {type(answer).__name__}")
    return answer


async def _do(url: str, link: str, state: LinkState, act: Act, *, only_asked: bool) -> Stored:
    return await post_or_ask(url, link, state, of_act(act), only_asked=only_asked)


def _completed(data: bytes, standing: RoundRecord | None, known: dict[str, object]) -> RoundRecord:
    """Read a file's record; what the round itself says of table, number and terms need not stand in it."""
    record = decode_record(data)
    own = dict.fromkeys(_LINKS_OWN)
    if standing is not None:
        for name in ("kind", "table", "journal", "month", "round", "terms", "shown"):
            known = {name: getattr(standing, name), **known}
    if record.capture is None:
        known = {"capture": "full", **known}
    return msgspec.structs.replace(record, **{**own, **known})


def different_fields(standing: RoundRecord, record: RoundRecord) -> list[tuple[str, str, str]]:
    """Name every field in which a record is not the one that stands: its place, what it was, what it is."""
    was, now = (_flat(msgspec.json.decode(encode_record(each))) for each in (standing, record))
    for name in ("revision", "late"):
        was.pop(name, None)
        now.pop(name, None)
    places = [*was, *[place for place in now if place not in was]]
    return [(at, was.get(at, ""), now.get(at, "")) for at in places if was.get(at, "") != now.get(at, "")]


def _flat(value: object, at: str = "") -> dict[str, str]:
    """Every field of a record by its place; of seats, claims and settled lines by the seat they are of."""
    if isinstance(value, dict):
        found: dict[str, str] = {}
        for name, part in value.items():
            found |= _flat(part, f"{at}.{name}" if at else name)
        return found
    if isinstance(value, list):
        found = {}
        for place, part in enumerate(value):
            named = [str(part[name]) for name in ("seat", "wager") if isinstance(part, dict) and name in part]
            found |= _flat(part, f"{at}[{' '.join(named) or place}]")
        return found
    return {at: str(value)}
