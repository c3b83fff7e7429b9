"""Which wagers a table takes from whom in the coming round, and which were refused, by whom and why.

5.8, 5.9, 14.13, 16.1 and 16.12 of Caribbean Stud, and what the other books have instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Generic

from rules.limits import Refused
from rules.play import Move
from rules.rounds import HIGHEST_SEAT
from rules.tables.books import CARDS_FROM_US
from rules.tables.cards import CardStatus, meaning
from rules.tables.people import to_give_up
from rules.tables.signs import OnDisplay, advance, markers, on_display
from rules.tables.table import ActRefused, Due, Entry, L, Player, Step, Table, named


@dataclass(frozen=True, slots=True)
class Coming(Generic[L]):
    """What holds for the coming round, as a felt takes it."""

    at_us: int
    sign: L
    own_limits: Mapping[int, L]
    """The limits of the seats that do not play by the table's sign, marked ones and those with a sign of their own."""
    by_rule: Mapping[int, str]
    """The clause that gives each of those seats its limits."""
    closed: Mapping[int, Refused]
    """The seats that may not wager, each with the rule and reason."""
    doubtful: Mapping[int, Refused]
    """The seats whose wagers a supervisor may refuse, and why; they may be accepted."""
    play_first: frozenset[int]
    """The seats directed to play before others handle their cards (CSP 14.13.1)."""
    english: bool
    final_call: bool
    """Whether no further Super Streak wagers are accepted (SIC 6.6)."""
    shown: tuple[OnDisplay[L], ...]
    markers: tuple[int, ...]
    at_table: Mapping[int, str]
    """The players by their areas, in the order in which they came (WAR 4.3.1)."""
    told: tuple[Due, ...] = ()


def coming(table: Table[L], cards: CardStatus, at_us: int) -> Coming[L]:
    """What holds for the round that comes at a moment: by which limits each seat plays, and which may not wager.

    Always asks about each player's card. A moment's answer is good for wagers placed at that moment.
    """
    step = advance(table, at_us)
    table, row = step.table, table.provisions
    closed: dict[int, Refused] = {}
    doubtful: dict[int, Refused] = {}
    for area in range(1, HIGHEST_SEAT + 1):
        why = _closed(table, area, cards)
        if why is not None:
            closed[area] = why
        elif (seat := table.at(area)) is not None:
            said = meaning(table.book, cards.of(seat.player, at_us), at_us, table.settings)
            if said.wager == "may_be_refused":
                doubtful[area] = Refused(said.rule, said.reason)
    held = [seat for seat in table.players if table.limits_of(seat.box) != table.sign]
    own = {area: table.limits_of(area) for seat in held for area in seat.areas}
    rules = {
        area: (row.own_limits if seat.own else row.raise_at_once) or row.sign for seat in held for area in seat.areas
    }
    directions = table.directions
    return Coming(
        at_us=at_us,
        sign=table.sign,
        own_limits=own,
        by_rule=rules,
        closed=closed,
        doubtful=doubtful,
        play_first=frozenset(
            seat.box
            for seat in table.players
            if any(each.kind == "play_first" and seat.player in each.players for each in directions)
        ),
        english=any(each.kind == "english_only" for each in directions),
        final_call=table.super_streak and any(each.what == "closing" for each in table.posted),
        shown=on_display(table),
        markers=markers(table),
        at_table={area: seat.player for seat in _as_they_came(table) for area in seat.areas},
        told=step.told,
    )


def _as_they_came(table: Table[L]) -> list[Player[L]]:
    """The players in the order in which they came to the table."""
    return sorted(table.players, key=lambda each: (each.since_us, each.box))


def _closed(table: Table[L], area: int, cards: CardStatus) -> Refused | None:
    """Why nobody may wager on an area in the coming round, if so."""
    row = table.provisions
    if area > table.places:
        return Refused(row.sign, f"area: {area}: the table has 1 to {table.places}")
    if table.state == "closed":
        return Refused(row.close, "the table is closed")
    seat = table.at(area)
    kept = dict(table.reserved).get(area)
    if seat is None:
        if kept is not None:
            return Refused(row.reserve or row.sign, f"area {area} is reserved for {kept}")
        return _nobody(table)
    if kept is not None and kept != seat.player:
        return Refused(row.reserve or row.sign, f"area {area} is reserved for {kept}")
    by = dict(table.out).get(seat.player)
    if by is not None:
        return Refused(by, f"{seat.player} was directed not to take part")
    said = meaning(table.book, cards.of(seat.player, table.now_us), table.now_us, table.settings)
    if said.wager == "refused":
        return Refused(said.rule, said.reason)
    if area in to_give_up(table):
        return Refused(row.give_up or row.sign, f"{table.waiting[0]} waits for a seat: area {area} is given up")
    return _kept_apart(table, seat)


def _nobody(table: Table[L]) -> Refused | None:
    """Why nobody wagers where no player of the table is: at a table that asks for cards each player has shown one."""
    row = table.provisions
    asks = row.card is not None or table.settings.carded_play == "all_games"
    if asks and table.now_us >= CARDS_FROM_US:
        return Refused(row.own_card or "carded_play", "nobody who showed a Player Card plays there")
    return None


def _kept_apart(table: Table[L], seat: Player[L]) -> Refused | None:
    """Why a player may not wager for being kept apart from one who came before (CSP 14.13.2), if so."""
    before = _as_they_came(table)
    earlier = {each.player for each in before[: before.index(seat)]}
    for direction in table.directions:
        if direction.kind == "apart" and seat.player in direction.players and earlier & direction.players:
            names = ", ".join(sorted(earlier & direction.players))
            return Refused(direction.rule, f"directed not to play together with {names}")
    return None


