"""Which hands does a table tell of seats that people voided at the server, where it has voided them too?"""

import pytest

from tests.support.dealing_words import through

DEALT = ("bets 1:1000+100 3:500+100 5:500+100", "green 1 3 5", "deal")


@pytest.mark.parametrize("people", ["people void 3", "people void 1 3"])
def test_a_hand_that_the_tables_own_void_tells_is_told_once(people: str) -> None:
    """The dealer voids a seat while two people do: no message has the id of another, or the spool takes neither."""
    dealing, before = through(*DEALT, "void 3")
    dealing, heard = through(people, dealing=dealing)
    left = [f"bet {seat} 2000" for seat in (1, 5) if people == "people void 3" or seat == 5]
    _, posts = through(*left, "dealer", "turned", dealing=dealing)
    ids = [post.id for post in [*before, *heard, *posts]]
    assert len(ids) == len(set(ids))
    assert "T1/1/2026-11/1/void.3/2" in ids
    assert ids[-1] == "T1/1/2026-11/1/record/1"
