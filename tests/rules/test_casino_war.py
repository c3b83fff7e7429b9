"""The rules of Casino War as a table: a round on the left, what its wagers come to on the right."""

from typing import Any

import pytest

from rules.cards import parse_cards
from rules.directions import Forfeit
from rules.games.casino_war import DeviceFailure, Limits, Round, Seat, deal_order, payable_cents, remedy, settle
from rules.rounds import RoundError, Settlement
from rules.schedules import Schedule, shipped
from rules.settings import CasinoWarSettings
from rules.wagers import Odds

# Dealer ; the player's cards, decision, initial, war and tie wager ; and what each wager comes to:
# wager, outcome, +winnings, <stake given back, and the rules cited.
TABLE = """
8s    ; 9c    -         25 -  -  ; initial win +25 <25 5.1.1.1 8.2.2
8s    ; Ac    -         25 -  5  ; initial win +25 <25 5.1.1.1 8.2.2 | tie lose +0 <0 5.1.3.2 8.1.1
8s    ; 2c    -         25 -  5  ; initial lose +0 <0 5.1.1.2 8.2.1 | tie lose +0 <0 5.1.3.2 8.1.1
As    ; Kc    -         25 -  -  ; initial lose +0 <0 5.1.1.2 8.2.1
8s 9d ; 8c 9h war       25 25 -  ; initial stand_off +0 <25 5.1.1.5 10.2 | war win +50 <25 5.1.2.1 10.2
8s 9d ; 8c 9h war       25 25 5  ; initial stand_off +0 <25 5.1.1.5 10.2 | war win +50 <25 5.1.2.1 10.2 | tie win +50 <5 5.1.3.1 8.1.2
8s 9d ; 8c Th war       25 25 5  ; initial stand_off +0 <25 5.1.1.5 10.1 | war win +25 <25 5.1.2.1 10.1 | tie win +50 <5 5.1.3.1 8.1.2
8s 9d ; 8c 2h war       25 25 5  ; initial lose +0 <0 5.1.1.6 10.3 | war lose +0 <0 5.1.2.2 10.3 | tie win +50 <5 5.1.3.1 8.1.2
8s    ; 8s    surrender 24 -  -  ; initial lose +0 <12 5.1.1.3 8.2.4.1
8s    ; 8c    surrender 25 -  5  ; initial lose +0 <13 5.1.1.3 8.2.4.1 5.10 | tie win +50 <5 5.1.3.1 8.1.2
8s    ; 8c    absent    24 -  5  ; initial lose +0 <12 5.1.1.3 8.2.4.1 11.8 | tie win +50 <5 5.1.3.1 8.1.2
8s    ; 9c    absent    24 -  5  ; initial win +24 <24 5.1.1.1 8.2.2 11.8 | tie lose +0 <0 5.1.3.2 8.1.1
8s    ; 7c    absent    24 -  5  ; initial lose +0 <0 5.1.1.2 8.2.1 11.8 | tie lose +0 <0 5.1.3.2 8.1.1
"""  # noqa: E501 - a line a round

# As above under a sign: initial 5 to 20, tie 5 to 10.
SIGN = Limits(initial_min_cents=5, initial_max_cents=20, tie_min_cents=5, tie_max_cents=10)
UNDER_A_SIGN = """
8s    ; 9c    -         4  -  -  ; initial win +4 <4 5.1.1.1 8.2.2 6.2
8s    ; 7c    -         5  -  2  ; initial lose +0 <0 5.1.1.2 8.2.1 | tie lose +0 <0 5.1.3.2 8.1.1 6.2
8s    ; 9c    -         20 -  10 ; initial win +20 <20 5.1.1.1 8.2.2 | tie lose +0 <0 5.1.3.2 8.1.1
8s    ; 9c    -         30 -  15 ; initial win +20 <30 5.1.1.1 8.2.2 6.3 | tie lose +0 <5 5.1.3.2 8.1.1 6.3
8s    ; 7c    -         30 -  -  ; initial lose +0 <10 5.1.1.2 8.2.1 6.3
8s 9d ; 8c 9h war       30 30 15 ; initial stand_off +0 <30 5.1.1.5 10.2 6.3 | war win +40 <30 5.1.2.1 10.2 6.3 | tie win +100 <15 5.1.3.1 8.1.2 6.3
8s 9d ; 8c 2h war       30 30 -  ; initial lose +0 <10 5.1.1.6 10.3 6.3 | war lose +0 <10 5.1.2.2 10.3 6.3
8s    ; 8c    surrender 30 -  -  ; initial lose +0 <20 5.1.1.3 8.2.4.1 6.3
"""  # noqa: E501 - a line a round

