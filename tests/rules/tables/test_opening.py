"""How a table opens and closes, and what it must have: closing signs, low limit gaming, the drop box."""

from dataclasses import replace

import pytest

from rules.tables import PROVISIONS, ActRefused, open_table, purchase_refused
from tests.support.table_story import Story, a_table

BOOKS = ("CSP", "TCP", "FCP", "WAR", "SIC")
CLOSING = {"CSP": "CSP 16.9", "TCP": "TCP 14.9", "FCP": "FCP 14.8", "WAR": "WAR 13.8", "SIC": "SIC 9.13"}


@pytest.mark.parametrize(("book", "rule"), CLOSING.items())
def test_a_table_closes_with_a_sign_twenty_minutes_ahead(book: str, rule: str) -> None:
    """With players present a table closes at the time its sign has shown for 20 minutes, between rounds alone."""
    story = Story(a_table(book))
    story.tell(
        f"""
        0 join ann 1             | ok
        0 close                  | {rule}: a sign shows the time of closure
        1 closing 20:59.999999   | {rule}: not 20 minutes
        1 closing 21             | ok
        1 closing 22             | {rule}: taken down first
        1 final_call             | False
        2 down closing           | ok
        2 close                  | {rule}: a sign shows the time of closure
        3 closing 23             | ok
        20 begin                 | ok
        21 end 1                 | ok
        22:59.999999 close       | {rule}: 0:01 min ahead
        22:59.999999 begin       | ok
        23 close                 | {rule}: the table is in round
        24 end 1                 | ok
        24 close                 | ok
        24 state                 | closed
        24 begin                 | {rule}: the table is closed
        24 close                 | {rule}: the table is closed
        24 closing 50            | {rule}: the table is closed
        """
    )
    assert story.table.players == ()
    assert story.steps[-1].written[0].rule == rule


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_without_players_closes_at_once(book: str) -> None:
    """At a table where nobody plays no sign is needed, and one that opens again begins without markers or signs."""
    story = Story(a_table(book))
    story.tell("0 show 25 at 30 | ok\n0 close | ok")
    opened = open_table(story.table)
    assert (opened.state, opened.posted, opened.players) == ("open", (), ())


def test_super_streak_has_its_final_call_with_the_sign() -> None:
    """With Super Streak the sign of closing is the final call; streaks in play keep the table until they end."""
    story = Story(a_table("SIC", super_streak=True))
    story.tell(
        """
        0 join ann 1      | ok
        0 final_call      | False
        0 closing 19      | SIC 6.6: not 20 minutes
        0 closing 20      | ok
        0 told final call | ok
        0 final_call      | True
        20 close 1        | SIC 6.6: until a result has been determined
        20 close 0        | ok
        """
    )


@pytest.mark.parametrize(("book", "rule"), [("TCP", "TCP 6.7"), ("FCP", "FCP 6.6")])
def test_low_limit_gaming(book: str, rule: str) -> None:
    """Low limit gaming is offered without tournaments, and from a shuffling device alone."""
    table = a_table(book, low_limit=True)
    assert open_table(table).state == "open"
    with pytest.raises(ActRefused, match=rf"{rule}\.1: tournament play"):
        open_table(replace(table, tournament=True))
    with pytest.raises(ActRefused, match=rf"{rule}\.2: all cards are dealt from a shuffling device"):
        open_table(replace(table, device="shoe"))
    assert open_table(replace(table, low_limit=False, tournament=True, device="shoe")).state == "open"


@pytest.mark.parametrize(("book", "rule"), [("TCP", "TCP 6.7"), ("FCP", "FCP 6.6"), ("CSP", "CSP 6.1")])
def test_a_low_limit_table_keeps_its_device(book: str, rule: str) -> None:
    """A table changes from a device to a shoe between rounds; one of low limit gaming does not."""
    low = book != "CSP"
    story = Story(a_table(book, low_limit=low))
    story.tell(f"0 begin | ok\n0 deal shuffler | {rule}: a round of play\n0 end | ok\n0 deal shuffler | ok")
    story.tell(f"0 deal shoe | {f'{rule}.2: from a shuffling device' if low else 'ok'}")
    assert story.table.device == ("shuffler" if low else "shoe")


@pytest.mark.parametrize("book", ["CSP", "WAR", "SIC"])
def test_low_limit_gaming_is_not_in_every_book(book: str) -> None:
    """The other books do not know low limit gaming."""
    with pytest.raises(ActRefused, match="low limit gaming is not offered"):
        open_table(a_table(book, low_limit=True))


CASH = {"CSP": ("CSP 2.5", "CSP 2.5.1"), "TCP": ("TCP 2.4", "TCP 2.4.1"), "SIC": ("SIC 2.7.3", "SIC 2.7.3.1")}


@pytest.mark.parametrize("book", CASH)
def test_a_cashless_table_may_lose_its_drop_box(book: str) -> None:
    """A table that takes cash has a drop box, which may be removed while it is cashless and sells chips by terminal."""
    box, cashless = CASH[book]
    story = Story(a_table(book))
    story.tell(
        f"""
        0 cash cash       | {box}: has a drop box attached
        0 cash none box   | ok
        0 cash none       | ok
        0 cash cash       | {box}: has a drop box attached
        """
    )
    refused = purchase_refused(story.table, "cash")
    assert refused is not None
    assert refused.rule == cashless
    assert purchase_refused(story.table, "terminal") is None
    assert story.line("0 cash cash box") == "ok"
    assert purchase_refused(story.table, "cash") is None


@pytest.mark.parametrize("book", ["FCP", "WAR"])
def test_two_books_know_no_cashless_table(book: str) -> None:
    """Four Card Poker and Casino War have the drop box attached in any case."""
    rule = PROVISIONS[book].drop_box
    Story(a_table(book)).tell(f"0 cash none box | {rule}: no cashless table\n0 cash cash | {rule}: has a drop box")
    with pytest.raises(ActRefused, match="drop box"):
        open_table(a_table(book, drop_box=False))
