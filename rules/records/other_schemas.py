"""The JSON Schemas of what the commands beside ``settle`` and ``ask`` read and answer: decks, promotions, a month.

Made from the forms by which they are read and from what is answered, so that both cannot differ.
"""

from dataclasses import fields, is_dataclass
from datetime import date, datetime
from typing import Any, Final, Literal, NotRequired, TypedDict, get_args, get_type_hints

from rules.decks.lives import State
from rules.promotions import documents
from rules.promotions.books import BOOK_OF_GAME
from rules.promotions.documents import Promotion, RefusedClaim
from rules.promotions.findings import Weight
from rules.records.deck_lines import FORMS as DECK_FORMS
from rules.records.forms import LARGEST, Cents, Count, Month
from rules.records.reports import KeptRecord, MonthEndRecord
from rules.records.strict_schemas import schema_of

Book = Literal["CSP", "TCP", "FCP", "WAR", "SIC"]

TIME: Final = {
    "type": "string",
    "format": "date-time",
    "pattern": "^2[01][0-9]{2}-[0-9]{2}-[0-9]{2}[Tt ][0-9:]{8}([.][0-9]+)?([Zz]|[+-][0-9]{2}:?[0-9]{2})$",
}
"""A time with its offset from UTC, as a promotion's document has it."""


_AMOUNT: Final = {"minimum": 0, "maximum": LARGEST}


class ForeignCard(TypedDict):
    """A card that is none of a deck's."""

    face: str
    back: str


class DeckFaults(TypedDict):
    """What is wrong with cards that were checked or counted."""

    missing: list[str]
    double: list[str]
    foreign: list[ForeignCard]


class DeckAnswer(TypedDict):
    """Where a deck stands after an act, and by which rule."""

    line: Count
    file: NotRequired[str]
    deck: str
    act: str
    state: State
    rule: str
    faults: NotRequired[DeckFaults]


class DeckRefusal(TypedDict):
    """An act that cannot happen to a deck, and the rule that refuses it."""

    line: Count
    file: NotRequired[str]
    field: str
    value: str
    error: str
    deck: str
    rule: str


class Counts(TypedDict):
    """How many findings there are of each weight."""

    breach: Count
    due: Count
    question: Count


class FindingShown(TypedDict):
    """One finding, with its line and field."""

    weight: Weight
    rule: str
    line: Count
    field: str
    value: str
    reason: str
    due: NotRequired[datetime]


class DocumentChecked(TypedDict):
    """What a document comes to."""

    file: str
    name: str
    games: list[str]
    rulings: dict[str, str]
    counts: Counts
    findings: list[FindingShown]
    kept_claims: list[RefusedClaim]


class DocumentRefused(TypedDict):
    """What is wrong with the form of a document."""

    file: str
    line: Count
    field: str
    value: str
    error: str


class BookOfMonth(TypedDict):
    """What one book's lines of a month come to."""

    book: Book
    title: str
    errors: Count
    overpaid_cents: Cents
    underpaid_cents: Cents
    kept: Count
    kept_cents: Cents


class BadLine(TypedDict):
    """What is wrong with a line of settlements."""

    line: Count
    file: NotRequired[str]
    field: str
    value: str
    error: str


class MonthAnswer(TypedDict):
    """A month's lists; each of their lines has its book, table and round beside what its settlement said of it."""

    month: Month
    due: date
    books: list[BookOfMonth]
    payment_errors: list[MonthEndRecord]
    kept: list[KeptRecord]
    rounds: Count
    passed_over: Count
    errors: list[BadLine]


def other_schemas() -> dict[str, Any]:
    """The schemas of an act on a deck and its answers, of a promotion and what a check says of it, and of a month."""
    return {
        "deck": {
            "act": schema_of("deck:act", [form.record for form in DECK_FORMS.values()]),
            "answer": schema_of("deck:answer", [DeckAnswer, DeckRefusal]),
        },
        "promotion": {"document": _of_promotion(), "answer": _of_checks()},
        "month": {"answer": _of_month()},
    }


def _of_promotion() -> dict[str, Any]:
    """A promotion's document: times with their offset, amounts that a ledger holds, games that have a book."""
    schema = schema_of("promotion:document", [Promotion])
    for kind in vars(documents).values():
        if not (isinstance(kind, type) and is_dataclass(kind) and kind.__name__ in schema["$defs"]):
            continue
        stated, hints = schema["$defs"][kind.__name__]["properties"], get_type_hints(kind)
        for each in fields(kind):
            if hints[each.name] in {datetime, datetime | None}:
                stated[each.name] = TIME
            elif hints[each.name] is int:
                stated[each.name] |= _AMOUNT
    details = schema["$defs"]["Prize"]["properties"]["details"]
    details["additionalProperties"] = {
        "anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "integer"} | _AMOUNT]
    }
    games = schema["$defs"]["Promotion"]["properties"]["games"]
    games |= {"items": {"enum": list(BOOK_OF_GAME)}, "minItems": 1, "uniqueItems": True}
    return schema


def _of_checks() -> dict[str, Any]:
    """What is answered to documents of promotions: each one checked, or what is wrong with its form."""
    schema = schema_of("promotion:answer", [DocumentChecked, DocumentRefused])
    documents_ = {"type": "array", "items": {"anyOf": schema.pop("anyOf")}}
    return schema | {
        "type": "object",
        "properties": {"documents": documents_},
        "required": ["documents"],
        "additionalProperties": False,
    }


def _of_month() -> dict[str, Any]:
    """A month's lists: a line of theirs says besides which round it comes from."""
    schema = schema_of("month:answer", [MonthAnswer])
    where = {"book": {"enum": list(get_args(Book))}, "table": {"type": "string"}, "round": {"type": "integer"}}
    for kind in (MonthEndRecord, KeptRecord):
        definition = schema["$defs"][kind.__name__]
        definition["properties"] = where | definition["properties"]
        definition["required"] = ["book", *definition["required"]]
    return schema
