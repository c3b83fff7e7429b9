"""A table of players who exist only as numbers: the same seed and table give the same rounds in every run.

Some fold, some play without the jackpot, some are absent, antes differ. Nothing here knows the time or the network.
With `stack_deck` the order of the deck is chosen now and then, and nothing else: in every fifty rounds a table sees a
straight flush, four of a kind, a full house, a flush and a round with two winners, in every two hundred and fifty a
royal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

from jackpot.wire.settings import TableSettings
from rules.cards import DECK
from rules.decks.shuffling import shuffled
from rules.games.caribbean_stud import deal_order, dealer_qualifies
from rules.hands import HandValue, five_card_value
from rules.rounds import DEALER, Decision
from tablelink.core.inputs import Placed
from tablelink.scripted import Plan, PlannedSeat, ScriptedTable
from tablelink.shuffling import SeededChance

BLOCK: Final = 50
"""Rounds in which the same players sit, and in which a stacked deck brings each of its sights once."""
ROYAL_BLOCKS: Final = 5
"""Of so many blocks one has a royal flush of its own."""
EARLY: Final = 20
"""In the first block a visitor does not wait: what is stacked comes within so many rounds."""
SINGLES: Final = (("straight_flush",), ("four_of_a_kind",), ("full_house",), ("flush",))
PAIRS: Final = (
    ("straight_flush", "straight_flush"),
    ("flush", "full_house"),
    ("straight_flush", "four_of_a_kind"),
    ("royal_flush", "straight_flush"),
    ("flush", "flush"),
)
"""Two winners at one table, another pair in each of five blocks (CSP 12.3, 12.4)."""


@dataclass(frozen=True, slots=True)
class _Player:
    seat: int
    ante_cents: int
    jackpot_ppm: int
    """How often, in a million rounds, this player puts a coin on the jackpot."""


@dataclass(frozen=True, slots=True)
class _Shuffled:
    """A round before any stacking: who plays what, the deck, and each seat's mood (0 to 999)."""

    placed: tuple[Placed, ...]
    moods: tuple[int, ...]
    deck: tuple[int, ...]

    @property
    def jackpot_seats(self) -> tuple[int, ...]:
        return tuple(seat.seat for seat in self.placed if seat.plays_jackpot)


class Simulation:
    """The rounds of one simulated table, by their numbers."""

    def __init__(
        self, seed: int, table: str, approved: TableSettings, qualifying_wager_cents: int, *, stack_deck: bool = False
    ) -> None:
        """`approved` gives the seats, the device and the sign's limits."""
        self._name = f"{seed}/{table}"
        self._approved = approved
        self._coin_cents = qualifying_wager_cents
        self._stack_deck = stack_deck
        self._antes = _antes(approved)
        # Neighbours take turns, and a visitor sees one at T1 within its first rounds.
        number = table[len(table.rstrip("0123456789")) :]
        self._royal_block = (int(number) - 1 if number else 0) % ROYAL_BLOCKS
        self._block = lru_cache(maxsize=2)(self._make_block)

    def plan_of(self, number: int) -> Plan:
        """The plan of a round, counted from 1; **always** the same."""
        block, place = divmod(number - 1, BLOCK)
        return self._block(block)[place]

    def _make_block(self, block: int) -> tuple[Plan, ...]:
        rng = Random(f"{self._name}/block/{block}")  # noqa: S311 - the same players for the same seed, not a lottery
        players = self._players(rng)
        first = block * BLOCK + 1
        rounds = [self._shuffled(players, number) for number in range(first, first + BLOCK)]
        if self._stack_deck:
            self._stack(rounds, block, rng)
        return tuple(self._planned(shuffled) for shuffled in rounds)

    def _players(self, rng: Random) -> tuple[_Player, ...]:
        seats = self._approved.seats
        taken = sorted(rng.sample(range(1, seats + 1), rng.randint(min(3, seats), seats)))
        habits = (1_000_000, 1_000_000, 900_000, 500_000, 0)
        return tuple(_Player(seat, rng.choice(self._antes), rng.choice(habits)) for seat in taken)

    def _shuffled(self, players: Sequence[_Player], number: int) -> _Shuffled:
        rng = Random(f"{self._name}/round/{number}")  # noqa: S311 - as above
        placed = []
        for player in players:
            sits_out, coin = rng.randrange(100) < 8, rng.randrange(1_000_000) < player.jackpot_ppm
            ante_cents = rng.choice(self._antes) if rng.randrange(100) < 15 else player.ante_cents
            coin_cents = self._coin_cents if coin else 0
            if not sits_out:
                placed.append(Placed(player.seat, ante_cents, coin_cents, coin_cents))
        if not placed:
            placed.append(Placed(players[0].seat, players[0].ante_cents))
        moods = tuple(rng.randrange(1000) for _ in placed)
        return _Shuffled(tuple(placed), moods, shuffled(DECK, SeededChance(rng)))

    def _stack(self, rounds: list[_Shuffled], block: int, rng: Random) -> None:
        """Choose the order of the deck for a few rounds of the block, those with enough jackpot coins first found."""
        order = list(shuffled(range(BLOCK), SeededChance(rng)))
        if block == 0:
            order.sort(key=lambda place: place >= EARLY)
        sights = [PAIRS[block % len(PAIRS)], *SINGLES]
        if block % ROYAL_BLOCKS == self._royal_block:
            sights.append(("royal_flush",))
        for sight in sights:
            place = next((place for place in order if len(rounds[place].jackpot_seats) >= len(sight)), None)
            if place is not None:
                order.remove(place)
                rounds[place] = self._stacked(rounds[place], sight, rng)

    def _stacked(self, shuffled: _Shuffled, sight: Sequence[str], rng: Random) -> _Shuffled:
        seats = rng.sample(shuffled.jackpot_seats, len(sight))
        deck, places = list(shuffled.deck), self._places(shuffled)
        fixed: set[int] = set()
        for seat, prize in zip(seats, sight, strict=True):
            hand = _winning_hand(prize, rng, {deck[position] for position in fixed})
            for position, card in zip(places[seat], hand, strict=True):
                other = deck.index(card)
                deck[position], deck[other] = card, deck[position]
                fixed.add(position)
        return _Shuffled(shuffled.placed, shuffled.moods, tuple(deck))

    def _places(self, shuffled: _Shuffled) -> dict[int, list[int]]:
        """Where in the deck each place's cards lie."""
        places: dict[int, list[int]] = {}
        order = deal_order(self._approved.device, [seat.seat for seat in shuffled.placed])
        for position, (place, _face) in enumerate(order):
            places.setdefault(place, []).append(position)
        return places

    def _planned(self, shuffled: _Shuffled) -> Plan:
        hands = {
            place: tuple(shuffled.deck[position] for position in positions)
            for place, positions in self._places(shuffled).items()
        }
        dealer = five_card_value(hands[DEALER])
        seats = []
        for placed, mood in zip(shuffled.placed, shuffled.moods, strict=True):
            hand = hands[placed.seat]
            decision = _decision(five_card_value(hand), dealer, mood)
            bet_cents = 2 * placed.ante_cents if decision in {"bet", "concede"} else None
            seats.append(PlannedSeat(placed, hand, decision, bet_cents))
        return Plan(hands[DEALER], tuple(seats))


