"""What goes wrong at a Three Card or Four Card Poker table, move by move: rules 12, 13 and 14 of both books."""

from dataclasses import replace
from typing import Any

import pytest

from rules.directions import Forfeit
from rules.limits import Refused
from rules.play import Move, MoveRefused, Position
from rules.rounds import RoundError
from rules.settings import ThreeCardSettings
from tests.support.ante_play import FOUR, THREE, Hands

BOTH = pytest.mark.parametrize("hands", [THREE, FOUR], ids=["TCP", "FCP"])
ANTE, SIDE = 1000, 500


def wagered(hands: Hands, device: str = "shoe", **changes: Any) -> Position[Any]:
    """A table with an ante at seat 2, and an ante and a side wager at seat 4."""
    side = f"4 {hands.game.BOOK.side} {SIDE}"
    return hands.tables.wagered(f"2 ante {ANTE}", f"4 ante {ANTE}", side, device=device, **changes)


def dealt(hands: Hands, device: str = "shoe", **changes: Any) -> Position[Any]:
    """The same table with every card dealt."""
    return hands.tables.dealt(wagered(hands, device, **changes))


def turned(hands: Hands, at: Position[Any]) -> Position[Any]:
    """The same table with the dealer's hand turned, and set where the book has it set."""
    at = hands.play(at, Move("turn_dealer", cards=hands.dealer))
    return hands.play(at, Move("set_dealer", cards=hands.dealer_set)) if hands is FOUR else at


def came_to(hands: Hands, at: Position[Any], **given: Any) -> dict[tuple[int, str], tuple[str, int, tuple[str, ...]]]:
    """What each wager came to: the outcome, what the player has from it, and by which rules."""
    lines = hands.game.settlement_of(at, **given).lines
    return {
        (line.seat, line.wager): (line.outcome, line.paid_cents + line.returned_cents, line.rules) for line in lines
    }


def refused(hands: Hands, at: Position[Any], move: Move) -> str:
    """The rule that refuses a move."""
    with pytest.raises(MoveRefused) as caught:
        hands.play(at, move)
    return caught.value.rule


def rule(hands: Hands, three: str, four: str) -> str:
    """The clause of the game's own book."""
    return f"TCP {three}" if hands is THREE else f"FCP {four}"


@BOTH
@pytest.mark.parametrize(
    ("move", "three", "four"),
    [
        ("misdeal", "12.4", "12.4"),
        ("misdealt_dealer", "12.4", "12.4"),
        ("void_round", "12.9.2", "12.10.2"),
        ("device_failed", "13.2.1", "13.2.1"),
        ("invalidate", "14.6", "14.5"),
    ],
)
def test_a_void_round_gives_everything_back(hands: Hands, move: str, three: str, four: str) -> None:
    """TCP 12.4, 12.9.2, 13.2.1, 14.6; FCP 12.4, 12.10.2, 13.2.1, 14.5: every wager goes back as it was placed."""
    at = hands.play(dealt(hands, "shuffler"), Move(move))
    assert at.state == "round_void"
    by = rule(hands, three, four)
    found = came_to(hands, at)
    assert found == {
        (2, "ante"): ("void", ANTE, (by,)),
        (4, "ante"): ("void", ANTE, (by,)),
        (4, hands.game.BOOK.side): ("void", SIDE, (by,)),
    }
    over = hands.play(at, Move("collect_cards"))
    assert hands.game.PLAY.legal_moves(over) == ()
    coming = hands.game.next_round(over, device="shoe" if move == "device_failed" else None)
    assert coming.state == ("cards_new" if move in {"void_round", "device_failed"} else "cards_checked")
    assert coming.felt.device == ("shoe" if move == "device_failed" else "shuffler")
    assert (coming.felt.seats, coming.felt.void_by) == ((), None)


@BOTH
def test_people_are_told_what_a_void_round_calls_for(hands: Hands) -> None:
    """TCP 12.4, 12.9.3, 12.9.4, 13.2.3; FCP 12.4, 12.10.3, 12.10.4, 13.2.3: new round, check, notice, new cards."""
    told = {
        "misdeal": ("a new round of play is dealt", rule(hands, "12.4", "12.4")),
        "void_round": ("Surveillance and an Inspector are notified", rule(hands, "12.9.4", "12.10.4")),
        "device_failed": ("another shuffling device or a card shoe, and new cards", rule(hands, "13.2.3", "13.2.3")),
    }
    for move, (words, by) in told.items():
        notes = hands.game.settlement_of(hands.play(dealt(hands, "shuffler"), Move(move))).notes
        assert any(words in note and f"({by})" in note for note in notes), notes
    notes = hands.game.settlement_of(hands.play(dealt(hands), Move("void_round"))).notes
    assert any("checked for further" in note and rule(hands, "12.9.3", "12.10.3") in note for note in notes)


