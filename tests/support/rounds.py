"""Rounds as a table would record them: dealt from one deck, played by the rules, with players of every kind.

Some fold, some are absent, some concede, some play without the jackpot, antes differ. A stacked deck makes prizes
common.
"""

import random
from collections.abc import Sequence

from rules.cards import DECK, RANKS, parse_cards
from rules.games import GAMES
from rules.records import RoundRecord, record_of
from rules.rounds import Decision, Device, Round, Seat

GAME = GAMES["caribbean_stud"]
ANTES = (500, 1000, 2500, 10_000)
DECISIONS: tuple[Decision, ...] = ("bet", "bet", "bet", "fold", "fold", "absent", "concede")
DEVICES: tuple[Device, ...] = ("shoe", "shuffler")
PRIZES = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")


def random_round(
    rng: random.Random, *, seats: int = 7, jackpot_cents: int = 100, prize_chance: float = 0.0, claims: bool = False
) -> RoundRecord:
    """A round of up to so many seats, with what the table settled it to.

    ``prize_chance`` is how often a hand is one that wins a prize, drawn evenly from the five. With ``claims`` only the
    hands that win a prize are on the record.
    """
    deck = list(DECK)
    rng.shuffle(deck)
    hands = [_hand(deck, rng, prize_chance) for _ in range(rng.randint(1, seats))]
    dealer = tuple(deck.pop() for _ in range(5))
    numbers = sorted(rng.sample(range(1, seats + 1), len(hands)))
    players = [_player(number, hand, rng, jackpot_cents) for number, hand in zip(numbers, hands, strict=True)]
    round_ = Round(GAME.name, GAME.edition, rng.choice(DEVICES), dealer, tuple(players))
    if claims:
        return _claimed(round_)
    return record_of(round_, GAME.settle(round_))


def _hand(deck: list[int], rng: random.Random, prize_chance: float) -> tuple[int, ...]:
    """Five cards off the deck, or five of it that win a prize."""
    wanted = prize_hand(rng, rng.choice(PRIZES)) if rng.random() < prize_chance else ()
    if not wanted or not set(wanted) <= set(deck):
        return tuple(deck.pop() for _ in range(5))
    for card in wanted:
        deck.remove(card)
    return tuple(wanted)


def prize_hand(rng: random.Random, prize: str) -> Sequence[int]:
    """Any hand that wins this prize."""
    suit = rng.choice("cdhs")
    first, second = rng.sample(RANKS, 2)
    match prize:
        case "royal_flush":
            ranks = "AKQJT"
        case "straight_flush":
            low = rng.randrange(9)
            ranks = ("A" + RANKS)[low : low + 5]
        case "four_of_a_kind":
            return parse_cards(" ".join([first + each for each in "cdhs"] + [second + suit]))
        case "full_house":
            trips = rng.sample("cdhs", 3)
            pair = rng.sample("cdhs", 2)
            return parse_cards(" ".join([first + each for each in trips] + [second + each for each in pair]))
        case _:
            ranks = rng.choice(["A9742", "KJ853", "Q9764", "T8652"])
    cards = [rank + suit for rank in ranks]
    rng.shuffle(cards)
    return parse_cards(" ".join(cards))


def _player(number: int, hand: tuple[int, ...], rng: random.Random, jackpot_cents: int) -> Seat:
    """A player who keeps to the rules."""
    decision = rng.choice(DECISIONS)
    ante = rng.choice(ANTES)
    return Seat(
        number,
        ante,
        jackpot_cents if rng.random() < 0.8 else None,
        decision,
        2 * ante if decision in {"bet", "concede"} else None,
        hand,
    )


def _claimed(round_: Round) -> RoundRecord:
    """The same round where only the hands that win a prize were shown."""
    winners = {winner.seat for winner in GAME.settle(round_).qualifying}
    seats = tuple(
        Seat(
            seat.seat,
            seat.ante_cents,
            seat.jackpot_cents,
            seat.decision,
            seat.bet_cents,
            seat.cards if seat.seat in winners else None,
        )
        for seat in round_.seats
    )
    return record_of(
        Round(round_.game, round_.edition, round_.device, None, seats), no_other_hand=True, declared_by="A. Dealer"
    )
