"""A link's commands and batches, made by hand: what tests of the ledger post.

Decides with the link's own core, so every batch is one that a poster would post.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from jackpot.core.commands import Act, Admit, Command, Connect, OpenLink, command_of, of_act
from jackpot.core.decide import Decision, decide_all
from jackpot.core.ports import Batch, Known
from jackpot.core.state import LinkState
from jackpot.wire.codec import encode
from jackpot.wire.messages import SeatWager, Shown, Void, Wagers, Withdraw
from jackpot.wire.settings import TableSettings, settings_text
from rules.cards import parse_cards
from rules.games import GAMES
from rules.games.caribbean_stud import qualifying, settle
from rules.records import ClaimRecord, encode_record, record_of
from rules.rounds import Round, Seat
from rules.terms import Terms, canonical_bytes, fingerprint
from tests.support.terms import demo_terms

MONTH = "2026-11"
NOW_US = 1_795_777_200_000_000
"""27 November 2026."""
SETTINGS = settings_text(TableSettings(least_round_s=0))
GAME = GAMES["caribbean_stud"]
ROYAL, STRAIGHT_FLUSH, FULL_HOUSE, NOTHING = (
    "As Ks Qs Js Ts",
    "9h 8h 7h 6h 5h",
    "8c 8d 8s 3c 3d",
    "2c 4d 6c 7s 9d",
)
DEALER = "Ah Kd 4s 3h 2d"


class Link:
    """A link of some tables: its state in memory, and the batches decided so far, none of them posted anywhere."""

    def __init__(self, tables: int = 2, terms: Terms | None = None, months: Mapping[str, str] | None = None) -> None:
        """Open the link, admit its tables and connect them, in one batch (`opening`).

        A table's messages are of its month in `months`, where a server tells it by a clock of its own.
        """
        self.months = months
        self.terms = terms or demo_terms()
        self.chain = self.terms.name
        self.tables = [f"T{number + 1}" for number in range(tables)]
        self.state = LinkState(self.chain)
        self.time_us = NOW_US
        self.batches: list[Batch] = []
        self.opening = self.decide(self.opening_commands())

    def opening_commands(self) -> list[Command]:
        """What opens the link."""
        raw, settings = msgspec.Raw(canonical_bytes(self.terms)), msgspec.Raw(SETTINGS.encode())
        acts: list[Act] = [OpenLink(self.chain, raw, "ab" * 32, "Ann", "Bob")]
        for table in self.tables:
            spool = table.encode().hex()
            acts.append(Admit(table, 1, "cd" * 32, settings, "Ann"))
            acts.append(Connect(table, 0, spool, 1, 1, "test", raw, settings, MONTH))
        return [of_act(act) for act in acts]

    def decide(self, commands: Sequence[Command]) -> Batch:
        """Decide commands that are new and take the state on."""
        decision = self.decision(commands)
        assert decision.batch is not None, decision.replies
        assert not decision.aside, decision.aside
        self.state = decision.state
        self.batches.append(decision.batch)
        return decision.batch

    def decision(self, commands: Sequence[Command], known: dict[str, Known] | None = None) -> Decision:
        """Decide commands without taking the state on."""
        self.time_us += 1_000
        return decide_all(self.state, commands, known or {}, self.time_us)

    def month(self, table: str) -> str:
        """The gaming month of a table's rounds; KeyError where it is to be told and has not been."""
        return MONTH if self.months is None else self.months[table]

    def wagers(self, table: str, number: int, seats: Sequence[int] = (1, 2, 3), **changes: Any) -> Command:
        """The jackpot wagers of a round."""
        price = self.terms.qualifying_wager_cents
        placed = [SeatWager(seat, 500, price, price, changes.get("tender", "chips")) for seat in seats]
        shown = Shown(1, 1, changes.get("epoch", 1), 0)
        return command_of(
            encode(Wagers(table, 1, self.month(table), number, 1, fingerprint(self.terms), shown, placed))
        )

    def withdraw(self, table: str, number: int) -> Command:
        """The withdrawal of a round's jackpot seats."""
        return command_of(encode(Withdraw(table, 1, self.month(table), number, 1, "no answer")))

    def void(self, table: str, number: int, seats: Sequence[int] = ()) -> Command:
        """A void of a round, or of some seats."""
        return command_of(
            encode(Void(table, 1, self.month(table), number, 1, "CSP 14.8" if seats else "CSP 14.4", "Cy", list(seats)))
        )

    def record(self, table: str, number: int, hands: dict[int, str], accepted: Sequence[int] | None = None) -> Command:
        """The record of a round with these hands; all with an accepted jackpot wager, or those named."""
        wagered = hands.keys() if accepted is None else accepted
        price = self.terms.qualifying_wager_cents
        seats = tuple(
            Seat(seat, 500, price if seat in wagered else None, "bet", 1000, parse_cards(cards))
            for seat, cards in hands.items()
        )
        played = Round(GAME.name, GAME.edition, "shoe", parse_cards(DEALER), seats)
        claims = tuple(
            msgspec.convert({"seat": one.seat, "prize": one.prize}, ClaimRecord)
            for one in qualifying(played, self.terms)
        )
        record = record_of(
            played,
            settle(played, terms=self.terms),
            table=table,
            journal=1,
            month=self.month(table),
            round=number,
            revision=1,
            terms=fingerprint(self.terms),
            claims=claims or None,
        )
        return command_of(encode_record(record))

    def play(self, table: str, number: int, hands: dict[int, str] | None = None) -> tuple[Command, Command]:
        """A round's wagers and its record."""
        dealt = hands or {1: NOTHING, 3: FULL_HOUSE}
        return self.wagers(table, number, list(dealt)), self.record(table, number, dealt)


def changed(batch: Batch, **rows: Any) -> Batch:
    """A batch whose rows are not what its body says: what no poster would post."""
    return replace(batch, rows=replace(batch.rows, **rows))
