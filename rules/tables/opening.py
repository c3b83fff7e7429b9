"""How a table opens and closes, and what it must have: closing signs, low limit gaming, the drop box.

16.9 and 2.5 of Caribbean Stud, and what the other books have instead.
"""

from dataclasses import replace
from typing import Final, Literal

from rules.limits import Refused
from rules.rounds import Device
from rules.tables.signs import advance, check_notice, clock_text
from rules.tables.table import ActRefused, Due, Entry, L, Posted, Step, Table, named

FINAL_CALL: Final = "SIC 6.6"
"""The rule by which a sign of closing is the final call for Super Streak wagers."""


def open_table(table: Table[L]) -> Table[L]:
    """A table that may open; raises ``ActRefused`` for one that its book does not allow.

    Low limit gaming is offered without tournaments and from a shuffling device alone (TCP 6.7, FCP 6.6); a table that
    takes cash has its drop box (CSP 2.5), which goes only where the book knows cashless tables (2.5.1).
    """
    _check_low_limit(table)
    _check_cash(table)
    return replace(table, state="open", players=(), posted=(), waiting=(), reserved=())


def _check_low_limit(table: Table[L]) -> None:
    row = table.provisions
    if not table.low_limit:
        return
    if row.low_limit is None:
        raise ActRefused(row.sign, "low limit gaming is not offered in this book")
    # TCP 6.7.1, FCP 6.6.1
    if table.tournament:
        raise ActRefused(f"{row.low_limit}.1", "tournament play is not offered with low limit gaming")
    # TCP 6.7.2, FCP 6.6.2
    if table.device == "shoe":
        raise ActRefused(f"{row.low_limit}.2", "all cards are dealt from a shuffling device in low limit gaming")


def change_device(table: Table[L], device: Device, person: str, at_us: int) -> Step[L]:
    """Deal from a shoe or a shuffling device from now on; a low limit table from a device alone (TCP 6.7.2, FCP 6.6.2).

    Raises ``ActRefused`` during a round of play too.
    """
    step = advance(table, at_us)
    rule = table.provisions.low_limit or table.provisions.sign
    named(rule, person=person)
    if step.table.state == "in_round":
        raise ActRefused(rule, "a round of play is in progress")
    changed = replace(step.table, device=device)
    _check_low_limit(changed)
    return Step(changed, step.told, (Entry("device_changed", at_us, rule, person, f"deals from a {device}"),))


def _check_cash(table: Table[L]) -> None:
    row = table.provisions
    if not table.takes_cash and row.cashless is None:
        raise ActRefused(row.drop_box, "this book knows no cashless table")
    # CSP 2.5, 2.5.1; TCP 2.4, 2.4.1; FCP 2.4; WAR 2.5; SIC 2.7.3, 2.7.3.1
    if not table.drop_box and (table.takes_cash or row.cashless is None):
        raise ActRefused(row.drop_box, "a table that takes cash has a drop box attached")


def set_cash(table: Table[L], *, takes_cash: bool, drop_box: bool, person: str, at_us: int) -> Step[L]:
    """Make a table cashless, or take cash again; the drop box may be removed while it is cashless (CSP 2.5, 2.5.1)."""
    step = advance(table, at_us)
    rule = table.provisions.cashless or table.provisions.drop_box
    named(rule, person=person)
    changed = replace(step.table, takes_cash=takes_cash, drop_box=drop_box)
    _check_cash(changed)
    words = f"{'takes cash' if takes_cash else 'cashless'}, {'with' if drop_box else 'without'} a drop box"
    return Step(changed, step.told, (Entry("cash", at_us, rule, person, words),))


def purchase_refused(table: Table[L], means: Literal["cash", "terminal"]) -> Refused | None:
    """Why chips may not be bought so at a table, if they may not: at a cashless one only through its terminal (1.1)."""
    if means == "cash" and not table.takes_cash:
        return Refused(table.provisions.cashless or table.provisions.drop_box, "the table is cashless")
    return None


def show_closing(table: Table[L], closes_us: int, person: str, at_us: int) -> Step[L]:
    """Show the proposed time of closure, 20 minutes ahead (CSP 16.9); with Super Streak its final call (SIC 6.6)."""
    step = advance(table, at_us)
    table, row = step.table, table.provisions
    rule = FINAL_CALL if table.super_streak else row.close
    named(rule, person=person)
    if table.state == "closed":
        raise ActRefused(rule, "the table is closed")
    check_notice(rule, closes_us, at_us)
    if any(each.what == "closing" for each in table.posted):
        raise ActRefused(rule, "a sign of closing is on display: it is taken down first")
    told = (
        (Due("dealer", FINAL_CALL, "announces the final call for Super Streak wagers"),) if table.super_streak else ()
    )
    shown = replace(table, posted=(*table.posted, Posted("closing", at_us, closes_us)))
    return Step(shown, (*step.told, *told), (Entry("sign", at_us, rule, person, "closing"),))


def close(table: Table[L], person: str, at_us: int, streaks_in_play: int = 0) -> Step[L]:
    """Close a table: at which nobody plays at any time, with players once the sign's time has come (CSP 16.9).

    Never during a round of play, nor while a Super Streak wager remains in play (SIC 6.6). Everybody leaves: no marker,
    own sign or reservation is left.
    """
    step = advance(table, at_us)
    table, row = step.table, table.provisions
    rule = FINAL_CALL if table.super_streak else row.close
    named(rule, person=person)
    if table.state != "open":
        raise ActRefused(rule, f"the table is {table.state.replace('_', ' ')}")
    if streaks_in_play:
        raise ActRefused(FINAL_CALL, "Super Streak wagers remain in play until a result has been determined")
    sign = next((each for each in table.posted if each.what == "closing"), None)
    # CSP 16.9, TCP 14.9, FCP 14.8, WAR 13.8, SIC 9.13: with players present only at the time a sign has shown.
    if table.players and sign is None:
        raise ActRefused(rule, "players are present: a sign shows the time of closure 20 minutes before")
    if table.players and sign is not None and at_us < sign.at_us:
        left = clock_text(
            sign.at_us - at_us + 999_999
        )  # Up to the next second: it is never told as come before it has.
        raise ActRefused(rule, f"the proposed time of closure is {left} min ahead")
    closed = replace(table, state="closed", players=(), posted=(), waiting=(), reserved=())
    return Step(closed, step.told, (Entry("closed", at_us, rule, person, "closed"),))
