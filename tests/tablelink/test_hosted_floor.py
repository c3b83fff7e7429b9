"""A driven table that is stopped anywhere is where it was: what was said is on the disk before it is told, and once."""

import asyncio
import contextlib
import os
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from rules.games import GAMES
from rules.records.months import errors_of, kept_of, read_settled
from tablelink.core.floor import closed_floor, take
from tablelink.errors import TableError
from tablelink.hosted_console import Driven, Lines
from tablelink.hosted_floor import FloorSpool
from tablelink.hosted_notices import notices
from tablelink.hosted_output import hosted_lines
from tablelink.hosted_simulation import simulated_rounds
from tablelink.hosted_spool import hosted_statements
from tablelink.spool_file import damaged
from tests.support.driven import APPROVED, MADE_US, Driving
from tests.support.driven_sessions import lines_of
from tests.support.driven_spools import MINUTE_US, Stopped, Stopping, Told, driven, opened, say
from tests.support.running import WITHIN_S


@pytest.mark.parametrize("game", GAMES)
def test_after_every_line_a_restart_stands_where_the_table_stood(game: str, tmp_path: Path) -> None:
    """Each thing that was said is there once; its statements are those of the table that was never stopped."""
    driving, path = Driving(game), tmp_path / "T1.spool"
    with opened(path, game) as spool:
        assert spool.floor(APPROVED[game], MADE_US) == driving.floor
    for line in lines_of(game):
        count = len(driving.given)
        floor = driving.floor
        driving.line(line)
        with opened(path, game) as spool:
            assert spool.floor("{}", 0) == floor
            for (given, at_us), changed in zip(driving.given[count:], driving.changed[count:], strict=True):
                spool.put(floor.number, given, at_us, changed)
                floor = changed.floor
    with opened(path, game) as spool:
        assert spool.floor("{}", 0) == driving.floor
        again = spool.floor("{}", 0)
        assert again.before == driving.floor.before
    assert [each.number for each in hosted_statements(path)] == list(range(1, len(driving.records) + 1))
    written = sum(len(each.told) + len(each.written) for each in driving.changed)
    assert len(list(notices(path))) == written
    assert len(list(hosted_lines(path, as_json=False))) == written + len(driving.records)


def test_a_months_lists_are_made_from_what_the_spool_shows(tmp_path: Path) -> None:
    """TCP 12.15.2, 12.16.2: a payment in error and a kept stake that people reported, with day and reason."""
    driving = Driving("three_card_poker")
    for line in lines_of("three_card_poker"):
        driving.line(line)
    with opened(tmp_path / "T1.spool", "three_card_poker") as spool:
        floor = spool.floor(APPROVED["three_card_poker"], MADE_US)
        for (given, at_us), changed in zip(driving.given, driving.changed, strict=True):
            spool.put(floor.number, given, at_us, changed)
            floor = changed.floor
    read = [read_settled(line.encode()) for line in hosted_lines(tmp_path / "T1.spool", as_json=True)]
    settled = [each for each in read if each is not None]
    assert len(settled) == len(driving.records)
    assert [(each.line.cents, each.line.day) for one in settled for each in errors_of(one)] == [
        (299_000, date(2026, 11, 18))
    ]
    kept = [(each.line.person, each.line.reason, each.line.cents) for one in settled for each in kept_of(one)]
    assert kept == [("ann", "another's card", 500)]


def test_stopped_inside_a_write_nothing_of_it_is_there(tmp_path: Path) -> None:
    """Before each row of each write a stop leaves the table as it was; said again, it counts once."""
    path, stops = tmp_path / "T1.spool", 0
    driving = Driving("casino_war")
    with opened(path, "casino_war") as spool:
        floor = spool.floor(APPROVED["casino_war"], MADE_US)
    for line in lines_of("casino_war"):
        driving.line(line)
    for given, at_us in driving.given:
        changed, row, whole = take(floor, given, at_us), 0, False
        while not whole:
            row += 1
            with opened(path, "casino_war", Stopping) as spool:
                assert spool.floor("{}", 0) == floor
                spool.left = row  # type: ignore[attr-defined]  # it is a Stopping
                with contextlib.suppress(Stopped):
                    spool.put(floor.number, given, at_us, changed)
                    whole = True
            stops += not whole
        floor = changed.floor
    assert stops > len(driving.given)
    assert [each.number for each in hosted_statements(path)] == [1, 2]


