"""The frames between a table and the server, as strict values (PROTOCOL 1-3).

Each struct is one frame; `kind` comes first and names it. The order of the fields is the order of the bytes. A record's
own form is `rules.records.RoundRecord`, so that a round has one JSON form everywhere.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

Name = Annotated[str, Meta(min_length=1, max_length=24, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*\Z")]
"""A table or a link: letters, digits, `-` and `_`."""
Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""A count or a number that rises from nought."""
Int64 = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""An amount as a person or a device gave it: the decision, not the codec, says whether it is right."""
Month = Annotated[str, Meta(pattern=r"^[0-9]{4}-(?:0[1-9]|1[0-2])\Z")]
"""A gaming month, `2026-11`."""
Hex = Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2})*\Z", max_length=256)]
"""Bytes as lower-case hexadecimal text."""
Text = Annotated[str, Meta(max_length=400)]
"""Words for people."""


class Frame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", omit_defaults=True, gc=False):
    """What all frames share: strict fields, `kind` first, absent where a default says all.

    A frame is read from bytes, so it cannot hold itself: the collector of cycles need not look at it.
    """


class Value(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What all parts of frames share."""


class Receipt(Value, frozen=True):
    """Where an answer stands in the ledger: the ledger's life, the commit of the command, its batch's digest."""

    generation: Number
    commit: Number
    digest: Hex


class Shown(Value, frozen=True):
    """The snapshot a table was showing: what the players saw when they wagered."""

    generation: Number
    commit: Number
    epoch: Number
    cents: Number


class SeatWager(Value, frozen=True):
    """One seat at "no more bets": its ante (11.1), the dealer's count of the jackpot wager, what the sensor saw."""

    seat: Int64
    ante_cents: Int64
    jackpot_cents: Int64
    sensor_cents: Int64
    tender: Literal["chips", "token"] = "chips"


class Wagers(Frame, frozen=True, tag="wagers"):
    """The jackpot wagers of a round, sent at "no more bets" and before the first card (5.7)."""

    table: Name
    journal: Number
    month: Month
    round: Number
    revision: Number
    terms: Hex
    shown: Shown
    seats: list[SeatWager]


class Withdraw(Frame, frozen=True, tag="withdraw"):
    """The jackpot seats are out of this round, accepted or not; the round plays on and is recorded."""

    table: Name
    journal: Number
    month: Month
    round: Number
    revision: Number
    reason: Text


class Void(Frame, frozen=True, tag="void"):
    """No result: the whole round, or the seats named; with the rule, who asked, and the cards seen so far."""

    table: Name
    journal: Number
    month: Month
    round: Number
    revision: Number
    rule: Text
    by: Text
    seats: Annotated[list[Int64], Meta(max_length=9)] = []
    """As many as a layout has at most, since they are in the message's id."""
    cards_seen: Text = ""
    second: Text = ""
    """The other of the two people, where a recorded round is voided."""


class HelloBody(Value, frozen=True):
    """What a table says of itself when it connects; signed together with the server's challenge."""

    table: Name
    journal: Number
    """0 while the spool has no journal yet."""
    spool: Hex
    """Sixteen random bytes made with the spool: they tell a copy that was made new from the one that was granted."""
    connection: Number
    next_round: Number
    protocols: list[Number]
    program: Text
    terms: Raw
    """The terms on the table's own felt and sign, canonical."""
    settings: Raw
    """The table's own settings, canonical."""
    last_receipt: Receipt | None = None


class Hello(Frame, frozen=True, tag="hello"):
    """The first frame of a table: its body as canonical bytes; challenge and body signed by the table's key."""

    body: Raw
    signature: Hex


class Ask(Frame, frozen=True, tag="ask"):
    """How do the table's open hits stand now?"""


class Signed(Frame, frozen=True, tag="signed"):
    """A record that holds a prize, or every hundredth end of a round: with the journal's head, signed by the table.

    `head` is the SHA-256 chain over the ends of rounds (records and voids) of the journal, this one included.
    """

    head: Hex
    signature: Hex
    message: Raw


class Challenge(Frame, frozen=True, tag="challenge"):
    """The server's first frame: sixteen random bytes for the hello to sign, and the protocol versions it speaks."""

    nonce: Hex
    protocols: list[Number]


class HitNow(Value, frozen=True):
    """An open hit of the table as it stands now."""

    hit: str
    prize: str
    state: str
    amount_cents: Number


class ByPeople(Value, frozen=True):
    """What two people did at the server to a round that its table had not ended: under which rule, and who."""

    act: Literal["void", "record"]
    rule: Text
    """Nothing of a record that was typed in."""
    by: Text
    second: Text
    seats: list[Int64] = []
    """The seats that are void; none where the whole round is over."""
    forfeited: list[Int64] = []
    """The seats whose wager is kept by a supervisor's direction (16.6); all others went back."""


class RoundNow(Value, frozen=True):
    """How the last round of the table's journal stands now.

    A spool that holds it as going on, or seats of it in play that are not, has lost what it had written (PROTOCOL 1),
    but for what people did there.
    """

    journal: Number
    round: Number
    state: Literal["open", "withdrawn", "voided", "recorded"]
    seats: list[Int64] = []
    """The seats whose accepted wager is in play; none of a round that is not open."""
    people: list[ByPeople] = []
    """In version 4, what people did to it, in the order in which it was decided."""


