"""Everything that can change a chain, as commands with bytes: what a table sends, and what people do on the server's machine.

A command's bytes are stored as they came and are what the audit decides again. A table's messages are commands as they stand;
the acts here are made at the edge, with the time and the names as arguments.
"""

from dataclasses import dataclass

import msgspec

from jackpot.wire.codec import FrameError, decode_from_table, encode
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
from rules.records import RecordError, RoundRecord, decode_record


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
    """Admit an enrolled table, or change what is approved for it: its settings, canonical, and its first word for a journal."""

    table: Name
    revision: Number
    key: Hex
    settings: msgspec.Raw
    by: Text


class Word(Frame, frozen=True, tag="word"):
    """A supervisor's word: the table may be granted a new journal, to the spool named or to the next that asks."""

    table: Name
    revision: Number
    by: Text
    reason: Text
    spool: Hex = ""


class Connect(Frame, frozen=True, tag="connect"):
    """A hello whose signature held: which agent is the table (PROTOCOL 1). `month` is the gaming month it came in."""

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


class MoveHit(Frame, frozen=True, tag="hit"):
    """A person moves a hit along its table of legal moves. `nth` tells the acts on one hit apart."""

    hit: str
    move: str
    by: Text
    nth: Number
    second: Text = ""
    reason: Text = ""
    manager: Text = ""
    """The manager who says that an open older round need not be waited for, with a reason."""


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


Act = OpenLink | NewTerms | Admit | Word | Connect | MoveHit | OpenSite | RegisterLink | Enrol
"""What does not come from a table as it stands."""
Message = FromTable | Act | RoundRecord
"""All that a command may say."""

_act = msgspec.json.Decoder(Act)


@dataclass(frozen=True, slots=True)
class Command:
    """A command on its way to be decided: its id, its bytes, what they say, and the month and round they speak of."""

    id: str
    raw: bytes
    message: Message
    month: str = ""
    table: str = ""
    journal: int = 0
    round: int = 0
    signed: Signed | None = None


def command_of(raw: bytes) -> Command:
    """Read a command's bytes, a table's or a person's; raises FrameError or RecordError naming field and value.

    **Always** gives the same command for the same bytes: the audit reads them again through here.
    """
    if raw.startswith(b'{"kind":"record"'):
        return of_record(raw, decode_record(raw))
    try:
        act = _act.decode(raw)
    except msgspec.ValidationError:
        return of_frame(raw, decode_from_table(raw))
    except msgspec.DecodeError as error:
        raise FrameError("command", raw[:40].decode("utf-8", "replace"), str(error)) from None
    return of_act(act)


def of_frame(raw: bytes, frame: FromTable) -> Command:
    """Return the command of a table's frame; raises FrameError for a frame that is none."""
    match frame:
        case Wagers():
            return Command(_round_id(frame, "wagers"), raw, frame, frame.month, frame.table, frame.journal, frame.round)
        case Withdraw():
            return Command(
                _round_id(frame, "withdraw"), raw, frame, frame.month, frame.table, frame.journal, frame.round
            )
        case Void():
            kind = void_kind(tuple(frame.seats))
            return Command(_round_id(frame, kind), raw, frame, frame.month, frame.table, frame.journal, frame.round)
        case Signed():
            inner = command_of(bytes(frame.message))
            return Command(
                inner.id, raw, inner.message, inner.month, inner.table, inner.journal, inner.round, signed=frame
            )
        case _:
            raise FrameError("kind", type(frame).__name__, "not a message that is decided")


def of_record(raw: bytes, record: RoundRecord) -> Command:
    """Return the command of a record; raises RecordError where a field its id needs is absent."""
    for field in ("table", "journal", "month", "round", "revision", "terms", "capture"):
        if getattr(record, field) is None:
            raise RecordError(field, "", "a record on the wire needs it")
    name = message_id(
        str(record.table), record.journal or 0, str(record.month), record.round or 0, "record", record.revision or 0
    )
    return Command(name, raw, record, str(record.month), str(record.table), record.journal or 0, record.round or 0)


def of_act(act: Act) -> Command:
    """Return the command of an act: its id is of the domain, its bytes canonical."""
    return Command(_act_id(act), encode(act), act, table=getattr(act, "table", ""))


def _round_id(frame: Wagers | Withdraw | Void, kind: str) -> str:
    return message_id(frame.table, frame.journal, frame.month, frame.round, kind, frame.revision)


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
            return f"{act.table}/{act.journal}/connect/{act.spool}/{act.connection}"
        case MoveHit():
            return f"{act.hit}/{act.move}/{act.nth}"
        case OpenSite():
            return "site/open"
        case RegisterLink():
            return f"site/link/{act.link}"
        case Enrol():
            return f"site/table/{act.table}/{act.revision}"
