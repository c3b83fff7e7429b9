"""What a table says of its rounds, and what it never says."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.wire.codec import decode_from_table
from jackpot.wire.messages import RoundNow, Void, Wagers, Withdraw
from rules.cards import DECK, parse_cards
from rules.records import RoundRecord, decode_record, to_round
from tablelink.core.dealing import Dealing, NotNowError, awaits_payout, forgotten, lamps, step
from tablelink.core.inputs import (
    Answered,
    Dealt,
    Granted,
    HandsTurned,
    MonthTurned,
    NoMoreBets,
    Placed,
    Post,
    Sealed,
)
from tests.support.dealing_words import (
    CLAIMS,
    DEALER,
    FLUSH,
    FULL,
    ROYAL,
    sealed,
    through,
    words,
)
from tests.support.tables import SHOWN, granted, green

WON = ("bets 1:1000+100 3:500", "green 1", "deal", "bet 1 2000", "fold 3", "dealer", "turned")


def test_no_round_before_a_journal() -> None:
    """A round is numbered within its journal: without one nothing is dealt (PROTOCOL 1)."""
    with pytest.raises(NotNowError, match="AwaitJournal"):
        step(Dealing(), NoMoreBets((Placed(1, 1000),)), FULL)


def test_a_round_keeps_the_month_it_was_numbered_in() -> None:
    """All ids of a round have one month, whatever month it is when it ends (PROTOCOL 1)."""
    dealing, posts = through("bets 1:1000+100", "green 1")
    dealing, _ = step(dealing, MonthTurned("2026-12"), FULL)
    _dealing, later = through("deal", "fold 1", "dealer", "turned", dealing=dealing)
    assert [post.id for post in posts + later] == ["T1/1/2026-11/1/wagers/1", "T1/1/2026-11/1/record/1"]
    _dealing, third = through("recorded", "hits", "bets 1:500+100", dealing=_dealing)
    assert third[0].id == "T1/1/2026-12/2/wagers/1"


def test_a_new_journal_begins_at_its_first_round() -> None:
    """The spool's disk is replaced: rounds begin at 1 again, and no old answer lights a seat (case 53)."""
    dealing, _ = step(Dealing(), Granted(2, "2026-11", 0), FULL)
    dealing, posts = step(dealing, words("bets 1:1000+100", dealing), FULL)
    assert posts[0].id == "T1/2/2026-11/1/wagers/1"
    after, _ = step(dealing, Answered("T1/1/2026-11/1/wagers/1", green(1)), FULL)
    assert after == dealing
    assert lamps(after) == {1: "placed"}


def test_the_same_journal_again_changes_the_month_only() -> None:
    """A reconnect in mid-round is no event at the table."""
    dealing, _ = through("bets 1:1000+100")
    after, _ = step(dealing, Granted(1, "2026-12", 1), FULL)
    assert after == replace(dealing, month="2026-12")


def test_wagers_say_what_dealer_and_sensor_saw() -> None:
    """Only seats with something on the jackpot's area are in the message, each with both counts (11.2)."""
    bets = NoMoreBets((Placed(4, 1000), Placed(2, 500, 100, 0), Placed(1, 0, 100, 100)), (), SHOWN)
    _dealing, posts = step(granted(), bets, FULL)
    message = decode_from_table(posts[0].body)
    assert isinstance(message, Wagers)
    assert [(s.seat, s.ante_cents, s.jackpot_cents, s.sensor_cents) for s in message.seats] == [
        (1, 0, 100, 100),
        (2, 500, 100, 0),
    ]
    assert (message.terms, message.shown) == (FULL.fingerprint, SHOWN)


def record_of(posts: list[Post]) -> RoundRecord:
    """The record among messages."""
    return next(decode_record(post.body, canonical=True) for post in posts if "/record/" in post.id)


def test_the_record_tells_the_round_whole() -> None:
    """Cards, decisions, the base game as settled, prizes by name, what it was settled under; never a jackpot amount."""
    _dealing, posts = through(*WON)
    record = record_of(posts)
    assert (record.dealer, record.capture, record.terms) == (DEALER, "full", FULL.fingerprint)
    assert [(s.seat, s.jackpot_cents, s.decision, s.bet_cents, s.cards) for s in record.seats] == [
        (1, 100, "bet", 2000, ROYAL),
        (3, None, "fold", None, FLUSH),
    ]
    assert [(c.seat, c.prize) for c in record.claims or ()] == [(1, "royal_flush")]
    assert {(line.seat, line.wager): line.paid_cents for line in record.settled or ()} == {
        (1, "ante"): 1000,
        (1, "bet"): 500_000,
        (3, "ante"): 0,
    }
    assert record.limits is not None
    assert record.settings is not None
    assert (record.schedules, record.rules_version) == (("csp_10_1",), 1)
    assert record.shown is not None
    assert to_round(record).seats[0].cards == parse_cards(ROYAL)


