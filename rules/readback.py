"""Does an exported record agree with the rules: the base game its table settled, and the awards its link made.

Works from the record and the terms alone, as a stranger with the export would. Cannot tell what a pool's overflow
added at a reseed, nor whether a prize was missed that nobody's cards show.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.games import GAMES, caribbean_stud
from rules.progressive import Award, BadAward, Resolution, Winner, award
from rules.records import (
    FORMS,
    AnyRecord,
    AwardRecord,
    RecordError,
    RoundRecord,
    award_record,
    encode_part,
    faults_of,
    game_of,
    limits_of,
    rulings_of,
    schedule_of,
    schedules_of,
    settings_of,
    sign_of,
    to_round,
)
from rules.records.reports import with_report
from rules.rounds import Round, RoundError, Settlement
from rules.terms import MILLION, Pool, Terms, pool_named


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in which a record and the rules differ: its value on the record, and what the rules say."""

    field: str
    value: str
    reason: str


def settle_record(record: RoundRecord, terms: Terms | None = None) -> tuple[Round, Settlement]:
    """The round of a record, settled under the table settings the record carries.

    Raises ``RecordError`` where it is no round, or cannot be settled.
    """
    round_ = to_round(record)
    try:
        settlement = caribbean_stud.settle(
            round_, settings_of(record), limits_of(record), schedule_of(record), terms, faults_of(record)
        )
        return round_, with_report(record, settlement)
    except RoundError as error:
        raise RecordError(error.field, error.value, error.reason) from None


def settle_any(record: AnyRecord) -> tuple[Any, Settlement]:
    """The round of any game's record, settled under the rulings, sign and schedules the record carries.

    Raises ``RecordError`` where it is no round, or cannot be settled.
    """
    game = game_of(record)
    round_ = FORMS[game].to_round(record)
    try:
        settlement = GAMES[game].settle(round_, rulings_of(record), sign_of(record), schedules_of(record))
        return round_, with_report(record, settlement)
    except RoundError as error:
        raise RecordError(error.field, error.value, error.reason) from None


def settled_differences(record: Any, settlement: Settlement) -> Iterator[Difference]:
    """Where the base game as the table settled it is not as the rules settle it.

    Never asks where the record does not say how it was settled, or its base game was not captured.
    """
    if record.settled is None or (isinstance(record, RoundRecord) and not settlement.lines):
        return
    own = [line for line in settlement.lines if line.wager != "jackpot"]
    theirs = {(line.seat, line.wager): line for line in record.settled}
    if len(record.settled) != len(own) or set(theirs) != {(line.seat, line.wager) for line in own}:
        yield Difference("settled", encode_part(record.settled), f"not the {len(own)} wagers that the rules settle")
        return
    places = {(line.seat, line.wager): place for place, line in enumerate(record.settled)}
    for line in own:
        at = f"settled[{places[line.seat, line.wager]}]"
        said = theirs[line.seat, line.wager]
        if said.paid_cents != line.paid_cents:
            yield Difference(f"{at}.paid_cents", str(said.paid_cents), f"the rules say {line.paid_cents}")
        if said.returned_cents != line.returned_cents:
            yield Difference(f"{at}.returned_cents", str(said.returned_cents), f"the rules say {line.returned_cents}")


def owed_differences(record: RoundRecord, settlement: Settlement, awards: Sequence[Award]) -> Iterator[Difference]:
    """Where a report of a jackpot wager that was paid wrongly says another amount was owed than the award."""
    won = {each.seat: each.amount_cents for each in awards}
    back = {line.seat: line.returned_cents for line in settlement.lines if line.wager == "jackpot"}
    for place, each in enumerate(getattr(record, "payment_errors", None) or ()):
        if each.wager == "jackpot" and each.seat in won:
            owed = won[each.seat] + back.get(each.seat, 0)
            if each.owed_cents != owed:
                where = f"payment_errors[{place}].owed_cents"
                yield Difference(where, str(each.owed_cents), f"by the award it is {owed}")


def resolve(
    meters: Mapping[str, int], winners: Sequence[Winner], terms: Terms, own: Mapping[str, int] | None = None
) -> Resolution:
    """The awards of a round from meters in cents, this round's wagers in; ``own`` is what those wagers brought, where
    the jackpot leaves that out.

    Raises ``RecordError`` where the terms have no such prize, or a pool of theirs has no meter.
    """
    for pool in terms.pools:
        if pool.name not in meters:
            raise RecordError("meters", pool.name, "missing: the terms have this pool")
    pools = {pool.name: meters[pool.name] * MILLION for pool in terms.pools}
    try:
        return award(pools, {name: cents * MILLION for name, cents in (own or {}).items()}, winners, terms)
    except BadAward as error:
        raise RecordError("awards", "", str(error)) from None


