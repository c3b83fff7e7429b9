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
    "max_payout_cents": None,
    "token_on_win": "returned",
    "folded_hand_wins": True,
    "conceded_hand_wins": True,
    "stake_returned": False,
    "void_returns_jackpot": True,
    "invalid_losing": "kept",
    "refund_invalidated": True,
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


def stakes_in_play(seat: Mapping[str, Any], settings: Mapping[str, Any], limits: Mapping[str, Any]) -> dict[str, int]:
    """Give the ante and the bet as they are paid or collected: to the maximum (6.3), and to twice the ante (14.12)."""
    limits = seat.get("own_limits") or limits  # 6.5.1, 6.6
    placed = seat["ante_cents"]
    ante = at_most(placed, limits.get("ante_max_cents"))
    required = 2 * (ante if settings["cap_linked_wager"] else placed)
    bet = at_most(min(seat.get("bet_cents", 0), required), limits.get("bet_max_cents"))
    return {"ante": ante, "bet": bet}


def at_most(amount: int, maximum: int | None) -> int:
    """Cut an amount to a maximum, where the sign or notice states one."""
    return amount if maximum is None else min(amount, maximum)


def bet_winnings(name: str, bet: int, settings: Mapping[str, Any]) -> int:
    """Give what a winning bet is paid (10.1), subject to the maximum payout on the notice (10.2)."""
    winnings = BET_ODDS[name] * bet
    most = settings.get("max_payout_cents")
    if most is not None and settings["max_payout_covers"] == "with_stake":
        most = max(0, most - bet)
    return at_most(winnings, most)


def outcomes(seat: Mapping[str, Any], dealer: str) -> dict[str, str]:
    """Tell what becomes of the ante and of the bet of one seat (8.4, 9.2 to 9.4, 9.7, 14.14)."""
    if seat["decision"] == "fold" and "bet_cents" in seat:
        # 14.11.2: a player whose bet was not twice the ante folds instead, and has the bet back.
        return {"ante": "lose", "bet": "returned"}
    if seat["decision"] in {"fold", "absent"}:
        return {"ante": "lose"}
    if seat["decision"] == "concede":
        return {"ante": "lose", "bet": "lose"}
    if not dealer_plays(dealer):
        return {"ante": "win", "bet": "void"}
    mine, theirs = poker_value(seat["cards"]), poker_value(dealer)
    if mine == theirs:
        return {"ante": "stand_off", "bet": "stand_off"}
    if mine < theirs:
        return {"ante": "lose", "bet": "lose"}
    return {"ante": "win", "bet": "win"}


def taken_up(seat: Mapping[str, Any], wager: str, settings: Mapping[str, Any]) -> bool:
    """Tell whether a wager was a promotional token whose voucher says that it goes once it is settled (1.1)."""
    on_win = settings["token_on_win"]
    return seat.get(f"{wager}_tender") == "token_once" and on_win != "returned"


def against_the_dealer(
    seat: Mapping[str, Any], dealer: str, settings: Mapping[str, Any], limits: Mapping[str, Any]
) -> list[Line]:
    """Write what becomes of the ante and the bet of one seat, each as placed; what is over its limit goes back."""
    in_play = stakes_in_play(seat, settings, limits)
    lines = []
    for wager, outcome in outcomes(seat, dealer).items():
        placed, played, paid = seat[f"{wager}_cents"], in_play[wager], 0
        if outcome == "win":
            paid = bet_winnings(name_of_hand(seat["cards"]), played, settings) if wager == "bet" else played
        collected = outcome == "lose" or (outcome != "returned" and taken_up(seat, wager, settings))
        returned = placed - played if collected else placed
        lines.append(
            {
                "seat": seat["seat"],
                "wager": wager,
                "stake_cents": placed,
                "outcome": outcome,
                "paid_cents": paid,
                "returned_cents": returned,
            }
        )
    return lines


def jackpot_prize(seat: Mapping[str, Any], settings: Mapping[str, Any]) -> str | None:
    """Name the jackpot prize this seat wins, whatever the dealer holds (11.4, 11.7), or None."""
    if "jackpot_cents" not in seat or "cards" not in seat:
        return None
    if seat.get("decision") in {"fold", "absent"} and not settings["folded_hand_wins"]:
        return None
    if seat.get("decision") == "concede" and not settings["conceded_hand_wins"]:
        return None
    name = name_of_hand(seat["cards"])
    return name if name in QUALIFYING_HANDS else None


