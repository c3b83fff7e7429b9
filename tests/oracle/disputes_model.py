"""Which prizes wait for people to say whose came first: a stranger's model of disputes about the order (PROTOCOL 7).

A dispute is of a pool and of the round recorded last; it is about all that other rounds have drawn from that pool
between the commits of its wagers and of its record, while something of them stands on both sides. It says only what
must not be: that a prize of which something is still to be paid goes on before all its disputes are decided.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.oracle.amends_model import Prize
from tests.oracle.link_model import Json
from tests.oracle.orders_model import OrderedModel

GOES_ON = {"pending", "verified", "approved"}
"""States in which the next move of a prize brings it nearer to its payment."""
Key = tuple[str, int, int]


@dataclass
class Dispute:
    """A dispute that nobody has decided: its pool, the round recorded last, and the commit of that record."""

    pool: str
    key: Key
    until: int
    resolved: dict[str, int] = field(default_factory=dict)
    """By hit: the amount of which two people have said that it stands."""


class DisputedModel(OrderedModel):
    """The model of a link that remembers each dispute until it is decided."""

    def __init__(self) -> None:
        """Begin with nothing in dispute."""
        super().__init__()
        self.disputes: list[Dispute] = []

    def command(self, command: Json) -> Iterator[str]:
        """Do what a command must do, and remember what it began, decided or resolved."""
        yield from super().command(command)
        said, answer = command["command"], command["answer"]
        said = said["message"] if said["kind"] == "signed" else said
        if (said["kind"], answer["kind"]) in {("record", "recorded"), ("record_typed", "recorded")}:
            self.begun((said["table"], said["journal"], said["round"]))
        elif answer["kind"] == "ordered":
            pool, last = said["hit"].split("/")[4], (said["table"], said["journal"], said["round"])
            self.disputes = [one for one in self.disputes if (one.pool, one.key) != (pool, last)]
        elif said["kind"] == "hit" and said["move"] == "resolve" and answer.get("state") == "pending":
            for one in self.disputes:
                one.resolved[said["hit"]] = answer["amount_cents"]

    def begun(self, key: Key) -> None:
        """Remember the disputes that a record begins: one of each pool that it and others have drawn from."""
        round_ = self.recorded[key]
        for pool in {prize.pool for prize in round_.prizes.values() if prize.from_meter}:
            mine, others = self.drew(pool, key, self.commit)
            # What was rejected by then is argued for by nobody.
            if mine and any(not self.rejected(hit) for hit in others):
                self.disputes.append(Dispute(pool, key, self.commit))

    def rejected(self, hit: str) -> bool:
        """Say whether a prize was rejected, or set aside for a fund."""
        prize = self.prize(hit)
        return prize is None or prize.rejected or prize.forfeited

    def way_faults(self, hit: Json) -> Iterator[str]:
        """Say also where a prize goes on though a dispute about it is undecided."""
        yield from super().way_faults(hit)
        prize = self.prize(hit["hit"])
        if prize is None or hit["state"] not in GOES_ON or not prize.from_meter:
            return
        for one in self.disputes:
            if self.is_about(one, prize) and one.resolved.get(prize.hit) != prize.amount:
                yield f"{prize.hit} is {hit['state']}, and the order against {one.key} is undecided since {one.until}"

    def is_about(self, dispute: Dispute, prize: Prize) -> bool:
        """Say whether a dispute is about a prize: it is of one side of it, and something of both sides stands."""
        if prize.pool != dispute.pool:
            return False
        mine, others = self.drew(dispute.pool, dispute.key, dispute.until)
        return bool(mine and others) and prize.hit in mine | others
