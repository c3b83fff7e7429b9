"""The second opinion on hands and base wagers, held against small tables written out by hand from the rule text."""

from itertools import pairwise
from typing import Any

import pytest

from tests.oracle.caribbean_stud import bet_winnings, dealer_plays, name_of_hand, poker_value, settle

# Highest first; each hand beats every one below it.
HIGHEST_FIRST = [
    ("As Ks Qs Js Ts", "royal_flush", "13.1.1"),
    ("Kh Qh Jh Th 9h", "straight_flush", "13.1.2"),
    ("6c 5c 4c 3c 2c", "straight_flush", "13.1.2"),
    ("Ad 2d 3d 4d 5d", "straight_flush", "13.1.2: the ace low, never royal"),
    ("As Ah Ad Ac 2s", "four_of_a_kind", "13.1.3"),
    ("2s 2h 2d 2c As", "four_of_a_kind", "13.1.3"),
    ("As Ah Ad 2c 2s", "full_house", "13.1.4"),
    ("Ks Kh Kd Ac As", "full_house", "13.1.4: the three decide"),
    ("Ah Kh Qh Jh 9h", "flush", "13.1.5"),
    ("Kd Qd Jd Td 2d", "flush", "13.1.5"),
    ("7s 5s 4s 3s 2s", "flush", "13.1.5"),
    ("As Kh Qd Jc Tc", "straight", "13.2.1"),
    ("Ks Qh Jd Tc 9c", "straight", "13.1.6"),
    ("6s 5h 4d 3c 2c", "straight", "13.1.6"),
    ("5s 4h 3d 2c Ac", "straight", "13.2.1: the lowest"),
    ("As Ah Ad Kc Qc", "three_of_a_kind", "13.1.7"),
    ("2s 2h 2d Ac Kc", "three_of_a_kind", "13.1.7"),
    ("As Ah Kd Kc 2c", "two_pairs", "13.2.2"),
    ("As Ah Qd Qc Kc", "two_pairs", "13.2.2: the second pair decides"),
    ("As Ah Qd Qc Jc", "two_pairs", "13.2.2: the fifth card decides"),
    ("3s 3h 2d 2c Ac", "two_pairs", "13.2.2"),
    ("As Ah Kd Qc Jc", "one_pair", "13.1.9"),
    ("As Ah Kd Qc Tc", "one_pair", "13.2"),
    ("2s 2h 5d 4c 3c", "one_pair", "13.1.9"),
    ("As Kh Qd Jc 9c", "five_odd_cards", "13.1.10"),
    ("As Kh 4d 3c 2c", "five_odd_cards", "9.1: the lowest that qualifies; K-A-2 is never consecutive"),
    ("As Qh Jd Tc 9c", "five_odd_cards", "9.1: the highest that does not"),
    ("7s 5h 4d 3c 2c", "five_odd_cards", "13.1.10"),
]

# The dealer holds ace and king high; seat's cards, decision -> ante and bet as (outcome, paid, returned).
AGAINST_ACE_KING = """
    9s 9d 7h 4c 2d  | bet     | win 10 10        | win 20 20         # 9.4.1.1, one pair 1 to 1
    9s 9d 7h 7c 2d  | bet     | win 10 10        | win 40 20         # two pairs 2 to 1
    8s 8d 8h 7c 2d  | bet     | win 10 10        | win 60 20         # three of a kind 3 to 1
    9s 8d 7h 6c 5d  | bet     | win 10 10        | win 80 20         # straight 4 to 1
    9s 8s 7s 6s 2s  | bet     | win 10 10        | win 100 20        # flush 5 to 1
    8s 8d 8h 7c 7d  | bet     | win 10 10        | win 140 20        # full house 7 to 1
    8s 8d 8h 8c 7d  | bet     | win 10 10        | win 400 20        # four of a kind 20 to 1
    9s 8s 7s 6s 5s  | bet     | win 10 10        | win 1000 20       # straight flush 50 to 1
    As 2s 3s 4s 5s  | bet     | win 10 10        | win 1000 20       # the ace low: 50 to 1, never 250
    As Ks Qs Js Ts  | bet     | win 10 10        | win 5000 20       # royal flush 250 to 1
    As Kd Jh 9d 8d  | bet     | win 10 10        | win 20 20         # one pair or less 1 to 1
    As Kd Jh 9d 5d  | bet     | stand_off 0 10   | stand_off 0 20    # 9.4.1.3
    As Kd Jh 9d 3d  | bet     | lose 0 0         | lose 0 0          # 9.4.1.2
    Qs Kd Jh 9d 3d  | bet     | lose 0 0         | lose 0 0          # 9.4.1.2
    As Ks Qs Js Ts  | concede | lose 0 0         | lose 0 0          # 9.7
    As Ks Qs Js Ts  | fold    | lose 0 0         |                   # 8.4
    As Ks Qs Js Ts  | absent  | lose 0 0         |                   # 14.14
"""


