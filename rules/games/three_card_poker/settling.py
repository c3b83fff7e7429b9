"""What every wager of a round of Three Card Poker comes to: rules 8.4, 9, 10, 12.10 and 12.12."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from rules.games.three_card_poker.rounds import GAME, Round, Seat
from rules.games.three_card_poker.sign import Limits
from rules.rounds import RoundError, Settlement
from rules.schedules import Schedule, chosen
from rules.settings import ThreeCardSettings
from rules.settling import Sheet, Stake
from rules.settling import void as void_stakes
from rules.three_card_hands import ThreeCardValue, three_card_value
from rules.wagers import Odds

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
    """What every wager of a round comes to (TCP 8.4, 9, 10, 12.10, 12.12).

    Always one line for each wager placed, and one for each Ante Bonus paid. ``schedules`` are those of each wager
    (``rules.schedules.chosen``). Raises ``RoundError`` where a decision, a play wager or a hand that the settlement
    needs is missing or cannot be; then nothing is settled.
    """
    by_wager = chosen(GAME, SCHEDULES) if schedules is None else schedules
    return _Settling(round_, settings, limits, by_wager, Sheet("TCP", settings)).settle()


def void(seats: tuple[Seat, ...], settings: ThreeCardSettings, *rules: str) -> Settlement:
    """The settlement of a round, or of single hands, declared void: every wager goes back (TCP 12.4, 12.7, 12.9)."""
    stakes = [stake for seat in _in_order(seats) for stake in _placed(seat)]
    return void_stakes(stakes, "TCP", settings, *rules)


def _in_order(seats: tuple[Seat, ...]) -> list[Seat]:
    """Seats from the dealer's left, as the cards are dealt."""
    return sorted(seats, key=lambda seat: seat.seat)


def _placed(seat: Seat) -> Iterator[Stake]:
    """Every wager of a seat, as it lies there."""
    for wager, cents, tender in (
        ("ante", seat.ante_cents, seat.ante_tender),
        ("play", seat.play_cents, seat.play_tender),
        ("pair_plus", seat.pair_plus_cents, seat.pair_plus_tender),
    ):
        if cents is not None:
            yield Stake(seat.seat, wager, cents, cents, tender)


