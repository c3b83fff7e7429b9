"""The last rule of each book, clause by clause: a document changed so, and what each book finds in it.

A row is the change, then for CSP, TCP, FCP, WAR and SIC the clauses found (``-`` none; one cell is all five's), without
the number of the rule: ``7.11.2#1`` is its first item, as each book numbers it; ``?2`` is for a person to look at;
``~8`` is due and not late.
"""

from collections.abc import Callable
from datetime import datetime

import pytest

from rules.promotions.books import BOOKS
from rules.promotions.checking import check
from rules.promotions.documents import Promotion
from rules.records.promotions import read_promotion

Document = Callable[..., bytes]

OFFER = """
ends = "2026-11-01T00:00:00+11:00"                             | 1
scrutineer = absent                                            | 2 | 2 | 2 | ?2 | 2
scrutineer = "  "                                              | 2 | 2 | 2 | ?2 | 2
draws[0].scrutineer = absent                                   | 2 | 2 | 2 | - | 2
prizes[0].value_cents = 1000000 & scrutineer = absent & draws[0].scrutineer = absent | -
prizes[0].value_cents = 1000001 & scrutineer = absent          | 2 | 2 | 2 | ?2 | 2
prizes[0].kind = "casino_dollars" & prizes[0].details = {}     | 3
prizes[0].kind = "slots_dollars" & prizes[0].details = {}      | - | - | 3 | 3 | -
prizes[0].alternative.stated_in_terms = false                  | - | - | 3 | - | -
prizes[0].alternative.value_cents = 0                          | 3
prizes[0].alternative = absent                                 | -
prizes[2].alternative = {"value_cents":1,"paid_by":["crossed_cheque"],"stated_in_terms":true} | 3
prizes[2].paid_by = ["cash"]                                   | 4 | 4 | - | - | 4
prizes[2].paid_by = ["cash", "crossed_cheque"]                 | 4 | 4 | - | - | 4
prizes[2].paid_by = ["crossed_cheque"]                         | -
prizes[2].paid_by = ["electronic_transfer"]                    | -
prizes[2].paid_by = []                                         | 4 | 4 | - | - | -
prizes[0].alternative.paid_by = ["cash"]                       | 4 | 4 | - | - | 4
prizes[0].alternative.paid_by = []                             | 4 | 4 | - | - | -
prizes[0].paid_by = ["electronic_transfer"]                    | 4
prizes[2].value_cents = 1000000                                | -
prizes[2].value_cents = 1000001                                | - | - | 4 | 4 | -
prizes[2].value_cents = 1000001 & prizes[2].paid_by = ["electronic_transfer", "cash", "crossed_cheque"] | 4 | 4 | - | - | 4
terms.disbursement = absent                                    | - | - | - | - | 4
draws[0].winners[1].paid_by = ["cash"]                         | 4 | 4 | - | - | 4
prizes[1].contents = ["tobacco"]                               | 5.1
prizes[1].contents = ["firearm"]                               | 5.2
prizes[1].contents = ["ammunition"]                            | 5.2
prizes[1].contents = ["imitation_firearm"]                     | 5.2
prizes[1].contents = ["prohibited_weapon"]                     | 5.3
prizes[1].contents = ["liquor"] & prizes[1].liquor_ml = 20000  | -
prizes[1].contents = ["liquor"] & prizes[1].liquor_ml = 20001  | 5.4
prizes[1].contents = ["liquor"]                                | 5.4
prizes[1].liquor_ml = 750                                      | 5.4
prizes[1].contents = ["prescribed"]                            | 5.5
prizes[1].contents = ["tobacco", "prescribed"]                 | 5.1 5.5
prizes[1].conditions = "with a box of cigars"                  | ?5.1
prizes[1].conditions = "with a hunting rifle"                  | ?5.2
prizes[1].conditions = "with a crossbow"                       | ?5.3
prizes[1].conditions = "with a case of wine"                   | ?5.4
prizes[1].conditions = "a tour of Begun and Ginger Rumford"    | -
"""  # noqa: E501 - a row is a line

