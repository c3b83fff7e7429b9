"""What every wager of a round of ante, play and side wager comes to, as far as both books say it alike.

Rules 6, 8.4, 12 to 14 of both; what a hand is worth, whom the dealer beats and what a side wager pays are each game's.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from rules.directions import by_seat
from rules.games.ante_play.book import Book, Sign, VoidCause
from rules.games.ante_play.rounds import VOID_HANDS, Round, Seat
from rules.hands import Worth
from rules.irregularities import irregularity
from rules.rounds import RoundError, Settlement
from rules.schedules import Schedule
from rules.settings import AntePlaySettings
from rules.settling import Sheet, Stake
from rules.wagers import Odds, Outcome

V = TypeVar("V", bound=Worth)
"""What a hand of the game is worth."""

_WITHOUT_PLAY: Final = frozenset({"short", "absent"})


def in_order(seats: tuple[Seat, ...]) -> list[Seat]:
    """Seats from the dealer's left, as the cards are dealt (TCP 7.2, FCP 7.2)."""
    return sorted(seats, key=lambda seat: seat.seat)


def placed(seat: Seat, side: str) -> Iterator[Stake]:
    """Every wager of a seat, as it lies there; ``side`` is the name of the side wager."""
    for wager, cents, tender in (
        ("ante", seat.ante_cents, seat.ante_tender),
        ("play", seat.play_cents, seat.play_tender),
        (side, seat.side_cents, seat.side_tender),
    ):
        if cents is not None:
            yield Stake(seat.seat, wager, cents, cents, tender)


