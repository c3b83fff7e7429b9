"""What people report of the round at a hosted table they drive, so that its record tells it: who is notified, by when,
what goes on the month's lists, whose invalid stakes were kept and why.

What stands although it went wrong is read off the moves; payments and reasons are people's word.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final
from zoneinfo import ZoneInfo

from rules.directions import Forfeit
from rules.irregularities import BOOKS, irregularity
from rules.irregularities.rows import gaming_day, notices_due
from rules.play import Move, MoveRefused
from rules.records.directions import forfeit_records
from rules.records.forms import InvalidWagersRecord, PaymentErrorRecord
from rules.records.reports import notice_records
from rules.tables import Due
from tablelink.core.floor.given import LONGEST_NAME, Made, NotUnderstood
from tablelink.core.floor.value import Floor, Reports

ZONE: Final = "Australia/Sydney"
"""Where the gaming days and months of the five books' casino end."""
FINDINGS: Final = frozenset(
    (
        *("misdeal", "misdealt_dealer", "void_round", "void_hand", "void_wagers", "invalidate", "find_invalid"),
        *("device_failed", "device_fails", "expose", "expose_dealer", "find_bet", "lose_track", "discard_hand"),
        *("reshuffle", "burn_faced", "deal_misplaced", "reconstruct", "not_reconstructed", "too_many_cards"),
        *("extra_card", "forget_cut", "forget_burn", "forget_shuffle", "forget_discards", "die_not_flat"),
        *("tumbler_failed", "not_activated", "dice_exposed", "broken", "button_not_pressed", "find_loss_limit"),
        *("disregard_display", "light_wrongly"),
    )
)
"""The moves by which something is found wrong."""
_STANDS: Final = {"expose": "card_exposed", "discard_hand": "hand_at_an_empty_area", "reshuffle": "shuffle_failed"}
_NOTIFIED: Final[Mapping[str, str]] = MappingProxyType({"void_round": "foreign_card", "light_wrongly": "wrongly_lit"})
"""The moves by which something is found that somebody is notified of at once, and its kind."""
_INVALID: Final = "find_invalid"
_FRACTION: Final = re.compile(r"\.[0-9]+")
"""What of a moment is less than a second, which nobody reads."""


def paid_rule(book: str) -> str:
    """The rule on payments that are not what they must be; in a book without one it is the table's ruling.

    >>> paid_rule("TCP"), paid_rule("WAR")
    ('TCP 12.13', 'carded_play')
    """
    row = BOOKS[book].get("payment_error")
    return "carded_play" if row is None else row.rule


def invalidated_rule(book: str) -> str:
    """The rule on the wagers of a round whose outcome is invalidated: they go back, or are forfeited.

    >>> invalidated_rule("CSP"), invalidated_rule("FCP")
    ('CSP 16.6', 'FCP 14.5')
    """
    return irregularity(book, "invalidated").clause


def reported(floor: Floor, given: Made, move: Move, at_us: int) -> Reports:
    """What is reported of the round once a move is made.

    Raises ``MoveRefused`` where wagers are found invalid in a round without saying whose, and why.
    """
    reports = floor.reports
    if move.name not in FINDINGS:
        return reports
    kind = _stands(floor, move)
    if kind is not None and kind not in reports.found:
        reports = replace(reports, found=(*reports.found, kind))
    if move.name == _INVALID and floor.begun and move.seat is not None:
        person = given.player or floor.player_at(move.seat)
        for name, said in (("for", person), ("because", given.reason)):
            if not said.strip():
                rule = floor.play.places[move.name]
                raise MoveRefused(move, rule, f"{name}: missing: find_invalid SEAT [for PLAYER] because WHY")
        reports = with_invalid(reports, (move.seat,), person, given.reason)
    return with_moment(reports, at_us)


def with_moment(reports: Reports, at_us: int) -> Reports:
    """What is reported, with the moment by which something wrong was found: the first one stays."""
    return reports if reports.found_us is not None else replace(reports, found_us=at_us)


