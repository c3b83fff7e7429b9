"""What happened in a batch, for metrics, logs and alarms: told after it is durable, never stored, never decided on."""

from collections.abc import Mapping

import msgspec


class Fact(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened: its kind, the table and round it is of, and its figures.

    Kinds: `accepted` (seats, cents), `refused` (code), `seat_refused` (code, seat, value), `withdrawn`, `voided`,
    `recorded`, `corrected` (how many hits are gone, how many come), `ordered` (order, hits), `recovered` (hit, cents),
    `award` (hit, prize, cents), `fall` (pool, cause), `hit` (hit, state), `connected`, and alarms: `gap` (rounds
    missing), `disputed` (differences), `prize_voided` (prizes, rule), `quarantined` (why), `stale_display`,
    `hello_refused` (code, fields), `id_reused` (both digests).
    """

    kind: str
    table: str = ""
    round: int = 0
    figures: Mapping[str, object] = msgspec.field(default_factory=dict)
