"""A second settlement of Casino War, written from the rule text: slow, plain, and without an import of `rules`.

A round is a dictionary of texts and whole cents, as a person would write it down. Clause numbers are those of the book.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

RANKS = "23456789TJQKA"  # 3.2, upwards

Line = dict[str, Any]
Table = Mapping[str, Any]

DEFAULTS: dict[str, Any] = {
    "cap_linked_wager": True,
    "over_maximum": "maximum",
    "payment_rounds": "up",
    "dealer_extra_card": "repair",
    "interim_when_void": "undone",
    "token_on_win": "returned",
    "refund_invalidated": True,
    "carded_play": "as_book",
    "invalid_losing": "kept",
}


def compare(mine: str, theirs: str) -> int:
    """Tell whether a card is higher (1), equal (0) or lower (-1) in rank than the dealer's (3.2)."""
    difference = RANKS.index(mine[0]) - RANKS.index(theirs[0])
    return (difference > 0) - (difference < 0)


def card(hand: str, place: int) -> str:
    """Say which card of a hand is meant."""
    return hand.split(" ")[place]


def check_decks(one_round: Table) -> None:
    """See that no card is there more than six times (3.1)."""
    hands = [one_round.get("dealer", ""), *(seat.get("cards", "") for seat in one_round["seats"])]
    counts = Counter(card for hand in hands for card in hand.split(" ") if card)
    assert all(count <= 6 for count in counts.values()), counts


def in_chips(amount: Fraction, one_round: Table, settings: Table) -> int:
    """Say what is paid of an amount in the chips at hand: the next amount that can be paid, or the one below (5.10)."""
    chip = one_round.get("chip_cents", 1)
    below = amount // chip * chip
    return int(below if below == amount or settings["payment_rounds"] == "down" else below + chip)


def played_amount(seat: Table, wager: str, one_round: Table, settings: Table) -> int:
    """Say how much of a wager is paid or collected: the maximum at most (6.3), or the amount wagered (11.18.2)."""
    placed: int = seat[f"{wager}_cents"]
    limits = seat.get("own_limits") or one_round.get("limits", {})  # 6.6
    if settings["over_maximum"] == "wagered":
        return placed
    caps = [limits.get(f"{wager}_max_cents")]
    most = limits.get("initial_max_cents")
    if wager == "war" and settings["cap_linked_wager"] and most is not None and seat["initial_cents"] > most:
        caps.append(most)
    return min([placed, *[int(cap) for cap in caps if cap is not None]])


def line_of(seat: Table, wager: str, outcome: str, paid: int, played: int, settings: Table) -> Line:
    """Write a line: what was placed, what is paid, and what goes back."""
    placed = seat[f"{wager}_cents"]
    on_win = settings["token_on_win"]
    taken_up = seat.get(f"{wager}_tender") == "token_once" and on_win != "returned"
    collected = outcome == "lose" or taken_up
    return {
        "seat": seat["seat"],
        "wager": wager,
        "stake_cents": placed,
        "outcome": outcome,
        "paid_cents": paid,
        "returned_cents": placed - played if collected else placed,
    }


def winning(seat: Table, wager: str, times: int, one_round: Table, settings: Table) -> Line:
    """Pay a wager so many times what of it counts."""
    played = played_amount(seat, wager, one_round, settings)
    return line_of(seat, wager, "win", in_chips(Fraction(times * played), one_round, settings), played, settings)


def losing(seat: Table, wager: str, one_round: Table, settings: Table) -> Line:
    """Collect a wager as far as it counts."""
    return line_of(seat, wager, "lose", 0, played_amount(seat, wager, one_round, settings), settings)


def initial_line(seat: Table, one_round: Table, settings: Table) -> Line:
    """Settle the initial wager of a seat that does not go to war."""
    result = compare(card(seat["cards"], 0), card(one_round["dealer"], 0))
    if result > 0:
        return winning(seat, "initial", 1, one_round, settings)  # 8.2.2
    line = losing(seat, "initial", one_round, settings)  # 8.2.1
    if result == 0:  # 8.2.4.1, 11.8
        played = played_amount(seat, "initial", one_round, settings)
        line["returned_cents"] += min(played, in_chips(Fraction(played, 2), one_round, settings))
    return line