@dataclass(frozen=True, slots=True)
class Placing:
    """A wager about to be placed: where, for which player, by whose hand, and what is said about it."""

    area: int
    player: str
    """Whose wager it is."""
    by: str
    """Who puts it on the layout: the player, the dealer as instructed, or somebody else."""
    claim: str = ""
    """Any claim of agency, representation or power of attorney."""
    stake_of: str = ""
    """Who is said to have the economic stake in it, where it is not the player."""
    only_helped: bool = False
    """Whether it is physical help alone, without economic benefit, for a player present at the table."""


DEALER: Final = "dealer"
"""Who places a wager for a player as instructed (CSP 5.10)."""


def placing_refused(table: Table[L], placing: Placing, cards: CardStatus, at_us: int) -> Refused | None:
    """Why a wager may not be placed so, if it may not: on whose area, by whose card, by whose hand (CSP 5.8, 16.1).

    Never accepted for another person's sake, whatever agency is claimed (16.1.1) and whoever has the stake (16.1.2).
    Sic Bo lets a player who is present be helped with the hand alone (SIC 1.1, 9.20).
    """
    table = advance(table, at_us).table
    row = table.provisions
    if not 1 <= placing.area <= table.places:
        return Refused(row.sign, f"area: {placing.area}: the table has 1 to {table.places}")
    seat = table.at(placing.area)
    if seat is not None and seat.player != placing.player:
        rule = row.own_card or row.one_wager or row.sign
        return Refused(rule, f"area {placing.area} is {seat.player}'s")
    plays = next((each for each in table.players if each.player == placing.player), None)
    # CSP 5.8, TCP 5.6, FCP 5.5: on one hand; WAR 5.6: on the areas the player has.
    if plays is not None and placing.area not in plays.areas:
        rule = row.one_hand or row.several or row.sign
        return Refused(rule, f"{placing.player} plays on area {', '.join(map(str, plays.areas))}")
    closed = _closed(table, placing.area, cards)
    return closed or _proxy(table, placing)


def _proxy(table: Table[L], placing: Placing) -> Refused | None:
    """Why a wager is one for or on behalf of another person, if it is (CSP 16.1, TCP 14.1, SIC 9.1, 9.20)."""
    row, for_another = table.provisions, placing.by not in {placing.player, DEALER}
    rule = row.own_card or ("carded_play" if table.settings.carded_play == "all_games" else None)
    if rule is None:
        return None
    part = f"{rule}.{{}}" if row.own_card else rule
    if placing.stake_of and placing.stake_of != placing.player:
        # CSP 16.1.2, TCP 14.1.2, SIC 9.1.2: it is invalid irrespective of who has the economic stake.
        return Refused(
            part.format(2), f"{placing.stake_of} has the stake in it, and plays with no card of his own here"
        )
    if for_another and placing.claim.strip():
        # CSP 16.1.1, TCP 14.1.1, SIC 9.1.1: it is invalid irrespective of any claim of agency.
        return Refused(part.format(1), f"placed on behalf of another, whatever is claimed: {placing.claim.strip()}")
    present = any(each.player == placing.player for each in table.players)
    # SIC 9.20, 1.1: no proxy betting, but physical help for a player who is there.
    if for_another and not (row.proxy is not None and placing.only_helped and present):
        return Refused(row.proxy or rule, f"{placing.by} places it for or on behalf of {placing.player}")
    return None


def refuse_wager(table: Table[L], area: int, wager: str, cents: int, person: str, grounds: str, at_us: int) -> Step[L]:
    """Refuse a wager before the first card, on reasonable grounds that are written down (CSP 16.12).

    The felt takes it off the layout. Raises ``ActRefused`` once the round has begun, without a name or grounds, and in
    a book without the rule (Casino War).
    """
    step = advance(table, at_us)
    rule = table.provisions.refuse
    if rule is None:
        raise ActRefused(table.book, "no rule of this book lets a supervisor refuse a wager")
    # CSP 16.12, TCP 14.12, FCP 14.11: before the first card; SIC 9.16: before the call of no more bets, which the felt
    # knows. On grounds that are kept.
    if step.table.state == "in_round" and not step.table.provisions.refuse_in_round:
        raise ActRefused(rule, "the first card was removed: a wager is refused before it")
    named(rule, person=person, grounds=grounds)
    seat = step.table.at(area)
    entry = Entry(
        "refused_wager", at_us, rule, person, grounds, "" if seat is None else seat.player, area, wager, cents
    )
    return Step(step.table, step.told, (entry,), (Move("refuse_wager", area, wager),))


def begin_round(table: Table[L], at_us: int) -> Step[L]:
    """Begin a round of play: the first card leaves the shoe or device, or the tumbler runs."""
    step = advance(table, at_us)
    if step.table.state != "open":
        raise ActRefused(table.provisions.close, f"the table is {step.table.state.replace('_', ' ')}")
    return Step(replace(step.table, state="in_round"), step.told)


def end_round(table: Table[L], wagered: frozenset[int], at_us: int) -> Step[L]:
    """End a round of play in which these seats wagered, and count who abstained at a full table (CSP 16.10).

    Always three in a row, each with all other seats in use; a round with a free seat begins the count anew.
    """
    step = advance(table, at_us)
    table, rule = step.table, table.provisions.abstain
    if table.state != "in_round":
        raise ActRefused(rule, "no round of play is in progress")
    full = not table.free()
    players = tuple(
        [
            replace(each, idle_rounds=each.idle_rounds + 1 if full and not wagered & set(each.areas) else 0)
            for each in table.players
        ]
    )
    told = [
        Due("casino supervisor", rule, f"may ask {each.player} to vacate box {each.box}")
        for each in players
        if each.idle_rounds == 3
    ]
    return Step(replace(table, state="open", players=players), (*step.told, *told))