WAGERED = """
8s    ; 9c    -         30 -  15 ; initial win +30 <30 5.1.1.1 8.2.2 11.18.2 | tie lose +0 <0 5.1.3.2 8.1.1 11.18.2
8s 9d ; 8c 9h war       30 30 -  ; initial stand_off +0 <30 5.1.1.5 10.2 11.18.2 | war win +60 <30 5.1.2.1 10.2 11.18.2
8s    ; 8c    surrender 30 -  -  ; initial lose +0 <15 5.1.1.3 8.2.4.1 11.18.2
8s    ; 9c    -         20 -  10 ; initial win +20 <20 5.1.1.1 8.2.2 | tie lose +0 <0 5.1.3.2 8.1.1
"""


def one_seat(line: str, **changes: Any) -> tuple[Round, str]:
    """The round of a line of a table, and what is expected of it."""
    dealer, player, expected = (part.strip() for part in line.split(";"))
    *cards, decision, initial, war, tie = player.split()
    seat = Seat(
        1,
        int(initial),
        None if tie == "-" else int(tie),
        None if decision == "-" else decision,  # type: ignore[arg-type]
        None if war == "-" else int(war),
        parse_cards(" ".join(cards)),
        **changes,
    )
    return Round("shoe", parse_cards(dealer), (seat,)), expected


def said(settlement: Settlement) -> str:
    """The lines of a settlement in the words of the table."""
    return " | ".join(
        f"{line.wager} {line.outcome} +{line.paid_cents} <{line.returned_cents} "
        + " ".join(rule.removeprefix("WAR ") for rule in line.rules)
        for line in settlement.lines
    )


@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_settlement(line: str) -> None:
    """Each wager comes to what its rule says (WAR 5.1, 8, 10, 11.8; CASES 47)."""
    round_, wanted = one_seat(line)
    assert said(settle(round_)) == wanted


@pytest.mark.parametrize("line", UNDER_A_SIGN.strip().splitlines())
def test_settlement_under_a_sign(line: str) -> None:
    """Wagers beside the sign count as rules 6.2 and 6.3 say; the war wager with its initial."""
    round_, wanted = one_seat(line)
    assert said(settle(round_, limits=SIGN)) == wanted


@pytest.mark.parametrize("line", WAGERED.strip().splitlines())
def test_over_the_maximum_as_wagered(line: str) -> None:
    """WAR 11.18.2 under the ruling that the amount wagered is paid or taken, over the maximum or not; named, noted."""
    round_, wanted = one_seat(line)
    settlement = settle(round_, CasinoWarSettings(over_maximum="wagered"), SIGN)
    assert said(settlement) == wanted
    over = "11.18.2" in wanted
    assert settlement.rulings == ((("over_maximum", "wagered"),) if over else ())
    assert all("counts in full (WAR 11.18.2)" in note for note in settlement.notes)
    assert bool(settlement.notes) is over


def test_a_player_with_an_own_sign_plays_by_it() -> None:
    """WAR 6.6: a player may wager in excess of the stated maximum where a sign of their own says so."""
    round_, _ = one_seat("8s ; 9c - 30 - - ; x", own_limits=Limits(initial_min_cents=25, initial_max_cents=50))
    assert said(settle(round_, limits=SIGN)) == "initial win +30 <30 5.1.1.1 8.2.2"
    round_, _ = one_seat("8s ; 9c - 60 - - ; x", own_limits=Limits(initial_max_cents=50))
    assert said(settle(round_, limits=SIGN)) == "initial win +50 <60 5.1.1.1 8.2.2 6.3"


def test_a_war_wager_is_cut_in_step_with_its_initial_or_not() -> None:
    """WAR 6.3, 5.7: whether the war wager follows an initial cut to its maximum is the table's ruling, and named."""
    round_, _ = one_seat("8s 9d ; 8c Th war 30 30 - ; x")
    settlement = settle(round_, limits=SIGN)
    assert [line.paid_cents for line in settlement.lines] == [0, 20]
    assert dict(settlement.rulings) == {"cap_linked_wager": True, "over_maximum": "maximum"}
    settlement = settle(round_, CasinoWarSettings(cap_linked_wager=False), SIGN)
    assert [line.paid_cents for line in settlement.lines] == [0, 30]
    assert dict(settlement.rulings) == {"cap_linked_wager": False, "over_maximum": "maximum"}
    own = settle(round_, limits=Limits(war_max_cents=25))
    assert [(line.paid_cents, line.returned_cents) for line in own.lines] == [(0, 30), (25, 30)]


PAYABLE = """
2500 2 1   up   1250
25   2 1   up   13
25   2 1   down 12
2500 2 100 up   1300
2500 2 100 down 1200
2500 2 250 up   1250
1    1 100 up   100
1    1 100 down 0
300  1 100 up   300
300  1 100 down 300
"""


