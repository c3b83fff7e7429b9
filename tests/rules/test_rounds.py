"""Rounds that cannot have been dealt are refused with the field, the value and the reason."""

from dataclasses import replace
from typing import Any

import pytest

from rules.cards import parse_cards
from rules.rounds import Round, RoundError, Seat

ROYAL = parse_cards("As Ks Qs Js Ts")
PLAIN = parse_cards("Ad Kd 4h 3c 2c")
ROUND = Round("caribbean_stud", "2024-08-16", "shoe", PLAIN, (Seat(1, 1000), Seat(4, 500, 100, "bet", 1000, ROYAL)))

IMPOSSIBLE: list[tuple[dict[str, Any], str, str]] = [
    ({"seat": 0}, "seats[1].seat", "0"),
    ({"seat": 10}, "seats[1].seat", "10"),
    ({"seat": 1}, "seats[1].seat", "1"),
    ({"ante_cents": 0}, "seats[1].ante_cents", "0"),
    ({"ante_cents": -100}, "seats[1].ante_cents", "-100"),
    ({"ante_cents": 10**12 + 1}, "seats[1].ante_cents", "1000000000001"),
    ({"jackpot_cents": 0}, "seats[1].jackpot_cents", "0"),
    ({"bet_cents": -1}, "seats[1].bet_cents", "-1"),
    ({"cards": ROYAL[:4]}, "seats[1].cards", "As Ks Qs Js"),
    ({"cards": (*ROYAL, 0)}, "seats[1].cards", "As Ks Qs Js Ts 2c"),
    ({"cards": ()}, "seats[1].cards", ""),
    ({"cards": (*ROYAL[:4], ROYAL[0])}, "seats[1].cards", "As"),
    ({"cards": (*ROYAL[:4], PLAIN[1])}, "seats[1].cards", "Kd"),
]


@pytest.mark.parametrize(("change", "field", "value"), IMPOSSIBLE)
def test_impossible_seats(change: dict[str, Any], field: str, value: str) -> None:
    """CASES 45: a card twice in one hand or at two seats, four or six cards, an amount that is none: never a round."""
    with pytest.raises(RoundError) as caught:
        replace(ROUND, seats=(ROUND.seats[0], replace(ROUND.seats[1], **change)))
    assert (caught.value.field, caught.value.value) == (field, value)


def test_a_card_at_two_seats_names_both() -> None:
    """CSP 3.1: there is one deck; the error names the card and both places."""
    with pytest.raises(RoundError, match=r"seats\[1\].cards: As: seen in the hand of seat 2 and in the hand of seat 5"):
        replace(ROUND, seats=(Seat(2, 1000, cards=ROYAL), Seat(5, 1000, cards=(51, 0, 5, 10, 15))))


@pytest.mark.parametrize(("dealer", "value"), [(PLAIN[:4], "Ad Kd 4h 3c"), ((0, 0, 1, 2, 3), "2c")])
def test_impossible_dealers_hands(dealer: tuple[int, ...], value: str) -> None:
    """CSP 14.2: the dealer's hand has five different cards as well."""
    with pytest.raises(RoundError) as caught:
        replace(ROUND, dealer=dealer)
    assert (caught.value.field, caught.value.value) == ("dealer", value)


def test_a_round_without_an_ante_is_none() -> None:
    """CSP 5.3.1: cards are dealt to antes."""
    with pytest.raises(RoundError, match="seats"):
        replace(ROUND, seats=())
