"""A table's secrets: the key it signs with, made when it was enrolled, and the key it seals cards with, made here.

Both lie in the table's key folder. **Never** in a log, a frame or the spool.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tablelink.errors import TableError

__all__ = ["hold_one_key", "read_key", "seal_for"]

RAW_BYTES = 32


def read_key(path: Path) -> Ed25519PrivateKey:
    """Return the private key that a file holds, as PEM or as its 32 bytes.

    Raises TableError where there is none; its message never holds a part of it.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise TableError(f"The table's key {path} cannot be read: {error.strerror}.", code="no_key") from error
    try:
        if len(text) == RAW_BYTES:
            return Ed25519PrivateKey.from_private_bytes(text)
        key = load_pem_private_key(text, password=None)
    except (ValueError, TypeError) as error:
        raise TableError(f"The table's key {path} is no private key in PEM.", code="bad_key") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise TableError(f"The table's key {path} is not an Ed25519 key.", code="bad_key")
    return key


def hold_one_key(paths: Sequence[Path]) -> None:
    """Refuse to begin where none of the tables has its key; raises TableError for the first, as `read_key`.

    **Never** where one has: what another lacks does not keep it from playing.
    """
    faults = []
    for path in paths:
        try:
            read_key(path)
        except TableError as error:
            faults.append(error)
        else:
            return
    raise faults[0]


def seal_for(key: Path) -> bytes:
    """Return the key for sealed cards that lies beside a table's key, made on first use.

    **Always** whole or not there: it is written beside and linked into its place, and who comes second takes the first.
    """
    path = key.with_suffix(".seal")
    try:
        if not path.exists():
            beside = path.with_name(f"{path.name}.{os.getpid()}")
            beside.touch(mode=0o600)
            with beside.open("wb") as made:
                made.write(os.urandom(RAW_BYTES))
                made.flush()
                os.fsync(made.fileno())
            try:
                os.link(beside, path)
            except FileExistsError:
                pass
            finally:
                beside.unlink()
        seal = path.read_bytes()
    except OSError as error:
        raise TableError(f"The seal key {path} cannot be read or made: {error.strerror}.", code="no_seal") from error
    if len(seal) != RAW_BYTES:
        raise TableError(f"The seal key {path} is not {RAW_BYTES} bytes.", code="bad_seal")
    return seal
