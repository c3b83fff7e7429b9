"""Every irregularity's row against what its game settles; notices with their clocks."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, get_args

import pytest

from rules.cards import parse_cards
from rules.directions import Forfeit
from rules.games import GAMES, caribbean_stud, casino_war, four_card_poker, sic_bo, three_card_poker
from rules.games.ante_play.rounds import VOID_HANDS
from rules.games.casino_war.rounds import OUT, AreaFault
from rules.games.sic_bo.rounds import NoResult, VoidFor
from rules.games.sic_bo.rounds import Placed as Bet
from rules.irregularities import BOOKS, irregularity, notices_due, told
from rules.rounds import OpenWager, Round, Seat, Settlement
from rules.settings import Settings
from tests.support.terms import with_rulings

ROWS = [(book, row) for book, rows in BOOKS.items() for row in rows.values()]
DEALER = parse_cards("As Kd 9h 7c 3c")
ROYAL = parse_cards("Ah Kh Qh Jh Th")


@pytest.mark.parametrize(("book", "row"), ROWS, ids=[f"{book} {row.kind}" for book, row in ROWS])
def test_every_row_is_whole(book: str, row: Any) -> None:
    """Each cites its own book, deals with no wager twice, and touches nobody's wagers only where all stand."""
    citations = [row.rule, row.clause, *(notice.rule for notice in row.notices), *filter(None, [row.listed])]
    assert all(re.fullmatch(rf"{book} \d+(\.\d+)*", citation) for citation in citations)
    assert all(re.search(rf"\({book} [\d., ]+\)$", line) for line in told(row))
    dealt_with = [*row.returns, *row.stands, *row.collects]
    assert len(dealt_with) == len(set(dealt_with))
    if row.whose == "nobody":
        assert not row.returns
        assert not row.collects
    if row.ruling and row.ruling != "void_returns_jackpot":
        game = next(game for game in GAMES.values() if game.book == book)
        assert hasattr(game.settings(), row.ruling)


def outcomes(settlement: Settlement) -> dict[str, str]:
    """What became of each wager."""
    return {line.wager: line.outcome for line in settlement.lines}


def rules_of(settlement: Settlement) -> set[str]:
    """Every rule cited by a settlement."""
    return {rule for line in settlement.lines for rule in line.rules}


def follows(book: str, kind: str, settlement: Settlement, wagers: Iterable[str]) -> None:
    """A settlement is what the row of its irregularity says."""
    row, became = irregularity(book, kind), outcomes(settlement)
    assert set(became) == set(wagers)
    for wager in became:
        assert (became[wager] == "void") == (wager in row.returns), wager
    assert {line.rules for line in settlement.lines if line.wager in row.returns} == {(row.clause,)}
    assert set(told(row)) <= set(settlement.notes) or row.whose == "player"
    assert settlement.notices == tuple(notices_due(row))


SEAT = Seat(3, 1000, 100, "bet", 2000, ROYAL)
STUD = Round("caribbean_stud", "2024-08-16", "shoe", DEALER, (SEAT,))


@pytest.mark.parametrize("cause", get_args(caribbean_stud.VoidCause))
def test_a_void_round_of_caribbean_stud(cause: caribbean_stud.VoidCause) -> None:
    """CSP 14.4, 14.9.2, 15.2.1, 16.6: all wagers go back, people are told what the row says, nobody wins a prize."""
    settlement = caribbean_stud.settle(STUD, faults=caribbean_stud.Faults(cause))
    follows("CSP", cause, settlement, ("ante", "bet", "jackpot"))
    assert settlement.qualifying == ()
    kept = caribbean_stud.settle(
        STUD, terms=with_rulings(void_returns_jackpot=False), faults=caribbean_stud.Faults(cause)
    )
    assert outcomes(kept)["jackpot"] == "lose"


