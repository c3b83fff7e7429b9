"""A stranger works out what people amend: records corrected and typed in, orders, forfeits, what came back."""

from pathlib import Path

import pytest

from jackpot.core.chain import decode_body
from jackpot.core.ports import Batch
from jackpot.ledger.round_lines import RoundLines
from rules.terms import canonical_bytes
from tests.jackpot.core.test_corrections_tables import STORIES
from tests.jackpot.core.test_meters_tables import BEFORE, BETWEEN
from tests.jackpot.core.test_office_tables import BACK, FORFEITED, TYPED
from tests.jackpot.core.test_orders_tables import ORDERS
from tests.jackpot.core.test_orders_whose import LEFT_OUT
from tests.jackpot.core.test_orders_whose import ORDERS as WHOSE
from tests.oracle.ledger import differences_in
from tests.support.floor import Floor
from tests.support.golden_chain import terms
from tests.support.terms import with_rulings


def exported(floor: Floor, folder: Path) -> None:
    """Write a floor's batches as an export does."""
    lines, ledger, rounds = RoundLines(), [], []
    for batch in floor.batches:
        ledger.append(_line(batch))
        rounds += [line + b"\n" for line in lines.take(decode_body(batch.body))]
    (folder / "ledger.jsonl").write_bytes(b"".join(ledger))
    (folder / "rounds.jsonl").write_bytes(b"".join(rounds))
    in_force = floor.state.terms
    (folder / "terms.json").write_bytes(canonical_bytes(in_force.terms if in_force else floor.terms))


def _line(batch: Batch) -> bytes:
    parts = (batch.digest.hex().encode(), batch.previous.hex().encode(), batch.body)
    return b'{"digest":"%b","previous":"%b","body":%b}\n' % parts


def of_itself(told: str) -> bool:
    """Whether a stranger can agree with all of it: nothing is given by hand, every card can be read and is settled."""
    return not any(word in told for word in ("given ", "cards=", "settled=off"))


PLAYED = [
    each
    for each in (*STORIES.values(), *TYPED.values(), *FORFEITED.values(), *BACK.values(), *ORDERS.values())
    if of_itself(each)
]


@pytest.mark.parametrize("told", PLAYED)
def test_a_stranger_works_the_story_out(told: str, tmp_path: Path) -> None:
    """From the files alone: every entry, answer and line of each story comes out the same."""
    floor = Floor()
    floor.play(told)
    exported(floor, tmp_path)
    assert differences_in(tmp_path) == []


@pytest.mark.parametrize("told", [*BETWEEN.values(), *BEFORE.values()], ids=[*BETWEEN, *BEFORE])
def test_a_stranger_knows_whose_a_wager_is_after_an_order(told: str, tmp_path: Path) -> None:
    """Void after people have put the later prize first, it comes back from where it is then: pool, or a winner's."""
    floor = Floor(tables=("T1", "T2", "T3", "T4"))
    floor.play(f"{told}\nT3 amend 1: rule=14.4  void_recorded")
    exported(floor, tmp_path)
    assert differences_in(tmp_path) == []


@pytest.mark.parametrize("told", [*WHOSE, *LEFT_OUT], ids=[*WHOSE, *LEFT_OUT])
def test_a_stranger_knows_whose_meter_has_it(told: str, tmp_path: Path) -> None:
    """Whoever was put before whom, and whatever a jackpot leaves out: each void takes it from where it is then."""
    rulings = {"order_of_hits": "lock", "meter_includes_this_round": told in WHOSE}
    floor = Floor(with_rulings(**rulings), ("T1", "T2", "T3", "T4"))
    floor.play((WHOSE | LEFT_OUT)[told][0])
    floor.play(
        "T1 amend 1: 2 rule=14.8 revision=9  void_recorded" if told in LEFT_OUT else "T3 amend 1:  void_recorded"
    )
    exported(floor, tmp_path)
    assert differences_in(tmp_path) == []


def test_a_stranger_works_two_pools_out(tmp_path: Path) -> None:
    """Two pools with limits and a small reserve: prizes that change their pools, an order, a second correction."""
    floor = Floor(terms(), ("T1", "T2", "T3", "T4"))
    floor.play("""
        T1 wagers 1: 1 2 3 4/tender=token                                      accepted
        T1 record 1: 1=flush 2=straight_flush 3 4=royal_flush                  recorded
        T1 correct 1: 1=full_house 2 3=straight_flush 4=royal_flush            corrected
        T1 correct 1: 1=flush 2 3=royal_flush 4=straight_flush late revision=3 corrected
        T1 amend 1: 1 rule=14.8 revision=4                                     void_recorded
        T3 wagers 1: 1 2                                                       accepted
        T4 wagers 1: 1 2                                                       accepted
        T4 record 1: 1=straight_flush 2                                        recorded
        T3 record 1: 1=straight_flush 2                                        recorded
        decide T4/1/1/1/minor order=wagers manager=Max                         ordered
        T3 amend 1: rule=16.6 forfeit=2                                        void_recorded
    """)
    exported(floor, tmp_path)
    assert differences_in(tmp_path) == []


def test_an_amount_of_an_order_that_is_off_by_one_is_found(tmp_path: Path) -> None:
    """The stranger does not believe what a decided order says of either amount."""
    floor = Floor()
    floor.play(ORDERS["case 60: the wagers' order holds, with a manager: each has what the other had had"])
    exported(floor, tmp_path)
    text = (tmp_path / "ledger.jsonl").read_text()
    (tmp_path / "ledger.jsonl").write_text(text.replace('"by_wagers_cents":5000044', '"by_wagers_cents":5000045'))
    assert any("both amounts" in difference for difference in differences_in(tmp_path))
