"""``python -m rules ask``: each kind of question, its answer, and what has none."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main
from rules.best_hands import RANKINGS
from rules.cards import DECK, cards_text, parse_cards
from rules.games import GAMES
from rules.rounds import Device

CSP, TCP, FCP, WAR = "caribbean_stud", "three_card_poker", "four_card_poker", "casino_war"


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Ask these questions from a file; gives the exit code and the lines that came out."""

    def run(*lines: Any) -> tuple[int, list[dict[str, Any]]]:
        source = tmp_path / "questions.jsonl"
        texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        source.write_bytes(b"".join(text + b"\n" for text in texts))
        code = main(["ask", str(source)])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


@pytest.fixture
def answer(ask: Any) -> Any:
    """Ask one question that has an answer."""

    def run(**question: Any) -> dict[str, Any]:
        code, (line,) = ask(question)
        assert (code, line.pop("line"), line["ask"]) == (0, 1, question["ask"]), line
        result: dict[str, Any] = line
        return result

    return run


HANDS = [
    (CSP, "Ah 2h 3h 4d 5h", "straight", "5h 4d 3h 2h Ah", ""),
    (CSP, "Ah 2h 3h 4h 5h", "straight_flush", "5h 4h 3h 2h Ah", ""),
    (CSP, "Th Jh Qh Kh Ah", "royal_flush", "Ah Kh Qh Jh Th", ""),
    (CSP, "Qs Ks Ah 2d 3d", "five_odd_cards", "Ah Ks Qs 3d 2d", ""),
    (CSP, "2s Kd 2h Kc 9s", "two_pairs", "Kd Kc 2s 2h 9s", ""),
    (TCP, "As 2h 3h", "straight", "3h 2h As", ""),
    (TCP, "Qs Kh Ah", "straight", "Ah Kh Qs", ""),
    (TCP, "Ks Qh Jd", "straight", "Ks Qh Jd", ""),
    (TCP, "Ks Ah 2d", "three_odd_cards", "Ah Ks 2d", ""),
    (FCP, "5h 6h 7h 8s Kh", "flush", "Kh 7h 6h 5h", "8s"),
    (FCP, "5h 6h 7h 8h 8s", "straight_flush", "8h 7h 6h 5h", "8s"),
    (FCP, "5h 6h 7h 8h 8s Ks", "straight_flush", "8h 7h 6h 5h", "Ks 8s"),
    (FCP, "As 2h 3d 4c Kc", "straight", "4c 3d 2h As", "Kc"),
    (FCP, "Ks 2d Kh 2c", "two_pairs", "Ks Kh 2d 2c", ""),
]


@pytest.mark.parametrize(("game", "cards", "category", "best", "rest"), HANDS)
def test_the_value_of_a_hand_and_its_best_cards(
    answer: Any, game: str, cards: str, category: str, best: str, rest: str
) -> None:
    """CASES 42 to 44: what a hand is worth, and which cards make it, in the order in which they count."""
    said = answer(ask="hand", game=game, cards=cards)
    assert (said["category"], said["best"], said.get("rest", "")) == (category, best, rest)
    assert said["rule"].startswith(GAMES[game].book)
    assert 1 <= said["rank"] <= said["of"]


