"""How limits change at a table, minute by minute: 6.5 and 6.6 of the card games, 4.5 and 4.6 of Sic Bo."""

import pytest

from rules.limits import Limits
from rules.tables import ActRefused, Table, advance, alter, minimums, on_display, show_minimum, with_old_minimums
from tests.support.table_story import BOSS, OPENED_US, Story, a_table, moment, sign_of

WITH_A_SIGN = """
0  join ann 1                  | ok
0  min 1                       | 10
0  max 1                       | 500
1  show 25 1000 at 20:59.999999 | {alter}: not 20 minutes
1  show 25 1000 at 21          | ok
1  show 30 1000 at 22          | {alter}: taken down first
1  signs                       | {sign}@none {alter_n}@none
2  join ben 2                  | ok
20:59.999999 min 1             | 10
20:59.999999 min 2             | 10
21 min 1                       | 25
21 min 2                       | 25
21 min 3                       | 25
21 max 1                       | 1000
21 markers                     | none
21 signs                       | {sign}@none
"""

ALTERED_AT_ONCE = """
0  join ann 1                  | ok
0  alter 25 500                | {alter}: 20 minutes before
0  alter 10 200                | ok
0  max 1                       | 200
1  alter 5 200                 | ok
1  min 1                       | 5
1  alter 10 200                | {alter}: 20 minutes before
2  show 10 200 at 22           | ok
3  down minimum                | ok
3  down minimum                | {alter}: no such sign
30 min 1                       | 5
"""

RAISED_AT_ONCE = """
0  join ann 1                  | ok
0  raise 10 500                | {at_once}: no minimum rises
1  raise 25 1000               | ok
1  told places a marker in front of box 1 | ok
1  told the old limits and the new | ok
1  markers                     | 1
1  min 1                       | 10
1  max 1                       | 1000
1  min 2                       | 25
1  signs                       | {sign}@none {two}@1
2  join ben 2                  | ok
2  told box 2 is new and plays by the new minimum ({new}) | ok
2  min 2                       | 25
2  markers                     | 1
3  raise 50 1000               | ok
3  min 1                       | 10
3  min 2                       | 25
3  min 3                       | 50
3  signs                       | {sign}@none {two}@1 {two}@2
4  change ann 3                | ok
4  told moves the marker       | ok
4  markers                     | 2 3
4  min 3                       | 10
5  leave ann                   | ok
5  told removes the marker at box 3 | ok
5  markers                     | 2
6  join ann 3                  | ok
6  min 3                       | 50
7  alter 20 1000               | ok
7  told removes the marker at box 2 | ok
7  markers                     | none
7  min 2                       | 20
"""

OLD_MINIMUM = """
0  join ann 1                  | ok
0  old 15 at 20                | {old}: nobody plays by an old minimum
1  raise 50 500                | ok
2  join ben 2                  | ok
2  old 60 at 30                | {old}: above the table's
2  old 25 at 21:59.999999      | {old}: not 20 minutes
2  old 25 at 22                | ok
2  signs                       | {sign}@none {two}@1 {old_n}@1
21:59.999999 min 1             | 10
22 min 1                       | 25
22 max 1                       | 500
22 min 2                       | 50
22 markers                     | 1
23 show 100 500 at 43          | ok
43 min 1                       | 25
43 min 2                       | 100
44 old 100 at 64               | ok
64 min 1                       | 100
64 markers                     | none
64 signs                       | {sign}@none
"""

OWN_LIMITS = """
0  join ann 1                  | ok
0  own ann 10 500              | {own}: no maximum is in excess
0  own ann 5 5000              | {own}: below the player's
0  own zoe 10 5000             | {own}: does not play
0  own ann 100 5000            | ok
0  told places the sign        | ok
0  min 1                       | 100
0  max 1                       | 5000
0  max 2                       | 500
0  signs                       | {sign}@none {own_n}@1
1  unown ann                   | ok
1  unown ann                   | {own}: no limits of his own
1  max 1                       | 500
1  min 1                       | 10
2  own ann 10 5000             | ok
2  leave ann                   | ok
2  told removes the sign       | ok
2  join ann 1                  | ok
2  max 1                       | 500
"""

