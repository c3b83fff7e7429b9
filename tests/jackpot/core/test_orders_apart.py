"""What the wagers' order makes of a prize of which not all is its winner's: a share the pool keeps, a fund, a payment.

Two rounds draw on one meter; of the round recorded first another hand had fallen away, or part of a prize was paid,
before two people say that the other round came first (PROTOCOL 7). And which of its round's own wagers a jackpot leaves
out where the terms say so (`meter_includes_this_round`): those in its meter, in the order that holds.
"""

import pytest

from tests.support.floor import Floor
from tests.support.terms import with_rulings

KEPT = """
    given pool/main 10000000000000                                         so
    T1 wagers 1: 1                                                         accepted
    T2 wagers 1: 1 2                                                       accepted
    T2 record 1: 1=royal_flush 2=royal_flush                               recorded
    T1 record 1: 1=straight_flush                                          recorded
    release T2/1/1/1/main by=Cy with=Dee reason=film rule=16.15            released
    decide T1/1/1/1/main order=wagers                                      ordered
    hit T1/1/1/1/main amount_cents                                         1000006
"""
"""Of two royals the pool keeps one's share (16.15); the straight flush took its tenth first, after all."""


@pytest.mark.parametrize(
    ("version", "amount", "from_pool", "meter"),
    [(3, 5_000_000, 4_500_030, "95,000.30"), (2, 9_000_060, 9_000_060, "50,000.00")],
)
def test_a_share_that_the_pool_keeps_is_kept_in_either_order(
    version: int, amount: int, from_pool: int, meter: str
) -> None:
    """Half of $90,000.60 is the other royal's, half stays in the pool; in version 2 the winner had it all."""
    floor = Floor(with_rulings(rejected_share="kept", order_of_hits="lock"))
    floor.version = version
    floor.play(f"""
        {KEPT}
        hit T2/1/1/2/main amount_cents                                         {amount}
        hit T2/1/1/2/main from_pool_cents                                      {from_pool}
        meter                                                                  {meter}
    """)


FORFEITED = """
    given pool/main 30000000000000                                         so
    T1 wagers 1: 1                                                         accepted
    T2 wagers 1: 1 2                                                       accepted
    T2 record 1: 1=straight_flush 2=straight_flush                         recorded
    pay_out T2/1/1/2/main manager=Max reason=film                          paid
    T1 record 1: 1=royal_flush                                             recorded
    release T2/1/1/1/main by=Xi with=Yo reason=film rule=11.4              released
    balance payable/T2/1/1/2/main                                          150000000000
    reject T2/1/1/2/main by=Ki with=Le reason=minor rule=16.4              rejected
    forfeit T2/1/1/2/main by=Mo with=Ny reason=minor rule=16.4             forfeited
    balance forfeited                                                      150000000000
    decide T1/1/1/1/main order=wagers by=Qu with=Ru                        ordered
    hit T2/1/1/2/main amount_cents                                         500000
    hit T2/1/1/2/main state                                                forfeited
    balance payable/T2/1/1/2/main                                          0
    meter                                                                  45,000.00
"""
"""$28,500.06 were paid, $1,500.00 came after and went to the fund; in the wagers' order all of it is $5,000.00."""


@pytest.mark.parametrize(
    ("version", "fund", "recoverable", "paid"),
    [(3, 0, 2_350_006_000_000, 500_000_000_000), (2, -2_350_006_000_000, 0, 2_850_006_000_000)],
)
def test_a_fund_gives_no_more_of_a_prize_than_it_has_of_it(
    version: int, fund: int, recoverable: int, paid: int
) -> None:
    """What its player was paid beyond the amount is to be recovered; in version 2 other prizes' fund gave it."""
    floor = Floor(with_rulings(order_of_hits="lock"))
    floor.version = version
    floor.play(f"""
        {FORFEITED}
        balance forfeited                                                      {fund}
        balance recoverable                                                    {recoverable}
        balance paid                                                           {paid}
    """)


