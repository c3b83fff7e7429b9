"""Who plays at a table, where, and who may not: seats, areas, directions, devices, exclusion, employees."""

import pytest

from rules.irregularities.collusion import Direction
from rules.play import Move
from rules.tables import PROVISIONS, Measure, direct
from rules.tables.table import ActRefused
from tests.support.table_story import BOSS, OPENED_US, Story, a_table

BOOKS = ("CSP", "TCP", "FCP", "WAR", "SIC")

ONE_HAND = {"CSP": "CSP 5.8", "TCP": "TCP 5.6", "FCP": "FCP 5.5"}
IN_USE = {"CSP": "CSP 5.9", "TCP": "TCP 5.7", "FCP": "FCP 5.6", "WAR": "WAR 5.5", "SIC": "SIC 3.15"}


@pytest.mark.parametrize(("book", "rule"), ONE_HAND.items())
def test_a_player_has_one_hand(book: str, rule: str) -> None:
    """Where a player may not wager on more than one hand, he has one seat, takes no second, and wagers on no other."""
    Story(a_table(book)).tell(
        f"""
        0 join ann 1       | ok
        0 join ann 2       | {rule}: plays at this table already
        0 take ann 2       | {rule}: one hand
        0 place 1 ann      | ok
        0 place 2 ann      | {rule}: ann plays on area 1
        0 join ben 1       | {IN_USE[book]}: it is in use
        0 wait zoe         | {PROVISIONS[book].sign}: area 2 is free
        0 reserve ann 2    | {rule}: no rule of this book
        """
    )


def test_casino_war_gives_several_areas_and_takes_them_back() -> None:
    """A player may have several areas (WAR 5.6) until others wait for a seat, to whom they are given up (5.6.1)."""
    Story(a_table("WAR", places=4)).tell(
        """
        0 join ann 2       | ok
        0 take ann 1       | ok
        0 take ann 1       | WAR 5.5: it is in use
        0 take ann 3       | ok
        0 join ben 4       | ok
        0 place 3 ann      | ok
        0 place 4 ann      | WAR 5.5: area 4 is ben's
        0 spare            | none
        1 wait zoe         | ok
        1 wait zoe         | WAR 5.6.1: waits or plays already
        1 wait ben         | WAR 5.6.1: waits or plays already
        1 spare            | 3
        1 may 3            | WAR 5.6.1: zoe waits
        1 may 1            | ok
        1 give_up ann 2    | WAR 5.6.1: beside box 2
        1 give_up ann 4    | WAR 5.6.1: beside box 2
        2 give_up ann 3    | ok
        2 take ann 3       | WAR 5.6.1: zoe waits
        2 may 1            | ok
        2 join zoe 3       | ok
        2 spare            | none
        3 leave ann        | ok
        3 wait yan         | WAR 5.6.1: area 1 is free
        """
    )


def test_casino_war_reserves_areas_for_a_player() -> None:
    """Reserved areas are for the sole use of one player (WAR 5.9), and are not given up to who waits (5.6.1)."""
    Story(a_table("WAR", places=4)).tell(
        """
        0 join ann 1       | ok
        0 join ben 4       | ok
        0 reserve ann 1 2 3 | ok
        0 reserve ann 4    | WAR 5.9: in use
        0 reserve zoe 2    | WAR 5.9: reserved for another
        0 join zoe 2       | WAR 5.9: reserved for another
        0 may 2            | WAR 5.9: area 2 is reserved for ann
        0 take ben 3       | WAR 5.9: reserved for another
        0 take ann 2       | ok
        0 take ann 3       | ok
        0 may 3            | ok
        0 wait zoe         | ok
        0 spare            | none
        0 may 3            | ok
        1 leave ann        | ok
        1 join zoe 2       | ok
        """
    )


@pytest.mark.parametrize("book", ["CSP", "TCP", "FCP", "SIC"])
def test_only_casino_war_reserves_areas(book: str) -> None:
    """No other book lets a supervisor reserve areas for a player."""
    story = Story(a_table(book))
    assert "no rule of this book reserves" in story.line("0 reserve ann 1")


