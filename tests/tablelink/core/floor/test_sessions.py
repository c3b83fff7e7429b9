"""Long sessions at driven tables, line by line as people type them: what is told, refused, written and settled."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK
from rules.decks.shuffling import shuffled
from rules.games import GAMES
from rules.records import decode_any, encode_any
from rules.tables import markers
from tablelink.core.floor import (
    ACTS,
    Act,
    Made,
    NotUnderstood,
    Refused,
    Undo,
    read_line,
    take,
)
from tablelink.core.floor.acts import PARTS
from tablelink.core.floor.showing import AHEAD, header, next_words, seat_lines, signs
from tablelink.core.hosting import stated
from tablelink.hosted_forms import decode_given, encode_given, read_told
from tablelink.hosted_people import PEOPLE, People
from tablelink.shuffling import SeededChance
from tests.support.driven import Driving
from tests.support.driven_sessions import SESSIONS, lines_of
from tests.support.hosted import ODD


@pytest.mark.parametrize("game", GAMES)
def test_a_session_comes_to_what_its_lines_say(game: str) -> None:
    """From opening to closing: limits and people change while rounds are played, each refusal names its rule."""
    Driving(game).tell(SESSIONS[game])


def test_every_act_is_said_in_a_session() -> None:
    """No act of the tables' limits and people is left that nobody can say, and each says what it takes."""
    said = {word for game in GAMES for line in lines_of(game) for word in line.split()[:2]}
    assert set(ACTS) - said == set()
    assert set(PARTS) == set(ACTS)


@pytest.mark.parametrize("game", GAMES)
def test_rounds_come_to_what_settle_says_of_their_records(game: str, tmp_path: Path) -> None:
    """Each statement is, byte for byte, the answer of `python -m rules settle` to the record that the round left."""
    driving = Driving(game).tell(SESSIONS[game])
    stated = [each.statement for each in driving.changed if each.statement is not None]
    assert len(stated) >= 1
    (tmp_path / "rounds").write_bytes(b"".join(encode_any(record) + b"\n" for record in driving.records))
    done = subprocess.run(
        [sys.executable, "-m", "rules", "settle", "rounds"],
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    said = [{"line": place} | json.loads(_encoded(each.said)) for place, each in enumerate(stated, start=1)]
    assert said == answers
    assert [each.number for each in stated] == list(range(1, len(stated) + 1))


def _encoded(said: object) -> bytes:
    return msgspec.json.encode(said)


@pytest.mark.parametrize("game", GAMES)
def test_a_move_entered_wrongly_is_taken_back(game: str) -> None:
    """After each accepted move `undo` leads to the table as it was, but for the time; what was said around stands."""
    driving, undone = Driving(game), 0
    for line in lines_of(game):
        count, before = len(driving.given), driving.floor
        driving.line(line)
        made = driving.given[count:]
        if [type(each) for each, _ in made] == [Made] and driving.floor.before is not None:
            back = take(driving.floor, Undo(), driving.now_us).floor
            assert replace(back, around=before.around) == before
            undone += 1
    assert undone > 8


@pytest.mark.parametrize("game", GAMES)
def test_what_was_said_leads_there_again(game: str) -> None:
    """The same words at the same moments give the same table, through the bytes of a spool too."""
    driving = Driving(game)
    first = driving.floor
    for line in lines_of(game):
        driving.line(line)
    again = first
    for said, at_us in driving.given:
        again = take(again, decode_given(encode_given(said)), at_us).floor
    assert again == driving.floor


_WORDS = st.sampled_from(
    (
        *(
            "1",
            "3",
            "0",
            "9",
            "99999999999999999999",
            "-1",
            "10.005",
            "$5",
            "1e9",
            "As",
            "5c 6c",
            "Zz",
            "10h",
            "dealer",
        ),
        *("ante", "small", "initial", "tie", "token", "all", "by", "by Lee", "in", "in 20", "because", "because why"),
        *(
            "ante_min=1",
            "ante_min=none",
            "table_min=999999999999",
            "=",
            "x=",
            "ann",
            "valid",
            "minimum",
            "game",
            "1 2 3",
        ),
        *("\x1b[2J", "\x00", "\u202e", "\ud7ff", '"', '""', "\U0001f600", "claim", "stake ben", "for ann", "helped"),
    )
)
_LINES = st.builds(
    lambda name, words: " ".join((name, *words)),
    st.one_of(st.sampled_from((*ACTS, *AHEAD, "place", "undo", "fold", "")), st.text(max_size=12)),
    st.lists(st.one_of(_WORDS, st.text(max_size=6)), max_size=6),
)


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_typed_is_taken_or_refused(game: str) -> None:
    """Lines of any words at any point of a session: a refusal changes nothing and names its reason; never an error."""
    points = [Driving(game)]
    lines = lines_of(game)
    for end in (len(lines) // 4, len(lines) // 2, 3 * len(lines) // 4):
        driving = Driving(game)
        for line in lines[:end]:
            driving.line(line)
        points.append(driving)

    @settings(max_examples=80, deadline=None)
    @given(st.sampled_from(points), st.lists(_LINES, min_size=1, max_size=4))
    def typed(driving: Driving, typed_lines: list[str]) -> None:
        floor = driving.floor
        for line in typed_lines:
            try:
                for each in read_line(floor, line):
                    floor = take(floor, decode_given(encode_given(each)), driving.now_us).floor
            except Refused:
                pass
            for shown in (header(floor), *seat_lines(floor), *signs(floor), next_words(floor)):
                assert shown.isprintable()

    typed()


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=60), st.text(max_size=40).map(str.encode)))
def test_whatever_a_device_sends_is_read_or_refused(line: bytes) -> None:
    """Bytes that are no JSON, or no line of it, are an error that names what stands there."""
    with pytest.raises(NotUnderstood):
        read_told(line)


