"""Everything that can change a chain, as commands with bytes: what a table sends, and what people do at the server.

A command's bytes are stored as they came and are what the audit decides again. A table's messages are commands as they
stand; the acts here are made at the edge, with the names as arguments. A table can never send an act.
"""

from typing import get_args

import msgspec

from jackpot.core.amendments import (
    Amendment,
    CorrectRecorded,
    DecideOrder,
    RecordTyped,
    Recovered,
    VoidOpen,
    VoidRecorded,
)
from jackpot.core.lives import HandedIn, MeterShown, OfLife, PaidBefore, Reopened, life_id
from jackpot.core.past import PastEntry
from jackpot.wire.codec import FrameError, decode_from_table, encode, escapes, translated
from jackpot.wire.ids import message_id, void_kind
from jackpot.wire.messages import (
    Frame,
    FromTable,
    Hex,
    Month,
    Name,
    Number,
    Receipt,
    Signed,
    Text,
    Void,
    Wagers,
    Withdraw,
)
from jackpot.wire.written import hold_storable, in_words
from rules.records import RecordError, RoundRecord, decode_record
from rules.strict_json import first_fault


class OpenLink(Frame, frozen=True, tag="open"):
    """Open a link under its first terms: the pools take their first seeds. Two people (case 18)."""

    link: Name
    terms: msgspec.Raw
    link_key: Hex
    by: Text
    second: Text


class NewTerms(Frame, frozen=True, tag="terms"):
    """The next version of the link's terms holds from this commit on. Two people."""

    link: Name
    version: Number
    terms: msgspec.Raw
    by: Text
    second: Text


class Admit(Frame, frozen=True, tag="admit"):
    """Admit an enrolled table, or change its key or settings (canonical); the first is its word for a journal too."""

    table: Name
    revision: Number
    key: Hex
    settings: msgspec.Raw
    by: Text


class Word(Frame, frozen=True, tag="word"):
    """A supervisor's word on which agent is the table: the one with the spool named, or the next that says hello.

    It may be granted a new journal where it needs one. The next hello that is accepted uses the word up.
    """

    table: Name
    revision: Number
    by: Text
    reason: Text
    spool: Hex = ""


class Connect(Frame, frozen=True, tag="connect"):
    """A hello whose signature held: which agent is the table (PROTOCOL 1). `month` is what tables were told then.

    `nonce` is the challenge the hello signed: it tells apart two agents that hold copies of one spool.
    """

    table: Name
    journal: Number
    spool: Hex
    connection: Number
    next_round: Number
    program: Text
    terms: msgspec.Raw
    settings: msgspec.Raw
    month: Month
    last_receipt: Receipt | None = None
    alive: bool = False
    """Whether an older connection of this table was still up when this one came."""
    nonce: Hex = ""


class MoveHit(Frame, frozen=True, tag="hit"):
    """A person moves a hit along its table of legal moves. `nth` is how many acts the hit had when it was looked at."""

    hit: str
    move: str
    by: Text
    nth: Number
    second: Text = ""
    reason: Text = ""
    manager: Text = ""
    """The manager who says that an open older round need not be waited for, with a reason."""
    rule: Text = ""
    """The rule under which a hit is rejected, released or forfeited."""
    posted: tuple[PastEntry, ...] = ()
    """What the commit that resolved the hit moved beside its awards, where money goes back."""


class OpenSite(Frame, frozen=True, tag="site"):
    """The first batch of the chain `site`."""

    key: Hex
    by: Text


class RegisterLink(Frame, frozen=True, tag="register"):
    """The site knows a link and the public key its snapshots are signed with."""

    link: Name
    link_key: Hex
    by: Text


class Enrol(Frame, frozen=True, tag="enrol"):
    """The site knows a table: its link and its public key."""

    table: Name
    link: Name
    key: Hex
    revision: Number
    by: Text


Act = (
    OpenLink
    | NewTerms
    | Admit
    | Word
    | Connect
    | MoveHit
    | VoidRecorded
    | VoidOpen
    | CorrectRecorded
    | RecordTyped
    | DecideOrder
    | Recovered
    | OfLife
    | OpenSite
    | RegisterLink
    | Enrol
)
"""What does not come from a table as it stands."""
Message = FromTable | Act | RoundRecord
"""All that a command may say."""

FIRST_REVISION = 1
"""A round's first word is a record or a void of this revision; what amends it comes after."""

_act = msgspec.json.Decoder(Act)
_RECORD = b'{"kind":"record"'
_ACTS = tuple([f'{{"kind":"{act.__struct_config__.tag}"'.encode() for act in get_args(Act)])
_NEEDED = ("table", "journal", "month", "round", "revision", "terms", "capture")
_LINKS_OWN = (
    "jackpot",
    "wagers_commit",
    "commit",
    "meter_before_cents",
    "awards",
    "meter_after_cents",
    "meters",
    "meter_basis_cents",
)
"""What the link adds in an export: a table never says what a prize is worth."""


class Command(msgspec.Struct, frozen=True, gc=False):
    """A command on its way to be decided: its id, its bytes, what they say, and the month and round they speak of."""

    id: str
    raw: bytes
    message: Message
    month: str = ""
    table: str = ""
    journal: int = 0
    round: int = 0
    signed: Signed | None = None
    handed_in: HandedIn | None = None

    @property
    def said(self) -> bytes:
        """The bytes that whoever repeats it will send: those of a message that was handed in are the table's own."""
        return self.raw if self.handed_in is None else bytes(self.handed_in.message)


def command_of(raw: bytes) -> Command:
    """Read a command's bytes, a table's or a person's; raises FrameError or RecordError naming field and value.

    **Always** gives the same command for the same bytes: the audit reads them again through here.
    """
    if not raw.startswith(_ACTS):
        return command_from_table(raw)
    try:
        return drafted(_act.decode(raw))
    except msgspec.DecodeError as error:
        raise translated(str(error), raw) from None


