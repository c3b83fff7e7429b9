"""What is put right leaves the ledger as if it had been right from the first: held against a second ledger."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.floor import Floor

TABLES = ("T1", "T2")
MOST = {"royal_flush": 2, "straight_flush": 2, "flush": 1, "full_house": 1, "four_of_a_kind": 1}
METER = {"royal_flush", "straight_flush"}
HANDS = st.lists(st.sampled_from(["", *MOST]), min_size=1, max_size=4).filter(
    lambda hands: all(hands.count(prize) <= most for prize, most in MOST.items())
)
METERS = st.sampled_from([5_000_000, 5_010_000, 6_000_001, 10_000_000, 20_000_003])
RESERVES = st.sampled_from([0, 2_500_000, 9_000_000])


def begun(meter: int, reserve: int) -> Floor:
    """A floor whose accounts stand so, in cents."""
    floor = Floor(tables=TABLES)
    floor.play(f"given pool/main {meter * 1_000_000}  so\ngiven reserve {reserve * 1_000_000}  so")
    return floor


def seats_of(hands: list[str]) -> str:
    """The seats of a round."""
    return " ".join(str(seat) for seat in range(1, len(hands) + 1))


def words(hands: list[str]) -> str:
    """Hands as a record's line says them."""
    return " ".join(f"{seat}={hand}" if hand else f"{seat}" for seat, hand in enumerate(hands, start=1))


def held(floor: Floor) -> dict[str, int]:
    """What every account holds; one that holds nothing is as one that never was."""
    return {account: balance.microcents for account, balance in floor.state.balances.items() if balance.microcents}


@given(wrong=HANDS, right=HANDS, meter=METERS, reserve=RESERVES)
@settings(max_examples=60)
def test_a_corrected_record(wrong: list[str], right: list[str], meter: int, reserve: int) -> None:
    """Where no prize from the meter stays, all is as if the record had been right; no prize of two is paid twice.

    One that stays keeps what it was awarded alone or shared with who fell away: that is another amount.
    """
    right = (right + [""] * len(wrong))[: len(wrong)]
    right = ["" if prize in METER and prize == was else prize for prize, was in zip(right, wrong, strict=True)]
    corrected, at_once = begun(meter, reserve), begun(meter, reserve)
    for floor, hands in ((corrected, wrong), (at_once, right)):
        floor.play(f"T1 wagers 1: {seats_of(wrong)}  accepted\nT1 record 1: {words(hands)}  recorded")
    corrected.play(f"T1 correct 1: {words(right)}  corrected")
    assert held(corrected) == held(at_once)


@given(last=HANDS, first=HANDS, meter=METERS, reserve=RESERVES)
@settings(max_examples=60)
def test_an_order_decided(last: list[str], first: list[str], meter: int, reserve: int) -> None:
    """By the wagers' order all is as if the records had come in it; by the commits' nothing has moved."""
    last, first = ["straight_flush", *last[:3]], ["royal_flush", *first[:3]]
    last = [hand if last[: place + 1].count(hand) <= MOST.get(hand, 9) else "" for place, hand in enumerate(last)]
    first = [hand if first[: place + 1].count(hand) <= MOST.get(hand, 9) else "" for place, hand in enumerate(first)]
    decided, in_order = begun(meter, reserve), begun(meter, reserve)
    wagers = f"T1 wagers 1: {seats_of(last)}  accepted\nT2 wagers 1: {seats_of(first)}  accepted\n"
    own, other = f"T1 record 1: {words(last)}  recorded", f"T2 record 1: {words(first)}  recorded"
    decided.play(f"{wagers}{other}\n{own}")
    in_order.play(f"{wagers}{own}\n{other}")
    before = held(decided)
    decided.play("decide T1/1/1/1/main order=commit  ordered")
    assert held(decided) == before
    again = begun(meter, reserve)
    again.play(f"{wagers}{other}\n{own}\ndecide T1/1/1/1/main order=wagers manager=Max  ordered")
    assert held(again) == held(in_order)
