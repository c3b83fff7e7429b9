"""Was a promotion conducted by its rule: told to the authority, amended, drawn, its winners notified, claims kept?

What a rule wants done by a time is a breach once it is late; before that, and without a time to judge by, it is due.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from rules.promotions.books import PromotionBook
from rules.promotions.documents import Draw, Promotion, RefusedClaim, Winner
from rules.promotions.findings import OVER_CLAIM_CENTS, OVER_SCRUTINEER_CENTS, Finding, Weight, is_missing

NOTIFY_WITHIN: Final = timedelta(days=2)
"""A winner who need not be present is sought within two days of the draw (.8)."""

METHODS: Final = {
    "face_to_face": "8.1",  # CSP 17.8.1 TCP 15.8.1 FCP 15.8.1 WAR 14.8.1 SIC 10.8.1
    "mail": "8.2",  # CSP 17.8.2 TCP 15.8.2 FCP 15.8.2 WAR 14.8.2 SIC 10.8.2
    "telephone": "8.3",  # CSP 17.8.3 TCP 15.8.3 FCP 15.8.3 WAR 14.8.3 SIC 10.8.3
    "email": "8.4",  # CSP 17.8.4 TCP 15.8.4 FCP 15.8.4 WAR 14.8.4 SIC 10.8.4
}
"""How a winner is notified, with its clause within each book's rule."""


def check_conduct(promotion: Promotion, book: PromotionBook, now: datetime | None) -> Iterator[Finding]:
    """What was not done as one book wants it, as far as it stands in the document; ``now`` is when one asks."""
    yield from _notice(promotion, book, now)
    yield from _amendments(promotion, book, now)
    for place, draw in enumerate(promotion.draws):
        yield from _draw(promotion, draw, f"draws[{place}]", book, now)
    for place, claim in enumerate(promotion.refused_claims):
        yield from _claim(claim, f"refused_claims[{place}]", book)
    yield from _disputes(promotion, book)


def kept_claims(promotion: Promotion) -> tuple[RefusedClaim, ...]:
    """The denied claims over $100, whose details are retained (CSP 17.9.1, TCP 15.9.1, FCP 15.10.1, WAR 14.10.1,
    SIC 10.10.1), by their day.
    """
    kept = [claim for claim in promotion.refused_claims if claim.value_cents > OVER_CLAIM_CENTS]
    return tuple(sorted(kept, key=lambda claim: claim.at))


def _owed(rule: str, field: str, reason: str, due: datetime, now: datetime | None) -> Finding:
    """Something that a rule wants done and that is not done."""
    late = now is not None and now > due
    return Finding(rule, field, "", f"missing: {reason}", "breach" if late else "due", due)


def _notice(promotion: Promotion, book: PromotionBook, now: datetime | None) -> Iterator[Finding]:
    """Whether the authority has the full terms in time (CSP 17.12, TCP 15.12, FCP 15.9, WAR 14.9, SIC 10.9, 10.13)."""
    rule, due = book.rule(book.notice), promotion.starts - book.notice_lead
    submission = promotion.submission
    if submission is None:
        yield _owed(rule, "submission", f"the full terms to {book.authority}", due, now)
        return
    if not submission.full:
        yield Finding(rule, "submission.full", "false", f"{book.authority} is provided with full details")
    in_time = submission.at <= due if book.notice_lead else submission.at < due
    if not in_time:
        hours = book.notice_lead // timedelta(hours=1)
        late = f"less than {hours} hours before the promotion starts" if hours else "not before the promotion starts"
        yield Finding(rule, "submission.at", submission.at.isoformat(), late, due=due)


def _amendments(promotion: Promotion, book: PromotionBook, now: datetime | None) -> Iterator[Finding]:
    """Whether the authority had every amendment (CSP 17.12.1, TCP 15.12.1, FCP 15.9.1, WAR 14.9.1, SIC 10.9.1)."""
    by_approval = book.amending == "approval"
    rule = book.rule(book.amendment)
    if book.amending == "ruling":  # SIC 10.9.1, 10.13.1
        by_approval = promotion.promotion_amendment == "approval"
        rule = rule if by_approval else book.rule("13.1")
    for place, amendment in enumerate(promotion.amendments):
        field = f"amendments[{place}]"
        if is_missing(amendment.what):
            yield Finding(rule, f"{field}.what", "", "missing: what is amended")
        if amendment.at < promotion.starts:
            yield from _amended_before(promotion, place, book, now)
        elif not by_approval:
            if amendment.submitted is None:
                again = f"the amended terms to {book.authority}, as soon as possible"
                yield _owed(rule, f"{field}.submitted", again, amendment.at, now)
        elif amendment.approved is None or is_missing(amendment.approval):
            reason = f"the approval of {book.authority}, with its reference; until then the old terms hold"
            yield Finding(rule, f"{field}.approved", "", f"missing: {reason}")
        elif amendment.approved > amendment.at:
            reason = "approved after the amended terms began to hold"
            yield Finding(rule, f"{field}.approved", amendment.approved.isoformat(), reason)


def _amended_before(promotion: Promotion, place: int, book: PromotionBook, now: datetime | None) -> Iterator[Finding]:
    """Whether terms amended before the start were provided as those of the start are."""
    amendment = promotion.amendments[place]
    rule, due, field = book.rule(book.notice), promotion.starts - book.notice_lead, f"amendments[{place}].submitted"
    with_notice = promotion.submission is not None and promotion.submission.at >= amendment.at
    submitted = promotion.submission.at if with_notice and promotion.submission else amendment.submitted
    if submitted is None:
        yield _owed(rule, field, f"the terms as amended before the start to {book.authority}", due, now)
    elif submitted > due and not with_notice:
        yield Finding(rule, field, submitted.isoformat(), "too late before the promotion starts", due=due)


