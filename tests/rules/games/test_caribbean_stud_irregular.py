"""What goes wrong at a Caribbean Stud table, move by move: rules 14, 15 and 16."""

from dataclasses import replace

import pytest

from rules.cards import parse_cards
from rules.directions import Forfeit
from rules.games.caribbean_stud import PLAY, Faults, next_round, settle, settlement_of
from rules.play import Move, MoveRefused
from rules.rounds import Round, RoundError
from rules.settings import Settings
from tests.support.stud_table import (
    DEALT,
    PAIR,
    PLAYS,
    ROYAL,
    UP,
    dealt,
    exposing,
    played,
    staged,
    wagered,
)


@pytest.mark.parametrize(
    ("where", "ruling", "state"),
    [
        ((2,), "misdeal", "dealing"),
        ((0,), "misdeal", "dealing"),
        ((2, 2), "misdeal", "round_void"),
        ((0, 0), "misdeal", "round_void"),
        ((2, 0), "play_on", "round_void"),
        ((0, 0), "play_on", "dealing"),
    ],
)
def test_two_exposed_cards_are_a_misdeal(where: tuple[int, ...], ruling: str, state: str) -> None:
    """CSP 14.3, 14.5, 14.6: one exposed card is none, two are; two of the dealer's by the table's ruling."""
    at = exposing(*where, settings=Settings(dealer_cards_exposed_in_deal=ruling))  # type: ignore[arg-type]
    assert at.state == state
    if state == "round_void":
        assert {line.rules for line in settlement_of(at).lines} == {("CSP 14.4",)}


def test_a_card_exposed_on_the_dealers_hand_stays_and_the_others_lie_face_down() -> None:
    """CSP 14.6: the exposed card is left face upwards and every later card, the dealer's last too, face downwards."""
    at = exposing(0)
    assert at.felt.up_cards == parse_cards("Ts")
    while at.state != "cards_dealt":
        to, face_up = at.felt.next_cards()
        assert not face_up
        if to == 0:
            with pytest.raises(MoveRefused) as caught:
                PLAY.step(at, Move("deal", to, cards=UP))
            assert caught.value.rule == "CSP 14.6"
        at = PLAY.step(at, Move("deal", to))
    at = PLAY.step(at, Move("expose_dealer", cards=parse_cards("Jd")))
    at = PLAY.step(at, Move("bet", 2, cents=2000))
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, Move("turn_dealer", cards=PLAYS))
    assert caught.value.rule == "CSP 8.6"
    assert PLAY.step(at, Move("turn_dealer", cards=parse_cards("Ts Jd 2c 3c 4c"))).state == "dealer_turned"


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("misdeal", "CSP 14.4"),
        ("misdealt_dealer", "CSP 14.4"),
        ("void_round", "CSP 14.9.2"),
        ("device_failed", "CSP 15.2.1"),
        ("invalidate", "CSP 16.6"),
    ],
)
def test_a_void_round_gives_everything_back(move: str, rule: str) -> None:
    """CSP 14.4, 14.9.2, 15.2.1, 16.6: every wager goes back by its rule, the one on the jackpot too."""
    at = dealt(wagered(*DEALT, device="shuffler"))
    at = PLAY.step(PLAY.step(at, Move(move)), Move("collect_cards"))
    settlement = settlement_of(at)
    assert [(line.wager, line.outcome, line.returned_cents, line.rules) for line in settlement.lines] == [
        ("ante", "void", 1000, (rule,)),
        ("jackpot", "void", 100, (rule,)),
        ("ante", "void", 500, (rule,)),
    ]
    assert settlement.qualifying == ()
    assert PLAY.legal_moves(at) == ()
    assert next_round(at).state == ("cards_new" if move in {"void_round", "device_failed"} else "cards_checked")


def test_a_foreign_card_found_after_a_prize_was_paid_voids_the_round() -> None:
    """CSP 14.9.2, case 52: until the cards are collected the whole round is void, its wagers go back."""
    at = PLAY.step(staged("paid"), Move("void_round"))
    assert {line.rules for line in settlement_of(at).lines} == {("CSP 14.9.2",)}
    assert {line.returned_cents - line.stake_cents for line in settlement_of(at).lines} == {0}


def test_a_direction_goes_with_an_invalidated_outcome() -> None:
    """CSP 16.6: the wagers of who defrauded are forfeited by a direction; the others' go back by the ruling."""
    at = PLAY.step(staged("dealt"), Move("invalidate"))
    forfeits = (Forfeit(2, "A. Lee", "marked cards"),)
    lines = settlement_of(at, forfeits=forfeits).lines
    assert [(line.seat, line.wager, line.outcome) for line in lines] == [
        (2, "ante", "lose"),
        (2, "jackpot", "lose"),
        (4, "ante", "void"),
    ]
    kept = replace(at, felt=replace(at.felt, settings=Settings(refund_invalidated=False)))
    assert {line.outcome for line in settlement_of(kept).lines} == {"lose"}


def test_a_bet_is_corrected_or_the_hand_folded() -> None:
    """CSP 14.11: found before the dealer's cards are exposed, a wrong bet is corrected, or goes back with a fold."""
    at = staged("wrong")
    again = PLAY.step(at, Move("correct_bet", 2, cents=2000))
    assert again == staged("decided")
    folded = played(at, Move("fold_bet", 2), Move("turn_dealer", cards=PLAYS))
    lines = settlement_of(folded).lines
    assert [(line.wager, line.outcome, line.returned_cents) for line in lines] == [
        ("ante", "lose", 0),
        ("bet", "returned", 1500),
        ("jackpot", "lose", 0),
        ("ante", "lose", 0),
    ]


