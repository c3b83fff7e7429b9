"""Do the terms of a promotion say all that they must (.7), prize by prize, and can everybody find them (.6)?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules.promotions.books import PromotionBook
from rules.promotions.documents import Prize, Promotion
from rules.promotions.findings import Finding, is_missing


@dataclass(frozen=True, slots=True)
class Term:
    """A term that is required: its field, its clause within the book's rule, and what it says."""

    field: str
    clause: str
    words: str


TERMS: Final = (
    Term("manner", "7.1", "the manner in which a prize is awarded"),  # CSP 17.7.1 TCP 15.7.1 FCP 15.7.1 WAR 14.7.1
    Term("awarded_when", "7.2", "when the prize is awarded"),  # CSP 17.7.2 TCP 15.7.2 FCP 15.7.2 WAR 14.7.2 SIC 10.7.2
    Term("awarded_where", "7.2", "where the prize is awarded"),
    Term("eligibility", "7.3", "who is eligible"),  # CSP 17.7.3 TCP 15.7.3 FCP 15.7.3 WAR 14.7.3 SIC 10.7.3
    Term("nature", "7.5", "the nature of the prize"),  # CSP 17.7.5 TCP 15.7.5 FCP 15.7.5 WAR 14.7.5 SIC 10.7.5
    Term("closes", "7.6", "until when entries are received"),  # CSP 17.7.6 TCP 15.7.6 FCP 15.7.6 WAR 14.7.6 SIC 10.7.6
    Term("place", "7.7", "the place of the promotion"),  # CSP 17.7.7 TCP 15.7.7 FCP 15.7.7 WAR 14.7.7 SIC 10.7.7
    Term("held", "7.7", "the date and time of the promotion"),
    Term("claiming", "7.8", "how a prize is claimed"),  # CSP 17.7.8 TCP 15.7.8 FCP 15.7.8 WAR 14.7.8 SIC 10.7.8
    Term("must_be_present", "7.8", "whether entrants must be present"),
    Term("notifying", "7.9", "how the winner is notified"),  # CSP 17.7.9 TCP 15.7.9 FCP 15.7.9 WAR 14.7.9 SIC 10.7.9
    Term("publishing", "7.10", "how results are published"),  # CSP 17.7.10 TCP 15.7.10 FCP 15.7.10 WAR 14.7.10
)
"""The terms that every promotion has (.7.1 to .7.10); the wager (.7.4) where one is needed."""


@dataclass(frozen=True, slots=True)
class Detail:
    """A detail required of one kind of prize: its name, its place in the clause, and whether it is a yes or a no."""

    name: str
    item: str
    kind: type = str


_APPLIANCE: Final = (Detail("make", "1"), Detail("model", "2"), Detail("accessories", "3"))

DETAILS: Final = {
    "appliance": ("7.11.1", _APPLIANCE),  # CSP 17.7.11.1 TCP 15.7.11.1 FCP 15.7.11.1 WAR 14.7.11.1 SIC 10.7.11.1
    "motor_vehicle": (
        "7.11.2",  # CSP 17.7.11.2 TCP 15.7.11.2 FCP 15.7.11.2 WAR 14.7.11.2 SIC 10.7.11.2
        (*_APPLIANCE, Detail("on_road_costs_included", "4", bool)),
    ),
    "travel": (
        "7.11.3",  # CSP 17.7.11.3 TCP 15.7.11.3 FCP 15.7.11.3 WAR 14.7.11.3 SIC 10.7.11.3
        (
            Detail("persons", "1", int),
            *(
                Detail(name, "2")
                for name in ("airfares", "transfers", "other_transport", "duration", "accommodation_standard", "meals")
            ),
            Detail("restrictions", "3"),
            Detail("spending_money_included", "4", bool),
        ),
    ),
    "real_estate": (
        "7.11.4",  # CSP 17.7.11.4 TCP 15.7.11.4 FCP 15.7.11.4 WAR 14.7.11.4 SIC 10.7.11.4
        (
            Detail("dwelling", "1"),
            Detail("plans", "2"),
            Detail("contract", "3"),
            Detail("easements", "4"),
            Detail("location", "5"),
            *(Detail(name, "6") for name in ("conveyancing", "legal_costs", "fixtures", "furniture")),
        ),
    ),
}
"""The details of the kinds of prizes that have some (.7.11.1 to .7.11.4)."""

