"""The terms of a link: what the casino promised its players.

What exactly was promised, and do two tables promise the same? Terms say what a qualifying wager costs, how it is split,
what each hand wins, which reading of the rules holds where the text leaves one open, and who must approve what. They
are immutable and have one canonical form; the SHA-256 of it is the fingerprint that stands on the felt's sign, in the
table's hello and on every record. Rule 11.9 (the same pay table, increment rate, seed and qualifying wager at every
linked table) is enforced by comparing them, field by field.

This module does not know what a meter stands at (`rules/splitting.py` and `rules/progressive.py` are given it),
whether a table is linked, or whether the approval reference is genuine. `least_round_s` and `answer_within_s` are not
here: how fast a table deals and how long its dealer waits for the server are that table's approved settings, and
tables of one link may differ in them.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final, Literal

from rules.terms_checks import check_terms
from rules.terms_form import (
    AtMost,
    Bounds,
    Leaf,
    Named,
    TermsError,
    Wording,
    as_text,
    form_leaves,
    read_form,
    write_form,
)

__all__ = [
    "FORM",
    "MILLION",
    "PRIZES",
    "Approval",
    "Difference",
    "Pool",
    "Prize",
    "Reserve",
    "Rulings",
    "Terms",
    "TermsError",
    "Timers",
    "approvers_for",
    "canonical_bytes",
    "check_terms",
    "differences",
    "fingerprint",
    "increment_microcents",
    "leaves",
    "parse_form",
    "parse_terms",
    "pool_named",
    "prize_named",
]

FORM: Final = 1
"""The number of the form written here. A form never gains a field: terms in force would change their fingerprint."""

MILLION: Final = 1_000_000
"""Parts per million in the whole, and microcents in a cent."""

PRIZES: Final = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")
"""The hands that win a prize (11.7), best first."""

Cents = Annotated[int, Bounds()]
OptionalCents = Annotated[int | None, Bounds()]
Ppm = Annotated[int, Bounds(0, MILLION)]
OptionalPpm = Annotated[int | None, Bounds(0, MILLION)]
Seconds = Annotated[int, Bounds(1, 86_400)]
# Names stand in ids and hit keys (T1/1/17/3/main), file names and web addresses.
Name = Annotated[str, Wording(r"[a-z][a-z0-9_-]{0,31}", "a name of small letters, digits, - and _")]
OptionalName = Annotated[str | None, Wording(r"[a-z][a-z0-9_-]{0,31}", "a name of small letters, digits, - and _")]
Sentence = Annotated[str, Wording(r"\S(.{0,198}\S)?", "a text of 1 to 200 characters")]


@dataclass(frozen=True, slots=True)
class Prize:
    """What one hand wins (12.1).

    A `share` is a part of the pool as shown, with a guaranteed minimum: `pool`, `share_ppm`, `minimum_cents` are set,
    and the pool pays it. A `bonus` is a fixed amount: `amount_cents` is set; the house pays it, or the pool named
    pays what it can. `least_capture` is how well a record must have seen the cards before this prize may be paid.
    """

    name: Literal["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"]
    kind: Literal["share", "bonus"]
    pool: OptionalName
    share_ppm: OptionalPpm
    minimum_cents: OptionalCents
    amount_cents: OptionalCents
    paid_by: Literal["house", "pool"]
    least_capture: Literal["keyed", "claims", "full"] = "claims"


@dataclass(frozen=True, slots=True)
class Pool:
    """A prize pool with a meter (11.5): where it starts, how fast it grows, how far, and where the rest goes."""

    name: Name
    seed_cents: Cents
    increment_ppm: Ppm
    limit_cents: OptionalCents
    overflow_to: Literal["next_seed", "reserve"] = "next_seed"


@dataclass(frozen=True, slots=True)
class Reserve:
    """The pool without a meter: players' money, spent on seeds, minimums and reversals only, never the house's."""

    increment_ppm: Ppm
    limit_cents: OptionalCents
    excess_to: Name


@dataclass(frozen=True, slots=True)
class Rulings:
    """How the link reads the rules where their text is silent or contradicts itself; defaults follow its plain words.

    `folded_hand_wins`, `conceded_hand_wins` (11.4): a hand that was folded, absent or conceded still wins its
      jackpot prize.
    `reveal_folded` (9.10): which hands nobody looked at are turned up: those of absent players, all, or none.
    `topup_paid_by` (12.1): where the minimum is more than the share, the house adds the rest, or the pool pays
      all it can.
    `odd_cents` (12.3): what does not divide stays in the pool, is rounded up by the house, or goes one each in
      paying order.
    `takes` (12.3.2): successive shares are kept exact and cut once at the end, or each is cut to the cent.
    `meter_includes_this_round` (12.1.1): the jackpot is the meter with this round's own wagers in it.
    `reset`, `never_below_seed` (11.9.2): a pool taken whole starts again from its seed; one taken lower is lifted
      to it.
    `stake_returned` (11.5): a winning jackpot wager is returned as well.
    `void_returns_jackpot`, `void_after_award` (14.4): a void returns the jackpot wager; who pays when its pool
      was won since.
    `rejected_share` (12.3): the share of a rejected winner goes to the others, or back to the pool.
    `employee_hit` (16.15): what the manager is offered first for an employee's prize; the manager decides each
      case.
    `order_of_hits` (1.1): two tables' winners stand in the order of their records' commits, or of their wagers'
      lock.
    `payout_made`, `table_after_hit` (9.5): when a prize counts as paid out, and how the table goes on before it
      is.
    """

    folded_hand_wins: bool = True
    reveal_folded: Literal["unseen", "all", "none"] = "unseen"
    conceded_hand_wins: bool = True
    topup_paid_by: Literal["house", "pool"] = "house"
    odd_cents: Literal["down", "up", "spread"] = "down"
    takes: Literal["exact", "each"] = "exact"
    meter_includes_this_round: bool = True
    reset: Literal["seed", "none"] = "seed"
    never_below_seed: bool = False
    stake_returned: bool = False
    void_returns_jackpot: bool = True
    void_after_award: Literal["reserve", "pool"] = "reserve"
    rejected_share: Literal["recomputed", "kept"] = "recomputed"
    employee_hit: Literal["rejected", "paid"] = "rejected"
    order_of_hits: Literal["commit", "lock"] = "commit"
    payout_made: Literal["slip", "money"] = "slip"
    table_after_hit: Literal["held", "sealed"] = "held"


@dataclass(frozen=True, slots=True)
class Approval:
    """From this amount on, a prize needs this many people to approve it."""

    from_cents: Cents
    approvers: Annotated[int, Bounds(0, 5)]


@dataclass(frozen=True, slots=True)
class Timers:
    """How long the link waits before a meter is shown as stale, the side bet closes, and an open round is an alarm."""

    stale_after_s: Seconds = 5
    close_after_s: Seconds = 30
    round_open_alarm_s: Seconds = 600


@dataclass(frozen=True, slots=True)
class Terms:
    """One version of the terms of a link: what rule 11.9 makes equal at every table, and all else that decides money.

    Money in whole cents of `currency`, rates in parts per million of the qualifying wager; the rates of the pools,
    the reserve and the retained part add up to 1,000,000. `pools` has the main one first; `pay_table` the five
    prizes, best first. A prize that a minor or an excluded person can not keep goes to the `forfeit_fund`, the one the
    law names, within `forfeit_within_months` of the round.
    """

    form: Annotated[int, Bounds(FORM, FORM)]
    name: Name
    version: Annotated[int, Bounds(1)]
    game: Name
    edition: Annotated[str, Wording(r"\d{4}-\d\d-\d\d", "the date of a rule edition, like 2024-08-16")]
    currency: Annotated[str, Wording(r"[A-Z]{3}", "a currency code of three capital letters")]
    qualifying_wager_cents: Annotated[int, Bounds(1)]
    pay_table: Annotated[tuple[Prize, ...], Named(PRIZES)]
    pools: Annotated[tuple[Pool, ...], AtMost(8)]
    reserve: Reserve
    retained_ppm: Ppm
    rulings: Rulings
    approvals: Annotated[tuple[Approval, ...], AtMost(8)]
    timers: Timers
    time_zone: Annotated[
        str, Wording(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}", "a time zone like Australia/Sydney")
    ]
    day_start: Annotated[str, Wording(r"([01]\d|2[0-3]):[0-5]\d", "a time of day like 06:00")]
    forfeit_fund: Sentence
    forfeit_within_months: Annotated[int, Bounds(1, 120)]
    approval_reference: Sentence


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in which two terms differ, with both values as a person would read them out."""

    field: str
    mine: str
    theirs: str


