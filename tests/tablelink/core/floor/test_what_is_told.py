"""What a driven table tells of a round as it goes on, and what it shows of its players: told at once, and once."""

import pytest

from rules.irregularities import BOOKS
from tablelink.core.floor import NotUnderstood, read_line
from tablelink.core.floor.showing import next_words, seat_lines
from tests.support.driven import Driving

TO_FOREIGN_CARD = {
    "caribbean_stud": "open by Lee\njoin ann 1 valid\ncheck_cards\nload\nplace 1 ante 5\nno_more_bets\ndeal all 5c",
    "three_card_poker": "open by Lee\njoin ann 1 valid\ncheck_cards\nload\nplace 1 ante 5\nno_more_bets\ndeal all",
    "four_card_poker": "open by Lee\njoin ann 1\ncheck_cards\nload\nplace 1 ante 5\nno_more_bets\ndeal all 5c",
    "casino_war": "open by Lee\njoin ann 1\ncheck_cards\nload\nburn\nplace 1 initial 5\nno_more_bets\ndeal 5c",
}


@pytest.mark.parametrize("game", TO_FOREIGN_CARD)
def test_who_is_notified_at_once_is_told_at_once(game: str) -> None:
    """CSP 14.9.4, TCP 12.9.4, FCP 12.10.4, WAR 11.17.4: as it is found, not when the round is stated; once."""
    driving = Driving(game).tell(TO_FOREIGN_CARD[game])
    (rule,) = [each.rule for each in BOOKS[driving.floor.around.book]["foreign_card"].notices]
    driving.line("void_round")
    assert [(each.rule, each.words) for each in driving.changed[-1].told] == [
        (rule, "to be notified at once, by 2026-11-18T22:06:40+11:00")
    ]
    while driving.changed[-1].statement is None:
        driving.line("next")
    assert driving.changed[-1].statement.said["notices"]
    assert driving.changed[-1].told == ()


def test_colour_checks_go_with_their_player() -> None:
    """SIC 3.7 to 3.10: a button for a value above the minimum; the colour goes along, or is redeemed."""
    driving = Driving("sic_bo").tell("""
open 4 by Lee                     | ok
join ann 1 valid                  | ok
join ben 2 valid                  | ok
join cat 3 valid                  | ok
colours red blue green by Lee     | ok
issue_checks 1 red 25             | marker button: the red checks of box 1 are worth $25.00 each (SIC 3.9)
issue_checks 1 red 25             | ok
issue_checks 2 blue 5             | ok
second_colour 1 green 25          | no SIC 3.10: cat would be precluded: 0 colours are left
leave ann                         | no SIC 3.7: redeem_checks 1 red
change ann 4                      | ok
join dan 1 valid                  | ok
redeem_checks 1 red               | no SIC 3.7
redeem_checks 4 red               | dealer: removes the marker button of the red checks of box 4 (SIC 3.9)
leave ann                         | ok
""")
    assert " 2 ben           blue at $5.00" in seat_lines(driving.floor)
    driving.tell("issue_checks 1 red 10 | ok\nloss_limit 1 50 | ok\ndeclare 1 50 | ok\nnext | ok\nnext | ok\nnext | ok")
    driving.tell("open_bets | ok\nplace 1 small 30 | ok")
    assert " 1 dan           small $30.00  Loss Limit, $20.00 left  ● red at $10.00" in seat_lines(driving.floor)


def test_a_rejected_employee_is_not_paid() -> None:
    """CSP 16.15: who would pay is told what takes the wager out of the round; then nothing is won by it (14.20.2)."""
    driving = Driving("caribbean_stud").tell("""
open by Lee                                          | ok
join eve 2 valid                                     | ok
check_cards                                          | ok
load                                                 | ok
find_employee eve rejected by Kim because on shift   | employee: eve rejected
place 2 ante 5                                       | ok
find_employee eve rejected by Kim because on shift   | dealer: does not pay box 2: take_back 2 (CSP 16.15)
no_more_bets                                         | ok
deal all 5c                                          | ok
find_employee eve paid by Kim because her first      | employee: eve paid
find_employee eve rejected by Kim because on shift   | does not pay box 2: find_invalid 2 because WHY (CSP 16.15)
find_invalid 2 because on shift                      | ok
bet 2                                                | ok
turn_dealer As Kd 9h 3d 5c                           | ok
compare 2 Ah Ac 2d 3c 4s                             | ok
next                                                 | ok
next                                                 | settled 2 ante void, 2 bet void
""")
    assert [len(each.told) for each in driving.changed if each.written][1:] == [0, 1, 0, 1]


