"""When is what the server counts noted for the duty page?"""

import asyncio
import time
from types import SimpleNamespace

import pytest

from jackpot.serving.application import new_application
from jackpot.serving.assets import SHARED, Assets
from jackpot.telemetry import Telemetry
from jackpot.web import duty as duty_module
from jackpot.web.boards import BOARD_ASSETS
from jackpot.web.duty import Duty
from tests.support.links import ScriptedDirectory, ScriptedLink
from tests.support.serving import asking, eventually, run


def test_a_process_that_has_asked_nobody_yet_calls_nothing_wrong() -> None:
    """Until the first answers of Postgres and Redis came, nothing is noted: the page says that the server starts."""
    checks = {"ledger/southern": "the ledger was not read in the last seconds"}
    telemetry, asked = Telemetry(), list[None]()
    duty = Duty(
        ScriptedDirectory(ScriptedLink()), lambda: ["southern"], telemetry, lambda: checks,
        refresh=lambda: asked.append(None), assets=Assets(SHARED, BOARD_ASSETS),
    )  # fmt: skip

    async def play() -> None:
        sampling = asyncio.create_task(duty.keep_sampling())
        await asyncio.sleep(0)
        assert not asked
        checks["ledger/southern"] = ""
        await eventually(lambda: len(asked) == 1)
        sampling.cancel()

    run(play())


def test_a_process_that_was_stopped_says_so_and_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a pause nothing is noted until all was asked anew: Postgres and Redis were not away, this process was."""
    checks = {"ledger/southern": ""}
    telemetry, asked = Telemetry(), list[None]()
    assets = Assets(SHARED, BOARD_ASSETS)
    duty = Duty(
        ScriptedDirectory(ScriptedLink()), lambda: ["southern"], telemetry, lambda: checks,
        refresh=lambda: asked.append(None), assets=assets,
    )  # fmt: skip
    clock = [1_000.0]
    monkeypatch.setattr(duty_module, "time", SimpleNamespace(monotonic=lambda: clock[0], time_ns=time.time_ns))
    app = new_application(telemetry.requests)
    duty.add_to(app)

    async def play() -> None:
        async with asking(app) as client:

            async def reasons() -> dict[str, str]:
                async with client.get("/duty/now") as answer:
                    told: dict[str, str] = (await answer.json())["not_ready"]
                    return told

            sampling = asyncio.create_task(duty.keep_sampling())
            await eventually(lambda: len(asked) == 1)
            assert await reasons() == {}
            checks["ledger/southern"] = "the ledger was not read in the last seconds"
            clock[0] += 60  # a stopped process runs nothing: its clock goes on between two turns of its loop
            await eventually(lambda: duty._paused() != "")
            assert len(asked) == 1
            assert (await reasons())["server"] == "it was not run for 60 s until 0 s ago, and read nothing meanwhile"
            clock[0] += 1
            checks["ledger/southern"] = ""
            await eventually(lambda: len(asked) == 2)
            assert await reasons() == {}
            sampling.cancel()

    run(play())
