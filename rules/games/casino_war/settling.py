"""What every wager of a round of Casino War comes to: rules 5.1, 8, 10, 11, 12 and 13.5."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, get_args

from rules.cards import cards_text
from rules.directions import by_seat
from rules.games.casino_war.rounds import GAME, AreaFault, Round, Seat, Standing, VoidCause
from rules.games.casino_war.sign import Limits, war_refused
from rules.irregularities import irregularity
from rules.rounds import Line, RoundError, Settlement
from rules.schedules import Schedule, chosen
from rules.settings import CasinoWarSettings
from rules.settling import Sheet, Stake
from rules.wagers import Tender

SCHEDULES: Final = ("war_8_1_2", "war_8_2_2", "war_10")
"""What a table is paid by: the printed odds."""

VOID_RULES: Final[Mapping[VoidCause, str]] = {cause: irregularity("WAR", cause).clause for cause in get_args(VoidCause)}
"""The clause by which the wagers of a void round go back."""

_AREA_FAULT_RULES: Final[Mapping[AreaFault, str]] = {
    "prohibited_device": "WAR 13.3.1",
    "device_failed": "WAR 12.5.1",
    "invalid": "WAR 1.1",
}
INVALID_RULE: Final = "WAR 1.1"
"""By what an invalid wager is void: the word's meaning; that the table asks for Player Cards is a ruling."""
_EXTRA_NOTES: Final = {
    "exposed": "the dealer's extra card is burned (WAR 11.3)",
    "unexposed": "the dealer's extra card is placed under the shoe or device, the first of the next round (WAR 11.4)",
}
_PLAIN_WORDS: Final = CasinoWarSettings()
_NO_SIGN: Final = Limits()


def settle(
    round_: Round,
    settings: CasinoWarSettings = _PLAIN_WORDS,
    limits: Limits = _NO_SIGN,
    schedules: Mapping[str, Schedule] | None = None,
) -> Settlement:
    """What every wager of a round comes to (WAR 8, 10, 11, 12, 13.5).

    Always one line for each wager placed. ``schedules`` are those of each wager (``rules.schedules.chosen``). Raises
    ``RoundError`` where a decision, a war wager or a card that the settlement needs is missing or cannot be; then
    nothing is settled.
    """
    by_wager = chosen(GAME, SCHEDULES) if schedules is None else schedules
    return _Settling(round_, settings, limits, by_wager, Sheet("WAR", settings)).settle()


def same_rank(seat: Seat, dealer: tuple[int, ...]) -> bool:
    """Whether a seat's first card has the rank of the dealer's (WAR 5.7); all suits have the same value (3.2)."""
    return seat.cards[0] >> 2 == dealer[0] >> 2


def payable_cents(cents: int, over: int, chip_cents: int, settings: CasinoWarSettings = _PLAIN_WORDS) -> int:
    """What of an amount, given as so many cents over a number, the chips at hand can pay (WAR 5.10).

    The next payable amount above it, or below by the table's ruling: so the player has the fraction, or the house.

    >>> payable_cents(25, 2, 1), payable_cents(2500, 2, 100)
    (13, 1300)
    >>> payable_cents(2500, 2, 100, CasinoWarSettings(payment_rounds="down"))
    1200
    """
    chips, rest = divmod(cents, over * chip_cents)
    return (chips + (1 if rest and settings.payment_rounds == "up" else 0)) * chip_cents


def _placed(seat: Seat) -> Iterator[Stake]:
    """Every wager of a seat, as it lies there."""
    for wager, cents, tender in (
        ("initial", seat.initial_cents, seat.initial_tender),
        ("war", seat.war_cents, seat.war_tender),
        ("tie", seat.tie_cents, seat.tie_tender),
    ):
        if cents is not None:
            yield Stake(seat.seat, wager, cents, cents, tender)


