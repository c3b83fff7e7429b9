"""The life of a deck: what may happen to it where it stands, by which rule, and what is written down."""

from collections.abc import Callable
from datetime import datetime

import pytest

from rules.decks.books import BOOKS
from rules.decks.checks import Found
from rules.decks.lives import (
    Deck,
    DeckRefused,
    Moment,
    change,
    check,
    count,
    deliver,
    put_in,
    retire,
    secure,
    set_right,
    shift,
)

Lay = Callable[..., list[Found]]
At = Callable[[int], datetime]

AFTER_A_ROUND = Moment(between_rounds=True, device="shuffler")

LEGAL = """
new      | check=checked  wrong=held  count=new  miscount=held  retire=retired
checked  | check=checked  wrong=held  secure=secured  put_in=in  count=checked  miscount=held  retire=retired
secured  | put_in=in  count=secured  miscount=held  retire=retired
in       | shift=in  change=out  count=in  miscount=held  set_right=in
held     | check=checked  wrong=held  change=out  count=held  miscount=held  set_right=out  retire=retired
out      | check=checked  wrong=held  count=out  miscount=held  set_right=out  retire=retired
retired  |
"""
ACTS = ("check", "wrong", "secure", "put_in", "shift", "change", "count", "miscount", "set_right", "retire")

RULES = """
check     | CSP 3.4 | TCP 3.4 | FCP 3.4 | WAR 3.3
secure    | CSP 3.5 | TCP 3.5 | FCP 3.5 | WAR 3.4
put_in    | CSP 3.4 | TCP 3.4 | FCP 3.4 | WAR 3.3
shift     | CSP 3.6 | TCP 3.6 | FCP 3.6 | WAR 3.6
change    | CSP 3.7 | TCP 3.7 | FCP 3.7 | WAR 3.5
count     | CSP 3.8 | TCP 3.8 | FCP 3.8 | WAR 3.8
set_right | CSP 14.9 | TCP 12.9 | FCP 12.10 | WAR 11.17
retire    | CSP 3.7 | TCP 3.7 | FCP 3.7 | WAR 3.5
"""


def rows(table: str) -> dict[str, list[str]]:
    """The rows of a table by their first word."""
    cells = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return {first: rest for first, *rest in cells}


class Floor:
    """Whoever has decks on the floor: does each act with cards that are all there, or that are not."""

    def __init__(self, lay: Lay, at: At) -> None:
        """Everything happens at noon of one day, in the order in which it is done."""
        self._lay = lay
        self._at = at(12)

    def new(self, book: str) -> Deck:
        """A deck of a book as delivered."""
        return deliver("D7", book, "red", self._at, "the store")

    def do(self, deck: Deck, act: str) -> Deck:
        """The deck after an act; ``wrong`` and ``miscount`` find a card missing."""
        decks, at, by = deck.cards.decks, self._at, "J. Ho"
        whole, short = self._lay("red", decks), self._lay("red", decks, "2c")
        acts: dict[str, Callable[[], Deck]] = {
            "check": lambda: check(deck, whole, "dealer", at, by),
            "wrong": lambda: check(deck, short, "deck_checking_device", at, by),
            "secure": lambda: secure(deck, at, by),
            "put_in": lambda: put_in(deck, "T4", at, by),
            "shift": lambda: shift(deck, "to the second device", at, by),
            "change": lambda: change(deck, AFTER_A_ROUND, "a bent corner", at, by),
            "count": lambda: count(deck, whole, "inspector", at, by),
            "miscount": lambda: count(deck, short, "casino_supervisor", at, by),
            "set_right": lambda: set_right(deck, ["2c"], "D9", at, by),
            "retire": lambda: retire(deck, "worn", at, by),
        }
        return acts[act]()

    def at_state(self, book: str, state: str) -> Deck:
        """A deck brought to a state."""
        way = {
            "new": (),
            "checked": ("check",),
            "secured": ("check", "secure"),
            "in": ("check", "put_in"),
            "held": ("wrong",),
            "out": ("check", "put_in", "change"),
            "retired": ("retire",),
        }
        deck = self.new(book)
        for act in way[state]:
            deck = self.do(deck, act)
        return deck


@pytest.fixture
def floor(laid_out: Lay, at: At) -> Floor:
    """The floor."""
    return Floor(laid_out, at)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("state", rows(LEGAL))