def test_a_withdrawn_round_is_recorded_without_the_jackpot() -> None:
    """The seats are out of the jackpot for good: no wager on the record, no prize, and no block (PROTOCOL 2)."""
    dealing, posts = through("bets 1:1000+100", "go_on", "green 1", "deal", "bet 1 2000", "dealer", "turned")
    assert isinstance(decode_from_table(posts[1].body), Withdraw)
    record = record_of(posts)
    assert record.seats[0].jackpot_cents is None
    assert record.claims is None
    assert not awaits_payout(dealing)


def test_a_void_of_the_round_tells_the_cards_seen() -> None:
    """A foreign card: all that the shoe read goes on file with the void (14.9)."""
    _dealing, posts = through("bets 1:1000+100", "green 1", "deal", "void")
    message = decode_from_table(posts[-1].body)
    assert isinstance(message, Void)
    assert message.cards_seen == f"dealer {DEALER}; seat 1 {ROYAL}"
    assert posts[-1].ends_round


def test_a_void_of_a_seat_breaks_no_seal() -> None:
    """The others still decide: the message about the void seat shows the dealer's face-up card alone (case 51)."""
    _dealing, posts = through("bets 1:1000+100 5:1000", "green 1", "deal", "void 5")
    message = decode_from_table(posts[-1].body)
    assert isinstance(message, Void)
    assert (message.seats, message.cards_seen) == ([5], "dealer 2d")
    assert not posts[-1].ends_round


def test_a_void_hand_is_told_once_nobody_decides() -> None:
    """Before the record goes what the void seat held, so that a void over a prize is an alarm at the server."""
    lines = ("bets 1:1000+100 5:1000+100", "green 1 5", "deal", "void 1", "fold 5", "dealer", "turned")
    _dealing, posts = through(*lines)
    first, second = (decode_from_table(post.body) for post in posts[-3:-1])
    assert isinstance(first, Void)
    assert isinstance(second, Void)
    assert (first.revision, first.cards_seen) == (1, "dealer 2d")
    assert (second.revision, second.seats) == (2, [1])
    assert second.cards_seen == f"dealer {DEALER}; seat 1 {ROYAL}"
    assert [post.id.split("/", 4)[4] for post in posts[-2:]] == ["void.1/2", "record/1"]
    assert [post.ends_round for post in posts[-2:]] == [False, True]


def test_a_void_after_the_last_decision_tells_the_hand_at_once() -> None:
    """The dealer's hand lies open: nothing of it is a secret any more. In its second word, which comes with the first.

    So once only, though others have voided the seat too; a hand that could have won nothing is in the first.
    """
    bets = ("bets 1:1000+100 3:500 5:1000", "green 1", "deal", "bet 1 2000", "fold 3", "fold 5", "dealer")
    _dealing, posts = through(*bets, "void 1 3", "turned")
    first, second = (decode_from_table(post.body) for post in posts[1:3])
    assert isinstance(first, Void)
    assert isinstance(second, Void)
    assert (first.revision, first.cards_seen) == (1, f"dealer {DEALER}; seat 3 {FLUSH}")
    assert (second.revision, second.seats, second.cards_seen) == (2, [1], f"dealer {DEALER}; seat 1 {ROYAL}")
    assert [post.id.split("/", 4)[4] for post in posts[3:]] == ["record/1"]


def test_a_void_seat_without_a_jackpot_wager_has_no_second_word() -> None:
    """It could have won nothing; where no device read the cards there is nothing to tell either."""
    lines = ("bets 1:1000+100 5:1000", "green 1", "deal", "void 5", "bet 1 2000", "dealer", "turned")
    _dealing, posts = through(*lines)
    assert [post.id.split("/", 4)[4] for post in posts[-2:]] == ["void.5/1", "record/1"]
    claimed = ("bets 1:1000+100 5:1000+100", "green 1 5", "dealt", "void 5", "dealer", "no_other")
    _dealing, posts = through(*claimed, on=CLAIMS)
    assert [post.id.split("/", 4)[4] for post in posts[-2:]] == ["void.5/1", "record/1"]


def test_a_void_seat_is_not_on_the_record() -> None:
    """Its wagers went back; the record tells of the hands that played."""
    _dealing, posts = through("bets 1:1000+100 5:1000", "green 1", "deal", "void 1", "fold 5", "dealer", "turned")
    assert [seat.seat for seat in record_of(posts).seats] == [5]


def test_the_tables_own_reading_blocks_the_next_round() -> None:
    """Without any answer, the winner's cards lie face up and no wager is taken (9.5)."""
    dealing, _ = through(*WON)
    with pytest.raises(NotNowError, match="AwaitPayout"):
        step(dealing, words("bets 1:1000", dealing), FULL)


def test_a_prize_that_only_the_server_saw_blocks_too() -> None:
    """The table read no winner, the server did: its open hit holds the table (9.5)."""
    dealing, _ = through("bets 5:1000+100", "green 5", "deal", "fold 5", "dealer", "turned")
    assert not awaits_payout(dealing)
    dealing, _ = step(dealing, words("hits T1/1/1/5/main", dealing), FULL)
    assert awaits_payout(dealing)


