"""How an input of a table stands in its spool: a name and JSON, read back as the same input after any upgrade.

Cards that a shoe read are never in it: they go beside it, sealed (`spool`).
"""

from dataclasses import replace

import msgspec

from tablelink.core.dealing import Dealing
from tablelink.core.inputs import INPUTS, Dealt, Input, Sealed
from tablelink.errors import TableError

_NAMES = {kind: name for name, kind in INPUTS.items()}
_encoder = msgspec.json.Encoder(order="deterministic")
_inputs = {name: msgspec.json.Decoder(kind) for name, kind in INPUTS.items()}
_dealing = msgspec.json.Decoder(Dealing)


def encode_step(given: Input) -> tuple[str, bytes, bytes]:
    """Return an input's name, its readable JSON, and the cards to be sealed (empty where there are none)."""
    name = _NAMES[type(given)]
    if isinstance(given, Dealt) and given.sealed is not None:
        return name, _encoder.encode(replace(given, sealed=None)), bytes(given.sealed.cards)
    return name, _encoder.encode(given), b""


def decode_step(name: str, body: bytes, cards: bytes) -> Input:
    """Return the input that a step holds; raises TableError where it holds none."""
    try:
        given = _inputs[name].decode(body)
    except (KeyError, msgspec.DecodeError) as error:
        raise TableError(
            f"The spool holds a step {name[:40]!r} that cannot be read: {error}.", code="spool_damaged"
        ) from error
    if isinstance(given, Dealt) and cards:
        return replace(given, sealed=Sealed(tuple(cards)))
    return given


def encode_checkpoint(dealing: Dealing) -> bytes:
    """Return a table between two rounds as JSON; there is no card in it that was not turned."""
    return _encoder.encode(replace(dealing, round=None))


def decode_checkpoint(body: bytes) -> Dealing:
    """Return the table that a checkpoint holds; raises TableError where it holds none."""
    try:
        return _dealing.decode(body)
    except msgspec.DecodeError as error:
        raise TableError(f"The spool's checkpoint cannot be read: {error}.", code="spool_damaged") from error
