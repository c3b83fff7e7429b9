"""What is made of a board's words, as tables: each line is a moment, what comes or is said, what is thought."""

import pytest

from jackpot.web.shown import GONE_AFTER_MS, MOST_BOARDS, MOST_COMMITS, MOST_WORDS, WORDS_MS, Fault, Shown, Told, Words
from tests.support.links import snapshot

BOARD = "0b0a0d5e1f02"
"""A page that no site has given a name."""
TABLES = {
    "a board that is told and says so is right": """
        0     come 10 5000000
        100   say 10 5000000       right
        10100 say 10 5000000       right
        25100 look                 right
    """,
    "a board that says nothing is stale after 15 seconds, and gone after ten minutes": """
        0      come 10 5000000
        0      say 10 5000000      right
        15000  look                right
        15001  look                stale silent
        600000 look                stale silent
        600001 look                gone
    """,
    "a board that was closed is not missed, and one that comes again is heard": """
        0      come 10 5000000
        0      say 10 5000000      right
        5000   leave               gone
        20000  look                gone
        20000  say 10 5000000      right
    """,
    "a board that closed its feed is not missed here: it may be at another server by now": """
        0     open
        0     come 10 5000000
        0     say 10 5000000       right
        5000  close                right
        15001 look                 silent
        20000 look                 silent
        20001 look                 gone
    """,
    "one that closed one of two feeds, or asked again, is missed": """
        0     open
        0     come 10 5000000
        0     say 10 5000000       right
        1000  open                 right
        2000  close                right
        3000  close                right
        4000  open                 right
        20001 look                 stale silent
    """,
    "one that was dropped because it does not read may hang, with a picture that nobody knows is old": """
        0     open
        0     come 10 5000000
        0     say 10 5000000       right
        5000  drop                 right
        20001 look                 stale silent
    """,
    "one that speaks without a feed is heard": """
        0     open
        0     come 10 5000000
        0     say 10 5000000       right
        5000  close                right
        10000 come 11 5000001
        18000 say 10 5000000       stale behind
    """,
    "a board that stays at an older commit is stale": """
        0     come 10 5000000
        0     say 10 5000000       right
        4000  come 11 5000001
        10000 say 10 5000000       behind
        15001 look                 stale behind
        16000 say 11 5000001       right
    """,
    "a board that is a snapshot behind on its way is right": """
        0     come 10 5000000
        100   come 11 5000001
        200   say 10 5000000       right
    """,
    "one amount that never was may be a wheel that turns, two are an alarm, told once": """
        0     come 10 5000000
        0     say 10 4999999       wrong_amount
        10000 say 10 4999999       wrong wrong_amount
        20000 say 10 4999999       wrong stale wrong_amount
        30000 say 10 5000000       right
        30100 say 10 5000000 2     wrong_amount
    """,
    "a commit that has not come here yet is not wrong, one that never comes is": """
        0     come 10 5000000
        0     say 11 5000001       ahead
        100   come 11 5000001
        1000  look                 right
        1000  say 99 6000000       ahead
        2000  come 12 5000001
        6000  look                 ahead
        6001  look                 wrong ahead
    """,
    "while nothing comes here nobody can say who is ahead": """
        0     say 11 5000001       right
        100   come 10 5000000
        200   say 11 5000001       ahead
        9000  look                 ahead
    """,
    "an amount is missed only where there is one to show": """
        0     come 10 5000000
        0     say 10 -             no_amount
        10000 say 10 -             right
        10001 come 11 5000000
        20000 come 11 5000000 stopped
        20000 say 11 -             right
        20001 come 11 5000000
        21000 say 11 -             no_amount
    """,
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_a_boards_words(table: str) -> None:
    """Each word is held against what had been told; what is thought of the board follows from that and the time."""
    differs: list[Fault] = []
    words, told = Words(lambda _link, _shown, fault: differs.append(fault)), Told()
    alarms = 0
    for line in table.strip().splitlines():
        at, what, *rest = line.split()
        now = int(at)
        if what == "come":
            status = rest[2] if len(rest) > 2 else "running"
            told.take(snapshot(int(rest[1]), int(rest[0]), status=status), now, live=True)
            continue
        if what == "say":
            numbers = [word for word in rest if word.isdigit() or word == "-"]
            commit, cents, epoch = [*numbers, "1"][:3]
            rest = rest[len(numbers) :]
            shown = Shown(BOARD, 1, int(commit), int(epoch), cents.strip("-"))
            words.say("southern", shown, told, now)
        if what == "open":
            words.opened("southern", BOARD)
        if what in {"close", "drop"}:
            words.closed("southern", BOARD, now, left=what == "close")
        if what == "leave":
            words.leave("southern", BOARD)
        words.look(now)
        if what == "open" and not rest:
            continue
        listed = words.now("southern", now)
        thought = [name for each in listed for name in ("wrong", "stale") if getattr(each, name)]
        thought += [each.fault for each in listed if each.fault]
        assert (thought or (["right"] if listed else ["gone"])) == rest, line
        assert words.stale("southern", now) == rest.count("stale"), line
        assert (words.wrong("southern"), words.wrong("northern")) == (rest.count("wrong"), 0), line
        alarms += "wrong" in rest and alarms == 0
    assert len(differs) == alarms


def test_an_older_generation_is_behind_and_a_later_one_ahead() -> None:
    """What counts first is the ledger's life: commit 900 of an earlier one is behind commit 10 of this one."""
    told = Told()
    told.take(snapshot(5_000_000, 900), 0, live=True)
    told.take(snapshot(5_000_000, 10, generation=2), 1, live=True)
    assert told.fault(Shown("hall", 1, 900, 1, "5000000"), 5_001) == ""
    assert told.fault(Shown("hall", 1, 900, 1, "5000000"), 5_002) == "behind"
    assert told.fault(Shown("hall", 2, 10, 1, "5000000"), 60_000) == ""
    assert told.fault(Shown("hall", 3, 1, 1, "5000000"), 2) == "ahead"


def test_a_board_that_shows_what_was_never_told_vouches_for_no_win() -> None:
    """A commit that is not there yet, or another amount, shows nobody a win; another board still does."""
    words, told = Words(lambda _link, _shown, _fault: None), Told()
    told.take(snapshot(5_000_000, 10), 0, live=True)
    words.say("southern", Shown("ahead", 1, 99, 1, "6000000"), told, 0)
    words.say("southern", Shown("wrong", 1, 10, 1, "77"), told, 0)
    assert words.furthest("southern") == (0, 0)
    words.say("southern", Shown("right", 1, 10, 1, "5000000"), told, 0)
    assert words.furthest("southern") == (1, 10)


def test_memory_is_bounded_whatever_is_told_and_said() -> None:
    """Commits beyond the last are forgotten; a board beyond the most is refused, none is pushed out by it."""
    words, told = Words(lambda _link, _shown, _fault: None), Told()
    for commit in range(MOST_COMMITS * 2):
        told.take(snapshot(5_000_000, commit), commit, live=True)
    assert len(told._meters) == MOST_COMMITS
    shown = Shown("hall", 1, MOST_COMMITS * 2 - 1, 1, "5000000")
    for number in range(MOST_BOARDS):
        assert words.say("southern", Shown(f"b{number}", 1, 1, 1), told, 0) == "first"
    assert words.say("southern", shown, told, 0) == "too_many"
    assert words.say("southern", Shown("b0", 1, 1, 1), told, 1) == "again"
    assert words.reporting("southern") == MOST_BOARDS


def test_without_the_ledger_boards_may_go_on_showing_what_they_were_told() -> None:
    """A snapshot that only says the ledger is away has no amounts, and takes none from what was told before."""
    told = Told()
    told.take(snapshot(5_000_000, 10), 0, live=True)
    told.take(snapshot(0, 10, pools=[], status="ledger_unreachable"), 1_000, live=True)
    assert told.fault(Shown("hall", 1, 10, 1, "5000000"), 9_000) == ""
    assert told.fault(Shown("hall", 1, 10, 1, ""), 1_000) == ""


def test_no_word_sends_a_screen_of_the_site_away() -> None:
    """A page that nobody named is forgotten when it says that it leaves; a screen with a name is missed."""
    words, told = Words(lambda _link, _shown, _fault: None), Told()
    told.take(snapshot(5_000_000, 10), 0, live=True)
    for board in (BOARD, "hall1"):
        words.say("southern", Shown(board, 1, 10, 1, "5000000"), told, 0)
        words.leave("southern", board)
    assert [each.board for each in words.now("southern", 15_001) if each.stale] == ["hall1"]


def test_a_name_that_says_too_much_is_not_heard_for_a_while() -> None:
    """More than a board has to say costs the server nothing; after ten seconds the name is heard again."""
    words, told = Words(lambda _link, _shown, _fault: None), Told()
    shown = Shown("hall1", 1, 10, 1, "5000000")
    taken = [words.say("southern", shown, told, 20_000) for _ in range(2 * MOST_WORDS)]
    assert taken.count("too_often") == len(taken) - MOST_WORDS - 1
    assert words.say("southern", Shown("hall2", 1, 10, 1, "5000000"), told, 20_000) == "first"
    assert words.say("southern", shown, told, 20_000 + WORDS_MS) == "again"


def test_a_screen_of_the_site_is_missed_however_long_it_is_silent() -> None:
    """Also one that never spoke, and one whose words were forgotten: a dark screen is no screen that was taken down."""
    words, told = Words(lambda _link, _shown, _fault: None, {"hall1", "bar2"}, began_ms=5_000), Told()
    told.take(snapshot(5_000_000, 10), 5_000, live=True)
    words.say("southern", Shown("bar2", 1, 10, 1, "5000000"), told, 9_000)
    words.say("southern", Shown("b0", 1, 10, 1, "5000000"), told, 9_000)
    words.look(9_000 + 2 * GONE_AFTER_MS)
    assert words.reporting("southern") == 0
    assert words.silent_ms(9_000 + 2 * GONE_AFTER_MS) == {"bar2": 1_200_000, "hall1": 1_204_000}


def test_a_strangers_word_begins_and_ends_no_alarm() -> None:
    """Where the site lists its screens, other names are listed as strangers and count for nothing (PROTOCOL 6).

    They show no win to the room, no wrong amount, no stale board, and keep no screen of the site from being heard.
    """
    differs: list[Fault] = []
    words, told = Words(lambda _link, _shown, fault: differs.append(fault), {"hall1"}), Told()
    told.take(snapshot(5_000_000, 10), 0, live=True)
    for number in range(MOST_BOARDS):
        words.say("southern", Shown(f"b{number}", 1, 10, 1, "5000000"), told, 0)
    for _ in range(3):
        words.say("southern", Shown("b0", 1, 10, 1, "77"), told, 0)
    assert (words.furthest("southern"), words.reporting("southern"), differs) == (None, 0, [])
    assert (words.stale("southern", 20_000), words.wrong("southern")) == (0, 0)
    assert words.say("southern", Shown("hall1", 1, 10, 1, "5000000"), told, 0) == "first"
    assert (words.furthest("southern"), words.reporting("southern")) == ((1, 10), 1)
    assert [each.board for each in words.now("southern", 0) if not each.stranger] == ["hall1"]
