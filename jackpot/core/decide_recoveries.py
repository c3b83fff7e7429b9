"""What becomes of money that came back of an overpaid prize (CSP 14.16-14.19): part by part, up to what is owed."""

from jackpot.core.accounts import MICROCENTS, RECOVERABLE, recovered_account
from jackpot.core.amending import people_refused
from jackpot.core.amendments import Recovered
from jackpot.core.answers import RecoveredAnswer
from jackpot.core.facts import Fact
from jackpot.core.state import Draft
from jackpot.core.verdicts import refused
from jackpot.wire.ids import IdError, parse_hit
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal


def recovered(draft: Draft, act: Recovered, facts: list[Fact]) -> RecoveredAnswer | RefusedAnswer:
    """Post a part of an overpayment as come back.

    **Always** two people, and why: what was done to rectify it (14.16.2, 14.18.1). **Never** more in all than was ever
    to be recovered of the hit (`owed_cents`, which the audit holds against the entries).
    """
    try:
        key = parse_hit(act.hit)
    except IdError:
        return refused(Refusal.NO_SUCH_HIT, act.hit)
    wrong = people_refused([act.by, act.second])
    if wrong is None and not act.reason.strip():
        wrong = (Refusal.REASON_NEEDED, "reason")
    back = draft.book.balance(recovered_account(act.hit))
    left = act.owed_cents * MICROCENTS - back
    if wrong is None and not 0 < act.cents * MICROCENTS <= left:
        wrong = (Refusal.NOTHING_OWED, f"{act.cents} cents of {left // MICROCENTS}")
    if wrong is not None:
        return refused(*wrong)
    draft.book.move(RECOVERABLE, recovered_account(act.hit), act.cents * MICROCENTS, "recovery", draft.commit, act.hit)
    facts.append(Fact("recovered", key.table, key.round, {"hit": act.hit, "cents": act.cents}))
    return RecoveredAnswer(act.hit, back // MICROCENTS + act.cents, left // MICROCENTS - act.cents)
