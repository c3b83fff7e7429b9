"""What deciding and settling do on the felt of a Caribbean Stud table: rules 8, 9, 12, 14.11, 14.12 and 14.14."""

from dataclasses import replace
from typing import Final

from rules.games.caribbean_stud.dealing import HAND
from rules.games.caribbean_stud.felt import Felt
from rules.games.caribbean_stud.rounds import played
from rules.games.caribbean_stud.settling import settle
from rules.limits import bet_refused
from rules.play import Move, MoveRefused, cards_of, cents_of
from rules.rounds import Seat

DECISION_RULES: Final = {"bet": "CSP 8.5", "fold": "CSP 8.3", "absent": "CSP 14.14"}
"""The rule of each decision."""


def decide(felt: Felt, move: Move) -> Felt:
    """Take a player's decision: bet exactly twice the ante (CSP 8.5, 5.6), fold (8.3), or make none (14.14)."""
    rule = DECISION_RULES[move.name]
    seat = felt.hand(move, rule)
    if seat.decision is not None:
        raise MoveRefused(move, "CSP 8.4" if seat.decision == "fold" else rule, f"seat {seat.seat} has decided")
    waited = waited_for(felt)
    if waited and move.name != "absent" and seat.seat not in waited:
        raise MoveRefused(move, "CSP 14.13.1", f"seat {waited[0]} was directed to play first")
    match move.name:
        case "bet":
            cents = _twice_the_ante(move, seat, "CSP 8.5")
            return felt.with_seat(replace(seat, decision="bet", bet_cents=cents, bet_tender=move.tender))
        case "fold":  # CSP 8.3
            return felt.with_seat(replace(seat, decision="fold"))
        case _:
            return felt.with_seat(replace(seat, decision="absent"))


def waited_for(felt: Felt) -> tuple[int, ...]:
    """The seats that were directed to play before the others, and have not decided (CSP 14.13.1)."""
    return tuple([seat.seat for seat in felt.in_hand() if seat.seat in felt.first and seat.decision is None])


def _twice_the_ante(move: Move, seat: Seat, rule: str) -> int:
    cents = cents_of(move, rule)
    refused = bet_refused(cents, seat.ante_cents)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    return cents


def find_bet(felt: Felt, move: Move) -> Felt:
    """Become aware that a bet is not twice the ante: to be corrected (CSP 14.11), or settled as it is (14.12).

    ``cents`` are what lies there.
    """
    rule = "CSP 14.11" if felt.dealer is None else "CSP 14.12"
    seat = felt.hand(move, rule)
    if seat.decision != "bet" or seat.seat in felt.settled:
        raise MoveRefused(move, rule, f"seat {seat.seat} has no bet")
    cents = cents_of(move, rule)
    if bet_refused(cents, seat.ante_cents) is None:
        raise MoveRefused(move, "CSP 5.6", f"a bet of {cents} cents is exactly twice the ante")
    felt = felt.with_seat(replace(seat, bet_cents=cents))
    return felt if felt.dealer is not None else replace(felt, to_correct=felt.to_correct | {seat.seat})


def correct_bet(felt: Felt, move: Move) -> Felt:
    """Correct a bet upon request (CSP 14.11.1), or fold instead and have it back (14.11.2)."""
    rule = "CSP 14.11.1" if move.name == "correct_bet" else "CSP 14.11.2"
    seat = felt.hand(move, rule)
    if seat.seat not in felt.to_correct:
        raise MoveRefused(move, rule, f"seat {seat.seat} has no bet to correct")
    felt = replace(felt, to_correct=felt.to_correct - {seat.seat})
    if move.name == "fold_bet":
        return felt.with_seat(replace(seat, decision="fold"))
    return felt.with_seat(replace(seat, bet_cents=_twice_the_ante(move, seat, rule)))


def turn_dealer(felt: Felt, move: Move) -> Felt:
    """Turn up the dealer's remaining cards (CSP 8.6); another number of cards is a misdeal (14.2).

    Never while a bet is known not to be twice its ante (CSP 14.11).
    """
    wrong = [seat.seat for seat in felt.in_hand() if seat.seat in felt.to_correct]
    if wrong:
        raise MoveRefused(move, "CSP 14.11", f"the bet of seat {wrong[0]} is corrected first, or its hand folded")
    number = len(move.cards or ())
    if number != HAND:
        raise MoveRefused(move, "CSP 14.2", f"cards: {number} where the dealer's hand is {HAND}")
    cards = cards_of(move, HAND, (), "CSP 3.1")
    if not set(felt.up_cards) <= set(cards):
        raise MoveRefused(move, "CSP 8.6", "cards: one that lies face up is not among them")
    return replace(felt, dealer=cards)


def concede(felt: Felt, move: Move) -> Felt:
    """Concede a hand that was bet on and not yet settled (CSP 9.7); it never comes back (9.8)."""
    seat = felt.hand(move, "CSP 9.7")
    if seat.decision == "concede":
        raise MoveRefused(move, "CSP 9.8", f"seat {seat.seat} has conceded")
    if seat not in felt.to_settle():
        raise MoveRefused(move, "CSP 9.7", f"seat {seat.seat} has no hand to concede")
    return felt.with_seat(replace(seat, decision="concede"))


