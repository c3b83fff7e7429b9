"""The JSON Schemas of all that ``python -m rules`` reads and answers line by line.

Made from the forms by which lines are read, so that both cannot differ. What a schema cannot say (a card seen twice, a
bet of the wrong amount) is refused all the same, with its field.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NotRequired, TypedDict, get_args

from rules.games.sic_bo import NoResult
from rules.records import FORMS
from rules.records.caribbean_stud import PrizeName
from rules.records.forms import Cards, Cents, Count, Edition, Month, Name
from rules.records.other_schemas import other_schemas
from rules.records.questions import QUESTIONS, Answer
from rules.records.reports import KeptRecord, MonthEndRecord, NoticeRecord
from rules.records.sic_bo import Faces, RunsRecord, SicBoOpenRecord
from rules.records.strict_schemas import schema_of
from rules.rounds import Line


class Net(TypedDict):
    """What a player is up by a round, or down where negative."""

    seat: Count
    net_cents: int


class _Settlement(TypedDict):
    """What a settlement of any game says: whose round it was, every wager, and what it hangs on."""

    line: Count
    file: NotRequired[str]
    table: NotRequired[Name]
    journal: NotRequired[Count]
    month: NotRequired[Month]
    round: NotRequired[Count]
    revision: NotRequired[Count]
    edition: Edition
    lines: list[Line]
    net: list[Net]
    notices: NotRequired[list[NoticeRecord]]
    month_end: NotRequired[list[MonthEndRecord]]
    kept: NotRequired[list[KeptRecord]]
    rulings: dict[str, str | bool]
    notes: list[str]


class DealersHand(TypedDict):
    """The dealer's hand: its cards, and what it is worth in words and by its clause."""

    cards: Cards
    hand: str
    category: str
    rule: str
    qualifies: NotRequired[bool]


class SeatsHand(TypedDict):
    """What the hand of a seat is worth."""

    seat: Count
    hand: str
    category: str
    rule: str


class FourCardDealersHand(DealersHand):
    """The dealer's hand with the four cards that count (FCP 9.1)."""

    best: Cards


class FourCardSeatsHand(SeatsHand):
    """What the hand of a seat is worth, with the four cards that count (FCP 9.2)."""

    best: Cards


class Qualifying(TypedDict):
    """A hand that wins a jackpot prize (CSP 11.4)."""

    seat: Count
    prize: PrizeName


class Award(TypedDict):
    """An award of the link, with its rules."""

    seat: Count
    prize: PrizeName
    pool: Name | None
    amount_cents: Cents
    from_pool_cents: Cents
    topup_cents: Cents
    bonus_cents: Cents
    rules: list[str]


class CaribbeanStudSettlement(_Settlement):
    """What a round of Caribbean Stud comes to; ``awards`` where its meter was given."""

    game: Literal["caribbean_stud"]
    dealer: NotRequired[DealersHand]
    hands: list[SeatsHand]
    qualifying: list[Qualifying]
    left_face_up: list[Count]
    awards: NotRequired[list[Award]]


class ThreeCardSettlement(_Settlement):
    """What a round of Three Card Poker comes to."""

    game: Literal["three_card_poker"]
    dealer: NotRequired[DealersHand]
    hands: list[SeatsHand]


class FourCardSettlement(_Settlement):
    """What a round of Four Card Poker comes to."""

    game: Literal["four_card_poker"]
    dealer: NotRequired[FourCardDealersHand]
    hands: list[FourCardSeatsHand]


class WarDealersCards(TypedDict):
    """The dealer's cards; no hand of this game has a value (WAR 3.2)."""

    cards: Cards


class WarSeatsCards(WarDealersCards):
    """The cards of an area."""

    seat: Count


class CasinoWarSettlement(_Settlement):
    """What a round of Casino War comes to."""

    game: Literal["casino_war"]
    dealer: NotRequired[WarDealersCards]
    hands: list[WarSeatsCards]


class SicBoSettlement(_Settlement):
    """What a round of Sic Bo comes to: its dice or why there was no result, and the streak wagers still in play."""

    game: Literal["sic_bo"]
    dice: NotRequired[Faces]
    total: NotRequired[int]
    triple: NotRequired[bool]
    no_result: NotRequired[NoResult]
    still_open: list[SicBoOpenRecord]
    stopped: NotRequired[Literal[True]]
    runs: NotRequired[RunsRecord]


class Error(TypedDict):
    """What is wrong with a line: the field by its path, empty for the whole line, its value cut short, the reason."""

    line: Count
    file: NotRequired[str]
    field: str
    value: str
    error: str


SETTLEMENTS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "caribbean_stud": CaribbeanStudSettlement,
        "three_card_poker": ThreeCardSettlement,
        "four_card_poker": FourCardSettlement,
        "casino_war": CasinoWarSettlement,
        "sic_bo": SicBoSettlement,
    }
)
"""What is answered to a round, by game."""


def schemas() -> dict[str, Any]:
    """Every schema: of each game's round and settlement, of a question (its answer among the definitions), of an error,
    and of what the other commands read and answer (``other_schemas``).

    Always a whole schema each, with an id of its own, so that it holds wherever it stands.
    """
    games = {
        name: {
            "round": _of_round(name),
            "settlement": schema_of(f"{name}:settlement", [SETTLEMENTS[name]]),
        }
        for name in FORMS
    }
    return games | {"ask": _of_questions(), "error": schema_of("error", [Error])} | other_schemas()


def _of_round(game: str) -> dict[str, Any]:
    """A game's round: of Caribbean Stud the game may be left out, and the terms have a form of their own."""
    schema = schema_of(f"{game}:round", [FORMS[game].form.record])
    if game == "caribbean_stud":
        definitions = schema["$defs"]
        definitions["IrregularRecord"]["properties"]["game"] = {"enum": [game]}
        definitions["JackpotRecord"]["properties"]["terms"] = {
            "description": "a link's terms, or their fingerprint",
            "anyOf": [{"type": "object"}, {"type": "string", "pattern": "^[0-9a-f]{64}$"}],
        }
    return schema


def _of_questions() -> dict[str, Any]:
    """A question of any kind; its answer is the definition ``answer``."""
    schema = schema_of("ask", [form.record for form in QUESTIONS.values()])
    answers = schema_of("answer", get_args(Answer))
    definitions = answers.pop("$defs")
    for each in ("$id", "$schema"):
        del answers[each]
    for kind in get_args(Answer):
        answer = definitions[kind.__name__]
        answer["properties"] = {"line": {"type": "integer"}, "file": {"type": "string"}} | answer["properties"]
        answer["required"] = ["line", *answer["required"]]
    schema["$defs"] |= definitions | {"answer": answers}
    return schema
