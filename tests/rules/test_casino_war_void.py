"""Rounds of Casino War without a result: what goes back, what of the interim settlement stands, and what cannot be."""

from typing import Any

import pytest

from rules.cards import parse_cards
from rules.directions import Forfeit
from rules.games.casino_war import Limits, Round, Seat, settle
from rules.rounds import RoundError
from rules.settings import CasinoWarSettings


def said(lines: Any) -> str:
    """Lines in short: wager, outcome, winnings, stake given back, and the rules cited."""
    return " | ".join(
        f"{line.wager} {line.outcome} +{line.paid_cents} <{line.returned_cents} "
        + " ".join(rule.removeprefix("WAR ") for rule in line.rules)
        for line in lines
    )


def cut_short(cause: Any, cards: str, decision: Any, interim: Any, dealer: str = "8s") -> Round:
    """A round of one area, initial 24 and tie 5, that came to no result after so much of its interim settlement."""
    war = 24 if decision == "war" else None
    seat = Seat(1, 24, 5, decision, war, parse_cards(cards), interim)
    return Round("shoe", parse_cards(dealer), (seat,), void_by=cause)


@pytest.mark.parametrize(
    ("cause", "rule", "told"),
    [
        ("misdeal", "WAR 11.16", ["11.16"]),
        ("not_reconstructed", "WAR 11.6", ["11.6.1"]),
        ("foreign_card", "WAR 11.17.2", ["11.17.3", "11.17.4"]),
        ("device_failed", "WAR 12.4", []),
        ("invalidated", "WAR 13.5", []),
    ],
)
def test_a_void_round_gives_everything_back(cause: Any, rule: str, told: list[str]) -> None:
    """WAR 11.6, 11.16, 11.17, 12.4, 13.5: all goes back as it was placed, over the maximum or not; people are told."""
    seats = (Seat(4, 30, 15, "war", 30, parse_cards("8c")), Seat(2, 24))
    settlement = settle(Round("shoe", parse_cards("8s"), seats, void_by=cause), limits=Limits(initial_max_cents=20))
    assert [(line.seat, line.wager, line.returned_cents) for line in settlement.lines] == [
        (2, "initial", 24),
        (4, "initial", 30),
        (4, "war", 30),
        (4, "tie", 15),
    ]
    assert {(line.outcome, line.rules) for line in settlement.lines} == {("void", (rule,))}
    assert [note.rpartition("WAR ")[2].rstrip(")") for note in settlement.notes] == told


# What had been settled before, by its cards, decision and progress ; what stands where the ruling or the rule says so.
STANDS = """
9c -         none ; initial void +0 <24 X | tie void +0 <5 X
9c -         tie  ; initial void +0 <24 X | tie lose +0 <0 5.1.3.2 8.1.1 X
9c -         hand ; initial win +24 <24 5.1.1.1 8.2.2 X | tie lose +0 <0 5.1.3.2 8.1.1 X
7c -         hand ; initial lose +0 <0 5.1.1.2 8.2.1 X | tie lose +0 <0 5.1.3.2 8.1.1 X
8c -         tie  ; initial void +0 <24 X | tie win +50 <5 5.1.3.1 8.1.2 X
8c surrender hand ; initial lose +0 <12 5.1.1.3 8.2.4.1 X | tie win +50 <5 5.1.3.1 8.1.2 X
8c war       hand ; initial void +0 <24 X | war void +0 <24 X | tie win +50 <5 5.1.3.1 8.1.2 X
"""


@pytest.mark.parametrize("line", STANDS.strip().splitlines())
@pytest.mark.parametrize(
    ("cause", "rule"),
    [
        ("misdeal", "11.16"),
        ("not_reconstructed", "11.6"),
        ("foreign_card", "11.17.2"),
        ("device_failed", "12.4"),
        ("invalidated", "13.5"),
    ],
)
def test_an_interim_settlement_stands_or_is_undone(line: str, cause: Any, rule: str) -> None:
    """WAR 11.6: what was settled in the interim always stands; elsewhere (11.17.2, 12.4, 13.5) by the ruling, named."""
    played, wanted = (part.strip() for part in line.split(";"))
    cards, decision, interim = played.split()
    round_ = cut_short(cause, cards, None if decision == "-" else decision, interim)
    stands = settle(round_, CasinoWarSettings(interim_when_void="stand"))
    assert said(stands.lines) == wanted.replace("X", rule)
    undone = settle(round_)
    if cause == "not_reconstructed":
        assert undone == stands
        assert "interim_when_void" not in dict(stands.rulings)
        return
    assert {line.outcome for line in undone.lines} == {"void"}
    asked = interim != "none"
    assert dict(stands.rulings).get("interim_when_void") == ("stand" if asked else None)
    assert dict(undone.rulings).get("interim_when_void") == ("undone" if asked else None)
    assert any(note.startswith("seat 1: what the interim settlement") for note in undone.notes) is asked