@pytest.mark.parametrize(
    ("game", "one", "other", "higher"),
    [
        (TCP, "Ah 2c 3d", "2h 3c 4d", "second"),  # The lowest straight ...
        (TCP, "Ah Kc Qd", "Kh Qc Jd", "first"),  # ... and the highest (CASES 43).
        (FCP, "2c 2d 2h 9s", "Ah Kh Qh 9h", "first"),  # Three of a kind beats a flush ...
        (FCP, "2h 3h 4h 9h", "As Kc Qc Jd", "first"),  # ... which beats a straight (CASES 44).
        (FCP, "9c 9d 2h 3s 5d", "8c 8d Ah As 4d 4s", "second"),
        (CSP, "Ah 2c 3d 4s 5h", "6h 2d 3c 4h 5s", "second"),
        (CSP, "Ah Kc Qd Js 9h", "Ad Ks Qc Jh 9d", "tie"),
        (WAR, "8h", "8h", "tie"),  # Six decks.
        (WAR, "Ah", "2c", "first"),
    ],
)
def test_which_of_two_hands_is_higher(answer: Any, game: str, one: str, other: str, higher: str) -> None:
    """The higher hand by the game's own order, and the other way round the other; suits are equal."""
    said = answer(ask="higher", game=game, hands=[one, other])
    assert said["higher"] == higher
    turned = {"first": "second", "second": "first", "tie": "tie"}
    assert answer(ask="higher", game=game, hands=[other, one])["higher"] == turned[higher]
    assert [hand["cards"] for hand in said["hands"]] == [one, other]


@pytest.mark.parametrize(
    ("game", "dealer", "settings", "qualifies"),
    [
        (CSP, "As Kd 4h 3c 2c", None, True),
        (CSP, "As Qd Jh Tc 9c", None, False),
        (CSP, "2s 2d 5h Tc 9c", {}, True),
        (TCP, "Qs 3d 2c", None, True),
        (TCP, "Js Td 8h", None, False),
        (TCP, "2s 2d Jh", None, True),
        (TCP, "2s 2d Jh", {"dealer_qualifies": "value"}, True),
        (TCP, "2s 2d Jh", {"dealer_qualifies": "card"}, False),
    ],
)
def test_whether_a_dealers_hand_qualifies(
    answer: Any, game: str, dealer: str, settings: Any, *, qualifies: bool
) -> None:
    """CSP 9.1 and TCP 9.1, the latter by the table's reading, which the answer names."""
    question = {"ask": "qualifies", "game": game, "dealer": dealer}
    said = answer(**question if settings is None else question | {"settings": settings})
    assert said["qualifies"] is qualifies
    assert said["rule"] == f"{GAMES[game].book} 9.1"
    assert ("dealer_qualifies" in said["rulings"]) == (game == TCP)


@pytest.mark.parametrize("game", [CSP, TCP, FCP, WAR])
@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_who_gets_which_card(answer: Any, game: str, device: Device) -> None:
    """Every card of the deck goes where the game's deal order has it, each hand and what is left in that order."""
    deck = random.Random(5).sample(DECK, 52)
    said = answer(ask="deal", game=game, device=device, seats=[5, 2], deck=cards_text(deck))
    deal_order = GAMES[game].deal_order
    assert deal_order is not None
    order = deal_order(device, [5, 2])
    assert [(each["to"], each["lies"]) for each in said["cards"]] == [
        (place or "dealer", lies) for place, lies in order
    ]
    dealt = [each["card"] for each in said["cards"]]
    assert " ".join([*dealt, said["rest"]]) == cards_text(deck)
    assert [hand["seat"] for hand in said["hands"]] == [2, 5]
    for hand in said["hands"]:
        assert hand["cards"].split() == [each["card"] for each in said["cards"] if each["to"] == hand["seat"]]


def test_who_gets_which_card_by_the_text(answer: Any) -> None:
    """TCP 7.3: one card at a time, the dealer first; WAR 4.9, 7.1, 9.2: burned, dealt, and no card burned between."""
    deck = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc"
    said = answer(ask="deal", game=TCP, device="shoe", seats=[1, 3], deck=deck)
    assert (said["dealer"], [hand["cards"] for hand in said["hands"]]) == ("2c 5c 8c", ["3c 6c 9c", "4c 7c Tc"])
    assert (said["rest"], said["rules"]) == ("Jc", ["TCP 7.2", "TCP 7.3"])
    said = answer(ask="deal", game=WAR, seats=[1, 3], deck=deck, new_shoe=True, to_war=[3])
    assert said["cards"][0] == {"card": "2c", "to": "burned", "lies": "down"}
    assert (said["dealer"], [hand["cards"] for hand in said["hands"]]) == ("5c 7c", ["3c", "4c 6c"])


