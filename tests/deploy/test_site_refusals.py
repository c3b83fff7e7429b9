"""What a site sees when TLS, a password or a name is wrong: a clear sentence, an exit code, and never a secret."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError
from redis.exceptions import ConnectionError as RedisUnreachable

from jackpot.serving.tls import ServerCertificate
from tests.support.certificates import Authority
from tests.support.ports import free_port
from tests.support.site import ROOT, own_folder, postgres, redis

PROGRAMS_S = 60


@dataclass(frozen=True, slots=True)
class Passworded:
    """Servers with TLS and passwords; `urls` are the files that a site's programs read."""

    urls: Path
    authority: Authority

    def url(self, name: str) -> str:
        """What a file says."""
        return (self.urls / name).read_text().strip()

    def secret(self, name: str) -> str:
        """The password in it."""
        return self.url(name).split("@")[0].rsplit(":", 1)[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Passworded]:
    """Postgres with its roles, and Redis with its users, as the guide sets them up."""
    tmp_path = tmp_path_factory.mktemp("site")
    authority = Authority(tmp_path / "tls")
    db, bus = authority.vouch("db"), authority.vouch("redis")
    with own_folder() as folder:
        ports, urls = (free_port(), free_port()), tmp_path / "secrets"
        script = ROOT / "deploy" / "site" / "secrets.sh"
        addresses = [f"localhost:{port}" for port in ports]
        subprocess.run([script, urls, *addresses, authority.file], check=True)
        with postgres(folder, ports[0], *db), redis(folder, ports[1], *bus, authority.file, urls / "users.acl"):
            statements = (urls / "passwords.psql").read_text() + (ROOT / "deploy" / "site" / "roles.sql").read_text()
            psql = ["/usr/bin/psql", "--quiet", "-h", str(folder), "-p", str(ports[0]), "-U", "postgres"]
            subprocess.run(psql, input=statements, text=True, check=True)
            yield Passworded(urls, authority)


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JACKPOT_", "TABLELINK_"))}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], env=own | environment, capture_output=True, text=True, check=False,
        timeout=PROGRAMS_S, cwd=ROOT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_postgres_of_a_stranger_is_not_asked_for_anything(site: Passworded, tmp_path: Path) -> None:
    """A wrong authority, a missing file, a wrong password, a connection in the clear: nobody gets in."""
    stranger = Authority(tmp_path / "other", "Other CA").file
    good = site.url("owner-url")
    urls = {
        "certificate verify failed": good.replace(str(site.authority.file), str(stranger)),
        "names is not there: a socket, sslrootcert": good.replace(str(site.authority.file), str(tmp_path / "none.pem")),
        "password authentication failed": good.replace(site.secret("owner-url"), "0" * 48),
        "no encryption": good.split("?")[0] + "?sslmode=disable",
    }
    for said, url in urls.items():
        file = tmp_path / "url"
        file.write_text(url)
        done = program("jackpot", "migrate", "--database-url-file", str(file))
        assert done.returncode == 1, said
        assert said.lower() in done.stderr.lower(), done.stderr
        assert "sqlalche" not in done.stderr
        assert site.secret("owner-url") not in done.stderr + done.stdout
    assert program("jackpot", "migrate", JACKPOT_OWNER_URL_FILE=str(site.urls / "owner-url")).returncode == 0


def test_an_auditor_cannot_write(site: Passworded) -> None:
    """The auditor's role reads and works out; what would write is refused by Postgres itself."""
    assert program("jackpot", "migrate", "--database-url-file", str(site.urls / "owner-url")).returncode == 0
    auditor = {"JACKPOT_DATABASE_URL_FILE": str(site.urls / "auditor-url")}
    assert program("jackpot", "audit", **auditor).returncode == 0
    terms = str(ROOT / "jackpot" / "demo_terms.json")
    keys = str(site.urls / "keys")
    done = program("jackpot", "link", "open", terms, "--by", "ANN", "--second", "BEN", "--keys", keys, **auditor)
    assert done.returncode != 0
    assert "permission denied" in done.stderr


