"""The people and devices of a simulated table: which of the legal moves is made next, with which amount and cards.

The same chance and cards always make the same choices. Now and then somebody tries what the sign does not allow.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from rules.four_card_hands import best_four
from rules.games.ante_play.felt import Felt as AntePlayFelt
from rules.games.caribbean_stud import Felt as StudFelt
from rules.games.caribbean_stud import deal_order
from rules.games.casino_war import Felt as WarFelt
from rules.games.sic_bo import Felt as DiceFelt
from rules.play import Move
from rules.rounds import DEALER

__all__ = ["AMOUNTS", "PEOPLE", "People"]

AMOUNTS: Final = (500, 500, 1_000, 1_000, 1_500, 2_500, 5_000, 10_000)
"""What players wager, in cents."""
TOO_MUCH_CENTS: Final = 20_000
"""More than the sign of a simulated table allows."""
CARELESS_PPM: Final = 20_000
"""How often, in a million wagers, somebody tries to place too much."""
PPM: Final = 1_000_000
SELDOM: Final = 200
"""So much likelier is what is usual than what goes wrong; a round in about fifty has something wrong then."""

Fill = Callable[[Move, Any, Random, "Sequence[int]"], Move]
"""Gives a legal move the amount, cards or dice that it is made with."""


@dataclass(frozen=True, slots=True)
class People:
    """How a game is played by people who exist only as numbers."""

    usual: Mapping[str, int]
    """How likely each usual move is beside the others that are legal."""
    rare: Mapping[str, int]
    """The moves of what goes wrong."""
    fill: Fill
    decks: int = 1

    def choose(self, legal: Sequence[Move], felt: Any, rng: Random, deck: Sequence[int], odd: int) -> Move:
        """One of the legal moves, ready to be made; `odd` is how much likelier than usual what goes wrong is."""
        names = sorted({move.name for move in legal})
        weights = [SELDOM * self.usual.get(name, 0) + odd * self.rare.get(name, 0) for name in names]
        name = rng.choices(names, weights)[0] if any(weights) else names[0]
        move = rng.choice([each for each in legal if each.name == name])
        return self.fill(move, felt, rng, deck)


def _amount(rng: Random) -> int:
    return TOO_MUCH_CENTS if rng.randrange(PPM) < CARELESS_PPM else rng.choice(AMOUNTS)


def _hands(order: Sequence[tuple[int, Any]], deck: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The cards that each place is dealt, the dealer's under 0."""
    hands: dict[int, tuple[int, ...]] = {}
    for (place, _), card in zip(order, deck, strict=False):
        hands[place] = (*hands.get(place, ()), card)
    return hands


def _poker_cards(move: Move, hands: Mapping[int, tuple[int, ...]], known: tuple[int, ...]) -> Move:
    """A move with the cards it turns up."""
    dealers = hands.get(DEALER, ())
    match move.name:
        case "turn_dealer":
            return replace(move, cards=dealers)
        case "expose_dealer":
            left = [card for card in dealers if card not in known]
            return replace(move, cards=tuple(left[:1]))
        case "settle_hand" | "reconstruct" | "compare" | "reveal" | "pay_ante":
            return replace(move, cards=hands.get(move.seat or 0, ()))
        case _:
            return move


def _ante_play(move: Move, felt: AntePlayFelt, rng: Random, deck: Sequence[int]) -> Move:
    hands = _hands(felt.order_of_deal(), deck)
    match move.name:
        case "place":
            return replace(move, cents=_amount(rng))
        case "play":
            ante = next(seat.ante_cents for seat in felt.seats if seat.seat == move.seat)
            times = rng.randint(1, 3) if felt.BOOK.code == "FCP" else 1
            return replace(move, cents=None if ante is None else times * ante)
        case "deal" if felt.next_is_up():
            return replace(move, cards=hands[DEALER][-1:])
        case "set_dealer":
            best = best_four(felt.dealer or ()).cards
            wrong = tuple(rng.sample(felt.dealer or (), 4))
            return replace(move, cards=wrong if rng.randrange(20) == 0 else best)
        case _:
            return _poker_cards(move, hands, felt.known)


def _stud(move: Move, felt: StudFelt, rng: Random, deck: Sequence[int]) -> Move:
    hands = _hands(deal_order(felt.device, [seat.seat for seat in felt.seats]), deck)
    ante = next((seat.ante_cents for seat in felt.seats if seat.seat == move.seat), 0)
    match move.name:
        case "place":
            return replace(move, cents=_amount(rng))
        case "bet" | "correct_bet":
            return replace(move, cents=2 * ante)
        case "find_bet":
            return replace(move, cents=ante)
        case "deal" if felt.next_cards()[1]:
            return replace(move, cards=hands[DEALER][-1:])
        case _:
            return _poker_cards(move, hands, felt.up_cards)


