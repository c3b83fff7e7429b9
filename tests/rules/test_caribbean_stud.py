"""The rules of Caribbean Stud Poker as a table: a round on the left, what its wagers come to on the right."""

from dataclasses import replace

import pytest

from rules.cards import parse_cards
from rules.games.caribbean_stud import deal_order, legal_decisions, paying_order, qualifying, settle
from rules.limits import Limits
from rules.progressive import Winner
from rules.rounds import Decision, Round, RoundError, Seat, Settlement
from rules.schedules import parse_schedule
from rules.settings import Settings
from tests.support.terms import demo_terms, with_rulings

PLAYS = "As Kd 9h 7c 3c"
"""A dealer's hand with an ace and a king, and nothing else."""
NO_HAND = "As Qd Jh 9c 3c"
"""A dealer's hand that does not qualify (9.1)."""

# Rules cited by the ante | and by the bet ; dealer ; the player's cards, decision, ante, bet ; and what each comes to:
# outcome, +winnings, and <stake given back.
TABLE = """
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; 2s 2d 4h 6c 8c bet  10 20 ; win +10 <10     | win +20 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; Ah Kc 9d 8c 2c bet  10 20 ; win +10 <10     | win +20 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; 2s 2d 4h 4c 8c bet  10 20 ; win +10 <10     | win +40 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; 2s 2d 2h 4c 8c bet  10 20 ; win +10 <10     | win +60 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; Ah 2d 3h 4c 5c bet  10 20 ; win +10 <10     | win +80 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; 2d 4d 6d 8d Td bet  10 20 ; win +10 <10     | win +100 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; 2s 2d 2h 4c 4d bet  10 20 ; win +10 <10     | win +140 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; 2s 2d 2h 2c 4d bet  10 20 ; win +10 <10     | win +400 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; Ad 2d 3d 4d 5d bet  10 20 ; win +10 <10     | win +1000 <20
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; Ah Kh Qh Jh Th bet  10 20 ; win +10 <10     | win +5000 <20
9.4.1.2           | 9.4.1.2              ; PLAYS   ; Ah Kc 9d 7h 2c bet  10 20 ; lose +0 <0      | lose +0 <0
9.4.1.2           | 9.4.1.2              ; PLAYS   ; Ah Qc Jd Th 8c bet  10 20 ; lose +0 <0      | lose +0 <0
9.4.1.3           | 9.4.1.3              ; PLAYS   ; Ah Kc 9d 7h 3d bet  10 20 ; stand_off +0 <10  | stand_off +0 <20
9.2 9.3.1 10.1    | 9.2                  ; NO_HAND ; 2s 3d 4h 6c 8c bet  10 20 ; win +10 <10     | void +0 <20
9.2 9.3.1 10.1    | 9.2                  ; NO_HAND ; Ah Kh Qh Jd Th bet  10 20 ; win +10 <10     | void +0 <20
9.2 9.3.1 10.1    | 9.2                  ; NO_HAND ; - - - - -      bet  10 20 ; win +10 <10     | void +0 <20
8.4               |                      ; PLAYS   ; Ah Kh Qh Jh Th fold 10 -  ; lose +0 <0        |
8.4               |                      ; NO_HAND ; - - - - -      fold 10 -  ; lose +0 <0        |
8.4               | 14.11.2              ; PLAYS   ; 2s 3d 4h 6c 8c fold 10 15 ; lose +0 <0      | returned +0 <15
14.14 8.4         |                      ; PLAYS   ; - - - - -      absent  10 -  ; lose +0 <0        |
14.14 8.4         |                      ; NO_HAND ; Ah Kh Qh Jd Th absent  10 -  ; lose +0 <0        |
9.7               | 9.7                  ; PLAYS   ; 2s 2d 4h 6c 8c concede 10 20 ; lose +0 <0      | lose +0 <0
9.7               | 9.7                  ; NO_HAND ; 2s 2d 4h 6c 8c concede 10 20 ; lose +0 <0      | lose +0 <0
9.7               | 9.7 14.12.2          ; PLAYS   ; 2s 2d 4h 6c 8c concede 10 25 ; lose +0 <0      | lose +0 <5
9.4.1.1 10.1      | 9.4.1.1 10.1 14.12.1 ; PLAYS   ; 2s 2d 4h 4c 8c bet  10 15 ; win +10 <10     | win +30 <15
9.4.1.1 10.1      | 9.4.1.1 10.1 14.12.2 ; PLAYS   ; 2s 2d 4h 4c 8c bet  10 25 ; win +10 <10     | win +40 <25
9.4.1.2           | 9.4.1.2 14.12.1      ; PLAYS   ; 2s 3d 4h 6c 8c bet  10 15 ; lose +0 <0      | lose +0 <0
9.4.1.2           | 9.4.1.2 14.12.2      ; PLAYS   ; 2s 3d 4h 6c 8c bet  10 25 ; lose +0 <0      | lose +0 <5
"""

