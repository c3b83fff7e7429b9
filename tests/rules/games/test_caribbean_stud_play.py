"""A Caribbean Stud table move by move: how rounds are played, and how they end."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK, parse_cards
from rules.games import GAMES
from rules.games.caribbean_stud import PLAY, Felt, deal_order, next_round, settle, settlement_of
from rules.limits import Limits
from rules.play import Move, MoveRefused, Position
from rules.rounds import Round, RoundError
from tests.support.stud_table import (
    DEALT,
    FLUSH,
    NO_HAND,
    PLAYS,
    ROYAL,
    SIGN,
    STRAIGHT_FLUSH,
    UP,
    dealt,
    linked,
    played,
    staged,
    table,
    wagered,
)
from tests.support.terms import with_rulings


def test_a_round_as_it_is_played() -> None:
    """CSP 5 to 12: one bets and wins a prize, one folds; the settlement is that of the whole round."""
    at = played(dealt(wagered(*DEALT)), Move("fold", 4), Move("bet", 2, cents=2000))
    assert at.state == "hands_decided"
    at = PLAY.step(at, Move("turn_dealer", cards=PLAYS))
    assert at.state == "dealer_turned"
    at = PLAY.step(at, Move("compare", 2, cards=ROYAL))
    assert at.state == "hands_settled"
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, Move("collect_cards"))
    assert caught.value.rule == "CSP 9.5"
    at = played(at, Move("pay_jackpot", 2), Move("collect_cards"))
    assert at.state == "cards_collected"
    assert PLAY.legal_moves(at) == ()
    assert settlement_of(at) == settle(Round("caribbean_stud", "2024-08-16", "shoe", PLAYS, at.felt.seats), limits=SIGN)
    assert settlement_of(at).net_cents(2) == 1000 + 250 * 2000 - 100
    assert settlement_of(at).net_cents(4) == -500
    assert PLAY.step(next_round(at), Move("shuffle")).state == "cards_shuffled"


def test_the_dealer_alone_cuts_the_cards() -> None:
    """CSP 4.2 to 4.5: to a shoe cut, by nobody but the dealer; to a device uncut, shuffled by hand before or not."""
    at = played(PLAY.begin(Felt("shoe")), Move("check_cards"), Move("shuffle"))
    assert PLAY.step(at, Move("cut", 0)).state == PLAY.step(at, Move("cut")).state == "wagers_open"
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, Move("cut", 3))
    assert caught.value.rule == "CSP 4.3"
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, Move("load"))
    assert caught.value.rule == "CSP 4.2"
    device = replace(at, felt=Felt("shuffler"))
    assert PLAY.step(PLAY.step(device, Move("load")), Move("reshuffle")).state == "wagers_open"
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(device, Move("cut"))
    assert caught.value.rule == "CSP 4.4"


@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_cards_are_dealt_in_their_order(device: str) -> None:
    """CSP 7.2 to 7.4: each card, or packet of five, goes where the deal order says, and to no other place."""
    at = wagered(*DEALT, device=device)
    order = [place for place, _ in deal_order(device, [2, 4])]  # type: ignore[arg-type]
    for place in order if device == "shoe" else [0, 2, 4]:
        up = UP if at.felt.next_cards()[1] else None
        for wrong in {0, 2, 4, 7} - {place}:
            with pytest.raises(MoveRefused) as caught:
                PLAY.step(at, Move("deal", wrong, cards=up))
            assert caught.value.rule == ("CSP 7.3" if device == "shoe" else "CSP 7.4")
        assert at.state != "cards_dealt"
        at = PLAY.step(at, Move("deal", place, cards=up))
    assert at.state == "cards_dealt"
    assert at.felt.up_cards == UP


def test_nothing_is_dealt_to_an_empty_layout() -> None:
    """CSP 7.2: a round begins after antes are placed; one taken back, refused or invalid is none."""
    one = wagered("2 ante 1000")
    gone = [Move("take_back", 2, "ante"), Move("refuse_wager", 2, "ante"), Move("find_invalid", 2), Move("exclude", 2)]
    for at in (table(), *(PLAY.step(one, move) for move in gone)):
        for move in (Move("no_more_bets"), Move("deal", 0)):
            with pytest.raises(MoveRefused) as caught:
                PLAY.step(at, move)
            assert caught.value.rule == "CSP 7.2"


def test_a_table_without_a_jackpot_takes_no_wager_on_it() -> None:
    """CSP 11.3: where the sign names no amount there is nothing to wager."""
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(wagered("2 ante 1000", limits=Limits()), Move("place", 2, "jackpot", 100))
    assert caught.value.rule == "CSP 11.3"


def test_prizes_are_paid_from_the_dealers_right_and_straight_flushes_before_royals() -> None:
    """CSP 12.2, 12.4: seat 3 before seat 1; with a royal in the round the straight flush comes first."""
    wagers = [f"{seat} {wager}" for seat in (1, 2, 3) for wager in ("ante 1000", "jackpot 100")]
    at = played(linked(*wagers), *(Move("bet", seat, cents=2000) for seat in (1, 2, 3)))
    at = PLAY.step(at, Move("turn_dealer", cards=parse_cards("As Kd 9c 7c 3c")))
    hands = {1: STRAIGHT_FLUSH, 2: ROYAL, 3: parse_cards("2s 4s 6s 8s 9s")}
    at = played(at, *(Move("compare", seat, cards=hands[seat]) for seat in (2, 1, 3)))
    for wrong, rule in ((3, "CSP 12.4"), (2, "CSP 12.4")):
        with pytest.raises(MoveRefused) as caught:
            PLAY.step(at, Move("pay_jackpot", wrong))
        assert caught.value.rule == rule
    at = PLAY.step(at, Move("pay_jackpot", 1))
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, Move("pay_jackpot", 2))
    assert caught.value.rule == "CSP 12.2"
    assert played(at, Move("pay_jackpot", 3), Move("pay_jackpot", 2), Move("collect_cards")).state == "cards_collected"


@pytest.mark.parametrize(
    ("decision", "rulings", "turned"),
    [
        ("absent", {}, True),
        ("absent", {"reveal_folded": "all"}, True),
        ("absent", {"reveal_folded": "none"}, False),
        ("absent", {"folded_hand_wins": False}, False),
        ("fold", {}, False),
        ("fold", {"reveal_folded": "all"}, True),
    ],
)
def test_which_folded_hands_are_revealed(decision: str, rulings: dict[str, Any], *, turned: bool) -> None:
    """CSP 9.10, 11.4, 14.14: a folded hand with a jackpot wager is turned up where the terms say so, and may win."""
    at = linked("2 ante 1000", "2 jackpot 100", **rulings)
    at = played(at, Move(decision, 2), Move("turn_dealer", cards=PLAYS))
    assert at.state == ("dealer_turned" if turned else "hands_settled")
    if turned:
        at = PLAY.step(at, Move("reveal", 2, cards=ROYAL))
        assert settlement_of(at).left_face_up == (2,)
        assert PLAY.legal_moves(at)[0].name != "collect_cards"


def test_a_conceded_hand_may_still_win_its_prize() -> None:
    """CSP 9.7, 11.4: it is turned up for the jackpot where the terms let it win, and the rest of it is collected."""
    at = played(linked("2 ante 1000", "2 jackpot 100"), Move("bet", 2, cents=2000))
    at = played(at, Move("turn_dealer", cards=PLAYS), Move("concede", 2))
    assert at.state == "dealer_turned"
    at = PLAY.step(at, Move("reveal", 2, cards=ROYAL))
    assert (at.state, settlement_of(at).left_face_up) == ("hands_settled", (2,))
    at = played(linked("2 ante 1000", "2 jackpot 100", conceded_hand_wins=False), Move("bet", 2, cents=2000))
    assert played(at, Move("turn_dealer", cards=PLAYS), Move("concede", 2)).state == "hands_settled"


def test_a_winning_hand_is_set_aside_where_the_terms_let_the_table_go_on() -> None:
    """CSP 9.5 by the link's ruling: under seal the cards are kept, the table goes on with a new deck (3.7)."""
    at = played(linked("2 ante 1000", "2 jackpot 100", table_after_hit="sealed"), Move("bet", 2, cents=2000))
    at = played(at, Move("turn_dealer", cards=PLAYS), Move("compare", 2, cards=ROYAL), Move("seal_hand", 2))
    assert next_round(PLAY.step(at, Move("collect_cards"))).state == "cards_new"


