"""Whose wagers a table takes: valid own cards, nobody's proxy, and wagers refused for reasons that are written down."""

import pytest

from rules.limits import Limits
from rules.settings import SharedSettings
from rules.tables import (
    CARDS_FROM_US,
    PROVISIONS,
    ActRefused,
    Answer,
    KnownCards,
    Meaning,
    coming,
    join,
    meaning,
    refuse_wager,
)
from tests.support.moves import rows_of
from tests.support.table_story import BOSS, OPENED_US, Story, a_table

ANSWERS = """
CSP | as_book   | valid         | accepted       |
CSP | as_book   | not_own       | refused        | CSP 16.1
CSP | as_book   | suspended     | refused        | CSP 5.1
CSP | as_book   | unknown       | refused        | CSP 5.1
CSP | as_book   | excluded      | refused        | CSP 16.4.3
CSP | as_book   | limit_reached | may_be_refused | CSP 16.12
TCP | as_book   | valid         | accepted       |
TCP | as_book   | not_own       | refused        | TCP 14.1
TCP | as_book   | suspended     | refused        | TCP 5.1
TCP | as_book   | unknown       | refused        | TCP 5.1
TCP | as_book   | excluded      | refused        | TCP 14.4.3
TCP | as_book   | limit_reached | may_be_refused | TCP 14.12
FCP | as_book   | valid         | accepted       |
FCP | as_book   | not_own       | accepted       |
FCP | as_book   | suspended     | accepted       |
FCP | as_book   | unknown       | accepted       |
FCP | as_book   | excluded      | refused        | FCP 14.3.3
FCP | as_book   | limit_reached | may_be_refused | FCP 14.11
WAR | as_book   | valid         | accepted       |
WAR | as_book   | not_own       | accepted       |
WAR | as_book   | suspended     | accepted       |
WAR | as_book   | unknown       | accepted       |
WAR | as_book   | excluded      | refused        | WAR 13.3.3
WAR | as_book   | limit_reached | accepted       |
SIC | as_book   | valid         | accepted       |
SIC | as_book   | not_own       | refused        | SIC 9.1
SIC | as_book   | suspended     | refused        | SIC 3.1
SIC | as_book   | unknown       | refused        | SIC 3.1
SIC | as_book   | excluded      | refused        | SIC 9.8.3
SIC | as_book   | limit_reached | refused        | SIC 9.3
CSP | all_games | not_own       | refused        | CSP 16.1
CSP | all_games | limit_reached | refused        | carded_play
FCP | all_games | valid         | accepted       |
FCP | all_games | not_own       | refused        | carded_play
FCP | all_games | suspended     | refused        | carded_play
FCP | all_games | unknown       | refused        | carded_play
FCP | all_games | excluded      | refused        | FCP 14.3.3
WAR | all_games | not_own       | refused        | carded_play
WAR | all_games | limit_reached | refused        | carded_play
SIC | all_games | limit_reached | refused        | SIC 9.3
"""


@pytest.mark.parametrize(("book", "ruling", "answer", "wager", "rule"), rows_of(ANSWERS))
def test_what_an_answer_means(book: str, ruling: str, answer: Answer, wager: str, rule: str) -> None:
    """Each answer about a card accepts or refuses a wager by its book's rule, or leaves it to the supervisor."""
    settings = SharedSettings(carded_play=ruling)  # type: ignore[arg-type]
    said = meaning(book, answer, OPENED_US, settings)
    assert (said.wager, said.rule) == (wager, rule)
    assert bool(said.reason) is (wager != "accepted")


@pytest.mark.parametrize("book", ["CSP", "TCP", "SIC"])
def test_cards_are_asked_for_from_their_day_on(book: str) -> None:
    """A card is needed from 19 August 2024, midnight in Sydney, and not a microsecond before; exclusion always held."""
    assert meaning(book, "unknown", CARDS_FROM_US).wager == "refused"
    assert meaning(book, "unknown", CARDS_FROM_US - 1) == Meaning("accepted")
    assert meaning(book, "excluded", CARDS_FROM_US - 1).wager == "refused"
    table = a_table(book)
    step = join(table, "ann", 1, KnownCards({"ann": "valid"}), OPENED_US)
    assert [each.player for each in step.table.players] == ["ann"]
    with pytest.raises(ActRefused, match="no valid Player Card was shown"):
        join(table, "ann", 1, KnownCards({}), OPENED_US)


@pytest.mark.parametrize("book", ["CSP", "TCP", "SIC"])
def test_a_card_is_valid_and_ones_own_at_every_wager(book: str) -> None:
    """A player joins with a valid card, and one found since not to be his, or suspended, takes no more wagers."""
    row = PROVISIONS[book]
    story = Story(a_table(book), max="not_own", zoe="suspended")
    story.tell(
        f"""
        0 join max 1   | {row.own_card}: issued to another person
        0 join zoe 1   | {row.card}: suspended
        0 join ann 1   | ok
        0 may 1        | ok
        0 may 2        | {row.own_card}: nobody who showed a Player Card
        """
    )
    for answer, rule in (("not_own", row.own_card), ("unknown", row.card)):
        story.cards = type(story.cards)({"ann": answer})  # type: ignore[dict-item]
        story.tell(f"1 may 1 | {rule}: Player Card\n1 place 1 ann | {rule}: Player Card")


