"""Who plays at a table, where, and who may not: seats, areas, directions, devices, exclusion, employees.

5.8, 6.5.1.2, 6.5.4, 14.13, 16.2 to 16.4, 16.10 and 16.15 of Caribbean Stud, and what the other books have instead.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final, Literal

from rules.irregularities.collusion import Direction, joining_refused
from rules.play import Move
from rules.tables.books import ABSTAINED_ROUNDS
from rules.tables.cards import CardStatus, meaning
from rules.tables.signs import advance
from rules.tables.table import ActRefused, Due, Entry, L, Player, Step, Table, named

Measure = Literal["void_wagers", "out_of_game", "out_of_casino", "detain"]
"""What a casino supervisor may do about a prohibited device (CSP 16.4.1-16.4.4)."""

MEASURES: Final[tuple[Measure, ...]] = ("void_wagers", "out_of_game", "out_of_casino", "detain")
"""In the order of their clauses, from 1."""


def join(table: Table[L], player: str, area: int, cards: CardStatus, at_us: int) -> Step[L]:
    """Let a player take a seat: by the sign as it stands, whatever others may still play by (CSP 6.5.4).

    Raises ``ActRefused`` without a valid Player Card of one's own where the book asks for it (CSP 5.1, 16.1), for who
    was put out of the game (16.4.2), is kept apart from a player there (14.13.2), or has a seat already (5.8).
    """
    step = advance(table, at_us)
    table, row = step.table, table.provisions
    named(row.sign, player=player)
    if table.state == "closed":
        raise ActRefused(row.close, "the table is closed")
    by = dict(table.out).get(player)
    if by is not None:
        raise ActRefused(by, f"player: {player}: was directed not to take part")
    answer = cards.of(player, at_us)
    said = meaning(table.book, answer, at_us, table.settings)
    if said.wager == "refused" and answer != "limit_reached":  # Who may lose no more may still sit there.
        raise ActRefused(said.rule, said.reason)
    if any(each.player == player for each in table.players):
        raise ActRefused(row.one_hand or row.several or row.sign, f"player: {player}: plays at this table already")
    apart = joining_refused(player, [each.player for each in table.players], table.directions)
    if apart is not None:
        raise ActRefused(apart.rule, apart.reason)
    # SIC 3.15: the supervisor may limit how many play.
    if table.most_players is not None and len(table.players) >= table.most_players:
        raise ActRefused(row.player_number or row.sign, f"{table.most_players} players play already")
    _check_area(table, player, area)
    waiting = tuple([each for each in table.waiting if each != player])
    seated = replace(table, waiting=waiting).with_player(Player(player, area, (area,), at_us))
    told = step.told
    if any(each.old is not None for each in table.players):
        told = (*told, Due("dealer", row.newcomers or row.sign, f"box {area} is new and plays by the new minimum"))
    return Step(seated, told)


def _check_area(table: Table[L], player: str, area: int) -> None:
    """Raise ``ActRefused`` where an area is none, is somebody's, or is reserved for somebody else (WAR 5.9)."""
    row = table.provisions
    if not 1 <= area <= table.places:
        raise ActRefused(row.sign, f"area: {area}: the table has 1 to {table.places}")
    # WAR 5.9: a reserved area is for the sole use of its player.
    other = table.at(area)
    if other is not None:
        # CSP 5.9, TCP 5.7, FCP 5.6, WAR 5.5: one wager on an area, and so one player.
        raise ActRefused(row.one_wager or row.player_number or row.sign, f"area: {area}: it is in use")
    if dict(table.reserved).get(area, player) != player:
        raise ActRefused(row.reserve or row.sign, f"area: {area}: it is reserved for another player")


def leave(table: Table[L], player: str, at_us: int) -> Step[L]:
    """Let a player leave: a marker goes, and so do own limits; whoever comes back is new (CSP 6.5.1.2, 6.5.4)."""
    step = advance(table, at_us)
    who = step.table.of(player, table.provisions.sign)
    return Step(_without(step.table, who), (*step.told, *_cleared(table, who)))


def _without(table: Table[L], who: Player[L]) -> Table[L]:
    """The table without a player; what he had reserved is free again, and nobody has abstained at a full table."""
    players = tuple([each for each in table.players if each.player != who.player])
    return replace(
        table,
        players=players,
        reserved=tuple([each for each in table.reserved if each[1] != who.player]),
    )


