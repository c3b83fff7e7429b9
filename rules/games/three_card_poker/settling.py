"""What every wager of a round of Three Card Poker comes to: rules 8.4, 9, 10, 12, 13.2 and 14.6.

What Four Card Poker says alike stands in ``rules.games.ante_play.settling``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules.games.ante_play.settling import Settling
from rules.games.three_card_poker.book import GAME
from rules.games.three_card_poker.rounds import Round
from rules.games.three_card_poker.sign import Limits
from rules.rounds import Settlement
from rules.schedules import Schedule, chosen
from rules.settings import ThreeCardSettings
from rules.settling import Stake
from rules.three_card_hands import ThreeCardValue, three_card_value

SCHEDULES: Final = ("tcp_10_1", "tcp_10_3", "tcp_ante_bonus_5_4_1", "tcp_pair_plus_40_30_6_4_1")
"""What a table is paid by where it names nothing else: the printed odds, and the first of the shipped schedules."""

_LOWEST_QUEEN_HIGH: Final = three_card_value((40, 5, 0))  # Qc 3d 2c: no hand worth queen high is lower.
_QUEEN: Final = 10  # The rank of a queen, as `rules.cards` numbers them.
_PLAIN_WORDS: Final = ThreeCardSettings()
_NO_SIGN: Final = Limits()


def dealer_qualifies(cards: tuple[int, ...], settings: ThreeCardSettings = _PLAIN_WORDS) -> bool:
    """Whether a dealer's hand "contains a queen or higher" (TCP 9.1), by the table's reading of it.

    >>> from rules.cards import parse_cards
    >>> pair = parse_cards("2s 2d Jh")
    >>> dealer_qualifies(pair), dealer_qualifies(pair, ThreeCardSettings(dealer_qualifies="card"))
    (True, False)
    >>> dealer_qualifies(parse_cards("Js Td 8h"))
    False
    """
    return _queen_in_it(cards) if settings.dealer_qualifies == "card" else three_card_value(cards) >= _LOWEST_QUEEN_HIGH


def _queen_in_it(cards: tuple[int, ...]) -> bool:
    return any(card >> 2 >= _QUEEN for card in cards)


def settle(
    round_: Round,
    settings: ThreeCardSettings = _PLAIN_WORDS,
    limits: Limits = _NO_SIGN,
    schedules: Mapping[str, Schedule] | None = None,
) -> Settlement:
    """What every wager of a round comes to (TCP 8.4, 9, 10, 12, 13.2, 14.6).

    Always one line for each wager placed, and one for each Ante Bonus paid. ``schedules`` are those of each wager
    (``rules.schedules.chosen``). Raises ``RoundError`` where a decision, a play wager or a hand that the settlement
    needs is missing or cannot be; then nothing is settled.
    """
    by_wager = chosen(GAME, SCHEDULES) if schedules is None else schedules
    return _Settling(round_, settings, limits, by_wager).settle()


@dataclass(slots=True)
class _Settling(Settling[ThreeCardValue]):
    """A settlement of Three Card Poker: the dealer must have a queen or higher, and an equal hand stands off."""

    settings: ThreeCardSettings
    dealer: ThreeCardValue | None = None
    """The dealer's hand; ``None`` where it does not go on (TCP 9.2)."""

    def value_of(self, cards: tuple[int, ...]) -> ThreeCardValue:
        """What a hand is worth (TCP 11)."""
        return three_card_value(cards)  # TCP 9.8

    def read_dealer(self) -> ThreeCardValue:
        """What the dealer's hand is worth, and whether it goes on (TCP 8.6, 9.1)."""
        cards = self.round.dealer or ()
        dealer = three_card_value(cards)  # TCP 8.6
        if _queen_in_it(cards) != (dealer >= _LOWEST_QUEEN_HIGH):
            self.sheet.rulings["dealer_qualifies"] = self.settings.dealer_qualifies
        if dealer_qualifies(cards, self.settings):
            self.dealer = dealer
        return dealer

    def dealer_qualifies(self) -> bool:
        """Whether the dealer's hand goes on (TCP 9.1)."""
        return self.dealer is not None

    def settle_against_dealer(self, ante: Stake, play: Stake, value: ThreeCardValue) -> None:
        """Settle ante and play (TCP 9.2, 9.3.2, 9.4.1)."""
        ante_odds, play_odds = self.schedules["ante"], self.schedules["play"]
        won = ante_odds.odds["ante"]["win"].winnings_cents(ante.at_risk_cents)
        if self.dealer is None:  # TCP 9.2, 9.3
            self.write(ante, "win", won, "TCP 9.3.2", ante_odds.rule)
            self.write(play, "stand_off", 0, "TCP 9.2")
        elif value > self.dealer:  # TCP 9.4, 9.4.1
            self.write(ante, "win", won, "TCP 9.4.1.5", ante_odds.rule)
            paid = play_odds.odds["play"]["win"].winnings_cents(play.at_risk_cents)
            self.write(play, "win", paid, "TCP 9.4.1.5", play_odds.rule)
        elif value < self.dealer:
            self.write(ante, "lose", 0, "TCP 9.4.1.2")
            self.write(play, "lose", 0, "TCP 9.4.1.2")
        else:
            self.write(ante, "stand_off", 0, "TCP 9.4.1.4")
            self.write(play, "stand_off", 0, "TCP 9.4.1.4")

    def bonus_rules(self) -> tuple[str, ...]:
        """The clause by which an Ante Bonus is paid, with the dealer's hand in the round or not."""
        return ("TCP 9.3.2" if self.dealer is None else "TCP 9.4.1.1",)

    def side_row(self, value: ThreeCardValue) -> str | None:
        """The row by which Pair Plus is paid: a pair or better (TCP 1.1)."""
        return value.category if value.category in self.odds("pair_plus") else None

    def side_rule(self, *, won: bool) -> str:
        """The clause by which Pair Plus is paid or collected, with the dealer's hand in the round or not."""
        if won:
            return "TCP 9.3.2" if self.dealer is None else "TCP 9.4.1.6"
        return "TCP 9.3.1" if self.dealer is None else "TCP 9.4.1.3"
