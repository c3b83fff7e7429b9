"""Records that two people correct or type in, wagers forfeited, and what came back, as a stranger would model them.

A corrected record takes the place of the one before: prizes that its cards do not make fall away by the rules of a
release, those that they make come from the meters as they stand now, by the round's own terms (PROTOCOL 3).
"""

from collections import Counter
from collections.abc import Iterator

from tests.oracle.amends_model import AmendedModel, Prize, Recorded
from tests.oracle.link_model import Json, cents_of, differs, winners_of
from tests.oracle.progressive import MICRO, resolve

NO_PRIZE = "CSP 11.4"
"""The rule under which a prize falls away by a corrected record."""


class CorrectedModel(AmendedModel):
    """The model of a link whose records may be corrected and typed in."""

    def command(self, command: Json) -> Iterator[str]:
        """Do what a command must do, and name what its answer says otherwise."""
        said, answer = command["command"], command["answer"]
        kinds = (said["kind"], answer["kind"])
        if kinds == ("correct_recorded", "corrected"):
            self.commit = command["commit"]
            yield from self.corrected(said, answer)
        elif kinds == ("record_typed", "recorded"):
            self.commit = command["commit"]
            yield from self.record(said["record"], answer)
        elif kinds == ("void_open", "void_recorded"):
            self.commit = command["commit"]
            yield from self.void_open(said, answer)
        elif kinds == ("recovered", "recovered"):
            self.commit = command["commit"]
            self.move("recoverable", f"recovered/{said['hit']}", said["cents"] * MICRO, "recovery")
            self.told[self.commit] = {}
        else:
            yield from super().command(command)

    def void_open(self, said: Json, answer: Json) -> Iterator[str]:
        """Give an open round's wagers back, but for those that are forfeited."""
        opened, before = self.opened(said), Counter(self.balances)
        terms, seats = self.all_terms[opened.terms], sorted(opened.seats)
        kept = dict(opened.seats)
        for _ in self.reverse({**said, "kind": "void", "seats": []}, {"seats": seats}):
            pass
        opened.seats = kept
        back = seats if terms["rulings"]["void_returns_jackpot"] else []
        forfeited = self.forfeit(said, opened, terms, back)
        opened.seats = {}
        told = {one["account"]: int(one["microcents"]) for one in answer.get("moved", [])}
        yield from differs(self.commit, "moved", told, self.since(before))
        yield from differs(self.commit, "seats", answer["seats"], [one for one in back if one not in forfeited])
        yield from differs(self.commit, "forfeited", answer.get("forfeited", []), forfeited)
        self.told[self.commit] = {}

    def corrected(self, said: Json, answer: Json) -> Iterator[str]:
        """Let prizes fall away and come."""
        round_ = self.recorded[said["table"], said["journal"], said["round"]]
        won = dict(winners_of(said["record"], round_.opened, round_.terms))
        prizes = [one for _, one in sorted(round_.prizes.items(), reverse=True)]
        standing = [one for one in prizes if one.seat in round_.opened.seats or one.forfeited]
        gone = [one for one in standing if _falls(one, won.get(one.seat))]
        staying = [one for one in standing if one not in gone]
        coming = {
            seat: prize for seat, prize in won.items() if seat not in {one.seat for one in staying} | round_.barred
        }
        stakes = [one for one in gone if self.stake_returned(round_, one)]
        open_ones = sorted(one.hit for one in gone if not self.is_paid(one))
        again = {one.hit for one in gone if one.seat in coming and self.pool_of(round_, coming[one.seat]) == one.pool}
        had = {one.hit: one.amount * MICRO - self.payable.get(one.hit, 0) for one in gone}
        old = cents_of(answer.get("underpaid", []))
        seats = round_.opened.seats
        none = [one for one in round_.kept if one.seat in seats and won.get(one.seat) != one.prize]
        raised, underpaid = self.fall(round_, gone, staying, NO_PRIZE, old, priced_again=again, disproved=none)
        for one in stakes:
            target = "house" if one.seat in coming else "recoverable"
            self.move("paid", target, round_.terms["qualifying_wager_cents"] * MICRO, "correction")
        overpaid = {hit: amount // MICRO for hit, amount in had.items() if amount and hit not in again}
        awards = self.come(said["record"], round_, coming)
        for hit in sorted(again):
            self.set_off(hit, had[hit], raised, overpaid)
        amounts = ("seat", "prize", "amount_cents", "from_pool_cents", "topup_cents", "bonus_cents")
        told = [{name: one[name] for name in amounts} for one in answer.get("awards", [])]
        yield from differs(self.commit, "awards", told, awards)
        yield from differs(self.commit, "raised", cents_of(answer.get("raised", [])), raised)
        yield from differs(self.commit, "overpaid", cents_of(answer.get("overpaid", [])), overpaid)
        yield from differs(self.commit, "underpaid", old, underpaid)
        claimed = {one for one in answer.get("released", []) if one not in had}
        yield from differs(self.commit, "released", sorted(set(answer.get("released", [])) - claimed), open_ones)
        self.told[self.commit] = {}

    def pool_of(self, round_: Recorded, prize: str) -> str:
        """Name the pool of a prize; the house's own bonuses are of none."""
        return round_.terms["pay_table"][prize]["pool"] or "house"

    def come(self, record: Json, round_: Recorded, coming: dict[int, str]) -> list[Json]:
        """Award what has come, from the meters as they stand."""
        if not coming:
            return []
        meters, epochs = self.pools(), dict(self.epochs)
        resolved = self.resolving(round_.opened, meters, epochs)
        overflow = {name: self.balances[f"overflow/{name}"] for name in meters}
        result = resolve(
            round_.terms,
            meters,
            resolved.own,
            list(coming.items()),
            reserve=self.balances["reserve"],
            overflow=overflow,
            in_force=self.terms,
        )
        for award in result["awards"]:
            self.fund(record, award, round_.opened, round_.terms)
        self._last_fill = {}
        self.fill(round_.terms, result)
        self.keep_own(round_.opened, round_.terms, resolved.own, meters, result["awards"])
        self.keep(record, round_, result["awards"], resolved)
        for award in result["awards"]:
            self.shared.add((self.commit, round_.prizes[award["seat"]].hit))
        return list(result["awards"])

    def set_off(self, hit: str, had: int, raised: dict[str, int], overpaid: dict[str, int]) -> None:
        """Count what was paid of a hit for the prize that has come in its place; the house had made the pool whole."""
        prize = self.prize(hit)
        if prize is None or not had:
            return
        due = prize.amount * MICRO
        prize.paid = min(had, due)
        self.move(f"payable/{hit}", "house", prize.paid, "correction")
        self.move("paid", "recoverable", max(had - due, 0), "correction")
        self.payable[hit] -= prize.paid
        if not self.payable[hit]:
            del self.payable[hit]
        if had > due:
            overpaid[hit] = (had - due) // MICRO
        elif had < due:
            raised[hit] = (due - had) // MICRO


def _falls(prize: Prize, wins: str | None) -> bool:
    """Say whether a prize falls away where its seat wins this; what people have rejected comes by no record."""
    if prize.forfeited:
        return False
    return wins is None if prize.rejected else wins != prize.prize
