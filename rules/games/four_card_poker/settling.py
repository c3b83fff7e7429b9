"""What every wager of a round of Four Card Poker comes to: rules 8.4, 9, 10, 12 and 14.5."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, get_args

from rules.directions import by_seat
from rules.four_card_hands import FourCardValue, best_four, four_card_value
from rules.games.four_card_poker.rounds import GAME, HandFault, Round, Seat, VoidCause
from rules.games.four_card_poker.sign import Limits, play_refused
from rules.irregularities import irregularity, told
from rules.rounds import RoundError, Settlement
from rules.schedules import Schedule, chosen
from rules.settings import FourCardSettings
from rules.settling import Sheet, Stake
from rules.wagers import Odds

SCHEDULES: Final = ("fcp_10_1", "fcp_10_4", "fcp_ante_bonus_25_20_2", "fcp_aces_up_50_40_8_5_4_3_1")
"""What a table is paid by where it names nothing else: the printed odds, and the first of the shipped schedules."""

VOID_RULES: Final[Mapping[VoidCause, str]] = {cause: irregularity("FCP", cause).clause for cause in get_args(VoidCause)}
"""The clause by which the wagers of a void round go back."""

HAND_FAULT_RULES: Final[Mapping[HandFault, str]] = {
    "card_count": "FCP 12.6",
    "not_reconstructed": "FCP 12.9",
    "prohibited_device": "FCP 14.3.1",
}
"""The clause by which one player's wagers are void."""

_LOWEST_ACES: Final = four_card_value((48, 49, 4, 0))  # Ac Ad 3c 2c: no hand with a pair of aces is lower.
_PLAIN_WORDS: Final = FourCardSettings()
_NO_SIGN: Final = Limits()


def settle(
    round_: Round,
    settings: FourCardSettings = _PLAIN_WORDS,
    limits: Limits = _NO_SIGN,
    schedules: Mapping[str, Schedule] | None = None,
) -> Settlement:
    """What every wager of a round comes to (FCP 8.4, 9, 10, 12, 14.5).

    Always one line for each wager placed, and one for each Ante Bonus paid. ``schedules`` are those of each wager
    (``rules.schedules.chosen``). Raises ``RoundError`` where a decision, a play wager or a hand that the settlement
    needs is missing or cannot be; then nothing is settled.
    """
    by_wager = chosen(GAME, SCHEDULES) if schedules is None else schedules
    settling = _Settling(round_, settings, limits, by_wager, Sheet("FCP", settings))
    if round_.void_by is not None:
        return settling.settle_void(round_.void_by)
    return settling.settle()


def dealer_value(round_: Round) -> FourCardValue:
    """What the dealer's hand counts as: the highest four of its six cards, or those that stand as set (FCP 9.1, 12.8).

    Never asked of a round without the dealer's hand.
    """
    return four_card_value(round_.dealer_set) if round_.dealer_set is not None else best_four(round_.dealer or ()).value


def _in_order(seats: tuple[Seat, ...]) -> list[Seat]:
    """Seats from the dealer's left, as the cards are dealt."""
    return sorted(seats, key=lambda seat: seat.seat)


def _placed(seat: Seat) -> Iterator[Stake]:
    """Every wager of a seat, as it lies there."""
    for wager, cents, tender in (
        ("ante", seat.ante_cents, seat.ante_tender),
        ("play", seat.play_cents, seat.play_tender),
        ("aces_up", seat.aces_up_cents, seat.aces_up_tender),
    ):
        if cents is not None:
            yield Stake(seat.seat, wager, cents, cents, tender)


