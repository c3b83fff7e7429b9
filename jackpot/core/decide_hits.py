"""What becomes of people's acts on a hit: verify, approve, pay, resolve, reject, release, forfeit (PROTOCOL 7)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import msgspec

from jackpot.core.accounts import FORFEITED, MICROCENTS, PAID, RECOVERABLE, payable_account, pool_account
from jackpot.core.answers import Cents, HitAnswer, cents_of
from jackpot.core.commands import MoveHit
from jackpot.core.disputes import held_still
from jackpot.core.facts import Fact
from jackpot.core.hits import (
    APPROVED,
    DIFFERS,
    DISPUTED,
    NEEDS_CAPTURE,
    ORDER,
    RELEASED,
    Act,
    Hit,
    moved,
    paid_of_forfeited,
    person,
)
from jackpot.core.hits import FORFEITED as FORFEITED_STATE
from jackpot.core.hits import PAID as PAID_STATE
from jackpot.core.past import UNTOLD
from jackpot.core.releases import Because, Outcome, fall_away, later_amounts
from jackpot.core.state import KEEPS_FORFEITED, Draft
from jackpot.core.verdicts import ON_ONE_HIT, named_twice, refused
from jackpot.wire.ids import HitKey, IdError, parse_hit
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal

OFFERED = frozenset({"verify", "approve", "pay", "resolve", "reject", "release", "forfeit"})
"""The moves people can make; the others of the table of moves are the ledger's own, or a corrected record's."""
FALLS = frozenset({"reject", "release", "forfeit"})
"""The moves by which a hit falls away: two people, a rule and a reason."""
BY_TWO = frozenset({"approve", "resolve"}) | FALLS
"""The moves that two people make in one act; all of them but `approve` need two."""
FALL_RULES = {
    "CSP 11.4": "the hand does not qualify, or had no jackpot wager",
    "CSP 14.20": "an invalid wager",
    "CSP 16.1": "not their own player card",
    "CSP 16.4": "a device, or a person to be excluded",
    "CSP 16.15": "a person who may not wager: an employee",
}
"""The rules under which a hit falls away (RULINGS: eligibility of a pending hit)."""
ONE_LEFT: Final = "approve by two: it lacks one approval"


def move(draft: Draft, act: MoveHit, facts: list[Fact]) -> HitAnswer | RefusedAnswer:
    """Move a hit along its table of legal moves.

    **Never** lets one person act twice on a hit. A prize from a meter is not approved while a round of another table,
    accepted before its record, is still open, unless a manager says so with a reason: the refusal names that round.
    """
    hit = _find(draft, act.hit)
    if hit is None:
        return refused(Refusal.NO_SUCH_HIT, act.hit)
    if act.move not in OFFERED:
        return refused(Refusal.NOT_OFFERED, act.move)
    names = [act.by, *([act.second] if act.second else [])]
    refusal, value = _refusal(draft, hit, act, names)
    if refusal is not None:
        no = refused(refusal, value)
        acted = refusal is Refusal.SAME_PERSON and hit.people & set(map(person, (*names, act.manager)))
        return msgspec.structs.replace(no, text=ON_ONE_HIT) if acted else no
    first = moved(hit, act.move, act.by, draft.commit, act.reason)
    after = _seconded(first, act, draft.commit) if first is not None and act.second else first
    if after is None:
        return refused(Refusal.ILLEGAL_MOVE, ONE_LEFT if first is not None else f"{act.move} from {hit.state}")
    if after.state == APPROVED and hit.state != APPROVED and hit.from_meter and (before := _waits_for(draft, hit)):
        if not act.manager:
            wait = Refusal.ROUND_OPEN  # asked again later it may be none: an act's refusal is never stored
            return RefusedAnswer(wait.code, wait.text, wait.rule, before)
        after = replace(after, acts=(*after.acts, Act("go_on", act.manager, draft.commit, act.reason)))
    if act.move == "resolve":
        after = held_still(draft, after, hit)
    outcome = Outcome()
    later: tuple[Cents, ...] = ()
    if after.state == RELEASED:
        outcome, later = _release(draft, hit, act)
        after = draft.hits[hit.key]
    if after.state == FORFEITED_STATE:
        payable = payable_account(str(hit.key))
        rest = draft.book.balance(payable)
        paid = after.amount_cents - rest // MICROCENTS
        if paid and draft.version >= KEEPS_FORFEITED:
            after = replace(after, acts=(*after.acts, paid_of_forfeited(paid, draft.commit)))
        draft.book.move(payable, FORFEITED, rest, "forfeit", draft.commit, str(hit.key))
    if after.state == PAID_STATE:
        payable = payable_account(str(hit.key))
        # All that is held of it: of a prize that rose after it was paid, the rest.
        draft.book.move(payable, PAID, draft.book.balance(payable), "payment", draft.commit, str(hit.key))
    draft.put_hit(after)
    facts.append(Fact("hit", hit.key.table, hit.key.round, {"hit": act.hit, "state": after.state, "move": act.move}))
    raised = cents_of(outcome.raised)
    return HitAnswer(act.hit, after.state, after.amount_cents, after.approvals, after.approvers, raised, later)


def _release(draft: Draft, hit: Hit, act: MoveHit) -> tuple[Outcome, tuple[Cents, ...]]:
    """Give a hit's money back to where it came from; resolve its round again without it (`rejected_share`)."""
    staying = [
        other
        for key, other in draft.hits.items()
        if key[:3] == hit.key[:3] and key != hit.key and other.state != RELEASED and not other.overpaid
    ]
    because = Because(act.by, act.second, act.rule, act.reason)
    held = draft.book.balance(pool_account(hit.key.pool))
    outcome = fall_away(draft, [hit], staying, act.posted, because)
    for each in act.posted:
        if each.cause == "stake" and each.ref == act.hit and each.commit in {UNTOLD, hit.commit}:
            # The wager came back with the prize (11.5): without the prize it was an overpayment.
            draft.book.move(PAID, RECOVERABLE, -int(each.microcents), "correction", draft.commit, act.hit)
    returned = draft.book.balance(pool_account(hit.key.pool)) - held
    later = later_amounts(draft, hit, returned) if returned > 0 else {}
    return outcome, cents_of(later)


