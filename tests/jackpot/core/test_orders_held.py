"""How long a prize is held that is in several disputes about the order: until each of them is decided (PROTOCOL 7)."""

import pytest

from jackpot.core.hits import undecided
from jackpot.wire.ids import parse_hit
from tests.support.floor import Floor
from tests.support.terms import with_rulings

LOCK = with_rulings(order_of_hits="lock")
TWO_DISPUTES = """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        T3 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main state                                                disputed
"""
"""T2's royal is in two disputes: T1's prize came before it, T3's after; T1's and T3's are in no dispute together."""
TABLES = ("T1", "T2", "T3", "T4", "T5")
BY_OTHERS = "by=Qu with=Ru"
RELEASE = "by=Mo with=Ny reason=film rule=11.4"
HELD = {
    "the first dispute is decided first: what is in the second too waits for that": f"""
        {TWO_DISPUTES}
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main state                                                pending
        hit T2/1/1/1/main state                                                disputed
        hit T3/1/1/1/main state                                                disputed
        verify T2/1/1/1/main by=Dee                                            illegal_move
        decide T2/1/1/1/main order=wagers {BY_OTHERS}                          ordered
        hit T2/1/1/1/main state                                                pending
        hit T3/1/1/1/main state                                                pending
        hit T1/1/1/1/main state                                                pending
    """,
    "the amounts stand in the first dispute: the second is asked for all the same": f"""
        {TWO_DISPUTES}
        decide T1/1/1/1/main order=commit manager=Max                          ordered
        hit T2/1/1/1/main state                                                disputed
        decide T3/1/1/1/main order=commit {BY_OTHERS} manager=Pat              ordered
        hit T2/1/1/1/main state                                                pending
        hit T3/1/1/1/main state                                                pending
    """,
    "the second dispute is decided first: what is in the first too waits for that": f"""
        {TWO_DISPUTES}
        decide T3/1/1/1/main order=wagers                                      ordered
        hit T3/1/1/1/main state                                                pending
        hit T2/1/1/1/main state                                                disputed
        hit T1/1/1/1/main state                                                disputed
        decide T2/1/1/1/main order=wagers {BY_OTHERS}                          ordered
        hit T2/1/1/1/main state                                                pending
        hit T1/1/1/1/main state                                                pending
        decide T2/1/1/1/main order=wagers by=Su with=Tu                        illegal_move
    """,
    "the other side of the second is released: nobody argues for that order any more": f"""
        {TWO_DISPUTES}
        release T3/1/1/1/main {RELEASE}                                        released
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T2/1/1/1/main state                                                pending
    """,
    "it is released after the first was decided: its dispute is decided still, by the commit": f"""
        {TWO_DISPUTES}
        decide T1/1/1/1/main order=wagers                                      ordered
        release T3/1/1/1/main {RELEASE}                                        released
        hit T2/1/1/1/main state                                                disputed
        decide T2/1/1/1/main order=wagers {BY_OTHERS}                          not_offered
        decide T2/1/1/1/main order=commit {BY_OTHERS}                          ordered
        hit T2/1/1/1/main state                                                pending
    """,
    "it is forfeited: the fund has its share in either order, so the order is asked for": f"""
        {TWO_DISPUTES}
        reject T3/1/1/1/main by=Cy with=Dee reason=film rule=16.4              rejected
        forfeit T3/1/1/1/main by=Eve with=Fay reason=film rule=16.4            forfeited
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T2/1/1/1/main state                                                disputed
        decide T2/1/1/1/main order=wagers {BY_OTHERS}                          ordered
        hit T2/1/1/1/main state                                                pending
    """,
    "the prize in both is released: each of the others is let go by itself": f"""
        {TWO_DISPUTES}
        release T2/1/1/1/main {RELEASE}                                        released
        decide T1/1/1/1/main order=commit                                      ordered
        hit T1/1/1/1/main state                                                pending
        hit T3/1/1/1/main state                                                disputed
        decide T3/1/1/1/main order=commit                                      ordered
        hit T3/1/1/1/main state                                                pending
        hit T2/1/1/1/main state                                                released
    """,
    "the round of the second is voided by two people, before the first is decided or after": f"""
        {TWO_DISPUTES}
        decide T1/1/1/1/main order=wagers {BY_OTHERS}                          ordered
        T3 amend 1: rule=14.9                                                  void_recorded
        hit T2/1/1/1/main state                                                disputed
        decide T2/1/1/1/main order=commit by=Su with=Tu                        ordered
        hit T2/1/1/1/main state                                                pending
    """,
    "the prize in both falls away and comes again: it is in neither dispute any more": f"""
        {TWO_DISPUTES}
        T2 correct 1: 1 by=Ida with=Jo                                         corrected
        T2 correct 1: 1=royal_flush revision=3 by=Kim with=Lea                 corrected
        hit T2/1/1/1/main state                                                pending
        decide T3/1/1/1/main order=commit {BY_OTHERS}                          ordered
        hit T3/1/1/1/main state                                                pending
        hit T1/1/1/1/main state                                                disputed
        decide T1/1/1/1/main order=commit                                      ordered
        hit T1/1/1/1/main state                                                pending
        hit T2/1/1/1/main state                                                pending
    """,
    "its cards were in doubt before the order was: once they are corrected the order is still to be decided": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush settled=off                              disputed
        T2 record 1: 1=royal_flush                                             recorded
        decide T2/1/1/1/main order=wagers                                      not_offered
        T1 correct 1: 1=straight_flush by=Ida with=Jo                          corrected
        hit T1/1/1/1/main state                                                disputed
        hit T1/1/1/1/main marks                                                corrected,order
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main state                                                pending
        hit T2/1/1/1/main state                                                pending
    """,
    "three in one another: who is in both waits for both": f"""
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush                                             recorded
        T2 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1=royal_flush                                             recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main state                                                disputed
        hit T2/1/1/1/main state                                                disputed
        hit T3/1/1/1/main state                                                disputed
        decide T1/1/1/1/main order=commit {BY_OTHERS} manager=Pat              ordered
        hit T1/1/1/1/main state                                                pending
        hit T2/1/1/1/main state                                                pending
        hit T3/1/1/1/main state                                                pending
    """,
    "what was drawn after both is in neither: its own dispute is enough": f"""
        {TWO_DISPUTES}
        T4 wagers 1: 1                                                         accepted
        T5 wagers 1: 1                                                         accepted
        T4 record 1: 1=straight_flush                                          recorded
        T5 record 1: 1=straight_flush                                          recorded
        decide T4/1/1/1/main order=wagers                                      ordered
        hit T4/1/1/1/main state                                                pending
        hit T5/1/1/1/main state                                                pending
        hit T2/1/1/1/main state                                                disputed
        hit T3/1/1/1/main state                                                disputed
    """,
}


@pytest.mark.parametrize("story", [*HELD.values()], ids=[*HELD])
def test_a_prize_is_held_until_each_of_its_disputes_is_decided(story: str) -> None:
    """Each line comes to its last word."""
    Floor(LOCK, TABLES).play(story)


def test_what_is_undecided_is_told_dispute_by_dispute() -> None:
    """Once the first is decided the one left is the second, as the record that began it tells both orders of it."""
    floor = Floor(LOCK, TABLES)
    floor.play(TWO_DISPUTES)
    t1, t2, t3 = (parse_hit(f"{table}/1/1/1/main") for table in ("T1", "T2", "T3"))
    first, second = floor.state.hits[t2].commit, floor.state.hits[t3].commit
    assert undecided(floor.state.hits[t2]) == [first]
    floor.play("decide T1/1/1/1/main order=wagers  ordered")
    hits = floor.state.hits
    assert (undecided(hits[t1]), undecided(hits[t2]), undecided(hits[t3])) == ([], [second], [second])
    (told,) = [act for act in hits[t2].acts if act.move == "dispute" and act.commit == second]
    assert told in hits[t3].acts


def test_two_people_resolve_what_they_were_told_of() -> None:
    """Their word that an amount stands is about the disputes that the prize tells of: it tells of the next then."""
    Floor(tables=TABLES).play(f"""
        {TWO_DISPUTES}
        resolve T2/1/1/1/main by=Dee with=Eve reason=films                     disputed
        resolve T2/1/1/1/main by=Fay with=Gus reason=films                     pending
        decide T1/1/1/1/main order=commit                                      ordered
        hit T2/1/1/1/main state                                                pending
        hit T3/1/1/1/main state                                                disputed
        decide T3/1/1/1/main order=wagers {BY_OTHERS} manager=Max              ordered
        hit T2/1/1/1/main state                                                pending
    """)


def test_their_word_is_of_the_amount_as_it_was() -> None:
    """T2's prize is resolved in both disputes, then decided to be another in the first: the second holds it again."""
    Floor(tables=TABLES).play(f"""
        {TWO_DISPUTES}
        resolve T2/1/1/1/main by=Dee with=Eve reason=films                     disputed
        resolve T2/1/1/1/main by=Fay with=Gus reason=films                     pending
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
        hit T2/1/1/1/main state                                                disputed
        decide T2/1/1/1/main order=commit {BY_OTHERS}                          ordered
        hit T2/1/1/1/main state                                                pending
    """)


def test_a_paid_prize_that_rises_waits_for_the_next_dispute() -> None:
    """T4 was paid before both: the first dispute gives it 11 cents more, which nobody pays before the second is over.

    T2's own five wagers are in the pool when its royal was put before T4's prize: its jackpot leaves them out.
    """
    terms = with_rulings(order_of_hits="lock", meter_includes_this_round=False)
    Floor(terms, TABLES).play(f"""
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1 2 3 4 5                                                 accepted
        T4 wagers 1: 1                                                         accepted
        given pool/main 3000000000000                                          so
        T4 record 1: 1=straight_flush                                          recorded
        pay_out T4/1/1/1/main manager=Hal reason=film                          paid
        T2 record 1: 1=royal_flush 2 3 4 5                                     recorded
        T1 record 1: 1=straight_flush                                          recorded
        hit T4/1/1/1/main state                                                paid
        decide T2/1/1/1/main order=wagers                                      ordered
        hit T4/1/1/1/main amount_cents                                         500011
        hit T4/1/1/1/main state                                                disputed
        decide T4/1/1/1/main order=commit {BY_OTHERS} manager=Pat              ordered
        hit T4/1/1/1/main state                                                pending
        balance payable/T4/1/1/1/main                                          11000000
    """)


def test_a_paid_prize_whose_share_rises_waits_for_its_dispute() -> None:
    """Two shared a tenth and were paid, then T1's prize came; a corrected record leaves one of them the whole tenth."""
    Floor(LOCK, TABLES).play(f"""
        given pool/main 20000000000000                                         so
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=royal_flush 2=royal_flush                               recorded
        pay_out T2/1/1/1/main manager=Hal reason=film                          paid
        pay_out T2/1/1/2/main manager=Hal reason=film                          paid
        T1 record 1: 1=straight_flush                                          recorded
        T2 correct 1: 1 2=royal_flush by=Ida with=Jo                           corrected
        hit T2/1/1/2/main state                                                disputed
        decide T1/1/1/1/main order=commit {BY_OTHERS} manager=Pat              ordered
        hit T2/1/1/2/main state                                                pending
    """)


def test_the_decide_version_before_decides_as_it_did() -> None:
    """What version 2 posted is decided by it again: a second dispute did not hold what the first one held."""
    floor = Floor(LOCK, TABLES)
    floor.version = 2
    floor.play(f"""
        {TWO_DISPUTES}
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T2/1/1/1/main state                                                pending
        hit T3/1/1/1/main state                                                disputed
    """)
    assert not [act for hit in floor.state.hits.values() for act in hit.acts if act.move == "about"]