def _draw(promotion: Promotion, draw: Draw, field: str, book: PromotionBook, now: datetime | None) -> Iterator[Finding]:
    """Whether a draw was overseen, its winners were notified, and a compromised one was dealt with."""
    values = {prize.name: prize for prize in promotion.prizes}
    for place, winner in enumerate(draw.winners):
        where = f"{field}.winners[{place}]"
        if winner.prize not in values:
            yield Finding(book.rule("7.11"), f"{where}.prize", winner.prize, "no prize of this promotion")
        elif draw.held is not None:
            yield from _notified(promotion, winner, draw.held, where, book, now)
        if "cash" in winner.paid_by and not book.cash_allowed:
            yield Finding(book.rule("4"), f"{where}.paid_by", "cash", "prizes are not awarded in the form of cash")
    won = [values[winner.prize].value_cents for winner in draw.winners if winner.prize in values]
    # CSP 17.2, TCP 15.2, FCP 15.2, SIC 10.2
    if book.scrutineer_must and max(won, default=0) > OVER_SCRUTINEER_CENTS and is_missing(draw.scrutineer):
        yield Finding(book.rule("2"), f"{field}.scrutineer", "", "missing: who oversaw the draw of over $10,000")
    yield from _compromised(draw, field, book, now)


def _notified(
    promotion: Promotion, winner: Winner, held: datetime, field: str, book: PromotionBook, now: datetime | None
) -> Iterator[Finding]:
    """Whether an absent winner was sought in time (CSP 17.8, TCP 15.8, FCP 15.8, WAR 14.8, SIC 10.8)."""
    due = held + NOTIFY_WITHIN
    if promotion.terms.must_be_present or winner.present:
        return
    for place, contact in enumerate(winner.contacts):
        if contact.method not in METHODS:
            known = ", ".join(f"{method} ({book.rule(clause)})" for method, clause in METHODS.items())
            yield Finding(book.rule("8"), f"{field}.contacts[{place}].method", contact.method, f"not one of {known}")
    tried = [contact.at for contact in winner.contacts if contact.method in METHODS and contact.at >= held]
    if not tried:
        yield _owed(book.rule("8"), f"{field}.contacts", "an attempt to notify the winner", due, now)
    elif min(tried) > due:
        yield Finding(
            book.rule("8"), f"{field}.contacts", min(tried).isoformat(), "over 2 days after the draw", due=due
        )


def _compromised(draw: Draw, field: str, book: PromotionBook, now: datetime | None) -> Iterator[Finding]:
    """What is done once integrity is compromised (CSP 17.11, TCP 15.11, FCP 15.12, WAR 14.12, SIC 10.12)."""
    compromise = draw.compromised
    if compromise is None:
        return
    rule, field = book.rule(book.compromised), f"{field}.compromised"
    due = compromise.at + book.compromised_within
    if compromise.notified is None:
        yield _owed(rule, f"{field}.notified", f"{book.compromised_to} is notified", due, now)
    elif compromise.notified > due:
        hours = book.compromised_within // timedelta(hours=1)
        within = f"within {hours} hours" if hours else "immediately; was it?"
        reason = f"{book.compromised_to} is notified {within}"
        weight: Weight = "breach" if hours else "question"  # FCP 15.12 and WAR 14.12 give no hours to judge by.
        yield Finding(rule, f"{field}.notified", compromise.notified.isoformat(), reason, weight, due)
    if draw.held is None or draw.held < compromise.at:
        return
    if compromise.decision == "cancelled":
        yield Finding(rule, field, "cancelled", "the draw was held all the same")
    elif compromise.validated is None or compromise.validated > draw.held:
        yield Finding(rule, f"{field}.validated", "", "the draw was held before its integrity was validated")


def _claim(claim: RefusedClaim, field: str, book: PromotionBook) -> Iterator[Finding]:
    """Whether who was refused knows why (CSP 17.9, TCP 15.9, FCP 15.10, WAR 14.10, SIC 10.10), and it is retained."""
    rule = book.rule(book.refusal)
    if is_missing(claim.reason):
        yield Finding(rule, f"{field}.reason", "", "missing: why the claim was not met")
    if claim.informed is None:
        reason = "missing: the person is informed of the reason as soon as practicable"
        yield Finding(rule, f"{field}.informed", "", reason, "due", claim.at)
    if claim.value_cents <= OVER_CLAIM_CENTS:
        return
    retained = book.rule(f"{book.refusal}.1")  # CSP 17.9.1, TCP 15.9.1, FCP 15.10.1, WAR 14.10.1, SIC 10.10.1
    if not claim.claimants:
        yield Finding(retained, f"{field}.claimants", "", "missing: names and addresses are retained over $100")
    for place, claimant in enumerate(claim.claimants):
        for name in ("name", "address"):
            if is_missing(getattr(claimant, name)):
                yield Finding(retained, f"{field}.claimants[{place}].{name}", "", "missing: retained over $100")


def _disputes(promotion: Promotion, book: PromotionBook) -> Iterator[Finding]:
    """Whether disputes were decided, and who is not satisfied was advised of the right to complain to an inspector
    (CSP 17.10, TCP 15.10, FCP 15.11, WAR 14.11, SIC 10.11).
    """
    rule = book.rule(book.dispute)
    for place, dispute in enumerate(promotion.disputes):
        field = f"disputes[{place}]"
        if is_missing(dispute.decision):
            yield Finding(rule, f"{field}.decision", "", "missing: the operator decides", "due", dispute.at)
        elif dispute.satisfied is False and dispute.advised is None:
            reason = "missing: the person is advised of the right to lodge a complaint with an inspector"
            yield Finding(rule, f"{field}.advised", "", f"{reason} (section 33)", "due", dispute.at)
