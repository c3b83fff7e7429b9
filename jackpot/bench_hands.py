"""How many hands of five cards a second, against the libraries a programmer would take instead?

Each library is given the same hands as cards of its own, made beforehand, and is asked by its fastest documented call.
Ours is the call that settlement uses. The others are development dependencies: where one is not installed, its row is
not measured.
"""

import importlib
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jackpot.bench_results import Goal, Measured
from jackpot.bench_turns import Told, Turns
from rules.cards import CARD_TEXTS, DECK
from rules.hands import five_card_value

HANDS = 20_000
QUICK = Turns(repeats=3, load_s=0.3, baseline_s=0.3)
FULL = Turns(repeats=10, load_s=1.0, baseline_s=1.0)


def _goal(peer: str, call: str) -> Goal:
    return Goal(
        f"hands_vs_{peer}",
        "hands/s",
        "higher",
        1,
        f"Five-card values by the call that settlement uses, against {peer}.",
        f"{peer}, {call}, on cards it has made",
    )


TREYS = _goal("treys", "Evaluator.evaluate")
PHEVALUATOR = _goal("phevaluator", "evaluate_cards")
POKERKIT = _goal("pokerkit", "StandardLookup.get_entry")
GOALS = (TREYS, PHEVALUATOR, POKERKIT)

Rank = Callable[[], None]
"""Ranks all hands once."""


def measure(turns: Turns, told: Told) -> Mapping[str, Measured]:
    """Let ours and each other library take turns; a library that is not there leaves its row out."""
    dealt = _dealt()
    ours = _ours(dealt)
    found: dict[str, Measured] = {}
    for goal, peer in zip(GOALS, (_treys, _phevaluator, _pokerkit), strict=True):
        try:
            theirs = peer(dealt)
        except ImportError:
            continue
        values: list[float] = []
        baselines: list[float] = []
        for _ in range(turns.repeats):
            values.append(_per_second(ours, turns.load_s))
            baselines.append(_per_second(theirs, turns.baseline_s))
            told()
        found[goal.name] = Measured(values, baselines)
    return found


def _dealt() -> list[tuple[int, ...]]:
    chance = random.Random(5)  # noqa: S311 - which hands are ranked is no secret
    return [tuple(chance.sample(DECK, 5)) for _ in range(HANDS)]


def _per_second(rank: Rank, seconds: float) -> float:
    began = time.perf_counter()
    ranked = 0
    while (took := time.perf_counter() - began) < seconds:
        rank()
        ranked += HANDS
    return ranked / took


def _ours(dealt: Sequence[tuple[int, ...]]) -> Rank:
    def rank() -> None:
        value = five_card_value
        for cards in dealt:
            value(cards)

    return rank


def _treys(dealt: Sequence[tuple[int, ...]]) -> Rank:
    treys: Any = importlib.import_module("treys")
    hands = [[treys.Card.new(CARD_TEXTS[card]) for card in cards] for cards in dealt]
    evaluate = treys.Evaluator().evaluate

    def rank() -> None:
        nothing: list[int] = []
        for cards in hands:
            evaluate(cards, nothing)

    return rank


def _phevaluator(dealt: Sequence[tuple[int, ...]]) -> Rank:
    phevaluator: Any = importlib.import_module("phevaluator")
    hands = [[phevaluator.Card(CARD_TEXTS[card]).id_ for card in cards] for cards in dealt]
    evaluate = phevaluator.evaluate_cards

    def rank() -> None:
        for cards in hands:
            evaluate(*cards)

    return rank


def _pokerkit(dealt: Sequence[tuple[int, ...]]) -> Rank:
    pokerkit: Any = importlib.import_module("pokerkit")
    hands = [tuple(pokerkit.Card.parse("".join(CARD_TEXTS[card] for card in cards))) for cards in dealt]
    entry = pokerkit.StandardLookup().get_entry

    def rank() -> None:
        for cards in hands:
            entry(cards)

    return rank
