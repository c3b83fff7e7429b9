"""A Casino War table move by move: what the felt allows, and how rounds end."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK, parse_cards
from rules.directions import Forfeit
from rules.games import GAMES
from rules.games.casino_war import PLAY, Felt, Round, round_of, settle, settlement_of
from rules.play import Move, MoveRefused
from rules.rounds import RoundError
from rules.settings import CasinoWarSettings
from tests.support.casino_war import dealt, placed, played, refusal, staged, table, wagered
from tests.support.moves import refuses

MOVES = tuple(PLAY.places)


def test_a_round_as_it_is_played() -> None:
    """WAR 5 to 10: one wins, one surrenders, one goes to war; the settlement is that of the whole round."""
    at = wagered("1 initial 1000", "2 initial 24", "5 initial 2500", "5 tie 500", "7 initial 100")
    at = dealt(at, "9c 8c 8d 2s 8s")
    assert at.state == "interim"
    at = played(at, Move("settle_tie", 5), Move("settle_hand", 7), Move("settle_hand", 1))
    assert [move.name for move in PLAY.legal_moves(at) if move.seat == 2][:3] == ["war", "surrender", "absent"]
    at = played(at, Move("surrender", 2), Move("war", 5, cents=2500))
    assert at.state == "interim_settled"
    at = dealt(at, "9h 9d")
    assert at.state == "war_dealt"
    at = played(at, Move("settle_war", 5), Move("collect_cards"))
    assert at.state == "cards_collected"
    assert {move.name for move in PLAY.legal_moves(at)} == {"reconstruct", "not_reconstructed", "direct_shuffle"}
    assert settlement_of(at) == settle(Round("shoe", parse_cards("8s 9d"), round_of(at.felt).seats))
    nets = [settlement_of(at).net_cents(seat) for seat in (1, 2, 5, 7)]
    assert nets == [1000, -12, 5000 + 5000, -100]


def test_a_round_without_a_war_ends_after_the_interim_settlement() -> None:
    """WAR 8.3, 10.4: where nobody goes to war the cards are collected, and no further card is dealt (9.1)."""
    at = played(dealt(wagered("2 initial 24"), "8c 8s"), Move("surrender", 2))
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(at, Move("deal", 2, cards=parse_cards("9c")))
    assert caught.value.rule == "WAR 9.1"
    assert settlement_of(PLAY.step(at, Move("collect_cards"))).net_cents(2) == -12


NOT_ON_THE_FELT = """
wagers   | place 2 initial 500      | 5.5   | only one wager
wagers   | place 6 tie 500          | 5.5   | only one wager
wagers   | place 3 initial 50       | 6.1   | below the minimum
wagers   | place 9 initial 50       | 6.6   | above the maximum
wagers   | place 3 tie 500          | 5.1.3 | has no initial wager
wagers   | place 3 war 500          | 5.3   | not one of initial, tie
wagers   | place 0 initial 500      | 5.3   | seats are numbered 1 to 9
wagers   | place 10 initial 500     | 5.3   | seats are numbered 1 to 9
wagers   | place - initial 500      | 5.3   | seat: missing
wagers   | place 3 initial -        | 5.3   | cents: missing
wagers   | take_back 2 initial -    | 5.1.3 | the tie wager of seat 2 needs it
wagers   | take_back 4 tie -        | 5.4   | no wager on the tie area
wagers   | take_back 3 initial -    | 5.4   | there is no wager
wagers   | burn_empty - - -         | 11.5  | wagers are placed
wagers   | deal 0 - - 2s            | 7.1   | the next card goes to 2
wagers   | deal - - - 2s            | 7.1   | seat: missing
wagers   | deal 2 - -               | 7.1   | 0 where one is dealt
wagers   | deal 2 - - 2s 3s         | 7.1   | 2 where one is dealt
dealing  | deal 2 - - 2s            | 7.1   | the next card goes to the dealer
dealing  | deal 0 - - 8c            | 3.1   | 8c: all 6 of them
dealing  | device_failed - - -      | 12.1.1| no shuffling device
dealing  | transfer - - -           | 12.1.1| no shuffling device
dealing  | device_fails - - -       | 12.1.1| no shuffling device
dealing  | find_damage - - -        | 12.1.1| no shuffling device
dealing  | cut - - -                | 4.3   | not shuffled anew
dealing  | forget_cut - - -         | 4.3   | not shuffled anew
dealing  | return_discards - - -    | 7.2   | not while
interim  | return_discards - - -    | 7.2   | no shuffling device
interim  | forget_discards - - -    | 11.14 | no shuffling device
hands    | find_invalid 2 - -       | 1.1   | no rule on Player Cards
failing  | deal 0 - - 2s            | 12.1.2| was not answered
failing  | reconstruct - - -        | 11.6  | answered first
too_few  | reconstruct - - -        | 11.6  | answered first
failing  | device_fails - - -       | 12.1.2| found already
failing  | find_damage - - -        | 12.3  | found already
failing  | transfer - - -           | 12.3  | damaged cards are replaced
failing  | device_failed - - -      | 12.3  | damaged cards are replaced
working  | transfer - - -           | 12.1.2| no shuffling device failed
working  | find_damage - - -        | 12.3  | no shuffling device failed
working  | cutting_card - - -       | 4.7   | has no cutting card
working  | cut - - -                | 4.7   | are not cut
shuffled | cut 1 - -                | 4.3.1 | the player at seat 4
shuffled | cut - - -                | 4.3.1 | the player at seat 4
shuffled | refuse_cut 7 - -         | 4.3.1 | the player at seat 4
shuffled | riffle 3 - -             | 4.2   | no player there
shuffled | riffle - - -             | 4.2   | seat: missing
declined | cut 4 - -                | 4.4   | the player at seat 7
everyone | cut 1 - -                | 4.4   | a casino supervisor
everyone | refuse_cut - - -         | 4.4   | a Casino Supervisor
reserved | place 3 initial 500      | 5.9   | reserved for Ann
too_few  | deal 0 - - 2s            | 4.3   | are cut first
too_few  | reshuffle_discards - - - | 11.7  | are cut now
cutting  | cutting_card - - -       | 4.1.3 | drawn already
collected| direct_check - - -       | 11.1.1| no card was found
collected| replace_cards - - -      | 3.5.2 | not exposed in this round
again    | find_invalid 2 - -       | 1.1   | found so already
dealing  | shoe_instead - - -       | 12.1.1| no shuffling device
dealing  | withdraw 2 - -           | 12.5.1| no shuffling device failed
interim  | settle_tie 2 - -         | 8.1   | from the right is at seat 6
interim  | settle_tie 4 - -         | 8.1   | no tie wager to act on
interim  | settle_hand 6 - -        | 8.2   | a tie wager has still
interim  | war 2 - 1000             | 8.2   | still to be acted on
ties     | settle_tie 6 - -         | 8.1   | no tie wager to act on
ties     | settle_hand 4 - -        | 8.2   | from the right is at seat 6
ties     | settle_hand 2 - -        | 8.2   | no hand to win or lose
ties     | surrender 2 - -          | 8.2   | still to be acted on
hands    | war 4 - 1000             | 5.7   | no choice to make
hands    | war 2 - 999              | 5.7   | not equal to the initial
hands    | war 2 - -                | 5.7   | cents: missing
hands    | absent 3 - -             | 11.8  | there is no wager
at_war   | collect_cards - - -      | 9.2   | seat 2 goes to war
at_war   | deal 4 - - 2s            | 9.2   | the next card goes to 2
second   | settle_war 4 - -         | 10    | has no war to settle
over     | void_wagers 3 - -        | 13.3.1| there is no wager
"""


@pytest.mark.parametrize("line", NOT_ON_THE_FELT.strip().splitlines())
def test_what_the_felt_does_not_allow_is_refused_with_its_rule(line: str) -> None:
    """A move that has its place but cannot be made at that seat, amount or card is refused, and changes nothing."""
    refuses(PLAY, "WAR", line, staged)


def test_choices_are_offered_from_the_left() -> None:
    """WAR 8.2.4: wagers are acted on from the dealer's right, war or surrender is offered from the dealer's left."""
    at = dealt(wagered("2 initial 1000", "4 initial 1000"), "8c 8d 8s")
    with pytest.raises(MoveRefused, match="from the left is at seat 2") as caught:
        PLAY.step(at, Move("surrender", 4))
    assert caught.value.rule == "WAR 8.2.4"
    assert played(at, Move("absent", 2), Move("surrender", 4)).state == "interim_settled"


def test_cards_come_into_play_cut_and_burned_or_uncut() -> None:
    """WAR 4.5 to 4.9, 11.9, 11.10: cut into a shoe, uncut into a device; forgotten, play goes on with the cards."""
    checked = PLAY.step(PLAY.begin(Felt("shoe")), Move("check_cards"))
    shuffled = PLAY.step(checked, Move("shuffle"))
    forgot = played(shuffled, Move("forget_cut"), Move("forget_burn"))
    assert forgot.felt.found == ("not_cut", "no_burn_card")
    assert replace(forgot, felt=replace(forgot.felt, found=())) == played(shuffled, Move("cut"), Move("burn"))
    for name, rule in (("cut", "WAR 4.7"), ("forget_cut", "WAR 4.7"), ("load", "WAR 4.6")):
        with pytest.raises(MoveRefused) as caught:
            PLAY.step(replace(shuffled, felt=Felt("shoe" if name == "load" else "shuffler")), Move(name))
        assert caught.value.rule == rule


def test_a_round_may_begin_with_the_cards_that_lie_there() -> None:
    """WAR 4.1: until the cutting card comes the next round is dealt from the same shoe; otherwise they are shuffled."""
    assert PLAY.step(PLAY.begin(Felt("shoe", loaded=True)), Move("play_on")).state == "wagers_open"
    with pytest.raises(MoveRefused) as caught:
        PLAY.step(PLAY.begin(Felt("shoe")), Move("play_on"))
    assert caught.value.rule == "WAR 4.1"


def test_nothing_is_dealt_to_an_empty_layout() -> None:
    """WAR 7.1, 11.5: a round begun without a wager is void, and its cards are burned."""
    for at in (table(), PLAY.step(wagered("2 initial 1000"), Move("take_back", 2, "initial"))):
        for move in (Move("no_more_bets"), Move("deal", 0, cards=(1,))):
            with pytest.raises(MoveRefused) as caught:
                PLAY.step(at, move)
            assert caught.value.rule == "WAR 7.1"
        assert PLAY.step(at, Move("burn_empty")) == at


def test_a_round_is_not_settled_half_way() -> None:
    """WAR 8, 10: as long as a wager has still to be acted on there is no settlement."""
    for where in ("wagers", "dealing", "interim", "ties", "hands", "at_war", "second"):
        with pytest.raises(RoundError, match="still to be settled"):
            settlement_of(staged(where))


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("too_many_cards", "WAR 11.16"),
        ("not_reconstructed", "WAR 11.6"),
        ("void_round", "WAR 11.17.2"),
        ("device_failed", "WAR 12.4"),
        ("invalidate", "WAR 13.5"),
    ],
)
def test_a_void_round_gives_everything_back(move: str, rule: str) -> None:
    """WAR 11.6, 11.16, 11.17.2, 12.4, 13.5: before the interim settlement every wager goes back, by its rule."""
    at = dealt(wagered("2 initial 1000", "2 tie 500", device="shuffler"), "8c 8s")
    if move == "device_failed":
        at = played(at, Move("device_fails"), Move("find_disadvantage"))
    at = PLAY.step(PLAY.step(at, Move(move)), Move("collect_cards"))
    lines = settlement_of(at).lines
    assert [(line.outcome, line.returned_cents, line.rules) for line in lines] == [
        ("void", 1000, (rule,)),
        ("void", 500, (rule,)),
    ]
    assert {each.name for each in PLAY.legal_moves(at)} <= {"direct_shuffle", "replace_cards"}
    for name in ("reconstruct", "not_reconstructed"):
        with pytest.raises(MoveRefused):
            PLAY.step(at, Move(name))


def test_what_was_settled_before_the_round_was_void_is_on_record() -> None:
    """WAR 11.6, 11.17.2: a machine that stops half way knows which wagers its interim settlement had acted on."""
    at = staged("ties")
    stands = settlement_of(PLAY.step(at, Move("not_reconstructed")))
    assert [(line.seat, line.wager, line.outcome) for line in stands.lines] == [
        (2, "initial", "void"),
        (2, "tie", "win"),
        (4, "initial", "void"),
        (6, "initial", "void"),
        (6, "tie", "lose"),
    ]
    undone = settlement_of(PLAY.step(at, Move("void_round")))
    assert {line.outcome for line in undone.lines} == {"void"}
    late = settlement_of(PLAY.step(PLAY.step(staged("over"), Move("collect_cards")), Move("not_reconstructed")))
    assert [line.outcome for line in late.lines] == ["void", "void", "win", "lose", "win", "lose"]


def test_a_direction_goes_with_an_invalidated_outcome() -> None:
    """WAR 13.5: the wagers of who defrauded are forfeited by a direction; the others' go back."""
    at = PLAY.step(staged("interim"), Move("invalidate"))
    lines = settlement_of(at, forfeits=(Forfeit(2, "A. Lee", "marked cards"),)).lines
    assert [(line.seat, line.outcome) for line in lines if line.wager == "initial"] == [
        (2, "lose"),
        (4, "void"),
        (6, "void"),
    ]