class Welcome(Frame, frozen=True, tag="welcome"):
    """The hello was accepted: the granted journal, the gaming month, and what a table checks snapshots against."""

    protocol: Number
    link: Name
    table: Name
    journal: Number
    connection: Number
    highest_round: Number
    month: Month
    terms: Hex
    link_key: Hex
    receipt: Receipt
    hits: list[HitNow] = []
    round: RoundNow | None = None
    """In version 3, once its journal has had a round."""


class FieldDifference(Value, frozen=True):
    """One field in which the table is not the link: its path, the table's value, the link's value."""

    field: str
    table: str
    link: str


class Refused(Frame, frozen=True, tag="refused"):
    """The hello was refused; the spool may still be handed in on this connection (PROTOCOL 3)."""

    code: str
    text: str
    differences: list[FieldDifference] = []
    journal: Number = 0
    month: str = ""
    round: RoundNow | None = None
    """In version 3, where the hello was decided and the table's journal has had a round."""


class Answer(Frame, frozen=True, tag="answer"):
    """The answer to a message: what was decided then, for ever; and the table's open hits as they are now."""

    id: str
    answer: Raw
    receipt: Receipt
    month: Month
    hits: list[HitNow] = []


class Later(Frame, frozen=True, tag="later"):
    """Not now: nothing is stored, the message stays in the spool and is sent again."""

    id: str
    code: str
    text: str
    hits: list[HitNow] = []


class Hits(Frame, frozen=True, tag="hits"):
    """The reply to `ask`."""

    month: Month
    hits: list[HitNow] = []


class BadFrame(Frame, frozen=True, tag="bad_frame"):
    """The frame could not be read: the field, its value (cut at 40 characters), the reason. Nothing was done."""

    field: str
    value: str
    reason: str


class Eject(Frame, frozen=True, tag="eject"):
    """The table is no longer linked: its jackpot closes; its spool may be handed in after a new hello."""

    code: str
    text: str


# --- answers: the part that is stored -------------------------------------------------------------------------------


class SeatAnswer(Value, frozen=True):
    """Whether a seat's jackpot wager was accepted (green), and if not why, with its rule."""

    seat: Int64
    accepted: bool
    refusal: str | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    value: str | UnsetType = UNSET
    """The field and the value that were refused, as `jackpot_cents 250`."""


class WagersAnswer(Frame, frozen=True, tag="wagers"):
    """Seat by seat: accepted or refused. `stale_display` when the players wagered on a meter that had fallen since."""

    seats: list[SeatAnswer]
    stale_display: bool = False


class RefusedAnswer(Frame, frozen=True, tag="refused"):
    """The message was refused for good: code, rule and words; `value` names what was wrong where a value was."""

    code: str
    text: str
    rule: str = ""
    value: str = ""


class Moved(Value, frozen=True):
    """What a reversal took from an account (below nought) or gave to it, in microcents as decimal text."""

    account: str
    microcents: str


class WithdrawAnswer(Frame, frozen=True, tag="withdrawn"):
    """Seats whose accepted wagers were reversed, and what that moved."""

    seats: list[Int64]
    moved: list[Moved] = []


class VoidAnswer(Frame, frozen=True, tag="voided"):
    """Seats whose accepted wagers were reversed, and what that moved."""

    seats: list[Int64]
    moved: list[Moved] = []


class MeterAround(Value, frozen=True):
    """A pool's meter with this round's wagers in, before its awards and after them and any reseed; whole cents.

    `basis_cents` is there only where the awards were worked out from another amount (`meter_includes_this_round`).
    """

    pool: str
    before_cents: Number
    after_cents: Number
    basis_cents: Number | UnsetType = UNSET


class AwardLine(Value, frozen=True):
    """One line of the award statement, in paying order (12.2, 12.4)."""

    hit: str
    seat: Number
    prize: str
    pool: str
    amount_cents: Number
    from_pool_cents: Number
    topup_cents: Number
    bonus_cents: Number
    state: str
    rules: list[str]


class RecordAnswer(Frame, frozen=True, tag="recorded"):
    """The award statement of the round: awards in paying order, and what the server found different from the table."""

    meters: list[MeterAround]
    awards: list[AwardLine] = []
    disputed: bool = False
    differences: list[str] = []
    marks: list[str] = []


class HandIn(Frame, frozen=True, tag="hand_in"):
    """The ledger went back: hand in what was answered with receipts past this place, oldest first (PROTOCOL 5)."""

    generation: Number
    commit: Number


class Held(Value, frozen=True):
    """A message as its spool keeps it: the bytes that were sent, what was answered, and the receipt of that."""

    message: Raw
    answer: Raw
    receipt: Receipt


class HandingIn(Frame, frozen=True, tag="handing_in"):
    """What a table holds past the place it was asked for, in order of receipts; `more` follows when asked again.

    `hits` are its open hits as it was told last; `shown` its hits as the last snapshot showed them, ended ones too.
    """

    table: Name
    held: list[Held]
    more: bool = False
    hits: list[HitNow] = []
    shown: list[HitNow] = []


FromTable = Hello | Ask | Signed | Wagers | Withdraw | Void | HandingIn
"""Frames a table sends, beside the record."""
ToTable = Challenge | Welcome | Refused | Answer | Later | Hits | BadFrame | Eject | HandIn
"""Frames a server sends."""
StoredAnswer = WagersAnswer | RefusedAnswer | WithdrawAnswer | VoidAnswer | RecordAnswer
"""Answers to a table's messages."""
