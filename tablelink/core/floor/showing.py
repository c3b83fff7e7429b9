"""What a hosted table that people drive shows of itself: its felt in a few lines, what comes next, what can be said.

Never a card that is not turned: the table knows of none. Knows no screen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from rules.cards import cards_text
from rules.games import GAMES
from rules.games.sic_bo import Felt as DiceFelt
from rules.money import money
from rules.play import Move, MoveRefused
from rules.tables import OnDisplay, maximums, minimums, on_display, to_give_up
from rules.tables.books import MINUTE_US
from tablelink.core.floor.acts import ACTS
from tablelink.core.floor.colour_checks import colours_of
from tablelink.core.floor.given import Act, Made, readable
from tablelink.core.floor.taking import SUPERVISED, filled
from tablelink.core.floor.value import Floor

AHEAD: Final = (
    *("play_on", "check_cards", "load", "shuffle", "cut", "burn", "open_bets", "tumble", "no_more_bets"),
    *("return_discards", "correct_bet", "settle_tie", "settle_hand", "deal", "war", "bet", "play", "turn_dealer"),
    *("set_dealer", "compare", "pay_ante", "settle_war", "press", "uncover", "announce", "enter", "light", "collect"),
    *("pay", "notify_inspector", "rectify", "return_wagers", "collect_cards"),
)
"""The moves of a usual round, each before what comes after it where both can be."""
CHOICES: Final[Mapping[str, str]] = {
    "war": "war or surrender",
    "bet": "bet or fold",
    "play": "play or fold",
}
"""The moves that are a player's choice: nobody makes them for him."""
NEEDS: Final[Mapping[str, str]] = {
    "deal": "CARD, or deal all CARD",
    "turn_dealer": "CARDS",
    "set_dealer": "4 CARDS",
    "compare": "SEAT CARDS",
    "pay_ante": "SEAT",
    "settle_hand": "SEAT CARDS",
    "announce": "DICE",
    "enter": "DICE",
    "settle_war": "SEAT",
    "play": "SEAT AMOUNT",
}
"""What is typed after a move that cannot be made as it stands."""


@dataclass(frozen=True, slots=True)
class Legal:
    """A move that is legal now: at which seats, on which areas, by which rule."""

    name: str
    rule: str
    seats: tuple[int, ...] = ()
    areas: tuple[str, ...] = ()


def legal(floor: Floor) -> tuple[Legal, ...]:
    """The moves that are legal now, each once."""
    if floor.around.state == "closed":
        return ()
    moves: dict[str, list[Move]] = {}
    for move in floor.play.legal_moves(floor.at):
        if move.name not in SUPERVISED and move.name != "refuse_wager":
            moves.setdefault(move.name, []).append(move)
    return tuple([_legal(floor, name, made) for name, made in moves.items()])


def _legal(floor: Floor, name: str, made: Sequence[Move]) -> Legal:
    arrow = floor.play.arrow(floor.at.state, name)
    seats = tuple(dict.fromkeys(each.seat for each in made if each.seat is not None))
    areas = tuple(dict.fromkeys(each.area for each in made if each.area is not None))
    return Legal(name, "" if arrow is None else arrow.rule, seats, areas)


def acts(floor: Floor) -> tuple[tuple[str, str, str, str], ...]:
    """The acts of the table's book: name, what follows it, what it does, and its rule."""
    row = floor.around.provisions
    known = [(name, each.usage, each.about, each.rule(row)) for name, each in ACTS.items()]
    return tuple([(name, usage, about, rule) for name, usage, about, rule in known if rule is not None])


def ahead(floor: Floor) -> Made | Act | None:
    """The one thing that comes next, where it needs nothing that people know alone."""
    if floor.over:
        return Act(name="end_round")
    move = _next(floor)
    if move is None or move.name in CHOICES or not _can(floor, move):
        return None
    return Made(name=move.name, seat=move.seat)


