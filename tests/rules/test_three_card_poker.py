"""The rules of Three Card Poker as a table: a round on the left, what its wagers come to on the right."""

import pytest

from rules.cards import parse_cards
from rules.games.three_card_poker import SCHEDULES, Limits, Round, Seat, deal_order, dealer_qualifies, settle
from rules.rounds import RoundError, Settlement
from rules.schedules import chosen
from rules.settings import ThreeCardSettings

HANDS = {
    "PLAYS": "Qs 7d 4h",
    "NO_HAND": "Js 7d 4h",
    "PAIR": "2s 2d Jh",
    "STRAIGHT": "9s 8d 7h",
}
"""The dealers' hands of the tables."""

# Dealer ; the player's cards, decision, ante, play wager and Pair Plus ; and what each wager comes to:
# wager, outcome, +winnings, <stake given back, and the rules cited.
TABLE = """
PLAYS   ; Kc 7h 4d play 10 10 -    ; ante win +10 <10 9.4.1.5 10.1 | play win +10 <10 9.4.1.5 10.3
PLAYS   ; 2c 2h 3d play 10 10 5    ; ante win +10 <10 9.4.1.5 10.1 | play win +10 <10 9.4.1.5 10.3 | pair_plus win +5 <5 9.4.1.6 10.4
PLAYS   ; 2c 4c 9c play 10 10 5    ; ante win +10 <10 9.4.1.5 10.1 | play win +10 <10 9.4.1.5 10.3 | pair_plus win +20 <5 9.4.1.6 10.4
PLAYS   ; Ac 2h 3d play 10 10 5    ; ante win +10 <10 9.4.1.5 10.1 | play win +10 <10 9.4.1.5 10.3 | ante_bonus win +10 <0 9.4.1.1 10.2 | pair_plus win +30 <5 9.4.1.6 10.4
PLAYS   ; 5c 5h 5d play 10 10 5    ; ante win +10 <10 9.4.1.5 10.1 | play win +10 <10 9.4.1.5 10.3 | ante_bonus win +40 <0 9.4.1.1 10.2 | pair_plus win +150 <5 9.4.1.6 10.4
PLAYS   ; Qc Kc Ac play 10 10 5    ; ante win +10 <10 9.4.1.5 10.1 | play win +10 <10 9.4.1.5 10.3 | ante_bonus win +50 <0 9.4.1.1 10.2 | pair_plus win +200 <5 9.4.1.6 10.4
PLAYS   ; Qc 7h 3d play 10 10 5    ; ante lose +0 <0 9.4.1.2 | play lose +0 <0 9.4.1.2 | pair_plus lose +0 <0 9.4.1.3
PLAYS   ; Kc As 2d play 10 10 -    ; ante win +10 <10 9.4.1.5 10.1 | play win +10 <10 9.4.1.5 10.3
PLAYS   ; Qc 7h 4d play 10 10 5    ; ante stand_off +0 <10 9.4.1.4 | play stand_off +0 <10 9.4.1.4 | pair_plus lose +0 <0 9.4.1.3
STRAIGHT; 9c 8h 7d play 10 10 5    ; ante stand_off +0 <10 9.4.1.4 | play stand_off +0 <10 9.4.1.4 | ante_bonus win +10 <0 9.4.1.1 10.2 | pair_plus win +30 <5 9.4.1.6 10.4
STRAIGHT; 8c 6h 7c play 10 10 5    ; ante lose +0 <0 9.4.1.2 | play lose +0 <0 9.4.1.2 | ante_bonus win +10 <0 9.4.1.1 10.2 | pair_plus win +30 <5 9.4.1.6 10.4
STRAIGHT; 2c 4c 9c play 10 10 5    ; ante lose +0 <0 9.4.1.2 | play lose +0 <0 9.4.1.2 | pair_plus win +20 <5 9.4.1.6 10.4
NO_HAND ; Jc 7h 3d play 10 10 5    ; ante win +10 <10 9.3.2 10.1 | play stand_off +0 <10 9.2 | pair_plus lose +0 <0 9.3.1
NO_HAND ; 2c 3h 5d play 10 10 -    ; ante win +10 <10 9.3.2 10.1 | play stand_off +0 <10 9.2
NO_HAND ; Qc Kc Ac play 10 10 5    ; ante win +10 <10 9.3.2 10.1 | play stand_off +0 <10 9.2 | ante_bonus win +50 <0 9.3.2 10.2 | pair_plus win +200 <5 9.3.2 10.4
PLAYS   ; 2c 2h 3d play  -  - 5    ; pair_plus win +5 <5 9.4.1.6 10.4
NO_HAND ; Jc 7h 3d play  -  - 5    ; pair_plus lose +0 <0 9.3.1
PLAYS   ; Qc Kc Ac fold 10  - 5    ; ante lose +0 <0 8.4 | pair_plus lose +0 <0 8.4
PLAYS   ; - - -    fold 10  - -    ; ante lose +0 <0 8.4
PLAYS   ; - - -    fold  -  - 5    ; pair_plus lose +0 <0 8.4
PLAYS   ; Qc Kc Ac concede 10 10 5 ; ante lose +0 <0 9.5 | play lose +0 <0 9.5 | pair_plus lose +0 <0 9.5
NO_HAND ; - - -    concede 10 10 - ; ante lose +0 <0 9.5 | play lose +0 <0 9.5
PLAYS   ; - - -    absent 10 - -   ; ante void +0 <10 12.12
PLAYS   ; 2c 2h 3d absent 10 - 5   ; ante void +0 <10 12.12 | pair_plus win +5 <5 12.12 9.4.1.6 10.4
NO_HAND ; Jc 7h 3d absent 10 - 5   ; ante void +0 <10 12.12 | pair_plus lose +0 <0 12.12 9.3.1
PLAYS   ; - - -    short 10 - -    ; ante void +0 <10 12.10
PLAYS   ; Qc Kc Ac short 10 - 5    ; ante void +0 <10 12.10 | pair_plus win +200 <5 12.10 9.4.1.6 10.4
PLAYS   ; - - -    short/1 10 - -  ; ante lose +0 <0 12.10
PLAYS   ; 2c 2h 3d short/2 10 - 5  ; ante lose +0 <0 12.10 | pair_plus win +5 <5 12.10 9.4.1.6 10.4
PLAYS   ; - - -    void 10 10 5    ; ante void +0 <10 12.7 | play void +0 <10 12.7 | pair_plus void +0 <5 12.7
"""  # noqa: E501 - a line a round