def test_what_may_happen_where_a_deck_stands(floor: Floor, book: str, state: str) -> None:
    """Each act leads where the table says; every other is refused, by its rule, and leaves the deck as it was."""
    leads = dict(cell.split("=") for cell in rows(LEGAL)[state][0].split())
    deck = floor.at_state(book, state)
    assert deck.state == state
    for act in ACTS:
        rule = dict(zip(BOOKS, rows(RULES)[{"wrong": "check", "miscount": "count"}.get(act, act)], strict=True))[book]
        if act in leads:
            after = floor.do(deck, act)
            assert (after.state, after.life[-1].rule) == (leads[act], rule), act
            assert after.life[:-1] == deck.life
        else:
            with pytest.raises(DeckRefused) as refused:
                floor.do(deck, act)
            assert refused.value.rule == rule, act


@pytest.mark.parametrize(
    ("book", "rule"), [("CSP", "CSP 3.4"), ("TCP", "TCP 3.4"), ("FCP", "FCP 3.4"), ("WAR", "WAR 3.3")]
)
def test_no_deck_is_used_unchecked(floor: Floor, book: str, rule: str) -> None:
    """Rule 3.4 (WAR 3.3): neither a new deck, nor one that was changed, nor one found wrong, before it was checked."""
    for state in ("new", "held", "out"):
        with pytest.raises(DeckRefused, match=rule):
            floor.do(floor.at_state(book, state), "put_in")
    assert floor.do(floor.do(floor.at_state(book, "out"), "check"), "put_in").state == "in"


@pytest.mark.parametrize("book", BOOKS)
def test_a_check_names_what_it_found(floor: Floor, laid_out: Lay, at: At, book: str) -> None:
    """Rule 3.4 (WAR 3.3): by a dealer, a supervisor or a device; each card is named in the deck's life."""
    joker = Found("joker", "red")
    decks = BOOKS[book].decks
    deck = check(floor.new(book), laid_out("red", decks, "2c", (joker,)), "casino_supervisor", at(13), "M. Diaz")
    entry = deck.life[-1]
    assert (entry.by, entry.at, entry.words) == ("M. Diaz", at(13), "casino supervisor")
    assert str(deck.faults) == "missing: 2c; foreign: joker (red back)"
    right = set_right(deck, ["2c", "joker"], "D9", at(14), "M. Diaz")
    assert not right.faults
    assert right.life[-1].words == "2c, joker from D9"


@pytest.mark.parametrize("book", BOOKS)
def test_a_deck_is_locked_away_pre_shuffled_or_not(floor: Floor, at: At, book: str) -> None:
    """Rule 3.5 (WAR 3.4): checked cards may be pre-shuffled, and are secured until they are required."""
    checked = floor.at_state(book, "checked")
    assert secure(checked, at(13), "J. Ho").life[-1].words == "pre-shuffled"
    assert secure(checked, at(13), "J. Ho", pre_shuffled=False).life[-1].words == "not shuffled"


@pytest.mark.parametrize("book", ["CSP", "TCP", "FCP"])
def test_cards_are_changed_after_a_round(floor: Floor, at: At, book: str) -> None:
    """Rule 3.7: after any round of play, from shoe or device, for a reason; never in the middle of one."""
    deck = floor.at_state(book, "in")
    for device in ("shoe", "shuffler"):
        moment = Moment(between_rounds=True, device="shoe" if device == "shoe" else "shuffler")
        assert change(deck, moment, "a torn card", at(13), "M. Diaz").life[-1].words == "a torn card"
    with pytest.raises(DeckRefused, match=rf"{book} 3\.7: D7: cards are changed after a round of play"):
        change(deck, Moment(between_rounds=False, device="shoe"), "a torn card", at(13), "M. Diaz")
    with pytest.raises(DeckRefused, match=rf"{book} 3\.7: D7: why: missing"):
        change(deck, AFTER_A_ROUND, " ", at(13), "M. Diaz")


WAR_CHANGES = (
    # where play stands                                                           | refused by
    (Moment(between_rounds=True, device="shuffler"), ""),
    (Moment(between_rounds=True, device="shuffler", shuffled_since=True), ""),
    (Moment(between_rounds=False, device="shuffler"), "WAR 3.5"),
    (Moment(between_rounds=True, device="shoe", cutting_card_exposed=True), ""),
    (Moment(between_rounds=True, device="shoe", cutting_card_exposed=True, shuffled_since=True), "WAR 3.5.2"),
    (Moment(between_rounds=True, device="shoe"), "WAR 3.5.2"),
    (Moment(between_rounds=False, device="shoe", cutting_card_exposed=True), "WAR 3.5"),
)