def test_a_wrong_deal_is_dealt_again() -> None:
    """WAR 11.6: the round is put into the sequence it should have had, also after its cards were collected."""
    for where in ("dealing", "interim", "hands", "at_war", "second", "over"):
        at = PLAY.step(staged(where), Move("reconstruct"))
        assert at.state == "dealing"
        assert all((seat.cards, seat.decision, seat.war_cents) == ((), None, None) for seat in at.felt.seats)
    at = played(staged("over"), Move("collect_cards"), Move("reconstruct"))
    at = played(dealt(at, "9c 7c 9d 8s"), Move("settle_tie", 6), Move("settle_tie", 2))
    at = played(at, *(Move("settle_hand", seat) for seat in (6, 4, 2)))
    assert settlement_of(at).net_cents(2) == 1000 - 500


@pytest.mark.parametrize("cards", ["9c", ""])
def test_an_extra_card_to_the_dealer(cards: str) -> None:
    """WAR 11.3, 11.4, 11.13: put away and the round goes on, or a misdeal, as the table reads its rules; once."""
    move = Move("extra_card", cards=parse_cards(cards) if cards else None)
    at = PLAY.step(dealt(wagered("2 initial 24"), "9c 8s"), move)
    assert (at.state, at.felt.dealer_extra) == ("interim", "exposed" if cards else "unexposed")
    with pytest.raises(MoveRefused):
        PLAY.step(at, move)
    assert settlement_of(PLAY.step(at, Move("settle_hand", 2))).net_cents(2) == 24
    strict = CasinoWarSettings(dealer_extra_card="misdeal")
    at = PLAY.step(dealt(wagered("2 initial 24", settings=strict), "9c 8s"), move)
    assert at.state == "round_void"
    settlement = settlement_of(at)
    assert settlement.net_cents(2) == 0
    assert settlement.rulings == (("dealer_extra_card", "misdeal"),)


