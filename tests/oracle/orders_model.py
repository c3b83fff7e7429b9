"""Which of two tables' prizes from one meter came first, as people decide it: a stranger's model (PROTOCOL 7).

Which hits a dispute is about it takes from the answer; what each comes to in either order it works out by itself.
"""

from collections.abc import Iterator
from typing import Any

from tests.oracle.amends_model import Prize, Recorded, Resolved
from tests.oracle.corrections_model import CorrectedModel
from tests.oracle.link_model import Json, cents_of, differs
from tests.oracle.progressive import MICRO, resolve

Taken = tuple[Recorded, list[Prize]]
"""A round and what it took from the meter in one commit."""


class OrderedModel(CorrectedModel):
    """The model of a link on which people decide orders."""

    def __init__(self) -> None:
        """Begin with nothing decided."""
        super().__init__()
        self.decided: list[tuple[str, int]] = []
        """The orders that were decided: which, and among how many rounds; one where the other side has gone back."""
        self.repriced: set[tuple[int, str]] = set()
        """Commit and hit, wherever a decided order gave a prize another amount."""
        self.line: dict[str, list[tuple[int, tuple[str, int, int]]]] = {}
        """By pool, which round drew on it after which, each with the commit that resolved it, as it holds now."""

    def command(self, command: Json) -> Iterator[str]:
        """Do what a command must do, and name what its answer says otherwise."""
        said, answer = command["command"], command["answer"]
        if (said["kind"], answer["kind"]) == ("decide_order", "ordered"):
            self.commit = command["commit"]
            yield from self.ordered(said, answer)
        else:
            yield from super().command(command)

    def ordered(self, said: Json, answer: Json) -> Iterator[str]:
        """Give every prize its amount in the order that holds."""
        pool = said["hit"].split("/")[4]
        prizes = [prize for one in answer["hits"] if (prize := self.prize(one["hit"])) is not None]
        last = (said["table"], said["journal"], said["round"])
        taken = self.by_round(prizes)
        mine = next((each for (_, key), each in taken.items() if key == last), None)
        line = self.line.get(pool, [])
        others = [taken[place] for place in sorted(taken, key=line.index) if place[1] != last]
        self.decided.append((said["order"], len(taken)))
        if mine is None or not others:
            yield from self.one_side_only(said, answer, prizes)
            return
        due = self.by_wagers(pool, [mine, *others])
        own_side, other_side = self.drew(pool, last, mine[1][0].commit)
        yield from differs(self.commit, "the prizes in dispute", {one.hit for one in prizes}, own_side | other_side)
        told = [(one["hit"], one["by_commit_cents"], one["by_wagers_cents"]) for one in answer["hits"]]
        own = [(prize.hit, prize.amount, due[prize.hit][0]["amount_cents"]) for prize in prizes]
        yield from differs(self.commit, "both amounts", told, own)
        overpaid: dict[str, int] = {}
        raised: dict[str, int] = {}
        if said["order"] == "wagers":
            for prize in sorted(prizes, key=lambda one: due[one.hit][0]["from_pool_cents"] - one.from_pool):
                self.price(pool, prize, due[prize.hit][0], overpaid, raised)
            self.change_hands(pool, last, [mine, *others], due)
            for round_, those in [mine, *others]:
                round_.resolved[those[0].commit].meters[pool] = due[those[0].hit][1]
                round_.resolved[those[0].commit].own[pool] = due[those[0].hit][2]
            self.hold_limit(pool)
        yield from differs(self.commit, "overpaid", cents_of(answer.get("overpaid", [])), overpaid)
        yield from differs(self.commit, "raised", cents_of(answer.get("raised", [])), raised)
        self.told[self.commit] = {}

    def keep(self, said: Json, round_: Recorded, awards: list[Json], resolved: Resolved) -> None:
        """Note in which pools' lines the round stands now, last of all."""
        super().keep(said, round_, awards, resolved)
        key = (said["table"], said["journal"], said["round"])
        for pool in {round_.prizes[award["seat"]].pool for award in awards}:
            self.line.setdefault(pool, []).append((self.commit, key))

    def change_hands(
        self, pool: str, key: tuple[str, int, int], rounds: list[Taken], due: dict[str, tuple[Json, int, int]]
    ) -> None:
        """Put a round before the others in line.

        It is paid of the meter that the first of them was paid of: all wagers that were in that are its own now, if it
        takes it whole, but for its round's own where its jackpot is without those, which stay where they are. Nobody
        after it in line has had those wagers, then. What it had taken itself is in the pool.
        """
        (round_, prizes), (then, those) = rounds[0], rounds[1]
        last, first = prizes[0].commit, those[0].commit
        stood = then.resolved[first].inside[pool]
        line = self.line[pool]
        line.remove((last, key))
        place = next(place for place, (commit, _) in enumerate(line) if commit == first)
        if (pool, last) in self.taken:
            went = set(stood)
            _, meter, own = due[prizes[0].hit]
            awards = self.on(round_, prizes, pool, meter, own)[0]
            left = meter - sum(awards[one.seat]["from_pool_cents"] for one in prizes) * MICRO
            if own and left >= own and not round_.terms["rulings"]["meter_includes_this_round"]:
                went.discard(round_.opened.commit)
            had = self.taken[pool, last]
            for name, commit in self.taken:
                self.taken[name, commit] -= went if name == pool else set()
            self.inside[pool] = (self.inside[pool] | had) - went
            self.taken[pool, last] = went
            for commit, who in line[place:]:
                on = self.recorded[who].resolved[commit]
                on.inside[pool] = on.inside[pool] - went
        line.insert(place, (last, key))
        round_.resolved[last].inside[pool] = stood

    def one_side_only(self, said: Json, answer: Json, prizes: list[Prize]) -> Iterator[str]:
        """Let all amounts stand where the prizes of the other side have gone back: there is no order of one."""
        told = [(one["hit"], one["by_commit_cents"], one["by_wagers_cents"]) for one in answer["hits"]]
        yield from differs(self.commit, "both amounts", told, [(one.hit, one.amount, one.amount) for one in prizes])
        yield from differs(self.commit, "the order of one side", said["order"], "commit")
        self.told[self.commit] = {}

    def drew(self, pool: str, last: tuple[str, int, int], commit: int) -> tuple[set[str], set[str]]:
        """Find what a round drew from a pool in one commit, and what others drew since its wagers were accepted."""
        mine, others = set(), set()
        since = self.recorded[last].opened.commit
        assert since is not None
        for key, round_ in self.recorded.items():
            for prize in round_.prizes.values():
                if prize.pool != pool or not prize.from_meter:
                    continue
                if key == last and prize.commit == commit:
                    mine.add(prize.hit)
                elif key != last and since < prize.commit < commit:
                    others.add(prize.hit)
        return mine, others

    def by_round(self, prizes: list[Prize]) -> dict[tuple[int, tuple[str, int, int]], Taken]:
        """Put prizes together that were resolved together, by commit and round, each from the highest seat down."""
        taken: dict[tuple[int, tuple[str, int, int]], Taken] = {}
        for prize in sorted(prizes, key=lambda one: -one.seat):
            table, journal, number = prize.hit.split("/")[:3]
            key = (table, int(journal), int(number))
            taken.setdefault((prize.commit, key), (self.recorded[key], []))[1].append(prize)
        return taken

    def by_wagers(self, pool: str, rounds: list[Taken]) -> dict[str, tuple[dict[str, Any], int, int]]:
        """Resolve the rounds one after the other: the award of each prize, its meter, and what of its own is in it."""
        first = rounds[1][0].resolved[rounds[1][1][0].commit].meters[pool]
        found: dict[str, tuple[dict[str, Any], int, int]] = {}
        moved = 0
        for place, (round_, prizes) in enumerate(rounds):
            stood = first if place == 0 else round_.resolved[prizes[0].commit].meters[pool]
            meter = max(stood + moved, 0)
            own = self.own_by_wagers(pool, rounds, place)
            awards, left = self.on(round_, prizes, pool, meter, own)
            found |= {prize.hit: (awards[prize.seat], meter, own) for prize in prizes}
            had = round_.resolved[prizes[0].commit].own.get(pool, 0)
            before = first if place == 0 else self.on(round_, prizes, pool, stood, had)[1]
            moved = left - before
        return found

    def own_by_wagers(self, pool: str, rounds: list[Taken], place: int) -> int:
        """Give what of a round's own wagers is in its meter, where the first of the rounds is resolved first."""
        round_, prizes = rounds[place]
        on, then = round_.resolved[prizes[0].commit], rounds[1][0].resolved[rounds[1][1][0].commit]
        if place == 0:
            return on.put.get(pool, 0) if round_.opened.commit in then.inside[pool] else 0
        whole = any(rounds[0][0].terms["pay_table"][one.prize].get("share_ppm") == MICRO for one in rounds[0][1])
        return 0 if whole and round_.opened.commit in then.inside[pool] else on.own.get(pool, 0)

    def on(self, round_: Recorded, prizes: list[Prize], pool: str, meter: int, own: int) -> tuple[dict[int, Json], int]:
        """Resolve prizes on a meter: each seat's award, and what the pool holds then, with its seed if it was taken."""
        # A share that the pool keeps is nobody's: that hand is counted, and what it would get stays in the pool.
        counted = [one for one in round_.kept if (one.commit, one.pool) == (prizes[0].commit, pool)]
        winners = [(prize.seat, prize.prize) for prize in [*prizes, *counted]]
        held = dict.fromkeys(self.epochs, 0) | {pool: meter}
        awards = resolve(round_.terms, held, {pool: own}, winners)["awards"]
        theirs = {prize.seat for prize in prizes}
        left = meter - sum(award["from_pool_cents"] for award in awards if award["seat"] in theirs) * MICRO
        all_of_it = [*prizes, *counted]
        whole = any(round_.terms["pay_table"][prize.prize].get("share_ppm") == MICRO for prize in all_of_it)
        if whole and round_.terms["rulings"]["reset"] == "seed":
            left += next(each["seed_cents"] for each in round_.terms["pools"] if each["name"] == pool) * MICRO
        return {award["seat"]: award for award in awards}, left

    def price(self, pool: str, prize: Prize, due: Json, overpaid: dict[str, int], raised: dict[str, int]) -> None:
        """Give a prize another amount: what the pool lacks the house adds, what was paid stays paid.

        Notes what is too much of it and is to be recovered, or what is still held of it, in cents.
        """
        self.repriced.add((self.commit, prize.hit))
        payable, account = f"payable/{prize.hit}", f"pool/{pool}"
        held = self.payable.pop(prize.hit, 0)
        if prize.forfeited:
            payable, held = "forfeited", prize.amount * MICRO - prize.paid
        paid = prize.amount * MICRO - held
        owed, more = due["amount_cents"] * MICRO, (due["from_pool_cents"] - prize.from_pool) * MICRO
        given = max(min(more, self.balances[account] // MICRO * MICRO), 0)
        back = min(max(-more, 0), held)
        self.move(account, payable, given, "award")
        self.move(payable, account, back, "release")
        self.move("house", account, max(-more, 0) - back, "correction")
        self.move("paid", "recoverable", max(paid - owed, 0), "correction")
        held, rest = held + given - back, max(owed - paid, 0)
        if paid > owed:
            overpaid[prize.hit] = (paid - owed) // MICRO
        elif paid and rest and owed != prize.amount * MICRO:
            raised[prize.hit] = rest // MICRO
        self.move(payable, "house", max(held - rest, 0), "release")
        self.move("house", payable, max(rest - held, 0), "topup")
        prize.from_pool = prize.from_pool + given // MICRO if more > 0 else due["from_pool_cents"]
        prize.bonus = due["bonus_cents"]
        prize.topup = due["amount_cents"] - prize.from_pool - prize.bonus
        prize.paid = min(paid, owed)
        if rest and not prize.forfeited:
            self.payable[prize.hit] = rest
