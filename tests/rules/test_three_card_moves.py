"""A Three Card Poker table's states and moves: every pair of them, in a table."""

import pytest

from rules.games.three_card_poker import PLAY, Felt
from rules.play import Position
from tests.support.moves import MoveTable, rows_of

# From cards checked to cards collected: state, move, rule, the next state and, after a slash, the one at the last.
TABLE = """
cards_new      | check_cards     | 3.4     | cards_checked
cards_checked  | shuffle         | 4.1     | cards_shuffled
cards_checked  | load            | 4.4     | wagers_open
cards_shuffled | cut             | 4.2     | wagers_open
cards_shuffled | load            | 4.5     | wagers_open
wagers_open    | place           | 5.3     | wagers_open
wagers_open    | take_back       | 5.5     | wagers_open
wagers_open    | no_more_bets    | 7.2     | no_more_bets
wagers_open    | reshuffle       | 13.1    | wagers_open
wagers_open    | refuse_wager    | 14.12   | wagers_open
wagers_open    | find_invalid    | 12.16.1 | wagers_open
wagers_open    | deal            | 7.2     | dealing
no_more_bets   | reshuffle       | 13.1    | no_more_bets
no_more_bets   | refuse_wager    | 14.12   | wagers_open
no_more_bets   | find_invalid    | 12.16.1 | wagers_open
no_more_bets   | deal            | 7.2     | dealing
dealing        | deal            | 7.3     | dealing / cards_dealt
dealing        | expose          | 12.5    | dealing / round_void
dealing        | expose_dealer   | 12.6    | dealing / round_void
cards_dealt    | play            | 8.5     | cards_dealt / hands_decided
cards_dealt    | fold            | 8.3     | cards_dealt / hands_decided
cards_dealt    | short           | 12.10   | cards_dealt / hands_decided
cards_dealt    | absent          | 12.12   | cards_dealt / hands_decided
dealing        | misdeal         | 12.1    | round_void
cards_dealt    | misdeal         | 12.1    | round_void
dealing        | misdealt_dealer | 12.2    | round_void
cards_dealt    | misdealt_dealer | 12.2    | round_void
hands_decided  | misdealt_dealer | 12.2    | round_void
wagers_open    | direct_first    | 12.11.1 | wagers_open
no_more_bets   | direct_first    | 12.11.1 | no_more_bets
dealing        | direct_first    | 12.11.1 | dealing
cards_dealt    | direct_first    | 12.11.1 | cards_dealt
cards_dealt    | expose_dealer   | 12.6    | cards_dealt
hands_decided  | turn_dealer     | 8.6     | dealer_turned / hands_settled
dealer_turned  | concede         | 9.5     | dealer_turned / hands_settled
dealer_turned  | settle_hand     | 9.8     | dealer_turned / hands_settled
hands_settled  | collect_cards   | 9.4.2   | cards_collected
dealing        | void_round      | 12.9.2  | round_void
dealing        | device_failed   | 13.2.1  | round_void
dealing        | invalidate      | 14.5    | round_void
dealing        | void_wagers     | 14.4.1  | dealing
dealing        | find_invalid    | 12.16.2 | dealing
cards_dealt    | void_round      | 12.9.2  | round_void
cards_dealt    | device_failed   | 13.2.1  | round_void
cards_dealt    | invalidate      | 14.5    | round_void
cards_dealt    | void_wagers     | 14.4.1  | cards_dealt / hands_decided
cards_dealt    | find_invalid    | 12.16.2 | cards_dealt / hands_decided
cards_dealt    | void_hand       | 12.7    | cards_dealt / hands_decided
cards_dealt    | discard_hand    | 12.8    | cards_dealt
hands_decided  | void_round      | 12.9.2  | round_void
hands_decided  | device_failed   | 13.2.1  | round_void
hands_decided  | invalidate      | 14.5    | round_void
hands_decided  | void_wagers     | 14.4.1  | hands_decided
hands_decided  | find_invalid    | 12.16.2 | hands_decided
hands_decided  | void_hand       | 12.7    | hands_decided
hands_decided  | discard_hand    | 12.8    | hands_decided
dealer_turned  | void_round      | 12.9.2  | round_void
dealer_turned  | device_failed   | 13.2.1  | round_void
dealer_turned  | invalidate      | 14.5    | round_void
dealer_turned  | void_wagers     | 14.4.1  | dealer_turned / hands_settled
dealer_turned  | find_invalid    | 12.16.2 | dealer_turned / hands_settled
dealer_turned  | void_hand       | 12.7    | dealer_turned / hands_settled
dealer_turned  | discard_hand    | 12.8    | dealer_turned
hands_settled  | void_round      | 12.9.2  | round_void
hands_settled  | device_failed   | 13.2.1  | round_void
hands_settled  | invalidate      | 14.5    | round_void
hands_settled  | void_wagers     | 14.4.1  | hands_settled
hands_settled  | find_invalid    | 12.16.2 | hands_settled
hands_settled  | void_hand       | 12.7    | hands_settled
wagers_open    | direct_english  | 12.11.3 | wagers_open
wagers_open    | direct_apart    | 12.11.2 | wagers_open
wagers_open    | exclude         | 14.4.2  | wagers_open
no_more_bets   | direct_english  | 12.11.3 | no_more_bets
no_more_bets   | direct_apart    | 12.11.2 | wagers_open
no_more_bets   | exclude         | 14.4.2  | wagers_open
dealing        | direct_english  | 12.11.3 | dealing
dealing        | direct_apart    | 12.11.2 | dealing
dealing        | exclude         | 14.4.2  | dealing
cards_dealt    | direct_english  | 12.11.3 | cards_dealt
cards_dealt    | direct_apart    | 12.11.2 | cards_dealt
cards_dealt    | exclude         | 14.4.2  | cards_dealt
hands_decided  | direct_english  | 12.11.3 | hands_decided
hands_decided  | direct_apart    | 12.11.2 | hands_decided
hands_decided  | exclude         | 14.4.2  | hands_decided
dealer_turned  | direct_english  | 12.11.3 | dealer_turned
dealer_turned  | direct_apart    | 12.11.2 | dealer_turned
dealer_turned  | exclude         | 14.4.2  | dealer_turned
hands_settled  | direct_english  | 12.11.3 | hands_settled
hands_settled  | direct_apart    | 12.11.2 | hands_settled
hands_settled  | exclude         | 14.4.2  | hands_settled
round_void     | collect_cards   | 12.4    | cards_collected
"""