def test_a_device_that_failed_is_answered_by_its_ladder() -> None:
    """WAR 12.2, 12.3, 12.5: transfer and replacement change nothing; from a shoe players may have their wagers back."""
    at = dealt(wagered("2 initial 1000", "4 initial 1000", device="shuffler"), "8c 8d 8s")
    failed = PLAY.step(at, Move("device_fails"))
    transferred = PLAY.step(failed, Move("transfer"))
    assert transferred.felt.found == ("device_undamaged",)
    damaged = played(failed, Move("find_damage"), Move("replace_damaged"))
    assert damaged.felt.found == ("device_damaged_cards",)
    for after in (transferred, damaged):
        assert replace(after, felt=replace(after.felt, found=())) == at
    at = played(at, Move("war", 2, cents=1000), Move("war", 4, cents=1000))
    at = played(at, *map(Move, ("device_fails", "find_impracticable", "shoe_instead")))
    assert refusal(at, Move("deal", 2, cards=(1,))) == "WAR 4.3"
    at = PLAY.step(at, Move("cut"))
    assert at.felt.device == "shoe"
    at = dealt(PLAY.step(at, Move("withdraw", 2)), "9h 9d")
    at = PLAY.step(at, Move("settle_war", 4))
    assert at.state == "hands_settled"
    settlement = settlement_of(at)
    assert [(line.seat, line.outcome, line.rules[0]) for line in settlement.lines] == [
        (2, "void", "WAR 12.5.1"),
        (2, "void", "WAR 12.5.1"),
        (4, "stand_off", "WAR 5.1.1.5"),
        (4, "win", "WAR 5.1.2.1"),
    ]


