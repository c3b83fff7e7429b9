"""The certificate a server shows, how it is renewed, and whom a client believes."""

import asyncio
import os
import signal
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientConnectorCertificateError, ClientSession, TCPConnector, web
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

from jackpot.serving import tls
from jackpot.serving.running import Listen, listening
from jackpot.serving.tls import ServerCertificate, TlsFault, believing, renewing
from tests.support.certificates import Authority
from tests.support.running import run


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """An authority of the test's own."""
    return Authority(tmp_path / "tls")


@asynccontextmanager
async def serving(certificate: ServerCertificate) -> AsyncIterator[str]:
    """Serve one word under a certificate, at the address given."""

    async def hello(_request: web.Request) -> web.Response:
        return web.Response(text="hello")

    app = web.Application()
    app.router.add_get("/", hello)
    async with listening(app, Listen("127.0.0.1", 0), tls=certificate.context) as address:
        yield address


async def shown_until(address: str, believed: ssl.SSLContext) -> str:
    """When the certificate ends that a new connection is shown."""
    host, port = address.removeprefix("https://").split(":")
    _, writer = await asyncio.open_connection(host, int(port), ssl=believed)
    until: str = writer.get_extra_info("peercert")["notAfter"]
    writer.close()
    await writer.wait_closed()
    return until


def test_who_believes_the_authority_connects_and_who_does_not_is_told_why(authority: Authority, tmp_path: Path) -> None:
    """A client with the site's own authority reads; one with another is told that it is not the one."""
    certificate = ServerCertificate(*authority.vouch("server"))
    stranger = Authority(tmp_path / "other", "Other CA").file

    async def connect() -> None:
        async with serving(certificate) as address:
            assert address.startswith("https://127.0.0.1:")
            async with ClientSession() as client:
                async with client.get(address, ssl=believing("ca", authority.file)) as told:
                    assert await told.text() == "hello"
                for context in (believing("ca", stranger), believing("ca", None)):
                    with pytest.raises(ClientConnectorCertificateError, match="unable to get local issuer"):
                        await client.get(address, ssl=context)

    run(connect())


def test_a_certificate_of_another_name_is_not_believed(authority: Authority) -> None:
    """The right authority is not enough: the name must be the server's."""
    certificate = ServerCertificate(*authority.vouch("server", host="elsewhere.example"))

    async def connect() -> None:
        async with serving(certificate) as address, ClientSession() as client:
            with pytest.raises(ClientConnectorCertificateError, match=r"not valid for '127\.0\.0\.1'"):
                await client.get(address, ssl=believing("ca", authority.file))

    run(connect())


@pytest.mark.parametrize(("version", "spoken"), [("TLSv1", False), ("TLSv1_1", False), ("TLSv1_2", True)])
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_no_older_tls_is_spoken(authority: Authority, version: str, spoken: bool) -> None:  # noqa: FBT001
    """TLS 1.2 is the oldest that is answered, and it is answered with forward secrecy."""
    certificate = ServerCertificate(*authority.vouch("server"))
    client = ssl.create_default_context(cafile=authority.file)
    client.minimum_version = client.maximum_version = ssl.TLSVersion[version]
    client.set_ciphers("ALL:@SECLEVEL=0")

    async def connect() -> str:
        async with serving(certificate) as address:
            _, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]), ssl=client)
            cipher: str = writer.get_extra_info("cipher")[0]
            writer.close()
            await writer.wait_closed()
            return cipher

    if spoken:
        assert run(connect()).startswith("ECDHE-ECDSA-AES")
    else:
        with pytest.raises((ConnectionError, ssl.SSLError)):
            run(connect())


def test_a_renewed_certificate_is_shown_without_a_connection_lost(authority: Authority) -> None:
    """SIGHUP takes the new files up: a connection that stands goes on, the next sees the new certificate."""
    certificate = ServerCertificate(*authority.vouch("server", days=7))
    seen: list[int] = []
    renewed = asyncio.Event()

    def told(at_s: int) -> None:
        seen.append(at_s)
        if len(seen) > 1:
            renewed.set()

    async def renew() -> None:
        believed = believing("ca", authority.file)
        async with serving(certificate) as address, renewing(certificate, told):
            before = await shown_until(address, believed)
            async with ClientSession(connector=TCPConnector(limit=1)) as client:
                async with client.get(address, ssl=believed) as one:
                    await one.read()
                authority.vouch("server", days=20)
                os.kill(os.getpid(), signal.SIGHUP)
                await renewed.wait()
                async with client.get(address, ssl=believed) as same:
                    assert await same.text() == "hello"
            assert await shown_until(address, believed) != before

    run(renew())
    assert seen[1] - seen[0] == 13 * 86_400 or abs(seen[1] - seen[0] - 13 * 86_400) < 60


def test_a_change_is_noticed_without_being_told(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that changed are taken up by themselves; one that cannot be used leaves the old certificate."""
    monkeypatch.setattr(tls, "LOOK_EVERY_S", 0.01)
    cert, key = authority.vouch("server", days=7)
    certificate = ServerCertificate(cert, key)
    first = certificate.expires
    seen: asyncio.Queue[int] = asyncio.Queue()

    async def renew() -> None:
        async with renewing(certificate, seen.put_nowait):
            await seen.get()
            cert.write_text("half a file")
            with pytest.raises(TlsFault, match="holds no certificate"):
                certificate.renew()
            assert certificate.expires == first
            authority.vouch("server", days=20)
            await seen.get()

    run(renew())
    assert certificate.expires > first


def test_files_that_cannot_be_used_are_named(authority: Authority, tmp_path: Path) -> None:
    """A file that is missing, wrong, open to others, locked or another's key is named, with its setting and why."""
    cert, key = authority.vouch("server")
    _, other = authority.vouch("other")
    _, open_to_all = authority.vouch("open", mode=0o644)
    empty, locked, none = tmp_path / "empty", tmp_path / "locked", tmp_path / "none"
    empty.touch(mode=0o600)
    locked.write_bytes(
        ed25519.Ed25519PrivateKey.generate().private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")
        )
    )
    locked.chmod(0o600)
    for files, said in (
        ((none, key), f"tls_cert '{none}': No such file"),
        ((cert, none), f"tls_key '{none}': No such file"),
        ((empty, key), f"tls_cert '{empty}': holds no certificate"),
        ((cert, empty), f"tls_key '{empty}': holds no private key"),
        ((cert, locked), f"tls_key '{locked}': locked by a passphrase"),
        ((cert, open_to_all), f"tls_key '{open_to_all}': others may read this private key"),
        ((cert, other), f"tls_key '{other}': not the key of the certificate in {cert}"),
        ((tmp_path, key), f"tls_cert '{tmp_path}': Is a directory"),
    ):
        with pytest.raises(TlsFault) as fault:
            ServerCertificate(*files)
        assert str(fault.value).startswith(said)


def test_what_a_client_is_to_believe_is_named_where_it_cannot_be_read(tmp_path: Path) -> None:
    """An authority's file that is missing or holds none is named with its setting."""
    empty = tmp_path / "empty.pem"
    empty.touch()
    for file, said in ((tmp_path / "none", "No such file"), (empty, "holds no certificate")):
        with pytest.raises(TlsFault, match=said) as fault:
            believing("ca", file)
        assert (fault.value.field, fault.value.path) == ("ca", file)


def test_a_key_for_its_group_is_taken(authority: Authority) -> None:
    """A key that the program's own group may read, as sites install it, is no fault."""
    assert ServerCertificate(*authority.vouch("server", mode=0o640)).expires_s > 0