TERMS = """
terms_found_at = absent                                        | 6
terms_found_at = [" "]                                         | 6
marketing[0].refers_to_terms = false                           | 6
terms.manner = absent                                          | 7.1
terms.manner = " "                                             | 7.1
terms.awarded_when = absent                                    | 7.2
terms.awarded_where = absent                                   | 7.2
terms.eligibility = absent                                     | 7.3
terms.wager_needed = absent                                    | 7.4
terms.wager = absent                                           | 7.4
terms.wager_needed = false & terms.wager = absent              | -
terms.nature = absent                                          | 7.5
terms.closes = absent                                          | 7.6
terms.place = absent                                           | 7.7
terms.held = absent                                            | 7.7
terms.claiming = absent                                        | 7.8
terms.must_be_present = absent                                 | 7.8
terms.notifying = absent                                       | 7.9
terms.publishing = absent                                      | 7.10
prizes = [] & draws = []                                       | 7.11
prizes[1].value_cents = 0                                      | 7.11
prizes[1].name = " "                                           | 7.11
prizes[1].details.colour = "blue"                              | 7.11
prizes[2].details.colour = "blue"                              | 7.11
prizes[1].kind = "goods" & prizes[1].details = {}              | -
prizes[1].kind = "appliance" & prizes[1].details = {"model":"a","accessories":"b"} | 7.11.1#1
prizes[1].kind = "appliance" & prizes[1].details = {"make":"a","accessories":"b"} | 7.11.1#2
prizes[1].kind = "appliance" & prizes[1].details = {"make":"a","model":"b"} | 7.11.1#3
prizes[1].kind = "appliance" & prizes[1].details = {"make":"a","model":"b","accessories":"none"} | -
prizes[0].details.make = absent                                | 7.11.2#1
prizes[0].details.model = ""                                   | 7.11.2#2
prizes[0].details.accessories = absent                         | 7.11.2#3
prizes[0].details.on_road_costs_included = absent              | 7.11.2#4
prizes[0].details.on_road_costs_included = "perhaps"           | 7.11.2#4
prizes[1].details.persons = absent                             | 7.11.3#1
prizes[1].details.persons = true                               | 7.11.3#1
prizes[1].details.airfares = absent                            | 7.11.3#2
prizes[1].details.transfers = absent                           | 7.11.3#2
prizes[1].details.other_transport = absent                     | 7.11.3#2
prizes[1].details.duration = absent                            | 7.11.3#2
prizes[1].details.accommodation_standard = absent              | 7.11.3#2
prizes[1].details.meals = absent                               | 7.11.3#2
prizes[1].details.restrictions = absent                        | 7.11.3#3
prizes[1].details.spending_money_included = absent             | 7.11.3#4
"""

