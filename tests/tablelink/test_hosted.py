"""A hosted table that is stopped anywhere goes on from its spool: nothing twice, nothing lost, no card readable."""

import asyncio
import contextlib
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from rules.games import GAMES
from rules.play import MoveRefused
from tablelink.core.hosting import Hosted, HostingError, Refusal, Statement, begun, ended, moved, refused
from tablelink.core.moves import TOLD
from tablelink.errors import TableError
from tablelink.hosted import Host, Rounds
from tablelink.hosted_replay import KeptOf, Planned, recorded_rounds
from tablelink.hosted_simulation import simulated_rounds
from tablelink.hosted_spool import HostedSpool, hosted_statements, hosted_totals

SEAL = bytes(32)


S = TypeVar("S", bound=HostedSpool)


class Stopped(BaseException):
    """The program is stopped here, as SIGKILL would."""


class Heard:
    """Who hears what happens."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self.refusals: list[Refusal] = []
        self.moves = 0
        self.no: list[str] = []

    def settled(self, done: Statement) -> None:
        """A round is settled."""
        self.statements.append(done)

    def refused(self, refusal: Refusal) -> None:
        """A round was refused."""
        self.refusals.append(refusal)

    def moved(self) -> None:
        """A move was made."""
        self.moves += 1

    def move_refused(self, number: int, error: MoveRefused) -> None:
        """A move was refused."""
        self.no.append(f"{number} {error.rule}")


def unsynced(spool: S) -> S:
    """A spool that does not wait for the disk."""
    spool._db.execute("PRAGMA synchronous = OFF")
    return spool


def opened(path: Path, game: str = "sic_bo", table: str = "T1", seal: bytes = SEAL) -> HostedSpool:
    """The spool of a table; no power fails here, so nothing is synced."""
    return unsynced(HostedSpool(path, table, game, seal=seal, now_us=lambda: 0))


class Stopping(HostedSpool):
    """A spool whose program is stopped before a certain write."""

    left = 0

    def _write(self, name: str, values: Any) -> None:
        self.left -= 1
        if self.left == 0:
            raise Stopped
        super()._write(name, values)


def ran(spool: HostedSpool, rounds: Rounds, most: int | None = None) -> Heard:
    """Run a table to its end."""
    heard = Heard()

    async def run() -> None:
        await Host(spool, heard).run(rounds, asyncio.Event(), most)

    asyncio.run(run())
    return heard


def table_rounds(game: str) -> Rounds:
    """The rounds of a simulated table."""
    return partial(simulated_rounds, 5, "T1", game, odd=500)


def kept_of(path: Path) -> list[tuple[int, bytes, bytes | None]]:
    """What a spool holds of its rounds."""
    return [(each.number, each.body, each.record) for each in hosted_statements(path)]


@pytest.mark.parametrize("game", GAMES)
def test_stopped_at_any_write_it_goes_on_as_if_nothing_had_been(game: str, tmp_path: Path) -> None:
    """Before each write of two rounds, and so after each, a restart comes to the same statements, no round twice."""
    opened(tmp_path / "new", game).close()
    with opened(tmp_path / "whole", game) as spool:
        ran(spool, table_rounds(game), 2)
    whole, writes, stopped = kept_of(tmp_path / "whole"), 0, True
    while stopped:
        writes += 1
        path = tmp_path / str(writes)
        shutil.copy(tmp_path / "new", path)
        with unsynced(Stopping(path, "T1", game, seal=SEAL, now_us=lambda: 0)) as spool:
            spool.left, stopped = writes, False
            try:
                ran(spool, table_rounds(game), 2)
            except Stopped:
                stopped = True
        with opened(path, game) as spool:
            left = 2 - spool.rebuild().last
            if left:
                ran(spool, table_rounds(game), left)
        assert kept_of(path) == whole
    assert writes > 20


def test_a_settled_round_is_never_settled_again(tmp_path: Path) -> None:
    """The spool itself takes one statement a round, whatever asks it to."""
    with opened(tmp_path / "T1.spool") as spool:
        planned = next(simulated_rounds(5, "T1", "sic_bo", lambda _: None))
        ran(spool, table_rounds("sic_bo"), 1)
        done = Statement(1, {}, 0, 0, 0)
        with pytest.raises(TableError, match="cannot be used"):
            spool.end("2024-08-19", planned.record, done)
        with pytest.raises(TableError, match="cannot be used"):
            spool.begin(1, planned.record, ())
    assert hosted_totals(tmp_path / "T1.spool")[1]["rounds"] == 1


def test_cards_that_nobody_turned_are_sealed(tmp_path: Path) -> None:
    """A round under way has the dealer's hand in its spool, and nobody without the seal can read it there."""
    path = tmp_path / "T1.spool"
    planned = next(simulated_rounds(5, "T1", "caribbean_stud", lambda _: None, odd=0))
    dealer = planned.record.dealer
    with opened(path, "caribbean_stud") as spool:
        spool.begin(planned.number, planned.record, ())
        table = spool.rebuild()
        for move in planned.moves:
            if move.name == "turn_dealer":
                break
            with contextlib.suppress(MoveRefused):
                table = moved(table, move)
                spool.move(planned.number, move)
        held = path.read_bytes() + Path(f"{path}-wal").read_bytes()
    assert dealer.encode() not in held
    with opened(path, "caribbean_stud", seal=bytes(31) + b"x") as spool, pytest.raises(TableError, match="seal key"):
        spool.rebuild()
    with opened(path, "caribbean_stud") as spool:
        under_way = spool.rebuild().under_way
        assert under_way is not None
        assert under_way.record == planned.record


