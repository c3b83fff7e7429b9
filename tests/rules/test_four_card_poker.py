"""The rules of Four Card Poker as a table: a round on the left, what its wagers come to on the right."""

from typing import Any

import pytest

from rules.cards import parse_cards
from rules.directions import Forfeit
from rules.games.four_card_poker import SCHEDULES, Limits, Round, Seat, deal_order, settle
from rules.rounds import RoundError, Settlement
from rules.schedules import chosen
from rules.settings import FourCardSettings

HANDS = {
    "KINGS": "Ks Kd 7h 4h 3c 2s",
    "ODD": "Qs Jd 8h 6c 3d 2s",
    "STRAIGHT": "9s 8d 7h 6s 2c 2d",
}
"""The dealers' hands of the tables."""

# Dealer ; the player's cards, decision, ante, play wager and Aces Up ; and what each wager comes to:
# wager, outcome, +winnings, <stake given back, and the rules cited.
TABLE = """
KINGS   ; Ac Ah 3d 5c 9s play 10 10 -    ; ante win +10 <10 9.2.1.4 10.1 | play win +10 <10 9.2.1.4 10.4
KINGS   ; Ac Ah 3d 5c 9s play 10 30 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +30 <30 9.2.1.4 10.4 | aces_up win +5 <5 9.2.1.5 10.5
KINGS   ; Kc Kh 8d 5c 4s play 10 25 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +25 <25 9.2.1.4 10.4 | aces_up lose +0 <0 9.2.1.3
KINGS   ; Kc Kh 7d 4c 2h play 10 20 5    ; ante win +10 <10 9.2.1.4 10.6 10.1 | play win +20 <20 9.2.1.4 10.6 10.4 | aces_up lose +0 <0 9.2.1.3
KINGS   ; Kc Kh 7d 3d 2h play 10 10 -    ; ante lose +0 <0 9.2.1.2 | play lose +0 <0 9.2.1.2
KINGS   ; Ah Qc Jc 9d 7s play 10 10 5    ; ante lose +0 <0 9.2.1.2 | play lose +0 <0 9.2.1.2 | aces_up lose +0 <0 9.2.1.3
KINGS   ; 5c 5h 4d 4c Ts play 10 30 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +30 <30 9.2.1.4 10.4 | aces_up win +15 <5 9.2.1.5 10.5
KINGS   ; Ac 2h 3d 4c Ts play 10 10 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +10 <10 9.2.1.4 10.4 | aces_up win +20 <5 9.2.1.5 10.5
KINGS   ; 5h 6h 8h Th Kc play 10 10 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +10 <10 9.2.1.4 10.4 | aces_up win +25 <5 9.2.1.5 10.5
ODD     ; 5h 6h 7h 8s Kh play 10 10 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +10 <10 9.2.1.4 10.4 | aces_up win +25 <5 9.2.1.5 10.5
KINGS   ; 5h 6h 7s 8h 8d play 10 10 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +10 <10 9.2.1.4 10.4 | aces_up win +20 <5 9.2.1.5 10.5
STRAIGHT; 5h 6h 8s 7c 8h play 10 10 5    ; ante lose +0 <0 9.2.1.2 | play lose +0 <0 9.2.1.2 | aces_up win +20 <5 9.2.1.5 10.5
ODD     ; 5h 6h 7h 8s 4h play 10 30 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +30 <30 9.2.1.4 10.4 | ante_bonus win +200 <0 9.2.1.1 10.2 10.3 | aces_up win +200 <5 9.2.1.5 10.5
ODD     ; 5c 5h 5d 8s 4h play 10 30 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +30 <30 9.2.1.4 10.4 | ante_bonus win +20 <0 9.2.1.1 10.2 10.3 | aces_up win +40 <5 9.2.1.5 10.5
ODD     ; 5c 5h 5d 5s 4h play 10 30 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +30 <30 9.2.1.4 10.4 | ante_bonus win +250 <0 9.2.1.1 10.2 10.3 | aces_up win +250 <5 9.2.1.5 10.5
ODD     ; Kc Ac 2c 3c Td play 10 10 5    ; ante win +10 <10 9.2.1.4 10.1 | play win +10 <10 9.2.1.4 10.4 | aces_up win +25 <5 9.2.1.5 10.5
KINGS   ; Qc Ah 2d 3d 9c play  -  - 5    ; aces_up lose +0 <0 9.2.1.3
KINGS   ; Ac Ah 3d 5c 9s play  -  - 5    ; aces_up win +5 <5 9.2.1.5 10.5
KINGS   ; 5c 5h 5d 5s 4d fold 10  - 5    ; ante lose +0 <0 8.4 | aces_up lose +0 <0 8.4
KINGS   ; - - - - -      fold 10  - -    ; ante lose +0 <0 8.4
KINGS   ; - - - - -      fold  -  - 5    ; aces_up lose +0 <0 8.4
KINGS   ; 5c 5h 5d 5s 4d concede 10 30 5 ; ante lose +0 <0 9.3 | play lose +0 <0 9.3 | aces_up lose +0 <0 9.3
KINGS   ; - - - - -      concede 10 10 - ; ante lose +0 <0 9.3 | play lose +0 <0 9.3
KINGS   ; - - - - -      absent 10 - -   ; ante void +0 <10 12.13
KINGS   ; 5c 5h 5d 5s 4d absent 10 - 5   ; ante void +0 <10 12.13 | aces_up win +250 <5 12.13 9.2.1.5 10.5
KINGS   ; Ac 2h 3d 5c 9s absent 10 - 5   ; ante void +0 <10 12.13 | aces_up lose +0 <0 12.13 9.2.1.3
KINGS   ; - - - - -      short 10 - -    ; ante void +0 <10 12.11
KINGS   ; 5c 5h 5d 5s 4d short 10 - 5    ; ante void +0 <10 12.11 | aces_up win +250 <5 12.11 9.2.1.5 10.5
KINGS   ; - - - - -      short/1 10 - -  ; ante lose +0 <0 12.11
KINGS   ; Ac Ah 3d 5c 9s short/2 10 - 5  ; ante lose +0 <0 12.11 | aces_up win +5 <5 12.11 9.2.1.5 10.5
KINGS   ; - - - - -      void 10 30 5    ; ante void +0 <10 12.6 | play void +0 <30 12.6 | aces_up void +0 <5 12.6
"""  # noqa: E501 - a line a round

