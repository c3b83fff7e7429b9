"""What a table does that the server would not have: people put it right, and nobody has to start it anew."""

from dataclasses import replace
from pathlib import Path

import pytest

from jackpot.core.commands import Connect
from jackpot.core.ports import Submitted
from jackpot.wire.refusals import Refusal
from tablelink import client
from tests.support.casino import Casino
from tests.support.seated import Seat, scene


def test_a_refused_table_asks_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A supervisor's word reaches a table that was refused while its connection stands: it says hello again."""
    monkeypatch.setattr(client, "REFUSED_PAUSE_S", 0.2)

    async def play(casino: Casino, seat: Seat) -> None:
        await seat.play(1)
        table = casino.state.tables["T1"]
        casino.state = replace(casino.state, tables={"T1": replace(table, status="quarantined")})
        submit = casino.submit

        def heard(submitted: Submitted) -> None:
            submit(submitted)
            if isinstance(submitted.command.message, Connect):
                hellos.append(casino.state.tables["T1"].status)
                if len(hellos) == 1:
                    casino.word("T1")

        monkeypatch.setattr(casino, "submit", heard)
        casino.put_off = lambda _command: Refusal.BUSY if len(hellos) < 2 else None
        await seat.play(1)

    hellos: list[str] = []
    scene(tmp_path, play)
    assert hellos[:2] == ["quarantined", "linked"]
