"""Rule 12 held against the cases from the field, every ruling about it, and awards that can not be."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from rules.progressive import (
    SEATS,
    BadAward,
    ImpossibleAward,
    Reseed,
    Resolution,
    Winner,
    award,
    lift,
    prove,
    reseed,
)
from tests.support.terms import a_share, demo_terms, two_pool_terms, with_prize, with_rulings

CENT = 1_000_000
SHORT = {"R": "royal_flush", "S": "straight_flush", "Q": "four_of_a_kind", "H": "full_house", "F": "flush"}
LONG = {long: short for short, long in SHORT.items()}


def cents(dollars: str) -> int:
    """`9,500.00` in cents."""
    return int(dollars.replace(",", "").replace(".", ""))


def winners(text: str) -> list[Winner]:
    """`R5 S2` as winners: royal flush at seat 5, straight flush at seat 2."""
    return [Winner(int(word[1:]), SHORT[word[0]]) for word in text.split()]


def statement(resolution: Resolution) -> str:
    """The awards as they are paid: `S2 5,200.00+0.00`, what the pool gives and what is added."""
    return " ".join(
        f"{LONG[one.prize]}{one.seat} {dollars(one.from_pool_cents)}+{dollars(one.topup_cents + one.bonus_cents)}"
        for one in resolution.awards
    )


def dollars(amount: int) -> str:
    """Cents as `9,500.00`."""
    return f"{amount // 100:,}.{amount % 100:02}"


# jackpot | winners | statement: prize and seat, from the pool + added | left
CASES_FROM_THE_FIELD = """
100,000.00 | S4          | S4 10,000.00+0.00                                              | 90,000.00
100,000.00 | S1 S4       | S4 9,500.00+0.00 S1 9,500.00+0.00                              | 81,000.00
100,000.00 | S1 S2 S3    | S3 9,033.33+0.00 S2 9,033.33+0.00 S1 9,033.33+0.00             | 72,900.01
50,000.00  | S1 S4       | S4 4,750.00+250.00 S1 4,750.00+250.00                          | 40,500.00
50,100.00  | S4          | S4 5,010.00+0.00                                               | 45,090.00
45,090.00  | S4          | S4 4,509.00+491.00                                             | 40,581.00
40,581.00  | S4          | S4 4,058.10+941.90                                             | 36,522.90
100,000.00 | R5 S2       | S2 10,000.00+0.00 R5 90,000.00+0.00                            | 0.00
100,000.00 | R2 S5       | S5 10,000.00+0.00 R2 90,000.00+0.00                            | 0.00
52,000.00  | R5 S2       | S2 5,200.00+0.00 R5 46,800.00+3,200.00                         | 0.00
200,000.00 | R1 S2 R3 S4 | S4 19,000.00+0.00 S2 19,000.00+0.00 R3 81,000.00+0.00 R1 81,000.00+0.00 | 0.00
100,000.01 | R1 R2       | R2 50,000.00+0.00 R1 50,000.00+0.00                            | 0.01
180,000.00 | R1 R2 R3    | R3 60,000.00+0.00 R2 60,000.00+0.00 R1 60,000.00+0.00          | 0.00
120,000.00 | R3          | R3 120,000.00+0.00                                             | 0.00
0.00       | R3          | R3 0.00+50,000.00                                              | 0.00
0.00       | S3          | S3 0.00+5,000.00                                               | 0.00
70,000.00  | Q1 H2 F3    | F3 0.00+100.00 H2 0.00+150.00 Q1 0.00+500.00                   | 70,000.00
70,000.00  | F7 S4 H9    | H9 0.00+150.00 F7 0.00+100.00 S4 7,000.00+0.00                 | 63,000.00
70,000.00  | F7 S4 R2 H9 | S4 7,000.00+0.00 H9 0.00+150.00 F7 0.00+100.00 R2 63,000.00+0.00 | 0.00
70,000.00  |             |                                                                | 70,000.00
"""


@pytest.mark.parametrize("line", CASES_FROM_THE_FIELD.strip().splitlines())
def test_cases_from_the_field(line: str) -> None:
    """Cases 10 and 13 to 17: every amount to the cent, what is added, what stays, and the order in which it is paid."""
    jackpot, who, expected, left = (part.strip() for part in line.split("|"))
    resolution = award({"main": cents(jackpot) * CENT}, {}, winners(who), demo_terms())
    assert statement(resolution) == expected
    assert resolution.pool_after_microcents == {"main": cents(left) * CENT}
    assert resolution.falls == (("main",) if "R" in who else ())


# rulings | jackpot | winners | statement | left
RULINGS = """
odd_cents=up                 | 100,000.00 | S1 S2 S3 | S3 9,033.33+0.01 S2 9,033.33+0.01 S1 9,033.33+0.01 | 72,900.01
odd_cents=spread             | 100,000.00 | S1 S2 S3 | S3 9,033.34+0.00 S2 9,033.33+0.00 S1 9,033.33+0.00 | 72,900.00
odd_cents=up                 | 100,000.01 | R1 R2    | R2 50,000.00+0.01 R1 50,000.00+0.01                | 0.01
odd_cents=spread             | 100,000.01 | R1 R2    | R2 50,000.01+0.00 R1 50,000.00+0.00                | 0.00
odd_cents=up                 | 100,000.01 | S1       | S1 10,000.00+0.01                                  | 90,000.01
takes=exact                  | 100,000.95 | S1 S2    | S2 9,500.09+0.00 S1 9,500.09+0.00                  | 81,000.77
takes=each                   | 100,000.95 | S1 S2    | S2 9,500.08+0.00 S1 9,500.08+0.00                  | 81,000.79
takes=each                   | 100,000.01 | R1 R2    | R2 50,000.00+0.00 R1 50,000.00+0.00                | 0.01
topup_paid_by=pool           | 50,000.00  | S1 S2    | S2 5,000.00+0.00 S1 5,000.00+0.00                  | 40,000.00
topup_paid_by=pool           | 52,000.00  | S1 R4    | S1 5,200.00+0.00 R4 46,800.00+3,200.00             | 0.00
topup_paid_by=pool           | 7,000.00   | S1 S2    | S2 5,000.00+0.00 S1 2,000.00+3,000.00              | 0.00
topup_paid_by=pool           | 10,000.00  | S3 R1    | S3 5,000.00+0.00 R1 5,000.00+45,000.00             | 0.00
"""


@pytest.mark.parametrize("line", RULINGS.strip().splitlines())
def test_rulings(line: str) -> None:
    """Each ruling about rule 12 changes what it names, nothing else, and is named by the resolution that used it."""
    ruling, jackpot, who, expected, left = (part.strip() for part in line.split("|"))
    name, value = ruling.split("=")
    resolution = award({"main": cents(jackpot) * CENT}, {}, winners(who), with_rulings(**{name: value}))
    assert statement(resolution) == expected
    assert resolution.pool_after_microcents == {"main": cents(left) * CENT}
    if ruling != "takes=each" or "S" in who:
        assert ruling in resolution.rulings


def test_the_rounds_own_wagers_may_be_left_out_of_the_jackpot() -> None:
    """With `meter_includes_this_round` false a royal leaves this round's own wagers in the pool (12.1.1)."""
    held, own = {"main": 60_000_00 * CENT + 7}, {"main": 44 * CENT}
    with_own = award(held, own, winners("R1"), demo_terms())
    assert with_own.awards[0].amount_cents == 60_000_00
    assert with_own.pool_after_microcents == {"main": 7}
    without = award(held, own, winners("R1"), with_rulings(meter_includes_this_round=False))
    assert without.awards[0].amount_cents == 59_999_56
    assert without.meter_cents == {"main": 59_999_56}
    assert without.pool_after_microcents == {"main": 44 * CENT + 7}
    assert without.rulings == ("meter_includes_this_round=false",)


