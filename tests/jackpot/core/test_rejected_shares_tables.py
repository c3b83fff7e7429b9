"""What the others get when winners of one meter fall away one after the other, each under a rule of its own (12.3).

The meter shows $100,000.00 as three straight flushes share it: 10 % of it, of what is left, and of what is left then,
$27,100.00, is $9,033.33 each and a cent that stays. Two would have $19,000.00, $9,500.00 each; one has $10,000.00.
Three royals share $300,000.00: $100,000.00 each; two have $150,000.00 each, one has it all. `rejected_share` kept: who
may not play (16.15) held a hand that qualified; that share is the pool's, whoever of the others falls away before or
after. Under every other rule the hand counts for nothing, and the round is resolved without it.
"""

from collections.abc import Callable
from itertools import product

import pytest

from tests.support.floor import Floor
from tests.support.terms import with_rulings

THREE, TWO, ONE = 903_333, 950_000, 1_000_000
METER = 10_000_000
INCREMENT = 22
STAFF, NO_HAND = "16.15", "11.4"
CASES = [
    # setting, rule of the first, of the second; then the others' cents after each, and the pool's
    ("recomputed", STAFF, STAFF, (TWO, METER - 2 * TWO), (ONE, METER - ONE)),
    ("recomputed", STAFF, NO_HAND, (TWO, METER - 2 * TWO), (ONE, METER - ONE)),
    ("recomputed", NO_HAND, STAFF, (TWO, METER - 2 * TWO), (ONE, METER - ONE)),
    ("recomputed", NO_HAND, NO_HAND, (TWO, METER - 2 * TWO), (ONE, METER - ONE)),
    ("kept", STAFF, STAFF, (THREE, METER - 2 * THREE), (THREE, METER - THREE)),
    ("kept", STAFF, NO_HAND, (THREE, METER - 2 * THREE), (TWO, METER - TWO)),
    ("kept", NO_HAND, STAFF, (TWO, METER - 2 * TWO), (TWO, METER - TWO)),
    ("kept", NO_HAND, NO_HAND, (TWO, METER - 2 * TWO), (ONE, METER - ONE)),
]


def shared(setting: str, prize: str = "straight_flush", meter: int = METER, seats: int = 3) -> Floor:
    """A floor on which the seats of a round have the same prize, from a meter of so many cents."""
    floor = Floor(with_rulings(rejected_share=setting))
    every = range(1, seats + 1)
    floor.play(f"T1 wagers 1: {' '.join(map(str, every))}  accepted\ngiven pool/main {meter * 1_000_000}  so")
    floor.play(f"T1 record 1: {' '.join(f'{seat}={prize}' for seat in every)}  recorded")
    return floor


def fall(floor: Floor, seat: int, rule: str) -> None:
    """Two people whom nobody has met release a seat's prize."""
    floor.play(f"release T1/1/1/{seat}/main by=r{seat} with=s{seat} reason=film rule={rule}  released")


def void(floor: Floor, seat: int, rule: str) -> None:
    """Two people void a seat: its prize falls away, and its wager goes back, 22 cents of it from the pool."""
    rule = rule if rule == STAFF else "14.8"
    floor.play(f"T1 amend 1: {seat} rule={rule} revision={len(floor.batches) + 2}  void_recorded")


def holds(floor: Floor, cents: dict[int, int], pool: int, paid: dict[int, int]) -> None:
    """Each seat has so many cents; what is not paid of them is held; the pool has the rest."""
    for seat, amount in cents.items():
        floor.play(f"""
            hit T1/1/1/{seat}/main amount_cents  {amount}
            balance payable/T1/1/1/{seat}/main  {(amount - paid.get(seat, 0)) * 1_000_000}
        """)
    floor.play(f"balance pool/main  {pool * 1_000_000}")


