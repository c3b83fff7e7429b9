"""What a void says, or would: what goes back to whom, and out of which accounts."""

from collections.abc import Iterator

from jackpot.cli.output import money
from jackpot.core.accounts import HOUSE, MICROCENTS, WAGERS
from jackpot.core.answers import VoidRecordedAnswer
from jackpot.core.past import PastRound

__all__ = ["void_lines"]

_DIGITS = 6


def void_lines(of: str, before: PastRound, after: VoidRecordedAnswer, *, posted: bool) -> Iterator[str]:
    """Return the lines of a void of a round: its seats, its accounts to the microcent, its hits.

    `before` is what was in play before it.
    """
    seats = ", ".join(map(str, after.seats)) or "none"
    yield f"{of} {'is' if posted else 'would be'} void; wagers back at seats: {seats}"
    for wager in before.wagers:
        if wager.seat in after.seats:
            back = "in chips to the player" if wager.tender == "chips" else "to the house: a token is no money"
            yield f"  seat {wager.seat}: {money(wager.wager_cents)} {back}"
    taken = [(one.account, -int(one.microcents)) for one in after.moved if int(one.microcents) < 0]
    if taken:
        yield f"  out of {', '.join(f'{account} {exact(amount)}' for account, amount in taken)}"
    put = [
        (one.account, int(one.microcents))
        for one in after.moved
        if int(one.microcents) > 0 and one.account not in {WAGERS, HOUSE}
    ]
    if put:
        yield f"  into {', '.join(f'{account} {exact(amount)}' for account, amount in put)}"
    if after.forfeited:
        yield f"  forfeited at seats: {', '.join(map(str, after.forfeited))}"
    held = {one.hit: f": its {money(one.amount_cents)} are held no more" for one in before.hits}
    for hit in after.released:
        yield f"  {hit} {'is' if posted else 'would be'} released{held.get(hit, '')}"


def exact(microcents: int) -> str:
    """Return an amount to the microcent, without the noughts that say nothing beyond the cent.

    >>> exact(22_000_000), exact(22_500_000), exact(123_456_789_000_001)
    ('0.22', '0.225', '1,234,567.89000001')
    """
    cents, rest = divmod(microcents, MICROCENTS)
    return money(cents) + f"{rest:0{_DIGITS}}".rstrip("0")
