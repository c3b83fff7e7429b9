"""A promotion as its document has it: what is offered, its terms, whom it was told to, and what has come of it.

Whatever a book requires may be missing here: saying so is the checks' work. Times carry their offset. Knows no JSON
(``rules.records.promotions``) and no rule.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from rules.promotions.books import Payment

Kind = Literal[
    "money",
    "casino_dollars",
    "slots_dollars",
    "goods",
    "service",
    "appliance",
    "motor_vehicle",
    "travel",
    "real_estate",
]
"""What a prize is: money; dollars to play with; machinery or an electric appliance; other goods and services."""

Contents = Literal["tobacco", "firearm", "ammunition", "imitation_firearm", "prohibited_weapon", "liquor", "prescribed"]
"""What a prize consists of or includes, among what the books name (.5)."""

Detail = str | bool | int


@dataclass(frozen=True, slots=True)
class Alternative:
    """What a winner may be paid instead of a prize in kind (.3)."""

    value_cents: int
    paid_by: tuple[Payment, ...] = ()
    stated_in_terms: bool = False


@dataclass(frozen=True, slots=True)
class Prize:
    """One kind of prize of a promotion."""

    name: str
    kind: Kind
    value_cents: int
    """The value of one of them."""
    count: int = 1
    conditions: str = ""
    """What goes with receiving, using or accepting it."""
    contents: tuple[Contents, ...] = ()
    liquor_ml: int = 0
    details: Mapping[str, Detail] = field(default_factory=lambda: MappingProxyType({}))
    paid_by: tuple[Payment, ...] = ()
    alternative: Alternative | None = None


@dataclass(frozen=True, slots=True)
class PromotionTerms:
    """The terms and conditions of a promotion (.7), each empty where they do not say it."""

    manner: str = ""
    awarded_when: str = ""
    awarded_where: str = ""
    eligibility: str = ""
    wager_needed: bool | None = None
    """Whether a minimum or compulsory wager is needed."""
    wager: str = ""
    nature: str = ""
    """The nature of the prize, with every qualification, reservation and guarantee."""
    closes: datetime | None = None
    """Until when entries are received."""
    place: str = ""
    held: datetime | None = None
    claiming: str = ""
    must_be_present: bool | None = None
    """Whether an entrant must be present at the draw."""
    notifying: str = ""
    publishing: str = ""
    disbursement: str = ""
    """How prizes are paid out."""


@dataclass(frozen=True, slots=True)
class Marketing:
    """A piece of marketing, and whether it refers to the terms (.6)."""

    piece: str
    refers_to_terms: bool


@dataclass(frozen=True, slots=True)
class Submission:
    """The full terms as given to the authority."""

    at: datetime
    full: bool
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Amendment:
    """Terms that were amended: when they began to hold, what is new, and what the authority had of it."""

    at: datetime
    what: str
    submitted: datetime | None = None
    approved: datetime | None = None
    approval: str = ""
    """The reference under which it was approved."""


@dataclass(frozen=True, slots=True)
class Contact:
    """An attempt to notify a winner."""

    at: datetime
    method: str


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won which prize at a draw."""

    name: str
    prize: str
    present: bool = False
    contacts: tuple[Contact, ...] = ()
    paid_by: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class Compromise:
    """An integrity found compromised, and what the operator determined."""

    at: datetime
    decision: Literal["postponed", "cancelled"]
    notified: datetime | None = None
    validated: datetime | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw: when it was held, if it was, who oversaw it and who won."""

    held: datetime | None = None
    scrutineer: str = ""
    winners: tuple[Winner, ...] = ()
    compromised: Compromise | None = None


@dataclass(frozen=True, slots=True)
class Claimant:
    """Somebody who claimed a prize."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class RefusedClaim:
    """A claim for a prize that was denied."""

    prize: str
    value_cents: int
    at: datetime
    claimants: tuple[Claimant, ...] = ()
    reason: str = ""
    informed: datetime | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute about the terms of a promotion, which the operator decides."""

    at: datetime
    about: str
    decision: str = ""
    satisfied: bool | None = None
    advised: datetime | None = None
    """When the person was advised of the right to lodge a complaint with an inspector."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """A promotion in conjunction with gaming at one or more of the games."""

    name: str
    games: tuple[str, ...]
    starts: datetime
    ends: datetime
    terms: PromotionTerms
    prizes: tuple[Prize, ...]
    scrutineer: str = ""
    terms_found_at: tuple[str, ...] = ()
    """Where the terms are readily available."""
    marketing: tuple[Marketing, ...] = ()
    submission: Submission | None = None
    amendments: tuple[Amendment, ...] = ()
    draws: tuple[Draw, ...] = ()
    refused_claims: tuple[RefusedClaim, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    promotion_amendment: Literal["approval", "resubmit"] = "approval"
    """Which of SIC 10.9.1 and 10.13.1 holds (ruling ``promotion_amendment``)."""