@pytest.mark.parametrize("line", ["open 3 4 by Lee", "open $1 $5 by Lee"])
def test_a_table_is_opened_with_one_number_of_each(line: str) -> None:
    """Two numbers of seats, or two smallest chips, are a slip: neither is taken."""
    with pytest.raises(NotUnderstood, match="said twice"):
        read_line(Driving("casino_war").floor, line)


def test_where_nobody_plays_somebody_joins() -> None:
    """What comes next at an open layout without players is a player."""
    driving = Driving("three_card_poker").tell("open by Lee | ok\ncheck_cards | ok\nload | ok")
    assert next_words(driving.floor) == "join PLAYER AREA"


TWO_PLAY = {
    "CSP 14.13.2": ("caribbean_stud", "5c"),
    "TCP 12.11.2": ("three_card_poker", ""),
    "FCP 12.12.2": ("four_card_poker", "5c"),
}
ONE_HAS_LAID = """
open by Lee                               | ok
join ann 1 valid                          | ok
join ben 2 valid                          | ok
check_cards                               | ok
load                                      | ok
place 1 ante 5                            | ok"""


@pytest.mark.parametrize("rule", TWO_PLAY)
def test_players_are_kept_apart_from_before_the_first_card_or_from_the_next_round(rule: str) -> None:
    """CSP 14.13.2, TCP 12.11.2, FCP 12.12.2: what the later one has laid goes back; after the first card nothing does,
    and people are told so.
    """
    game, shown = TWO_PLAY[rule]
    driving = Driving(game).tell(f"""{ONE_HAS_LAID}
direct apart ann ben by Lee because signs | direction: ann, ben apart: signs
place 2 ante 5                            | no {rule}: not to play together with ann
place 1 ante 5                            | no
""")
    assert not driving.changed[-1].told
    driving = Driving(game).tell(f"""{ONE_HAS_LAID}
place 2 ante 5                            | ok
direct apart ann ben by Lee because signs | dealer: the wagers of box 2 go back: kept apart ({rule})
place 2 ante 5                            | no {rule}: not to play together with ann
""")
    assert [each.seat for each in driving.floor.at.felt.seats] == [1]
    driving = Driving(game).tell(f"""{ONE_HAS_LAID}
place 2 ante 5                            | ok
no_more_bets                              | ok
deal all {shown:<32} | ok
direct apart ann ben by Lee because signs | box 2 plays this round out: kept apart from the next round on ({rule})
""")
    assert [each.seat for each in driving.floor.at.felt.seats] == [1, 2]


def test_who_waits_for_a_seat_is_shown() -> None:
    """WAR 5.6.1: until one is free for them; whoever sits down waits no more."""
    driving = Driving("casino_war").tell("open 2 by Lee | ok\njoin ann 1 | ok\njoin ben 2 | ok")
    assert not [each for each in seat_lines(driving.floor) if "waiting" in each]
    driving.tell("wait cid | ok\nwait dan | ok")
    assert seat_lines(driving.floor)[-1] == "   waiting      cid, dan"
    driving.tell("leave ben | ok\njoin cid 2 | ok")
    assert seat_lines(driving.floor)[-1] == "   waiting      dan"


def test_colour_checks_of_another_table_are_neither_wagered_nor_redeemed() -> None:
    """SIC 3.6, 3.7: they are used at their own table only, and exchanged at another while it is closed."""
    driving = Driving("sic_bo").tell("""
open 4 by Lee                            | ok
join ann 1 valid                         | ok
next                                     | ok
next                                     | ok
next                                     | ok
open_bets                                | ok
place 1 small 10 issued S9               | no SIC 3.6: colour checks of table S9 are used for gaming there only
call_bet 1 small 10 issued S9            | no SIC 3.6
place 1 small 10 issued T1               | ok
exchange_checks 50 S9 by Lee             | no SIC 3.7: of table S9 are redeemed at table S9 while it is open
exchange_checks 50 S9 shut by Lee        | ? words: S9 shut: TABLE [closed]
exchange_checks 0 S9 closed by Lee       | ? cents: 0: no amount
exchange_checks 50 S9 closed             | ? by NAME
exchange_checks 50 T1 by Lee             | no SIC 3.7: redeem_checks SEAT COLOUR
exchange_checks 50 S9 closed by Lee      | exchanged:  colour checks of table S9, which is closed (SIC 3.7) by Lee
""")
    assert [each.cents for change in driving.changed for each in change.written if each.kind == "exchanged"] == [5_000]
    assert [bet.cents for bet in driving.floor.at.felt.player(1).wagers] == [1_000]
    Driving("casino_war").tell("""
open 2 by Lee                            | ok
join ann 1                               | ok
next                                     | ok
next                                     | ok
place 1 10 issued S9                     | ? issued: S9: this game has no colour checks
exchange_checks 50 S9 closed by Lee      | no WAR: no rule of this book
""")