SMALL, BIG, TRIPLE, TEN = [1, 1, 3], [6, 6, 5], [2, 2, 2], [4, 4, 2]


@pytest.mark.parametrize(
    ("side", "dice", "placed"),
    [
        ("small", [], False),  # Before the first result of the gaming day ...
        ("small", [TRIPLE], False),  # ... with the exception of a triple.
        ("small", [SMALL], True),
        ("big", [SMALL], True),
        ("big", [SMALL, SMALL], False),  # While a run is in progress.
        ("big", [SMALL, SMALL, BIG], True),  # When it has been terminated ...
        ("big", [SMALL, SMALL, BIG, TRIPLE], True),  # ... and a triple changes nothing.
        ("big", [SMALL, SMALL, TRIPLE], False),
        ("odd", [SMALL, SMALL], False),  # The other pair has runs of its own: two odd totals.
        ("odd", [SMALL, [1, 1, 2]], True),
    ],
)
def test_whether_a_streak_wager_may_be_placed(answer: Any, side: str, dice: list[Any], *, placed: bool) -> None:
    """SIC 6.2, from the results of the gaming day."""
    said = answer(ask="streak", side=side, dice=dice)
    assert said["may_be_placed"] is placed
    assert said["rule"] == "SIC 6.2"
    assert ("reason" in said) is not placed


def test_a_streak_wager_hangs_on_the_final_call_and_on_how_even_is_read(answer: Any, ask: Any) -> None:
    """SIC 6.6, and SIC 3.3.2: a total of 10 begins a run of Even or of nothing; the runs may be given instead."""
    assert answer(ask="streak", side="small", dice=[SMALL], final_call=True)["rule"] == "SIC 6.6"
    two_tens = {"ask": "streak", "side": "even", "dice": [TEN, TEN]}
    assert answer(**two_tens, settings={"even_on_10": "win"})["may_be_placed"] is False
    said = answer(**two_tens, settings={"even_on_10": "lose"})
    assert (said["may_be_placed"], said["rulings"]["even_on_10"]) == (True, "lose")
    given = answer(ask="streak", side="small", runs={"small_big": {"side": "big", "in_a_row": 2}}, dice=[BIG])
    assert (given["may_be_placed"], given["runs"]["small_big"]["in_a_row"]) == (False, 3)
    code, (error,) = ask(two_tens)
    assert (code, error["field"]) == (1, "settings.even_on_10")


