"""A long session of each game at a driven table, as people type it (see `tests.support.driven`)."""

from collections.abc import Mapping
from typing import Final

_CARIBBEAN_STUD: Final = """
place 1 ante 10                                | no CSP 16.9: the table is closed
open 3 shoe low_limit by Lee                   | no CSP 6.1: low limit gaming is not offered
open 3 shuffler by Lee                         | opened:  edition 2024-08-16
open by Lee                                    | no CSP 6.1: the table is open
join ann 1                                     | no CSP 5.1: no valid Player Card
join ann 1 not_own                             | no CSP 16.1: issued to another person
join ann 1 valid                               | ok
join ann 2                                     | no CSP 5.8: plays at this table already
join ben 1 valid                               | no CSP 5.9: it is in use
join ben 2 valid                               | ok
take ann 3                                     | no CSP 5.8: one hand
wait cid                                       | no CSP 6.1: area 3 is free
next                                           | [cards_checked]
next                                           | [wagers_open]
place 1 ante 2                                 | no CSP 6.1: below the minimum
place 1 ante 10                                | ok
place 1 ante 10                                | no CSP 5.9: only one wager
place 1 jackpot 1                              | no CSP 14.15: without the jackpot
place 2 ante 10 by ann                         | no CSP 16.1: ann places it for or on behalf of ben
place 2 ante 10 by ann claim "a power of attorney" | no CSP 16.1.1: whatever is claimed: a power of attorney
place 2 ante 10 by ben stake cid               | no CSP 16.1.2: cid has the stake
place 2 ante 10 for ann                        | no CSP 16.1: area 2 is ben's
place 3 ante 10                                | no CSP 16.1: nobody who showed a Player Card
place 2 ante 10                                | ok
leave ben                                      | ok
join cid 2 valid                               | no CSP 5.9: a wager is in play there
take_back 2 ante                               | ok
join ben 2                                     | ok
place 2 ante 10                                | ok
alter ante_min=25 by Lee                       | no CSP 6.5: rises: a sign shows it 20 minutes before
alter ante_mix=25 by Lee                       | ? sign: known are ante_min, ante_max
raise ante_min=25 by Lee                       | places a marker in front of box 1 (CSP 6.5.1.1); in front of box 2
| the old limits and the new (CSP 6.5.3)
join cid 3 valid                               | box 3 is new and plays by the new minimum (CSP 6.5.4)
place 3 ante 10                                | no CSP 6.1: below the minimum of 2500
place 3 ante 25                                | ok
refuse_wager 3 ante by Lee                     | no CSP 16.12: grounds: missing
refuse_wager 3 ante by Lee because thrown late | refused_wager: cid thrown late (CSP 16.12) by Lee
void_wagers 2                                  | no CSP 16.4.1: say it as find_device
no_more_bets                                   | [no_more_bets]
deal all                                       | no CSP 7.4.1: cards: 0
deal all 5c                                    | [cards_dealt]
change cid 1                                   | no CSP 6.1: a round of play is in progress
refuse_wager 1 ante by Lee because late        | no CSP 16.12: the first card was removed
bet 1 15                                       | no CSP 5.6: not exactly twice
bet 1                                          | ok
undo                                           | undone
bet 1 20                                       | ok
direct play_first ben by Lee because signals   | direction: ben play_first: signals (CSP 14.13.1) by Lee
undo                                           | no CSP 1.1: is no move of this round, and acts are not undone
find_employee ben rejected by Kim because on shift | employee: ben rejected: on shift (CSP 16.15) by Kim
find_device ben void_wagers out_of_game by Lee because a telephone | device: ben void_wagers: a telephone (CSP 16.4.1)
| device: ben out_of_game: a telephone (CSP 16.4.2); [hands_decided]
turn_dealer As Kd 9h 7c 5s                     | no CSP 8.6: one that lies face up is not among them
turn_dealer As Kd 9h 7c 5c                     | [dealer_turned]
end_round                                      | no CSP 1.1: the round of play has not ended
compare 1 2s 2d 4h 6c 8c                       | [hands_settled]
next                                           | [cards_collected]
next                                           | settled 1 ante win, 1 bet win, 2 ante void; [cards_checked]
place 1 ante 10                                | no CSP 5.3: not while the table is at: cards checked
load                                           | [wagers_open]
place 2 ante 25                                | no CSP 16.4.2: ben was directed not to take part
old_sign ante_min=15 in 10 by Lee              | no CSP 6.5.2: not 20 minutes
old_sign ante_min=15 by Lee                    | sign:  old_minimum (CSP 6.5.2)
+19:59                                         | ok
+19:59 place 1 ante 10                         | ok
+19:59 take_back 1 ante                        | ok
+20:00                                         | the new old minimum on its sign holds from now on (CSP 6.5.2)
place 1 ante 10                                | no CSP 6.1: below the minimum of 1500
place 1 ante 15                                | ok
own ann ante_max=1000 by Lee                   | own limits (CSP 6.6) by Lee; places the sign with the limits of box 1
own ann ante_max=100 by Lee                    | no CSP 6.6: no maximum is in excess
end_own ann by Lee                             | own limits ended
sign ante_min=50 by Lee                        | sign:  minimum (CSP 6.5)
take_down minimum by Lee                       | minimum taken down
take_down minimum by Lee                       | no CSP 6.5: no such sign
dispute d1 the change was short by ann         | gaming supervisor: decides dispute d1, raised by ann
| the change was short (CSP 16.13)
decide d1 casino paid by Lee because seen      | no CSP 16.13: it is for a gaming supervisor
decide d1 game pay ten dollars by Lee because seen on camera | dispute d1 is decided: pay ten dollars
ask_review d1 by ann                           | casino supervisor: reviews dispute d1
review d1 casino upheld by Lee because so      | no CSP 16.13: decided it, and does not review it
review d1 casino upheld by Kim because seen    | decided finally: upheld (CSP 16.14)
advise d1 ann by Kim                           | ann: has the right to lodge a complaint
deal_from shoe by Lee                          | no CSP 6.1: wagers lie on the layout
close by Lee                                   | no CSP 16.9: wagers lie on the layout
deal 3h                                        | [dealing]
deal                                           | [cards_dealt]
invalidate                                     | no CSP 16.5: person: missing
invalidate by Lee because marked cards         | invalidate:  marked cards (CSP 16.5) by Lee; [round_void]
forfeit 2 by Lee because marked cards          | no CSP 16.6: no wager lies there
forfeit 1 by Lee                               | no CSP 16.6: reason: missing
forfeit 1 by Lee because marked cards          | forfeit: ann marked cards (CSP 16.6) by Lee
collect_cards                                  | ok
end_round                                      | settled 1 ante lose
find_device ann on_duty detain by Lee because a test | no CSP 16.3: in the course of duty
find_device cid detain by Lee because a camera | takes over cid, who is detained (CSP 16.4.4)
find_ineligible cid minor by Lee because no proof of age | minor: cid no proof of age (CSP 16.4.3)
leave ann                                      | removes the marker at box 1 (CSP 6.5.1.2)
closing by Lee                                 | sign:  closing (CSP 16.9)
close by Lee                                   | no CSP 16.9: proposed time of closure
cash off no_drop_box by Lee                    | cash:  cashless, without a drop box (CSP 2.5.1)
dealer kim                                     | dealer:  deals
+41:00                                         | may close the table: the proposed time has come (CSP 16.9)
close by Lee                                   | closed
"""

