"""Which of two tables' prizes came first, as tables of lines (PROTOCOL 7)."""

import pytest

from tests.support.floor import Floor
from tests.support.terms import two_pool_terms, with_rulings

ORDERS = {
    "case 60: the records' order holds: both amounts stand and both hits go on": """
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        verify T2/1/1/1/main by=Dee                                            verified
        approve T2/1/1/1/main by=Eve with=Fay                                  round_open
        T1 record 1: 3=royal_flush                                             recorded
        hit T1/1/1/3/main state                                                disputed
        hit T2/1/1/1/main state                                                disputed
        decide T1/1/1/3/main order=commit                                      ordered
        hit T1/1/1/3/main state                                                pending
        hit T2/1/1/1/main state                                                pending
        hit T2/1/1/1/main amount_cents                                         5000044
        hit T1/1/1/3/main amount_cents                                         5000000
        facts ordered                                                          1
        decide T1/1/1/3/main order=commit                                      illegal_move
    """,
    "case 60: the wagers' order holds, with a manager: each has what the other had had": """
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T3 wagers 1: 1 2                                                       accepted
        T1 record 1: 3=royal_flush                                             recorded
        decide T2/1/1/1/main order=wagers                                      name_needed
        decide T2/1/1/1/main order=wagers manager=Max                          ordered
        hit T1/1/1/3/main amount_cents                                         5000044
        hit T2/1/1/1/main amount_cents                                         5000000
        balance payable/T1/1/1/3/main                                          5000044000000
        balance payable/T2/1/1/1/main                                          5000000000000
        meter                                                                  50,000.44
        balance house                                                          -14999968000000
    """,
    "a straight flush before a royal: what one has less the other has not": """
        given pool/main 10000000000000                                         so
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main amount_cents                                         10000044
        T1 record 1: 3=straight_flush                                          recorded
        hit T1/1/1/3/main amount_cents                                         500000
        meter                                                                  45,000.00
        decide T1/1/1/3/main order=wagers manager=Max                          ordered
        hit T1/1/1/3/main amount_cents                                         1000004
        hit T2/1/1/1/main amount_cents                                         9000040
        meter                                                                  50,000.00
    """,
    "the first was paid: it stays paid, what is too much is to be recovered": """
        given pool/main 10000000000000                                         so
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        pay_out T2/1/1/1/main manager=Hal reason=film                          paid
        T1 record 1: 3=royal_flush                                             recorded
        hit T1/1/1/3/main state                                                disputed
        decide T1/1/1/3/main order=wagers manager=Max                          ordered
        hit T2/1/1/1/main state                                                paid
        hit T2/1/1/1/main amount_cents                                         5000000
        hit T1/1/1/3/main amount_cents                                         10000044
        balance recoverable                                                    5000044000000
        balance payable/T1/1/1/3/main                                          10000044000000
        balance paid                                                           5000000000000
        meter                                                                  50,000.00
        recover T2/1/1/1/main cents=5000044                                    recovered
    """,
    "the first was paid too little in the other order: the rest is held for the winner": """
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        pay_out T2/1/1/1/main manager=Hal reason=film                          paid
        given pool/main 20000000000000                                         so
        T1 record 1: 3=straight_flush                                          recorded
        hit T1/1/1/3/main amount_cents                                         2000000
        decide T1/1/1/3/main order=wagers manager=Max                          ordered
        hit T1/1/1/3/main amount_cents                                         500004
        hit T2/1/1/1/main amount_cents                                         500000
        balance recoverable                                                    4000000
        hit T2/1/1/1/main state                                                paid
    """,
    "one of the two was resolved and approved by itself: the other amount needs approvals of its own": """
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 3=royal_flush                                             recorded
        resolve T2/1/1/1/main by=Dee with=Eve reason=films                     pending
        verify T2/1/1/1/main by=Fay                                            verified
        approve T2/1/1/1/main by=Gus with=Hal                                  approved
        decide T1/1/1/3/main order=wagers manager=Max                          ordered
        hit T2/1/1/1/main state                                                verified
        hit T2/1/1/1/main approvers                                            4
        hit T2/1/1/1/main amount_cents                                         5000000
        hit T1/1/1/3/main state                                                pending
    """,
    "three tables: the last dispute is decided first, then the one before": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush                                             recorded
        T2 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1=royal_flush                                             recorded
        hit T1/1/1/1/main amount_cents                                         5000066
        decide T3/1/1/1/main order=wagers manager=Max                          ordered
        hit T3/1/1/1/main state                                                pending
        hit T3/1/1/1/main amount_cents                                         5000066
        hit T2/1/1/1/main state                                                disputed
        hit T1/1/1/1/main state                                                disputed
        hit T2/1/1/1/main amount_cents                                         5000000
        decide T2/1/1/1/main order=commit                                      same_person
        decide T2/1/1/1/main order=commit by=Hal with=Ida                      ordered
        hit T2/1/1/1/main state                                                pending
        hit T1/1/1/1/main state                                                pending
    """,
    "a prize that was released meanwhile gets nothing by any order": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2                                        recorded
        T2 record 1: 1=straight_flush 2=straight_flush                         recorded
        release T2/1/1/1/main by=Eve with=Fay reason=film rule=11.4            released
        meter                                                                  40,500.72
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
        hit T2/1/1/1/main state                                                released
        balance payable/T2/1/1/1/main                                          0
        hit T2/1/1/2/main amount_cents                                         500008
        hit T1/1/1/1/main amount_cents                                         500000
        meter                                                                  40,500.72
        balance recoverable                                                    0
    """,
    "all prizes of the round recorded last were released: no order is left, the other keeps its amount": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2                                        recorded
        T2 record 1: 1=straight_flush 2                                        recorded
        release T2/1/1/1/main by=Eve with=Fay reason=film rule=11.4            released
        decide T1/1/1/1/main order=wagers manager=Max                          not_offered
        decide T1/1/1/1/main order=commit                                      ordered
        hit T1/1/1/1/main state                                                pending
        hit T1/1/1/1/main amount_cents                                         500008
        hit T2/1/1/1/main state                                                released
        meter                                                                  45,000.80
        decide T1/1/1/1/main order=commit by=Gus with=Hal                      illegal_move
    """,
    "the first was paid and its round voided: it is to be recovered once": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        pay_out T1/1/1/1/main manager=Hal reason=film                          paid
        T2 record 1: 1=straight_flush                                          recorded
        T1 amend 1: rule=14.9                                                  void_recorded
        balance recoverable                                                    500004000000
        decide T2/1/1/1/main order=wagers manager=Max                          not_offered
        decide T2/1/1/1/main order=commit                                      ordered
        balance recoverable                                                    500004000000
        hit T1/1/1/1/main amount_cents                                         500004
        hit T2/1/1/1/main amount_cents                                         500000
    """,
    "the first was paid and its round voided before the second was recorded: nothing is in dispute": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T1 record 1: 1=straight_flush                                          recorded
        pay_out T1/1/1/1/main manager=Hal reason=film                          paid
        T1 amend 1: rule=14.9                                                  void_recorded
        T2 record 1: 1=straight_flush                                          recorded
        hit T2/1/1/1/main state                                                pending
    """,
    "a prize forfeited meanwhile has its share in either order, and nobody is owed it": """
        given pool/main 10000000000000                                         so
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2                                        recorded
        T2 record 1: 1=straight_flush 2=straight_flush                         recorded
        reject T2/1/1/1/main by=Cy with=Dee reason=film rule=16.4              rejected
        forfeit T2/1/1/1/main by=Eve with=Fay reason=film rule=16.4            forfeited
        balance forfeited                                                      855007000000
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
        hit T2/1/1/1/main state                                                forfeited
        balance payable/T2/1/1/1/main                                          0
        balance forfeited                                                      950008000000
        hit T2/1/1/2/main amount_cents                                         950008
        hit T1/1/1/1/main amount_cents                                         810007
        meter                                                                  72,900.65
    """,
    "a record corrected under a dispute: what it took away has no order any more": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2                                        recorded
        T2 record 1: 1=straight_flush 2                                        recorded
        T2 correct 1: 1 2=straight_flush                                       corrected
        decide T1/1/1/1/main order=wagers by=Gus with=Hal manager=Max          not_offered
        decide T1/1/1/1/main order=commit by=Gus with=Hal                      ordered
        hit T1/1/1/1/main state                                                pending
        hit T2/1/1/2/main state                                                pending
    """,
    "a prize that came again under a later record is another: the old dispute is not about it, the new one is": """
        T3 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T3 record 1: 1=straight_flush                                          recorded
        T2 record 1: 1=straight_flush                                          recorded
        T2 correct 1: 1 by=Gus with=Hal                                        corrected
        T1 wagers 1: 1                                                         accepted
        T2 correct 1: 1=straight_flush revision=3 by=Ida with=Jo               corrected
        T1 record 1: 1=straight_flush                                          recorded
        decide T3/1/1/1/main order=commit by=Kim with=Lea                      ordered
        hit T3/1/1/1/main state                                                pending
        hit T2/1/1/1/main state                                                disputed
        hit T1/1/1/1/main state                                                disputed
        decide T2/1/1/1/main order=commit by=Max with=Ned                      ordered
        hit T2/1/1/1/main state                                                pending
        hit T1/1/1/1/main state                                                pending
    """,
    "one had risen after it was paid, and comes to what was paid: nobody is to pay anything of it": """
        T2 wagers 1: 1                                                         accepted
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2=straight_flush                         recorded
        pay_out T1/1/1/1/main manager=Hal reason=film                          paid
        pay_out T1/1/1/2/main manager=Hal reason=film                          paid
        T2 record 1: 1=straight_flush                                          recorded
        T1 correct 1: 1=straight_flush 2 by=Ida with=Jo                        corrected
        hit T1/1/1/1/main state                                                disputed
        balance payable/T1/1/1/1/main                                          6000000
        T1 wagers 2: 1                                                         later:hit_open
        decide T2/1/1/1/main order=wagers manager=Max                          ordered
        hit T1/1/1/1/main state                                                paid
        hit T1/1/1/1/main amount_cents                                         500000
        raised T1/1/1/1/main                                                   0
        balance payable/T1/1/1/1/main                                          0
        balance recoverable                                                    500000000000
        T1 wagers 2: 1                                                         accepted
        T1 amend 1: rule=16.5 revision=3                                       void_recorded
        hit T1/1/1/1/main state                                                paid
        hit T1/1/1/1/main overpaid                                             True
        balance recoverable                                                    1000000000000
    """,
    "one had risen after it was paid, and comes to less: the rest goes back, what is too much is to be recovered": """
        given pool/main 10000000000000                                         so
        T2 wagers 1: 1                                                         accepted
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2=straight_flush                         recorded
        pay_out T1/1/1/1/main manager=Hal reason=film                          paid
        pay_out T1/1/1/2/main manager=Hal reason=film                          paid
        T2 record 1: 1=straight_flush                                          recorded
        T1 correct 1: 1=straight_flush 2 by=Ida with=Jo                        corrected
        hit T1/1/1/1/main state                                                disputed
        balance payable/T1/1/1/1/main                                          50000000000
        balance recoverable                                                    950006000000
        decide T2/1/1/1/main order=wagers manager=Max                          ordered
        hit T1/1/1/1/main state                                                paid
        hit T1/1/1/1/main amount_cents                                         900006
        balance payable/T1/1/1/1/main                                          0
        balance recoverable                                                    1000006000000
    """,
    "one had risen after it was paid, and has a rest still: it waits for the dispute before this one": """
        given pool/main 10000000000000                                         so
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T1 wagers 1: 1 2 3 4                                                   accepted
        T1 record 1: 1=straight_flush 2=straight_flush 3=straight_flush 4=straight_flush recorded
        pay_out T1/1/1/1/main manager=Hal reason=film                          paid
        T1 correct 1: 1=straight_flush 2 3 4 by=Ida with=Jo                    corrected
        T2 record 1: 1=straight_flush                                          recorded
        T3 record 1: 1=straight_flush                                          recorded
        hit T1/1/1/1/main state                                                disputed
        decide T3/1/1/1/main order=wagers manager=Max                          ordered
        hit T1/1/1/1/main state                                                disputed
        hit T1/1/1/1/main amount_cents                                         900011
        raised T1/1/1/1/main                                                   40250
        balance payable/T1/1/1/1/main                                          40250000000
        decide T2/1/1/1/main order=commit by=Kim with=Lea                      ordered
        hit T1/1/1/1/main state                                                pending
        balance payable/T1/1/1/1/main                                          40250000000
    """,
    "one had risen after it was paid and was rejected: no order brings it back": """
        given pool/main 10000000000000                                         so
        T2 wagers 1: 1                                                         accepted
        T1 wagers 1: 1 2 3 4                                                   accepted
        T1 record 1: 1=straight_flush 2=straight_flush 3=straight_flush 4=straight_flush recorded
        pay_out T1/1/1/1/main manager=Hal reason=film                          paid
        T1 correct 1: 1=straight_flush 2 3 4 by=Ida with=Jo                    corrected
        T2 record 1: 1=straight_flush                                          recorded
        reject T1/1/1/1/main by=Kim with=Lea reason=film rule=16.1             rejected
        decide T2/1/1/1/main order=wagers manager=Max                          ordered
        hit T1/1/1/1/main state                                                rejected
        release T1/1/1/1/main by=Moe with=Ned reason=film rule=16.1            released
        balance payable/T1/1/1/1/main                                          0
    """,
    "what is refused": """
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        decide T2/1/1/1/main order=commit                                      illegal_move
        verify T2/1/1/1/main by=Dee                                            verified
        T1 record 1: 3=royal_flush settled=off                                 disputed
        decide T1/1/1/3/main order=commit by=-                                 name_needed
        decide T1/1/1/3/main order=commit with=-                               name_needed
        decide T1/1/1/3/main order=commit with=ann                             same_person
        decide T1/1/1/3/main order=commit reason=-                             reason_needed
        decide T1/1/1/3/main order=commit by=Dee                               same_person
        decide T1/1/1/3/main order=commit                                      not_offered
        T1 correct 1: 3=royal_flush by=Ida with=Jo                             corrected
        hit T1/1/1/3/main state                                                disputed
        hit T1/1/1/3/main marks                                                order,corrected
        decide T1/1/1/3/main order=commit                                      ordered
        hit T1/1/1/3/main state                                                pending
    """,
}


