"""Rounds of Three Card and Four Card Poker as plain dictionaries, turned into those that `rules` has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.cards import parse_cards
from rules.games import four_card_poker, three_card_poker
from rules.games.ante_play import Seat
from rules.play import Move, Position


def as_seat(seat: Mapping[str, Any], side: str, limits: type[Any]) -> Seat:
    """A seat written down as a person would, as `rules` has it; ``side`` is the game's side wager."""
    named = {name.replace(f"{side}_", "side_"): value for name, value in seat.items()}
    if "cards" in named:
        named["cards"] = parse_cards(named["cards"])
    if "own_limits" in named:
        named["own_limits"] = limits(**named["own_limits"])
    return Seat(**named)


class Tables:
    """Tables of one of the games, taken move by move to where a test needs them."""

    def __init__(self, game: Any, up: str = "") -> None:
        """``game`` is the game's package; ``up`` is the card of the dealer's that is dealt face up, where one is."""
        self.play = game.PLAY
        self.felt = game.Felt
        self.up = parse_cards(up) if up else None

    def table(self, device: str = "shoe", **changes: Any) -> Position[Any]:
        """A table with checked cards, open for wagers."""
        at = self.play.begin(self.felt(device, **changes))
        return self.played(at, *map(Move, ("check_cards", *(("shuffle", "cut") if device == "shoe" else ("load",)))))

    def wagered(self, *wagers: str, device: str = "shoe", **changes: Any) -> Position[Any]:
        """A table with these wagers, each as ``seat area cents``."""
        placed = [wager.split() for wager in wagers]
        moves = [Move("place", int(seat), area, int(cents)) for seat, area, cents in placed]
        return self.played(self.table(device, **changes), *moves)

    def dealt(self, at: Position[Any]) -> Position[Any]:
        """The same table with every card dealt."""
        while at.state != "cards_dealt":
            at = self.play.step(at, Move("deal", at.felt.next_place(), cards=self.up if at.felt.next_is_up() else None))
        return at

    def played(self, at: Position[Any], *moves: Move) -> Position[Any]:
        """The same table after these moves."""
        for move in moves:
            at = self.play.step(at, move)
        return at


@dataclass(frozen=True)
class Hands:
    """A game with hands for its tests: the dealer's, what of it counts, and two players'."""

    game: Any
    tables: Tables
    dealer: tuple[int, ...]
    dealer_set: tuple[int, ...]
    good: tuple[int, ...]
    odd: tuple[int, ...]

    def play(self, at: Position[Any], *moves: Move) -> Position[Any]:
        """The same table after these moves."""
        return self.tables.played(at, *moves)


THREE = Hands(
    three_card_poker,
    Tables(three_card_poker),
    parse_cards("Qs 7d 4h"),
    (),
    parse_cards("Kc Kd 2h"),
    parse_cards("Jh 6d 9c"),
)
FOUR = Hands(
    four_card_poker,
    Tables(four_card_poker, "2s"),
    parse_cards("Ks Kd 7h 4h 3c 2s"),
    parse_cards("Ks Kd 7h 4h"),
    parse_cards("Ac Ah 3d 5c 9s"),
    parse_cards("Jh 6d Tc 3h 2h"),
)
