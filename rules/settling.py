"""What settling has in common in every game: stakes under a sign, lines with their rules, tokens, and a void round.

Knows neither cards nor who won: the ``games`` say that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rules.irregularities.payments import KeptStake
from rules.irregularities.rows import Irregularity, NoticeDue, notices_due, told
from rules.rounds import Line, Settlement
from rules.settings import SharedSettings
from rules.wagers import Outcome, Tender, token_goes_back


@dataclass(frozen=True, slots=True)
class Stake:
    """A wager as placed, and the part of it that is paid or collected, with the rules that made it less."""

    seat: int
    wager: str
    placed_cents: int
    at_risk_cents: int
    tender: Tender = "chips"
    rules: tuple[str, ...] = ()


@dataclass(slots=True)
class Sheet:
    """The lines of one settlement as they are written, with the rulings used and what people should be told."""

    book: str
    """The book whose rules the lines cite, such as ``TCP``."""
    settings: SharedSettings
    lines: list[Line] = field(default_factory=list)
    rulings: dict[str, str | bool] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    notices: list[NoticeDue] = field(default_factory=list)
    kept: list[KeptStake] = field(default_factory=list)

    def under_sign(self, stake: Stake, least_cents: int, most_cents: int | None) -> Stake:
        """A wager as it counts when its amount is noticed after the first card.

        Always in full below the minimum (6.2 of the card games); above the maximum up to it (6.3). Both are noted.
        """
        placed = stake.placed_cents
        if most_cents is not None and placed > most_cents:
            note, rule, at_risk = f"counts up to {most_cents}", f"{self.book} 6.3", most_cents
        elif placed < least_cents:
            note, rule, at_risk = "below the minimum, is valid", f"{self.book} 6.2", placed
        else:
            return stake
        comma = "," if at_risk == placed else ""
        self.notes.append(f"seat {stake.seat}: {_a(stake.wager)} of {placed} cents{comma} {note} ({rule})")
        return Stake(stake.seat, stake.wager, placed, at_risk, stake.tender, (*stake.rules, rule))

    def add(self, stake: Stake, outcome: Outcome, paid_cents: int, *rules: str, goes_back: bool = True) -> None:
        """Write the line of a wager; what of it took no part in the round goes back in any case."""
        rules += stake.rules
        if outcome == "lose":
            goes_back = False
        elif stake.tender == "token_once" and outcome != "returned":
            self.rulings["token_on_win"] = self.settings.token_on_win
            rules += () if f"{self.book} 1.1" in rules else (f"{self.book} 1.1",)
            goes_back = goes_back and token_goes_back(self.settings)
        returned = stake.placed_cents if goes_back else stake.placed_cents - stake.at_risk_cents
        self.write(stake, outcome, paid_cents, returned, rules)

    def write(
        self, stake: Stake, outcome: Outcome, paid_cents: int, returned_cents: int, rules: tuple[str, ...]
    ) -> None:
        """Write a line that was worked out."""
        self.lines.append(
            Line(stake.seat, stake.wager, stake.placed_cents, outcome, paid_cents, returned_cents, rules, stake.tender)
        )

    def add_invalid(self, stake: Stake, outcome: Outcome, rule: str, *rules: str, because: str) -> None:
        """Write the line of a wager found invalid during the hand (CSP 14.20.2, TCP 12.16.2): nothing is won by it.

        A losing one is kept or goes back by the table's ruling. ``rule`` says what becomes of it, ``because`` why it is
        invalid.
        """
        words = f"seat {stake.seat}: the {stake.wager.replace('_', ' ')} wager is invalid ({because})"
        if outcome == "lose":
            self.rulings["invalid_losing"] = self.settings.invalid_losing
            if self.settings.invalid_losing == "kept":
                self.add(stake, "lose", 0, rule, *rules)
                self.keep(stake.seat, stake.wager, stake.at_risk_cents, rule, words)
                return
        self.add(replace(stake, at_risk_cents=stake.placed_cents), "void", 0, rule, *rules)
        self.notes.append(f"{words}: it goes back, without winnings ({rule})")

    def keep(self, seat: int, wager: str, cents: int, rule: str, words: str) -> None:
        """Put the stake of a losing invalid wager on the list of those kept, and say so (CSP 14.20.2)."""
        self.notes.append(f"{words}: {cents} cents are kept ({rule})")
        if cents:
            self.kept.append(KeptStake(seat, wager, cents, rule))

    def follow(self, row: Irregularity) -> None:
        """Tell people what else is done about an irregularity, and whom they notify."""
        self.notes.extend(told(row))
        self.notices.extend(notices_due(row))

    def add_bonus(self, seat: int, wager: str, paid_cents: int, *rules: str) -> None:
        """Write the line of a bonus, which is paid on no wager of its own."""
        self.lines.append(Line(seat, wager, 0, "win", paid_cents, 0, rules))


def void(stakes: Iterable[Stake], book: str, settings: SharedSettings, *rules: str) -> Settlement:
    """The settlement of a round, or of single wagers, declared void: each goes back as it was placed (1.1).

    >>> void([Stake(3, "ante", 500, 500)], "TCP", SharedSettings(), "TCP 12.4").lines[0].returned_cents
    500
    """
    sheet = Sheet(book, settings)
    for stake in stakes:
        sheet.add(stake, "void", 0, *rules)
    return Settlement(tuple(sheet.lines), rulings=tuple(sorted(sheet.rulings.items())))


def _a(wager: str) -> str:
    """A wager with its article, in words.

    >>> _a("ante"), _a("pair_plus")
    ('an ante', 'a pair plus')
    """
    return f"{'an' if wager[0] in 'aeiou' else 'a'} {wager.replace('_', ' ')}"
