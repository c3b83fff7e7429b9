"""What a table writes to the server about a round, as bytes that are sent for ever: wagers, withdrawal, record, void.

Knows no step and no state but the round it is given (`dealing`), and signs nothing (the agent holds the key).
"""

from collections.abc import Mapping
from typing import Final, cast

from jackpot.wire.codec import encode
from jackpot.wire.ids import NO_SEAT, VOID_OF_TWO, message_id, void_kind
from jackpot.wire.messages import SeatWager, Shown, Void, Wagers, Withdraw
from rules.cards import cards_text
from rules.games.caribbean_stud import EDITION, GAME, settle
from rules.progressive import Winner
from rules.records import (
    ClaimRecord,
    PrizeName,
    ShownRecord,
    encode_record,
    limits_record,
    record_of,
    settings_record,
)
from rules.rounds import DEALER, Decision, Round, Seat
from rules.schedules import shipped
from tablelink.core.felt import Felt
from tablelink.core.inputs import Amended, Claim, Post, Voided
from tablelink.core.rounds import RoundUnderWay

FIRST: Final = 1
"""The revision a table writes; corrected ones are made by two people at the server."""
SIGNED_EVERY: Final = 100
"""Every so many rounds the head of the journal is signed (PROTOCOL 1)."""
SECOND: Final = 2
"""The word after a void of seats, with their hands."""
LONGEST_TEXT: Final = 400
"""What the wire takes as words for people."""


def wagers(under_way: RoundUnderWay, felt: Felt, shown: Shown) -> Post:
    """The jackpot wagers of a round, seat by seat, with the meter that the players saw (CSP 5.4, 11.1)."""
    message = Wagers(
        table=felt.table,
        journal=under_way.journal,
        month=under_way.month,
        round=under_way.number,
        revision=FIRST,
        terms=felt.fingerprint,
        shown=shown,
        seats=[
            SeatWager(seat.seat, seat.ante_cents, seat.jackpot_cents, seat.sensor_cents, seat.tender)
            for seat in under_way.seats
            if seat.plays_jackpot
        ],
    )
    return Post(_id(under_way, felt, "wagers"), encode(message))


def withdraw(under_way: RoundUnderWay, felt: Felt, reason: str) -> Post:
    """The word that the jackpot seats are out of this round, which plays on without them."""
    message = Withdraw(
        table=felt.table,
        journal=under_way.journal,
        month=under_way.month,
        round=under_way.number,
        revision=FIRST,
        reason=reason[:LONGEST_TEXT],
    )
    return Post(_id(under_way, felt, "withdraw"), encode(message))


def void(under_way: RoundUnderWay, given: Voided, seats: tuple[int, ...], felt: Felt) -> Post:
    """The word that the round, or the seats named, have no result, with the cards seen so far (CSP 14, 15, 16).

    A seal is broken by a void of the whole round. Of a seat's void it tells what lies face up, and hands without an
    accepted wager once the dealer's is turned: `void_hands` tells those that may hold a prize.
    """
    without = tuple(seat for seat in seats if seat not in under_way.accepted)
    if seats and not under_way.dealer_turned:
        seen = _cards_text(under_way.face_up(felt.approved.device))
    else:
        seen = _cards_text(under_way.hands(felt.approved.device), (DEALER, *without) if seats else ())
    message = _void_of(under_way, given, seats, felt, FIRST, seen)
    return Post(
        _id(under_way, felt, void_kind(seats)), encode(message), ends_round=not seats, sign=_hundredth(under_way)
    )


def void_of_people(under_way: RoundUnderWay, given: Amended, felt: Felt) -> Post:
    """The word of two people at the server that the round, or seats of it, are void: byte for byte as they said it.

    **Never** signed: the ledger has it under this id, and other bytes would be another message.
    """
    message = Void(
        table=felt.table,
        journal=under_way.journal,
        month=under_way.month,
        round=under_way.number,
        revision=VOID_OF_TWO,
        rule=given.rule,
        by=given.by,
        seats=list(given.seats),
        second=given.second,
    )
    return Post(_id(under_way, felt, void_kind(given.seats), VOID_OF_TWO), encode(message), ends_round=not given.seats)


def void_hands(under_way: RoundUnderWay, felt: Felt) -> tuple[Post, ...]:
    """The second words on seats that are void, with the hands they had been dealt: told once nobody decides any more.

    So that a void over a prize is seen by people. Nothing of seats without an accepted wager, or where no device read
    the cards. **Never** a hand twice, however often its seat was voided: people would be called twice.
    """
    if under_way.sealed is None:
        return ()
    posts: list[Post] = []
    told = under_way.told
    for given in under_way.voids:
        seats = tuple(seat for seat in given.seats if seat in under_way.accepted - told)
        told |= set(seats)
        if seats:
            seen = _cards_text(under_way.hands(felt.approved.device), (DEALER, *seats))
            message = _void_of(under_way, given, seats, felt, SECOND, seen)
            posts.append(Post(_id(under_way, felt, void_kind(seats), SECOND), encode(message)))
    return tuple(posts)