NO_ANSWER: list[tuple[Any, str, str]] = [
    ({"ask": "luck"}, "ask", "luck"),
    ({"game": CSP, "cards": "As"}, "ask", ""),
    ({"ask": "hand", "game": WAR, "cards": "As"}, "game", WAR),
    ({"ask": "hand", "game": CSP, "cards": "As Ks Qs Js 10s"}, "cards", "10s"),
    ({"ask": "hand", "game": CSP, "cards": "As Ks Qs Js As"}, "cards", "As"),
    ({"ask": "hand", "game": CSP, "cards": "As Ks Qs Js"}, "cards", "As Ks Qs Js"),
    ({"ask": "hand", "game": TCP, "cards": "As Ks Qs Js"}, "cards", "As Ks Qs Js"),
    ({"ask": "hand", "game": FCP, "cards": "As Ks Qs"}, "cards", "As Ks Qs"),
    ({"ask": "hand", "game": CSP, "cards": "As Ks Qs Js Ts", "seat": 1}, "seat", "1"),
    ({"ask": "hand", "game": CSP}, "cards", ""),
    ({"ask": "higher", "game": CSP, "hands": ["As Ks Qs Js Ts"]}, "hands", '["As Ks Qs Js Ts"]'),
    ({"ask": "higher", "game": TCP, "hands": ["As Ks Qs", "As Kd Qd"]}, "hands[1]", "As"),
    ({"ask": "higher", "game": WAR, "hands": ["As", "Ks Qs"]}, "hands[1]", "Ks Qs"),
    ({"ask": "qualifies", "game": FCP, "dealer": "As Ks Qs Js Ts 9s"}, "game", FCP),
    (
        {"ask": "qualifies", "game": CSP, "dealer": "As Ks Qs Js Ts", "settings": {"dealer_qualifies": "card"}},
        "settings.dealer_qualifies",
        "card",
    ),
    ({"ask": "deal", "game": TCP, "seats": [1], "deck": "As Ks Qs Js Ts"}, "deck", "As Ks Qs Js Ts"),
    ({"ask": "deal", "game": TCP, "seats": [1, 1], "deck": cards_text(DECK)}, "seats[1]", "1"),
    ({"ask": "deal", "game": TCP, "seats": [10], "deck": cards_text(DECK)}, "seats[0]", "10"),
    ({"ask": "deal", "game": TCP, "seats": [], "deck": cards_text(DECK)}, "seats", "[]"),
    ({"ask": "deal", "game": TCP, "seats": [1], "deck": cards_text([*DECK, 0])}, "deck", "2c"),
    ({"ask": "deal", "game": TCP, "seats": [1], "deck": cards_text(DECK), "to_war": [1]}, "to_war", "[1]"),
    ({"ask": "deal", "game": WAR, "seats": [1], "deck": cards_text(DECK), "to_war": [2]}, "to_war[0]", "2"),
    ({"ask": "deal", "game": "sic_bo", "seats": [1], "deck": cards_text(DECK)}, "game", "sic_bo"),
    ({"ask": "streak", "side": "small"}, "dice", ""),
    ({"ask": "streak", "side": "small", "dice": [[1, 2, 7]]}, "dice[0]", "1 2 7"),
    ({"ask": "streak", "side": "small", "dice": [[1, 2]]}, "dice[0]", "1 2"),
    ({"ask": "streak", "side": "small", "runs": {"small_big": {"in_a_row": 2}}}, "runs.small_big.in_a_row", "2"),
    (b'{"ask":"streak","ask":"hand"}', "ask", "hand"),
    (b"\xff", "", "\\xff"),
    (b"[" * 100_000, "", "[" * 40),
]


def test_what_has_no_answer_is_named_and_the_rest_goes_on(ask: Any) -> None:
    """A bad line gives its line, field, value and why, the next is answered, and the exit code is 1."""
    good = {"ask": "hand", "game": TCP, "cards": "As Ks Qs"}
    code, lines = ask(*[each for bad, _, _ in NO_ANSWER for each in (bad, good)])
    assert code == 1
    assert len(lines) == 2 * len(NO_ANSWER)
    for (bad, field, value), error, right in zip(NO_ANSWER, lines[::2], lines[1::2], strict=True):
        assert error.keys() == {"line", "field", "value", "error"}, bad
        assert (error["field"], error["value"]) == (field, value), error
        assert right["category"] == "straight_flush"


def test_a_file_that_is_not_there_is_said(ask: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Called wrongly: exit code 2, one sentence on standard error."""
    assert main(["ask", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert ask(b"", b"  ") == (0, [])


def test_what_is_asked_is_what_settles() -> None:
    """A hand's best cards are worth what the hand is worth."""
    rng = random.Random(4)
    for game, size in ((CSP, 5), (TCP, 3), (FCP, 4), (FCP, 5), (FCP, 6), (WAR, 1)):
        for _ in range(200):
            cards = tuple(rng.sample(DECK, size))
            best = RANKINGS[game].best_hand(cards)
            assert sorted((*best.best, *best.rest)) == sorted(cards)
            assert RANKINGS[game].best_hand(best.best).value == best.value
            assert parse_cards(cards_text(best.best)) == best.best