def test_no_hand_of_the_dealer_pays_antes_unseen() -> None:
    """CSP 9.2, 9.3: without a jackpot wager nobody needs to turn cards for it; the bet is void."""
    at = played(dealt(wagered("4 ante 500")), Move("bet", 4, cents=1000), Move("turn_dealer", cards=NO_HAND))
    at = PLAY.step(at, Move("pay_ante", 4))
    assert [(line.outcome, line.paid_cents) for line in settlement_of(at).lines] == [("win", 500), ("void", 0)]
    shown = PLAY.step(staged("no_hand"), Move("pay_ante", 2, cards=FLUSH))
    assert shown.state == "hands_settled"


def test_a_round_is_not_settled_half_way() -> None:
    """CSP 9.3, 9.4: as long as a hand lies unsettled there is no settlement."""
    for where in ("wagers", "dealt", "decided", "turned", "no_hand", "conceded"):
        with pytest.raises(RoundError, match="still to be settled"):
            settlement_of(staged(where))


RARE = {
    *("misdeal", "misdealt_dealer", "void_round", "device_failed", "invalidate", "expose", "expose_dealer"),
    *("void_hand", "void_wagers", "refuse_wager", "discard_hand", "reshuffle", "find_invalid", "exclude", "take_back"),
    *("direct_apart", "direct_first", "direct_english", "link_down", "play_without", "reopen_jackpot", "find_bet"),
}
MOVES = tuple(PLAY.places)


