"""What two people did at the server to a round under way: the table takes it as its own."""

from dataclasses import replace

import pytest

from jackpot.core.commands import command_of
from jackpot.wire.codec import decode_from_table, encode
from jackpot.wire.ids import NO_SEAT, VOID_OF_TWO
from jackpot.wire.messages import ByPeople, Refused, RoundNow, Void
from rules.records import decode_record
from tablelink.core.dealing import NotNowError, awaits_payout, forgotten, lamps, prompt, step
from tablelink.core.inputs import Amended, Deal, PlaceWagers
from tablelink.heard import amended
from tablelink.steps import decode_checkpoint, decode_step, encode_checkpoint, encode_step
from tests.support.dealing_words import FULL, ROYAL, through, words
from tests.support.tables import granted

BETS = "bets 1:1000+100 3:500+100"
PLAYED = (BETS, "green 1 3", "deal", "bet 1 2000")


@pytest.mark.parametrize(
    "lines", [(BETS,), (BETS, "green 1 3"), (BETS, "go_on"), PLAYED, (*PLAYED, "fold 3", "dealer")]
)
@pytest.mark.parametrize("act", ["void", "record"])
def test_a_round_that_people_ended_is_over(lines: tuple[str, ...], act: str) -> None:
    """Wherever it stood: no lamp is lit, nothing is waited for, the next round is open.

    A void is written down as the server has it, byte for byte; a record is no table's word: of it the hands are told.
    """
    dealing, before = through(*lines)
    dealing, posts = through(f"people {act}", dealing=dealing)
    said = encode(Void("T1", 1, "2026-11", 1, VOID_OF_TWO, "CSP 16.5", "Ann", second="Ben"))
    written = [post.id for post in posts if not post.id.endswith("/2")]
    assert written == ([command_of(said).id] if act == "void" else [])
    assert [post.body for post in posts if post.id in written] == [said] * len(written)
    assert [post.id.endswith("/void.0/2") for post in posts] == ([True] if act == "record" else [False] * len(posts))
    assert not any(post.sign or post.ends_round for post in posts if post.id not in written)
    assert not any(post.sign for post in posts)
    assert (lamps(dealing), awaits_payout(dealing)) == ({}, False)
    assert prompt(dealing, FULL) == PlaceWagers(2)
    assert dealing.last is not None
    assert "by Ann and Ben at the server" in dealing.last.words[0]
    assert not forgotten(dealing, RoundNow(1, 1, "voided" if act == "void" else "recorded"))
    _, posts = through("bets 1:1000+100", dealing=dealing)
    assert [post.id for post in posts] == ["T1/1/2026-11/2/wagers/1"]
    assert not any(post.ends_round for post in before)


@pytest.mark.parametrize("line", ["people record", "people forfeit 1"])
def test_the_hands_of_a_round_that_people_ended_are_told(line: str) -> None:
    """Those with an accepted wager, and those the table had voided before; the word takes no seat out."""
    _, posts = through("bets 1:1000+100 3:500+100 5:500", "green 1 3", "deal", line)
    (heard,) = (decode_from_table(post.body) for post in posts if post.id.endswith("/void.0/2"))
    assert isinstance(heard, Void)
    assert (heard.seats, heard.by) == ([NO_SEAT], "Ann, Ben")
    assert [place.split()[:2] for place in heard.cards_seen.split("; ")][1:] == [["seat", "1"], ["seat", "3"]]
    _, posts = through(*PLAYED[:3], "void 3", line)
    assert [post.id.rsplit("/", 2)[1:] for post in posts[-2:]] == [["void.3", "2"], ["void.0", "2"]]
    (_, last) = (decode_from_table(post.body) for post in posts[-2:])
    assert isinstance(last, Void)
    assert "seat 3" not in last.cards_seen
    assert "seat 1" in last.cards_seen


@pytest.mark.parametrize("lines", [(BETS,), (BETS, "go_on"), (BETS, "green 1 3")])
def test_where_no_hand_was_dealt_none_is_told(lines: tuple[str, ...]) -> None:
    """The word goes all the same: should the ledger go back, it says that the table is done with the round."""
    _, posts = through(*lines, "people record")
    heard = decode_from_table(posts[-1].body)
    assert isinstance(heard, Void)
    assert (heard.seats, heard.cards_seen) == ([NO_SEAT], "")


def test_seats_that_people_voided_go_out_of_the_round() -> None:
    """Dark, with no decision to make, not on the record; their hands are told at the end, as after its own void."""
    dealing, _ = through(*PLAYED[:3], "people void 3")
    assert lamps(dealing) == {1: "accepted", 3: "dark"}
    dealing, posts = through("bet 1 2000", "dealer", "turned", dealing=dealing)
    told, record = posts
    assert told.id == "T1/1/2026-11/1/void.3/2"
    void = decode_from_table(told.body)
    assert isinstance(void, Void)
    assert (void.rule, void.by) == ("CSP 16.5", "Ann, Ben")
    assert [seat.seat for seat in decode_record(record.body, canonical=True).seats] == [1]


def test_a_seat_voided_before_the_deal_gets_no_cards() -> None:
    """The shoe is dealt to those who are left."""
    dealing, _ = through(BETS, "green 1 3", "people void 3")
    assert prompt(dealing, FULL) == Deal(1, (1,))
    dealing, _ = step(dealing, words("deal", dealing), FULL)
    assert dealing.round is not None
    assert set(dealing.round.hands(FULL.approved.device)) == {0, 1}


