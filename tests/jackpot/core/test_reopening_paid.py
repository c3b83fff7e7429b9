"""What was paid of a prize stays paid where its ledger goes back amid what people corrected of it (PROTOCOL 5)."""

import json

import pytest

from jackpot.core.reopening import Choices, Plan
from jackpot.wire.ids import parse_hit
from jackpot.wire.snapshots import HitShown, Snapshot
from tests.oracle.lives_model import LivesModel
from tests.support.floor import Floor
from tests.support.lives import Restored

HIT = "T1/1/1/1/main"
PAID = """
    T1 wagers 1: 1                                                         accepted
    T1 record 1: 1=straight_flush                                          recorded
    hit T1/1/1/1/main amount_cents                                         500002
    pay_out T1/1/1/1/main                                                  paid
    T2 wagers 1: 1                                                         accepted
    T2 record 1: 1=straight_flush                                          recorded
"""
"""A straight flush is paid at a tenth of what the meter held; then another takes it below."""
RAISED = """
    T1 correct 1: 1=royal_flush manager=Max                                corrected
    hit T1/1/1/1/main state                                                verified
    hit T1/1/1/1/main amount_cents                                         5000000
"""
LOWERED = """
    T1 correct 1: 1=straight_flush manager=Max revision=3                  corrected
    hit T1/1/1/1/main state                                                paid
    hit T1/1/1/1/main amount_cents                                         500000
    balance recoverable                                                    2000000
"""
GONE = """
    T1 correct 1: 1 manager=Max                                            corrected
    hit T1/1/1/1/main state                                                paid
"""


def brought_back(kept: str, lost: str) -> tuple[Restored, Plan]:
    """A floor that was reopened after its last lines were lost."""
    restored = gone_back(kept, lost)
    return restored, restored.reopen(Choices("Ann", "Bob"))


def gone_back(kept: str, lost: str) -> Restored:
    """A floor of which the last lines are lost; its boards had shown what came of them."""
    floor = Floor(tables=("T1", "T2"))
    floor.play(kept)
    batches = len(floor.batches)
    floor.play(lost)
    hits = [
        HitShown(str(hit.key), hit.prize, hit.state, hit.amount_cents, hit.key.table, hit.moved)
        for hit in floor.state.hits.values()
    ]
    head = floor.state.head
    shown = Snapshot("southern", head.generation, head.commit, "running", "", "2026-11", [], hits, "one", 1, 1)
    return Restored(floor, batches, ("T1", "T2"), shown)


def agrees(restored: Restored) -> None:
    """A stranger works out every entry of the floor's kept batches and of what was posted after them."""
    model = LivesModel()
    for batch in [*restored.floor.batches[: restored.batches], *restored.posted]:
        body = json.loads(batch.body)
        for command in body["commands"]:
            assert list(model.command(command)) == []
        assert list(model.end_of_batch(body["entries"])) == []


def held(restored: Restored, account: str) -> int:
    """What an account holds now, in cents."""
    balance = restored.state.balances.get(account)
    return 0 if balance is None else balance.microcents // 1_000_000


def test_what_was_paid_beyond_the_amount_that_stands_is_to_be_recovered() -> None:
    """Raised to a royal when the ledger went back, it had come to less than was paid: two cents are owed, as before.

    The meter has all of the royal back, the account of the prize nothing, and the house gives no cent for it.
    """
    restored, made = brought_back(PAID + RAISED, LOWERED)
    hit = restored.state.hits[parse_hit(HIT)]
    assert (hit.state, hit.amount_cents, held(restored, f"payable/{HIT}")) == ("paid", 500_000, 0)
    assert held(restored, "recoverable") == 2
    assert held(restored, "paid") == 500_000
    (fact,) = made.corrections
    assert dict(fact.figures) == {"why": "amount_paid", "what": HIT, "cents": -4_500_000}
    agrees(restored)


def test_what_people_see_names_what_they_did_on_a_prize_that_had_been_paid_before() -> None:
    """Where the restored ledger has the prize paid already, at another amount: the correction is theirs to do again."""
    restored, made = brought_back(PAID, RAISED)
    assert list(made.office) == [f"{HIT} verified (5000000 cents), here paid (500002 cents)"]
    assert held(restored, "recoverable") == 0


def test_a_prize_that_came_again_and_was_paid_is_named_where_the_ledger_has_it_released() -> None:
    """Released where the ledger ends, won again and paid in the life that is lost: nobody is to pay it twice."""
    played = "T1 wagers 1: 1  accepted\nT1 record 1: 1=flush  recorded\nT1 correct 1: 1 manager=Max  corrected"
    again = "T1 correct 1: 1=flush manager=Mia revision=3  corrected\npay_out T1/1/1/1/house  paid"
    _, made = brought_back(played, again)
    assert list(made.office) == ["T1/1/1/1/house paid (10000 cents), here released (10000 cents)"]


@pytest.mark.parametrize(
    ("cents", "again", "corrected"),
    [
        (500_002, [f"{HIT} verified (5000000 cents), here paid (500002 cents)"], []),
        (5_000_000, [], [4_499_998]),
        (500_003, [f"{HIT} verified (5000000 cents), here paid (500003 cents)"], [1]),
        (500_000, [f"{HIT} verified (5000000 cents), here paid (500000 cents)"], [-2]),
    ],
)
def test_people_say_how_much_was_paid_of_a_prize_that_was_raised_after(
    cents: int, again: list[str], corrected: list[int]
) -> None:
    """Paid, then raised to a royal, all of it lost: so much stays paid as they say; the raise is theirs to do again.

    What they say otherwise than the table was told is a correction that both see.
    """
    restored = gone_back("", PAID + RAISED)
    made = restored.reopen(Choices("Ann", "Bob", paid=(HIT,), paid_cents={HIT: cents}))
    hit = restored.state.hits[parse_hit(HIT)]
    assert (hit.state, hit.amount_cents, held(restored, f"payable/{HIT}")) == ("paid", cents, 0)
    assert (held(restored, "paid"), held(restored, "recoverable")) == (cents, 0)
    assert [(one.hit, one.amount_cents) for one in made.paid] == [(HIT, cents)]
    assert [one for one in made.office if HIT in one] == again
    assert [fact.figures["cents"] for fact in made.corrections if fact.figures["what"] == HIT] == corrected
    agrees(restored)


@pytest.mark.parametrize(
    ("kept", "lost", "choices", "why"),
    [
        ("", PAID + RAISED, {}, f"of 500002 or 5000000 cents: say which was paid, --paid {HIT}=CENTS"),
        (PAID, RAISED, {HIT: 500_003}, "paid here, at 500002 cents: no other amount of it was paid"),
    ],
    ids=["two amounts, and none said", "another than the ledger has paid"],
)
def test_how_much_was_paid_is_never_guessed(kept: str, lost: str, choices: dict[str, int], why: str) -> None:
    """Where two amounts are known people say which one it was; what the ledger has paid is paid."""
    made = gone_back(kept, lost).planned(Choices("Ann", "Bob", paid=(HIT,), paid_cents=choices))
    assert made.wrong == {HIT: why}


def test_two_people_see_another_list_for_another_amount() -> None:
    """A list that both have seen holds for the amount that is in it."""
    lists = {
        gone_back("", PAID + RAISED).planned(Choices("Ann", "Bob", paid=(HIT,), paid_cents={HIT: cents})).fingerprint
        for cents in (500_002, 500_003)
    }
    assert len(lists) == 2
