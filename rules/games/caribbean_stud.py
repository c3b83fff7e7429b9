"""Caribbean Stud Poker: who gets which card, what every wager of a round comes to, and which hands win a jackpot prize.

The rules of The Star Sydney in the edition of 16 August 2024 (DF24/017426), cited as CSP. Does not know the meter:
what a prize is worth is ``progressive``'s.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from rules import rounds
from rules.hands import Category, HandValue, five_card_value
from rules.limits import Limits
from rules.progressive import Winner
from rules.rounds import Decision, Device, Face, Round, RoundError, Seat, Settlement, seat_order
from rules.schedules import Schedule, shipped
from rules.settings import Settings
from rules.settling import Sheet, Stake
from rules.terms import Rulings, Terms
from rules.wagers import maximum_paid_cents

GAME: Final = "caribbean_stud"
EDITION: Final = "2024-08-16"
"""The date of the rule edition."""

SCHEDULE: Final = "csp_10_1"
"""The schedule of odds that the rule text itself prints."""

DEALER: Final = rounds.DEALER
"""The dealer's place in a deal order; seats are numbered from 1."""

PRIZES: Final[Mapping[Category, str]] = {
    "royal_flush": "CSP 11.7.1",
    "straight_flush": "CSP 11.7.2",
    "four_of_a_kind": "CSP 11.7.3",
    "full_house": "CSP 11.7.4",
    "flush": "CSP 11.7.5",
}
"""The kinds of hand that win a jackpot prize, best first, with the clause of each."""

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


def prize_of(value: HandValue) -> Category | None:
    """The jackpot prize a hand qualifies for, if any (CSP 11.7)."""
    return value.category if value.category in PRIZES else None


def deal_order(device: Device, seats: Iterable[int]) -> tuple[tuple[int, Face], ...]:
    """Who gets each card of the deck, from its top, and how it lies: the dealer is place 0.

    From a shoe one card at a time, the dealer first, then the antes clockwise from the dealer's left (CSP 7.3); from a
    shuffling device five at a time (CSP 7.4). The dealer's last card, of a packet its bottom one, is turned face up.

    >>> deal_order("shoe", [2, 1])[:4]
    ((0, 'down'), (1, 'down'), (2, 'down'), (0, 'down'))
    >>> deal_order("shuffler", [1])[3:7]
    ((0, 'down'), (0, 'up'), (1, 'down'), (1, 'down'))
    """
    places = (DEALER, *sorted(seats))
    if device == "shoe":
        order = [(card, place) for card in range(5) for place in places]
    else:
        order = [(card, place) for place in places for card in range(5)]
    return tuple([(place, "up" if place == DEALER and card == 4 else "down") for card, place in order])


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


def qualifying(round_: Round, terms: Terms) -> tuple[Winner, ...]:
    """The hands that win a jackpot prize (CSP 11.4), in seat order, whatever the dealer holds.

    Always asks for the wager of the right amount (5.4) and the cards; a folded, absent or conceded hand wins by the
    terms' rulings. Never counts a hand whose cards are not on the record. A straight flush is not also a flush.
    """
    winners = []
    for seat in seat_order(round_.seats):
        if seat.cards is None or seat.jackpot_cents != terms.qualifying_wager_cents:
            continue
        category = five_card_value(seat.cards).category
        if category in PRIZES and _hand_may_win(seat, terms.rulings):
            winners.append(Winner(seat.seat, category))
    return tuple(winners)


def paying_order(winners: Iterable[Winner]) -> tuple[Winner, ...]:
    """Winners in the order in which they are paid: from the dealer's right (CSP 12.2).

    With a royal flush in the round, the straight flushes come first (CSP 12.4).
    """
    right_to_left = sorted(winners, key=lambda winner: -winner.seat)
    if any(winner.prize == "royal_flush" for winner in right_to_left):
        right_to_left.sort(key=lambda winner: winner.prize != "straight_flush")
    return tuple(right_to_left)


def _hand_may_win(seat: Seat, rulings: Rulings) -> bool:
    """Whether a hand may win a prize, after what its player did with it (CSP 11.4)."""
    match seat.decision:
        case "fold" | "absent":
            return rulings.folded_hand_wins
        case "concede":
            return rulings.conceded_hand_wins
        case _:
            return True


