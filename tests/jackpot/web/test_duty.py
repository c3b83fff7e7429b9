"""When is what the server counts noted for the duty page?"""

import asyncio
import time
from itertools import pairwise
from types import SimpleNamespace

import pytest

from jackpot.serving.application import new_application
from jackpot.serving.assets import SHARED, Assets
from jackpot.telemetry import Telemetry
from jackpot.web import duty as duty_module
from jackpot.web.boards import BOARD_ASSETS
from jackpot.web.duty import Duty
from jackpot.web.duty_questions import Answer, answers
from jackpot.web.duty_samples import History
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


def test_no_look_calls_money_safe_once_the_server_knows_better() -> None:
    """What went wrong since the counts were noted is noted at the look that asks: ten seconds are long at night."""
    checks = {"link/southern": ""}
    telemetry = Telemetry()
    duty = Duty(
        ScriptedDirectory(ScriptedLink()), lambda: ["southern"], telemetry, lambda: checks,
        refresh=lambda: None, assets=Assets(SHARED, BOARD_ASSETS),
    )  # fmt: skip
    app = new_application(telemetry.requests)
    duty.add_to(app)

    def stands(status: str, why: str) -> None:
        telemetry.opened("southern")
        telemetry.says("southern", status)
        telemetry.postgres.up.labels("southern").set(1)
        checks["link/southern"] = why

    async def play() -> None:
        async with asking(app) as client:

            async def told(question: str) -> tuple[str, str, int]:
                async with client.get("/duty/now") as answer:
                    now = await answer.json()
                (found,) = [each for each in now["answers"] if each["question"] == question]
                (status,) = [fact["now"] for fact in found["facts"] if fact["what"] == "Link"]
                return found["state"], status, len(found["lines"][0]["points"])

            stands("running", "")
            duty.sample()
            assert (await told("Is money safe?"))[1:] == ("running", 1)
            stands("ledger_behind", "the link is ledger_behind")
            assert await told("Is money safe?") == ("stop", "stopped: the ledger went back", 1)
            assert (await told("What do players feel?"))[:2] == ("stop", "stopped: the ledger went back")
            stands("running", "")
            assert (await told("Is money safe?"))[1:] == ("running", 1)
            duty.sample()
            assert (await told("Is money safe?"))[1:] == ("running", 2)

    run(play())


def test_counts_are_noted_as_often_while_something_is_wrong() -> None:
    """Only a start and a pause wait for the first answers: else rates of five minutes would be of ten."""
    checks = {"link/southern": "the link is stopped"}
    telemetry, asked = Telemetry(), list[None]()
    duty = Duty(
        ScriptedDirectory(ScriptedLink()), lambda: ["southern"], telemetry, lambda: checks,
        refresh=lambda: asked.append(None), assets=Assets(SHARED, BOARD_ASSETS),
    )  # fmt: skip
    clock = [1_000.0]

    async def play(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(duty_module, "time", SimpleNamespace(monotonic=lambda: clock[0], time_ns=time.time_ns))
        monkeypatch.setattr(duty_module, "LOOK_S", 0)
        sampling = asyncio.create_task(duty.keep_sampling())
        noted_s: list[float] = []
        while len(noted_s) < 3:
            clock[0] += 0.5
            await asyncio.sleep(0)
            if len(asked) > len(noted_s):
                noted_s.append(clock[0])
        sampling.cancel()
        assert [round(after - before) for before, after in pairwise(noted_s)] == [10, 10]

    with pytest.MonkeyPatch.context() as monkeypatch:
        run(play(monkeypatch))


def test_answers_are_worked_out_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wagers on the same loop wait for no more, however many look, or queued while the server stood still."""
    telemetry, worked_out = Telemetry(), list[str]()
    duty = Duty(
        ScriptedDirectory(ScriptedLink()), lambda: ["southern"], telemetry, dict,
        refresh=lambda: None, assets=Assets(SHARED, BOARD_ASSETS),
    )  # fmt: skip

    def answer(history: History, link: str, *, currency: str) -> list[Answer]:
        worked_out.append(link)
        return answers(history, link, currency=currency)

    monkeypatch.setattr(duty_module, "answers", answer)
    app = new_application(telemetry.requests)
    duty.add_to(app)

    async def play() -> None:
        async with asking(app) as client:
            for noted in (1, 2):
                duty.sample()
                for _ in range(5):
                    async with client.get("/duty/now") as told:
                        assert len((await told.json())["answers"]) == 5
                assert len(worked_out) == noted

    run(play())
