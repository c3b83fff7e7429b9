"""What people do around the round at a hosted table: each act by its name, what it takes, its rule, and its effect.

The effect on limits and people is ``rules.tables``'s; here it meets the felt: a player who is put out takes the wagers
off, one who leaves hands on no direction, a table is closed when nothing lies on it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules.tables import Provisions
from tablelink.core.floor import colour_checks, limiting, seating, supervising
from tablelink.core.floor.earlier import EARLIER, earlier_payment_error
from tablelink.core.floor.effects import Changed
from tablelink.core.floor.given import Act
from tablelink.core.floor.reports import invalidated_rule, paid_rule
from tablelink.core.floor.value import Floor


@dataclass(frozen=True, slots=True)
class Row:
    """An act: what is typed after its name, what it does, by which rule, and how."""

    usage: str
    about: str
    rule: Callable[[Provisions], str | None]
    """The clause of the table's book; ``None`` where it has none, and the act is refused there."""
    do: Callable[[Floor, Act, int], Changed]
    """The table after it, at a moment; raises ``ActRefused``, ``MoveRefused`` or ``NotUnderstood``."""


def _both(first: str, second: str) -> Callable[[Provisions], str | None]:
    return lambda row: getattr(row, first) or getattr(row, second)


def _of(name: str) -> Callable[[Provisions], str | None]:
    return lambda row: getattr(row, name)


def _only(book: str, clause: str) -> Callable[[Provisions], str | None]:
    return lambda row: f"{book} {clause}" if row.book == book else None


def _collusion(row: Provisions) -> str | None:
    return {"CSP": "CSP 14.13", "TCP": "TCP 12.11", "FCP": "FCP 12.12"}.get(row.book)


def _first(row: Provisions) -> str:
    return f"{row.book} 1.1"


def _paid(row: Provisions) -> str:
    return paid_rule(row.book)


def _invalidated(row: Provisions) -> str:
    return invalidated_rule(row.book)


