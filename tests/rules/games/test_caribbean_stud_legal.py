"""What a Caribbean Stud table lists as legal is what it accepts, at every moment."""

from dataclasses import replace

import pytest

from rules.cards import parse_cards
from rules.games.caribbean_stud import PLAY, Felt
from rules.play import Move, Position
from tests.support.legal import disagreements
from tests.support.stud_table import (
    DEALT,
    PLAYS,
    ROYAL,
    UP,
    dealt,
    exposing,
    linked,
    played,
    staged,
    table,
    wagered,
)

SEATED = {
    *(
        "place",
        "take_back",
        "refuse_wager",
        "take_jackpot",
        "return_jackpot",
        "deal",
        "expose",
        "bet",
        "fold",
        "absent",
    ),
    *("find_bet", "correct_bet", "fold_bet", "concede", "compare", "pay_ante", "reveal", "pay_jackpot", "seal_hand"),
    *("void_hand", "void_wagers", "find_invalid", "discard_hand", "direct_first", "direct_apart", "exclude"),
}
ODD = parse_cards("Jd 6d Tc 4h 2h")


def filled_in(move: Move, felt: Felt) -> Move:
    """A move with the amount or the cards that people choose."""
    ante = next((seat.ante_cents for seat in felt.seats if seat.seat == move.seat), 500)
    match move.name:
        case "place":
            return replace(move, cents=100 if move.area == "jackpot" else 500)
        case "bet" | "correct_bet":
            return replace(move, cents=2 * ante)
        case "find_bet":
            return replace(move, cents=2 * ante - 1)
        case "deal" if felt.seats and felt.dealt < 5 * (len(felt.seats) + 1) and felt.next_cards()[1]:
            return replace(move, cards=UP)
        case "expose_dealer":
            return replace(move, cards=next((card,) for card in ODD if card not in felt.up_cards))
        case "turn_dealer":
            return replace(move, cards=(*felt.up_cards, *ODD)[:5])
        case "compare" | "pay_ante" | "reveal":
            return replace(move, cards=ODD)
    return move


def moments() -> list[tuple[str, Position[Felt]]]:
    """Tables at every moment of a round, from a shoe and from a device, and after what may go wrong."""
    found = [(device, table(device)) for device in ("shoe", "shuffler")]
    found.append(("new", PLAY.begin(Felt("shoe"))))
    checked = PLAY.step(found[-1][1], Move("check_cards"))
    found += [("checked", checked), ("shuffled", PLAY.step(checked, Move("shuffle")))]
    found.append(("device shuffled", replace(found[-1][1], felt=Felt("shuffler"))))
    stages = (
        *("wagers", "pending", "down", "closed", "barred", "dealing", "last", "first", "void", "dealt", "folded"),
        *("decided", "wrong", "no_hand", "turned", "conceded", "settled", "paid"),
    )
    found += [(name, staged(name)) for name in stages]
    found.append(("called", PLAY.step(staged("pending"), Move("no_more_bets"))))
    found.append(("exposed", exposing(0)))
    found.append(("corrected", PLAY.step(staged("wrong"), Move("fold_bet", 2))))
    found.append(("collected", PLAY.step(staged("paid"), Move("collect_cards"))))
    found.append(("void round", PLAY.step(staged("turned"), Move("void_round"))))
    found.append(("void collected", PLAY.step(found[-1][1], Move("collect_cards"))))
    found.append(("device", dealt(wagered(*(f"{seat} ante 500" for seat in range(1, 10)), device="shuffler"))))
    found.append(("exposed once dealt", PLAY.step(found[-1][1], Move("expose_dealer", cards=parse_cards("Td")))))
    found.append(("invalid", PLAY.step(staged("turned"), Move("find_invalid", 2))))
    found.append(("voided", PLAY.step(staged("decided"), Move("void_wagers", 2))))
    for ruling in ("unseen", "all", "none"):
        at = played(linked(*DEALT, reveal_folded=ruling), Move("fold", 2), Move("absent", 4))
        found.append((f"reveal {ruling}", PLAY.step(at, Move("turn_dealer", cards=PLAYS))))
    at = played(linked(*DEALT, table_after_hit="sealed"), Move("bet", 2, cents=2000), Move("fold", 4))
    at = played(at, Move("turn_dealer", cards=PLAYS), Move("compare", 2, cards=ROYAL))
    return [*found, ("sealed", at)]


@pytest.mark.parametrize(("moment", "at"), moments(), ids=[name for name, _ in moments()])
def test_what_is_listed_is_what_is_accepted(moment: str, at: Position[Felt]) -> None:
    """A table's console offers every legal move and no other, with the amounts and cards that people choose."""
    assert disagreements(PLAY, at, SEATED, ("ante", "jackpot"), filled_in) == [], moment


def test_every_move_is_met_in_some_moment() -> None:
    """The moments above are not too few: each move of the game is legal in one of them."""
    met = {move.name for _, at in moments() for move in PLAY.legal_moves(at)}
    assert met == set(PLAY.places)