def test_a_fraction_of_a_cent_is_never_paid() -> None:
    """The jackpot is the whole cents shown; 7.5 cents of increment pays 7, and the half stays (12.1.1)."""
    terms = with_prize(demo_terms(), "royal_flush", minimum_cents=0)
    resolution = award({"main": 7_500_000}, {}, winners("R1"), terms)
    assert resolution.awards[0].amount_cents == 7
    assert resolution.pool_after_microcents == {"main": 500_000}


def test_a_straight_flush_may_have_a_pool_of_its_own() -> None:
    """Each pool pays its own prizes: a royal takes the main pool whole and leaves the other but for its share."""
    held = {"main": 70_000_00 * CENT, "minor": 40_000_00 * CENT}
    resolution = award(held, {}, winners("R1 S2 F3"), two_pool_terms())
    assert statement(resolution) == "S2 8,000.00+0.00 F3 0.00+100.00 R1 70,000.00+0.00"
    assert [one.pool for one in resolution.awards] == ["minor", "house", "main"]
    assert resolution.pool_after_microcents == {"main": 0, "minor": 32_000_00 * CENT}
    assert (resolution.falls, resolution.lowered) == (("main",), ("minor",))


def test_a_pool_of_later_terms_is_left_alone() -> None:
    """A round wagered under terms without the second pool takes nothing from it and says that it holds it all."""
    resolution = award({"main": 70_000_00 * CENT, "minor": 5}, {}, winners("R1 S2"), demo_terms())
    assert resolution.pool_after_microcents == {"main": 0, "minor": 5}
    assert resolution.meter_cents == {"main": 70_000_00}


