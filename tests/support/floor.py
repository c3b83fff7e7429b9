"""A floor of tables played from lines of text: each line is what somebody does, and its last word what becomes of it.

    T1 wagers 1: 2 3 5/ante=0        accepted,accepted,no_ante
    T1 record 1: 3=royal_flush       recorded
    hit T1/1/1/3/main state          pending

A line begins with who acts (a table, or `verify`, `approve`, `pay`, `pay_out`, `resolve`, `terms`, `word`, `admit`,
`wait`) or with what is asked (`meter`, `balance`, `hit`, `table`, `round`, `moved`). Every batch that is made on the
way is held to what holds of any batch: its entries sum to nought, it is decided again to the same bytes, and the state
before is untouched.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from jackpot.core.accounts import HOUSE, MICROCENTS, NOTHING, pool_account
from jackpot.core.answers import decode_stored
from jackpot.core.commands import (
    Act,
    Admit,
    Command,
    Connect,
    MoveHit,
    NewTerms,
    OpenLink,
    Word,
    command_of,
    of_act,
)
from jackpot.core.decide import VERSION, decide_all
from jackpot.core.facts import Fact
from jackpot.core.ports import Batch, Known, Reply
from jackpot.core.state import LinkState
from jackpot.ledger.past import posted_of
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.codec import encode
from jackpot.wire.ids import parse_hit
from jackpot.wire.messages import RecordAnswer, SeatWager, Shown, Void, Wagers, WagersAnswer, Withdraw
from jackpot.wire.settings import TableSettings, settings_text
from rules.terms import Terms, canonical_bytes, fingerprint, parse_terms
from tests.support.amended_floor import AmendedFloor, options
from tests.support.hands import record_line
from tests.support.held import copied, hold_batch, known_of
from tests.support.terms import demo_terms

MONTH = "2026-11"
NOW_US = 1_795_777_200_000_000
"""27 November 2026."""
SECOND_US = 1_000_000


class Floor(AmendedFloor):
    """A link, its tables, and all that has been decided there."""

    def __init__(self, terms: Terms | None = None, tables: Sequence[str] = ("T1", "T2", "T3")) -> None:
        """Open the link and let its tables say hello."""
        self.terms = terms or demo_terms()
        self.state = LinkState(self.terms.name)
        self.known: dict[str, Known] = {}
        self.batches: list[Batch] = []
        self.facts: list[Fact] = []
        self.past = PastRounds()
        self.sent: list[Command] = []
        """Every command, in the order in which they were decided."""
        self.version = VERSION
        """The decide version that decides."""
        self.time_us, self.tick_us = NOW_US, 1_000
        self.connections: dict[str, int] = {}
        self.acts = 0
        self.last: Any = None
        self.act(OpenLink(self.terms.name, msgspec.Raw(canonical_bytes(self.terms)), "ab" * 32, "Ann", "Bob"))
        for table in tables:
            self.act(Admit(table, 1, "cd" * 32, _raw(settings_text(TableSettings(least_round_s=0))), "Ann"))
            self.act(self.hello(table, {"journal": "0"}))

    # --- deciding -----------------------------------------------------------------------------------------------------

    def act(self, act: Act) -> Reply:
        """Let a person act."""
        return self.decide(of_act(act))[0]

    def send(self, frame: msgspec.Struct) -> Reply:
        """Let a table send a frame."""
        return self.decide(command_of(encode(frame)))[0]

    def decide(self, *commands: Command) -> tuple[Reply, ...]:
        """Decide commands in one batch, take the state on, and hold the batch to what holds of any."""
        self.time_us += self.tick_us
        self.sent += commands
        before, untouched = self.state, copied(self.state)
        decision = decide_all(before, commands, self.known, self.time_us, version=self.version)
        assert before == untouched, "a decision changed the state it was given"
        assert len(decision.replies) == len(commands)
        assert not decision.aside, decision.aside
        if decision.batch is not None:
            hold_batch(before, decision)
            self.batches.append(decision.batch)
            self.past.take(decision.batch)
            self.known |= known_of(decision)
        self.state = decision.state
        self.facts += decision.facts
        return decision.replies

    def balance(self, account: str) -> int:
        """What an account holds, in microcents."""
        return self.state.balances.get(account, NOTHING).microcents

    # --- what somebody does -------------------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Do what each line says and hold the outcome against its last word."""
        for number, line in enumerate(text.splitlines(), start=1):
            words = line.partition("#")[0].split()
            if words:
                got = self.line(words[:-1])
                assert got == words[-1], f"line {number}: {line.strip()}\n  came to {got}"

    def line(self, words: list[str]) -> str:
        """Do what one line says and say what became of it."""
        verb = words[0] if words[0] not in self.state.tables else words[1]
        return str(getattr(self, f"_{verb}")(words))

    def at(self, words: Sequence[str]) -> dict[str, Any]:
        """The place of a round: `T1 wagers 17: ...`, with `journal=`, `month=`, `revision=` where they are others."""
        given = options(words)
        return {
            "table": words[0],
            "journal": int(given.get("journal", self.state.tables[words[0]].journal)),
            "month": given.get("month", MONTH),
            "round": int(words[2].rstrip(":")),
            "revision": int(given.get("revision", 1)),
        }

    def fingerprint(self, words: Sequence[str]) -> str:
        """The terms a table shows: the link's, or others by their version or digits."""
        shown = options(words).get("terms", fingerprint(self.terms))
        versions = {str(each.terms.version): name for name, each in self.state.older.items()}
        return versions.get(shown, shown)

    def _wagers(self, words: list[str]) -> str:
        given = options(words)
        main = self.state.pools[self.terms.pools[0].name]
        shown = Shown(int(given.get("generation", 1)), 0, int(given.get("epoch", main.epoch)), 0)
        seats = [self._seat(word) for word in words[3:] if "=" not in word.split("/")[0]]
        reply = self.send(Wagers(**self.at(words), terms=self.fingerprint(words), shown=shown, seats=seats))
        return self._became(reply)

    def _seat(self, word: str) -> SeatWager:
        seat, *changes = word.split("/")
        price = self.terms.qualifying_wager_cents
        fields: dict[str, Any] = {"ante": 500, "jackpot": price, "sensor": price, "tender": "chips"}
        for change in changes:
            name, _, value = change.partition("=")
            fields[name] = value if name == "tender" else int(value)
        return SeatWager(int(seat), fields["ante"], fields["jackpot"], fields["sensor"], fields["tender"])

    def _withdraw(self, words: list[str]) -> str:
        return self._became(self.send(Withdraw(**self.at(words), reason="no answer")))

    def _void(self, words: list[str]) -> str:
        given = options(words)
        seats = [int(word) for word in words[3:] if word.isdigit()]
        second, rule = given.get("with", ""), given.get("rule", "14.8" if seats else "14.4")
        seen = given.get("seen", "").replace(",", " ")
        said = Void(
            **self.at(words),
            rule=f"CSP {rule}",
            by="Cy",
            seats=seats,
            cards_seen=seen,
            second=second,
        )
        return self._became(self.send(said))

    def _record(self, words: list[str]) -> str:
        at = self.at(words)
        opened = self.state.rounds.get((at["table"], at["journal"], at["round"]))
        own = self.state.older[opened.terms].terms if opened else self.terms
        raw = record_line(at, words[3:], opened.accepted if opened else frozenset(), own, self.fingerprint(words))
        return self._became(self.decide(command_of(raw))[0])

    def _hello(self, words: list[str]) -> str:
        return self._became(self.act(self.hello(words[0], options(words))))

    def hello(self, table: str, given: dict[str, str]) -> Connect:
        """A table's hello; whatever is not given is as an honest table would say it."""
        known = self.state.tables.get(table)
        journal = int(given.get("journal", known.journal if known else 0))
        life = self.state.journals.get((table, journal))
        rising = max(self.connections.get(table, 0), known.connection if known else 0) + 1
        connection = int(given.get("connection", rising))
        self.connections[table] = connection
        self.acts += 1
        terms, settings = self.terms, known.settings if known else settings_text(TableSettings())
        changes = {name: value for name, value in given.items() if name.startswith("terms.")}
        if changes:
            terms = replace(terms, **{name.removeprefix("terms."): _value(value) for name, value in changes.items()})
        return Connect(
            table=table,
            journal=journal,
            spool=given.get("spool", life.spool if life else table.encode().hex()),
            connection=connection,
            next_round=int(given.get("next", life.highest + 1 if life else 1)),
            program="test",
            terms=msgspec.Raw(canonical_bytes(terms)),
            settings=_raw(settings),
            month=MONTH,
            alive="alive" in given,
            nonce=f"{self.acts:04x}",
        )

    def _word(self, words: list[str]) -> str:
        given = options(words)
        self.acts += 1
        said = Word(words[1], self.acts, given.get("by", "Sue"), given.get("reason", "seen"), given.get("spool", ""))
        return self._became(self.act(said))

    def _admit(self, words: list[str]) -> str:
        self.acts += 1
        changes = {name: _value(value) for name, value in options(words).items()}
        settings = settings_text(TableSettings(**{"least_round_s": 0, **changes}))
        return self._became(self.act(Admit(words[1], self.acts, "cd" * 32, _raw(settings), "Ann")))

    def _move(self, words: list[str]) -> str:
        given = options(words)
        hit = self.state.hits.get(parse_hit(words[1]))
        nth = int(given.get("nth", len(hit.acts) if hit else 0))
        names: dict[str, Any] = {"second": given.get("with", ""), "manager": given.get("manager", "")}
        if "rule" in given:
            names["rule"] = f"CSP {given['rule']}"
        if hit and words[0] == "release":
            names["posted"] = posted_of(self.past.of(hit.key[:3]), words[1])
        reason = given.get("reason", "")
        return self._became(self.act(MoveHit(words[1], words[0], given.get("by", ""), nth, reason=reason, **names)))

    def _pay_out(self, words: list[str]) -> str:
        """The whole way of a pending hit: Dee verifies, Eve approves with Fay where that is asked for, Gus pays."""
        hit, *more = words[1:]
        if self.line(["verify", hit, "by=Dee"]) == "verified":
            approved = self.line(["approve", hit, "by=Eve", "with=Fay", *more])
            assert approved == "approved", approved
        return self.line(["pay", hit, "by=Gus"])

    def _raised(self, words: list[str]) -> int:
        return sum(one.cents for one in self.last.raised if one.hit == words[1])

    def _later(self, words: list[str]) -> int:
        return sum(one.cents for one in self.last.later if one.hit == words[1])

    _verify = _approve = _pay = _resolve = _reject = _release = _dispute = _forfeit = _move

    def _terms(self, words: list[str]) -> str:
        given = options(words)
        version = int(given.pop("version", self.terms.version + 1))
        act_version = int(given.pop("as", version))
        by, second = given.pop("by", "Ann"), given.pop("with", "Bob")
        changed = changed_terms(
            self.terms, {"version": version, **{name: _value(text) for name, text in given.items()}}
        )
        reply = self.act(NewTerms(self.terms.name, act_version, msgspec.Raw(changed), by.strip("-"), second.strip("-")))
        became = self._became(reply)
        if became == "opened":
            self.terms = parse_terms(changed)
        return became

    def _given(self, words: list[str]) -> str:
        """Put an account where a story begins (`given pool/main 10000000000000`); the house gave or took it."""
        balances = dict(self.state.balances)
        for account, amount in ((words[1], int(words[2])), (HOUSE, self.balance(words[1]) - int(words[2]))):
            last = balances.get(account, NOTHING)
            held = amount if account == words[1] else last.microcents + amount
            balances[account] = replace(last, microcents=held)
        self.state = replace(self.state, balances=balances)
        return "so"

    def _wait(self, words: list[str]) -> str:
        self.time_us += int(words[1]) * SECOND_US
        return "over"

    # --- what is asked ------------------------------------------------------------------------------------------------

    def _meter(self, words: list[str]) -> str:
        """A pool as shown, in dollars and cents."""
        dollars, cents = divmod(self.balance(pool_account((words[1:] or ["main"])[0])) // MICROCENTS, 100)
        return f"{dollars:,}.{cents:02}"

    def _balance(self, words: list[str]) -> int:
        return self.balance(words[1])

    def _hit(self, words: list[str]) -> str:
        found = getattr(self.state.hits[parse_hit(words[1])], words[2])
        return ",".join(found) or "none" if isinstance(found, tuple) else str(found)

    def _table(self, words: list[str]) -> str:
        return str(getattr(self.state.tables[words[1]], words[2] if len(words) > 2 else "status"))

    def _round(self, words: list[str]) -> str:
        opened = self.state.rounds.get((words[1], self.state.tables[words[1]].journal, int(words[2])))
        if opened is None:
            return "over"
        return "withdrawn" if opened.withdrawn else f"open:{','.join(map(str, sorted(opened.accepted))) or 'none'}"

    def _pool(self, words: list[str]) -> str:
        return str(getattr(self.state.pools[words[1]], words[2]))

    def _moved(self, words: list[str]) -> str:
        return str({one.account: one.microcents for one in self.last.moved}.get(words[1], 0))

    def _award(self, words: list[str]) -> str:
        if "/" in words[1]:
            return self._move(words)
        lines = getattr(self.last, "awards", [])
        found = [str(getattr(line, words[2])) for line in lines if str(line.seat) == words[1]]
        return found[0] if found else "none"

    def _order(self, _words: list[str]) -> str:
        return ",".join(str(line.seat) for line in self.last.awards) or "none"

    def _difference(self, _words: list[str]) -> str:
        return str(self.last.differences[0]).partition(":")[0] if self.last.differences else "none"

    def _facts(self, words: list[str]) -> int:
        return sum(fact.kind == words[1] for fact in self.facts)

    def _commits(self, _words: list[str]) -> int:
        return self.state.head.commit

    def _became(self, reply: Reply) -> str:
        if reply.later is not None:
            assert not reply.answer
            assert reply.receipt is None
            return f"later:{reply.later.code}"
        self.last = answer = decode_stored(reply.answer)
        if isinstance(answer, WagersAnswer):
            seats = ["accepted" if seat.accepted else str(seat.refusal) for seat in answer.seats]
            return (seats[0] if len(set(seats)) == 1 else ",".join(seats)) if seats else "nothing"
        if isinstance(answer, RecordAnswer):
            return "disputed" if answer.disputed else "recorded"
        for name in ("code", "state"):
            if hasattr(answer, name):
                return str(getattr(answer, name))
        return str(answer.__struct_config__.tag)


def changed_terms(terms: Terms, changes: dict[str, Any]) -> bytes:
    """The JSON form of terms with fields changed, by their dotted paths."""
    tree = json.loads(canonical_bytes(terms))
    for path, value in changes.items():
        *way, last = path.split(".")
        at = tree
        for step in way:
            at = at[int(step)] if isinstance(at, list) else at[step]
        at[int(last) if isinstance(at, list) else last] = value
    return json.dumps(tree).encode()


def _raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


def _value(text: str) -> Any:
    words = {"true": True, "false": False, "null": None}
    if text in words:
        return words[text]
    return int(text) if text.lstrip("-").isdigit() else text
