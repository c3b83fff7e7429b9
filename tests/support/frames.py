"""One of every frame and every stored answer of the protocol, each with all that it may hold; and a record."""

import msgspec

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
    AdmittedAnswer,
    Cents,
    ConnectedAnswer,
    CorrectedAnswer,
    HelloRefusedAnswer,
    HitAnswer,
    OpenedAnswer,
    OrderAmount,
    OrderAnswer,
    RecoveredAnswer,
    ReopenedAnswer,
    SiteAnswer,
    StoodAnswer,
    VoidRecordedAnswer,
    WordAnswer,
)
from jackpot.core.commands import (
    Admit,
    Connect,
    Enrol,
    MoveHit,
    NewTerms,
    OpenLink,
    OpenSite,
    RegisterLink,
    Word,
)
from jackpot.core.lives import HandedIn, MeterShown, PaidBefore, Reopened
from jackpot.core.past import PastEntry, PastHit, PastRound, PastWager
from jackpot.wire.codec import encode
from jackpot.wire.messages import (
    Answer,
    Ask,
    AwardLine,
    BadFrame,
    ByPeople,
    Challenge,
    Eject,
    FieldDifference,
    HandIn,
    HandingIn,
    Held,
    Hello,
    HelloBody,
    HitNow,
    Hits,
    Later,
    MeterAround,
    Moved,
    Receipt,
    RecordAnswer,
    Refused,
    RefusedAnswer,
    RoundNow,
    SeatAnswer,
    SeatWager,
    Shown,
    Signed,
    Void,
    VoidAnswer,
    Wagers,
    WagersAnswer,
    Welcome,
    Withdraw,
    WithdrawAnswer,
)
from jackpot.wire.settings import TableSettings
from jackpot.wire.snapshots import HitShown, PoolShown, Published, Snapshot
from rules.records import (
    ClaimRecord,
    LimitsRecord,
    RoundRecord,
    SeatRecord,
    SettingsRecord,
    SettledRecord,
    ShownRecord,
    encode_record,
)
from rules.terms import canonical_bytes
from tests.support.terms import demo_terms

Struct = msgspec.Struct

DIGEST, TERMS, SPOOL = "5d" * 32, "7e" * 32, "0f" * 16
RECEIPT = Receipt(1, 4711, DIGEST)
HIT = HitNow("T1/1/17/3/main", "straight_flush", "pending", 1_000_000)
ROUND_NOW = RoundNow(1, 17, "open", [3, 5])
BY_PEOPLE = [
    ByPeople("void", "CSP 14.8", "A. Manager", "S. Upervisor", [2]),
    ByPeople("void", "CSP 16.6", "A. Manager", "S. Upervisor", [], [5]),
]
OVER_NOW = RoundNow(1, 17, "voided", [], BY_PEOPLE)
SHOWN = Shown(1, 4700, 2, 5_012_345)
LIMITS = LimitsRecord(1000, 50_000, 500, 100_000, 100)
SETTINGS = TableSettings(limits=LIMITS, settings=SettingsRecord(max_payout_cents=5_000_000))


def _raw(struct: Struct) -> msgspec.Raw:
    return msgspec.Raw(encode(struct))


