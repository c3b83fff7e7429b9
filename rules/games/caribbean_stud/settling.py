"""What every wager of a round of Caribbean Stud comes to: rules 8.4, 9, 10, 11.4, 14 and 16.

Does not know the meter: what a prize is worth is ``rules.progressive``'s.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, get_args

from rules.directions import by_seat
from rules.games.caribbean_stud.faults import NOTHING_WRONG, VOID_HANDS, Faults, HandFault, VoidCause
from rules.games.caribbean_stud.prizes import PRIZES, hand_may_win, paying_order, prize_of
from rules.hands import Category, HandValue, five_card_value
from rules.irregularities import irregularity
from rules.limits import Limits
from rules.progressive import Winner
from rules.rounds import Decision, Round, RoundError, Seat, Settlement, seat_order
from rules.schedules import Schedule, shipped
from rules.settings import Settings
from rules.settling import Sheet, Stake
from rules.terms import Rulings, Terms
from rules.wagers import Outcome, maximum_paid_cents

SCHEDULE: Final = "csp_10_1"
"""The schedule of odds that the rule text itself prints."""

VOID_RULES: Final[Mapping[VoidCause, str]] = {cause: irregularity("CSP", cause).clause for cause in get_args(VoidCause)}
"""The clause by which the wagers of a void round go back."""

HAND_FAULT_RULES: Final[Mapping[HandFault, str]] = {
    fault: irregularity("CSP", fault).clause for fault in get_args(HandFault)
}
"""The clause by which one player's wagers are void."""

_LOWEST_QUALIFYING: Final = five_card_value(
    (51, 47, 8, 5, 0)
)  # As Ks 4c 3d 2c: no hand with an ace and a king is lower.

_ROWS: Final[Mapping[Category, str]] = {
    "royal_flush": "royal_flush",
    "straight_flush": "straight_flush",
    "four_of_a_kind": "four_of_a_kind",
    "full_house": "full_house",
    "flush": "flush",
    "straight": "straight",
    "three_of_a_kind": "three_of_a_kind",
    "two_pairs": "two_pairs",
    "one_pair": "one_pair_or_less",
    "five_odd_cards": "one_pair_or_less",
}
"""The row of CSP 10.1 under which each kind of hand is paid."""

_NO_NOTICE: Final = Settings()
_NO_SIGN: Final = Limits()
_PLAIN_WORDS: Final = Rulings()


def dealer_qualifies(value: HandValue) -> bool:
    """Whether a dealer's hand has a poker value of ace and king, or higher (CSP 9.1).

    >>> from rules.cards import parse_cards
    >>> dealer_qualifies(five_card_value(parse_cards("As Kd 4h 3c 2c")))
    True
    >>> dealer_qualifies(five_card_value(parse_cards("As Qd Jh Tc 9c")))
    False
    """
    return value >= _LOWEST_QUALIFYING


def legal_decisions(decision: Decision | None, *, dealer_exposed: bool) -> tuple[Decision, ...]:
    """What a player may still do with a hand, given what they did so far.

    Before the dealer's cards are turned: bet or fold (CSP 8.1), or be deemed to have folded (14.14). After it a
    player who has bet may concede (9.7). What was folded or conceded never comes back (8.4, 9.8).

    >>> legal_decisions(None, dealer_exposed=False)
    ('bet', 'fold', 'absent')
    >>> legal_decisions("bet", dealer_exposed=True)
    ('concede',)
    """
    if decision is None and not dealer_exposed:
        return ("bet", "fold", "absent")
    if decision == "bet" and dealer_exposed:
        return ("concede",)
    return ()