def test_every_hundredth_end_of_a_round_is_signed() -> None:
    """The head of the journal is signed every hundred rounds, and with each prize (PROTOCOL 1)."""
    dealing = replace(granted(), next_round=99)
    signed = {}
    for number in (99, 100, 101):
        dealing, posts = through("bets 5:1000", "deal", "fold 5", "dealer", "turned", dealing=dealing)
        signed[number] = posts[-1].sign
    dealing, posts = through("bets 5:1000", "void", dealing=replace(dealing, next_round=200))
    assert signed == {99: False, 100: True, 101: False}
    assert posts[-1].sign


def test_a_card_seen_twice_is_no_record() -> None:
    """A foreign card makes no settlement: the dealer is told that the round is void (14.9)."""
    dealing, _ = through("bets 1:1000 5:1000")
    dealing, _ = step(dealing, Dealt(sealed(DEALER, {1: ROYAL, 5: "As 4d 6c 7s 9d"})), FULL)
    dealing, _ = through("fold 1", "fold 5", "dealer", dealing=dealing)
    with pytest.raises(NotNowError, match=r"As.*14\.9"):
        step(dealing, HandsTurned(), FULL)


@pytest.mark.parametrize("cards", [0, 5, 9, 11, 15])
def test_a_wrong_number_of_cards_is_no_deal(cards: int) -> None:
    """Too few or too many cards are a misdeal, not a round (14.2, 14.8)."""
    dealing, _ = through("bets 1:1000")
    with pytest.raises(NotNowError, match=rf"read {cards} cards where 10"):
        step(dealing, Dealt(Sealed(DECK[:cards])), FULL)


def test_sealed_cards_are_never_printed() -> None:
    """What a log line or an error may print of a table holds no card that was not turned (case 51)."""
    dealing, _ = through("bets 1:1000+100", "green 1", "deal")
    told = repr(dealing) + repr(words("deal", dealing))
    assert "sealed" in told
    assert not re.search(r"\b(51|47|43)\b", told)


@given(st.lists(st.sampled_from(["green 1", "go_on", "deal", "bet 1 2000", "fold 1", "dealer", "turned", "void"])))
def test_whatever_comes_in_whatever_order(given_: list[str]) -> None:
    """At most one end of a round and one withdrawal, wagers first, green only by an answer before a withdrawal."""
    dealing, posts = through("bets 1:1000+100")
    answered_first = None
    for line in given_:
        if dealing.round is None:
            break
        try:
            dealing, more = step(dealing, words(line, dealing), FULL)
        except NotNowError:
            continue
        posts += more
        if answered_first is None and line in {"green 1", "go_on"}:
            answered_first = line == "green 1"
        assert ("accepted" in lamps(dealing).values()) == bool(answered_first and dealing.round)
    kinds = [post.id.rsplit("/", 2)[1] for post in posts]
    assert kinds[0] == "wagers"
    assert kinds.count("withdraw") == (answered_first is False)
    assert kinds.count("record") + kinds.count("void") <= 1
    if "withdraw" in kinds:
        assert kinds.index("withdraw") == 1


BETS = "bets 1:1000+100 3:500+100"
FORGOTTEN = [
    # what the table has done, what the server holds of which round, and whether the table has forgotten it
    ((BETS,), ("open", 1, 1, 3), False),
    ((BETS,), ("withdrawn", 1), True),
    ((BETS,), ("voided", 1), True),
    ((BETS,), ("recorded", 1), True),
    ((BETS,), ("open", 2), True),
    ((BETS, "go_on"), ("open", 1, 1, 3), False),
    ((BETS, "go_on"), ("withdrawn", 1), False),
    ((BETS, "go_on"), ("recorded", 1), True),
    ((BETS, "green 1 3"), ("open", 1, 1, 3), False),
    ((BETS, "green 1 3"), ("open", 1, 1), True),
    ((BETS, "green 1"), ("open", 1, 1), False),
    ((BETS, "green 1 3"), ("withdrawn", 1), True),
    ((BETS, "green 1 3"), ("voided", 1), True),
    ((BETS, "green 1 3", "deal", "void 3"), ("open", 1, 1), False),
    ((BETS, "green 1 3", "deal", "void 3"), ("open", 1, 1, 3), False),
    ((BETS, "green 1 3", "void"), ("voided", 1), False),
    ((BETS, "green 1 3", "void"), ("open", 1, 1, 3), False),
    ((BETS, "void", "bets 1:1000+100"), ("open", 1, 1, 3), False),
    ((BETS, "void", "bets 1:1000+100", "green 1"), ("voided", 1), False),
]


@pytest.mark.parametrize(("lines", "told", "lost"), FORGOTTEN)
def test_what_a_table_has_forgotten(lines: tuple[str, ...], told: tuple[str, ...], *, lost: bool) -> None:
    """A round under way is older than what the server holds of it; what the server never heard of is no such thing."""
    dealing, _ = through(*lines)
    state, number, *seats = told
    assert bool(forgotten(dealing, RoundNow(1, int(number), state, [*map(int, seats)]))) == lost  # type: ignore[arg-type]
    assert not forgotten(dealing, RoundNow(2, int(number), "voided")), "of another journal"