RULES = {
    "CSP": ("6.1", "6.5", "6.5.1", "6.5.2", "6.5.3", "6.6"),
    "TCP": ("6.1", "6.5", "6.5.1", "6.5.2", "6.5.3", "6.6"),
    "FCP": ("6.1", "6.5", "6.5.1", "6.5.2", "6.5.3", ""),
    "WAR": ("6.1", "6.5", "6.5.1", "6.5.2", "6.5.3", "6.6"),
    "SIC": ("4.1", "4.5", "", "", "", "4.6"),
}


def tell(book: str, story: str) -> Story:
    """A story with a book's own rule numbers."""
    sign, alter_, at_once, old, two, own = RULES[book]
    told = Story(a_table(book))
    told.tell(
        story.format(
            sign=sign,
            alter=f"{book} {alter_}",
            alter_n=alter_,
            at_once=f"{book} {at_once}",
            old=f"{book} {old}",
            old_n=old,
            two=two,
            own=f"{book} {own}",
            new=f"{book} 6.5.4",
            own_n=own,
        )
    )
    return told


@pytest.mark.parametrize("book", RULES)
def test_a_minimum_rises_with_a_sign_twenty_minutes_ahead(book: str) -> None:
    """A minimum rises for everybody at the proposed time of a sign shown 20 minutes before, no microsecond sooner."""
    tell(book, WITH_A_SIGN)


@pytest.mark.parametrize("book", RULES)
def test_limits_are_altered_at_any_time_but_no_minimum_rises(book: str) -> None:
    """A maximum moves and a minimum falls at once; a minimum rises by no alteration, nor by a sign taken down."""
    tell(book, ALTERED_AT_ONCE)


@pytest.mark.parametrize("book", ["CSP", "TCP", "FCP", "WAR"])
def test_a_minimum_raised_at_once_binds_newcomers_alone(book: str) -> None:
    """Who plays already keeps the old minimum, with a marker that goes with him; who arrives plays by the new."""
    tell(book, RAISED_AT_ONCE)


@pytest.mark.parametrize("book", ["CSP", "TCP", "FCP", "WAR"])
def test_the_old_minimum_rises_with_a_sign_of_its_own(book: str) -> None:
    """The pre-existing minimum rises by its own sign of 20 minutes, not by the table's, and never above the table's."""
    tell(book, OLD_MINIMUM)


@pytest.mark.parametrize("book", ["CSP", "TCP", "WAR", "SIC"])
def test_a_player_may_have_limits_on_a_sign(book: str) -> None:
    """A sign of a player's own lifts the maximum for that player alone, and goes when the player does."""
    tell(book, OWN_LIMITS)


def test_sic_bo_raises_no_minimum_at_once() -> None:
    """Sic Bo knows neither a minimum raised at once nor an old one: its minimum rises with the sign alone."""
    Story(a_table("SIC")).tell(
        """
        0 raise 25            | SIC 4.5: only with a sign
        0 old 25 at 20        | SIC 4.5: nobody plays by an old minimum
        """
    )


def test_four_card_poker_has_no_own_limits() -> None:
    """The book of Four Card Poker has no rule by which a player wagers above the maximum."""
    Story(a_table("FCP")).tell(
        """
        0 join ann 1          | ok
        0 own ann 10 5000     | FCP 6.1: no rule of this book
        0 unown ann           | FCP 6.1: no limits of his own
        """
    )


MARKER_RULES = {"CSP": "CSP 6.5.1.1", "TCP": "TCP 6.5.1.3", "FCP": "FCP 6.5.1.3", "WAR": "WAR 6.5.1.3"}


