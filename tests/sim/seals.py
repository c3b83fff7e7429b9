"""Keys that sign as fast as a hash: the world's own, so that thousands of snapshots a second can be looked at."""

import hashlib
import hmac

from cryptography.exceptions import InvalidSignature


class WaxSeal:
    """Signs and verifies; public and private half are one, since nobody in the world forges."""

    def __init__(self, owner: str) -> None:
        """A key of its own for each owner."""
        self._key = hashlib.sha256(owner.encode()).digest()

    @property
    def public_hex(self) -> str:
        """What the site writes down as its public half."""
        return self._key.hex()

    def sign(self, data: bytes) -> bytes:
        """The seal on these bytes, as long as a signature."""
        return hmac.digest(self._key, data, "sha512")

    def verify(self, signature: bytes, data: bytes) -> None:
        """Raise InvalidSignature where the seal is another's."""
        if not hmac.compare_digest(signature, self.sign(data)):
            raise InvalidSignature

    def holds(self, data: bytes, signature: bytes) -> bool:
        """Whether the seal is this key's."""
        return hmac.compare_digest(signature, self.sign(data))
