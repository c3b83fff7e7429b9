"""A game's moves and the decks they are made with, together: no check, shuffle or deal that the cards are not fit for.

The machine of a game knows which move comes next, not which deck lies there (``rules.play``); the decks know their life
and whether they are shuffled, not where a round stands (``alternating``). Knows no game's rules.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Generic, TypeVar

from rules.decks.alternating import Occasion, TableDecks
from rules.decks.lives import Deck, DeckRefused, Moment
from rules.play import Move, MoveRefused, Play, Position

T = TypeVar("T")
"""What lies on a game's layout."""

_INTERMIXING: Final = frozenset({"shuffle", "load", "reshuffle", "reshuffle_discards"})
"""The moves after which cards are randomly intermixed."""


@dataclass(frozen=True, slots=True)
class CardTable(Generic[T]):
    """A table between two moves, with its decks."""

    play: Play[T]
    at: Position[T]
    decks: TableDecks
    to_check: bool = False
    """Whether the cards in play have to be checked for missing or foreign ones before they are used again."""

    def step(self, move: Move) -> "CardTable[T]":
        """The table after a move.

        Never cards that were not checked since one was found wrong (CSP 14.9.3, TCP 12.9.3, FCP 12.10.3, WAR 11.17.3),
        nor a deal of cards that have to be shuffled (4.1). Raises ``MoveRefused``; the table is as it was.
        """
        if move.name == "check_cards" and self.to_check:
            rule = self.decks.cards.rule("further_check")  # CSP 14.9.3, TCP 12.9.3, FCP 12.10.3, WAR 11.17.3
            raise MoveRefused(move, rule, f"{self.decks.in_play.id} has to be counted, or changed for another deck")
        if move.name == "deal":
            try:
                self.decks.check_dealt()
            except DeckRefused as refused:
                raise MoveRefused(move, refused.rule, refused.reason) from None
        at = self.play.step(self.at, move)
        return replace(self, at=at, decks=self.decks.intermixed() if move.name in _INTERMIXING else self.decks)

    def next_round(self, coming: Position[T], why: Occasion = "directed") -> "CardTable[T]":
        """The table before its next round, whose first position the game gives.

        With two decks the other one is in play, but not while the one that was is still to be checked. ``why`` is why
        the cards of a Casino War table are shuffled, where they are.
        """
        names = {move.name for move in self.play.legal_moves(coming)}
        to_check = coming.state == self.play.start and "play_on" not in names
        decks = self.decks if to_check else self.decks.next_round()
        if self.decks.book == "WAR" and coming.state != self.play.start:
            decks = decks.to_shuffle(why)
        return replace(self, at=coming, decks=decks, to_check=to_check)

    def vacant(self) -> "CardTable[T]":
        """The table once nobody plays there: its cards are shuffled before play begins again (CSP, TCP, FCP 4.1.3).

        Raises ``DeckRefused`` while a round is played, or wagers lie there.
        """
        names = {move.name for move in self.play.legal_moves(self.at)}
        if self.at.state not in {"cards_shuffled", "wagers_open"} or "no_more_bets" in names:
            rule = self.decks.cards.rule("shuffled")
            raise DeckRefused(self.decks.in_play.id, rule, "a table with wagers on its layout is not vacant")
        return replace(self, at=Position("cards_checked", self.at.felt), decks=self.decks.to_shuffle("table_vacant"))

    def counted(self, deck: Deck) -> "CardTable[T]":
        """The table with its deck in play as it is after a count that found nothing wrong (``lives.count``).

        Raises ``DeckRefused`` for another deck, one that was not counted last, or one that was found wrong.
        """
        rule = self.decks.cards.rule("further_check")
        if deck.id != self.decks.in_play.id or deck.life[-1].act != "count":
            raise DeckRefused(deck.id, rule, f"{self.decks.in_play.id} is in play, and has to be counted")
        return replace(self, decks=replace(self.decks, in_play=deck), to_check=False)

    def changed(
        self, new: Deck, moment: Moment, why: str, at: datetime, supervisor: str
    ) -> tuple["CardTable[T]", Deck]:
        """The table with another deck in play, and the one that left it; raises ``DeckRefused`` as ``TableDecks``."""
        decks, old = self.decks.changed(new, moment, why, at, supervisor)
        return replace(self, decks=decks, to_check=False), old
