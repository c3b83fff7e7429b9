"""How a table reads the rule text where that is open.

The rulings that are a table's own: approved for the table, sent in its hello, carried by each of its records. The
rulings that all tables of a link must share (CSP 11.9) are in its terms. Each default follows the plain words of the
rule text.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Settings:
    """A table's approved reading of the rules, and its notice of the maximum payout."""

    cap_linked_wager: bool = True
    """Whether a bet is cut in step with an ante that is cut to the maximum (CSP 6.3, 5.6)."""
    invalid_losing: Literal["kept", "returned"] = "kept"
    """What becomes of a losing wager found invalid during the hand (CSP 14.20.2)."""
    refund_invalidated: bool = True
    """Whether wagers go back when an outcome is invalidated (CSP 16.6: "may be refunded")."""
    token_on_win: Literal["returned", "as_voucher"] = "returned"  # noqa: S105 - a token to wager with
    """Whether a promotional token always goes back on a win, stand off or void, or as its voucher says (CSP 1.1)."""
    carded_play: Literal["as_book", "all_games"] = "as_book"
    """Whether the rules on Player Cards hold only for the books that print them, or for every game."""
    dealer_cards_exposed_in_deal: Literal["misdeal", "play_on"] = "misdeal"
    """What two dealer cards exposed during the deal make of the round (CSP 14.3 against 14.6, 14.7)."""
    max_payout_covers: Literal["winnings", "with_stake"] = "winnings"
    """Whether the maximum payout is of the winnings of one bet, or of winnings and stake (CSP 10.2)."""
    max_payout_cents: int | None = None
    """The maximum payout of one bet on the notice at the table (CSP 10.2); ``None`` where there is no notice."""

    def __post_init__(self) -> None:
        """Refuse a maximum payout that would pay nothing."""
        if self.max_payout_cents is not None and self.max_payout_cents < 1:
            raise ValueError(f"max_payout_cents: {self.max_payout_cents}: a maximum payout is at least one cent")