def _cleared(table: Table[L], who: Player[L]) -> tuple[Due, ...]:
    row = table.provisions
    told = []
    # CSP 6.5.1.2, TCP 6.5.1.2, FCP 6.5.1.2, WAR 6.5.1.2: when the player leaves, the marker is removed.
    if who.old is not None:
        told.append(Due("dealer", row.marker_goes or row.sign, f"removes the marker at box {who.box}"))
    if who.own is not None:
        told.append(Due("dealer", row.own_limits or row.sign, f"removes the sign with the limits of box {who.box}"))
    return tuple(told)


def change_seat(table: Table[L], player: str, area: int, at_us: int) -> Step[L]:
    """Let a player change to a free seat between rounds: who stays at the table keeps the marker (CSP 6.5.1)."""
    step = advance(table, at_us)
    row = table.provisions
    who = step.table.of(player, row.sign)
    if step.table.state == "in_round":
        raise ActRefused(row.sign, "a round of play is in progress")
    _check_area(step.table, player, area)
    areas = tuple(sorted({area, *who.areas} - {who.box}))
    told: tuple[Due, ...] = ()
    if who.old is not None:
        where = row.marker_at_box or row.marker or row.sign
        told = (Due("dealer", where, f"moves the marker from box {who.box} to box {area}"),)
    return Step(step.table.with_player(replace(who, box=area, areas=areas)), (*step.told, *told))


def take_area(table: Table[L], player: str, area: int, at_us: int) -> Step[L]:
    """Let a player have one more area, where the book allows more than one (WAR 5.6), and nobody waits for it (5.6.1).

    Raises ``ActRefused`` where a player has one hand alone (CSP 5.8, TCP 5.6, FCP 5.5).
    """
    step = advance(table, at_us)
    row = table.provisions
    if row.several is None:
        raise ActRefused(row.one_hand or row.player_number or row.sign, "a player wagers on one hand in a round")
    who = step.table.of(player, row.several)
    _check_area(step.table, player, area)
    own = dict(step.table.reserved).get(area) == player
    if step.table.waiting and not own:
        raise ActRefused(row.give_up or row.several, f"{step.table.waiting[0]} waits for a seat")
    return Step(step.table.with_player(replace(who, areas=tuple(sorted({*who.areas, area})))), step.told)


def give_up_area(table: Table[L], player: str, area: int, at_us: int) -> Step[L]:
    """Let a player give up one of several areas (WAR 5.6.1); the box at which he is goes only by leaving."""
    step = advance(table, at_us)
    row = table.provisions
    rule = row.give_up or row.one_hand or row.sign
    who = step.table.of(player, rule)
    if area not in who.areas or area == who.box:
        raise ActRefused(rule, f"area: {area}: not one that {player} has beside box {who.box}")
    return Step(step.table.with_player(replace(who, areas=tuple(sorted({*who.areas} - {area})))), step.told)


def wait_for_seat(table: Table[L], player: str, at_us: int) -> Step[L]:
    """Note that somebody wishes to play and there is no free seat; who has several areas gives one up (WAR 5.6.1)."""
    step = advance(table, at_us)
    row, table = table.provisions, step.table
    rule = row.give_up or row.sign
    if table.free():
        raise ActRefused(rule, f"area {table.free()[0]} is free")
    if player in table.waiting or any(each.player == player for each in table.players):
        raise ActRefused(rule, f"player: {player}: waits or plays already")
    return Step(replace(table, waiting=(*table.waiting, player)), step.told)


def to_give_up(table: Table[L]) -> tuple[int, ...]:
    """The areas that players with several must give up to who waits, the highest first (WAR 5.6.1).

    Never one reserved for its player (5.9), nor the box at which a player is.
    """
    kept = dict(table.reserved)
    spare = [
        area
        for player in table.players
        for area in player.areas
        if area != player.box and kept.get(area) != player.player
    ]
    # WAR 5.6.1: as many as there are players without a seat.
    short = len(table.waiting) - len(table.free())
    return tuple(sorted(spare, reverse=True)[: max(0, short)])


