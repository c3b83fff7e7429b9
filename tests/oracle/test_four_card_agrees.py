"""`rules/games/four_card_poker` held against the second opinion: each line of a round, and each hand."""

import json
import random
from collections import Counter
from itertools import combinations
from typing import Any

from rules.cards import DECK, cards_text, parse_cards
from rules.directions import Forfeit
from rules.four_card_hands import best_four, four_card_value
from rules.games.four_card_poker import SCHEDULES, Limits, Round, settle
from rules.schedules import chosen
from rules.settings import FourCardSettings
from tests.oracle.dealing import RANKS, SUITS, Deck, new_deck, of_rank, take
from tests.oracle.four_card_poker import dealers_value, four_cards, name_of_hand, poker_value, row_of_aces_up
from tests.oracle.four_card_poker import settle as second_opinion
from tests.oracle.gone_wrong import spoil
from tests.support.ante_play import as_seat

ROUNDS = 5_000
AT_LEAST = 20
STRAIGHTS = ["A234", *(RANKS[low : low + 4] for low in range(10))]


def wanted_hand(deck: Deck, chance: random.Random, like: str | None) -> list[str]:
    """Think of four cards worth seeing; they may be gone, or be fewer."""
    first, second = chance.sample(RANKS, 2)
    match chance.choice(["straight flush", "four", "three", "straight", "flush", "pairs", "aces", "equal", "equal"]):
        case "straight flush":
            suit = chance.choice(SUITS)
            return [rank + suit for rank in chance.choice(STRAIGHTS)]
        case "four":
            return of_rank(deck, first, 4)
        case "three":
            return of_rank(deck, first, 3) + of_rank(deck, second, 1)
        case "straight":
            return [card for rank in chance.choice(STRAIGHTS) for card in of_rank(deck, rank, 1)]
        case "flush":
            suit = chance.choice(SUITS)
            return [card for card in deck if card[1] == suit][:4]
        case "aces":
            return of_rank(deck, "A", 2) + of_rank(deck, first, 1) + of_rank(deck, second, 1)
        case "equal" if like is not None:
            ranks = like[::3][:4]
            return [card for rank in dict.fromkeys(ranks) for card in of_rank(deck, rank, ranks.count(rank))]
        case _:
            return of_rank(deck, first, 2) + of_rank(deck, second, 2)


def hand(deck: Deck, chance: random.Random, size: int, like: str | None = None) -> str:
    """Deal one hand: off the top, or around four cards worth seeing."""
    cards: list[str] = []
    if chance.random() < 0.6:
        wanted = wanted_hand(deck, chance, like)
        if len(set(wanted)) == 4 and take(deck, wanted):
            cards = wanted
    cards += [deck.pop() for _ in range(size - len(cards))]
    chance.shuffle(cards)
    return " ".join(cards)


def random_seat(number: int, cards: str, chance: random.Random, *, whole: bool) -> dict[str, Any]:
    """A player at a seat with an ante, an Aces Up wager or both, who does anything a player may."""
    seat: dict[str, Any] = {"seat": number, "cards": cards}
    amounts = [1, 5, 1_000, 1_000, 2_500, 4_999, 5_000, 5_001, 60_000, 3 * 10**11]
    which = chance.choice(["ante", "both", "both", "aces_up"])
    if which != "aces_up":
        seat["ante_cents"] = chance.choice(amounts)
    if which != "ante":
        seat["aces_up_cents"] = chance.choice(amounts)
    decisions = ["play", "play", "play", "fold", "absent", "concede", "void", "short"]
    seat["decision"] = chance.choice(decisions if "ante_cents" in seat else decisions[:-1])
    if "ante_cents" in seat and seat["decision"] in {"play", "concede"}:
        ante = seat["ante_cents"]
        seat["play_cents"] = ante * chance.randint(1, 3) if whole else chance.randint(ante, 3 * ante)
    if seat["decision"] == "short" and chance.random() < 0.5:
        seat["warnings"] = chance.choice([1, 2])
    if seat["decision"] == "void":
        seat["void_for"] = chance.choice(["card_count", "not_reconstructed", "prohibited_device"])
    for wager in ("ante", "play", "aces_up"):
        if f"{wager}_cents" in seat and chance.random() < 0.1:
            seat[f"{wager}_tender"] = chance.choice(["token", "token_once"])
    if seat["decision"] in {"fold", "void"} and chance.random() < 0.5:
        del seat["cards"]
    return seat