@pytest.mark.parametrize("book", ["FCP", "WAR"])
def test_two_books_ask_for_no_card(book: str) -> None:
    """Four Card Poker and Casino War ask for no card unless the table's ruling says so; then nobody plays without."""
    Story(a_table(book), ann="unknown").tell("0 join ann 1 | ok\n0 may 1 | ok\n0 may 2 | ok\n0 place 1 ann by ben | ok")
    ruled = Story(a_table(book, settings=SharedSettings(carded_play="all_games")), ann="unknown")
    assert ruled.line("0 join ann 1") == "carded_play: no valid Player Card was shown"
    assert ruled.line("0 may 2") == "carded_play: nobody who showed a Player Card plays there"
    assert ruled.line("0 join ben 1") == "ok"
    assert ruled.line("0 place 1 ben by zoe").startswith("carded_play: zoe places it")
    assert ruled.line("0 place 1 ben by zoe claim attorney").startswith("carded_play: placed on behalf")


PROXIES = """
0 join ann 1                      | ok
0 join ben 2                      | ok
0 place 1 ann                     | ok
0 place 1 ann by dealer           | ok
0 place 1 ann by ben              | {proxy}: ben places it for or on behalf of ann
0 place 1 ann by zoe claim agent  | {own}.1: whatever is claimed
0 place 1 ann by ben claim power_of_attorney | {own}.1: whatever is claimed
0 place 1 ann by ann stake zoe    | {own}.2: zoe has the stake
0 place 1 ann by dealer stake zoe | {own}.2: zoe has the stake
0 place 1 ann by ann stake ann    | ok
0 place 1 ann by ann claim agent  | ok
0 place 1 ben                     | {own}: area 1 is ann's
0 place 1 ann by ben helped       | {helped}
"""


@pytest.mark.parametrize("book", ["CSP", "TCP", "SIC"])
def test_nobody_wagers_for_another(book: str) -> None:
    """A wager for another is invalid whatever agency is claimed, whoever has the stake; help by hand is Sic Bo's."""
    row = PROVISIONS[book]
    helped = "ok" if book == "SIC" else f"{row.own_card}: ben places it"
    Story(a_table(book)).tell(PROXIES.format(own=row.own_card, proxy=row.proxy or row.own_card, helped=helped))


def test_help_is_for_a_player_who_is_there() -> None:
    """Sic Bo lets a wager be placed by another's hand only for a player present at the table (SIC 1.1, 9.20)."""
    story = Story(a_table("SIC"))
    story.tell("0 join ben 2 | ok\n0 place 1 ann by ben helped | SIC 9.1: nobody who showed a Player Card")


REFUSES = {"CSP": "CSP 16.12", "TCP": "TCP 14.12", "FCP": "FCP 14.11", "SIC": "SIC 9.16"}


@pytest.mark.parametrize(("book", "rule"), REFUSES.items())
def test_a_refused_wager_is_written_down(book: str, rule: str) -> None:
    """A supervisor refuses a wager before the first card, and who, whose, how much and why is kept; not after it.

    In Sic Bo bets are placed while the dice have tumbled: until the call of no more bets, which the felt holds them to.
    """
    story = Story(a_table(book))
    late = "ok" if book == "SIC" else f"{rule}: the first card was removed"
    story.tell(
        f"""
        0 join ann 1                    | ok
        0 refuse 1 ante 50              | {rule}: grounds: missing
        0 refuse 1 ante 50 chips thrown | ok
        1 begin                         | ok
        1 refuse 1 ante 50 too late     | {late}
        """
    )
    step = next(step for step in story.steps if step.written)
    entry = step.written[0]
    assert (entry.kind, entry.rule, entry.person, entry.reason) == ("refused_wager", rule, BOSS, "chips thrown")
    assert (entry.player, entry.seat, entry.area, entry.cents, entry.at_us) == ("ann", 1, "ante", 5000, OPENED_US)
    assert [(move.name, move.seat, move.area) for move in step.moves] == [("refuse_wager", 1, "ante")]
    with pytest.raises(ActRefused, match="person: missing"):
        refuse_wager(a_table(book), 1, "ante", 5000, "", "chips thrown", OPENED_US)


def test_casino_war_has_no_rule_to_refuse_a_wager() -> None:
    """The book of Casino War does not let a supervisor refuse a wager."""
    assert Story(a_table("WAR")).line("0 refuse 1 initial 50 thrown").startswith("WAR: no rule of this book")


def test_who_has_reached_a_loss_limit_sits_but_does_not_wager() -> None:
    """SIC 9.3: no wager beyond the Loss Limit is placed, but nobody is sent from the seat for it."""
    story = Story(a_table("SIC"), ann="limit_reached")
    story.tell("0 join ann 1 | ok\n0 may 1 | SIC 9.3: Loss Limit\n0 place 1 ann | SIC 9.3: Loss Limit")


def test_what_holds_for_the_coming_round() -> None:
    """The coming round knows each seat's own limits and clause, the closed seats, and those a supervisor may refuse."""
    story = Story(a_table("CSP", places=4), zoe="limit_reached")
    story.tell("0 join ann 1 | ok\n0 join ben 2 | ok\n0 raise 25 500 | ok\n0 join zoe 3 | ok\n0 own ben 10 9000 | ok")
    now = coming(story.table, story.cards, OPENED_US)
    assert now.sign == Limits(2500, 50_000)
    assert now.own_limits == {1: Limits(1000, 50_000), 2: Limits(1000, 900_000)}
    assert now.by_rule == {1: "CSP 6.5.1", 2: "CSP 6.6"}
    assert list(now.closed) == [4, 5, 6, 7, 8, 9]
    assert {area: why.rule for area, why in now.doubtful.items()} == {3: "CSP 16.12"}
    assert (now.markers, now.play_first, now.english, now.final_call) == ((1, 2), frozenset(), False, False)