def reserve(table: Table[L], player: str, areas: Collection[int], person: str, at_us: int) -> Step[L]:
    """Reserve a series of areas for the sole use of a player (WAR 5.9)."""
    step = advance(table, at_us)
    table, row = step.table, table.provisions
    if row.reserve is None:
        raise ActRefused(row.one_hand or row.sign, "no rule of this book reserves areas for a player")
    named(row.reserve, person=person, player=player)
    for area in sorted(areas):
        who = table.at(area)
        if who is None:
            _check_area(table, player, area)
        elif who.player != player:
            raise ActRefused(row.reserve, f"area: {area}: it is in use")
    others = [each for each in table.reserved if each[0] not in areas]
    reserved = tuple(sorted([*others, *((area, player) for area in areas)]))
    entry = Entry("reserved", at_us, row.reserve, person, f"areas {', '.join(map(str, sorted(areas)))}", player)
    return Step(replace(table, reserved=reserved), step.told, (entry,))


def limit_players(table: Table[L], most: int, person: str, at_us: int) -> Step[L]:
    """Limit how many may play (SIC 3.15); who plays already stays."""
    step = advance(table, at_us)
    row = table.provisions
    if row.player_number is None:
        raise ActRefused(row.sign, "no rule of this book limits the number of players")
    named(row.player_number, person=person)
    if not 1 <= most <= table.places:
        raise ActRefused(row.player_number, f"most: {most}: not from 1 to {table.places}")
    entry = Entry("players", at_us, row.player_number, person, f"at most {most} players")
    return Step(replace(step.table, most_players=most), step.told, (entry,))


def direct(table: Table[L], direction: Direction, at_us: int) -> Step[L]:
    """Direct what a supervisor may against collusion (CSP 14.13, TCP 12.11, FCP 12.12).

    Players kept apart stay seated until they leave, but only the first of them wagers (``coming``).
    """
    step = advance(table, at_us)
    if direction.book != table.book:
        raise ActRefused(direction.rule, f"book: {direction.book}: the table plays by {table.book}")
    directed = replace(step.table, directions=(*step.table.directions, direction))
    entry = Entry(
        "direction",
        at_us,
        direction.rule,
        direction.person,
        f"{direction.kind}: {direction.reason}",
        ", ".join(sorted(direction.players)),
    )
    moves: tuple[Move, ...] = ()
    if direction.kind == "english_only":
        moves = (Move("direct_english"),)
    elif direction.kind == "play_first":
        moves = tuple([Move("direct_first", each.box) for each in table.players if each.player in direction.players])
    return Step(directed, step.told, (entry,), moves)


def find_device(
    table: Table[L],
    player: str,
    measures: Collection[Measure],
    person: str,
    reason: str,
    at_us: int,
    *,
    on_duty: bool = False,
    only_possessed: bool = False,
) -> Step[L]:
    """Do what a supervisor, satisfied that a person used a prohibited device, decides about it (CSP 16.2, 16.4).

    Raises ``ActRefused`` about an agent, employee or inspector in the course of duty (16.3), without a name, reason or
    measure, for a measure the book has not, and where a device was only possessed, which Casino War alone forbids.
    """
    step = advance(table, at_us)
    table, row = step.table, table.provisions
    # CSP 16.3, TCP 14.3, FCP 14.2, WAR 13.2, SIC 9.7: not about who acts in the course of duty.
    if on_duty:
        raise ActRefused(row.device_duty, f"player: {player}: acted in the course of duty")
    # CSP 16.2, TCP 14.2, FCP 14.1, WAR 13.1, SIC 9.6: what is forbidden; to have a device is, in one book alone.
    if only_possessed and not row.possession:
        raise ActRefused(row.device, f"player: {player}: neither used nor controlled it, which alone is forbidden")
    named(row.device, person=person, reason=reason, player=player)
    if not measures:
        raise ActRefused(row.device_measures, "measures: missing: nothing is decided")
    if "detain" in measures and not row.detains:
        raise ActRefused(row.device_measures, "detain: no rule of this book has a person detained")
    taken = [(each, f"{row.device_measures}.{number}") for number, each in enumerate(MEASURES, 1) if each in measures]
    seat = next((each for each in table.players if each.player == player), None)
    box = None if seat is None else seat.box
    entries = tuple([Entry("device", at_us, rule, person, f"{each}: {reason}", player, box) for each, rule in taken])
    moves: list[Move] = []
    told = list(step.told)
    for measure, rule in taken:
        if measure == "detain":
            # CSP 16.4.4, WAR 13.3.4: until an inspector or a police officer has assumed responsibility.
            told.append(Due("an inspector or a police officer", rule, f"takes over {player}, who is detained"))
        elif measure == "void_wagers":
            if seat is not None and table.state == "in_round":
                # CSP 16.4.1, TCP 14.4.1, FCP 14.3.1, WAR 13.3.1, SIC 9.8.1
                moves += [Move("void_wagers", area) for area in seat.areas]
        else:
            # CSP 16.4.2, 16.4.3; TCP 14.4.2, 14.4.3; FCP 14.3.2, 14.3.3; WAR 13.3.2, 13.3.3; SIC 9.8.2, 9.8.3
            table = _put_out(table, player, rule)
    return Step(table, tuple(told), entries, tuple(moves))


