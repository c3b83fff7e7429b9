"""One deck, or two in turn with backs of different colours while a device shuffles."""

from collections.abc import Callable
from datetime import datetime

import pytest

from rules.decks.alternating import Occasion, TableDecks
from rules.decks.checks import Found
from rules.decks.lives import Deck, DeckRefused, Moment, check, deliver, put_in
from rules.rounds import Device

Bring = Callable[[str, str, str], Deck]
POKER = ("CSP", "TCP", "FCP")


@pytest.fixture
def bring(laid_out: Callable[..., list[Found]], at: Callable[[int], datetime]) -> Bring:
    """A deck that was checked and brought to the table."""

    def bring(deck: str, book: str, back: str) -> Deck:
        new = deliver(deck, book, back, at(6), "the store")
        checked = check(new, laid_out(back, new.cards.decks), "dealer", at(7), "J. Ho")
        return put_in(checked, "T4", at(8), "J. Ho")

    return bring


@pytest.mark.parametrize("book", POKER)
def test_two_decks_take_turns(bring: Bring, book: str) -> None:
    """Rule 3.2.1: one is in play while the device shuffles the other; with one deck it is always that."""
    red, blue = bring("D1", book, "red"), bring("D2", book, "blue")
    decks = TableDecks(book, "T4", "shuffler", red, blue).intermixed()
    after = decks.next_round()
    assert (after.in_play, after.in_device, after.due) == (blue, red, "")
    assert after.next_round() == decks
    for device in ("shoe", "shuffler"):
        alone = TableDecks(book, "T4", "shoe" if device == "shoe" else "shuffler", red)
        assert alone.next_round().in_play == red


SECOND = (
    # book | device   | backs          | rule
    *((book, "shuffler", ("red", "red"), f"{book} 3.2.2") for book in POKER),
    *((book, "shoe", ("red", "blue"), f"{book} 3.2.1") for book in POKER),
    ("WAR", "shuffler", ("red", "blue"), "WAR 3.1"),
    ("WAR", "shoe", ("red", "blue"), "WAR 3.1"),
)


@pytest.mark.parametrize(("book", "device", "backs", "rule"), SECOND)
def test_which_second_deck_is_refused(
    bring: Bring, book: str, device: Device, backs: tuple[str, str], rule: str
) -> None:
    """Rules 3.2.1 and 3.2.2: only in a device, and with another back; Casino War has six decks and no others (3.1)."""
    first, second = bring("D1", book, backs[0]), bring("D2", book, backs[1])
    with pytest.raises(DeckRefused) as refused:
        TableDecks(book, "T4", device, first, second)
    assert refused.value.rule == rule


@pytest.mark.parametrize("book", POKER)
def test_when_a_deck_is_shuffled(bring: Bring, book: str) -> None:
    """Rules 4.1.1 to 4.1.3: before play starts, after each round, and after the table was vacant."""
    decks = TableDecks(book, "T4", "shoe", bring("D1", book, "red"))
    for to_be_shuffled, rule in (
        (decks, "4.1.1"),
        (decks.intermixed().next_round(), "4.1.2"),
        (decks.intermixed().to_shuffle("table_vacant"), "4.1.3"),
    ):
        with pytest.raises(DeckRefused) as refused:
            to_be_shuffled.check_dealt()
        assert refused.value.rule == to_be_shuffled.due == f"{book} {rule}"
        to_be_shuffled.intermixed().check_dealt()
    with pytest.raises(DeckRefused, match=rf"{book} 4\.1: D1: cutting_card_came"):
        decks.to_shuffle("cutting_card_came")


@pytest.mark.parametrize(
    ("why", "rule"), [("cutting_card_first", "4.1.2"), ("cutting_card_came", "4.1.3"), ("directed", "4.1.4")]
)
def test_when_six_decks_are_shuffled(bring: Bring, why: Occasion, rule: str) -> None:
    """WAR 4.1.1 to 4.1.4: before play starts, for the cutting card, or where it is directed; not after each round."""
    decks = TableDecks("WAR", "T4", "shoe", bring("D1", "WAR", "red"))
    assert decks.due == "WAR 4.1.1"
    played = decks.intermixed().next_round()
    played.check_dealt()
    with pytest.raises(DeckRefused, match=rf"WAR {rule}"):
        played.to_shuffle(why).check_dealt()
    with pytest.raises(DeckRefused, match=r"WAR 4\.1: D1: table_vacant"):
        played.to_shuffle("table_vacant")


@pytest.mark.parametrize("book", POKER)
def test_a_deck_is_in_one_place(bring: Bring, book: str) -> None:
    """Rule 3.2.1: the deck in the device is another one, whatever its back is said to be."""
    deck = bring("D1", book, "red")
    with pytest.raises(DeckRefused, match="that deck is in play"):
        TableDecks(book, "T4", "shuffler", deck, bring("D1", book, "blue"))


def test_a_table_is_played_with_checked_cards_of_its_book(bring: Bring, at: Callable[[int], datetime]) -> None:
    """Rules 3.1 and 3.4: no unchecked cards, and none of another game's make."""
    with pytest.raises(DeckRefused, match=r"CSP 3\.4: D1: cards are checked"):
        TableDecks("CSP", "T4", "shoe", deliver("D1", "CSP", "red", at(6), "the store"))
    with pytest.raises(DeckRefused, match=r"WAR 3\.1: D1: the cards of CSP, not of WAR"):
        TableDecks("WAR", "T4", "shoe", bring("D1", "CSP", "red"))


@pytest.mark.parametrize("book", [*POKER, "WAR"])
def test_cards_are_changed_for_checked_ones(
    bring: Bring, laid_out: Callable[..., list[Found]], at: Callable[[int], datetime], book: str
) -> None:
    """Rule 3.7 (WAR 3.5): the new cards were checked; the old deck is out, with the reason."""
    moment = Moment(between_rounds=True, device="shuffler", cutting_card_exposed=True)
    decks = TableDecks(book, "T4", "shoe", bring("D1", book, "red"))
    new = deliver("D3", book, "red", at(9), "the store")
    with pytest.raises(DeckRefused, match="put in: not while it is new and not checked"):
        decks.changed(new, moment, "a torn card", at(10), "M. Diaz")
    new = check(new, laid_out("red", new.cards.decks), "dealer", at(9), "J. Ho")
    after, old = decks.changed(new, moment, "a torn card", at(10), "M. Diaz")
    assert (after.in_play.id, after.in_play.state, old.state, old.life[-1].words) == ("D3", "in", "out", "a torn card")
    assert after.due == ("WAR 4.3.5" if book == "WAR" else f"{book} 3.7")
    with pytest.raises(DeckRefused, match="cards are changed after a round"):
        decks.changed(new, Moment(between_rounds=False, device="shuffler"), "a torn card", at(10), "M. Diaz")
