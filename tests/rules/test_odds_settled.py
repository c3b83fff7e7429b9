"""The odds are those of the settlement: whole rounds, settled as a table settles them, come out as the rows say."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from rules.cards import DECK, cards_text, parse_card, parse_cards
from rules.games import GAMES, caribbean_stud, casino_war, sic_bo, three_card_poker
from rules.odds import Row, rows
from rules.odds import caribbean_stud as csp_odds
from rules.odds import three_card_poker as tcp_odds
from rules.odds.rows import times
from rules.odds.sic_bo import RESULTS
from rules.rounds import Round, Seat
from rules.schedules import chosen
from rules.settings import SicBoSettings, ThreeCardSettings

UNIT = 1000


def rest_of(*cards: tuple[int, ...]) -> list[int]:
    """The deck without these hands."""
    return [card for card in DECK if not any(card in hand for hand in cards)]


@pytest.mark.parametrize(
    ("hand", "turned_up"),
    [
        ("As Kd Jh 8c 3s", "8d"),
        ("2c 2d 7h 9s Jc", "As"),
        ("3h 5h 9h Jh Kh", "Ah"),
        ("Ac 2d 3h 4s 5c", "Kc"),
    ],
)
def test_a_bet_comes_to_what_it_is_settled_to(hand: str, turned_up: str) -> None:
    """CSP 9: of 4,000 of the 163,185 dealer's hands none settles to a result the count has too few of.

    All hands are counted by worth and the sample by ``settle``: each sampled result keeps within the count, and
    their shares agree to one part in forty.
    """
    cards, up = parse_cards(hand), parse_card(turned_up)
    counted = csp_odds.bet_results(cards, up)
    assert sum(counted) == csp_odds.COMPLETED
    found: Counter[str] = Counter()
    every = list(combinations(rest_of(cards, (up,)), 4))
    sample = random.Random(4).sample(every, 4_000)
    for others in sample:
        seat = Seat(1, UNIT, decision="bet", bet_cents=2 * UNIT, cards=cards)
        round_ = Round(caribbean_stud.GAME, caribbean_stud.EDITION, "shoe", (*others, up), (seat,))
        ante, bet = GAMES["caribbean_stud"].settle(round_).lines
        found[{"win": "win", "void": "dealer_does_not_qualify"}.get(bet.outcome, bet.outcome)] += 1
        assert ante.outcome == ("win" if bet.outcome == "void" else bet.outcome)
    for name, ways in counted._asdict().items():
        assert abs(Fraction(found[name], len(sample)) - Fraction(ways, csp_odds.COMPLETED)) < Fraction(1, 40), name
        assert ways >= found[name]


@pytest.mark.parametrize("hand", ["Qs 6d 4h", "2c 2d 9h", "3h 8h Jh", "Ac 2d 3h", "7s 8s 9s"])
@pytest.mark.parametrize("reading", tcp_odds.READINGS, ids=lambda reading: reading.dealer_qualifies)
def test_a_three_card_hand_comes_to_what_it_is_settled_to(hand: str, reading: ThreeCardSettings) -> None:
    """TCP 9: each of the 18,424 dealer's hands settled; every result as often as counted."""
    cards = parse_cards(hand)
    seat = three_card_poker.Seat(1, UNIT, decision="play", play_cents=UNIT, cards=cards)
    found: Counter[str] = Counter()
    for dealer in combinations(rest_of(cards), 3):
        settled = three_card_poker.settle(three_card_poker.Round("shoe", dealer, (seat,)), reading)
        outcome = settled.lines[1].outcome
        found["dealer_does_not_qualify" if not settled.dealer_qualifies else outcome] += 1
    assert found == Counter(tcp_odds.against_dealer(cards, reading)), cards_text(cards)


def paid(row: Row) -> set[Fraction]:
    """All that a row says can be won or lost."""
    return {each.pays for each in row.outcomes}