RECORD = RoundRecord(
    kind="record",
    game="caribbean_stud",
    edition="2024-08-16",
    table="T1",
    journal=1,
    month="2026-11",
    round=17,
    revision=1,
    terms=TERMS,
    capture="full",
    device="shoe",
    shown=ShownRecord(1, 4700, 2, 5_012_345),
    dealer="As Kd 4h 3c 2c",
    seats=(
        SeatRecord(2, 1000, None, "fold", None, "7h 2d 9c Jd 4s", "token"),
        SeatRecord(3, 2500, 100, "bet", 5000, "9h 8h 7h 6h 5h", None, None, "token_once"),
    ),
    claims=(ClaimRecord(3, "straight_flush"),),
    no_other_hand=True,
    declared_by="D. Ealer",
    settled=(
        SettledRecord(2, "ante", 0, 0),
        SettledRecord(3, "ante", 2500, 2500),
        SettledRecord(3, "bet", 250_000, 5000),
    ),
    settings=SettingsRecord(
        cap_linked_wager=True,
        invalid_losing="kept",
        refund_invalidated=True,
        token_on_win="returned",  # noqa: S106 - a token to wager with
        carded_play="as_book",
        dealer_cards_exposed_in_deal="misdeal",
        max_payout_covers="winnings",
        max_payout_cents=5_000_000,
    ),
    limits=LIMITS,
    schedules=("csp_10_1",),
    rules_version=1,
    late=True,
)
VOID = Void("T1", 1, "2026-11", 18, 1, "CSP 14.8", "S. Upervisor", [5, 3], "As Kd", "M. Anager")
BODY = HelloBody(
    "T1", 1, SPOOL, 9, 18, [1], "tablelink 0.1.0", msgspec.Raw(canonical_bytes(demo_terms())), _raw(SETTINGS), RECEIPT
)
SNAPSHOT = Snapshot(
    "southern",
    1,
    4711,
    "running",
    TERMS,
    "2026-11",
    [PoolShown("main", 2, 9_007_199_254_740_993, 4600, "award")],
    [HitShown(HIT.hit, HIT.prize, HIT.state, HIT.amount_cents, "T1", 4711)],
    "one",
    815,
    123_456_789,
)
WAGERS_ANSWER = WagersAnswer(
    [
        SeatAnswer(3, accepted=True),
        SeatAnswer(5, accepted=False, refusal="no_ante", rule="CSP 11.1", value="ante_cents 0"),
    ],
    stale_display=True,
)

FRAMES: dict[str, Struct] = {
    "hello": Hello(_raw(BODY), "ab" * 64),
    "hello_body": BODY,
    "settings": SETTINGS,
    "ask": Ask(),
    "signed": Signed(DIGEST, "ab" * 64, _raw(VOID)),
    "wagers": Wagers(
        "T1", 1, "2026-11", 17, 1, TERMS, SHOWN, [SeatWager(3, 2500, 100, 100), SeatWager(5, 0, -1, 0, "token")]
    ),
    "withdraw": Withdraw("T1", 1, "2026-11", 17, 1, "no answer within 2 s"),
    "void": VOID,
    "record": RECORD,
    "challenge": Challenge("0c" * 16, [1]),
    "welcome": Welcome(1, "southern", "T1", 1, 9, 17, "2026-11", TERMS, "cd" * 32, RECEIPT, [HIT]),
    "refused": Refused(
        "terms_differ",
        "the table's terms are not the link's",
        [FieldDifference("pools.0.seed_cents", "500000", "5000000")],
        1,
        "2026-11",
    ),
    "answer": Answer("T1/1/2026-11/17/wagers/1", _raw(WAGERS_ANSWER), RECEIPT, "2026-11", [HIT]),
    "later": Later("T1/1/2026-11/18/wagers/1", "hit_open", "a hit of this table is not yet settled", [HIT]),
    "hits": Hits("2026-11", [HIT]),
    "bad_frame": BadFrame("seats[0].jackpot_cents", '"100"', "Expected `int`, got `str`"),
    "eject": Eject("other_terms", "the wagers were made under other terms than the link's"),
    "hand_in": HandIn(1, 4700),
    "handing_in": HandingIn(
        "T1",
        [Held(msgspec.Raw(encode(VOID)), msgspec.Raw(encode(VoidAnswer([3]))), RECEIPT)],
        more=True,
        hits=[HIT],
        shown=[HitNow(HIT.hit, HIT.prize, "paid", HIT.amount_cents)],
    ),
    "welcome_3": Welcome(3, "southern", "T1", 1, 9, 17, "2026-11", TERMS, "cd" * 32, RECEIPT, [HIT], ROUND_NOW),
    "refused_3": Refused("table_closed", "the table is not linked now", [], 1, "2026-11", ROUND_NOW),
    "welcome_4": Welcome(4, "southern", "T1", 1, 9, 17, "2026-11", TERMS, "cd" * 32, RECEIPT, [HIT], OVER_NOW),
    "refused_4": Refused("table_closed", "the table is not linked now", [], 1, "2026-11", OVER_NOW),
    "snapshot": SNAPSHOT,
    "published": Published(_raw(SNAPSHOT), "ab" * 64),
}
"""What goes over the wire, by name."""
SINCE = {
    **dict.fromkeys(("hand_in", "handing_in"), "2"),
    **dict.fromkeys(("welcome_3", "refused_3"), "3"),
    **dict.fromkeys(("welcome_4", "refused_4"), "4"),
}
"""The frames that version 1 of the protocol had not, or otherwise, with the version that had them first so."""