@BOTH
def test_a_foreign_card_found_at_the_end_voids_the_whole_round(hands: Hands) -> None:
    """TCP 12.9.1, 12.9.2; FCP 12.10.1, 12.10.2: until the cards are collected; after that the round stands."""
    at = turned(hands, hands.play(dealt(hands), Move("play", 2, cents=ANTE), Move("fold", 4)))
    at = hands.play(at, Move("settle_hand", 2, cards=hands.good))
    void = came_to(hands, hands.play(at, Move("void_round")))
    assert void[2, "play"] == ("void", ANTE, (rule(hands, "12.9.2", "12.10.2"),))
    assert void[4, "ante"][0] == "void"
    over = hands.play(at, Move("collect_cards"))
    assert refused(hands, over, Move("void_round")) == rule(hands, "12.9.1", "12.10.1")
    assert refused(hands, over, Move("device_failed")) == rule(hands, "13.2.2", "13.2.2")


@BOTH
def test_a_direction_goes_with_an_invalidated_outcome(hands: Hands) -> None:
    """TCP 14.5, 14.6; FCP 14.4, 14.5: who defrauded forfeits by a direction; the others are refunded, if so ruled."""
    at, by = hands.play(dealt(hands), Move("invalidate")), rule(hands, "14.6", "14.5")
    forfeits = (Forfeit(4, "A. Lee", "marked cards"),)
    found = came_to(hands, at, forfeits=forfeits)
    assert {key: line[:2] for key, line in found.items()} == {
        (2, "ante"): ("void", ANTE),
        (4, "ante"): ("lose", 0),
        (4, hands.game.BOOK.side): ("lose", 0),
    }
    notes = hands.game.settlement_of(at, forfeits=forfeits).notes
    assert f"seat 4: forfeited, directed by A. Lee: marked cards ({by})" in notes
    kept = replace(at, felt=replace(at.felt, settings=replace(at.felt.settings, refund_invalidated=False)))
    assert {line[0] for line in came_to(hands, kept).values()} == {"lose"}
    assert dict(hands.game.settlement_of(kept).rulings) == {"refund_invalidated": False}
    with pytest.raises(RoundError, match="only with an invalidated outcome"):
        hands.game.settlement_of(hands.play(dealt(hands), Move("misdeal")), forfeits=forfeits)


@pytest.mark.parametrize(
    ("where", "ruling", "state"),
    [
        ((2,), "misdeal", "dealing"),
        ((0,), "misdeal", "dealing"),
        ((2, 2), "misdeal", "round_void"),
        ((2, 4), "play_on", "round_void"),
        ((0, 0), "misdeal", "round_void"),
        ((2, 0), "play_on", "round_void"),
        ((0, 0), "play_on", "dealing"),
    ],
)
def test_two_exposed_cards_are_a_misdeal(where: tuple[int, ...], ruling: str, state: str) -> None:
    """TCP 12.3, 12.5, 12.6: one exposed card is turned over, two are a misdeal; two of the dealer's as ruled."""
    settings = ThreeCardSettings(dealer_cards_exposed_in_deal=ruling)  # type: ignore[arg-type]
    at, left = half_dealt(THREE, settings=settings), list(THREE.dealer)
    for seat in where:
        at = THREE.play(at, Move("expose", seat) if seat else Move("expose_dealer", cards=(left.pop(),)))
    assert at.state == state
    if state == "round_void":
        assert {line[2] for line in came_to(THREE, at).values()} == {("TCP 12.4",)}


@pytest.mark.parametrize(("where", "state"), [((2,), "dealing"), ((0,), "dealing"), ((0, 0), "round_void")])
def test_two_exposed_cards_are_a_misdeal_at_four_card_poker(where: tuple[int, ...], state: str) -> None:
    """FCP 12.3, 12.5: one exposed card is turned over and the deal goes on; two are a misdeal, whoever has them."""
    at, left = half_dealt(FOUR), list(FOUR.dealer)
    for seat in where:
        at = FOUR.play(at, Move("expose", seat) if seat else Move("expose_dealer", cards=(left.pop(0),)))
    assert at.state == state


