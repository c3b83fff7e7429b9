"""How a link begins and its terms change, and what the site knows: acts of two people on the server's own machine."""

import msgspec

from jackpot.core.accounts import HOUSE, MICROCENTS, overflow_account, pool_account
from jackpot.core.amending import people_refused
from jackpot.core.answers import OpenedAnswer, SiteAnswer
from jackpot.core.calendar import gaming_month, known_zone
from jackpot.core.commands import Enrol, NewTerms, OpenLink, OpenSite, RegisterLink
from jackpot.core.hits import person
from jackpot.core.meters import PoolLife
from jackpot.core.state import Draft, Enrolled, RegisteredLink, TermsInForce
from jackpot.core.verdicts import refused
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal
from rules.terms import Terms, TermsError, canonical_bytes, fingerprint, parse_terms


def open_link(draft: Draft, act: OpenLink) -> OpenedAnswer | RefusedAnswer:
    """Open a link: its terms hold, each pool takes its first seed from the house."""
    if draft.terms is not None:
        return refused(Refusal.LINK_EXISTS, draft.state.chain)
    terms = _terms(act.terms, act.by, act.second)
    if isinstance(terms, RefusedAnswer):
        return terms
    if terms.name != draft.state.chain or terms.version != 1:
        return refused(Refusal.TERMS_NOT_NEXT, f"{terms.name} version {terms.version}")
    draft.link_key = act.link_key
    _enforce(draft, terms)
    return OpenedAnswer(fingerprint(terms), terms.version)


def new_terms(draft: Draft, act: NewTerms) -> OpenedAnswer | RefusedAnswer:
    """Put the next version of the terms in force: no wager under older ones is accepted any more (PROTOCOL 7)."""
    if draft.terms is None:
        return refused(Refusal.NOT_OPEN)
    terms = _terms(act.terms, act.by, act.second)
    if isinstance(terms, RefusedAnswer):
        return terms
    now = draft.terms.terms
    if (terms.name, terms.game, terms.currency) != (now.name, now.game, now.currency):
        return refused(Refusal.TERMS_NOT_NEXT, f"{terms.name} {terms.game} {terms.currency}")
    if terms.version != now.version + 1 or act.version != terms.version:
        return refused(Refusal.TERMS_NOT_NEXT, f"version {terms.version}")
    kept = {pool.name for pool in terms.pools}
    for name in draft.pools:
        held = draft.book.balance(pool_account(name)) + draft.book.balance(overflow_account(name))
        if name not in kept and held:
            return refused(Refusal.POOL_NOT_EMPTY, name)
    if gaming_month(terms, draft.time_us) < draft.month:
        return refused(Refusal.TERMS_NOT_NEXT, f"{terms.time_zone} {terms.day_start}: a month goes back")
    _enforce(draft, terms)
    return OpenedAnswer(fingerprint(terms), terms.version)


def site(draft: Draft, act: OpenSite | RegisterLink | Enrol) -> SiteAnswer | RefusedAnswer:
    """Note what belongs to no link: the site, its links with their keys, its tables with theirs."""
    if draft.state.chain != "site":
        return refused(Refusal.NOT_HERE)
    if not person(act.by):
        return refused(Refusal.NAME_NEEDED, "by")
    match act:
        case OpenSite():
            return SiteAnswer("site")
        case RegisterLink():
            link = RegisteredLink(act.link, act.link_key, draft.commit)
            draft.links[act.link] = link
            draft.new_links.append(link)
            return SiteAnswer(act.link)
        case Enrol():
            if act.link not in draft.links:
                return refused(Refusal.NOT_OPEN, act.link)
            table = Enrolled(act.table, act.link, act.key, act.revision, draft.commit)
            draft.enrolled[act.table] = table
            draft.new_enrolled.append(table)
            return SiteAnswer(act.table)


def _terms(raw: msgspec.Raw, by: str, second: str) -> Terms | RefusedAnswer:
    wrong = people_refused([by, second])
    if wrong is not None:
        return refused(*wrong)
    try:
        terms = parse_terms(bytes(raw))
    except TermsError as error:
        return refused(Refusal.BAD_TERMS, f"{error.field} {error.value}")
    if not known_zone(terms.time_zone):
        return refused(Refusal.BAD_TERMS, f"time_zone {terms.time_zone}")
    return terms


def _enforce(draft: Draft, terms: Terms) -> None:
    before = [pool.name for pool in draft.terms.terms.pools] if draft.terms else []
    draft.put_terms(TermsInForce(terms, fingerprint(terms), canonical_bytes(terms).decode(), draft.commit))
    draft.month = gaming_month(terms, draft.time_us)
    draft.room = 0
    for pool in terms.pools:
        if pool.name not in before:
            # A pool that was there before, and was left out when it was empty, begins its next epoch; with it what came
            # back to it since: of that the wagers which had grown it are a part.
            if pool.name in draft.pools:
                draft.begin_pool(pool.name)
            else:
                draft.put_pool(PoolLife(pool.name, began=draft.commit))
            seed, ref = pool.seed_cents * MICROCENTS, f"{pool.name}/{draft.pools[pool.name].epoch}"
            draft.book.move(HOUSE, pool_account(pool.name), seed, "seed", draft.commit, ref)
