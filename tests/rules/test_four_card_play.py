"""A Four Card Poker table move by move: what the felt allows, and how rounds end."""

import pytest

from rules.cards import parse_cards
from rules.games import GAMES, four_card_poker
from rules.games.four_card_poker import PLAY, Felt, Limits, Round, deal_order, settle, settlement_of
from rules.play import Move, MoveRefused, Position
from rules.rounds import RoundError
from rules.settings import FourCardSettings
from tests.support.ante_play import Tables
from tests.support.moves import refuses

UP = parse_cards("2s")
KINGS = parse_cards("Ks Kd 7h 4h 3c 2s")
KINGS_SET = parse_cards("Ks Kd 7h 4h")
ACES = parse_cards("Ac Ah 3d 5c 9s")


TABLES = Tables(four_card_poker, "2s")
table, wagered, dealt, played = TABLES.table, TABLES.wagered, TABLES.dealt, TABLES.played


def test_a_round_as_it_is_played() -> None:
    """FCP 5 to 9: two players, one folds, one plays and wins; the settlement is that of the whole round."""
    at = dealt(wagered("2 ante 1000", "2 aces_up 500", "5 ante 1000"))
    at = played(at, Move("fold", 5), Move("play", 2, cents=3000))
    assert at.state == "hands_decided"
    at = played(at, Move("turn_dealer", cards=KINGS), Move("set_dealer", cards=KINGS_SET))
    at = PLAY.step(at, Move("settle_hand", 2, cards=ACES))
    assert at.state == "hands_settled"
    at = PLAY.step(at, Move("collect_cards"))
    assert at.state == "cards_collected"
    assert {move.name for move in PLAY.legal_moves(at)} == {"reconstruct", "lose_track"}
    assert settlement_of(at) == settle(Round("shoe", KINGS, at.felt.seats))
    assert settlement_of(at).net_cents(2) == 4500
    assert settlement_of(at).net_cents(5) == -1000