def without_a_result(one_round: Mapping[str, Any], settings: Mapping[str, Any]) -> list[Line]:
    """Write what becomes of every wager of a void round (14.4, 14.9.2, 15.2.1) or an invalidated outcome (16.6)."""
    forfeited = {forfeit["seat"] for forfeit in one_round.get("forfeits", [])}
    limits = one_round.get("limits", {})
    keeps_all = one_round["void_by"] == "invalidated" and not settings["refund_invalidated"]
    lines: list[Line] = []
    for seat in one_round["seats"]:
        if seat["seat"] in forfeited or keeps_all:
            in_play = {**stakes_in_play(seat, settings, limits), "jackpot": seat.get("jackpot_cents", 0)}
            lines += [collected(line, in_play[line["wager"]]) for line in handed_back(seat, settings)]
        else:
            lines += handed_back(seat, settings)
    return lines


def handed_back(seat: Mapping[str, Any], settings: Mapping[str, Any]) -> list[Line]:
    """Write the lines of a seat whose wagers are void; the jackpot's stays in its pool where the terms say so."""
    lines: list[Line] = []
    for wager in ("ante", "bet", "jackpot"):
        stake = seat.get(f"{wager}_cents")
        if stake is None:
            continue
        line = {"seat": seat["seat"], "wager": wager, "stake_cents": stake, "outcome": "void", "paid_cents": 0}
        line["returned_cents"] = 0 if taken_up(seat, wager, settings) else stake
        if wager == "jackpot" and not settings["void_returns_jackpot"]:
            line = collected(line, stake)
        lines.append(line)
    return lines


def collected(line: Line, in_play: int) -> Line:
    """Tell a line as lost: what of the stake was in play is gone."""
    return {**line, "outcome": "lose", "paid_cents": 0, "returned_cents": line["stake_cents"] - in_play}


def nothing_won(lines: list[Line], seat: Mapping[str, Any], settings: Mapping[str, Any]) -> list[Line]:
    """Write anew the lines of a player whose wagers are invalid (14.20.2): no winnings, and losing ones as ruled."""
    jackpot_back = {**settings, "void_returns_jackpot": True}  # Found before its hand is settled it goes back.
    back = {line["wager"]: line for line in handed_back(seat, jackpot_back)}
    told = []
    for line in lines:
        kept = line["outcome"] == "lose" and settings["invalid_losing"] == "kept" and line["wager"] != "jackpot"
        told.append(line if kept or line["outcome"] == "returned" else back[line["wager"]])
    return told


def settle(one_round: Mapping[str, Any]) -> tuple[list[Line], list[tuple[int, str]]]:
    """Settle a round: the lines of each seat in the order given, and who qualifies for which jackpot prize.

    A round may be void (`void_by`, `forfeits`), a seat's wagers void or invalid (`void_for`).

    The amount of a jackpot prize is not known here: its line says 0 paid.
    """
    settings = {**DEFAULTS, **one_round.get("settings", {})}
    limits = one_round.get("limits", {})
    check_deck(one_round)
    if one_round.get("void_by") is not None:
        return without_a_result(one_round, settings), []
    lines: list[Line] = []
    winners: list[tuple[int, str]] = []
    for seat in one_round["seats"]:
        if seat.get("void_for") in {"card_count", "prohibited_device"}:
            lines += handed_back(seat, settings)
            continue
        against = against_the_dealer(seat, one_round["dealer"], settings, limits)
        if seat.get("void_for") == "invalid":
            if "jackpot_cents" in seat:
                against.append({"seat": seat["seat"], "wager": "jackpot", "outcome": "void"})
            lines += nothing_won(against, seat, settings)
            continue
        lines += against
        if "jackpot_cents" not in seat:
            continue
        stake = seat["jackpot_cents"]
        wrong_amount = stake != (limits.get("jackpot_cents") or stake)  # 5.4: handed back, no part in the jackpot
        prize = None if wrong_amount else jackpot_prize(seat, settings)
        stake_back = settings["stake_returned"] and not taken_up(seat, "jackpot", settings)
        outcome, returned = ("lose", 0) if prize is None else ("win", stake if stake_back else 0)
        if wrong_amount:
            outcome, returned = "returned", stake
        lines.append(
            {
                "seat": seat["seat"],
                "wager": "jackpot",
                "stake_cents": stake,
                "outcome": outcome,
                "paid_cents": 0,
                "returned_cents": returned,
            }
        )
        if prize is not None:
            winners.append((seat["seat"], prize))
    return lines, winners