@pytest.mark.parametrize("paid", [(), (3,), (2, 3)], ids=["nobody paid", "one paid", "both paid"])
@pytest.mark.parametrize("by", [fall, void])
@pytest.mark.parametrize(("setting", "first", "second", "then", "last"), CASES)
def test_two_of_three_fall_away(
    by: Callable[[Floor, int, str], None],
    setting: str,
    first: str,
    second: str,
    then: tuple[int, int],
    last: tuple[int, int],
    paid: tuple[int, ...],
) -> None:
    """In either order of the rules the one who stays has the same, whoever had been paid before."""
    floor = shared(setting)
    for seat in paid:
        floor.play(f"pay_out T1/1/1/{seat}/main  paid")
    had = dict.fromkeys(paid, THREE)
    by(floor, 1, first)
    wagers = INCREMENT if by is void else 0
    holds(floor, {2: then[0], 3: then[0]}, then[1] - wagers, had)
    if 2 in paid:
        # What was paid falls away by a void alone; the house makes the pool whole of it.
        void(floor, 2, second)
        wagers += INCREMENT
        floor.play(f"balance recoverable  {THREE * 1_000_000}")
    else:
        by(floor, 2, second)
        wagers += INCREMENT if by is void else 0
    holds(floor, {3: last[0]}, last[1] - wagers, had)


@pytest.mark.parametrize("setting", ["recomputed", "kept"])
@pytest.mark.parametrize("rules", list(product((STAFF, NO_HAND), repeat=3)), ids=" ".join)
def test_where_nobody_stays_the_pool_has_it_all(setting: str, rules: tuple[str, ...]) -> None:
    """Whatever the rules, in any order."""
    floor = shared(setting)
    house = floor.balance("house")
    for seat, rule in enumerate(rules, start=1):
        fall(floor, seat, rule)
    holds(floor, {}, METER, {})
    assert floor.balance("house") == house


@pytest.mark.parametrize(
    ("setting", "first", "then", "pool"),
    [
        ("recomputed", STAFF, ONE, METER - ONE),
        ("recomputed", NO_HAND, ONE, METER - ONE),
        ("kept", STAFF, TWO, METER - TWO),
        ("kept", NO_HAND, ONE, METER - ONE),
    ],
)
@pytest.mark.parametrize("second", [STAFF, NO_HAND])
def test_two_winners(setting: str, first: str, then: int, pool: int, second: str) -> None:
    """One falls away, then the other: there is nobody left whose share could grow."""
    floor = shared(setting, seats=2)
    holds(floor, {1: TWO, 2: TWO}, METER - 2 * TWO, {})
    fall(floor, 1, first)
    holds(floor, {2: then}, pool, {})
    fall(floor, 2, second)
    holds(floor, {}, METER, {})


ROYALS = 30_000_000
SEED = 5_000_000


@pytest.mark.parametrize(
    ("setting", "first", "second", "then", "last"),
    [
        ("recomputed", STAFF, NO_HAND, 15_000_000, 30_000_000),
        ("kept", STAFF, STAFF, 10_000_000, 10_000_000),
        ("kept", STAFF, NO_HAND, 10_000_000, 15_000_000),
        ("kept", NO_HAND, STAFF, 15_000_000, 15_000_000),
        ("kept", NO_HAND, NO_HAND, 15_000_000, 30_000_000),
    ],
)
def test_royals(setting: str, first: str, second: str, then: int, last: int) -> None:
    """A share that the pool keeps of a meter taken whole is in the next meter, on its seed."""
    floor = shared(setting, "royal_flush", ROYALS)
    holds(floor, dict.fromkeys((1, 2, 3), 10_000_000), SEED, {})
    fall(floor, 1, first)
    holds(floor, {2: then, 3: then}, SEED + ROYALS - 2 * then, {})
    fall(floor, 2, second)
    holds(floor, {3: last}, SEED + ROYALS - last, {})
    fall(floor, 3, NO_HAND)
    # Nobody has it: the seed goes back to reserve and house.
    holds(floor, {}, ROYALS, {})