def test_an_invalidated_outcome_is_refunded_or_forfeited() -> None:
    """WAR 13.5: refunds are the ruling's; who defrauded forfeits by a direction, also what the interim had paid."""
    seats = (
        Seat(1, 30, 5, None, None, parse_cards("9c"), "hand"),
        Seat(2, 24, None, None, None, parse_cards("7c"), "none"),
    )
    forfeit = Forfeit(1, "A. Lee", "marked cards")
    round_ = Round("shoe", parse_cards("8s"), seats, void_by="invalidated", forfeits=(forfeit,))
    settlement = settle(round_, CasinoWarSettings(interim_when_void="stand"), Limits(initial_max_cents=20))
    assert said(settlement.lines) == ("initial lose +0 <10 13.5 6.3 | tie lose +0 <0 13.5 | initial void +0 <24 13.5")
    assert settlement.notes[0] == "seat 1: forfeited, directed by A. Lee: marked cards (WAR 13.5)"
    kept = settle(Round("shoe", parse_cards("8s"), seats, void_by="invalidated"), _kept("undone"))
    assert {line.outcome for line in kept.lines} == {"lose"}
    assert dict(kept.rulings)["refund_invalidated"] is False
    standing = settle(Round("shoe", parse_cards("8s"), seats, void_by="invalidated"), _kept("stand"))
    assert [line.outcome for line in standing.lines] == ["win", "lose", "lose"]


def _kept(interim: Any) -> CasinoWarSettings:
    return CasinoWarSettings(refund_invalidated=False, interim_when_void=interim)


@pytest.mark.parametrize(
    ("void_for", "interim", "ruling", "wanted"),
    [
        ("device_failed", "none", "stand", "initial void +0 <24 12.5.1 | tie void +0 <5 12.5.1"),
        ("device_failed", "hand", "undone", "initial void +0 <24 12.5.1 | tie void +0 <5 12.5.1"),
        (
            *("device_failed", "hand", "stand"),
            "initial win +24 <24 5.1.1.1 8.2.2 12.5.1 | tie lose +0 <0 5.1.3.2 8.1.1 12.5.1",
        ),
        ("prohibited_device", "hand", "stand", "initial void +0 <24 13.3.1 | tie void +0 <5 13.3.1"),
    ],
)
def test_one_area_goes_out_and_the_others_play(void_for: Any, interim: Any, ruling: Any, wanted: str) -> None:
    """WAR 12.5.1, 13.3.1: one player's wagers go back, by choice or by declaration; the round goes on (12.5.4)."""
    out = Seat(1, 24, 5, None, None, parse_cards("9c"), interim, void_for)
    others = Seat(2, 10, None, "war", 10, parse_cards("8c 9d"))
    settlement = settle(Round("shoe", parse_cards("8s 2c"), (out, others)), CasinoWarSettings(interim_when_void=ruling))
    assert said([line for line in settlement.lines if line.seat == 1]) == wanted
    assert [line.net_cents for line in settlement.lines if line.seat == 2] == [0, 10]


def test_a_war_left_half_way() -> None:
    """WAR 12.5.1: a player who had the wagers back in a war needs no additional card, nor does the dealer."""
    out = Seat(1, 24, None, "war", 24, parse_cards("8c"), "hand", "device_failed")
    settlement = settle(Round("shoe", parse_cards("8s"), (out,)), CasinoWarSettings(interim_when_void="stand"))
    assert said(settlement.lines) == "initial void +0 <24 12.5.1 | war void +0 <24 12.5.1"
    both = settle(Round("shoe", parse_cards("8s 2c"), (out,)))
    assert [line.net_cents for line in both.lines] == [0, 0]