ANSWERS: dict[str, Struct] = {
    "wagers": WAGERS_ANSWER,
    "refused": RefusedAnswer("not_offered", "this move is not offered", "CSP 1.1", "reject"),
    "withdrawn": WithdrawAnswer([3, 5], [Moved("pool/main", "-44000000"), Moved("wagers", "200000000")]),
    "voided": VoidAnswer([3], [Moved("reserve", "-30000000"), Moved("wagers", "100000000")]),
    "recorded": RecordAnswer(
        [MeterAround("main", 5_012_345, 4_512_345, 5_012_300)],
        [AwardLine("T1/1/17/3/main", 3, "straight_flush", "main", 501_230, 501_230, 0, 0, "disputed", ["CSP 12.1.2"])],
        disputed=True,
        differences=["settled: seat 3 bet is paid 1, returned 2 at the table, paid 0, returned 2 by the rules"],
        marks=["stale_display", "late"],
    ),
    "opened": OpenedAnswer(TERMS, 1),
    "admitted": AdmittedAnswer("T1"),
    "word": WordAnswer("T1"),
    "connected": ConnectedAnswer(1, 9, 17, TERMS),
    "hello_refused": HelloRefusedAnswer(
        "settings_differ",
        "the table's settings are not those approved for it",
        "CSP 6.1",
        [FieldDifference("settings.seats", "9", "7")],
        1,
    ),
    "moved": HitAnswer("T1/1/17/3/main", "approved", 1_000_000, 2, 2),
    "released": HitAnswer(
        "T1/1/17/3/main",
        "released",
        1_000_000,
        2,
        2,
        (Cents("T1/1/17/5/main", 1_000_000),),
        (Cents("T2/1/9/4/main", 50_000),),
    ),
    "void_recorded": VoidRecordedAnswer(
        (3, 5),
        (Moved("pool/main", "-44000000"), Moved("wagers", "200000000")),
        (2,),
        ("T1/1/17/3/main",),
        (Cents("T1/1/17/5/main", 1_000_000),),
        (Cents("T1/1/17/6/main", 500_000),),
        (Cents("T1/1/17/7/main", 500_000),),
    ),
    "corrected": CorrectedAnswer(
        2,
        (MeterAround("main", 5_012_345, 4_511_111),),
        (AwardLine("T1/1/17/5/main", 5, "straight_flush", "main", 501_234, 501_234, 0, 0, "pending", ["CSP 12.1.2"]),),
        ("T1/1/17/3/main",),
        (Cents("T1/1/17/6/house", 5_000),),
        (Cents("T1/1/17/7/house", 5_000),),
        (Cents("T1/1/17/1/main", 1),),
        ("T1/1/17/2/main",),
        ("settled: seat 2 ante is paid 0, returned 0 at the table, paid 1000, returned 1000 by the rules",),
        ("late", "corrected"),
    ),
    "ordered": OrderAnswer(
        "wagers",
        (OrderAmount("T1/1/17/3/main", "pending", 5_000_000, 5_012_345),),
        (Cents("T2/1/9/4/main", 12_345),),
        (Cents("T1/1/17/3/main", 12_345),),
    ),
    "recovered": RecoveredAnswer("T1/1/17/3/main", 300_000, 200_041),
    "reopened": ReopenedAnswer(2),
    "stood": StoodAnswer("T1/1/17/3/main", 5_012_345, 1_234),
    "site": SiteAnswer("southern"),
}
"""What is stored under the ids of messages and acts, by kind."""