def settle(
    round_: Round,
    settings: Settings = _NO_NOTICE,
    limits: Limits = _NO_SIGN,
    schedule: Schedule | None = None,
    terms: Terms | None = None,
    faults: Faults = NOTHING_WRONG,
) -> Settlement:
    """What every wager of a round comes to (CSP 8.4, 9, 10, 11.4, 14, 15.2, 16.4, 16.6).

    Always one line for each wager placed. A round whose dealer's hand was not captured has no lines, but still its
    qualifying hands; a void one has its lines all the same. Without ``schedule`` the odds are those of 10.1; without
    ``terms`` the jackpot's rulings are the defaults and its wager is the sign's. Jackpot winnings are 0 here: the link
    awards them. Never counts a hand with a fault, or of a void round, among the qualifying ones.
    Raises ``RoundError`` where a decision, a bet or a hand that the settlement needs is missing or cannot be.
    """
    if faults is not NOTHING_WRONG:
        faults.check(round_)
    rulings = _PLAIN_WORDS if terms is None else terms.rulings
    settling = _Settling(
        round_, settings, limits, schedule or shipped(SCHEDULE), terms, rulings, Sheet("CSP", settings), faults
    )
    return settling.settle() if faults.void_by is None else settling.settle_void(faults.void_by)


Amounts = tuple[int, str, int, int]
"""A seat, one of its wagers, what was paid on it and what was given back of its stake."""


def base_amounts(
    round_: Round, settings: Settings = _NO_NOTICE, limits: Limits = _NO_SIGN, schedule: Schedule | None = None
) -> tuple[Amounts, ...]:
    """What every wager of the base game comes to, as ``settle`` says it and in its order, without why.

    For whoever holds a settlement against the cards and needs no words of it. Raises ``RoundError`` as ``settle`` does.

    >>> from rules.cards import parse_cards
    >>> seat = Seat(1, 1000, None, "bet", 2000, parse_cards("2s 2d 7h 9c Jd"))
    >>> base_amounts(Round("caribbean_stud", "2024-08-16", "shoe", parse_cards("As Kd 9h 5c 3d"), (seat,)))
    ((1, 'ante', 1000, 1000), (1, 'bet', 2000, 2000))
    """
    sheet = _AmountsSheet("CSP", settings)
    settling = _Settling(
        round_, settings, limits, schedule or shipped(SCHEDULE), None, _PLAIN_WORDS, sheet, NOTHING_WRONG
    )
    settling.turn_dealer()
    if settling.dealer is not None:
        for seat in seat_order(round_.seats):
            value = None if seat.cards is None else five_card_value(seat.cards)
            settling.settle_against_dealer(seat, value, settling.dealer)
    return tuple(sheet.amounts)


@dataclass(slots=True)
class _AmountsSheet(Sheet):
    """Keeps the amounts of lines alone: to say why would be most of the work."""

    amounts: list[Amounts] = field(default_factory=list)

    def write(
        self,
        stake: Stake,
        outcome: Outcome,  # noqa: ARG002 - as Sheet has it
        paid_cents: int,
        returned_cents: int,
        rules: tuple[str, ...],  # noqa: ARG002
    ) -> None:
        """Keep a line's amounts."""
        self.amounts.append((stake.seat, stake.wager, paid_cents, returned_cents))


def _placed(seat: Seat) -> Iterator[Stake]:
    """Every wager of a seat, as it lies there."""
    for wager, cents, tender in (
        ("ante", seat.ante_cents, seat.ante_tender),
        ("bet", seat.bet_cents, seat.bet_tender),
        ("jackpot", seat.jackpot_cents, seat.jackpot_tender),
    ):
        if cents is not None:
            yield Stake(seat.seat, wager, cents, cents, tender)


