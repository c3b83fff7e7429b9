"""A Three Card Poker table move by move: every pair of state and move, what the felt allows, and how rounds end."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK, parse_cards
from rules.games import GAMES
from rules.games.three_card_poker import PLAY, Felt, Limits, Round, deal_order, settle, settlement_of
from rules.play import Move, MoveRefused, Position
from rules.rounds import RoundError
from rules.settings import ThreeCardSettings
from tests.support.moves import MoveTable, refuses, rows_of

# From cards checked to cards collected: state, move, rule, the next state and, after a slash, the one at the last.
TABLE = """
cards_new      | check_cards   | 3.4    | cards_checked
cards_checked  | shuffle       | 4.1    | cards_shuffled
cards_checked  | load          | 4.4    | wagers_open
cards_shuffled | cut           | 4.2    | wagers_open
cards_shuffled | load          | 4.5    | wagers_open
wagers_open    | place         | 5.3    | wagers_open
wagers_open    | take_back     | 5.5    | wagers_open
wagers_open    | refuse_wager  | 14.12  | wagers_open
wagers_open    | no_more_bets  | 7.2    | no_more_bets
wagers_open    | deal          | 7.2    | dealing / cards_dealt
no_more_bets   | refuse_wager  | 14.12  | wagers_open
no_more_bets   | deal          | 7.2    | dealing / cards_dealt
dealing        | deal          | 7.3    | dealing / cards_dealt
dealing        | misdeal       | 12.1   | round_void
dealing        | void_round    | 12.9.2 | round_void
cards_dealt    | play          | 8.5    | cards_dealt / hands_decided
cards_dealt    | fold          | 8.3    | cards_dealt / hands_decided
cards_dealt    | short         | 12.10  | cards_dealt / hands_decided
cards_dealt    | absent        | 12.12  | cards_dealt / hands_decided
cards_dealt    | void_hand     | 12.7   | cards_dealt / hands_decided
cards_dealt    | misdeal       | 12.1   | round_void
cards_dealt    | void_round    | 12.9.2 | round_void
hands_decided  | turn_dealer   | 8.6    | dealer_turned / hands_settled
hands_decided  | void_hand     | 12.7   | hands_decided
hands_decided  | void_round    | 12.9.2 | round_void
dealer_turned  | settle_hand   | 9.8    | dealer_turned / hands_settled
dealer_turned  | concede       | 9.5    | dealer_turned / hands_settled
dealer_turned  | void_hand     | 12.7   | dealer_turned / hands_settled
dealer_turned  | void_round    | 12.9.2 | round_void
hands_settled  | collect_cards | 9.4.2  | cards_collected
hands_settled  | void_round    | 12.9.2 | round_void
round_void     | collect_cards | 12.4   | cards_collected
"""

# The rule that refuses a move wherever the table above has none for it; after a colon, where another rule does.
REFUSED = """
check_cards   | 3.4
shuffle       | 4.1
load          | 4.4
cut           | 4.2
place         | 5.3   ; no_more_bets: 7.2 ; dealing cards_dealt hands_decided dealer_turned hands_settled round_void cards_collected: 5.5
take_back     | 5.5   ; no_more_bets: 7.2
refuse_wager  | 14.12
no_more_bets  | 7.2
deal          | 7.2
play          | 8.5
fold          | 8.1
short         | 12.10
absent        | 12.12
turn_dealer   | 8.6
concede       | 9.5
settle_hand   | 9.8
void_hand     | 12.7
misdeal       | 12.1
void_round    | 12.9
collect_cards | 9.4.2
"""  # noqa: E501 - a line a move

MOVES = MoveTable("TCP", rows_of(TABLE), REFUSED)


def test_the_table_of_moves() -> None:
    """From cards checked to cards collected each move leads where the table says, by its rule."""
    MOVES.has(PLAY)


@pytest.mark.parametrize("state", MOVES.states)
def test_every_other_pair_is_refused_with_its_rule(state: str) -> None:
    """A move that the table does not have in a state is refused, by the rule that says when it has its place."""
    MOVES.has_no_other(PLAY, Position(state, Felt("shoe")))


def table(device: str = "shoe", **changes: Any) -> Position[Felt]:
    """A table with checked cards, open for wagers."""
    at = PLAY.begin(Felt(device, **changes))  # type: ignore[arg-type]
    for name in ("check_cards", *(("shuffle", "cut") if device == "shoe" else ("load",))):
        at = PLAY.step(at, Move(name))
    return at


def wagered(*wagers: str, device: str = "shoe", **changes: Any) -> Position[Felt]:
    """A table with these wagers, each as ``seat area cents``."""
    at = table(device, **changes)
    for wager in wagers:
        seat, area, cents = wager.split()
        at = PLAY.step(at, Move("place", int(seat), area, int(cents)))
    return at


def dealt(at: Position[Felt]) -> Position[Felt]:
    """The same table with every card dealt."""
    while at.state != "cards_dealt":
        (move,) = [move for move in PLAY.legal_moves(at) if move.name == "deal"]
        at = PLAY.step(at, move)
    return at


def test_a_round_as_it_is_played() -> None:
    """TCP 5 to 9: two players, one folds, one plays and wins; the settlement is that of the whole round."""
    at = dealt(wagered("2 ante 1000", "2 pair_plus 500", "5 ante 1000"))
    at = PLAY.step(at, Move("fold", 5))
    at = PLAY.step(at, Move("play", 2, cents=1000))
    assert at.state == "hands_decided"
    at = PLAY.step(at, Move("turn_dealer", cards=parse_cards("Qs 7d 4h")))
    at = PLAY.step(at, Move("settle_hand", 2, cards=parse_cards("Kc Kd 2h")))
    assert at.state == "hands_settled"
    at = PLAY.step(at, Move("collect_cards"))
    assert (at.state, PLAY.legal_moves(at)) == ("cards_collected", ())
    assert at.felt.dealer is not None
    assert settlement_of(at) == settle(Round("shoe", at.felt.dealer, at.felt.seats))
    assert settlement_of(at).net_cents(2) == 2500
    assert settlement_of(at).net_cents(5) == -1000


DEALT = ("2 ante 1000", "4 pair_plus 500")
NOT_ON_THE_FELT = """
wagers    | place 2 ante 500           | 5.7   | only one wager
wagers    | place 3 ante 50            | 6.1   | below the minimum
wagers    | place 3 tie 500            | 5.3   | not one of ante, pair_plus
wagers    | place 0 ante 500           | 5.3   | seats are numbered 1 to 9
wagers    | place 10 ante 500          | 5.3   | seats are numbered 1 to 9
wagers    | place - ante 500           | 5.3   | seat: missing
wagers    | place 3 ante -             | 5.3   | cents: missing
wagers    | place 3 ante 0             | 5.3   | not from 1
wagers    | take_back 2 pair_plus -    | 5.5   | no wager on the pair_plus area
wagers    | take_back 3 ante -         | 5.5   | there is no wager
wagers    | refuse_wager 3 ante -      | 14.12 | there is no wager
wagers    | deal 2 - -                 | 7.3   | the next card goes to the dealer
wagers    | deal - - -                 | 7.3   | seat: missing
dealt     | play 2 - 999               | 8.5   | not equal to the ante
dealt     | play 2 - -                 | 8.5   | not equal to the ante
dealt     | play 4 - 500               | 5.4   | Pair Plus wager only
dealt     | play 3 - 500               | 8.5   | there is no wager
dealt     | short 4 - -                | 12.10 | no ante to match
dealt     | fold 3 - -                 | 8.3   | there is no wager
folded    | play 2 - 1000              | 8.4   | has decided
folded    | fold 2 - -                 | 8.4   | has decided
folded    | misdeal - - -              | 12.1  | a player has handled cards
folded    | void_hand 2 - -            | 12.7  | no hand any more
turned    | concede 3 - -              | 9.5   | there is no wager
conceded  | concede 2 - -              | 9.6   | has conceded
conceded  | settle_hand 2 - - Kc Kd 2h | 9.6   | no hand left to settle
turned    | settle_hand 2 - - Kc Kd    | 3.1   | 2 where a hand is 3
turned    | settle_hand 2 - - Qs Kd 2h | 3.1   | Qs: no card still unseen
turned    | settle_hand 2 - - Kd Kd 2h | 3.1   | Kd: no card still unseen
decided   | turn_dealer - - - Qs Qs 2h | 8.6   | Qs: no card still unseen
"""


def staged(where: str) -> Position[Felt]:
    """A table at a named moment of the same round."""
    at = wagered(*DEALT, limits=Limits(ante_min_cents=100))
    if where == "wagers":
        return at
    at = dealt(at)
    if where == "folded":
        return PLAY.step(at, Move("fold", 2))
    if where in {"decided", "turned", "conceded"}:
        at = PLAY.step(PLAY.step(at, Move("play", 2, cents=1000)), Move("play", 4))
        if where != "decided":
            at = PLAY.step(at, Move("turn_dealer", cards=parse_cards("Qs 7d 4h")))
        if where == "conceded":
            at = PLAY.step(at, Move("concede", 2))
    return at


@pytest.mark.parametrize("line", NOT_ON_THE_FELT.strip().splitlines())
def test_what_the_felt_does_not_allow_is_refused_with_its_rule(line: str) -> None:
    """A move that has its place but cannot be made at that seat, amount or card is refused, and changes nothing."""
    refuses(PLAY, "TCP", line, staged)


def test_cards_from_a_device_are_not_cut() -> None:
    """TCP 4.2, 4.4, 4.5: cards go to a shoe cut; to a device uncut, shuffled by hand before or not."""
    at = PLAY.step(PLAY.begin(Felt("shuffler")), Move("check_cards"))
    shuffled = PLAY.step(at, Move("shuffle"))
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(shuffled, Move("cut"))
    assert caught.value.rule == "TCP 4.4"
    assert PLAY.step(shuffled, Move("load")) == PLAY.step(at, Move("load"))
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(PLAY.step(PLAY.begin(Felt("shoe")), Move("check_cards")), Move("load"))
    assert caught.value.rule == "TCP 4.2"


@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_cards_are_dealt_in_their_order(device: str) -> None:
    """TCP 7.2 to 7.4: each card, or packet of three, goes where the deal order says, and to no other place."""
    at = wagered(*DEALT, device=device)
    order = [place for place, _ in deal_order(device, [2, 4])]  # type: ignore[arg-type]
    for place in order if device == "shoe" else order[::3]:
        for wrong in {0, 2, 4, 7} - {place}:
            with pytest.raises(MoveRefused) as caught:
                PLAY.step(at, Move("deal", wrong))
            assert caught.value.rule == ("TCP 7.3" if device == "shoe" else "TCP 7.4")
        at = PLAY.step(at, Move("deal", place))
    assert at.state == "cards_dealt"


def test_nothing_is_dealt_to_an_empty_layout() -> None:
    """TCP 7.2: a round begins after wagers are placed; one taken back is none."""
    for at in (table(), PLAY.step(wagered("2 ante 1000"), Move("take_back", 2, "ante"))):
        for move in (Move("no_more_bets"), Move("deal", 0)):
            with pytest.raises(MoveRefused) as caught:
                PLAY.step(at, move)
            assert caught.value.rule == "TCP 7.2"


@pytest.mark.parametrize(("move", "rule"), [("misdeal", "TCP 12.4"), ("void_round", "TCP 12.9.2")])
def test_a_void_round_gives_everything_back(move: str, rule: str) -> None:
    """TCP 12.4, 12.9.2: after a misdeal, or a missing or foreign card, every wager goes back by its rule."""
    at = PLAY.step(PLAY.step(staged("dealt"), Move(move)), Move("collect_cards"))
    lines = settlement_of(at).lines
    assert [(line.outcome, line.returned_cents, line.rules) for line in lines] == [
        ("void", 1000, (rule,)),
        ("void", 500, (rule,)),
    ]


def test_a_round_is_not_settled_half_way() -> None:
    """TCP 9.8: as long as a hand lies unsettled there is no settlement."""
    for where in ("wagers", "dealt", "decided", "turned"):
        with pytest.raises(RoundError, match="still to be settled"):
            settlement_of(staged(where))


def test_a_conceded_hand_is_turned_where_its_side_wagers_stand() -> None:
    """TCP 9.5 under the ruling that only ante and play are collected: the hand is still settled for the rest."""
    at = dealt(wagered("2 ante 1000", "2 pair_plus 500", settings=ThreeCardSettings(concede_collects="ante_play")))
    at = PLAY.step(at, Move("play", 2, cents=1000))
    at = PLAY.step(at, Move("turn_dealer", cards=parse_cards("Qs 7d 4h")))
    at = PLAY.step(at, Move("concede", 2))
    assert at.state == "dealer_turned"
    at = PLAY.step(at, Move("settle_hand", 2, cards=parse_cards("Kc Kd 2h")))
    assert settlement_of(at).net_cents(2) == -2000 + 500


def refusal(at: Position[Felt], move: Move) -> str | None:
    """The rule that refuses a move, if it is refused."""
    try:
        PLAY.step(at, move)
    except MoveRefused as refused:
        return refused.rule
    return None


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), device=st.sampled_from(["shoe", "shuffler"]), collects=st.sampled_from(["all", "x"]))
def test_whatever_is_played_settles(seed: int, device: str, collects: str) -> None:
    """Any moves that are legal end in a settlement where money in is money out; a refused move changes nothing."""
    rng = random.Random(seed)
    rulings = ThreeCardSettings(concede_collects="all" if collects == "all" else "ante_play")
    at = PLAY.begin(Felt(device, rulings))  # type: ignore[arg-type]
    deck = list(DECK)
    rng.shuffle(deck)
    for _ in range(400):
        legal = PLAY.legal_moves(at)
        if not legal:
            break
        names = sorted({move.name for move in legal})
        weights = [0.02 if name in {"void_round", "misdeal", "void_hand", "refuse_wager"} else 1 for name in names]
        name = rng.choices(names, weights)[0]
        move = rng.choice([move for move in legal if move.name == name])
        if name == "place":
            move = replace(move, cents=rng.choice([1, 500, 10**12]))
        if name in {"turn_dealer", "settle_hand"}:
            move = replace(move, cards=tuple(deck.pop() for _ in range(3)))
        odd = Move(
            rng.choice(MOVES.moves), rng.randint(-1, 11), rng.choice(["ante", "tie", None]), rng.choice([None, 500])
        )
        rule = refusal(at, odd)
        seats = {each.seat for each in legal if each.name == odd.name}
        assert rule.startswith("TCP ") if rule is not None else seats & {odd.seat, None}
        at = PLAY.step(at, move)
    assert at.state == "cards_collected"
    lines = settlement_of(at).lines
    placed = {
        (seat.seat, wager): cents
        for seat in at.felt.seats
        for wager, cents in (("ante", seat.ante_cents), ("play", seat.play_cents), ("pair_plus", seat.pair_plus_cents))
        if cents is not None
    }
    assert {(line.seat, line.wager): line.stake_cents for line in lines if line.wager != "ante_bonus"} == placed
    assert len({(line.seat, line.wager) for line in lines}) == len(lines)
    assert all(line.rules and 0 <= line.returned_cents <= line.stake_cents for line in lines)


def test_the_registry_has_the_machine() -> None:
    """A table finds the game's moves where it finds its settlement."""
    assert GAMES["three_card_poker"].play is PLAY