def half_dealt(hands: Hands, **changes: Any) -> Position[Any]:
    """A table with two cards at every place."""
    at = wagered(hands, **changes)
    for _ in range(6):
        at = hands.play(at, Move("deal", at.felt.next_place()))
    return at


def test_players_may_still_play_or_fold_once_the_dealer_exposed_cards() -> None:
    """TCP 12.6: before all have decided, the dealer's exposed cards change nothing but what is known of the hand."""
    at = THREE.play(dealt(THREE), Move("play", 2, cents=ANTE))
    for card in THREE.dealer:
        at = THREE.play(at, Move("expose_dealer", cards=(card,)))
    assert refused(THREE, at, Move("expose_dealer", cards=THREE.odd[:1])) == "TCP 12.6"
    assert {move.name for move in THREE.game.PLAY.legal_moves(at) if move.seat == 4} >= {"play", "fold"}
    at = THREE.play(at, Move("fold", 4))
    other = Move("turn_dealer", cards=(*THREE.dealer[:2], THREE.odd[0]))
    assert refused(THREE, at, other) == "TCP 8.6"
    assert THREE.play(at, Move("turn_dealer", cards=THREE.dealer)).state == "dealer_turned"


@BOTH
def test_a_void_hand_may_be_the_last(hands: Hands) -> None:
    """TCP 12.7, 14.4.1; FCP 12.6, 14.3.1: its wagers go back, the side wager too; the others play on."""
    at = hands.play(dealt(hands), Move("void_hand", 4))
    assert at.state == "cards_dealt"
    at = hands.play(at, Move("void_wagers", 2))
    assert at.state == "hands_decided"
    at = turned(hands, at)
    assert at.state == "hands_settled"
    assert came_to(hands, at) == {
        (2, "ante"): ("void", ANTE, (rule(hands, "14.4.1", "14.3.1"),)),
        (4, "ante"): ("void", ANTE, (rule(hands, "12.7", "12.6"),)),
        (4, hands.game.BOOK.side): ("void", SIDE, (rule(hands, "12.7", "12.6"),)),
    }


@BOTH
def test_a_folded_hand_is_counted_as_it_is_collected(hands: Hands) -> None:
    """TCP 8.4, 12.7; FCP 8.4, 12.6: with too few or too many cards it is void, and its wagers go back."""
    at = hands.play(dealt(hands), Move("fold", 4), Move("void_hand", 4), Move("play", 2, cents=ANTE))
    at = hands.play(turned(hands, at), Move("settle_hand", 2, cards=hands.good))
    assert came_to(hands, at)[4, "ante"][:2] == ("void", ANTE)
    seen = rule(hands, "12.7", "12.6")
    assert refused(hands, at, Move("void_hand", 2)) == seen
    assert refused(hands, at, Move("void_wagers", 4)) == rule(hands, "14.4.1", "14.3.1")
    device = came_to(hands, hands.play(at, Move("void_wagers", 2)))
    assert (device[2, "ante"][:2], device[2, "play"][:2]) == (("void", ANTE), ("void", ANTE))


@BOTH
def test_an_invalid_wager_found_before_the_hand_goes_back(hands: Hands) -> None:
    """TCP 12.16.1, 14.1: before the first card all that lies at the seat goes back; at Four Card Poker as ruled."""
    at = wagered(hands, settings=replace(hands.game.Felt("shoe").settings, carded_play="all_games"))
    assert [seat.seat for seat in hands.play(at, Move("find_invalid", 4)).felt.seats] == [2]
    assert refused(hands, at, Move("find_invalid", 3)) == rule(hands, "12.16.1", "1.1")


