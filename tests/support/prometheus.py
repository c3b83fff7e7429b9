"""A Prometheus of Debian's in a folder of a test's own, and what it answers."""

import json
import shutil
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.playing import until
from tests.support.ports import free_port

MISSING = "Debian's package {0} is needed: `make debian-packages` or `apt-get install {0}`"


@dataclass(frozen=True, slots=True)
class Prometheus:
    """A Prometheus that runs."""

    address: str
    """HOST:PORT of its interface."""

    def query(self, expression: str) -> Sequence[Mapping[str, Any]]:
        """Return the series an expression comes to now, a scalar as one series; raises OSError where it is refused."""
        data = self._ask("query", query=expression)
        if data["resultType"] == "scalar":
            return [{"metric": {}, "value": data["result"]}]
        return list(data["result"])

    def alerts(self) -> Sequence[Mapping[str, Any]]:
        """Return the alerts that are pending or firing now."""
        return list(self._ask("alerts")["alerts"])

    def rules(self) -> Sequence[Mapping[str, Any]]:
        """Return all rules with their health, as they were evaluated last."""
        return [rule for group in self._ask("rules")["groups"] for rule in group["rules"]]

    def targets(self) -> Mapping[str, str]:
        """Return the health of each target, by its job and address."""
        found = self._ask("targets")["activeTargets"]
        return {f"{one['labels']['job']} {one['labels']['instance']}": one["health"] for one in found}

    def _ask(self, what: str, **parameters: str) -> Any:
        url = f"http://{self.address}/api/v1/{what}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=60) as answer:
            return json.load(answer)["data"]


def program(name: str, package: str) -> str:
    """Return where a program of a Debian package is; a machine without it fails the test with what to do."""
    found = shutil.which(name)
    assert found is not None, MISSING.format(package)
    return found


@contextmanager
def prometheus(folder: Path, config: Path) -> Iterator[Prometheus]:
    """Run Prometheus with a configuration while the context lasts; its data lies in the folder."""
    address = f"127.0.0.1:{free_port()}"
    command = [
        program("prometheus", "prometheus"), f"--config.file={config}", f"--storage.tsdb.path={folder / 'tsdb'}",
        f"--web.listen-address={address}", "--log.level=warn",
    ]  # fmt: skip
    with (folder / "prometheus.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        ready = f"http://{address}/-/ready"

        def answers() -> bool:
            assert process.poll() is None, (folder / "prometheus.log").read_text(errors="replace")
            try:
                with urllib.request.urlopen(ready, timeout=2) as answer:
                    return bool(answer.status == 200)
            except OSError:
                return False

        until(answers, "Prometheus is ready")
        yield Prometheus(address)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def own_config(folder: Path, server: str, tables: str, link: str, rules: Sequence[Path]) -> Path:
    """Write a configuration like the site's for programs of a test's own: the same jobs, read each second."""
    config = {
        "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(file) for file in rules],
        "scrape_configs": [
            {"job_name": "jackpot", "static_configs": [{"targets": [server]}]},
            {
                "job_name": "tablelink",
                "honor_labels": True,
                "static_configs": [{"targets": [tables], "labels": {"link": link}}],
            },
        ],
    }
    path = folder / "prometheus.yml"
    path.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    return path
