"""A round under way at a table, and the last one that ended, as values. What moves them is `dealing`."""

from dataclasses import dataclass

from jackpot.wire.messages import AwardLine, Shown
from rules.games.caribbean_stud import deal_order
from rules.progressive import Winner
from rules.rounds import Device
from tablelink.core.inputs import Amended, Decided, Placed, Sealed, Voided


@dataclass(frozen=True, slots=True)
class RoundUnderWay:
    """A round from "no more bets" to its record."""

    journal: int
    month: str
    number: int
    seats: tuple[Placed, ...]
    shown: Shown | None
    closed: tuple[str, ...] = ()
    """Why the jackpot was closed when the wagers were placed, in words; empty where it was open."""
    wagers_id: str = ""
    """The message that holds the jackpot wagers, where there is one."""
    answered: bool = False
    withdrawn: str = ""
    """Why the jackpot seats are out of this round, where they are."""
    accepted: frozenset[int] = frozenset()
    refused: tuple[tuple[int, str], ...] = ()
    """Seats whose jackpot wager was handed back, with the refusal's code."""
    dealt: bool = False
    sealed: Sealed | None = None
    decisions: tuple[Decided, ...] = ()
    dealer_turned: bool = False
    voided: frozenset[int] = frozenset()
    voids: tuple[Voided, ...] = ()
    """What was said of the seats that are void, in order."""
    told: frozenset[int] = frozenset()
    """The void seats whose hands the server has been told."""
    not_dealt: frozenset[int] = frozenset()
    """The seats that people had voided at the server before there were cards."""
    amended: tuple[Amended, ...] = ()
    """What people did to it at the server, in order."""

    @property
    def waits_for_answer(self) -> bool:
        """Whether wagers are with the server and neither answered nor withdrawn."""
        return bool(self.wagers_id) and not self.answered and not self.withdrawn

    @property
    def dealt_seats(self) -> tuple[int, ...]:
        """The seats that get cards: those with an ante (CSP 7.2), from the dealer's left."""
        return tuple(seat.seat for seat in self.seats if seat.ante_cents > 0 and seat.seat not in self.not_dealt)

    @property
    def in_play(self) -> tuple[Placed, ...]:
        """The seats with an ante that are not void."""
        return tuple(seat for seat in self.seats if seat.ante_cents > 0 and seat.seat not in self.voided)

    def decision_of(self, seat: int) -> Decided | None:
        """What the player of a seat has done last."""
        return next((made for made in reversed(self.decisions) if made.seat == seat), None)

    def face_up(self, device: Device) -> dict[int, tuple[int, ...]]:
        """The cards that were dealt face upwards, by place: what everybody at the table has seen (CSP 7)."""
        if self.sealed is None:
            return {}
        shown: dict[int, list[int]] = {}
        for (place, face), card in zip(deal_order(device, self.dealt_seats), self.sealed.cards, strict=True):
            if face == "up":
                shown.setdefault(place, []).append(card)
        return {place: tuple(cards) for place, cards in shown.items()}

    def hands(self, device: Device) -> dict[int, tuple[int, ...]]:
        """The cards that a device read, by place, the dealer's under 0; empty where none read them."""
        if self.sealed is None:
            return {}
        hands: dict[int, list[int]] = {}
        for (place, _face), card in zip(deal_order(device, self.dealt_seats), self.sealed.cards, strict=True):
            hands.setdefault(place, []).append(card)
        return {place: tuple(cards) for place, cards in hands.items()}


@dataclass(frozen=True, slots=True)
class Ended:
    """The last round that ended: the message that says so, the table's own reading of its winners, its statement."""

    number: int
    id: str
    accepted: frozenset[int] = frozenset()
    winners: tuple[Winner, ...] = ()
    answered: bool = False
    awards: tuple[AwardLine, ...] = ()
    disputed: bool = False
    refusal: str = ""
    amended: tuple[Amended, ...] = ()
    """What people did to it at the server while it was under way, in order."""

    @property
    def words(self) -> tuple[str, ...]:
        """What people are told of it: who ended it at the server, or that its end was refused there.

        >>> Ended(17, "T1/1/2026-11/17/record/1", refusal="round_voided").words
        ('round 17 was refused by the server (round_voided): it is over there by another word, as `jackpot round show` \
says; its wagers went back if it is void, and no prize of it is due before people have looked',)
        """
        told = tuple(each.words for each in self.amended)
        if not self.refusal:
            return told
        refused = (
            f"round {self.number} was refused by the server ({self.refusal}): it is over there by another word, as"
            " `jackpot round show` says; its wagers went back if it is void, and no prize of it is due before people"
            " have looked"
        )
        return (*told, refused)
