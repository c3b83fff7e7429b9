"""A link as a stranger would model it: what each command of its ledger must have moved, from rule text and terms.

Commands are dictionaries as they stand in the ledger. The model keeps its own balances, so that a wrong increment or
award anywhere shows in every meter after it. Of answers it takes which seats were accepted, and which commands were
refused.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.caribbean_stud import DEFAULTS, check_deck, jackpot_prize
from tests.oracle.progressive import MICRO, resolve
from tests.oracle.splitting import split

Json = dict[str, Any]


@dataclass
class OpenRound:
    """A round's accepted seats: of each the account names and microcents its wager went to, and its tender."""

    terms: str
    commit: int | None
    """Of its wagers."""
    seats: dict[int, tuple[dict[str, int], str]] = field(default_factory=dict)


class LinkModel:
    """Everything money depends on, command by command.

    `told` holds, by commit, what an export's line of a record, withdrawal or void must say.
    """

    def __init__(self) -> None:
        """Begin before the link is open."""
        self.terms: Json = {}
        self.fingerprint = ""
        self.all_terms: dict[str, Json] = {}
        self.balances: Counter[str] = Counter()
        self.epochs: Counter[str] = Counter()
        self.inside: dict[str, set[int | None]] = {}
        """By pool, whose wagers are in its meter as it runs now: the rounds, by the commits of their wagers."""
        self.taken: dict[tuple[str, int], set[int | None]] = {}
        """By pool and commit of an award that took a meter whole: whose wagers were in that meter."""
        self.rounds: dict[tuple[str, int, int], OpenRound] = {}
        self.payable: dict[str, int] = {}
        self.told: dict[int, Json] = {}
        self.moved: Counter[tuple[str, str, int]] = Counter()
        self.commit = 0

    def command(self, command: Json) -> Iterator[str]:
        """Do what a command must do, and name what its answer says otherwise."""
        self.commit = command["commit"]
        said, answer = command["command"], command["answer"]
        said = said.get("message", said) if said["kind"] == "signed" else said
        if said["kind"] in {"open", "terms"} and answer["kind"] == "opened":
            self.enforce(said["terms"])
        elif said["kind"] == "wagers":
            self.wagers(said, answer)
        elif said["kind"] in {"withdraw", "void"} and answer["kind"] in {"withdrawn", "voided"}:
            yield from self.reverse(said, answer)
        elif said["kind"] == "record" and answer["kind"] == "recorded":
            yield from self.record(said, answer)
        elif said["kind"] == "hit" and answer["kind"] == "moved" and answer["state"] == "paid":
            self.move(f"payable/{said['hit']}", "paid", self.payable.pop(said["hit"]), "payment")

    def end_of_batch(self, entries: list[Json]) -> Iterator[str]:
        """Name every account on which a batch moved another amount for a cause than its commands must."""
        found: Counter[tuple[str, str, int]] = Counter()
        for entry in entries:
            commit = 0 if entry["cause"] == "increment" else entry["commit"]
            found[entry["account"], entry["cause"], commit] += int(entry["microcents"])
        for key in sorted(found.keys() | self.moved.keys()):
            if found[key] != self.moved[key]:
                yield f"{key[0]}: {found[key]} moved for {key[1]}, worked out {self.moved[key]}"
        self.moved.clear()

    def balance_faults(self, balances: Mapping[str, int]) -> Iterator[str]:
        """Name every account that does not end where the model does."""
        for account in sorted(balances.keys() | self.balances.keys()):
            if balances.get(account, 0) != self.balances[account]:
                yield f"{account}: ends at {balances.get(account, 0)}, worked out {self.balances[account]}"

    def move(self, source: str, target: str, amount: int, cause: str) -> None:
        """Move microcents; increments of a batch are told together, all else by its commit."""
        commit = 0 if cause == "increment" else self.commit
        for account, signed in ((source, -amount), (target, amount)):
            self.balances[account] += signed
            self.moved[account, cause, commit] += signed

    def enforce(self, terms: Json) -> None:
        """Put terms in force; a pool that was not there just before takes its first seed from the house."""
        before = {pool["name"] for pool in self.terms.get("pools", [])}
        self.terms = terms
        compact = json.dumps(terms, separators=(",", ":"), ensure_ascii=False).encode()
        self.fingerprint = hashlib.sha256(compact).hexdigest()
        self.all_terms[self.fingerprint] = terms
        for pool in terms["pools"]:
            if pool["name"] not in before:
                self.epochs[pool["name"]] += 1
                if not self.balances[f"pool/{pool['name']}"]:
                    # What came back to it while it was left out is in it still.
                    self.inside[pool["name"]] = set()
                self.move("house", f"pool/{pool['name']}", pool["seed_cents"] * MICRO, "seed")

    def opened(self, said: Json) -> OpenRound:
        """Find the round a command is of; one not seen before is of the terms in force."""
        key = (said["table"], said["journal"], said["round"])
        return self.rounds.setdefault(key, OpenRound(self.fingerprint, None))

    def pools(self) -> dict[str, int]:
        """Give what each pool holds, in microcents."""
        return {name: self.balances[f"pool/{name}"] for name in self.epochs}

    def wagers(self, said: Json, answer: Json) -> None:
        """Take in every accepted wager, one by one."""
        accepted = [seat["seat"] for seat in answer.get("seats", []) if seat["accepted"]]
        if not accepted:
            return
        opened = self.opened(said)
        opened.terms, opened.commit = said["terms"], self.commit
        for those in self.inside.values():
            those.add(self.commit)
        # The first area a seat wagers on counts (5.9), so the first of two lines of one seat that can be right.
        price = self.terms["qualifying_wager_cents"]
        for wager in said["seats"]:
            if wager["seat"] not in accepted or wager["seat"] in opened.seats or wager["jackpot_cents"] != price:
                continue
            parts = split(self.terms, self.pools(), self.balances["reserve"])
            tender = wager.get("tender", "chips")
            for account, amount in parts.items():
                self.move("house" if tender == "token" else "wagers", account, amount, "increment")
            opened.seats[wager["seat"]] = (parts, tender)

    def reverse(self, said: Json, answer: Json) -> Iterator[str]:
        """Give accepted wagers back, each part from the account it went to, then the reserve, then the house."""
        opened, before = self.opened(said), Counter(self.balances)
        terms = self.all_terms.get(opened.terms, self.terms)
        named = set(said.get("seats", [])) or set(opened.seats)
        if said["kind"] == "void" and not terms["rulings"]["void_returns_jackpot"]:
            back = []
        else:
            back = sorted(named & opened.seats.keys())
        price = terms["qualifying_wager_cents"] * MICRO
        for seat in back:
            parts, tender = opened.seats[seat]
            for account, amount in parts.items():
                self.give_back(self.giver(account, opened, terms), amount)
            if tender == "token":
                self.move("wagers", "house", price, "reversal")
        opened.seats = {seat: kept for seat, kept in opened.seats.items() if seat not in named}
        if answer["seats"] != back:
            yield f"commit {self.commit}: reversed seats {answer['seats']}, worked out {back}"
        moved = {account: self.balances[account] - before[account] for account in self.balances}
        told = {one["account"]: int(one["microcents"]) for one in answer.get("moved", [])}
        if told != {account: amount for account, amount in moved.items() if amount}:
            yield f"commit {self.commit}: {told} moved, worked out {moved}"
        self.told[self.commit] = {"kind": said["kind"], **_round_of(said), "moved": answer.get("moved", [])}

    def running(self, opened: OpenRound) -> list[str]:
        """Name the pools in whose meters, as they run now, a round's wagers are."""
        return [name for name, those in self.inside.items() if opened.commit in those]

    def giver(self, account: str, opened: OpenRound, terms: Json) -> str:
        """Name the account a part comes back from: the reserve where a winner has what it grew (`void_after_award`)."""
        pool = account.removeprefix("pool/")
        with_a_winner = pool != account and opened.commit not in self.inside[pool]
        return "reserve" if with_a_winner and terms["rulings"]["void_after_award"] == "reserve" else account

    def give_back(self, account: str, amount: int) -> None:
        """Take an amount back from an account as far as it goes, then from the reserve, then from the house."""
        for source in (account, "reserve"):
            part = min(max(self.balances[source], 0), amount)
            self.move(source, "wagers", part, "reversal")
            amount -= part
        self.move("house", "wagers", amount, "reversal")

    def record(self, said: Json, answer: Json) -> Iterator[str]:
        """Award every qualifying hand of a round from the pools as they stand, fill up what fell, and end the round."""
        opened = self.opened(said)
        terms = self.all_terms[opened.terms]
        before = self.pools()
        own: Counter[str] = Counter()
        for parts, _ in opened.seats.values():
            own.update({name: parts.get(f"pool/{name}", 0) for name in self.running(opened)})
        overflow = {name: self.balances[f"overflow/{name}"] for name in before}
        winners = winners_of(said, opened, terms)
        result = resolve(
            terms,
            before,
            own,
            winners,
            reserve=self.balances["reserve"],
            overflow=overflow,
            in_force=self.terms,
        )
        for award in result["awards"]:
            self.fund(said, award, opened, terms)
        self.fill(terms, result)
        self.keep_own(opened, terms, own, before, result["awards"])
        del self.rounds[said["table"], said["journal"], said["round"]]
        yield from self.answer_faults(answer, result["awards"], before)
        main = self.terms["pools"][0]["name"]
        self.told[self.commit] = {
            "kind": "record",
            **_round_of(said),
            "wagers_commit": opened.commit,
            "awards": result["awards"],
            "jackpot seats": sorted(opened.seats),
            "meter_before_cents": before[main] // MICRO,
            "meter_after_cents": self.balances[f"pool/{main}"] // MICRO,
        }

    def fund(self, said: Json, award: Json, opened: OpenRound, terms: Json) -> None:
        """Set the money of a prize aside for its winner; a wager returned as well is paid, where it was money."""
        prize = terms["pay_table"][award["prize"]]
        pool = prize["pool"] or "house"
        hit = f"{said['table']}/{said['journal']}/{said['round']}/{award['seat']}/{pool}"
        self.move(f"pool/{pool}", f"payable/{hit}", award["from_pool_cents"] * MICRO, "award")
        self.move("house", f"payable/{hit}", award["topup_cents"] * MICRO, "topup")
        self.move("house", f"payable/{hit}", award["bonus_cents"] * MICRO, "bonus")
        self.payable[hit] = award["amount_cents"] * MICRO
        if terms["rulings"]["stake_returned"] and opened.seats[award["seat"]][1] == "chips":
            self.move("house", "paid", terms["qualifying_wager_cents"] * MICRO, "stake")

    def fill(self, terms: Json, result: Json) -> None:
        """Post what filled pools up again; a pool taken whole begins its next epoch."""
        won = [award["prize"] for award in result["awards"]]
        fallen = {terms["pay_table"][prize]["pool"] for prize in won if terms["pay_table"][prize]["share_ppm"] == MICRO}
        for name in fallen:
            self.epochs[name] += 1
            self.taken[name, self.commit], self.inside[name] = self.inside[name], set()
        for name, parts in result["reseeds"].items():
            cause = "seed" if name in fallen else "lift"
            self.move("reserve", f"pool/{name}", parts["from_reserve"], cause)
            self.move("house", f"pool/{name}", parts["from_house"], cause)
            self.move(f"overflow/{name}", f"pool/{name}", parts["from_overflow"], "overflow")

    def keep_own(
        self, opened: OpenRound, terms: Json, own: Mapping[str, int], before: Mapping[str, int], awards: list[Json]
    ) -> None:
        """Let a pool keep what the round itself wagered, where its jackpot is without that and nothing else took of it.

        Who took the meter whole was not paid those wagers: they are in the next one, with the seed (7.2, 11.9.2).
        """
        if terms["rulings"]["meter_includes_this_round"]:
            return
        for name, amount in own.items():
            if amount and (name, self.commit) in self.taken and left_by(terms, name, before[name], awards) >= amount:
                self.taken[name, self.commit].discard(opened.commit)
                self.inside[name].add(opened.commit)

    def answer_faults(self, answer: Json, awards: list[Json], before: Mapping[str, int]) -> Iterator[str]:
        """Name what the answer to a record says otherwise: the awards in paying order, the meters around them."""
        amounts = ("seat", "prize", "amount_cents", "from_pool_cents", "topup_cents", "bonus_cents")
        told = [{name: one[name] for name in amounts} for one in answer.get("awards", []) if one["state"] != "claimed"]
        if told != awards:
            yield f"commit {self.commit}: awards {told}, worked out {awards}"
        for meter in answer["meters"]:
            around = (before.get(meter["pool"], 0) // MICRO, self.balances[f"pool/{meter['pool']}"] // MICRO)
            if (meter["before_cents"], meter["after_cents"]) != around:
                yield f"commit {self.commit}: {meter}, worked out {around}"


def left_by(terms: Json, pool: str, held: int, awards: list[Json]) -> int:
    """Say what awards leave of a pool that held so many microcents."""
    theirs = [award for award in awards if terms["pay_table"][award["prize"]]["pool"] == pool]
    drawn: int = sum(award["from_pool_cents"] for award in theirs)
    return held - drawn * MICRO


def winners_of(said: Json, opened: OpenRound, terms: Json) -> list[tuple[int, str]]:
    """Find the qualifying hands by their cards, at seats whose wagers were accepted; none where cards cannot be."""
    settings = {**DEFAULTS, **terms["rulings"]}
    try:
        check_deck(said)
        found = [
            (seat["seat"], jackpot_prize({**seat, "jackpot_cents": 0}, settings))
            for seat in said["seats"]
            if seat["seat"] in opened.seats
        ]
    except ValueError:
        return []
    return [(seat, prize) for seat, prize in found if prize is not None]


def cents_of(told: Iterable[Json]) -> dict[str, int]:
    """Give amounts by their hits."""
    return {one["hit"]: one["cents"] for one in told}


def differs(commit: int, what: str, told: Any, worked_out: Any) -> Iterator[str]:
    """Name what is told otherwise than worked out."""
    if told != worked_out:
        yield f"commit {commit}: {what} {told}, worked out {worked_out}"


def _round_of(said: Json) -> Json:
    return {name: said[name] for name in ("table", "journal", "month", "round")}
