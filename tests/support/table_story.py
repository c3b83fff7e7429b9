"""A table's day told line by line, for the tests of its limits and people: ``time act ... | what it comes to``.

Times are minutes and seconds (``19:59.999999``) after the table opened. What an act comes to is ``ok``, or the rule
that refuses it and words of the reason; what a question comes to is the answer. Amounts are dollars.
"""

from collections.abc import Callable
from typing import Any, Final

from rules.games import GAMES
from rules.games.casino_war import Limits as WarLimits
from rules.games.four_card_poker import Limits as FourCardLimits
from rules.games.sic_bo import Limits as SicBoLimits
from rules.games.three_card_poker import Limits as ThreeCardLimits
from rules.irregularities.collusion import Direction
from rules.limits import Limits
from rules.tables import (
    ActRefused,
    Answer,
    KnownCards,
    Placing,
    Step,
    Table,
    advance,
    alter,
    ask_for_seat,
    begin_round,
    change_device,
    change_seat,
    close,
    coming,
    direct,
    end_own_limits,
    end_round,
    find_device,
    find_employee,
    find_ineligible,
    give_own_limits,
    give_up_area,
    join,
    leave,
    limit_players,
    markers,
    maximums,
    minimums,
    on_display,
    placing_refused,
    raise_at_once,
    refuse_wager,
    reserve,
    set_cash,
    show_closing,
    show_minimum,
    show_old_minimum,
    take_area,
    take_down,
    to_give_up,
    wait_for_seat,
)

OPENED_US: Final = 1_795_000_000_000_000
"""A day in November 2026."""

BOSS: Final = "A. Lee"
FIRST_AREA: Final = {"CSP": "ante", "TCP": "ante", "FCP": "ante", "WAR": "initial", "SIC": "small"}
_UNTIL: Final = {"minimum": "minimum", "old": "old_minimum", "closing": "closing"}


def sign_of(book: str, least: int, most: int | None = None, unit: int | None = None) -> Any:
    """A sign with a minimum, maximum and unit of the first area, in dollars."""
    low, high, step = least * 100, None if most is None else most * 100, 1 if unit is None else unit * 100
    if book == "SIC":
        return SicBoLimits({"table": low}, {} if high is None else {"table": high}, {"table": step})
    if book == "WAR":
        return WarLimits(low, high, step)
    kinds: dict[str, Callable[..., Any]] = {"CSP": Limits, "TCP": ThreeCardLimits, "FCP": FourCardLimits}
    return kinds[book](low, high, step)


def moment(text: str) -> int:
    """A moment of the story in microseconds: ``20:00`` is 20 minutes after the table opened."""
    minutes, _, seconds = text.partition(":")
    whole, _, part = (seconds or "0").partition(".")
    return OPENED_US + (int(minutes) * 60 + int(whole)) * 1_000_000 + int(part.ljust(6, "0") or 0)


def a_table(book: str = "CSP", least: int = 10, most: int | None = 500, **fields: Any) -> Table[Any]:
    """A table that has just opened, with a sign in dollars."""
    assert any(game.book == book for game in GAMES.values())
    return Table(book, sign_of(book, least, most), OPENED_US, **{"places": 3, **fields})


class Everybody(KnownCards):
    """A port that finds each card valid but those it was told of."""

    def of(self, player: str, at_us: int) -> Answer:
        """What it was told, or that the card is valid."""
        return self.told.get(player, "valid") if at_us else "valid"


class Story:
    """A table, and what its last act told and wrote."""

    def __init__(self, table: Table[Any], **cards: Answer) -> None:
        self.table = table
        self.cards = Everybody(cards)
        self.told: list[str] = []
        self.steps: list[Step[Any]] = []

    def tell(self, text: str) -> None:
        """Go through every line of a story, and hold each to what it says it comes to."""
        for line in text.strip().splitlines():
            said, _, expected = (part.strip() for part in line.partition("|"))
            came = self.line(said)
            found = came == expected if not expected.startswith(self.table.book) else _refuses(came, expected)
            assert found, f"{line.strip()}: came to {came!r}"

    def line(self, said: str) -> str:
        """Do one line, and say what it came to."""
        time, name, *words = said.split()
        at_us = moment(time)
        if name in _QUESTIONS:
            return _QUESTIONS[name](self, words, at_us)
        before = self.table
        try:
            step = self.act(name, words, at_us)
        except ActRefused as refused:
            assert self.table is before
            return str(refused)
        self.table = step.table
        self.told = list(map(str, step.told))
        self.steps.append(step)
        return "ok"

    def act(self, name: str, words: list[str], at_us: int) -> Step[Any]:
        """One act, by its word in the story."""
        table = self.table
        numbers = [int(word) for word in words if word.isdigit()]
        if name in _PEOPLE:
            return _PEOPLE[name](self, words, at_us)
        if name in {"show", "old"}:
            shows = show_minimum if name == "show" else show_old_minimum
            limits = sign_of(table.book, *map(int, words[: words.index("at")]))
            return shows(table, limits, moment(words[-1]), BOSS, at_us)
        if name in {"alter", "raise"}:
            return (alter if name == "alter" else raise_at_once)(table, sign_of(table.book, *numbers), BOSS, at_us)
        if name == "down":
            return take_down(table, _UNTIL[words[0]], BOSS, at_us)  # type: ignore[arg-type]
        if name == "own":
            return give_own_limits(table, words[0], sign_of(table.book, *numbers), BOSS, at_us)
        if name == "closing":
            return show_closing(table, moment(words[0]), BOSS, at_us)
        if name == "close":
            return close(table, BOSS, at_us, *numbers)
        if name == "end":
            return end_round(table, frozenset(numbers), at_us)
        if name == "cash":
            return set_cash(table, takes_cash="cash" in words, drop_box="box" in words, person=BOSS, at_us=at_us)
        assert name == "begin", name
        return begin_round(table, at_us)


