"""What happens to a round's money after its record, as a stranger would model it: prizes that fall away, later voids.

Written from the rulings (`release of a hit`, `a void of a round with hits`, `rejected_share`) and rules 12.3 and 14. It
takes nothing from what an act carries of its round: it remembers each round itself.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.oracle.link_model import Json, LinkModel, OpenRound, cents_of, differs
from tests.oracle.progressive import MICRO, resolve

OF_THE_PERSON = ("CSP 14.20", "CSP 16.1", "CSP 16.4")
"""Beginnings of the rules under which a prize falls away because of who held it: no record brings it back."""
ON_ITS_WAY = {"pending", "disputed", "verified", "approved"}
"""States in which people are still to pay something of a prize; in all others but `rejected` nothing of it is held."""
KEPT_UNDER = "CSP 16.15"
"""The rule under which a share may stay in the pool: the hand qualified, its player may not play."""


@dataclass
class Prize:
    """What one hand was awarded, in cents, and what became of it."""

    hit: str
    seat: int
    prize: str
    pool: str
    from_pool: int
    topup: int
    bonus: int
    commit: int
    """The commit that resolved it."""
    paid: int = 0
    """Microcents."""
    forfeited: bool = False
    rejected: bool = False

    @property
    def amount(self) -> int:
        """All of it."""
        return self.from_pool + self.topup + self.bonus

    @property
    def from_meter(self) -> bool:
        """Whether a meter gave it, or what was added to one."""
        return self.from_pool > 0 or self.topup > 0


@dataclass
class Resolved:
    """What prizes were resolved on together, in one commit."""

    meters: dict[str, int]
    own: dict[str, int]
    epochs: dict[str, int]
    """Of each pool, before the awards."""
    put: dict[str, int] = field(default_factory=dict)
    """What the round's own wagers had put into each pool, whoever has it."""
    inside: dict[str, frozenset[int | None]] = field(default_factory=dict)
    """The wagers that were in each pool, by their commits."""
    gave: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    """By pool: what filled it up in that commit, as a cause, and microcents of reserve and house."""


@dataclass
class Recorded:
    """A round that is over: its wagers still in play, its prizes that stand, and what they were resolved on."""

    month: str
    opened: OpenRound
    terms: Json
    resolved: dict[int, Resolved] = field(default_factory=dict)
    """By commit."""
    prizes: dict[int, Prize] = field(default_factory=dict)
    amended: bool = False
    """Whether seats of it are void."""
    kept: list[Prize] = field(default_factory=list)
    """Prizes that fell away and whose shares the pool has kept."""
    barred: set[int] = field(default_factory=set)
    """Seats whose prize people released because of who held it."""


