"""The odds agree with what is published, to the last printed digit, and every row adds up."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from rules.games import GAMES
from rules.odds import Row, decimal_text, jackpot, rows, rows_under
from rules.odds.four_card_poker import best_fours
from rules.schedules import SHIPPED, chosen, parse_schedule, shipped
from tests.support.schedules import edited


def edge(row: Row, places: int = 3) -> str:
    """A house edge as it is printed: in percent."""
    return decimal_text(100 * row.house_edge, places)


def only(found: Sequence[Row], wager: str, **settings: str) -> Row:
    """The first row of a wager under these readings."""
    return next(row for row in found if row.wager == wager and settings.items() <= dict(row.settings).items())


@pytest.fixture(scope="module")
def every_row() -> dict[str, list[Row]]:
    """Every row of every game, counted once; of Four Card Poker those of Aces Up, for its ante takes a minute."""
    counted = {game: list(rows(game)) for game in GAMES if game != "four_card_poker"}
    aces_up = [shipped(name) for name in SHIPPED if name.startswith("fcp_aces_up")]
    return counted | {"four_card_poker": [row for schedule in aces_up for row in rows_under(schedule)]}


def test_every_row_adds_up(every_row: dict[str, list[Row]]) -> None:
    """The ways of a row's outcomes are all the ways there are, each outcome stands once, and nothing is sampled."""
    for row in (each for found in every_row.values() for each in found):
        assert {each.of for each in row.outcomes} == {sum(each.ways for each in row.outcomes)}, row
        assert len({each.outcome for each in row.outcomes}) == len(row.outcomes)
        assert all(each.ways > 0 for each in row.outcomes)
        assert (row.method, row.standard_error) == ("exact", None)
        assert row.house_edge == -row.expected_return


def test_every_schedule_and_wager_has_a_row(every_row: dict[str, list[Row]]) -> None:
    """No wager that a schedule pays is left out; what is paid on no wager of its own stands in the ante's row."""
    for game, found in every_row.items():
        named = {name for row in found for name in row.schedule.split(", ")}
        wagers = {row.wager for row in found}
        for wager, schedule in chosen(game, GAMES[game].schedules).items():
            if game != "four_card_poker" or wager == "aces_up":
                assert schedule.name in named
                assert wager == "ante_bonus" or any(each.startswith(wager) for each in wagers), wager


def test_caribbean_stud(every_row: dict[str, list[Row]]) -> None:
    """CSP 10.1: 5.199 % of the ante under best play; 5.224 % where a royal pays 100 to 1."""
    assert edge(only(every_row["caribbean_stud"], "ante")) == "5.199"
    text = edited("csp_10_1", ('royal_flush = "250 to 1"', 'royal_flush = "100 to 1"'))
    assert edge(only(list(rows_under(parse_schedule(text))), "ante")) == "5.224"


def test_three_card_poker(every_row: dict[str, list[Row]]) -> None:
    """TCP 10: 3.373 % of the ante with 5-4-1, played from queen, six and four up; Pair Plus 40-30-6-4-1 2.317 %."""
    ante = only(every_row["three_card_poker"], "ante", dealer_qualifies="value")
    assert (edge(ante), ante.schedule.split(", ")[-1]) == ("3.373", "tcp_ante_bonus_5_4_1")
    assert ante.strategy.endswith("from Three Odd Cards, queen six four up")
    assert edge(only(every_row["three_card_poker"], "pair_plus")) == "2.317"


def test_casino_war(every_row: dict[str, list[Row]]) -> None:
    """WAR 8, 10: 2.330 % always to war, 3.70 % always surrendered, 18.650 % on the tie."""
    to_war, surrendered = (row for row in every_row["casino_war"] if row.wager == "initial")
    assert (edge(to_war), edge(surrendered, 2)) == ("2.330", "3.70")
    assert edge(only(every_row["casino_war"], "tie")) == "18.650"


@pytest.mark.parametrize(
    ("wager", "settings", "percent"),
    [
        ("small", {}, "2.78"),
        ("odd", {}, "2.78"),
        ("even", {"even_on_10": "lose", "even_on_666": "lose"}, "27.78"),
        ("even", {"even_on_10": "win", "even_on_666": "lose"}, "2.78"),
        ("specific_triple", {}, "16.20"),
        ("any_triple", {}, "11.11"),
        ("total_4", {}, "12.50"),
        ("two_dice", {}, "2.78"),
        ("single_die", {}, "3.70"),
        ("super_streak_small", {}, "9.81"),
    ],
)
def test_sic_bo(every_row: dict[str, list[Row]], wager: str, settings: dict[str, str], percent: str) -> None:
    """SIC 7.1, 7.2 and the ruling on Even: 27.78 % by the letter of its list, 2.78 % with the total of 10."""
    assert edge(only(every_row["sic_bo"], wager, **settings), 2) == percent


def test_a_streak_counts_every_length_by_its_chance(every_row: dict[str, list[Row]]) -> None:
    """SIC 6.3: of 4,096 streaks of a side that comes as often as the other, 128 are of four, one of twelve."""
    ways = {each.outcome: (each.ways, each.of) for each in only(every_row["sic_bo"], "super_streak_big").outcomes}
    assert (ways["4_in_a_row"], ways["12_in_a_row"], ways["lose"]) == ((128, 4096), (1, 4096), (3840, 4096))


def test_aces_up() -> None:
    """FCP 10.5: the published counts of best fours of five, and 3.89 % and 1.98 % of the wager."""
    kinds: Counter[str] = Counter()
    for value, ways in best_fours().items():
        kinds[value.category] += ways
    assert kinds["four_of_a_kind"] == 624
    assert kinds["straight_flush"] == 2_072
    assert sum(kinds.values()) == 2_598_960
    first, second = (
        next(rows_under(shipped(name))) for name in ("fcp_aces_up_50_40_8_5_4_3_1", "fcp_aces_up_50_40_9_6_4_2_1")
    )
    assert (edge(first, 2), edge(second, 2)) == ("3.89", "1.98")


def test_the_progressive_wager_breaks_even_where_published() -> None:
    """CSP 12.1: with 500, 150 and 100 for a wager of $1 the meter is $159,810.53; a cent on either side shows it."""
    assert decimal_text(jackpot.break_even_cents() * Fraction(1, 100), 2) == "159810.53"
    assert jackpot.row(15_981_052).house_edge > 0 > jackpot.row(15_981_053).house_edge
    assert tuple(jackpot.hand_counts().values()) == (
        *(4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540),
    )
