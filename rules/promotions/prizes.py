"""May a promotion offer its prizes: what none consists of (.5), money instead (.3), how money is paid (.4)?"""

import re
from collections.abc import Iterator
from typing import Final

from rules.promotions.books import PAYMENTS, Payment, PromotionBook
from rules.promotions.documents import Prize, Promotion
from rules.promotions.findings import OVER_SCRUTINEER_CENTS, Finding, is_missing

MOST_LIQUOR_ML: Final = 20_000
"""20 litres: a prize of more liquor is none (.5.4)."""

_FIREARMS: Final = ("5.2", "a firearm, ammunition or an imitation firearm (Firearms Act 1996)")
PROHIBITED: Final = {
    "tobacco": ("5.1", "tobacco in any form"),  # CSP 17.5.1 TCP 15.5.1 FCP 15.5.1 WAR 14.5.1 SIC 10.5.1
    "firearm": _FIREARMS,  # CSP 17.5.2 TCP 15.5.2 FCP 15.5.2 WAR 14.5.2 SIC 10.5.2
    "ammunition": _FIREARMS,
    "imitation_firearm": _FIREARMS,
    "prohibited_weapon": ("5.3", "a prohibited weapon (Weapons Prohibition Act 1998)"),
    "prescribed": ("5.5", "an item or service prescribed by the regulations"),
}
"""What no prize consists of or includes, with its clause within each book's rule; liquor by its amount (.5.4)."""

_SOUNDS_LIKE: Final = (
    ("5.1", "tobacco", re.compile(r"\b(tobacco|cigar(s|ette|ettes|illo|illos)?|snuff|shisha|snus)\b", re.IGNORECASE)),
    ("5.2", "firearm", re.compile(r"\b(firearms?|guns?|rifles?|pistols?|shotguns?|ammunition)\b", re.IGNORECASE)),
    ("5.3", "prohibited_weapon", re.compile(r"\b(weapons?|crossbows?|daggers?|tasers?|nunchakus?)\b", re.IGNORECASE)),
    (
        "5.4",
        "liquor",
        re.compile(r"\b(liquor|wines?|champagne|beers?|whisky|whiskey|rum|gin|vodka|cognac)\b", re.IGNORECASE),
    ),
)
"""Words by which a prize may be what it does not say it is; a person looks."""


def check_prizes(promotion: Promotion, book: PromotionBook) -> Iterator[Finding]:
    """What is wrong with the prizes of a promotion, by one book."""
    # CSP 17.1 TCP 15.1 FCP 15.1 WAR 14.1 SIC 10.1
    if promotion.ends < promotion.starts:
        yield Finding(book.rule("1"), "ends", promotion.ends.isoformat(), "before the promotion starts")
    # SIC 10.4
    if not book.cash_allowed and not book.bank_only and is_missing(promotion.terms.disbursement):
        yield Finding(book.rule("4"), "terms.disbursement", "", "missing: the terms say how prizes are paid out")
    for place, prize in enumerate(promotion.prizes):
        field = f"prizes[{place}]"
        yield from _contents(prize, field, book)
        yield from _alternative(prize, field, book)
        yield from _payment(prize, field, book)
    yield from _scrutineer(promotion, book)


def has_large_prize(promotion: Promotion) -> bool:
    """Whether an individual prize has a value over $10,000 (.2)."""
    return any(prize.value_cents > OVER_SCRUTINEER_CENTS for prize in promotion.prizes)