def _refusal(draft: Draft, hit: Hit, act: MoveHit, names: list[str]) -> tuple[Refusal | None, str]:
    """Return the first reason why these people cannot make this move, and what is wrong."""
    if not all(map(person, names)):
        return Refusal.NAME_NEEDED, "second" if person(act.by) else "by"
    if (act.move == "resolve" or act.move in FALLS) and not act.second:
        return Refusal.NAME_NEEDED, "second"
    if act.move in FALLS and act.rule not in FALL_RULES:
        return Refusal.NO_SUCH_RULE, act.rule or "none"
    acting = [person(name) for name in (*names, act.manager) if person(name)]
    if len(set(acting)) < len(acting) or hit.people & set(acting):
        return Refusal.SAME_PERSON, ", ".join(_acted(hit, [*names, *([act.manager] if act.manager else [])]))
    if (act.manager or act.move == "resolve" or act.move in FALLS) and not act.reason.strip():
        return Refusal.REASON_NEEDED, act.move
    if act.second and act.move not in BY_TWO:
        return Refusal.ILLEGAL_MOVE, f"{act.move} by two"
    if act.move == "resolve" and hit.state == DISPUTED and not _amounts_stand(draft, hit):
        return Refusal.NOT_OFFERED, f"resolve {', '.join(hit.marks)}"
    return None, ""


def _acted(hit: Hit, names: list[str]) -> Iterator[str]:
    """Say of each of these who may not act what they did before on this hit, or that they are named twice."""
    for place, name in enumerate(names):
        before = [act for act in hit.acts if act.by and person(act.by) == person(name)]
        if before:
            yield f"{name}: {before[0].move} in commit {before[0].commit}"
        elif person(name) in map(person, names[:place]):
            yield named_twice(name)


def _amounts_stand(draft: Draft, hit: Hit) -> bool:
    """Say whether two people's word resolves a dispute: it is about the order alone, and the terms go by the commit."""
    by_commit = draft.older[hit.terms].terms.rulings.order_of_hits == "commit"
    return by_commit and ORDER in hit.marks and not {DIFFERS, NEEDS_CAPTURE} & set(hit.marks)


def _seconded(hit: Hit, act: MoveHit, commit: int) -> Hit | None:
    """Return the hit with the other person's part: an approval of its own, or their word beside the first's."""
    if act.move == "approve":
        # Where one approval was enough there is nothing left to approve.
        return moved(hit, "approve", act.second, commit, act.reason)
    return replace(hit, acts=(*hit.acts, Act("with", act.second, commit, act.reason)))


def _find(draft: Draft, text: str) -> Hit | None:
    try:
        key: HitKey = parse_hit(text)
    except IdError:
        return None
    return draft.hits.get(key)


def _waits_for(draft: Draft, hit: Hit) -> str:
    """Name the oldest round of another table that was accepted before this hit's record and is still open (PROTOCOL 7).

    Of several it is said how many more there are; nothing where there is none.
    """
    others = [key for table, rounds in draft.in_play.items() if table != hit.key.table for key in rounds]
    before = sorted((draft.rounds[key].commit, key) for key in others if draft.rounds[key].commit < hit.commit)
    first = "/".join(map(str, before[0][1])) if before else ""
    return f"{first} and {len(before) - 1} more" if len(before) > 1 else first