OWN = {
    "two royals change places": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main amount_cents                                         5000044
        T3 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 1=royal_flush                                             recorded
        hit T1/1/1/1/main amount_cents                                         5000088
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         5000022
        hit T2/1/1/1/main amount_cents                                         5000044
        meter                                                                  50,000.66
    """,
    "a tenth, after all before the royal that took the rest": """
        given pool/main 10000000000000                                         so
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main amount_cents                                         10000044
        T1 record 1: 1=straight_flush                                          recorded
        hit T1/1/1/1/main amount_cents                                         500002
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         1000002
        hit T2/1/1/1/main amount_cents                                         9000042
        meter                                                                  50,000.22
    """,
    "a tenth, after all of the meter that began after the royal": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        hit T2/1/1/1/main amount_cents                                         500004
        T1 record 1: 1=royal_flush                                             recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         5000022
        hit T2/1/1/1/main amount_cents                                         500004
        meter                                                                  45,000.40
    """,
    "of three royals the last comes first, wagered before all": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1 2 3                                                     accepted
        T2 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main amount_cents                                         5000110
        hit T3/1/1/1/main amount_cents                                         5000022
        T1 record 1: 1=royal_flush                                             recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         5000088
        hit T2/1/1/1/main amount_cents                                         5000044
        hit T3/1/1/1/main amount_cents                                         5000000
        meter                                                                  50,000.00
    """,
    "of three royals one was wagered after the first": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T3 wagers 1: 1 2 3                                                     accepted
        T3 record 1: 1=royal_flush                                             recorded
        hit T3/1/1/1/main amount_cents                                         5000022
        T1 record 1: 1=royal_flush                                             recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main amount_cents                                         5000022
        hit T2/1/1/1/main amount_cents                                         5000044
        hit T3/1/1/1/main amount_cents                                         5000000
        meter                                                                  50,000.66
    """,
    "its meter had been another's, who gave it back after": """
        T1 wagers 1: 1 2                                                       accepted
        T4 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T4 record 1: 1=royal_flush                                             recorded
        T2 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main amount_cents                                         5000022
        release T4/1/1/1/main by=Mo with=Ny reason=film rule=11.4              released
        T1 record 1: 1=royal_flush                                             recorded
        decide T1/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        hit T1/1/1/1/main amount_cents                                         5000022
        hit T2/1/1/1/main amount_cents                                         5000000
        meter                                                                  50,000.66
    """,
    "its meter went back and was taken again in one commit, as a record was corrected": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=royal_flush 2                                           recorded
        T2 correct 1: 1 2=royal_flush                                          corrected
        hit T2/1/1/2/main amount_cents                                         5000044
        T1 record 1: 1=royal_flush                                             recorded
        hit T1/1/1/1/main amount_cents                                         5000044
        decide T1/1/1/1/main order=wagers by=Qu with=Ru                        ordered
        hit T1/1/1/1/main amount_cents                                         5000044
        hit T2/1/1/2/main amount_cents                                         5000044
        meter                                                                  50,000.00
    """,
    "another winner of the round put first falls away after that": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=royal_flush 2=royal_flush                               recorded
        decide T1/1/1/1/main order=wagers                                      ordered
        hit T1/1/1/1/main from_pool_cents                                      2500011
        release T1/1/1/2/main by=Mo with=Ny reason=film rule=11.4              released
        hit T1/1/1/1/main amount_cents                                         5000022
    """,
}
"""T1's wagers put 44 cents into the meter, T2's 22, T3's 66; a royal takes all that is there but its round's own."""


@pytest.mark.parametrize("story", OWN.values(), ids=OWN.keys())
def test_which_of_its_own_wagers_a_jackpot_leaves_out_in_either_order(story: str) -> None:
    """Those in the meter that it is paid from: the round put first has its own there, who comes after it has not."""
    floor = Floor(with_rulings(meter_includes_this_round=False, order_of_hits="lock"), ("T1", "T2", "T3", "T4"))
    floor.play(story)
