"""A table's inputs in a few words, and what came of them: the language of the text tables of dealing."""

import re
from collections.abc import Iterator

from jackpot.wire.codec import encode
from jackpot.wire.messages import HitNow, RefusedAnswer
from rules.cards import parse_cards
from rules.games.caribbean_stud import deal_order
from tablelink.core.dealing import Dealing, lamps, prompt, step_now
from tablelink.core.felt import Felt
from tablelink.core.inputs import (
    Amended,
    Answered,
    Claim,
    Conceded,
    DealerTurned,
    Dealt,
    Decided,
    GoOn,
    HandsTurned,
    HitsNow,
    Input,
    NoMoreBets,
    Placed,
    Post,
    Sealed,
    Voided,
)
from tests.support.tables import RECORDED, SHOWN, felt, granted, green

FULL, CLAIMS = felt(), felt(capture="claims")
ROYAL, FLUSH, NOTHING = "As Ks Qs Js Ts", "2h 5h 7h 9h Kh", "2c 4d 6c 7s 9d"
DEALER = "Ah Kd 4s 3h 2d"


def sealed(dealer: str, hands: dict[int, str], on: Felt = FULL) -> Sealed:
    """Hands as the shoe reads them, in the order of the deal."""
    cards = {seat: iter(parse_cards(text)) for seat, text in {0: dealer, **hands}.items()}
    return Sealed(tuple(next(cards[place]) for place, _face in deal_order(on.approved.device, hands)))


def words(given_: str, dealing: Dealing) -> Input:
    """One line's input."""
    verb, *rest = given_.split()
    match verb:
        case "bets":
            return NoMoreBets(tuple(_placed(text) for text in rest), (), SHOWN)
        case "closed":
            return NoMoreBets(tuple(_placed(text) for text in rest), ("no session with the server",), SHOWN)
        case "green":
            return Answered(_wagers_id(dealing), green(*map(int, rest)))
        case "refused":
            return Answered(_wagers_id(dealing), encode(RefusedAnswer("table_closed", "closed")).decode())
        case "go_on":
            return GoOn("no answer within 2 s")
        case "deal":
            hands = {1: ROYAL, 3: FLUSH, 5: NOTHING}
            dealt = dealing.round.dealt_seats if dealing.round is not None else (1,)
            return Dealt(sealed(DEALER, {seat: hands[seat] for seat in dealt}))
        case "dealt":
            return Dealt()
        case "bet":
            return Decided(int(rest[0]), "bet", int(rest[1]))
        case "fold":
            return Decided(int(rest[0]), "fold")
        case "absent":
            return Decided(int(rest[0]), "absent")
        case "dealer":
            return DealerTurned()
        case "concede":
            return Conceded(int(rest[0]))
        case "turned":
            return HandsTurned()
        case "no_other":
            return HandsTurned((), "Dana")
        case "claim":
            return HandsTurned((Claim(int(rest[0]), parse_cards(ROYAL), "bet", 2000),), "Dana")
        case "recorded":
            assert dealing.last is not None
            return Answered(dealing.last.id, RECORDED)
        case "hits":
            return HitsNow(tuple(HitNow(hit, "royal_flush", "pending", 1) for hit in rest))
        case "people":
            act, *seats = rest
            number, named = dealing.next_round - 1, tuple(map(int, seats))
            if act == "record":
                return Amended(1, number, "record", "", "Ann", "Ben")
            if act == "forfeit":
                return Amended(1, number, "void", "CSP 16.6", "Ann", "Ben", (), named)
            return Amended(1, number, "void", "CSP 16.5", "Ann", "Ben", named)
        case _:
            assert verb == "void"
            named = tuple(int(word) for word in rest if word.isdigit())
            rules = [word.removeprefix("rule=") for word in rest if word.startswith("rule=")]
            return Voided(f"CSP {rules[0]}" if rules else "CSP 14.8" if named else "CSP 14.9", "Sue", named)


def _placed(text: str) -> Placed:
    seat, ante, coin = re.fullmatch(r"(\d):(\d+)(?:\+(\d+))?", text).groups()  # type: ignore[union-attr]
    return Placed(int(seat), int(ante), int(coin or 0), int(coin or 0))


def _wagers_id(dealing: Dealing) -> str:
    assert dealing.round is not None
    return dealing.round.wagers_id


def outcome(dealing: Dealing, posts: tuple[Post, ...], on: Felt) -> str:
    """What a line expects: the prompt, the messages, the lamps that are not dark."""
    said = " ".join(f"says {post.id.split('/', 3)[3]}{'!' if post.sign else ''}" for post in posts)
    lit = " ".join(f"{seat}={lamp}" for seat, lamp in lamps(dealing).items() if lamp != "dark")
    waits = type(prompt(dealing, on)).__name__
    seat = getattr(prompt(dealing, on), "seat", "")
    return " ".join(part for part in (f"{waits}{seat}", said, lit) if part)


def lines(table: str) -> Iterator[tuple[str, str]]:
    """The lines of a text table."""
    for line in table.strip().splitlines():
        given_, _, expected = line.partition("->")
        yield given_.strip(), " ".join(expected.split())


def through(*given_: str, on: Felt = FULL, dealing: Dealing | None = None) -> tuple[Dealing, list[Post]]:
    """Take lines one after the other."""
    dealing = dealing or granted()
    posts: list[Post] = []
    for line in given_:
        dealing, more = step_now(dealing, words(line, dealing), on)
        posts += more
    return dealing, posts