def test_random_rounds_pay_only_what_the_rows_have() -> None:
    """TCP 9, 10: what a round settles to by seat is an outcome of the row, bonus and all; Pair Plus by its kind."""
    rng = random.Random(7)
    every = list(rows("three_card_poker"))
    ante_row = next(row for row in every if row.wager == "ante")
    pair_plus = next(row for row in every if row.wager == "pair_plus")
    for _ in range(2_000):
        deck = rng.sample(DECK, 6)
        seat = three_card_poker.Seat(1, UNIT, UNIT, "play", UNIT, tuple(deck[:3]))
        lines = three_card_poker.settle(three_card_poker.Round("shoe", tuple(deck[3:]), (seat,))).lines
        net = Fraction(sum(line.net_cents for line in lines if line.wager != "pair_plus"), UNIT)
        side = Fraction(next(line.net_cents for line in lines if line.wager == "pair_plus"), UNIT)
        assert side in paid(pair_plus)
        # Hands that best play folds are played here too, and lose no more than others.
        assert net in paid(ante_row)


def test_every_roll_settles_as_the_rows_say() -> None:
    """SIC 3, 7.1: each of the 216 results settled for every area: what it pays on average is the row's return."""
    settings = SicBoSettings()
    totals: Counter[str] = Counter()
    areas = [area for area in sic_bo.AREAS.values() if area.side is None]
    seat = sic_bo.Seat(1, tuple(sic_bo.Placed(area.wager, UNIT) for area in areas))
    for dice in RESULTS:
        for line in sic_bo.settle(sic_bo.Round(dice, (seat,)), settings).lines:
            totals[line.wager] += line.net_cents
    by_wager = {row.wager: row for row in reversed(list(rows("sic_bo")))}
    for area in areas:
        row = by_wager[area.wager if area.family == "total" else area.family]
        if area.wager == "even":
            row = next(each for each in rows("sic_bo") if each.wager == "even")
        assert Fraction(totals[area.wager], UNIT * len(RESULTS)) == row.expected_return, area.wager


def test_every_war_settles_as_the_rows_say() -> None:
    """WAR 5.1, 8, 10: every rank against every rank, weighed as six decks hold them: the row's return exactly."""
    net: Fraction = Fraction()
    tie: Fraction = Fraction()
    for mine in range(13):
        for theirs in range(13):
            chance = Fraction(24 * (24 - (mine == theirs)), 312 * 311)
            tie += chance * _net(mine, theirs, None)["tie"]
            if mine != theirs:
                net += chance * _net(mine, theirs, None)["initial"]
                continue
            for again in range(13):
                for answer in range(13):
                    left = 24 - 2 * (again == mine)
                    right = 24 - 2 * (answer == mine) - (again == answer)
                    at_war = _net(mine, theirs, (again, answer))
                    net += chance * Fraction(left * right, 310 * 309) * (at_war["initial"] + at_war["war"])
    every = list(rows("casino_war"))
    assert net == every[0].expected_return
    assert tie == next(row for row in every if row.wager == "tie").expected_return


def _net(mine: int, theirs: int, more: tuple[int, int] | None) -> dict[str, Fraction]:
    """What each wager of one area is up by, in units."""
    same = mine == theirs
    at_war = more is not None
    seat = casino_war.Seat(
        1,
        UNIT,
        UNIT,
        ("war" if at_war else "surrender") if same else None,
        UNIT if at_war else None,
        tuple(rank << 2 for rank in (mine, *(more or ())[:1])),
    )
    dealer = tuple(rank << 2 for rank in (theirs, *(more or ())[1:]))
    lines = casino_war.settle(casino_war.Round("shoe", dealer, (seat,))).lines
    return {line.wager: Fraction(line.net_cents, UNIT) for line in lines}


def test_a_kind_of_bet_has_the_odds_of_each_of_its_areas() -> None:
    """SIC 7.1: areas of a kind that stand in one row win as often as each other."""
    schedules = chosen("sic_bo", GAMES["sic_bo"].schedules)
    for family in ("specific_triple", "specific_double", "two_dice", "single_die", "four_numbers"):
        returns = set()
        for area in sic_bo.AREAS.values():
            if area.family == family:
                won = [sic_bo.row_won(area.wager, dice) for dice in RESULTS]
                returns.add(sum(times(schedules[family].odds[family][row]) + 1 for row in won if row is not None))
        assert len(returns) == 1, family
