"""Deals rounds for the comparisons, with the deck stacked so that what is rare at a table happens every few rounds.

It knows how to choose cards, not what they win.
"""

import random
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "cdhs"
STRAIGHTS = ["A2345", *(RANKS[low : low + 5] for low in range(9))]

Deck = list[str]


def new_deck(chance: random.Random) -> Deck:
    """A shuffled deck of 52 cards."""
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    chance.shuffle(deck)
    return deck


def take(deck: Deck, wanted: list[str]) -> list[str] | None:
    """Take these cards out of the deck, or nothing where one of them is gone."""
    if not set(wanted) <= set(deck):
        return None
    for card in wanted:
        deck.remove(card)
    return wanted


def of_rank(deck: Deck, rank: str, number: int) -> list[str]:
    """Cards of one rank still in the deck, at most so many."""
    return [card for card in deck if card[0] == rank][:number]


def wanted_hand(deck: Deck, chance: random.Random, like: str | None) -> list[str]:
    """Think of a hand worth seeing; its cards may be gone, or be fewer than five."""
    suit = chance.choice(SUITS)
    first, second, third = chance.sample(RANKS, 3)
    kinds = ["royal", "straight flush", "flush", "straight", "four", "house", "three", "pairs", "ace king", "equal"]
    match chance.choice([*kinds, "ace king", "equal"]):
        case "royal":
            return [rank + suit for rank in "TJQKA"]
        case "straight flush":
            return [rank + suit for rank in chance.choice(STRAIGHTS)]
        case "flush":
            return [card for card in deck if card[1] == suit][:5]
        case "straight":
            return [card for rank in chance.choice(STRAIGHTS) for card in of_rank(deck, rank, 1)]
        case "four":
            return of_rank(deck, first, 4) + of_rank(deck, second, 1)
        case "house":
            return of_rank(deck, first, 3) + of_rank(deck, second, 2)
        case "three":
            return of_rank(deck, first, 3) + of_rank(deck, second, 1) + of_rank(deck, third, 1)
        case "pairs":
            return of_rank(deck, first, 2) + of_rank(deck, second, 2) + of_rank(deck, third, 1)
        case "equal" if like is not None:
            ranks = like[::3]
            return [card for rank in dict.fromkeys(ranks) for card in of_rank(deck, rank, ranks.count(rank))]
        case _:
            return [card for rank in ["A", "K", *chance.sample(RANKS[:-2], 3)] for card in of_rank(deck, rank, 1)]


def hand(deck: Deck, chance: random.Random, *, stacked: float, like: str | None = None) -> str:
    """Deal one hand: off the top, or one worth seeing; `like` is a hand whose ranks are sometimes dealt again."""
    if chance.random() < stacked:
        cards = wanted_hand(deck, chance, like)
        if len(set(cards)) == 5 and take(deck, cards):
            chance.shuffle(cards)
            return " ".join(cards)
    return " ".join(deck.pop() for _ in range(5))


def random_seat(number: int, cards: str, chance: random.Random) -> dict[str, Any]:
    """A player at a seat: mostly one who bets twice the ante, now and then anyone else."""
    ante = chance.choice([1, 5, 1_000, 1_000, 2_500, 4_999, 5_000, 5_001, 10_000, 60_000, 10**12])
    decision = chance.choice(["bet", "bet", "bet", "bet", "fold", "absent", "concede"])
    seat: dict[str, Any] = {"seat": number, "ante_cents": ante, "decision": decision, "cards": cards}
    if chance.random() < 0.8:
        seat["jackpot_cents"] = chance.choice([100] * 9 + [200])
    if decision in {"bet", "concede"}:
        seat["bet_cents"] = min(10**12, chance.choice([2 * ante] * 6 + [2 * ante - 1, 2 * ante + 1, 1, 5 * ante]))
        seat["bet_cents"] = max(1, seat["bet_cents"])
    elif decision == "fold" and chance.random() < 0.1:
        seat["bet_cents"] = min(10**12, 3 * ante)
    for wager in ("ante", "bet", "jackpot"):
        if f"{wager}_cents" in seat and chance.random() < 0.1:
            seat[f"{wager}_tender"] = chance.choice(["token", "token_once"])
    unseen = decision in {"fold", "absent"} or (decision == "concede" and "jackpot_cents" not in seat)
    if unseen and chance.random() < 0.3:
        del seat["cards"]
    return seat


def random_round(chance: random.Random) -> dict[str, Any]:
    """A round of play at a table of up to nine seats, dealt from a deck that is often stacked."""
    deck = new_deck(chance)
    dealer = hand(deck, chance, stacked=0.4)
    numbers = chance.sample(range(1, 10), chance.choice([1, 2, 3, 5, 7, 9]))
    stacked = chance.choice([0, 0.3, 0.8])
    return {
        "dealer": dealer,
        "device": chance.choice(["shoe", "shuffler"]),
        "seats": [random_seat(number, hand(deck, chance, stacked=stacked, like=dealer), chance) for number in numbers],
    }
