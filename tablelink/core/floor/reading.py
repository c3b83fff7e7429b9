"""A line that somebody types at a hosted table, as what is said by it: the grammar of the console.

``place 3 ante 10`` or ``join ann 3 valid``: a name, then seat, area, amount in dollars, cards or dice, in words apart;
then ``by NAME``, ``in MINUTES`` and, to the end of the line, ``because WHY``. Whether it can be is for ``taking``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

from rules.cards import RANKS, SUITS, parse_card
from rules.games.casino_war import Felt as WarFelt
from rules.limits import LARGEST_WAGER_CENTS
from rules.play import MoveRefused
from rules.wagers import Tender
from tablelink.core.floor.acts import ACTS, PARTS
from tablelink.core.floor.given import Act, Made, NotUnderstood, Undo, check
from tablelink.core.floor.taking import PLACES
from tablelink.core.floor.value import Floor

LONGEST_LINE: Final = 1_000
"""Characters of a line: more than anybody types."""
DICE: Final = frozenset({"announce", "enter", "disregard_display"})
"""The moves that call three dice."""
ASKS: Final = ("help", "table", "signs", "log", "quit")
"""What is asked for and changes nothing."""
MOST_DEALS: Final = 60
"""More cards than a hand of every seat and the dealer's take."""

_TENDERS: Final = frozenset(get_args(Tender))
_WORD: Final = re.compile(r'"([^"]*)"|(\S+)')
_AMOUNT: Final = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,13})(?:\.([0-9]{1,2}))?")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_CARD: Final = re.compile(rf"(?:[{RANKS}]|10)[{SUITS}]", re.IGNORECASE)


@dataclass(slots=True)
class _Line:
    """A line in its parts."""

    name: str
    words: list[str]
    said: dict[str, str] = field(default_factory=dict)
    """What stands after a keyword."""


def _unquoted(text: str) -> str:
    """A reason without the quotation marks around the whole of it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _keywords_of(name: str) -> frozenset[str]:
    """The words after which something of a line's own stands."""
    if name in PLACES:
        return frozenset({"by", "for", "claim", "stake", "issued"})
    if name == "find_invalid":
        return frozenset({"by", "for"})
    return frozenset({"by", "in"} if name in _PROPOSING else {"by"})


_PROPOSING: Final = frozenset({"sign", "old_sign", "closing"})
"""The acts that propose a time."""


def read_line(floor: Floor, text: str) -> tuple[Act | Made | Undo, ...]:
    """What a line says: one act or move, or the moves of ``deal all``; raises ``NotUnderstood``."""
    if len(text) > LONGEST_LINE:
        raise NotUnderstood("line", text, f"longer than {LONGEST_LINE} characters")
    if not text.isprintable():
        raise NotUnderstood("line", text, "a character that cannot be shown")
    line = _parted(text)
    if line.name == "undo":
        if line.words:
            raise NotUnderstood("undo", line.words[0], "takes nothing")
        return (Undo(),)
    given: tuple[Act | Made, ...]
    if line.name in ACTS:
        given = (_act(line),)
    elif line.name in floor.play.places:
        given = tuple(_moves(floor, line))
    else:
        raise NotUnderstood("line", line.name, "no move and no act of this table; type help")
    for each in given:
        check(each)
    return given


def _parted(text: str) -> _Line:
    head, because, reason = text.partition(" because ")
    words = [quoted or plain for quoted, plain in _WORD.findall(head)]
    if not words:
        raise NotUnderstood("line", "", "nothing is said; type help")
    line = _Line(words[0].lower(), [])
    if because:
        line.said["because"] = _unquoted(reason.strip())
    keywords = _keywords_of(line.name)
    if "text" in PARTS.get(line.name, ()) and words[-2:-1] == ["by"]:  # Any other "by" or "in" is of the words.
        *words, _, line.said["by"] = words
        keywords = frozenset()
    rest = iter(words[1:])
    for word in rest:
        if word in keywords:
            after = next(rest, "")
            if not after or word in line.said:
                raise NotUnderstood(word, after, "said twice" if word in line.said else "nothing stands after it")
            line.said[word] = after
        else:
            line.words.append(word)
    return line


def _act(line: _Line) -> Act:
    """The act that a line says."""
    row, parts, words = ACTS[line.name], PARTS[line.name], list(line.words)
    fields: dict[str, Any] = {}
    usage = f"{line.name} {row.usage}".strip()
    if line.name == "open":
        fields |= _opening(words)
        words = []
    for part in () if line.name == "open" else parts:
        kind, optional = part.removesuffix("?"), part.endswith("?")
        if not words and optional:
            continue
        if not words and kind not in {"words", "sign", "areas", "text"}:
            raise NotUnderstood(kind, "", f"missing from {usage}")
        for name, value in _part(kind, words).items():
            fields[name] = fields[name] + value if name == "words" and name in fields else value
    if words:
        raise NotUnderstood("line", words[0], f"too much: {usage}")
    if "by" not in line.said and "by NAME" in row.usage:
        raise NotUnderstood("by NAME", "", f"missing from {usage}")
    return Act(name=line.name, **fields, **_keywords(line))


def _part(kind: str, words: list[str]) -> dict[str, Any]:
    """A part of an act as its field, taken off the words."""
    if kind in {"player", "label"}:
        return {kind: words.pop(0)}
    if kind == "word":
        return {"words": (words.pop(0).lower(),)}
    if kind == "area":
        return {"areas": (_number("area", words.pop(0)),)}
    if kind == "cents":
        return {"cents": cents_of("amount", words.pop(0))}
    taken, words[:] = list(words), []
    if kind == "areas":
        return {"areas": tuple([_number("areas", word) for word in taken])}
    if kind == "sign":
        return {"sign": dict(_signs(taken))}
    if kind == "extras":
        named = [word for word in taken if "=" in word]
        return {"sign": dict(_signs(named)), "words": tuple([word.lower() for word in taken if word not in named])}
    if kind == "text":
        return {"text": " ".join(taken)}
    return {"words": tuple(taken)}