def random_limits(chance: random.Random) -> dict[str, Any]:
    """What a sign may state."""
    return {
        "ante_min_cents": chance.choice([1, 1_000]),
        "ante_max_cents": chance.choice([None, None, 5_000]),
        "play_max_cents": chance.choice([None, None, 7_000]),
        "aces_up_min_cents": chance.choice([1, 500]),
        "aces_up_max_cents": chance.choice([None, None, 2_500]),
    }


def random_round(chance: random.Random) -> dict[str, Any]:
    """A round of play at a table of up to nine seats, under any sign, rulings and schedules."""
    deck = new_deck(chance)
    dealer = hand(deck, chance, 6)
    best = max(combinations(dealer.split(" "), 4), key=lambda four: four_cards(list(four)))
    numbers = chance.sample(range(1, 10), chance.choice([1, 2, 3, 5, 7, 9]))
    multiples = chance.choice(["any", "whole"])
    one_round: dict[str, Any] = {
        "dealer": dealer,
        "device": chance.choice(["shoe", "shuffler"]),
        "seats": [
            random_seat(number, hand(deck, chance, 5, " ".join(best)), chance, whole=multiples == "whole")
            for number in numbers
        ],
        "settings": {
            "cap_linked_wager": chance.choice([True, False]),
            "concede_collects": chance.choice(["all", "ante_play"]),
            "play_multiples": multiples,
            "token_on_win": chance.choice(["returned", "as_voucher"]),
            "refund_invalidated": chance.choice([True, True, False]),
            "invalid_losing": chance.choice(["kept", "returned"]),
            "ante_bonus": (25, 20, 2),
            "aces_up": chance.choice([(50, 40, 8, 5, 4, 3, 1), (50, 40, 9, 6, 4, 2, 1)]),
        },
        "limits": random_limits(chance),
    }
    if chance.random() < 0.1:
        one_round["dealer_set"] = " ".join(chance.sample(dealer.split(" "), 4))
    spoil(one_round, chance, lambda: random_limits(chance))
    if any(seat.get("void_for") == "invalid" for seat in one_round["seats"]):
        one_round["settings"]["carded_play"] = "all_games"
    return one_round


def as_round(one_round: dict[str, Any]) -> Round:
    """The same round as `rules` has it."""

    def cards(there: dict[str, Any], name: str) -> tuple[int, ...] | None:
        return parse_cards(there[name]) if name in there else None

    return Round(
        device=one_round["device"],
        dealer=cards(one_round, "dealer"),
        seats=tuple([as_seat(seat, "aces_up", Limits) for seat in one_round["seats"]]),
        void_by=one_round.get("void_by"),
        forfeits=tuple([Forfeit(**each) for each in one_round.get("forfeits", [])]),
        dealer_set=cards(one_round, "dealer_set"),
    )


def kinds_of(one_round: dict[str, Any], lines: list[dict[str, Any]]) -> list[str]:
    """Name what happened in a round, to prove that the comparison met it."""
    seats = {seat["seat"]: seat for seat in one_round["seats"]}
    if "void_by" in one_round:
        return [f"{line['outcome']} by {one_round['void_by']}" for line in lines]
    kinds = []
    wrongly = dealers_value(one_round) < poker_value(one_round["dealer"])
    for line in lines:
        seat, wager = seats[line["seat"]], line["wager"]
        if seat.get("void_for") == "invalid":
            kinds.append(f"{wager} {line['outcome']}, invalid")
            continue
        kinds.append(f"{wager} {line['outcome']} after {seat['decision']}")
        if wager in {"ante_bonus", "aces_up"} and line["outcome"] == "win":
            row = row_of_aces_up(seat["cards"])
            kinds.append(f"{wager} on {row}")
        if wager == "ante" and seat["decision"] == "play":
            if poker_value(seat["cards"]) == dealers_value(one_round):
                kinds.append("an equal hand")
            best = poker_value(seat["cards"]) >= poker_value(one_round["dealer"])
            if wrongly and best != (line["outcome"] == "win"):
                kinds.append("won for a dealer's hand set wrongly")
        if line["outcome"] == "lose" and line["returned_cents"]:
            kinds.append("over the limit")
        if wager == "play" and line["stake_cents"] % seat["ante_cents"]:
            kinds.append("a play wager between multiples")
        if wager == "play" and line["stake_cents"] == 3 * seat["ante_cents"]:
            kinds.append("a play wager of three antes")
    return kinds


