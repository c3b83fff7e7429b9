"""How a table reads the rule text where that is open.

The rulings that are a table's own: approved for the table, sent in its hello, carried by each of its records. The
rulings that all tables of a link must share (CSP 11.9) are in its terms. Each default follows the plain words of the
rule text. Books: CSP Caribbean Stud Poker, TCP Three Card Poker, FCP Four Card Poker, WAR Casino War, SIC Sic Bo.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class SharedSettings:
    """The rulings that every game has, and all that a game without more of its own has."""

    cap_linked_wager: bool = True
    """Whether a bet, play or war wager is cut in step with an ante cut to the maximum (CSP 6.3, 5.6; TCP 6.3, 8.5;
    FCP 6.3; WAR 6.3, 5.7)."""
    invalid_losing: Literal["kept", "returned"] = "kept"
    """What becomes of a losing wager found invalid during the hand (CSP 14.20.2; TCP 12.16; SIC 8.14)."""
    refund_invalidated: bool = True
    """Whether wagers go back when an outcome is invalidated (CSP 16.6: "may be refunded"; TCP 14.6; FCP 14.5;
    SIC 9.10; WAR 13.5)."""
    token_on_win: Literal["returned", "as_voucher"] = "returned"  # noqa: S105 - a token to wager with
    """Whether a promotional token always goes back on a win, stand off or void, or as its voucher says (1.1)."""
    carded_play: Literal["as_book", "all_games"] = "as_book"
    """Whether the rules on Player Cards hold only for the books that print them, or for every game."""


@dataclass(frozen=True, slots=True)
class Settings(SharedSettings):
    """A Caribbean Stud table's approved reading of the rules, and its notice of the maximum payout."""

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


@dataclass(frozen=True, slots=True)
class AntePlaySettings(SharedSettings):
    """The rulings that Three Card and Four Card Poker have in common."""

    concede_collects: Literal["all", "ante_play"] = "all"
    """Whether a conceding player loses every wager and the bonus, or only those against the dealer (TCP 9.5, FCP 9.3).
    """


@dataclass(frozen=True, slots=True)
class ThreeCardSettings(AntePlaySettings):
    """A Three Card Poker table's approved reading of the rules."""

    dealer_qualifies: Literal["value", "card"] = "value"
    """Whether "a queen or higher" is a hand worth queen high or more, or a queen, king or ace in it (TCP 9.1)."""
    dealer_cards_exposed_in_deal: Literal["misdeal", "play_on"] = "misdeal"
    """What two dealer cards exposed during the deal make of the round (TCP 12.3 against 12.6)."""


@dataclass(frozen=True, slots=True)
class FourCardSettings(AntePlaySettings):
    """A Four Card Poker table's approved reading of the rules."""

    play_multiples: Literal["any", "whole"] = "any"
    """Whether a play wager is any amount from one to three times the ante, or a whole multiple (FCP 8.5)."""


@dataclass(frozen=True, slots=True)
class CasinoWarSettings(SharedSettings):
    """A Casino War table's approved reading of the rules."""

    payment_rounds: Literal["up", "down"] = "up"
    """To which payable amount a payment goes that the chips at hand cannot make (WAR 5.10, 8.2.4.1)."""
    over_maximum: Literal["maximum", "wagered"] = "maximum"
    """What a wager over the maximum is paid or collected to (WAR 6.3 against 11.18.2)."""
    dealer_extra_card: Literal["repair", "misdeal"] = "repair"
    """What an extra card to the dealer makes of the round (WAR 11.3, 11.4 against 11.13)."""
    interim_when_void: Literal["undone", "stand"] = "undone"
    """What becomes of the interim settlement of a round found void after it (WAR 11.17.2, 12.4, 13.5)."""


@dataclass(frozen=True, slots=True)
class SicBoSettings(SharedSettings):
    """A Sic Bo table's approved reading of the rules."""

    even_on_10: Literal["lose", "win"] = "lose"
    """Whether Even, whose list leaves 10 out, wins on a total of 10 (SIC 3.3.2)."""
    even_on_666: Literal["lose", "win"] = "lose"
    """Whether Even, whose list has 18, wins on the one roll that makes it (SIC 3.3.2)."""
    streak_basis: Literal["side", "changeover"] = "side"
    """What a Super Streak wager names: a side, counted from the next result, or the changeover (SIC 6.2-6.5)."""
    pay_12: Literal["at_12", "at_end"] = "at_12"
    """When twelve in a row is paid (SIC 6.3)."""
    terminated_short: Literal["lose", "void"] = "lose"
    """What becomes of a streak wager at three or fewer that an equipment failure ends (SIC 8.7.1)."""
    loss_limit_excess: Literal["split", "whole"] = "split"
    """Whether the bet that crosses a Loss Limit is split, or goes back whole (SIC 8.15.1)."""

    def __post_init__(self) -> None:
        """Refuse the readings that count the changeover itself as the first of the streak."""
        if self.streak_basis == "changeover":
            reason = "counting the changeover itself gives the player 80% of every wager (SIC 6.2-6.5)"
            raise ValueError(f"streak_basis: changeover: {reason}")