def settle(
    round_: Round,
    settings: Settings = _NO_NOTICE,
    limits: Limits = _NO_SIGN,
    schedule: Schedule | None = None,
    terms: Terms | None = None,
) -> Settlement:
    """What every wager of a round comes to (CSP 8.4, 9, 10, 11.4, 14.12, 14.14).

    Always one line for each wager placed. A round whose dealer's hand was not captured has no lines, but still its
    qualifying hands. Without ``schedule`` the odds are those of 10.1; without ``terms`` the jackpot's rulings are the
    defaults and its wager is the sign's. Jackpot winnings are 0 here: the link awards them.
    Raises ``RoundError`` where a decision, a bet or a hand that the settlement needs is missing or cannot be.
    """
    rulings = _PLAIN_WORDS if terms is None else terms.rulings
    return _Settling(
        round_, settings, limits, schedule or shipped(SCHEDULE), terms, rulings, Sheet("CSP", settings)
    ).settle()


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
    winners: list[Winner] = field(default_factory=list)
    hands: list[tuple[int, HandValue]] = field(default_factory=list)
    dealer: HandValue | None = None
    dealer_qualifies: bool = False

    def settle(self) -> Settlement:
        """Settle seat by seat, from the dealer's left."""
        if self.round.dealer is not None:
            self.dealer = five_card_value(self.round.dealer)
            self.dealer_qualifies = dealer_qualifies(self.dealer)
        for seat in seat_order(self.round.seats):
            value = None if seat.cards is None else five_card_value(seat.cards)
            if value is not None:
                self.hands.append((seat.seat, value))
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
        )

    def settle_against_dealer(self, seat: Seat, value: HandValue | None, dealer: HandValue) -> None:
        """Settle the ante and the bet of a seat."""
        match seat.decision:
            case "fold":
                self.sheet.add(self.ante(seat), "lose", 0, "CSP 8.4")
                if seat.bet_cents is not None:  # A bet that was not twice the ante, and not corrected.
                    bet = Stake(seat.seat, "bet", seat.bet_cents, 0, seat.bet_tender)
                    self.sheet.add(bet, "returned", 0, "CSP 14.11.2")
            case "absent":
                if seat.bet_cents is not None:
                    raise self.wrong(seat, "bet_cents", str(seat.bet_cents), "an absent player has no bet (CSP 14.14)")
                self.sheet.add(self.ante(seat), "lose", 0, "CSP 14.14", "CSP 8.4")
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
            self.sheet.add(ante, "lose", 0, "CSP 9.7")
            self.sheet.add(bet, "lose", 0, "CSP 9.7")
        elif not self.dealer_qualifies:
            paid = odds["ante"]["win"].winnings_cents(ante.at_risk_cents)
            self.sheet.add(ante, "win", paid, "CSP 9.2", "CSP 9.3.1", self.schedule.rule)
            self.sheet.add(bet, "void", 0, "CSP 9.2")
        elif value is None:
            raise self.wrong(seat, "cards", "", "missing: this hand is compared with the dealer's (CSP 9.4.1)")
        elif value > dealer:
            paid = odds["ante"]["win"].winnings_cents(ante.at_risk_cents)
            self.sheet.add(ante, "win", paid, "CSP 9.4.1.1", self.schedule.rule)
            winnings = odds["bet"][_ROWS[value.category]].winnings_cents(bet.at_risk_cents)
            paid = self.paid_on_bet(winnings, bet.at_risk_cents)
            rules = ("CSP 9.4.1.1", self.schedule.rule)
            self.sheet.add(bet, "win", paid, *(rules if paid == winnings else (*rules, "CSP 10.2")))
        elif value < dealer:
            self.sheet.add(ante, "lose", 0, "CSP 9.4.1.2")
            self.sheet.add(bet, "lose", 0, "CSP 9.4.1.2")
        else:
            self.sheet.add(ante, "stand_off", 0, "CSP 9.4.1.3")
            self.sheet.add(bet, "stand_off", 0, "CSP 9.4.1.3")

    def ante(self, seat: Seat) -> Stake:
        """The ante of a seat, and what of it is paid or collected (CSP 6.2, 6.3)."""
        stake = Stake(seat.seat, "ante", seat.ante_cents, seat.ante_cents, seat.ante_tender)
        return self.sheet.under_sign(stake, self.limits.ante_min_cents, self.limits.ante_max_cents)

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
        if self.limits.bet_max_cents is not None:
            at_risk = min(at_risk, self.limits.bet_max_cents)
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
        if amount is not None and jackpot_cents != amount:
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
        return _hand_may_win(seat, self.jackpot_rulings)

    def wrong(self, seat: Seat, name: str, value: str, reason: str) -> RoundError:
        """A field of a seat that cannot be settled."""
        return RoundError(f"seats[{self.round.seats.index(seat)}].{name}", value, reason)
