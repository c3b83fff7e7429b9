"""Which moves a Casino War table lists as legal now; amounts and cards that people choose are left out."""

from collections.abc import Iterator

from rules.games.casino_war import irregular
from rules.games.casino_war.dealing import remedy
from rules.games.casino_war.felt import AREAS, Felt, options_of
from rules.play import Move
from rules.rounds import HIGHEST_SEAT


def options(state: str, felt: Felt) -> tuple[Move, ...]:
    """The moves that the felt allows in a state."""
    return tuple(_moves(state, felt))


def _moves(state: str, felt: Felt) -> Iterator[Move]:
    yield from map(Move, ("check_cards", "shuffle", "burn", "forget_burn", "burn_faced", "deal_misplaced"))
    yield Move("direct_shuffle")
    yield from _cards(state, felt)
    if felt.device == "shoe":
        yield from _shoe(state, felt)
    else:
        yield Move("load")
        yield from _device(felt)
    if state in {"wagers_open", "no_more_bets"}:
        yield from _wagering(felt)
    if state in {"wagers_open", "no_more_bets", "dealing", "interim_settled", "second_deal"}:
        to = felt.next_place()
        if to is not None and felt.failing is None and not felt.cut_due:
            yield Move("deal", to)
    yield from options_of(felt)
    yield from _faults(felt)


def _cards(state: str, felt: Felt) -> Iterator[Move]:
    """The moves about the cards in the shoe or device."""
    if felt.loaded:
        yield Move("play_on")
    if felt.cutting_card is not None and state == "cards_checked":
        yield Move("forget_shuffle")
    if not felt.cut_due:
        yield Move("reshuffle_discards")
    if "card_faced" in felt.found:
        yield Move("direct_check")
    if felt.device != "shoe" or felt.cutting_card is not None:
        yield Move("replace_cards")
    yield from (Move("riffle", area) for area in felt.at_table)


def _shoe(state: str, felt: Felt) -> Iterator[Move]:
    """The moves about the cut and the cutting card."""
    if felt.cut_due:
        cutter = felt.cutter().seat
        yield from (Move("cut", cutter), Move("forget_cut"))
        if cutter is not None:
            yield Move("refuse_cut", cutter)
    before = state in {"wagers_open", "no_more_bets"}
    if felt.cutting_card is None and not felt.under and (before or felt.next_place() is not None):
        yield Move("cutting_card")


def _device(felt: Felt) -> Iterator[Move]:
    """The moves about a shuffling device: its discards (WAR 7.2), and its failure (12)."""
    if not felt.returned:
        yield from map(Move, ("return_discards", "forget_discards"))
    if felt.failing is None:
        yield Move("device_fails")
        return
    for name, (_, fact, value) in irregular.FAILURE_FACTS.items():
        if getattr(felt.failing, fact) != value:
            yield Move(name)
    yield Move(remedy(felt.failing).move)


def _faults(felt: Felt) -> Iterator[Move]:
    """The moves about a round, or an area, with something wrong, and the end of the round."""
    if felt.void_by is not None or not felt.wars():
        yield Move("collect_cards")
    if felt.void_by is None:
        yield from map(Move, ("not_reconstructed", "too_many_cards", "void_round", "invalidate"))
        if felt.in_play() and felt.failing is None and not felt.cut_due:
            yield Move("reconstruct")
    if felt.dealer_extra is None:
        yield Move("extra_card")
    for seat in felt.in_play():
        yield Move("void_wagers", seat.seat)
        if felt.choosing:
            yield Move("withdraw", seat.seat)
        if felt.settings.carded_play == "all_games" and seat.void_for is None:
            yield Move("find_invalid", seat.seat)


def _wagering(felt: Felt) -> Iterator[Move]:
    """The moves before the first card."""
    lying = {seat.seat: seat for seat in felt.seats}
    for number in range(1, HIGHEST_SEAT + 1):
        if number in lying and lying[number].tie_cents is not None:
            yield Move("take_back", number, AREAS[1])
            continue
        if number not in felt.closed:
            yield Move("place", number, AREAS[1 if number in lying else 0])
        if number in lying:
            yield Move("take_back", number, AREAS[0])
    yield Move("no_more_bets" if felt.seats else "burn_empty")
