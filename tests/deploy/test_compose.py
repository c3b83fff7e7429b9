"""The trial as containers, as far as that can be told without running it: schema, files, secrets, limits."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.support.prometheus import program
from tests.support.site import ROOT

DOCKER = ROOT / "deploy" / "docker"
FILE = DOCKER / "compose.yaml"
ONCE = {"migrate", "enrol"}
"""Services that end by themselves."""


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The file as compose reads it."""
    read: dict[str, Any] = YAML(typ="safe", pure=True).load(FILE)
    return read


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `prepare.sh` makes of a copy of the release."""
    release = tmp_path_factory.mktemp("release")
    for name in ("deploy/docker", "deploy/site"):
        shutil.copytree(ROOT / name, release / name, ignore=shutil.ignore_patterns("__pycache__"))
    (release / "jackpot").mkdir()
    shutil.copy(ROOT / "jackpot" / "demo_terms.json", release / "jackpot")
    script = release / "deploy" / "docker" / "prepare.sh"
    first, again = (subprocess.run([script], capture_output=True, text=True, check=False) for _time in range(2))
    assert (first.returncode, again.returncode) == (0, 0), first.stderr
    assert "nothing was changed" in again.stderr
    return script.parent


def test_the_file_is_what_the_compose_specification_says() -> None:
    """It is valid under the schema of compose files that check-jsonschema carries."""
    checker = str(Path(sys.executable).with_name("check-jsonschema"))
    command = [checker, "--builtin-schema", "vendor.compose-spec", str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_service_is_limited_watched_and_without_privilege(compose: dict[str, Any]) -> None:
    """Memory, processors and processes have limits; each is watched, restarted, pinned, and may gain no privilege."""
    for name, service in compose["services"].items():
        limits = service["deploy"]["resources"]["limits"]
        assert {"cpus", "memory", "pids"} == set(limits), name
        assert service["restart"] == ("no" if name in ONCE else "unless-stopped"), name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service.get("read_only") or name == "postgres", name
        assert re.fullmatch(r"[a-z/-]+:v?\d+\.\d+(\.\d+)?(-bookworm)?", service["image"]), name
        ours = service["image"].startswith("jackpot-")
        assert ours or service["healthcheck"]["test"], name


def test_no_secret_stands_in_the_file(compose: dict[str, Any]) -> None:
    """Passwords and addresses with them come as files; nothing in an environment or a command is one."""
    text = FILE.read_text()
    assert not re.search(r"://[^/\s:]+:[^@\s]+@", text)
    for name, service in compose["services"].items():
        for variable, value in (service.get("environment") or {}).items():
            secret = re.search(r"PASSWORD|SECRET|TOKEN|DATABASE_URL|OWNER_URL|REDIS_URL", variable)
            assert not secret or (variable.endswith("_FILE") and str(value).startswith("/run/secrets/")), name
            if str(value).startswith("/run/secrets/"):
                assert value.rsplit("/", 1)[1] in service["secrets"], (name, variable)


def test_only_boards_tables_and_dashboard_are_reached_from_outside(compose: dict[str, Any]) -> None:
    """Ledger and meters are on internal networks; Grafana is published to this machine alone."""
    published = {name: service["ports"] for name, service in compose["services"].items() if "ports" in service}
    assert published == {"jackpot": ["8443:8443"], "grafana": ["127.0.0.1:3000:3000"]}
    inner = {name for name, network in compose["networks"].items() if (network or {}).get("internal")}
    for name in ("postgres", "redis", "migrate", "enrol", "table-t1", "table-t2", "prometheus"):
        assert set(compose["services"][name]["networks"]) <= inner, name
    assert not set(compose["services"]["postgres"]["networks"]) & set(compose["services"]["table-t1"]["networks"])


def test_every_file_is_there_or_is_made(compose: dict[str, Any], prepared: Path) -> None:
    """Secrets, configurations and mounted folders are in the release, or `prepare.sh` makes them, closed to others."""
    for kind in ("secrets", "configs"):
        for name, given in compose[kind].items():
            file = given["file"]
            where = prepared if file.startswith("./site/") else DOCKER
            assert (where / file).is_file(), (kind, name)
            if kind == "secrets" and not name.endswith(".pem"):
                assert (where / file).stat().st_mode & 0o077 == 0, name
    for name, service in compose["services"].items():
        for kind in ("secrets", "configs"):
            named = [one if isinstance(one, str) else one["source"] for one in service.get(kind, [])]
            assert set(named) <= set(compose[kind]), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (DOCKER / source).is_dir(), (name, source)


def test_prometheus_takes_its_configuration(tmp_path: Path) -> None:
    """Prometheus finds the configuration of the containers sound, with the rules that are mounted beside it."""
    text = (DOCKER / "prometheus.yml").read_text()
    (tmp_path / "ca.pem").touch()
    (tmp_path / "prometheus.yml").write_text(text.replace("/run/secrets/ca.pem", str(tmp_path / "ca.pem")))
    (tmp_path / "rules").symlink_to(ROOT / "deploy" / "prometheus" / "rules")
    command = [program("promtool", "prometheus"), "check", "config", str(tmp_path / "prometheus.yml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_containers_differ_from_a_site_in_paths_alone() -> None:
    """Redis and Postgres are under the same rules as `deploy/site` has them."""
    site = ROOT / "deploy" / "site"
    redis = (site / "redis.conf").read_text().replace("/etc/redis/tls/server.", "/run/secrets/redis.")
    redis = redis.replace("/etc/redis/tls/ca.pem", "/run/secrets/ca.pem")
    assert (DOCKER / "redis.conf").read_text() == redis.replace("/etc/redis/users.acl", "/run/secrets/users.acl")
    hba = re.sub(r"10\.20\.0\.0/24 {2}", "samenet      ", (site / "pg_hba.conf").read_text())
    assert (DOCKER / "pg_hba.conf").read_text().split() == hba.split()