# As above under a sign: ante 5 to 20, Pair Plus 5 to 10.
SIGN = Limits(ante_min_cents=5, ante_max_cents=20, pair_plus_min_cents=5, pair_plus_max_cents=10)
UNDER_A_SIGN = """
PLAYS   ; Kc 7h 4d play 4 4 -      ; ante win +4 <4 9.4.1.5 10.1 6.2 | play win +4 <4 9.4.1.5 10.3
PLAYS   ; Qc 7h 3d play 4 4 2      ; ante lose +0 <0 9.4.1.2 6.2 | play lose +0 <0 9.4.1.2 | pair_plus lose +0 <0 9.4.1.3 6.2
PLAYS   ; Kc 7h 4d play 20 20 -    ; ante win +20 <20 9.4.1.5 10.1 | play win +20 <20 9.4.1.5 10.3
PLAYS   ; Qc 7h 3d play 5 5 5      ; ante lose +0 <0 9.4.1.2 | play lose +0 <0 9.4.1.2 | pair_plus lose +0 <0 9.4.1.3
PLAYS   ; Kc 7h 4d play 30 30 -    ; ante win +20 <30 9.4.1.5 10.1 6.3 | play win +20 <30 9.4.1.5 10.3 6.3
PLAYS   ; Qc 7h 3d play 30 30 15   ; ante lose +0 <10 9.4.1.2 6.3 | play lose +0 <10 9.4.1.2 6.3 | pair_plus lose +0 <5 9.4.1.3 6.3
PLAYS   ; 5c 5h 5d play 30 30 15   ; ante win +20 <30 9.4.1.5 10.1 6.3 | play win +20 <30 9.4.1.5 10.3 6.3 | ante_bonus win +80 <0 9.4.1.1 10.2 6.3 | pair_plus win +300 <15 9.4.1.6 10.4 6.3
PLAYS   ; - - -    fold 30 - 15    ; ante lose +0 <10 8.4 6.3 | pair_plus lose +0 <5 8.4 6.3
PLAYS   ; - - -    absent 30 - -   ; ante void +0 <30 12.12
"""  # noqa: E501 - a line a round


