"""What the server makes of a round's record: who wins by the cards, and where the table says otherwise (PROTOCOL 3).

Knows no meter and no account: it reads, `decide_records` resolves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from jackpot.core.hits import Hit
from jackpot.core.state import OpenRound
from rules.cards import CardError, parse_cards
from rules.games.caribbean_stud import Amounts, base_amounts, prize_of, qualifying
from rules.hands import five_card_value
from rules.progressive import Winner
from rules.records import (
    RULES_VERSION,
    ClaimRecord,
    RecordError,
    RoundRecord,
    limits_of,
    schedule_of,
    settings_of,
    to_round,
)
from rules.rounds import Round, RoundError
from rules.terms import Terms


@dataclass(frozen=True, slots=True)
class Reading:
    """A record as the server reads it.

    `winners` are what the cards show; `claimed` the prizes named on a record whose cards cannot be read; `cards` the
    hands by seat; `differences` where the table and the server do not agree, `base` those of the base game alone;
    `unclaimed` winners nobody named.
    """

    winners: tuple[Winner, ...]
    claimed: tuple[Winner, ...]
    cards: Mapping[int, str]
    differences: tuple[str, ...]
    unclaimed: frozenset[int]
    base: tuple[str, ...] = ()

    @property
    def of_the_jackpot(self) -> tuple[str, ...]:
        """The differences that leave in doubt who wins the jackpot."""
        return self.differences[: len(self.differences) - len(self.base)]


def read(message: RoundRecord, opened: OpenRound, terms: Terms) -> Reading:
    """Find the winners of a round by its cards, among the seats whose wagers the ledger accepted.

    **Never** raises for what a table wrote: cards that cannot be read leave the claims, and a difference.
    """
    accepted = opened.accepted
    claims = message.claims or ()
    differences = list(_other_differences(message, opened, accepted))
    try:
        seen = to_round(message)
    except RecordError as error:
        unread = f"{error.field}: {error.reason}"
        return Reading((), _eligible(claims, accepted), {}, (unread, *differences), frozenset())
    winners = qualifying(_with_wagers(seen, accepted, terms), terms)
    found = {winner.seat: winner.prize for winner in winners}
    differences += _claim_differences(claims, found, accepted)
    base = tuple(_base_differences(message, seen))
    differences += base
    cards = {seat.seat: seat.cards for seat in message.seats if seat.cards is not None}
    named = {claim.seat for claim in claims}
    return Reading(winners, (), cards, tuple(differences), frozenset(found.keys() - named), base)


_SEAT_AND_HAND = 7
"""Words of a seat and its five cards."""


def prizes_seen(cards_seen: str, seats: frozenset[int]) -> Mapping[int, str]:
    """Name the prizes that a void's cards show at these seats: `seat 3 As Ks Qs Js Ts; dealer 9h`.

    **Never** raises for what a table wrote: what is no hand of five cards shows no prize.

    >>> prizes_seen("dealer Ah 2d; seat 3 As Ks Qs Js Ts; seat 4 2c 2d", frozenset({3, 4}))
    {3: 'royal_flush'}
    """
    found: dict[int, str] = {}
    for place in cards_seen.split(";"):
        words = place.split()
        if len(words) != _SEAT_AND_HAND or words[0] != "seat" or not (words[1].isascii() and words[1].isdecimal()):
            continue
        try:
            prize = prize_of(five_card_value(parse_cards(" ".join(words[2:]))))
        except CardError:
            continue
        if prize is not None and int(words[1]) in seats:
            found[int(words[1])] = prize
    return found


def not_awarded(seen: Mapping[int, str], hits: Iterable[Hit]) -> Sequence[str]:
    """Name the prizes of these seats that are no hit of their round."""
    won = {(hit.key.seat, hit.prize) for hit in hits}
    return [f"seat {seat} {prize}" for seat, prize in seen.items() if (seat, prize) not in won]


def _eligible(claims: Iterable[ClaimRecord], accepted: frozenset[int]) -> tuple[Winner, ...]:
    """The claims of accepted seats, one a seat: the first that was named."""
    first: dict[int, Winner] = {}
    for claim in claims:
        if claim.seat in accepted:
            first.setdefault(claim.seat, Winner(claim.seat, claim.prize))
    return tuple(first.values())


def _with_wagers(seen: Round, accepted: frozenset[int], terms: Terms) -> Round:
    """The round with the jackpot wagers the ledger accepted: those count, whatever the record says of them."""
    price = terms.qualifying_wager_cents
    if all((seat.jackpot_cents == price) == (seat.seat in accepted) for seat in seen.seats):
        return seen
    return replace(
        seen,
        seats=tuple(
            [
                seat
                if (seat.jackpot_cents == price) == (seat.seat in accepted)
                else replace(seat, jackpot_cents=price if seat.seat in accepted else None)
                for seat in seen.seats
            ]
        ),
    )


def _other_differences(message: RoundRecord, opened: OpenRound, accepted: frozenset[int]) -> Iterable[str]:
    """What does not fit what the ledger holds of the round, whatever the cards are."""
    if message.rules_version is not None and message.rules_version != RULES_VERSION:
        yield f"rules_version: {message.rules_version}: the server settles by version {RULES_VERSION}"
    on_record = {seat.seat for seat in message.seats}
    wagered = {seat.seat for seat in message.seats if seat.jackpot_cents is not None}
    for seat in sorted(accepted - on_record):
        yield f"seats: seat {seat} was accepted and is not on the record"
    for seat in sorted((accepted & on_record) - wagered):
        yield f"seats: seat {seat} was accepted and has no jackpot wager on the record"
    for seat in sorted(wagered - accepted):
        yield not_in_play(seat)
    if accepted and message.month != opened.month:
        yield f"month: {message.month}: the wagers were accepted in {opened.month}"
    if accepted and message.capture == "claims" and not (message.no_other_hand and message.declared_by):
        yield "no_other_hand: nobody has said by name that no other hand qualifies"


def not_in_play(seat: int) -> str:
    """Say that a record has a jackpot wager at a seat where the ledger has none, or none any more.

    A stored answer that says so is evidence of what had been voided (`void_again`): the words are of every version.
    """
    return f"seats: seat {seat} has a jackpot wager on the record that was not accepted"


def _claim_differences(
    claims: Iterable[ClaimRecord], found: Mapping[int, str], accepted: frozenset[int]
) -> Iterable[str]:
    for claim in claims:
        if claim.seat in accepted and found.get(claim.seat) != claim.prize:
            shown = found.get(claim.seat, "no prize")
            yield f"claims: seat {claim.seat} named {claim.prize}, the cards show {shown}"


def _base_differences(message: RoundRecord, seen: Round) -> Iterable[str]:
    """Settle the base game again as the table was set, and say where the table's own settlement is another."""
    if message.capture != "full":
        return []
    try:
        mine = base_amounts(seen, settings_of(message), limits_of(message), schedule_of(message))
    except (RecordError, RoundError) as error:
        # The base game cannot be settled; the cards can still be read, so the jackpot is resolved from them.
        return [f"{error.field}: {error.reason}"]
    theirs = tuple([(line.seat, line.wager, line.paid_cents, line.returned_cents) for line in message.settled or ()])
    if mine == theirs:
        return []
    ours: dict[tuple[int, str], Amounts] = {amounts[:2]: amounts for amounts in mine}
    given: dict[tuple[int, str], Amounts] = {amounts[:2]: amounts for amounts in theirs}
    return [
        f"settled: seat {at[0]} {at[1]} is {_line(given.get(at))} at the table, {_line(ours.get(at))} by the rules"
        for at in sorted(ours.keys() | given.keys())
        if ours.get(at) != given.get(at)
    ] or ["settled: the lines are the same in another order, or one is there twice"]


def _line(amounts: Amounts | None) -> str:
    return "nothing" if amounts is None else f"paid {amounts[2]}, returned {amounts[3]}"