def simulated_table(
    seed: int, table: str, approved: TableSettings, qualifying_wager_cents: int, *, stack_deck: bool = False
) -> ScriptedTable:
    """A device with a shoe and players made of numbers."""
    rounds = Simulation(seed, table, approved, qualifying_wager_cents, stack_deck=stack_deck)
    return ScriptedTable(rounds.plan_of, device=approved.device, capture=approved.capture, dealer=f"dealer of {table}")


def _decision(hand: HandValue, dealer: HandValue, mood: int) -> Decision:
    """What a player does: a pair or better, or ace and king, bets; moods make some fold, bluff, be away or give up."""
    if mood < 12:
        return "absent"
    if mood < 30:
        return "fold"
    bets = dealer_qualifies(hand) or mood >= 940
    if bets and mood % 10 == 0 and dealer_qualifies(dealer) and hand < dealer:
        return "concede"
    return "bet" if bets else "fold"


def _antes(approved: TableSettings) -> tuple[int, ...]:
    """Antes that the sign allows, small ones more often (CSP 6.1)."""
    least = approved.limits.ante_min_cents or 1000
    unit = approved.limits.ante_unit_cents or 500
    most = approved.limits.ante_max_cents or least + 100 * unit
    return tuple(ante for steps in (0, 0, 1, 2, 2, 4, 8, 18) if (ante := least + steps * unit) <= most)


def _winning_hand(prize: str, rng: Random, taken: set[int]) -> tuple[int, ...]:
    """A hand that wins this prize, of cards that are not taken; cards are numbered four to a rank, a suit each."""
    while True:
        suit, low, rank, other = rng.randrange(4), rng.randrange(8), *rng.sample(range(13), 2)
        match prize:
            case "royal_flush":
                cards = [4 * high + suit for high in (8, 9, 10, 11, 12)]
            case "straight_flush":
                cards = [4 * (low + step) + suit for step in range(5)]
            case "four_of_a_kind":
                cards = [4 * rank + each for each in range(4)] + [4 * other + suit]
            case "full_house":
                cards = [4 * rank + each for each in rng.sample(range(4), 3)]
                cards += [4 * other + each for each in rng.sample(range(4), 2)]
            case _:
                cards = [4 * high + suit for high in rng.sample(range(13), 5)]
        hand = shuffled(cards, SeededChance(rng))
        if not taken.intersection(hand) and five_card_value(hand).category == prize:
            return hand