# The dealer's bonus is no matter (10.2): hands that lose, or tie, are paid it all the same.
BONUS_ON_A_LOST_ANTE = """
Ks Kd Kh Kc 3c 2s ; 5c 5h 5d 8s 4h play 10 10 - ; ante lose +0 <0 9.2.1.2 | play lose +0 <0 9.2.1.2 | ante_bonus win +20 <0 9.2.1.1 10.2 10.3
Ks Kd Kh Kc 3c 2s ; 5c 6c 7c 8c 4h play 10 10 - ; ante lose +0 <0 9.2.1.2 | play lose +0 <0 9.2.1.2 | ante_bonus win +200 <0 9.2.1.1 10.2 10.3
5s 6s 7s 8s 3c 2h ; 5c 6c 7c 8c 3h play 10 10 - ; ante win +10 <10 9.2.1.4 10.6 10.1 | play win +10 <10 9.2.1.4 10.6 10.4 | ante_bonus win +200 <0 9.2.1.1 10.2 10.3
"""  # noqa: E501 - a line a round

# As above under a sign: ante 5 to 20, Aces Up 5 to 10.
SIGN = Limits(ante_min_cents=5, ante_max_cents=20, aces_up_min_cents=5, aces_up_max_cents=10)
UNDER_A_SIGN = """
KINGS   ; Ac Ah 3d 5c 9s play 4 12 -     ; ante win +4 <4 9.2.1.4 10.1 6.2 | play win +12 <12 9.2.1.4 10.4
KINGS   ; Qc 7s 3d 9c 5d play 4 4 2      ; ante lose +0 <0 9.2.1.2 6.2 | play lose +0 <0 9.2.1.2 | aces_up lose +0 <0 9.2.1.3 6.2
KINGS   ; Ac Ah 3d 5c 9s play 20 60 10   ; ante win +20 <20 9.2.1.4 10.1 | play win +60 <60 9.2.1.4 10.4 | aces_up win +10 <10 9.2.1.5 10.5
KINGS   ; Ac Ah 3d 5c 9s play 30 30 -    ; ante win +20 <30 9.2.1.4 10.1 6.3 | play win +20 <30 9.2.1.4 10.4 6.3
KINGS   ; Ac Ah 3d 5c 9s play 30 60 -    ; ante win +20 <30 9.2.1.4 10.1 6.3 | play win +40 <60 9.2.1.4 10.4 6.3
KINGS   ; Ac Ah 3d 5c 9s play 30 50 -    ; ante win +20 <30 9.2.1.4 10.1 6.3 | play win +33 <50 9.2.1.4 10.4 6.3
KINGS   ; Qc 7s 3d 9c 5d play 30 90 15   ; ante lose +0 <10 9.2.1.2 6.3 | play lose +0 <30 9.2.1.2 6.3 | aces_up lose +0 <5 9.2.1.3 6.3
ODD     ; 5c 5h 5d 8s 4h play 30 30 15   ; ante win +20 <30 9.2.1.4 10.1 6.3 | play win +20 <30 9.2.1.4 10.4 6.3 | ante_bonus win +40 <0 9.2.1.1 10.2 10.3 6.3 | aces_up win +80 <15 9.2.1.5 10.5 6.3
KINGS   ; - - - - - fold 30 - 15         ; ante lose +0 <10 8.4 6.3 | aces_up lose +0 <5 8.4 6.3
KINGS   ; - - - - - absent 30 - -        ; ante void +0 <30 12.13
KINGS   ; - - - - - short/1 30 - -       ; ante lose +0 <10 12.11 6.3
"""  # noqa: E501 - a line a round