def one_seat(line: str) -> tuple[Round, str]:
    """The round of a line of a table, and what is expected of it."""
    dealer, player, expected = (part.strip() for part in line.split(";"))
    *cards, decision, ante, play, pair_plus = player.split()
    decision, _, warnings = decision.partition("/")
    seat = Seat(
        1,
        None if ante == "-" else int(ante),
        None if pair_plus == "-" else int(pair_plus),
        decision,  # type: ignore[arg-type]
        None if play == "-" else int(play),
        None if "-" in cards else parse_cards(" ".join(cards)),
        int(warnings or 0),
    )
    return Round("shoe", parse_cards(HANDS[dealer]), (seat,)), expected


def said(settlement: Settlement) -> str:
    """The lines of a settlement in the words of the table."""
    return " | ".join(
        f"{line.wager} {line.outcome} +{line.paid_cents} <{line.returned_cents} "
        + " ".join(rule.removeprefix("TCP ") for rule in line.rules)
        for line in settlement.lines
    )


@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_settlement(line: str) -> None:
    """Each wager comes to what its rule says (TCP 8.4, 9.2 to 9.5, 10, 12.7, 12.10, 12.12; CASES 42, 43, 46)."""
    round_, wanted = one_seat(line)
    assert said(settle(round_)) == wanted


@pytest.mark.parametrize("line", UNDER_A_SIGN.strip().splitlines())
def test_settlement_under_a_sign(line: str) -> None:
    """Wagers beside the sign count as rules 6.2 and 6.3 say; the bonus is paid on what of the ante counts."""
    round_, wanted = one_seat(line)
    assert said(settle(round_, limits=SIGN)) == wanted


def test_a_play_wager_is_cut_in_step_with_its_ante_or_not() -> None:
    """TCP 6.3, 8.5: whether the play wager follows an ante cut to its maximum is the table's ruling, and named."""
    round_, _ = one_seat("PLAYS ; Kc 7h 4d play 30 30 - ; x")
    settlement = settle(round_, limits=SIGN)
    assert [line.paid_cents for line in settlement.lines] == [20, 20]
    assert settlement.rulings == (("cap_linked_wager", True),)
    settlement = settle(round_, ThreeCardSettings(cap_linked_wager=False), SIGN)
    assert [line.paid_cents for line in settlement.lines] == [20, 30]
    assert settlement.rulings == (("cap_linked_wager", False),)
    own = settle(round_, limits=Limits(play_max_cents=25))
    assert [line.paid_cents for line in own.lines] == [30, 25]


@pytest.mark.parametrize(
    ("hand", "by_value", "by_card"),
    [
        ("Qc 3d 2h", True, True),
        ("Jc Td 8h", False, False),
        ("2c 2d Jh", True, False),
        ("Jc 9c 2c", True, False),
        ("Jc Td 9h", True, False),
        ("2c 3d Ah", True, True),
        ("Kc 3d 2h", True, True),
        ("3c 4d 5h", True, False),
    ],
)
def test_a_queen_or_higher_is_read_one_way_or_the_other(hand: str, by_value: bool, by_card: bool) -> None:  # noqa: FBT001 - a table
    """TCP 9.1: "contain a queen or higher" is the worth of the hand, or a card in it; named where that matters."""
    cards = parse_cards(hand)
    readings = {"value": by_value, "card": by_card}
    for reading, plays in readings.items():
        settings = ThreeCardSettings(dealer_qualifies=reading)  # type: ignore[arg-type]
        assert dealer_qualifies(cards, settings) is plays
        settlement = settle(Round("shoe", cards, (Seat(1, 10, decision="fold"),)), settings)
        assert settlement.dealer_qualifies is plays
        assert settlement.rulings == ((("dealer_qualifies", reading),) if by_value != by_card else ())


def test_a_conceding_player_loses_all_or_only_ante_and_play() -> None:
    """TCP 9.5: "collect the player's wagers" is all of them, or those against the dealer; the ruling is named."""
    round_, _ = one_seat("PLAYS ; Qc Kc Ac concede 10 10 5 ; x")
    settlement = settle(round_, ThreeCardSettings(concede_collects="ante_play"))
    assert said(settlement) == (
        "ante lose +0 <0 9.5 | play lose +0 <0 9.5 | ante_bonus win +50 <0 9.4.1.1 10.2 | "
        "pair_plus win +200 <5 9.4.1.6 10.4"
    )
    assert dict(settlement.rulings)["concede_collects"] == "ante_play"
    assert dict(settle(round_).rulings) == {"concede_collects": "all"}
    without, _ = one_seat("PLAYS ; Kc 7h 4d concede 10 10 - ; x")
    assert settle(without).rulings == ()
    bonus, _ = one_seat("PLAYS ; Qc Kc Ac concede 10 10 - ; x")
    assert settle(bonus).rulings == (("concede_collects", "all"),)
    unseen, _ = one_seat("PLAYS ; - - - concede 10 10 5 ; x")
    with pytest.raises(RoundError) as caught:
        settle(unseen, ThreeCardSettings(concede_collects="ante_play"))
    assert caught.value.field == "seats[0].cards"


