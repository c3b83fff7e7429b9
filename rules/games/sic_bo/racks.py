"""What a dealer does with the colour checks of a Sic Bo table: issues them, and takes them back. Rules 3.5 to 3.10."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from rules.games.sic_bo.colour_checks import Issue, Rack, issue_refused, needs_marker
from rules.games.sic_bo.felt import Felt, number_of
from rules.games.sic_bo.sign import TABLE
from rules.play import Move, MoveRefused, cents_of


def issue(felt: Felt, move: Move) -> Felt:
    """Issue colour checks of a colour and value to a player (SIC 3.9): his first, shared (3.8), or a second (3.10).

    A colour is shared only with the word of everybody who holds it; a second one only at a supervisor's discretion.
    """
    rack, number, colour = _rack(felt, move), number_of(felt, move, "SIC 3.9"), move.area or ""
    new = Issue(number, colour, cents_of(move, "SIC 3.9"))
    holders = {each.seat for each in rack.issued if each.colour == colour}
    agreed: Collection[int] = {*holders, number} if move.name == "share_checks" else ()
    refused = issue_refused(
        new, rack, agreed=agreed, supervisor=move.name == "second_colour", waiting=len(_waiting(felt, rack, number))
    )
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    again = any((each.seat, each.colour) == (number, colour) for each in rack.issued)
    return felt if again else replace(felt, rack=rack.issuing(new))


def redeem(felt: Felt, move: Move) -> Felt:
    """Redeem a player's colour checks of a colour at their table (SIC 3.7)."""
    rack, number = _rack(felt, move), number_of(felt, move, "SIC 3.7")
    if move.area not in [each.colour for each in rack.held_by(number)]:
        raise MoveRefused(move, "SIC 3.7", f"{move.area} is not issued to seat {number} at this table")
    return replace(felt, rack=rack.redeemed(number, move.area or ""))


def markers(felt: Felt) -> tuple[Issue, ...]:
    """The colours whose value a marker button denotes: those above the table minimum (SIC 3.9)."""
    least = felt.limits.min_cents.get(TABLE, 1)
    return tuple([each for each in (felt.rack.issued if felt.rack else ()) if needs_marker(each.value_cents, least)])


def options(felt: Felt) -> Iterator[Move]:
    """The moves with colour checks that the felt allows; the value is left out."""
    if felt.rack is None:
        return
    for number in range(1, felt.places + 1):
        held = {each.colour: each.value_cents for each in felt.rack.held_by(number)}
        for colour in felt.rack.colours:
            if colour in held:
                yield Move("redeem_checks", number, colour)
            for name in ("issue_checks", "share_checks", "second_colour"):
                move = Move(name, number, colour, next(iter(held.values()), 1))
                if not _refused(felt, move):
                    yield replace(move, cents=None)


def _refused(felt: Felt, move: Move) -> bool:
    try:
        issue(felt, move)
    except MoveRefused:
        return True
    return False


def _rack(felt: Felt, move: Move) -> Rack:
    if felt.rack is None:
        raise MoveRefused(move, "SIC 3.5", "the table has no set of colour checks")
    return felt.rack


def _waiting(felt: Felt, rack: Rack, number: int) -> set[int]:
    """The other players at the table who hold no colour yet (SIC 3.10)."""
    return {each.seat for each in felt.players if each.seat != number and not rack.held_by(each.seat)}
