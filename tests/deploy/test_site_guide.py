"""The operator's guide, run as it is written: from nothing to two linked tables on Debian's Postgres and Redis."""

import os
import re
import shlex
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.ports import free_port
from tests.support.site import ROOT, SiteServers, log_of, own_folder, postgres, redis, until
from tests.support.units import Units

GUIDE = ROOT / "deploy" / "INSTALL.md"
PACE = "--simulate --pace 0.2"
"""People follow a round in twenty seconds; a test need not."""


def steps() -> list[tuple[str, list[str]]]:
    """The guide's blocks marked `sh`, each as its lines, under the step's number."""
    return [
        (section.split(".")[0], block.splitlines())
        for section in GUIDE.read_text().split("\n## ")[1:]
        for block in re.findall(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    ]


@dataclass
class Site:
    """A site that is being set up: what stands in for its machines' names and folders."""

    servers: SiteServers
    folder: Path
    server_port: int
    table_ports: tuple[int, int]
    environment: dict[str, str] = field(default_factory=dict)

    def placed(self, text: str) -> str:
        """Put this site's names and folders in the place of the guide's."""
        for old, new in (
            ("/opt/jackpot/bin", f"{self.folder}/bin"),
            ("/srv/site", f"{self.folder}/admin"),
            ("/etc/jackpot", f"{self.folder}/etc"),
            ("/var/lib/jackpot", f"{self.folder}/server"),
            ("/var/lib/tablelink", f"{self.folder}/table"),
            ("db.casino.example:5432", f"localhost:{self.servers.postgres_port}"),
            ("redis.casino.example:6379", f"localhost:{self.servers.redis_port}"),
            ("jackpot.casino.example:8443", f"localhost:{self.server_port}"),
            ("0.0.0.0:8443", f"127.0.0.1:{self.server_port}"),
            (":9101", f":{self.table_ports[0]}"),
            (":9102", f":{self.table_ports[1]}"),
            ("jackpot.casino.example", "localhost"),
            (" db.casino.example redis.casino.example", ""),
            ("TABLELINK_OPTIONS=--simulate", f"TABLELINK_OPTIONS={PACE}"),
            (" -g jackpot", ""),
            (" -o tablelink", ""),
            (" -o postgres", ""),
            ("/var/backups/jackpot", f"{self.folder}/backups"),
        ):
            text = text.replace(old, new)
        return text

    def place(self, *names: str) -> None:
        """Lay down the example files that the guide copies, with this site's names in them."""
        for name in names:
            file = self.folder / "files" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.placed((ROOT / name).read_text()))

    def run(self, lines: list[str], units: Units) -> None:
        """Run a block: `systemctl` by the units themselves, everything else by bash; what is exported stays."""
        chunk: list[str] = []
        for line in [*lines, "systemctl"]:
            if not line.startswith("systemctl"):
                chunk.append(line)
                continue
            if chunk:
                self._bash("\n".join(chunk))
            chunk = []
            verb, *names = [word for word in shlex.split(line)[1:] if word != "--now"] or [""]
            if verb:
                units.systemctl(verb, *names)

    def _bash(self, text: str) -> None:
        kept = self.folder / "environment"
        script = f"set -euo pipefail\n{self.placed(text)}\nenv -0 > {kept}\n"
        done = subprocess.run(
            ["/bin/bash", "-c", script], env=self.environment, cwd=self.folder / "files", check=False,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        pairs = (pair.split("=", 1) for pair in kept.read_text().split("\0") if pair)
        self.environment = dict(pairs)

    def metric(self, name: str) -> float:
        """A family of the server's, added up; read as Prometheus reads it."""
        believed = ssl.create_default_context(cafile=self.folder / "etc" / "tls" / "ca.pem")
        url = f"https://localhost:{self.server_port}/metrics"
        with urllib.request.urlopen(url, context=believed, timeout=60) as answer:
            lines = answer.read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if re.match(rf"{name}[ {{]", line))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site's folders, with programs in the place of those of its machines; nothing is set up yet."""
    with own_folder() as folder:
        servers = SiteServers(folder, free_port(), free_port())
        made = Site(servers, tmp_path, free_port(), (free_port(), free_port()))
        programs = tmp_path / "bin"
        programs.mkdir()
        for name in ("jackpot", "tablelink"):
            _program(programs / name, f'exec {sys.executable} -m {name} "$@"')
        _program(programs / "sudo", 'shift 2; exec "$@"')  # `sudo -u NAME COMMAND`: the test is all accounts at once
        own = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        made.environment = own | dict(servers.administrator) | {
            "PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        made.place(
            "deploy/site/server.env", "deploy/site/table.env", "deploy/site/roles.sql", "jackpot/demo_terms.json"
        )
        for script in ("certificates.sh", "secrets.sh"):
            made.place(f"deploy/site/{script}")
            (tmp_path / "files" / "deploy" / "site" / script).chmod(0o755)
        yield made


