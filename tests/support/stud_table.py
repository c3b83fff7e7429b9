"""A Caribbean Stud table at any moment of a round, for the tests of its moves."""

from typing import Any

from rules.cards import parse_cards
from rules.games.caribbean_stud import PLAY, Felt
from rules.limits import Limits
from rules.play import Move, Position
from rules.terms import Terms
from tests.support.terms import demo_terms, with_rulings

SIGN = Limits(ante_min_cents=100, jackpot_cents=100)
UP = parse_cards("3c")
PLAYS = parse_cards("As Kd 9h 7c 3c")
NO_HAND = parse_cards("As Qd Jh 9c 3c")
PAIR = parse_cards("2s 2d 4h 6c 8c")
ROYAL = parse_cards("Ah Kh Qh Jh Th")
STRAIGHT_FLUSH = parse_cards("5d 6d 7d 8d 9d")
FLUSH = parse_cards("2h 4h 6h 8h 9s")
DEALT = ("2 ante 1000", "2 jackpot 100", "4 ante 500")


def table(device: str = "shoe", **changes: Any) -> Position[Felt]:
    """A table with checked cards, open for wagers."""
    at = PLAY.begin(Felt(device, **{"limits": SIGN, **changes}))  # type: ignore[arg-type]
    for name in ("check_cards", *(("shuffle", "cut") if device == "shoe" else ("load",))):
        at = PLAY.step(at, Move(name))
    return at


def played(at: Position[Felt], *moves: Move) -> Position[Felt]:
    """The same table after these moves."""
    for move in moves:
        at = PLAY.step(at, move)
    return at


def wagered(*wagers: str, device: str = "shoe", **changes: Any) -> Position[Felt]:
    """A table with these wagers, each as ``seat area cents``; those on the jackpot are accepted."""
    at = table(device, **changes)
    for wager in wagers:
        seat, area, cents = wager.split()
        at = PLAY.step(at, Move("place", int(seat), area, int(cents)))
        if area == "jackpot":
            at = PLAY.step(at, Move("take_jackpot", int(seat)))
    return at


def dealt(at: Position[Felt]) -> Position[Felt]:
    """The same table with every card dealt, the dealer's face up card the three of clubs."""
    while at.state != "cards_dealt":
        to, face_up = at.felt.next_cards()
        at = PLAY.step(at, Move("deal", to, cards=UP if face_up else None))
    return at


def staged(where: str) -> Position[Felt]:
    """A table at a named moment of the same round."""
    at = wagered(*DEALT)
    before = {
        "wagers": [],
        "pending": [Move("place", 4, "jackpot", 100)],
        "down": [Move("link_down")],
        "closed": [Move("link_down"), Move("play_without")],
        "barred": [Move("exclude", 5)],
        "dealing": [Move("deal", 0), Move("deal", 2)],
        "last": [Move("deal", seat) for seat in [0, 2, 4] * 4],
    }
    if where in before:
        return played(at, *before[where])
    at = dealt(at)
    at_once = {"first": Move("direct_first", 2), "void": Move("void_hand", 2)}
    if where in at_once:
        return PLAY.step(at, at_once[where])
    if where == "dealt":
        return at
    aside = {"wrong": "folded", "no_hand": "decided", "conceded": "turned"}
    moves = {
        "folded": [Move("fold", 4)],
        "decided": [Move("bet", 2, cents=2000)],
        "wrong": [Move("find_bet", 2, cents=1500)],
        "no_hand": [Move("turn_dealer", cards=NO_HAND)],
        "turned": [Move("turn_dealer", cards=PLAYS)],
        "conceded": [Move("concede", 2)],
        "settled": [Move("compare", 2, cards=ROYAL)],
        "paid": [Move("pay_jackpot", 2)],
    }
    for name, made in moves.items():
        if name not in aside or where == name:
            at = played(at, *made)
        if name == where:
            break
    return at


def exposing(*where: int, device: str = "shoe", **changes: Any) -> Position[Felt]:
    """A table that has dealt two rounds of cards, with a card exposed in error at these places, one after the other."""
    at = played(wagered("2 ante 1000", device=device, **changes), *(Move("deal", seat) for seat in [0, 2, 0, 2]))
    cards = iter(parse_cards("Ts Jd"))
    for place in where:
        at = PLAY.step(at, Move("expose_dealer", cards=(next(cards),)) if place == 0 else Move("expose", place))
    return at


def linked(*wagers: str, **rulings: Any) -> Position[Felt]:
    """A table of a link, dealt, with these wagers."""
    terms: Terms = with_rulings(**rulings) if rulings else demo_terms()
    return dealt(wagered(*wagers, terms=terms))
