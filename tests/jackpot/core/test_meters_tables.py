"""From which account a wager goes back where winners took the meter it is in, and gave it back: each cent by hand.

A wager of $1.00 put 22 cents into the meter, 8 into the reserve, 70 were retained. The 22 are in the meter unless a
winner has them still who took it whole: then they are the reserve's, and the house's (`void_after_award`).
"""

from dataclasses import replace

import msgspec
import pytest

from jackpot.core.commands import NewTerms
from rules.terms import Terms, canonical_bytes
from tests.support.floor import Floor
from tests.support.terms import demo_terms, two_pool_terms, with_prize, with_rulings

FROM_THE_METER = """
        moved pool/main                                                        -22000000
        moved reserve                                                          -8000000
        moved house                                                            0
"""
WITH_A_WINNER = """
        moved pool/main                                                        0
        moved reserve                                                          -30000000
        moved house                                                            0
"""
ENOUGH = "given reserve 100000000 so"
TAKEN = """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
"""
PAID_AND_VOID = """
        pay_out T2/1/1/1/main manager=Mo reason=film                           paid
        T2 amend 1: rule=14.9                                                  void_recorded
"""
RELEASED = "release T2/1/1/1/main by=Cy with=Dee reason=film rule=11.4 released"
VOIDS = {
    "withdrawn": "T1 withdraw 1: withdrawn",
    "void": "T1 void 1: voided",
    "void after its record": """
        T1 record 1: 1                                                         recorded
        T1 amend 1: rule=14.4                                                  void_recorded
    """,
}
MEANWHILE = {
    "it stands": (TAKEN, WITH_A_WINNER),
    "corrected away": (f"{TAKEN}\nT2 correct 1: 1 corrected", FROM_THE_METER),
    "released": (f"{TAKEN}\n{RELEASED}", FROM_THE_METER),
    "void": (f"{TAKEN}\nT2 amend 1: rule=14.9 void_recorded", FROM_THE_METER),
    "paid and void: the house has made the meter whole": (f"{TAKEN}\n{PAID_AND_VOID}", FROM_THE_METER),
    "rejected, its money still held": (
        f"{TAKEN}\nreject T2/1/1/1/main by=Cy with=Dee reason=film rule=11.4 rejected",
        WITH_A_WINNER,
    ),
    "one of two is released: the other has it all": (
        """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=royal_flush 2=royal_flush                               recorded
        release T2/1/1/1/main by=Cy with=Dee reason=film rule=11.4             released
        """,
        WITH_A_WINNER,
    ),
    "both are released, one after the other": (
        """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=royal_flush 2=royal_flush                               recorded
        release T2/1/1/1/main by=Cy with=Dee reason=film rule=11.4             released
        release T2/1/1/2/main by=Cy with=Dee reason=film rule=11.4             released
        """,
        FROM_THE_METER,
    ),
    "released, and a third table's royal took all that was back": (
        f"{TAKEN}\n{RELEASED}\nT3 wagers 1: 1 accepted\nT3 record 1: 1=royal_flush recorded",
        WITH_A_WINNER,
    ),
    "a third table's royal took the next meter, then the first went back": (
        f"{TAKEN}\nT3 wagers 1: 1 accepted\nT3 record 1: 1=royal_flush recorded\n{RELEASED}",
        FROM_THE_METER,
    ),
    "a third table's royal took the next meter and went back; the first stands": (
        f"{TAKEN}\nT3 wagers 1: 1 accepted\nT3 record 1: 1=royal_flush recorded\nT3 correct 1: 1 corrected",
        WITH_A_WINNER,
    ),
    "one record later it was the other seat's: it went back and was taken in one commit": (
        """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=royal_flush 2                                           recorded
        T2 correct 1: 1 2=royal_flush                                          corrected
        """,
        WITH_A_WINNER,
    ),
}


@pytest.mark.parametrize("void", VOIDS.values(), ids=VOIDS.keys())
@pytest.mark.parametrize(("story", "moved"), MEANWHILE.values(), ids=MEANWHILE.keys())
def test_a_wager_goes_back_from_where_it_is(story: str, moved: str, void: str) -> None:
    """Open or recorded, void or withdrawn: another table's royal decides only while somebody has it (11.9.2, 14.4)."""
    Floor().play(f"{story}\n{ENOUGH}\n{void}\n{moved}")