def command_from_table(raw: bytes) -> Command:
    """Read what a table sent to be decided; raises FrameError or RecordError naming field and value.

    **Never** takes an act of people, signed or not.
    """
    if raw.startswith(_RECORD):
        record = decode_record(raw, canonical=True)
        fault = first_fault(raw) if escapes(raw) else None
        if fault is not None:
            raise RecordError(*fault)
        return of_record(raw, record)
    return of_frame(raw, decode_from_table(raw))


def of_frame(raw: bytes, frame: FromTable) -> Command:
    """Return the command of a table's frame; raises FrameError for a frame that says nothing to decide."""
    match frame:
        case Wagers():
            return _of_round(raw, frame, "wagers")
        case Withdraw():
            return _of_round(raw, frame, "withdraw")
        case Void():
            return _of_round(raw, frame, void_kind(tuple(frame.seats)))
        case Signed():
            inner = command_from_table(bytes(frame.message))
            if inner.signed is not None:
                raise FrameError("message.kind", "signed", "a message is signed once")
            return msgspec.structs.replace(inner, raw=raw, signed=frame)
        case _:
            raise FrameError("kind", type(frame).__name__.lower(), "not a message that is decided")


def of_record(raw: bytes, record: RoundRecord) -> Command:
    """Return the command of a record; raises RecordError where a field it needs is absent, or one is the link's own."""
    for field in _NEEDED:
        if getattr(record, field) is None:
            raise RecordError(field, "", "a record on the wire needs it")
    for field in _LINKS_OWN:
        if getattr(record, field) is not None:
            raise RecordError(field, "", "the link says this, never a table")
    at = (str(record.table), record.journal or 0, str(record.month), record.round or 0)
    name = message_id(*at, "record", record.revision or 0)
    return Command(name, raw, record, at[2], at[0], at[1], at[3])


def of_act(act: Act) -> Command:
    """Return the command of an act that people or the server make: its id is of the domain, its bytes canonical.

    **Never** returns one whose bytes cannot be read again. Raises FrameError for such a field, naming it, its value and
    what is allowed; RecordError where a record that people typed is no record of the act's own round, and RecordError
    or FrameError where what was handed in is no message of a table.
    """
    hold_storable(act)
    command = drafted(act)
    hold_readable(command)
    return command


def hold_readable(command: Command) -> None:
    """Refuse an act whose bytes do not read as itself; raises FrameError or RecordError (PROTOCOL 3).

    What a table sends was read from these bytes, strictly, when it came.
    """
    if not command.raw.startswith(_ACTS):
        return
    try:
        again = command_of(command.raw)
    except FrameError as error:
        raise in_words(error) from None
    if (again.id, again.raw) != (command.id, command.raw):
        raise FrameError("frame", again.id[:40], f"the bytes are not those of {command.id[:40]}")


def drafted(act: Act) -> Command:
    """Return the command of an act as it stands, for a plan that people look at first.

    Whoever decides it sets it aside where its bytes could not be read again. Raises as `of_act` does for what was
    typed or handed in.
    """
    if isinstance(act, HandedIn):
        inner = command_from_table(bytes(act.message))
        return msgspec.structs.replace(inner, raw=encode(act), handed_in=act)
    if isinstance(act, CorrectRecorded | RecordTyped):
        typed_record(act)
    month = act.month if isinstance(act, Amendment) else ""
    return Command(_act_id(act), encode(act), act, month, getattr(act, "table", ""))


def typed_record(act: CorrectRecorded | RecordTyped) -> RoundRecord:
    """Read the record that two people typed; raises RecordError for one that is none of the act's own round."""
    record = decode_record(act.record, canonical=True)
    of_record(bytes(act.record), record)
    revision = act.revision if isinstance(act, CorrectRecorded) else FIRST_REVISION
    own = {"table": act.table, "journal": act.journal, "month": act.month, "round": act.round, "revision": revision}
    for field, value in own.items():
        if getattr(record, field) != value:
            raise RecordError(field, str(getattr(record, field)), f"the round is of {field} {value}")
    return record


def _of_round(raw: bytes, frame: Wagers | Withdraw | Void, kind: str) -> Command:
    name = message_id(frame.table, frame.journal, frame.month, frame.round, kind, frame.revision)
    return Command(name, raw, frame, frame.month, frame.table, frame.journal, frame.round)


def _act_id(act: Act) -> str:
    match act:
        case OpenLink():
            return f"{act.link}/open"
        case NewTerms():
            return f"{act.link}/terms/{act.version}"
        case Admit():
            return f"{act.table}/admit/{act.revision}"
        case Word():
            return f"{act.table}/word/{act.revision}"
        case Connect():
            return f"{act.table}/{act.journal}/connect/{act.spool}/{act.connection}.{act.nonce}"
        case MoveHit():
            return f"{act.hit}/{act.move}/{act.nth}/{act.by}"
        case VoidRecorded() | VoidOpen() | CorrectRecorded():
            return message_id(act.table, act.journal, act.month, act.round, "amend", act.revision)
        case RecordTyped():
            return message_id(act.table, act.journal, act.month, act.round, "typed", FIRST_REVISION)
        case DecideOrder():
            return f"{act.hit}/order/{act.nth}"
        case Recovered():
            return f"{act.hit}/recovered/{act.part}"
        case HandedIn():
            return drafted(act).id
        case Reopened() | PaidBefore() | MeterShown():
            return life_id(act)
        case OpenSite():
            return "site/open"
        case RegisterLink():
            return f"site/link/{act.link}"
        case Enrol():
            return f"site/table/{act.table}/{act.revision}"