def test_hands_rank_as_rule_13_lists_them() -> None:
    """Every hand of the table has its name and beats the next one below it."""
    for cards, name, rule in HIGHEST_FIRST:
        assert name_of_hand(cards) == name, rule
    for (higher, _, rule), (lower, _, _) in pairwise(HIGHEST_FIRST):
        assert poker_value(higher) > poker_value(lower), rule


def test_suits_never_break_a_tie() -> None:
    """All suits have the same rank (3.3): the same ranks in other suits are an equal hand."""
    assert poker_value("As Kh Qd Jc 9c") == poker_value("Ah Ks Qc Jd 9d")
    assert poker_value("As Ks Qs Js Ts") == poker_value("Ah Kh Qh Jh Th")


@pytest.mark.parametrize(
    ("cards", "plays"),
    [
        ("As Kh 4d 3c 2c", True),
        ("As Qh Jd Tc 9c", False),
        ("Ks Qh Jd Tc 8c", False),
        ("2s 2h 5d 4c 3c", True),
        ("5s 4h 3d 2c Ac", True),
    ],
)
def test_the_dealer_plays_with_ace_king_or_higher(cards: str, plays: bool) -> None:  # noqa: FBT001
    """The dealer's hand qualifies by its poker value, not by holding an ace or a king (9.1)."""
    assert dealer_plays(cards) is plays


@pytest.mark.parametrize("row", AGAINST_ACE_KING.strip().splitlines())
def test_a_playing_dealer_settles_each_hand_by_its_value(row: str) -> None:
    """Ante and bet are paid, collected or stand off as 9.4 says, at the odds of 10.1."""
    cards, decision, *expected = (part.strip() for part in row.split("#", maxsplit=1)[0].split("|"))
    seat: dict[str, Any] = {"seat": 3, "ante_cents": 10, "decision": decision, "cards": cards}
    if decision in {"bet", "concede"}:
        seat["bet_cents"] = 20
    lines, winners = settle({"dealer": "Ac Kc Jc 9h 5c", "seats": [seat]})
    assert [f"{line['outcome']} {line['paid_cents']} {line['returned_cents']}" for line in lines] == list(
        filter(None, expected)
    )
    assert winners == []


def test_no_hand_pays_the_ante_and_voids_the_bet() -> None:
    """A dealer without ace and king pays antes of players remaining and returns bets, whatever they hold (9.2, 9.3)."""
    seats = [
        {"seat": 1, "ante_cents": 10, "decision": "bet", "bet_cents": 20, "cards": "7s 5h 4d 3c 2c"},
        {"seat": 2, "ante_cents": 10, "decision": "bet", "bet_cents": 20, "cards": "As Ks Qs Js Ts"},
        {"seat": 3, "ante_cents": 10, "decision": "fold", "cards": "9s 9h 9d 9c 8s"},
    ]
    lines, _ = settle({"dealer": "Kc Qc Jc Td 8c", "seats": seats})
    assert [(line["wager"], line["outcome"], line["paid_cents"], line["returned_cents"]) for line in lines] == [
        ("ante", "win", 10, 10),
        ("bet", "void", 0, 20),
        ("ante", "win", 10, 10),
        ("bet", "void", 0, 20),
        ("ante", "lose", 0, 0),
    ]


@pytest.mark.parametrize(
    ("covers", "most", "winnings"),
    [("winnings", 1000, 1000), ("with_stake", 1000, 980), ("winnings", 99, 99), ("with_stake", 15, 0)],
)
def test_the_maximum_payout_cuts_what_a_bet_wins(covers: str, most: int, winnings: int) -> None:
    """The notice's maximum (10.2) is of the winnings, or of winnings and stake, and never eats the stake."""
    assert bet_winnings("royal_flush", 20, {"max_payout_covers": covers, "max_payout_cents": most}) == winnings