def test_a_wrong_bet_found_during_the_settlement_counts_up_to_twice_the_ante() -> None:
    """CSP 14.12: less than twice the ante is paid as it is, more up to twice."""
    for cents, paid in ((1500, 1500), (2500, 2000)):
        at = played(staged("turned"), Move("find_bet", 2, cents=cents), Move("compare", 2, cards=PAIR))
        line = settlement_of(at).lines[1]
        assert (line.stake_cents, line.paid_cents, line.returned_cents) == (cents, paid, cents)


def test_a_directed_player_decides_before_the_others() -> None:
    """CSP 14.13.1: who is suspected plays first; an absent player's hand is deemed folded meanwhile (14.14)."""
    at = played(staged("first"), Move("bet", 2, cents=2000))
    assert PLAY.step(at, Move("fold", 4)).state == "hands_decided"
    assert PLAY.step(staged("first"), Move("absent", 4)).felt.seats[1].decision == "absent"


def test_directions_hold_in_the_next_round() -> None:
    """CSP 14.13.2, 14.13.3, 14.15, 16.4.2: who was excluded stays out, English is spoken, the jackpot stays closed."""
    at = played(staged("dealt"), Move("direct_english"), Move("direct_apart", 2), Move("link_down"))
    at = played(at, Move("play_without"), Move("misdeal"), Move("collect_cards"))
    felt = next_round(at).felt
    assert (felt.barred, felt.english, felt.jackpot, felt.seats) == (((2, "CSP 14.13.2"),), True, "closed", ())
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, Move("direct_english"))
    assert caught.value.rule == "CSP 14.13.3"
    with pytest.raises(MoveRefused, match="directed so already"):
        played(staged("dealt"), Move("direct_english"), Move("direct_english"))
    with pytest.raises(RoundError, match="has not ended"):
        next_round(staged("dealt"))


def test_a_failed_link_leaves_accepted_wagers_in_the_jackpot() -> None:
    """CSP 14.15: with approval the game goes on; an unaccepted wager is handed back, an accepted one may still win."""
    at = played(staged("pending"), Move("link_down"))
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, Move("take_jackpot", 4))
    assert caught.value.rule == "CSP 14.15"
    at = played(at, Move("return_jackpot", 4), Move("play_without"))
    at = played(dealt(at), Move("bet", 2, cents=2000), Move("fold", 4), Move("turn_dealer", cards=PLAYS))
    at = PLAY.step(at, Move("compare", 2, cards=ROYAL))
    assert [winner.seat for winner in settlement_of(at).qualifying] == [2]
    assert PLAY.step(staged("closed"), Move("reopen_jackpot")).felt.jackpot == "open"


def test_a_void_hand_may_be_the_last() -> None:
    """CSP 14.8, 16.4.1: a void hand ends the betting round, or the settlement, only where no other hand is left."""
    at = PLAY.step(staged("dealt"), Move("void_hand", 2))
    assert at.state == "cards_dealt"
    at = PLAY.step(at, Move("void_wagers", 4))
    assert at.state == "hands_decided"
    at = PLAY.step(at, Move("turn_dealer", cards=PLAYS))
    assert (at.state, settlement_of(at).lines[0].rules) == ("hands_settled", ("CSP 14.8",))
    assert settlement_of(at).lines[2].rules == ("CSP 16.4.1",)
    assert PLAY.step(staged("turned"), Move("void_hand", 2)).state == "hands_settled"
    counted = played(staged("turned"), Move("void_hand", 4))  # A folded hand is counted as it is collected (8.4).
    assert counted.state == "dealer_turned"


def test_an_invalid_wager_found_during_the_hand_wins_nothing() -> None:
    """CSP 14.20.2, 16.1: a winning one goes back, the one on the jackpot too; a losing one by the table's ruling."""
    at = played(staged("turned"), Move("find_invalid", 2), Move("compare", 2, cards=ROYAL))
    settlement = settlement_of(at)
    assert [(line.outcome, line.paid_cents, line.returned_cents) for line in settlement.lines if line.seat == 2] == [
        ("void", 0, 1000),
        ("void", 0, 2000),
        ("void", 0, 100),
    ]
    assert settlement.qualifying == ()
    assert PLAY.step(at, Move("collect_cards")).state == "cards_collected"


def test_faults_that_cannot_be_are_refused() -> None:
    """CSP 14.8, 16.6: a fault is one of a hand that lies there, once; a forfeit goes with an invalidated outcome."""
    round_ = Round("caribbean_stud", "2024-08-16", "shoe", None, staged("dealt").felt.seats)
    forfeit = (Forfeit(2, "A. Lee", "marked cards"),)
    for faults, field in (
        (Faults(hands=((3, "card_count"),)), "void_for"),
        (Faults(hands=((2, "card_count"), (2, "invalid"))), "void_for"),
        (Faults(forfeits=forfeit), "forfeits"),
        (Faults("misdeal", forfeits=forfeit), "forfeits"),
        (Faults("invalidated", forfeits=(Forfeit(3, "A. Lee", "x"),)), "forfeits[0].seat"),
    ):
        with pytest.raises(RoundError) as caught:
            settle(round_, faults=faults)
        assert caught.value.field == field
