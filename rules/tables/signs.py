"""How limits change at a table: 6.5 and 6.6 of the card games, 4.5 and 4.6 of Sic Bo.

A minimum rises for nobody who plays without a sign shown for 20 minutes: with one shown it rises for the table; at once
it rises for newcomers only, and who was there keeps the pre-existing minimum, which has a sign of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, Generic

from rules.games.sic_bo import layout
from rules.games.sic_bo.sign import Limits as SicBoLimits
from rules.tables.books import NOTICE_US
from rules.tables.table import ActRefused, Due, Entry, L, Player, Posted, Shown, Sign, Step, Table, named

_MIN: Final = "_min_cents"
_MAX: Final = "_max_cents"


def minimums(sign: Sign) -> Mapping[str, int]:
    """The minimum of each area of a sign, by the area's name.

    >>> from rules.games.three_card_poker import Limits
    >>> minimums(Limits(ante_min_cents=1000, pair_plus_min_cents=500))
    {'ante': 1000, 'pair_plus': 500}
    """
    if isinstance(sign, SicBoLimits):
        return {area.wager: sign.least(area) for area in layout.AREAS.values()}
    return {name.removesuffix(_MIN): getattr(sign, name) for name in _names(sign, _MIN)}


def maximums(sign: Sign) -> Mapping[str, int | None]:
    """The maximum of each area of a sign, by the area's name; ``None`` where it states none."""
    if isinstance(sign, SicBoLimits):
        return {area.wager: sign.most(area) for area in layout.AREAS.values()}
    return {name.removesuffix(_MAX): getattr(sign, name) for name in _names(sign, _MAX)}


def _names(sign: Sign, suffix: str) -> Iterator[str]:
    return (each.name for each in fields(sign) if each.name.endswith(suffix))


def raised(before: Sign, after: Sign) -> tuple[str, ...]:
    """The areas whose minimum is higher on a sign than on the one before."""
    least = minimums(before)
    return tuple([area for area, cents in minimums(after).items() if cents > least[area]])


def with_old_minimums(old: L, sign: L) -> L:
    """A sign with the minimum of an older one, and its unit, wherever that is lower; the maximum is the sign's own.

    >>> from rules.limits import Limits
    >>> with_old_minimums(Limits(1000, 50_000, 500), Limits(2500, 100_000, 2500))
    Limits(ante_min_cents=1000, ante_max_cents=100000, ante_unit_cents=500, bet_max_cents=None, jackpot_cents=None)
    """
    changes: dict[str, int] = {}
    for area in raised(old, sign):
        for suffix in (_MIN, "_unit_cents"):
            changes[area + suffix] = getattr(old, area + suffix)
    return replace(sign, **changes)


def with_higher_minimums(old: L, new: L) -> L:
    """The older limits with the minimum of newer ones, and its unit, wherever that is higher."""
    changes: dict[str, int | None] = {}
    for area in raised(old, new):
        for suffix in (_MIN, _MAX, "_unit_cents"):
            changes[area + suffix] = getattr(new, area + suffix)
    return replace(old, **changes)


def advance(table: Table[L], at_us: int) -> Step[L]:
    """The table at a later moment: each change whose proposed time has come has taken effect, in order.

    Never before its time, to the microsecond. Raises ``ValueError`` for a moment before the last one.
    """
    if at_us < table.now_us:
        raise ValueError(f"at_us: {at_us}: before the last act at {table.now_us}")
    told: list[Due] = []
    come = [each for each in table.posted if each.what != "closing" and each.at_us <= at_us]
    for posted in sorted(come, key=lambda each: each.at_us):
        step = _changed(table, posted)
        table = replace(step.table, posted=tuple([each for each in step.table.posted if each != posted]))
        told.extend(step.told)
    return Step(replace(table, now_us=at_us), tuple(told))


def _changed(table: Table[L], posted: Posted[L]) -> Step[L]:
    """The table once the time on a sign has come."""
    limits = table.sign if posted.limits is None else posted.limits
    if posted.what == "minimum":
        return _signed(table, limits)
    # CSP 6.5.2, TCP 6.5.2, FCP 6.5.2, WAR 6.5.2: only a sign of their own lifts the minimum of who plays by an old one.
    lifted = [
        player if player.old is None else replace(player, old=with_higher_minimums(player.old, limits))
        for player in table.players
    ]
    return _signed(replace(table, players=tuple(lifted)), table.sign)


def _signed(table: Table[L], sign: L) -> Step[L]:
    """The table under a sign: a marker goes where the old minimum is no lower than the sign's any more."""
    gone, players = [], []
    for player in table.players:
        old = None if player.old is None else with_old_minimums(player.old, sign)
        if player.old is not None and old == sign:
            gone.append(_marker_goes(table, player))
            old = None
        players.append(replace(player, old=old))
    return Step(replace(table, sign=sign, players=tuple(players)), tuple(gone))