DEALT = ("2 ante 1000", "4 aces_up 500")
NOT_ON_THE_FELT = """
wagers    | place 2 ante 500           | 5.6   | only one wager
wagers    | place 3 ante 50            | 6.1   | below the minimum
wagers    | place 3 tie 500            | 5.2   | not one of ante, aces_up
wagers    | place 0 ante 500           | 5.2   | seats are numbered 1 to 9
wagers    | place 10 ante 500          | 5.2   | seats are numbered 1 to 9
wagers    | place - ante 500           | 5.2   | seat: missing
wagers    | place 3 ante -             | 5.2   | cents: missing
wagers    | place 3 ante 0             | 5.2   | not from 1
wagers    | take_back 2 aces_up -      | 5.4   | no wager on the aces_up area
wagers    | take_back 3 ante -         | 5.4   | there is no wager
wagers    | refuse_wager 3 ante -      | 14.11 | there is no wager
wagers    | reshuffle - - -            | 13.1  | deals from a shoe
wagers    | deal 0 - -                 | 7.3   | the next card goes to 2
wagers    | deal - - -                 | 7.3   | seat: missing
last      | deal 2 - -                 | 7.3   | the next card goes to the dealer
last      | deal 0 - -                 | 7.3.4 | 0 where a hand is 1
last      | deal 0 - - 2s 3s           | 7.3.4 | 2 where a hand is 1
last      | device_failed - - -        | 13.2  | deals from a shoe
dealt     | play 2 - 999               | 8.5   | not from one to three times
dealt     | play 2 - 3001              | 8.5   | not from one to three times
dealt     | play 2 - -                 | 8.5   | cents: missing
dealt     | play 4 - 500               | 5.3   | wagers on Aces Up only
dealt     | play 3 - 500               | 8.5   | there is no wager
dealt     | short 4 - -                | 12.11 | no ante to match
dealt     | fold 3 - -                 | 8.3   | there is no wager
dealt     | discard_hand 3 - -         | 12.1  | it is a misdeal
dealt     | discard_hand 2 - -         | 12.7  | there is a wager
dealt     | discard_hand 10 - -        | 12.7  | seats are numbered 1 to 9
folded    | play 2 - 1000              | 8.4   | has decided
folded    | fold 2 - -                 | 8.4   | has decided
folded    | misdeal - - -              | 12.1  | a player has handled cards
decided   | turn_dealer - - - Ks Kd 7h 4h 3c    | 12.2 | 5 where the dealer's hand is 6
decided   | turn_dealer - - - Ks Kd 7h 4h 3c Ks | 3.1  | Ks: no card still unseen
decided   | turn_dealer - - - Ks Kd 7h 4h 3c 2d | 8.6  | one that was seen is not among them
turned    | set_dealer - - - Ks Kd 7h      | 9.1  | not four different ones
turned    | set_dealer - - - Ks Kd 7h 7h   | 9.1  | not four different ones
turned    | set_dealer - - - Ks Kd 7h Ac   | 9.1  | not four different ones
set       | concede 3 - -              | 9.3   | there is no wager
set       | settle_hand 2 - - Ac Ah 3d 5c    | 12.6 | 4 where a player's hand is 5
set       | settle_hand 2 - - Ac Ah 3d 5c Ks | 3.1  | Ks: no card still unseen
set       | settle_hand 2 - - Ac Ah 3d 5c Ac | 3.1  | Ac: no card still unseen
set       | reconstruct 2 - - Ac Ah 3d 5c 9s | 12.9 | no hand of seat 2 was arranged
conceded  | concede 2 - -              | 9.4   | has conceded
conceded  | settle_hand 2 - - Ac Ah 3d 5c 9s | 9.4 | no hand left to settle
exposed   | set_dealer - - - Ks Kd 4h 3c | 12.8 | stands as set
exposed   | void_hand 2 - -            | 12.6  | its hand was seen
exposed   | concede 2 - -              | 9.3   | no hand to concede
exposed   | settle_hand 2 - - Ac Ah 3d 5c 9s | 9.6 | no hand left to settle
exposed   | settle_hand 4 - - Ac Jh 3s 5h 9c | 3.1 | Ac: no card still unseen
exposed   | reconstruct 2 - - Ac Ah 3d 5c    | 12.6 | 4 where a player's hand is 5
lost      | lose_track 2 - -           | 12.9  | no hand of seat 2 was arranged
"""


def staged(where: str) -> Position[Felt]:
    """A table at a named moment of the same round."""
    at = wagered(*DEALT, limits=Limits(ante_min_cents=100))
    if where == "wagers":
        return at
    if where == "last":
        return played(at, *(Move("deal", seat) for seat in (2, 4, 0) * 5))
    at = dealt(at)
    if where == "folded":
        return PLAY.step(at, Move("fold", 2))
    if where == "dealt":
        return at
    moves = {
        "decided": [Move("play", 2, cents=1000), Move("play", 4)],
        "turned": [Move("turn_dealer", cards=KINGS)],
        "set": [Move("set_dealer", cards=KINGS_SET)],
        "conceded": [Move("concede", 2)],
        "exposed": [Move("settle_hand", 2, cards=ACES)],
        "lost": [Move("lose_track", 2)],
    }
    for name, made in moves.items():
        if name != "conceded" or where == "conceded":
            at = played(at, *made)
        if name == where:
            break
    return at


@pytest.mark.parametrize("line", NOT_ON_THE_FELT.strip().splitlines())
def test_what_the_felt_does_not_allow_is_refused_with_its_rule(line: str) -> None:
    """A move that has its place but cannot be made at that seat, amount or card is refused, and changes nothing."""
    refuses(PLAY, "FCP", line, staged)


def test_whole_multiples_where_the_table_asks_for_them() -> None:
    """FCP 8.5 under the ruling for whole multiples: 2500 on an ante of 1000 is refused, twice the ante is not."""
    at = dealt(wagered("2 ante 1000", settings=FourCardSettings(play_multiples="whole")))
    with pytest.raises(MoveRefused, match="whole multiple") as caught:
        PLAY.step(at, Move("play", 2, cents=2500))
    assert caught.value.rule == "FCP 8.5"
    assert PLAY.step(at, Move("play", 2, cents=2000)).state == "hands_decided"


