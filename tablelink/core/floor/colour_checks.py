"""The colour checks of a hosted Sic Bo table as its players come, change seats and leave (SIC 3.6 to 3.10).

Which colour may be issued the felt knows; who else sits at the table, and waits for a colour, and from which table the
checks are that somebody brings, is known here.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rules.games.sic_bo import Felt as DiceFelt
from rules.games.sic_bo.colour_checks import Rack, redemption_refused, wager_refused_at
from rules.games.sic_bo.racks import markers
from rules.money import money
from rules.play import Move, MoveRefused
from rules.tables import ActRefused, Due, Entry
from rules.tables.table import named
from tablelink.core.floor.effects import Changed
from tablelink.core.floor.given import Act, Made, NotUnderstood
from tablelink.core.floor.value import Floor


def check_second(floor: Floor, move: Move) -> None:
    """Raise ``MoveRefused`` where a second colour would leave a player at the table without one (SIC 3.10)."""
    felt = floor.at.felt
    if move.name != "second_colour" or not isinstance(felt, DiceFelt) or felt.rack is None:
        return
    rack = felt.rack
    if move.area in [each.colour for each in rack.held_by(move.seat or 0)]:
        return
    waiting = [each.player for each in floor.around.players if each.box != move.seat and not rack.held_by(each.box)]
    free = set(rack.colours) - {each.colour for each in rack.issued} - {move.area}
    if len(free) < len(waiting):
        raise MoveRefused(move, "SIC 3.10", f"{', '.join(waiting)} would be precluded: {len(free)} colours are left")


def check_issued(floor: Floor, given: Made, move: Move) -> None:
    """Raise ``MoveRefused`` for a wager placed with colour checks of another table (SIC 3.6)."""
    if not given.issued_at:
        return
    if not isinstance(floor.at.felt, DiceFelt):
        raise NotUnderstood("issued", given.issued_at, "this game has no colour checks")
    refused = wager_refused_at(Rack(given.issued_at, ()), floor.name)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)


def exchange(floor: Floor, act: Act, at_us: int) -> Changed:
    """Redeem colour checks of another table, which is closed at that time (SIC 3.7).

    Raises ``ActRefused`` while it is not said to be closed, and for the table's own, which ``redeem_checks`` takes.
    """
    if not isinstance(floor.at.felt, DiceFelt):
        raise ActRefused(floor.around.book, "no rule of this book; it is SIC 3.7")
    named("SIC 3.7", person=act.person)
    if floor.around.state == "closed":
        raise ActRefused("SIC 3.7", "this table is closed")
    table, rest = act.words[0] if act.words else "", act.words[1:]
    if not table or rest not in {(), ("closed",)}:
        raise NotUnderstood("words", " ".join(act.words), "TABLE [closed]")
    if act.cents is None or act.cents < 1:
        raise NotUnderstood("cents", str(act.cents), "no amount of colour checks")
    if table == floor.name:
        raise ActRefused("SIC 3.7", f"those of table {table} are its own: redeem_checks SEAT COLOUR")
    refused = redemption_refused(Rack(table, ()), floor.name, table_closed=bool(rest))
    if refused is not None:
        raise ActRefused(refused.rule, refused.reason)
    words = f"colour checks of table {table}, which is closed"
    return Changed(floor, (), (Entry("exchanged", at_us, "SIC 3.7", act.person, words, cents=act.cents),))


def buttons(before: Any, after: Any) -> Iterator[Due]:
    """The marker buttons that come and go as colour checks are issued and redeemed (SIC 3.9)."""
    if not isinstance(before, DiceFelt) or not isinstance(after, DiceFelt):
        return
    lay, lie = markers(before), markers(after)
    for each in lie:
        if each not in lay:
            worth = f"the {each.colour} checks of box {each.seat} are worth {money(each.value_cents)} each"
            yield Due("dealer", "SIC 3.9", f"places a marker button: {worth}")
    for each in lay:
        if each not in lie:
            yield Due("dealer", "SIC 3.9", f"removes the marker button of the {each.colour} checks of box {each.seat}")


def check_redeemed(floor: Floor, areas: tuple[int, ...]) -> None:
    """Raise ``ActRefused`` for a player who would leave with colour checks: they are redeemed here alone (SIC 3.7)."""
    felt = floor.at.felt
    if not isinstance(felt, DiceFelt) or felt.rack is None:
        return
    for area in areas:
        for each in felt.rack.held_by(area):
            raise ActRefused("SIC 3.7", f"{each.colour} is issued to box {area}: redeem_checks {area} {each.colour}")


def carried(felt: Any, before: int, after: int) -> Any:
    """A felt whose player has changed seats: the colour goes with who holds it."""
    if not isinstance(felt, DiceFelt) or felt.rack is None:
        return felt
    issued = tuple([replace(each, seat=after) if each.seat == before else each for each in felt.rack.issued])
    return replace(felt, rack=replace(felt.rack, issued=issued))


def colours_of(felt: Any, area: int) -> Iterator[tuple[str, int, bool]]:
    """The colours issued at an area, each with its value and whether a marker button denotes it."""
    if isinstance(felt, DiceFelt) and felt.rack is not None:
        denoted = markers(felt)
        for each in felt.rack.held_by(area):
            yield each.colour, each.value_cents, each in denoted
