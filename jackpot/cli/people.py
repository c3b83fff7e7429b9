"""Who acts, and why: held to what the acts of two people ask for before the ledger is reached; each raises Refused."""

from jackpot.cli.output import Refused
from jackpot.core.hits import person
from jackpot.core.verdicts import named_twice
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal

__all__ = ["hold_named", "hold_reason", "hold_two", "refused_for"]


def refused_for(refusal: Refusal, value: str = "", words: str = "") -> Refused:
    """Return what says no, with the value in full: in a refusal's own words where none are given that say it better."""
    return Refused(RefusedAnswer(refusal.code, words or refusal.text, refusal.rule, value))


def hold_named(name: str, option: str) -> None:
    """Refuse an act without the name that an option asks for."""
    if not person(name):
        raise refused_for(Refusal.NAME_NEEDED, option)


def hold_two(by: str, with_: str) -> None:
    """Refuse an act of anybody but two people, `--by` and `--with`."""
    hold_named(by, "by")
    hold_named(with_, "with")
    if person(by) == person(with_):
        raise refused_for(Refusal.SAME_PERSON, named_twice(with_))


def hold_reason(reason: str) -> None:
    """Refuse an act without a reason."""
    if not reason.strip():
        raise refused_for(Refusal.REASON_NEEDED, "reason")
