"""The irregularities of Sic Bo: rule 8, and 9.8 to 9.10. ``layout`` is every wager but a Super Streak."""

from typing import Final

from rules.irregularities.rows import Irregularity, Notice

ALL: Final = ("layout", "super_streak")
_LAYOUT: Final = ("layout",)
_STREAK: Final = ("super_streak",)
_MONTH_END: Final = Notice(
    "the NICC", "SIC 8.13", "month_end", "the NICC is informed at the end of the month", "awareness"
)
_AT_ONCE: Final = Notice(
    "an inspector",
    "SIC 8.8",
    words="an inspector is notified at once; no play until the fault is rectified",
    since="malfunction",
)


def _no_result(kind: str, rule: str) -> Irregularity:
    return Irregularity(kind, rule, "round", _LAYOUT, _STREAK, by="SIC 8.6")


ROWS: Final = (
    _no_result("die_not_flat", "SIC 8.1"),
    _no_result("tumbler_failed", "SIC 8.2"),
    _no_result("not_activated", "SIC 8.3"),
    _no_result("dice_exposed", "SIC 8.3"),
    _no_result("button_not_pressed", "SIC 8.4"),
    _no_result("broken", "SIC 8.5"),
    Irregularity("wrongly_lit", "SIC 8.7", stands=_LAYOUT, notices=(_AT_ONCE,), ruling="terminated_short"),
    Irregularity("display_wrong", "SIC 8.9", stands=ALL, then=("the display is disregarded (SIC 8.9)",)),
    Irregularity("payment_error", "SIC 8.10", "player", stands=ALL, notices=(_MONTH_END,), listed="SIC 8.13"),
    Irregularity("payment_error_suspected", "SIC 8.11", "player", stands=ALL, notices=(_MONTH_END,), listed="SIC 8.13"),
    Irregularity("invalid_before_the_round", "SIC 8.14.1", "player", ALL),
    Irregularity("invalid", "SIC 8.14.2", "player", ruling="invalid_losing"),
    Irregularity("invalid_before", "SIC 8.14.3", "player", stands=ALL),
    Irregularity("loss_limit_exceeded", "SIC 8.15", "player", by="SIC 8.15.1", ruling="loss_limit_excess"),
    Irregularity("prohibited_device", "SIC 9.8", "player", ALL, by="SIC 9.8.1"),
    Irregularity("invalidated", "SIC 9.9", "round", _LAYOUT, _STREAK, by="SIC 9.10", ruling="refund_invalidated"),
)