def _contents(prize: Prize, field: str, book: PromotionBook) -> Iterator[Finding]:
    """What the prize may not consist of or include (CSP 17.5, TCP 15.5, FCP 15.5, WAR 14.5, SIC 10.5)."""
    for place, contents in enumerate(prize.contents):
        if contents in PROHIBITED:
            clause, words = PROHIBITED[contents]
            yield Finding(book.rule(clause), f"{field}.contents[{place}]", contents, f"no prize includes {words}")
    # CSP 17.5.4 TCP 15.5.4 FCP 15.5.4 WAR 14.5.4 SIC 10.5.4
    if prize.liquor_ml > MOST_LIQUOR_ML:
        yield Finding(book.rule("5.4"), f"{field}.liquor_ml", str(prize.liquor_ml), "more than 20 litres of liquor")
    if ("liquor" in prize.contents) != (prize.liquor_ml > 0):
        reason = "the amount and the contents of a prize both say that it includes liquor, or neither does"
        yield Finding(book.rule("5.4"), f"{field}.liquor_ml", str(prize.liquor_ml), reason)
    said = f"{prize.name} {prize.conditions}"
    for clause, contents, sounds in _SOUNDS_LIKE:
        found = sounds.search(said)
        if found and contents not in prize.contents:
            reason = f"does it include {contents.replace('_', ' ')}? its contents do not say so"
            yield Finding(book.rule(clause), field, found[0], reason, "question")


def _alternative(prize: Prize, field: str, book: PromotionBook) -> Iterator[Finding]:
    """Whether money may be paid instead (CSP 17.3, TCP 15.3, FCP 15.3, WAR 14.3, SIC 10.3)."""
    if prize.alternative is None:
        return
    rule, field = book.rule("3"), f"{field}.alternative"
    if prize.kind == "money":
        yield Finding(rule, field, "", "only a prize in kind has an alternative in money")
    elif prize.kind in book.no_alternative:
        yield Finding(rule, field, "", f"{prize.kind.replace('_', ' ')} are not paid in money instead")
    if prize.alternative.value_cents < 1:
        yield Finding(rule, f"{field}.value_cents", str(prize.alternative.value_cents), "the money paid instead")
    if book.alternative_in_terms and not prize.alternative.stated_in_terms:
        yield Finding(rule, f"{field}.stated_in_terms", "false", "the terms clearly state the alternative")


def _payment(prize: Prize, field: str, book: PromotionBook) -> Iterator[Finding]:
    """How the money of a prize, or instead of it, is paid (CSP 17.4, TCP 15.4, FCP 15.4, WAR 14.4, SIC 10.4)."""
    rule = book.rule("4")
    if prize.kind != "money" and prize.paid_by:
        yield Finding(rule, f"{field}.paid_by", ", ".join(prize.paid_by), "only money is paid; give it as alternative")
    if prize.kind == "money":
        yield from _paid_by(prize.paid_by, f"{field}.paid_by", book)
        chosen_by_winner = book.cash_allowed and prize.value_cents > OVER_SCRUTINEER_CENTS
        if chosen_by_winner and set(prize.paid_by) != set(PAYMENTS):  # FCP 15.4, WAR 14.4
            reason = "over $10,000 the winner may choose cash, crossed cheque, electronic transfer, or several"
            yield Finding(rule, f"{field}.paid_by", ", ".join(prize.paid_by), reason)
    if prize.alternative is not None:
        yield from _paid_by(prize.alternative.paid_by, f"{field}.alternative.paid_by", book)


def _paid_by(paid_by: tuple[Payment, ...], field: str, book: PromotionBook) -> Iterator[Finding]:
    """What is wrong with the ways in which an amount may be paid."""
    # CSP 17.4, TCP 15.4, SIC 10.4
    if "cash" in paid_by and not book.cash_allowed:
        yield Finding(book.rule("4"), field, ", ".join(paid_by), "prizes are not awarded in the form of cash")
    elif book.bank_only and not paid_by:  # CSP 17.4, TCP 15.4
        yield Finding(book.rule("4"), field, "", "missing: a crossed cheque, an electronic transfer, or both")


def _scrutineer(promotion: Promotion, book: PromotionBook) -> Iterator[Finding]:
    """Whether who oversees the draws is named (CSP 17.2, TCP 15.2, FCP 15.2, SIC 10.2; WAR 14.2 leaves it open)."""
    if not has_large_prize(promotion) or not is_missing(promotion.scrutineer):
        return
    if book.scrutineer_must:
        yield Finding(book.rule("2"), "scrutineer", "", "missing: a prize has a value over $10,000")
    else:
        reason = "none is nominated; a prize has a value over $10,000, and a scrutineer may oversee its draw"
        yield Finding(book.rule("2"), "scrutineer", "", reason, "question")
