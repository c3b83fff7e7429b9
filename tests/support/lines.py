"""Lines that ``python -m rules`` reads: rounds of all five games as they happen and as they go wrong, and questions."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from rules.cards import DECK, cards_text
from tests.oracle import dealing
from tests.oracle.test_casino_war_agrees import random_round as war_round
from tests.oracle.test_four_card_agrees import random_round as four_card_round
from tests.oracle.test_sic_bo_agrees import random_round as sic_bo_round
from tests.oracle.test_three_card_agrees import random_round as three_card_round
from tests.support.terms import demo_tree

_ROUNDS: Mapping[str, Callable[[random.Random], dict[str, Any]]] = {
    "caribbean_stud": dealing.random_round,
    "three_card_poker": three_card_round,
    "four_card_poker": four_card_round,
    "casino_war": war_round,
    "sic_bo": sic_bo_round,
}


def round_line(game: str, chance: random.Random) -> dict[str, Any]:
    """A random round of a game in its JSON form; of Caribbean Stud some have a meter."""
    line: dict[str, Any] = {"game": game} | _present(_ROUNDS[game](chance))
    odds = {name: pays for name, pays in line.get("settings", {}).items() if isinstance(pays, tuple)}
    if odds:  # The second settlement takes pay tables; a record names approved ones.
        book = {"three_card_poker": "tcp", "four_card_poker": "fcp"}[game]
        line["schedules"] = ["_".join([book, name, *map(str, pays)]) for name, pays in odds.items()]
        line["settings"] = {name: value for name, value in line["settings"].items() if name not in odds}
    if game == "caribbean_stud" and chance.random() < 0.3:
        line["jackpot"] = {"meter_cents": chance.randrange(20_000_000), "terms": demo_tree()}
    if chance.random() < 0.3:
        line |= {"table": "T1", "journal": 1, "month": "2026-11", "round": chance.randrange(1_000)}
    return line


def _present(value: Any) -> Any:
    """A round without what is absent from it: nulls, and hands without cards."""
    if isinstance(value, dict):
        return {name: _present(inner) for name, inner in value.items() if inner is not None and inner != ""}
    return [_present(inner) for inner in value] if isinstance(value, list) else value


def question_line(chance: random.Random) -> dict[str, Any]:
    """A random question of any kind that has an answer."""
    deck = chance.sample(DECK, 52)
    game = chance.choice(["caribbean_stud", "three_card_poker", "four_card_poker"])
    size = {"caribbean_stud": 5, "three_card_poker": 3, "four_card_poker": chance.choice([4, 5, 6])}[game]
    match chance.choice(["hand", "higher", "qualifies", "deal", "streak"]):
        case "hand":
            return {"ask": "hand", "game": game, "cards": cards_text(deck[:size])}
        case "higher":
            hands = [cards_text(deck[:size]), cards_text(deck[size : 2 * size])]
            return {"ask": "higher", "game": game, "hands": hands}
        case "qualifies":
            named = {"settings": {"dealer_qualifies": chance.choice(["value", "card"])}}
            dealer = cards_text(deck[:3])
            return {"ask": "qualifies", "game": "three_card_poker", "dealer": dealer} | chance.choice([{}, named])
        case "deal":
            seats = chance.sample(range(1, 8), chance.randint(1, 7))
            game, device = chance.choice([game, "casino_war"]), chance.choice(["shoe", "shuffler"])
            asked = {"ask": "deal", "game": game, "device": device, "seats": seats, "deck": cards_text(deck)}
            return asked | ({"new_shoe": True, "to_war": seats[:1]} if game == "casino_war" else {})
        case _:
            dice = [[chance.randint(1, 6) for _ in range(3)] for _ in range(chance.randint(0, 5))]
            return {
                "ask": "streak",
                "side": chance.choice(["small", "big", "odd", "even"]),
                "dice": dice,
                "settings": {"even_on_10": chance.choice(["lose", "win"])},
            }
