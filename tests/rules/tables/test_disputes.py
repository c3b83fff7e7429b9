"""Disputes and complaints: the order in which they are decided, the notice to who is not satisfied, what is written."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from rules.tables import (
    PROVISIONS,
    ActRefused,
    Step,
    Table,
    advise,
    ask_review,
    decide_dispute,
    raise_dispute,
    review_dispute,
)
from tests.support.table_story import OPENED_US, a_table

CLAUSES: Final = {
    "CSP": ("CSP 16.13", "CSP 16.14", "gaming supervisor"),
    "TCP": ("TCP 14.13", "TCP 14.14", "gaming supervisor"),
    "FCP": ("FCP 14.12", "FCP 14.13", "gaming supervisor"),
    "WAR": ("WAR 13.11", "WAR 13.12", "gaming supervisor"),
    "SIC": ("SIC 9.17", "SIC 9.18", "games supervisor"),
}
"""Who decides and reviews; what is final, and the notice; by what name the first is called."""

ORDER: Final = """
decide game Gus      | first: dispute: 1: nobody raised it
advise ann           | first: dispute: 1: nobody raised it
raise ann            | ok
raise ben            | first: dispute: 1: there is one of that name
ask ann              | first: dispute: 1: nothing is decided yet
review casino Cat    | first: dispute: 1: nothing is decided yet
advise ann           | final: dispute: 1: nothing is decided yet
decide casino Cat    | first: casino: in the first instance it is for a GAME
decide game          | first: person: missing: it is written down with a person
decide game Gus      | ok
decide game Gil      | first: dispute: 1: Gus decided it already
review casino Cat    | first: dispute: 1: nobody asked for a review
advise ben           | ok
ask                  | first: person: missing: it is written down with a person
ask ann              | ok
ask ben              | first: dispute: 1: a review was asked for already
review game Gil      | first: game: it is for a casino supervisor to review
review casino Gus    | first: person: Gus: decided it, and does not review it
review casino        | first: person: missing: it is written down with a person
review casino Cat    | ok
review casino Cal    | final: dispute: 1: the decision is final
ask ann              | final: dispute: 1: the decision is final
decide game Gus      | first: dispute: 1: Gus decided it already
advise               | final: dissatisfied: missing: it is written down with a dissatisfied
advise ann           | ok
"""


def _act(table: Table[Any], words: list[str], at_us: int) -> Step[Any]:
    name, *said = words
    who = said[-1] if said and said[-1] not in {"game", "casino"} else ""
    role: Any = said[0] if said else ""
    acts: dict[str, Callable[[], Step[Any]]] = {
        "raise": lambda: raise_dispute(table, "1", who, "the box was not paid", at_us),
        "decide": lambda: decide_dispute(table, "1", role, who, "not paid", "placed late", at_us),
        "absent": lambda: decide_dispute(table, "1", role, who, "not paid", "placed late", at_us, absent=True),
        "ask": lambda: ask_review(table, "1", who, at_us),
        "review": lambda: review_dispute(table, "1", role, who, "paid", "seen on camera", at_us),
        "advise": lambda: advise(table, "1", who, "Gus", at_us),
    }
    return acts[name]()


def _tell(book: str, text: str) -> list[Step[Any]]:
    """Go through a story, a line a second, and hold each line to what it comes to; the steps that were made."""
    first, final, game = CLAUSES[book]
    table, steps = a_table(book), []
    for second, line in enumerate(text.strip().splitlines()):
        said, _, expected = (part.strip() for part in line.partition("|"))
        rule, _, reason = expected.partition(": ")
        wanted = expected if expected == "ok" else f"{first if rule == 'first' else final}: {reason}"
        try:
            step = _act(table, said.split(), OPENED_US + second)
        except ActRefused as refused:
            came = str(refused)
        else:
            came, table = "ok", step.table
            steps.append(step)
        assert came == wanted.replace("GAME", game), line
    return steps


@pytest.mark.parametrize("book", CLAUSES)
def test_a_dispute_goes_from_the_game_to_the_casino_and_is_final(book: str) -> None:
    """The game's supervisor decides, a casino supervisor reviews if asked, then it is final; else refused by rule."""
    first, final, game = CLAUSES[book]
    steps = _tell(book, ORDER)
    right = (
        "has the right to lodge a complaint with an inspector (Gaming and Liquor Administration Act 2007, section 33)"
    )
    assert [str(due) for step in steps for due in step.told] == [
        f"{game}: decides dispute 1, raised by ann: the box was not paid ({first})",
        f"ann: dispute 1 is decided: not paid; a review may be asked for ({first})",
        f"ben: {right} ({final})",
        f"casino supervisor: reviews dispute 1, decided by Gus ({first})",
        f"ann: dispute 1 is decided finally: paid ({final})",
        f"ann: {right} ({final})",
    ]
    assert [(each.kind, each.at_us - OPENED_US, each.rule, each.person) for step in steps for each in step.written] == [
        ("dispute", 2, first, "ann"),
        ("dispute_decided", 9, first, "Gus"),
        ("advised", 12, final, "Gus"),
        ("review_asked", 14, first, "ann"),
        ("dispute_reviewed", 19, first, "Cat"),
        ("advised", 24, final, "Gus"),
    ]
    assert [steps[1].written[0].reason, steps[4].written[0].reason] == [
        "1: not paid: placed late",
        "1: paid: seen on camera",
    ]


def test_a_games_supervisor_who_is_absent_leaves_it_to_a_casino_supervisor() -> None:
    """SIC 9.17: in that absence, and only then, a casino supervisor decides first; another one may review it."""
    _tell(
        "SIC",
        """
        raise ann          | ok
        absent game Gus    | first: game: in the first instance it is for a casino supervisor
        absent casino Cat  | ok
        ask ann            | ok
        review casino Cat  | first: person: Cat: decided it, and does not review it
        review casino Cal  | ok
        """,
    )


@pytest.mark.parametrize("book", ["CSP", "TCP", "FCP", "WAR"])
def test_no_other_book_decides_without_its_supervisor(book: str) -> None:
    """Only Sic Bo says who decides in the absence of the game's supervisor."""
    _tell(
        book,
        """
        raise ann          | ok
        absent casino Cat  | first: casino: in the first instance it is for a GAME
        absent game Gus    | first: absent: no rule of this book decides without a GAME
        decide game Gus    | ok
        """,
    )


def test_every_book_has_its_clauses() -> None:
    """Each book's row names the clauses of its own text."""
    assert {book: (row.dispute, row.final, row.decides) for book, row in PROVISIONS.items()} == CLAUSES