_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi")
_KIND_WORDS: Final = {str: "a text", bool: "true or false", int: "a number"}


def item_rule(book: PromotionBook, clause: str, item: str) -> str:
    """An item of a clause as the book numbers it: Casino War by a number, the others by a Roman one.

    >>> from rules.promotions.books import BOOKS
    >>> item_rule(BOOKS["WAR"], "7.11.1", "2"), item_rule(BOOKS["CSP"], "7.11.1", "2")
    ('WAR 14.7.11.1.2', 'CSP 17.7.11.1 ii)')
    """
    numbered = book.book == "WAR"  # WAR 14.7.11.1.1 to 14.7.11.4.6
    return book.rule(f"{clause}.{item}") if numbered else f"{book.rule(clause)} {_ROMAN[int(item) - 1]})"


def check_terms(promotion: Promotion, book: PromotionBook) -> Iterator[Finding]:
    """What the terms lack, and what of them cannot be found, by one book."""
    yield from _stated(promotion, book)
    terms = promotion.terms
    for term in TERMS:
        value = getattr(terms, term.field)
        if value is None or (isinstance(value, str) and is_missing(value)):
            yield Finding(book.rule(term.clause), f"terms.{term.field}", "", f"missing: {term.words}")
    # CSP 17.7.4 TCP 15.7.4 FCP 15.7.4 WAR 14.7.4 SIC 10.7.4
    if terms.wager_needed is None:
        yield Finding(book.rule("7.4"), "terms.wager_needed", "", "missing: whether a wager is needed")
    elif terms.wager_needed and is_missing(terms.wager):
        yield Finding(book.rule("7.4"), "terms.wager", "", "missing: the minimum or compulsory wager")
    if not promotion.prizes:
        yield Finding(book.rule("7.11"), "prizes", "", "missing: details of the prizes and their value")
    for place, prize in enumerate(promotion.prizes):
        yield from _details(prize, f"prizes[{place}]", book)


def _stated(promotion: Promotion, book: PromotionBook) -> Iterator[Finding]:
    """Whether the terms are found and referred to (CSP 17.6, TCP 15.6, FCP 15.6, WAR 14.6, SIC 10.6)."""
    rule = book.rule("6")
    if not [each for each in promotion.terms_found_at if not is_missing(each)]:
        yield Finding(rule, "terms_found_at", "", "missing: where the terms are readily available")
    for place, piece in enumerate(promotion.marketing):
        if not piece.refers_to_terms:
            field = f"marketing[{place}].refers_to_terms"
            yield Finding(rule, field, "false", f"{piece.piece} makes no reference to the terms")


def _details(prize: Prize, field: str, book: PromotionBook) -> Iterator[Finding]:
    """What is not said of a prize (CSP 17.7.11, TCP 15.7.11, FCP 15.7.11, WAR 14.7.11, SIC 10.7.11)."""
    if is_missing(prize.name):
        yield Finding(book.rule("7.11"), f"{field}.name", "", "missing: what the prize is")
    if prize.value_cents < 1:
        yield Finding(book.rule("7.11"), f"{field}.value_cents", str(prize.value_cents), "the value of the prize")
    clause, required = DETAILS.get(prize.kind, ("7.11", ()))
    for detail in required:
        value = prize.details.get(detail.name)
        if value is None or (isinstance(value, str) and is_missing(value)):
            rule = item_rule(book, clause, detail.item)
            words = detail.name.replace("_", " ")
            yield Finding(rule, f"{field}.details.{detail.name}", "", f"missing: {words} of the prize")
        elif type(value) is not detail.kind:
            rule = item_rule(book, clause, detail.item)
            yield Finding(rule, f"{field}.details.{detail.name}", str(value), f"not {_KIND_WORDS[detail.kind]}")
    for name in prize.details:
        if name not in {detail.name for detail in required}:
            known = ", ".join(detail.name for detail in required) or "none"
            reason = f"no detail of a prize of this kind; known are {known}"
            yield Finding(book.rule("7.11"), f"{field}.details.{name[:40]}", "", reason)