@dataclass(slots=True)
class _Settling:
    """One settlement being worked out: what it is worked out from, and what has been found so far."""

    round: Round
    settings: ThreeCardSettings
    limits: Limits
    schedules: Mapping[str, Schedule]
    sheet: Sheet
    hands: list[tuple[int, ThreeCardValue]] = field(default_factory=list)

    def settle(self) -> Settlement:
        """Settle seat by seat, from the dealer's left."""
        dealer = three_card_value(self.round.dealer)
        qualifies = dealer_qualifies(self.round.dealer, self.settings)
        if _queen_in_it(self.round.dealer) != (dealer >= _LOWEST_QUEEN_HIGH):
            self.sheet.rulings["dealer_qualifies"] = self.settings.dealer_qualifies
        for seat in _in_order(self.round.seats):
            value = None if seat.cards is None else three_card_value(seat.cards)
            if value is not None:
                self.hands.append((seat.seat, value))
            self.settle_seat(seat, value, dealer if qualifies else None)
        return Settlement(
            lines=tuple(self.sheet.lines),
            dealer=dealer,
            dealer_qualifies=qualifies,
            hands=tuple(self.hands),
            rulings=tuple(sorted(self.sheet.rulings.items())),
            notes=tuple(self.sheet.notes),
        )

    def settle_seat(self, seat: Seat, value: ThreeCardValue | None, dealer: ThreeCardValue | None) -> None:
        """Settle every wager of a seat; ``dealer`` is ``None`` where the dealer has no hand (TCP 9.2)."""
        if seat.decision is None:
            raise self.wrong(seat, "decision", "", "missing: every hand is played, folded or left (TCP 8.1, 12.12)")
        self.check_play_wager(seat)
        match seat.decision:
            case "fold":
                self.lose_everything(seat, "TCP 8.4")
            case "short" | "absent":
                self.settle_without_play(seat)
                self.settle_pair_plus(seat, value, dealer)
            case "concede":
                self.settle_conceded(seat, value, dealer)
            case "play":
                self.settle_played(seat, value, dealer)
            case "void":
                for stake in _placed(seat):
                    self.sheet.add(stake, "void", 0, "TCP 12.7")

    def check_play_wager(self, seat: Seat) -> None:
        """Refuse a play wager that is missing, has no place, or is not equal to the ante (TCP 8.5)."""
        wanted = seat.ante_cents if seat.decision in {"play", "concede"} else None
        if seat.play_cents == wanted or seat.decision == "void":
            return
        if seat.play_cents is None:
            raise self.wrong(seat, "play_cents", "", f"missing, but the decision was {seat.decision} (TCP 8.5)")
        value = str(seat.play_cents)
        if wanted is None:
            raise self.wrong(seat, "play_cents", value, "there is no play wager without a decision to play (TCP 8.5)")
        raise self.wrong(seat, "play_cents", value, f"not equal to the ante of {wanted} cents (TCP 8.5)")

    def lose_everything(self, seat: Seat, rule: str) -> None:
        """Collect every wager of a seat, each as far as it counts."""
        ante = self.ante(seat)
        if ante is not None:
            self.sheet.add(ante, "lose", 0, rule)
            if seat.play_cents is not None:
                self.sheet.add(self.play(seat, ante, seat.play_cents), "lose", 0, rule)
        pair_plus = self.pair_plus(seat)
        if pair_plus is not None:
            self.sheet.add(pair_plus, "lose", 0, rule)

    def settle_without_play(self, seat: Seat) -> None:
        """Settle the ante of a player who could not match it (TCP 12.10) or made no decision (12.12)."""
        if seat.ante_cents is None:
            if seat.decision == "short":
                raise self.wrong(seat, "decision", "short", "without an ante there is none to match (TCP 12.10)")
            return
        if seat.decision == "short" and seat.warnings > 0:
            ante = self.ante(seat)
            if ante is not None:
                self.sheet.add(ante, "lose", 0, "TCP 12.10")
            return
        rule = "TCP 12.12"
        if seat.decision == "short":
            rule = "TCP 12.10"
            self.sheet.notes.append(f"seat {seat.seat}: short of a play wager; the next time costs the ante ({rule})")
        stake = Stake(seat.seat, "ante", seat.ante_cents, seat.ante_cents, seat.ante_tender)
        self.sheet.add(stake, "void", 0, rule)

    def settle_conceded(self, seat: Seat, value: ThreeCardValue | None, dealer: ThreeCardValue | None) -> None:
        """Settle the wagers of a player who conceded after the dealer's hand was turned (TCP 9.5)."""
        ruling = self.settings.concede_collects
        if seat.pair_plus_cents is not None or (value is not None and value.category in self.odds("ante_bonus")):
            self.sheet.rulings["concede_collects"] = ruling
        if ruling == "all":
            self.lose_everything(seat, "TCP 9.5")
            return
        if value is None:
            raise self.wrong(seat, "cards", "", "missing: bonus and Pair Plus are settled by the hand (TCP 9.5)")
        ante = self.ante(seat)
        if ante is not None and seat.play_cents is not None:
            self.sheet.add(ante, "lose", 0, "TCP 9.5")
            self.sheet.add(self.play(seat, ante, seat.play_cents), "lose", 0, "TCP 9.5")
            self.pay_bonus(ante, value, dealer)
        self.settle_pair_plus(seat, value, dealer)

    def settle_played(self, seat: Seat, value: ThreeCardValue | None, dealer: ThreeCardValue | None) -> None:
        """Settle the wagers of a player who stayed in, against the dealer and by the hand alone (TCP 9.3, 9.4)."""
        if value is None:
            raise self.wrong(seat, "cards", "", "missing: this hand is turned up and settled (TCP 9.3, 9.4.1)")
        ante = self.ante(seat)
        if ante is not None and seat.play_cents is not None:
            self.settle_against_dealer(ante, self.play(seat, ante, seat.play_cents), value, dealer)
            self.pay_bonus(ante, value, dealer)
        self.settle_pair_plus(seat, value, dealer)

    def settle_against_dealer(
        self, ante: Stake, play: Stake, value: ThreeCardValue, dealer: ThreeCardValue | None
    ) -> None:
        """Settle ante and play (TCP 9.2, 9.3.2, 9.4.1)."""
        ante_odds, play_odds = self.schedules["ante"], self.schedules["play"]
        won = ante_odds.odds["ante"]["win"].winnings_cents(ante.at_risk_cents)
        if dealer is None:
            self.sheet.add(ante, "win", won, "TCP 9.3.2", ante_odds.rule)
            self.sheet.add(play, "stand_off", 0, "TCP 9.2")
        elif value > dealer:
            self.sheet.add(ante, "win", won, "TCP 9.4.1.5", ante_odds.rule)
            paid = play_odds.odds["play"]["win"].winnings_cents(play.at_risk_cents)
            self.sheet.add(play, "win", paid, "TCP 9.4.1.5", play_odds.rule)
        elif value < dealer:
            self.sheet.add(ante, "lose", 0, "TCP 9.4.1.2")
            self.sheet.add(play, "lose", 0, "TCP 9.4.1.2")
        else:
            self.sheet.add(ante, "stand_off", 0, "TCP 9.4.1.4")
            self.sheet.add(play, "stand_off", 0, "TCP 9.4.1.4")

    def pay_bonus(self, ante: Stake, value: ThreeCardValue, dealer: ThreeCardValue | None) -> None:
        """Pay the Ante Bonus on a straight or higher, whatever the dealer holds (TCP 10.2)."""
        odds = self.odds("ante_bonus").get(value.category)
        if odds is not None:
            schedule = self.schedules["ante_bonus"]
            self.sheet.rulings["ante_bonus"] = schedule.name
            paid = odds.winnings_cents(ante.at_risk_cents)
            rule = "TCP 9.3.2" if dealer is None else "TCP 9.4.1.1"
            self.sheet.add_bonus(ante.seat, "ante_bonus", paid, rule, schedule.rule, *ante.rules)

    def settle_pair_plus(self, seat: Seat, value: ThreeCardValue | None, dealer: ThreeCardValue | None) -> None:
        """Settle the Pair Plus wager of a seat by its hand alone (TCP 9.3, 9.4.1, 10.4)."""
        stake = self.pair_plus(seat)
        if stake is None:
            return
        if value is None:
            raise self.wrong(seat, "cards", "", "missing: a Pair Plus wager is settled by its hand (TCP 10.4)")
        left = {"short": ("TCP 12.10",), "absent": ("TCP 12.12",)}.get(seat.decision or "", ())
        odds = self.odds("pair_plus").get(value.category)
        if odds is None:
            self.sheet.add(stake, "lose", 0, *left, "TCP 9.3.1" if dealer is None else "TCP 9.4.1.3")
            return
        schedule = self.schedules["pair_plus"]
        self.sheet.rulings["pair_plus"] = schedule.name
        paid = odds.winnings_cents(stake.at_risk_cents)
        self.sheet.add(stake, "win", paid, *left, "TCP 9.3.2" if dealer is None else "TCP 9.4.1.6", schedule.rule)

    def odds(self, wager: str) -> Mapping[str, Odds]:
        """What the table's schedule pays a wager on, by kind of hand."""
        return self.schedules[wager].odds[wager]

    def ante(self, seat: Seat) -> Stake | None:
        """The ante of a seat, and what of it is paid or collected (TCP 6.2, 6.3)."""
        if seat.ante_cents is None:
            return None
        stake = Stake(seat.seat, "ante", seat.ante_cents, seat.ante_cents, seat.ante_tender)
        return self.sheet.under_sign(stake, self.limits.ante_min_cents, self.limits.ante_max_cents)

    def play(self, seat: Seat, ante: Stake, play_cents: int) -> Stake:
        """The play wager of a seat, and what of it is paid or collected: the maximum at most (TCP 6.3)."""
        at_risk = play_cents
        if ante.at_risk_cents < ante.placed_cents:
            self.sheet.rulings["cap_linked_wager"] = self.settings.cap_linked_wager
            if self.settings.cap_linked_wager:
                at_risk = min(at_risk, ante.at_risk_cents)
        if self.limits.play_max_cents is not None:
            at_risk = min(at_risk, self.limits.play_max_cents)
        rules = ("TCP 6.3",) if at_risk < play_cents else ()
        return Stake(seat.seat, "play", play_cents, at_risk, seat.play_tender, rules)

    def pair_plus(self, seat: Seat) -> Stake | None:
        """The Pair Plus wager of a seat, and what of it is paid or collected (TCP 6.2, 6.3)."""
        if seat.pair_plus_cents is None:
            return None
        stake = Stake(seat.seat, "pair_plus", seat.pair_plus_cents, seat.pair_plus_cents, seat.pair_plus_tender)
        return self.sheet.under_sign(stake, self.limits.pair_plus_min_cents, self.limits.pair_plus_max_cents)

    def wrong(self, seat: Seat, name: str, value: str, reason: str) -> RoundError:
        """A field of a seat that cannot be settled."""
        return RoundError(f"seats[{self.round.seats.index(seat)}].{name}", value, reason)