def one_seat(line: str) -> tuple[Round, str]:
    """The round of a line of a table, and what is expected of it."""
    dealer, player, expected = (part.strip() for part in line.split(";"))
    *cards, decision, ante, play, aces_up = player.split()
    decision, _, warnings = decision.partition("/")
    seat = Seat(
        1,
        None if ante == "-" else int(ante),
        None if aces_up == "-" else int(aces_up),
        decision,  # type: ignore[arg-type]
        None if play == "-" else int(play),
        None if "-" in cards else parse_cards(" ".join(cards)),
        int(warnings or 0),
    )
    return Round("shoe", parse_cards(HANDS.get(dealer, dealer)), (seat,)), expected


def said(settlement: Settlement) -> str:
    """The lines of a settlement in the words of the table."""
    return " | ".join(
        f"{line.wager} {line.outcome} +{line.paid_cents} <{line.returned_cents} "
        + " ".join(rule.removeprefix("FCP ") for rule in line.rules)
        for line in settlement.lines
    )


@pytest.mark.parametrize("line", [*TABLE.strip().splitlines(), *BONUS_ON_A_LOST_ANTE.strip().splitlines()])
def test_settlement(line: str) -> None:
    """Each wager comes to what its rule says (FCP 8.4, 9.2, 9.3, 10, 12.6, 12.11, 12.13; CASES 42, 44, 46)."""
    round_, wanted = one_seat(line)
    assert said(settle(round_)) == wanted


@pytest.mark.parametrize("line", UNDER_A_SIGN.strip().splitlines())
def test_settlement_under_a_sign(line: str) -> None:
    """Wagers beside the sign count as rules 6.2 and 6.3 say; the bonus is paid on what of the ante counts."""
    round_, wanted = one_seat(line)
    assert said(settle(round_, limits=SIGN)) == wanted


