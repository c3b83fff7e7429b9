"""Four Card Poker's main game: dealer's hands are counted as looked at one by one, and best play follows the counts."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import pytest

from rules.cards import DECK, parse_card, parse_cards
from rules.four_card_hands import best_four, four_card_value
from rules.games import GAMES, four_card_poker
from rules.odds import four_card_poker as odds
from rules.odds.four_card_dealer import COMPLETED, _Lifted, as_high, every_hand
from rules.schedules import chosen

UNIT = 1000


def test_a_hand_is_as_high_as_every_dealers_hand_says() -> None:
    """FCP 9.1, 10.6: with each of the 1,370,754 ways to complete a dealer's hand looked at, the count is the same."""
    hand, turned_up = parse_cards("7c 8d 9s Jc Qh"), parse_card("7d")
    mine = best_four(hand).value.rank
    higher = {four for four in combinations(DECK, 4) if four_card_value(four).rank > mine}
    # A dealer's hand is higher where any four of it are: looked up from the turned card's fours on, most end soon.
    left = [card for card in DECK if card not in hand and card != turned_up]
    found = 0
    for others in combinations(left, 5):
        if not any(four in higher for four in combinations(sorted((*others, turned_up)), 4)):
            found += 1
    assert as_high(hand, turned_up) == found


@pytest.mark.parametrize(
    ("hand", "turned_up"),
    [
        ("As Kd Jh 8c 3s", "8d"),
        ("2c 3c 4c 5c 9d", "Ad"),
        ("Th Jh Qh Kh 2h", "Ah"),
        ("9h 9s 9c Kd Kh", "Ac"),
        ("8c 9d Ts Jh Jc", "2s"),
        ("Ac Ad 7h 7s 2c", "As"),
    ],
)
def test_a_hand_wins_as_often_as_it_is_settled_to(hand: str, turned_up: str) -> None:
    """FCP 9.2: of 3,000 dealer's hands drawn and settled it wins its counted share, to within one part in forty."""
    cards, up = parse_cards(hand), parse_card(turned_up)
    left = [card for card in DECK if card not in cards and card != up]
    rng = random.Random(5)
    seat = four_card_poker.Seat(1, UNIT, decision="play", play_cents=UNIT, cards=cards)
    won = 0
    for _ in range(3_000):
        dealer = (*rng.sample(left, 5), up)
        won += four_card_poker.settle(four_card_poker.Round("shoe", dealer, (seat,))).lines[0].outcome == "win"
    assert abs(Fraction(won, 3_000) - Fraction(as_high(cards, up), COMPLETED)) < Fraction(1, 40)


def test_best_play_is_made_of_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """FCP 8.5, 10: three times the ante where a play wager gains, once where it loses less than folding, else fold."""
    half, tenth = COMPLETED // 2, COMPLETED // 10

    def three(progress: Callable[[int, int], None]) -> Iterator[tuple[str, int, int]]:
        progress(1, 1)
        yield "three_of_a_kind", 1, COMPLETED - tenth
        yield "one_pair", 2, half - tenth
        yield "four_odd_cards", 5, tenth

    monkeypatch.setattr(odds, "every_hand", three)
    monkeypatch.setattr(odds, "HANDS", 8)
    schedules = chosen("four_card_poker", GAMES["four_card_poker"].schedules)
    ante, play = odds.main_rows(schedules, lambda _done, _of: None)
    assert Counter({(each.outcome, each.pays): each.ways for each in ante.outcomes}) == {
        ("win_3_times_three_of_a_kind", 6): COMPLETED - tenth,
        ("lose_3_times_three_of_a_kind", -2): tenth,
        ("win_1_times", 2): 2 * (half - tenth),
        ("lose_1_times", -2): 2 * (COMPLETED - half + tenth),
        ("fold", -1): 5 * COMPLETED,
    }
    ways = {each.outcome: each.ways for each in play.outcomes}
    assert ways["win"] == 3 * (COMPLETED - tenth) + 2 * (half - tenth)


def test_hands_alike_are_all_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hand and card turned up is gone through once: 2,598,960 times 47, four of a kind 624 times 47."""
    monkeypatch.setattr("rules.odds.four_card_dealer._every_lifted", lambda _tell: _Nothing())
    monkeypatch.setattr("rules.odds.four_card_dealer._dealers", _NoDealers)
    kinds: Counter[str] = Counter()
    for kind, alike, _ in every_hand(lambda _done, _of: None):
        kinds[kind] += alike
    assert kinds.total() == 2_598_960 * 47
    assert kinds["four_of_a_kind"] == 624 * 47


class _NoDealers:
    """Dealers without a hand."""

    def plain_below(self, _ranks: tuple[int, ...], worths: tuple[int, ...]) -> list[int]:
        """Nothing is below anything."""
        return [0] * len(worths)


class _Nothing(dict[tuple[int, int, int], _Lifted]):
    """No suit lifts any hand."""

    def __missing__(self, _key: tuple[int, int, int]) -> _Lifted:
        return _Lifted(0, 0)
