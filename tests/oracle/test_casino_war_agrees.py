"""`rules/games/casino_war` held against the second opinion: each line of a round, and each pair of cards."""

import json
import random
from collections import Counter
from typing import Any, get_args

from rules.cards import CARD_TEXTS, parse_cards
from rules.directions import Forfeit
from rules.games.casino_war import Limits, Round, Seat, Standing, settle
from rules.settings import CasinoWarSettings
from tests.oracle.casino_war import compare
from tests.oracle.casino_war import settle as second_opinion
from tests.oracle.dealing import RANKS, SUITS

ROUNDS = 12_000
AT_LEAST = 40
AMOUNTS = [1, 5, 25, 1_000, 1_000, 2_500, 4_999, 5_000, 5_001, 60_000, 10**12]


def near(card: str, chance: random.Random) -> str:
    """Deal a card that is often of the same rank."""
    rank = card[0] if chance.random() < 0.4 else chance.choice(RANKS)
    return rank + chance.choice(SUITS)


def random_limits(chance: random.Random) -> dict[str, Any]:
    """A sign, of the table or a player's own."""
    return {
        "initial_min_cents": chance.choice([1, 1_000]),
        "initial_max_cents": chance.choice([None, None, 5_000]),
        "tie_min_cents": chance.choice([1, 500]),
        "tie_max_cents": chance.choice([None, None, 2_500]),
        "war_max_cents": chance.choice([None, None, 4_000]),
    }


def random_seat(number: int, dealer: str, chance: random.Random, *, second: bool) -> dict[str, Any]:
    """An area whose player does anything a player may; ``second`` says whether wars were fought."""
    first, *additional = dealer.split(" ")
    seat: dict[str, Any] = {"seat": number, "initial_cents": chance.choice(AMOUNTS), "cards": near(first, chance)}
    if chance.random() < 0.6:
        seat["tie_cents"] = chance.choice(AMOUNTS)
    if compare(seat["cards"], first) == 0:
        seat["decision"] = chance.choice(["war", "war", "war", "surrender", "absent"])
        if seat["decision"] == "war":
            seat["war_cents"] = seat["initial_cents"]
            if second:
                seat["cards"] += " " + near(additional[0], chance)
    elif chance.random() < 0.2:
        seat["decision"] = "absent"
    if chance.random() < 0.1:
        seat["own_limits"] = random_limits(chance)
    for wager in ("initial", "war", "tie"):
        if f"{wager}_cents" in seat and chance.random() < 0.1:
            seat[f"{wager}_tender"] = chance.choice(["token", "token_once"])
    return seat


def most_seen(dealer: str, seats: list[dict[str, Any]]) -> int:
    """Count the card that lies on the table most often."""
    return max(Counter(" ".join([dealer, *(seat["cards"] for seat in seats)]).split(" ")).values())


def random_round(chance: random.Random) -> dict[str, Any]:
    """A round of play at a table of up to nine areas, under any sign and rulings."""
    dealer = " ".join(near("8s", chance) for _ in range(2))
    void_by = None
    if chance.random() < 0.2:
        causes = ["misdeal", "not_reconstructed", "foreign_card", "device_failed", "invalidated", "invalidated"]
        void_by = chance.choice(causes)
    second = void_by is None or chance.random() < 0.5
    numbers = chance.sample(range(1, 10), chance.choice([1, 2, 3, 5, 7, 9]))
    seats = [random_seat(number, dealer, chance, second=second) for number in numbers]
    if most_seen(dealer, seats) > 6:
        return random_round(chance)
    carded = chance.random() < 0.3
    for seat in seats:
        if void_by is not None or chance.random() < 0.05:
            seat["interim"] = chance.choice(["none", "tie", "hand", "hand"])
            if void_by is None:
                seat["void_for"] = chance.choice(["prohibited_device", "device_failed"])
        elif carded and chance.random() < 0.2:
            seat["void_for"] = "invalid"
        if void_by is not None and carded and chance.random() < 0.2:
            seat["void_for"] = "invalid"
    one_round: dict[str, Any] = {
        "dealer": dealer if second and any("war_cents" in seat for seat in seats) else dealer[:2],
        "device": chance.choice(["shoe", "shuffler"]),
        "chip_cents": chance.choice([1, 1, 1, 5, 100, 250]),
        "seats": seats,
        "settings": {
            "cap_linked_wager": chance.choice([True, False]),
            "over_maximum": chance.choice(["maximum", "wagered"]),
            "payment_rounds": chance.choice(["up", "down"]),
            "dealer_extra_card": chance.choice(["repair", "misdeal"]),
            "interim_when_void": chance.choice(["undone", "stand"]),
            "token_on_win": chance.choice(["returned", "as_voucher"]),
            "refund_invalidated": chance.choice([True, True, False]),
            "carded_play": "all_games" if carded else "as_book",
            "invalid_losing": chance.choice(["kept", "returned"]),
        },
        "limits": random_limits(chance),
    }
    if void_by is not None:
        one_round["void_by"] = void_by
    if void_by == "invalidated" and chance.random() < 0.5:
        one_round["forfeits"] = [{"seat": chance.choice(numbers), "person": "A. Lee", "reason": "marked cards"}]
    if chance.random() < 0.2:
        one_round["found"] = chance.sample(get_args(Standing), chance.choice([1, 2, 4]))
    if chance.random() < 0.05:
        one_round["dealer_extra"] = chance.choice(["exposed", "unexposed"])
    return one_round


