"""How a program begins and ends, and how its log lines look."""

import asyncio
import gc
import io
import json
import logging
import os
import signal
import weakref
from pathlib import Path

import pytest
import structlog
from aiohttp import web

from jackpot.serving.assets import Assets, Page
from jackpot.serving.logs import LogForm, set_up_logs
from jackpot.serving.running import Connections, Listen, ListenError, collect_seldom, listening, run_until_stopped
from tests.support.serving import LONGEST_S, run


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_program(number: signal.Signals) -> None:
    """SIGTERM and Ctrl-C set the event that ends the program, and what it has open is closed on its way out."""
    closed: list[str] = []

    async def main(stop: asyncio.Event) -> str:
        os.kill(os.getpid(), number)
        try:
            await asyncio.wait_for(stop.wait(), LONGEST_S)
        finally:
            closed.append("closed")
        return "ended"

    assert run_until_stopped(main) == "ended"
    assert closed == ["closed"]


def test_a_second_signal_does_not_wait() -> None:
    """Whoever presses Ctrl-C twice ends the program although it still waits."""

    async def main(stop: asyncio.Event) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await stop.wait()
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

    with pytest.raises(asyncio.CancelledError):
        run_until_stopped(main)


@pytest.mark.parametrize("text", ["", "8080", "host:", "host:port", "host:99999", "unix:", "host:-1"])
def test_what_is_no_address_is_named(text: str) -> None:
    """A text that is no address is refused with the text."""
    with pytest.raises(ListenError, match="wanted HOST:PORT"):
        Listen.parse(text)


def test_an_address_that_is_taken_is_named() -> None:
    """Listening on an address that is taken says which."""

    async def play() -> None:
        async with listening(web.Application(), Listen("127.0.0.1", 0)) as address:
            port = int(address.rsplit(":", 1)[1])
            with pytest.raises(ListenError, match=str(port)):
                async with listening(web.Application(), Listen("127.0.0.1", port)):
                    pass

    run(play())


def test_a_unix_socket_is_served_and_removed(tmp_path: Path) -> None:
    """A Unix socket is there while the application is served, and gone afterwards."""
    path = tmp_path / "s"

    async def play() -> None:
        async with listening(web.Application(), Listen("", 0, str(path))) as address:
            assert address == f"unix:{path}"
            assert path.exists()

    run(play())
    assert not path.exists()


def test_a_connection_that_will_not_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the program waits for connections no longer than its time of grace."""
    monkeypatch.setattr("jackpot.serving.running.GRACE_S", 0.05)

    class Stubborn:
        async def close(self) -> None:
            await asyncio.Event().wait()

    async def play() -> None:
        connections = Connections()
        with connections.holding(Stubborn()):
            await connections.close_all()
        assert len(connections) == 0

    run(play())


def test_log_lines_of_all_libraries_are_one_form_without_secrets() -> None:
    """Our lines and those of other libraries are JSON with time and level; secrets are not in them."""
    stream = io.StringIO()
    set_up_logs("json", "info", stream)
    secret = {"password": "hunter3"}
    structlog.get_logger("jackpot.test").info("hello", url="redis://:hunter2@host/0", table="T1", **secret)
    logging.getLogger("aiohttp.server").warning("said %s", "this")
    structlog.get_logger("jackpot.test").debug("not asked for")
    first, second = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert (first["event"], first["table"], first["level"]) == ("hello", "T1", "info")
    assert (second["event"], second["logger"], second["level"]) == ("said this", "aiohttp.server", "warning")
    assert "hunter" not in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_shows_no_values_of_variables(form: LogForm) -> None:
    """A traceback names files, lines and the error, never what a variable held: an address, a key, unseen cards."""
    stream = io.StringIO()
    set_up_logs(form, "info", stream)
    url = f"postgresql://service:{'hunter' + str(4)}@host/jackpot"
    try:
        assert int(f"none, for {len(url)}")
    except ValueError:
        structlog.get_logger("jackpot.test").exception("failed")
    assert "ValueError" in stream.getvalue()
    assert "test_running" in stream.getvalue()
    assert "hunter4" not in stream.getvalue()


def test_an_asset_names_another_by_its_hash(tmp_path: Path) -> None:
    """A script that imports another names it by its hash, so a change of either is a new address for both."""
    (tmp_path / "a.js").write_text('import "./b.js";')
    (tmp_path / "b.js").write_text("1")
    (tmp_path / "page.html").write_text("<p>$name</p><script src='$a_js'></script>")
    before = Assets(tmp_path)
    (tmp_path / "b.js").write_text("2")
    after = Assets(tmp_path)
    assert before.urls["a.js"] != after.urls["a.js"]
    assert before.version != after.version
    text = Page(tmp_path / "page.html", after).render(name="<b>").text
    assert text == f"<p>&lt;b&gt;</p><script src='{after.urls['a.js']}'></script>"


def test_cycles_are_looked_for_seldom_and_still_found() -> None:
    """A value that holds itself goes once enough new ones were made, and what was loaded is not looked through."""
    before = gc.get_threshold()
    try:
        collect_seldom()
        assert gc.get_freeze_count() > 10_000

        class Knot:
            """A value that holds itself."""

            def __init__(self) -> None:
                self.itself = self

        knot = Knot()
        gone = weakref.ref(knot)
        del knot
        kept: list[list[int]] = [[] for _ in range(2 * gc.get_threshold()[0])]
        assert gone() is None
        assert kept
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