@pytest.mark.parametrize(
    ("names", "bonus", "plus"),
    [
        ((), 50, 200),
        (("tcp_ante_bonus_4_3_1",), 40, 200),
        (("tcp_ante_bonus_3_2_1", "tcp_pair_plus_40_30_6_3_1"), 30, 200),
    ],
)
def test_the_schedule_on_the_sign_pays(names: tuple[str, ...], bonus: int, plus: int) -> None:
    """TCP 10.2, 10.4: bonus and Pair Plus are paid by the named schedules, and the settlement says which."""
    round_, _ = one_seat("PLAYS ; Qc Kc Ac play 10 10 5 ; x")
    settlement = settle(round_, schedules=chosen("three_card_poker", SCHEDULES, names))
    assert [line.paid_cents for line in settlement.lines] == [10, 10, bonus, plus]
    used = dict(settlement.rulings)
    assert used["ante_bonus"] == next((name for name in names if "bonus" in name), "tcp_ante_bonus_5_4_1")
    assert used["pair_plus"] == next((name for name in names if "plus" in name), "tcp_pair_plus_40_30_6_4_1")


def test_a_flush_pays_four_or_three() -> None:
    """TCP 10.4: the two shipped Pair Plus schedules differ in the flush."""
    round_, _ = one_seat("PLAYS ; 2c 4c 9c play - - 5 ; x")
    three = chosen("three_card_poker", SCHEDULES, ("tcp_pair_plus_40_30_6_3_1",))
    assert (settle(round_).lines[0].paid_cents, settle(round_, schedules=three).lines[0].paid_cents) == (20, 15)


WRONG = """
PLAYS ; Kc 7h 4d play 10 20 -    ; seats[0].play_cents | 20    | not equal to the ante of 10 cents (TCP 8.5)
PLAYS ; Kc 7h 4d play 10 9 -     ; seats[0].play_cents | 9     | not equal to the ante of 10 cents (TCP 8.5)
PLAYS ; Kc 7h 4d play 10 - -     ; seats[0].play_cents |       | missing, but the decision was play (TCP 8.5)
PLAYS ; Kc 7h 4d concede 10 - -  ; seats[0].play_cents |       | missing, but the decision was concede (TCP 8.5)
PLAYS ; Kc 7h 4d fold 10 10 -    ; seats[0].play_cents | 10    | there is no play wager without a decision to play (TCP 8.5)
PLAYS ; Kc 7h 4d absent 10 10 -  ; seats[0].play_cents | 10    | there is no play wager without a decision to play (TCP 8.5)
PLAYS ; - - - play 10 10 -       ; seats[0].cards      |       | missing: this hand is turned up and settled (TCP 9.8)
PLAYS ; - - - absent 10 - 5      ; seats[0].cards      |       | missing: Pair Plus is settled by its hand (TCP 9.4.1.6)
PLAYS ; - - - short - - 5        ; seats[0].decision   | short | without an ante there is none to match (TCP 12.10)
"""  # noqa: E501 - a line a round


@pytest.mark.parametrize("line", WRONG.strip().splitlines())
def test_what_cannot_be_settled_is_named(line: str) -> None:
    """TCP 8.5: a play wager of a wrong amount, a missing hand or decision: refused, and nothing is settled."""
    round_, wanted = one_seat(line)
    with pytest.raises(RoundError) as caught:
        settle(round_)
    field, value, reason = (part.strip() for part in wanted.split("|"))
    assert (caught.value.field, caught.value.value, caught.value.reason) == (field, value, reason)


def test_a_hand_without_a_decision_is_not_settled() -> None:
    """TCP 8.1: every hand is played or folded, or its player was absent (12.12)."""
    with pytest.raises(RoundError, match=r"seats\[0\].decision: : missing"):
        settle(Round("shoe", parse_cards(HANDS["PLAYS"]), (Seat(1, 10),)))


