"""A ledger that was brought back and began its next life, as a stranger would model it (PROTOCOL 5).

What was answered in the lost life stands: the seats that were accepted, the amounts that tables were told. What that
differs by from what the restored ledger makes of the same cards is the house's, under its own cause.
"""

from collections.abc import Iterator

from tests.oracle.amends_model import Prize
from tests.oracle.disputes_model import DisputedModel
from tests.oracle.link_model import Json
from tests.oracle.progressive import MICRO


class LivesModel(DisputedModel):
    """The model of a link that takes back what tables hand in."""

    def __init__(self) -> None:
        """Begin with nothing made good."""
        super().__init__()
        self.made_good: set[str] = set()
        """Prizes whose amounts of a lost life stand, where the restored ledger makes another of their cards."""

    def command(self, command: Json) -> Iterator[str]:
        """Do what a command must do, and name what its answer says otherwise."""
        said, answer = command["command"], command["answer"]
        if said["kind"] == "handed_in":
            yield from self.handed_in({**command, "command": said["message"]})
        elif said["kind"] == "paid_before" and answer["kind"] == "stood":
            self.commit = command["commit"]
            self.paid_before(said)
        elif said["kind"] == "meter_shown" and answer["kind"] == "stood":
            self.commit = command["commit"]
            self.meter_shown(said)
        else:
            yield from super().command(command)

    def handed_in(self, command: Json) -> Iterator[str]:
        """Decide a message anew, and let stand what was answered; of meters the old answer tells others, rightly.

        The seats in play are those of the lost life: of one that had gone out by then no wager and no hand counts.
        """
        said, answer = command["command"], command["answer"]
        said = said.get("message", said) if said["kind"] == "signed" else said
        yield from self.seats_faults(said, answer)
        for _ in super().command(command):
            pass
        for award in answer.get("awards", []):
            prize = self.prize(award["hit"])
            if prize is not None and award["state"] != "claimed":
                from_pool = min(prize.from_pool, award["from_pool_cents"])
                self.correct(prize, award["amount_cents"], from_pool, award["bonus_cents"])

    def seats_faults(self, said: Json, answer: Json) -> Iterator[str]:
        """Name seats that are in play here, and that a message's answer says were out of play when it was given."""
        opened = self.rounds.get((said["table"], said["journal"], said["round"]))
        if opened is None or answer["kind"] == "refused":
            return
        seats, terms, out = set(opened.seats), self.all_terms.get(opened.terms, self.terms), set[int]()
        if said["kind"] == "withdraw":
            out = seats - set(answer["seats"])
        elif said["kind"] == "void" and terms["rulings"]["void_returns_jackpot"]:
            named = set(said["seats"]) if said.get("seats") else seats
            out = seats & named - set(answer["seats"])
        elif said["kind"] == "record":
            lines = " ".join(answer.get("differences", []))
            out = {seat for seat in seats if f"seat {seat} has a jackpot wager on the record that was not" in lines}
        if out and not said.get("second"):
            yield f"{said['kind']} of {said['table']} round {said['round']}: seats {sorted(out)} were out of play"

    def correct(self, prize: Prize, amount: int, from_pool: int, bonus: int) -> None:
        """Bring a prize to another amount: the pool gives no more than it did, all else is the house's."""
        topup = amount - from_pool - bonus
        payable, house = f"payable/{prize.hit}", (topup + bonus - prize.topup - prize.bonus) * MICRO
        paid = prize.amount * MICRO - self.payable.get(prize.hit, 0)
        if amount != prize.amount:
            self.made_good.add(prize.hit)
        held = self.payable.get(prize.hit, 0) + max(house, 0)
        self.move("house", payable, max(house, 0), "correction")
        if prize.from_pool != from_pool:
            # What was paid of the pool's part is no longer held: the house makes the pool whole.
            back = (prize.from_pool - from_pool) * MICRO
            held_back = min(held, back)
            self.move(payable, f"pool/{prize.pool}", held_back, "correction")
            self.move("house", f"pool/{prize.pool}", back - held_back, "correction")
            held -= held_back
            self.hold_limit(prize.pool)
        self.move(payable, "house", min(held, max(-house, 0)), "correction")
        self.move("paid", "recoverable", max(paid - amount * MICRO, 0), "correction")
        prize.from_pool, prize.topup, prize.bonus = from_pool, topup, bonus
        prize.paid = min(paid, amount * MICRO)
        self.payable[prize.hit] = amount * MICRO - prize.paid

    def paid_before(self, said: Json) -> None:
        """Let a prize be paid at the amount it was paid in the lost life: only what was not paid before is moved."""
        prize = self.prize(said["hit"])
        assert prize is not None, said
        amount, from_pool = said["amount_cents"], min(prize.from_pool, said["amount_cents"])
        self.correct(prize, amount, from_pool, min(prize.bonus, amount - from_pool))
        due = self.payable.pop(prize.hit)
        prize.paid, prize.rejected = prize.paid + due, False
        self.move(f"payable/{prize.hit}", "paid", due, "payment")

    def meter_shown(self, said: Json) -> None:
        """Let the house make a meter whole where players were shown more."""
        pool = f"pool/{said['pool']}"
        missing = said["cents"] * MICRO - self.balances[pool]
        if missing > 0:
            self.move("house", pool, missing, "correction")