@pytest.mark.parametrize(("moment", "rule"), WAR_CHANGES)
def test_when_casino_wars_cards_are_replaced(floor: Floor, at: At, moment: Moment, rule: str) -> None:
    """WAR 3.5.1, 3.5.2: from a device after any round; from a shoe after the cutting card came, before the shuffle."""
    deck = floor.at_state("WAR", "in")
    if not rule:
        assert change(deck, moment, "worn", at(13), "M. Diaz").state == "out"
        return
    with pytest.raises(DeckRefused) as refused:
        change(deck, moment, "worn", at(13), "M. Diaz")
    assert refused.value.rule == rule


@pytest.mark.parametrize("book", BOOKS)
def test_a_deck_found_wrong_leaves_at_once(floor: Floor, at: At, book: str) -> None:
    """CSP 14.9, WAR 11.17: the round is void, so that no rule keeps a wrong deck on the table to its end."""
    held = floor.do(floor.at_state(book, "in"), "miscount")
    assert (
        change(held, Moment(between_rounds=False, device="shoe"), "a card is missing", at(13), "M. Diaz").state == "out"
    )


@pytest.mark.parametrize("book", BOOKS)
def test_cards_are_counted_at_any_time(floor: Floor, laid_out: Lay, at: At, book: str) -> None:
    """Rule 3.8: a supervisor or an inspector has them counted wherever they are; a fault holds the deck."""
    deck = floor.at_state(book, "in")
    counted = count(deck, laid_out("red", BOOKS[book].decks), "inspector", at(13), "J. Ho")
    assert (counted.state, counted.life[-1].words) == ("in", "instructed by inspector")
    wrong = count(counted, laid_out("red", BOOKS[book].decks, "Ks"), "casino_supervisor", at(14), "J. Ho")
    assert (wrong.state, wrong.life[-1].state, str(wrong.faults)) == ("held", "held", "missing: Ks")


def test_damaged_cards_are_replaced_in_the_round(floor: Floor) -> None:
    """WAR 12.3.3, 12.3.4, 12.5.2: with cards from a new deck, and the game goes on."""
    assert floor.do(floor.at_state("WAR", "in"), "set_right").state == "in"


REFUSED = (
    (("D7", "SIC", "red", "J. Ho"), "", "SIC is played with no cards; the books with cards are CSP, TCP, FCP, WAR"),
    (("", "CSP", "red", "J. Ho"), "CSP 3.1", "id: missing"),
    (("D7", "TCP", " ", "J. Ho"), "TCP 3.1", "back: missing"),
    (("D7", "WAR", "red", ""), "WAR 3.1", "by: missing"),
)


@pytest.mark.parametrize(("stated", "rule", "reason"), REFUSED)
def test_a_deck_has_a_book_an_id_and_a_back(at: At, stated: tuple[str, str, str, str], rule: str, reason: str) -> None:
    """Rule 3.1: a deck that nobody can tell from another is none."""
    deck, book, back, by = stated
    with pytest.raises(DeckRefused) as refused:
        deliver(deck, book, back, at(6), by)
    assert (refused.value.rule, refused.value.reason) == (rule, reason)


def test_a_life_has_persons_and_goes_forward(floor: Floor, at: At) -> None:
    """Every entry names who did it, and none is older than the one before; what is replaced or retired says why."""
    deck = floor.at_state("CSP", "checked")
    refused: tuple[tuple[Callable[[], Deck], str], ...] = (
        (lambda: secure(deck, at(13), " "), "by: missing"),
        (lambda: secure(deck, at(11), "J. Ho"), "before 2026-11-28T12:00:00"),
        (lambda: retire(deck, "", at(13), "J. Ho"), "why: missing"),
        (lambda: set_right(floor.at_state("CSP", "in"), [], "D9", at(13), "J. Ho"), "which cards"),
        (lambda: set_right(floor.at_state("CSP", "in"), ["2c"], "", at(13), "J. Ho"), "which cards"),
    )
    for after, reason in refused:
        with pytest.raises(DeckRefused, match=reason):
            after()


@pytest.mark.parametrize(("book", "decks", "size"), [("CSP", 1, 52), ("TCP", 1, 52), ("FCP", 1, 52), ("WAR", 6, 312)])
def test_how_many_cards_a_game_has(floor: Floor, book: str, decks: int, size: int) -> None:
    """Rule 3.1: one deck of 52 without jokers, at Casino War six of them as one."""
    deck = floor.new(book)
    assert (deck.cards.decks, deck.cards.size) == (decks, size)