_THREE_CARD: Final = """
open 2 shoe low_limit by Lee                   | no TCP 6.7.2: from a shuffling device
open 2 low_limit tournament by Lee             | no TCP 6.7.1: tournament play
open 2 low_limit by Lee                        | ok
deal_from shoe by Lee                          | no TCP 6.7.2: from a shuffling device
join ann 1 valid                               | ok
join ben 2 valid                               | ok
card ben limit_reached                         | ok
next                                           | [cards_checked]
next                                           | [wagers_open]
place 1 pair_plus 1                            | ok
place 1 ante 5                                 | ok
place 2 ante 5 token                           | ok
no_more_bets                                   | ok
deal all                                       | [cards_dealt]
short 2                                        | ok
play 1                                         | [hands_decided]
payment_error 1 ante 3000 by Lee               | no TCP 1.1: has not ended
turn_dealer As Kd 9h                           | ok
settle_hand 1 2s 2d 4h                         | [hands_settled]
collect_cards                                  | ok
payment_error 1 tie 3000 by Lee                | no TCP 1.1: none that was settled at seat 1
payment_error 1 ante 10 by Lee                 | no TCP 1.1
payment_error 1 ante 3000 rectified identified by Lee | payment_error: ann paid rectified identified (TCP 12.13)
end_round                                      | settled 1 ante win, 1 play win, 1 pair_plus win, 2 ante void
| the NICC: to be notified at the end of the month, by 2026-11-30 (TCP 12.15.2)
load                                           | ok
place 1 ante 5                                 | ok
deal all                                       | ok
find_invalid 1                                 | no TCP 12.16: because: missing
find_invalid 1 because "another's card"        | ok
fold 1                                         | [hands_decided]
turn_dealer As Kd 8h                           | ok
collect_cards                                  | ok
end_round                                      | settled 1 ante lose
load                                           | ok
place 1 ante 5                                 | ok
deal all                                       | ok
play 1                                         | ok
turn_dealer Js Td 8h                           | ok
settle_hand 1 2s 3d 4h                         | ok
next                                           | ok
next                                           | settled 1 ante win, 1 play stand_off
load                                           | ok
ask_for_seat ben by Lee                        | no TCP 14.10: abstained for 2 rounds
place 1 ante 5                                 | ok
deal all                                       | ok
absent 1                                       | ok
turn_dealer Js Td 8h                           | ok
collect_cards                                  | ok
end_round                                      | may ask ben to vacate box 2 (TCP 14.10)
ask_for_seat ben by Lee                        | seat_asked_for: ben three rounds without a wager (TCP 14.10)
join cid 2 excluded                            | no TCP 14.4.3: excluded from the casino
join cid 2 valid                               | ok
direct apart ann cid by Lee because signals    | direction: ann, cid apart
load                                           | ok
place 2 ante 5                                 | no TCP 12.11.2: not to play together with ann
place 1 ante 5                                 | ok
deal all                                       | ok
play 1                                         | ok
turn_dealer Js Td 8h                           | ok
void_round                                     | [round_void]
collect_cards                                  | ok
end_round                                      | settled 1 ante void, 1 play void; [cards_new]
"""

