"""What a round of ante, play and side wager is: its seats, what was wagered and decided there, and the cards seen."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.directions import Forfeit, forfeits_fault
from rules.games.ante_play.book import Book, Decision, HandFault, Sign, VoidCause
from rules.rounds import Device, RoundError, SeenHand, repeated_seat, repeats_fault, seat_fault, size_fault
from rules.wagers import Tender

VOID_HANDS: Final[frozenset[HandFault]] = frozenset({"card_count", "not_reconstructed", "prohibited_device"})
"""The faults that leave a player without a hand; an invalid wager is played out, and wins nothing (TCP 12.16.2)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A playing area with an ante, a side wager or both: what lay there, what its player did, and the cards."""

    seat: int
    """Counted from 1 at the dealer's left, as the cards are dealt (TCP 7.2, FCP 7.2)."""
    ante_cents: int | None = None
    side_cents: int | None = None
    """The Pair Plus or Aces Up wager."""
    decision: Decision | None = None
    play_cents: int | None = None
    cards: tuple[int, ...] | None = None
    """``None`` where nobody turned them up."""
    warnings: int = 0
    """How often the player was short before and told that it will cost the ante (TCP 12.10, FCP 12.11)."""
    void_for: HandFault | None = None
    """What is wrong with the wagers, if anything; a void hand without a cause has a wrong number of cards."""
    ante_tender: Tender = "chips"
    play_tender: Tender = "chips"
    side_tender: Tender = "chips"
    own_limits: Sign | None = None
    """The limits this seat's player is held to, where they are not the table's (TCP 6.5.1, 6.6; FCP 6.5.1)."""

    @property
    def fault(self) -> HandFault | None:
        """What is wrong with the wagers, if anything."""
        return self.void_for or ("card_count" if self.decision == "void" else None)


@dataclass(frozen=True, slots=True)
class Round:
    """One round of play as captured.

    Always possible: raises ``RoundError`` for a repeated seat, one without a wager, an amount that is none, a hand of a
    wrong number of cards, a card seen twice, a fault that the book does not know, or a direction about nobody.
    """

    BOOK: ClassVar[Book]
    """Which book the round is played by; each game's own."""

    device: Device
    dealer: tuple[int, ...] | None
    """``None`` only where the round is void."""
    seats: tuple[Seat, ...]
    void_by: VoidCause | None = None
    forfeits: tuple[Forfeit, ...] = ()
    """The directions that went with an invalidated outcome (TCP 14.6, FCP 14.5)."""

    @property
    def game(self) -> str:
        """The game's name."""
        return self.BOOK.game

    @property
    def edition(self) -> str:
        """The date of the rule edition it is played by."""
        return self.BOOK.edition

    def __post_init__(self) -> None:
        """Refuse what cannot have happened at a table."""
        if not self.seats:
            raise RoundError("seats", "[]", f"a round of play has at least one wager ({self.BOOK.clauses.place})")
        for fault in self.faults():
            if fault is not None:
                raise fault

    def faults(self) -> Iterator[RoundError | None]:
        """What of the round cannot be."""
        book = self.BOOK
        yield repeated_seat([seat.seat for seat in self.seats])
        yield from (_fault_of(book, place, seat) for place, seat in enumerate(self.seats))
        yield self.dealer_fault()
        players = list(self._players_hands())
        words = f"{book.hand_words} ({book.clauses.card_count})"
        yield from (size_fault(hand, book.hand, words) for hand in players)
        yield repeats_fault([SeenHand("dealer", "the dealer's hand", self.dealer or ()), *players], book.rule("3.1"))
        if self.forfeits and self.void_by != "invalidated":
            reason = f"only with an invalidated outcome a wager is forfeited ({book.clauses.forfeit})"
            yield RoundError("forfeits", "", reason)
        yield forfeits_fault(self.forfeits, [seat.seat for seat in self.seats], book.clauses.forfeit)

    def dealer_fault(self) -> RoundError | None:
        """Why the dealer's hand cannot be, if it cannot: missing, or of a wrong number of cards (12.2)."""
        if self.dealer is None:
            if self.void_by is not None:
                return None
            return RoundError("dealer", "", f"missing: the dealer's hand is turned up ({self.BOOK.rule('8.6')})")
        words = f"{self.BOOK.dealers_hand} cards, the dealer's ({self.BOOK.rule('12.2')})"
        return size_fault(SeenHand("dealer", "", self.dealer), self.BOOK.dealers_hand, words)

    def _players_hands(self) -> Iterator[SeenHand]:
        """Every player's hand that was seen."""
        for place, seat in enumerate(self.seats):
            if seat.cards is not None:
                yield SeenHand(f"seats[{place}].cards", f"the hand of seat {seat.seat}", seat.cards)


def _fault_of(book: Book, place: int, seat: Seat) -> RoundError | None:
    """What of a seat cannot be, if anything."""
    amounts = {"ante_cents": seat.ante_cents, f"{book.side}_cents": seat.side_cents, "play_cents": seat.play_cents}
    fault = seat_fault(place, seat.seat, amounts)
    if fault is not None:
        return fault
    where, clauses = f"seats[{place}]", book.clauses
    if seat.ante_cents is None and seat.side_cents is None:
        reason = f"missing: cards go to an ante or to {book.side_title} ({clauses.place})"
        return RoundError(f"{where}.ante_cents", "", reason)
    if seat.play_cents is not None and seat.ante_cents is None:
        reason = f"a player with {book.side_title} only may not place a play wager ({clauses.side_only})"
        return RoundError(f"{where}.play_cents", str(seat.play_cents), reason)
    if seat.warnings < 0:
        return RoundError(f"{where}.warnings", str(seat.warnings), f"not a number of warnings ({clauses.short})")
    if seat.void_for is None:
        return None
    rule = book.hand_faults.get(seat.void_for)
    if rule is None:
        return RoundError(f"{where}.void_for", seat.void_for, f"this book does not know it ({book.rule('1.1')})")
    if (seat.void_for in VOID_HANDS) != (seat.decision == "void"):
        reason = "the hand is not void" if seat.void_for in VOID_HANDS else "an invalid wager is played out"
        return RoundError(f"{where}.void_for", seat.void_for, f"{reason} ({rule})")
    return None