def test_everybody_out_needs_no_cards() -> None:
    """WAR 12.5.1: where every player had the wagers back before a card was turned there is nothing to compare."""
    out = Seat(1, 24, 5, void_for="device_failed")
    assert [line.outcome for line in settle(Round("shoe", (), (out,))).lines] == ["void", "void"]


@pytest.mark.parametrize(
    ("cards", "decision", "field"),
    [("8c", None, "decision"), ("9c", "surrender", "decision"), ("9c", "war", "decision")],
)
def test_an_interim_settlement_that_cannot_have_been(cards: str, decision: Any, field: str) -> None:
    """WAR 8.2: what stands is settled by its cards; a choice that is missing or has no place is named."""
    with pytest.raises(RoundError) as caught:
        settle(cut_short("not_reconstructed", cards, decision, "hand"))
    assert caught.value.field == f"seats[0].{field}"


IMPOSSIBLE = """
seat=0           ; seats[1].seat          | 0
seat=10          ; seats[1].seat          | 10
seat=1           ; seats[1].seat          | 1
initial=0        ; seats[1].initial_cents | 0
initial=-5       ; seats[1].initial_cents | -5
tie=0            ; seats[1].tie_cents     | 0
war=0            ; seats[1].war_cents     | 0
cards=           ; seats[1].cards         |
cards=8c,9c,Tc   ; seats[1].cards         | 8c 9c Tc
interim=hand cards= ; seats[1].interim    | hand
"""


@pytest.mark.parametrize("line", IMPOSSIBLE.strip().splitlines())
def test_impossible_rounds(line: str) -> None:
    """CASES 45: no card, or three; an amount that is none; a seat twice: never a round."""
    what, wanted = line.split(";")
    change = dict(part.split("=") for part in what.split())
    cards = change.get("cards", "9c").replace(",", " ")
    seat = Seat(
        seat=int(change.get("seat", "2")),
        initial_cents=int(change.get("initial", "10")),
        tie_cents=int(change["tie"]) if "tie" in change else None,
        war_cents=int(change["war"]) if "war" in change else None,
        cards=parse_cards(cards) if cards else (),
        interim=change.get("interim", "none"),  # type: ignore[arg-type]
    )
    with pytest.raises(RoundError) as caught:
        Round("shoe", parse_cards("8s"), (Seat(1, 10, cards=parse_cards("2c")), seat))
    assert [caught.value.field, caught.value.value] == [part.strip() for part in wanted.split("|")]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"seats": ()}, "seats"),
        ({"dealer": ()}, "dealer"),
        ({"dealer": parse_cards("8s 9s Ts")}, "dealer"),
        ({"chip_cents": 0}, "chip_cents"),
        ({"chip_cents": -1}, "chip_cents"),
        ({"forfeits": (Forfeit(1, "A. Lee", "marked cards"),)}, "forfeits"),
        ({"void_by": "invalidated", "forfeits": (Forfeit(1, "A", "b"), Forfeit(1, "A", "b"))}, "forfeits[1].seat"),
    ],
)
def test_rounds_impossible_as_a_whole(changes: dict[str, Any], field: str) -> None:
    """WAR 5.10, 7.1, 11.5, 13.5: no wager, no card for the dealer or three, no amount for a chip, a wrong direction."""
    seats = (Seat(1, 10, cards=parse_cards("9c")),)
    with pytest.raises(RoundError) as caught:
        Round(**{"device": "shoe", "dealer": parse_cards("8s"), "seats": seats, **changes})
    assert caught.value.field == field


def test_six_of_a_card_are_there_and_not_seven() -> None:
    """WAR 3.1: six decks have each card six times; the seventh is no round (11.17)."""
    seats = [Seat(number, 10, decision="surrender", cards=parse_cards("8s")) for number in range(1, 7)]
    assert len(settle(Round("shoe", parse_cards("8s"), tuple(seats[:5]))).lines) == 5
    with pytest.raises(RoundError, match=r"seats\[5\].cards: 8s: .*there are 6 of each card \(WAR 3.1\)"):
        Round("shoe", parse_cards("8s"), tuple(seats))