def test_an_answer_after_people_voided_a_seat_does_not_light_it() -> None:
    """The wagers' stored answer comes by a repeat, after the void: the seat stays dark, and is not amber either."""
    dealing, _ = through(BETS, "people void 3")
    assert lamps(dealing) == {1: "placed", 3: "dark"}
    dealing, _ = through("green 1 3", dealing=dealing)
    assert lamps(dealing) == {1: "accepted", 3: "dark"}


def test_with_no_seat_left_the_table_ends_the_round() -> None:
    """On the server the round is open still, without seats: its void is the table's own word, with all cards seen."""
    dealing, posts = through(*PLAYED[:3], "people void 1", "people void 3")
    assert dealing.round is None
    post = posts[-1]
    assert (post.id, post.ends_round) == ("T1/1/2026-11/1/void/1", True)
    assert ROYAL.split()[0] in post.body.decode()


@pytest.mark.parametrize(("line", "ids"), [("people void 3", ["void.3/3"]), ("people forfeit 3", [])])
def test_what_is_a_tables_word_is_written_down(line: str, ids: list[str]) -> None:
    """A void of seats under its own id, in the words of the two; a forfeited wager is only theirs (CSP 16.6)."""
    _, posts = through(*PLAYED[:3], line)
    written = [post for post in posts if "void" in post.id and not post.id.endswith("/void.0/2")]
    assert [post.id.removeprefix("T1/1/2026-11/1/") for post in written] == ids
    for post in written:
        assert decode_from_table(post.body) == Void(
            "T1", 1, "2026-11", 1, VOID_OF_TWO, "CSP 16.5", "Ann", [3], second="Ben"
        )
        assert command_of(post.body).id == post.id


def test_a_seat_that_both_voided_has_both_words() -> None:
    """The table's own and that of the two: neither is the other's id, and both come back with a ledger."""
    _, posts = through(*PLAYED[:3], "void 3", "people void 3")
    assert [post.id for post in posts if "void" in post.id] == ["T1/1/2026-11/1/void.3/1", "T1/1/2026-11/1/void.3/3"]


def test_it_is_of_the_round_under_way_only() -> None:
    """Of another round or journal it changes nothing."""
    dealing, _ = through(BETS)
    with pytest.raises(NotNowError, match="not the round under way"):
        step(dealing, Amended(1, 2, "void", "CSP 16.5", "Ann", "Ben"), FULL)
    with pytest.raises(NotNowError):
        step(granted(), Amended(1, 1, "void", "CSP 16.5", "Ann", "Ben"), FULL)


def test_what_a_hello_tells_is_taken_one_by_one_and_once() -> None:
    """In its order, what was taken already not again; of another round nothing."""
    did = [ByPeople("void", "CSP 16.5", "Ann", "Ben", [3]), ByPeople("void", "CSP 16.6", "Ann", "Ben", [], [1])]
    word = Refused("busy", "", round=RoundNow(1, 1, "voided", [], did))
    dealing, _ = through(BETS)
    taken = []
    while (one := amended(word, dealing)) is not None:
        taken.append((one.seats, one.forfeited))
        dealing, _ = step(dealing, one, FULL)
    assert taken == [((3,), ()), ((), (1,))]
    assert dealing.last is not None
    assert dealing.last.words[1].endswith("the wager of seat 1 is forfeited, others go back")
    dealing, _ = through("bets 1:1000+100", dealing=dealing)
    assert amended(word, dealing) is None


def test_it_is_in_the_spool_as_every_step() -> None:
    """Read back it is the same, in the step and in the checkpoint of the table after it."""
    did = Amended(1, 1, "void", "CSP 16.6", "Ann", "Ben", (), (1,))
    assert decode_step(*encode_step(did)) == did
    dealing, _ = through(BETS, "people void")
    assert decode_checkpoint(encode_checkpoint(dealing)) == replace(dealing, round=None)


@pytest.mark.parametrize(
    ("own", "told", "ids"),
    [
        ((), [("Ann", (3,)), ("Cy", (3,))], ["void.3/3", "void.3/2"]),
        ((), [("Ann", (3, 5)), ("Cy", (5, 3))], ["void.3.5/3", "void.3/2"]),
        ((), [("Ann", (3,)), ("Ann", (3, 5))], ["void.3/3", "void.3.5/3", "void.3/2"]),
        (("void 3",), [("Ann", (3, 5))], ["void.3/1", "void.3.5/3", "void.3/2"]),
    ],
)
def test_no_two_words_of_a_round_have_one_id(
    own: tuple[str, ...], told: list[tuple[str, tuple[int, ...]]], ids: list[str]
) -> None:
    """Seats that people void anew after the ledger went back, in other words; or with one that has no jackpot wager.

    A spool takes no id twice: the table could not take its welcome, or never record its round. Each is taken once.
    """
    dealing, before = through("bets 1:1000+100 3:500+100 5:500", "green 1 3", "deal", *own)
    people = [ByPeople("void", "CSP 16.5", by, "Ben", list(seats)) for by, seats in told]
    word, posts = Refused("busy", "", round=RoundNow(1, 1, "open", [1], people)), before
    while (one := amended(word, dealing)) is not None:
        dealing, more = step(dealing, one, FULL)
        posts += more
    five = () if any(5 in seats for _, seats in told) else ("bet 5 1000",)
    _, rest = through("bet 1 2000", *five, "dealer", "turned", dealing=dealing)
    assert [post.id.removeprefix("T1/1/2026-11/1/") for post in (*posts, *rest)] == ["wagers/1", *ids, "record/1"]