ACTS: Final[Mapping[str, Row]] = MappingProxyType(
    {
        "open": Row(
            "[SEATS] [shoe|shuffler] [low_limit] [tournament] [cashless] [no_drop_box] [touch_screen] [AMOUNT] by NAME",
            "open the table; AMOUNT is its smallest chip",
            _of("sign"),
            limiting.open_,
        ),
        "end_round": Row("", "state the round, and go to the next", _first, supervising.end_round_),
        "join": Row(
            "PLAYER AREA [CARD]", "let a player sit down; CARD as in card", _both("card", "sign"), seating.join_
        ),
        "card": Row(
            "PLAYER CARD",
            "a card is valid, not_own, suspended, excluded, limit_reached or unknown",
            _both("card", "device"),
            seating.card,
        ),
        "leave": Row("PLAYER", "a player leaves", _both("marker_goes", "sign"), seating.leave_),
        "change": Row("PLAYER AREA", "a player changes to a free seat", _of("sign"), seating.change),
        "take": Row("PLAYER AREA", "a player takes one more area", _of("several"), seating.take_),
        "give_up": Row("PLAYER AREA", "a player gives up one of several areas", _of("give_up"), seating.give_up),
        "wait": Row("PLAYER", "somebody waits for a seat", _of("give_up"), seating.wait),
        "reserve": Row("PLAYER AREA... by NAME", "reserve areas for a player", _of("reserve"), seating.reserve_),
        "players": Row("AREA by NAME", "limit how many may play", _of("player_number"), seating.players),
        "ask_for_seat": Row("PLAYER by NAME", "ask who abstained to vacate", _of("abstain"), seating.ask),
        "alter": Row("FIELD=AMOUNT... by NAME", "alter limits; no minimum rises", _of("alter"), limiting.alter_),
        "raise": Row(
            "FIELD=AMOUNT... by NAME", "raise a minimum at once, for newcomers", _of("raise_at_once"), limiting.raise_
        ),
        "sign": Row(
            "FIELD=AMOUNT... [in MINUTES] by NAME", "show the sign of new limits ahead", _of("alter"), limiting.sign
        ),
        "old_sign": Row(
            "FIELD=AMOUNT... [in MINUTES] by NAME",
            "show that the old minimum rises",
            _of("old_minimum"),
            limiting.old_sign,
        ),
        "take_down": Row(
            "minimum|old_minimum|closing by NAME", "take a sign down before its time", _of("alter"), limiting.down
        ),
        "own": Row(
            "PLAYER FIELD=AMOUNT... by NAME", "give a player limits of his own", _of("own_limits"), limiting.own
        ),
        "end_own": Row("PLAYER by NAME", "take those away again", _of("own_limits"), limiting.end_own),
        "closing": Row("[in MINUTES] by NAME", "show the time of closure", _of("close"), limiting.closing),
        "close": Row("by NAME", "close the table", _of("close"), limiting.close_),
        "deal_from": Row(
            "shoe|shuffler by NAME", "deal from another device", _both("low_limit", "sign"), limiting.deal_from
        ),
        "cash": Row(
            "on|off [no_drop_box] by NAME", "take cash, or be cashless", _both("cashless", "drop_box"), limiting.cash
        ),
        "refuse_wager": Row(
            "AREA WAGER by NAME because WHY", "refuse a wager on grounds", _of("refuse"), supervising.refuse
        ),
        "direct": Row(
            "play_first|apart|english_only [PLAYER...] by NAME because WHY",
            "direct against collusion",
            _collusion,
            supervising.direct_,
        ),
        "find_device": Row(
            "PLAYER MEASURE... [on_duty] [only_possessed] by NAME because WHY",
            "void_wagers, out_of_game, out_of_casino, detain",
            _of("device"),
            supervising.device,
        ),
        "find_ineligible": Row(
            "PLAYER minor|excluded by NAME because WHY",
            "put out who may not play",
            lambda row: f"{row.device_measures}.3",
            supervising.ineligible,
        ),
        "find_employee": Row(
            "PLAYER rejected|paid by NAME because WHY",
            "decide on an employee's wager",
            _of("employee"),
            supervising.employee,
        ),
        "forfeit": Row(
            "AREA by NAME because WHY", "direct that wagers be forfeited", _invalidated, supervising.forfeit
        ),
        "payment_error": Row(
            "AREA WAGER AMOUNT [owed=AMOUNT] [suspected] [identified] [rectified|attempted|brought_to_nicc] by NAME",
            "AMOUNT was handed over, before the round is stated",
            _paid,
            supervising.payment_error,
        ),
        EARLIER: Row(
            "ROUND AREA WAGER AMOUNT [owed=AMOUNT] [suspected] [identified] [rectified|...] by NAME",
            "payment_error, found after that round was stated",
            _paid,
            earlier_payment_error,
        ),
        "loss_limit": Row(
            "AREA AMOUNT", "what the card says of a player's Loss Limit", _only("SIC", "9.2"), supervising.loss_limit
        ),
        "colours": Row(
            "COLOUR... by NAME", "put a set of colour checks on the table", _only("SIC", "3.5"), supervising.colours
        ),
        "exchange_checks": Row(
            "AMOUNT TABLE [closed] by NAME",
            "redeem colour checks of another table, which is closed",
            _only("SIC", "3.7"),
            colour_checks.exchange,
        ),
        "dispute": Row("LABEL WORDS by NAME", "a dispute is raised by NAME", _of("dispute"), supervising.dispute),
        "decide": Row(
            "LABEL game|casino [absent] WORDS by NAME because WHY",
            "decide it first",
            _of("dispute"),
            supervising.decide,
        ),
        "ask_review": Row("LABEL by NAME", "ask for a review", _of("dispute"), supervising.ask_for_review),
        "review": Row(
            "LABEL game|casino WORDS by NAME because WHY", "review it, finally", _of("final"), supervising.review
        ),
        "advise": Row("LABEL PLAYER by NAME", "advise of the right to complain", _of("final"), supervising.advise_),
        "dealer": Row("NAME", "who deals from now on", _first, supervising.dealer),
    }
)
"""Every act by its name."""

PARTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "open": ("words",),
        "end_round": (),
        "join": ("player", "area", "word?"),
        "card": ("player", "word"),
        "leave": ("player",),
        "change": ("player", "area"),
        "take": ("player", "area"),
        "give_up": ("player", "area"),
        "wait": ("player",),
        "reserve": ("player", "areas"),
        "players": ("area",),
        "ask_for_seat": ("player",),
        "alter": ("sign",),
        "raise": ("sign",),
        "sign": ("sign",),
        "old_sign": ("sign",),
        "take_down": ("word",),
        "own": ("player", "sign"),
        "end_own": ("player",),
        "closing": (),
        "close": (),
        "deal_from": ("word",),
        "cash": ("words",),
        "refuse_wager": ("area", "word"),
        "direct": ("words",),
        "find_device": ("player", "words"),
        "find_ineligible": ("player", "word"),
        "find_employee": ("player", "word"),
        "forfeit": ("area",),
        "payment_error": ("area", "word", "cents", "extras?"),
        EARLIER: ("label", "area", "word", "cents", "extras?"),
        "loss_limit": ("area", "cents"),
        "colours": ("words",),
        "exchange_checks": ("cents", "words"),
        "dispute": ("label", "text"),
        "decide": ("label", "word", "text"),
        "ask_review": ("label",),
        "review": ("label", "word", "text"),
        "advise": ("label", "player"),
        "dealer": ("player",),
    }
)
"""What each act takes after its name, part by part, in the order in which it is typed."""


def act(floor: Floor, given: Act, at_us: int) -> Changed:
    """The table after an act; raises ``ActRefused``, ``MoveRefused`` or ``NotUnderstood``."""
    return ACTS[given.name].do(floor, given, at_us)