def test_any_prize_that_takes_a_pool_whole_makes_it_fall() -> None:
    """A pool that a straight flush takes whole is to be reseeded, as one taken by a royal."""
    terms = with_prize(two_pool_terms(), "straight_flush", share_ppm=CENT)
    resolution = award({"main": 70_000_00 * CENT, "minor": 6_000_00 * CENT}, {}, winners("S2"), terms)
    assert (resolution.falls, resolution.lowered) == (("minor",), ())


def test_a_pool_pays_its_bonuses_out_of_what_the_shares_leave() -> None:
    """A royal gets 100% of the jackpot as shown; a bonus the pool was to pay is then the house's (12.1.1)."""
    terms = with_prize(demo_terms(), "flush", paid_by="pool", pool="main")
    alone = award({"main": 60_000_00 * CENT}, {}, winners("F4"), terms)
    assert (statement(alone), alone.lowered) == ("F4 100.00+0.00", ("main",))
    beside = award({"main": 60_000_00 * CENT}, {}, winners("F4 R1"), terms)
    assert statement(beside) == "F4 0.00+100.00 R1 60,000.00+0.00"
    nearly_empty = award({"main": 150_00 * CENT}, {}, winners("F2 F4"), terms)
    assert statement(nearly_empty) == "F4 100.00+0.00 F2 50.00+50.00"


def test_lower_share_prizes_are_taken_before_higher_ones() -> None:
    """Where four of a kind is a share too, it is taken before the straight flush, and that before the royal (12.4)."""
    quads = a_share("four_of_a_kind", "main", 10_000, 0)
    demo = demo_terms()
    terms = replace(demo, pay_table=tuple(quads if one.name == quads.name else one for one in demo.pay_table))
    resolution = award({"main": 100_000_00 * CENT}, {}, winners("R1 S2 Q3"), terms)
    assert statement(resolution) == "S2 9,900.00+0.00 Q3 1,000.00+0.00 R1 89,100.00+0.00"


