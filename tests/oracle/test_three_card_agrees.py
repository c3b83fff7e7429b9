"""`rules/games/three_card_poker` held against the second opinion: each line of a round, and each hand."""

import json
import random
from collections import Counter
from itertools import combinations
from typing import Any

from rules.cards import DECK, cards_text, parse_cards
from rules.directions import Forfeit
from rules.games.three_card_poker import SCHEDULES, Limits, Round, dealer_qualifies, settle
from rules.schedules import chosen
from rules.settings import ThreeCardSettings
from rules.three_card_hands import three_card_value
from tests.oracle.dealing import RANKS, SUITS, Deck, new_deck, of_rank, take
from tests.oracle.gone_wrong import spoil
from tests.oracle.three_card_poker import dealer_plays, name_of_hand, poker_value
from tests.oracle.three_card_poker import settle as second_opinion
from tests.support.ante_play import as_seat

ROUNDS = 8_000
AT_LEAST = 40
STRAIGHTS = ["A23", *(RANKS[low : low + 3] for low in range(11))]


def wanted_hand(deck: Deck, chance: random.Random, like: str | None) -> list[str]:
    """Think of a hand worth seeing; its cards may be gone, or be fewer than three."""
    first, second = chance.sample(RANKS, 2)
    match chance.choice(["straight flush", "three", "straight", "flush", "pair", "low", "queen", "equal"]):
        case "straight flush":
            suit = chance.choice(SUITS)
            return [rank + suit for rank in chance.choice(STRAIGHTS)]
        case "three":
            return of_rank(deck, first, 3)
        case "straight":
            return [card for rank in chance.choice(STRAIGHTS) for card in of_rank(deck, rank, 1)]
        case "flush":
            suit = chance.choice(SUITS)
            return [card for card in deck if card[1] == suit][:3]
        case "pair":
            return of_rank(deck, first, 2) + of_rank(deck, second, 1)
        case "equal" if like is not None:
            ranks = like[::3]
            return [card for rank in dict.fromkeys(ranks) for card in of_rank(deck, rank, ranks.count(rank))]
        case "queen":
            return of_rank(deck, "Q", 1) + of_rank(deck, "7", 1) + of_rank(deck, "4", 1)
        case _:
            return of_rank(deck, "J", 1) + of_rank(deck, "7", 1) + of_rank(deck, "4", 1)


def hand(deck: Deck, chance: random.Random, like: str | None = None) -> str:
    """Deal one hand: off the top, or one worth seeing."""
    if chance.random() < 0.6:
        cards = wanted_hand(deck, chance, like)
        if len(set(cards)) == 3 and take(deck, cards):
            chance.shuffle(cards)
            return " ".join(cards)
    return " ".join(deck.pop() for _ in range(3))


def random_seat(number: int, cards: str, chance: random.Random) -> dict[str, Any]:
    """A player at a seat with an ante, a Pair Plus wager or both, who does anything a player may."""
    seat: dict[str, Any] = {"seat": number, "cards": cards}
    amounts = [1, 5, 1_000, 1_000, 2_500, 4_999, 5_000, 5_001, 60_000, 10**12]
    which = chance.choice(["ante", "both", "both", "pair_plus"])
    if which != "pair_plus":
        seat["ante_cents"] = chance.choice(amounts)
    if which != "ante":
        seat["pair_plus_cents"] = chance.choice(amounts)
    decisions = ["play", "play", "play", "fold", "absent", "concede", "void", "short"]
    seat["decision"] = chance.choice(decisions if "ante_cents" in seat else decisions[:-1])
    if "ante_cents" in seat and seat["decision"] in {"play", "concede"}:
        seat["play_cents"] = seat["ante_cents"]
    if seat["decision"] == "short" and chance.random() < 0.5:
        seat["warnings"] = chance.choice([1, 2])
    for wager in ("ante", "play", "pair_plus"):
        if f"{wager}_cents" in seat and chance.random() < 0.1:
            seat[f"{wager}_tender"] = chance.choice(["token", "token_once"])
    if seat["decision"] == "void":
        seat["void_for"] = chance.choice(["card_count", "prohibited_device"])
    if seat["decision"] in {"fold", "void"} and chance.random() < 0.5:
        del seat["cards"]
    return seat


