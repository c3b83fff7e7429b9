"""A player's own Loss Limit, as rules 8.15 and 9.2 to 9.4 ask a table to keep it: chips declared, lost, and at risk.

Knows no period: when a new one begins, whoever keeps the limit gives another (SIC 9.4).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.limits import Refused
from rules.rounds import Line


@dataclass(frozen=True, slots=True)
class LossLimit:
    """The most a player wants to lose over a period, and how far it is used, in cents."""

    limit_cents: int
    net_loss_cents: int = 0
    """What was lost in the period by wagers settled so far; negative where the player is ahead."""
    declared_cents: int | None = None
    """The player's chips in hand as declared to the dealer (SIC 9.2.1, 9.2.2); ``None`` where that is not followed."""

    def __post_init__(self) -> None:
        """Refuse amounts that are none."""
        if self.limit_cents < 0:
            raise ValueError(f"limit_cents: {self.limit_cents}: below nothing")
        if self.declared_cents is not None and self.declared_cents < 0:
            raise ValueError(f"declared_cents: {self.declared_cents}: below nothing")

    def room_cents(self, at_risk_cents: int) -> int:
        """What may still be wagered, with so much at risk already in wagers that are open.

        >>> LossLimit(50_000, net_loss_cents=20_000).room_cents(5_000)
        25000
        """
        return max(0, self.limit_cents - self.net_loss_cents - at_risk_cents)

    def undeclared_cents(self, placed_cents: int) -> int:
        """How much of what a player placed was never declared (SIC 9.2.2)."""
        return 0 if self.declared_cents is None else max(0, placed_cents - self.declared_cents)

    def declaring(self, cents: int) -> "LossLimit":
        """The limit after more chips were declared: bought, or brought to the table (SIC 9.2.1, 9.2.2)."""
        return replace(self, declared_cents=(self.declared_cents or 0) + cents)

    def after_round(self, placed_cents: int, lines: Iterable[Line]) -> "LossLimit":
        """The limit after a round in which the player placed so much, and whose lines of this player these are.

        Always counts a wager when it is settled: one still open is at risk, not lost.
        """
        own = tuple(lines)
        back = sum(line.paid_cents + line.returned_cents for line in own)
        return LossLimit(
            self.limit_cents,
            self.net_loss_cents - sum(line.net_cents for line in own),
            None if self.declared_cents is None else max(0, self.declared_cents - placed_cents) + back,
        )


def wager_over(limit: LossLimit, cents: int, placed_cents: int, at_risk_cents: int) -> Refused | None:
    """Why a wager may not join what a player has placed this round, if it may not (SIC 9.2.2, 9.3).

    >>> wager_over(LossLimit(10_000, declared_cents=4_000), 3_000, 2_000, 0)
    Refused(rule='SIC 9.2.2', reason='1000 cents of it are chips that were not declared to the dealer')
    """
    room = limit.room_cents(at_risk_cents)
    if placed_cents + cents > room:
        return Refused("SIC 9.3", f"it would exceed the Loss Limit: {max(0, room - placed_cents)} cents are left")
    undeclared = limit.undeclared_cents(placed_cents + cents)
    if undeclared:
        reason = f"{min(cents, undeclared)} cents of it are chips that were not declared to the dealer"
        return Refused("SIC 9.2.2", reason)
    return None
