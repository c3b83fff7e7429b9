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
    """Return a journal's head after another end of a round: SHA-256 over the head before and the record's or void's bytes.

    >>> next_head(NO_HEAD, b"{}").hex()[:16]
    'fb1634c4e6cd4b1f'
    """
    return hashlib.sha256(head + message).digest()


def head_bytes(head: bytes) -> bytes:
    """Return what is signed for a journal's head; the head holds the message, and all ends of rounds before it."""
    return b"jackpot head 1\n" + head
