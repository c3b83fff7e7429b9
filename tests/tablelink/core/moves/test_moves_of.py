"""Every round that a table can come to is told as moves that come to it again, in each of the five games."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.games import GAMES
from rules.play import MoveRefused
from rules.records import decode_any, encode_any
from tablelink.core.hosting import Hosted, begun, ended, moved, rehearsed, settled
from tablelink.core.moves import TOLD
from tests.support.hosted import random_round, same_round


def test_every_game_can_be_hosted() -> None:
    """The table of games that are hosted is the registry's, and each is played by the registry's machine."""
    assert set(TOLD) == set(GAMES)
    assert all(told.play is GAMES[game].play for game, told in TOLD.items())


@pytest.mark.parametrize("game", TOLD)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_round_is_told_as_moves_that_come_to_it_again(game: str, seed: int) -> None:
    """Played through the machine, the moves of a round give the same round and the same settlement."""
    at, record, _ = random_round(game, seed)
    again = TOLD[game].begin(record)
    for move in TOLD[game].moves_of(record):
        again = TOLD[game].play.step(again, move)
    assert same_round(game, again) == same_round(game, at)
    assert TOLD[game].settlement_of(again).lines == settled(record)[1].lines
    assert rehearsed(Hosted(game), 1, decode_any(encode_any(record))) is None


@pytest.mark.parametrize("game", TOLD)
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_refused_move_changes_nothing(game: str, seed: int) -> None:
    """Whatever is tried in vain leaves the table as it was; the statement is the settlement of the record."""
    at, record, tried = random_round(game, seed)
    table = begun(Hosted(game), 7, record)
    for move in TOLD[game].moves_of(record):
        before = table
        for odd in tried[:3]:
            with contextlib.suppress(MoveRefused):
                moved(table, odd)
            assert table == before
        table = moved(table, move)
    table, statement = ended(table)
    assert (table.last, table.under_way) == (7, None)
    assert statement.staked_cents == sum(line.stake_cents for line in TOLD[game].settlement_of(at).lines)


STUD = '{"game":"caribbean_stud","dealer":"As Kd 9h 5c 3d",'
THREE = '{"game":"three_card_poker","dealer":"Jh 8c 4d",'
FOUR = '{"game":"four_card_poker","dealer":"Kc Kd 9h 5s 3d 2c",'
WAR = '{"game":"casino_war","dealer":"8d",'
DICE = '{"game":"sic_bo","dice":[1,2,3],'
ANTE = '"seats":[{"seat":1,"ante_cents":500,"decision":"fold"}]}'
REFUSED = [
    ("CSP 6.1", STUD + '"limits":{"ante_min_cents":1000},' + ANTE),
    ("CSP 14.15", STUD + '"limits":{"jackpot_cents":100},' + ANTE.replace("500,", '500,"jackpot_cents":100,')),
    ("TCP 6.1", THREE + '"limits":{"ante_max_cents":400},' + ANTE),
    ("FCP 6.1", FOUR + '"limits":{"ante_unit_cents":300},' + ANTE),
    ("WAR 6.1", WAR + '"limits":{"initial_min_cents":5000},"seats":[{"seat":4,"initial_cents":2500,"cards":"9h"}]}'),
    ("SIC 8.8", DICE + '"stopped":true,"seats":[{"seat":1,"wagers":[{"wager":"small","cents":500}]}]}'),
    ("SIC 6.2", DICE + '"runs":{},"seats":[{"seat":1,"wagers":[{"wager":"super_streak_big","cents":500}]}]}'),
]
"""What `settle` has an answer to, since it happened; at a table it is not let happen."""


@pytest.mark.parametrize(("rule", "text"), REFUSED)
def test_a_record_that_cannot_have_been_played_is_refused_by_its_rule(rule: str, text: str) -> None:
    """The rules settle what was done wrongly; a table that is played move by move does not let it be done."""
    record = decode_any(text.encode())
    refusal = rehearsed(Hosted(json.loads(text)["game"]), 3, record)
    assert refusal is not None
    assert refusal.by_rule
    assert refusal.faults[0]["rule"] == rule
    assert refusal.faults[0]["error"].startswith(f"{rule}: ")
