"""What holds of every settlement, whatever was dealt, wagered and decided."""

import random
import re
from collections import Counter
from dataclasses import replace
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from rules.cards import DECK
from rules.games.caribbean_stud import base_amounts, qualifying, settle
from rules.limits import Limits
from rules.rounds import Decision, Round, Seat
from rules.settings import Settings
from rules.wagers import Tender
from tests.support.terms import demo_terms, with_rulings

amounts = st.integers(1, 10**12)
TENDERS: tuple[Tender, ...] = get_args(Tender)
DECISIONS: tuple[Decision, ...] = ("bet", "bet", "fold", "absent", "concede")


@st.composite
def seats(draw: st.DrawFn, number: int, cards: tuple[int, ...]) -> Seat:
    """A seat whose bet is mostly, but not always, twice the ante."""
    decision = draw(st.sampled_from(DECISIONS))
    ante = draw(st.sampled_from([500, 1000, 2500]) | st.integers(1, 5 * 10**11))
    bet = draw(st.just(2 * ante) | amounts) if decision in {"bet", "concede"} else None
    if decision == "fold":
        bet = draw(st.none() | amounts)
    return Seat(
        number,
        ante,
        draw(st.none() | st.just(100) | amounts),
        decision,
        bet,
        draw(st.just(cards) | st.none()) if decision in {"fold", "absent"} else cards,
        draw(st.sampled_from(TENDERS)),
        draw(st.sampled_from(TENDERS)),
        draw(st.sampled_from(TENDERS)),
    )


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """Any round that one deck can deal; often few suits, so that prizes are common."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    deck = list(DECK)
    rng.shuffle(deck)
    if draw(st.booleans()):
        deck.sort(key=lambda card: (card & 3, rng.random()))
    numbers = draw(st.lists(st.integers(1, 9), min_size=1, max_size=9, unique=True))
    hands = [tuple(deck[5 * place : 5 * place + 5]) for place in range(len(numbers) + 1)]
    dealer = draw(st.permutations(hands)).pop()
    hands.remove(dealer)
    players = [draw(seats(number, cards)) for number, cards in zip(numbers, hands, strict=True)]
    return Round("caribbean_stud", "2024-08-16", draw(st.sampled_from(["shoe", "shuffler"])), dealer, tuple(players))


tables: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "settings": st.builds(
            Settings,
            cap_linked_wager=st.booleans(),
            token_on_win=st.sampled_from(["returned", "as_voucher"]),
            max_payout_covers=st.sampled_from(["winnings", "with_stake"]),
            max_payout_cents=st.none() | amounts,
        ),
        "limits": st.builds(
            Limits,
            ante_min_cents=st.integers(1, 1000),
            ante_max_cents=st.none() | st.integers(1000, 10**12),
            bet_max_cents=st.none() | amounts,
        ),
        "terms": st.none() | st.builds(with_rulings, stake_returned=st.booleans(), folded_hand_wins=st.booleans()),
    }
)


@given(round_=rounds(), table=tables)
def test_money_in_equals_money_out(round_: Round, table: dict[str, Any]) -> None:
    """Every stake is settled once; of each, what is not given back is collected, and only winners are paid."""
    settlement = settle(round_, **table)
    placed = Counter(
        (seat.seat, wager, stake)
        for seat in round_.seats
        for wager, stake in (("ante", seat.ante_cents), ("bet", seat.bet_cents), ("jackpot", seat.jackpot_cents))
        if stake is not None
    )
    assert Counter((line.seat, line.wager, line.stake_cents) for line in settlement.lines) == placed
    for line in settlement.lines:
        assert 0 <= line.returned_cents <= line.stake_cents
        assert line.paid_cents >= 0
        assert line.paid_cents == 0 or line.outcome == "win"
        assert line.net_cents == line.paid_cents - (line.stake_cents - line.returned_cents)
    for seat in round_.seats:
        mine = [line for line in settlement.lines if line.seat == seat.seat]
        assert settlement.net_cents(seat.seat) == sum(line.net_cents for line in mine)
    stakes = sum(stake * times for (_, _, stake), times in placed.items())
    back = sum(line.paid_cents + line.returned_cents for line in settlement.lines)
    assert stakes + sum(settlement.net_cents(seat.seat) for seat in round_.seats) == back


@given(round_=rounds(), table=tables, order=st.randoms(use_true_random=False))
def test_the_order_of_the_seats_changes_nothing(round_: Round, table: dict[str, Any], order: random.Random) -> None:
    """A message may name the seats in any order; every line, note and winner is the same."""
    shuffled = list(round_.seats)
    order.shuffle(shuffled)
    assert settle(replace(round_, seats=tuple(shuffled)), **table) == settle(round_, **table)


@given(round_=rounds(), table=tables)
def test_every_line_cites_its_rules(round_: Round, table: dict[str, Any]) -> None:
    """An auditor goes from any line to the clause; no clause stands on a line twice."""
    for line in settle(round_, **table).lines:
        assert line.rules
        assert all(re.fullmatch(r"CSP \d+(\.\d+)*", rule) for rule in line.rules)
        assert len(set(line.rules)) == len(line.rules)


@given(round_=rounds(), table=tables)
def test_the_dealer_without_a_hand_takes_no_bet_and_pays_every_ante(round_: Round, table: dict[str, Any]) -> None:
    """CASES 46, CSP 9.2: the ante is never kept and the bet's stake never paid as a win."""
    settlement = settle(round_, **table)
    stayed = {seat.seat: seat for seat in round_.seats if seat.decision == "bet"}
    for line in settlement.lines:
        if settlement.dealer_qualifies or line.seat not in stayed or line.wager == "jackpot":
            continue
        if line.wager == "ante":
            most = table["limits"].ante_max_cents
            assert line.outcome == "win"
            assert line.paid_cents == (line.stake_cents if most is None else min(most, line.stake_cents))
        else:
            assert (line.outcome, line.paid_cents) == ("void", 0)
            assert line.returned_cents == line.stake_cents or line.tender == "token_once"


@given(round_=rounds())
def test_settlement_and_qualifying_agree(round_: Round) -> None:
    """The winners the ledger resolves are those of the settlement, whether or not the base game was captured."""
    winners = qualifying(round_, demo_terms())
    assert settle(round_, terms=demo_terms()).qualifying == winners
    assert settle(replace(round_, dealer=None), terms=demo_terms()).qualifying == winners


@given(rounds(), tables)
def test_the_amounts_alone_are_those_of_the_lines(one_round: Round, table: dict[str, Any]) -> None:
    """Who asks for the amounts of the base game alone is told what a settlement writes, in its order."""
    lines = [line for line in settle(one_round, **table).lines if line.wager != "jackpot"]
    amounts_of_lines = tuple([(line.seat, line.wager, line.paid_cents, line.returned_cents) for line in lines])
    assert base_amounts(one_round, table["settings"], table["limits"]) == amounts_of_lines
