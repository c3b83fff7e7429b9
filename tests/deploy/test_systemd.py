"""The units, as systemd itself reads them; nothing is started."""

import json
import re
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.support.running import WITHIN_S
from tests.support.site import ROOT, until
from tests.support.units import UNITS, settings_of

SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
OWN = [name for name in SERVICES if name != "jackpot-board.service"]
"""Those that run our programs; the board's runs Chromium, which keeps a sandbox of its own."""


@pytest.fixture(scope="module")
def analyze(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The units with programs that are on this machine in the place of those that are not."""
    folder = tmp_path_factory.mktemp("units")
    for path in UNITS.glob("*.[st]*"):
        text = re.sub(r"/opt/jackpot/bin/\w+|/usr/bin/cage", "/bin/true", path.read_text())
        (folder / path.name).write_text(text)
    return folder


def _analyze(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    assert program is not None, (
        "Debian's package systemd is needed: `make debian-packages` or `apt-get install systemd`"
    )
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False, cwd=folder)


@pytest.mark.parametrize("unit", [*SERVICES, "jackpot-migrate.timer"])
def test_systemd_finds_nothing_wrong(analyze: Path, unit: str) -> None:
    """systemd-analyze verify has no word to say of a unit and of what it names."""
    done = _analyze(analyze, "verify", "--man=no", f"./{unit}")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize("unit", OWN)
def test_a_unit_is_confined(analyze: Path, unit: str) -> None:
    """By the score of systemd itself, of 10, its exposure is at most 2.1: the network, and nothing else."""
    done = _analyze(analyze, "security", "--offline=yes", "--no-pager", "--threshold=21", f"./{unit}")
    assert done.returncode == 0, done.stdout
    (score,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    print(unit, score)  # noqa: T201 - shown with -s


@pytest.mark.parametrize("unit", SERVICES)
def test_a_unit_keeps_its_promises(unit: str) -> None:
    """Memory is limited, what it names of the release is there, and no secret stands in it."""
    text = (UNITS / unit).read_text()
    settings = settings_of(text)
    assert settings["MemoryMax"], unit
    for path in re.findall(r"/opt/jackpot/(deploy/\S+)", " ".join(settings["ExecStart"])):
        assert (ROOT / path).exists(), path
    assert not re.search(r"(?i)password=|://\S+:\S+@", text)
    for path in settings.get("EnvironmentFile", []):
        example = re.sub(r"-%i", "", path.rsplit("/", 1)[1])
        assert (ROOT / "deploy" / "site" / example).exists(), path
    if settings.get("Type") == ["notify"]:
        assert settings["Restart"] == ["always"]
        assert int(settings["TimeoutStopSec"][0]) == 10
        assert int(settings["WatchdogSec"][0]) == 20


class Shown(BaseHTTPRequestHandler):
    """A server that says how long ago a board spoke."""

    ago_ms = 0
    status = 200

    def do_GET(self) -> None:
        """Answer as `/boards/LINK/shown` does."""
        self.send_response(type(self).status)
        self.end_headers()
        boards = [{"board": "entrance", "said_ms_ago": type(self).ago_ms}]
        self.wfile.write(json.dumps({"boards": boards}).encode())
        asked.set()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


asked = Event()


@pytest.mark.parametrize(
    ("board", "ago_ms", "status", "restarted"),
    [
        ("entrance", 31_000, 200, True),
        ("elsewhere", 1_000, 200, True),
        ("entrance", 1_000, 200, False),
        ("entrance", 31_000, 503, False),
    ],
)
def test_a_silent_board_is_started_anew(
    tmp_path: Path, board: str, ago_ms: int, status: int, *, restarted: bool
) -> None:
    """A board that the server does not hear, or does not know, is started anew; never while the server is ill."""
    Shown.ago_ms, Shown.status = ago_ms, status
    mark = tmp_path / "restarted"
    with HTTPServer(("127.0.0.1", 0), Shown) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        command = [
            sys.executable, str(ROOT / "deploy" / "board" / "board_watch.py"),
            f"http://127.0.0.1:{server.server_port}/boards/southern", board,
            "--after", "0.05", "--every", "0.02", "--", "touch", str(mark),
        ]  # fmt: skip
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as watch:
            try:
                for _look in range(10):
                    asked.clear()
                    assert asked.wait(WITHIN_S)
                if restarted:
                    until(mark.exists, "the board is started anew")
                assert mark.exists() == restarted
            finally:
                watch.kill()
                server.shutdown()
