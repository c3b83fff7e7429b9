"""A second settlement of Four Card Poker, written from the rule text: slow, plain, and without an import of `rules`.

A round is a dictionary of texts and whole cents, as a person would write it down. Clause numbers are those of the book.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from tests.oracle.gone_wrong import void_round, without_winnings

RANKS = "23456789TJQKA"
KINDS = [  # 11.1, upwards
    *("four_odd_cards", "one_pair", "two_pairs", "straight", "flush"),
    *("three_of_a_kind", "straight_flush", "four_of_a_kind"),
]
HIGH_TO_LOW = ["four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "two_pairs"]

Line = dict[str, Any]

DEFAULTS: dict[str, Any] = {
    "cap_linked_wager": True,
    "concede_collects": "all",
    "play_multiples": "any",
    "token_on_win": "returned",
    "refund_invalidated": True,
    "invalid_losing": "kept",
    "ante_bonus": (25, 20, 2),
    "aces_up": (50, 40, 8, 5, 4, 3, 1),
}


def four_cards(cards: list[str]) -> tuple[int, list[int]]:
    """Say how high four cards are (11.1, 11.2): the kind of hand, then the ranks in the order in which they count."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    how_many = Counter(ranks)
    by_count = sorted(ranks, key=lambda rank: (-how_many[rank], -rank))
    counts = sorted(how_many.values(), reverse=True)
    one_suit = len({card[1] for card in cards}) == 1
    consecutive = len(how_many) == 4 and ranks[0] - ranks[3] == 3
    if ranks == [12, 2, 1, 0]:  # 4, 3, 2, ace: the ace counted low (11.2.1)
        consecutive, by_count = True, [2, 1, 0, -1]
    if counts == [4]:
        kind = "four_of_a_kind"
    elif one_suit:
        kind = "straight_flush" if consecutive else "flush"
    elif counts == [3, 1]:
        kind = "three_of_a_kind"
    elif consecutive:
        kind = "straight"
    elif counts == [2, 2]:
        kind = "two_pairs"
    else:
        kind = "one_pair" if counts == [2, 1, 1] else "four_odd_cards"
    return KINDS.index(kind), by_count


def poker_value(hand: str) -> tuple[int, list[int]]:
    """Say how high a hand of four, five or six cards is at its best (9.1, 9.2, 9.6)."""
    return max(four_cards(list(four)) for four in combinations(hand.split(" "), 4))


def name_of_hand(hand: str) -> str:
    """Name the kind of hand."""
    return KINDS[poker_value(hand)[0]]


def row_of_aces_up(hand: str) -> str | None:
    """Name the row of the sign that an Aces Up wager is paid by: a pair of aces or higher (1.1, 9.2.1.5)."""
    kind, ranks = poker_value(hand)
    if KINDS[kind] == "one_pair":
        return "pair_of_aces" if RANKS[ranks[0]] == "A" else None
    return KINDS[kind] if kind > 0 else None


def dealers_value(one_round: Mapping[str, Any]) -> tuple[int, list[int]]:
    """Say how high the dealer's hand is: at its best (9.1), or as it was set and stands (12.8)."""
    return poker_value(one_round.get("dealer_set") or one_round["dealer"])


def check_deck(one_round: Mapping[str, Any]) -> None:
    """See that no card is there twice (3.1), and that five went to each player and six to the dealer."""
    hands = [seat["cards"].split(" ") for seat in one_round["seats"] if "cards" in seat]
    assert all(len(hand) == 5 for hand in hands), hands
    if "dealer" in one_round:
        assert len(one_round["dealer"].split(" ")) == 6, one_round
        hands.append(one_round["dealer"].split(" "))
    cards = [card for hand in hands for card in hand]
    assert len(cards) == len(set(cards)), hands


def played_amount(seat: Mapping[str, Any], wager: str, settings: Mapping[str, Any], limits: Mapping[str, Any]) -> int:
    """Say how much of a wager is paid or collected: the maximum at most (6.3), a play wager in step with the ante."""
    amount: int = seat[f"{wager}_cents"]
    most_ante = limits.get("ante_max_cents")
    if wager == "play" and settings["cap_linked_wager"] and most_ante is not None and seat["ante_cents"] > most_ante:
        amount = amount * int(most_ante) // int(seat["ante_cents"])
    most = limits.get(f"{wager}_max_cents")
    return amount if most is None else min(amount, int(most))


