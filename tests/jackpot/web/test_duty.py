"""When is what the server counts noted for the duty page?"""

import asyncio

from jackpot.serving.assets import SHARED, Assets
from jackpot.telemetry import Telemetry
from jackpot.web.boards import BOARD_ASSETS
from jackpot.web.duty import Duty
from tests.support.links import ScriptedDirectory, ScriptedLink
from tests.support.serving import eventually, run


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