def test_the_guide_leads_from_nothing_to_two_linked_tables(site: Site) -> None:
    """Every command of the guide works; two tables play over TLS, all is backed up, the auditor finds nothing."""
    units = Units(site.folder, site.placed, {name: site.environment[name] for name in ("PATH", "PYTHONPATH")})
    admin, folder = site.folder / "admin", site.servers.folder
    cert, key, ca = (admin / "pki" / name for name in ("localhost.pem", "localhost.key", "ca.pem"))
    blocks = steps()
    assert [number for number, _ in blocks] == ["2", "3", "5", "6", "7", "9", "9"]
    todo, backing_up = dict(blocks[:-1]), blocks[-1][1]
    site.run(todo["2"], units)
    passwords = re.findall(r"'([0-9a-f]{48})'", (admin / "secrets" / "passwords.psql").read_text())
    passwords += re.findall(r":([0-9a-f]{48})@", (admin / "secrets" / "table-redis-url").read_text())
    assert len(set(passwords)) == 4
    with (
        postgres(folder, site.servers.postgres_port, cert, key),
        redis(folder, site.servers.redis_port, cert, key, ca, admin / "secrets" / "users.acl"),
    ):
        try:
            for number in ("3", "5", "6", "7"):
                site.run(todo[number], units)
            assert (site.folder / "etc" / "secrets").stat().st_mode & 0o777 == 0o750, (
                "tables shut out the server's account"
            )
            until(lambda: site.metric("jackpot_wagers_accepted_total") >= 20, "both tables play")
            until(lambda: site.metric("jackpot_tables_connected") == 2, "the slower of them plays too")
            assert site.metric("jackpot_tls_certificate_expiry_timestamp_seconds") > 1_700_000_000
            _renewed(site, units, [line for step in ("2", "5") for line in todo[step]])
            site.run(todo["9"], units)
            site.run(backing_up, units)
            assert list((site.folder / "backups").glob("*/backup_label")), "there is a backup to restore"
            for unit in ("tablelink@T1", "tablelink@T2", "jackpot"):
                assert units.stop(unit) == 0, units.log(unit)
            site.run(todo["9"], units)
        finally:
            units.end_all()
    said = "".join(units.log(unit) for unit in ("jackpot", "jackpot-migrate", "tablelink@T1", "tablelink@T2"))
    said += log_of(folder, "postgres") + log_of(folder, "redis")
    assert "Traceback" not in said
    assert not [secret for secret in passwords if secret in said]


def _renewed(site: Site, units: Units, lines: list[str]) -> None:
    """Renew the server's certificate as the guide says: the new one is shown, and no table is lost."""
    family = "jackpot_tls_certificate_expiry_timestamp_seconds"
    before, restarts = site.metric(family), units.log("tablelink@T1").count("session_lost")
    renewal = [line for line in lines if "certificates.sh" in line or "/tls/server." in line]
    assert len(renewal) == 3
    site.run([*renewal, "systemctl reload jackpot.service"], units)
    until(lambda: site.metric(family) > before, "the new certificate is shown")
    until(lambda: site.metric("jackpot_tables_connected") == 2, "the slower of them plays too")
    assert units.log("tablelink@T1").count("session_lost") == restarts


def _program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