@pytest.mark.parametrize("line", PAYABLE.strip().splitlines())
def test_what_the_chips_at_hand_can_pay(line: str) -> None:
    """WAR 5.10, 8.2.4.1: the next payable amount above, or below by the ruling; an exact one as it is."""
    cents, over, chip, rounds, wanted = line.split()
    ruling = CasinoWarSettings(payment_rounds=rounds)  # type: ignore[arg-type]
    assert payable_cents(int(cents), int(over), int(chip), ruling) == int(wanted)


@pytest.mark.parametrize(("rounds", "half", "tie", "won"), [("up", 1300, 2600, 2600), ("down", 1200, 2500, 2500)])
def test_a_payment_that_chips_cannot_make_is_rounded(rounds: Any, half: int, tie: int, won: int) -> None:
    """WAR 5.10: half of an odd amount, and any payment, goes to the next payable amount; the line and ruling say so."""
    settings = CasinoWarSettings(payment_rounds=rounds)
    seats = (
        Seat(1, 2500, 255, "surrender", cards=parse_cards("8c")),
        Seat(2, 2550, cards=parse_cards("9c")),
        Seat(3, 2600, cards=parse_cards("9d")),
    )
    settlement = settle(Round("shoe", parse_cards("8s"), seats, chip_cents=100), settings)
    surrendered, tied, winner, exact = settlement.lines
    assert (surrendered.outcome, surrendered.returned_cents, surrendered.paid_cents) == ("lose", half, 0)
    assert (tied.paid_cents, winner.paid_cents, exact.paid_cents) == (tie, won, 2600)
    assert ["WAR 5.10" in line.rules for line in settlement.lines] == [True, True, True, False]
    assert settlement.rulings == (("payment_rounds", rounds),)


def test_half_a_wager_is_never_more_than_the_wager() -> None:
    """WAR 8.2.4.1: a chip larger than the whole wager does not make its surrender pay."""
    seat = Seat(1, 100, decision="surrender", cards=parse_cards("8c"))
    (line,) = settle(Round("shoe", parse_cards("8s"), (seat,), chip_cents=500)).lines
    assert (line.paid_cents, line.returned_cents) == (0, 100)


def test_several_areas_of_a_player_are_several_seats() -> None:
    """WAR 5.6: each playing area is dealt, decided and settled by itself."""
    seats = (
        Seat(3, 25, 5, "war", 25, parse_cards("8c Th")),
        Seat(2, 25, None, "surrender", None, parse_cards("8h")),
        Seat(1, 10, None, None, None, parse_cards("2s")),
    )
    settlement = settle(Round("shuffler", parse_cards("8s 9d"), seats))
    assert [(line.seat, line.wager, line.net_cents) for line in settlement.lines] == [
        (1, "initial", -10),
        (2, "initial", -12),
        (3, "initial", 0),
        (3, "war", 25),
        (3, "tie", 50),
    ]


def test_a_schedule_of_other_odds_pays() -> None:
    """WAR 8.1.2: what a tie pays is data; the line cites the clause of the schedule that pays it."""
    round_, _ = one_seat("8s ; 8c surrender 24 - 5 ; x")
    by_wager = {name: shipped(f"war_{clause}") for name, clause in (("initial", "8_2_2"), ("war", "10"))}
    tie = Schedule("x", "casino_war", "2016-08-17", "WAR 8.1.2", "TEST", {"tie": {"win": Odds(11)}})
    assert settle(round_, schedules={**by_wager, "tie": tie}).lines[1].paid_cents == 55


WRONG = """
8s    ; 8c    -         25 -  - ; seats[0].decision  |           | missing: the same rank is a war or a surrender (WAR 5.7, 11.8)
8s    ; 9c    surrender 25 -  - ; seats[0].decision  | surrender | the ranks are not the same (WAR 5.7)
8s 9d ; 9c Tc war       25 25 - ; seats[0].decision  | war       | the ranks are not the same (WAR 5.7)
8s 9d ; 8c Tc war       25 -  - ; seats[0].war_cents |           | missing, but the decision was war (WAR 5.7)
8s 9d ; 8c Tc war       25 24 - ; seats[0].war_cents | 24        | not equal to the initial wager of 25 cents (WAR 5.7)
8s    ; 8c    surrender 25 25 - ; seats[0].war_cents | 25        | there is no war wager without a decision to go to war (WAR 5.7)
8s    ; 8c 9c surrender 25 -  - ; seats[0].cards     | 8c 9c     | a card too many is a misdeal (WAR 11.15)
8s    ; 9c Tc -         25 -  - ; seats[0].cards     | 9c Tc     | a card too many is a misdeal (WAR 11.15)
8s 9d ; 8c    war       25 25 - ; seats[0].cards     | 8c        | the additional card is missing (WAR 9.2.1)
8s    ; 8c 9c war       25 25 - ; dealer             | 8s        | the additional card is missing (WAR 9.2.2)
8s 9d ; 8c    surrender 25 -  - ; dealer             | 8s 9d     | nobody went to war: a card too many (WAR 11.13)
"""  # noqa: E501 - a line a round


