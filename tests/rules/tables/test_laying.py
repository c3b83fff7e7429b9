"""A table's limits and people on the felts of its games: each wager is held to its own seat's limits."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from rules.games import GAMES, casino_war, four_card_poker, three_card_poker
from rules.games.caribbean_stud import PLAY, Felt, next_round, settlement_of
from rules.games.sic_bo import PLAY as DICE
from rules.games.sic_bo.felt import Felt as DiceFelt
from rules.limits import Limits
from rules.play import Move, MoveRefused, Position
from rules.tables import coming, lay
from tests.support.stud_table import NO_HAND, dealt, played, table
from tests.support.table_story import FIRST_AREA, OPENED_US, Story, a_table

FELTS: Final[dict[str, Callable[..., Any]]] = {
    "CSP": Felt,
    "TCP": three_card_poker.Felt,
    "FCP": four_card_poker.Felt,
    "WAR": casino_war.Felt,
}


def the_felt(story: Story) -> Position[Felt]:
    """A stud table open for wagers, laid by what holds now."""
    at = table(device="shuffler")
    return Position(at.state, lay(coming(story.table, story.cards, story.table.now_us), at.felt))


PLACED = """
1 | 1000   | ok
1 | 900    | CSP 6.1: below the minimum of 1000
2 | 1000   | CSP 6.1: below the minimum of 2500
2 | 2500   | ok
2 | 50100  | CSP 6.1: above the maximum of 50000
3 | 90000  | ok
3 | 2500   | CSP 6.1: below the minimum of 10000
4 | 5000   | CSP 16.1: nobody who showed a Player Card
5 | 5000   | CSP 16.4.2: zoe was directed not to take part
"""


@pytest.mark.parametrize("row", PLACED.strip().splitlines())
def test_each_wager_is_held_to_its_seats_limits(row: str) -> None:
    """CSP 6.5.1, 6.5.4, 6.6, 16.1: who was there before, a newcomer, one with an own sign, and who may not wager."""
    story = Story(a_table(places=5))
    story.tell(
        """
        0 join ann 1 | ok
        0 raise 25 500 | ok
        0 join ben 2 | ok
        0 join cid 3 | ok
        0 own cid 100 1000 | ok
        0 join zoe 5 | ok
        0 device zoe out_of_game | ok
        """
    )
    seat, cents, expected = (cell.strip() for cell in row.split("|"))
    at, move = the_felt(story), Move("place", int(seat), "ante", int(cents))
    if expected == "ok":
        assert move not in PLAY.legal_moves(PLAY.step(at, move))
        return
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, move)
    rule, _, words = expected.partition(": ")
    assert (caught.value.rule, words in caught.value.reason) == (rule, True)
    offered = [(each.seat, each.area) for each in PLAY.legal_moves(at) if each.name == "place"]
    assert ((int(seat), "ante") in offered) is (rule == "CSP 6.1")


def test_a_wager_is_settled_by_its_seats_limits() -> None:
    """CSP 6.3, 6.6: a wager above the table's maximum under a sign of the player's own is paid in full."""
    story = Story(a_table(places=2))
    story.tell("0 join ann 1 | ok\n0 join ben 2 | ok\n0 own ann 10 1000 | ok")
    at = played(the_felt(story), *(Move("place", seat, "ante", cents) for seat, cents in ((1, 90_000), (2, 1_000))))
    story.tell("1 alter 5 8 | ok")
    at = dealt(Position(at.state, lay(coming(story.table, story.cards, OPENED_US + 10**9), at.felt)))
    at = played(at, Move("bet", 1, cents=180_000), Move("bet", 2, cents=2_000), Move("turn_dealer", cards=NO_HAND))
    for seat in (2, 1):
        at = PLAY.step(at, Move("pay_ante", seat))
    lines = {(line.seat, line.wager): (line.paid_cents, line.returned_cents) for line in settlement_of(at).lines}
    assert lines[1, "ante"] == (90_000, 90_000)
    assert lines[2, "ante"] == (800, 1_000)


def test_the_next_round_keeps_what_was_laid() -> None:
    """What holds for the seats goes with the table into its next round, until it is laid anew."""
    story = Story(a_table(places=2))
    story.tell("0 join ann 1 | ok\n0 raise 25 500 | ok")
    at = the_felt(story)
    after = next_round(Position("cards_collected", at.felt)).felt
    assert after.own_limits == {1: Limits(1000, 50_000)}
    assert list(after.closed) == [2, 3, 4, 5, 6, 7, 8, 9]


def test_a_sic_bo_player_is_held_to_an_own_sign() -> None:
    """SIC 4.6: a player's own minimum and maximum go on the felt with the player, and off it when they end."""
    story = Story(a_table("SIC"))
    story.tell("0 join ann 1 | ok\n0 join ben 2 | ok\n0 own ann 100 1000 | ok")
    felt = lay(coming(story.table, story.cards, OPENED_US), DiceFelt(places=3))
    at = next(Position(state, felt) for state in DICE.states if DICE.arrow(state, "place"))
    assert DICE.step(at, Move("place", 1, "small", 90_000)).felt.player(1).placed_cents == 90_000
    for seat, cents, rule in ((1, 5_000, "SIC 4.6"), (2, 90_000, "SIC 4.1"), (2, 500, "SIC 4.1")):
        with pytest.raises(MoveRefused) as caught:
            DICE.step(at, Move("place", seat, "small", cents))
        assert caught.value.rule == rule
    story.tell("1 unown ann | ok")
    assert lay(coming(story.table, story.cards, OPENED_US + 10**9), felt).players == ()


