"""The acts of people as calls: what the commands do, for whoever does it from Python (the demo's supervisors, tests).

Each posts by itself and returns what the ledger answered; each may be repeated after a crash and then finishes what is
missing. Raises Refused, UnreachableError, OutcomeUnknownError.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.cli.keys import kept_key, key_file, public_hex
from jackpot.cli.output import Refused, UsageError
from jackpot.cli.people import hold_named, refused_for
from jackpot.cli.stops import refused_stopped
from jackpot.core.amendments import VoidRecorded
from jackpot.core.answers import HitAnswer, OpenedAnswer, Stored, VoidRecordedAnswer, decode_stored
from jackpot.core.commands import (
    Act,
    Admit,
    Command,
    Enrol,
    MoveHit,
    NewTerms,
    OpenLink,
    OpenSite,
    RegisterLink,
    Word,
    command_of,
    of_act,
)
from jackpot.core.decide import decide_all
from jackpot.core.hits import Hit
from jackpot.core.past import PastEntry, PastRound
from jackpot.core.ports import Reply, UnreachableError
from jackpot.core.state import LinkState
from jackpot.ledger.past import Found, find_round, posted_of
from jackpot.ledger.runner import post_once
from jackpot.ledger.store import PostgresStore
from jackpot.wire.codec import FrameError, encode
from jackpot.wire.ids import VOID_OF_TWO, parse_hit
from jackpot.wire.messages import RefusedAnswer, Void, VoidAnswer
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import TableSettings, settings_text, table_settings
from jackpot.wire.written import hold_name, hold_storable, in_words
from rules.irregularities.voiding import FORFEITS, SEATS, VOID_RULES, WHOLE
from rules.terms import Terms, canonical_bytes

SITE = "site"
NO_KEY = "00" * 32
"""Stands for a public key where it is only asked whether an act could be posted."""


async def read_state(url: str, chain: str) -> LinkState:
    """Read a chain's state from the ledger; raises FrameError for what is no name."""
    hold_name("link", chain)
    store = PostgresStore(url, chain)
    try:
        return await store.load()
    finally:
        await store.close()


async def act_all(url: str, chain: str, acts: Sequence[Act]) -> list[Stored]:
    """Post acts on one chain and return their answers, in order; raises Refused for the first that is refused.

    **Never** posts one of several of which another could not be read again: raises FrameError.
    """
    if not acts:
        return []
    return [answered(reply) for reply in await _posted(url, chain, [of_act(act) for act in acts])]