@pytest.mark.parametrize(
    ("who", "rules"),
    [
        ("R5", ["R5 12.1.1"]),
        ("S5", ["S5 12.1.2"]),
        ("R5 S2", ["S2 12.1.2 12.2 12.4", "R5 12.1.1 12.2 12.4"]),
        ("S5 S2", ["S5 12.1.2 12.2 12.3.2", "S2 12.1.2 12.2 12.3.2"]),
        ("R5 R2", ["R5 12.1.1 12.2 12.3.1", "R2 12.1.1 12.2 12.3.1"]),
        ("Q3 H2 F1", ["Q3 12.1.3 12.2", "H2 12.1.4 12.2", "F1 12.1.5 12.2"]),
        ("R5 F2", ["R5 12.1.1 12.2", "F2 12.1.5 12.2"]),
        ("F5 F2", ["F5 12.1.5 12.2", "F2 12.1.5 12.2"]),
    ],
)
def test_every_award_names_its_rules(who: str, rules: list[str]) -> None:
    """A statement says under which clauses each amount was worked out."""
    resolution = award({"main": 60_000_00 * CENT}, {}, winners(who), demo_terms())
    named = [
        " ".join([f"{LONG[one.prize]}{one.seat}", *(rule.removeprefix("CSP ") for rule in one.rules)])
        for one in resolution.awards
    ]
    assert named == rules


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ([Winner(3, "flush"), Winner(3, "royal_flush")], "seat 3: named twice"),
        ([Winner(0, "flush")], "seat 0: not from 1"),
        ([Winner(SEATS + 1, "flush")], "seat 10: not from 1"),
        ([Winner(True, "flush")], "seat True: not from 1"),
        ([Winner(3, "straight")], "'straight' is no prize"),
        ([Winner(3, "")], "'' is no prize"),
    ],
)
def test_winners_no_round_can_have(bad: list[Winner], named: str) -> None:
    """A seat twice, a seat that is none, or a hand that wins no prize is refused and named; nothing is worked out."""
    with pytest.raises(BadAward, match=named):
        award({"main": 60_000_00 * CENT}, {}, bad, demo_terms())


@pytest.mark.parametrize(
    "changes",
    [
        {"from_pool_cents": 60_000_01, "amount_cents": 60_000_01},
        {"topup_cents": 1, "amount_cents": 60_000_01},
        {"topup_cents": -1, "amount_cents": 59_999_99},
        {"amount_cents": 50_000_00},
        {"from_pool_cents": 49_999_99, "amount_cents": 49_999_99},
        {"from_pool_cents": 50_000_00, "amount_cents": 50_000_00},
    ],
)
def test_an_impossible_award_is_proved_so(changes: dict[str, Any]) -> None:
    """Case 17: more than the pool holds, than meter and minimum, less than the minimum, parts that do not add up."""
    held = {"main": 60_000_00 * CENT}
    resolution = award(held, {}, winners("R5"), demo_terms())
    prove(resolution, held, demo_terms())
    wrong = replace(resolution, awards=(replace(resolution.awards[0], **changes),))
    with pytest.raises(ImpossibleAward):
        prove(wrong, held, demo_terms())


def test_more_than_the_minimum_is_impossible_where_the_meter_is_lower() -> None:
    """With the meter under the minimum a winner gets the minimum and not a cent more (case 17)."""
    held = {"main": 40_000_00 * CENT}
    resolution = award(held, {}, winners("R5"), demo_terms())
    royal = resolution.awards[0]
    wrong = replace(royal, topup_cents=royal.topup_cents + 1, amount_cents=royal.amount_cents + 1)
    with pytest.raises(ImpossibleAward, match="seat 5: 5000001 cents is not from 5000000 to 5000000"):
        prove(replace(resolution, awards=(wrong,)), held, demo_terms())


def test_awards_are_proved_before_they_are_given() -> None:
    """Terms that no check would pass, with a share above the whole, end in no award at all."""
    terms = with_prize(with_rulings(odd_cents="up"), "royal_flush", share_ppm=1_500_000)
    with pytest.raises(ImpossibleAward, match="seat 5"):
        award({"main": 60_000_00 * CENT}, {}, winners("R5"), terms)


def test_only_rulings_that_decided_something_are_named() -> None:
    """Two royals that divide were not subject to takes, odd cents or top-ups; bonuses to no ruling at all."""
    assert award({"main": 60_000_00 * CENT}, {}, winners("R1 R2"), with_rulings()).rulings == (
        "meter_includes_this_round=true",
        "topup_paid_by=house",
    )
    assert award({"main": 100_000_00 * CENT}, {}, winners("R1 R2"), with_rulings()).rulings == (
        "meter_includes_this_round=true",
    )
    assert award({"main": 100_000_00 * CENT}, {}, winners("F1 Q2"), with_rulings()).rulings == ()


def test_a_bonus_of_another_amount_is_impossible() -> None:
    """A fixed bonus is its amount, neither more nor less (12.1.3 to 12.1.5)."""
    held = {"main": 60_000_00 * CENT}
    resolution = award(held, {}, winners("F5"), demo_terms())
    for amount in (99_99, 100_01):
        wrong = replace(resolution.awards[0], bonus_cents=amount, amount_cents=amount)
        with pytest.raises(ImpossibleAward, match="seat 5"):
            prove(replace(resolution, awards=(wrong,)), held, demo_terms())