def test_a_play_wager_is_cut_in_step_with_its_ante_or_not() -> None:
    """FCP 6.3, 8.5: whether the play wager follows an ante cut to its maximum is the table's ruling, and named."""
    round_, _ = one_seat("KINGS ; Ac Ah 3d 5c 9s play 30 90 - ; x")
    settlement = settle(round_, limits=SIGN)
    assert [line.paid_cents for line in settlement.lines] == [20, 60]
    assert settlement.rulings == (("cap_linked_wager", True),)
    settlement = settle(round_, FourCardSettings(cap_linked_wager=False), SIGN)
    assert [line.paid_cents for line in settlement.lines] == [20, 90]
    assert settlement.rulings == (("cap_linked_wager", False),)
    own = settle(round_, limits=Limits(play_max_cents=25))
    assert [line.paid_cents for line in own.lines] == [30, 25]


def test_a_play_wager_is_any_amount_or_a_whole_multiple() -> None:
    """FCP 8.5: "between one and three times their Ante" is any amount, or multiples; named where it matters."""
    between, _ = one_seat("KINGS ; Ac Ah 3d 5c 9s play 10 25 - ; x")
    twice, _ = one_seat("KINGS ; Ac Ah 3d 5c 9s play 10 20 - ; x")
    whole = FourCardSettings(play_multiples="whole")
    assert settle(between).rulings == (("play_multiples", "any"),)
    assert settle(twice).rulings == ()
    assert settle(twice, whole) == settle(twice)
    with pytest.raises(RoundError) as caught:
        settle(between, whole)
    assert (caught.value.field, caught.value.value) == ("seats[0].play_cents", "25")
    assert caught.value.reason == "not a whole multiple of the ante of 10 cents (FCP 8.5)"


def test_a_conceding_player_loses_all_or_only_ante_and_play() -> None:
    """FCP 9.3: "collect the player's wagers" is all of them, or those against the dealer; the ruling is named."""
    round_, _ = one_seat("KINGS ; 5c 5h 5d 5s 4d concede 10 30 5 ; x")
    settlement = settle(round_, FourCardSettings(concede_collects="ante_play"))
    assert said(settlement) == (
        "ante lose +0 <0 9.3 | play lose +0 <0 9.3 | ante_bonus win +250 <0 9.2.1.1 10.2 10.3 | "
        "aces_up win +250 <5 9.2.1.5 10.5"
    )
    assert dict(settlement.rulings)["concede_collects"] == "ante_play"
    assert dict(settle(round_).rulings) == {"concede_collects": "all"}
    without, _ = one_seat("KINGS ; Qc 7s 3d 9c 5d concede 10 10 - ; x")
    assert settle(without).rulings == ()
    bonus, _ = one_seat("KINGS ; 5c 5h 5d 5s 4d concede 10 10 - ; x")
    assert settle(bonus).rulings == (("concede_collects", "all"),)
    unseen, _ = one_seat("KINGS ; - - - - - concede 10 10 5 ; x")
    with pytest.raises(RoundError) as caught:
        settle(unseen, FourCardSettings(concede_collects="ante_play"))
    assert caught.value.field == "seats[0].cards"


@pytest.mark.parametrize(
    ("dealer_set", "outcome", "rules", "notes"),
    [
        (None, "lose", ("FCP 9.2.1.2",), 0),
        ("Ks Kd 7h 4h", "lose", ("FCP 9.2.1.2",), 0),
        ("Ks 7h 4h 3c", "win", ("FCP 9.2.1.4", "FCP 10.1", "FCP 12.8"), 1),
        ("Ks Kd 3c 2s", "lose", ("FCP 9.2.1.2", "FCP 12.8"), 1),
    ],
)
def test_a_dealers_hand_set_wrongly_stands(
    dealer_set: str | None, outcome: str, rules: tuple[str, ...], notes: int
) -> None:
    """FCP 12.8: once a player's hand is exposed, the dealer's plays as it was set, for all; supervisors are told."""
    seat = Seat(1, 10, decision="play", play_cents=10, cards=parse_cards("Qc Qh 7d 5d 9c"))
    cards = None if dealer_set is None else parse_cards(dealer_set)
    settlement = settle(Round("shoe", parse_cards(HANDS["KINGS"]), (seat,), dealer_set=cards))
    ante = settlement.lines[0]
    assert (ante.outcome, ante.rules, len(settlement.notes)) == (outcome, rules, notes)
    assert not notes or "One Pair, kings with seven four (FCP 12.8)" in settlement.notes[0]


