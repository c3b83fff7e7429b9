"""What every wager of a round of Four Card Poker comes to: rules 8.4, 9, 10, 12, 13.2 and 14.5.

What Three Card Poker says alike stands in ``rules.games.ante_play.settling``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules.four_card_hands import FourCardValue, best_four, four_card_value
from rules.games.ante_play import Seat
from rules.games.ante_play.settling import Settling
from rules.games.four_card_poker.book import GAME
from rules.games.four_card_poker.rounds import Round
from rules.games.four_card_poker.sign import Limits
from rules.rounds import Settlement
from rules.schedules import Schedule, chosen
from rules.settings import FourCardSettings
from rules.settling import Stake

SCHEDULES: Final = ("fcp_10_1", "fcp_10_4", "fcp_ante_bonus_25_20_2", "fcp_aces_up_50_40_8_5_4_3_1")
"""What a table is paid by where it names nothing else: the printed odds, and the first of the shipped schedules."""

_LOWEST_ACES: Final = four_card_value((48, 49, 4, 0))  # Ac Ad 3c 2c: no hand with a pair of aces is lower.
_PLAIN_WORDS: Final = FourCardSettings()
_NO_SIGN: Final = Limits()


def settle(
    round_: Round,
    settings: FourCardSettings = _PLAIN_WORDS,
    limits: Limits = _NO_SIGN,
    schedules: Mapping[str, Schedule] | None = None,
) -> Settlement:
    """What every wager of a round comes to (FCP 8.4, 9, 10, 12, 13.2, 14.5).

    Always one line for each wager placed, and one for each Ante Bonus paid. ``schedules`` are those of each wager
    (``rules.schedules.chosen``). Raises ``RoundError`` where a decision, a play wager or a hand that the settlement
    needs is missing or cannot be; then nothing is settled.
    """
    by_wager = chosen(GAME, SCHEDULES) if schedules is None else schedules
    return _Settling(round_, settings, limits, by_wager).settle()


def dealer_value(round_: Round) -> FourCardValue:
    """What the dealer's hand counts as: the highest four of its six cards, or those that stand as set (FCP 9.1, 12.8).

    Never asked of a round without the dealer's hand.
    """
    return four_card_value(round_.dealer_set) if round_.dealer_set is not None else best_four(round_.dealer or ()).value


@dataclass(slots=True)
class _Settling(Settling[FourCardValue]):
    """A settlement of Four Card Poker: the dealer always plays, by the hand as it was set, and an equal hand wins."""

    round: Round
    settings: FourCardSettings
    dealer: FourCardValue = _LOWEST_ACES
    as_set: tuple[str, ...] = ()
    """The clause by which a dealer's hand set wrongly stands (FCP 12.8)."""

    def value_of(self, cards: tuple[int, ...]) -> FourCardValue:
        """What a hand is worth: its highest four cards (FCP 9.2, 9.6)."""
        return best_four(cards).value  # FCP 9.2, 9.6

    def read_dealer(self) -> FourCardValue:
        """What the dealer's hand is worth (FCP 9.1), as set where it was set wrongly (12.8)."""
        # FCP 8.6, 9.1
        self.dealer, best = dealer_value(self.round), best_four(self.round.dealer or ()).value
        if self.dealer < best:
            self.as_set = ("FCP 12.8",)
            self.sheet.notes.append(f"the dealer's hand stands as set, {self.dealer.name}, not {best.name} (FCP 12.8)")
        return self.dealer

    def check_play_wager(self, seat: Seat) -> None:
        """Refuse a play wager that cannot be (FCP 8.5); one between whole multiples depends on the ruling."""
        super(_Settling, self).check_play_wager(seat)
        if seat.play_cents is not None and seat.ante_cents is not None and seat.play_cents % seat.ante_cents:
            self.sheet.rulings["play_multiples"] = self.settings.play_multiples

    def settle_against_dealer(self, ante: Stake, play: Stake, value: FourCardValue) -> None:
        """Settle ante and play (FCP 9.2.1.2, 9.2.1.4); an equal hand wins (10.6)."""
        if value < self.dealer:  # FCP 9.2.1
            self.write(ante, "lose", 0, "FCP 9.2.1.2", *self.as_set)
            self.write(play, "lose", 0, "FCP 9.2.1.2", *self.as_set)
            return
        equal = ("FCP 10.6",) if value == self.dealer else ()
        for stake in (ante, play):
            schedule = self.schedules[stake.wager]
            paid = schedule.odds[stake.wager]["win"].winnings_cents(stake.at_risk_cents)
            self.write(stake, "win", paid, "FCP 9.2.1.4", *equal, schedule.rule, *self.as_set)

    def bonus_rules(self) -> tuple[str, ...]:
        """The clauses by which an Ante Bonus is paid, whatever the dealer holds."""
        return ("FCP 9.2.1.1", "FCP 10.2")

    def side_row(self, value: FourCardValue) -> str | None:
        """The row by which Aces Up is paid: a pair of aces or better (FCP 1.1)."""
        if value < _LOWEST_ACES:
            return None
        return "pair_of_aces" if value.category == "one_pair" else value.category

    def side_rule(self, *, won: bool) -> str:
        """The clause by which Aces Up is paid or collected, whatever the dealer holds."""
        return "FCP 9.2.1.5" if won else "FCP 9.2.1.3"