def _signs(words: list[str]) -> Iterator[tuple[str, int | None]]:
    seen: set[str] = set()
    for word in words:
        name, equals, amount = word.partition("=")
        if not equals:
            raise NotUnderstood("sign", word, "FIELD=AMOUNT, as ante_min=25")
        if name in seen:
            raise NotUnderstood("sign", name, "said twice")
        seen.add(name)
        yield name, None if amount == "none" else cents_of(name, amount)


def _opening(words: list[str]) -> dict[str, Any]:
    """What ``open`` says: a number of seats, words, and the smallest chip with a dollar sign or cents."""
    fields: dict[str, Any] = {}
    plain = []
    for word in words:
        kind = "areas" if _NUMBER.fullmatch(word) else "cents" if word.startswith(("$", *"0123456789")) else ""
        if kind in fields:
            raise NotUnderstood("seats" if kind == "areas" else "amount", word, "said twice")
        if kind == "areas":
            fields[kind] = (_number("seats", word),)
        elif kind == "cents":
            fields[kind] = cents_of("amount", word)
        else:
            plain.append(word.lower())
    fields["words"] = tuple(plain)
    return fields


def _keywords(line: _Line) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for word, said in line.said.items():
        if word == "by":
            fields["person"] = said
        elif word == "because":
            fields["reason"] = said
        else:
            fields["minutes"] = _number("in", said)
    return fields


def _moves(floor: Floor, line: _Line) -> Iterator[Made]:
    """The move that a line says; of ``deal all``, or of several cards of Casino War, one after the other."""
    if line.name == "deal" and [word.lower() for word in line.words[:1]] == ["all"]:
        del line.words[0]
        yield from _deal_all(floor, _move(line).cards or ())
        return
    made = _move(line)
    if line.name == "deal" and made.cards is not None and len(made.cards) > 1 and isinstance(floor.at.felt, WarFelt):
        for card in made.cards:
            yield Made(name="deal", cards=(card,))
        return
    yield made


def _deal_all(floor: Floor, shown: tuple[int, ...]) -> Iterator[Made]:
    """A card, or packet, after the other, those shown where they lie face up, until all are dealt or one is missing."""
    at, left = floor.at, list(shown)
    for _ in range(MOST_DEALS):
        down = next((each for each in floor.play.legal_moves(at) if each.name == "deal"), None)
        if down is None:
            break
        try:
            after, cards = floor.play.step(at, down), None
        except MoveRefused:
            cards = (left.pop(0),) if left else None
            try:
                after = floor.play.step(at, replace(down, cards=cards))
            except MoveRefused:
                yield Made(name="deal", cards=cards)  # Whose refusal says what is missing.
                return
        at = after
        yield Made(name="deal", cards=cards)
    if at is floor.at or left:
        yield Made(name="deal", cards=tuple(left) or None)


def _move(line: _Line) -> Made:
    fields: dict[str, Any] = {"name": line.name}
    cards: list[int] = []
    for word in line.words:
        if line.name in DICE and _NUMBER.fullmatch(word):
            cards.extend(_number("dice", each) for each in ([*word] if len(word) == 3 else [word]))
        elif _CARD.fullmatch(word):
            cards.append(card_of(word))
        elif word in _TENDERS and "tender" not in fields:
            fields["tender"] = word
        elif word.lower() == "dealer" and "seat" not in fields:
            fields["seat"] = 0
        elif word == "helped" and line.name in PLACES:
            fields["only_helped"] = True
        elif _NUMBER.fullmatch(word) and "seat" not in fields:
            fields["seat"] = _number("seat", word)
        elif _AMOUNT.fullmatch(word) and "cents" not in fields:
            fields["cents"] = cents_of("amount", word)
        elif word[:1].isalpha() and "area" not in fields:
            fields["area"] = word.lower()
        else:
            raise NotUnderstood(line.name, word, "neither seat, area, amount nor card, or said twice")
    if cards:
        fields["cards"] = tuple(cards)
    return Made(**fields, **_by(line))


def _by(line: _Line) -> dict[str, Any]:
    """Whose word or hand a move is by."""
    names = {
        "by": "person",
        "because": "reason",
        "for": "player",
        "claim": "claim",
        "stake": "stake_of",
        "issued": "issued_at",
    }
    return {names[word]: said for word, said in line.said.items()}


def card_of(text: str) -> int:
    """The card that somebody types, in capitals or not.

    >>> card_of("10H") == card_of("Th")
    True
    """
    rank, suit = text[:-1].upper(), text[-1].lower()
    return parse_card(("T" if rank == "10" else rank) + suit)


def cents_of(name: str, text: str) -> int:
    """An amount in dollars as cents; raises ``NotUnderstood`` naming what it is the amount of.

    >>> cents_of("amount", "$1,250.5"), cents_of("amount", "10")
    (125050, 1000)
    """
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise NotUnderstood(name, text, "no amount in dollars, as 10 or 12.50")
    whole, rest = found[1].replace(",", ""), found[2] or ""
    cents = int(whole) * 100 + int(rest.ljust(2, "0"))
    if cents > LARGEST_WAGER_CENTS:
        raise NotUnderstood(name, text, f"more than {LARGEST_WAGER_CENTS // 100} dollars")
    return cents


def _number(name: str, text: str) -> int:
    if not _NUMBER.fullmatch(text) or not text.isascii():
        raise NotUnderstood(name, text, "no number")
    return int(text)