def _marker_goes(table: Table[L], player: Player[L]) -> Due:
    """The marker is removed from the layout (CSP 6.5.1.2)."""
    return Due("dealer", table.provisions.marker_goes or "", f"removes the marker at box {player.box}")


def alter(table: Table[L], sign: L, person: str, at_us: int) -> Step[L]:
    """Alter the limits at once, as may be done at any time except that no minimum rises (CSP 6.5)."""
    step = advance(table, at_us)
    rule = table.provisions.alter
    named(rule, person=person)
    higher = raised(step.table.sign, sign)
    if higher:
        # CSP 6.5, TCP 6.5, FCP 6.5, WAR 6.5, SIC 4.5: at any time, except that no minimum rises so.
        reason = f"the minimum of {', '.join(higher)} rises: a sign shows it 20 minutes before"
        raise ActRefused(rule, reason)
    return _written(_signed(step.table, sign), step.told, Entry("limits", at_us, rule, person, "altered"))


def raise_at_once(table: Table[L], sign: L, person: str, at_us: int) -> Step[L]:
    """Raise a minimum at once, for newcomers; players already there keep the old one, with a marker (CSP 6.5.1).

    Raises ``ActRefused`` in a book without the rule (SIC 4.5), or where no minimum rises.
    """
    step = advance(table, at_us)
    table, row = step.table, table.provisions
    if row.raise_at_once is None:
        raise ActRefused(row.alter, "a minimum rises only with a sign 20 minutes before, in this book")
    named(row.raise_at_once, person=person)
    if not raised(table.sign, sign):
        raise ActRefused(row.raise_at_once, "no minimum rises: the limits are altered")
    told, players = [], []
    for player in table.players:
        # CSP 6.5.1, TCP 6.5.1, FCP 6.5.1, WAR 6.5.1: whoever plays already keeps the minimum that was there.
        old = with_old_minimums(player.old or table.sign, sign)
        if player.old is None:
            where = row.marker_at_box or row.marker or ""
            # CSP 6.5.1.1, TCP 6.5.1.1, FCP 6.5.1.1, WAR 6.5.1.1; of several boxes TCP 6.5.1.3, FCP 6.5.1.3, WAR 6.5.1.3
            told.append(Due("dealer", where, f"places a marker in front of box {player.box}"))
        players.append(replace(player, old=old))
    if players:
        told.append(Due("casino supervisor", row.two_signs or "", "has the signs show the old limits and the new"))
    raised_at_once = Step(replace(table, sign=sign, players=tuple(players)), tuple(told))
    return _written(raised_at_once, step.told, Entry("limits", at_us, row.raise_at_once, person, "raised at once"))


def show_minimum(table: Table[L], sign: L, change_us: int, person: str, at_us: int) -> Step[L]:
    """Show a sign with the table's new limits and the proposed time of change, 20 minutes ahead (CSP 6.5)."""
    return _show(table, "minimum", sign, change_us, person, at_us)


def show_old_minimum(table: Table[L], limits: L, change_us: int, person: str, at_us: int) -> Step[L]:
    """Show a sign with the new minimum of who plays by an old one, 20 minutes ahead (CSP 6.5.2).

    Never a minimum above the table's own.
    """
    row = table.provisions
    if row.old_minimum is None:
        raise ActRefused(row.alter, "nobody plays by an old minimum, in this book")
    now = advance(table, at_us).table
    if all(player.old is None for player in now.players):
        raise ActRefused(row.old_minimum, "nobody plays by an old minimum")
    above = raised(now.sign, limits)
    if above:
        raise ActRefused(row.old_minimum, f"the minimum of {', '.join(above)} would be above the table's")
    return _show(table, "old_minimum", limits, change_us, person, at_us)


def _show(table: Table[L], what: Shown, limits: L, change_us: int, person: str, at_us: int) -> Step[L]:
    step = advance(table, at_us)
    row = table.provisions
    rule = row.alter if what == "minimum" else row.old_minimum or row.alter
    named(rule, person=person)
    check_notice(rule, change_us, at_us)
    if any(each.what == what for each in step.table.posted):
        raise ActRefused(rule, "a sign with a proposed time is on display: it is taken down first")
    posted = Posted(what, at_us, change_us, limits)
    shown = replace(step.table, posted=(*step.table.posted, posted))
    return _written(Step(shown), step.told, Entry("sign", at_us, rule, person, what))


def check_notice(rule: str, proposed_us: int, at_us: int) -> None:
    """Raise ``ActRefused`` where a proposed time is less than 20 minutes ahead."""
    if proposed_us - at_us < NOTICE_US:
        raise ActRefused(rule, f"the proposed time is {clock_text(proposed_us - at_us)} min ahead, not 20 minutes")