def test_a_spool_that_cannot_be_taken_again_is_an_error(tmp_path: Path) -> None:
    """What leads nowhere is damage that is named; the file is kept. So is a round of planned people under way."""
    path = tmp_path / "T1.spool"
    with opened(path, "casino_war") as spool:
        table, _ = driven(spool, "casino_war")
        say(table, "open 3 by Lee")
        spool._db.execute("UPDATE given SET body = CAST('{}' AS BLOB)")
        spool._db.execute("UPDATE stand SET place = 0")
        with pytest.raises(TableError, match="damaged"):
            spool.floor("{}", 0)
    planned = next(simulated_rounds(5, "T1", "casino_war", lambda _: None))
    with opened(tmp_path / "T2.spool", "casino_war") as spool:
        spool.begin(1, planned.record, ())
        with pytest.raises(TableError, match="Round 1 of the spool is not"):
            spool.floor("{}", 0)


TURNED: Final = (
    ("UPDATE given SET body = CAST(replace(body, 'ante', 'bnte') AS BLOB)", "something that was said"),
    ("UPDATE given SET at_us = at_us + 1", "something that was said"),
    ("UPDATE stand SET body = CAST(replace(body, '500', '501') AS BLOB)", "the table between two rounds"),
    ("UPDATE notice SET body = CAST(replace(body, 'Lee', 'Lea') AS BLOB)", "a notice of round 1"),
    ("UPDATE statement SET body = CAST(replace(body, '500', '501') AS BLOB)", "the statement of round 1"),
    ("UPDATE statement SET record = CAST(replace(record, '500', '501') AS BLOB)", "the statement of round 1"),
)


@pytest.mark.parametrize(("turn", "what"), TURNED)
def test_a_turned_bit_is_found_before_it_is_read(turn: str, what: str, tmp_path: Path) -> None:
    """What was said, when, the table, its notices and statements: none is taken as another than it was written."""
    path = tmp_path / "T1.spool"
    with opened(path, "three_card_poker") as spool:
        table, _ = driven(spool, "three_card_poker")
        lines = lines_of("three_card_poker")
        say(table, *lines[: lines.index("end_round") + 4])
        spool._db.execute(turn)

        def read() -> None:
            spool.floor("{}", 0)
            list(hosted_lines(path, as_json=True))

        with pytest.raises(TableError, match=f"{what}.* is not what was written"):
            read()
    assert "the table begins an empty one" in str(damaged(path, "as an example"))


def test_what_was_said_long_ago_goes_and_the_rest_stays(tmp_path: Path) -> None:
    """Pruning takes what was said before the last round's end; the table, its statements and its notices stay."""
    with opened(tmp_path / "T1.spool", "four_card_poker") as spool:
        table, _ = driven(spool, "four_card_poker")
        say(table, *lines_of("four_card_poker")[:-6])
        before, told = table.floor, len(spool.notices(1_000))
        spool._now_us = lambda: 10**16
        spool.prune(40)
        assert spool._db.execute("SELECT count(*) FROM given").fetchone()[0] < 10
        assert spool.floor("{}", 0) == before
        assert (len(spool.notices(1_000)), spool.totals()["rounds"]) == (told, 1)


def ran(game: str, spool: FloorSpool, said: bytes, *, as_json: bool = False) -> tuple[Driven, Told]:
    """A table that took every line of a stream until its end."""
    told = Told()
    table = Driven(spool, spool.floor(APPROVED[game], MADE_US), told, lambda: MADE_US, as_json=as_json)

    async def run() -> None:
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        lines = Lines(reading)
        lines.start()
        await asyncio.to_thread(_written, writing, said)
        await table.run(lines, asyncio.Event())
        os.close(reading)

    asyncio.run(run())
    return table, told


def _written(descriptor: int, said: bytes) -> None:
    os.set_blocking(descriptor, True)
    for place in range(0, len(said), 4_096):
        os.write(descriptor, said[place : place + 4_096])
    os.close(descriptor)


def test_lines_are_taken_one_by_one_whatever_stands_in_them(tmp_path: Path) -> None:
    """A line that is too long, is not UTF-8, says nothing or has no end is named, and the next one is taken."""
    with opened(tmp_path / "T1.spool", "casino_war") as spool:
        said = b"\xff\xfe\n" + b"x" * 50_000 + b"\nhelp\nwhat\n" + b"open 3 by Lee\nquit\nclose by Lee\n"
        table, told = ran("casino_war", spool, said)
    assert table.floor.around.state == "open"
    assert [each.reason.split(";")[0] for each in told.faults] == [
        "not UTF-8",
        "longer than 1000 characters",
        "no move and no act of this table",
    ]
    assert told.answered == ["help"]


