"""Which round do the tables of a load play? Always the same one: seven seats, full capture, no prize."""

from dataclasses import replace

import msgspec

from rules.cards import parse_cards
from rules.games.caribbean_stud import EDITION, GAME, settle
from rules.records import ClaimRecord, encode_record, record_of
from rules.rounds import Decision, Round, Seat

ANTE_CENTS = 1_000
DEALER = "As Kd 9h 5c 3d"
PLAYED: tuple[tuple[Decision, str], ...] = (
    ("bet", "2s 2d 7h 9c Jd"),
    ("fold", "3s 4d 7c 9d Js"),
    ("bet", "Ah 9s Qs 8d 4h"),
    ("bet", "Th Td 6s 5d 2h"),
    ("fold", "Qd Jh 8c 6h 4s"),
    ("bet", "Ks Kh Ts 8s 5s"),
    ("fold", "Qh 8h 7d 6c 3h"),
)
"""What each seat did and held, from seat 1; no card twice, and nothing that wins a prize (CSP 11.7)."""
SEATS = len(PLAYED)

ROYAL = "Ac Kc Qc Jc Tc"
"""A royal flush that the others of the round leave to seat 1."""

_PLACE = b'"table":"T","journal":1,"month":"2000-01","round":1,'


def record_template(fingerprint: str, qualifying_wager_cents: int, first: str = "") -> bytes:
    """Return the record of the round under the terms of that fingerprint, for `record_bytes` to put names into.

    `first` are other cards for seat 1, such as `ROYAL`, which is then claimed.

    >>> record_bytes(record_template("ab" * 32, 100), "T7", 2, "2026-11", 31)[64:117]
    b'"table":"T7","journal":2,"month":"2026-11","round":31'
    """
    seats = tuple(
        Seat(number, ANTE_CENTS, qualifying_wager_cents, decision, _bet_cents(decision), parse_cards(cards))
        for number, (decision, cards) in enumerate(PLAYED, start=1)
    )
    claims = None
    if first:
        seats = (replace(seats[0], cards=parse_cards(first)), *seats[1:])
        claims = (msgspec.convert({"seat": 1, "prize": "royal_flush"}, ClaimRecord),)
    round_ = Round(GAME, EDITION, "shoe", parse_cards(DEALER), seats)
    named: dict[str, object] = {
        "table": "T",
        "journal": 1,
        "month": "2000-01",
        "round": 1,
        "revision": 1,
        "terms": fingerprint,
    }
    named["claims"] = claims
    return encode_record(record_of(round_, settle(round_), **named))


def record_bytes(template: bytes, table: str, journal: int, month: str, round_no: int) -> bytes:
    """Return a record's bytes with the names of one round in place of the template's."""
    place = f'"table":"{table}","journal":{journal},"month":"{month}","round":{round_no},'
    return template.replace(_PLACE, place.encode(), 1)


def _bet_cents(decision: Decision) -> int | None:
    return 2 * ANTE_CENTS if decision == "bet" else None
