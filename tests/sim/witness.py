"""What must hold after every step, seen by somebody who shares nothing with what is watched.

Meters are worked out anew by the oracle's model of a link, command by command.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from jackpot.core.hits import APPROVED, DISPUTED, OPEN, VERIFIED
from jackpot.wire.codec import FrameError, decode_published, decode_snapshot, decode_to_table
from jackpot.wire.messages import Answer
from jackpot.wire.refusals import REFUSALS
from tablelink.core.dealing import lamps
from tablelink.core.mirror import Verdict
from tests.oracle.ledger import entry_faults
from tests.oracle.lives_model import LivesModel
from tests.sim.hosts import reading_of
from tests.sim.months import Months
from tests.support.memory_store import MemoryLedger

FELL_BACK_US = 1_000_000
OLDEST_PAINTED_US = 12_000_000
"""A second from reading to sending, five on the way, five on the board: nothing older is painted as live."""
FALLS = frozenset({"award", "reversal", "transfer", "correction", "limit", "release"})
"""Why a meter may fall (DESIGN 4)."""


QUARANTINES = frozenset({"connection_not_rising", "quarantined", "wrong_journal"})
"""Why a hello quarantines its table, where that is stored (PROTOCOL 1)."""


class Violation(AssertionError):
    """Something that must hold did not: `rule` names it, the words say what was seen."""

    def __init__(self, rule: str, words: str) -> None:
        """Keep both."""
        super().__init__(rule, words)
        self.rule, self.words = rule, words

    def __str__(self) -> str:
        """Both, as one sentence."""
        return f"{self.rule}: {self.words}"


class Witness:
    """Looks at the ledger, at what is said, and at every table, after each step."""

    def __init__(self, ledger: MemoryLedger) -> None:
        """Begin with what the ledger holds."""
        self.ledger = ledger
        self.model = LivesModel()
        self.cloned: set[str] = set()
        """Tables whose spool was copied or has lost rows: their ids may be used twice, and are refused."""
        self.doubled: set[str] = set()
        """Those of which two agents may have spoken since: one knows nothing of what the other does."""
        self.months = Months()
        self.answers: dict[str, bytes] = {}
        self.contents: dict[str, bytes] = {}
        self.accepted: dict[str, frozenset[int]] = {}
        self.last_accepted: Counter[str] = Counter()
        """The commit in which each table's wagers were accepted last."""
        self.over: set[tuple[str, int, int]] = set()
        self.withdrawn: set[tuple[str, int, int]] = set()
        self.by_people: Counter[tuple[str, int, int]] = Counter()
        """How often people did something to a round that its table had not ended."""
        self.pools: dict[int, Any] = {}
        """What may be shown, by commit."""
        self.head_times: list[tuple[int, int]] = []
        """When each head began to be it: commit and moment."""
        self.hits: dict[str, dict[str, Any]] = {}
        self._last: dict[str, tuple[int, int]] = {}
        self._seen = 0
        self._digest = ""
        self.now_us = 0

    def look(self, now_us: int) -> None:
        """Look at every batch that is new; raises Violation."""
        self.now_us = now_us
        while self._seen < len(self.ledger.batches):
            batch = self.ledger.batches[self._seen]
            self._seen += 1
            self._batch(batch)
        if self.ledger.stop_reason:
            raise Violation("an invariant was broken", self.ledger.stop_reason)
        if self.ledger.aside:
            one = next(iter(self.ledger.aside.values()))
            raise Violation("nothing is set aside", f"{one.command.id}: {one.error}")

    def _batch(self, batch: Any) -> None:
        body = json.loads(batch.body)
        for fault in self._faults(batch, body):
            raise Violation("the ledger is what a stranger works out", fault)
        self._falls(body)
        self._hits(body)
        state = self.ledger.rows.state()
        if state.head.batch == batch.batch:
            self.pools[batch.last_commit] = reading_of(state)
        self.head_times.append((batch.last_commit, self.now_us))

    def _faults(self, batch: Any, body: dict[str, Any]) -> Iterator[str]:
        if self._digest and batch.previous.hex() != self._digest:
            yield f"batch {batch.batch} does not stand on the last"
        self._digest = batch.digest.hex()
        yield from entry_faults(body["entries"], self._last)
        for command in body["commands"]:
            if command["answer"]["kind"] == "refused":
                code = command["answer"]["code"]
                if not REFUSALS[code].final:
                    yield f"{command['id']}: {code} is stored, which is said and never stored"
            handed_in = command["command"]["kind"] == "handed_in"
            plain = {**command, "command": command["command"]["message"]} if handed_in else command
            self._note(plain)
            if command["commit"] != self.model.commit + 1:
                yield f"commit {command['commit']} follows {self.model.commit}"
            yield from self._approved(plain)
            yield from self.months.faults(command, body["time_us"], self.cloned)
            wagered = None if handed_in else self._wagered(command)
            yield from self.model.command(command)
            yield from self._ordered(command, body, wagered)
        yield from self.model.end_of_batch(body["entries"])
        yield from self.model.balance_faults({account: held for account, (_, held) in self._last.items()})

    def _note(self, command: dict[str, Any]) -> None:
        said, answer = command["command"], command["answer"]
        said = said.get("message", said) if said["kind"] == "signed" else said
        if self._quarantines(answer) and said["table"] not in self.cloned:
            raise Violation("a table whose spool is its own is not quarantined", f"{command['id']}: {answer['code']}")
        by_two = said["kind"] in {"void_open", "record_typed"} or (said["kind"] == "void" and said.get("second"))
        if by_two and answer["kind"] != "refused":
            self.by_people[said["table"], said["journal"], said["round"]] += 1
        if said["kind"] not in {"wagers", "withdraw", "record", "void"}:
            return
        key = (said["table"], said["journal"], said["round"])
        if said["kind"] == "wagers":
            self._shown(command["id"], said["shown"])
        if answer["kind"] == "wagers":
            seats = frozenset(seat["seat"] for seat in answer["seats"] if seat["accepted"])
            if seats and key in self.over | self.withdrawn:
                raise Violation("a round that is over takes no wager", f"{command['id']} has seats {sorted(seats)}")
            self.accepted[command["id"]] = seats
            if seats:
                self.last_accepted[said["table"]] = command["commit"]
        elif answer["kind"] == "withdrawn":
            self.withdrawn.add(key)
        elif answer["kind"] == "recorded" or (answer["kind"] == "voided" and not said.get("seats")):
            if key in self.over:
                raise Violation("a round ends once", command["id"])
            self.over.add(key)

    def _quarantines(self, answer: dict[str, Any]) -> bool:
        """Whether a hello was refused and quarantines its table; a ledger that went back may have lost its journal."""
        lost = {"wrong_journal"} if self.ledger.rows.head.generation > 1 else set()
        return answer["kind"] == "hello_refused" and answer["code"] in QUARANTINES - lost

    def _shown(self, name: str, shown: dict[str, Any]) -> None:
        """Hold what a table showed with its wagers against what was owed at that commit of this life."""
        reading = self.pools.get(shown["commit"])
        if shown["generation"] != self.ledger.rows.head.generation or not self.pools:
            return
        main = None if reading is None else reading.pools[0]
        if main is None or (main.epoch, main.cents) != (shown["epoch"], shown["cents"]):
            raise Violation("a table shows what is owed", f"{name}: {shown}: {main}")

    def _falls(self, body: dict[str, Any]) -> None:
        """Every fall of a meter has a cause of the closed list, and the pool's life names it."""
        net: Counter[tuple[str, int]] = Counter()
        for entry in body["entries"]:
            if entry["account"].startswith("pool/"):
                net[entry["account"], entry["commit"]] += int(entry["microcents"])
                if entry["microcents"].startswith("-") and entry["cause"] not in FALLS:
                    raise Violation("every fall has a cause", f"{entry['account']} fell for {entry['cause']}")
        for (account, commit), amount in net.items():
            life = self.ledger.rows.pools[account.removeprefix("pool/")]
            if amount < 0 and life.last_fall_commit < commit:
                raise Violation("every fall has a cause", f"{account} fell in commit {commit}, and no snapshot says so")

    def _hits(self, body: dict[str, Any]) -> None:
        """One award a hit, but for shares that grow, corrected records and decided orders; what is not paid is held."""
        for entry in body["entries"]:
            if entry["cause"] in {"award", "topup", "bonus", "payment"} and entry["account"].startswith("payable/"):
                times = self.hits.setdefault(entry["ref"], {"times": Counter()})["times"]
                times[entry["cause"]] += 1
                if times[entry["cause"]] > 1 + sum(
                    hit == entry["ref"] for _, hit in (*self.model.shared, *self.model.repriced)
                ):
                    raise Violation("one award a hit", f"{entry['ref']}: {entry['cause']} {times} times")
        for hit in body["hits"]:
            self._hit(hit)

    def _hit(self, hit: dict[str, Any]) -> None:
        amounts = (hit["amount_cents"], hit["from_pool_cents"], hit["topup_cents"], hit["bonus_cents"])
        known = self.hits.setdefault(hit["hit"], {"times": Counter()})
        known |= {"state": hit["state"], "amounts": amounts, "commit": hit["commit"]}
        prize = self.model.prize(hit["hit"])
        _, held = self._last.get(f"payable/{hit['hit']}", (0, 0))
        due = 0
        if prize is not None:
            if (hit["commit"], *amounts) != (prize.commit, prize.amount, prize.from_pool, prize.topup, prize.bonus):
                raise Violation("one award a hit", f"{hit['hit']}: {amounts}, worked out {prize}")
            due = 0 if prize.forfeited else prize.amount * 1_000_000 - prize.paid
        for fault in self.model.way_faults(hit):
            raise Violation("what is on its way is not paid, what is paid is not held", fault)
        if held != due:
            raise Violation("one award a hit", f"{hit['hit']}: {held} held, {due} due of {hit['amount_cents']} cents")

    def _approved(self, command: dict[str, Any]) -> Iterator[str]:
        """No prize from a meter is approved past an older round that is open without a manager's word."""
        said, answer = command["command"], command["answer"]
        if said["kind"] != "hit" or answer["kind"] != "moved" or answer["state"] != APPROVED:
            return
        hit = self.hits[said["hit"]]
        _amount, from_pool, topup, _bonus = hit["amounts"]
        older = [
            key
            for key, opened in self.model.rounds.items()
            if key[0] != said["hit"].split("/")[0]
            and opened.seats
            and opened.commit is not None
            and opened.commit < hit["commit"]
        ]
        if (from_pool or topup) and older and not said.get("manager"):
            yield f"{said['hit']} is approved past {older} without a manager's word"

    def _wagered(self, command: dict[str, Any]) -> int | None:
        """The commit in which the wagers of a round were accepted that this command records."""
        said = command["command"].get("message", command["command"])
        if command["answer"]["kind"] != "recorded":
            return None
        opened = self.model.rounds.get((said["table"], said["journal"], said["round"]))
        return None if opened is None else opened.commit

    def _ordered(self, command: dict[str, Any], body: dict[str, Any], wagered: int | None) -> Iterator[str]:
        """A late record with a prize from a meter another's prize was taken from meanwhile: both are disputed."""
        if wagered is None:
            return
        answer = command["answer"]
        said = command["command"].get("message", command["command"])
        mine = {line["pool"] for line in answer.get("awards", []) if line["from_pool_cents"] or line["topup_cents"]}
        for name, hit in self.hits.items():
            table, *_, pool = name.split("/")
            _amount, from_pool, topup, _bonus = hit.get("amounts", (0, 0, 0, 0))
            meter = bool(from_pool or topup) and pool in mine and table != said["table"]
            if meter and hit["commit"] > wagered and hit.get("state") in OPEN | {VERIFIED}:
                states = {one["hit"]: one["state"] for one in body["hits"]}
                lines = [one["hit"] for one in answer["awards"] if one["pool"] == pool]
                if states.get(name, hit["state"]) != DISPUTED or any(states[line] != DISPUTED for line in lines):
                    yield f"{lines} and {name} have drawn on {pool} in another order, and are not both disputed"

    # --- what is said and shown ---------------------------------------------------------------------------------------

    def said(self, frame: bytes, table: str, batch: int) -> None:
        """Hold an answer on its way against what is stored: one id, one answer, durable before it is told.

        `batch` is the last that the process which says it knows of.
        """
        try:
            answer = decode_to_table(frame)
        except FrameError as error:
            raise Violation("a table can read what it is sent", f"{error}") from error
        for fault in self.months.told(table, getattr(answer, "month", ""), self.ledger.batches[batch - 1].time_us):
            raise Violation("a table is told the month that it is", fault)
        if not isinstance(answer, Answer):
            return
        given = bytes(answer.answer)
        known = self.ledger.known(answer.id)
        if known is None:
            raise Violation("an answer is stored before it is told", answer.id)
        if known.answer != given:
            if b'"id_reused"' in given and answer.id.split("/")[0] in self.cloned:
                return
            raise Violation("one answer an id", f"{answer.id}: {given!r}, stored {known.answer!r}")
        if self.answers.setdefault(answer.id, given) != given:
            raise Violation("one answer an id", f"{answer.id}: {given!r} after {self.answers[answer.id]!r}")

    def published(self, data: bytes, now_us: int) -> None:
        """Hold a snapshot against what the ledger held within the last second."""
        self.look(now_us)
        snapshot = decode_snapshot(bytes(decode_published(data).body))
        if snapshot.status != "running":
            return
        reading = self.pools.get(snapshot.commit)
        if reading is None or list(reading.pools) != list(snapshot.pools):
            raise Violation("a meter is shown as it was committed", f"commit {snapshot.commit}: {snapshot.pools}")
        since = next((at for commit, at in self.head_times if commit > snapshot.commit), None)
        if since is not None and now_us - since > FELL_BACK_US:
            raise Violation("an old meter is never shown as new", f"commit {snapshot.commit} {now_us - since} us late")

    def painted(self, board: str, state: Any, now_us: int) -> None:
        """Hold what a board shows as live against what is owed: this life's, of one commit, and not of long ago."""
        reading = self.pools.get(state.commit)
        shown = [(pool.pool, pool.epoch, int(pool.cents)) for pool in state.pools]
        owed = [] if reading is None else [(pool.pool, pool.epoch, pool.cents) for pool in reading.pools]
        if reading is None or (reading.generation, owed) != (state.generation, shown):
            raise Violation("a board shows what is owed", f"{board}: {state.generation}/{state.commit} {shown}: {owed}")
        since = next((at for commit, at in self.head_times if commit > state.commit), None)
        if since is not None and now_us - since > OLDEST_PAINTED_US:
            raise Violation("an old meter is never shown as new", f"{board}: {state.commit} {now_us - since} us late")

    def never_told(self, words: str) -> None:
        """Raise for a board that was told what it may not show."""
        raise Violation("a board shows what it was told", words)

    def table(self, table: Any) -> None:
        """Hold a table's lamps and meter against its disk and the ledger."""
        dealing = table.desk.dealing
        under_way = dealing.round
        if under_way is not None and under_way.accepted:
            lit = {seat for seat, lamp in lamps(dealing).items() if lamp == "accepted"}
            self._lit(table, under_way, lit)
        if table.feed.mirror.counts[Verdict.UNEXPLAINED_FALL]:
            raise Violation("every fall has a cause", f"{table.name} was shown a fall that no snapshot explains")

    def _lit(self, table: Any, under_way: Any, lit: set[int]) -> None:
        if not lit:
            return
        if not table.disk.answered(under_way.wagers_id):
            raise Violation("an answer is in the spool before a lamp is lit", under_way.wagers_id)
        if not lit <= self.accepted.get(under_way.wagers_id, frozenset()):
            raise Violation("a lit lamp has a committed wager", f"{under_way.wagers_id} seats {sorted(lit)}")
        key = (table.name, under_way.journal, under_way.number)
        session = table.agent._session
        # A hello that is only put off (PROTOCOL 3) tells nothing of the round: the spool alone lights (case 54).
        decided = session.refused is not None and (no := REFUSALS.get(session.refused.code)) is not None and no.final
        if table.name in self.doubled or (table.name in self.cloned and not (session.up or decided)):
            return
        if len(under_way.amended) < self.by_people[key]:
            return  # It has not heard of that yet; what is told of it at the end of a history is that it has.
        if key in self.withdrawn:
            raise Violation("a withdrawn round is dark", under_way.wagers_id)
        opened = self.ledger.rows.rounds.get(key)
        if opened is None or not lit <= opened.accepted:
            raise Violation("a lit lamp has its wager in play", f"{under_way.wagers_id} seats {sorted(lit)}: {opened}")

    def wrote(self, name: str, body: bytes) -> None:
        """Hold a message in a spool against what was ever written under its id."""
        if self.contents.setdefault(name, body) != body and name.split("/", maxsplit=1)[0] not in self.cloned:
            raise Violation("an id is used once", name)
        for fault in self.months.wrote(name.split("/", maxsplit=1)[0], name):
            raise Violation("a round is of a month that the server told", fault)