class AmendedModel(LinkModel):
    """The model of a link whose recorded rounds may be amended."""

    def __init__(self) -> None:
        """Begin before the link is open."""
        super().__init__()
        self.recorded: dict[tuple[str, int, int], Recorded] = {}
        self.shared: set[tuple[int, str]] = set()
        """Commit and hit, wherever a winner's share was worked out anew since another of its round fell away."""
        self._last_fill: Json = {}

    def command(self, command: Json) -> Iterator[str]:
        """Do what a command must do, and name what its answer says otherwise."""
        said, answer = command["command"], command["answer"]
        if said["kind"] == "hit" and answer.get("state") == "paid" and (prize := self.prize(said["hit"])) is not None:
            prize.paid += self.payable[said["hit"]]
        yield from super().command(command)
        if said["kind"] == "void_recorded" and answer["kind"] == "void_recorded":
            yield from self.void_recorded(said, answer)
        elif said["kind"] == "hit" and answer["kind"] == "moved":
            yield from self.moved_by_people(said, answer)

    def fill(self, terms: Json, result: Json) -> None:
        """Note what fills pools up, beside posting it."""
        self._last_fill = result["reseeds"]
        super().fill(terms, result)

    def record(self, said: Json, answer: Json) -> Iterator[str]:
        """Remember the round as it was resolved."""
        opened, meters, epochs = self.opened(said), self.pools(), dict(self.epochs)
        terms = self.all_terms[opened.terms]
        resolved = self.resolving(opened, meters, epochs)
        self._last_fill = {}
        yield from super().record(said, answer)
        round_ = self.recorded[said["table"], said["journal"], said["round"]] = Recorded(said["month"], opened, terms)
        self.keep(said, round_, self.told[self.commit]["awards"], resolved)

    def resolving(self, opened: OpenRound, meters: dict[str, int], epochs: dict[str, int]) -> Resolved:
        """Tell what prizes are resolved on now: the meters, and where the round's own wagers are."""
        put: Counter[str] = Counter()
        for parts, _ in opened.seats.values():
            put.update({name: parts.get(f"pool/{name}", 0) for name in meters})
        own = {name: put[name] for name in self.running(opened)}
        inside = {name: frozenset(those) for name, those in self.inside.items()}
        return Resolved(meters, own, epochs, dict(put), inside)

    def keep(self, said: Json, round_: Recorded, awards: list[Json], resolved: Resolved) -> None:
        """Remember prizes that were resolved together, and what filled pools up after them."""
        for award in awards:
            pool = round_.terms["pay_table"][award["prize"]]["pool"] or "house"
            hit = f"{said['table']}/{said['journal']}/{said['round']}/{award['seat']}/{pool}"
            seat, from_pool, topup = award["seat"], award["from_pool_cents"], award["topup_cents"]
            bonus = award["bonus_cents"]
            round_.prizes[seat] = Prize(hit, seat, award["prize"], pool, from_pool, topup, bonus, self.commit)
        for name, parts in self._last_fill.items():
            cause = "seed" if self.epochs[name] != resolved.epochs[name] else "lift"
            resolved.gave[name] = (cause, parts["from_reserve"], parts["from_house"])
        round_.resolved[self.commit] = resolved

    def prize(self, hit: str) -> Prize | None:
        """Give a prize that has not fallen away; None for one that has."""
        table, journal, number, seat, _pool = hit.split("/")
        round_ = self.recorded.get((table, int(journal), int(number)))
        prize = None if round_ is None else round_.prizes.get(int(seat))
        return None if prize is None or prize.hit != hit else prize

    # --- people move a hit ------------------------------------------------------------------------------------------

    def moved_by_people(self, said: Json, answer: Json) -> Iterator[str]:
        """Do what a release or a forfeit moves; other moves leave the money where it is."""
        table, journal, number, seat, pool = said["hit"].split("/")
        round_ = self.recorded[table, int(journal), int(number)]
        prize = round_.prizes.get(int(seat))
        raised: dict[str, int] = {}
        if answer["state"] == "released":
            gone = [] if prize is None else [prize]
            staying = [one for one in round_.prizes.values() if one is not prize]
            raised, _left = self.fall(round_, gone, staying, said.get("rule", ""), (), pools={pool} - {"house"})
            if prize is not None and self.stake_returned(round_, prize):
                price = round_.terms["qualifying_wager_cents"] * MICRO
                self.move("paid", "recoverable", price, "correction")
            if answer["state"] == "released" and said.get("rule", "").startswith(OF_THE_PERSON):
                round_.barred.add(int(seat))
        elif answer["state"] == "rejected" and prize is not None:
            prize.rejected = True
        elif answer["state"] == "forfeited" and prize is not None:
            self.move(f"payable/{prize.hit}", "forfeited", self.payable.pop(prize.hit), "forfeit")
            prize.forfeited = True
        yield from differs(self.commit, "raised", cents_of(answer.get("raised", [])), raised)
        if any(cause == "release" and commit == self.commit for _, cause, commit in self.moved):
            self.told[self.commit] = {"kind": "release", "hit": said["hit"]}

    def stake_returned(self, round_: Recorded, prize: Prize) -> bool:
        """Say whether the wager came back with the prize (11.5)."""
        _parts, tender = round_.opened.seats.get(prize.seat, ({}, "gone"))
        return bool(round_.terms["rulings"]["stake_returned"]) and tender == "chips"

    # --- two people void what is recorded ---------------------------------------------------------------------------

    def void_recorded(self, said: Json, answer: Json) -> Iterator[str]:
        """Take the prizes of the seats back, then give their wagers back, each part from the account it went to."""
        key = (said["table"], said["journal"], said["round"])
        round_ = self.recorded[key]
        seats = round_.opened.seats
        named = (set(said.get("seats", [])) or set(seats)) & set(seats)
        # A seat that is out already is no part of the round any more; what a fund has of its prizes it keeps.
        in_play = [one for _, one in sorted(round_.prizes.items(), reverse=True) if one.seat in seats or one.forfeited]
        gone = [one for one in in_play if one.seat in named and not one.forfeited]
        staying = [one for one in in_play if one not in gone]
        open_ones = sorted(one.hit for one in gone if not self.is_paid(one))
        overpaid = {one.hit: one.amount - self.payable.get(one.hit, 0) // MICRO for one in gone}
        stakes = [one for one in gone if self.stake_returned(round_, one)]
        too_old = cents_of(answer.get("underpaid", []))
        raised, underpaid = self.fall(round_, gone, staying, said["rule"], too_old, out=named)
        price = round_.terms["qualifying_wager_cents"] * MICRO
        for _ in stakes:
            self.move("paid", "house", price, "release")
        back = sorted(named) if round_.terms["rulings"]["void_returns_jackpot"] else []
        before = Counter(self.balances)
        self.wagers_back(round_, back)
        gone_for_good = self.forfeit(said, round_.opened, round_.terms, back)
        moved = self.since(before)
        for seat in named:
            del seats[seat]
        round_.amended = True
        told = {one["account"]: int(one["microcents"]) for one in answer.get("moved", [])}
        yield from differs(self.commit, "moved", told, moved)
        yield from differs(self.commit, "seats", answer["seats"], [one for one in back if one not in gone_for_good])
        yield from differs(self.commit, "forfeited", answer.get("forfeited", []), gone_for_good)
        yield from differs(self.commit, "out", answer.get("out", []), sorted(named))
        yield from differs(self.commit, "released", sorted(answer.get("released", [])), open_ones)
        at = {name: said[name] for name in ("table", "journal", "month", "round")}
        returned = [one for one in back if one not in gone_for_good]
        self.told[self.commit] = {"kind": "void_recorded", **at, "returned_seats": returned, "out": sorted(named)}
        due = {hit: cents for hit, cents in overpaid.items() if cents}
        yield from differs(self.commit, "overpaid", cents_of(answer.get("overpaid", [])), due)
        yield from differs(self.commit, "raised", cents_of(answer.get("raised", [])), raised)
        yield from differs(self.commit, "underpaid", cents_of(answer.get("underpaid", [])), underpaid)

    def forfeit(self, said: Json, opened: OpenRound, terms: Json, back: list[int]) -> list[int]:
        """Set wagers aside that went back and are forfeited by direction; a token was no money (16.6)."""
        seats = sorted({one["seat"] for one in said.get("forfeits", [])} & set(back))
        for seat in seats:
            if opened.seats[seat][1] == "chips":
                self.move("wagers", "forfeited", terms["qualifying_wager_cents"] * MICRO, "forfeit")
        return seats

    def since(self, before: Counter[str]) -> dict[str, int]:
        """Say what has moved since balances were these."""
        return {name: held - before[name] for name, held in self.balances.items() if held != before[name]}

    def is_paid(self, prize: Prize) -> bool:
        """Say whether nothing of a prize is held any more; one that people have rejected is not paid."""
        return prize.hit not in self.payable and not prize.rejected

    def way_faults(self, hit: Json) -> Iterator[str]:
        """Say where a prize is on its way though all of it is paid, or at its end though something of it is held."""
        held, state = self.payable.get(hit["hit"], 0), hit["state"]
        if state == "rejected" or not hit["amount_cents"]:
            return
        if bool(held) != (state in ON_ITS_WAY):
            yield f"{hit['hit']} is {state} with {held} microcents of {hit['amount_cents']} cents held"

    def wagers_back(self, round_: Recorded, seats: list[int]) -> None:
        """Give wagers back, each part from the account its row names, then the reserve, then the house."""
        for seat in seats:
            parts, tender = round_.opened.seats[seat]
            for account, amount in parts.items():
                self.give_back(self.giver(account, round_.opened, round_.terms), amount)
            if tender == "token":
                self.move("wagers", "house", round_.terms["qualifying_wager_cents"] * MICRO, "reversal")

    # --- prizes fall away -------------------------------------------------------------------------------------------

    def fall(
        self,
        round_: Recorded,
        gone: list[Prize],
        staying: list[Prize],
        rule: str,
        too_old: Iterable[str],
        *,
        pools: Iterable[str] = (),
        priced_again: Iterable[str] = (),
        out: Iterable[int] = (),
        disproved: Iterable[Prize] = (),
    ) -> tuple[dict[str, int], dict[str, int]]:
        """Put prizes back, resolve those who stay again, and give a seed back that nobody has won after all.

        Returns what those who stay get more, in cents, and what those of `too_old` do, whom the ledger moves no more.
        What was paid of those who are priced again is not to be recovered; a forfeited prize of a seat that goes `out`
        gets no more. A share that the pool had kept is shared after all where its hand is `disproved`.
        """
        round_.kept = [one for one in round_.kept if one not in disproved]
        for one in gone:
            self.back(one, recover=one.hit not in priced_again)
            del round_.prizes[one.seat]
        raised: dict[str, int] = {}
        underpaid: dict[str, int] = {}
        kept = round_.terms["rulings"]["rejected_share"] == "kept" and rule == KEPT_UNDER
        round_.kept += gone if kept else []
        again = {one.commit for one in gone if one.from_meter and not kept}
        for commit in sorted(again | {one.commit for one in disproved}):
            together = [one for one in staying if one.commit == commit]
            for one, more, from_pool in self.shares(round_, together):
                if one.seat in out or one.seat not in round_.opened.seats:
                    continue
                if one.hit in too_old:
                    underpaid[one.hit] = more
                    continue
                self.lift_prize(one, more, from_pool)
                self.shared.add((self.commit, one.hit))
                if more:
                    raised[one.hit] = more
        self.keep_own_now(round_, gone, staying)
        for name in sorted({one.pool for one in gone if one.pool != "house"} | set(pools)):
            of_pool = [one for one in gone if one.pool == name]
            for commit in sorted({one.commit for one in of_pool}):
                went = [one for one in of_pool if one.commit == commit]
                self.unseed(round_, name, went, [one for one in staying if one.commit == commit])
            self.hold_limit(name)
        return raised, underpaid

    def keep_own_now(self, round_: Recorded, gone: list[Prize], staying: list[Prize]) -> None:
        """Let a pool have what the round itself wagered, where fewer winners take none of it any more (7.2)."""
        own = round_.opened.commit
        for pool, commit in {(one.pool, one.commit) for one in gone if one.from_meter and one.pool != "house"}:
            stay, on = [one for one in staying if (one.pool, one.commit) == (pool, commit)], round_.resolved[commit]
            left = on.meters[pool] - sum(one.from_pool for one in stay) * MICRO
            has = own in self.taken.get((pool, commit), set()) and any(_whole(round_, one) for one in stay)
            left_out = not round_.terms["rulings"]["meter_includes_this_round"] and 0 < on.own.get(pool, 0) <= left
            if has and left_out:
                self.taken[pool, commit].discard(own)
                self.inside[pool].add(own)

    def back(self, prize: Prize, *, recover: bool) -> None:
        """Give what is held of a prize back; what was paid is made good by the house, and to be recovered."""
        payable = f"payable/{prize.hit}"
        held, share = self.payable.pop(prize.hit, 0), prize.from_pool * MICRO
        to_pool = min(held, share)
        if share:
            self.move(payable, f"pool/{prize.pool}", to_pool, "release")
            self.move("house", f"pool/{prize.pool}", share - to_pool, "correction")
        self.move(payable, "house", held - to_pool, "release")
        if recover:
            self.move("paid", "recoverable", prize.amount * MICRO - held, "correction")

    def shares(self, round_: Recorded, staying: list[Prize]) -> Iterator[tuple[Prize, int, int]]:
        """Resolve the round without those who fell away: who gets how much more, and how much of it the pool's."""
        if not staying:
            return
        on = round_.resolved[staying[0].commit]
        # A share that the pool keeps is nobody's: that hand is counted, and gets nothing.
        counted = staying + [one for one in round_.kept if one.commit == staying[0].commit]
        again = resolve(round_.terms, on.meters, on.own, [(one.seat, one.prize) for one in counted])["awards"]
        due = {award["seat"]: award for award in again}
        for one in staying:
            more = due[one.seat]["amount_cents"] - one.amount
            from_pool = due[one.seat]["from_pool_cents"] - one.from_pool
            if (more >= 0 and from_pool > 0) or (more == 0 and from_pool < 0):
                yield one, more, from_pool

    def lift_prize(self, one: Prize, more: int, from_pool: int) -> None:
        """Take the difference from the pool; what the house had added for it goes back to the house."""
        payable = f"payable/{one.hit}"
        if from_pool < 0:
            # What the others' shares take now the pool no longer gives here: the house adds it.
            held = min(self.payable.get(one.hit, 0), -from_pool * MICRO)
            self.move(payable, f"pool/{one.pool}", held, "release")
            self.move("house", payable, held, "topup")
            self.move("house", f"pool/{one.pool}", -from_pool * MICRO - held, "correction")
            one.from_pool, one.topup = one.from_pool + from_pool, one.topup - from_pool
            return
        from_pool = min(from_pool, self.balances[f"pool/{one.pool}"] // MICRO)
        self.move(f"pool/{one.pool}", payable, from_pool * MICRO, "award")
        self.move(payable, "house", max(from_pool - more, 0) * MICRO, "release")
        self.move("house", payable, max(more - from_pool, 0) * MICRO, "topup")
        one.from_pool, one.topup = one.from_pool + from_pool, one.topup - (from_pool - more)
        if one.forfeited:
            self.move(payable, "forfeited", more * MICRO, "forfeit")
        elif more or one.hit in self.payable:
            self.payable[one.hit] = self.payable.get(one.hit, 0) + more * MICRO

    def unseed(self, round_: Recorded, name: str, gone: list[Prize], staying: list[Prize]) -> None:
        """Give back what filled a pool for a prize that nobody has: to the reserve first, as far as the pool goes.

        A meter that nobody has taken after all is in the one that runs now, with all wagers that had grown it.
        """
        cause, reserve, house = round_.resolved[gone[0].commit].gave.get(name, ("", 0, 0))
        stay = [one for one in staying if one.pool == name]
        untaken = any(_whole(round_, one) for one in gone) and not any(_whole(round_, one) for one in stay)
        if untaken:
            self.inside[name] |= self.taken.pop((name, gone[0].commit))
        if (cause == "seed" and untaken) or (cause == "lift" and not stay and gone):
            to_reserve = min(reserve, self.balances[f"pool/{name}"])
            self.move(f"pool/{name}", "reserve", to_reserve, "release")
            self.move("house", "reserve", reserve - to_reserve, "correction")
            self.move(f"pool/{name}", "house", min(house, self.balances[f"pool/{name}"]), "release")

    def hold_limit(self, name: str) -> None:
        """Let what is over a pool's limit wait in its overflow."""
        for pool in self.terms["pools"]:
            if pool["name"] == name and pool.get("limit_cents") is not None:
                over = self.balances[f"pool/{name}"] - pool["limit_cents"] * MICRO
                self.move(f"pool/{name}", f"overflow/{name}", max(over, 0), "limit")


def _whole(round_: Recorded, prize: Prize) -> bool:
    """Say whether a prize takes its pool whole."""
    return bool(round_.terms["pay_table"][prize.prize].get("share_ppm") == MICRO)