# As above under a sign and a notice: ante 5 to 20, maximum payout 600.
SIGN = Limits(ante_min_cents=5, ante_max_cents=20)
NOTICE = Settings(max_payout_cents=600)
UNDER_A_SIGN = """
9.4.1.2           | 9.4.1.2              ; PLAYS   ; 2s 3d 4h 6c 8c bet   5 10 ; lose +0 <0      | lose +0 <0
9.4.1.1 10.1 6.2    | 9.4.1.1 10.1         ; PLAYS   ; 2s 2d 4h 4c 8c bet   4 8  ; win +4 <4       | win +16 <8
9.4.1.2 6.2       | 9.4.1.2              ; PLAYS   ; 2s 3d 4h 6c 8c bet   4 8  ; lose +0 <0      | lose +0 <0
9.4.1.1 10.1 6.3    | 9.4.1.1 10.1 6.3     ; PLAYS   ; 2s 2d 4h 4c 8c bet  30 60 ; win +20 <30     | win +80 <60
9.4.1.2 6.3       | 9.4.1.2 6.3          ; PLAYS   ; 2s 3d 4h 6c 8c bet  30 60 ; lose +0 <10     | lose +0 <20
9.4.1.2 6.3       | 9.4.1.2 14.12.1      ; PLAYS   ; 2s 3d 4h 6c 8c bet  30 40 ; lose +0 <10     | lose +0 <0
9.4.1.2 6.3       | 9.4.1.2 14.12.2 6.3  ; PLAYS   ; 2s 3d 4h 6c 8c bet  30 70 ; lose +0 <10     | lose +0 <30
9.2 9.3.1 10.1 6.3  | 9.2 6.3              ; NO_HAND ; 2s 3d 4h 6c 8c bet  30 60 ; win +20 <30     | void +0 <60
8.4 6.3           |                      ; PLAYS   ; 2s 3d 4h 6c 8c fold 30 -  ; lose +0 <10       |
9.4.1.1 10.1      | 9.4.1.1 10.1         ; PLAYS   ; 2s 2d 2h 2c 4d bet  15 30 ; win +15 <15     | win +600 <30
9.4.1.1 10.1      | 9.4.1.1 10.1 10.2    ; PLAYS   ; 2s 2d 2h 2c 4d bet  16 32 ; win +16 <16     | win +600 <32
9.4.1.1 10.1      | 9.4.1.1 10.1 10.2    ; PLAYS   ; Ah Kh Qh Jh Th bet  20 40 ; win +20 <20     | win +600 <40
"""


def one_seat(line: str) -> tuple[Round, str]:
    """The round of a line of the table, and what is expected of it."""
    rules, dealer, player, expected = (part.strip() for part in line.split(";"))
    *cards, decision, ante, bet = player.split()
    seat = Seat(
        1,
        int(ante),
        decision=decision,  # type: ignore[arg-type]
        bet_cents=None if bet == "-" else int(bet),
        cards=None if "-" in cards else parse_cards(" ".join(cards)),
    )
    hand = parse_cards({"PLAYS": PLAYS, "NO_HAND": NO_HAND}[dealer])
    wanted = " | ".join(
        f"{rule.strip()}: {what.strip()}"
        for rule, what in zip(rules.split("|"), expected.split("|"), strict=True)
        if what.strip()
    )
    return Round("caribbean_stud", "2024-08-16", "shoe", hand, (seat,)), wanted


def said(settlement: Settlement) -> str:
    """The lines of a settlement in the words of the table."""
    return " | ".join(
        f"{' '.join(rule.removeprefix('CSP ') for rule in line.rules)}: "
        f"{line.outcome} +{line.paid_cents} <{line.returned_cents}"
        for line in settlement.lines
    )


@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_settlement(line: str) -> None:
    """Each wager comes to what its rule says (CSP 8.4, 9.2 to 9.7, 10.1, 14.11 to 14.14; CASES 46)."""
    round_, wanted = one_seat(line)
    assert said(settle(round_)) == wanted