def _next(floor: Floor) -> Move | None:
    """The next move of a usual round; with its seat where only one can be."""
    if floor.around.state == "closed":
        return None
    names = {each.name for each in legal(floor)}
    name = next((each for each in AHEAD if each in names), None)
    return None if name is None else filled(floor, Move(name))


def _can(floor: Floor, move: Move) -> bool:
    try:
        floor.play.step(floor.at, move)
    except MoveRefused:
        return False
    return True


def next_words(floor: Floor) -> str:
    """What is expected next, as people are told: one verb, one object."""
    if floor.around.state == "closed":
        return "rectify, or open by NAME" if floor.stated else "open by NAME"
    if floor.over:
        return "end_round"
    move = _next(floor)
    placing = next((each for each in ("place", "place_streak") if any(one.name == each for one in legal(floor))), None)
    words = "" if move is None else _words(floor, move)
    if placing is None:
        return words or ("nothing but what is unusual: help" if floor.around.players else "join PLAYER AREA")
    area = "AREA AMOUNT" if move is None else "AREA AMOUNT, then "
    return f"{placing} SEAT {area}{words}"


def _words(floor: Floor, move: Move) -> str:
    if move.name in CHOICES:
        first = next((each.seat for each in floor.play.legal_moves(floor.at) if each.name == move.name), None)
        return f"seat {first}: {CHOICES[move.name]}"
    seat = "" if move.seat is None else f" {move.seat or 'dealer'}"
    if _can(floor, move):
        return move.name + seat
    needs = NEEDS.get(move.name, "...")
    return f"{move.name} {needs}" if not seat else f"{move.name}{seat} {needs.removeprefix('SEAT').strip()}".strip()


def header(floor: Floor) -> str:
    """The table, its round, how far that is, and its limits."""
    sign = floor.around.sign
    area, least = next(iter(minimums(sign).items()))
    most = maximums(sign)[area]
    limits = f"{money(least)} to {money(most)}" if most is not None else f"from {money(least)}"
    state = "closed" if floor.around.state == "closed" else floor.at.state.replace("_", " ")
    parts = [floor.name, GAMES[floor.game].title, f"round {floor.number}", state, limits]
    if floor.stated:
        parts.append("play is stopped")
    return " · ".join(parts)


def seat_lines(floor: Floor) -> tuple[str, ...]:
    """A line for each area with a player or a wager, one for the dealer's cards or the dice, and who waits to play."""
    felt = floor.at.felt
    lines: dict[int, list[str]] = {}
    for player in floor.around.players:
        for area in player.areas:
            lines[area] = [f"{player.player:<12}"]
    for seat, words in _lying(felt):
        lines.setdefault(seat, [" " * 12]).extend(words)
    spare = to_give_up(floor.around)
    for player in floor.around.players:
        lines[player.box] += _held(player)
        lines[player.box] += [_colour(*each) for each in colours_of(felt, player.box)]
        for area in set(player.areas) & set(spare):
            lines[area].append("▲ is given up")
    for area, refused in felt.closed.items():
        if area in lines:
            lines[area].append(f"■ {refused.reason} ({refused.rule})")
    numbered = [f"{area:>2} {readable('  '.join(words))}".rstrip() for area, words in sorted(lines.items())]
    waiting = [f"   waiting      {readable(', '.join(floor.around.waiting))}"] if floor.around.waiting else []
    return (*numbered, *_dealers(felt, floor.dealer), *waiting)


def _held(player: Any) -> list[str]:
    """What a player is held to that others are not."""
    words = []
    for sign, mark in ((player.old, "▲ old minimum"), (player.own, "▲ own limits")):
        if sign is not None:
            area, least = next(iter(minimums(sign).items()))
            most = maximums(sign)[area]
            top = "" if most is None or mark.endswith("minimum") else f" to {money(most)}"
            words.append(f"{mark} {money(least)}{top}")
    if player.idle_rounds:
        words.append(f"{player.idle_rounds} round{'' if player.idle_rounds == 1 else 's'} without a wager")
    return words