@pytest.mark.parametrize("fault", ["card_count", "prohibited_device"])
def test_a_void_hand_of_caribbean_stud(fault: caribbean_stud.HandFault) -> None:
    """CSP 14.8, 16.4.1: that player's wagers go back, and the others' are settled."""
    other = replace(SEAT, seat=4, cards=parse_cards("2h 3h 4h 5h 7s"), jackpot_cents=None)
    settlement = caribbean_stud.settle(
        replace(STUD, seats=(SEAT, other)), faults=caribbean_stud.Faults(hands=((3, fault),))
    )
    mine = replace(settlement, lines=tuple([line for line in settlement.lines if line.seat == 3]))
    follows("CSP", fault, mine, ("ante", "bet", "jackpot"))
    assert {line.outcome for line in settlement.lines if line.seat == 4} == {"lose"}
    assert settlement.qualifying == ()


@pytest.mark.parametrize(
    ("cards", "ruling", "became"),
    [
        (ROYAL, "kept", {"ante": "void", "bet": "void", "jackpot": "void"}),
        ("2h 3h 4h 5h 7s", "kept", {"ante": "lose", "bet": "lose", "jackpot": "void"}),
        ("2h 3h 4h 5h 7s", "returned", {"ante": "void", "bet": "void", "jackpot": "void"}),
        ("Ac Kc 9d 7h 3d", "kept", {"ante": "void", "bet": "void", "jackpot": "void"}),
    ],
)
def test_an_invalid_wager_of_caribbean_stud(cards: Any, ruling: Any, became: dict[str, str]) -> None:
    """CSP 14.20.2: a winning one goes back without winnings, a losing one by the ruling, a jackpot one in any case."""
    seat = replace(SEAT, cards=parse_cards(cards) if isinstance(cards, str) else cards)
    faults = caribbean_stud.Faults(hands=((3, "invalid"),))
    settlement = caribbean_stud.settle(replace(STUD, seats=(seat,)), Settings(invalid_losing=ruling), faults=faults)
    assert outcomes(settlement) == became
    assert sum(line.paid_cents for line in settlement.lines) == 0
    assert all("CSP 14.20.2" in line.rules for line in settlement.lines)
    assert ("invalid_losing" in dict(settlement.rulings)) == (seat.cards != ROYAL and "Ac" not in str(cards))


def test_other_rows_of_caribbean_stud() -> None:
    """CSP 14.11.2, 14.14: a bet not corrected goes back and the ante is lost; an absent player's jackpot plays on."""
    folded = caribbean_stud.settle(replace(STUD, seats=(Seat(3, 1000, None, "fold", 1500),)))
    row = irregularity("CSP", "bet_not_corrected")
    assert outcomes(folded) == dict.fromkeys(row.returns, "returned") | dict.fromkeys(row.collects, "lose")
    absent = caribbean_stud.settle(replace(STUD, seats=(Seat(3, 1000, 100, "absent", cards=ROYAL),)))
    row = irregularity("CSP", "absent")
    assert outcomes(absent) == dict.fromkeys(row.stands, "win") | dict.fromkeys(row.collects, "lose")
    assert row.clause in rules_of(absent)


def test_three_card_poker() -> None:
    """TCP 12.4, 12.7, 12.9.2, 12.10, 12.12: each row is what the game settles."""
    seat = three_card_poker.Seat(2, 1000, 500, "play", 1000, parse_cards("2s 2d 4h"))
    every = ("ante", "play", "pair_plus")
    for cause in get_args(three_card_poker.VoidCause):
        follows(
            "TCP", cause, three_card_poker.settle(three_card_poker.Round("shoe", None, (seat,), void_by=cause)), every
        )
    dealer = parse_cards("Qs 8d 3h")
    for decision, kind in (("void", "card_count"), ("short", "short"), ("absent", "absent")):
        bet = 1000 if decision == "void" else None
        round_ = three_card_poker.Round("shoe", dealer, (replace(seat, decision=decision, play_cents=bet),))  # type: ignore[arg-type]
        row, became = irregularity("TCP", kind), outcomes(three_card_poker.settle(round_))
        assert {wager for wager, outcome in became.items() if outcome == "void"} == set(row.returns) & set(became)
        assert row.clause in rules_of(three_card_poker.settle(round_))
        assert all(became[wager] == "win" for wager in row.stands)
    again = replace(seat, decision="short", play_cents=None, warnings=1)
    row, became = (
        irregularity("TCP", "short_again"),
        outcomes(three_card_poker.settle(three_card_poker.Round("shoe", dealer, (again,)))),
    )
    assert became == dict.fromkeys(row.stands, "win") | dict.fromkeys(row.collects, "lose")