def test_the_schedule_on_the_sign_pays() -> None:
    """FCP 10.3, 10.5: bonus and Aces Up are paid by the named schedules, and the settlement says which."""
    round_, _ = one_seat("ODD ; 5c 5h 5d 8s 4h play 10 10 5 ; x")
    first = settle(round_)
    assert first.rulings == (("aces_up", "fcp_aces_up_50_40_8_5_4_3_1"), ("ante_bonus", "fcp_ante_bonus_25_20_2"))
    assert [line.paid_cents for line in first.lines] == [10, 10, 20, 40]
    second = settle(round_, schedules=chosen("four_card_poker", SCHEDULES, ("fcp_aces_up_50_40_9_6_4_2_1",)))
    assert [line.paid_cents for line in second.lines] == [10, 10, 20, 45]
    assert dict(second.rulings)["aces_up"] == "fcp_aces_up_50_40_9_6_4_2_1"


WRONG = """
KINGS ; Ac Ah 3d 5c 9s play 10 31 -  ; seats[0].play_cents | 31    | not from one to three times the ante of 10 cents (FCP 8.5)
KINGS ; Ac Ah 3d 5c 9s play 10 9 -   ; seats[0].play_cents | 9     | not from one to three times the ante of 10 cents (FCP 8.5)
KINGS ; Ac Ah 3d 5c 9s play 10 - -   ; seats[0].play_cents |       | missing, but the decision was play (FCP 8.5)
KINGS ; Ac Ah 3d 5c 9s concede 10 - -; seats[0].play_cents |       | missing, but the decision was concede (FCP 8.5)
KINGS ; Ac Ah 3d 5c 9s fold 10 10 -  ; seats[0].play_cents | 10    | there is no play wager without a decision to play (FCP 8.5)
KINGS ; Ac Ah 3d 5c 9s absent 10 10 -; seats[0].play_cents | 10    | there is no play wager without a decision to play (FCP 8.5)
KINGS ; - - - - - play 10 10 -       ; seats[0].cards      |       | missing: this hand is turned up and settled (FCP 9.6)
KINGS ; - - - - - absent 10 - 5      ; seats[0].cards      |       | missing: Aces Up is settled by its hand (FCP 9.2.1.5)
KINGS ; - - - - - short - - 5        ; seats[0].decision   | short | without an ante there is none to match (FCP 12.11)
"""  # noqa: E501 - a line a round


@pytest.mark.parametrize("line", WRONG.strip().splitlines())
def test_what_cannot_be_settled_is_named(line: str) -> None:
    """FCP 8.5: a play wager of a wrong amount, a missing hand or decision: refused, and nothing is settled."""
    round_, wanted = one_seat(line)
    with pytest.raises(RoundError) as caught:
        settle(round_)
    field, value, reason = (part.strip() for part in wanted.split("|"))
    assert (caught.value.field, caught.value.value, caught.value.reason) == (field, value, reason)


def test_a_hand_without_a_decision_is_not_settled() -> None:
    """FCP 8.1: every hand is played or folded, or its player was absent (12.13)."""
    with pytest.raises(RoundError, match=r"seats\[0\].decision: : missing"):
        settle(Round("shoe", parse_cards(HANDS["KINGS"]), (Seat(1, 10),)))


@pytest.mark.parametrize(("on_win", "returned"), [("returned", 10), ("as_voucher", 0)])
def test_a_token_goes_back_by_the_ruling(on_win: str, returned: int) -> None:
    """FCP 1.1: winnings on a token are chips; whether the token itself goes back is the ruling's or its voucher's."""
    cards = parse_cards("Ac Ah 3d 5c 9s")
    seat = Seat(1, 10, decision="play", play_cents=10, cards=cards, ante_tender="token_once")
    settlement = settle(Round("shoe", parse_cards(HANDS["KINGS"]), (seat,)), FourCardSettings(token_on_win=on_win))  # type: ignore[arg-type]
    ante, play = settlement.lines
    assert (ante.paid_cents, ante.returned_cents, ante.tender) == (10, returned, "token_once")
    assert (play.returned_cents, play.tender) == (10, "chips")
    assert settlement.rulings == (("token_on_win", on_win),)