def test_a_stream_that_is_gone_is_at_its_end(tmp_path: Path) -> None:
    """A terminal that was hung up ends the run; the table is where it was."""
    reading, hung_up = os.openpty()  # read, it is an error; a closed one's number may be another file's by then
    os.close(hung_up)
    with opened(tmp_path / "T1.spool", "casino_war") as spool:
        table, _ = driven(spool, "casino_war")

        async def run() -> None:
            lines = Lines(reading)
            lines.start()
            await asyncio.wait_for(table.run(lines, asyncio.Event()), WITHIN_S)

        asyncio.run(run())
    os.close(reading)
    assert table.floor.around.state == "closed"


def test_a_device_says_the_same_as_objects(tmp_path: Path) -> None:
    """A move, an act and a typed line as JSON lead to the same table; what is wrong with a line is named."""
    lines = (
        b'{"kind":"line","text":"open 3 by Lee"}',
        b'{"kind":"act","name":"join","player":"ann","areas":[1]}',
        b'{"kind":"move","name":"check_cards"}',
        b'{"kind":"line","text":""}',
        b'{"kind":"undo"}',
        b'{"kind":"move","name":"check_cards","seat":"x"}',
        b"",
    )
    with opened(tmp_path / "T1.spool", "casino_war") as spool:
        table, told = ran("casino_war", spool, b"\n".join(lines), as_json=True)
    assert (table.floor.at.state, table.floor.around.players[0].player) == ("cards_checked", "ann")
    assert [(each.field, each.reason) for each in told.faults] == [("seat", "expected int, got str")]


def test_a_sign_is_told_when_its_time_comes_while_nobody_types(tmp_path: Path) -> None:
    """CSP 6.5: the edge waits for the proposed time, to the moment; the minimum holds then, and it is in the spool."""
    clock = [MADE_US]
    with opened(tmp_path / "T1.spool", "caribbean_stud") as spool:
        table, told = driven(spool, "caribbean_stud", lambda: clock[0])
        say(table, "open 3 by Lee", "sign ante_min=25 by Lee")
        clock[0] += 20 * MINUTE_US - 50_000  # The clock stands still: only the wait until then can tell.
        early = table._wait_s()

        async def wait() -> None:
            reading, writing = os.pipe()
            lines, stop = Lines(reading), asyncio.Event()
            lines.start()
            running = asyncio.create_task(table.run(lines, stop))
            asyncio.get_running_loop().call_later(0.05, clock.__setitem__, 0, MADE_US + 20 * MINUTE_US)
            await asyncio.wait_for(told.told.wait(), WITHIN_S)
            stop.set()
            await running
            os.close(writing)

        asyncio.run(wait())
    assert 0 < early <= 0.05
    (heard,) = [each for each in told.heard_of if each.changed is not None and each.changed.told]
    assert heard.line is None
    assert table.floor.around.sign.ante_min_cents == 2_500
    with opened(tmp_path / "T1.spool", "caribbean_stud") as spool:
        assert spool.floor("{}", 0) == table.floor
        assert [each.kind for each in spool.notices(9)] == ["written", "written", "told"]


def test_what_was_due_while_the_program_was_down_is_told_at_its_moment(tmp_path: Path) -> None:
    """A restart an hour later tells first what was due then, and the wager that comes is held to it."""
    with opened(tmp_path / "T1.spool", "caribbean_stud") as spool:
        table, _ = driven(spool, "caribbean_stud")
        say(table, "open 3 by Lee", "join ann 1 valid", "check_cards", "load", "sign ante_min=25 by Lee")
    with opened(tmp_path / "T1.spool", "caribbean_stud") as spool:
        table, told = driven(spool, "caribbean_stud", lambda: MADE_US + 60 * MINUTE_US)
        say(table, "place 1 ante 10")
        due, placed = told.heard_of
        assert (due.line, due.floor.around.now_us) == (None, MADE_US + 20 * MINUTE_US)
        assert "below the minimum of 2500" in str(placed.refused)
        clock_set_back, _ = driven(spool, "caribbean_stud", lambda: MADE_US)
        say(clock_set_back, "place 1 ante 25")
        assert clock_set_back.floor.around.now_us >= MADE_US + 20 * MINUTE_US


def test_an_open_table_keeps_what_was_approved_when_it_opened(tmp_path: Path) -> None:
    """Other approved settings hold from the next opening on; whoever changes a file changes no round of today."""
    with opened(tmp_path / "T1.spool", "casino_war") as spool:
        table, _ = driven(spool, "casino_war")
        other = closed_floor("casino_war", "T1", '{"limits":{"initial_min_cents":900}}', MADE_US, table.floor.last)
        spool.set_approved(other)
        assert spool.floor("{}", 0) == other
        table, _ = driven(spool, "casino_war")
        say(table, "open 3 by Lee")
        assert table.floor.around.sign.initial_min_cents == 900