@pytest.mark.parametrize("line", WRONG.strip().splitlines())
def test_what_cannot_be_settled_is_named(line: str) -> None:
    """WAR 5.7, 9.2, 11.13, 11.15: a war wager of a wrong amount, a missing decision or card: nothing is settled."""
    round_, wanted = one_seat(line)
    with pytest.raises(RoundError) as caught:
        settle(round_)
    field, value, reason = (part.strip() for part in wanted.split("|"))
    assert (caught.value.field, caught.value.value, caught.value.reason) == (field, value, reason)


@pytest.mark.parametrize(("on_win", "returned"), [("returned", 24), ("as_voucher", 0)])
def test_a_token_goes_back_by_the_ruling(on_win: Any, returned: int) -> None:
    """WAR 1.1: winnings on a token are chips; whether the token itself goes back is the ruling's or its voucher's."""
    round_, _ = one_seat("8s ; 9c - 24 - - ; x", initial_tender="token_once")
    (line,) = settle(round_, CasinoWarSettings(token_on_win=on_win)).lines
    assert (line.paid_cents, line.returned_cents, line.tender) == (24, returned, "token_once")
    surrendered, _ = one_seat("8s ; 8c surrender 24 - - ; x", initial_tender="token_once")
    (line,) = settle(surrendered, CasinoWarSettings(token_on_win=on_win)).lines
    assert (line.outcome, line.returned_cents) == ("lose", 12)


@pytest.mark.parametrize(("extra", "clause"), [("exposed", "11.3"), ("unexposed", "11.4")])
def test_an_extra_card_to_the_dealer_is_put_away_or_a_misdeal(extra: Any, clause: str) -> None:
    """WAR 11.3, 11.4 against 11.13: the round is settled and people told where the card goes, or all is void; named."""
    round_ = Round("shoe", parse_cards("8s"), (Seat(1, 25, cards=parse_cards("9c")),), extra)
    repaired = settle(round_)
    assert said(repaired) == "initial win +25 <25 5.1.1.1 8.2.2"
    assert repaired.rulings == (("dealer_extra_card", "repair"),)
    assert repaired.notes[0].endswith(f"(WAR {clause})")
    misdealt = settle(round_, CasinoWarSettings(dealer_extra_card="misdeal"))
    assert said(misdealt) == "initial void +0 <25 11.16"
    assert misdealt.rulings == (("dealer_extra_card", "misdeal"),)


def test_the_deal_goes_round_to_the_dealer() -> None:
    """WAR 7.1, 9.2: from the dealer's left, the dealer last, one card face up each; both deals alike."""
    for device in ("shoe", "shuffler"):
        assert deal_order(device, [5, 2, 9]) == ((2, "up"), (5, "up"), (9, "up"), (0, "up"))


# Was anybody disadvantaged, is another device available, is a transfer practicable, are cards damaged ; what is done.
LADDER = """
no  yes yes no  ; transfer        12.2
no  yes yes yes ; replace_damaged 12.3
no  yes no  no  ; shoe_instead    12.5
no  no  yes yes ; shoe_instead    12.5
no  no  no  no  ; shoe_instead    12.5
yes yes yes no  ; device_failed   12.4
yes yes yes yes ; device_failed   12.4
yes no  no  yes ; device_failed   12.4
"""


@pytest.mark.parametrize("line", LADDER.strip().splitlines())
def test_what_is_done_about_a_device_that_failed(line: str) -> None:
    """WAR 12.1 to 12.5: transfer, replace what is damaged, terminate and return, or each player chooses; told."""
    found, wanted = line.split(";")
    done = remedy(DeviceFailure(*(word == "yes" for word in found.split())))
    assert [done.move, done.rule] == [wanted.split()[0], f"WAR {wanted.split()[1]}"]
    told = " ".join(done.notes)
    assert done.rule in told
    assert ("WAR 12.5.2" in told) is (done.move == "shoe_instead" and found.split()[3] == "yes")


def test_a_forfeit_needs_its_seat() -> None:
    """WAR 13.5: a direction is about somebody's wagers."""
    seats = (Seat(1, 25, cards=parse_cards("9c")),)
    with pytest.raises(RoundError, match=r"forfeits\[0\].seat: 2"):
        Round("shoe", (), seats, void_by="invalidated", forfeits=(Forfeit(2, "A. Lee", "marked cards"),))
