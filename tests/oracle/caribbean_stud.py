"""Answers what each wager of one round of Caribbean Stud wins or loses, and which hands qualify for the jackpot.

Written from the rule text (DF24/017426, 16 August 2024) and the rulings, with counting and tuples, no tables. It works
on a round as plain dictionaries; it does not know the jackpot's meter nor what a qualifying hand is paid.

>>> settle({"dealer": "Kd Qd 9c 7h 2s", "seats": [
...     {"seat": 1, "ante_cents": 1000, "decision": "bet", "bet_cents": 2000, "cards": "3h 4s 6d 8c Th"}]})[0]
... # doctest: +NORMALIZE_WHITESPACE
[{'seat': 1, 'wager': 'ante', 'stake_cents': 1000, 'outcome': 'win', 'paid_cents': 1000, 'returned_cents': 1000},
 {'seat': 1, 'wager': 'bet', 'stake_cents': 2000, 'outcome': 'void', 'paid_cents': 0, 'returned_cents': 2000}]
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "cdhs"

# Rule 13.1, lowest first, so that the position in this list is the order of the hands.
ORDER_OF_HANDS = [
    "five_odd_cards",
    "one_pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
]

# Rule 10.1: the odds, to 1, of a winning bet. "One pair or less" is the first two.
BET_ODDS = {
    "five_odd_cards": 1,
    "one_pair": 1,
    "two_pairs": 2,
    "three_of_a_kind": 3,
    "straight": 4,
    "flush": 5,
    "full_house": 7,
    "four_of_a_kind": 20,
    "straight_flush": 50,
    "royal_flush": 250,
}

# Rule 11.7: a straight flush and a royal flush are not also a flush.
QUALIFYING_HANDS = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"]

# What the rulings say where nothing else is set.
DEFAULTS = {
    "cap_linked_wager": True,
    "max_payout_covers": "winnings",
    "folded_hand_wins": True,
    "conceded_hand_wins": True,
    "stake_returned": False,
}

Line = dict[str, Any]


def cards_of(text: str) -> list[tuple[int, str]]:
    """Read "As Kd Th 3c 2s" into ranks (2 to 14) and suits; anything but five different cards is an error."""
    cards = []
    for word in text.split(" "):
        if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
            message = f"not a card: {word!r}"
            raise ValueError(message)
        cards.append((RANKS.index(word[0]) + 2, word[1]))
    if len(cards) != 5 or len(set(cards)) != 5:
        message = f"not five different cards: {text!r}"
        raise ValueError(message)
    return cards


def straight_top(ranks: Sequence[int]) -> int | None:
    """Tell the highest rank of five consecutive ranks, or None; an ace below the 2 makes 5 the highest (13.1.6)."""
    if sorted(ranks) == [2, 3, 4, 5, 14]:
        return 5
    lowest = min(ranks)
    if sorted(ranks) == [lowest, lowest + 1, lowest + 2, lowest + 3, lowest + 4]:
        return lowest + 4
    return None


def name_of_hand(text: str) -> str:
    """Name the hand as rule 13.1 describes it."""
    cards = cards_of(text)
    ranks = [rank for rank, _ in cards]
    one_suit = len({suit for _, suit in cards}) == 1
    alike = sorted(Counter(ranks).values(), reverse=True)
    top = straight_top(ranks)
    if one_suit and top == 14:
        return "royal_flush"
    if one_suit and top is not None:
        return "straight_flush"
    if alike == [4, 1]:
        return "four_of_a_kind"
    if alike == [3, 2]:
        return "full_house"
    if one_suit:
        return "flush"
    if top is not None:
        return "straight"
    if alike == [3, 1, 1]:
        return "three_of_a_kind"
    if alike == [2, 2, 1]:
        return "two_pairs"
    if alike == [2, 1, 1, 1]:
        return "one_pair"
    return "five_odd_cards"


def poker_value(text: str) -> tuple[int, list[int]]:
    """Give what compares as the hands do: the order of 13.1, then the ranks, those held most often first (13.2)."""
    ranks = [rank for rank, _ in cards_of(text)]
    top = straight_top(ranks)
    if top is not None:
        deciding = [top]
    else:
        times = Counter(ranks)
        deciding = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    return ORDER_OF_HANDS.index(name_of_hand(text)), deciding


def dealer_plays(text: str) -> bool:
    """Tell whether the dealer's hand has a poker value of ace and king, or higher (9.1)."""
    if name_of_hand(text) != "five_odd_cards":
        return True
    ranks = [rank for rank, _ in cards_of(text)]
    return 14 in ranks and 13 in ranks


def check_deck(one_round: Mapping[str, Any]) -> None:
    """Refuse a round in which one card of the one deck (3.1) is seen twice."""
    hands = [one_round.get("dealer")] + [seat.get("cards") for seat in one_round["seats"]]
    times = Counter(card for hand in hands if hand is not None for card in cards_of(hand))
    for (rank, suit), number in times.items():
        if number > 1:
            message = f"seen twice: {RANKS[rank - 2]}{suit}"
            raise ValueError(message)


