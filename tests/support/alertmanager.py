"""An Alertmanager of Debian's under the site's own configuration, and whom it tells what."""

import json
import re
import subprocess
import threading
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.playing import until
from tests.support.ports import free_port
from tests.support.prometheus import program
from tests.support.running import WITHIN_S

RECEIVERS = {
    "pager.example:9095/page": "page",
    "tickets.example:9095/ticket": "ticket",
    "outside.example:9095/alive": "alive",
}
TIMES = {"group_wait": "1s", "group_interval": "2s"}
"""How long it waits in tests; who is told what does not hang on it."""


@dataclass(slots=True)
class Alertmanager:
    """An Alertmanager that runs."""

    address: str
    told: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    """What it has told, in order: `page`, `ticket` or `alive`, and the group of alerts as it was sent."""

    def post(self, alerts: Sequence[Mapping[str, Any]]) -> None:
        """Give it alerts, as Prometheus does."""
        request = urllib.request.Request(
            f"http://{self.address}/api/v2/alerts",
            json.dumps(alerts).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - an address of our own
            assert answer.status == 200

    def said(self, whom: str) -> Sequence[Mapping[str, Any]]:
        """Return the groups that one receiver was told."""
        return [group for told, group in self.told if told == whom]


@contextmanager
def alertmanager(folder: Path, config: Path) -> Iterator[Alertmanager]:
    """Run Alertmanager while the context lasts: its receivers are ours, its times shorter, all else as configured."""
    manager = Alertmanager(f"127.0.0.1:{free_port()}")
    with _listening(manager) as hook:
        text = config.read_text(encoding="utf-8")
        for receiver, whom in RECEIVERS.items():
            assert receiver in text
            text = text.replace(receiver, f"{hook}/{whom}")
        for name, short in TIMES.items():
            text = re.sub(rf"{name}: [1-9]\w+", f"{name}: {short}", text)
        own = folder / "alertmanager.yml"
        own.write_text(text, encoding="utf-8")
        command = [
            program("prometheus-alertmanager", "prometheus-alertmanager"), f"--config.file={own}",
            f"--storage.path={folder / 'alerts'}", f"--web.listen-address={manager.address}",
            "--cluster.listen-address=",
        ]  # fmt: skip
        with (folder / "alertmanager.log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        try:
            until(lambda: _ready(manager.address), "Alertmanager is ready")
            yield manager
        finally:
            process.terminate()
            process.wait(WITHIN_S)


def _ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{address}/-/ready", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextmanager
def _listening(manager: Alertmanager) -> Iterator[str]:
    """Listen as all receivers; give HOST:PORT."""

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            manager.told.append((self.path.strip("/"), json.loads(body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's own name
            """Say nothing: what was told is kept."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