def test_a_wager_over_the_maximum_is_played_to_the_maximum() -> None:
    """An ante of 15 at a maximum of 10 plays 10 (6.3); its bet is cut in step, or left, as `cap_linked_wager` says."""
    seat = {"seat": 1, "ante_cents": 15, "decision": "bet", "bet_cents": 30, "cards": "9s 9h 9d 9c 8s"}
    one_round: dict[str, Any] = {"dealer": "Ac Kc Jc 8h 5c", "seats": [seat], "limits": {"ante_max_cents": 10}}
    lines, _ = settle(one_round)
    assert [(line["stake_cents"], line["paid_cents"], line["returned_cents"]) for line in lines] == [
        (15, 10, 15),
        (30, 400, 30),
    ]
    lines, _ = settle({**one_round, "settings": {"cap_linked_wager": False}})
    assert [line["paid_cents"] for line in lines] == [10, 600]
    seat["cards"] = "9s 5h 4d 3c 2s"
    assert [line["returned_cents"] for line in settle(one_round)[0]] == [5, 10]


def test_a_wrong_bet_is_settled_as_far_as_it_may_be() -> None:
    """A bet that is too small plays as it is, one too large plays twice the ante (14.12)."""
    seat = {"seat": 1, "ante_cents": 10, "decision": "bet", "bet_cents": 15, "cards": "9s 9h 9d 9c 8s"}
    assert settle({"dealer": "Ac Kc Jc 8h 5c", "seats": [seat]})[0][1]["paid_cents"] == 300
    seat["bet_cents"] = 25
    assert settle({"dealer": "Ac Kc Jc 8h 5c", "seats": [seat]})[0][1]["paid_cents"] == 400


@pytest.mark.parametrize(
    ("decision", "settings", "wins"),
    [
        ("bet", {}, True),
        ("fold", {}, True),
        ("absent", {}, True),
        ("concede", {}, True),
        ("fold", {"folded_hand_wins": False}, False),
        ("absent", {"folded_hand_wins": False}, False),
        ("concede", {"folded_hand_wins": False}, True),
        ("concede", {"conceded_hand_wins": False}, False),
        ("fold", {"conceded_hand_wins": False}, True),
        ("bet", {"folded_hand_wins": False, "conceded_hand_wins": False}, True),
    ],
)
def test_who_wins_the_jackpot(decision: str, settings: dict[str, bool], *, wins: bool) -> None:
    """A wager and a qualifying hand win whatever the dealer holds (11.4); fold and concede as the terms rule."""
    seat: dict[str, Any] = {
        "seat": 4,
        "ante_cents": 10,
        "jackpot_cents": 100,
        "decision": decision,
        "cards": "9s 7s 5s 3s 2s",
    }
    if decision in {"bet", "concede"}:
        seat["bet_cents"] = 20
    lines, winners = settle({"dealer": "Kc Qc Jc Td 8c", "seats": [seat], "settings": settings})
    assert winners == ([(4, "flush")] if wins else [])
    assert lines[-1]["outcome"] == ("win" if wins else "lose")


def test_a_hand_without_the_jackpot_wager_wins_no_prize() -> None:
    """11.4 asks for the wager as well as the hand."""
    seat = {"seat": 4, "ante_cents": 10, "decision": "bet", "bet_cents": 20, "cards": "As Ks Qs Js Ts"}
    assert settle({"dealer": "Kc Qc Jc Td 8c", "seats": [seat]})[1] == []


@pytest.mark.parametrize(
    "cards", ["As As Kd Qd Jd", "10h 9h 8h 7h 6h", "1h 9h 8h 7h 6h", "As Kd Qd Jd", "As Kd Qd Jd 9d 8d"]
)
def test_no_hand_no_payout(cards: str) -> None:
    """A card twice, misspelt, one too few or too many is an error, never a payout."""
    with pytest.raises(ValueError, match="card"):
        name_of_hand(cards)


def test_one_deck() -> None:
    """A card at two places of one round is named."""
    seat = {"seat": 4, "ante_cents": 10, "decision": "bet", "bet_cents": 20, "cards": "As Ks Qs Js Ts"}
    with pytest.raises(ValueError, match="seen twice: As"):
        settle({"dealer": "As Qc Jc Td 8c", "seats": [seat]})
