"""How a link opens and its terms change, by two people (case 18), and what an open round keeps of its own (case 61)."""

import msgspec
import pytest

from jackpot.core.answers import decode_stored
from jackpot.core.commands import Act, Enrol, NewTerms, OpenLink, OpenSite, RegisterLink, of_act
from jackpot.core.decide import decide_all
from jackpot.core.state import LinkState
from jackpot.wire.codec import FrameError
from rules.terms import Terms, canonical_bytes
from tests.support.floor import NOW_US, Floor, changed_terms
from tests.support.terms import demo_terms, two_pool_terms

TERMS = [
    # what is asked                                                            becomes
    ("terms rulings.takes=each", "opened"),
    ("terms retained_ppm=699999", "bad_terms"),
    ("terms pools.0.seed_cents=500000000", "bad_terms"),
    ("terms qualifying_wager_cents=true", "bad_terms"),
    ("terms time_zone=Australia/Atlantis", "bad_terms"),
    ("terms time_zone=Factory", "bad_terms"),
    ("terms by=-", "name_needed"),
    ("terms with=-", "name_needed"),
    ("terms with=ANN", "same_person"),
    ("terms version=3", "terms_not_next"),
    ("terms version=1", "terms_not_next"),
    ("terms version=2 as=3", "terms_not_next"),
    ("terms name=northern", "terms_not_next"),
    ("terms currency=NZD", "terms_not_next"),
    ("terms time_zone=Pacific/Honolulu day_start=23:00", "opened"),
]


@pytest.mark.parametrize(("asked", "becomes"), TERMS)
def test_new_terms(asked: str, becomes: str) -> None:
    """Terms follow the link's own by one version and two people's word; what is refused leaves everything as it was."""
    floor = Floor()
    before = floor.state
    assert floor.line(asked.split()) == becomes
    if becomes != "opened":
        assert floor.state == before
        assert floor.line(["terms", "rulings.takes=each"]) == "opened", "what was refused may be put right"


def opened(terms: Terms | bytes, by: str = "Ann", second: str = "Bob", chain: str = "southern") -> str:
    """What comes of opening a link."""
    raw = terms if isinstance(terms, bytes) else canonical_bytes(terms)
    act = OpenLink(chain, msgspec.Raw(raw), "ab" * 32, by, second)
    return said(decide_all(LinkState(chain), [of_act(act)], {}, NOW_US).replies[0].answer)


def said(answer: bytes) -> str:
    """An answer in a word."""
    stored = decode_stored(answer)
    return str(getattr(stored, "code", stored.__struct_config__.tag))


def test_a_link_is_opened_by_two_people_under_version_one() -> None:
    """A seed typed ten times too large is somebody else's to notice: one person alone opens nothing (case 18)."""
    assert opened(demo_terms()) == "opened"
    assert opened(demo_terms(), second="") == "name_needed"
    assert opened(demo_terms(), by="") == "name_needed"
    assert opened(demo_terms(), second=" ann ") == "same_person"
    assert opened(changed_terms(demo_terms(), {"version": 2})) == "terms_not_next"
    assert opened(demo_terms(), chain="northern") == "terms_not_next"
    assert opened(changed_terms(demo_terms(), {"pools.0.seed_cents": 500_000_000})) == "bad_terms"
    assert opened(b"{}") == "bad_terms"
    with pytest.raises(FrameError, match=r"not JSON|malformed"):
        opened(b"{")  # no act at all: nobody could read it again


def test_a_link_opens_once() -> None:
    """The same act again is answered as the first time; another finds the link open; nothing is seeded twice."""
    floor = Floor()
    first = OpenLink("southern", msgspec.Raw(canonical_bytes(demo_terms())), "ab" * 32, "Ann", "Bob")
    assert said(floor.act(first).answer) == "opened"
    assert said(floor.act(msgspec.structs.replace(first, by="Cy")).answer) == "id_reused"
    assert said(decide_all(floor.state, [of_act(first)], {}, NOW_US).replies[0].answer) == "link_exists"
    assert floor.balance("pool/main") == 5_000_000_000_000
    assert floor.balance("house") == -5_000_000_000_000


def test_terms_of_no_link() -> None:
    """There are no next terms before the first."""
    act = NewTerms("southern", 2, msgspec.Raw(canonical_bytes(demo_terms())), "Ann", "Bob")
    assert said(decide_all(LinkState("southern"), [of_act(act)], {}, NOW_US).replies[0].answer) == "not_open"


