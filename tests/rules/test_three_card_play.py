"""A Three Card Poker table move by move: what the felt allows, and how rounds end."""

import pytest

from rules.cards import parse_cards
from rules.games import GAMES, three_card_poker
from rules.games.three_card_poker import PLAY, Felt, Limits, Round, deal_order, settle, settlement_of
from rules.play import Move, MoveRefused, Position
from rules.rounds import RoundError
from rules.settings import ThreeCardSettings
from tests.support.ante_play import Tables
from tests.support.moves import refuses

TABLES = Tables(three_card_poker)
table, wagered, dealt, played = TABLES.table, TABLES.wagered, TABLES.dealt, TABLES.played


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
wagers    | deal 0 - - 3c              | 7.1   | dealt face down
wagers    | reshuffle - - -            | 13.1  | deals from a shoe
wagers    | find_invalid 3 - -         | 12.16.1 | there is no wager
wagers    | direct_first 10 - -        | 12.11.1 | seats are numbered 1 to 9
barred    | place 5 ante 500           | 14.4.2  | directed not to take part
barred    | exclude 5 - -              | 14.4.2  | may not wager already
barred    | direct_apart 5 - -         | 12.11.2 | may not wager already
dealing   | expose 4 - -               | 12.5  | has no card yet
dealing   | expose 3 - -               | 12.5  | there is no wager
dealing   | expose_dealer - - -        | 12.6  | 0 where a hand is 1
dealing   | expose_dealer - - - 3c 4c  | 12.6  | 2 where a hand is 1
dealing   | device_failed - - -        | 13.2  | deals from a shoe
dealt     | discard_hand 3 - -         | 12.1  | it is a misdeal
dealt     | discard_hand 2 - -         | 12.8  | there is a wager
dealt     | discard_hand 10 - -        | 12.8  | seats are numbered 1 to 9
dealt     | play 2 - 999               | 8.5   | not equal to the ante
dealt     | play 2 - -                 | 8.5   | cents: missing
dealt     | play 4 - 500               | 5.4   | wagers on Pair Plus only
dealt     | play 3 - 500               | 8.5   | there is no wager
dealt     | short 4 - -                | 12.10 | no ante to match
dealt     | fold 3 - -                 | 8.3   | there is no wager
folded    | play 2 - 1000              | 8.4   | has decided
folded    | fold 2 - -                 | 8.4   | has decided
folded    | misdeal - - -              | 12.1  | a player has handled cards
folded    | direct_first 2 - -         | 12.11.1 | has decided
void      | play 2 - 1000              | 8.5   | has decided
void      | void_hand 2 - -            | 12.7  | is found so already
seen      | expose_dealer - - - Qs     | 12.6  | Qs: no card still unseen
exposed   | turn_dealer - - - Ks 7d 4h | 8.6   | one that was seen is not among them
decided   | turn_dealer - - - Qs 7d    | 12.2  | 2 where the dealer's hand is 3
turned    | concede 3 - -              | 9.5   | there is no wager
conceded  | concede 2 - -              | 9.6   | has conceded
conceded  | settle_hand 2 - - Kc Kd 2h | 9.6   | no hand left to settle
turned    | settle_hand 2 - - Kc Kd    | 12.7  | 2 where a player's hand is 3
turned    | settle_hand 2 - - Qs Kd 2h | 3.1   | Qs: no card still unseen
turned    | settle_hand 2 - - Kd Kd 2h | 3.1   | Kd: no card still unseen
decided   | turn_dealer - - - Qs Qs 2h | 3.1   | Qs: no card still unseen
"""


def staged(where: str) -> Position[Felt]:
    """A table at a named moment of the same round."""
    at = wagered(*DEALT, limits=Limits(ante_min_cents=100))
    if where == "wagers":
        return at
    if where == "barred":
        return PLAY.step(at, Move("exclude", 5))
    if where == "dealing":
        return played(at, Move("deal", 0), Move("deal", 2))
    at = dealt(at)
    if where == "void":
        return PLAY.step(at, Move("void_hand", 2))
    if where in {"seen", "exposed"}:
        at = PLAY.step(at, Move("expose_dealer", cards=parse_cards("Qs")))
        return at if where == "seen" else played(at, Move("play", 2, cents=1000), Move("play", 4))
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


def test_the_registry_has_the_machine() -> None:
    """A table finds the game's moves where it finds its settlement."""
    assert GAMES["three_card_poker"].play is PLAY