@pytest.mark.parametrize(
    ("void_for", "rule"),
    [("card_count", "FCP 12.6"), ("not_reconstructed", "FCP 12.9"), ("prohibited_device", "FCP 14.3.1")],
)
def test_a_void_hand_gives_its_wagers_back_and_the_others_play(void_for: Any, rule: str) -> None:
    """FCP 12.6, 12.9, 14.3.1: one player's wagers go back by their rule; the round goes on for the others."""
    seats = (Seat(1, 10, 5, "void", 20, void_for=void_for), Seat(2, 10, decision="fold"))
    settlement = settle(Round("shoe", parse_cards(HANDS["KINGS"]), seats))
    assert [(line.outcome, line.returned_cents, line.rules) for line in settlement.lines] == [
        ("void", 10, (rule,)),
        ("void", 20, (rule,)),
        ("void", 5, (rule,)),
        ("lose", 0, ("FCP 8.4",)),
    ]


@pytest.mark.parametrize(
    ("cause", "rule", "told"),
    [
        ("misdeal", "FCP 12.4", ["12.4"]),
        ("foreign_card", "FCP 12.10.2", ["12.10.3", "12.10.4"]),
        ("device_failed", "FCP 13.2.1", ["13.2.3"]),
        ("invalidated", "FCP 14.5", []),
    ],
)
def test_a_void_round_gives_everything_back(cause: Any, rule: str, told: list[str]) -> None:
    """FCP 12.4, 12.10, 13.2, 14.5: every wager goes back as it was placed, over the maximum or not; people are told."""
    seats = (Seat(4, 30, 15, "play", 30), Seat(2, None, 5))
    settlement = settle(Round("shoe", None, seats, void_by=cause), limits=SIGN)
    assert [(line.seat, line.wager, line.returned_cents) for line in settlement.lines] == [
        (2, "aces_up", 5),
        (4, "ante", 30),
        (4, "play", 30),
        (4, "aces_up", 15),
    ]
    assert {(line.outcome, line.rules) for line in settlement.lines} == {("void", (rule,))}
    assert [note.rpartition("FCP ")[2].rstrip(")") for note in settlement.notes] == told


def test_an_invalidated_outcome_is_refunded_or_forfeited() -> None:
    """FCP 14.5: wagers "may be refunded" by the ruling; who defrauded forfeits by a direction with name and reason."""
    seats = (Seat(1, 30, 5, "play", 60), Seat(2, 10))
    forfeit = Forfeit(1, "A. Lee", "marked cards")
    round_ = Round("shoe", None, seats, void_by="invalidated", forfeits=(forfeit,))
    settlement = settle(round_, limits=SIGN)
    assert said(settlement) == (
        "ante lose +0 <10 14.5 6.3 | play lose +0 <20 14.5 6.3 | aces_up lose +0 <0 14.5 | ante void +0 <10 14.5"
    )
    assert settlement.notes[0] == "seat 1: forfeited, directed by A. Lee: marked cards (FCP 14.5)"
    assert ("refund_invalidated", True) in settlement.rulings
    kept = settle(Round("shoe", None, seats, void_by="invalidated"), FourCardSettings(refund_invalidated=False))
    assert {line.outcome for line in kept.lines} == {"lose"}
    assert kept.rulings == (("refund_invalidated", False),)


