"""A Casino War table's states and moves: every pair of them, in a table."""

import pytest

from rules.games.casino_war import PLAY, Felt
from rules.play import Position
from tests.support.moves import MoveTable, rows_of

# From cards checked to cards collected: state, move, rule, the next state and, after a slash, the one at the last.
TABLE = """
cards_new       | check_cards        | 3.3     | cards_checked
cards_new       | play_on            | 4.1     | wagers_open
cards_checked   | shuffle            | 4.1     | cards_shuffled
cards_checked   | load               | 4.7     | cards_loaded
cards_checked   | riffle             | 4.2     | cards_checked
cards_checked   | forget_shuffle     | 11.11   | wagers_open
cards_shuffled  | riffle             | 4.2     | cards_shuffled
cards_shuffled  | refuse_cut         | 4.4     | cards_shuffled
cards_shuffled  | cut                | 4.5     | cards_loaded
cards_shuffled  | forget_cut         | 11.9    | cards_loaded
cards_shuffled  | load               | 4.8     | cards_loaded
cards_loaded    | burn               | 4.9     | wagers_open
cards_loaded    | forget_burn        | 11.10   | wagers_open
wagers_open     | place              | 5.3     | wagers_open
wagers_open     | take_back          | 5.4     | wagers_open
wagers_open     | find_invalid       | 1.1     | wagers_open
wagers_open     | cutting_card       | 4.1.2   | cards_checked
wagers_open     | burn_empty         | 11.5    | wagers_open
wagers_open     | no_more_bets       | 7.1     | no_more_bets
wagers_open     | deal               | 7.1     | dealing
no_more_bets    | find_invalid       | 1.1     | wagers_open
no_more_bets    | cutting_card       | 4.1.2   | cards_checked
no_more_bets    | deal               | 7.1     | dealing
dealing         | deal               | 7.1     | dealing / interim
interim         | settle_tie         | 8.1     | interim
interim         | settle_hand        | 8.2     | interim / interim_settled
interim         | war                | 9.1     | interim / interim_settled
interim         | surrender          | 8.2.4.1 | interim / interim_settled
interim         | absent             | 11.8    | interim / interim_settled
interim_settled | deal               | 9.2     | second_deal
interim_settled | collect_cards      | 10.4    | cards_collected
second_deal     | deal               | 9.2     | second_deal / war_dealt
war_dealt       | settle_war         | 10      | war_dealt / hands_settled
hands_settled   | collect_cards      | 10.4    | cards_collected
round_void      | collect_cards      | 10.4    | cards_collected
cards_collected | reconstruct        | 11.6    | dealing
cards_collected | not_reconstructed  | 11.6    | cards_collected
cards_collected | direct_check       | 11.1.1  | cards_collected
cards_collected | direct_shuffle     | 4.1.4   | cards_collected
cards_collected | replace_cards      | 3.5     | cards_collected
"""

# What may go wrong in each of these states; "same" leads back to the state, and after a slash, from those that have
# one, to the state at the last. After a semicolon, the states of a move that has not its place in all of them.
LAST_OF = {
    "dealing": "interim_settled",
    "interim": "interim_settled",
    "interim_settled": None,
    "second_deal": "hands_settled",
    "war_dealt": "hands_settled",
    "hands_settled": None,
}
IRREGULAR = """
reconstruct       | 11.6    | dealing
not_reconstructed | 11.6    | round_void
too_many_cards    | 11.15   | round_void
void_round        | 11.17.2 | round_void
device_failed     | 12.4    | round_void
invalidate        | 13.4    | round_void
withdraw          | 12.5.1  | same / last
void_wagers       | 13.3.1  | same / last
transfer          | 12.2    | same
replace_damaged   | 12.3    | same
shoe_instead      | 12.5    | same
find_invalid      | 1.1     | same
cut               | 4.5     | same
refuse_cut        | 4.4     | same
forget_cut        | 11.9    | same
device_fails      | 12.1.2  | same
find_disadvantage | 12.1.3  | same
find_no_other     | 12.1.4  | same
find_impracticable | 12.1.5 | same
find_damage       | 12.3    | same
extra_card        | 11.3    | same / round_void ; interim interim_settled war_dealt hands_settled
burn_faced        | 11.1    | same ; dealing interim_settled second_deal
deal_misplaced    | 11.2    | same ; dealing interim_settled second_deal
reshuffle_discards | 11.7   | same ; dealing interim_settled second_deal
cutting_card      | 4.1.3   | same ; dealing interim_settled second_deal
return_discards   | 7.2     | same ; interim interim_settled
forget_discards   | 11.14   | same ; interim interim_settled
"""

# The rule that refuses a move wherever the tables above have none for it; after a semicolon, where another rule does.
REFUSED = """
check_cards        | 3.3
play_on            | 4.1
shuffle            | 4.1
load               | 4.7
riffle             | 4.2
refuse_cut         | 4.4
cut                | 4.3
forget_shuffle     | 11.11
cutting_card       | 4.1.3
forget_cut         | 11.9
burn               | 4.9
forget_burn        | 11.10
place              | 5.3  ; no_more_bets: 7.1 ; dealing interim interim_settled second_deal war_dealt hands_settled round_void cards_collected: 5.4
take_back          | 5.4  ; no_more_bets: 7.1
burn_empty         | 11.5
no_more_bets       | 7.1
deal               | 7.1
settle_tie         | 8.1
settle_hand        | 8.2
war                | 9.1
surrender          | 8.2.4
absent             | 11.8
settle_war         | 10
collect_cards      | 10.4
reconstruct        | 11.6
not_reconstructed  | 11.6
too_many_cards     | 11.15
extra_card         | 11.13
burn_faced         | 11.1
deal_misplaced     | 11.2
reshuffle_discards | 11.7
return_discards    | 7.2
forget_discards    | 11.14
direct_check       | 11.1.1
direct_shuffle     | 4.1.4
replace_cards      | 3.5
find_invalid       | 1.1
device_fails       | 12.1.2
find_disadvantage  | 12.1.3
find_no_other      | 12.1.4
find_impracticable | 12.1.5
find_damage        | 12.3
void_round         | 11.17
transfer           | 12.1
replace_damaged    | 12.1
device_failed      | 12.4
shoe_instead       | 12.5
withdraw           | 12.5.1
void_wagers        | 13.3.1
invalidate         | 13.4
"""  # noqa: E501 - a line a move


def rows() -> list[list[str]]:
    """Every row: state, move, rule, where it leads."""
    found = rows_of(TABLE)
    for line in IRREGULAR.strip().splitlines():
        move, rule, leads_to = (part.strip() for part in line.split("|"))
        ends, _, only = leads_to.partition(" ; ")
        for state, last in LAST_OF.items():
            if not only or state in only.split():
                to = ends.replace("same", state).replace("last", last or "")
                found.append([state, move, rule, to.removesuffix(" / ")])
    return found


MOVES = MoveTable("WAR", rows(), REFUSED)


def test_the_table_of_moves() -> None:
    """From cards checked to cards collected each move leads where the table says, by its rule."""
    MOVES.has(PLAY)


@pytest.mark.parametrize("state", MOVES.states)
def test_every_other_pair_is_refused_with_its_rule(state: str) -> None:
    """A move that the table does not have in a state is refused, by the rule that says when it has its place."""
    MOVES.has_no_other(PLAY, Position(state, Felt("shoe")))
