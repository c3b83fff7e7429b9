"""What stands of a round that is over, for an act that amends it: its hits, its terms, its wagers as while it was open.

The ledger's state has what is open or ended lately; the rest comes with the act (`past`), and the audit holds it.
"""

from collections.abc import Sequence

from jackpot.core.accounts import Balance, payable_account
from jackpot.core.hits import ENDED, FORFEITED, Act, Hit, person
from jackpot.core.past import PastRound, hit_of_past
from jackpot.core.releases import ends_epoch
from jackpot.core.state import Draft, OpenRound, TermsInForce
from jackpot.core.verdicts import Undecided, named_twice
from jackpot.wire.ids import HitKey, parse_hit
from jackpot.wire.refusals import Refusal

RoundKey = tuple[str, int, int]
"""A round: its table, journal and number."""
TWO = 2
"""Nobody amends a round alone (PROTOCOL 2, 3)."""


def people_refused(names: Sequence[str]) -> tuple[Refusal, str] | None:
    """Say why these are not two people who act together: `by`, then the others; None where they are."""
    named = [person(name) for name in names if person(name)]
    if not person(names[0]):
        return Refusal.NAME_NEEDED, "by"
    if len(named) < TWO:
        return Refusal.NAME_NEEDED, "second"
    return (Refusal.SAME_PERSON, named_twice(_twice(names))) if len(set(named)) < len(named) else None


def _twice(names: Sequence[str]) -> str:
    """Return the name that another one before it is, however it is written."""
    who = [person(name) for name in names]
    return next((name for place, name in enumerate(names) if who[place] and who[place] in who[:place]), "")


def typists(move: str, commit: int, by: str, second: str, manager: str, reason: str) -> tuple[Act, ...]:
    """Return what two people did on a hit: the move of the first, the other's word, the manager's where one gave it."""
    others = [Act(word, name, commit) for word, name in (("with", second), ("manager", manager)) if name.strip()]
    return (Act(move, by, commit, reason), *others)


def hits_of_round(draft: Draft, key: RoundKey, past: PastRound) -> list[Hit]:
    """Return the round's hits: as the state has them, or, where they ended long ago, as the act carries them.

    Those of seats out of play are none of the round's any more, but for a prize that a fund keeps. A share that a pool
    keeps of such a seat is none of them either, but the state has it from here on: nobody else gets it.
    Raises Undecided where one has ended since it was looked at and the state has it no more.
    """
    found: list[Hit] = [hit for name, hit in draft.hits.items() if name[:3] == key and _counts(hit, past)]
    for each in past.hits:
        name: HitKey = parse_hit(each.hit)
        if name in draft.hits:
            continue
        if each.state not in ENDED:
            raise Undecided(Refusal.BUSY)
        hit = hit_of_past(each)
        if name.seat not in past.seats and not hit.out:
            continue
        if _counts(hit, past):
            found.append(hit)
        if hit.acts:
            # Told whole: it can be moved again, and so can its account, which holds nothing.
            draft.hits[name] = hit
            draft.book.balances[payable_account(each.hit)] = Balance(each.payable, 0)
    return sorted(found, key=lambda hit: -hit.key.seat)


def _counts(hit: Hit, past: PastRound) -> bool:
    return hit.key.seat in past.seats or (hit.out and hit.state == FORFEITED)


def terms_at(draft: Draft, commit: int) -> TermsInForce | None:
    """Return the terms in force at a commit: no wager is accepted under others (PROTOCOL 7)."""
    return max(
        (each for each in draft.older.values() if each.since <= commit), key=lambda each: each.since, default=None
    )


def as_opened(
    draft: Draft,
    at: tuple[str, int, int, str],
    past: PastRound,
    own: TermsInForce | None,
    gone: Sequence[Hit],
    staying: Sequence[Hit],
) -> OpenRound:
    """Return the round as it was while it was open, for the reversal of its wagers or an award to them.

    Its epochs count where the falls of a pool are not noted (`meters`): one that this round's own prize took, and that
    has it back now from all who took it, is the wagers' epoch still.
    """
    pools = own.terms.pools if own else ()
    kept = [(hit.key.pool, hit.commit) for hit in staying if own and ends_epoch(own.terms, hit)]
    given_back = {
        hit.key.pool
        for hit in gone
        if own and _took_its_own(draft, hit, own, past.commit)
        if not any(pool == hit.key.pool and commit <= hit.commit for pool, commit in kept)
    }
    epochs = []
    for pool in pools:
        life = draft.pools[pool.name]
        still = past.commit > life.began or pool.name in given_back
        epochs.append(life.epoch if still else life.epoch - 1)
    terms = own.fingerprint if own else ""
    return OpenRound(*at, terms, past.commit, draft.time_us, past.runs, tuple(epochs))


def _took_its_own(draft: Draft, hit: Hit, own: TermsInForce, wagered: int) -> bool:
    """Say whether a prize took the meter that its round's wagers had grown, not one that others began in between."""
    between = (
        other
        for other in draft.hits.values()
        if wagered < other.commit < hit.commit
        and other.key[:3] != hit.key[:3]
        and other.key.pool == hit.key.pool
        and ends_epoch(draft.older[other.terms].terms, other)
    )
    return ends_epoch(own.terms, hit) and not any(between)
