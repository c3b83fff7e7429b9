"""Hands that win the prizes they are asked for, from one deck, and the record of a round in which they were dealt."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from rules.cards import DECK, parse_cards
from rules.games import GAMES
from rules.games.caribbean_stud import PRIZES, qualifying, settle
from rules.hands import five_card_value
from rules.records import ClaimRecord, PrizeName, RoundRecord, encode_record, record_of
from rules.rounds import Round, Seat, Settlement
from rules.terms import Terms

GAME = GAMES["caribbean_stud"]
_SUITS = "shdc"


def _candidates(prize: str) -> Iterator[str]:
    match prize:
        case "royal_flush":
            yield from (" ".join(rank + suit for rank in "AKQJT") for suit in _SUITS)
        case "straight_flush":
            yield from (" ".join(rank + suit for rank in "T9876") for suit in "dchs")
            yield from (" ".join(rank + suit for rank in "98765") for suit in "dchs")
        case "wheel":
            yield from (" ".join(rank + suit for rank in "5432A") for suit in _SUITS)
        case "four_of_a_kind":
            kickers = [rank + suit for rank in "2456" for suit in _SUITS]
            yield from (f"{rank}s {rank}h {rank}d {rank}c {kicker}" for rank in "379" for kicker in kickers)
        case "full_house":
            pairs = (("4", "2"), ("3", "7"), ("6", "9"), ("2", "4"), ("5", "3"))
            yield from (f"{rank}s {rank}h {rank}d {pair}c {pair}s" for rank, pair in pairs)
        case "flush":
            yield from (" ".join(rank + suit for rank in ranks) for ranks in ("QJ852", "K9732") for suit in _SUITS)


def deal(prizes: dict[int, str]) -> dict[int, tuple[int, ...]]:
    """A hand for each place from one deck: what wins its prize, or nothing; the dealer is place 0."""
    dealt = _fitting([(place, prize) for place, prize in prizes.items() if prize], frozenset(DECK))
    if dealt is None:
        raise ValueError(f"no deck holds {prizes}")
    left = sorted(set(DECK) - {card for hand in dealt.values() for card in hand})
    rest = [place for place in prizes if place not in dealt]
    shuffling = random.Random(7)
    while True:
        shuffling.shuffle(left)
        hands = [tuple(left[5 * n : 5 * n + 5]) for n in range(len(rest))]
        if all(five_card_value(hand).category not in PRIZES for hand in hands):
            return dealt | dict(zip(rest, hands, strict=True))


def _fitting(wanted: list[tuple[int, str]], left: frozenset[int]) -> dict[int, tuple[int, ...]] | None:
    if not wanted:
        return {}
    (place, prize), *others = wanted
    for hand in map(parse_cards, _candidates(prize)):
        if left.issuperset(hand):
            rest = _fitting(others, left - set(hand))
            if rest is not None:
                return {place: hand, **rest}
    return None


def record_line(
    at: dict[str, Any], words: Sequence[str], accepted: frozenset[int], terms: Terms, shown_terms: str
) -> bytes:
    """The bytes of a record: `3=royal_flush 5=flush/fold 6/nojackpot claims claim=3:flush noword late settled=off`.

    Seats named play; accepted ones that are not named play without a prize. What is not said is as an honest table
    records it.
    """
    flags = {word for word in words if not word[0].isdigit()}
    named: dict[int, list[str]] = {}
    for word in words:
        if word[0].isdigit():
            first, *changes = word.split("/")
            seat, _, prize = first.partition("=")
            named[int(seat)] = [prize, *changes]
    seats = sorted({*named, *accepted} or {1})
    seats = [seat for seat in seats if f"missing={seat}" not in flags]
    dealt = deal({0: "", **{seat: named.get(seat, [""])[0] for seat in seats}})
    played = Round(
        GAME.name,
        GAME.edition,
        "shoe",
        dealt[0],
        tuple(_seat(seat, named.get(seat, [""])[1:], dealt[seat], accepted, terms) for seat in seats),
    )
    claims = {one.seat: one.prize for one in qualifying(played, terms)}
    for flag in flags:
        if flag.startswith("claim="):
            seat, _, prize = flag.removeprefix("claim=").partition(":")
            claims[int(seat)] = prize
        elif flag.startswith("unclaimed="):
            claims.pop(int(flag.removeprefix("unclaimed=")), None)
    settlement: Settlement | None = settle(played, terms=terms)
    extra: dict[str, Any] = {"late": True} if "late" in flags else {}
    if "claims" in flags:
        played, settlement = _claimed(played, claims), None
        extra |= {} if "noword" in flags else {"no_other_hand": True, "declared_by": "Dee"}
    stated = tuple(ClaimRecord(seat, cast("PrizeName", prize)) for seat, prize in sorted(claims.items()))
    record = record_of(played, settlement, **at, terms=shown_terms, claims=stated or None, **extra)
    return encode_record(_spoilt(record, flags))


def _claimed(played: Round, claims: dict[int, str]) -> Round:
    """The round where only the hands claimed were shown."""
    seats = [
        seat if seat.seat in claims else Seat(seat.seat, seat.ante_cents, seat.jackpot_cents) for seat in played.seats
    ]
    return Round(played.game, played.edition, played.device, None, tuple(seats))


def _seat(seat: int, changes: Sequence[str], cards: tuple[int, ...], wagered: frozenset[int], terms: Terms) -> Seat:
    decision: Any = next((change for change in changes if change in {"fold", "absent", "concede"}), "bet")
    plays = (seat in wagered or "jackpot" in changes) and "nojackpot" not in changes
    bet = 1000 if decision in {"bet", "concede"} else None
    return Seat(seat, 500, terms.qualifying_wager_cents if plays else None, decision, bet, cards)


def _spoilt(record: RoundRecord, flags: set[str]) -> RoundRecord:
    """The record with what a table may get wrong."""
    if "settled=off" in flags and record.settled:
        wrong = msgspec.structs.replace(record.settled[0], paid_cents=record.settled[0].paid_cents + 1)
        record = msgspec.structs.replace(record, settled=(wrong, *record.settled[1:]))
    if "rules=2" in flags:
        record = msgspec.structs.replace(record, rules_version=2)
    for flag in flags:
        if flag.startswith("cards="):
            seat, _, cards = flag.removeprefix("cards=").partition(":")
            text = " ".join(cards.split(","))
            seats = tuple(
                msgspec.structs.replace(one, cards=text) if one.seat == int(seat) else one for one in record.seats
            )
            record = msgspec.structs.replace(record, seats=seats)
    return record