def award_differences(
    record: RoundRecord, winners: Sequence[Winner], terms: Terms, every_terms: Sequence[Terms]
) -> Iterator[Difference]:
    """Where the awards and meters of an exported record are not as rule 12 makes them from the meter before.

    ``every_terms`` are the terms the link ever had: a pool that falls starts again by those then in force.
    Raises ``RecordError`` as ``resolve`` does.
    """
    meters = meters_before(record, terms)
    if meters is None:
        if record.awards:
            yield Difference("meter_before_cents", "", "missing: awards cannot be worked out without it")
        return
    resolution = resolve(meters, winners, terms, _own(record, meters, terms))
    said = record.awards or ()
    own = [award_record(each) for each in resolution.awards]
    if [(each.seat, each.prize) for each in said] != [(each.seat, each.prize) for each in own]:
        value = ", ".join(f"{each.seat} {each.prize}" for each in said)
        wanted = ", ".join(f"{each.seat} {each.prize}" for each in own) or "none"
        yield Difference("awards", value, f"by the cards the awards in paying order are: {wanted}")
        return
    for place, (theirs, ours) in enumerate(zip(said, own, strict=True)):
        yield from _award_differences(f"awards[{place}]", theirs, ours)
    yield from _meter_differences(record, meters, resolution, every_terms)


def meters_before(record: RoundRecord, terms: Terms) -> dict[str, int] | None:
    """The meters of an exported record's pools before its awards, in cents; ``None`` where it states none."""
    if record.meters is not None:
        return {each.pool: each.before_cents for each in record.meters}
    if record.meter_before_cents is not None:
        return {terms.pools[0].name: record.meter_before_cents}
    return None


def _own(record: RoundRecord, meters: Mapping[str, int], terms: Terms) -> dict[str, int]:
    """What of each meter before is this round's own, in cents: what its jackpot was worked out without, if anything.

    A pool may still pay a minimum or a bonus out of it, so it is not simply another meter.
    """
    basis = {each.pool: each.basis_cents for each in record.meters or () if each.basis_cents is not None}
    if record.meter_basis_cents is not None:
        basis[terms.pools[0].name] = record.meter_basis_cents
    return {name: meters[name] - cents for name, cents in basis.items() if name in meters}


def _award_differences(at: str, theirs: AwardRecord, ours: AwardRecord) -> Iterator[Difference]:
    for name in ("pool", "amount_cents", "from_pool_cents", "topup_cents", "bonus_cents"):
        said, own = getattr(theirs, name), getattr(ours, name)
        if said != own and not (name == "pool" and said is None):
            yield Difference(f"{at}.{name}", str(said), f"the terms say {own}")


def _meter_differences(
    record: RoundRecord, meters: Mapping[str, int], resolution: Resolution, every_terms: Sequence[Terms]
) -> Iterator[Difference]:
    """Where a meter after the awards is not what the awards left."""
    after = {
        each.pool: (f"meters[{place}].after_cents", each.after_cents) for place, each in enumerate(record.meters or ())
    }
    if record.meter_after_cents is not None:
        after.setdefault(next(iter(meters)), ("meter_after_cents", record.meter_after_cents))
    for name, before in meters.items():
        if name not in after:
            yield Difference("meter_after_cents", "", f"missing: pool {name} had {before} cents before")
            continue
        field, said = after[name]
        left = before - _taken(resolution.awards, name)
        least = {_lowest_after(name, left, resolution, terms) for terms in every_terms if _has_pool(terms, name)}
        overflow = name in resolution.falls and any(_has_limit(terms, name) for terms in every_terms)
        if said not in least and not (overflow and said > min(least)):
            yield Difference(field, str(said), f"the awards leave {' or '.join(map(str, sorted(least)))}")


def _taken(awards: Sequence[Award], pool: str) -> int:
    return sum(each.from_pool_cents for each in awards if each.pool == pool)


def _lowest_after(name: str, left_cents: int, resolution: Resolution, terms: Terms) -> int:
    """What a meter shows after awards, before any overflow joins it."""
    seed = pool_named(terms, name).seed_cents
    if name in resolution.falls:
        return left_cents + (seed if terms.rulings.reset == "seed" else 0)
    if name in resolution.lowered and terms.rulings.never_below_seed:
        return max(left_cents, seed)
    return left_cents


def _has_pool(terms: Terms, name: str) -> bool:
    return any(pool.name == name for pool in terms.pools)


def _has_limit(terms: Terms, name: str) -> bool:
    def limited(pool: Pool) -> bool:
        return pool.name == name and pool.limit_cents is not None

    return any(map(limited, terms.pools))