FOUR = four_card_poker.Seat(2, 1000, 500, "play", 1000, parse_cards("Ac Ah 3d 5c 9s"))
FOUR_DEALER = parse_cards("Ks Qd 7h 4h 3c 2s")


@pytest.mark.parametrize("cause", get_args(four_card_poker.VoidCause))
def test_a_void_round_of_four_card_poker(cause: four_card_poker.VoidCause) -> None:
    """FCP 12.4, 12.10.2, 13.2.1, 14.5: all wagers go back and people are told what the row says."""
    settlement = four_card_poker.settle(four_card_poker.Round("shoe", None, (FOUR,), void_by=cause))
    follows("FCP", cause, settlement, ("ante", "play", "aces_up"))


@pytest.mark.parametrize("fault", sorted(VOID_HANDS))
def test_a_void_hand_of_four_card_poker(fault: four_card_poker.HandFault) -> None:
    """FCP 12.6, 12.9, 14.3.1: that player's wagers go back."""
    seat = replace(FOUR, decision="void", void_for=fault)
    follows(
        "FCP",
        fault,
        four_card_poker.settle(four_card_poker.Round("shoe", FOUR_DEALER, (seat,))),
        ("ante", "play", "aces_up"),
    )


def test_who_is_short_or_absent_at_four_card_poker() -> None:
    """FCP 12.11, 12.13: the ante goes back, the second time it is lost; Aces Up plays on."""
    for decision, warnings, kind in (("short", 0, "short"), ("short", 1, "short_again"), ("absent", 0, "absent")):
        seat = replace(FOUR, decision=decision, play_cents=None, warnings=warnings)  # type: ignore[arg-type]
        row = irregularity("FCP", kind)
        became = outcomes(four_card_poker.settle(four_card_poker.Round("shoe", FOUR_DEALER, (seat,))))
        assert became == dict.fromkeys(row.returns, "void") | dict.fromkeys(row.stands, "win") | dict.fromkeys(
            row.collects, "lose"
        )


WAR = casino_war.Seat(1, 1000, 200, "war", 1000, parse_cards("8h 9h"))


@pytest.mark.parametrize("cause", get_args(casino_war.VoidCause))
def test_a_void_round_of_casino_war(cause: casino_war.VoidCause) -> None:
    """WAR 11.6, 11.16, 11.17.2, 12.4, 13.5: all wagers go back and people are told what the row says."""
    round_ = casino_war.Round("shuffler", parse_cards("8s 9d"), (WAR,), void_by=cause)
    follows("WAR", cause, casino_war.settle(round_), ("initial", "war", "tie"))


@pytest.mark.parametrize("fault", sorted(OUT))
def test_a_void_area_of_casino_war(fault: AreaFault) -> None:
    """WAR 12.5.1, 13.3.1: that area's wagers go back."""
    kind = "device_no_other" if fault == "device_failed" else fault
    round_ = casino_war.Round("shuffler", parse_cards("8s"), (replace(WAR, void_for=fault),))
    follows("WAR", kind, casino_war.settle(round_), ("initial", "war", "tie"))


