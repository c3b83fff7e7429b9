"""`rules/games/caribbean_stud.py` held against the second opinion: each line of a round, and who wins the jackpot."""

import json
import random
from collections import Counter
from itertools import combinations
from typing import Any

from rules.cards import DECK, cards_text, parse_cards
from rules.games.caribbean_stud import dealer_qualifies, prize_of, settle
from rules.hands import five_card_value
from rules.limits import Limits
from rules.settings import Settings
from rules.terms import Terms, parse_form
from tests.oracle.caribbean_stud import QUALIFYING_HANDS, dealer_plays, name_of_hand, poker_value
from tests.oracle.caribbean_stud import settle as second_opinion
from tests.oracle.dealing import new_deck, random_round
from tests.oracle.terms import random_terms
from tests.support.plain_rounds import as_round

ROUNDS = 6_000
AT_LEAST = 30
ONE_IN_FIVE = 0.2


def random_limits(chance: random.Random) -> dict[str, Any]:
    """A sign: often without a maximum, sometimes with one for the bet of its own."""
    return {
        "ante_min_cents": chance.choice([1, 1_000, 2_500]),
        "ante_max_cents": chance.choice([None, None, 5_000, 50_000]),
        "bet_max_cents": chance.choice([None, None, None, 3_000, 10_000]),
    }


def random_settings(chance: random.Random) -> dict[str, Any]:
    """A table's approved settings, each ruling as often this as that."""
    return {
        "cap_linked_wager": chance.choice([True, False]),
        "max_payout_covers": chance.choice(["winnings", "with_stake"]),
        "max_payout_cents": chance.choice([None, 1, 4_000, 100_000, 10_000_000]),
        "token_on_win": chance.choice(["returned", "as_voucher"]),
    }


def terms_of_table(chance: random.Random) -> Terms:
    """Terms of a link with any reading of 11.4."""
    terms = random_terms(chance)
    for name in ("folded_hand_wins", "conceded_hand_wins", "stake_returned"):
        terms["rulings"][name] = chance.choice([True, False])
    return parse_form(json.dumps(terms).encode())


def kinds_of(one_round: dict[str, Any], lines: list[dict[str, Any]], winners: list[tuple[int, str]]) -> list[str]:
    """Name what happened in a round, to prove that the comparison met it."""
    kinds = [f"{line['wager']} {line['outcome']}" for line in lines]
    kinds += [f"prize {prize}" for _, prize in winners]
    kinds.append("dealer plays" if dealer_plays(one_round["dealer"]) else "no hand")
    seats = {seat["seat"]: seat for seat in one_round["seats"]}
    for line in lines:
        seat = seats[line["seat"]]
        if line["wager"] == "bet" and line["outcome"] == "win":
            kinds.append(f"bet wins on {name_of_hand(seat['cards'])}")
        if line["outcome"] == "lose" and line["returned_cents"]:
            kinds.append("over the limit")
    for number, _ in winners:
        kinds.append(f"{seats[number]['decision']} wins a prize")
        if not dealer_plays(one_round["dealer"]):
            kinds.append("prize without a dealer's hand")
    if len(winners) > 1:
        kinds.append("several winners")
    return kinds


EXPECTED_KINDS = [
    *("ante win", "ante lose", "ante stand_off"),
    *("bet win", "bet lose", "bet stand_off", "bet void", "bet returned"),
    *("jackpot win", "jackpot lose", "jackpot returned"),
    *(f"prize {name}" for name in ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")),
    *(f"bet wins on {name}" for name in ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")),
    *(f"bet wins on {name}" for name in ("straight", "three_of_a_kind", "two_pairs", "one_pair", "five_odd_cards")),
    *(f"{decision} wins a prize" for decision in ("bet", "fold", "absent", "concede")),
    *("prize without a dealer's hand", "several winners", "over the limit", "no hand", "dealer plays"),
]


def test_every_line_of_every_round_is_settled_alike(chance: random.Random) -> None:
    """Thousands of rounds, any limits, settings and terms: the same outcome, winnings, stakes back and prizes."""
    met: Counter[str] = Counter()
    for _ in range(ROUNDS):
        one_round, limits, settings = random_round(chance), random_limits(chance), random_settings(chance)
        terms = terms_of_table(chance)
        for seat in one_round["seats"]:
            if chance.random() < ONE_IN_FIVE:
                stated = random_limits(chance).items()
                seat["own_limits"] = {name: cents for name, cents in stated if cents is not None}
        theirs = settle(as_round(one_round), Settings(**settings), Limits(**limits), terms=terms)
        rulings = {
            name: getattr(terms.rulings, name) for name in ("folded_hand_wins", "conceded_hand_wins", "stake_returned")
        }
        given = {
            **one_round,
            "settings": {**settings, **rulings},
            "limits": {**limits, "jackpot_cents": terms.qualifying_wager_cents},
        }
        lines, winners = second_opinion(given)
        lines.sort(key=lambda line: line["seat"])
        names = ("seat", "wager", "stake_cents", "outcome", "paid_cents", "returned_cents")
        assert [{name: getattr(line, name) for name in names} for line in theirs.lines] == lines, json.dumps(given)
        assert [(winner.seat, winner.prize) for winner in theirs.qualifying] == sorted(winners), json.dumps(given)
        assert all(line.rules for line in theirs.lines), json.dumps(given)
        met.update(kinds_of(one_round, lines, winners))
    scarce = {kind: met[kind] for kind in EXPECTED_KINDS if met[kind] < AT_LEAST}
    assert scarce == {}, met


def test_the_order_of_seats_in_a_message_changes_nothing(chance: random.Random) -> None:
    """The same seats in another order are the same round, with the same settlement."""
    for _ in range(300):
        one_round = random_round(chance)
        there = settle(as_round(one_round))
        chance.shuffle(one_round["seats"])
        assert settle(as_round(one_round)) == there


def test_any_two_hands_compare_alike(chance: random.Random) -> None:
    """Names, order, the dealer's qualifying and the prize of twenty thousand hands are those of the second opinion."""
    before = None
    for _ in range(20_000):
        text = " ".join(new_deck(chance)[:5])
        value, mine = five_card_value(parse_cards(text)), poker_value(text)
        name = name_of_hand(text)
        assert value.category == name, text
        assert dealer_qualifies(value) == dealer_plays(text), text
        assert prize_of(value) == (name if name in QUALIFYING_HANDS else None), text
        if before is not None:
            other, other_mine, other_text = before
            assert (value > other, value == other) == (mine > other_mine, mine == other_mine), f"{text} / {other_text}"
        before = value, mine, text


def test_all_hands_of_two_suits_compare_alike() -> None:
    """Every five cards of the spades and hearts from the nine up, and of the low cards: the same order throughout."""
    for ranks in ("9TJQKA", "2345A6"):
        cards = [card for card in DECK if cards_text([card])[0] in ranks and cards_text([card])[1] in "hs"]
        hands = list(combinations(cards, 5))
        by_rules = sorted(hands, key=five_card_value)
        by_second_opinion = sorted(hands, key=lambda hand: poker_value(cards_text(hand)))
        assert by_rules == by_second_opinion
