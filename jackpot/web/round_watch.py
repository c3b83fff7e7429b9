"""Did somebody else change the round that a table plays? Then its connection is ended, so that a hello tells it.

What people do at the server is posted by a process of its own (PROTOCOL 4): this one sees of it only how the round
stands. What the table's own messages were answered on this connection is set off against that.
"""

from jackpot.wire.codec import decode_answer
from jackpot.wire.messages import RoundNow, WagersAnswer

__all__ = ["RoundWatch"]

OVER = frozenset({"voided", "recorded"})


class RoundWatch:
    """The last round of a table, as the table itself knows it: what its hello was told, and its own answers since."""

    __slots__ = ("_accepted", "_ended", "_out", "_wagered")

    def __init__(self, told: RoundNow | None) -> None:
        """Begin with what the hello was told."""
        self._ended = told.round if told is not None and told.state in OVER else 0
        """The last round that was over at the hello, or that the table's own word ended."""
        self._accepted = (0, frozenset[int]()) if told is None else (told.round, frozenset(told.seats))
        """A round, and the seats of it that the table knows to be in play."""
        self._wagered: tuple[int, bytes] | None = None
        """The last wagers that were answered: their round, and the answer, not read yet."""
        self._out: tuple[int, frozenset[int]] = (0, frozenset())
        """A round, and the seats that the table's own voids have taken out of it."""

    def answered(self, name: str, answer: bytes) -> None:
        """Note that a message of this table has its answer, whatever that is."""
        *_, number, kind, _revision = name.split("/")
        round_no = int(number)
        if kind == "wagers":
            self._wagered = (round_no, answer)
        elif kind in {"record", "void"}:
            self._ended = max(self._ended, round_no)
        elif kind.startswith("void."):
            before = self._out[1] if self._out[0] == round_no else frozenset[int]()
            self._out = (round_no, before | {int(seat) for seat in kind.split(".")[1:]})

    def changed(self, now: RoundNow | None) -> bool:
        """Say whether the round stands otherwise than the table's own words have left it.

        Asked while no message of the table waits for its answer. A withdrawal is always the table's own.
        """
        if now is None or now.state == "withdrawn":
            return False
        if now.state in OVER:
            return now.round > self._ended
        if self._wagered is not None and self._wagered[0] == now.round:
            told = decode_answer(self._wagered[1])
            placed = told.seats if isinstance(told, WagersAnswer) else []
            seats = frozenset([seat.seat for seat in placed if seat.accepted])
            known = self._accepted[1] if self._accepted[0] == now.round else seats
            self._accepted, self._wagered = (now.round, seats & known), None
        if self._accepted[0] != now.round:
            return False  # Nothing of it was ever in play that this connection was told of.
        out = self._out[1] if self._out[0] == now.round else frozenset[int]()
        return bool(self._accepted[1] - out - frozenset(now.seats))