def refusal(at: Position[Felt], move: Move) -> str | None:
    """The rule that refuses a move, if it is refused."""
    try:
        PLAY.step(at, move)
    except MoveRefused as refused:
        return refused.rule
    return None


def filled_in(move: Move, felt: Felt, deck: list[int], rng: random.Random) -> Move:
    """A legal move with the amount or the cards that people choose."""
    seat = next((seat for seat in felt.seats if seat.seat == move.seat), None)
    match move.name:
        case "place":
            return replace(move, cents=100 if move.area == "jackpot" else rng.choice([100, 500, 3 * 10**11]))
        case "bet" | "correct_bet" if seat is not None:
            return replace(move, cents=2 * seat.ante_cents)
        case "find_bet" if seat is not None:
            return replace(move, cents=rng.choice([1, 2 * seat.ante_cents - 1, 2 * seat.ante_cents + 1]))
        case "deal" if felt.next_cards()[1]:
            return replace(move, cards=(deck.pop(),))
        case "expose_dealer":
            return replace(move, cards=(deck.pop(),))
        case "turn_dealer":
            return replace(move, cards=(*felt.up_cards, *(deck.pop() for _ in range(5 - len(felt.up_cards)))))
        case "compare" | "pay_ante" | "reveal":
            return replace(move, cards=tuple(deck.pop() for _ in range(5)))
    return move


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), device=st.sampled_from(["shoe", "shuffler"]), sealed=st.booleans())
def test_whatever_is_played_settles(seed: int, device: str, *, sealed: bool) -> None:
    """Any moves that are legal end in a settlement where money in is money out; a refused move changes nothing."""
    rng = random.Random(seed)
    terms = with_rulings(table_after_hit="sealed") if sealed else None
    at = PLAY.begin(Felt(device, limits=SIGN, terms=terms))  # type: ignore[arg-type]
    deck = list(DECK)
    rng.shuffle(deck)
    if rng.random() < 0.5:
        deck.sort(key=lambda card: card & 3)  # Flushes, so that prizes are common.
    for _ in range(900):
        if at.state == "cards_collected":
            break
        legal = PLAY.legal_moves(at)
        names = sorted({move.name for move in legal})
        name = rng.choices(names, [0.02 if name in RARE else 1 for name in names])[0]
        if name in {"exclude", "direct_apart"} and len(at.felt.barred) > 6:
            continue  # With nobody left to play there is no round to end.
        move = filled_in(rng.choice([move for move in legal if move.name == name]), at.felt, deck, rng)
        odd = Move(rng.choice(MOVES), rng.randint(-1, 11), rng.choice(["ante", "jackpot", None]), rng.choice([None, 9]))
        rule = refusal(at, odd)
        seats = {each.seat for each in legal if each.name == odd.name}
        assert rule.startswith("CSP ") if rule is not None else seats & {odd.seat, None}
        at = PLAY.step(at, move)
    assert at.state == "cards_collected"
    lines = settlement_of(at).lines
    placed = {
        (seat.seat, wager): cents
        for seat in at.felt.seats
        for wager, cents in (("ante", seat.ante_cents), ("bet", seat.bet_cents), ("jackpot", seat.jackpot_cents))
        if cents is not None
    }
    assert {(line.seat, line.wager): line.stake_cents for line in lines} == placed
    assert len({(line.seat, line.wager) for line in lines}) == len(lines)
    assert all(line.rules and 0 <= line.returned_cents <= line.stake_cents for line in lines)


def test_the_registry_has_the_machine() -> None:
    """A table finds the game's moves where it finds its settlement."""
    assert GAMES["caribbean_stud"].play is PLAY