def test_sic_bo_limits_how_many_play() -> None:
    """A casino supervisor may limit the number of players (SIC 3.15), and nobody joins beyond it."""
    Story(a_table("SIC")).tell(
        """
        0 limit 0          | SIC 3.15: not from 1 to 3
        0 limit 4          | SIC 3.15: not from 1 to 3
        0 limit 1          | ok
        0 join ann 1       | ok
        0 join ben 2       | SIC 3.15: 1 players play already
        0 join ben 1       | SIC 3.15: 1 players play already
        0 limit 2          | ok
        0 join ben 1       | SIC 3.15: it is in use
        0 join ben 2       | ok
        0 take ben 3       | SIC 3.15: one hand
        """
    )
    assert "limits the number of players" in Story(a_table("CSP")).line("0 limit 2")


@pytest.mark.parametrize("book", BOOKS)
def test_three_rounds_without_a_wager_at_a_full_table(book: str) -> None:
    """After three rounds in a row without a wager, all other seats in use, a player may be asked for the seat."""
    rule = PROVISIONS[book].abstain
    Story(a_table(book)).tell(
        f"""
        0 join ann 1       | ok
        0 join ben 2       | ok
        0 begin            | ok
        1 end 1            | ok
        1 join zoe 3       | ok
        1 begin            | ok
        2 end 1 3          | ok
        2 begin            | ok
        3 end 1 3          | ok
        3 ask ben          | {rule}: abstained for 2 rounds
        3 begin            | ok
        4 end 1 3          | ok
        4 told may ask ben to vacate box 2 | ok
        4 ask ann          | {rule}: abstained for 0 rounds
        4 ask yan          | {rule}: does not play
        4 ask ben          | ok
        4 join ben 2       | ok
        4 ask ben          | {rule}: abstained for 0 rounds
        """
    )


@pytest.mark.parametrize("book", BOOKS)
def test_nobody_is_asked_for_a_seat_in_a_round(book: str) -> None:
    """In a round of play, in which the player may have wagered, nobody is asked for the seat."""
    story = Story(a_table(book, places=2))
    story.tell("0 join ann 1 | ok\n0 join ben 2 | ok")
    for minute in range(1, 4):
        story.tell(f"{minute} begin | ok\n{minute} end 1 | ok")
    story.tell(f"4 begin | ok\n4 ask ben | {PROVISIONS[book].abstain}: a round of play\n4 end 1 2 | ok")
    story.tell(f"4 ask ben | {PROVISIONS[book].abstain}: abstained for 0 rounds")


@pytest.mark.parametrize("book", BOOKS)
def test_the_count_begins_anew(book: str) -> None:
    """A wager, or a seat that falls free, ends the row of rounds without a wager; a free seat ends the asking."""
    rule = PROVISIONS[book].abstain
    story = Story(a_table(book, places=2))
    rounds = "\n".join(f"{n} begin | ok\n{n} end 1 | ok" for n in range(1, 3))
    story.tell(f"0 join ann 1 | ok\n0 join ben 2 | ok\n{rounds}\n3 begin | ok\n3 end 1 2 | ok")
    story.tell(f"3 ask ben | {rule}: abstained for 0 rounds")
    story.tell(rounds.replace("1 ", "4 ", 1).replace("1 ", "4 ", 1).replace("2 ", "5 ").replace("4 end 4", "4 end 1"))
    story.tell("6 begin | ok\n6 leave ann | ok\n6 end 1 | ok")
    story.tell(f"6 ask ben | {rule}: abstained for 0 rounds\n6 join ann 1 | ok")
    story.tell("7 begin | ok\n7 end 1 | ok\n8 begin | ok\n8 end 1 | ok\n9 begin | ok\n9 end 1 | ok")
    story.tell(f"9 leave ann | ok\n9 ask ben | {rule}: area 1 is free\n9 end 1 | {rule}: no round of play")