_FOUR_CARD: Final = """
open 2 by Lee                                  | ok
next                                           | ok
next                                           | [wagers_open]
join ann 1                                     | ok
own ann ante_max=1000 by Lee                   | no FCP 6.1: no rule of this book
place 1 ante 5                                 | ok
place 1 aces_up 1                              | ok
find_employee ann paid by Lee because shift    | no FCP: no rule of this book
find_device ann out_of_game by Lee because a camera | device: ann out_of_game: a camera (FCP 14.3.2)
place 1 ante 5                                 | no FCP 14.3.2: directed not to take part
place 2 ante 5                                 | ok
deal all 4h                                    | [cards_dealt]
play 2                                         | no FCP 8.5: cents: missing
play 2 20                                      | no FCP 8.5: three times
play 2 15                                      | [hands_decided]
turn_dealer 4h 5h 9d Jc Kc 2s                  | ok
set_dealer Kc Jc 9d 5h                         | ok
settle_hand 2 As Ad 3c 6d 8h                   | ok
collect_cards                                  | ok
end_round                                      | settled 2 ante win, 2 play win
load                                           | ok
raise ante_min=10 by Lee                       | in front of box 1 (FCP 6.5.1.3)
place 2 ante 5                                 | no FCP 6.1: below the minimum of 1000
alter ante_max=20 by Lee                       | ok
place 2 ante 20                                | ok
take_back 2 ante                               | ok
leave ann                                      | removes the marker at box 1 (FCP 6.5.1.2)
close by Lee                                   | closed:  closed (FCP 14.8)
"""