def test_a_pool_can_not_be_left_below_zero() -> None:
    """Awards that together take more than a pool holds are impossible even where each alone is not (case 17)."""
    held = {"main": 60_000_00 * CENT}
    once = award(held, {}, winners("R5"), demo_terms())
    twice = replace(
        once,
        awards=(once.awards[0], replace(once.awards[0], seat=4)),
        pool_after_microcents={"main": -60_000_00 * CENT},
    )
    with pytest.raises(ImpossibleAward, match="pool main"):
        prove(twice, held, demo_terms())


# left | overflow | reserve | limit | rulings -> after | from overflow | from reserve | from house
RESEEDS = """
0    | 0      | 0         | -      | seed | 50,000.00 | 0.00     | 0.00      | 50,000.00
0.01 | 0      | 80,000.00 | -      | seed | 50,000.01 | 0.00     | 50,000.00 | 0.00
0.01 | 120.00 | 30,000.00 | -      | seed | 50,120.01 | 120.00   | 30,000.00 | 20,000.00
0    | 120.00 | 0         | 50,100 | seed | 50,100.00 | 100.00   | 0.00      | 50,000.00
200  | 120.00 | 0         | 50,100 | seed | 50,200.00 | 0.00     | 0.00      | 50,000.00
0.01 | 120.00 | 80,000.00 | -      | none | 120.01    | 120.00   | 0.00      | 0.00
"""


@pytest.mark.parametrize("line", RESEEDS.strip().splitlines())
def test_reseed(line: str) -> None:
    """After a royal: what is left, the seed from reserve and then house, the overflow up to the limit (11.9.2)."""
    left, overflow, reserve, limit, reset, *expected = (part.strip() for part in line.split("|"))
    terms = with_rulings(reset=reset)
    pool = replace(terms.pools[0], limit_cents=None if limit == "-" else cents(limit) * 100)
    held = [cents(amount) * (1 if "." in amount else 100) * CENT for amount in (left, overflow, reserve)]
    assert reseed(held[0], held[1], held[2], pool, terms) == Reseed(*(cents(amount) * CENT for amount in expected))


def test_the_house_completes_a_reserve_with_a_fraction_of_a_cent() -> None:
    """A reserve of 7.5 cents gives all of it, and seed and house still add up to the microcent."""
    assert reseed(3, 0, 7_500_000, demo_terms().pools[0], demo_terms()) == Reseed(
        50_000_00 * CENT + 3, 0, 7_500_000, 50_000_00 * CENT - 7_500_000
    )


def test_a_pool_is_lifted_to_its_seed_only_where_the_terms_say_so() -> None:
    """A meter a straight flush took below the seed stays there, or is made whole by reserve, then house."""
    pool = demo_terms().pools[0]
    left, reserve = 45_090_00 * CENT, 1_000_00 * CENT
    assert lift(left, reserve, pool, demo_terms()) == Reseed(left, 0, 0, 0)
    terms = with_rulings(never_below_seed=True)
    assert lift(left, reserve, pool, terms) == Reseed(50_000_00 * CENT, 0, reserve, 3_910_00 * CENT)
    assert lift(50_000_01 * CENT, reserve, pool, terms) == Reseed(50_000_01 * CENT, 0, 0, 0)


def test_four_royals_at_the_seed_are_paid() -> None:
    """Case 17: four royals at J = 50,000.00 get 50,000.00 each, of which 150,000.00 is added."""
    awards = award({"main": 50_000_00 * CENT}, {}, winners("R1 R2 R3 R4"), demo_terms()).awards
    assert [one.amount_cents for one in awards] == [50_000_00] * 4
    assert sum(one.topup_cents for one in awards) == 150_000_00


def test_every_order_of_four_winners() -> None:
    """Case 16: the same seats in another order in the message, all 24 of them: the same amounts."""
    who = winners("R1 S2 S3 F4")
    results = [award({"main": 123_456_78 * CENT}, {}, list(order), demo_terms()) for order in permutations(who)]
    assert all(result == results[0] for result in results)