def compare(felt: Felt, move: Move) -> Felt:
    """Turn up a player's hand, compare it with a dealer's that plays, and settle its wagers (CSP 9.4.1)."""
    if not felt.dealer_plays():
        raise MoveRefused(move, "CSP 9.2", "the dealer has no hand to compare with")
    seat = _unsettled(felt, move, "CSP 9.4.1")
    return _settled(felt.with_seat(_turned(felt, seat, move)), seat)


def pay_ante(felt: Felt, move: Move) -> Felt:
    """Pay the ante of a player who stayed in where the dealer has no hand, and void the bet (CSP 9.2, 9.3.1).

    The hand is turned up where a wager on the jackpot is in it (CSP 11.4).
    """
    if felt.dealer_plays():
        raise MoveRefused(move, "CSP 9.4", "the dealer's hand is compared with each player's")
    seat = _unsettled(felt, move, "CSP 9.3.1")
    if move.cards is None:
        if seat.jackpot_cents is not None:
            raise MoveRefused(move, "CSP 11.4", f"seat {seat.seat} is in the jackpot whatever the dealer holds")
        return _settled(felt, seat)
    return _settled(felt.with_seat(_turned(felt, seat, move)), seat)


def _unsettled(felt: Felt, move: Move, rule: str) -> Seat:
    seat = felt.hand(move, rule)
    if seat not in felt.to_settle():
        conceded = seat.decision == "concede"
        raise MoveRefused(move, "CSP 9.8" if conceded else rule, f"seat {seat.seat} has no hand left to settle")
    return seat


def _settled(felt: Felt, seat: Seat) -> Felt:
    return replace(felt, settled=(*felt.settled, seat.seat))


def _turned(felt: Felt, seat: Seat, move: Move) -> Seat:
    """A seat with its five cards face up; another number of them is a void hand (CSP 14.8)."""
    number = len(move.cards or ())
    if number != HAND:
        raise MoveRefused(move, "CSP 14.8", f"cards: {number} where a hand is {HAND}")
    return replace(seat, cards=cards_of(move, HAND, felt.seen(), "CSP 3.1"))


def reveal(felt: Felt, move: Move) -> Felt:
    """Reveal a folded hand at settlement (CSP 9.10), or a conceded one that may win a prize (11.4)."""
    seat = felt.hand(move, "CSP 9.10")
    if not may_be_revealed(felt, seat):
        raise MoveRefused(move, "CSP 9.10", f"seat {seat.seat} has no folded hand to reveal")
    return felt.with_seat(_turned(felt, seat, move))


def may_be_revealed(felt: Felt, seat: Seat) -> bool:
    """Whether the casino may turn a hand up that is out of the round (CSP 9.10), by the link's ruling."""
    if felt.is_void(seat) or seat.cards is not None:
        return False
    if seat.decision == "concede":
        return seat in felt.to_reveal()
    return seat.decision in {"fold", "absent"} and felt.rulings.reveal_folded != "none"


def prizes_due(felt: Felt) -> tuple[int, ...]:
    """The seats whose prize is neither paid out nor set aside, in the order of payment (CSP 12.2, 12.4)."""
    if felt.dealer is None or felt.faults.void_by is not None or felt.to_settle() or felt.to_reveal():
        return ()
    settlement = settle(played(felt), felt.settings, felt.limits, None, felt.terms, felt.faults)
    return tuple([seat for seat in settlement.left_face_up if seat not in (*felt.paid_out, *felt.sealed)])


def pay_jackpot(felt: Felt, move: Move) -> Felt:
    """Pay a prize out, from the dealer's right (CSP 12.2), a straight flush before a royal (12.4).

    The amount is the link's to award. By the link's ruling on 9.5 a hand is set aside under seal instead.
    """
    seat, due = felt.seat(move, "CSP 12.2"), prizes_due(felt)
    if seat.seat not in due:
        raise MoveRefused(move, "CSP 11.4", f"seat {seat.seat} has no prize to be paid")
    if move.name == "seal_hand":
        if felt.rulings.table_after_hit != "sealed":
            raise MoveRefused(move, "CSP 9.5", "the cards stay on the table until the prize is paid out")
        return replace(felt, sealed=(*felt.sealed, seat.seat))
    if seat.seat != due[0]:
        rule = "CSP 12.4" if due[0] < seat.seat else "CSP 12.2"
        raise MoveRefused(move, rule, f"the next prize is paid at seat {due[0]}")
    return replace(felt, paid_out=(*felt.paid_out, seat.seat))


def collect(felt: Felt, move: Move) -> Felt:
    """Count and collect the cards (CSP 9.3.2, 9.4.2); never those of a prize that is not paid out (9.5)."""
    due = prizes_due(felt)
    if due:
        raise MoveRefused(move, "CSP 9.5", f"the prize of seat {due[0]} is not paid out")
    return felt
