"""A second settlement of Three Card Poker, written from the rule text: slow, plain, and without an import of `rules`.

A round is a dictionary of texts and whole cents, as a person would write it down. Clause numbers are those of the book.
"""

from collections.abc import Mapping
from typing import Any

from tests.oracle.gone_wrong import void_round, without_winnings

RANKS = "23456789TJQKA"
KINDS = ["three_odd_cards", "one_pair", "flush", "straight", "three_of_a_kind", "straight_flush"]  # 11.1, upwards

Line = dict[str, Any]

DEFAULTS: dict[str, Any] = {
    "cap_linked_wager": True,
    "dealer_qualifies": "value",
    "concede_collects": "all",
    "token_on_win": "returned",
    "refund_invalidated": True,
    "invalid_losing": "kept",
    "ante_bonus": (5, 4, 1),
    "pair_plus": (40, 30, 6, 4, 1),
}


def poker_value(hand: str) -> tuple[int, list[int]]:
    """Say how high a hand is (11.1, 11.2): the kind of hand, then the ranks in the order in which they count."""
    cards = hand.split(" ")
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    one_suit = cards[0][1] == cards[1][1] == cards[2][1]
    consecutive = ranks[0] - 1 == ranks[1] and ranks[1] - 1 == ranks[2]
    if ranks == [12, 1, 0]:  # ace, three, two: the ace counted low
        consecutive, ranks = True, [1, 0, -1]
    if ranks[0] == ranks[1] == ranks[2]:
        return KINDS.index("three_of_a_kind"), ranks
    if consecutive:
        return KINDS.index("straight_flush" if one_suit else "straight"), ranks
    if one_suit:
        return KINDS.index("flush"), ranks
    if ranks[0] == ranks[1]:
        return KINDS.index("one_pair"), ranks
    if ranks[1] == ranks[2]:
        return KINDS.index("one_pair"), [ranks[1], ranks[2], ranks[0]]
    return KINDS.index("three_odd_cards"), ranks


def name_of_hand(hand: str) -> str:
    """Name the kind of hand."""
    return KINDS[poker_value(hand)[0]]


def dealer_plays(hand: str, reading: str) -> bool:
    """Tell whether the dealer's hand contains a queen or higher (9.1)."""
    if reading == "card":
        return any(card[0] in "QKA" for card in hand.split(" "))
    kind, ranks = poker_value(hand)
    return kind > 0 or RANKS[ranks[0]] in "QKA"


def check_deck(one_round: Mapping[str, Any]) -> None:
    """See that no card is there twice (3.1)."""
    hands = [each["cards"] for each in one_round["seats"] if "cards" in each]
    hands += [one_round["dealer"]] if "dealer" in one_round else []
    if not hands:
        return
    cards = " ".join(hands).split(" ")
    assert len(cards) == len(set(cards)) == 3 * len(hands), hands


def played_amount(seat: Mapping[str, Any], wager: str, settings: Mapping[str, Any], limits: Mapping[str, Any]) -> int:
    """Say how much of a wager is paid or collected: the maximum at most (6.3), a play wager in step with the ante."""
    placed: int = seat[f"{wager}_cents"]
    caps = [limits.get(f"{wager}_max_cents")]
    if wager == "play" and settings["cap_linked_wager"]:
        caps.append(limits.get("ante_max_cents"))
    return min([placed, *[int(cap) for cap in caps if cap is not None]])


def main_outcome(seat: Mapping[str, Any], dealer: str, settings: Mapping[str, Any]) -> dict[str, str]:
    """Tell what becomes of the ante and the play wager of a seat that has an ante."""
    decision = seat["decision"]
    if decision == "fold":
        return {"ante": "lose"}  # 8.4
    if decision == "absent":
        return {"ante": "void"}  # 12.12
    if decision == "short":
        return {"ante": "lose" if seat.get("warnings", 0) else "void"}  # 12.10
    if decision == "concede":
        return {"ante": "lose", "play": "lose"}  # 9.5
    if not dealer_plays(dealer, settings["dealer_qualifies"]):
        return {"ante": "win", "play": "stand_off"}  # 9.2, 9.3.2
    mine, theirs = poker_value(seat["cards"]), poker_value(dealer)
    if mine == theirs:
        return {"ante": "stand_off", "play": "stand_off"}  # 9.4.1.4
    outcome = "win" if mine > theirs else "lose"  # 9.4.1.5, 9.4.1.2
    return {"ante": outcome, "play": outcome}