def as_round(one_round: dict[str, Any]) -> Round:
    """The same round as `rules` has it."""
    seats = []
    for seat in one_round["seats"]:
        own = Limits(**seat["own_limits"]) if "own_limits" in seat else None
        seats.append(Seat(**{**seat, "cards": parse_cards(seat["cards"]), "own_limits": own}))
    return Round(
        device=one_round["device"],
        dealer=parse_cards(one_round["dealer"]),
        seats=tuple(seats),
        dealer_extra=one_round.get("dealer_extra"),
        chip_cents=one_round["chip_cents"],
        void_by=one_round.get("void_by"),
        forfeits=tuple([Forfeit(**each) for each in one_round.get("forfeits", [])]),
        found=tuple(one_round.get("found", [])),
    )


def kinds_of(one_round: dict[str, Any], lines: list[dict[str, Any]]) -> list[str]:
    """Name what happened in a round, to prove that the comparison met it."""
    seats = {seat["seat"]: seat for seat in one_round["seats"]}
    kinds = []
    chip = one_round["chip_cents"]
    for line in lines:
        seat, wager, outcome = seats[line["seat"]], line["wager"], line["outcome"]
        if "void_by" in one_round:
            kinds.append(f"{outcome} by {one_round['void_by']}")
            if "void_for" in seat:
                kinds.append(f"{outcome} by {one_round['void_by']} for {seat['void_for']}")
            if outcome == "win":
                kinds.append(f"{wager} stands by {one_round['void_by']}")
            continue
        if "void_for" in seat:
            kinds.append(f"{outcome} for {seat['void_for']}")
            continue
        if "dealer_extra" in one_round:
            kinds.append(f"{outcome} with an extra card")
        kinds.append(f"{wager} {outcome} after {seat.get('decision', 'no choice')}")
        if wager == "war" and outcome == "win":
            equal = seat["cards"].split(" ")[1][0] == one_round["dealer"].split(" ")[1][0]
            kinds.append("war won on a second tie" if equal else "war won by a higher card")
        if outcome == "lose" and line["returned_cents"] and seat.get("decision") not in {"surrender", "absent"}:
            kinds.append("over the limit")
        if outcome == "win" and line["stake_cents"] % chip:
            kinds.append(f"paid rounded {one_round['settings']['payment_rounds']}")
        if wager == "initial" and seat.get("decision") == "surrender" and line["stake_cents"] % (2 * chip):
            kinds.append(f"half rounded {one_round['settings']['payment_rounds']}")
        if "own_limits" in seat:
            kinds.append("under an own sign")
    return kinds


CAUSES = ("misdeal", "not_reconstructed", "foreign_card", "device_failed", "invalidated")
EXPECTED_KINDS = [
    *(f"initial {outcome} after no choice" for outcome in ("win", "lose")),
    *(f"initial {outcome} after absent" for outcome in ("win", "lose")),
    *(f"initial {outcome} after war" for outcome in ("stand_off", "lose")),
    *("initial lose after surrender", "war win after war", "war lose after war"),
    *("war won on a second tie", "war won by a higher card"),
    *(f"tie win after {decision}" for decision in ("war", "surrender", "absent")),
    *("tie lose after no choice", "tie lose after absent"),
    *("over the limit", "under an own sign", "paid rounded up", "paid rounded down"),
    *("half rounded up", "half rounded down", "void with an extra card", "win with an extra card"),
    *(f"void by {cause}" for cause in CAUSES),
    *(f"{wager} stands by {cause}" for wager in ("initial", "tie") for cause in CAUSES),
    *("lose by invalidated", "void for prohibited_device", "void for device_failed", "win for device_failed"),
    *("void for invalid", "lose for invalid", "void by not_reconstructed for invalid"),
]


def test_every_line_of_every_round_is_settled_alike(chance: random.Random) -> None:
    """Thousands of rounds under any sign and rulings: the same outcome, winnings and stakes back."""
    met: Counter[str] = Counter()
    for _ in range(ROUNDS):
        one_round = random_round(chance)
        ours = settle(as_round(one_round), CasinoWarSettings(**one_round["settings"]), Limits(**one_round["limits"]))
        lines = sorted(second_opinion(one_round), key=lambda line: line["seat"])
        fields = ("seat", "wager", "stake_cents", "outcome", "paid_cents", "returned_cents")
        settled = [{name: getattr(line, name) for name in fields} for line in ours.lines]
        assert settled == lines, json.dumps(one_round)
        for line in ours.lines:
            assert line.rules, json.dumps(one_round)
            assert len(set(line.rules)) == len(line.rules), json.dumps(one_round)
            assert 0 <= line.returned_cents <= line.stake_cents, json.dumps(one_round)
        met.update(kinds_of(one_round, lines))
    scarce = {kind: met[kind] for kind in EXPECTED_KINDS if met[kind] < AT_LEAST}
    assert scarce == {}, met


def test_the_order_of_seats_changes_nothing(chance: random.Random) -> None:
    """The same areas in another order are the same round, with the same settlement."""
    for _ in range(300):
        one_round = random_round(chance)
        rulings = CasinoWarSettings(**one_round["settings"])
        there = settle(as_round(one_round), rulings)
        chance.shuffle(one_round["seats"])
        assert settle(as_round(one_round), rulings) == there


def test_every_pair_of_cards_is_compared_alike() -> None:
    """WAR 3.2: all 2,704 pairs of a player's and the dealer's card win, lose or go to war alike."""
    outcomes = {1: ("win", 1), 0: ("lose", 0), -1: ("lose", 0)}
    for mine in CARD_TEXTS:
        for theirs in CARD_TEXTS:
            result = compare(mine, theirs)
            seat = Seat(1, 10, decision=None if result else "surrender", cards=parse_cards(mine))
            (line,) = settle(Round("shoe", parse_cards(theirs), (seat,))).lines
            outcome, times = outcomes[result]
            assert (line.outcome, line.paid_cents) == (outcome, 10 * times)
            assert line.returned_cents == (10, 5, 0)[1 - result], (mine, theirs)
