"""What becomes of a person's act on a hit: verify, approve, pay (DESIGN 5, PROTOCOL 7)."""

from jackpot.core.accounts import MICROCENTS, PAID, payable_account
from jackpot.core.answers import HitAnswer
from jackpot.core.commands import MoveHit
from jackpot.core.facts import Fact
from jackpot.core.hits import APPROVED, Hit, moved
from jackpot.core.hits import PAID as PAID_STATE
from jackpot.core.state import Draft
from jackpot.core.verdicts import refused
from jackpot.wire.ids import HitKey, IdError, parse_hit
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal

OFFERED = frozenset({"verify", "approve", "pay"})
"""The moves people can make; the others of the table of moves come with people's accounts, slips and corrections."""


def move(draft: Draft, act: MoveHit, facts: list[Fact]) -> HitAnswer | RefusedAnswer:
    """Move a hit along its table of legal moves.

    **Never** lets one person act twice on a hit. A prize from a meter is not approved while a round of another table, accepted
    before its record, is still open, unless a manager says so with a reason.
    """
    hit = _find(draft, act.hit)
    if hit is None:
        return refused(Refusal.NO_SUCH_HIT, act.hit)
    if act.move not in OFFERED:
        return refused(Refusal.NOT_OFFERED, act.move)
    names = [act.by, *([act.second] if act.second else [])]
    if not act.by:
        return refused(Refusal.NAME_NEEDED, "by")
    if len(set(names)) < len(names) or hit.people & set(names):
        return refused(Refusal.SAME_PERSON, ", ".join(names))
    if act.manager and not act.reason:
        return refused(Refusal.REASON_NEEDED, "manager")
    if act.second and act.move != "approve":
        return refused(Refusal.ILLEGAL_MOVE, f"{act.move} by two")
    after: Hit | None = hit
    for name in names:
        # The second name of an approval that one person was enough for has nothing left to approve.
        after = moved(after, act.move, name, draft.commit, _reason(act)) if after is not None else None
    if after is None:
        return refused(Refusal.ILLEGAL_MOVE, f"{act.move} from {hit.state}")
    if after.state == APPROVED and hit.state != APPROVED and hit.from_meter and not act.manager and _waits(draft, hit):
        return refused(Refusal.ROUND_OPEN)
    if after.state == PAID_STATE:
        payable = payable_account(str(hit.key))
        draft.book.move(payable, PAID, hit.amount_cents * MICROCENTS, "payment", draft.commit, str(hit.key))
    draft.put_hit(after)
    facts.append(Fact("hit", hit.key.table, hit.key.round, {"hit": act.hit, "state": after.state, "move": act.move}))
    return HitAnswer(act.hit, after.state, after.amount_cents, after.approvals, after.approvers)


def _find(draft: Draft, text: str) -> Hit | None:
    try:
        key: HitKey = parse_hit(text)
    except IdError:
        return None
    return draft.hits.get(key)


def _reason(act: MoveHit) -> str:
    return f"{act.reason} (manager {act.manager})" if act.manager else act.reason


def _waits(draft: Draft, hit: Hit) -> bool:
    """Say whether a round of another table that was accepted before this hit's record is still open (PROTOCOL 7)."""
    return any(key[0] != hit.key.table and draft.rounds[key].commit < hit.commit for key in draft.in_play.values())