def side_wagers_play(seat: Mapping[str, Any], settings: Mapping[str, Any]) -> bool:
    """Tell whether Pair Plus and bonus are settled by the hand, or collected with a hand given up (8.4, 9.5)."""
    if seat["decision"] == "concede":
        return bool(settings["concede_collects"] != "all")
    return bool(seat["decision"] != "fold")


def line_of(
    seat: Mapping[str, Any], wager: str, outcome: str, paid: int, played: int, settings: Mapping[str, Any]
) -> Line:
    """Write a line: what was placed, what is paid, and what goes back."""
    placed = seat[f"{wager}_cents"]
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
    limits = seat.get("own_limits") or limits  # 6.5.1, 6.6
    lines = []
    for wager in ("ante", "play", "pair_plus"):
        if f"{wager}_cents" in seat:
            whole = seat[f"{wager}_cents"]
            played = whole if outcome == "void" else played_amount(seat, wager, settings, limits)
            lines.append(line_of(seat, wager, outcome, 0, played, settings))
    return lines


def settle_seat(
    seat: Mapping[str, Any], dealer: str, settings: Mapping[str, Any], limits: Mapping[str, Any]
) -> list[Line]:
    """Settle one seat: ante, play, bonus, Pair Plus."""
    if seat["decision"] == "void":  # 12.7, 14.4.1
        return everything(seat, "void", settings, limits)
    lines = []
    limits = seat.get("own_limits") or limits  # 6.5.1, 6.6
    by_hand = side_wagers_play(seat, settings)
    if "ante_cents" in seat:
        for wager, outcome in main_outcome(seat, dealer, settings).items():
            played = played_amount(seat, wager, settings, limits)
            if outcome == "void":
                played = seat[f"{wager}_cents"]
            lines.append(line_of(seat, wager, outcome, played if outcome == "win" else 0, played, settings))
        if by_hand and seat["decision"] in {"play", "concede"}:
            bonus = dict(zip(KINDS[:2:-1], settings["ante_bonus"], strict=True)).get(name_of_hand(seat["cards"]))
            if bonus is not None:  # 10.2
                paid = bonus * played_amount(seat, "ante", settings, limits)
                lines.append(
                    {
                        "seat": seat["seat"],
                        "wager": "ante_bonus",
                        "stake_cents": 0,
                        "outcome": "win",
                        "paid_cents": paid,
                        "returned_cents": 0,
                    }
                )
    if "pair_plus_cents" in seat:
        played = played_amount(seat, "pair_plus", settings, limits)
        odds = None
        if by_hand:
            odds = dict(zip(KINDS[:0:-1], settings["pair_plus"], strict=True)).get(name_of_hand(seat["cards"]))
        outcome = "lose" if odds is None else "win"  # 9.4.1.3, 9.4.1.6
        lines.append(line_of(seat, "pair_plus", outcome, played * (odds or 0), played, settings))
    return lines


def settle(one_round: Mapping[str, Any]) -> list[Line]:
    """Settle a round: the lines of each seat, in the order given."""
    settings = {**DEFAULTS, **one_round.get("settings", {})}
    limits = one_round.get("limits", {})
    check_deck(one_round)
    if "void_by" in one_round:
        return void_round(one_round, settings, lambda seat, outcome: everything(seat, outcome, settings, limits))
    lines = []
    for seat in one_round["seats"]:
        mine = settle_seat(seat, one_round["dealer"], settings, limits)
        lines += without_winnings(mine, seat, settings) if seat.get("void_for") == "invalid" else mine
    return lines
