"""The answer to a single question about the rules: by the same functions that deal and settle rounds."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from rules.best_hands import RANKINGS, BestHand, higher
from rules.cards import CardError, card_text, cards_text
from rules.games import GAMES, caribbean_stud, three_card_poker
from rules.games.casino_war.rounds import DECKS
from rules.games.sic_bo.layout import dice_fault
from rules.games.sic_bo.rounds import dice_text
from rules.games.sic_bo.streaks import Runs, streak_refused
from rules.hands import five_card_value
from rules.records.forms import RecordError, encode_part, read_hand, value_of
from rules.records.questions import (
    Answer,
    CardGame,
    DealAnswer,
    DealQuestion,
    DealtCard,
    DealtHand,
    HandAnswer,
    HandQuestion,
    HandShown,
    HigherAnswer,
    HigherQuestion,
    QualifiesAnswer,
    QualifiesQuestion,
    Question,
    StreakAnswer,
    StreakQuestion,
)
from rules.records.sic_bo import EVEN_NAMED, RunsRecord, read_runs, runs_record
from rules.rounds import DEALER, Device, Face, SeenHand, repeats_fault
from rules.settings import SicBoSettings, ThreeCardSettings

To = int | Literal["dealer", "burned"]
"""Who gets a card: a seat, the dealer, or nobody."""


def answer_to(question: Question) -> Answer:
    """The answer to a question; raises ``RecordError`` where it has none.

    >>> from rules.records.questions import decode_question
    >>> answer = answer_to(decode_question(b'{"ask":"hand","game":"four_card_poker","cards":"5h 6h 7h 8h 8s"}'))
    >>> answer.hand, answer.best, answer.rest
    ('Straight Flush, eight high', '8h 7h 6h 5h', '8s')
    """
    answer: Answer = _ANSWERS[question.ask](question)
    return answer


def _hand(question: HandQuestion) -> HandAnswer:
    best = _best(question.game, read_hand(question.cards, "cards"), "cards")
    return HandAnswer(ask="hand", game=question.game, **_worth(question.game, question.cards, best))


def _higher(question: HigherQuestion) -> HigherAnswer:
    game = question.game
    fields = ("hands[0]", "hands[1]")
    hands = [read_hand(text, field) for text, field in zip(question.hands, fields, strict=True)]
    best = [_best(game, cards, field) for cards, field in zip(hands, fields, strict=True)]
    seen = [SeenHand(*each) for each in zip(fields, ("the first hand", "the second"), hands, strict=True)]
    _check_repeats(game, seen)
    one, other = (HandShown(**_worth(game, text, each)) for text, each in zip(question.hands, best, strict=True))
    answer = higher(best[0].value, best[1].value)
    return HigherAnswer(ask="higher", game=game, higher=answer, rule=RANKINGS[game].rule, hands=(one, other))


def _qualifies(question: QualifiesQuestion) -> QualifiesAnswer:
    game = question.game
    cards = read_hand(question.dealer, "dealer")
    shown = HandShown(**_worth(game, question.dealer, _best(game, cards, "dealer")))
    rulings: dict[str, str] = {}
    if game == "three_card_poker":
        settings = value_of(ThreeCardSettings, question.settings, "settings")
        qualifies, rule = three_card_poker.dealer_qualifies(cards, settings), "TCP 9.1"
        rulings["dealer_qualifies"] = settings.dealer_qualifies
    elif question.settings is not None and question.settings.dealer_qualifies is not None:
        raise RecordError("settings.dealer_qualifies", question.settings.dealer_qualifies, "CSP 9.1 has one reading")
    else:
        qualifies, rule = caribbean_stud.dealer_qualifies(five_card_value(cards)), "CSP 9.1"
    return QualifiesAnswer(ask="qualifies", game=game, qualifies=qualifies, rule=rule, dealer=shown, rulings=rulings)


def _deal(question: DealQuestion) -> DealAnswer:
    game, device = question.game, question.device or "shoe"
    _check_deal(question)
    deck = read_hand(question.deck, "deck")
    _check_repeats(game, [SeenHand("deck", "the deck", deck)])
    order = _order(game, device, question)
    if len(deck) < len(order):
        raise RecordError("deck", question.deck, f"{len(deck)} cards, and {len(order)} are dealt")
    dealt = tuple(
        [DealtCard(card=card_text(card), to=to, lies=lies) for card, (to, lies) in zip(deck, order, strict=False)]
    )
    hands = [DealtHand(seat=seat, cards=_cards_to(seat, dealt)) for seat in sorted(question.seats)]
    return DealAnswer(
        ask="deal",
        game=game,
        device=device,
        rules=_dealing_rules(game, device, question),
        cards=dealt,
        dealer=_cards_to("dealer", dealt),
        hands=tuple(hands),
        rest=" ".join(map(card_text, deck[len(order) :])),
    )


def _cards_to(whom: To, dealt: Sequence[DealtCard]) -> str:
    return " ".join([each.card for each in dealt if each.to == whom])


def _order(game: CardGame, device: Device, question: DealQuestion) -> list[tuple[To, Face]]:
    """Who gets each card, from the top of the deck, and how it lies."""
    deal_order = GAMES[game].deal_order
    if deal_order is None:
        raise AssertionError(game)
    order: list[tuple[To, Face]] = [("burned", "down")] if question.new_shoe else []
    for seats in (question.seats, question.to_war or ()):
        if seats:
            order += [("dealer" if place == DEALER else place, lies) for place, lies in deal_order(device, seats)]
    return order


def _dealing_rules(game: CardGame, device: Device, question: DealQuestion) -> tuple[str, ...]:
    """The rules by which the cards go to whom they go."""
    if game != "casino_war":
        book = GAMES[game].book
        return (f"{book} 7.2", f"{book} {'7.3' if device == 'shoe' else '7.4'}")
    burned = ("WAR 4.9",) if question.new_shoe else ()
    return (*burned, "WAR 7.1", *(("WAR 9.2",) if question.to_war else ()))


def _check_deal(question: DealQuestion) -> None:
    """Refuse seats that cannot be, and what only Casino War has. Raises ``RecordError``."""
    _check_seats("seats", question.seats)
    if question.game != "casino_war":
        for field, value in (("new_shoe", question.new_shoe), ("to_war", question.to_war)):
            if value is not None:
                raise RecordError(field, encode_part(value), "only Casino War has it (WAR 4.9, 9.2)")
    _check_seats("to_war", question.to_war or ())
    for place, seat in enumerate(question.to_war or ()):
        if seat not in question.seats:
            raise RecordError(f"to_war[{place}]", str(seat), "not one of the seats (WAR 9.1)")


def _check_seats(field: str, seats: Sequence[int]) -> None:
    for place, seat in enumerate(seats):
        if seat in seats[:place]:
            raise RecordError(f"{field}[{place}]", str(seat), "a seat is there twice")


def _streak(question: StreakQuestion) -> StreakAnswer:
    if question.dice is None and question.runs is None:
        raise RecordError("dice", "", "missing: the results of the gaming day so far, or the runs at the table")
    stated = question.settings
    if question.side == "even" and (stated is None or stated.even_on_10 is None):
        raise RecordError("settings.even_on_10", "", EVEN_NAMED)
    settings = value_of(SicBoSettings, stated, "settings")
    runs = read_runs(question.runs) or Runs()
    for place, faces in enumerate(question.dice or ()):
        fault = dice_fault(faces)
        if fault is not None:
            raise RecordError(f"dice[{place}]", dice_text(faces), fault)
        first, second, third = faces
        runs = runs.after((first, second, third), settings)
    refused = streak_refused(question.side, runs, final_call=question.final_call or False)
    rulings = {name: getattr(settings, name) for name in ("even_on_10", "even_on_666")}
    return StreakAnswer(
        ask="streak",
        side=question.side,
        may_be_placed=refused is None,
        rule="SIC 6.2" if refused is None else refused.rule,
        reason=None if refused is None else refused.reason,
        runs=runs_record(runs) or RunsRecord(),
        rulings=rulings if question.side in {"odd", "even"} else {},
    )


def _best(game: str, cards: tuple[int, ...], field: str) -> BestHand:
    """What a hand is worth; raises ``RecordError`` naming the card that is wrong."""
    try:
        return RANKINGS[game].best_hand(cards)
    except CardError as error:
        raise RecordError(field, error.card, error.reason) from None


def _worth(game: str, text: str, best: BestHand) -> dict[str, Any]:
    """What a hand is worth, as fields of its answer."""
    return {
        "cards": text,
        "hand": best.value.name,
        "category": best.value.category,
        "rule": best.value.rule,
        "rank": best.value.rank,
        "of": RANKINGS[game].highest(),
        "best": cards_text(best.best),
        "rest": cards_text(best.rest) if best.rest else None,
    }


def _check_repeats(game: str, hands: Sequence[SeenHand]) -> None:
    """Refuse a card that is seen more often than the decks have it; raises ``RecordError``."""
    fault = repeats_fault(hands, f"{GAMES[game].book} 3.1", DECKS if game == "casino_war" else 1)
    if fault is not None:
        raise RecordError(fault.field, fault.value, fault.reason)


_ANSWERS: Final[dict[str, Callable[[Any], Answer]]] = {
    "hand": _hand,
    "higher": _higher,
    "qualifies": _qualifies,
    "deal": _deal,
    "streak": _streak,
}
