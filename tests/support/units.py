"""The site's systemd units, run by their own lines: what systemd would start, with its credentials, and hears from it.

No more of systemd than the units of `deploy/systemd` ask for; how they confine a program is not tried here.
"""

import shlex
import signal
import socket
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.site import ROOT, until

UNITS = ROOT / "deploy" / "systemd"


def settings_of(text: str) -> dict[str, list[str]]:
    """A unit's settings, each with its values in order; lines that go on are joined."""
    found: dict[str, list[str]] = {}
    for line in text.replace("\\\n", " ").splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(name.strip(), []).append(value.strip())
    return found


@dataclass
class Units:
    """The units of a site whose names and folders `placed` puts in the place of the example's."""

    folder: Path
    placed: Callable[[str], str]
    environment: Mapping[str, str]
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def systemctl(self, verb: str, *names: str) -> None:
        """Do what `systemctl` does: start, enable --now, reload, stop; a timer waits for its hour."""
        for name in names:
            unit, _, kind = name.rpartition(".")
            if kind == "timer":
                assert (UNITS / name).exists(), name
            elif verb in {"start", "enable"}:
                self._start(unit)
            elif verb == "reload":
                assert self._settings(unit)[0]["ExecReload"] == ["/bin/kill -HUP $MAINPID"]
                self.running[unit].send_signal(signal.SIGHUP)
            elif verb == "stop":
                assert self.stop(unit) == 0, self.log(unit)
            else:
                raise AssertionError(f"systemctl {verb}")

    def log(self, unit: str) -> str:
        """What a unit's program said."""
        return (self.folder / f"{unit}.log").read_text(errors="replace")

    def stop(self, unit: str) -> int:
        """Ask a unit's program to end, and wait as long as its unit does; its exit code."""
        process = self.running.pop(unit)
        process.send_signal(signal.SIGTERM)
        return process.wait(int(self._settings(unit)[0]["TimeoutStopSec"][0]))

    def end_all(self) -> None:
        """End whatever still runs."""
        for process in self.running.values():
            process.kill()
            process.wait(30)

    def _settings(self, unit: str) -> tuple[dict[str, list[str]], str]:
        name, at, instance = unit.partition("@")
        return settings_of(self.placed((UNITS / f"{name}{at}.service").read_text())), instance

    def _start(self, unit: str) -> None:
        settings, instance = self._settings(unit)
        credentials = self.folder / unit
        credentials.mkdir(mode=0o700, exist_ok=True)
        for given in settings.get("LoadCredential", []):
            name, _, source = given.partition(":")
            (credentials / name).write_bytes(Path(source).read_bytes())
            (credentials / name).chmod(0o400)

        def said(text: str) -> str:
            return text.replace("%d", str(credentials)).replace("%i", instance)

        environment = dict(self.environment)
        for file in settings.get("EnvironmentFile", []):
            lines = Path(said(file)).read_text().splitlines()
            environment |= dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        for line in settings.get("Environment", []):
            environment |= dict(word.split("=", 1) for word in shlex.split(said(line)))
        (line,) = settings["ExecStart"]
        command: list[str] = []
        for word in shlex.split(said(line)):
            command += environment[word[1:]].split() if word.startswith("$") else [word]
        self._run(unit, settings, command, environment)

    def _run(self, unit: str, settings: dict[str, list[str]], command: list[str], environment: dict[str, str]) -> None:
        path = self.folder / f"{unit}.notify"
        with (self.folder / f"{unit}.log").open("ab") as log, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
            heard.bind(str(path))
            heard.settimeout(0.05)
            if "WatchdogSec" in settings:
                environment |= {"WATCHDOG_USEC": f"{int(settings['WatchdogSec'][0]) * 1_000_000}"}
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                cwd="/", env=environment | {"NOTIFY_SOCKET": str(path)},
            )  # fmt: skip
            if settings["Type"] == ["oneshot"]:
                assert process.wait(120) == 0, self.log(unit)
                return
            self.running[unit] = process

            def ready() -> bool:
                assert process.poll() is None, self.log(unit)
                try:
                    return heard.recv(100) == b"READY=1"
                except TimeoutError:
                    return False

            until(ready, f"{unit} is ready")