MALFORMED = """
{"kind":"move","name":"place","seat":1.5}                    | seat | 1.5
{"kind":"move","name":"place","seat":true}                   | seat | true
{"kind":"move","name":"place","seats":1}                     | seats | 1
{"kind":"move","name":"place","cents":99999999999999999999}  | cents | 99999999999999999999
{"kind":"move","name":"place","tender":"gold"}               | tender | gold
{"kind":"move","name":"place","cents":500,"cents":5000}      | cents | 5000
{"kind":"act","name":"join","areas":["1"]}                   | areas[0] | 1
{"kind":"act","name":"alter","sign":{"a":null,"b":"5"}}      | sign[...] |
{"kind":"act","name":"join","player":"\\u0000"}              | player | ?
{"kind":"tick"}                                              | kind | tick
{"kind":"bribe"}                                             | kind | bribe
{"name":"join"}                                              | kind |
[]                                                           |  | []
null                                                         |  | null
"""


@pytest.mark.parametrize("row", MALFORMED.strip().splitlines())
def test_a_devices_line_is_read_strictly(row: str) -> None:
    """The field that is wrong is named, with what stands there; nothing passes as something else."""
    line, field, value = (part.strip() for part in row.split("|"))
    with pytest.raises(NotUnderstood) as caught:
        read_told(line.encode())
    assert (caught.value.field, caught.value.value) == (field, value)


def test_a_name_can_only_be_shown() -> None:
    """What a terminal would obey, and what a record could not keep, is refused where it is typed."""
    driving = Driving("casino_war")
    for text in ("dealer a\x1b[2J", "join \u202eann 1", "dealer " + "a" * 81, "x" * 1_001):
        assert driving.line(text)[0].startswith("? ")


def test_wagers_keep_the_limits_by_which_they_were_placed() -> None:
    """CSP 6.3, 6.5: the sign of a round is the one of its first wager; who wagers later is held to the new one."""
    driving = Driving("three_card_poker")
    driving.tell(
        """
        open 3 by Lee             | ok
        join ann 1 valid          | ok
        join ben 2 valid          | ok
        next                      | ok
        next                      | ok
        place 1 ante 400          | ok
        alter ante_max=50 by Lee  | ok
        place 2 ante 400          | no TCP 6.1: above the maximum of 5000
        place 2 ante 50           | ok
        deal all                  | ok
        play 1                    | ok
        play 2                    | ok
        turn_dealer As Kd 9h      | ok
        settle_hand 1 2s 2d 4h    | ok
        settle_hand 2 3s 3d 4c    | ok
        next                      | ok
        next                      | settled 1 ante win
        """
    )
    (record,) = driving.records
    lines = {(each.seat, each.wager): each.paid_cents for each in record.settled}
    assert (lines[1, "ante"], lines[2, "ante"]) == (40_000, 5_000)
    assert driving.floor.at.felt.limits.ante_max_cents == 5_000
    assert markers(driving.floor.around) == ()


