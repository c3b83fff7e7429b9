"""The moves that a Three Card and a Four Card Poker table have in common, as rows of a book's table, and their acts."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from rules.games.ante_play import deciding, irregular
from rules.games.ante_play import felt as acts
from rules.games.ante_play.book import Book
from rules.games.ante_play.deciding import DECISIONS, decision_rule
from rules.games.ante_play.felt import F, Felt
from rules.games.ante_play.irregular import BARS, HAND_FAULTS, ROUND_FAULTS, barred_by
from rules.play import Arrow, Move, Position, unmoved
from rules.rounds import Device, RoundError

BEFORE_THE_DEAL: Final = ("wagers_open", "no_more_bets")


def opening_rows(book: Book) -> Iterator[Arrow]:
    """The rows from new cards to the last card dealt: rules 3 to 7."""
    rule, clauses = book.rule, book.clauses
    yield Arrow("cards_new", "check_cards", "cards_checked", rule("3.4"))  # TCP 3.4, FCP 3.4
    yield Arrow("cards_checked", "shuffle", "cards_shuffled", rule("4.1"))
    yield Arrow("cards_checked", "load", "wagers_open", rule("4.4"))
    yield Arrow("cards_shuffled", "cut", "wagers_open", rule("4.2"))
    yield Arrow("cards_shuffled", "load", "wagers_open", rule("4.5"))  # TCP 4.5, FCP 4.5
    yield Arrow("wagers_open", "place", "wagers_open", clauses.place)
    yield Arrow("wagers_open", "take_back", "wagers_open", clauses.untouched)
    yield Arrow("wagers_open", "no_more_bets", "no_more_bets", rule("7.2"))
    for state in BEFORE_THE_DEAL:
        yield Arrow(state, "reshuffle", state, rule("13.1"))  # TCP 13.1, FCP 13.1
        yield Arrow(state, "refuse_wager", "wagers_open", clauses.refuse)
        yield Arrow(state, "find_invalid", "wagers_open", clauses.invalid_before)
        yield Arrow(state, "deal", "dealing", rule("7.2"))
    yield Arrow("dealing", "deal", "dealing", rule("7.3"), "cards_dealt")
    yield Arrow("dealing", "expose", "dealing", rule("12.5"), "round_void")
    yield Arrow("dealing", "expose_dealer", "dealing", clauses.dealer_exposed, "round_void")


def deciding_rows(book: Book) -> Iterator[Arrow]:
    """The rows of the betting round, and of what ends it early: rules 8 and 12."""
    rule, clauses = book.rule, book.clauses
    for name in DECISIONS:
        yield Arrow("cards_dealt", name, "cards_dealt", decision_rule(book, name), "hands_decided")
    for state in ("dealing", "cards_dealt"):
        yield Arrow(state, "misdeal", "round_void", rule("12.1"))
    for state in ("dealing", "cards_dealt", "hands_decided"):
        yield Arrow(state, "misdealt_dealer", "round_void", rule("12.2"))
    for state in (*BEFORE_THE_DEAL, "dealing", "cards_dealt"):
        yield Arrow(state, "direct_first", state, f"{clauses.collusion}.1")


def irregular_rows(book: Book, while_played: Collection[str], last_of: Mapping[str, str]) -> Iterator[Arrow]:
    """The rows of what may go wrong in a round that has begun, and of what is directed: rules 12, 13 and 14.

    ``last_of`` has the state that follows where the last hand of a state was void.
    """
    clauses, faults = book.clauses, book.hand_faults
    for state in while_played:
        last = last_of.get(state)
        yield Arrow(state, "void_round", "round_void", f"{clauses.foreign_card}.2")
        yield Arrow(state, "device_failed", "round_void", book.rule("13.2.1"))
        yield Arrow(state, "invalidate", "round_void", clauses.outcome)
        yield Arrow(state, "void_wagers", state, faults["prohibited_device"], last)
        yield Arrow(state, "find_invalid", state, clauses.invalid, last)
        if state != "dealing":
            yield Arrow(state, "void_hand", state, faults["card_count"], last)
        if state not in {"dealing", "hands_settled"}:
            yield Arrow(state, "discard_hand", state, clauses.empty)
    for state in (*BEFORE_THE_DEAL, *while_played):
        back = "wagers_open" if state in BEFORE_THE_DEAL else state
        yield Arrow(state, "direct_english", state, f"{clauses.collusion}.3")
        for name in BARS:
            yield Arrow(state, name, back, barred_by(book, name))
    yield Arrow("round_void", "collect_cards", "cards_collected", book.rule("12.4"))


def places(book: Book) -> dict[str, str]:
    """For each move of both books the rule that says when it is made."""
    rule, clauses = book.rule, book.clauses
    return {
        "check_cards": rule("3.4"),
        "shuffle": rule("4.1"),
        "load": rule("4.4"),
        "cut": rule("4.2"),
        "reshuffle": rule("13.1"),
        "place": clauses.place,
        "take_back": clauses.untouched,
        "refuse_wager": clauses.refuse,
        "no_more_bets": rule("7.2"),
        "deal": rule("7.2"),
        "expose": rule("12.5"),
        "expose_dealer": clauses.dealer_exposed,
        "play": rule("8.5"),
        "fold": rule("8.1"),
        "short": clauses.short,
        "absent": clauses.absent,
        "turn_dealer": rule("8.6"),
        "concede": clauses.concede,
        "settle_hand": clauses.settle_hand,
        "collect_cards": clauses.collect,
        "misdeal": rule("12.1"),
        "misdealt_dealer": rule("12.2"),
        "void_hand": book.hand_faults["card_count"],
        "void_wagers": book.hand_faults["prohibited_device"],
        "void_round": clauses.foreign_card,
        "discard_hand": clauses.empty,
        "find_invalid": clauses.invalid_found,
        "device_failed": rule("13.2"),
        "invalidate": clauses.outcome,
        "direct_first": f"{clauses.collusion}.1",
        "direct_apart": f"{clauses.collusion}.2",
        "direct_english": f"{clauses.collusion}.3",
        "exclude": f"{clauses.device}.2",
    }


def exceptions(book: Book, begun: Collection[str]) -> dict[tuple[str, str], str]:
    """The rule that refuses a move in a certain state, where another than the move's own does.

    No wager moves after no more bets (7.2), or once the first card is out; and what was found too late, with the cards
    collected, leaves a completed round as it is (TCP 12.9.1, 12.16.3, 13.2.2; FCP 12.10.1, 13.2.2).
    """
    clauses, completed = book.clauses, "cards_collected"
    # TCP 5.5, FCP 5.4
    late = {(state, move): clauses.untouched for state in begun for move in ("place", "take_back")}
    closed = {("no_more_bets", move): book.rule("7.2") for move in ("place", "take_back")}
    stand = {
        # TCP 12.9.1, FCP 12.10.1
        (completed, "void_round"): f"{clauses.foreign_card}.1",
        (completed, "device_failed"): book.rule("13.2.2"),  # TCP 13.2.2, FCP 13.2.2
        (completed, "find_invalid"): clauses.invalid_earlier,  # TCP 12.16.3
    }
    return late | closed | stand


def shared_acts() -> dict[str, Callable[[F, Move], F]]:
    """What each move of both books does on the felt."""
    return {
        **dict.fromkeys(("check_cards", "shuffle", "collect_cards"), unmoved),
        **dict.fromkeys(("cut", "load"), acts.ready),
        **dict.fromkeys(("take_back", "refuse_wager"), acts.take_back),
        **dict.fromkeys(DECISIONS, deciding.decide),
        **dict.fromkeys(HAND_FAULTS, irregular.find_fault),
        **dict.fromkeys(ROUND_FAULTS, irregular.void_round),
        **dict.fromkeys(BARS, irregular.bar),
        "reshuffle": acts.by_device,
        "place": acts.place,
        "no_more_bets": acts.call,
        "deal": acts.deal,
        "expose": acts.expose,
        "expose_dealer": acts.expose_dealer,
        "turn_dealer": deciding.turn_dealer,
        "concede": deciding.concede,
        "settle_hand": deciding.settle_hand,
        "misdeal": irregular.misdeal,
        "discard_hand": irregular.discard_hand,
        "direct_first": irregular.direct_first,
        "direct_english": irregular.direct_english,
    }


def decided(felt: Felt) -> bool:
    """Whether every hand has its decision."""
    return all(seat.decision is not None for seat in felt.seats)


def settled(felt: Felt) -> bool:
    """Whether no hand has still to be settled."""
    return not felt.to_turn()


def over(felt: Felt) -> bool:
    """Whether a hand with a fault was the last that had to be decided, or settled."""
    return decided(felt) if felt.dealer is None else settled(felt)


def misdealt(felt: Felt) -> bool:
    """Whether the round is void for the cards that were exposed."""
    return felt.void_by is not None


def shared_complete() -> dict[str, Callable[[Felt], bool]]:
    """For each move of both books that may be the last of its kind: whether it was."""
    return {
        **dict.fromkeys(DECISIONS, decided),
        **dict.fromkeys(HAND_FAULTS, over),
        **dict.fromkeys(("concede", "settle_hand"), settled),
        **dict.fromkeys(("expose", "expose_dealer"), misdealt),
        "deal": Felt.all_dealt,
    }


def check_settled(at: Position[F]) -> None:
    """Refuse to settle a round half way; raises ``RoundError`` where a hand has still to be settled."""
    if at.felt.void_by is None and at.state not in {"hands_settled", "cards_collected"}:
        raise RoundError("state", at.state, f"a hand has still to be settled ({at.felt.BOOK.clauses.settle_hand})")


def next_round(at: Position[F], *, device: Device | None = None, left: Collection[int] = ()) -> Position[F]:
    """The table before its next round: the cards are to be shuffled (4.1.2), and what was directed still holds.

    It begins with a check of the cards where the round was void for a missing or foreign one (TCP 12.9.3, FCP 12.10.3)
    or a failed device: then the game goes on with new cards, from another device or a shoe (13.2.3). A player who was
    short counts as warned from now on (TCP 12.10, FCP 12.11). ``left`` are the seats whose players have left: neither
    a warning nor a direction is handed on to who comes. Raises ``RoundError`` while the cards are not collected.
    """
    felt = at.felt
    if at.state != "cards_collected":
        raise RoundError("state", at.state, f"the round of play has not ended ({felt.BOOK.rule('1.1')})")
    warned = dict(felt.warned)
    for seat in felt.seats:
        if seat.decision == "short":  # TCP 12.10, FCP 12.11
            warned[seat.seat] = seat.warnings + 1
    fresh = replace(
        felt,
        device=device or felt.device,  # TCP 13.2.3, FCP 13.2.3
        warned=MappingProxyType({seat: times for seat, times in warned.items() if seat not in left}),
        barred=tuple([each for each in felt.barred if each[0] not in left]),
        own_limits=MappingProxyType({seat: own for seat, own in felt.own_limits.items() if seat not in left}),
        seats=(),
        first=frozenset(),
        dealt=0,
        exposed=(),
        known=(),
        handled=False,
        dealer=None,
        settled=(),
        void_by=None,
    )
    new_cards = felt.void_by in {"foreign_card", "device_failed"}  # TCP 12.9.3, 13.2.3; FCP 12.10.3, 13.2.3
    # TCP 4.1.2, FCP 4.1.2
    return Position("cards_new" if new_cards else "cards_checked", fresh)