def test_redis_lets_each_in_for_its_own_part(site: Passworded, tmp_path: Path) -> None:
    """A table reads what the server publishes and cannot speak for it; nobody else is let in, nor trusted."""
    with Redis.from_url(site.url("redis-url")) as server, Redis.from_url(site.url("table-redis-url")) as table:
        server.set("jackpot:southern:last", "x")
        assert table.get("jackpot:southern:last") == b"x"
        forbidden: Callable[[], object]
        for forbidden in (
            lambda: table.publish("jackpot:southern", "forged"),
            lambda: table.set("jackpot:southern:last", "forged"),
            lambda: table.config_get("*"),
            lambda: server.get("other"),
            lambda: server.execute_command("FLUSHALL"),
            lambda: server.publish("other", "x"),
        ):
            with pytest.raises(NoPermissionError):
                forbidden()
    stranger = Authority(tmp_path / "other", "Other CA").file
    url = site.url("redis-url")
    wrong_ca = url.replace(str(site.authority.file), str(stranger))
    with Redis.from_url(wrong_ca) as client, pytest.raises(RedisUnreachable, match="certificate verify failed"):
        client.ping()
    with Redis.from_url(url.replace("rediss", "redis").split("?")[0]) as client, pytest.raises(RedisUnreachable):
        client.ping()
    with Redis.from_url(url.replace("server:", "nobody:")) as client, pytest.raises(AuthenticationError):
        client.ping()


def test_a_server_names_the_file_of_tls_it_cannot_use(tmp_path: Path) -> None:
    """Before it connects to anything: which setting, which file, why; exit code 2."""
    authority = Authority(tmp_path / "tls")
    cert, key = authority.vouch("server")
    _, other = authority.vouch("other")
    _, wide = authority.vouch("wide", mode=0o604)
    for arguments, said in (
        (["--tls-cert", str(cert)], "tls_cert is given: a certificate and its key go together"),
        (["--tls-key", str(key)], "tls_cert"),
        (["--tls-cert", str(tmp_path / "none"), "--tls-key", str(key)], f"tls_cert '{tmp_path / 'none'}'"),
        (["--tls-cert", str(cert), "--tls-key", str(other)], "not the key of the certificate"),
        (["--tls-cert", str(cert), "--tls-key", str(wide)], "others may read this private key"),
    ):
        done = program("jackpot", "serve", "--keys", str(tmp_path), *arguments)
        assert done.returncode == 2
        assert said in done.stderr, done.stderr


def test_a_table_says_whom_it_does_not_believe(tmp_path: Path) -> None:
    """A server under another authority is not spoken to, and the table says why, once; a useless `ca` is refused."""
    ServerCertificate(*Authority(tmp_path / "tls").vouch("server"))
    for server, ca, said in (
        ("wss://localhost:1", tmp_path / "none.pem", f"ca '{tmp_path / 'none.pem'}': No such file"),
        ("ws://localhost:1", tmp_path / "none.pem", "is reached without TLS: give its address as wss://"),
    ):
        done = program("tablelink", "run", *_table(tmp_path, server, ca))
        assert done.returncode == 2
        assert said in done.stderr, done.stderr
    authority, stranger = Authority(tmp_path / "tls"), Authority(tmp_path / "other", "Other CA")
    port = free_port()
    cert, key = authority.vouch("server")
    serve = ["-accept", str(port), "-cert", str(cert), "-key", str(key), "-quiet"]
    with subprocess.Popen(["/usr/bin/openssl", "s_server", *serve], stdin=subprocess.DEVNULL) as server_of_tls:
        command = [
            sys.executable,
            "-m",
            "tablelink",
            "run",
            *_table(tmp_path, f"wss://localhost:{port}", stranger.file),
        ]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as table:
            assert table.stderr is not None
            lines = (line for line in table.stderr if "certificate is not believed" in line)
            line = next(lines, "")
            table.send_signal(signal.SIGTERM)
            rest = list(lines)
        server_of_tls.kill()
    assert "unable to get local issuer certificate (setting: ca)" in line
    assert rest == []


def _table(folder: Path, server: str, ca: Path) -> list[str]:
    from jackpot.cli.keys import keep_key, new_key  # noqa: PLC0415 - for this helper alone

    key = folder / "keys" / "T1.key"
    if not key.exists():
        keep_key(key, new_key())
    terms = str(ROOT / "jackpot" / "demo_terms.json")
    folders = ["--keys", str(folder / "keys"), "--spool", str(folder / "spool"), "--terms", terms]
    return ["T1", "--server", server, "--ca", str(ca), *folders, "--simulate"]