def test_cards_from_a_device_are_not_cut() -> None:
    """FCP 4.2, 4.4, 4.5, 13.1: to a shoe cut; to a device uncut, shuffled by hand before or not, again if it jams."""
    at = PLAY.step(PLAY.begin(Felt("shuffler")), Move("check_cards"))
    shuffled = PLAY.step(at, Move("shuffle"))
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(shuffled, Move("cut"))
    assert caught.value.rule == "FCP 4.4"
    loaded = PLAY.step(at, Move("load"))
    assert PLAY.step(shuffled, Move("load")) == loaded == PLAY.step(loaded, Move("reshuffle"))
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(PLAY.step(PLAY.begin(Felt("shoe")), Move("check_cards")), Move("load"))
    assert caught.value.rule == "FCP 4.2"


@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_cards_are_dealt_in_their_order(device: str) -> None:
    """FCP 7.2 to 7.4: each card, or packet of five, goes where the deal order says, and to no other place."""
    at = wagered(*DEALT, device=device)
    order = [place for place, _ in deal_order(device, [2, 4])]  # type: ignore[arg-type]
    for place in order if device == "shoe" else [2, 4, 0, 0]:
        for wrong in {0, 2, 4, 7} - {place}:
            with pytest.raises(MoveRefused) as caught:
                PLAY.step(at, Move("deal", wrong, cards=UP))
            assert caught.value.rule == ("FCP 7.3" if device == "shoe" else "FCP 7.4")
        assert at.state != "cards_dealt"
        at = PLAY.step(at, Move("deal", place, cards=UP if at.felt.next_is_up() else None))
    assert at.state == "cards_dealt"
    assert at.felt.known == UP


def test_nothing_is_dealt_to_an_empty_layout() -> None:
    """FCP 7.2: a round begins after wagers are placed; one taken back is none."""
    for at in (table(), PLAY.step(wagered("2 ante 1000"), Move("take_back", 2, "ante"))):
        for move in (Move("no_more_bets"), Move("deal", 0)):
            with pytest.raises(MoveRefused) as caught:
                PLAY.step(at, move)
            assert caught.value.rule == "FCP 7.2"


def test_a_round_is_not_settled_half_way() -> None:
    """FCP 9.6: as long as a hand lies unsettled there is no settlement."""
    for where in ("wagers", "dealt", "decided", "turned", "set", "exposed"):
        with pytest.raises(RoundError, match="still to be settled"):
            settlement_of(staged(where))


def test_a_dealers_hand_may_be_set_again_until_a_hand_is_exposed() -> None:
    """FCP 9.1, 12.8: a wrong set is corrected before the first player's hand is exposed, and stands after it."""
    wrong = Move("set_dealer", cards=parse_cards("Ks 7h 4h 3c"))
    corrected = played(staged("turned"), wrong, Move("set_dealer", cards=KINGS_SET))
    assert corrected == staged("set")
    queens, odd = parse_cards("Qc Qh 7d 5d 9c"), parse_cards("Jh 6d Tc 3h 2h")
    end = [Move("settle_hand", 2, cards=queens), Move("settle_hand", 4, cards=odd)]
    assert settlement_of(played(corrected, *end)).net_cents(2) == -2000
    settlement = settlement_of(played(staged("turned"), wrong, *end))
    assert settlement.net_cents(2) == 2000
    assert "FCP 12.8" in settlement.lines[0].rules


def test_a_hand_arranged_wrongly_is_reconstructed_or_void() -> None:
    """FCP 12.9: until the next round begins a hand is settled again from its cards, or everything goes back."""
    wrong = parse_cards("Qc 8h 7d 5d 9c")
    end = [Move("settle_hand", 2, cards=wrong), Move("settle_hand", 4, cards=parse_cards("Jh 6d Tc 3h 2h"))]
    at = played(staged("set"), *end, Move("collect_cards"))
    assert settlement_of(at).net_cents(2) == -2000
    assert settlement_of(PLAY.step(at, Move("reconstruct", 2, cards=ACES))).net_cents(2) == 2000
    lines = settlement_of(PLAY.step(at, Move("lose_track", 2))).lines
    assert [(line.outcome, line.rules) for line in lines if line.seat == 2] == [("void", ("FCP 12.9",))] * 2


