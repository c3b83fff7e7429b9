"""How is a connection made safe? The certificate a server shows, and what a client believes, for both programs.

TLS 1.2 and later only, with forward secrecy and authenticated ciphers. A certificate that a site renews is taken up
from its files without a connection being lost: those that stand keep the old one, new ones see the new one. No
`Strict-Transport-Security` is sent: it would hold for every port of the name, and so lock people out of what a site
serves beside us without TLS.
"""

import asyncio
import contextlib
import signal
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

__all__ = ["ServerCertificate", "TlsFault", "believing", "renewing"]

LOOK_EVERY_S = 60.0
"""So soon a renewed certificate is shown without being asked to; SIGHUP asks at once."""
CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""Of TLS 1.2; those of 1.3 are all good."""

_log = structlog.get_logger(__name__)


class TlsFault(ValueError):
    """A file of TLS that cannot be used: which setting names it, the file, and why."""

    def __init__(self, field: str, path: Path, reason: str) -> None:
        """Keep the three parts; the program that asked makes its own error of them."""
        super().__init__(f"{field} '{path}': {reason}")
        self.field, self.path, self.reason = field, path, reason


@dataclass(frozen=True, slots=True)
class _State:
    """What tells whether files were changed, without reading them."""

    of: tuple[tuple[int, int, int, int], ...]

    @classmethod
    def now(cls, *paths: Path) -> "_State":
        stats = [path.stat() for path in paths]
        return cls(tuple((stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size) for stat in stats))


class ServerCertificate:
    """The certificate a server shows, with its key, from two PEM files (`tls_cert`: leaf first, then its issuers).

    `context` is for new connections and is the same for ever; `renew` puts the newer certificate into it.
    """

    def __init__(self, cert: Path, key: Path) -> None:
        """Read both files; raises TlsFault where one is missing, wrong, not the other's, or the key open to others."""
        self._cert, self._key = cert, key
        self.context = _server_context()
        self._seen = _State(())
        self.expires = datetime.min.replace(tzinfo=UTC)
        self.renew()

    @property
    def expires_s(self) -> int:
        """When it ends, in seconds since 1970."""
        return int(self.expires.timestamp())

    def renew(self) -> bool:
        """Take the files up where they were changed; say whether they were.

        **Never** half: where they cannot be used the certificate shown stays, and TlsFault is raised.
        """
        try:
            seen = _State.now(self._cert, self._key)
        except OSError as error:
            path = Path(str(error.filename))
            raise TlsFault(self._field(path), path, error.strerror or str(error)) from None
        if seen == self._seen:
            return False
        expires = self._checked()
        self._load(_server_context())  # what OpenSSL refuses is refused here, before it is anyone's
        self._load(self.context)
        self._seen, self.expires = seen, expires
        return True

    def _checked(self) -> datetime:
        leaf = _certificate("tls_cert", self._cert)
        public = leaf.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        if public != _public_of_key(self._key):
            raise TlsFault("tls_key", self._key, f"not the key of the certificate in {self._cert}")
        return leaf.not_valid_after_utc

    def _load(self, context: ssl.SSLContext) -> None:
        try:
            context.load_cert_chain(self._cert, self._key)
        except (OSError, ValueError) as error:
            raise TlsFault("tls_cert", self._cert, str(error)) from None

    def _field(self, path: Path) -> str:
        return "tls_key" if path == self._key else "tls_cert"


@contextlib.asynccontextmanager
async def renewing(certificate: ServerCertificate, told: Callable[[int], None]) -> AsyncIterator[None]:
    """Take a renewed certificate up while the context lasts: at SIGHUP, and within a minute of a change.

    `told` is told when the certificate shown ends, at once and at each renewal. Files that cannot be used are logged as
    an error each time they are looked at, and the certificate shown stays.
    """
    loop, asked = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGHUP, asked.set)
    _tell(certificate, told)
    task = asyncio.create_task(_keep_renewing(certificate, told, asked))
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _keep_renewing(certificate: ServerCertificate, told: Callable[[int], None], asked: asyncio.Event) -> None:
    while True:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asked.wait(), LOOK_EVERY_S)
        asked.clear()
        try:
            if certificate.renew():
                _tell(certificate, told)
        except TlsFault as fault:
            _log.error("certificate_not_renewed", why=str(fault), shown_until=certificate.expires.isoformat())


def _tell(certificate: ServerCertificate, told: Callable[[int], None]) -> None:
    told(certificate.expires_s)
    if certificate.expires < datetime.now(UTC):
        _log.error("certificate_expired", expired=certificate.expires.isoformat())
    else:
        _log.info("certificate", shown_until=certificate.expires.isoformat())


def believing(field: str, ca: Path | None) -> ssl.SSLContext:
    """Return what a client believes: the certificates of a file, and no others; without one, those of the system.

    **Always** the name in the certificate must be the server's. Raises TlsFault naming the setting `field`.
    """
    try:
        context = ssl.create_default_context(cafile=ca)
    except OSError as error:
        if ca is None:
            raise
        reason = "holds no certificate (PEM)" if isinstance(error, ssl.SSLError) else error.strerror or str(error)
        raise TlsFault(field, ca, reason) from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _server_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_ciphers(CIPHERS)
    context.set_alpn_protocols(["http/1.1"])
    return context


def _certificate(field: str, path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())[0]
    except OSError as error:
        raise TlsFault(field, path, error.strerror or str(error)) from None
    except ValueError:
        raise TlsFault(field, path, "holds no certificate (PEM)") from None


def _public_of_key(path: Path) -> bytes:
    try:
        open_to_others = path.stat().st_mode & 0o007
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise TlsFault("tls_key", path, error.strerror or str(error)) from None
    except TypeError:
        raise TlsFault("tls_key", path, "locked by a passphrase, and nobody is here to give it") from None
    except (ValueError, UnsupportedAlgorithm):
        raise TlsFault("tls_key", path, "holds no private key (PEM)") from None
    if open_to_others:
        raise TlsFault("tls_key", path, "others may read this private key: set its mode to 0640 or 0600")
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