def war_lines(seat: Table, one_round: Table, settings: Table) -> list[Line]:
    """Settle the initial and the war wager of a seat that went to war (10)."""
    result = compare(card(seat["cards"], 1), card(one_round["dealer"], 1))
    if result < 0:
        return [losing(seat, wager, one_round, settings) for wager in ("initial", "war")]  # 10.3
    played = played_amount(seat, "initial", one_round, settings)
    stands_off = line_of(seat, "initial", "stand_off", 0, played, settings)
    return [stands_off, winning(seat, "war", 1 if result else 2, one_round, settings)]  # 10.1, 10.2


def tie_line(seat: Table, one_round: Table, settings: Table) -> Line:
    """Settle the tie wager of a seat (8.1)."""
    if compare(card(seat["cards"], 0), card(one_round["dealer"], 0)) == 0:
        return winning(seat, "tie", 10, one_round, settings)
    return losing(seat, "tie", one_round, settings)


def without_result(seat: Table, one_round: Table, settings: Table, *, stands: bool, kept: bool) -> list[Line]:
    """Give the wagers of a seat back, or keep them, but for what of the interim settlement stands."""
    lines = []
    for wager in ("initial", "war", "tie"):
        if f"{wager}_cents" not in seat:
            continue
        acted_on = seat.get("interim", "none")
        if stands and wager == "tie" and acted_on != "none":
            lines.append(tie_line(seat, one_round, settings))
        elif stands and wager == "initial" and acted_on == "hand" and seat.get("decision") != "war":
            lines.append(initial_line(seat, one_round, settings))
        elif kept:
            lines.append(losing(seat, wager, one_round, settings))
        else:
            lines.append(line_of(seat, wager, "void", 0, seat[f"{wager}_cents"], settings))
    return lines


def without_winnings(seat: Table, lines: list[Line], settings: Table) -> list[Line]:
    """Take the winnings from invalid wagers, as the books with Player Cards have it; lost ones stay lost by ruling."""
    assert settings["carded_play"] == "all_games"
    return [
        line
        if line["outcome"] == "lose" and settings["invalid_losing"] == "kept"
        else line_of(seat, line["wager"], "void", 0, line["stake_cents"], settings)
        for line in lines
    ]


def void_round(one_round: Table, cause: str, settings: Table) -> list[Line]:
    """Settle a round without a result (11.6, 11.16, 11.17, 12.4, 13.5)."""
    lines = []
    forfeited = [each["seat"] for each in one_round.get("forfeits", [])]
    for seat in one_round["seats"]:
        forfeit = seat["seat"] in forfeited
        invalid = seat.get("void_for") == "invalid"
        stands = cause == "not_reconstructed" or settings["interim_when_void"] == "stand"
        kept = forfeit or (cause == "invalidated" and not settings["refund_invalidated"])
        lines += without_result(seat, one_round, settings, stands=stands and not forfeit and not invalid, kept=kept)
    return lines


def settle(one_round: Table) -> list[Line]:
    """Settle a round: the lines of each seat, in the order given."""
    settings = {**DEFAULTS, **one_round.get("settings", {})}
    check_decks(one_round)
    cause = one_round.get("void_by")
    if cause is None and "dealer_extra" in one_round and settings["dealer_extra_card"] == "misdeal":
        cause = "misdeal"  # 11.13
    if cause is not None:
        return void_round(one_round, cause, settings)
    lines = []
    for seat in one_round["seats"]:
        if seat.get("void_for", "invalid") != "invalid":  # 12.5.1, 13.3.1
            stands = seat["void_for"] == "device_failed" and settings["interim_when_void"] == "stand"
            lines += without_result(seat, one_round, settings, stands=stands, kept=False)
            continue
        own = war_lines(seat, one_round, settings) if seat.get("decision") == "war" else []
        own = own or [initial_line(seat, one_round, settings)]
        if "tie_cents" in seat:
            own.append(tie_line(seat, one_round, settings))
        lines += without_winnings(seat, own, settings) if "void_for" in seat else own
    return lines
