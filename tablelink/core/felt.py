"""What a table shows and how it is set: its terms on felt and sign, and what is approved for it."""

from dataclasses import dataclass

from jackpot.wire.settings import TableSettings
from rules.limits import Limits
from rules.records import RoundRecord, limits_of, settings_of
from rules.settings import Settings
from rules.terms import Terms, fingerprint


@dataclass(frozen=True, slots=True)
class Felt:
    """A table: the terms on its felt and sign with their fingerprint, its approved settings, limits and rulings."""

    table: str
    terms: Terms
    fingerprint: str
    approved: TableSettings
    limits: Limits
    settings: Settings


def lay_felt(table: str, terms: Terms, approved: TableSettings) -> Felt:
    """The felt of a table, from its terms and its approved settings.

    Raises ``rules.records.RecordError`` where the limits are ones that no wager could comply with.
    """
    as_record = RoundRecord(seats=(), limits=approved.limits, settings=approved.settings)
    return Felt(table, terms, fingerprint(terms), approved, limits_of(as_record), settings_of(as_record))