@dataclass(slots=True)
class _Settling:
    """One settlement being worked out: what it is worked out from, and what has been found so far."""

    round: Round
    settings: Settings
    limits: Limits
    schedule: Schedule
    terms: Terms | None
    jackpot_rulings: Rulings
    sheet: Sheet
    faults: Faults
    winners: list[Winner] = field(default_factory=list)
    hands: list[tuple[int, HandValue]] = field(default_factory=list)
    dealer: HandValue | None = None
    dealer_qualifies: bool = False

    def settle(self) -> Settlement:
        """Settle seat by seat, from the dealer's left."""
        self.turn_dealer()
        for seat in seat_order(self.round.seats):
            value = None if seat.cards is None else five_card_value(seat.cards)
            if value is not None:
                self.hands.append((seat.seat, value))
            fault = self.faults.of(seat.seat)
            if fault in VOID_HANDS:
                self.give_back(seat, HAND_FAULT_RULES[fault])
                continue
            if self.dealer is not None:
                self.settle_against_dealer(seat, value, self.dealer)
            if seat.jackpot_cents is not None:
                self.settle_jackpot(seat, seat.jackpot_cents, value)
        return Settlement(
            # Where the dealer's hand was not captured, nor was what the other hands hold: no wager can be called lost.
            lines=tuple(self.sheet.lines) if self.dealer is not None else (),
            qualifying=tuple(self.winners),
            left_face_up=tuple([winner.seat for winner in paying_order(self.winners)]),
            dealer=self.dealer,
            dealer_qualifies=None if self.dealer is None else self.dealer_qualifies,
            hands=tuple(self.hands),
            rulings=tuple(sorted(self.sheet.rulings.items())),
            notes=tuple(self.sheet.notes),
            notices=tuple(self.sheet.notices),
            kept=tuple(self.sheet.kept),
        )

    def turn_dealer(self) -> None:
        """Value the dealer's hand, where it was captured."""
        if self.round.dealer is not None:
            self.dealer = five_card_value(self.round.dealer)
            self.dealer_qualifies = dealer_qualifies(self.dealer)

    def settle_void(self, cause: VoidCause) -> Settlement:
        """Give every wager back as it was placed; those of an invalidated outcome as ruled and directed (CSP 16.6)."""
        forfeits = by_seat(self.faults.forfeits)
        refund = self.settings.refund_invalidated or cause != "invalidated"
        if cause == "invalidated":
            self.sheet.rulings["refund_invalidated"] = self.settings.refund_invalidated
        self.sheet.follow(irregularity("CSP", cause))
        for seat in seat_order(self.round.seats):
            forfeit = forfeits.get(seat.seat)
            if forfeit is not None:
                words = f"seat {seat.seat}: forfeited, directed by {forfeit.person}: {forfeit.reason}"
                self.sheet.notes.append(f"{words} ({VOID_RULES[cause]})")
            if forfeit is None and refund:
                self.give_back(seat, VOID_RULES[cause])
            else:
                self.lose_everything(seat, VOID_RULES[cause])
        return Settlement(
            lines=tuple(self.sheet.lines),
            rulings=tuple(sorted(self.sheet.rulings.items())),
            notes=tuple(self.sheet.notes),
            notices=tuple(self.sheet.notices),
            kept=tuple(self.sheet.kept),
        )

    def give_back(self, seat: Seat, rule: str) -> None:
        """Give every wager of a seat back as it was placed; the one on the jackpot by the ruling of the terms."""
        for stake in _placed(seat):
            if stake.wager == "jackpot":
                self.sheet.rulings["void_returns_jackpot"] = self.jackpot_rulings.void_returns_jackpot
                if not self.jackpot_rulings.void_returns_jackpot:
                    self.sheet.add(stake, "lose", 0, rule)
                    continue
            self.sheet.add(stake, "void", 0, rule)

    def lose_everything(self, seat: Seat, rule: str) -> None:
        """Collect every wager of a seat, each as far as it counts."""
        ante = self.ante(seat)
        self.sheet.add(ante, "lose", 0, rule)
        if seat.bet_cents is not None:
            self.sheet.add(self.bet(seat, ante, seat.bet_cents), "lose", 0, rule)
        if seat.jackpot_cents is not None:
            stake = Stake(seat.seat, "jackpot", seat.jackpot_cents, seat.jackpot_cents, seat.jackpot_tender)
            self.sheet.add(stake, "lose", 0, rule)

    def write(self, stake: Stake, outcome: Outcome, paid_cents: int, *rules: str) -> None:
        """Write the line of a wager; nothing is won by one found invalid during the hand (CSP 14.20.2)."""
        if not self.faults.hands or outcome == "returned" or self.faults.of(stake.seat) != "invalid":
            self.sheet.add(stake, outcome, paid_cents, *rules)
            return
        self.sheet.add_invalid(stake, outcome, "CSP 14.20.2", *rules, because="CSP 16.1")

    def settle_against_dealer(self, seat: Seat, value: HandValue | None, dealer: HandValue) -> None:
        """Settle the ante and the bet of a seat."""
        match seat.decision:
            case "fold":
                self.write(self.ante(seat), "lose", 0, "CSP 8.4")
                if seat.bet_cents is not None:  # A bet that was not twice the ante, and not corrected.
                    bet = Stake(seat.seat, "bet", seat.bet_cents, 0, seat.bet_tender)
                    self.write(bet, "returned", 0, "CSP 14.11.2")
            case "absent":  # CSP 14.14
                if seat.bet_cents is not None:
                    raise self.wrong(seat, "bet_cents", str(seat.bet_cents), "an absent player has no bet (CSP 14.14)")
                self.write(self.ante(seat), "lose", 0, "CSP 14.14", "CSP 8.4")
            case "bet" | "concede":
                if seat.bet_cents is None:
                    raise self.wrong(seat, "bet_cents", "", f"missing, but the decision was {seat.decision} (CSP 8.5)")
                ante = self.ante(seat)
                self.settle_bettor(seat, ante, self.bet(seat, ante, seat.bet_cents), value, dealer)
            case None:
                raise self.wrong(seat, "decision", "", "missing: every hand is bet, folded or deemed folded (CSP 8.1)")

    def settle_bettor(self, seat: Seat, ante: Stake, bet: Stake, value: HandValue | None, dealer: HandValue) -> None:
        """Settle the ante and the bet of a player who stayed in."""
        odds = self.schedule.odds
        if seat.decision == "concede":
            self.write(ante, "lose", 0, "CSP 9.7")
            self.write(bet, "lose", 0, "CSP 9.7")
        elif not self.dealer_qualifies:
            paid = odds["ante"]["win"].winnings_cents(ante.at_risk_cents)
            self.write(ante, "win", paid, "CSP 9.2", "CSP 9.3.1", self.schedule.rule)
            self.write(bet, "void", 0, "CSP 9.2")
        elif value is None:
            raise self.wrong(seat, "cards", "", "missing: this hand is compared with the dealer's (CSP 9.4.1)")
        elif value > dealer:
            paid = odds["ante"]["win"].winnings_cents(ante.at_risk_cents)
            self.write(ante, "win", paid, "CSP 9.4.1.1", self.schedule.rule)
            winnings = odds["bet"][_ROWS[value.category]].winnings_cents(bet.at_risk_cents)
            paid = self.paid_on_bet(winnings, bet.at_risk_cents)
            rules = ("CSP 9.4.1.1", self.schedule.rule)
            self.write(bet, "win", paid, *(rules if paid == winnings else (*rules, "CSP 10.2")))
        elif value < dealer:
            self.write(ante, "lose", 0, "CSP 9.4.1.2")
            self.write(bet, "lose", 0, "CSP 9.4.1.2")
        else:
            self.write(ante, "stand_off", 0, "CSP 9.4.1.3")
            self.write(bet, "stand_off", 0, "CSP 9.4.1.3")

    def ante(self, seat: Seat) -> Stake:
        """The ante of a seat, and what of it is paid or collected (CSP 6.2, 6.3)."""
        stake = Stake(seat.seat, "ante", seat.ante_cents, seat.ante_cents, seat.ante_tender)
        sign = seat.own_limits or self.limits  # CSP 6.6: a player's own sign goes before the table's
        return self.sheet.under_sign(stake, sign.ante_min_cents, sign.ante_max_cents)

    def bet(self, seat: Seat, ante: Stake, bet_cents: int) -> Stake:
        """The bet of a seat, and what of it is paid or collected: twice the ante (14.12), the maximum at most (6.3)."""
        required = 2 * seat.ante_cents
        rules: tuple[str, ...] = ()
        if bet_cents != required:
            rules = ("CSP 14.12.1",) if bet_cents < required else ("CSP 14.12.2",)
            self.sheet.notes.append(f"seat {seat.seat}: a bet of {bet_cents} cents is not twice the ante ({rules[0]})")
        complying = at_risk = min(bet_cents, required)
        if ante.at_risk_cents < seat.ante_cents:
            self.sheet.rulings["cap_linked_wager"] = self.settings.cap_linked_wager
            if self.settings.cap_linked_wager:
                at_risk = min(at_risk, 2 * ante.at_risk_cents)
        most = (seat.own_limits or self.limits).bet_max_cents
        if most is not None:
            at_risk = min(at_risk, most)
        if at_risk < complying:
            rules = (*rules, "CSP 6.3")
        return Stake(seat.seat, "bet", bet_cents, at_risk, seat.bet_tender, rules)

    def paid_on_bet(self, winnings: int, bet: int) -> int:
        """What a winning bet is paid, under the maximum payout of the notice (CSP 10.2)."""
        most = self.settings.max_payout_cents
        if most is not None and winnings + bet > most:
            self.sheet.rulings["max_payout_covers"] = self.settings.max_payout_covers
        return maximum_paid_cents(winnings, bet, self.settings)

    def settle_jackpot(self, seat: Seat, jackpot_cents: int, value: HandValue | None) -> None:
        """Settle the wager on the progressive jackpot, but for what the link awards."""
        amount = self.limits.jackpot_cents if self.terms is None else self.terms.qualifying_wager_cents
        stake = Stake(seat.seat, "jackpot", jackpot_cents, jackpot_cents, seat.jackpot_tender)
        prize = None if value is None else prize_of(value)
        if self.faults.of(seat.seat) == "invalid":
            # Found before the hand is settled: it goes back, and its increment comes out of the pool again.
            self.sheet.add(stake, "void", 0, "CSP 14.20.2", "CSP 16.1")
        elif amount is not None and jackpot_cents != amount:
            self.sheet.add(replace(stake, at_risk_cents=0), "returned", 0, "CSP 5.4")
        elif prize is None:
            self.sheet.add(stake, "lose", 0, "CSP 11.7")
        elif not self.may_win(seat):
            self.sheet.add(stake, "lose", 0, "CSP 11.4")
        else:
            self.winners.append(Winner(seat.seat, prize))
            returned = self.jackpot_rulings.stake_returned
            self.sheet.rulings["stake_returned"] = returned
            self.sheet.add(stake, "win", 0, "CSP 11.4", PRIZES[prize], goes_back=returned)

    def may_win(self, seat: Seat) -> bool:
        """Whether a qualifying hand wins its prize, after what its player did with it; notes the ruling."""
        if seat.decision in {"fold", "absent"}:
            self.sheet.rulings["folded_hand_wins"] = self.jackpot_rulings.folded_hand_wins
        elif seat.decision == "concede":
            self.sheet.rulings["conceded_hand_wins"] = self.jackpot_rulings.conceded_hand_wins
        return hand_may_win(seat, self.jackpot_rulings)

    def wrong(self, seat: Seat, name: str, value: str, reason: str) -> RoundError:
        """A field of a seat that cannot be settled."""
        return RoundError(f"seats[{self.round.seats.index(seat)}].{name}", value, reason)
