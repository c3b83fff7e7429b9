"""A Caribbean Stud table's states and moves: every pair of them, in a table."""

import pytest

from rules.games.caribbean_stud import PLAY, Felt
from rules.play import Position
from tests.support.moves import MoveTable, rows_of

# From cards checked to cards collected: state, move, rule, the next state and, after a slash, the one at the last.
TABLE = """
cards_new      | check_cards     | 3.4      | cards_checked
cards_checked  | shuffle         | 4.1      | cards_shuffled
cards_checked  | load            | 4.4      | wagers_open
cards_shuffled | cut             | 4.2      | wagers_open
cards_shuffled | load            | 4.5      | wagers_open
wagers_open    | reshuffle       | 15.1     | wagers_open
wagers_open    | place           | 5.3      | wagers_open
wagers_open    | take_back       | 5.7      | wagers_open
wagers_open    | refuse_wager    | 16.12    | wagers_open
wagers_open    | find_invalid    | 14.20.1  | wagers_open
wagers_open    | take_jackpot    | 11.2     | wagers_open
wagers_open    | return_jackpot  | 5.4      | wagers_open
wagers_open    | reopen_jackpot  | 2.3      | wagers_open
wagers_open    | direct_first    | 14.13.1  | wagers_open
wagers_open    | no_more_bets    | 7.2      | no_more_bets
wagers_open    | deal            | 7.2      | dealing
no_more_bets   | reshuffle       | 15.1     | no_more_bets
no_more_bets   | refuse_wager    | 16.12    | wagers_open
no_more_bets   | find_invalid    | 14.20.1  | wagers_open
no_more_bets   | take_jackpot    | 11.2     | no_more_bets
no_more_bets   | return_jackpot  | 5.4      | no_more_bets
no_more_bets   | direct_first    | 14.13.1  | no_more_bets
no_more_bets   | deal            | 7.2      | dealing
dealing        | deal            | 7.3      | dealing / cards_dealt
dealing        | expose          | 14.5     | dealing / round_void
dealing        | expose_dealer   | 14.6     | dealing / round_void
dealing        | misdeal         | 14.1     | round_void
dealing        | misdealt_dealer | 14.2     | round_void
dealing        | direct_first    | 14.13.1  | dealing
cards_dealt    | bet             | 8.5      | cards_dealt / hands_decided
cards_dealt    | fold            | 8.3      | cards_dealt / hands_decided
cards_dealt    | absent          | 14.14    | cards_dealt / hands_decided
cards_dealt    | find_bet        | 14.11    | cards_dealt
cards_dealt    | correct_bet     | 14.11.1  | cards_dealt
cards_dealt    | fold_bet        | 14.11.2  | cards_dealt
cards_dealt    | expose_dealer   | 14.7     | cards_dealt
cards_dealt    | discard_hand    | 14.10    | cards_dealt
cards_dealt    | misdeal         | 14.1     | round_void
cards_dealt    | misdealt_dealer | 14.2     | round_void
cards_dealt    | direct_first    | 14.13.1  | cards_dealt
hands_decided  | find_bet        | 14.11    | hands_decided
hands_decided  | correct_bet     | 14.11.1  | hands_decided
hands_decided  | fold_bet        | 14.11.2  | hands_decided
hands_decided  | discard_hand    | 14.10    | hands_decided
hands_decided  | misdealt_dealer | 14.2     | round_void
hands_decided  | turn_dealer     | 8.6      | dealer_turned / hands_settled
dealer_turned  | find_bet        | 14.12    | dealer_turned
dealer_turned  | concede         | 9.7      | dealer_turned / hands_settled
dealer_turned  | compare         | 9.4.1    | dealer_turned / hands_settled
dealer_turned  | pay_ante        | 9.3.1    | dealer_turned / hands_settled
dealer_turned  | reveal          | 9.10     | dealer_turned / hands_settled
dealer_turned  | discard_hand    | 14.10    | dealer_turned
hands_settled  | reveal          | 9.10     | hands_settled
hands_settled  | pay_jackpot     | 12.2     | hands_settled
hands_settled  | seal_hand       | 9.5      | hands_settled
hands_settled  | collect_cards   | 9.4.2    | cards_collected
dealing        | void_round      | 14.9.2   | round_void
dealing        | device_failed   | 15.2.1   | round_void
dealing        | invalidate      | 16.5     | round_void
dealing        | void_wagers     | 16.4.1   | dealing
dealing        | find_invalid    | 14.20.2  | dealing
cards_dealt    | void_round      | 14.9.2   | round_void
cards_dealt    | device_failed   | 15.2.1   | round_void
cards_dealt    | invalidate      | 16.5     | round_void
cards_dealt    | void_wagers     | 16.4.1   | cards_dealt / hands_decided
cards_dealt    | find_invalid    | 14.20.2  | cards_dealt / hands_decided
cards_dealt    | void_hand       | 14.8     | cards_dealt / hands_decided
hands_decided  | void_round      | 14.9.2   | round_void
hands_decided  | device_failed   | 15.2.1   | round_void
hands_decided  | invalidate      | 16.5     | round_void
hands_decided  | void_wagers     | 16.4.1   | hands_decided
hands_decided  | find_invalid    | 14.20.2  | hands_decided
hands_decided  | void_hand       | 14.8     | hands_decided
dealer_turned  | void_round      | 14.9.2   | round_void
dealer_turned  | device_failed   | 15.2.1   | round_void
dealer_turned  | invalidate      | 16.5     | round_void
dealer_turned  | void_wagers     | 16.4.1   | dealer_turned / hands_settled
dealer_turned  | find_invalid    | 14.20.2  | dealer_turned / hands_settled
dealer_turned  | void_hand       | 14.8     | dealer_turned / hands_settled
hands_settled  | void_round      | 14.9.2   | round_void
hands_settled  | device_failed   | 15.2.1   | round_void
hands_settled  | invalidate      | 16.5     | round_void
hands_settled  | void_wagers     | 16.4.1   | hands_settled
hands_settled  | find_invalid    | 14.20.2  | hands_settled
hands_settled  | void_hand       | 14.8     | hands_settled
wagers_open    | direct_english  | 14.13.3  | wagers_open
wagers_open    | direct_apart    | 14.13.2  | wagers_open
wagers_open    | exclude         | 16.4.2   | wagers_open
wagers_open    | link_down       | 14.15    | wagers_open
wagers_open    | play_without    | 14.15    | wagers_open
no_more_bets   | direct_english  | 14.13.3  | no_more_bets
no_more_bets   | direct_apart    | 14.13.2  | wagers_open
no_more_bets   | exclude         | 16.4.2   | wagers_open
no_more_bets   | link_down       | 14.15    | no_more_bets
no_more_bets   | play_without    | 14.15    | no_more_bets
dealing        | direct_english  | 14.13.3  | dealing
dealing        | direct_apart    | 14.13.2  | dealing
dealing        | exclude         | 16.4.2   | dealing
dealing        | link_down       | 14.15    | dealing
dealing        | play_without    | 14.15    | dealing
cards_dealt    | direct_english  | 14.13.3  | cards_dealt
cards_dealt    | direct_apart    | 14.13.2  | cards_dealt
cards_dealt    | exclude         | 16.4.2   | cards_dealt
cards_dealt    | link_down       | 14.15    | cards_dealt
cards_dealt    | play_without    | 14.15    | cards_dealt
hands_decided  | direct_english  | 14.13.3  | hands_decided
hands_decided  | direct_apart    | 14.13.2  | hands_decided
hands_decided  | exclude         | 16.4.2   | hands_decided
hands_decided  | link_down       | 14.15    | hands_decided
hands_decided  | play_without    | 14.15    | hands_decided
dealer_turned  | direct_english  | 14.13.3  | dealer_turned
dealer_turned  | direct_apart    | 14.13.2  | dealer_turned
dealer_turned  | exclude         | 16.4.2   | dealer_turned
dealer_turned  | link_down       | 14.15    | dealer_turned
dealer_turned  | play_without    | 14.15    | dealer_turned
hands_settled  | direct_english  | 14.13.3  | hands_settled
hands_settled  | direct_apart    | 14.13.2  | hands_settled
hands_settled  | exclude         | 16.4.2   | hands_settled
hands_settled  | link_down       | 14.15    | hands_settled
hands_settled  | play_without    | 14.15    | hands_settled
round_void     | collect_cards   | 14.4     | cards_collected
"""