@pytest.mark.parametrize("line", UNDER_A_SIGN.strip().splitlines())
def test_settlement_under_a_sign(line: str) -> None:
    """Wagers beside the sign count as rules 6.2 and 6.3 say, and a bet wins no more than the notice allows (10.2)."""
    round_, wanted = one_seat(line)
    assert said(settle(round_, NOTICE, SIGN)) == wanted


def over_maximum(**settings: bool) -> Settlement:
    """An ante of 30 over a maximum of 20, with a winning bet of 60."""
    line = "x|x ; PLAYS ; 2s 2d 4h 4c 8c bet 30 60 ; x|x"
    return settle(one_seat(line)[0], Settings(**settings), SIGN)  # type: ignore[arg-type]


def test_a_linked_bet_is_cut_in_step_or_not() -> None:
    """CSP 6.3, 5.6: whether the bet follows an ante cut to its maximum is the table's ruling, and it is named."""
    assert [line.paid_cents for line in over_maximum().lines] == [20, 80]
    assert [line.paid_cents for line in over_maximum(cap_linked_wager=False).lines] == [20, 120]
    assert over_maximum().rulings == (("cap_linked_wager", True),)
    assert over_maximum(cap_linked_wager=False).rulings == (("cap_linked_wager", False),)


def test_a_maximum_of_the_bet_area_counts_too() -> None:
    """CSP 6.1, 6.3: a sign may state a maximum for each area; what is over it takes no part."""
    round_, _ = one_seat("x|x ; PLAYS ; 2s 3d 4h 6c 8c bet 10 20 ; x|x")
    assert said(settle(round_, limits=Limits(bet_max_cents=15))) == "9.4.1.2: lose +0 <0 | 9.4.1.2 6.3: lose +0 <5"


@pytest.mark.parametrize(("covers", "paid"), [("winnings", 600), ("with_stake", 560)])
def test_a_maximum_payout_covers_winnings_or_the_stake_too(covers: str, paid: int) -> None:
    """CSP 10.2: the ruling says what the notice's amount is of, and the settlement names it only where it matters."""
    round_, _ = one_seat("x|x ; PLAYS ; Ah Kh Qh Jh Th bet 20 40 ; x|x")
    settlement = settle(round_, replace(NOTICE, max_payout_covers=covers))  # type: ignore[arg-type]
    assert settlement.lines[1].paid_cents == paid
    assert settlement.lines[1].returned_cents == 40
    assert settlement.rulings == (("max_payout_covers", covers),)
    at_the_edge, _ = one_seat("x|x ; PLAYS ; 2s 2d 2h 2c 4d bet 15 30 ; x|x")
    assert settle(at_the_edge, NOTICE).lines[1].paid_cents == 600
    assert settle(at_the_edge, NOTICE).rulings == (("max_payout_covers", "winnings"),)
    round_, _ = one_seat("x|x ; PLAYS ; 2s 2d 4h 4c 8c bet 20 40 ; x|x")
    assert settle(round_, NOTICE).rulings == ()


def test_a_maximum_below_the_stake_takes_nothing_from_it() -> None:
    """CSP 10.2: the stake of a winning bet always goes back whole."""
    round_, _ = one_seat("x|x ; PLAYS ; Ah Kh Qh Jh Th bet 20 40 ; x|x")
    bet = settle(round_, Settings(max_payout_cents=30, max_payout_covers="with_stake")).lines[1]
    assert (bet.outcome, bet.paid_cents, bet.returned_cents) == ("win", 0, 40)


@pytest.mark.parametrize(
    ("tender", "ruling", "back"),
    [
        ("token", "returned", 10),
        ("token", "as_voucher", 10),
        ("token_once", "returned", 10),
        ("token_once", "as_voucher", 0),
    ],
)
def test_tokens_win_chips_and_go_back_as_ruled(tender: str, ruling: str, back: int) -> None:
    """CSP 1.1: winnings of a token are paid in chips; the ruling or its voucher says if the token goes back."""
    round_, _ = one_seat("x|x ; PLAYS ; 2s 2d 4h 4c 8c bet 10 20 ; x|x")
    round_ = replace(round_, seats=(replace(round_.seats[0], ante_tender=tender),))  # type: ignore[arg-type]
    settlement = settle(round_, Settings(token_on_win=ruling))  # type: ignore[arg-type]
    ante = settlement.lines[0]
    assert (ante.paid_cents, ante.returned_cents, ante.tender) == (10, back, tender)
    assert ("CSP 1.1" in ante.rules) == (tender == "token_once")
    assert settlement.rulings == ((("token_on_win", ruling),) if tender == "token_once" else ())