def test_areas_reserved_or_played_by_one_player_are_in_use() -> None:
    """In Casino War a player's wager on any of his areas counts, and a reserved area is in use."""
    Story(a_table("WAR", places=4)).tell(
        """
        0 join ann 1   | ok
        0 take ann 2   | ok
        0 reserve zoe 4 | ok
        0 join ben 3   | ok
        1 begin        | ok
        1 end 2        | ok
        2 begin        | ok
        2 end 2        | ok
        3 begin        | ok
        3 end 2        | ok
        3 ask ann      | WAR 13.9: abstained for 0 rounds
        3 ask ben      | ok
        """
    )


COLLUSION = {"CSP": "CSP 14.13", "TCP": "TCP 12.11", "FCP": "FCP 12.12"}


@pytest.mark.parametrize(("book", "rule"), COLLUSION.items())
def test_directions_against_collusion(book: str, rule: str) -> None:
    """Players kept apart do not play together: the first there plays on, the other neither joins nor wagers."""
    story = Story(a_table(book))
    story.tell(
        f"""
        0 join ann 1              | ok
        1 join ben 2              | ok
        1 first                   | none
        2 direct play_first ben   | ok
        2 first                   | 2
        2 english                 | False
        2 direct english_only     | ok
        2 english                 | True
        3 direct apart ann ben zoe | ok
        3 may 1                   | ok
        3 may 2                   | {rule}.2: directed not to play together with ann
        3 place 2 ben             | {rule}.2: directed not to play together with ann
        3 join zoe 3              | {rule}.2: directed not to play together with ann, ben
        4 leave ann               | ok
        4 may 2                   | ok
        """
    )
    kinds = [(entry.kind, entry.rule) for step in story.steps for entry in step.written]
    assert kinds == [("direction", f"{rule}.1"), ("direction", f"{rule}.3"), ("direction", f"{rule}.2")]
    assert [move for step in story.steps for move in step.moves] == [Move("direct_first", 2), Move("direct_english")]


def test_a_direction_is_the_tables_book() -> None:
    """A direction is given by the book the table plays by; Casino War and Sic Bo have none."""
    with pytest.raises(ActRefused, match=r"TCP 12\.11\.3: book: TCP: the table plays by CSP"):
        direct(a_table("CSP"), Direction("TCP", "english_only", frozenset(), BOSS, "signals"), OPENED_US)


DEVICES = {
    "CSP": ("CSP 16.2", "CSP 16.3", "CSP 16.4", True),
    "TCP": ("TCP 14.2", "TCP 14.3", "TCP 14.4", False),
    "FCP": ("FCP 14.1", "FCP 14.2", "FCP 14.3", False),
    "WAR": ("WAR 13.1", "WAR 13.2", "WAR 13.3", True),
    "SIC": ("SIC 9.6", "SIC 9.7", "SIC 9.8", False),
}


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_done_about_a_prohibited_device(book: str) -> None:
    """A supervisor voids the wagers, puts the person out of game or casino, and where the book says so has him held."""
    _, duty, measures, detains = DEVICES[book]
    story = Story(a_table(book))
    detained = "ok" if detains else f"{measures}: no rule of this book"
    story.tell(
        f"""
        0 join ann 1                    | ok
        0 join ben 2                    | ok
        0 begin                         | ok
        1 device ann on_duty void_wagers | {duty}: in the course of duty
        1 device ann                    | {measures}: nothing is decided
        1 device ann void_wagers        | ok
        1 may 1                         | ok
        2 device ann out_of_game        | ok
        2 may 1                         | {measures}.2: directed not to take part
        2 place 1 ann                   | {measures}.2: directed not to take part
        2 device zoe out_of_casino      | ok
        2 join zoe 3                    | {measures}.3: directed not to take part
        3 device ben detain             | {detained}
        3 leave ann                     | ok
        3 join ann 1                    | {measures}.2: directed not to take part
        """
    )
    voided = next(step for step in story.steps if step.moves)
    assert voided.moves == (Move("void_wagers", 1),)
    assert [(each.rule, each.player, each.seat, each.reason) for each in voided.written] == [
        (f"{measures}.1", "ann", 1, "void_wagers: a telephone")
    ]
    if detains:
        held = next(step for step in story.steps if any(entry.rule.endswith(".4") for entry in step.written))
        assert str(held.told[0]) == (
            f"an inspector or a police officer: takes over ben, who is detained ({measures}.4)"
        )