_CASINO_WAR: Final = """
open 3 shoe $0.50 by Lee                       | ok
join ann 1                                     | ok
join ben 3                                     | ok
take ann 2                                     | ok
take ben 2                                     | no WAR 5.5: it is in use
wait cid                                       | ok
give_up ann 2                                  | ok
join cid 2                                     | ok
leave cid                                      | ok
take ann 2                                     | ok
reserve ann 2 by Lee                           | reserved: ann areas 2 (WAR 5.9)
check_cards                                    | ok
shuffle                                        | [cards_shuffled]
cut 3                                          | no WAR 4.3.1
refuse_cut 1                                   | ok
next                                           | [cards_loaded]
burn                                           | [wagers_open]
place 1 10                                     | ok
place 1 tie 5                                  | ok
place 2 initial 10                             | ok
place 3 tie 1                                  | no WAR 5.1.3: has no initial wager
place 3 initial 10                             | ok
refuse_wager 3 initial by Lee because late     | no WAR: no rule of this book
no_more_bets                                   | ok
deal 9h 2c Kd 9s                               | [interim]
next                                           | ok
settle_hand 2                                  | no WAR 8.2: the next hand from the right is at seat 3
next                                           | ok
next                                           | ok
war 1 5                                        | no WAR 5.7: not equal
war                                            | [interim_settled]
deal 2d                                        | ok
deal 8h                                        | [war_dealt]
next                                           | [hands_settled]
next                                           | [cards_collected]
reconstruct                                    | [dealing]
undo                                           | [cards_collected]
next                                           | settled 1 initial lose, 1 war lose, 1 tie win
| 2 initial lose, 3 initial win
| [cards_new]
play_on                                        | [wagers_open]
find_device ben void_wagers only_possessed by Lee because a camera | device: ben void_wagers: a camera (WAR 13.3.1)
place 1 initial 10                             | ok
deal 5h 6c                                     | [interim]
next                                           | ok
next                                           | ok
end_round                                      | settled 1 initial lose
closing in 30 by Lee                           | sign:  closing (WAR 13.8)
+30:00                                         | may close the table: the proposed time has come (WAR 13.8)
close by Lee                                   | closed
"""

