"""Where private keys are: one file each in the keys folder, mode 0600, made once and never made again.

`site.key` (evidence), `links/NAME.key` (snapshots), `tables/NAME.key` (a table's hello; it belongs with its agent).
"""

import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from jackpot.errors import OperatingError
from jackpot.wire.codec import FrameError
from jackpot.wire.written import hold_name

__all__ = ["KeyRefused", "keep_key", "key_file", "new_key", "public_hex", "read_key"]


class KeyRefused(OperatingError):
    """A key file that cannot be read, is no Ed25519 key, or is open to others."""

    def __init__(self, path: Path, reason: str) -> None:
        """Name the file."""
        super().__init__(f"{path}: {reason}", code="bad_key", retryable=False)


def key_file(folder: Path, kind: str, name: str | None = None) -> Path:
    """Return where a key is: `kind` is `site`, `link` or `table`.

    **Never** a file outside the folder: raises KeyRefused for what is no name of a link or a table.
    """
    if name is None:
        return folder / f"{kind}.key"
    try:
        hold_name(kind, name)
    except FrameError as error:
        raise KeyRefused(folder, str(error)) from None
    return folder / f"{kind}s" / f"{name}.key"


def new_key() -> Ed25519PrivateKey:
    """Make a private key."""
    return Ed25519PrivateKey.generate()


def keep_key(path: Path, key: Ed25519PrivateKey) -> None:
    """Write a new key durably, for its owner alone. Raises KeyRefused where the file is there already."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            file.flush()
            os.fsync(file.fileno())
        os.link(new, path)  # unlike a rename, this never replaces a key that is there
    except FileExistsError:
        raise KeyRefused(path, "there is a key already") from None
    finally:
        new.unlink()
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_key(path: Path) -> Ed25519PrivateKey:
    """Read a private key; raises KeyRefused where it is not there, not one, or others may read it."""
    try:
        if path.stat().st_mode & 0o077:
            raise KeyRefused(path, "others may read this private key: set its mode to 0600")
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise KeyRefused(path, error.strerror or str(error)) from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise KeyRefused(path, "not a private key") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyRefused(path, "not an Ed25519 key")
    return key


def kept_key(path: Path) -> Ed25519PrivateKey:
    """Read the key of a file, or make it; **if repeated** gives the same key."""
    if not path.exists():
        try:
            keep_key(path, new_key())
        except KeyRefused:
            if not path.exists():  # else another process has just made it
                raise
    return read_key(path)


def public_hex(key: Ed25519PrivateKey) -> str:
    """Return the public half, as the ledger holds it."""
    return key.public_key().public_bytes_raw().hex()