def _record(revision: int) -> msgspec.Raw:
    """The record as people type it."""
    return msgspec.Raw(encode_record(msgspec.structs.replace(RECORD, revision=revision)))


_TERMS = msgspec.Raw(canonical_bytes(demo_terms()))
PAST = PastRound(
    41,
    (PastWager(3, 100, "chips", (22_000_000, 8_000_000)), PastWager(5, 100, "token", (22_000_000, 8_000_000))),
    (
        PastHit(
            "T1/1/17/3/main",
            "royal_flush",
            "pending",
            5_012_345,
            5_012_345,
            0,
            0,
            1,
            TERMS,
            42,
            "5012345000000",
            "44000000",
        ),
    ),
    (PastEntry("pool/main", "5000000000000", "seed", "main/2"),),
)
ACTS: dict[str, Struct] = {
    "open": OpenLink("southern", _TERMS, "cd" * 32, "Ann", "Bob"),
    "terms": NewTerms("southern", 2, _TERMS, "Ann", "Bob"),
    "admit": Admit("T1", 1, "cd" * 32, _raw(SETTINGS), "Ann"),
    "word": Word("T1", 1, "Sue", "a new disk", SPOOL),
    "connect": Connect(
        "T1", 1, SPOOL, 9, 18, "tablelink 0.1.0", _TERMS, _raw(SETTINGS), "2026-11", RECEIPT, alive=True, nonce="0c"
    ),
    "hit": MoveHit("T1/1/17/3/main", "approve", "Ann", 2, "Bob", "seen on film", "M. Anager"),
    "release": MoveHit(
        "T1/1/17/3/main",
        "release",
        "Ann",
        2,
        "Bob",
        "no straight flush",
        rule="CSP 11.4",
        posted=(PastEntry("pool/main", "5000000000000", "seed", "main/2"),),
    ),
    "void_recorded": VoidRecorded(
        "T1", 1, "2026-11", 17, 1, "CSP 14.9", "Ann", "Bob", "a card of another deck", PAST, (3, 5)
    ),
    "void_open": VoidOpen(
        "T1", 1, "2026-11", 17, 2, "CSP 16.6", "Ann", "Bob", "the film", (Forfeited(3, "Sue", "marked cards"),)
    ),
    "correct_recorded": CorrectRecorded(
        "T1", 1, "2026-11", 17, 2, 41, "Ann", "a card mistyped", _record(2), PAST, "Bob", "Mo"
    ),
    "record_typed": RecordTyped("T1", 1, "2026-11", 17, "Ann", "Bob", "the spool is lost", _record(1), "Mo"),
    "decide_order": DecideOrder("T1/1/17/3/main", "wagers", "Ann", "Bob", "both films", 2, "T2", 1, 9, 40, "Mo"),
    "recovered": Recovered("T1/1/17/3/main", 1, 300_000, "Ann", "Bob", "he was written to", 500_041),
    "reopened": Reopened("southern", 2, RECEIPT, "Ann", "Bob", ("1/4701-4709",), ("T3",), ("T2/1/2026-11/9/record/1",)),
    "handed_in": HandedIn(msgspec.Raw(encode(VOID)), msgspec.Raw(encode(VoidAnswer([3]))), RECEIPT, SPOOL),
    "paid_before": PaidBefore("T1/1/17/3/main", 5_012_345, 2, "Ann", "Bob"),
    "meter_shown": MeterShown("main", 2, 5_012_345, 2, "Ann", "Bob"),
    "site": OpenSite("ef" * 32, "Ann"),
    "register": RegisterLink("southern", "cd" * 32, "Ann"),
    "enrol": Enrol("T1", "southern", "cd" * 32, 1, "Ann"),
}
"""What people do at the server, by kind."""
