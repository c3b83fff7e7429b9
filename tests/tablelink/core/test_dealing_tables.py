"""A table's round, step by step, as text tables: what is put in, what the table then waits for, says and lights."""

import pytest

from tablelink.core.dealing import NotNowError, step_now
from tests.support.dealing_words import CLAIMS, FULL, lines, outcome, words
from tests.support.tables import granted

TABLES = {
    "a round with the jackpot, from the first wager to the next": (
        FULL,
        """
        bets 1:1000+100 3:500 5:2000+100  -> AwaitAnswer says 1/wagers/1 1=placed 5=placed
        green 1 5                         -> Deal 1=accepted 5=accepted
        deal                              -> Decide1 1=accepted 5=accepted
        bet 1 2000                        -> Decide3 1=accepted 5=accepted
        fold 3                            -> Decide5 1=accepted 5=accepted
        bet 5 4000                        -> TurnDealer 1=accepted 5=accepted
        dealer                            -> TurnHands 1=accepted 5=accepted
        concede 5                         -> TurnHands 1=accepted 5=accepted
        turned                            -> AwaitPayout says 1/record/1!
        hits T1/1/1/1/main                -> AwaitPayout
        recorded                          -> AwaitPayout
        hits                              -> PlaceWagers
        bets 3:500                        -> Deal
        """,
    ),
    "players without a coin: nothing is asked of the server before the record": (
        FULL,
        """
        bets 5:1000  -> Deal
        deal         -> Decide5
        absent 5     -> TurnDealer
        dealer       -> TurnHands
        turned       -> PlaceWagers says 1/record/1
        """,
    ),
    "a jackpot that is closed: base game plays on, coins go back": (
        FULL,
        """
        closed 1:1000+100  -> Deal
        deal               -> Decide1
        bet 1 2000         -> TurnDealer
        dealer             -> TurnHands
        turned             -> PlaceWagers says 1/record/1
        """,
    ),
    "no answer: the dealer goes on, and an answer that comes later lights nothing": (
        FULL,
        """
        bets 1:1000+100  -> AwaitAnswer says 1/wagers/1 1=placed
        go_on            -> Deal says 1/withdraw/1
        green 1          -> Deal
        deal             -> Decide1
        bet 1 2000       -> TurnDealer
        dealer           -> TurnHands
        turned           -> PlaceWagers says 1/record/1
        """,
    ),
    "an answer before the withdrawal decides: there is nothing to go on from": (
        FULL,
        """
        bets 1:1000+100  -> AwaitAnswer says 1/wagers/1 1=placed
        green 1          -> Deal 1=accepted
        go_on            -> NotNow
        """,
    ),
    "wagers refused as a whole: dark, and the round plays on": (
        FULL,
        """
        bets 1:1000+100  -> AwaitAnswer says 1/wagers/1 1=placed
        refused          -> Deal
        """,
    ),
    "one of two seats accepted": (
        FULL,
        """
        bets 1:1000+100 5:1000+100  -> AwaitAnswer says 1/wagers/1 1=placed 5=placed
        green 5                     -> Deal 5=accepted
        """,
    ),
    "a coin without an ante gets no cards, and no say": (
        FULL,
        """
        bets 1:0+100 3:500  -> AwaitAnswer says 1/wagers/1 1=placed
        green               -> Deal
        deal                -> Decide3
        bet 1 2000          -> NotNow
        fold 3              -> TurnDealer
        """,
    ),
    "the whole round void before an answer": (
        FULL,
        """
        bets 1:1000+100  -> AwaitAnswer says 1/wagers/1 1=placed
        void             -> PlaceWagers says 1/void/1
        bets 1:1000      -> Deal
        """,
    ),
    "one seat void after the deal (14.8); it decides nothing any more and wins nothing": (
        FULL,
        """
        bets 1:1000+100 5:1000+100  -> AwaitAnswer says 1/wagers/1 1=placed 5=placed
        green 1 5                   -> Deal 1=accepted 5=accepted
        void 1                      -> NotNow
        deal                        -> Decide1 1=accepted 5=accepted
        void 1                      -> Decide5 says 1/void.1/1 5=accepted
        void 1                      -> NotNow
        bet 1 2000                  -> NotNow
        bet 5 2000                  -> TurnDealer 5=accepted
        dealer                      -> TurnHands 5=accepted
        turned                      -> PlaceWagers says 1/void.1/2 says 1/record/1
        """,
    ),
    "every seat void: the round is": (
        FULL,
        """
        bets 1:1000+100  -> AwaitAnswer says 1/wagers/1 1=placed
        green 1          -> Deal 1=accepted
        deal             -> Decide1 1=accepted
        void 1           -> PlaceWagers says 1/void/1
        """,
    ),
    "the order of play is the rules' (5.7, 8.1, 9.1)": (
        FULL,
        """
        deal         -> NotNow
        fold 1       -> NotNow
        turned       -> NotNow
        void         -> NotNow
        bets         -> NotNow
        bets 1:0     -> NotNow
        bets 1:500 1:500 -> NotNow
        bets 1:1000  -> Deal
        bets 1:1000  -> NotNow
        dealer       -> NotNow
        fold 1       -> NotNow
        dealt        -> NotNow
        deal         -> Decide1
        deal         -> NotNow
        dealer       -> NotNow
        turned       -> NotNow
        concede 1    -> NotNow
        fold 3       -> NotNow
        fold 1       -> TurnDealer
        bet 1 2000   -> NotNow
        dealer       -> TurnHands
        dealer       -> NotNow
        concede 1    -> NotNow
        no_other     -> PlaceWagers says 1/record/1
        """,
    ),
    "claims: no decision is keyed; the winner's cards and somebody's word are": (
        CLAIMS,
        """
        bets 1:1000+100 5:1000  -> AwaitAnswer says 1/wagers/1 1=placed
        green 1                 -> Deal 1=accepted
        dealt                   -> TurnDealer 1=accepted
        dealer                  -> TurnHands 1=accepted
        turned                  -> NotNow
        claim 3                 -> NotNow
        claim 1                 -> AwaitPayout says 1/record/1!
        recorded                -> PlaceWagers
        """,
    ),
    "claims: no hand that wins": (
        CLAIMS,
        """
        bets 1:1000+100  -> AwaitAnswer says 1/wagers/1 1=placed
        green 1          -> Deal 1=accepted
        dealt            -> TurnDealer 1=accepted
        dealer           -> TurnHands 1=accepted
        no_other         -> PlaceWagers says 1/record/1
        """,
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_rounds(name: str) -> None:
    """Each input leads to the prompt, the messages and the lamps the table says; one out of turn changes nothing."""
    on, table = TABLES[name]
    dealing = granted()
    for given_, expected in lines(table):
        before = dealing
        try:
            dealing, posts = step_now(dealing, words(given_, dealing), on)
        except NotNowError:
            found = "NotNow"
            assert dealing == before
        else:
            found = outcome(dealing, posts, on)
        assert found == expected, given_