def table(**jackpots: str) -> Round:
    """A round of several seats: ``s3="bet 100 Ah Kh Qh Jh Th"`` and so on; ``-`` is no jackpot wager."""
    seats = []
    for name, text in jackpots.items():
        decision, jackpot, *cards = text.split()
        seats.append(
            Seat(
                int(name[1:]),
                1000,
                None if jackpot == "-" else int(jackpot),
                decision,  # type: ignore[arg-type]
                2000 if decision in {"bet", "concede"} else None,
                parse_cards(" ".join(cards)) if cards else None,
            )
        )
    return Round("caribbean_stud", "2024-08-16", "shuffler", parse_cards("2c 3d 7d 8s 9c"), tuple(seats))


JACKPOT = """
bet     100 Ah Kh Qh Jh Th  royal_flush      win
bet     100 Ah 2h 3h 4h 5h  straight_flush   win
bet     100 4c 4d 4h 4s 2s  four_of_a_kind   win
bet     100 4c 4d 4h 6s 6c  full_house       win
bet     100 2h 4h 6h 8h Th  flush            win
bet     100 2h 4h 6h 8h Td  -                lose
bet     100 Ah 2h 3h 4h 5d  -                lose
bet     100 4c 4d 4h 6s 8c  -                lose
bet     -   Ah Kh Qh Jh Th  -                -
fold    100 2h 4h 6h 8h Th  flush            win
absent  100 2h 4h 6h 8h Th  flush            win
concede 100 2h 4h 6h 8h Th  flush            win
fold    100                 -                lose
bet     200 Ah Kh Qh Jh Th  -                returned
"""


@pytest.mark.parametrize("line", JACKPOT.strip().splitlines())
def test_jackpot_wager(line: str) -> None:
    """CSP 11.4, 11.7, 5.4: the right wager and the hand win, whatever the dealer holds or the player did."""
    *seat, prize, outcome = line.split()
    round_ = table(s3=" ".join(seat))
    winners = qualifying(round_, demo_terms())
    assert winners == (() if prize == "-" else (Winner(3, prize),))
    settlement = settle(round_, terms=demo_terms())
    assert settlement.qualifying == winners
    assert [each.outcome for each in settlement.lines if each.wager == "jackpot"] == (
        [] if outcome == "-" else [outcome]
    )
    assert settlement.left_face_up == tuple(winner.seat for winner in winners)


@pytest.mark.parametrize(
    ("ruling", "decision"),
    [("folded_hand_wins", "fold"), ("folded_hand_wins", "absent"), ("conceded_hand_wins", "concede")],
)
def test_the_terms_say_whether_a_given_up_hand_wins(ruling: str, decision: str) -> None:
    """CSP 11.4 against 8.3, 14.14 and 9.7: each way is the terms' ruling, and the settlement names the one it used."""
    round_ = table(s3=f"{decision} 100 Ah Kh Qh Jh Th")
    for wins in (True, False):
        terms = with_rulings(**{ruling: wins})
        assert qualifying(round_, terms) == ((Winner(3, "royal_flush"),) if wins else ())
        settlement = settle(round_, terms=terms)
        assert (ruling, wins) in settlement.rulings
        jackpot = settlement.lines[-1]
        assert (jackpot.outcome, jackpot.rules[0]) == ("win" if wins else "lose", "CSP 11.4")


def test_a_winning_jackpot_stake_goes_back_only_where_the_terms_say_so() -> None:
    """CSP 11.5: the wager forms part of the pools; `stake_returned` is the other reading."""
    round_ = table(s3="bet 100 Ah Kh Qh Jh Th")
    assert settle(round_, terms=demo_terms()).lines[-1].returned_cents == 0
    assert settle(round_, terms=with_rulings(stake_returned=True)).lines[-1].returned_cents == 100


def test_hands_stay_face_up_in_the_order_of_payment() -> None:
    """CSP 9.5, 12.2, 12.4: from the dealer's right; with a royal in the round the straight flush first."""
    hands = {"s1": "bet 100 Ah Kh Qh Jh Th", "s3": "bet 100 2s 3s 4s 5s 6s", "s6": "fold 100 4c 4d 4h 6d 6c"}
    assert settle(table(**hands)).left_face_up == (3, 6, 1)
    del hands["s1"]
    assert settle(table(**hands)).left_face_up == (6, 3)
    assert paying_order([]) == ()