def _put_out(table: Table[L], player: str, rule: str) -> Table[L]:
    """The table at which a person takes part no more; the first clause that said so stays."""
    if player in dict(table.out):
        return table
    return replace(table, out=(*table.out, (player, rule)))


def find_ineligible(
    table: Table[L], player: str, cause: Literal["minor", "excluded"], person: str, reason: str, at_us: int
) -> Step[L]:
    """Put out who is found to be a minor, or excluded from the casino: an ineligible player's wagers are invalid.

    CSP 1.1 ("invalid wager"), 16.1, 16.4.3. A prize of theirs is forfeited, by the ruling on pending hits.
    """
    step = advance(table, at_us)
    table, row = step.table, table.provisions
    rule = f"{row.device_measures}.3"
    named(rule, person=person, reason=reason, player=player)
    seat = next((each for each in table.players if each.player == player), None)
    moves: tuple[Move, ...] = ()
    if seat is not None and table.state == "in_round" and row.invalid is not None:
        moves = tuple([Move("find_invalid", area) for area in seat.areas])
    entry = Entry(cause, at_us, rule, person, reason, player, None if seat is None else seat.box)
    return Step(_put_out(table, player, rule), step.told, (entry,), moves)


def find_employee(
    table: Table[L], player: str, decision: Literal["rejected", "paid"], person: str, reason: str, at_us: int
) -> Step[L]:
    """Note what a manager decides about an employee's wager in breach of the gambling policy (CSP 16.15).

    The casino is not obliged to pay it, and may; other books have no such rule.
    """
    step = advance(table, at_us)
    rule = table.provisions.employee
    if rule is None:
        raise ActRefused(table.book, "no rule of this book lets a wager of an employee go unpaid")
    named(rule, person=person, reason=reason, player=player)
    # CSP 16.15: the casino is not obliged to pay; who decides, and why, is kept.
    seat = next((each.box for each in step.table.players if each.player == player), None)
    entry = Entry("employee", at_us, rule, person, f"{decision}: {reason}", player, seat)
    return Step(step.table, step.told, (entry,))


def ask_for_seat(table: Table[L], player: str, person: str, at_us: int) -> Step[L]:
    """Require a player to vacate who abstained for three rounds while all other seats were in use (CSP 16.10)."""
    step = advance(table, at_us)
    rule = table.provisions.abstain
    named(rule, person=person)
    who = step.table.of(player, rule)
    if step.table.state == "in_round":
        raise ActRefused(rule, "a round of play is in progress")
    # CSP 16.10, TCP 14.10, FCP 14.9, WAR 13.9, SIC 9.14: three in a row, all other seats in use.
    if who.idle_rounds < ABSTAINED_ROUNDS:
        raise ActRefused(rule, f"player: {player}: abstained for {who.idle_rounds} rounds at a full table, not for 3")
    if step.table.free():
        raise ActRefused(rule, f"area {step.table.free()[0]} is free")
    entry = Entry("seat_asked_for", at_us, rule, person, "three rounds without a wager", player, who.box)
    return Step(_without(step.table, who), (*step.told, *_cleared(table, who)), (entry,))
