"""Plays random histories of a link through the ledger's own decisions and writes what an export of them holds.

Tables wager, withdraw, void and record rounds from stacked decks, people settle hits, terms change, messages come
twice; commands are decided in batches of any size. It does not judge: `tests/oracle/ledger.py` does.
"""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from jackpot.core.amendments import DecideOrder
from jackpot.core.commands import Act, Admit, Command, Connect, MoveHit, NewTerms, OpenLink, Word, command_of, of_act
from jackpot.core.decide import decide_all
from jackpot.core.hits import DIFFERS, NEEDS_CAPTURE, ORDER, undecided
from jackpot.core.ports import Known
from jackpot.core.state import LinkState
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.codec import encode
from jackpot.wire.messages import SeatWager, Shown, Void, Wagers, Withdraw
from jackpot.wire.settings import TableSettings, settings_text
from rules.games.caribbean_stud import qualifying, settle
from rules.records import ClaimRecord, encode_record, record_of
from rules.rounds import Settlement
from rules.terms import Terms, canonical_bytes, fingerprint, parse_terms
from tests.oracle.dealing import random_round
from tests.support.plain_rounds import as_round

MONTH = "2026-11"
START_US = 1_794_000_000_000_000  # 6 November 2026
SETTINGS = settings_text(TableSettings(least_round_s=0, seats=9))
NEXT_MOVE = {"pending": "verify", "verified": "approve", "approved": "pay"}


