"""What holds of every round of Three Card and Four Card Poker, played move by move at random, whatever goes wrong."""

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from rules.cards import DECK
from rules.games import four_card_poker, three_card_poker
from rules.play import Move, MoveRefused, Position
from rules.readback import settle_any, settled_differences
from rules.records import decode_any, encode_any
from rules.records.forms import part_of
from rules.records.four_card_poker import FourCardSettingsRecord, four_card_record
from rules.records.three_card_poker import ThreeCardSettingsRecord, three_card_record
from rules.rounds import Settlement
from rules.settings import FourCardSettings, ThreeCardSettings

RECORDS: dict[str, tuple[Any, Any]] = {
    "TCP": (three_card_record, ThreeCardSettingsRecord),
    "FCP": (four_card_record, FourCardSettingsRecord),
}
ROUNDS = 250
LONGEST = 400
USUAL = {
    *("check_cards", "shuffle", "load", "cut", "no_more_bets", "deal", "play", "fold", "short", "absent"),
    *("turn_dealer", "set_dealer", "concede", "settle_hand", "collect_cards", "place"),
}
ENDS = {"misdeal", "misdealt_dealer", "void_round", "device_failed", "invalidate"}
HANDS = {"expose", "expose_dealer", "find_invalid", "void_hand", "void_wagers", "lose_track"}


def weight(name: str, chance: float) -> float:
    """How often a move is made among those that are legal."""
    if name in USUAL:
        return 1
    return chance if name in HANDS else 0.01 if name in ENDS else 0.02


def filled_in(move: Move, felt: Any, deck: list[int], chance: random.Random) -> Move:
    """A legal move with the amount or the cards that people choose."""
    book = felt.BOOK
    seat = next((each for each in felt.seats if each.seat == move.seat), None)
    match move.name:
        case "place":
            return replace(move, cents=chance.choice([1, 500, 3 * 10**11]))
        case "play" if seat is not None and seat.ante_cents is not None:
            most = 1 if book.code == "TCP" else 3
            return replace(move, cents=chance.randint(seat.ante_cents, most * seat.ante_cents))
        case "deal" if felt.next_is_up():
            return replace(move, cards=(deck.pop(),))
        case "expose_dealer":
            return replace(move, cards=(deck.pop(),))
        case "turn_dealer":
            rest = tuple(deck.pop() for _ in range(book.dealers_hand - len(felt.known)))
            return replace(move, cards=(*felt.known, *rest))
        case "set_dealer":
            return replace(move, cards=tuple(chance.sample(felt.dealer, 4)))
        case "settle_hand" | "reconstruct":
            mine = None if seat is None else seat.cards
            return replace(move, cards=mine or tuple(deck.pop() for _ in range(book.hand)))
    return move


def refusal(play: Any, at: Position[Any], move: Move) -> str | None:
    """The rule that refuses a move, if it is refused."""
    try:
        play.step(at, move)
    except MoveRefused as refused:
        return refused.rule
    return None


def rulings(code: str, chance: random.Random) -> Any:
    """Any reading of the rules that the book leaves open."""
    shared: dict[str, Any] = {
        "concede_collects": chance.choice(["all", "ante_play"]),
        "invalid_losing": chance.choice(["kept", "returned"]),
        "refund_invalidated": chance.choice([True, False]),
        "carded_play": chance.choice(["as_book", "all_games"]),
    }
    if code == "TCP":
        return ThreeCardSettings(**shared, dealer_cards_exposed_in_deal=chance.choice(["misdeal", "play_on"]))
    return FourCardSettings(**shared)


def read_back(game: Any, at: Position[Any]) -> Settlement:
    """What the record of the same round, written to bytes and read again, comes to."""
    write, part = RECORDS[game.BOOK.code]
    record = write(game.round_of(at), game.settlement_of(at), settings=part_of(part, at.felt.settings))
    record = decode_any(encode_any(record))
    assert list(settled_differences(record, game.settlement_of(at))) == []
    return settle_any(record)[1]


def played_at_random(game: Any, chance: random.Random) -> Position[Any]:
    """A round played to its end by any moves that are legal; after each, an odd one is tried and refused."""
    code = game.BOOK.code
    at: Position[Any] = game.PLAY.begin(game.Felt(chance.choice(["shoe", "shuffler"]), rulings(code, chance)))
    deck, often = list(DECK), chance.choice([0.0, 0.05, 0.4])
    chance.shuffle(deck)
    areas = [*game.BOOK.areas, "tie", None]
    for _ in range(LONGEST):
        if at.state == "cards_collected":
            break
        legal = game.PLAY.legal_moves(at)
        names = sorted({move.name for move in legal})
        name = chance.choices(names, [weight(each, often) for each in names])[0]
        move = filled_in(chance.choice([each for each in legal if each.name == name]), at.felt, deck, chance)
        odd = Move(chance.choice(tuple(game.PLAY.places)), chance.randint(-1, 11), chance.choice(areas), 500)
        before, rule = replace(at), refusal(game.PLAY, at, odd)
        assert at == before
        if rule is None:
            assert {each.seat for each in legal if each.name == odd.name} & {odd.seat, None}, odd
        else:
            assert re.fullmatch(rf"{code} \d+(\.\d+)*", rule), odd
        at = game.PLAY.step(at, move)
    return at


@pytest.mark.parametrize("game", [three_card_poker, four_card_poker], ids=["TCP", "FCP"])
def test_whatever_is_played_settles(game: Any) -> None:
    """Any sequence of moves that is accepted settles: every stake once, money in is money out, every line with rules.

    The record of the round settles alike. A refused move leaves the table as it was. The seats in another order are the
    same round.
    """
    chance = random.Random(f"{game.GAME} whatever")
    met: set[str] = set()
    for _ in range(ROUNDS):
        at = played_at_random(game, chance)
        assert at.state == "cards_collected"
        settlement, side = game.settlement_of(at), game.BOOK.side
        amounts = [("ante", "ante_cents"), ("play", "play_cents"), (side, "side_cents")]
        placed = {
            (seat.seat, wager): cents
            for seat in at.felt.seats
            for wager, name in amounts
            if (cents := getattr(seat, name)) is not None
        }
        lines = [line for line in settlement.lines if line.wager != "ante_bonus"]
        assert {(line.seat, line.wager): line.stake_cents for line in lines} == placed
        assert len({(line.seat, line.wager) for line in settlement.lines}) == len(settlement.lines)
        for line in settlement.lines:
            assert all(re.fullmatch(rf"{game.BOOK.code} \d+(\.\d+)*", rule) for rule in line.rules)
            assert line.rules
            assert len(set(line.rules)) == len(line.rules)
            assert 0 <= line.returned_cents <= line.stake_cents
            assert line.paid_cents == 0 or line.outcome == "win"
            assert line.net_cents == line.paid_cents + line.returned_cents - line.stake_cents
        assert read_back(game, at) == settlement
        back = sum(line.paid_cents + line.returned_cents for line in settlement.lines)
        nets = sum(settlement.net_cents(seat.seat) for seat in at.felt.seats)
        assert sum(placed.values()) + nets == back
        turned = replace(at.felt, seats=tuple(reversed(at.felt.seats)))
        assert game.settlement_of(replace(at, felt=turned)) == settlement
        met |= {str(at.felt.void_by), *(str(seat.fault) for seat in at.felt.seats)}
        met |= {str(seat.decision) for seat in at.felt.seats}
    assert met >= {"misdeal", "foreign_card", "device_failed", "invalidated", "card_count", "prohibited_device"}
    assert met >= {"invalid", "play", "fold", "short", "absent", "concede"}
