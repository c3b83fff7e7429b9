"""The odds of a wager on the progressive jackpot of Caribbean Stud, as a function of its meter (CSP 11.7, 12.1).

Of one winner in a round: where several share (12.3) each has less. Knows no link; a link's own prizes are its terms'.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, prod
from types import MappingProxyType
from typing import Final

from rules.games.caribbean_stud import GAME, prize_of
from rules.hands import CATEGORIES, Category, five_card_value
from rules.odds.rows import Outcome, Row
from rules.odds.tallies import counts_of, mixed, rank_hands, suited
from rules.terms import MILLION, Terms

HANDS: Final = comb(52, 5)
"""The hands of five cards, each dealt as often as the others."""


@dataclass(frozen=True, slots=True)
class JackpotPrize:
    """What a hand wins: a part of the meter with a minimum, or a fixed amount."""

    name: str
    share_ppm: int
    """Its part of the meter; 0 for a fixed amount."""
    least_cents: int

    def pays_cents(self, meter_cents: int) -> Fraction:
        """What one winner is paid with the meter there."""
        return max(Fraction(meter_cents * self.share_ppm, MILLION), Fraction(self.least_cents))


BOOK_PRIZES: Final = (
    JackpotPrize("royal_flush", MILLION, 5_000_000),
    JackpotPrize("straight_flush", MILLION // 10, 500_000),
    JackpotPrize("four_of_a_kind", 0, 50_000),
    JackpotPrize("full_house", 0, 15_000),
    JackpotPrize("flush", 0, 10_000),
)
"""The prizes that the rule text prints (CSP 12.1.1 to 12.1.5)."""

BOOK_WAGER_CENTS: Final = 100
"""One dollar: the text leaves the wager to a sign (CSP 11.3), and its published figures are of this one."""


def prizes_of(terms: Terms) -> tuple[JackpotPrize, ...]:
    """The prizes of a link's terms; a part is of the meter of its own pool."""
    return tuple(
        JackpotPrize(each.name, each.share_ppm or 0, (each.minimum_cents or 0) + (each.amount_cents or 0))
        for each in terms.pay_table
    )


@cache
def hand_counts() -> Mapping[Category, int]:
    """How many of the 2,598,960 hands are of each kind (CSP 13.1), the highest first.

    >>> list(hand_counts().values())
    [4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540]
    """
    counts: dict[Category, int] = dict.fromkeys(reversed(CATEGORIES), 0)
    for ranks in rank_hands(5):
        ways = prod(comb(4, held) for held in counts_of(ranks))
        if len(set(ranks)) == 5:
            counts[five_card_value(suited(ranks)).category] += 4
            ways -= 4
        counts[five_card_value(mixed(ranks)).category] += ways
    return MappingProxyType(counts)


@cache
def prize_chances() -> Mapping[str, Fraction]:
    """How likely a hand wins each prize, the best first (CSP 11.7)."""
    found = {prize_of(five_card_value(cards)) for cards in map(mixed, rank_hands(5))}
    found |= {prize_of(five_card_value(suited(ranks))) for ranks in rank_hands(5) if len(set(ranks)) == 5}
    return MappingProxyType({name: Fraction(hand_counts()[name], HANDS) for name in CATEGORIES[::-1] if name in found})


def break_even_cents(prizes: Iterable[JackpotPrize] = BOOK_PRIZES, wager_cents: int = BOOK_WAGER_CENTS) -> Fraction:
    """The meter at which the wager costs the player nothing on average, in cents; 0 where it never costs anything.

    Raises ``ValueError`` where no meter brings it that far: no prize is a part of it.

    >>> from rules.odds.rows import decimal_text
    >>> decimal_text(break_even_cents() * Fraction(1, 100), 2)
    '159810.53'
    """
    every = tuple(prizes)
    # What the player has on average grows with the meter in straight pieces; each bend is where a share reaches a
    # minimum. The piece that reaches the wager is found from the lowest.
    bends = sorted({Fraction(each.least_cents * MILLION, each.share_ppm) for each in every if each.share_ppm})
    if not bends:
        raise ValueError("no prize is a part of the meter")
    for bend, following in zip([Fraction(), *bends], [*bends, None], strict=True):
        growing = [each for each in every if each.share_ppm and each.least_cents * MILLION <= bend * each.share_ppm]
        slope = sum((prize_chances()[each.name] * Fraction(each.share_ppm, MILLION) for each in growing), Fraction())
        fixed = sum(
            (prize_chances()[each.name] * each.least_cents for each in every if each not in growing), Fraction()
        )
        if fixed + slope * bend >= wager_cents:
            return bend
        if slope:
            meter = (wager_cents - fixed) * Fraction(slope.denominator, slope.numerator)
            if following is None or meter <= following:
                return meter
    raise AssertionError(every)


def row(
    meter_cents: int,
    prizes: Iterable[JackpotPrize] = BOOK_PRIZES,
    wager_cents: int = BOOK_WAGER_CENTS,
    named: str = "CSP 12.1",
) -> Row:
    """The odds of the wager with the meter there, its fraction of a cent left to the winner."""
    outcomes = []
    for prize in prizes:
        ways = int(prize_chances()[prize.name] * HANDS)
        outcomes.append(Outcome(prize.name, prize.pays_cents(meter_cents) * Fraction(1, wager_cents) - 1, ways, HANDS))
    lost = HANDS - sum(each.ways for each in outcomes)
    outcomes.append(Outcome("lose", Fraction(-1), lost, HANDS))
    settings = (
        ("meter_cents", str(meter_cents)),
        ("wager_cents", str(wager_cents)),
        ("break_even_cents", str(_up(break_even_cents(prizes, wager_cents)))),
    )
    return Row(GAME, named, settings, "jackpot", "", tuple(outcomes))


def _up(cents: Fraction) -> int:
    """Whole cents of a break-even meter: the first at which the player loses nothing on average."""
    return -(-cents.numerator // cents.denominator)