def clock_text(us: int) -> str:
    """A time that is left in minutes and whole seconds, what is less than one left out.

    >>> clock_text(599_999_999), clock_text(-1)
    ('9:59', '0:00')
    """
    minutes, seconds = divmod(max(0, us) // 1_000_000, 60)
    return f"{minutes}:{seconds:02}"


def take_down(table: Table[L], what: Shown, person: str, at_us: int) -> Step[L]:
    """Take down a sign before its time: what it proposed does not happen."""
    step = advance(table, at_us)
    row = table.provisions
    rule = {"minimum": row.alter, "old_minimum": row.old_minimum or row.alter, "closing": row.close}[what]
    named(rule, person=person)
    left = tuple([each for each in step.table.posted if each.what != what])
    if left == step.table.posted:
        raise ActRefused(rule, "no such sign is on display")
    return _written(
        Step(replace(step.table, posted=left)), step.told, Entry("sign", at_us, rule, person, f"{what} taken down")
    )


def give_own_limits(table: Table[L], player: str, limits: L, person: str, at_us: int) -> Step[L]:
    """Let a player wager in excess of the stated maximum, on a sign with the player's own limits (CSP 6.6).

    Raises ``ActRefused`` where nothing on it is above the maximum, or its minimum is below what the player has.
    """
    row = table.provisions
    if row.own_limits is None:
        raise ActRefused(row.sign, "no rule of this book gives a player limits of his own")
    step = advance(table, at_us)
    named(row.own_limits, person=person)
    who = step.table.of(player, row.own_limits)
    stated, own = maximums(step.table.sign), maximums(limits)
    # CSP 6.6, TCP 6.6, WAR 6.6, SIC 4.6: the sign is for wagers in excess of the stated maximum.
    if not any(_above(own[area], most) for area, most in stated.items()):
        raise ActRefused(row.own_limits, "no maximum is in excess of the stated one")
    below = raised(limits, who.old or step.table.sign)
    if below:
        raise ActRefused(row.own_limits, f"the minimum of {', '.join(below)} is below the player's at the table")
    told = Due("dealer", row.own_limits, f"places the sign with the limits of box {who.box}")
    return _written(
        Step(step.table.with_player(replace(who, own=limits)), (told,)),
        step.told,
        Entry("limits", at_us, row.own_limits, person, "own limits", player, who.box),
    )


def _above(own: int | None, stated: int | None) -> bool:
    return stated is not None and (own is None or own > stated)


def end_own_limits(table: Table[L], player: str, person: str, at_us: int) -> Step[L]:
    """Take away the sign with a player's own limits: the table's hold again, or the old minimum (CSP 6.6)."""
    row = table.provisions
    rule = row.own_limits or row.sign
    step = advance(table, at_us)
    named(rule, person=person)
    who = step.table.of(player, rule)
    if who.own is None:
        raise ActRefused(rule, f"player: {player}: has no limits of his own")
    return _written(
        Step(step.table.with_player(replace(who, own=None))),
        step.told,
        Entry("limits", at_us, rule, person, "own limits ended", player, who.box),
    )


@dataclass(frozen=True, slots=True)
class OnDisplay(Generic[L]):
    """A sign that must stand at the table now: by which rule, with which limits, for which boxes, from when on."""

    rule: str
    limits: L | None
    boxes: tuple[int, ...] = ()
    """The boxes it is for; none where it is the table's."""
    from_us: int | None = None
    """The proposed time of what it announces."""


def on_display(table: Table[L]) -> tuple[OnDisplay[L], ...]:
    """Every sign that must stand at the table: its limits, the old ones beside them, own ones, and what will change."""
    row = table.provisions
    shown = [OnDisplay(row.sign, table.sign)]
    old: list[L] = []
    for player in table.players:
        if player.old is not None and player.old not in old:
            old.append(player.old)
    for limits in old:
        boxes = tuple([player.box for player in table.players if player.old == limits])
        # CSP 6.5.3, TCP 6.5.3, FCP 6.5.3, WAR 6.5.3: the previous limits stand beside the new.
        shown.append(OnDisplay(row.two_signs or row.sign, limits, boxes))
    own = [player for player in table.players if player.own is not None]
    shown += [OnDisplay(row.own_limits or row.sign, player.own, (player.box,)) for player in own]
    for posted in table.posted:
        rule = {"minimum": row.alter, "old_minimum": row.old_minimum or row.alter, "closing": row.close}[posted.what]
        boxes = markers(table) if posted.what == "old_minimum" else ()
        shown.append(OnDisplay(rule, posted.limits, boxes, posted.at_us))
    return tuple(shown)


def markers(table: Table[L]) -> tuple[int, ...]:
    """The boxes in front of which a marker lies: those whose player is entitled to an old minimum (CSP 6.5.1.1)."""
    return tuple([player.box for player in table.players if player.old is not None])


def _written(step: Step[L], told: tuple[Due, ...], entry: Entry) -> Step[L]:
    return Step(step.table, (*told, *step.told), (*step.written, entry), step.moves)