def _war(move: Move, felt: WarFelt, rng: Random, deck: Sequence[int]) -> Move:
    match move.name:
        case "place":
            return replace(move, cents=_amount(rng))
        case "deal":
            dealt = len(felt.dealer) + sum(len(seat.cards) for seat in felt.seats)
            again = 20 if "reconstructed" in felt.found else 0
            return replace(move, cards=(deck[dealt + again],))
        case "extra_card" if rng.randrange(2):
            return replace(move, cards=tuple(deck[-1:]))
        case _:
            return move


def _dice(move: Move, felt: DiceFelt, rng: Random, deck: Sequence[int]) -> Move:
    del deck
    match move.name:
        case "place" | "call_bet" | "declare" | "find_loss_limit":
            return replace(move, cents=_amount(rng))
        case "place_streak":
            return replace(move, cents=500)
        case "declare_remaining":
            return replace(move, cents=0)
        case "announce":
            return replace(move, cards=tuple(sorted(rng.choices(range(1, 7), k=3))))
        case "enter":
            return replace(move, cards=felt.dice)
        case "disregard_display":
            other = (1, 2, 3) if felt.dice != (1, 2, 3) else (1, 2, 4)
            return replace(move, cards=other)
        case "light_wrongly" if rng.randrange(4):
            return replace(move, area=rng.choice(("small", "big", "any_triple", "total_10", "single_die_1")))
        case _:
            return move


_OPENING: Final = dict.fromkeys(("check_cards", "shuffle", "cut", "load", "burn", "deal", "collect_cards"), 100)
_POKER: Final = {
    **_OPENING,
    "place": 400,
    "take_back": 5,
    "no_more_bets": 80,
    "fold": 40,
    "absent": 2,
    "turn_dealer": 1_000,
    "concede": 3,
}
_VOIDS: Final = ("misdeal", "misdealt_dealer", "void_round", "device_failed", "invalidate", "void_hand", "void_wagers")
_POKER_RARE: Final = {**dict.fromkeys((*_VOIDS, "find_invalid", "expose", "expose_dealer", "refuse_wager"), 1)}
_ANTE_PLAY: Final = {**_POKER, "play": 100, "short": 1, "settle_hand": 1_000, "set_dealer": 1_000}
_STUD: Final = {**_POKER, "bet": 100, "compare": 1_000, "pay_ante": 1_000}

PEOPLE: Final[Mapping[str, People]] = {
    "caribbean_stud": People(
        _STUD, {**_POKER_RARE, "find_bet": 1, "reveal": 5} | dict.fromkeys(("correct_bet", "fold_bet"), 100), _stud
    ),
    "three_card_poker": People(_ANTE_PLAY, _POKER_RARE, _ante_play),
    "four_card_poker": People(_ANTE_PLAY, {**_POKER_RARE, "lose_track": 1, "reconstruct": 1}, _ante_play),
    "casino_war": People(
        {
            **_OPENING,
            "place": 400,
            "take_back": 5,
            "no_more_bets": 80,
            "war": 300,
            "surrender": 60,
            "absent": 3,
            **dict.fromkeys(("settle_tie", "settle_hand", "settle_war"), 1_000),
            "deal": 1_000,
            "collect_cards": 1_000,
        },
        dict.fromkeys(
            (
                *("burn_faced", "deal_misplaced", "reconstruct", "not_reconstructed", "too_many_cards", "extra_card"),
                *("void_round", "invalidate", "void_wagers", "forget_cut", "forget_burn", "find_invalid"),
                *("device_fails", "find_damage", "find_no_other", "find_disadvantage", "forget_discards"),
                *("transfer", "replace_damaged", "device_failed", "shoe_instead", "withdraw", "reshuffle_discards"),
            ),
            1,
        ),
        _war,
        decks=6,
    ),
    "sic_bo": People(
        {
            **dict.fromkeys(("open_bets", "uncover", "announce", "enter", "light", "collect", "pay"), 1_000),
            **dict.fromkeys(("notify_inspector", "rectify", "return_wagers"), 1_000),
            "place_streak": 30,
            "tumble": 100,
            "place": 400,
            "call_bet": 20,
            "take_back": 5,
            "no_more_bets": 60,
        },
        dict.fromkeys(
            (
                *("die_not_flat", "tumbler_failed", "not_activated", "dice_exposed", "broken", "invalidate"),
                *("find_invalid", "void_wagers", "find_loss_limit", "disregard_display", "refuse_wager"),
                "light_wrongly",
            ),
            1,
        ),
        _dice,
        decks=0,
    ),
}
"""The people of each game."""
