"""A Caribbean Stud table move by move, from new cards to cards collected: its table of states, moves and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from rules.directions import Forfeit
from rules.games.caribbean_stud import deciding, irregular
from rules.games.caribbean_stud import felt as acts
from rules.games.caribbean_stud.dealing import HAND
from rules.games.caribbean_stud.deciding import DECISION_RULES
from rules.games.caribbean_stud.felt import Felt
from rules.games.caribbean_stud.options import options
from rules.games.caribbean_stud.rounds import played
from rules.games.caribbean_stud.settling import settle
from rules.play import Arrow, Play, Position, unmoved
from rules.rounds import RoundError, Settlement
from rules.schedules import Schedule

_BEFORE_THE_DEAL: Final = ("wagers_open", "no_more_bets")
_WHILE_PLAYED: Final = ("dealing", "cards_dealt", "hands_decided", "dealer_turned", "hands_settled")
_LAST_OF: Final = {"cards_dealt": "hands_decided", "dealer_turned": "hands_settled"}


def _irregular_arrows() -> Iterator[Arrow]:
    """The rows of what may go wrong in a round that has begun, and of what is directed (CSP 14, 15.2, 16)."""
    for state in _WHILE_PLAYED:
        yield Arrow(state, "void_round", "round_void", "CSP 14.9.2")
        yield Arrow(state, "device_failed", "round_void", "CSP 15.2.1")
        yield Arrow(state, "invalidate", "round_void", "CSP 16.5")
        yield Arrow(state, "void_wagers", state, "CSP 16.4.1", _LAST_OF.get(state))
        yield Arrow(state, "find_invalid", state, "CSP 14.20.2", _LAST_OF.get(state))
        if state != "dealing":
            yield Arrow(state, "void_hand", state, "CSP 14.8", _LAST_OF.get(state))
    for state in (*_BEFORE_THE_DEAL, *_WHILE_PLAYED):
        back = "wagers_open" if state in _BEFORE_THE_DEAL else state
        yield Arrow(state, "direct_english", state, "CSP 14.13.3")
        yield Arrow(state, "direct_apart", back, "CSP 14.13.2")
        yield Arrow(state, "exclude", back, "CSP 16.4.2")
        yield Arrow(state, "link_down", state, "CSP 14.15")
        yield Arrow(state, "play_without", state, "CSP 14.15")


ARROWS: Final = (
    Arrow("cards_new", "check_cards", "cards_checked", "CSP 3.4"),
    Arrow("cards_checked", "shuffle", "cards_shuffled", "CSP 4.1"),
    Arrow("cards_checked", "load", "wagers_open", "CSP 4.4"),
    Arrow("cards_shuffled", "cut", "wagers_open", "CSP 4.2"),
    Arrow("cards_shuffled", "load", "wagers_open", "CSP 4.5"),
    Arrow("wagers_open", "reshuffle", "wagers_open", "CSP 15.1"),
    Arrow("wagers_open", "place", "wagers_open", "CSP 5.3"),
    Arrow("wagers_open", "take_back", "wagers_open", "CSP 5.7"),
    Arrow("wagers_open", "refuse_wager", "wagers_open", "CSP 16.12"),
    Arrow("wagers_open", "find_invalid", "wagers_open", "CSP 14.20.1"),
    Arrow("wagers_open", "take_jackpot", "wagers_open", "CSP 11.2"),
    Arrow("wagers_open", "return_jackpot", "wagers_open", "CSP 5.4"),
    Arrow("wagers_open", "reopen_jackpot", "wagers_open", "CSP 2.3"),
    Arrow("wagers_open", "direct_first", "wagers_open", "CSP 14.13.1"),
    Arrow("wagers_open", "no_more_bets", "no_more_bets", "CSP 7.2"),
    Arrow("wagers_open", "deal", "dealing", "CSP 7.2"),
    Arrow("no_more_bets", "reshuffle", "no_more_bets", "CSP 15.1"),
    Arrow("no_more_bets", "refuse_wager", "wagers_open", "CSP 16.12"),
    Arrow("no_more_bets", "find_invalid", "wagers_open", "CSP 14.20.1"),
    Arrow("no_more_bets", "take_jackpot", "no_more_bets", "CSP 11.2"),
    Arrow("no_more_bets", "return_jackpot", "no_more_bets", "CSP 5.4"),
    Arrow("no_more_bets", "direct_first", "no_more_bets", "CSP 14.13.1"),
    Arrow("no_more_bets", "deal", "dealing", "CSP 7.2"),
    Arrow("dealing", "deal", "dealing", "CSP 7.3", "cards_dealt"),
    Arrow("dealing", "expose", "dealing", "CSP 14.5", "round_void"),
    Arrow("dealing", "expose_dealer", "dealing", "CSP 14.6", "round_void"),
    Arrow("dealing", "misdeal", "round_void", "CSP 14.1"),
    Arrow("dealing", "misdealt_dealer", "round_void", "CSP 14.2"),
    Arrow("dealing", "direct_first", "dealing", "CSP 14.13.1"),
    Arrow("cards_dealt", "bet", "cards_dealt", "CSP 8.5", "hands_decided"),
    Arrow("cards_dealt", "fold", "cards_dealt", "CSP 8.3", "hands_decided"),
    Arrow("cards_dealt", "absent", "cards_dealt", "CSP 14.14", "hands_decided"),
    Arrow("cards_dealt", "find_bet", "cards_dealt", "CSP 14.11"),
    Arrow("cards_dealt", "correct_bet", "cards_dealt", "CSP 14.11.1"),
    Arrow("cards_dealt", "fold_bet", "cards_dealt", "CSP 14.11.2"),
    Arrow("cards_dealt", "expose_dealer", "cards_dealt", "CSP 14.7"),
    Arrow("cards_dealt", "discard_hand", "cards_dealt", "CSP 14.10"),
    Arrow("cards_dealt", "misdeal", "round_void", "CSP 14.1"),
    Arrow("cards_dealt", "misdealt_dealer", "round_void", "CSP 14.2"),
    Arrow("cards_dealt", "direct_first", "cards_dealt", "CSP 14.13.1"),
    Arrow("hands_decided", "find_bet", "hands_decided", "CSP 14.11"),
    Arrow("hands_decided", "correct_bet", "hands_decided", "CSP 14.11.1"),
    Arrow("hands_decided", "fold_bet", "hands_decided", "CSP 14.11.2"),
    Arrow("hands_decided", "discard_hand", "hands_decided", "CSP 14.10"),
    Arrow("hands_decided", "misdealt_dealer", "round_void", "CSP 14.2"),
    Arrow("hands_decided", "turn_dealer", "dealer_turned", "CSP 8.6", "hands_settled"),
    Arrow("dealer_turned", "find_bet", "dealer_turned", "CSP 14.12"),
    Arrow("dealer_turned", "concede", "dealer_turned", "CSP 9.7", "hands_settled"),
    Arrow("dealer_turned", "compare", "dealer_turned", "CSP 9.4.1", "hands_settled"),
    Arrow("dealer_turned", "pay_ante", "dealer_turned", "CSP 9.3.1", "hands_settled"),
    Arrow("dealer_turned", "reveal", "dealer_turned", "CSP 9.10", "hands_settled"),
    Arrow("dealer_turned", "discard_hand", "dealer_turned", "CSP 14.10"),
    Arrow("hands_settled", "reveal", "hands_settled", "CSP 9.10"),
    Arrow("hands_settled", "pay_jackpot", "hands_settled", "CSP 12.2"),
    Arrow("hands_settled", "seal_hand", "hands_settled", "CSP 9.5"),
    Arrow("hands_settled", "collect_cards", "cards_collected", "CSP 9.4.2"),
    *_irregular_arrows(),
    Arrow("round_void", "collect_cards", "cards_collected", "CSP 14.4"),
)
"""Every move from new cards to cards collected, with its rule."""

_PLACES: Final[Mapping[str, str]] = {
    "check_cards": "CSP 3.4",
    "shuffle": "CSP 4.1",
    "load": "CSP 4.4",
    "cut": "CSP 4.2",
    "reshuffle": "CSP 15.1",
    "place": "CSP 5.3",
    "take_back": "CSP 5.7",
    "refuse_wager": "CSP 16.12",
    "take_jackpot": "CSP 11.2",
    "return_jackpot": "CSP 5.4",
    "reopen_jackpot": "CSP 2.3",
    "no_more_bets": "CSP 7.2",
    "deal": "CSP 7.2",
    "expose": "CSP 14.5",
    "expose_dealer": "CSP 14.7",
    "bet": "CSP 8.5",
    "fold": "CSP 8.1",
    "absent": "CSP 14.14",
    "find_bet": "CSP 14.12",
    "correct_bet": "CSP 14.11",
    "fold_bet": "CSP 14.11",
    "turn_dealer": "CSP 8.6",
    "concede": "CSP 9.7",
    "compare": "CSP 9.4",
    "pay_ante": "CSP 9.3",
    "reveal": "CSP 9.10",
    "pay_jackpot": "CSP 9.6",
    "seal_hand": "CSP 9.5",
    "collect_cards": "CSP 9.4.2",
    "misdeal": "CSP 14.1",
    "misdealt_dealer": "CSP 14.2",
    "void_hand": "CSP 14.8",
    "void_wagers": "CSP 16.4.1",
    "void_round": "CSP 14.9",
    "discard_hand": "CSP 14.10",
    "find_invalid": "CSP 14.20",
    "device_failed": "CSP 15.2",
    "invalidate": "CSP 16.5",
    "direct_first": "CSP 14.13.1",
    "direct_apart": "CSP 14.13.2",
    "direct_english": "CSP 14.13.3",
    "exclude": "CSP 16.4.2",
    "link_down": "CSP 14.15",
    "play_without": "CSP 14.15",
}
_AFTER_THE_FIRST_CARD: Final = (*_WHILE_PLAYED, "round_void", "cards_collected")


def _decided(felt: Felt) -> bool:
    """Whether every hand has its decision."""
    return all(seat.decision is not None for seat in felt.in_hand())


def _settled(felt: Felt) -> bool:
    """Whether no hand has still to be settled, or turned up for a prize."""
    return not (felt.to_settle() or felt.to_reveal())


def _over(felt: Felt) -> bool:
    """Whether a hand with a fault was the last that had to be decided, or settled."""
    return _decided(felt) if felt.dealer is None else _settled(felt)


PLAY: Final = Play(
    start="cards_new",
    arrows=ARROWS,
    places=_PLACES,
    exceptions={
        (state, move): "CSP 5.7"
        for state in _AFTER_THE_FIRST_CARD
        for move in ("place", "take_back", "return_jackpot", "take_jackpot")
    }
    | {("no_more_bets", "place"): "CSP 7.2", ("no_more_bets", "take_back"): "CSP 7.2"}
    | {("hands_settled", "compare"): "CSP 9.4.1"},
    acts={
        **dict.fromkeys(("check_cards", "shuffle"), unmoved),
        **dict.fromkeys(("cut", "load"), acts.ready),
        **dict.fromkeys(("take_back", "refuse_wager"), acts.take_back),
        **dict.fromkeys(("expose", "expose_dealer"), acts.expose),
        **dict.fromkeys(DECISION_RULES, deciding.decide),
        **dict.fromkeys(("correct_bet", "fold_bet"), deciding.correct_bet),
        **dict.fromkeys(("pay_jackpot", "seal_hand"), deciding.pay_jackpot),
        **dict.fromkeys(irregular.HAND_FAULTS, irregular.find_fault),
        **dict.fromkeys(irregular.ROUND_FAULTS, irregular.void_round),
        **dict.fromkeys(irregular.BARRED_BY, irregular.bar),
        "reshuffle": acts.by_device,
        "place": acts.place,
        "take_jackpot": acts.take_jackpot,
        "return_jackpot": acts.return_jackpot,
        "reopen_jackpot": irregular.reopen_jackpot,
        "no_more_bets": acts.call,
        "deal": acts.deal,
        "find_bet": deciding.find_bet,
        "turn_dealer": deciding.turn_dealer,
        "concede": deciding.concede,
        "compare": deciding.compare,
        "pay_ante": deciding.pay_ante,
        "reveal": deciding.reveal,
        "collect_cards": deciding.collect,
        "misdeal": irregular.misdeal,
        "discard_hand": irregular.discard_hand,
        "direct_first": irregular.direct_first,
        "direct_english": irregular.direct_english,
        "link_down": irregular.link_down,
        "play_without": irregular.play_without,
    },
    options=options,
    complete={
        **dict.fromkeys(DECISION_RULES, _decided),
        **dict.fromkeys(("turn_dealer", "concede", "compare", "pay_ante", "reveal"), _settled),
        **dict.fromkeys(irregular.HAND_FAULTS, _over),
        **dict.fromkeys(("expose", "expose_dealer"), lambda felt: felt.faults.void_by is not None),
        "deal": lambda felt: felt.dealt == HAND * (len(felt.seats) + 1),
    },
)
"""The game as a machine."""


def settlement_of(
    at: Position[Felt], schedules: Mapping[str, Schedule] | None = None, forfeits: tuple[Forfeit, ...] = ()
) -> Settlement:
    """What the wagers of a round that was played move by move come to.

    Always as ``settle`` has it for the whole round. ``forfeits`` are the directions that went with an invalidated
    outcome (CSP 16.6). Raises ``RoundError`` where a hand has still to be settled.
    """
    felt, schedule = at.felt, None if schedules is None else schedules["bet"]
    if felt.faults.void_by is None and at.state not in {"hands_settled", "cards_collected"}:
        raise RoundError("state", at.state, "a hand has still to be settled (CSP 9.3, 9.4)")
    faults = replace(felt.faults, forfeits=forfeits) if forfeits else felt.faults
    return settle(played(felt), felt.settings, felt.limits, schedule, felt.terms, faults)


def next_round(at: Position[Felt]) -> Position[Felt]:
    """The table before its next round: the cards are to be shuffled (CSP 4.1.2), and what was directed still holds.

    With cards that are to be checked again, or new ones, it begins with their check: where the round was void for a
    missing or foreign card (14.9.3) or a failed device (15.2.3), or a hand was set aside under seal (3.7, 9.5).
    Raises ``RoundError`` while the cards are not collected.
    """
    felt = at.felt
    if at.state != "cards_collected":
        raise RoundError("state", at.state, "the round of play has not ended (CSP 1.1, 9.5)")
    new_cards = felt.faults.void_by in {"foreign_card", "device_failed"} or bool(felt.sealed)
    fresh = Felt(
        device=felt.device,
        settings=felt.settings,
        limits=felt.limits,
        own_limits=felt.own_limits,
        closed=felt.closed,
        terms=felt.terms,
        jackpot=felt.jackpot,
        barred=felt.barred,
        english=felt.english,
    )
    return Position("cards_new" if new_cards else "cards_checked", fresh)