def parse_terms(data: bytes) -> Terms:
    """Read terms from their JSON form and refuse those that no casino could honour.

    Always gives terms whose rates add up, whose pools grow at their seed and whose retained share covers what the
    house pays (see `rules/terms_checks.py`). Fields may stand in any order. Raises `TermsError` naming the field, its
    value and the reason.
    """
    terms = parse_form(data)
    check_terms(terms)
    return terms


def parse_form(data: bytes) -> Terms:
    """Read terms from their JSON form without asking whether they make sense.

    For the terms in a table's hello: what matters there is in which fields they differ from the link's (11.9), and
    terms that drifted in one rate no longer add up. Raises `TermsError` for what is not the form.
    """
    return read_form(Terms, data)


def canonical_bytes(terms: Terms) -> bytes:
    """The one way to write these terms: compact JSON in UTF-8, every field, in the order of form 1."""
    return write_form(terms)


def fingerprint(terms: Terms) -> str:
    """SHA-256 of the canonical bytes, in 64 hexadecimal digits: what a sign, a hello and a record carry."""
    return hashlib.sha256(canonical_bytes(terms)).hexdigest()


def leaves(terms: Terms) -> Mapping[str, Leaf]:
    """Every field that holds a value, by its dotted path, in the order of the form (`pools.0` is the main pool)."""
    return MappingProxyType(form_leaves(terms))


def differences(mine: Terms, theirs: Terms) -> tuple[Difference, ...]:
    """Every field in which two terms differ (11.9), in the order of the form; what one of them lacks is `absent` there.

    Always empty exactly when the fingerprints are equal.
    """
    left, right = form_leaves(mine), form_leaves(theirs)
    return tuple(
        Difference(path, as_text(left.get(path, "absent")), as_text(right.get(path, "absent")))
        for path in left | right
        if path not in left or path not in right or left[path] != right[path]
    )


def prize_named(terms: Terms, name: str) -> Prize:
    """The prize of that name; raises `KeyError` where the pay table has none."""
    for prize in terms.pay_table:
        if prize.name == name:
            return prize
    raise KeyError(name)


def pool_named(terms: Terms, name: str) -> Pool:
    """The pool of that name; raises `KeyError` where the terms have none."""
    for pool in terms.pools:
        if pool.name == name:
            return pool
    raise KeyError(name)


def approvers_for(terms: Terms, amount_cents: int) -> int:
    """How many people must approve a prize of this amount."""
    return max((step.approvers for step in terms.approvals if step.from_cents <= amount_cents), default=0)


def increment_microcents(terms: Terms, pool: Pool) -> int:
    """What one qualifying wager adds to a pool that is under its limit: exact, so nothing is rounded on the way in."""
    return terms.qualifying_wager_cents * pool.increment_ppm