def hands_of_ended(under_way: RoundUnderWay, given: Amended, felt: Felt) -> Post:
    """The word that the table has heard of the end of its round, with the hands that were dealt: a prize may be there.

    Two people had not seen them who forfeit a wager or type a record in. **Never** takes a seat out, wherever it is
    decided: the ledger may have gone back to before that end.
    """
    said = Voided(given.rule or "recorded by two people", f"{given.by}, {given.second}")
    seats = tuple(sorted(under_way.accepted - under_way.voided))
    seen = _cards_text(under_way.hands(felt.approved.device), (DEALER, *seats)) if seats else ""
    message = _void_of(under_way, said, (NO_SEAT,), felt, SECOND, seen)
    return Post(_id(under_way, felt, void_kind((NO_SEAT,)), SECOND), encode(message))


def played_round(under_way: RoundUnderWay, claims: tuple[Claim, ...], felt: Felt) -> Round:
    """The round as captured: all cards and decisions, or the hands claimed.

    Raises ``rules.rounds.RoundError`` for a card that is seen twice or a hand that is not five cards.
    """
    hands = under_way.hands(felt.approved.device)
    claimed = {claim.seat: claim for claim in claims}
    seats = []
    for placed in under_way.in_play:
        claim, made = claimed.get(placed.seat), under_way.decision_of(placed.seat)
        accepted = placed.seat in under_way.accepted
        decision: Decision | None = None
        bet_cents: int | None = None
        cards: tuple[int, ...] | None = None
        if claim is not None:
            decision, bet_cents, cards = claim.decision, claim.bet_cents, claim.cards
        elif made is not None:
            decision, bet_cents, cards = made.decision, made.bet_cents, hands.get(placed.seat)
        seats.append(
            Seat(
                placed.seat,
                placed.ante_cents,
                placed.jackpot_cents if accepted else None,
                decision,
                bet_cents,
                cards,
                jackpot_tender=placed.tender if accepted else "chips",
            )
        )
    return Round(GAME, EDITION, felt.approved.device, hands.get(DEALER), tuple(seats))


def record(under_way: RoundUnderWay, played: Round, winners: tuple[Winner, ...], declared_by: str, felt: Felt) -> Post:
    """The record of a round: what was seen, what the table settled the base game to, the prizes by name.

    **Never** names an amount of a jackpot prize: the link awards it.
    """
    shown, approved = under_way.shown, felt.approved
    settlement = settle(played, felt.settings, felt.limits, shipped(approved.schedules[0]), felt.terms)
    as_claims = approved.capture == "claims"
    message = record_of(
        played,
        settlement,
        table=felt.table,
        journal=under_way.journal,
        month=under_way.month,
        round=under_way.number,
        revision=FIRST,
        terms=felt.fingerprint,
        shown=None if shown is None else ShownRecord(shown.generation, shown.commit, shown.epoch, shown.cents),
        claims=tuple(ClaimRecord(winner.seat, cast("PrizeName", winner.prize)) for winner in winners) or None,
        no_other_hand=True if as_claims else None,
        declared_by=declared_by if as_claims else None,
        settings=settings_record(felt.settings),
        limits=limits_record(felt.limits),
        schedules=approved.schedules,
    )
    signed = bool(winners) or _hundredth(under_way)
    return Post(_id(under_way, felt, "record"), encode_record(message), ends_round=True, sign=signed)


def _void_of(
    under_way: RoundUnderWay, given: Voided, seats: tuple[int, ...], felt: Felt, revision: int, cards_seen: str
) -> Void:
    return Void(
        table=felt.table,
        journal=under_way.journal,
        month=under_way.month,
        round=under_way.number,
        revision=revision,
        rule=given.rule[:LONGEST_TEXT],
        by=given.by[:LONGEST_TEXT],
        seats=list(seats),
        cards_seen=cards_seen[:LONGEST_TEXT],
    )


def _id(under_way: RoundUnderWay, felt: Felt, kind: str, revision: int = FIRST) -> str:
    return message_id(felt.table, under_way.journal, under_way.month, under_way.number, kind, revision)


def _hundredth(under_way: RoundUnderWay) -> bool:
    return under_way.number % SIGNED_EVERY == 0


def _cards_text(hands: Mapping[int, tuple[int, ...]], places: tuple[int, ...] = ()) -> str:
    """The cards that a word tells of: those of the places named, or all."""
    return "; ".join(
        f"{'dealer' if place == DEALER else f'seat {place}'} {cards_text(hands[place])}"
        for place in sorted(hands)
        if not places or place in places
    )
