"""Certificates made in a test: an authority of its own, and what it vouches for."""

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


@dataclass(frozen=True)
class Authority:
    """An authority whose certificate is `ca.pem` in a folder."""

    folder: Path
    name: str = "Test CA"

    @cached_property
    def key(self) -> ec.EllipticCurvePrivateKey:
        """Its private key."""
        return ec.generate_private_key(ec.SECP256R1())

    @cached_property
    def file(self) -> Path:
        """Its certificate as a file."""
        subject, now = _name(self.name), datetime.now(UTC)
        usage = x509.KeyUsage(
            digital_signature=True,
            key_cert_sign=True,
            crl_sign=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        made = (
            _builder(subject, subject, self.key, now + timedelta(days=30))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
            .sign(self.key, SHA256())
        )
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "ca.pem"
        path.write_bytes(made.public_bytes(Encoding.PEM))
        return path

    def vouch(self, name: str, *, days: int = 7, host: str = "localhost", mode: int = 0o600) -> tuple[Path, Path]:
        """Make a certificate for a server on this machine: the files of the certificate and of its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = [x509.DNSName(host)]
        addresses = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))] if host == "localhost" else []
        made = (
            _builder(_name(name), _name(self.name), key, datetime.now(UTC) + timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([*names, *addresses]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
            .sign(self.key, SHA256())
        )
        cert, secret = self.file.with_name(f"{name}.pem"), self.file.with_name(f"{name}.key")
        cert.write_bytes(made.public_bytes(Encoding.PEM))
        secret.touch(mode=0o600)
        secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        secret.chmod(mode)
        return cert, secret


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, until: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(until - timedelta(days=60))
        .not_valid_after(until)
    )