IN_EVERY_BOOK = """
CSP | 1 | 1000  | ok
CSP | 1 | 900   | CSP 6.1
CSP | 2 | 900   | CSP 6.1
CSP | 2 | 60000 | ok
CSP | 3 | 2500  | CSP 16.1
TCP | 1 | 1000  | ok
TCP | 1 | 900   | TCP 6.1
TCP | 1 | 60000 | TCP 6.1
TCP | 2 | 60000 | ok
TCP | 3 | 2500  | TCP 14.1
FCP | 1 | 1000  | ok
FCP | 1 | 900   | FCP 6.1
FCP | 2 | 1000  | ok
FCP | 3 | 1000  | FCP 6.1
FCP | 3 | 2500  | ok
FCP | 4 | 2500  | FCP 6.1
WAR | 1 | 1000  | ok
WAR | 1 | 900   | WAR 6.1
WAR | 2 | 60000 | ok
WAR | 2 | 900   | WAR 6.6
WAR | 3 | 1000  | WAR 6.1
WAR | 3 | 2500  | ok
"""


@pytest.mark.parametrize("row", IN_EVERY_BOOK.strip().splitlines())
def test_every_card_game_holds_a_seat_to_its_limits(row: str) -> None:
    """A marked seat, one with an own sign where the book has them, and an empty one, on the felt of each card game."""
    book, seat, cents, expected = (cell.strip() for cell in row.split("|"))
    story = Story(a_table(book))
    story.tell("0 join ann 1 | ok\n0 join ben 2 | ok\n0 raise 25 500 | ok")
    if book != "FCP":
        story.tell("0 own ben 10 1000 | ok")
    game = next(each for each in GAMES.values() if each.book == book)
    assert game.play is not None
    state = next(state for state in game.play.states if game.play.arrow(state, "place"))
    at = Position(state, lay(coming(story.table, story.cards, OPENED_US), FELTS[book]("shuffler")))
    move = Move("place", int(seat), FIRST_AREA[book], int(cents))
    if expected == "ok":
        assert game.play.step(at, move).state == state
        return
    with pytest.raises(MoveRefused) as caught:
        game.play.step(at, move)
    assert caught.value.rule == expected


@pytest.mark.parametrize("book", ["CSP", "TCP", "FCP"])
def test_what_was_directed_is_laid_with_the_limits(book: str) -> None:
    """CSP 14.13, TCP 12.11, FCP 12.12: to play first and to speak English hold in each round that comes."""
    story = Story(a_table(book))
    story.tell("0 join ann 1 | ok\n0 join ben 2 | ok\n0 direct play_first ben | ok\n0 direct english_only | ok")
    felt = lay(coming(story.table, story.cards, OPENED_US), FELTS[book]("shuffler"))
    assert (felt.first, felt.english) == ({2}, True)