def test_a_direction_holds_from_round_to_round() -> None:
    """CSP 14.13.1, 14.13.3: given before a round, it holds in that and the next; it goes with the player who leaves."""
    a_round = """
        place 1 ante 10                         | ok
        place 2 ante 10                         | ok
        deal all 5c                             | ok
        fold 1                                  | no CSP 14.13.1: seat 2 was directed to play first
        fold 2                                  | ok
        fold 1                                  | [hands_decided]
        turn_dealer As Kd 9h 7c 5c              | ok
        next                                    | ok
        next                                    | settled 1 ante lose, 2 ante lose
        next                                    | [wagers_open]
    """
    driving = Driving("caribbean_stud")
    driving.tell(
        """
        open 3 by Lee                           | ok
        join ann 1 valid                        | ok
        join ben 2 valid                        | ok
        direct english_only by Lee because signals    | direction:
        direct play_first ben by Lee because signals  | direction: ben
        check_cards                             | ok
        load                                    | ok
        """
    )
    driving.tell(a_round).tell(a_round)
    assert driving.floor.at.felt.english
    assert driving.floor.at.felt.first == {2}
    driving.tell("leave ben | ok\njoin cid 2 valid | ok")
    assert driving.floor.at.felt.first == frozenset()


def test_no_warning_is_handed_on_to_who_comes() -> None:
    """TCP 12.10: who was short is warned once; the next player of the seat was not, also where he left in the round."""
    driving = Driving("three_card_poker")
    driving.tell(
        """
        open 3 by Lee            | ok
        join ann 1 valid         | ok
        join ben 2 valid         | ok
        next                     | ok
        next                     | ok
        place 1 ante 10          | ok
        place 2 ante 10          | ok
        deal all                 | ok
        short 1                  | ok
        short 2                  | ok
        leave ben                | ok
        turn_dealer As Kd 9h     | ok
        next                     | ok
        next                     | settled 1 ante void, 2 ante void
        """
    )
    assert dict(driving.floor.at.felt.warned) == {1: 1}
    driving.tell("leave ann | ok")
    assert dict(driving.floor.at.felt.warned) == {}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("odd", [1, ODD])
def test_whatever_legal_moves_are_made_the_round_is_stated(game: str, odd: int) -> None:
    """Random rounds, with much that goes wrong: each ends, and its record reads back and settles to its statement."""
    people, rng = PEOPLE[game], Random(f"{game}/{odd}")
    driving = Driving(game)
    driving.tell("open 6 by Lee | ok")
    for seat in range(1, 7):
        driving.line(f"join p{seat} {seat} valid")
    for _ in range(12):
        play_one(driving, people, rng, odd)
    assert len(driving.records) == 12
    for changed in driving.changed:
        if changed.statement is not None:
            record = decode_any(encode_any(changed.record))
            assert record == changed.record
            assert stated(changed.statement.number, record)[0] == changed.statement


def play_one(driving: Driving, people: People, rng: Random, odd: int) -> None:
    """Play one round by random legal moves, to its statement."""
    deck, floor = shuffled(DECK * people.decks, SeededChance(rng)), driving.floor
    for _ in range(5_000):
        if floor.over and (floor.at.state != "inspector_notified" or rng.randrange(2)):
            break
        move = people.choose(floor.play.legal_moves(floor.at), floor.at.felt, rng, deck, odd)
        made = Made(**{name: getattr(move, name) for name in ("name", "seat", "area", "cents", "cards", "tender")})
        if move.name in {"invalidate", "find_invalid"}:
            made = replace(made, person="Lee", reason="as found")
        try:
            floor = take(floor, made, driving.now_us).floor
        except Refused:
            continue
    changed = take(floor, Act(name="end_round"), driving.now_us)
    driving.changed.append(changed)
    floor = changed.floor
    driving.floor = take(floor, Made(name="rectify"), driving.now_us).floor if floor.stated else floor