def _refuses(came: str, expected: str) -> bool:
    rule, _, words = expected.partition(": ")
    return came.startswith(f"{rule}: ") and words in came


def _direct(story: Story, words: list[str], at_us: int) -> Step[Any]:
    kind, *players = words
    return direct(
        story.table,
        Direction(story.table.book, kind, frozenset(players), BOSS, "signals"),  # type: ignore[arg-type]
        at_us,
    )


def _device(story: Story, words: list[str], at_us: int) -> Step[Any]:
    player, *measures = words
    duty = "on_duty" in measures
    had = "only_possessed" in measures
    taken: Any = [each for each in measures if each not in {"on_duty", "only_possessed"}]
    return find_device(story.table, player, taken, BOSS, "a telephone", at_us, on_duty=duty, only_possessed=had)


def _found(story: Story, words: list[str], at_us: int) -> Step[Any]:
    cause: Any = words[1]
    return find_ineligible(story.table, words[0], cause, BOSS, "age not proved", at_us)


def _employee(story: Story, words: list[str], at_us: int) -> Step[Any]:
    decision: Any = words[1]
    return find_employee(story.table, words[0], decision, BOSS, "on shift", at_us)


_PEOPLE: Final[dict[str, Callable[[Story, list[str], int], Step[Any]]]] = {
    "join": lambda story, words, at_us: join(story.table, words[0], int(words[1]), story.cards, at_us),
    "leave": lambda story, words, at_us: leave(story.table, words[0], at_us),
    "change": lambda story, words, at_us: change_seat(story.table, words[0], int(words[1]), at_us),
    "take": lambda story, words, at_us: take_area(story.table, words[0], int(words[1]), at_us),
    "give_up": lambda story, words, at_us: give_up_area(story.table, words[0], int(words[1]), at_us),
    "wait": lambda story, words, at_us: wait_for_seat(story.table, words[0], at_us),
    "reserve": lambda story, words, at_us: reserve(story.table, words[0], list(map(int, words[1:])), BOSS, at_us),
    "limit": lambda story, words, at_us: limit_players(story.table, int(words[0]), BOSS, at_us),
    "unown": lambda story, words, at_us: end_own_limits(story.table, words[0], BOSS, at_us),
    "ask": lambda story, words, at_us: ask_for_seat(story.table, words[0], BOSS, at_us),
    "refuse": lambda story, words, at_us: refuse_wager(
        story.table, int(words[0]), words[1], int(words[2]) * 100, BOSS, " ".join(words[3:]), at_us
    ),
    "direct": _direct,
    "device": _device,
    "deal": lambda story, words, at_us: change_device(story.table, words[0], BOSS, at_us),  # type: ignore[arg-type]
    "found": _found,
    "employee": _employee,
}


def _dollars(cents: int | None) -> str:
    return "-" if cents is None else f"{cents // 100}"


def _limit(which: Callable[[Any], Any]) -> Callable[[Story, list[str], int], str]:
    def answer(story: Story, words: list[str], at_us: int) -> str:
        table = advance(story.table, at_us).table
        return _dollars(which(table.limits_of(int(words[0])))[FIRST_AREA[table.book]])

    return answer


def _placed(story: Story, words: list[str], at_us: int) -> str:
    """``place AREA PLAYER [by WHOM] [claim WORD] [stake WHOM] [helped]``."""
    said = dict(zip(words[2::2], words[3::2], strict=False))
    placing = Placing(
        int(words[0]),
        words[1],
        said.get("by", words[1]),
        said.get("claim", ""),
        said.get("stake", ""),
        only_helped="helped" in words,
    )
    why = placing_refused(story.table, placing, story.cards, at_us)
    return "ok" if why is None else f"{why.rule}: {why.reason}"


def _may(story: Story, words: list[str], at_us: int) -> str:
    now = coming(story.table, story.cards, at_us)
    why = now.closed.get(int(words[0]))
    return "ok" if why is None else f"{why.rule}: {why.reason}"


def _row(numbers: Any) -> str:
    return " ".join(map(str, numbers)) or "none"


_QUESTIONS: Final[dict[str, Callable[[Story, list[str], int], str]]] = {
    "min": _limit(minimums),
    "max": _limit(maximums),
    "place": _placed,
    "may": _may,
    "markers": lambda story, _, at_us: _row(markers(advance(story.table, at_us).table)),
    "signs": lambda story, _, at_us: _row(
        f"{each.rule.split()[1]}@{_row(each.boxes)}" for each in on_display(advance(story.table, at_us).table)
    ),
    "state": lambda story, _, at_us: advance(story.table, at_us).table.state,
    "told": lambda story, words, _: "ok" if any(" ".join(words) in each for each in story.told) else _row(story.told),
    "spare": lambda story, _, at_us: _row(to_give_up(advance(story.table, at_us).table)),
    "first": lambda story, _, at_us: _row(sorted(coming(story.table, story.cards, at_us).play_first)),
    "english": lambda story, _, at_us: str(coming(story.table, story.cards, at_us).english),
    "final_call": lambda story, _, at_us: str(coming(story.table, story.cards, at_us).final_call),
}