_SIC_BO: Final = """
open 2 by Lee                                  | ok
join ann 1 valid                               | ok
join ben 2 suspended                           | no SIC 3.1: suspended
players 1 by Lee                               | players:  at most 1 players (SIC 3.15)
join ben 2 valid                               | no SIC 3.15: 1 players play already
players 2 by Lee                               | ok
join ben 2 valid                               | ok
colours red blue by Lee                        | colours:  red, blue (SIC 3.5)
issue_checks 1 red 2                           | ok
issue_checks 2 red 2                           | no SIC 3.8: has not agreed to share it
share_checks 2 red 2                           | ok
loss_limit 2 100                               | loss_limit: ben
declare 2 60                                   | ok
place_streak 1 super_streak_big 5              | no SIC 6.2: before the first result
place 1 small 5                                | no SIC 5.1: not while
tumble                                         | [tumbling]
open_bets                                      | no SIC 5.1: tumbled 1 of at least 3
next                                           | ok
next                                           | ok
next                                           | [wagers_open]
place 1 small 5                                | ok
place 1 small 600                              | no SIC 4.1: above the maximum
place 2 big 10 issued S9                       | no SIC 3.6: colour checks of table S9 are used for gaming there only
exchange_checks 50 S9 by Lee                   | no SIC 3.7: are redeemed at table S9 while it is open
exchange_checks 50 S9 closed by Lee            | exchanged:  colour checks of table S9, which is closed (SIC 3.7) by Lee
call_bet 1 total_7 5 by ann                    | ok
place 2 big 70                                 | no SIC 9.2.2: not declared
place 2 big 60 by ann                          | no SIC 9.20: ann places it
place 2 big 60 by ann helped                   | ok
place 2 small 50                               | no SIC 9.3: exceed the Loss Limit
refuse_wager 1 total_7 by Lee because too late | refused_wager: ann too late (SIC 9.16)
no_more_bets                                   | [no_more_bets]
refuse_wager 1 small by Lee because too late   | no SIC 9.16: not while
uncover                                        | ok
announce 4 2 1                                 | no SIC 5.3: from the lowest
announce 1 2 4                                 | ok
enter 125                                      | no SIC 5.4: are not the winning numbers
enter 124                                      | ok
light_wrongly big                              | an inspector: to be notified at once, by 2026-11-18T; [lit_wrongly]
light_wrongly small                            | ok
collect                                        | ok
pay                                            | [play_stopped]
notify_inspector                               | [inspector_notified]
payment_error 2 colour_change 0 owed=2500 by Lee | payment_error: ben paid (SIC 8.10)
end_round                                      | the NICC: to be notified at the end of the month
| settled 1 small win, 2 big lose; [inspector_notified]
earlier_payment_error 2 1 small 30 by Lee      | no SIC 8.10: round: 2: no such round
earlier_payment_error 1 1 small 2000 by Lee    | payment_error:  paid in round 1 (SIC 8.10) by Lee
tumble                                         | no SIC 8.8
end_round                                      | no SIC 1.1: has not ended
rectify                                        | [dice_covered]
place_streak 1 super_streak_big 5              | ok
leave ben                                      | no SIC 9.2.3: declares the chips that remain
declare_remaining 2 0                          | ok
leave ben                                      | no SIC 3.7: red is issued to box 2
redeem_checks 2 red                            | ok
leave ben                                      | ok
closing in 20 by Lee                           | the final call for Super Streak wagers (SIC 6.6)
place_streak 1 super_streak_even 5             | no SIC 6.6
tumble                                         | ok
next                                           | ok
next                                           | ok
next                                           | [wagers_open]
no_more_bets                                   | ok
uncover                                        | ok
announce 2 4 5                                 | ok
enter 2 4 5                                    | ok
next                                           | ok
next                                           | ok
next                                           | [wagers_paid]
next                                           | settled ; [dice_covered]
+20:00                                         | the proposed time has come (SIC 9.13)
close by Lee                                   | no SIC 6.6: remain in play
tumble                                         | ok
next                                           | ok
next                                           | ok
open_bets                                      | ok
dice_exposed                                   | [no_result]
return_wagers                                  | ok
end_round                                      | ok
tumble                                         | ok
next                                           | ok
next                                           | ok
open_bets                                      | ok
no_more_bets                                   | ok
uncover                                        | ok
announce 1 1 5                                 | ok
enter 1 1 5                                    | ok
light                                          | ok
collect                                        | ok
pay                                            | ok
end_round                                      | settled 1 super_streak_big lose
close by Lee                                   | closed
"""

SESSIONS: Final[Mapping[str, str]] = {
    "caribbean_stud": _CARIBBEAN_STUD,
    "three_card_poker": _THREE_CARD,
    "four_card_poker": _FOUR_CARD,
    "casino_war": _CASINO_WAR,
    "sic_bo": _SIC_BO,
}
"""The session of each game, from opening to closing."""


def lines_of(game: str) -> list[str]:
    """The lines of a game's session, as they are typed."""
    return [line.partition("|")[0].strip() for line in SESSIONS[game].strip().splitlines() if line[0] != "|"]