def hold_opening(terms: Terms, *, by: str, second: str) -> OpenLink:
    """Refuse what would open no link however the ledger stands; return the act, without the key that is to be made.

    Raises FrameError, Refused.
    """
    hold_named(by, "by")
    hold_named(second, "second")
    act = OpenLink(terms.name, msgspec.Raw(canonical_bytes(terms)), NO_KEY, by, second)
    answered(decide_all(LinkState(terms.name), [of_act(act)], {}, time.time_ns() // 1_000).replies[0])
    return act


async def open_link(url: str, keys: Path, terms: Terms, *, by: str, second: str) -> OpenedAnswer:
    """Open a link under its first terms: site, the link's key, its registration, its first seeds.

    **Always** whole: what would be refused in the end is refused before a key is made or the site is told.
    """
    act = hold_opening(terms, by=by, second=second)
    site = await read_state(url, SITE)
    registered = site.links.get(terms.name)
    path = key_file(keys, "link", terms.name)
    if registered is not None and (not path.exists() or registered.link_key != public_hex(kept_key(path))):
        raise UsageError(f"{path} is not the key link {terms.name} was registered with")
    if not site.head.batch:
        await act_all(url, SITE, [OpenSite(public_hex(kept_key(key_file(keys, "site"))), by)])
    key = public_hex(kept_key(path))
    if registered is None:
        await act_all(url, SITE, [RegisterLink(terms.name, key, by)])
    try:
        return _opened(await act_all(url, terms.name, [msgspec.structs.replace(act, link_key=key)]))
    except Refused as refused:
        if refused.answer.code != Refusal.ID_REUSED.code:
            raise
        no, value = Refusal.LINK_EXISTS, f"{terms.name}: `jackpot link terms` puts the next version in force"
        raise refused_for(no, value) from None


async def new_terms(url: str, terms: Terms, *, by: str, second: str) -> OpenedAnswer:
    """Put the next version of a link's terms in force."""
    hold_named(by, "by")
    hold_named(second, "second")
    act = NewTerms(terms.name, terms.version, msgspec.Raw(canonical_bytes(terms)), by, second)
    try:
        return _opened(await act_all(url, terms.name, [act]))
    except Refused as refused:
        if refused.answer.code != Refusal.ID_REUSED.code:
            raise
        no, value = Refusal.TERMS_NOT_NEXT, f"version {terms.version} was put in force before, with other content"
        raise refused_for(no, value) from None


def hold_enrolment(link: str, tables: Sequence[str], by: str) -> None:
    """Refuse an enrolment that could not be posted, before a key is made for it; raises FrameError, Refused."""
    for table in tables:
        of_act(Enrol(table, link, NO_KEY, 1, by))
    hold_named(by, "by")


async def enrol(url: str, link: str, tables: dict[str, str], settings: TableSettings, *, by: str) -> None:
    """Enrol tables (public keys by name) on a link with the same approved settings; one enrolled before is changed."""
    hold_enrolment(link, list(tables), by)
    site, state = await read_state(url, SITE), await read_state(url, link)
    if state.terms is None:
        raise refused_for(Refusal.NOT_OPEN, link)
    elsewhere = [name for name in tables if name in site.enrolled and site.enrolled[name].link != link]
    if elsewhere:
        raise UsageError(f"{elsewhere[0]} is enrolled on link {site.enrolled[elsewhere[0]].link}")
    text = settings_text(settings)
    enrolments = [
        Enrol(name, link, key, site.enrolled[name].revision + 1 if name in site.enrolled else 1, by)
        for name, key in tables.items()
        if name not in site.enrolled or site.enrolled[name].key != key
    ]
    await act_all(url, SITE, enrolments)
    revision = state.head.commit + 1  # rises with every act on the link, so no two of them share an id
    admissions = [
        Admit(name, revision, key, msgspec.Raw(text.encode()), by)
        for name, key in tables.items()
        if name not in state.tables or (state.tables[name].key, state.tables[name].settings) != (key, text)
    ]
    await act_all(url, link, admissions)


async def give_word(url: str, table: str, *, by: str, reason: str, spool: str = "") -> None:
    """Give a supervisor's word on which agent is the table."""
    hold_named(by, "by")
    link = await link_of(url, table)
    state = await read_state(url, link)
    await act_all(url, link, [Word(table, state.head.commit + 1, by, reason, spool)])


def looked_at(hit: Hit, move: str, by: str, second: str, reason: str) -> int:
    """Return how many acts a hit had when it was looked at, for `move_hit`.

    Where this very move was its last, by the same people in the same words, it is the same act again, and is answered
    as the first time: a slip that is paid twice is paid once (case 20).
    """
    last = [act for act in hit.acts if act.commit == hit.acts[-1].commit]
    named = [act.by for act in last if act.by] == [name for name in (by, second) if name]
    return len(hit.acts) - (len(last) if named and (last[0].move, last[0].reason) == (move, reason) else 0)


async def move_hit(
    url: str,
    link: str,
    hit: str,
    move: str,
    *,
    by: str,
    second: str = "",
    reason: str = "",
    manager: str = "",
    rule: str = "",
    nth: int,
) -> HitAnswer:
    """Move a hit along its table of legal moves; `nth` is how many acts it had when it was looked at.

    A release brings what filled the hit's pool when it was resolved, read from the ledger.
    """
    hold_named(by, "by")
    posted: tuple[PastEntry, ...] = ()
    if move == "release":
        key = parse_hit(hit)
        found = await find_round(url, link, (key.table, key.journal, key.round))
        posted = () if found is None else posted_of(found.past, hit)
    act = MoveHit(hit, move, by, nth, second, reason, manager, rule, posted)
    (answer,) = await act_all(url, link, [act])
    if not isinstance(answer, HitAnswer):
        raise TypeError(f"a move of a hit was answered with {type(answer).__name__}")
    return answer


async def past_round(url: str, table: str, number: int, journal: int | None) -> tuple[str, Found | None]:
    """Find a round that had accepted wagers, and the link it is of; raises Refused for a table nobody enrolled."""
    link = await link_of(url, table)
    if journal is None:
        journal = journal_now(await read_state(url, link), table)
    return link, await find_round(url, link, (table, journal, number))


async def in_play(url: str, table: str, number: int, journal: int | None) -> PastRound:
    """Return what is in play of a round: its wagers and hits; nothing where no wager was accepted."""
    _, found = await past_round(url, table, number, journal)
    return PastRound(0) if found is None else found.past


@dataclass(frozen=True, slots=True)
class Voided:
    """What a void came to, or would."""

    answer: VoidAnswer | VoidRecordedAnswer
    posted: bool
    of_open: bool = False
    """Whether the round was open, so that its table may play it still."""


async def void_round(
    url: str,
    table: str,
    number: int,
    journal: int | None,
    *,
    rule: str,
    seats: Sequence[int],
    by: str,
    second: str,
    reason: str,
    only_asked: bool = False,
) -> Voided:
    """Void a round, or the seats named: an open one as its table would, a recorded one by two people.

    `only_asked` posts nothing: it says what would come of it. **If repeated** gives the first answer, whoever asks:
    what is void already is not voided again.
    """
    hold_void_rule(rule, seats)
    link = await link_of(url, table)
    state = await read_state(url, link)
    _hold_seats(state, table, seats)
    key = (table, journal_now(state, table) if journal is None else journal, number)
    opened = state.rounds.get(key)
    if opened is not None:
        frame = Void(*key[:2], opened.month, number, VOID_OF_TWO, rule, by, list(seats), second=second)
        hold_storable(frame)
        try:
            command = command_of(encode(frame))
        except FrameError as error:
            raise in_words(error) from None
        return _voided(await post_or_ask(url, link, state, command, only_asked=only_asked), posted=not only_asked)
    found = await find_round(url, link, key)
    if found is None:
        raise refused_for(Refusal.NO_SUCH_ROUND, f"{table} round {number}", words="no wager of this round was accepted")
    wanted = frozenset(seats) or found.past.seats
    for answer in found.amended.values():
        if isinstance(answer, VoidRecordedAnswer) and not wanted - set(answer.out) and (wanted or not found.past.seats):
            return Voided(answer, posted=True)
    at = (*key[:2], found.month, number, found.next_revision)
    act = VoidRecorded(*at, rule, by, second, reason, found.past, tuple(seats))
    return _voided(await post_or_ask(url, link, state, of_act(act), only_asked=only_asked), posted=not only_asked)


def hold_void_rule(rule: str, seats: Sequence[int]) -> None:
    """Refuse a rule that voids no round, or not so much of it, before the ledger is reached; raises Refused."""
    scope = VOID_RULES.get(rule)
    if scope is None:
        words = f"no round is voided under this rule, only under {', '.join([*VOID_RULES, FORFEITS])}"
    elif scope == WHOLE and seats:
        words = "under this rule the whole round is void, not seats of it: leave --seat out"
    elif scope == SEATS and not seats:
        words = "under this rule only seats are void, not the whole round: name each, --seat SEAT"
    else:
        return
    raise refused_for(Refusal.NO_SUCH_RULE, rule, words=words)


def _hold_seats(state: LinkState, table: str, seats: Sequence[int]) -> None:
    """Refuse a seat that a table does not have: it would not be told of the others that are void with it."""
    layout = table_settings(state.tables[table].settings).seats if table in state.tables else 0
    for seat in seats:
        if layout and not 1 <= seat <= layout:
            raise refused_for(Refusal.NO_SUCH_SEAT, str(seat), words=f"{table} has {layout} seats, from 1 on")


async def post_or_ask(url: str, link: str, state: LinkState, command: Command, *, only_asked: bool) -> Stored:
    """Post a command; or decide it on the state, post nothing, and give what it would be answered."""
    if not only_asked:
        return answered((await _posted(url, link, [command]))[0])
    decision = decide_all(state, [command], {}, time.time_ns() // 1_000)
    if decision.aside:
        raise refused_for(Refusal.KEPT_ASIDE, words=decision.aside[0])
    return answered(decision.replies[0])


def _voided(answer: Stored, *, posted: bool) -> Voided:
    if not isinstance(answer, VoidAnswer | VoidRecordedAnswer):
        raise TypeError(f"a void was answered with {type(answer).__name__}")
    return Voided(answer, posted, of_open=isinstance(answer, VoidAnswer))


async def link_of(url: str, table: str) -> str:
    """Return the link a table is enrolled on; raises Refused for a table nobody enrolled, FrameError for no name."""
    hold_name("table", table)
    enrolled = (await read_state(url, SITE)).enrolled.get(table)
    if enrolled is None:
        raise refused_for(Refusal.NO_SUCH_TABLE, table)
    return enrolled.link


def journal_now(state: LinkState, table: str) -> int:
    """Return the journal that is a table's own now."""
    found = state.tables.get(table)
    return found.journal if found is not None else 0


async def links_of(url: str) -> list[str]:
    """Return the links the site knows."""
    return list((await read_state(url, SITE)).links)


def table_key(keys: Path, table: str) -> tuple[Path, Ed25519PrivateKey]:
    """Return the file and the private key of a table, made where there is none."""
    path = key_file(keys, "table", table)
    return path, kept_key(path)


async def _posted(url: str, chain: str, commands: Sequence[Command]) -> list[Reply]:
    """Post commands; raises Refused where the chain is stopped: people are told why, and what is next."""
    replies = await post_once(url, chain, commands)
    if any(reply.later is Refusal.LINK_STOPPED for reply in replies):
        raise await refused_stopped(url, chain)
    return replies


def answered(reply: Reply) -> Stored:
    """Return what the ledger answered; raises Refused, UnreachableError."""
    later = reply.later
    if later is not None:
        if later in {Refusal.LEDGER_UNREACHABLE, Refusal.BUSY}:
            raise UnreachableError(later.text)
        raise refused_for(later)
    answer = decode_stored(reply.answer)
    if isinstance(answer, RefusedAnswer):
        raise Refused(answer)
    return answer


def _opened(answers: Sequence[Stored]) -> OpenedAnswer:
    (answer,) = answers
    if not isinstance(answer, OpenedAnswer):
        raise TypeError(f"terms were answered with {type(answer).__name__}")
    return answer
