"""How limits change, and how a hosted table that people drive opens and closes."""

from dataclasses import fields, replace
from typing import Any, Final

from rules.games import GAMES
from rules.games.sic_bo import Felt as DiceFelt
from rules.games.sic_bo import Limits as DiceLimits
from rules.limits import LARGEST_WAGER_CENTS
from rules.rounds import HIGHEST_SEAT, Device
from rules.tables import (
    NOTICE_US,
    ActRefused,
    Entry,
    Table,
    alter,
    change_device,
    close,
    end_own_limits,
    give_own_limits,
    open_table,
    raise_at_once,
    set_cash,
    show_closing,
    show_minimum,
    show_old_minimum,
    take_down,
    wagered,
)
from rules.tables.books import MINUTE_US
from rules.tables.table import named
from tablelink.core.floor.effects import Changed, fresh, one_of, only, player_of, stepped
from tablelink.core.floor.given import Act, NotUnderstood
from tablelink.core.floor.value import Floor, Opened, new_felt, shared

_CENTS: Final = "_cents"
_SIGNS: Final = ("minimum", "old_minimum", "closing")


def open_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Open a closed table by what is approved for it: nobody plays, no sign proposes anything, the cards are new."""
    row, words = floor.around.provisions, list(act.words)
    if floor.around.state != "closed":
        raise ActRefused(row.sign, "the table is open")
    named(row.sign, person=act.person)
    places = act.areas[0] if act.areas else floor.around.places
    if not 1 <= places <= HIGHEST_SEAT:
        raise NotUnderstood("areas", str(places), "a table has 1 to 9 seats")
    said = only(act, "shoe", "shuffler", "low_limit", "tournament", "cashless", "no_drop_box", "touch_screen")
    chip = 1 if act.cents is None else act.cents
    if not 1 <= chip <= LARGEST_WAGER_CENTS:
        raise NotUnderstood("cents", str(chip), "no chip")
    terms = floor.terms
    device: Device = "shoe" if "shoe" in said else "shuffler"
    around = open_table(
        Table(
            floor.around.book,
            terms.limits,
            at_us,
            places=places,
            settings=shared(terms.settings),
            device=device,
            low_limit="low_limit" in said,
            tournament="tournament" in said,
            super_streak="super_streak" in getattr(terms.limits, "offered", ()),
            takes_cash="cashless" not in said,
            drop_box="no_drop_box" not in said,
        )
    )
    felt = new_felt(floor.game, terms, Opened(places, device, chip, touch_screen="touch_screen" in said))
    at = floor.at if floor.stated else floor.play.begin(felt)  # Play that was stopped stays so (SIC 8.8).
    edition = GAMES[floor.game].edition
    entry = Entry("opened", at_us, row.sign, act.person, " ".join([f"edition {edition}", *words]))
    return Changed(replace(floor, around=around, at=at, cards={}, forfeits=(), left=frozenset()), (), (entry,))


def signed(sign: Any, act: Act, rule: str) -> Any:
    """A sign with the amounts that an act names.

    Raises ``NotUnderstood`` for a field that the sign has not, ``ActRefused`` by a rule where no wager could comply.
    """
    if not act.sign:
        raise NotUnderstood("sign", "", "missing: which amounts change, as ante_min=25")
    changes: dict[str, Any] = {}
    for name, cents in act.sign.items():
        if isinstance(sign, DiceLimits):
            _dice_change(sign, changes, name, cents)
        else:
            known = [each.name for each in fields(sign)]
            if name + _CENTS not in known:
                shown = ", ".join(each.removesuffix(_CENTS) for each in known)
                raise NotUnderstood("sign", name, f"no amount of this sign; known are {shown}")
            if cents is None and not name.endswith("_max"):
                raise NotUnderstood("sign", name, "a sign states a minimum and a unit")
            changes[name + _CENTS] = cents
    try:
        return replace(sign, **changes)
    except ValueError as error:
        raise ActRefused(rule, str(error)) from None


def _dice_change(sign: DiceLimits, changes: dict[str, Any], name: str, cents: int | None) -> None:
    """Add to the changes of a Sic Bo sign what a name of it says: ``table_min``, ``total_max``, ``streak``."""
    if name in {"player_max", "streak"}:
        changes[name + _CENTS] = cents
        return
    row, _, column = name.rpartition("_")
    if column not in {"min", "max", "unit"} or not row:
        raise NotUnderstood("sign", name, "no amount of this sign; known are ROW_min, ROW_max, ROW_unit, as table_min")
    amounts = dict(changes.get(column + _CENTS) or getattr(sign, column + _CENTS))
    amounts.pop(row, None)
    changes[column + _CENTS] = amounts if cents is None else {**amounts, row: cents}


def alter_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Alter limits at once, none of them a minimum that rises."""
    around = floor.around
    return stepped(floor, alter(around, signed(around.sign, act, around.provisions.alter), act.person, at_us))