# The rule that refuses a move wherever the table above has none for it; after a semicolon, where another rule does.
REFUSED = """
check_cards     | 3.4
shuffle         | 4.1
load            | 4.4
cut             | 4.2
reshuffle       | 15.1
place           | 5.3  ; no_more_bets: 7.2 ; BEGUN: 5.7
take_back       | 5.7  ; no_more_bets: 7.2
refuse_wager    | 16.12
take_jackpot    | 11.2 ; BEGUN: 5.7
return_jackpot  | 5.4  ; BEGUN: 5.7
reopen_jackpot  | 2.3
no_more_bets    | 7.2
deal            | 7.2
expose          | 14.5
expose_dealer   | 14.7
bet             | 8.5
fold            | 8.1
absent          | 14.14
find_bet        | 14.12
correct_bet     | 14.11
fold_bet        | 14.11
turn_dealer     | 8.6
concede         | 9.7
compare         | 9.4  ; hands_settled: 9.4.1
pay_ante        | 9.3
reveal          | 9.10
pay_jackpot     | 9.6
seal_hand       | 9.5
collect_cards   | 9.4.2
misdeal         | 14.1
misdealt_dealer | 14.2
void_hand       | 14.8
void_wagers     | 16.4.1
void_round      | 14.9
discard_hand    | 14.10
find_invalid    | 14.20
device_failed   | 15.2
invalidate      | 16.5
direct_first    | 14.13.1
direct_apart    | 14.13.2
direct_english  | 14.13.3
exclude         | 16.4.2
link_down       | 14.15
play_without    | 14.15
"""

BEGUN = "dealing cards_dealt hands_decided dealer_turned hands_settled round_void cards_collected"

MOVES = MoveTable("CSP", rows_of(TABLE), REFUSED, BEGUN)


def test_the_table_of_moves() -> None:
    """From cards checked to cards collected each move leads where the table says, by its rule."""
    MOVES.has(PLAY)


@pytest.mark.parametrize("state", MOVES.states)
def test_every_other_pair_is_refused_with_its_rule(state: str) -> None:
    """A move that the table does not have in a state is refused, by the rule that says when it has its place."""
    MOVES.has_no_other(PLAY, Position(state, Felt("shoe")))