def test_claimed_hands_qualify_without_a_base_game() -> None:
    """Capture `claims`: no dealer's hand, so no line; the hands that were shown still win (CSP 11.4)."""
    round_ = replace(table(s2="bet 100", s3="bet 100 Ah Kh Qh Jh Th", s4="fold -"), dealer=None)
    settlement = settle(round_, terms=demo_terms())
    assert settlement.lines == ()
    assert settlement.dealer_qualifies is None
    assert settlement.qualifying == qualifying(round_, demo_terms()) == (Winner(3, "royal_flush"),)


def test_from_a_shoe_the_cards_go_round() -> None:
    """CSP 7.3: five times one to the dealer and to each ante from the left; the dealer's last is turned up."""
    order = deal_order("shoe", [5, 2])
    assert order[:6] == ((0, "down"), (2, "down"), (5, "down")) * 2
    assert [place for place, card in enumerate(order) if card == (0, "up")] == [12]
    assert len(order) == 15


def test_from_a_shuffler_five_go_to_each_place() -> None:
    """CSP 7.4: five to the dealer, the bottom card of them turned up, then five to each ante."""
    order = deal_order("shuffler", [5, 2])
    assert order == ((0, "down"),) * 4 + ((0, "up"),) + ((2, "down"),) * 5 + ((5, "down"),) * 5


def test_what_a_player_may_decide() -> None:
    """CSP 8.1, 14.14, 9.7, 9.8: bet or fold before the dealer's cards are turned, concede after; nothing comes back."""
    assert legal_decisions(None, dealer_exposed=False) == ("bet", "fold", "absent")
    assert legal_decisions("bet", dealer_exposed=True) == ("concede",)
    given_up: tuple[Decision, ...] = ("fold", "absent", "concede")
    for decision in given_up:
        assert legal_decisions(decision, dealer_exposed=True) == ()
        assert legal_decisions(decision, dealer_exposed=False) == ()
    assert legal_decisions("bet", dealer_exposed=False) == ()
    assert legal_decisions(None, dealer_exposed=True) == ()


@pytest.mark.parametrize(
    ("player", "field"),
    [
        ("2s 2d 4h 6c 8c bet 10 -", "seats[0].bet_cents"),
        ("2s 2d 4h 6c 8c concede 10 -", "seats[0].bet_cents"),
        ("2s 2d 4h 6c 8c absent 10 20", "seats[0].bet_cents"),
        ("- - - - - bet 10 20", "seats[0].cards"),
    ],
)
def test_what_cannot_be_settled_is_named(player: str, field: str) -> None:
    """A bet without a stake, an absent player's bet, or a hand that is not there is an error, never a payout."""
    with pytest.raises(RoundError) as caught:
        settle(one_seat(f"x|x ; PLAYS ; {player} ; x|x")[0])
    assert caught.value.field == field


def test_a_hand_without_a_decision_is_not_settled() -> None:
    """CSP 8.1: every hand is bet, folded, or deemed folded."""
    round_, _ = one_seat("x|x ; PLAYS ; 2s 2d 4h 6c 8c fold 10 - ; x|x")
    with pytest.raises(RoundError, match=r"seats\[0\].decision"):
        settle(replace(round_, seats=(replace(round_.seats[0], decision=None),)))


def test_the_odds_come_from_the_schedule() -> None:
    """CSP 10.1: another approved schedule pays otherwise, and its own rule stands on the line."""
    text = """
        name = "other"
        game = "caribbean_stud"
        edition = "2024-08-16"
        rule = "CSP 10.9"
        approval = "none"
        odds.ante.win = "3 to 2"
        [odds.bet]
        one_pair_or_less = "1 to 1"
        two_pairs = "3 to 2"
        three_of_a_kind = "3 to 1"
        straight = "4 to 1"
        flush = "5 to 1"
        full_house = "7 to 1"
        four_of_a_kind = "20 to 1"
        straight_flush = "50 to 1"
        royal_flush = "100 to 1"
    """
    round_, _ = one_seat("x|x ; PLAYS ; 2s 2d 4h 4c 8c bet 11 22 ; x|x")
    assert (
        said(settle(round_, schedule=parse_schedule(text))) == "9.4.1.1 10.9: win +16 <11 | 9.4.1.1 10.9: win +33 <22"
    )