@pytest.mark.parametrize(
    ("where", "state"), [("interim", "interim_settled"), ("second", "hands_settled"), ("at_war", "interim_settled")]
)
def test_a_round_ends_where_nobody_is_left(where: str, state: str) -> None:
    """WAR 13.3.1: with the last wagers void there is nothing more to deal or settle."""
    at = staged(where)
    for seat in (2, 4, 6):
        at = PLAY.step(at, Move("void_wagers", seat))
    assert at.state == state
    assert refusal(at, Move("reconstruct")) == "WAR 11.6"
    assert settlement_of(PLAY.step(at, Move("collect_cards"))).net_cents(2) == 0
    at = PLAY.step(dealt(wagered("2 initial 24", "3 initial 24"), "9c"), Move("void_wagers", 2))
    assert at.state == "dealing"
    assert PLAY.step(at, Move("void_wagers", 3)).state == "interim_settled"


RARE = {
    *("refuse_cut", "riffle", "forget_shuffle", "cutting_card", "deal_misplaced", "find_invalid", "device_fails"),
    *("find_disadvantage", "find_no_other", "find_impracticable", "find_damage", "forget_discards"),
    *("reconstruct", "not_reconstructed", "too_many_cards", "void_round", "device_failed", "invalidate"),
    *("withdraw", "void_wagers", "extra_card", "shoe_instead", "transfer", "replace_damaged"),
    *("burn_empty", "burn_faced", "reshuffle_discards", "forget_cut", "forget_burn"),
}