def _colour(colour: str, cents: int, denoted: bool) -> str:  # noqa: FBT001 - as ``colours_of`` gives it
    """Colour checks of a player; a dot for the marker button that denotes their value (SIC 3.9)."""
    return f"{'● ' if denoted else ''}{colour} at {money(cents)}"


def _lying(felt: Any) -> Iterator[tuple[int, list[str]]]:
    """What lies at each seat."""
    if isinstance(felt, DiceFelt):
        yield from _dice_lying(felt)
        return
    for seat in felt.seats:
        words = []
        for each in fields(seat):
            cents = getattr(seat, each.name)
            if each.name.endswith("_cents") and cents is not None:
                area = each.name.removesuffix("_cents")
                words.append(f"{(felt.BOOK.side if area == 'side' else area).replace('_', ' ')} {money(cents)}")
        words += [str(getattr(seat, name)) for name in ("decision", "fault", "void_for") if getattr(seat, name, None)]
        if seat.cards:
            words.append(cards_text(seat.cards))
        yield seat.seat, words


def _dice_lying(felt: DiceFelt) -> Iterator[tuple[int, list[str]]]:
    for each in felt.still_open:
        yield each.seat, [f"{each.wager.replace('_', ' ')} {money(each.stake_cents)}, {each.in_a_row} in a row"]
    for player in felt.players:
        words = []
        for wager in dict.fromkeys(bet.wager for bet in player.wagers):
            cents = sum(bet.cents for bet in player.wagers if bet.wager == wager)
            words.append(f"{wager.replace('_', ' ')} {money(cents)}")
        limit = player.loss_limit
        if limit is not None:
            words.append(
                f"Loss Limit, {money(limit.room_cents(felt.at_risk_cents(player.seat) + player.placed_cents))} left"
            )
        if player.void_for:
            words.append(player.void_for)
        yield player.seat, words


def _dealers(felt: Any, dealer: str) -> Iterator[str]:
    """The dealer, who it is, and what lies there."""
    name = f"{readable(dealer)} deals" if dealer else "dealer"
    if isinstance(felt, DiceFelt):
        if dealer:
            yield f"   {name}"
        if felt.dice is not None:
            yield f"   dice         {' '.join(map(str, felt.dice))} = {sum(felt.dice)}"
        runs = [each for each in (felt.runs.small_big, felt.runs.odd_even) if each is not None and each.side]
        if runs:
            yield f"   runs         {', '.join(f'{each.side} {each.in_a_row}' for each in runs)}"
        return
    up = felt.dealer or getattr(felt, "known", None) or getattr(felt, "up_cards", None)
    if up or dealer:
        yield f"   {name:<12} {cards_text(up or ())}".rstrip()


def signs(floor: Floor) -> tuple[str, ...]:
    """Every sign that must stand at the table now."""
    return tuple([_sign(floor, each) for each in on_display(floor.around)])


def _sign(floor: Floor, shown: OnDisplay[Any]) -> str:
    words = [shown.rule]
    if shown.limits is not None:
        most = maximums(shown.limits)
        least = {area: cents for area, cents in minimums(shown.limits).items() if cents > 1 or most[area] is not None}
        said: dict[str, list[str]] = {}
        for area, cents in least.items():
            top = most[area]
            said.setdefault(f"{money(cents)}{'' if top is None else f' to {money(top)}'}", []).append(area)
        words += [
            f"{', '.join(areas) if len(areas) < 6 else f'{len(areas)} areas'} {text}" for text, areas in said.items()
        ]
    else:
        words.append("the table closes")
    if shown.boxes:
        words.append(f"boxes {' '.join(map(str, shown.boxes))}")
    if shown.from_us is not None:
        left = shown.from_us - floor.around.now_us
        words.append(f"in {max(0, -(-left // MINUTE_US))} min")
    return "  ".join(words)