@BOTH
@pytest.mark.parametrize(("cards", "losing", "became"), [("good", "kept", "void"), ("odd", "kept", "lose")])
def test_an_invalid_wager_found_during_the_hand_wins_nothing(
    hands: Hands, cards: str, losing: str, became: str
) -> None:
    """TCP 12.16.2: a winning one goes back without winnings, a losing one is kept or goes back as the table rules."""
    settings = replace(hands.game.Felt("shoe").settings, carded_play="all_games", invalid_losing=losing)
    at = hands.play(dealt(hands, settings=settings), Move("play", 2, cents=ANTE), Move("fold", 4))
    at = turned(hands, hands.play(at, Move("find_invalid", 2)))
    assert refused(hands, at, Move("find_invalid", 2)) == rule(hands, "12.16.2", "1.1")
    at = hands.play(at, Move("settle_hand", 2, cards=getattr(hands, cards)))
    found, by = came_to(hands, at), rule(hands, "12.16.2", "1.1")
    back = ANTE if became == "void" else 0
    assert (found[2, "ante"][:2], found[2, "play"][:2]) == ((became, back), (became, back))
    assert {found[2, wager][2][0] for wager in ("ante", "play")} == {by}
    notes = hands.game.settlement_of(at).notes
    assert any("the ante wager is invalid" in note for note in notes)
    kept = replace(at, felt=replace(at.felt, settings=replace(settings, invalid_losing="returned")))
    assert came_to(hands, kept)[2, "ante"][:2] == ("void", ANTE)
    if hands is FOUR:
        assert dict(hands.game.settlement_of(at).rulings)["carded_play"] == "all_games"
    over = hands.play(at, Move("collect_cards"))
    assert refused(hands, over, Move("find_invalid", 2)) == rule(hands, "12.16.3", "1.1")


def test_four_card_poker_has_no_invalid_wagers_of_its_own() -> None:
    """FCP 1.1, and no more: its book does not know them, unless the table rules that every game is carded."""
    at = dealt(FOUR)
    assert refused(FOUR, at, Move("find_invalid", 2)) == "FCP 1.1"
    seat = replace(at.felt.seats[0], decision="fold", void_for="invalid")
    with pytest.raises(RoundError, match="carded_play"):
        FOUR.game.settle(FOUR.game.Round("shoe", FOUR.dealer, (seat,)))


@BOTH
def test_who_is_short_is_warned_once(hands: Hands) -> None:
    """TCP 12.10, FCP 12.11: the first time the ante goes back with a warning; the next time it is forfeited."""
    by = rule(hands, "12.10", "12.11")
    at = turned(hands, hands.play(dealt(hands), Move("short", 2), Move("short", 4)))
    at = hands.play(at, Move("settle_hand", 4, cards=hands.good))
    found = came_to(hands, at)
    assert (found[2, "ante"], found[4, "ante"]) == (("void", ANTE, (by,)), ("void", ANTE, (by,)))
    assert by in found[4, hands.game.BOOK.side][2]
    assert f"seat 2: short of a play wager; the next time costs the ante ({by})" in hands.game.settlement_of(at).notes
    at = hands.game.next_round(hands.play(at, Move("collect_cards")), left=(4,))
    at = hands.play(at, Move("shuffle"), Move("cut"), Move("place", 2, "ante", ANTE), Move("place", 4, "ante", ANTE))
    at = turned(hands, hands.play(hands.tables.dealt(at), Move("short", 2), Move("short", 4)))
    found = came_to(hands, at)
    assert found[2, "ante"] == ("lose", 0, (by,))
    assert found[4, "ante"][0] == "void"  # Somebody else sits there now.
    over = hands.play(at, Move("collect_cards"))
    assert hands.game.next_round(over).felt.warned == {2: 2, 4: 1}


@BOTH
def test_an_absent_players_ante_goes_back_and_the_side_wager_plays_on(hands: Hands) -> None:
    """TCP 12.12, FCP 12.13: nobody's fold is deemed; the side wager is settled by the hand."""
    by = rule(hands, "12.12", "12.13")
    at = turned(hands, hands.play(dealt(hands), Move("absent", 2), Move("absent", 4)))
    assert refused(hands, at, Move("settle_hand", 2, cards=hands.good)) == rule(hands, "9.8", "9.6")
    at = hands.play(at, Move("settle_hand", 4, cards=hands.good))
    found = came_to(hands, at)
    assert (found[2, "ante"], found[4, "ante"]) == (("void", ANTE, (by,)), ("void", ANTE, (by,)))
    outcome, back, rules = found[4, hands.game.BOOK.side]
    assert (outcome, back, rules[0]) == ("win", 2 * SIDE, by)


@BOTH
def test_who_is_directed_to_plays_before_the_others(hands: Hands) -> None:
    """TCP 12.11.1, FCP 12.12.1: the others wait, unless one is not there to decide."""
    first = rule(hands, "12.11.1", "12.12.1")
    at = hands.tables.dealt(hands.play(wagered(hands), Move("direct_first", 4)))
    assert refused(hands, at, Move("fold", 2)) == first
    assert refused(hands, at, Move("direct_first", 4)) == first
    assert refused(hands, at, Move("direct_first", 10)) == first
    assert hands.play(at, Move("absent", 2)).felt.seats[0].decision == "absent"
    assert hands.play(at, Move("fold", 4), Move("fold", 2)).state == "hands_decided"