def main_outcome(seat: Mapping[str, Any], one_round: Mapping[str, Any]) -> dict[str, str]:
    """Tell what becomes of the ante and the play wager of a seat that has an ante."""
    decision = seat["decision"]
    if decision == "fold":
        return {"ante": "lose"}  # 8.4
    if decision == "absent":
        return {"ante": "void"}  # 12.13
    if decision == "short":
        return {"ante": "lose" if seat.get("warnings", 0) else "void"}  # 12.11
    if decision == "concede":
        return {"ante": "lose", "play": "lose"}  # 9.3
    higher_or_equal = poker_value(seat["cards"]) >= dealers_value(one_round)
    outcome = "win" if higher_or_equal else "lose"  # 9.2.1.4 and 10.6, 9.2.1.2
    return {"ante": outcome, "play": outcome}


def line_of(
    seat: Mapping[str, Any], wager: str, outcome: str, paid: int, played: int, settings: Mapping[str, Any]
) -> Line:
    """Write a line: what was placed, what is paid, and what goes back."""
    placed = seat.get(f"{wager}_cents", 0)
    on_win = settings["token_on_win"]
    taken_up = seat.get(f"{wager}_tender") == "token_once" and on_win != "returned"
    collected = outcome == "lose" or taken_up
    return {
        "seat": seat["seat"],
        "wager": wager,
        "stake_cents": placed,
        "outcome": outcome,
        "paid_cents": paid,
        "returned_cents": placed - played if collected else placed,
    }


def everything(
    seat: Mapping[str, Any], outcome: str, settings: Mapping[str, Any], limits: Mapping[str, Any]
) -> list[Line]:
    """Give everything at a seat back, or collect it as far as it counts."""
    limits = seat.get("own_limits") or limits  # 6.5.1
    lines = []
    for wager in ("ante", "play", "aces_up"):
        if f"{wager}_cents" in seat:
            whole = seat[f"{wager}_cents"]
            played = whole if outcome == "void" else played_amount(seat, wager, settings, limits)
            lines.append(line_of(seat, wager, outcome, 0, played, settings))
    return lines


def settle_seat(seat: Mapping[str, Any], one_round: Mapping[str, Any], settings: Mapping[str, Any]) -> list[Line]:
    """Settle one seat: ante, play, bonus, Aces Up."""
    limits = seat.get("own_limits") or one_round.get("limits", {})  # 6.5.1
    if seat["decision"] == "void":  # 12.6, 12.9, 14.3.1
        return everything(seat, "void", settings, limits)
    if seat["decision"] == "fold" or (seat["decision"] == "concede" and settings["concede_collects"] == "all"):
        return everything(seat, "lose", settings, limits)  # 8.4, 9.3
    lines = []
    if "ante_cents" in seat:
        for wager, outcome in main_outcome(seat, one_round).items():
            played = played_amount(seat, wager, settings, limits)
            if outcome == "void":
                played = seat[f"{wager}_cents"]
            lines.append(line_of(seat, wager, outcome, played if outcome == "win" else 0, played, settings))
        if seat["decision"] in {"play", "concede"}:
            rows = ("four_of_a_kind", "straight_flush", "three_of_a_kind")
            times = dict(zip(rows, settings["ante_bonus"], strict=True)).get(name_of_hand(seat["cards"]))
            if times is not None:  # 9.2.1.1, 10.2
                paid = times * played_amount(seat, "ante", settings, limits)
                lines.append(line_of({"seat": seat["seat"]}, "ante_bonus", "win", paid, 0, settings))
    if "aces_up_cents" in seat:
        played = played_amount(seat, "aces_up", settings, limits)
        row = row_of_aces_up(seat["cards"])
        odds = dict(zip([*HIGH_TO_LOW, "pair_of_aces"], settings["aces_up"], strict=True))
        paid = 0 if row is None else odds[row] * played
        lines.append(line_of(seat, "aces_up", "lose" if row is None else "win", paid, played, settings))
    return lines


def settle(one_round: Mapping[str, Any]) -> list[Line]:
    """Settle a round: the lines of each seat, in the order given."""
    settings = {**DEFAULTS, **one_round.get("settings", {})}
    check_deck(one_round)
    limits = one_round.get("limits", {})
    if "void_by" in one_round:
        return void_round(one_round, settings, lambda seat, outcome: everything(seat, outcome, settings, limits))
    lines = []
    for seat in one_round["seats"]:
        mine = settle_seat(seat, one_round, settings)
        lines += without_winnings(mine, seat, settings) if seat.get("void_for") == "invalid" else mine
    return lines