def _stands(floor: Floor, move: Move) -> str | None:
    """The kind of what went wrong by a move although every wager stands, in the poker books' words."""
    if floor.game in {"sic_bo", "casino_war"}:
        return None
    if move.name != "expose_dealer":
        return _STANDS.get(move.name)
    if floor.game == "four_card_poker":
        return "card_exposed"
    in_deal = floor.game == "caribbean_stud" and floor.at.state == "dealing"
    return "dealer_card_exposed_in_deal" if in_deal else "dealer_cards_exposed"


def with_invalid(reports: Reports, areas: tuple[int, ...], person: str, reason: str) -> Reports:
    """What is reported, with wagers that were found invalid: whose, and why; raises ``NotUnderstood``."""
    check_reason(reason)
    others = [each for each in reports.invalid if each.seat not in areas]
    return replace(reports, invalid=(*others, *(InvalidWagersRecord(area, person, reason) for area in areas)))


def check_reason(reason: str) -> None:
    """Refuse a reason that a record cannot carry; raises ``NotUnderstood``."""
    if len(reason) > LONGEST_NAME:
        raise NotUnderstood("reason", reason, f"longer than the {LONGEST_NAME} characters of a record")


def with_payment(reports: Reports, error: PaymentErrorRecord, at_us: int) -> Reports:
    """What is reported, with a payment that was not what the settlement says."""
    return with_moment(replace(reports, payments=(*reports.payments, replace_day(error, at_us))), at_us)


def replace_day(error: PaymentErrorRecord, at_us: int) -> PaymentErrorRecord:
    """A payment error with the gaming day on which the casino became aware of it."""
    dated: PaymentErrorRecord = with_fields(error, day=gaming_day(_moment(at_us)).isoformat())
    return dated


def with_reports(record: Any, reports: Reports, forfeits: tuple[Forfeit, ...]) -> Any:
    """The record of a round with what was reported of it; of invalid wagers those that its seats are void for."""
    changes: dict[str, Any] = {}
    if forfeits:
        changes["forfeits"] = forfeit_records(forfeits)
    if reports.found_us is not None:
        changes["found_at"] = _moment(reports.found_us).isoformat()
    if reports.payments:
        changes["payment_errors"] = reports.payments
    invalid = {seat.seat for seat in record.seats or () if getattr(seat, "void_for", None) == "invalid"}
    kept = tuple([each for each in reports.invalid if each.seat in invalid])
    if kept:
        changes["invalid_wagers"] = kept
    if reports.found and getattr(record, "void_by", None) is None:
        changes["found"] = reports.found
    return with_fields(record, **changes) if changes else record


def told_when_found(floor: Floor, move: Move, at_us: int) -> tuple[Reports, tuple[Due, ...]]:
    """Who must be notified at once of what a move finds, told as it is found (CSP 14.9.4, TCP 12.9.4, FCP 12.10.4).

    Also WAR 11.17.4 and SIC 8.8. Always once in a round: gives the reports with what is told now.
    """
    kind = _NOTIFIED.get(move.name)
    if kind is None:
        return floor.reports, ()
    owed = notice_records(tuple(notices_due(irregularity(floor.around.book, kind), _moment(at_us))))
    dues = tuple(notified(owed, floor.reports))
    return replace(floor.reports, told=(*floor.reports.told, *(each.rule for each in dues))), dues


def notified(notices: Iterable[Any], reports: Reports) -> Iterator[Due]:
    """Who must be notified of what went wrong in a round, as people are told: within what, and by when where known.

    Never again what they were told of when it was found.
    """
    for each in notices:
        if each.rule in reports.told:
            continue
        by = "" if each.by is None else f", by {_FRACTION.sub('', each.by)}"
        within = "at once" if each.within == "at_once" else "at the end of the month"
        yield Due(each.to, each.rule, f"to be notified {within}{by}")


def with_fields(record: Any, **changes: Any) -> Any:
    """A record, or a part of one, with other fields."""
    return type(record)(**{name: getattr(record, name) for name in record.__struct_fields__} | changes)


def _moment(at_us: int) -> datetime:
    """A moment in the casino's own time."""
    seconds, micros = divmod(at_us, 1_000_000)
    return datetime.fromtimestamp(seconds, ZoneInfo(ZONE)).replace(microsecond=micros)