def line(seat: int, wager: str, stake: int, outcome: str, paid: int = 0) -> Line:
    """Write one settled wager; a lost stake is the only one that does not go back to the player."""
    returned = 0 if outcome == "lose" else stake
    return {
        "seat": seat,
        "wager": wager,
        "stake_cents": stake,
        "outcome": outcome,
        "paid_cents": paid,
        "returned_cents": returned,
    }


def stakes_in_play(seat: Mapping[str, Any], settings: Mapping[str, Any], limits: Mapping[str, Any]) -> tuple[int, int]:
    """Give the ante and the bet as they are paid or collected: to the maximum (6.3), and to twice the ante (14.12)."""
    placed = seat["ante_cents"]
    ante = min(placed, limits.get("ante_max_cents", placed))
    required = 2 * (ante if settings["cap_linked_wager"] else placed)
    bet = min(seat.get("bet_cents", 0), required)
    return ante, min(bet, limits.get("bet_max_cents", bet))


def bet_winnings(name: str, bet: int, settings: Mapping[str, Any], limits: Mapping[str, Any]) -> int:
    """Give what a winning bet is paid (10.1), subject to the maximum payout on the notice (10.2)."""
    winnings = BET_ODDS[name] * bet
    if "max_payout_cents" not in limits:
        return winnings
    most: int = limits["max_payout_cents"]
    if settings["max_payout_covers"] == "with_stake":
        most = max(0, most - bet)
    return min(winnings, most)


def against_the_dealer(
    seat: Mapping[str, Any], dealer: str, settings: Mapping[str, Any], limits: Mapping[str, Any]
) -> list[Line]:
    """Settle the ante and the bet of one seat (8.4, 9.2 to 9.4, 9.7, 14.14)."""
    number = seat["seat"]
    ante, bet = stakes_in_play(seat, settings, limits)
    if seat["decision"] in {"fold", "absent"}:
        return [line(number, "ante", ante, "lose")]
    if seat["decision"] == "concede":
        return [line(number, "ante", ante, "lose"), line(number, "bet", bet, "lose")]
    if not dealer_plays(dealer):
        return [line(number, "ante", ante, "win", ante), line(number, "bet", bet, "void")]
    mine, theirs = poker_value(seat["cards"]), poker_value(dealer)
    if mine == theirs:
        return [line(number, "ante", ante, "stand_off"), line(number, "bet", bet, "stand_off")]
    if mine < theirs:
        return [line(number, "ante", ante, "lose"), line(number, "bet", bet, "lose")]
    winnings = bet_winnings(name_of_hand(seat["cards"]), bet, settings, limits)
    return [line(number, "ante", ante, "win", ante), line(number, "bet", bet, "win", winnings)]


def over_the_limit(seat: Mapping[str, Any], settings: Mapping[str, Any], limits: Mapping[str, Any]) -> dict[str, int]:
    """Give what goes back unplayed of the ante and of the bet, in cents (6.3, 14.12.2)."""
    ante, bet = stakes_in_play(seat, settings, limits)
    return {"ante": seat["ante_cents"] - ante, "bet": seat.get("bet_cents", 0) - bet}


def jackpot_prize(seat: Mapping[str, Any], settings: Mapping[str, Any]) -> str | None:
    """Name the jackpot prize this seat wins, whatever the dealer holds (11.4, 11.7), or None."""
    if "jackpot_cents" not in seat or "cards" not in seat:
        return None
    if seat["decision"] in {"fold", "absent"} and not settings["folded_hand_wins"]:
        return None
    if seat["decision"] == "concede" and not settings["conceded_hand_wins"]:
        return None
    name = name_of_hand(seat["cards"])
    return name if name in QUALIFYING_HANDS else None


def settle(one_round: Mapping[str, Any]) -> tuple[list[Line], list[tuple[int, str]]]:
    """Settle a round: the lines of each seat in the order given, and who qualifies for which jackpot prize.

    The amount of a jackpot prize is not known here: its line says 0 paid.
    """
    settings = {**DEFAULTS, **one_round.get("settings", {})}
    limits = one_round.get("limits", {})
    check_deck(one_round)
    lines: list[Line] = []
    winners: list[tuple[int, str]] = []
    for seat in one_round["seats"]:
        lines += against_the_dealer(seat, one_round["dealer"], settings, limits)
        if "jackpot_cents" not in seat:
            continue
        prize = jackpot_prize(seat, settings)
        jackpot = line(seat["seat"], "jackpot", seat["jackpot_cents"], "lose" if prize is None else "win")
        if not settings["stake_returned"]:
            jackpot["returned_cents"] = 0
        lines.append(jackpot)
        if prize is not None:
            winners.append((seat["seat"], prize))
    return lines, winners
