"""The JSON forms of single questions about the rules, and of their answers (``python -m rules ask``).

A question says by ``ask`` which it is. It is read as strictly as a round. Knows no answer (``rules.records.asking``).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from rules.games.sic_bo import Side
from rules.records.forms import CARDS_PATTERN, Cards, Form, Part, RecordError, SeatNumber
from rules.records.sic_bo import Faces, RunsRecord
from rules.rounds import Device, Face
from rules.strict_json import first_fault

PokerGame = Literal["caribbean_stud", "three_card_poker", "four_card_poker"]
CardGame = Literal["caribbean_stud", "three_card_poker", "four_card_poker", "casino_war"]
Qualifying = Literal["caribbean_stud", "three_card_poker"]
"""The games whose dealer must qualify (CSP 9.1, TCP 9.1)."""
DeckText = Annotated[str, Meta(max_length=6 * 52 * 3, extra_json_schema={"pattern": CARDS_PATTERN})]
"""Up to the six decks of Casino War (WAR 3.1)."""


class HandQuestion(Part, frozen=True, kw_only=True):
    """What is this hand worth, and which cards make it?"""

    ask: Literal["hand"]
    game: PokerGame
    cards: Cards


class HigherQuestion(Part, frozen=True, kw_only=True):
    """Which of these two hands is the higher? At Casino War a hand is a card."""

    ask: Literal["higher"]
    game: CardGame
    hands: tuple[Cards, Cards]


class QualifiesSettingsRecord(Part, frozen=True):
    """The table's reading of what qualifies, where it is not the default (TCP 9.1)."""

    dealer_qualifies: Literal["value", "card"] | None = None


class QualifiesQuestion(Part, frozen=True, kw_only=True):
    """Does this dealer's hand qualify?"""

    ask: Literal["qualifies"]
    game: Qualifying
    dealer: Cards
    settings: QualifiesSettingsRecord | None = None


class DealQuestion(Part, frozen=True, kw_only=True):
    """Who gets which card of a deck in this order, its top card first?

    ``new_shoe`` has the first card burned (WAR 4.9); ``to_war`` are the areas that go to war, for the subsequent deal
    (WAR 9.2).
    """

    ask: Literal["deal"]
    game: CardGame
    device: Device | None = None
    seats: Annotated[tuple[SeatNumber, ...], Meta(min_length=1, max_length=9)]
    deck: DeckText
    new_shoe: bool | None = None
    to_war: tuple[SeatNumber, ...] | None = None


class StreakSettingsRecord(Part, frozen=True):
    """The table's readings of Even; a table that offers Even names ``even_on_10`` itself (SIC 3.3.2)."""

    even_on_10: Literal["lose", "win"] | None = None
    even_on_666: Literal["lose", "win"] | None = None


class StreakQuestion(Part, frozen=True, kw_only=True):
    """May a Super Streak wager on a side be placed now?

    ``dice`` are the results of the gaming day so far, the oldest first, without those that were none; or those since
    ``runs``.
    """

    ask: Literal["streak"]
    side: Side
    dice: tuple[Faces, ...] | None = None
    runs: RunsRecord | None = None
    final_call: bool | None = None
    settings: StreakSettingsRecord | None = None


Question = HandQuestion | HigherQuestion | QualifiesQuestion | DealQuestion | StreakQuestion

QUESTIONS: Final[Mapping[str, Form[Any]]] = MappingProxyType(
    {
        "hand": Form(HandQuestion),
        "higher": Form(HigherQuestion),
        "qualifies": Form(QualifiesQuestion),
        "deal": Form(DealQuestion),
        "streak": Form(StreakQuestion),
    }
)
"""The form of each question, by what is asked."""


class _Peek(msgspec.Struct):
    """What a question says it asks."""

    ask: str


_peek = msgspec.json.Decoder(_Peek)


def decode_question(data: bytes) -> Question:
    """The question that a JSON text holds, as strictly as a record is read.

    Raises ``RecordError``, also where nothing of that name can be asked.

    >>> decode_question(b'{"ask":"luck"}')
    Traceback (most recent call last):
    rules.records.forms.RecordError: ask: luck: unknown; known are hand, higher, qualifies, deal, streak
    """
    try:
        asked = _peek.decode(data).ask
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        asked = "hand"  # Whose form says what is wrong with it.
    form = QUESTIONS.get(asked)
    if form is None:
        raise RecordError(*(first_fault(data) or ("ask", asked, f"unknown; known are {', '.join(QUESTIONS)}")))
    question: Question = form.decode(data)
    return question


class HandShown(Part, frozen=True, kw_only=True):
    """What a hand is worth: in words, by its clause, and as its rank among all values of the game, 1 the lowest."""

    cards: str
    hand: str
    category: str
    rule: str
    rank: int
    of: int
    best: str
    """The cards that make it, the ones that count first in front."""
    rest: str | None = None
    """The cards set apart, where there are any (FCP 9.1)."""


class HandAnswer(HandShown, frozen=True, kw_only=True):
    """The answer to ``hand``."""

    ask: Literal["hand"]
    game: PokerGame


class HigherAnswer(Part, frozen=True, kw_only=True):
    """The answer to ``higher``."""

    ask: Literal["higher"]
    game: CardGame
    higher: Literal["first", "second", "tie"]
    rule: str
    hands: tuple[HandShown, HandShown]


class QualifiesAnswer(Part, frozen=True, kw_only=True):
    """The answer to ``qualifies``; ``rulings`` are the table's readings that it hangs on."""

    ask: Literal["qualifies"]
    game: Qualifying
    qualifies: bool
    rule: str
    dealer: HandShown
    rulings: dict[str, str]


class DealtCard(Part, frozen=True, kw_only=True):
    """A card, who gets it, and how it lies."""

    card: str
    to: Literal["dealer", "burned"] | SeatNumber
    lies: Face


class DealtHand(Part, frozen=True, kw_only=True):
    """The cards of a seat in the order in which it gets them."""

    seat: SeatNumber
    cards: str


class DealAnswer(Part, frozen=True, kw_only=True):
    """The answer to ``deal``: every card in the order of the deck, and the hands."""

    ask: Literal["deal"]
    game: CardGame
    device: Device
    rules: tuple[str, ...]
    cards: tuple[DealtCard, ...]
    dealer: str
    hands: tuple[DealtHand, ...]
    rest: str
    """What is left of the deck, from its top."""


class StreakAnswer(Part, frozen=True, kw_only=True):
    """The answer to ``streak``; ``reason`` where the wager may not be placed."""

    ask: Literal["streak"]
    side: Side
    may_be_placed: bool
    rule: str
    reason: str | None = None
    runs: RunsRecord
    rulings: dict[str, str]


Answer = HandAnswer | HigherAnswer | QualifiesAnswer | DealAnswer | StreakAnswer