OWN = {
    "its own royal, after another's that went back, is void with it": f"""
        {TAKEN}
        T2 correct 1: 1                                                        corrected
        T1 record 1: 1=royal_flush                                             recorded
        T1 amend 1: rule=14.4                                                  void_recorded
        {FROM_THE_METER}
        meter                                                                  50,000.22
    """,
    "its own royal was released before": f"""
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush                                             recorded
        release T1/1/1/1/main by=Cy with=Dee reason=film rule=11.4             released
        {ENOUGH}
        T1 amend 1: rule=14.4                                                  void_recorded
        {FROM_THE_METER}
        meter                                                                  50,000.00
    """,
    "its own royal was corrected away before": f"""
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush                                             recorded
        T1 correct 1: 1                                                        corrected
        {ENOUGH}
        T1 amend 1: rule=14.4 revision=3                                       void_recorded
        {FROM_THE_METER}
        meter                                                                  50,000.00
    """,
    "its own royal took the next meter, another's the one its wager was in; that one goes back first": f"""
        {TAKEN}
        T1 record 1: 1=royal_flush                                             recorded
        T2 correct 1: 1                                                        corrected
        meter                                                                  50,000.44
        {ENOUGH}
        T1 amend 1: rule=14.4                                                  void_recorded
        {FROM_THE_METER}
        meter                                                                  50,000.22
    """,
    "its own royal took the next meter and goes back; another's has the meter its wager was in": f"""
        {TAKEN}
        T1 record 1: 1=royal_flush                                             recorded
        {ENOUGH}
        T1 amend 1: rule=14.4                                                  void_recorded
        {WITH_A_WINNER}
    """,
}


@pytest.mark.parametrize("story", OWN.values(), ids=OWN.keys())
def test_a_rounds_own_prize(story: str) -> None:
    """What the round's own prize took is in the meter again once it has gone back, by whichever act."""
    Floor().play(story)


BY_WAGERS = """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T1 record 1: 1                                                         recorded
        T3 record 1: 1=royal_flush                                             recorded
        T2 record 1: 1=royal_flush                                             recorded
        decide T2/1/1/1/main order=wagers manager=Max                          ordered
        hit T2/1/1/1/main amount_cents                                         5000066
        hit T3/1/1/1/main amount_cents                                         5000000
"""


BETWEEN = {
    "two royals, after the first": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T3 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1                                                         recorded
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
        meter                                                                  50,000.22
    """,
    "a royal put before a tenth, after the tenth": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        T3 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1                                                         recorded
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
        meter                                                                  45,000.22
    """,
}
BEFORE = {
    "a royal put before a tenth, after the royal that was resolved with the tenth was corrected away": """
        T1 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=straight_flush 2=royal_flush                            recorded
        T1 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1                                                         recorded
        T2 correct 1: 1=straight_flush 2                                       corrected
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
        hit T1/1/1/1/main amount_cents                                         5000088
        meter                                                                  45,000.00
    """,
    "the same, and all that was back is taken by another royal, which is released later": """
        T1 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T2 wagers 1: 1 2                                                       accepted
        T2 record 1: 1=straight_flush 2=royal_flush                            recorded
        T1 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1                                                         recorded
        T2 correct 1: 1=straight_flush 2                                       corrected
        T4 wagers 1: 1                                                         accepted
        T4 record 1: 1=royal_flush                                             recorded
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
        hit T1/1/1/1/main amount_cents                                         5000088
        release T4/1/1/1/main by=Mo with=Ny reason=film rule=11.4              released
        meter                                                                  45,000.22
    """,
    "a royal put before a tenth, before the tenth": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        T1 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1                                                         recorded
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
    """,
    "a royal put before a tenth and a royal, between those": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T4 wagers 1: 1                                                         accepted
        T2 record 1: 1=straight_flush                                          recorded
        T3 wagers 1: 1                                                         accepted
        T4 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=royal_flush                                             recorded
        T3 record 1: 1                                                         recorded
        decide T1/1/1/1/main order=wagers manager=Max                          ordered
        release T1/1/1/1/main by=Mo with=Ny reason=film rule=11.4              released
    """,
}


@pytest.mark.parametrize(
    ("story", "moved"),
    [*[(story, FROM_THE_METER) for story in BETWEEN.values()], *[(story, WITH_A_WINNER) for story in BEFORE.values()]],
    ids=[*BETWEEN, *BEFORE],
)
def test_what_was_wagered_between_two_prizes_stays_where_it_fell(story: str, moved: str) -> None:
    """What the round put first had taken of it is in the pool again, and goes back from there (PROTOCOL 7)."""
    floor = Floor(tables=("T1", "T2", "T3", "T4"))
    floor.play(story)
    floor.play(f"{ENOUGH}\nT3 amend 1: rule=14.4  void_recorded\n{moved}")


@pytest.mark.parametrize(("back", "moved"), [("T2", FROM_THE_METER), ("T3", WITH_A_WINNER)])
def test_by_the_wagers_order_another_winner_has_it(back: str, moved: str) -> None:
    """Two royals change places: the meter the wager was in is the one's now that was recorded last (PROTOCOL 7)."""
    Floor().play(f"""
        {BY_WAGERS}
        {back} amend 1: rule=14.9                                              void_recorded
        {ENOUGH}
        T1 amend 1: rule=14.4                                                  void_recorded
        {moved}
    """)


