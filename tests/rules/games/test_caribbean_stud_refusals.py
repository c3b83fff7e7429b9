"""What the felt of a Caribbean Stud table does not allow, each with the rule that refuses it."""

import pytest

from rules.games.caribbean_stud import PLAY
from tests.support.moves import refuses
from tests.support.stud_table import (
    staged,
)

NOT_ON_THE_FELT = """
wagers    | place 2 ante 500            | 5.9     | only one wager
wagers    | place 2 jackpot 100         | 5.9     | only one wager
wagers    | place 3 jackpot 100         | 11.1    | needs an ante first
wagers    | place 4 jackpot 200         | 5.4     | not the correct denomination
wagers    | place 3 ante 50             | 6.1     | below the minimum
wagers    | place 3 tie 500             | 5.3     | not one of ante, jackpot
wagers    | place 0 ante 500            | 5.3     | seats are numbered 1 to 9
wagers    | place 10 ante 500           | 5.3     | seats are numbered 1 to 9
wagers    | place - ante 500            | 5.3     | seat: missing
wagers    | place 3 ante -              | 5.3     | cents: missing
wagers    | place 3 ante 0              | 5.3     | not from 1
wagers    | take_back 2 ante -          | 11.1    | needs the ante
wagers    | take_back 2 jackpot -       | 11.2    | handed back first
wagers    | take_back 4 jackpot -       | 5.7     | no wager on the jackpot area
wagers    | take_back 3 ante -          | 5.7     | there is no ante
wagers    | refuse_wager 3 ante -       | 16.12   | there is no ante
wagers    | take_jackpot 2 - -          | 11.2    | accepted already
wagers    | take_jackpot 4 - -          | 11.2    | no wager on the jackpot area
wagers    | return_jackpot 4 - -        | 5.4     | no wager on the jackpot area
wagers    | find_invalid 3 - -          | 14.20.1 | there is no ante
wagers    | reopen_jackpot - - -        | 2.3     | the jackpot is open
wagers    | play_without - - -          | 14.15   | did not fail
wagers    | reshuffle - - -             | 15.1    | deals from a shoe
wagers    | deal 2 - -                  | 7.3     | the next card goes to the dealer
wagers    | deal - - -                  | 7.3     | seat: missing
wagers    | deal 0 - - 3c               | 7.1     | dealt face down
pending   | deal 0 - -                  | 11.2    | waits for its acceptance
down      | deal 0 - -                  | 14.15   | a Gaming Supervisor approves first
down      | place 4 jackpot 100         | 14.15   | without the jackpot
down      | link_down - - -             | 14.15   | it is known
down      | return_jackpot 3 - -        | 5.4     | there is no ante
closed    | play_without - - -          | 14.15   | approved already
closed    | place 4 jackpot 100         | 14.15   | without the jackpot
barred    | place 5 ante 500            | 16.4.2  | directed not to take part
barred    | exclude 5 - -               | 16.4.2  | may not wager already
barred    | direct_apart 5 - -          | 14.13.2 | may not wager already
barred    | exclude 10 - -              | 16.4.2  | seats are numbered 1 to 9
dealing   | deal 4 - - 3c               | 7.1     | dealt face down
dealing   | expose 4 - -                | 14.5    | has no card yet
dealing   | expose 3 - -                | 14.5    | there is no ante
dealing   | expose_dealer - - -         | 14.6    | 0 where a hand is 1
dealing   | device_failed - - -         | 15.2    | deals from a shoe
last      | deal 0 - -                  | 7.3.3   | 0 where a hand is 1
last      | deal 0 - - 2s 3s            | 7.3.3   | 2 where a hand is 1
dealt     | bet 2 - 1999                | 5.6     | not exactly twice
dealt     | bet 2 - -                   | 8.5     | cents: missing
dealt     | bet 3 - 1000                | 8.5     | there is no ante
dealt     | fold 3 - -                  | 8.3     | there is no ante
dealt     | find_bet 2 - 1500           | 14.11   | has no bet
dealt     | correct_bet 2 - 2000        | 14.11.1 | no bet to correct
dealt     | fold_bet 2 - -              | 14.11.2 | no bet to correct
dealt     | discard_hand 3 - -          | 14.1    | it is a misdeal
dealt     | discard_hand 2 - -          | 14.10   | there is an ante
dealt     | discard_hand 10 - -         | 14.10   | seats are numbered 1 to 9
dealt     | expose_dealer - - - 3c      | 14.7    | no card still unseen
dealt     | direct_first 10 - -         | 14.13.1 | seats are numbered 1 to 9
first     | bet 4 - 1000                | 14.13.1 | seat 2 was directed to play first
first     | fold 4 - -                  | 14.13.1 | seat 2 was directed to play first
first     | direct_first 2 - -          | 14.13.1 | directed so already
folded    | bet 4 - 1000                | 8.4     | has decided
folded    | fold 4 - -                  | 8.4     | has decided
folded    | direct_first 4 - -          | 14.13.1 | has decided
folded    | misdeal - - -               | 14.1    | a player has handled cards
void      | bet 2 - 2000                | 8.5     | no hand any more
void      | void_hand 2 - -             | 14.8    | no hand any more
decided   | bet 2 - 2000                | 8.5     | not while the table is at
decided   | find_bet 2 - 2000           | 5.6     | exactly twice
decided   | turn_dealer - - - As Kd 9h 7c       | 14.2 | 4 where the dealer's hand is 5
decided   | turn_dealer - - - As Kd 9h 7c As    | 3.1  | As: no card still unseen
decided   | turn_dealer - - - As Kd 9h 7c 3d    | 8.6  | one that lies face up
wrong     | turn_dealer - - - As Kd 9h 7c 3c    | 14.11| the bet of seat 2 is corrected first
wrong     | correct_bet 2 - 1500        | 5.6     | not exactly twice
turned    | concede 4 - -               | 9.7     | no hand to concede
turned    | pay_ante 2 - -              | 9.4     | compared with each player's
turned    | compare 4 - - 2s 2d 4h 6c 8c| 9.4.1   | no hand left to settle
turned    | compare 2 - - 2s 2d 4h 6c   | 14.8    | 4 where a hand is 5
turned    | compare 2 - - As 2d 4h 6c 8c| 3.1     | As: no card still unseen
turned    | compare 2 - - 2s 2s 4h 6c 8c| 3.1     | 2s: no card still unseen
turned    | reveal 2 - - 2s 2d 4h 6c 8c | 9.10    | no folded hand
turned    | find_bet 2 - -              | 14.12   | cents: missing
no_hand   | compare 2 - - 2s 2d 4h 6c 8c| 9.2     | the dealer has no hand
no_hand   | pay_ante 2 - -              | 11.4    | whatever the dealer holds
conceded  | concede 2 - -               | 9.8     | has conceded
conceded  | compare 2 - - 2s 2d 4h 6c 8c| 9.8     | no hand left to settle
settled   | void_hand 2 - -             | 14.8    | seen and settled
settled   | reveal 2 - - 2s 2d 4h 6c 8c | 9.10    | no folded hand
settled   | pay_jackpot 4 - -           | 11.4    | no prize
settled   | seal_hand 2 - -             | 9.5     | stay on the table
settled   | collect_cards - - -         | 9.5     | not paid out
paid      | pay_jackpot 2 - -           | 11.4    | no prize
paid      | find_invalid 2 - -          | 14.20.2 | found so already
"""


@pytest.mark.parametrize("line", NOT_ON_THE_FELT.strip().splitlines())
def test_what_the_felt_does_not_allow_is_refused_with_its_rule(line: str) -> None:
    """A move that has its place but cannot be made at that seat, amount or card is refused, and changes nothing."""
    refuses(PLAY, "CSP", line, staged)