@pytest.mark.parametrize("book", BOOKS)
def test_only_casino_war_forbids_to_have_a_device(book: str) -> None:
    """Use and control of a device are forbidden in every book, its possession in Casino War (WAR 13.1) alone."""
    rule, _, measures, _ = DEVICES[book]
    had = "ok" if book == "WAR" else f"{rule}: neither used nor controlled"
    Story(a_table(book)).tell(f"0 device ann only_possessed out_of_game | {had}\n0 device ann | {measures}: nothing")


@pytest.mark.parametrize("book", BOOKS)
def test_nobody_is_accused_without_a_name(book: str) -> None:
    """Each measure is one of five words of the book, and one clause each, in the order of the text."""
    every: tuple[Measure, ...] = ("out_of_casino", "void_wagers", "out_of_game")
    story = Story(a_table(book))
    story.tell(f"0 join ann 1 | ok\n0 device ann {' '.join(every)} | ok")
    measures = DEVICES[book][2]
    assert [each.rule for each in story.steps[-1].written] == [f"{measures}.{number}" for number in (1, 2, 3)]
    assert story.table.out == (("ann", f"{measures}.2"),)
    assert story.steps[-1].moves == ()


@pytest.mark.parametrize("book", BOOKS)
def test_minors_and_excluded_persons(book: str) -> None:
    """Who is a minor or excluded plays no more; in the books that know invalid wagers those on the felt are invalid."""
    measures = DEVICES[book][2]
    story = Story(a_table(book), max="excluded")
    story.tell(
        f"""
        0 join max 1          | {measures}.3: excluded from the casino
        0 join ann 1          | ok
        0 begin               | ok
        0 found ann minor     | ok
        0 may 1               | {measures}.3: directed not to take part
        """
    )
    moves = () if book in {"FCP", "WAR"} else (Move("find_invalid", 1),)
    assert story.steps[-1].moves == moves
    assert [(each.kind, each.player, each.seat) for each in story.steps[-1].written] == [("minor", "ann", 1)]


def test_an_employee_in_breach_need_not_be_paid() -> None:
    """Under CSP 16.15 a manager decides, by name and with a reason; no other book has the rule."""
    story = Story(a_table("CSP"))
    story.tell("0 join ann 1 | ok\n0 employee ann rejected | ok\n0 may 1 | ok")
    entry = story.steps[-1].written[0]
    assert (entry.kind, entry.rule, entry.person, entry.seat) == ("employee", "CSP 16.15", BOSS, 1)
    assert entry.reason == "rejected: on shift"
    for book in ("TCP", "FCP", "WAR", "SIC"):
        assert "no rule of this book" in Story(a_table(book)).line("0 employee ann paid")


@pytest.mark.parametrize("book", BOOKS)
def test_where_a_player_may_sit(book: str) -> None:
    """A seat is one of the table's, free, taken between rounds where it is changed, and the table is open."""
    row = PROVISIONS[book]
    used = IN_USE[book]
    Story(a_table(book)).tell(
        f"""
        0 join ann 0     | {row.sign}: the table has 1 to 3
        0 join ann 4     | {row.sign}: the table has 1 to 3
        0 join ann 3     | ok
        0 join ben 3     | {used}: it is in use
        0 leave zoe      | {row.sign}: does not play
        0 change ann 3   | {used}: it is in use
        0 change ann 2   | ok
        0 begin          | ok
        0 change ann 1   | {row.sign}: a round of play
        0 end 2          | ok
        0 place 4 ann    | {row.sign}: the table has 1 to 3
        0 leave ann      | ok
        0 close          | ok
        0 join ann 1     | {row.close}: the table is closed
        0 may 1          | {row.close}: the table is closed
        """
    )