@dataclass(slots=True)
class Settling(ABC, Generic[V]):
    """One settlement being worked out: what it is worked out from, and what has been found so far."""

    round: Round
    settings: AntePlaySettings
    limits: Sign
    schedules: Mapping[str, Schedule]
    sheet: Sheet = field(init=False)
    hands: list[tuple[int, V]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Open the sheet."""
        self.sheet = Sheet(self.book.code, self.settings)

    @property
    def book(self) -> Book:
        """The book of the round."""
        return self.round.BOOK

    @abstractmethod
    def value_of(self, cards: tuple[int, ...]) -> V:
        """What a player's hand is worth."""

    @abstractmethod
    def read_dealer(self) -> V:
        """What the dealer's hand is worth; notes what people are told of it, and the rulings it depends on."""

    @abstractmethod
    def settle_against_dealer(self, ante: Stake, play: Stake, value: V) -> None:
        """Settle ante and play."""

    @abstractmethod
    def side_row(self, value: V) -> str | None:
        """The row of the sign that a side wager is paid by; ``None`` where it loses."""

    @abstractmethod
    def side_rule(self, *, won: bool) -> str:
        """The clause by which a side wager is paid or collected."""

    @abstractmethod
    def bonus_rules(self) -> tuple[str, ...]:
        """The clauses by which an Ante Bonus is paid."""

    def dealer_qualifies(self) -> bool | None:
        """Whether the dealer's hand goes on, in the book in which it must qualify."""
        return None

    def settle(self) -> Settlement:
        """Settle a round seat by seat, from the dealer's left; a void one as its cause says."""
        if self.round.void_by is not None:
            return self.settle_void(self.round.void_by)
        dealer = self.read_dealer()
        for seat in in_order(self.round.seats):
            value = None if seat.cards is None else self.value_of(seat.cards)
            if value is not None:
                self.hands.append((seat.seat, value))
            self.settle_seat(seat, value)
        return self.settlement(dealer)

    def settle_void(self, cause: VoidCause) -> Settlement:
        """Give every wager back as it was placed; those of an invalidated outcome as ruled and directed.

        TCP 12.4, 12.9.2, 13.2.1, 14.6; FCP 12.4, 12.10.2, 13.2.1, 14.5. People are told what else is done, and whom
        they notify.
        """
        row, forfeits = irregularity(self.book.code, cause), by_seat(self.round.forfeits)
        refund = self.settings.refund_invalidated or cause != "invalidated"
        if cause == "invalidated":
            self.sheet.rulings["refund_invalidated"] = self.settings.refund_invalidated
        self.sheet.follow(row)
        for seat in in_order(self.round.seats):  # TCP 12.4, 12.9.2, 13.2.1; FCP 12.4, 12.10.2, 13.2.1
            forfeit = forfeits.get(seat.seat)
            if forfeit is not None:
                words = f"seat {seat.seat}: forfeited, directed by {forfeit.person}: {forfeit.reason}"
                self.sheet.notes.append(f"{words} ({row.clause})")
            if forfeit is None and refund:  # TCP 14.6, FCP 14.5
                self.give_back(seat, row.clause)
            else:
                self.lose_everything(seat, row.clause)
        return self.settlement(None)

    def settlement(self, dealer: V | None) -> Settlement:
        """What has been worked out."""
        return Settlement(
            lines=tuple(self.sheet.lines),
            dealer=dealer,
            dealer_qualifies=None if dealer is None else self.dealer_qualifies(),
            hands=tuple(self.hands),
            rulings=tuple(sorted(self.sheet.rulings.items())),
            notes=tuple(self.sheet.notes),
            notices=tuple(self.sheet.notices),
            kept=tuple(self.sheet.kept),
        )

    def settle_seat(self, seat: Seat, value: V | None) -> None:
        """Settle every wager of a seat."""
        if seat.fault in VOID_HANDS:
            # TCP 12.7, 14.4.1; FCP 12.6, 12.9, 14.3.1
            self.give_back(seat, self.book.hand_faults[seat.fault])
            return
        if seat.fault == "invalid" and not self.settles_invalid():
            reason = f"this book has no invalid wagers but by the ruling carded_play ({self.book.clauses.invalid})"
            raise self.wrong(seat, "void_for", "invalid", reason)
        if seat.decision is None:
            clauses = f"{self.book.rule('8.1')}, {self.book.clauses.absent}"
            raise self.wrong(seat, "decision", "", f"missing: every hand is played, folded or left ({clauses})")
        self.check_play_wager(seat)
        match seat.decision:
            case "short" | "absent":
                self.settle_without_play(seat)
                self.settle_side(seat, value)
            case "concede":
                self.settle_conceded(seat, value)
            case "play":
                self.settle_played(seat, value)
            case _:  # TCP 8.4, FCP 8.4
                self.lose_everything(seat, self.book.rule("8.4"))

    def settles_invalid(self) -> bool:
        """Whether the table knows invalid wagers: its book does, or the ruling on carded play; then that is noted."""
        if self.book.knows_invalid:
            return True
        self.sheet.rulings["carded_play"] = self.settings.carded_play
        return self.settings.carded_play == "all_games"

    def check_play_wager(self, seat: Seat) -> None:
        """Refuse a play wager that is missing, has no place, or is of a wrong amount (TCP 8.5, FCP 8.5)."""
        rule, wanted = self.book.rule("8.5"), seat.decision in {"play", "concede"} and seat.ante_cents is not None
        if seat.play_cents is None:
            if wanted:
                raise self.wrong(seat, "play_cents", "", f"missing, but the decision was {seat.decision} ({rule})")
            return
        value = str(seat.play_cents)
        if not wanted or seat.ante_cents is None:
            raise self.wrong(seat, "play_cents", value, f"there is no play wager without a decision to play ({rule})")
        # TCP 8.5, FCP 8.5
        refused = self.book.play_refused(seat.play_cents, seat.ante_cents, self.settings)
        if refused is not None:
            raise self.wrong(seat, "play_cents", value, f"{refused.reason} ({refused.rule})")

    def write(self, stake: Stake, outcome: Outcome, paid_cents: int, *rules: str) -> None:
        """Write the line of a wager; nothing is won by one found invalid during the hand (TCP 12.16.2)."""
        if self.is_invalid(stake.seat):
            clauses = self.book.clauses
            # TCP 12.16.2: no winnings come of it.
            self.sheet.add_invalid(stake, outcome, clauses.invalid, *rules, because=clauses.own_card)
        else:
            self.sheet.add(stake, outcome, paid_cents, *rules)

    def is_invalid(self, number: int) -> bool:
        """Whether the wagers of a seat were found invalid in the course of the hand."""
        return any(seat.seat == number and seat.fault == "invalid" for seat in self.round.seats)

    def give_back(self, seat: Seat, rule: str) -> None:
        """Give every wager of a seat back as it was placed."""
        for stake in placed(seat, self.book.side):
            self.sheet.add(stake, "void", 0, rule)

    def lose_everything(self, seat: Seat, rule: str) -> None:
        """Collect every wager of a seat, each as far as it counts; of a void round also one found invalid."""
        add = self.sheet.add if self.round.void_by is not None else self.write
        ante, side = self.ante(seat), self.side(seat)
        if ante is not None:
            add(ante, "lose", 0, rule)
            if seat.play_cents is not None:
                add(self.play(seat, ante, seat.play_cents), "lose", 0, rule)
        if side is not None:
            add(side, "lose", 0, rule)

    def settle_without_play(self, seat: Seat) -> None:
        """Settle the ante of a player who could not match it, or made no decision (TCP 12.10, 12.12; FCP 12.11, 12.13).

        It goes back; of a player who was warned of it before, being short forfeits it.
        """
        short, clauses = seat.decision == "short", self.book.clauses
        rule = clauses.short if short else clauses.absent  # TCP 12.10, 12.12; FCP 12.11, 12.13
        if seat.ante_cents is None:
            if short:
                raise self.wrong(seat, "decision", "short", f"without an ante there is none to match ({rule})")
            return
        if short and seat.warnings > 0:
            self.sheet.notes.append(f"seat {seat.seat}: short of a play wager again, and warned: no ante back ({rule})")
            ante = self.ante(seat)
            if ante is not None:
                self.write(ante, "lose", 0, rule)
            return
        if short:
            self.sheet.notes.append(f"seat {seat.seat}: short of a play wager; the next time costs the ante ({rule})")
        self.write(Stake(seat.seat, "ante", seat.ante_cents, seat.ante_cents, seat.ante_tender), "void", 0, rule)

    def settle_conceded(self, seat: Seat, value: V | None) -> None:
        """Settle the wagers of a player who conceded after the dealer's hand was turned (TCP 9.5, FCP 9.3)."""
        rule, ruling = self.book.clauses.concede, self.settings.concede_collects
        if seat.side_cents is not None or (value is not None and value.category in self.odds("ante_bonus")):
            self.sheet.rulings["concede_collects"] = ruling
        if ruling == "all":  # TCP 9.5, FCP 9.3
            self.lose_everything(seat, rule)
            return
        if value is None:
            reason = f"missing: bonus and {self.book.side_title} are settled by the hand ({rule})"
            raise self.wrong(seat, "cards", "", reason)
        ante = self.ante(seat)
        if ante is not None and seat.play_cents is not None:
            self.write(ante, "lose", 0, rule)
            self.write(self.play(seat, ante, seat.play_cents), "lose", 0, rule)
            self.pay_bonus(ante, value)
        self.settle_side(seat, value)

    def settle_played(self, seat: Seat, value: V | None) -> None:
        """Settle the wagers of a player who stayed in, against the dealer and by the hand alone."""
        if value is None:
            reason = f"missing: this hand is turned up and settled ({self.book.clauses.settle_hand})"
            raise self.wrong(seat, "cards", "", reason)
        ante = self.ante(seat)
        if ante is not None and seat.play_cents is not None:
            self.settle_against_dealer(ante, self.play(seat, ante, seat.play_cents), value)
            self.pay_bonus(ante, value)
        self.settle_side(seat, value)

    def pay_bonus(self, ante: Stake, value: V) -> None:
        """Pay the Ante Bonus, whatever the dealer holds (TCP 10.2, FCP 10.2); never on an invalid ante."""
        odds = self.odds("ante_bonus").get(value.category)  # TCP 10.2, FCP 10.2, 10.3
        if odds is None or self.is_invalid(ante.seat):
            return
        schedule = self.schedules["ante_bonus"]
        self.sheet.rulings["ante_bonus"] = schedule.name
        paid = odds.winnings_cents(ante.at_risk_cents)
        self.sheet.add_bonus(ante.seat, "ante_bonus", paid, *self.bonus_rules(), schedule.rule, *ante.rules)

    def settle_side(self, seat: Seat, value: V | None) -> None:
        """Settle the side wager of a seat by its hand alone, also where its player left (TCP 12.12, FCP 12.13)."""
        stake, clauses = self.side(seat), self.book.clauses
        if stake is None:
            return
        if value is None:
            reason = f"missing: {self.book.side_title} is settled by its hand ({self.side_rule(won=True)})"
            raise self.wrong(seat, "cards", "", reason)
        left = (
            ()
            if seat.decision not in _WITHOUT_PLAY
            else (clauses.short if seat.decision == "short" else clauses.absent,)
        )
        row = self.side_row(value)  # TCP 10.4, FCP 10.5
        if row is None:
            self.write(stake, "lose", 0, *left, self.side_rule(won=False))
            return
        schedule = self.schedules[self.book.side]
        self.sheet.rulings[self.book.side] = schedule.name
        paid = self.odds(self.book.side)[row].winnings_cents(stake.at_risk_cents)
        self.write(stake, "win", paid, *left, self.side_rule(won=True), schedule.rule)

    def odds(self, wager: str) -> Mapping[str, Odds]:
        """What the table's schedule pays a wager on, by kind of hand."""
        return self.schedules[wager].odds[wager]

    def sign(self, seat: Seat) -> Sign:
        """The limits that a seat plays by: its player's own, or the table's (TCP 6.5.1, 6.6; FCP 6.5.1)."""
        return seat.own_limits or self.limits  # TCP 6.6

    def ante(self, seat: Seat) -> Stake | None:
        """The ante of a seat, and what of it is paid or collected (TCP 6.2, 6.3; FCP 6.2, 6.3)."""
        if seat.ante_cents is None:
            return None
        return self.under_sign(
            seat, "ante", Stake(seat.seat, "ante", seat.ante_cents, seat.ante_cents, seat.ante_tender)
        )

    def side(self, seat: Seat) -> Stake | None:
        """The side wager of a seat, and what of it is paid or collected (TCP 6.2, 6.3; FCP 6.2, 6.3)."""
        if seat.side_cents is None:
            return None
        stake = Stake(seat.seat, self.book.side, seat.side_cents, seat.side_cents, seat.side_tender)
        return self.under_sign(seat, "side", stake)

    def under_sign(self, seat: Seat, area: str, stake: Stake) -> Stake:
        """A wager as it counts under the limits of its seat."""
        limits = self.sign(seat).of(area)
        return self.sheet.under_sign(stake, limits.min_cents, limits.max_cents)

    def play(self, seat: Seat, ante: Stake, play_cents: int) -> Stake:
        """The play wager of a seat, and what of it is paid or collected: the maximum at most (TCP 6.3, FCP 6.3).

        Cut in step it stays as many times the ante that counts as it was of the one placed; a part of a cent is not
        collected, and not paid on.
        """
        at_risk = play_cents
        if ante.at_risk_cents < ante.placed_cents:
            self.sheet.rulings["cap_linked_wager"] = self.settings.cap_linked_wager
            if self.settings.cap_linked_wager:
                at_risk = play_cents * ante.at_risk_cents // ante.placed_cents
        most = self.sign(seat).of("play").max_cents
        if most is not None:
            at_risk = min(at_risk, most)
        rules = (self.book.rule("6.3"),) if at_risk < play_cents else ()
        return Stake(seat.seat, "play", play_cents, at_risk, seat.play_tender, rules)

    def wrong(self, seat: Seat, name: str, value: str, reason: str) -> RoundError:
        """A field of a seat that cannot be settled."""
        return RoundError(f"seats[{self.round.seats.index(seat)}].{name}", value, reason)