@settings(max_examples=300, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    device=st.sampled_from(["shoe", "shuffler"]),
    rulings=st.builds(
        CasinoWarSettings,
        dealer_extra_card=st.sampled_from(["repair", "misdeal"]),
        interim_when_void=st.sampled_from(["undone", "stand"]),
        carded_play=st.sampled_from(["as_book", "all_games"]),
        invalid_losing=st.sampled_from(["kept", "returned"]),
    ),
)
def test_whatever_is_played_settles(seed: int, device: Any, rulings: CasinoWarSettings) -> None:
    """Any moves that are legal end in a settlement where money in is money out; a refused move changes nothing.

    The seats in another order are the same round.
    """
    rng = random.Random(seed)
    at = PLAY.begin(Felt(device, rulings, at_table={3: "Ann", 1: "Bob", 8: "Cyd"}))
    shoe = list(DECK[:20]) * 6
    rng.shuffle(shoe)
    for _ in range(600):
        if at.state == "cards_collected":
            break
        legal = PLAY.legal_moves(at)
        names = sorted({move.name for move in legal})
        name = rng.choices(names, [0.02 if name in RARE else 1 for name in names])[0]
        move = rng.choice([move for move in legal if move.name == name])
        if name == "place":
            move = replace(move, cents=rng.choice([1, 500, 10**12]))
        if name == "deal":
            move = replace(move, cards=(next(card for card in shoe if at.felt.seen()[card] < 6),))
            shoe.remove((move.cards or (0,))[0])
            shoe.append((move.cards or (0,))[0])
        odd = Move(rng.choice(MOVES), rng.randint(-1, 11), rng.choice(["initial", "war", None]), rng.choice([None, 1]))
        before, rule = replace(at), refusal(at, odd)
        assert at == before
        seats = {each.seat for each in legal if each.name == odd.name}
        assert rule.startswith("WAR ") if rule is not None else seats & {odd.seat, None}
        at = PLAY.step(at, move)
    assert at.state == "cards_collected"
    settlement = settlement_of(at)
    assert settlement == settle(round_of(at.felt), at.felt.settings, at.felt.limits)
    lines = settlement.lines
    assert {(line.seat, line.wager): line.stake_cents for line in lines} == placed(at.felt.seats)
    assert len({(line.seat, line.wager) for line in lines}) == len(lines)
    assert all(line.rules and 0 <= line.returned_cents <= line.stake_cents for line in lines)
    back = sum(line.paid_cents + line.returned_cents for line in lines)
    nets = sum(settlement.net_cents(seat.seat) for seat in at.felt.seats)
    assert sum(placed(at.felt.seats).values()) + nets == back
    turned = round_of(at.felt)
    turned = replace(turned, seats=tuple(rng.sample(turned.seats, len(turned.seats))))
    assert settle(turned, at.felt.settings, at.felt.limits) == settlement


def test_the_registry_has_the_machine() -> None:
    """A table finds the game's moves where it finds its settlement."""
    assert GAMES["casino_war"].play is PLAY