class History:
    """One link and what has been decided on it; `batches` holds each batch's digest, the one before, and its body."""

    def __init__(self, terms: Terms, tables: int, chance: random.Random) -> None:
        """Open the link, admit its tables and let them say hello."""
        self.chance = chance
        self.terms = terms
        self.state = LinkState(terms.name)
        self.known: dict[str, Known] = {}
        self.waiting: list[Command] = []
        self.batches: list[tuple[str, str, bytes]] = []
        self.past = PastRounds()
        self.time_us = START_US
        self.rounds = dict.fromkeys([f"T{number + 1}" for number in range(tables)], 0)
        self.act(OpenLink(terms.name, msgspec.Raw(canonical_bytes(terms)), "00", "Ann", "Bob"))
        self.acts = 0
        for table in self.rounds:
            self.act(Admit(table, 1, "00", msgspec.Raw(SETTINGS.encode()), "Ann"))
            self.hello(table, 0, 1)
        self.post()

    def act(self, act: Act) -> None:
        """Put an act of people into the inbox."""
        self.waiting.append(of_act(act))

    def send(self, data: bytes) -> None:
        """Put a table's message into the inbox, now and then twice."""
        self.waiting += [command_of(data)] * self.chance.choice([1, 1, 1, 2])

    def hello(self, table: str, journal: int, connection: int) -> None:
        """Let a table connect under the terms it was told."""
        raw, settings = msgspec.Raw(canonical_bytes(self.terms)), msgspec.Raw(SETTINGS.encode())
        spool = table.encode().hex()
        self.act(Connect(table, journal, spool, connection, self.rounds[table] + 1, "test", raw, settings, MONTH))

    def post(self) -> None:
        """Decide what waits, in batches of any size."""
        while self.waiting:
            size = self.chance.randrange(1, 9)
            commands, self.waiting = self.waiting[:size], self.waiting[size:]
            self.time_us += self.chance.randrange(1_000_000)
            decision = decide_all(self.state, commands, self.known, self.time_us)
            assert not decision.aside, decision.aside
            self.state = decision.state
            if decision.batch is None:
                continue
            batch = decision.batch
            self.past.take(batch)
            self.batches.append((batch.digest.hex(), batch.previous.hex(), batch.body))
            rows = {row.id: row for row in batch.rows.commands}
            for reply in decision.replies:
                if reply.id in rows and reply.receipt is not None:
                    self.known.setdefault(reply.id, Known(rows[reply.id].sha256, reply.answer, reply.receipt))

    def play(self, table: str) -> Callable[[], None] | None:
        """Wager the next round of a table; give what ends it, for when other tables have had their turn."""
        if any(hit.key.table == table and hit.state in NEXT_MOVE for hit in self.state.hits.values()):
            return None
        self.rounds[table] += 1
        one_round = random_round(self.chance)
        month = MONTH if self.chance.random() < 0.98 else "2027-01"
        at: dict[str, Any] = {"table": table, "journal": 1, "month": month, "round": self.rounds[table], "revision": 1}
        wagered = self.wagers(one_round, at) if self.chance.random() < 0.95 else ""
        for seat in one_round["seats"]:
            seat.pop("jackpot_tender", None)
        if self.chance.random() < 0.05:
            self.send(encode(Withdraw(**at, reason="no answer")))
        elif self.chance.random() < 0.05:
            seat_void = Void(**at, rule="CSP 14.8", by="Cy", seats=[one_round["seats"][0]["seat"]])
            self.send(encode(seat_void))
        if self.chance.random() < 0.05:
            return lambda: self.send(encode(Void(**at, rule="CSP 14.4", by="Cy")))
        return lambda: self.record(one_round, at, wagered or fingerprint(self.terms))

    def wagers(self, one_round: dict[str, Any], at: dict[str, Any]) -> str:
        """Send the jackpot wagers of a round as the sensors saw them; give the terms they were made under."""
        price = self.terms.qualifying_wager_cents
        seats = [
            SeatWager(
                seat["seat"],
                seat["ante_cents"],
                seat["jackpot_cents"],
                self.chance.choice([price] * 30 + [0]),
                "token" if self.chance.random() < 0.1 else "chips",
            )
            for seat in one_round["seats"]
            if "jackpot_cents" in seat
        ]
        pool = self.state.pools[self.terms.pools[0].name]
        shown = Shown(1, self.state.head.commit, pool.epoch, 0)
        shown_terms = fingerprint(self.terms) if self.chance.random() < 0.97 else "0" * 64
        self.send(encode(Wagers(**at, terms=shown_terms, shown=shown, seats=seats)))
        return shown_terms

    def record(self, one_round: dict[str, Any], at: dict[str, Any], terms: str) -> None:
        """Send the record of a round, with the jackpot wagers that are in play by then."""
        self.post()
        opened = self.state.rounds.get((at["table"], at["journal"], at["round"]))
        accepted = opened.accepted if opened else frozenset()
        own = self.state.older[opened.terms].terms if opened and opened.terms in self.state.older else self.terms
        for seat in one_round["seats"]:
            seat.pop("jackpot_cents", None)
            if seat["seat"] in accepted:
                seat["jackpot_cents"] = own.qualifying_wager_cents
        played = as_round(one_round)
        claims = tuple(
            msgspec.convert({"seat": one.seat, "prize": one.prize}, ClaimRecord) for one in qualifying(played, own)
        )
        if self.chance.random() < 0.02:
            claims = ()
        settlement: Settlement | None = settle(played, terms=own)
        word: dict[str, Any] = {}
        if self.chance.random() < 0.05:
            # A decision was never entered: the base game cannot be settled, the cards can be read.
            undecided = replace(played.seats[0], decision=None, bet_cents=None)
            played, settlement = replace(played, seats=(undecided, *played.seats[1:])), None
        elif self.chance.random() < 0.3:
            shown = {claim.seat for claim in claims}
            seats = tuple(seat if seat.seat in shown else replace(seat, cards=None) for seat in played.seats)
            played, settlement = replace(played, dealer=None, seats=seats), None
            word = {"no_other_hand": True, "declared_by": "Dee"}
        sent = record_of(played, settlement, **at, terms=terms, claims=claims or None, **word)
        self.send(encode_record(sent))

    def settle_hits(self) -> None:
        """Let people move every open hit one step, each of them only once on one hit."""
        for hit in list(self.state.hits.values()):
            if hit.state in NEXT_MOVE:
                self.acts += 1
                move = NEXT_MOVE[hit.state]
                self.act(MoveHit(str(hit.key), move, f"person {self.acts}", self.acts, manager="Mo", reason="tried"))
        self.post()

    def decide_orders(self) -> None:
        """Let people say of every dispute about an order which of the two holds."""
        for hit in list(self.state.hits.values()):
            now = self.state.hits[hit.key]
            if now.state != "disputed" or ORDER not in now.marks or {DIFFERS, NEEDS_CAPTURE} & set(now.marks):
                continue
            since = undecided(now)[-1]
            last = next(key for key, one in self.state.hits.items() if one.commit == since and key.pool == hit.key.pool)
            self.acts += 3
            act = DecideOrder(
                hit=str(hit.key),
                order="wagers" if self.chance.random() < 0.7 else "commit",
                by=f"person {self.acts}",
                second=f"person {self.acts - 1}",
                reason="films",
                nth=self.acts,
                table=last.table,
                journal=last.journal,
                round=last.round,
                wagers_commit=self.past.of(last[:3]).commit,
                manager=f"person {self.acts - 2}",
            )
            self.act(act)
            self.post()

    def change_terms(self, terms: Terms) -> None:
        """Put the next terms in force, while rounds are open, and let every table come back under those that hold."""
        self.act(NewTerms(terms.name, terms.version, msgspec.Raw(canonical_bytes(terms)), "Ann", "Bob"))
        self.post()
        if self.state.terms is not None:
            self.terms = self.state.terms.terms
        self.come_back()

    def come_back(self) -> None:
        """Let every table connect anew, on a supervisor's word where it was set apart."""
        for table in self.rounds:
            self.acts += 1
            self.act(Word(table, self.acts, "Sue", "seen", table.encode().hex()))
            self.hello(table, 1, self.acts + 1)
        self.post()

    def write(self, folder: Path) -> None:
        """Write the three files of an export."""
        (folder / "terms.json").write_bytes(canonical_bytes(self.terms))
        lines = [
            b'{"digest":"%b","previous":"%b","body":%b}\n' % (digest.encode(), previous.encode(), body)
            for digest, previous, body in self.batches
        ]
        (folder / "ledger.jsonl").write_bytes(b"".join(lines))
        (folder / "rounds.jsonl").write_text("".join(json.dumps(line) + "\n" for line in self.round_lines()))

    def round_lines(self) -> list[dict[str, Any]]:
        """Every record, withdrawal and void in commit order, with what was answered."""
        lines: list[dict[str, Any]] = []
        wagered: dict[tuple[str, int], int] = {}
        in_force = ""
        for _, _, body in self.batches:
            for command in json.loads(body)["commands"]:
                said, answer, commit = command["command"], command["answer"], command["commit"]
                if answer["kind"] == "opened":
                    in_force = answer["terms"]
                elif said["kind"] == "wagers" and any(seat["accepted"] for seat in answer.get("seats", [])):
                    wagered[said["table"], said["round"]] = commit
                elif answer["kind"] in {"withdrawn", "voided"}:
                    lines.append({**said, "commit": commit, "moved": answer.get("moved", [])})
                elif answer["kind"] == "ordered":
                    lines.append({**said, "commit": commit})
                elif answer["kind"] == "recorded":
                    if said["terms"] not in self.state.older:
                        said["terms"] = in_force
                    commits = {"commit": commit, "wagers_commit": wagered.get((said["table"], said["round"]))}
                    lines.append({**said, **present(commits), **awarded(answer)})
        return lines


def awarded(answer: dict[str, Any]) -> dict[str, Any]:
    """What an export's line adds to a record: the awards and the meters around them, from the link's answer."""
    names = ("seat", "prize", "pool", "amount_cents", "from_pool_cents", "topup_cents", "bonus_cents")
    main, *others = answer["meters"]
    line = {
        "meter_before_cents": main["before_cents"],
        "awards": [{name: one[name] for name in names} for one in answer.get("awards", [])],
        "meter_after_cents": main["after_cents"],
        "meter_basis_cents": main.get("basis_cents"),
    }
    if others:
        line["meters"] = answer["meters"]
    return present(line)


def present(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that are there: what is absent is left out."""
    return {name: value for name, value in fields.items() if value is not None}


def next_version(terms: Terms, tree: dict[str, Any]) -> Terms:
    """Read terms that follow others."""
    return parse_terms(json.dumps({**tree, "version": terms.version + 1}).encode())