CONDUCT = """
submission = absent                                            | ~12 | ~12 | ~9 | ~9 | ~9,13
submission.full = false                                        | 12 | 12 | 9 | 9 | 9,13
submission.at = "2026-11-30T18:00:00+11:00"                    | -
submission.at = "2026-11-30T18:00:01+11:00"                    | 12 | 12 | 9 | - | 9,13
submission.at = "2026-12-01T06:59:59Z"                         | 12 | 12 | 9 | - | 9,13
submission.at = "2026-12-01T18:00:00+11:00"                    | 12 | 12 | 9 | 9 | 9,13
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a later draw"}] | ~12.1 | ~12.1 | 9.1 | 9.1 | 9.1
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a later draw"}] & promotion_amendment = "resubmit" | ~12.1 | ~12.1 | 9.1 | 9.1 | ~13.1
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a","submitted":"2026-12-05T13:00:00+11:00"}] | - | - | 9.1 | 9.1 | 9.1
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a","submitted":"2026-12-05T13:00:00+11:00"}] & promotion_amendment = "resubmit" | - | - | 9.1 | 9.1 | -
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a","approved":"2026-12-05T12:00:00+11:00","approval":"A 7"}] | ~12.1 | ~12.1 | - | - | -
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a","approved":"2026-12-05T12:00:01+11:00","approval":"A 7"}] | ~12.1 | ~12.1 | 9.1 | 9.1 | 9.1
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a","approved":"2026-12-04T12:00:00+11:00","approval":" "}] | ~12.1 | ~12.1 | 9.1 | 9.1 | 9.1
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"","submitted":"2026-12-05T12:00:00+11:00","approved":"2026-12-04T12:00:00+11:00","approval":"A 7"}] | 12.1 | 12.1 | 9.1 | 9.1 | 9.1
amendments = [{"at":"2026-11-28T12:00:00+11:00","what":"a"}]   | ~12 | ~12 | ~9 | ~9 | ~9,13
amendments = [{"at":"2026-11-20T12:00:00+11:00","what":"a"}]   | -
amendments = [{"at":"2026-11-28T12:00:00+11:00","what":"a","submitted":"2026-11-30T12:00:00+11:00"}] | -
amendments = [{"at":"2026-11-28T12:00:00+11:00","what":"a","submitted":"2026-12-01T12:00:00+11:00"}] | 12 | 12 | 9 | - | 9,13
draws[0].winners[0].contacts = []                              | ~8
draws[0].winners[0].contacts[0].at = "2026-12-20T20:00:00+11:00" | ~8
draws[0].winners[0].contacts[0].at = "2026-12-22T21:00:00+11:00" | -
draws[0].winners[0].contacts[0].at = "2026-12-22T21:00:01+11:00" | 8
draws[0].winners[0].contacts = [] & draws[0].winners[0].present = true | -
draws[0].winners[0].contacts = [] & terms.must_be_present = true | -
draws[0].winners[0].contacts[0].method = "face_to_face"        | -
draws[0].winners[0].contacts[0].method = "mail"                | -
draws[0].winners[0].contacts[0].method = "telephone"           | -
draws[0].winners[0].contacts[0].method = "email"               | -
draws[0].winners[0].contacts[0].method = "text message"        | 8 ~8
draws[0].winners[0].prize = "boat"                             | 7.11
draws[0].held = absent                                         | -
refused_claims[0].reason = absent                              | 9 | 9 | 10 | 10 | 10
refused_claims[0].informed = absent                            | ~9 | ~9 | ~10 | ~10 | ~10
refused_claims[0].claimants = []                               | 9.1 | 9.1 | 10.1 | 10.1 | 10.1
refused_claims[0].claimants[0].name = ""                       | 9.1 | 9.1 | 10.1 | 10.1 | 10.1
refused_claims[0].claimants[0].address = " "                   | 9.1 | 9.1 | 10.1 | 10.1 | 10.1
refused_claims[0].value_cents = 10001 & refused_claims[0].claimants = [] | 9.1 | 9.1 | 10.1 | 10.1 | 10.1
refused_claims[0].value_cents = 10000 & refused_claims[0].claimants = [] | -
disputes = [{"at":"2026-12-22T12:00:00+11:00","about":"the closing time"}] | ~10 | ~10 | ~11 | ~11 | ~11
disputes = [{"at":"2026-12-22T12:00:00+11:00","about":"a","decision":"no","satisfied":true}] | -
disputes = [{"at":"2026-12-22T12:00:00+11:00","about":"a","decision":"no","satisfied":false}] | ~10 | ~10 | ~11 | ~11 | ~11
disputes = [{"at":"2026-12-22T12:00:00+11:00","about":"a","decision":"no","satisfied":false,"advised":"2026-12-22T12:00:00+11:00"}] | -
draws[0].compromised = {"at":"2026-12-21T12:00:00+11:00","decision":"cancelled"} | ~11 | ~11 | ~12 | ~12 | ~12
draws[0].compromised = {"at":"2026-12-21T12:00:00+11:00","decision":"cancelled","notified":"2026-12-23T12:00:00+11:00"} | - | - | ?12 | ?12 | -
draws[0].compromised = {"at":"2026-12-21T12:00:00+11:00","decision":"cancelled","notified":"2026-12-23T12:00:01+11:00"} | 11 | 11 | ?12 | ?12 | 12
draws[0].compromised = {"at":"2026-12-21T12:00:00+11:00","decision":"cancelled","notified":"2026-12-21T12:00:00+11:00"} | -
draws[0].compromised = {"at":"2026-12-19T12:00:00+11:00","decision":"cancelled","notified":"2026-12-19T12:00:00+11:00"} | 11 | 11 | 12 | 12 | 12
draws[0].compromised = {"at":"2026-12-19T12:00:00+11:00","decision":"postponed","notified":"2026-12-19T12:00:00+11:00"} | 11 | 11 | 12 | 12 | 12
draws[0].compromised = {"at":"2026-12-19T12:00:00+11:00","decision":"postponed","notified":"2026-12-19T12:00:00+11:00","validated":"2026-12-20T20:00:00+11:00"} | -
draws[0].compromised = {"at":"2026-12-19T12:00:00+11:00","decision":"postponed","notified":"2026-12-19T12:00:00+11:00"} & draws[0].held = absent | -
"""  # noqa: E501 - a row is a line

HOUSE = {
    "dwelling": "a flat of two rooms",
    "plans": "as lodged",
    "contract": "exchanged on the day of the draw",
    "easements": "none",
    "location": "7 Hill Street, Sydney",
    "conveyancing": "included",
    "legal_costs": "included",
    "fixtures": "the kitchen",
    "furniture": "none",
}
HOUSE_ITEMS = {"dwelling": 1, "plans": 2, "contract": 3, "easements": 4, "location": 5} | dict.fromkeys(
    ("conveyancing", "legal_costs", "fixtures", "furniture"), 6
)

LATE = """
submission = absent                                            | 12 | 12 | 9 | 9 | 9,13
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a"}]   | 12.1 | 12.1 | 9.1 | 9.1 | 9.1
amendments = [{"at":"2026-12-05T12:00:00+11:00","what":"a"}] & promotion_amendment = "resubmit" | 12.1 | 12.1 | 9.1 | 9.1 | 13.1
draws[0].winners[0].contacts = []                              | 8
draws[0].compromised = {"at":"2026-12-21T12:00:00+11:00","decision":"cancelled"} | 11 | 11 | 12 | 12 | 12
"""  # noqa: E501 - a row is a line
"""The same asked when all clocks have run out."""