def test_a_royal_of_long_ago() -> None:
    """No state has the released hit any more: what became of a meter is not forgotten with it."""
    floor = Floor()
    floor.play(
        f"T1 wagers 1: 1  accepted\nT1 record 1: 1  recorded\nT2 wagers 1: 1 accepted\n"
        f"T2 record 1: 1=royal_flush recorded\n{RELEASED}\nT2 wagers 2: 1 accepted\nT2 record 2: 1 recorded"
    )
    for number in range(1, 67):
        floor.play(f"""
            T3 wagers {number}: 1                                              accepted
            T3 record {number}: 1=flush                                        recorded
            pay_out T3/1/{number}/1/house                                      paid
        """)
    assert not [hit for hit in floor.state.hits if hit.table == "T2"]
    floor.play(f"T1 amend 1: rule=14.4  void_recorded\n{FROM_THE_METER}")


def test_a_meter_without_a_seed() -> None:
    """`reset` none: nothing seeds the meter, and what went back is in it all the same."""
    Floor(with_rulings(reset="none")).play(f"{TAKEN}\nT2 correct 1: 1 corrected\nT1 void 1: voided\n{FROM_THE_METER}")


def test_an_older_version_decides_as_it_did() -> None:
    """What versions 1 and 2 have posted they post again: once an epoch had ended, the reserve paid."""
    floor = Floor()
    floor.version = 2
    floor.play(f"{TAKEN}\nT2 correct 1: 1 corrected\n{ENOUGH}\nT1 void 1: voided\n{WITH_A_WINNER}")


def test_a_ledger_that_an_older_version_began() -> None:
    """Nobody noted the falls of that time; those from then on are, whatever came before them."""
    floor = Floor()
    floor.version = 2
    floor.play(f"{TAKEN}\n{ENOUGH}")
    floor.version = 3
    floor.play(f"""
        T1 void 1:                                                             voided
        {WITH_A_WINNER}
        T1 wagers 2: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T3 record 1: 1=royal_flush                                             recorded
        T3 correct 1: 1                                                        corrected
        {ENOUGH}
        T1 void 2:                                                             voided
        {FROM_THE_METER}
    """)


OWN_LEFT_OUT = """
    T1 wagers 1: 1 2                                                       accepted
    T2 wagers 1: 1                                                         accepted
    T2 record 1: 1=royal_flush                                             recorded
    hit T2/1/1/1/main amount_cents                                         5000044
    T3 wagers 1: 1 2 3                                                     accepted
    meter                                                                  50,000.88
    T1 record 1: 1=royal_flush                                             recorded
"""
"""T2's royal is without its own 22 cents, and has T1's 44; T1's royal comes from the meter that began then."""


@pytest.mark.parametrize(("version", "amount", "left"), [(3, 5_000_088, "50,000.00"), (2, 5_000_044, "50,000.44")])
def test_a_jackpot_leaves_none_of_its_own_wagers_out_that_another_winner_has(
    version: int, amount: int, left: str
) -> None:
    """Under `meter_includes_this_round` false: what is not in the meter is not left out of it. Version 2 did that."""
    floor = Floor(with_rulings(meter_includes_this_round=False))
    floor.version = version
    floor.play(f"{OWN_LEFT_OUT}\nhit T1/1/1/1/main amount_cents  {amount}\nmeter  {left}")


def pools_of(floor: Floor, other: Terms) -> None:
    """Let the pools and prizes of other terms be in force."""
    floor.terms = replace(other, version=floor.terms.version + 1)
    raw = msgspec.Raw(canonical_bytes(floor.terms))
    assert floor.act(NewTerms(floor.terms.name, floor.terms.version, raw, "Ann", "Bob")).later is None


@pytest.mark.parametrize(
    ("back", "minor", "reserve"),
    [("release T1/1/1/1/minor by=Cy with=Dee reason=film rule=11.4  released", -7_000_000, -8_000_000),
     ("pay_out T1/1/1/1/minor  paid", 0, -15_000_000)],
)  # fmt: skip
def test_a_pool_that_was_left_out_has_what_came_back_to_it(back: str, minor: int, reserve: int) -> None:
    """Taken whole, left out of the terms, and taken in again: who has its meter has the wagers' seven cents too.

    A prize that was released meanwhile had given it back: then they are in the pool, which runs on with its new seed.
    """
    two = with_prize(two_pool_terms(), "straight_flush", share_ppm=1_000_000)
    pools = (two.pools[0], replace(two.pools[1], increment_ppm=70_000))
    two = replace(two, pools=pools, retained_ppm=670_000, rulings=with_rulings(reset="none").rulings)
    floor = Floor(two)
    floor.play("""
        T1 wagers 1: 1 2                                                       accepted
        T1 record 1: 1=straight_flush 2                                        recorded
        balance pool/minor                                                     0
    """)
    pools_of(floor, demo_terms())
    floor.play(back)
    pools_of(floor, two)
    floor.play(f"""
        pool minor epoch                                                       3
        T1 amend 1: 2 rule=16.5                                                void_recorded
        moved pool/minor                                                       {minor}
        moved reserve                                                          {reserve}
    """)
