"""Who cuts, in which order, and where the cutting card lies."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.decks.cutting import (
    CutRefused,
    Occasion,
    check_cutter,
    check_poker_cut,
    cut,
    cut_by_dealer,
    cut_order,
)

FOUR = {1: "Ann", 3: "Bob", 5: "Cyd", 8: "Dee"}
TWO_AREAS = {2: "Ann", 4: "Bob", 6: "Ann"}

ORDERS: tuple[tuple[Occasion, dict[int, str], int | None, str, tuple[int | None, ...]], ...] = (
    ("game_commencing", FOUR, 3, "WAR 4.3.1", (3, 5, 8, 1, None)),
    ("cutting_card_on_player", FOUR, 8, "WAR 4.3.2", (8, 1, 3, 5, None)),
    ("cutting_card_on_dealer", FOUR, None, "WAR 4.3.3", (8, 1, 3, 5, None)),
    ("cutting_card_first", FOUR, None, "WAR 4.3.4", (8, 1, 3, 5, None)),
    ("cards_replaced", FOUR, None, "WAR 4.3.5", (8, 1, 3, 5, None)),
    ("cutting_card_on_player", TWO_AREAS, 4, "WAR 4.3.2", (4, 6, None)),
    ("cards_replaced", TWO_AREAS, None, "WAR 4.3.5", (6, 4, None)),
    ("game_commencing", {}, None, "WAR 4.4", (None,)),
    ("cards_replaced", {}, None, "WAR 4.4", (None,)),
)


@pytest.mark.parametrize(("occasion", "players", "seat", "rule", "order"), ORDERS)
def test_to_whom_the_cut_is_offered(
    occasion: Occasion, players: dict[int, str], seat: int | None, rule: str, order: tuple[int | None, ...]
) -> None:
    """WAR 4.3.1 to 4.3.5, 4.4: first to the player the occasion names, then clockwise, each player once, then to a
    casino supervisor.
    """
    offered = cut_order(occasion, players, seat)
    assert tuple(each.seat for each in offered) == order
    assert [each.rule for each in offered] == [rule, *["WAR 4.4"] * (len(order) - 1)]


@pytest.mark.parametrize(
    ("occasion", "rule"), [("game_commencing", "WAR 4.3.1"), ("cutting_card_on_player", "WAR 4.3.2")]
)
@pytest.mark.parametrize("seat", [None, 2])
def test_the_occasion_names_a_player(occasion: Occasion, rule: str, seat: int | None) -> None:
    """WAR 4.3.1, 4.3.2: who is designated by a seat sits there."""
    with pytest.raises(CutRefused, match=rule):
        cut_order(occasion, FOUR, seat)


CUTTERS = (
    # refused so far | who cuts | by, or refused by
    ((), 8, "WAR 4.3.3"),
    ((8,), 1, "WAR 4.4"),
    ((8, 1, 3), 5, "WAR 4.4"),
    ((8, 1, 3, 5), None, "WAR 4.4"),
    ((), 1, "!WAR 4.3.3"),
    ((), None, "!WAR 4.3.3"),
    ((8,), 3, "!WAR 4.4"),
    ((8, 1, 3, 5), 5, "!WAR 4.4"),
    ((1,), 3, "!WAR 4.4"),
)


@pytest.mark.parametrize(("refused", "cutter", "rule"), CUTTERS)
def test_who_cuts_after_who_refused(refused: tuple[int, ...], cutter: int | None, rule: str) -> None:
    """WAR 4.4: nobody out of turn, and a casino supervisor only once every player has refused."""
    order = cut_order("cutting_card_on_dealer", FOUR)
    if not rule.startswith("!"):
        assert check_cutter(order, refused, cutter).rule == rule
        return
    with pytest.raises(CutRefused) as error:
        check_cutter(order, refused, cutter)
    assert error.value.rule == rule[1:]


@given(st.integers(-1, 313), st.integers(-1, 313))
@example(51, 1)
@example(52, 1)
@example(260, 156)
@example(261, 156)
@example(156, 0)
@example(156, 157)
def test_where_the_cut_of_six_decks_lies(place: int, back: int) -> None:
    """WAR 4.5, 4.6: a deck in from either end at least; the cutting card up to half way from the back; no card lost."""
    stack = tuple(range(312))
    if 52 <= place <= 260 and 1 <= back <= 156:
        cards, cutting_card = cut(stack, place, back)
        assert cards == stack[place:] + stack[:place]
        assert cutting_card == 312 - back
        return
    with pytest.raises(CutRefused) as error:
        cut(stack, place, back)
    assert error.value.rule == ("WAR 4.6" if 52 <= place <= 260 else "WAR 4.5")


@pytest.mark.parametrize("book", ["CSP", "TCP", "FCP"])
def test_the_dealer_alone_cuts_at_poker(book: str) -> None:
    """Rules 4.2 and 4.3: the dealer, no player and nobody else; the cards go on the cutting card."""
    check_poker_cut(book, "shoe", is_cut=True)
    check_poker_cut(book, "shoe", is_cut=True, seat=0)
    check_poker_cut(book, "shuffler", is_cut=False)
    for seat in range(1, 10):
        with pytest.raises(CutRefused, match=rf"{book} 4\.3"):
            check_poker_cut(book, "shoe", is_cut=True, seat=seat)
    with pytest.raises(CutRefused, match=rf"{book} 4\.2"):
        check_poker_cut(book, "shoe", is_cut=False)
    with pytest.raises(CutRefused, match=rf"{book} 4\.4"):
        check_poker_cut(book, "shuffler", is_cut=True)
    assert cut_by_dealer(book, range(52), 20) == ((*range(20, 52), *range(20)), 52)
    for place in (-1, 0, 52, 53):
        with pytest.raises(CutRefused, match=rf"{book} 4\.2"):
            cut_by_dealer(book, range(52), place)
