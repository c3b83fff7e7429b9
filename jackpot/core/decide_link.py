"""How a link begins and its terms change, and what the site knows: acts of two people on the server's own machine."""

import msgspec

from jackpot.core.accounts import HOUSE, MICROCENTS, pool_account
from jackpot.core.answers import OpenedAnswer, SiteAnswer
from jackpot.core.commands import Enrol, NewTerms, OpenLink, OpenSite, RegisterLink
from jackpot.core.state import Draft, Enrolled, PoolLife, RegisteredLink, TermsInForce
from jackpot.core.verdicts import refused
from jackpot.wire.messages import RefusedAnswer
from jackpot.wire.refusals import Refusal
from rules.terms import Terms, TermsError, canonical_bytes, fingerprint, parse_terms


def open_link(draft: Draft, act: OpenLink) -> OpenedAnswer | RefusedAnswer:
    """Open a link: its terms hold, each pool takes its first seed from the house."""
    if draft.terms is not None:
        return refused(Refusal.LINK_EXISTS)
    terms = _terms(act.terms, act.by, act.second)
    if isinstance(terms, RefusedAnswer):
        return terms
    if terms.name != draft.state.chain or terms.version != 1:
        return refused(Refusal.TERMS_NOT_NEXT, f"{terms.name} version {terms.version}")
    draft.link_key = act.link_key
    _enforce(draft, terms)
    return OpenedAnswer(fingerprint(terms), terms.version)


def new_terms(draft: Draft, act: NewTerms) -> OpenedAnswer | RefusedAnswer:
    """Put the next version of the terms in force: no wager under older ones is accepted after this commit (PROTOCOL 7)."""
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
        if name not in kept and draft.book.balance(pool_account(name)):
            return refused(Refusal.POOL_NOT_EMPTY, name)
    draft.room = 0
    _enforce(draft, terms)
    return OpenedAnswer(fingerprint(terms), terms.version)


def site(draft: Draft, act: OpenSite | RegisterLink | Enrol) -> SiteAnswer | RefusedAnswer:
    """Note what belongs to no link: the site, its links with their keys, its tables with theirs."""
    if draft.state.chain != "site":
        return refused(Refusal.NOT_HERE)
    if not act.by:
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
    if not by or not second:
        return refused(Refusal.NAME_NEEDED, "second" if by else "by")
    if by == second:
        return refused(Refusal.SAME_PERSON, by)
    try:
        return parse_terms(bytes(raw))
    except TermsError as error:
        return refused(Refusal.BAD_TERMS, f"{error.field} {error.value}")


def _enforce(draft: Draft, terms: Terms) -> None:
    draft.put_terms(TermsInForce(terms, fingerprint(terms), canonical_bytes(terms).decode(), draft.commit))
    for pool in terms.pools:
        if pool.name not in draft.pools:
            draft.put_pool(PoolLife(pool.name))
            seed = pool.seed_cents * MICROCENTS
            draft.book.move(HOUSE, pool_account(pool.name), seed, "seed", draft.commit, f"{pool.name}/1")