def random_limits(chance: random.Random) -> dict[str, Any]:
    """What a sign may state."""
    return {
        "ante_min_cents": chance.choice([1, 1_000]),
        "ante_max_cents": chance.choice([None, None, 5_000]),
        "play_max_cents": chance.choice([None, None, 3_000]),
        "pair_plus_min_cents": chance.choice([1, 500]),
        "pair_plus_max_cents": chance.choice([None, None, 2_500]),
    }


def random_round(chance: random.Random) -> dict[str, Any]:
    """A round of play at a table of up to nine seats, under any sign, rulings and schedules."""
    deck = new_deck(chance)
    dealer = hand(deck, chance)
    numbers = chance.sample(range(1, 10), chance.choice([1, 2, 3, 5, 7, 9]))
    one_round = {
        "dealer": dealer,
        "device": chance.choice(["shoe", "shuffler"]),
        "seats": [random_seat(number, hand(deck, chance, dealer), chance) for number in numbers],
        "settings": {
            "cap_linked_wager": chance.choice([True, False]),
            "dealer_qualifies": chance.choice(["value", "card"]),
            "concede_collects": chance.choice(["all", "ante_play"]),
            "token_on_win": chance.choice(["returned", "as_voucher"]),
            "refund_invalidated": chance.choice([True, True, False]),
            "invalid_losing": chance.choice(["kept", "returned"]),
            "ante_bonus": chance.choice([(5, 4, 1), (4, 3, 1), (3, 2, 1)]),
            "pair_plus": chance.choice([(40, 30, 6, 4, 1), (40, 30, 6, 3, 1)]),
        },
        "limits": random_limits(chance),
    }
    spoil(one_round, chance, lambda: random_limits(chance))
    return one_round


def as_round(one_round: dict[str, Any]) -> Round:
    """The same round as `rules` has it."""
    return Round(
        device=one_round["device"],
        dealer=parse_cards(one_round["dealer"]) if "dealer" in one_round else None,
        seats=tuple([as_seat(seat, "pair_plus", Limits) for seat in one_round["seats"]]),
        void_by=one_round.get("void_by"),
        forfeits=tuple([Forfeit(**forfeit) for forfeit in one_round.get("forfeits", [])]),
    )


def kinds_of(one_round: dict[str, Any], lines: list[dict[str, Any]]) -> list[str]:
    """Name what happened in a round, to prove that the comparison met it."""
    seats = {seat["seat"]: seat for seat in one_round["seats"]}
    if "void_by" in one_round:
        return [f"{line['outcome']} by {one_round['void_by']}" for line in lines]
    kinds = ["dealer plays" if dealer_plays(one_round["dealer"], "value") else "no hand"]
    if dealer_plays(one_round["dealer"], "value") != dealer_plays(one_round["dealer"], "card"):
        kinds.append("the dealer's hand can be read two ways")
    for line in lines:
        seat = seats[line["seat"]]
        if seat.get("void_for") == "invalid":
            kinds.append(f"{line['wager']} {line['outcome']}, invalid")
            continue
        kinds.append(f"{line['wager']} {line['outcome']} after {seat['decision']}")
        if line["wager"] in {"ante_bonus", "pair_plus"} and line["outcome"] == "win":
            kinds.append(f"{line['wager']} on {name_of_hand(seat['cards'])}")
        if line["outcome"] == "lose" and line["returned_cents"]:
            kinds.append("over the limit")
    return kinds