@pytest.mark.parametrize(
    ("table", "game", "why"),
    [("T2", "sic_bo", "is of T1, a table of sic_bo"), ("T1", "casino_war", "not of T1 and casino_war")],
)
def test_a_spool_is_its_tables_alone(table: str, game: str, why: str, tmp_path: Path) -> None:
    """Another table, another game or a second agent is an error that says so."""
    with opened(tmp_path / "T1.spool"), pytest.raises(TableError, match="in use"):
        opened(tmp_path / "T1.spool")
    with pytest.raises(TableError, match=why):
        opened(tmp_path / "T1.spool", game, table)


def test_another_seed_does_not_go_on(tmp_path: Path) -> None:
    """Whether a round is settled or under way: rounds that come otherwise than the spool has them are an error."""
    path = tmp_path / "T1.spool"
    other: Callable[[KeptOf, int], Iterator[Planned]] = partial(simulated_rounds, 6, "T1", "three_card_poker")
    planned = next(simulated_rounds(5, "T1", "three_card_poker", lambda _: None))
    with opened(path, "three_card_poker") as spool:
        spool.begin(1, planned.record, ())
        with pytest.raises(TableError, match="Round 1 of the spool is not"):
            ran(spool, other, 1)
        ran(spool, partial(simulated_rounds, 5, "T1", "three_card_poker"), 2)
        with pytest.raises(TableError, match="seed 6"):
            ran(spool, other, 1)


def test_a_shorter_file_does_not_go_on(tmp_path: Path) -> None:
    """A file that lost lines which were played, or the line under way, is an error; nothing more is played."""
    roll = b'{"game":"sic_bo","dice":[1,1,2],"runs":{}}\n'
    (tmp_path / "rolls").write_bytes(roll * 3)
    rounds = partial(recorded_rounds, tmp_path / "rolls", "sic_bo")
    with opened(tmp_path / "T1.spool") as spool:
        heard = ran(spool, rounds)
        assert [each.number for each in heard.statements] == [1, 2, 3]
        (tmp_path / "rolls").write_bytes(roll * 2)
        with pytest.raises(TableError, match="which has 2 lines"):
            ran(spool, rounds)
    (tmp_path / "rolls").write_bytes(roll)
    with opened(tmp_path / "T2.spool") as spool:
        record = next(rounds(lambda _: None, 0)).record  # type: ignore[union-attr]  # a round, not a refusal
        spool.begin(1, record, ())
        (tmp_path / "rolls").write_bytes(b"\n")
        with pytest.raises(TableError, match="Round 1 of the spool is not"):
            ran(spool, rounds)


def test_old_moves_go_and_statements_stay(tmp_path: Path) -> None:
    """What is pruned is moves of rounds that ended; the table stands where it stood."""
    with opened(tmp_path / "T1.spool") as spool:
        ran(spool, table_rounds("sic_bo"), 2)
        spool._now_us = lambda: 10**15
        assert spool.prune(40) > 20
        assert (spool.rebuild(), spool.totals()["rounds"]) == (Hosted("sic_bo", 2), 2)


def test_a_step_out_of_turn_is_an_error() -> None:
    """One round at a time, each number once, and no statement before the round is over."""
    planned = next(simulated_rounds(5, "T1", "sic_bo", lambda _: None))
    table = Hosted("sic_bo")
    assert table.edition == "2024-08-19"
    with pytest.raises(HostingError, match="no round"):
        ended(table)
    under_way = begun(table, 1, planned.record)
    for step in (partial(begun, under_way, 2, planned.record), partial(ended, under_way)):
        with pytest.raises(HostingError):
            step()
    with pytest.raises(HostingError):
        refused(under_way, Refusal(2, ()))
    with pytest.raises(HostingError):
        begun(Hosted("sic_bo", 1), 1, planned.record)
    done = refused(table, Refusal(4, ()))
    assert done.last == 4


def test_a_round_that_was_played_otherwise_is_no_statement() -> None:
    """Moves that came to other money than the record never end in a statement of the record."""
    first = next(simulated_rounds(5, "T1", "three_card_poker", lambda _: None, odd=0))
    other = next(simulated_rounds(6, "T1", "three_card_poker", lambda _: None, odd=0))
    table = begun(Hosted("three_card_poker"), 1, first.record)
    for move in TOLD["three_card_poker"].moves_of(other.record):
        table = moved(table, move)
    with pytest.raises(HostingError, match="otherwise"):
        ended(table)
