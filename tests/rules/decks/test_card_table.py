"""A game's moves and its decks together: what the machine allows, the cards may refuse."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from rules.decks.alternating import TableDecks
from rules.decks.checks import Found
from rules.decks.lives import Deck, DeckRefused, Moment, check, count, deliver, put_in
from rules.decks.playing import CardTable
from rules.games import GAMES, caribbean_stud, casino_war, four_card_poker, three_card_poker
from rules.play import Move, MoveRefused, Position

Lay = Callable[..., list[Found]]
At = Callable[[int], datetime]
Deal = Callable[..., CardTable[Any]]

POKER: dict[str, Any] = {
    "caribbean_stud": caribbean_stud,
    "three_card_poker": three_card_poker,
    "four_card_poker": four_card_poker,
}
FURTHER = {"caribbean_stud": "CSP 14.9.3", "three_card_poker": "TCP 12.9.3", "four_card_poker": "FCP 12.10.3"}


@pytest.fixture
def bring(laid_out: Lay, at: At) -> Callable[..., Deck]:
    """A deck that was checked and brought to the table."""

    def bring(deck: str, book: str, back: str = "red") -> Deck:
        new = deliver(deck, book, back, at(6), "the store")
        return put_in(check(new, laid_out(back, new.cards.decks), "dealer", at(7), "J. Ho"), "T4", at(8), "J. Ho")

    return bring


@pytest.fixture
def table(bring: Callable[..., Deck]) -> Deal:
    """A table of a game, with its cards new."""

    def table(name: str, *, two: bool = False) -> CardTable[Any]:
        game, module = GAMES[name], POKER.get(name, casino_war)
        device: Any = "shuffler" if two else "shoe"
        second = bring("D2", game.book, "blue") if two else None
        decks = TableDecks(game.book, "T4", device, bring("D1", game.book), second)
        return CardTable(module.PLAY, module.PLAY.begin(module.Felt(device)), decks)

    return table


def played(at: CardTable[Any], *names: str) -> CardTable[Any]:
    """The table after moves that have no more than a name; the first card goes where the game deals it."""
    for name in names:
        move = next(move for move in at.play.legal_moves(at.at) if move.name == name)
        if name == "place":
            move = Move(name, 1, "ante", 1000)
        if name == "deal" and (at.decks.book, at.decks.device) == ("CSP", "shuffler"):
            move = Move(name, 0, cards=(51,))  # The dealer's five come first, the bottom one face up (CSP 7.4.1).
        at = at.step(move)
    return at


@pytest.mark.parametrize("name", POKER)
def test_a_round_with_one_deck(table: Deal, name: str) -> None:
    """Rules 4.1.1 and 4.1.2: shuffled before the first round, and again before the next."""
    at = played(table(name), "check_cards")
    assert at.decks.due.endswith("4.1.1")
    at = played(at, "shuffle", "cut", "place", "deal")
    assert at.decks.due == ""
    at = played(at, "misdeal", "collect_cards")
    coming = at.next_round(POKER[name].next_round(at.at))
    assert (coming.at.state, coming.to_check) == ("cards_checked", False)
    assert coming.decks.due.endswith("4.1.2")
    assert played(coming, "shuffle", "cut", "place", "deal").decks.due == ""


@pytest.mark.parametrize("name", POKER)
def test_a_round_with_two_decks(table: Deal, name: str) -> None:
    """Rule 3.2.1: the deck that the device shuffled meanwhile is dealt next."""
    at = played(table(name, two=True), "check_cards", "load", "place", "deal", "misdeal", "collect_cards")
    coming = at.next_round(POKER[name].next_round(at.at))
    assert (at.decks.in_play.id, coming.decks.in_play.id, coming.decks.due) == ("D1", "D2", "")


@pytest.mark.parametrize("name", POKER)
def test_an_empty_table_shuffles_again(table: Deal, name: str) -> None:
    """Rule 4.1.3: after a time without players the cards are shuffled before play begins again."""
    at = played(table(name), "check_cards", "shuffle", "cut")
    empty = at.vacant()
    assert (empty.at.state, empty.decks.due[-5:]) == ("cards_checked", "4.1.3")
    for placed in (played(at, "place"), played(at, "place", "deal")):
        with pytest.raises(DeckRefused, match="is not vacant"):
            placed.vacant()


@pytest.mark.parametrize("name", POKER)
def test_cards_of_which_one_was_wrong_are_counted_first(
    table: Deal, bring: Callable[..., Deck], laid_out: Lay, at: At, name: str
) -> None:
    """CSP 14.9.3, TCP 12.9.3, FCP 12.10.3: no round before the deck was checked for more of them, or changed."""
    stood = played(table(name), "check_cards", "shuffle", "cut", "place", "deal", "void_round", "collect_cards")
    coming = stood.next_round(POKER[name].next_round(stood.at))
    assert coming.to_check
    with pytest.raises(MoveRefused) as refused:
        coming.step(Move("check_cards"))
    assert refused.value.rule == FURTHER[name]
    deck = coming.decks.in_play
    whole = coming.counted(count(deck, laid_out("red"), "inspector", at(20), "J. Ho"))
    assert played(whole, "check_cards").at.state == "cards_checked"
    with pytest.raises(DeckRefused, match="cards are checked and brought to the table"):
        coming.counted(count(deck, laid_out("red", 1, "2c"), "inspector", at(20), "J. Ho"))
    for other in (deck, bring("D9", deck.book)):
        with pytest.raises(DeckRefused, match="D1 is in play, and has to be counted"):
            coming.counted(other)
    fresh = check(deliver("D3", deck.book, "red", at(6), "the store"), laid_out("red"), "dealer", at(7), "J. Ho")
    after, old = coming.changed(fresh, Moment(between_rounds=True, device="shoe"), "a card missing", at(20), "M. Diaz")
    assert (old.state, after.to_check, after.decks.due[-3:]) == ("out", False, "3.7")


def test_a_deal_of_cards_that_are_to_be_shuffled_is_refused(table: Deal) -> None:
    """CSP 4.1: whatever the machine would allow, a deck that has to be shuffled is not dealt; nothing has changed."""
    at = played(table("caribbean_stud"), "check_cards", "shuffle", "cut", "place")
    unfit = CardTable(at.play, at.at, at.decks.to_shuffle("round_completed"))
    with pytest.raises(MoveRefused, match=r"CSP 4\.1\.2: deal: the cards are to be shuffled"):
        unfit.step(Move("deal", 0))


def test_six_decks_go_on_until_they_are_to_be_shuffled(table: Deal) -> None:
    """WAR 4.1.3, 11.6.1: with the cards that remain, until the cutting card has come."""
    fresh = table("casino_war")
    at = CardTable(fresh.play, fresh.at, fresh.decks.intermixed())
    felt = casino_war.Felt("shoe")
    remaining = casino_war.PLAY.begin(casino_war.Felt("shoe", loaded=True))
    assert at.next_round(remaining).decks.due == ""
    shuffled = at.next_round(Position("cards_checked", felt), "cutting_card_came")
    assert (shuffled.decks.due, shuffled.to_check) == ("WAR 4.1.3", False)
    assert at.next_round(Position("cards_checked", felt)).decks.due == "WAR 4.1.4"
    assert at.next_round(casino_war.PLAY.begin(felt)).to_check