EXPECTED_KINDS = [
    *("dealer plays", "no hand", "the dealer's hand can be read two ways", "over the limit"),
    *(f"ante {outcome} after play" for outcome in ("win", "lose", "stand_off")),
    *(f"play {outcome} after play" for outcome in ("win", "lose", "stand_off")),
    *(f"{wager} lose after concede" for wager in ("ante", "play", "pair_plus")),
    *("ante lose after fold", "pair_plus lose after fold"),
    *("ante void after absent", "ante void after short", "ante lose after short"),
    *(f"pair_plus {outcome} after {left}" for outcome in ("win", "lose") for left in ("play", "absent", "short")),
    *("pair_plus win after concede", "ante_bonus win after concede", "ante_bonus win after play"),
    *("ante void after void", "pair_plus void after void"),
    *(f"ante_bonus on {name}" for name in ("straight", "three_of_a_kind", "straight_flush")),
    *(f"pair_plus on {name}" for name in ("one_pair", "flush", "straight", "three_of_a_kind", "straight_flush")),
    *(f"void by {cause}" for cause in ("misdeal", "foreign_card", "device_failed", "invalidated")),
    "lose by invalidated",
    *(f"{wager} {outcome}, invalid" for wager in ("ante", "play", "pair_plus") for outcome in ("void", "lose")),
]


def test_every_line_of_every_round_is_settled_alike(chance: random.Random) -> None:
    """Thousands of rounds under any sign, rulings and schedules: the same outcome, winnings and stakes back."""
    met: Counter[str] = Counter()
    for _ in range(ROUNDS):
        one_round = random_round(chance)
        settings = dict(one_round["settings"])
        bonus, plus = (settings.pop(name) for name in ("ante_bonus", "pair_plus"))
        names = ("_".join(map(str, ("tcp_ante_bonus", *bonus))), "_".join(map(str, ("tcp_pair_plus", *plus))))
        schedules = chosen("three_card_poker", SCHEDULES, names)
        ours = settle(as_round(one_round), ThreeCardSettings(**settings), Limits(**one_round["limits"]), schedules)
        lines = sorted(second_opinion(one_round), key=lambda line: line["seat"])
        fields = ("seat", "wager", "stake_cents", "outcome", "paid_cents", "returned_cents")
        assert [{name: getattr(line, name) for name in fields} for line in ours.lines] == lines, json.dumps(one_round)
        assert all(line.rules for line in ours.lines), json.dumps(one_round)
        met.update(kinds_of(one_round, lines))
    scarce = {kind: met[kind] for kind in EXPECTED_KINDS if met[kind] < AT_LEAST}
    assert scarce == {}, met


def test_the_order_of_seats_changes_nothing(chance: random.Random) -> None:
    """The same seats in another order are the same round, with the same settlement."""
    for _ in range(300):
        one_round = random_round(chance)
        there = settle(as_round(one_round))
        chance.shuffle(one_round["seats"])
        assert settle(as_round(one_round)) == there


def test_every_hand_of_three_is_valued_alike() -> None:
    """All 22,100 hands: the same kind, the same order throughout, and the same dealers who play by either reading."""
    hands = list(combinations(DECK, 3))
    texts = {cards: cards_text(cards) for cards in hands}
    ours = {cards: three_card_value(cards) for cards in hands}
    theirs = {cards: poker_value(texts[cards]) for cards in hands}
    assert all(ours[cards].category == name_of_hand(texts[cards]) for cards in hands)
    ranks = {tuple(map(str, (kind, *order))): None for kind, order in sorted(theirs.values())}
    places = {value: place for place, value in enumerate(ranks, start=1)}
    assert all(ours[cards].rank == places[tuple(map(str, (theirs[cards][0], *theirs[cards][1])))] for cards in hands)
    for reading in ("value", "card"):
        settings = ThreeCardSettings(dealer_qualifies=reading)
        assert all(dealer_qualifies(cards, settings) == dealer_plays(texts[cards], reading) for cards in hands)