def test_a_conceded_hand_is_turned_where_its_side_wagers_stand() -> None:
    """FCP 9.3 under the ruling that only ante and play are collected: the hand is still settled for the rest."""
    at = dealt(wagered("2 ante 1000", "2 aces_up 500", settings=FourCardSettings(concede_collects="ante_play")))
    at = played(at, Move("play", 2, cents=2000), Move("turn_dealer", cards=KINGS), Move("concede", 2))
    at = PLAY.step(at, Move("set_dealer", cards=KINGS_SET))
    assert at.state == "dealer_set"
    at = PLAY.step(at, Move("settle_hand", 2, cards=ACES))
    assert settlement_of(at).net_cents(2) == -3000 + 500


def test_a_dealer_with_nobody_left_still_sets() -> None:
    """FCP 9.1: where every hand was folded, conceded or void the round is settled once the dealer's hand is set."""
    at = played(dealt(wagered("2 ante 1000")), Move("play", 2, cents=1000), Move("turn_dealer", cards=KINGS))
    at = played(at, Move("concede", 2), Move("set_dealer", cards=KINGS_SET))
    assert (at.state, settlement_of(at).net_cents(2)) == ("hands_settled", -2000)
    at = played(dealt(wagered("2 ante 1000")), Move("void_wagers", 2))
    assert at.state == "hands_decided"
    at = played(at, Move("turn_dealer", cards=KINGS), Move("set_dealer", cards=KINGS_SET))
    assert settlement_of(at).lines[0].rules == ("FCP 14.3.1",)


@pytest.mark.parametrize(
    ("wagers", "decision", "turned"),
    [
        (("2 ante 1000",), "absent", False),
        (("2 ante 1000",), "short", False),
        (("2 ante 1000", "2 aces_up 500"), "absent", True),
        (("2 ante 1000", "2 aces_up 500"), "short", True),
        (("2 ante 1000", "2 aces_up 500"), "fold", False),
    ],
)
def test_the_hand_of_a_player_who_left_is_turned_for_its_aces_up(
    wagers: tuple[str, ...], decision: str, *, turned: bool
) -> None:
    """FCP 12.11, 12.13: without an Aces Up wager the cards are discarded; with one it plays to completion."""
    at = played(dealt(wagered(*wagers)), Move(decision, 2), Move("turn_dealer", cards=KINGS))
    at = PLAY.step(at, Move("set_dealer", cards=KINGS_SET))
    assert at.state == ("dealer_set" if turned else "hands_settled")


def test_a_void_hand_may_be_the_last() -> None:
    """FCP 12.6: a void hand ends the betting round, or the settlement, only where no other hand is left."""
    at = PLAY.step(staged("dealt"), Move("void_hand", 2))
    assert at.state == "cards_dealt"
    assert PLAY.step(at, Move("void_hand", 4)).state == "hands_decided"
    assert PLAY.step(staged("set"), Move("void_hand", 2)).state == "dealer_set"
    assert PLAY.step(staged("exposed"), Move("void_hand", 4)).state == "hands_settled"


def test_a_dealers_hand_set_rightly_leaves_no_mark() -> None:
    """FCP 12.8: only four cards that are not the highest stand as set."""
    assert staged("set").felt.dealer_set is None
    wrong = PLAY.step(staged("turned"), Move("set_dealer", cards=parse_cards("Ks 7h 4h 3c")))
    assert wrong.felt.dealer_set == parse_cards("Ks 7h 4h 3c")
    assert staged("exposed").felt.seats[0].cards == ACES


def test_the_registry_has_the_machine() -> None:
    """A table finds the game's moves where it finds its settlement."""
    assert GAMES["four_card_poker"].play is PLAY