def test_a_share_that_is_only_rejected_is_its_own_still() -> None:
    """Its money is held until it is released; then all of it is the pool's, with what it had grown by (16.15)."""
    floor = shared("kept")
    floor.play("reject T1/1/1/1/main by=r1 with=s1 reason=film rule=16.15  rejected")
    fall(floor, 2, NO_HAND)
    holds(floor, {1: TWO, 3: TWO}, METER - 2 * TWO, {})
    floor.play("release T1/1/1/1/main by=u1 with=v1 reason=film rule=16.15  released")
    holds(floor, {3: TWO}, METER - TWO, {})


def test_a_corrected_record_leaves_a_kept_share_where_it_is() -> None:
    """The second hand was none, by a record that shows the first: the third has what two of three share."""
    floor = shared("kept")
    fall(floor, 1, STAFF)
    floor.play("T1 correct 1: 1=straight_flush 2 3=straight_flush  corrected")
    holds(floor, {3: TWO}, METER - TWO, {})


def test_an_older_version_decides_as_it_did() -> None:
    """What versions 1 and 2 have posted they post again: the share that was kept went to who stayed."""
    floor = shared("kept")
    floor.version = 2
    fall(floor, 1, STAFF)
    fall(floor, 2, NO_HAND)
    holds(floor, {3: ONE}, METER - ONE, {})


@pytest.mark.parametrize(
    ("record", "then", "pool"),
    [
        ("1 2=straight_flush 3=straight_flush", {2: TWO, 3: TWO}, METER - 2 * TWO),
        ("1 2 3=straight_flush", {3: ONE}, METER - ONE),
        ("1=straight_flush 2=straight_flush 3=straight_flush", {2: THREE, 3: THREE}, METER - 2 * THREE),
    ],
)
def test_a_kept_share_of_a_hand_that_was_none(record: str, then: dict[int, int], pool: int) -> None:
    """The pool keeps a share only where the hand qualified: a corrected record that shows none ends it."""
    floor = shared("kept")
    fall(floor, 1, STAFF)
    floor.play(f"T1 correct 1: {record}  corrected")
    holds(floor, then, pool, {})
    if 2 in then and then[2] == TWO:
        fall(floor, 2, NO_HAND)
        holds(floor, {3: ONE}, METER - ONE, {})


LONG_AGO = "".join(
    f"T2 wagers {number}: 1 2  accepted\nT2 record {number}: 1=flush 2=flush  recorded\n"
    f"pay_out T2/1/{number}/1/house  paid\npay_out T2/1/{number}/2/house  paid\n"
    for number in range(1, 34)
)
"""More prizes than a state keeps of those that have ended."""
OUT = {
    "a pool's": "T1 amend 1: 1 rule=16.15  void_recorded",
    "a pool's, of a prize released before": """
        release T1/1/1/1/main by=Mo with=Ny reason=film rule=16.15  released
        T1 amend 1: 1 rule=16.15                               void_recorded
    """,
    "a fund's": """
        forfeit T1/1/1/1/main by=Mo with=Ny reason=minor rule=16.4  forfeited
        T1 amend 1: 1 rule=16.5                                void_recorded
    """,
}


@pytest.mark.parametrize("long_ago", ["", LONG_AGO], ids=["lately", "long ago"])
@pytest.mark.parametrize("out", OUT.values(), ids=OUT.keys())
def test_a_share_of_a_void_seat_is_nobody_elses_however_long_ago(out: str, long_ago: str) -> None:
    """Of three royals one is out and one falls away: the third has half, not all, when 64 other prizes have ended."""
    floor = Floor(with_rulings(rejected_share="kept"))
    floor.play(f"""
        given pool/main 30000000000000                                         so
        T1 wagers 1: 1 2 3                                                     accepted
        T1 record 1: 1=royal_flush 2=royal_flush 3=royal_flush                 recorded
        pay_out T1/1/1/2/main                                                  paid
        pay_out T1/1/1/3/main                                                  paid
        {out}
        {long_ago}
        T1 correct 1: 1 2 3=royal_flush revision=3 manager=Max                 corrected
        hit T1/1/1/3/main amount_cents                                         15000033
    """)