def test_an_open_round_is_awarded_by_its_own_terms() -> None:
    """Terms change while T1's round is open (case 61): its flush pays the old bonus, T3's the new."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 1                                                         accepted
        terms pay_table.flush.amount_cents=9000                                opened
        T2 wagers 1: 1 terms=1                                                 other_terms
        T3 hello                                                               connected
        T3 wagers 1: 1                                                         accepted
        T1 record 1: 1=flush terms=1                                           recorded
        award 1 amount_cents                                                   10000
        T3 record 1: 1=flush                                                   recorded
        award 1 amount_cents                                                   9000
        T1 wagers 2: 1 terms=1                                                 other_terms
    """)


def test_reseed_and_limit_follow_the_terms_in_force() -> None:
    """A royal of a round under older terms empties the pool then standing; it starts again from the new seed."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 1                                                         accepted
        terms pools.0.seed_cents=4000000 pools.0.limit_cents=4000030           opened
        T2 hello                                                               connected
        T2 wagers 1: 1                                                         accepted
        meter                                                                  50,000.22
        balance overflow/main                                                  22000000
        T1 record 1: 1=royal_flush terms=1                                     recorded
        award 1 amount_cents                                                   5000022
        meter                                                                  40,000.22
        balance overflow/main                                                  0
    """)


def test_a_new_pool_takes_its_seed_and_an_old_one_with_money_stays() -> None:
    """Terms may add a pool, which the house seeds; none that holds players' money can be left out of the next."""
    floor = Floor()
    act = NewTerms("southern", 2, msgspec.Raw(changed_terms(two_pool_terms(), {"version": 2})), "Ann", "Bob")
    assert said(floor.act(act).answer) == "opened"
    floor.play("""
        meter minor                                                            5,000.00
        pool minor epoch                                                       1
    """)
    act = NewTerms("southern", 3, msgspec.Raw(changed_terms(demo_terms(), {"version": 3})), "Ann", "Bob")
    assert said(floor.act(act).answer) == "pool_not_empty"
    floor.play("given pool/minor 0  so\ngiven overflow/minor 1  so")
    assert said(floor.act(act).answer) == "pool_not_empty"
    floor.play("given overflow/minor 0  so")
    assert said(floor.act(act).answer) == "opened"
    act = NewTerms("southern", 4, msgspec.Raw(changed_terms(two_pool_terms(), {"version": 4})), "Ann", "Bob")
    assert said(floor.act(act).answer) == "opened"
    floor.play("""
        meter minor                                                            5,000.00
        pool minor epoch                                                       2
    """)


def test_a_month_never_goes_back() -> None:
    """Terms under which a gaming month would begin again wait until it has begun by both readings."""
    floor = Floor()
    floor.time_us = 1_796_100_000_000_000  # 1 December 2026, 15:40 in Sydney, 30 November in Honolulu
    floor.play("""
        terms time_zone=Pacific/Honolulu                                       terms_not_next
        wait 86400                                                             over
        terms time_zone=Pacific/Honolulu                                       opened
    """)


SITE: list[tuple[Act, str]] = [
    (RegisterLink("southern", "ab" * 32, ""), "name_needed"),
    (Enrol("T1", "southern", "cd" * 32, 1, "Ann"), "not_open"),
    (OpenSite("ef" * 32, "Ann"), "site"),
    (RegisterLink("southern", "ab" * 32, "Ann"), "site"),
    (Enrol("T1", "southern", "cd" * 32, 1, "Ann"), "site"),
    (Enrol("T1", "southern", "ce" * 32, 2, "Ann"), "site"),
    (NewTerms("southern", 2, msgspec.Raw(b"{}"), "Ann", "Bob"), "not_open"),
]


def test_the_site_knows_links_and_tables() -> None:
    """What belongs to no link is a chain of its own: links with their keys, tables with theirs; the last word holds."""
    state = LinkState("site")
    for act, becomes in SITE:
        decision = decide_all(state, [of_act(act)], {}, NOW_US)
        state = decision.state
        assert said(decision.replies[0].answer) == becomes
    assert (state.enrolled["T1"].key, state.enrolled["T1"].revision, state.enrolled["T1"].link) == (
        "ce" * 32,
        2,
        "southern",
    )
    assert state.links["southern"].link_key == "ab" * 32


def test_the_site_is_no_link() -> None:
    """Acts of the site do nothing on a link, nor a link's on the site."""
    floor = Floor()
    assert said(floor.act(OpenSite("ef" * 32, "Ann")).answer) == "not_here"
    assert said(floor.act(Enrol("T1", "southern", "cd" * 32, 9, "Ann")).answer) == "not_here"
