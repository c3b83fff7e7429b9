"""Under which rule a table voids a round or a hand: one that voids so much, as the office's (CSP 14, 15, 16)."""

import pytest

from jackpot.wire.codec import decode_from_table
from jackpot.wire.messages import Void
from rules.irregularities.voiding import VOID_RULES
from tablelink.core.dealing import NotNowError, step, step_now
from tablelink.core.inputs import Voided
from tests.support.dealing_words import FULL, lines, outcome, through, words
from tests.support.tables import granted

DEALT = ("bets 1:1000+100 3:500 5:1000+100", "green 1 5", "deal")
WHOLE = "the whole round is void under CSP 14.1, CSP 14.2, CSP 14.3, CSP 14.4, CSP 14.9, CSP 15.2, CSP 16.5"
SEATS = "seats named are void under CSP 14.8, CSP 14.20, CSP 16.4, CSP 16.5, CSP 16.15"
VOIDS = f"""
    void rule=14.1       -> PlaceWagers says 1/void/1
    void rule=14.2       -> PlaceWagers says 1/void/1
    void rule=14.3       -> PlaceWagers says 1/void/1
    void rule=14.4       -> PlaceWagers says 1/void/1
    void rule=14.8       -> CSP 14.8 voids seats named; {WHOLE}
    void rule=14.9       -> PlaceWagers says 1/void/1
    void rule=14.20      -> CSP 14.20 voids seats named; {WHOLE}
    void rule=15.2       -> PlaceWagers says 1/void/1
    void rule=16.4       -> CSP 16.4 voids seats named; {WHOLE}
    void rule=16.5       -> PlaceWagers says 1/void/1
    void rule=16.15      -> CSP 16.15 voids seats named; {WHOLE}

    void 3 rule=14.1     -> CSP 14.1 voids the whole round; {SEATS}
    void 3 rule=14.2     -> CSP 14.2 voids the whole round; {SEATS}
    void 3 rule=14.3     -> CSP 14.3 voids the whole round; {SEATS}
    void 3 rule=14.4     -> CSP 14.4 voids the whole round; {SEATS}
    void 3 rule=14.8     -> Decide1 says 1/void.3/1 1=accepted 5=accepted
    void 3 rule=14.9     -> CSP 14.9 voids the whole round; {SEATS}
    void 1 5 rule=14.20  -> Decide3 says 1/void.1.5/1
    void 3 rule=15.2     -> CSP 15.2 voids the whole round; {SEATS}
    void 3 rule=16.4     -> Decide1 says 1/void.3/1 1=accepted 5=accepted
    void 3 rule=16.5     -> Decide1 says 1/void.3/1 1=accepted 5=accepted
    void 3 rule=16.15    -> Decide1 says 1/void.3/1 1=accepted 5=accepted

    void rule=17.1       -> CSP 17.1 voids nothing; {WHOLE}
    void 3 rule=17.1     -> CSP 17.1 voids nothing; {SEATS}
    void rule=14.5       -> CSP 14.5 voids nothing; {WHOLE}
    void rule=14.15      -> CSP 14.15 voids nothing; {WHOLE}
    void rule=15.1       -> CSP 15.1 voids nothing; {WHOLE}
    void rule=hello      -> CSP hello voids nothing; {WHOLE}
    void rule=16.6       -> CSP 16.6 voids the whole round by two people at the server, who forfeit a wager; {WHOLE}
"""
"""A void of a round whose cards are dealt: what comes of it, or why it is not taken."""


@pytest.mark.parametrize(("given_", "expected"), [line for line in lines(VOIDS) if line[0]])
def test_a_void_names_a_rule_that_voids_so_much(given_: str, expected: str) -> None:
    """Else it is not taken, nothing has changed, and the words name that rule and those that are possible."""
    before, _ = through(*DEALT)
    try:
        after, posts = step_now(before, words(given_, before), FULL)
    except NotNowError as error:
        found = str(error)
        assert before == through(*DEALT)[0]
    else:
        found = outcome(after, posts, FULL)
    assert found == expected


def test_every_rule_of_the_office_is_tried_at_a_table() -> None:
    """The one list, each rule for the whole round and for seats: a rule that is new there is in this table."""
    tried = [(word.split()[-1].removeprefix("rule="), word.count(" ") > 1) for word, _ in lines(VOIDS) if word]
    wanted = {(rule.removeprefix("CSP "), seats) for rule in VOID_RULES for seats in (False, True)}
    assert wanted <= set(tried)


def test_a_hand_alone_at_its_table_is_void_under_a_hands_rule() -> None:
    """With no seat left the whole round is void, and the rule is the hand's as it was named (14.8)."""
    _dealing, posts = through("bets 5:1000+100", "green 5", "deal", "void 5 rule=14.8")
    message = decode_from_table(posts[-1].body)
    assert isinstance(message, Void)
    assert (message.seats, message.rule) == ([], "CSP 14.8")


def test_words_before_the_rule_are_said_first() -> None:
    """Where no round is under way, or no rule is named at all, that is what is wrong."""
    with pytest.raises(NotNowError, match="no round is under way"):
        step_now(granted(), Voided("CSP 17.1", "Sue"), FULL)
    with pytest.raises(NotNowError, match="names its rule"):
        step_now(through(*DEALT)[0], Voided("", "Sue"), FULL)


def test_a_long_rule_is_cut() -> None:
    """What was typed is said back, forty characters of it."""
    with pytest.raises(NotNowError, match=f"^{'x' * 40} voids nothing; "):
        step_now(through(*DEALT)[0], Voided("x" * 41, "Sue"), FULL)


def test_what_an_earlier_program_took_is_taken_from_its_spool() -> None:
    """A void that is in a spool has happened: a table that stands by it is rebuilt, whatever its rule."""
    after, posts = step(through(*DEALT)[0], Voided("hello", "Sue"), FULL)
    assert outcome(after, posts, FULL) == "PlaceWagers says 1/void/1"