@pytest.mark.parametrize(("on_win", "returned"), [("returned", 10), ("as_voucher", 0)])
def test_a_token_goes_back_by_the_ruling(on_win: str, returned: int) -> None:
    """TCP 1.1: winnings on a token are chips; whether the token itself goes back is the ruling's or its voucher's."""
    seat = Seat(1, 10, decision="play", play_cents=10, cards=parse_cards("Kc 7h 4d"), ante_tender="token_once")
    round_ = Round("shoe", parse_cards(HANDS["PLAYS"]), (seat,))
    settlement = settle(round_, ThreeCardSettings(token_on_win=on_win))  # type: ignore[arg-type]
    ante, play = settlement.lines
    assert (ante.paid_cents, ante.returned_cents, ante.tender) == (10, returned, "token_once")
    assert (play.returned_cents, play.tender) == (10, "chips")
    assert settlement.rulings == (("token_on_win", on_win),)


def test_a_void_round_gives_everything_back() -> None:
    """TCP 12.4, 12.9.2: every wager is void and goes back as it was placed, over the maximum or not."""
    seats = (Seat(4, 30, 15, "play", 30), Seat(2, None, 5))
    settlement = settle(Round("shoe", None, seats, void_by="misdeal"))
    assert [(line.seat, line.wager, line.returned_cents) for line in settlement.lines] == [
        (2, "pair_plus", 5),
        (4, "ante", 30),
        (4, "play", 30),
        (4, "pair_plus", 15),
    ]
    assert {line.outcome for line in settlement.lines} == {"void"}


IMPOSSIBLE = """
seat=0                 ; seats[1].seat            | 0
seat=10                ; seats[1].seat            | 10
seat=1                 ; seats[1].seat            | 1
ante=0                 ; seats[1].ante_cents      | 0
ante=-5                ; seats[1].ante_cents      | -5
plus=0                 ; seats[1].pair_plus_cents | 0
play=0                 ; seats[1].play_cents      | 0
ante=none              ; seats[1].ante_cents      |
ante=none plus=5 play=5; seats[1].play_cents      | 5
cards=Kc,7h            ; seats[1].cards           | Kc 7h
cards=Kc,7h,4d,5d      ; seats[1].cards           | Kc 7h 4d 5d
cards=Kc,7h,Kc         ; seats[1].cards           | Kc
cards=Kc,7h,Qs         ; seats[1].cards           | Qs
cards=Kc,7h,2c         ; seats[1].cards           | 2c
warnings=-1            ; seats[1].warnings        | -1
"""


@pytest.mark.parametrize("line", IMPOSSIBLE.strip().splitlines())
def test_impossible_rounds(line: str) -> None:
    """CASES 45: a card twice, at one seat or at two; two or four cards; an amount that is none: never a round."""
    what, wanted = line.split(";")
    change = dict(part.split("=") for part in what.split())

    def cents(name: str, otherwise: int | None) -> int | None:
        if change.get(name) == "none":
            return None
        return int(change[name]) if name in change else otherwise

    seat = Seat(
        int(change.get("seat", "2")),
        cents("ante", 10),
        cents("plus", None),
        "play",
        cents("play", None),
        parse_cards(change["cards"].replace(",", " ")) if "cards" in change else None,
        int(change.get("warnings", "0")),
    )
    with pytest.raises(RoundError) as caught:
        Round("shoe", parse_cards(HANDS["PLAYS"]), (Seat(1, 10, cards=parse_cards("2c 2d 2h")), seat))
    assert [caught.value.field, caught.value.value] == [part.strip() for part in wanted.split("|")]


def test_a_round_without_a_wager_is_none() -> None:
    """TCP 5.3: cards are dealt to wagers."""
    with pytest.raises(RoundError, match="seats"):
        Round("shoe", parse_cards(HANDS["PLAYS"]), ())


def test_the_dealers_hand_is_three_cards() -> None:
    """TCP 12.2: a dealer's hand of another number of cards is no round to settle."""
    with pytest.raises(RoundError) as caught:
        Round("shoe", parse_cards("Qs 7d"), (Seat(1, 10),))
    assert caught.value.field == "dealer"


def test_the_deal_goes_round_or_in_packets() -> None:
    """TCP 7.1 to 7.4: the dealer first, then from the dealer's left; a card at a time, or three; all face down."""
    assert [place for place, _ in deal_order("shoe", [5, 2])] == [0, 2, 5, 0, 2, 5, 0, 2, 5]
    assert [place for place, _ in deal_order("shuffler", [5, 2])] == [0, 0, 0, 2, 2, 2, 5, 5, 5]
    assert {face for _, face in deal_order("shoe", range(1, 10))} == {"down"}
