"""What is found about an earlier round, once it has its statement: a payment that was not what it came to.

The statement of that round is then told anew, a revision later: with the error, its line for the month's list and who
is notified. **Always** with the wagers as they were settled.
"""

from dataclasses import replace
from typing import Any, Final

from rules.records import RecordError
from rules.rounds import RoundError
from rules.tables import ActRefused
from tablelink.core.floor.effects import Changed
from tablelink.core.floor.given import Act, NotUnderstood
from tablelink.core.floor.reports import notified, paid_rule, replace_day, with_fields
from tablelink.core.floor.supervising import error_entry, error_of
from tablelink.core.floor.value import Floor, Reports
from tablelink.core.hosting import stated

EARLIER: Final = "earlier_payment_error"
"""The act by which a payment error of an earlier round is reported."""


def earlier_payment_error(floor: Floor, act: Act, at_us: int) -> Changed:
    """Report a payment that was not what an earlier round came to (CSP 14.16, TCP 12.13, SIC 8.10).

    Raises ``ActRefused`` for a round that has no statement; ``with_earlier`` says what becomes of the one it has.
    """
    number, rule = round_of(act), paid_rule(floor.around.book)
    if not 1 <= number <= floor.last:
        reason = "it has no statement yet: payment_error" if number == floor.number else "no such round"
        raise ActRefused(rule, f"round: {number}: {reason}")
    return Changed(floor, (), (error_entry(floor, act, error_of(act), at_us),))


def round_of(act: Act) -> int:
    """The number of the earlier round that an act is about; raises ``NotUnderstood``."""
    if not (act.label.isascii() and act.label.isdigit()):
        raise NotUnderstood("round", act.label, "no number")
    return int(act.label)


def with_earlier(changed: Changed, act: Act, record: Any, at_us: int) -> Changed:
    """What ``earlier_payment_error`` led to, with the statement of the round as it is from now on.

    ``record`` is the round as it was stated, ``None`` where it was refused. Raises ``ActRefused`` for an error about no
    wager of it, or one that is none.
    """
    number, rule = round_of(act), paid_rule(changed.floor.around.book)
    if record is None:
        raise ActRefused(rule, f"round: {number}: it was not settled")
    errors = (*(record.payment_errors or ()), replace_day(error_of(act), at_us))
    after = with_fields(record, payment_errors=errors, revision=(record.revision or 0) + 1)
    try:
        (before, _), (revised, _) = stated(number, record), stated(number, after)
    except (RecordError, RoundError) as error:
        raise ActRefused(rule, str(error)) from None
    told = before.said.get("notices", ())
    new = [each for each in revised.said.get("notices", ()) if each not in told]
    return replace(changed, told=(*changed.told, *notified(new, Reports())), revised=revised, record=after)