IMPOSSIBLE = """
seat=0                  ; seats[1].seat          | 0
seat=10                 ; seats[1].seat          | 10
seat=1                  ; seats[1].seat          | 1
ante=0                  ; seats[1].ante_cents    | 0
ante=-5                 ; seats[1].ante_cents    | -5
aces=0                  ; seats[1].aces_up_cents | 0
play=0                  ; seats[1].play_cents    | 0
ante=none               ; seats[1].ante_cents    |
ante=none aces=5 play=5 ; seats[1].play_cents    | 5
cards=Kc,8h,5d,5c       ; seats[1].cards         | Kc 8h 5d 5c
cards=Kc,8h,5d,5c,6d,6c ; seats[1].cards         | Kc 8h 5d 5c 6d 6c
cards=Kc,8h,5d,5c,Kc    ; seats[1].cards         | Kc
cards=Kc,8h,5d,5c,Ks    ; seats[1].cards         | Ks
cards=Kc,8h,5d,5c,2c    ; seats[1].cards         | 2c
warnings=-1             ; seats[1].warnings      | -1
void_for=not_reconstructed ; seats[1].void_for   | not_reconstructed
"""


@pytest.mark.parametrize("line", IMPOSSIBLE.strip().splitlines())
def test_impossible_rounds(line: str) -> None:
    """CASES 45: a card twice, at one seat or at two; four or six cards; an amount that is none: never a round."""
    what, wanted = line.split(";")
    change = dict(part.split("=") for part in what.split())

    def cents(name: str, otherwise: int | None) -> int | None:
        if change.get(name) == "none":
            return None
        return int(change[name]) if name in change else otherwise

    seat = Seat(
        int(change.get("seat", "2")),
        cents("ante", 10),
        cents("aces", None),
        "play",
        cents("play", None),
        parse_cards(change["cards"].replace(",", " ")) if "cards" in change else None,
        int(change.get("warnings", "0")),
        change.get("void_for"),  # type: ignore[arg-type]
    )
    with pytest.raises(RoundError) as caught:
        Round("shoe", parse_cards(HANDS["KINGS"]), (Seat(1, 10, cards=parse_cards("2c 2d 2h 9d 9h")), seat))
    assert [caught.value.field, caught.value.value] == [part.strip() for part in wanted.split("|")]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"seats": ()}, "seats"),
        ({"dealer": None}, "dealer"),
        ({"dealer": parse_cards("Ks Kd 7h 4h 3c")}, "dealer"),
        ({"dealer": parse_cards("Ks Kd 7h 4h 3c Ks")}, "dealer"),
        ({"dealer_set": parse_cards("Ks Kd 7h")}, "dealer_set"),
        ({"dealer_set": parse_cards("Ks Kd 7h 7h")}, "dealer_set"),
        ({"dealer_set": parse_cards("Ks Kd 7h Ac")}, "dealer_set"),
        ({"forfeits": (Forfeit(1, "A. Lee", "marked cards"),)}, "forfeits"),
        ({"void_by": "invalidated", "forfeits": (Forfeit(7, "A. Lee", "marked cards"),)}, "forfeits[0].seat"),
        ({"void_by": "invalidated", "forfeits": (Forfeit(1, "A", "b"), Forfeit(1, "A", "b"))}, "forfeits[1].seat"),
        ({"void_by": "invalidated", "forfeits": (Forfeit(1, " ", "marked cards"),)}, "forfeits[0].person"),
        ({"void_by": "invalidated", "forfeits": (Forfeit(1, "A. Lee", ""),)}, "forfeits[0].reason"),
    ],
)
def test_rounds_impossible_as_a_whole(changes: dict[str, Any], field: str) -> None:
    """FCP 5.2, 9.1, 12.2, 14.5: no wager, a dealer's hand of five, a set not its own, a direction about nobody."""
    with pytest.raises(RoundError) as caught:
        Round(**{"device": "shoe", "dealer": parse_cards(HANDS["KINGS"]), "seats": (Seat(1, 10),), **changes})
    assert caught.value.field == field


def test_the_deal_goes_round_or_in_packets() -> None:
    """FCP 7.1 to 7.4: from the dealer's left, the dealer last; a card at a time, or five; the sixth face up."""
    shoe, shuffler = deal_order("shoe", [5, 2]), deal_order("shuffler", [5, 2])
    assert [place for place, _ in shoe] == [2, 5, 0] * 5 + [0]
    assert [place for place, _ in shuffler] == [2] * 5 + [5] * 5 + [0] * 6
    for order in (shoe, shuffler):
        assert [face for _, face in order] == ["down"] * 15 + ["up"]