@dataclass(slots=True)
class _Settling:
    """One settlement being worked out: what it is worked out from, and what has been found so far."""

    round: Round
    settings: FourCardSettings
    limits: Limits
    schedules: Mapping[str, Schedule]
    sheet: Sheet
    hands: list[tuple[int, FourCardValue]] = field(default_factory=list)

    def settle(self) -> Settlement:
        """Settle seat by seat, from the dealer's left."""
        dealer = dealer_value(self.round)
        best = best_four(self.round.dealer or ()).value
        as_set: tuple[str, ...] = ()
        if dealer < best:
            as_set = ("FCP 12.8",)
            self.sheet.notes.append(f"the dealer's hand stands as set, {dealer.name}, not {best.name} (FCP 12.8)")
        for seat in _in_order(self.round.seats):
            value = None if seat.cards is None else best_four(seat.cards).value
            if value is not None:
                self.hands.append((seat.seat, value))
            self.settle_seat(seat, value, dealer, as_set)
        return self.settlement(dealer)

    def settle_void(self, cause: VoidCause) -> Settlement:
        """Give every wager back as it was placed; those of an invalidated outcome as ruled and directed (FCP 14.5)."""
        forfeits = by_seat(self.round.forfeits)
        refund = self.settings.refund_invalidated or cause != "invalidated"
        if cause == "invalidated":
            self.sheet.rulings["refund_invalidated"] = self.settings.refund_invalidated
        self.sheet.notes.extend(told(irregularity("FCP", cause)))
        for seat in _in_order(self.round.seats):
            forfeit = forfeits.get(seat.seat)
            if forfeit is not None:
                self.sheet.notes.append(
                    f"seat {seat.seat}: forfeited, directed by {forfeit.person}: {forfeit.reason} (FCP 14.5)"
                )
            if forfeit is not None or not refund:
                self.lose_everything(seat, VOID_RULES[cause])
            else:
                self.give_back(seat, VOID_RULES[cause])
        return self.settlement(None)

    def settlement(self, dealer: FourCardValue | None) -> Settlement:
        """What has been worked out."""
        return Settlement(
            lines=tuple(self.sheet.lines),
            dealer=dealer,
            hands=tuple(self.hands),
            rulings=tuple(sorted(self.sheet.rulings.items())),
            notes=tuple(self.sheet.notes),
        )

    def settle_seat(
        self, seat: Seat, value: FourCardValue | None, dealer: FourCardValue, as_set: tuple[str, ...]
    ) -> None:
        """Settle every wager of a seat; ``as_set`` is the clause by which the dealer's hand stands, if it needs one."""
        if seat.decision is None:
            raise self.wrong(seat, "decision", "", "missing: every hand is played, folded or left (FCP 8.1, 12.13)")
        self.check_play_wager(seat)
        match seat.decision:
            case "fold":
                self.lose_everything(seat, "FCP 8.4")
            case "short" | "absent":
                self.settle_without_play(seat)
                self.settle_aces_up(seat, value)
            case "concede":
                self.settle_conceded(seat, value)
            case "play":
                self.settle_played(seat, value, dealer, as_set)
            case "void":
                self.give_back(seat, HAND_FAULT_RULES[seat.void_for])

    def check_play_wager(self, seat: Seat) -> None:
        """Refuse a play wager that is missing, has no place, or is not within its bounds (FCP 8.5)."""
        if seat.decision == "void":
            return
        wanted = seat.decision in {"play", "concede"} and seat.ante_cents is not None
        if seat.play_cents is None:
            if wanted:
                raise self.wrong(seat, "play_cents", "", f"missing, but the decision was {seat.decision} (FCP 8.5)")
            return
        value = str(seat.play_cents)
        if not wanted or seat.ante_cents is None:
            raise self.wrong(seat, "play_cents", value, "there is no play wager without a decision to play (FCP 8.5)")
        refused = play_refused(seat.play_cents, seat.ante_cents, self.settings)
        if refused is not None:
            raise self.wrong(seat, "play_cents", value, f"{refused.reason} ({refused.rule})")
        if seat.play_cents % seat.ante_cents:
            self.sheet.rulings["play_multiples"] = self.settings.play_multiples

    def give_back(self, seat: Seat, rule: str) -> None:
        """Give every wager of a seat back as it was placed."""
        for stake in _placed(seat):
            self.sheet.add(stake, "void", 0, rule)

    def lose_everything(self, seat: Seat, rule: str) -> None:
        """Collect every wager of a seat, each as far as it counts."""
        ante = self.ante(seat)
        if ante is not None:
            self.sheet.add(ante, "lose", 0, rule)
            if seat.play_cents is not None:
                self.sheet.add(self.play(seat, ante, seat.play_cents), "lose", 0, rule)
        aces_up = self.aces_up(seat)
        if aces_up is not None:
            self.sheet.add(aces_up, "lose", 0, rule)

    def settle_without_play(self, seat: Seat) -> None:
        """Settle the ante of a player who was short of a play wager (FCP 12.11) or made no decision (12.13)."""
        if seat.ante_cents is None:
            if seat.decision == "short":
                raise self.wrong(seat, "decision", "short", "without an ante there is none to match (FCP 12.11)")
            return
        if seat.decision == "short" and seat.warnings > 0:
            ante = self.ante(seat)
            if ante is not None:
                self.sheet.add(ante, "lose", 0, "FCP 12.11")
            return
        rule = "FCP 12.13"
        if seat.decision == "short":
            rule = "FCP 12.11"
            self.sheet.notes.append(f"seat {seat.seat}: short of a play wager; the next time costs the ante ({rule})")
        stake = Stake(seat.seat, "ante", seat.ante_cents, seat.ante_cents, seat.ante_tender)
        self.sheet.add(stake, "void", 0, rule)

    def settle_conceded(self, seat: Seat, value: FourCardValue | None) -> None:
        """Settle the wagers of a player who conceded after the dealer's hand was turned (FCP 9.3)."""
        ruling = self.settings.concede_collects
        if seat.aces_up_cents is not None or (value is not None and value.category in self.odds("ante_bonus")):
            self.sheet.rulings["concede_collects"] = ruling
        if ruling == "all":
            self.lose_everything(seat, "FCP 9.3")
            return
        if value is None:
            raise self.wrong(seat, "cards", "", "missing: bonus and Aces Up are settled by the hand (FCP 9.3)")
        ante = self.ante(seat)
        if ante is not None and seat.play_cents is not None:
            self.sheet.add(ante, "lose", 0, "FCP 9.3")
            self.sheet.add(self.play(seat, ante, seat.play_cents), "lose", 0, "FCP 9.3")
            self.pay_bonus(ante, value)
        self.settle_aces_up(seat, value)

    def settle_played(
        self, seat: Seat, value: FourCardValue | None, dealer: FourCardValue, as_set: tuple[str, ...]
    ) -> None:
        """Settle the wagers of a player who stayed in, against the dealer and by the hand alone (FCP 9.2)."""
        if value is None:
            raise self.wrong(seat, "cards", "", "missing: this hand is revealed and settled (FCP 9.2)")
        ante = self.ante(seat)
        if ante is not None and seat.play_cents is not None:
            self.settle_against_dealer(ante, self.play(seat, ante, seat.play_cents), value, dealer, as_set)
            self.pay_bonus(ante, value)
        self.settle_aces_up(seat, value)

    def settle_against_dealer(
        self, ante: Stake, play: Stake, value: FourCardValue, dealer: FourCardValue, as_set: tuple[str, ...]
    ) -> None:
        """Settle ante and play (FCP 9.2.1.2, 9.2.1.4); an equal hand wins (10.6)."""
        if value < dealer:
            self.sheet.add(ante, "lose", 0, "FCP 9.2.1.2", *as_set)
            self.sheet.add(play, "lose", 0, "FCP 9.2.1.2", *as_set)
            return
        equal = ("FCP 10.6",) if value == dealer else ()
        for stake in (ante, play):
            schedule = self.schedules[stake.wager]
            paid = schedule.odds[stake.wager]["win"].winnings_cents(stake.at_risk_cents)
            self.sheet.add(stake, "win", paid, "FCP 9.2.1.4", *equal, schedule.rule, *as_set)

    def pay_bonus(self, ante: Stake, value: FourCardValue) -> None:
        """Pay the Ante Bonus on three of a kind or higher, whatever the dealer holds (FCP 9.2.1.1, 10.2)."""
        odds = self.odds("ante_bonus").get(value.category)
        if odds is not None:
            schedule = self.schedules["ante_bonus"]
            self.sheet.rulings["ante_bonus"] = schedule.name
            paid = odds.winnings_cents(ante.at_risk_cents)
            self.sheet.add_bonus(ante.seat, "ante_bonus", paid, "FCP 9.2.1.1", "FCP 10.2", schedule.rule, *ante.rules)

    def settle_aces_up(self, seat: Seat, value: FourCardValue | None) -> None:
        """Settle the Aces Up wager of a seat by its hand alone (FCP 9.2.1.3, 9.2.1.5)."""
        stake = self.aces_up(seat)
        if stake is None:
            return
        if value is None:
            raise self.wrong(seat, "cards", "", "missing: an Aces Up wager is settled by its hand (FCP 9.2.1.5)")
        left = {"short": ("FCP 12.11",), "absent": ("FCP 12.13",)}.get(seat.decision or "", ())
        if value < _LOWEST_ACES:
            self.sheet.add(stake, "lose", 0, *left, "FCP 9.2.1.3")
            return
        schedule = self.schedules["aces_up"]
        self.sheet.rulings["aces_up"] = schedule.name
        row = "pair_of_aces" if value.category == "one_pair" else value.category
        paid = self.odds("aces_up")[row].winnings_cents(stake.at_risk_cents)
        self.sheet.add(stake, "win", paid, *left, "FCP 9.2.1.5", schedule.rule)

    def odds(self, wager: str) -> Mapping[str, Odds]:
        """What the table's schedule pays a wager on, by kind of hand."""
        return self.schedules[wager].odds[wager]

    def ante(self, seat: Seat) -> Stake | None:
        """The ante of a seat, and what of it is paid or collected (FCP 6.2, 6.3)."""
        if seat.ante_cents is None:
            return None
        stake = Stake(seat.seat, "ante", seat.ante_cents, seat.ante_cents, seat.ante_tender)
        return self.sheet.under_sign(stake, self.limits.ante_min_cents, self.limits.ante_max_cents)

    def play(self, seat: Seat, ante: Stake, play_cents: int) -> Stake:
        """The play wager of a seat, and what of it is paid or collected: the maximum at most (FCP 6.3).

        Cut in step it stays as many times the ante that counts as it was of the one placed; a part of a cent is not
        collected, and not paid on.
        """
        at_risk = play_cents
        if ante.at_risk_cents < ante.placed_cents:
            self.sheet.rulings["cap_linked_wager"] = self.settings.cap_linked_wager
            if self.settings.cap_linked_wager:
                at_risk = play_cents * ante.at_risk_cents // ante.placed_cents
        if self.limits.play_max_cents is not None:
            at_risk = min(at_risk, self.limits.play_max_cents)
        rules = ("FCP 6.3",) if at_risk < play_cents else ()
        return Stake(seat.seat, "play", play_cents, at_risk, seat.play_tender, rules)

    def aces_up(self, seat: Seat) -> Stake | None:
        """The Aces Up wager of a seat, and what of it is paid or collected (FCP 6.2, 6.3)."""
        if seat.aces_up_cents is None:
            return None
        stake = Stake(seat.seat, "aces_up", seat.aces_up_cents, seat.aces_up_cents, seat.aces_up_tender)
        return self.sheet.under_sign(stake, self.limits.aces_up_min_cents, self.limits.aces_up_max_cents)

    def wrong(self, seat: Seat, name: str, value: str, reason: str) -> RoundError:
        """A field of a seat that cannot be settled."""
        return RoundError(f"seats[{self.round.seats.index(seat)}].{name}", value, reason)