@pytest.mark.parametrize(("book", "rule"), MARKER_RULES.items())
def test_a_marker_lies_where_the_player_is(book: str, rule: str) -> None:
    """A marker is placed at the box at which the player is, and taken away when he leaves, each by its clause."""
    story = Story(a_table(book))
    story.tell("0 join ann 2 | ok\n0 raise 25 | ok")
    assert story.told[0] == f"dealer: places a marker in front of box 2 ({rule})"
    story.tell("0 leave ann | ok")
    assert story.told == [f"dealer: removes the marker at box 2 ({book} 6.5.1.2)"]


def test_a_marker_stands_at_one_of_several_boxes() -> None:
    """With several areas the marker stands at the player's box, and the old minimum holds on all of them."""
    Story(a_table("WAR")).tell(
        """
        0 join ann 2   | ok
        0 take ann 1   | ok
        0 raise 25     | ok
        0 markers      | 2
        0 min 1        | 10
        0 min 2        | 10
        0 min 3        | 25
        """
    )


def test_the_unit_goes_with_its_minimum() -> None:
    """Who plays by the old minimum plays by its unit, as far as it is the old minimum, under the new maximum."""
    old, new = sign_of("TCP", 10, 500, 5), sign_of("TCP", 25, 1000, 25)
    held = with_old_minimums(old, new)
    assert (held.ante_min_cents, held.ante_unit_cents, held.ante_max_cents) == (1000, 500, 100_000)
    assert with_old_minimums(new, old) == old


def test_each_area_rises_by_itself() -> None:
    """Where one minimum of several rises, the old limits differ from the new in that one alone."""
    story = Story(a_table("TCP"))
    story.tell("0 join ann 1 | ok\n0 raise 25 | ok")
    before = story.table.limits_of(1)
    assert minimums(before) == {"ante": 1000, "pair_plus": 1}
    assert minimums(story.table.sign) == {"ante": 2500, "pair_plus": 1}


def test_signs_of_several_times_take_effect_in_order() -> None:
    """Two signs whose times have both come take effect in the order of their times, not in that of their showing."""
    story = Story(a_table())
    story.tell(
        """
        0  join ann 1        | ok
        1  raise 50 500      | ok
        2  show 100 500 at 50 | ok
        2  old 25 500 at 40  | ok
        3  alter 15 500      | ok
        39 markers           | 1
        40 markers           | none
        40 min 1             | 15
        60 min 1             | 100
        """
    )
    assert advance(story.table, moment("60")).table.posted == ()


def test_a_sign_says_from_when_on() -> None:
    """A sign with a proposed time stands at the table with its new limits and that time; one of closing has none."""
    story = Story(a_table())
    story.tell("0 join ann 1 | ok\n0 show 25 at 20 | ok\n0 closing 30 | ok")
    shown = [(each.rule, each.limits, each.from_us) for each in on_display(story.table)]
    assert shown == [
        ("CSP 6.1", sign_of("CSP", 10, 500), None),
        ("CSP 6.5", sign_of("CSP", 25), moment("20")),
        ("CSP 16.9", None, moment("30")),
    ]


def test_time_never_goes_back() -> None:
    """An act before the last one is a mistake of the program, and is refused as such."""
    table = advance(a_table(), moment("5")).table
    with pytest.raises(ValueError, match=f"at_us: {OPENED_US}: before the last act"):
        advance(table, OPENED_US)


def test_somebody_says_so() -> None:
    """Limits are altered by somebody with a name, which is written down with the moment and the rule."""
    with pytest.raises(ActRefused, match=r"CSP 6\.5: person: missing"):
        alter(a_table(), sign_of("CSP", 5), " ", OPENED_US)
    step = show_minimum(a_table(), sign_of("CSP", 25), moment("20"), BOSS, OPENED_US)
    assert [(each.kind, each.rule, each.person) for each in step.written] == [("sign", "CSP 6.5", BOSS)]


def test_a_sign_of_nothing_stated_holds_nobody() -> None:
    """A sign without a maximum gives no player limits above it."""
    table: Table[Limits] = Table("CSP", Limits(), OPENED_US)
    story = Story(table)
    story.tell("0 join ann 1 | ok\n0 own ann 1 5000 | CSP 6.6: no maximum is in excess")