@pytest.mark.parametrize("cause", get_args(NoResult))
def test_no_result_at_sic_bo(cause: NoResult) -> None:
    """SIC 8.6, 9.10: every wager goes back, but a Super Streak neither wins, loses nor progresses."""
    seat = sic_bo.Seat(1, (Bet("big", 500),))
    open_ = (OpenWager(1, "super_streak_big", 500, 4),)
    settlement = sic_bo.settle(sic_bo.Round(None, (seat,), open_, no_result=cause))
    row = irregularity("SIC", cause)
    assert (row.returns, row.stands) == (("layout",), ("super_streak",))
    assert outcomes(settlement) == {"big": "void"}
    assert settlement.still_open == open_
    assert row.clause in settlement.lines[0].rules


def test_who_is_void_and_what_is_lit_wrongly_at_sic_bo() -> None:
    """SIC 8.7, 8.8, 9.8.1: a row for every fault that a round can have, with the words people are told."""
    for fault in get_args(VoidFor):
        assert fault in BOOKS["SIC"]
    seat = sic_bo.Seat(1, (Bet("big", 500),), void_for="prohibited_device")
    became = sic_bo.settle(sic_bo.Round((4, 5, 6), (seat,)))
    assert became.lines[0].rules == (irregularity("SIC", "prohibited_device").clause,)
    lit = sic_bo.settle(sic_bo.Round((4, 5, 6), (sic_bo.Seat(1, (Bet("big", 500),)),), lit=("small",)))
    assert set(told(irregularity("SIC", "wrongly_lit"))) <= set(lit.notes)
    assert lit.notices == tuple(notices_due(irregularity("SIC", "wrongly_lit")))
    assert outcomes(lit) == {"big": "win"}


def test_notices_have_their_clocks() -> None:
    """CSP 14.9.4, 14.15, 14.19; TCP 12.15.2; SIC 8.8: who is notified at once, and who at the end of the month."""
    found = datetime(2026, 11, 28, 21, 5, tzinfo=UTC)
    month_end = date(2026, 11, 30)
    owed: dict[tuple[str, str], tuple[str, str, str, date]] = {
        ("CSP", "foreign_card"): ("Surveillance and an Inspector", "CSP 14.9.4", "finding", found),
        ("CSP", "equipment_failed"): ("an inspector", "CSP 14.15", "malfunction", found),
        ("CSP", "payment_error"): ("NICC", "CSP 14.19", "awareness", month_end),
        ("TCP", "foreign_card"): ("Surveillance and an Inspector", "TCP 12.9.4", "finding", found),
        ("TCP", "payment_error"): ("the NICC", "TCP 12.15.2", "awareness", month_end),
        ("TCP", "payment_error_suspected"): ("the NICC", "TCP 12.15.2", "awareness", month_end),
        ("FCP", "foreign_card"): ("Surveillance and an Inspector", "FCP 12.10.4", "finding", found),
        ("WAR", "foreign_card"): ("Surveillance and an inspector", "WAR 11.17.4", "finding", found),
        ("SIC", "wrongly_lit"): ("an inspector", "SIC 8.8", "malfunction", found),
    }
    for (book, kind), (to, rule, since, by) in owed.items():
        row = irregularity(book, kind)
        (due,) = notices_due(row, found)
        within = "month_end" if since == "awareness" else "at_once"
        assert (due.to, due.rule, due.since, due.within, due.by) == (to, rule, since, within, by)
        assert list(notices_due(row)) == [replace(due, by=None)]
    others = [row for book, row in ROWS if (book, row.kind) not in owed and row.kind != "payment_error_suspected"]
    assert [row.kind for row in others if list(notices_due(row, found))] == ["payment_error"]


def test_a_forfeited_jackpot_wager_is_lost_too() -> None:
    """CSP 16.6: a direction takes every wager of who defrauded, the one on the jackpot with them."""
    faults = caribbean_stud.Faults("invalidated", forfeits=(Forfeit(3, "A. Lee", "marked cards"),))
    settlement = caribbean_stud.settle(STUD, faults=faults)
    assert set(outcomes(settlement).values()) == {"lose"}
    assert settlement.notes == ("seat 3: forfeited, directed by A. Lee: marked cards (CSP 16.6)",)
