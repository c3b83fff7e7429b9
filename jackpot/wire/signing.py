"""Which bytes a table's key signs: a hello with the server's challenge, and the head of its journal (PROTOCOL 1).

Each kind begins with words of its own, so that no signature can be taken for another.
"""

import hashlib

NO_HEAD = bytes(32)
"""The head of a journal in which no round has ended."""


def hello_bytes(nonce: bytes, body: bytes) -> bytes:
    """Return what is signed for a hello: the server's challenge and the hello's body."""
    return b"jackpot hello 1\n" + nonce + body


def next_head(head: bytes, message: bytes) -> bytes:
    """Return a journal's head after another end of a round: SHA-256 over the head before and the message's bytes.

    >>> next_head(NO_HEAD, b"{}").hex()[:16]
    'fb1634c4e6cd4b1f'
    """
    return hashlib.sha256(head + message).digest()


def signed_bytes(head: bytes, message: bytes) -> bytes:
    """Return what is signed with a journal's head: the head, and the record or void that made it."""
    return b"jackpot signed 1\n" + head + message