def raise_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Raise a minimum at once for newcomers; who plays already keeps the old one, with a marker."""
    around = floor.around
    rule = around.provisions.raise_at_once or around.provisions.alter
    return stepped(floor, raise_at_once(around, signed(around.sign, act, rule), act.person, at_us))


def _proposed_us(act: Act, at_us: int) -> int:
    """The proposed time of a sign: 20 minutes ahead where it is not said."""
    return at_us + (NOTICE_US if act.minutes is None else act.minutes * MINUTE_US)


def sign(floor: Floor, act: Act, at_us: int) -> Changed:
    """Show the sign of the table's new limits, with the proposed time."""
    around = floor.around
    limits = signed(around.sign, act, around.provisions.alter)
    return stepped(floor, show_minimum(around, limits, _proposed_us(act, at_us), act.person, at_us))


def old_sign(floor: Floor, act: Act, at_us: int) -> Changed:
    """Show the sign that says what the minimum of who plays by an old one becomes."""
    around = floor.around
    old = next((each.old for each in around.players if each.old is not None), around.sign)
    limits = signed(old, act, around.provisions.old_minimum or around.provisions.alter)
    return stepped(floor, show_old_minimum(around, limits, _proposed_us(act, at_us), act.person, at_us))


def down(floor: Floor, act: Act, at_us: int) -> Changed:
    """Take down a sign before its time."""
    what: Any = one_of(act, 0, *_SIGNS)
    return stepped(floor, take_down(floor.around, what, act.person, at_us))


def own(floor: Floor, act: Act, at_us: int) -> Changed:
    """Let a player wager above the stated maximum, by a sign of his own."""
    around = floor.around
    who = player_of(around, act.player)
    base = around.sign if who is None else who.own or who.old or around.sign
    rule = around.provisions.own_limits or around.provisions.sign
    return stepped(floor, give_own_limits(around, act.player, signed(base, act, rule), act.person, at_us))


def end_own(floor: Floor, act: Act, at_us: int) -> Changed:
    """Take away the sign with a player's own limits."""
    return stepped(floor, end_own_limits(floor.around, act.player, act.person, at_us))


def closing(floor: Floor, act: Act, at_us: int) -> Changed:
    """Show the proposed time of closure."""
    return stepped(floor, show_closing(floor.around, _proposed_us(act, at_us), act.person, at_us))


def close_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Close the table, on which no wager lies."""
    felt, row = floor.at.felt, floor.around.provisions
    if wagered(felt) and not floor.stated:
        raise ActRefused(row.close, "wagers lie on the layout")
    streaks = len(felt.still_open) if isinstance(felt, DiceFelt) else 0
    changed = stepped(floor, close(floor.around, act.person, at_us, streaks))
    at = floor.at if floor.stated else fresh(floor)
    return replace(changed, floor=replace(changed.floor, at=at, cards={}))


def deal_from(floor: Floor, act: Act, at_us: int) -> Changed:
    """Deal from a shoe or a shuffling device from now on, with cards that are checked anew."""
    device: Any = one_of(act, 0, "shoe", "shuffler")
    rule = floor.around.provisions.low_limit or floor.around.provisions.sign
    if isinstance(floor.at.felt, DiceFelt):
        raise ActRefused(rule, "a game of dice is dealt from nothing")
    if wagered(floor.at.felt):
        raise ActRefused(rule, "wagers lie on the layout")
    changed = stepped(floor, change_device(floor.around, device, act.person, at_us))
    felt = replace(floor.at.felt, device=device)
    return replace(changed, floor=replace(changed.floor, at=floor.play.begin(felt)))


def cash(floor: Floor, act: Act, at_us: int) -> Changed:
    """Take cash at the table, or be cashless; the drop box may go while it is."""
    said = only(act, "on", "off", "no_drop_box")
    takes = one_of(act, 0, "on", "off") == "on"
    step = set_cash(floor.around, takes_cash=takes, drop_box="no_drop_box" not in said, person=act.person, at_us=at_us)
    return stepped(floor, step)