@pytest.mark.parametrize("story", [*ORDERS.values()], ids=[*ORDERS])
def test_an_order_decided(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


def test_the_terms_say_the_wagers_order() -> None:
    """`order_of_hits` lock: it needs no manager, the other one does."""
    Floor(with_rulings(order_of_hits="lock")).play("""
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 3=royal_flush                                             recorded
        decide T2/1/1/1/main order=commit                                      name_needed
        decide T2/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/3/main amount_cents                                         5000044
    """)


def test_terms_of_the_wagers_order_leave_nobody_waiting() -> None:
    """`order_of_hits` lock: once the other prize was released no manager is asked, and the table may go on (9.5)."""
    Floor(with_rulings(order_of_hits="lock")).play("""
        T1 wagers 1: 3                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        T1 record 1: 3=straight_flush                                          recorded
        release T2/1/1/1/main by=Eve with=Fay reason=film rule=11.4            released
        resolve T1/1/1/3/main by=Gus with=Hal reason=film                      not_offered
        decide T1/1/1/3/main order=wagers                                      not_offered
        decide T1/1/1/3/main order=commit                                      ordered
        hit T1/1/1/3/main state                                                pending
    """)


def test_a_dispute_without_another_side_leaves_the_other_pools_alone() -> None:
    """The royal that another table had is released: that settles the one meter, the straight flushes' is held still."""
    Floor(two_pool_terms()).play("""
        T1 wagers 1: 3 4                                                       accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=royal_flush 2=straight_flush                            recorded
        T1 record 1: 3=royal_flush 4=straight_flush                            recorded
        release T2/1/1/1/main by=Eve with=Fay reason=film rule=11.4            released
        decide T1/1/1/3/main order=commit by=Gus with=Hal                      ordered
        hit T1/1/1/3/main state                                                pending
        hit T1/1/1/4/minor state                                               disputed
        hit T2/1/1/2/minor state                                               disputed
        decide T1/1/1/4/minor order=wagers manager=Max                         ordered
        hit T1/1/1/4/minor state                                               pending
        hit T2/1/1/2/minor state                                               pending
    """)


def test_the_order_of_one_pool_leaves_the_other_alone() -> None:
    """Royals from the one, straight flushes from the other: a dispute is about one meter."""
    Floor(two_pool_terms()).play("""
        T1 wagers 1: 3 4                                                       accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=royal_flush 2=straight_flush                            recorded
        T1 record 1: 3=royal_flush 4                                           recorded
        hit T2/1/1/2/minor state                                               pending
        decide T2/1/1/1/main order=wagers manager=Max                          ordered
        hit T2/1/1/2/minor state                                               pending
        hit T2/1/1/1/main state                                                pending
    """)
