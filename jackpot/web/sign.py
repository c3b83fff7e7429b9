"""What a sign or a board says of the terms, made from the terms alone, with their fingerprint (case 49).

Amounts are strings of cents, since a browser's numbers lose digits. What a prize pays now is worked out for one winner.
"""

from collections.abc import Mapping

from msgspec import Struct

from rules.terms import MILLION, Prize, Terms, fingerprint

__all__ = ["PaysNow", "PrizeSign", "Sign", "pays_now", "sign_of"]


class PrizeSign(Struct, frozen=True, omit_defaults=True):
    """One line of the pay table."""

    prize: str
    kind: str
    pool: str = ""
    share_ppm: int = 0
    minimum_cents: str = ""
    amount_cents: str = ""


class Sign(Struct, frozen=True):
    """What was promised: the price, the prizes, the fingerprint by which anyone can tell two promises apart."""

    terms: str
    name: str
    version: int
    game: str
    currency: str
    wager_cents: str
    main_pool: str
    seed_cents: str
    prizes: list[PrizeSign]
    approval_reference: str
    time_zone: str
    stale_after_s: int
    close_after_s: int


class PaysNow(Struct, frozen=True):
    """What one winner of a prize would have now; `at_least` where it is the minimum because the share is less."""

    prize: str
    cents: str
    at_least: bool


def sign_of(terms: Terms) -> Sign:
    """Return the sign of these terms."""
    main = terms.pools[0]
    return Sign(
        terms=fingerprint(terms),
        name=terms.name,
        version=terms.version,
        game=terms.game,
        currency=terms.currency,
        wager_cents=str(terms.qualifying_wager_cents),
        main_pool=main.name,
        seed_cents=str(main.seed_cents),
        prizes=[_line(prize) for prize in terms.pay_table],
        approval_reference=terms.approval_reference,
        time_zone=terms.time_zone,
        stale_after_s=terms.timers.stale_after_s,
        close_after_s=terms.timers.close_after_s,
    )


def pays_now(terms: Terms, meters: Mapping[str, int]) -> list[PaysNow]:
    """Return what each prize pays a single winner at these meters (cents by pool); a pool not shown has no prizes."""
    return [now for prize in terms.pay_table if (now := _now(prize, terms, meters)) is not None]


def _now(prize: Prize, terms: Terms, meters: Mapping[str, int]) -> PaysNow | None:
    if prize.kind == "bonus":
        return PaysNow(prize.name, str(prize.amount_cents), at_least=False)
    meter = meters.get(prize.pool or "")
    if meter is None:
        return None
    share, minimum = meter * (prize.share_ppm or 0) // MILLION, prize.minimum_cents or 0
    held = max(share, minimum) if terms.rulings.topup_paid_by == "house" else min(meter, max(share, minimum))
    return PaysNow(prize.name, str(held), at_least=minimum > share)


def _line(prize: Prize) -> PrizeSign:
    if prize.kind == "bonus":
        return PrizeSign(prize.name, prize.kind, amount_cents=str(prize.amount_cents))
    return PrizeSign(
        prize.name, prize.kind, prize.pool or "", prize.share_ppm or 0, minimum_cents=str(prize.minimum_cents or 0)
    )