@dataclass(slots=True)
class _Settling:
    """One settlement being worked out: what it is worked out from, and what has been found so far."""

    round: Round
    settings: CasinoWarSettings
    limits: Limits
    schedules: Mapping[str, Schedule]
    sheet: Sheet

    def settle(self) -> Settlement:
        """Settle seat by seat, from the dealer's left."""
        seats = sorted(self.round.seats, key=lambda seat: seat.seat)
        cause = self.round.void_by
        self.check_carded()
        self.note_found()
        if self.round.dealer_extra is not None and cause in {None, "misdeal"}:
            self.sheet.rulings["dealer_extra_card"] = self.settings.dealer_extra_card
            if self.settings.dealer_extra_card == "misdeal":
                cause = "misdeal"
            else:
                self.sheet.notes.append(_EXTRA_NOTES[self.round.dealer_extra])
        if cause is not None:
            self.settle_void(seats, cause)
        else:
            self.check_dealer()
            for seat in seats:
                self.settle_seat(seat)
        return Settlement(
            lines=tuple(self.sheet.lines),
            rulings=tuple(sorted(self.sheet.rulings.items())),
            notes=tuple(self.sheet.notes),
            notices=tuple(self.sheet.notices),
            kept=tuple(self.sheet.kept),
        )

    def check_carded(self) -> None:
        """Refuse an invalid wager where the table follows the book, which has no rule on Player Cards."""
        for seat in self.round.seats:
            if seat.void_for == "invalid" and self.settings.carded_play == "as_book":
                raise self.wrong(seat, "void_for", "invalid", "this book has no rule on Player Cards (carded_play)")

    def note_found(self) -> None:
        """Say what people do about what went wrong although the wagers stand, in the book's order (WAR 11, 12)."""
        for kind in get_args(Standing):
            if kind in self.round.found:
                self.sheet.follow(irregularity("WAR", kind))

    def check_dealer(self) -> None:
        """Refuse a dealer's hand without its additional card, or with one although nobody went to war (WAR 9.2.2)."""
        dealer = self.round.dealer
        if len(dealer) == 2 and all(seat.decision != "war" for seat in self.round.seats):
            raise RoundError("dealer", cards_text(dealer), "nobody went to war: a card too many (WAR 11.13)")
        if len(dealer) == 1 and any(seat.decision == "war" and not seat.out for seat in self.round.seats):
            raise RoundError("dealer", cards_text(dealer), "the additional card is missing (WAR 9.2.2)")

    def settle_seat(self, seat: Seat) -> None:
        """Settle every wager of a seat of a round with a result."""
        if seat.void_for is not None and seat.out:
            self.void_seat(seat, _AREA_FAULT_RULES[seat.void_for], stands=self.area_stands(seat))
            return
        already = len(self.sheet.lines)
        self.settle_hand(seat)
        if seat.void_for == "invalid":
            self.win_nothing(already)

    def settle_hand(self, seat: Seat) -> None:
        """Settle every wager of a seat that plays its hand out."""
        self.check_decision(seat)
        self.check_war(seat)
        if seat.decision == "war":
            self.settle_war(seat)
        else:
            self.settle_initial(seat)
        self.settle_tie(seat)

    def win_nothing(self, already: int) -> None:
        """Write the lines of an invalid wager's seat anew: nothing is won by it, what it lost is kept by the ruling.

        Never without the ruling ``carded_play``, which is named.
        """
        self.sheet.rulings["carded_play"] = self.settings.carded_play
        lines = self.sheet.lines[already:]
        del self.sheet.lines[already:]
        for line in lines:
            if line.outcome == "lose" and self.settings.invalid_losing == "kept":
                self.sheet.rulings["invalid_losing"] = "kept"
                self.sheet.lines.append(replace(line, rules=(*line.rules, INVALID_RULE)))
                kept = line.stake_cents - line.returned_cents  # Half of a surrendered wager goes back (WAR 8.2.4.1).
                words = f"seat {line.seat}: the {line.wager} wager is invalid (carded_play)"
                self.sheet.keep(line.seat, line.wager, kept, INVALID_RULE, words)
            else:
                stake = Stake(line.seat, line.wager, line.stake_cents, line.stake_cents, line.tender)
                self.sheet.add_invalid(stake, line.outcome, INVALID_RULE, because="carded_play")

    def check_decision(self, seat: Seat) -> None:
        """Refuse a decision that is missing or has no place (WAR 5.7, 11.8)."""
        if not same_rank(seat, self.round.dealer):
            if seat.decision in {"war", "surrender"}:
                raise self.wrong(seat, "decision", str(seat.decision), "the ranks are not the same (WAR 5.7)")
        elif seat.decision is None:
            raise self.wrong(seat, "decision", "", "missing: the same rank is a war or a surrender (WAR 5.7, 11.8)")

    def check_war(self, seat: Seat) -> None:
        """Refuse a war wager or an additional card that is missing or has no place (WAR 5.7, 9.2.1, 11.15)."""
        at_war = seat.decision == "war"
        if seat.war_cents is None:
            if at_war:
                raise self.wrong(seat, "war_cents", "", "missing, but the decision was war (WAR 5.7)")
        elif not at_war:
            reason = "there is no war wager without a decision to go to war (WAR 5.7)"
            raise self.wrong(seat, "war_cents", str(seat.war_cents), reason)
        else:
            refused = war_refused(seat.war_cents, seat.initial_cents)
            if refused is not None:
                raise self.wrong(seat, "war_cents", str(seat.war_cents), f"{refused.reason} ({refused.rule})")
        if len(seat.cards) == 2 and not at_war:
            raise self.wrong(seat, "cards", cards_text(seat.cards), "a card too many is a misdeal (WAR 11.15)")
        if len(seat.cards) == 1 and at_war:
            raise self.wrong(seat, "cards", cards_text(seat.cards), "the additional card is missing (WAR 9.2.1)")

    def settle_initial(self, seat: Seat, *why: str) -> None:
        """Settle an initial wager that does not go to war (WAR 8.2); ``why`` are clauses by which it stands besides."""
        initial = self.counted(seat, "initial", seat.initial_cents, seat.initial_tender)
        mine, theirs = seat.cards[0] >> 2, self.round.dealer[0] >> 2
        rules = (*(("WAR 11.8",) if seat.decision == "absent" else ()), *why)
        if mine > theirs:
            schedule = self.schedules["initial"]
            paid = schedule.odds["initial"]["win"].winnings_cents(initial.at_risk_cents)
            self.pay(initial, paid, "WAR 5.1.1.1", schedule.rule, *rules)
        elif mine < theirs:
            self.sheet.add(initial, "lose", 0, "WAR 5.1.1.2", "WAR 8.2.1", *rules)
        else:
            self.surrender(initial, "WAR 5.1.1.3", "WAR 8.2.4.1", *rules)

    def surrender(self, initial: Stake, *rules: str) -> None:
        """Collect an initial wager and pay half its value (WAR 8.2.4.1).

        Never pays more than was wagered, whatever the chips at hand.
        """
        half = payable_cents(initial.at_risk_cents, 2, self.round.chip_cents, self.settings)
        half = min(half, initial.at_risk_cents)
        if 2 * half != initial.at_risk_cents:
            rules = (*rules, *self.rounded())
        returned = initial.placed_cents - initial.at_risk_cents + half
        self.sheet.lines.append(
            Line(
                seat=initial.seat,
                wager=initial.wager,
                stake_cents=initial.placed_cents,
                outcome="lose",
                paid_cents=0,
                returned_cents=returned,
                rules=(*rules, *initial.rules),
                tender=initial.tender,
            )
        )

    def settle_war(self, seat: Seat) -> None:
        """Settle an initial and a war wager by the additional cards (WAR 10)."""
        initial = self.counted(seat, "initial", seat.initial_cents, seat.initial_tender)
        war = self.counted(seat, "war", seat.war_cents or 0, seat.war_tender)
        mine, theirs = seat.cards[1] >> 2, self.round.dealer[1] >> 2
        if mine < theirs:
            self.sheet.add(initial, "lose", 0, "WAR 5.1.1.6", "WAR 10.3")
            self.sheet.add(war, "lose", 0, "WAR 5.1.2.2", "WAR 10.3")
            return
        row, rule = ("higher", "WAR 10.1") if mine > theirs else ("equal", "WAR 10.2")
        self.sheet.add(initial, "stand_off", 0, "WAR 5.1.1.5", rule)
        paid = self.schedules["war"].odds["war"][row].winnings_cents(war.at_risk_cents)
        self.pay(war, paid, "WAR 5.1.2.1", rule)

    def settle_tie(self, seat: Seat, *rules: str) -> None:
        """Settle the tie wager of a seat by the first cards (WAR 8.1), its player absent or not (11.8)."""
        if seat.tie_cents is None:
            return
        stake = self.counted(seat, "tie", seat.tie_cents, seat.tie_tender)
        if not same_rank(seat, self.round.dealer):
            self.sheet.add(stake, "lose", 0, "WAR 5.1.3.2", "WAR 8.1.1", *rules)
            return
        schedule = self.schedules["tie"]
        paid = schedule.odds["tie"]["win"].winnings_cents(stake.at_risk_cents)
        self.pay(stake, paid, "WAR 5.1.3.1", schedule.rule, *rules)

    def pay(self, stake: Stake, cents: int, *rules: str) -> None:
        """Write the line of a winning wager, paid as the chips at hand can (WAR 5.10)."""
        paid = payable_cents(cents, 1, self.round.chip_cents, self.settings)
        if paid != cents:
            rules = (*rules, *self.rounded())
        self.sheet.add(stake, "win", paid, *rules)

    def rounded(self) -> tuple[str, ...]:
        """Note that an amount could not be paid exactly in chips (WAR 5.10)."""
        self.sheet.rulings["payment_rounds"] = self.settings.payment_rounds
        return ("WAR 5.10",)

    def settle_void(self, seats: list[Seat], cause: VoidCause) -> None:
        """Settle a round without a result: give wagers back, and leave standing what the interim settlement settled."""
        forfeits = by_seat(self.round.forfeits)
        if cause == "invalidated":
            self.sheet.rulings["refund_invalidated"] = self.settings.refund_invalidated
        self.sheet.follow(irregularity("WAR", cause))
        for seat in seats:
            forfeit = forfeits.get(seat.seat)
            if forfeit is not None:
                self.sheet.notes.append(
                    f"seat {seat.seat}: forfeited, directed by {forfeit.person}: {forfeit.reason} (WAR 13.5)"
                )
            kept = forfeit is not None or (cause == "invalidated" and not self.settings.refund_invalidated)
            stands = forfeit is None and seat.void_for != "invalid" and self.interim_stands(seat, cause)
            self.void_seat(seat, VOID_RULES[cause], stands=stands, kept=kept)

    def interim_stands(self, seat: Seat, cause: VoidCause) -> bool:
        """Whether what the interim settlement settled at a seat stands although the round is void.

        Always where a wrong deal could not be reconstructed (WAR 11.6); otherwise by the table's ruling (11.17.2,
        12.4, 13.5), and where it is undone the dealer is told.
        """
        if seat.interim == "none" or cause == "not_reconstructed":
            return seat.interim != "none"
        return self.by_ruling(seat, VOID_RULES[cause])

    def area_stands(self, seat: Seat) -> bool:
        """Whether it stands where one area's wagers went back: by the ruling where the player chose so (WAR 12.5.1).

        Never where they are void for a prohibited device: then any wager is (WAR 13.3.1).
        """
        if seat.interim == "none" or seat.void_for != "device_failed":
            return False
        return self.by_ruling(seat, _AREA_FAULT_RULES[seat.void_for])

    def by_ruling(self, seat: Seat, rule: str) -> bool:
        """Whether an interim settlement stands by the table's ruling, which is named."""
        self.sheet.rulings["interim_when_void"] = self.settings.interim_when_void
        if self.settings.interim_when_void == "undone":
            self.sheet.notes.append(f"seat {seat.seat}: what the interim settlement paid or took is undone ({rule})")
        return self.settings.interim_when_void == "stand"

    def void_seat(self, seat: Seat, rule: str, *, stands: bool, kept: bool = False) -> None:
        """Give the wagers of a seat back, or collect those kept, but for what stands of its interim settlement."""
        if stands and seat.interim == "hand":
            self.check_decision(seat)
        hand_stands = stands and seat.interim == "hand" and seat.decision != "war"
        if hand_stands:
            self.check_war(seat)
            self.settle_initial(seat, rule)
        for stake in _placed(seat):
            if (stake.wager == "initial" and hand_stands) or (stake.wager == "tie" and stands):
                continue
            if kept:
                counted = self.counted(seat, stake.wager, stake.placed_cents, stake.tender)
                self.sheet.add(counted, "lose", 0, rule)
            else:
                self.sheet.add(stake, "void", 0, rule)
        if stands:
            self.settle_tie(seat, rule)

    def counted(self, seat: Seat, wager: str, placed_cents: int, tender: Tender) -> Stake:
        """A wager of a seat, and what of it is paid or collected by its sign, or the player's own (WAR 6.2, 6.3, 6.6).

        Over the maximum it is the maximum or, by the table's ruling, the amount wagered (WAR 6.3 against 11.18.2).
        """
        sign = seat.own_limits or self.limits
        stake = Stake(seat.seat, wager, placed_cents, placed_cents, tender)
        least, most = {
            "initial": (sign.initial_min_cents, sign.initial_max_cents),
            "tie": (sign.tie_min_cents, sign.tie_max_cents),
        }.get(wager, (1, self.most_war(seat, sign)))
        if most is None or placed_cents <= most:
            return self.sheet.under_sign(stake, least, None)
        self.sheet.rulings["over_maximum"] = self.settings.over_maximum
        if self.settings.over_maximum == "maximum":
            return self.sheet.under_sign(stake, least, most)
        self.sheet.notes.append(f"seat {seat.seat}: {wager} wager of {placed_cents} cents counts in full (WAR 11.18.2)")
        return replace(stake, rules=("WAR 11.18.2",))

    def most_war(self, seat: Seat, sign: Limits) -> int | None:
        """What a war wager counts up to: its own maximum, and the initial's if it was cut and a ruling links them."""
        most = [] if sign.war_max_cents is None else [sign.war_max_cents]
        if sign.initial_max_cents is not None and seat.initial_cents > sign.initial_max_cents:
            if self.settings.over_maximum == "maximum":
                self.sheet.rulings["cap_linked_wager"] = self.settings.cap_linked_wager
            if self.settings.cap_linked_wager:
                most.append(sign.initial_max_cents)
        return min(most, default=None)

    def wrong(self, seat: Seat, name: str, value: str, reason: str) -> RoundError:
        """A field of a seat that cannot be settled."""
        return RoundError(f"seats[{self.round.seats.index(seat)}].{name}", value, reason)
