"""What can become of a stake: the outcomes, the tenders, and the amounts that go with them.

Knows neither cards nor who won.
"""

from dataclasses import dataclass
from typing import Literal

from rules.settings import Settings, SharedSettings

Tender = Literal["chips", "token", "token_once"]
"""What a wager was placed with (CSP 5.2): chips, a token, or a token whose voucher says it is taken up when settled."""

Outcome = Literal["win", "lose", "stand_off", "void", "returned"]
"""What became of a wager: ``void`` has no result (CSP 1.1); ``returned`` took no part (5.4, 14.11.2)."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds as a schedule prints them: ``pays`` to ``to``.

    >>> Odds(250, 1).winnings_cents(2000)
    500000
    """

    pays: int
    to: int = 1

    def __str__(self) -> str:
        """Say the odds as players do.

        >>> str(Odds(3, 2))
        '3 to 2'
        """
        return f"{self.pays} to {self.to}"

    def winnings_cents(self, stake_cents: int) -> int:
        """The winnings of a stake, without the stake.

        A fraction of a cent, which only odds to more than 1 can make, stays with the house.
        """
        return stake_cents * self.pays // self.to


def maximum_paid_cents(winnings_cents: int, stake_cents: int, settings: Settings) -> int:
    """What a winning bet is paid under the maximum payout on the notice (CSP 10.2).

    Never takes from the stake: where the maximum covers the stake too and the stake alone is more, nothing is paid.

    >>> maximum_paid_cents(500_000, 2000, Settings(max_payout_cents=100_000))
    100000
    >>> maximum_paid_cents(500_000, 2000, Settings(max_payout_cents=100_000, max_payout_covers="with_stake"))
    98000
    """
    if settings.max_payout_cents is None:
        return winnings_cents
    covered = settings.max_payout_cents
    if settings.max_payout_covers == "with_stake":
        covered = max(0, covered - stake_cents)
    return min(winnings_cents, covered)


def paid_in_full_cents(odds: Odds, settings: Settings) -> int | None:
    """The largest bet that is paid in full at these odds under the maximum payout; ``None`` without one (CSP 10.2).

    >>> paid_in_full_cents(Odds(250), Settings(max_payout_cents=100_000))
    400
    >>> paid_in_full_cents(Odds(1), Settings(max_payout_cents=100_000, max_payout_covers="with_stake"))
    50000
    """
    if settings.max_payout_cents is None:
        return None
    with_stake = odds.to if settings.max_payout_covers == "with_stake" else 0
    # A fraction of a cent in the winnings is not paid anyway, so the limit is passed only by a whole cent more.
    return ((settings.max_payout_cents + 1) * odds.to - 1) // (odds.pays + with_stake)


def token_goes_back(settings: SharedSettings) -> bool:
    """Whether a token whose voucher says that it is taken up when settled goes back all the same, unless it loses.

    >>> token_goes_back(Settings()), token_goes_back(Settings(token_on_win="as_voucher"))
    (True, False)
    """
    return settings.token_on_win == "returned"  # noqa: S105 - a token to wager with