EXPECTED_KINDS = [
    *("an equal hand", "won for a dealer's hand set wrongly", "over the limit"),
    *("a play wager between multiples", "a play wager of three antes"),
    *(f"{wager} {outcome} after play" for wager in ("ante", "play", "aces_up") for outcome in ("win", "lose")),
    *(f"{wager} lose after concede" for wager in ("ante", "play", "aces_up")),
    *("ante lose after fold", "aces_up lose after fold"),
    *("ante void after absent", "ante void after short", "ante lose after short"),
    *(f"aces_up {outcome} after {left}" for outcome in ("win", "lose") for left in ("absent", "short")),
    *("aces_up win after concede", "ante_bonus win after concede", "ante_bonus win after play"),
    *("ante void after void", "aces_up void after void"),
    *(f"ante_bonus on {name}" for name in ("three_of_a_kind", "straight_flush", "four_of_a_kind")),
    *(f"aces_up on {name}" for name in ("pair_of_aces", "two_pairs", "straight", "flush")),
    *(f"aces_up on {name}" for name in ("three_of_a_kind", "straight_flush", "four_of_a_kind")),
    *(f"void by {cause}" for cause in ("misdeal", "foreign_card", "device_failed", "invalidated")),
    "lose by invalidated",
    *(f"{wager} {outcome}, invalid" for wager in ("ante", "play", "aces_up") for outcome in ("void", "lose")),
]


def test_every_line_of_every_round_is_settled_alike(chance: random.Random) -> None:
    """Thousands of rounds under any sign, rulings and schedules: the same outcome, winnings and stakes back."""
    met: Counter[str] = Counter()
    for _ in range(ROUNDS):
        one_round = random_round(chance)
        settings = dict(one_round["settings"])
        bonus, aces = (settings.pop(name) for name in ("ante_bonus", "aces_up"))
        names = ("_".join(map(str, ("fcp_ante_bonus", *bonus))), "_".join(map(str, ("fcp_aces_up", *aces))))
        schedules = chosen("four_card_poker", SCHEDULES, names)
        ours = settle(as_round(one_round), FourCardSettings(**settings), Limits(**one_round["limits"]), schedules)
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
        one_round["settings"]["play_multiples"] = "any"
        rulings = FourCardSettings(carded_play="all_games")
        there = settle(as_round(one_round), rulings)
        chance.shuffle(one_round["seats"])
        assert settle(as_round(one_round), rulings) == there


def test_every_hand_of_four_is_valued_alike() -> None:
    """All 270,725 hands: the same kind, and the same order throughout."""
    theirs: dict[tuple[str, ...], int] = {}
    for cards in combinations(DECK, 4):
        value = four_card_value(cards)
        kind, ranks = four_cards(cards_text(cards).split(" "))
        key = tuple(map(str, (value.category, kind, *ranks)))
        assert theirs.setdefault(key, value.rank) == value.rank, cards_text(cards)
    in_order = sorted(theirs, key=lambda key: [int(part) for part in key[1:]])
    assert [theirs[key] for key in in_order] == list(range(1, len(theirs) + 1))


def test_the_best_of_five_and_six_is_the_same(chance: random.Random) -> None:
    """FCP 9.1, 9.2: of thousands of hands of five and six cards the best four are worth the same."""
    for _ in range(4_000):
        for size in (5, 6):
            text = hand(new_deck(chance), chance, size)
            best = best_four(parse_cards(text))
            assert best.value.category == name_of_hand(text)
            assert four_cards(cards_text(best.cards).split(" ")) == poker_value(text), text