# The rule that refuses a move wherever the table above has none for it; after a semicolon, where another rule does.
REFUSED = """
check_cards     | 3.4
shuffle         | 4.1
load            | 4.4
cut             | 4.2
reshuffle       | 13.1
place           | 5.3 ; no_more_bets: 7.2 ; BEGUN: 5.5
take_back       | 5.5 ; no_more_bets: 7.2 ; BEGUN: 5.5
refuse_wager    | 14.12
no_more_bets    | 7.2
deal            | 7.2
expose          | 12.5
expose_dealer   | 12.6
play            | 8.5
fold            | 8.1
short           | 12.10
absent          | 12.12
turn_dealer     | 8.6
concede         | 9.5
settle_hand     | 9.8
collect_cards   | 9.4.2
misdeal         | 12.1
misdealt_dealer | 12.2
void_hand       | 12.7
void_wagers     | 14.4.1
void_round      | 12.9 ; cards_collected: 12.9.1
discard_hand    | 12.8
find_invalid    | 12.16 ; cards_collected: 12.16.3
device_failed   | 13.2 ; cards_collected: 13.2.2
invalidate      | 14.5
direct_first    | 12.11.1
direct_apart    | 12.11.2
direct_english  | 12.11.3
exclude         | 14.4.2
"""

BEGUN = "dealing cards_dealt hands_decided dealer_turned hands_settled round_void cards_collected"

MOVES = MoveTable("TCP", rows_of(TABLE), REFUSED, BEGUN)


def test_the_table_of_moves() -> None:
    """From cards checked to cards collected each move leads where the table says, by its rule."""
    MOVES.has(PLAY)


@pytest.mark.parametrize("state", MOVES.states)
def test_every_other_pair_is_refused_with_its_rule(state: str) -> None:
    """A move that the table does not have in a state is refused, by the rule that says when it has its place."""
    MOVES.has_no_other(PLAY, Position(state, Felt("shoe")))