ROMAN = ("i", "ii", "iii", "iv", "v", "vi")


def rows(table: str) -> list[tuple[str, str, str]]:
    """Each row of a table, book by book: the book, the change, what is found."""
    found = []
    for line in table.strip().splitlines():
        change, *cells = [cell.strip() for cell in line.split(" | ")]
        found += [
            (book, change, cell) for book, cell in zip(BOOKS, cells * 5 if len(cells) == 1 else cells, strict=True)
        ]
    return found


def wanted(book: str, cell: str) -> list[str]:
    """The findings that a cell names, as ``found`` writes them."""
    row = BOOKS[book]
    said = []
    for each in cell.split() if cell != "-" else ():
        clause, _, item = each.lstrip("?~").partition("#")
        rule = f"{book} " + ", ".join(f"{row.chapter}.{number}" for number in clause.split(","))
        if item:
            rule += f".{item}" if book == "WAR" else f" {ROMAN[int(item) - 1]})"
        said.append(f"{each[0] if each[0] in '?~' else ''}{rule}")
    return said


def found(promotion: Promotion, now: datetime | None = None) -> list[str]:
    """What is found in a promotion: the rules, marked where they are no breach."""
    marks = {"breach": "", "question": "?", "due": "~"}
    return [f"{marks[each.weight]}{each.rule}" for each in check(promotion, now)]


@pytest.mark.parametrize("book", BOOKS)
def test_nothing_is_wrong_with_the_document(document: Document, book: str) -> None:
    """The promotion from which each row departs is as every book wants it."""
    assert found(read_promotion(document("", (BOOKS[book].game,)))) == []


@pytest.mark.parametrize(("book", "change", "cell"), rows(OFFER))
def test_what_is_offered(document: Document, book: str, change: str, cell: str) -> None:
    """CSP 17.1 to 17.5, TCP and FCP 15.1 to 15.5, WAR 14.1 to 14.5, SIC 10.1 to 10.5."""
    assert found(read_promotion(document(change, (BOOKS[book].game,)))) == wanted(book, cell)


@pytest.mark.parametrize(("book", "change", "cell"), rows(TERMS))
def test_what_the_terms_say(document: Document, book: str, change: str, cell: str) -> None:
    """CSP 17.6, 17.7; TCP and FCP 15.6, 15.7; WAR 14.6, 14.7; SIC 10.6, 10.7."""
    assert found(read_promotion(document(change, (BOOKS[book].game,)))) == wanted(book, cell)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("without", [None, *HOUSE_ITEMS])
def test_what_is_said_of_real_estate(document: Document, book: str, without: str | None) -> None:
    """CSP 17.7.11.4, TCP 15.7.11.4, FCP 15.7.11.4, WAR 14.7.11.4, SIC 10.7.11.4: each of its details."""
    details = "{" + ",".join(f'"{name}":"{text}"' for name, text in HOUSE.items() if name != without) + "}"
    change = f'prizes[1].kind = "real_estate" & prizes[1].details = {details}'
    cell = "-" if without is None else f"7.11.4#{HOUSE_ITEMS[without]}"
    assert found(read_promotion(document(change, (BOOKS[book].game,)))) == wanted(book, cell)


@pytest.mark.parametrize(("book", "change", "cell"), rows(CONDUCT))
def test_how_it_is_conducted(document: Document, book: str, change: str, cell: str) -> None:
    """CSP 17.8 to 17.12, TCP 15.8 to 15.12, FCP 15.8 to 15.12, WAR 14.8 to 14.12, SIC 10.8 to 10.13."""
    assert found(read_promotion(document(change, (BOOKS[book].game,)))) == wanted(book, cell)


@pytest.mark.parametrize(("book", "change", "cell"), rows(LATE))
def test_what_is_late_is_a_breach(document: Document, book: str, change: str, cell: str) -> None:
    """What is due before the clock has run out is a breach after it."""
    now = datetime.fromisoformat("2027-01-10T12:00:00+11:00")
    assert found(read_promotion(document(change, (BOOKS[book].game,))), now) == wanted(book, cell)


@pytest.mark.parametrize("book", BOOKS)
def test_a_clock_runs_to_its_last_second(document: Document, book: str) -> None:
    """A winner is sought within two days of the draw: at their end it is still due, a second later it is late."""
    promotion = read_promotion(document("draws[0].winners[0].contacts = []", (BOOKS[book].game,)))
    (finding,) = check(promotion)
    end = datetime.fromisoformat("2026-12-22T21:00:00+11:00")
    assert finding.due == end
    assert check(promotion, end)[0].weight == "due"
    assert check(promotion, end.replace(second=1))[0].weight == "breach"