@BOTH
def test_directions_hold_in_the_next_round(hands: Hands) -> None:
    """TCP 12.11.2, 12.11.3, 14.4.2; FCP 12.12.2, 12.12.3, 14.3.2: who was kept out stays out, English is spoken."""
    apart, out = rule(hands, "12.11.2", "12.12.2"), rule(hands, "14.4.2", "14.3.2")
    at = hands.play(dealt(hands), Move("direct_english"), Move("direct_apart", 2), Move("exclude", 4))
    assert len(at.felt.seats) == 2  # What lies there is settled, unless it is declared void.
    assert refused(hands, at, Move("direct_english")) == rule(hands, "12.11.3", "12.12.3")
    assert refused(hands, at, Move("exclude", 2)) == out
    at = hands.game.next_round(hands.play(at, Move("misdeal"), Move("collect_cards")))
    assert (at.state, at.felt.english) == ("cards_checked", True)
    at = hands.play(at, Move("shuffle"), Move("cut"))
    assert refused(hands, at, Move("place", 2, "ante", ANTE)) == apart
    assert refused(hands, at, Move("place", 4, "ante", ANTE)) == out
    before = hands.play(wagered(hands), Move("exclude", 4))
    assert [seat.seat for seat in before.felt.seats] == [2]
    with pytest.raises(RoundError, match="has not ended"):
        hands.game.next_round(dealt(hands))


@BOTH
def test_a_hand_dealt_to_an_empty_area_is_discarded(hands: Hands) -> None:
    """TCP 12.8, 12.1; FCP 12.7, 12.1: once a player has handled cards; before that it is a misdeal."""
    by = rule(hands, "12.8", "12.7")
    at = dealt(hands)
    assert refused(hands, at, Move("discard_hand", 3)) == rule(hands, "12.1", "12.1")
    assert refused(hands, at, Move("discard_hand", 2)) == by
    assert refused(hands, at, Move("discard_hand", 0)) == by
    absent = hands.play(at, Move("absent", 2))
    assert hands.play(absent, Move("misdeal")).state == "round_void"  # Who is not there handles nothing.
    handled = hands.play(at, Move("fold", 2))
    assert hands.play(handled, Move("discard_hand", 3)) == handled
    assert refused(hands, handled, Move("misdeal")) == rule(hands, "12.1", "12.1")


@BOTH
def test_a_player_may_have_limits_of_his_own(hands: Hands) -> None:
    """TCP 6.3, 6.5.1, 6.6; FCP 6.3, 6.5.1: they hold for what is placed, and for what is paid and collected."""
    low, high = hands.game.Limits(ante_max_cents=ANTE), hands.game.Limits(ante_max_cents=5 * ANTE)
    at = hands.tables.table(limits=low, own_limits={4: high})
    assert refused(hands, at, Move("place", 2, "ante", 2 * ANTE)) == rule(hands, "6.1", "6.1")
    at = hands.play(at, Move("place", 4, "ante", 5 * ANTE), Move("place", 2, "ante", ANTE))
    assert refused(hands, at, Move("place", 4, "ante", 1)) == rule(hands, "5.7", "5.6")
    at = hands.play(hands.tables.dealt(at), Move("fold", 2), Move("play", 4, cents=5 * ANTE))
    at = hands.play(turned(hands, at), Move("settle_hand", 4, cards=hands.good))
    assert came_to(hands, at)[4, "ante"][:2] == ("win", 10 * ANTE)
    told = hands.game.settle(hands.game.round_of(at), limits=low).lines
    assert [line.paid_cents for line in told if line.seat == 4] == [5 * ANTE, 5 * ANTE]


@BOTH
def test_a_seat_without_a_valid_card_does_not_wager(hands: Hands) -> None:
    """TCP 5.1, 14.1; FCP as ruled: who may not wager in a round is told the reason."""
    why = Refused(rule(hands, "14.1", "1.1"), "the Player Card was issued to another person")
    at = hands.tables.table(closed={2: why})
    with pytest.raises(MoveRefused, match="issued to another person"):
        hands.play(at, Move("place", 2, "ante", ANTE))
    assert Move("place", 2, "ante") not in hands.game.PLAY.legal_moves(at)
