"""Who may move a hit, from which state to which, and when a prize from a meter waits (DESIGN 5, PROTOCOL 7)."""

from dataclasses import replace

import pytest

from jackpot.core.answers import decode_stored
from jackpot.core.commands import MoveHit
from jackpot.core.hits import MOVES, OPEN, Act, Hit, moved
from jackpot.wire.ids import HitKey
from jackpot.wire.messages import RefusedAnswer
from tests.support.floor import Floor
from tests.support.terms import two_pool_terms, with_rulings

# From each state: the state each move leads to, `-` where it is not legal.
#            verify    approve   threshold  pay    dispute   reject    release   forfeit    award    resolve
LEGAL = """
pending      verified  -         -          -      disputed  rejected  released  forfeited  -        -
claimed      -         -         -          -      disputed  rejected  -         -          pending  -
disputed     -         -         -          -      -         rejected  released  -          -        pending
verified     -         verified  approved   -      disputed  rejected  released  -          -        -
approved     -         -         -          paid   disputed  rejected  released  forfeited  -        -
rejected     -         -         -          -      -         -         released  forfeited  -        -
paid         -         -         -          -      -         -         -         -          -        -
released     -         -         -          -      -         -         -         -          -        -
forfeited    -         -         -          -      -         -         -         -          -        -
"""
NAMES = ["verify", "approve", "threshold", "pay", "dispute", "reject", "release", "forfeit", "award", "resolve"]
TABLE = {words[0]: dict(zip(NAMES, words[1:], strict=True)) for words in map(str.split, LEGAL.split("\n")) if words}
ALONE = {"verify", "approve", "pay"}
OFFERED = {*ALONE, "resolve", "reject", "release", "forfeit"}
PAIRS = [(state, move) for state in TABLE for move in NAMES]


def hit_in(state: str, approvers: int = 2) -> Hit:
    """A hit in a state, nobody having acted."""
    key = HitKey("T1", 1, 1, 3, "main")
    act = Act("award", "", 9)
    return Hit(key, "2026-11", "royal_flush", state, 5, 5, 0, 0, 1, "", "full", "", (), 9, 9, approvers, (act,))


@pytest.mark.parametrize(("state", "move"), PAIRS)
def test_every_pair_of_state_and_move(state: str, move: str) -> None:
    """What the table of moves allows leads where it says, all else nowhere."""
    after = moved(hit_in(state), move, "Ann", 12)
    target = TABLE[state][move]
    assert (None if target == "-" else target) == (after.state if after else None)
    if after is not None:
        assert after.moved == 12
        assert after.acts[-1] == Act(move, "Ann", 12)


def test_the_table_names_every_move() -> None:
    """No move and no state is left out above."""
    assert TABLE.keys() == MOVES.keys()
    assert set(NAMES) == {move for moves in MOVES.values() for move in moves}


@pytest.mark.parametrize(("state", "move"), [pair for pair in PAIRS if pair[1] != "threshold"])
def test_every_pair_as_people_ask_for_it(state: str, move: str) -> None:
    """People are offered seven moves; where one is not legal the answer says from which state; nothing changes."""
    floor = Floor()
    floor.play("T1 wagers 1: 3  accepted\nT1 record 1: 3=royal_flush  recorded")
    hit = next(iter(floor.state.hits.values()))
    marks = ("order",) if state == "disputed" else ()
    floor.state = replace(floor.state, hits={hit.key: replace(hit, state=state, marks=marks)})
    became = floor.line(
        [move, "T1/1/1/3/main", "by=Ann", *([] if move in ALONE else ["with=Bob", "reason=seen", "rule=11.4"])]
    )
    target = TABLE[state][move]
    if move not in OFFERED:
        assert became == "not_offered"
    elif target == "-":
        assert (became, floor.last.value) == ("illegal_move", f"{move} from {state}")
    else:
        assert became == target
    if move not in OFFERED or target == "-":
        assert floor.state.hits[hit.key].state == state


@pytest.mark.parametrize("state", TABLE)
def test_which_states_hold_the_table(state: str) -> None:
    """A table cannot go on while a hit of it is neither settled nor set aside (9.5)."""
    assert (state in OPEN) == (state in {"pending", "claimed", "disputed", "verified", "approved"})


STORIES = {
    "under 500.00 nobody approves: the terms' threshold does": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        verify T1/1/1/3/house by=Ann                                           approved
        hit T1/1/1/3/house approvals                                           0
        balance payable/T1/1/1/3/house                                         10000000000
        pay T1/1/1/3/house by=Bob                                              paid
        balance payable/T1/1/1/3/house                                         0
        balance paid                                                           10000000000
        verify T1/1/1/3/house by=Cy                                            illegal_move
        pay T1/1/1/3/house by=Dee                                              illegal_move
        balance paid                                                           10000000000
    """,
    "from 500.00 one, from 5,000.00 two": """
        T1 wagers 1: 2 3                                                       accepted
        T1 record 1: 2=four_of_a_kind 3=royal_flush                            recorded
        verify T1/1/1/2/house by=Ann                                           verified
        approve T1/1/1/2/house by=Bob                                          approved
        verify T1/1/1/3/main by=Ann                                            verified
        approve T1/1/1/3/main by=Bob                                           verified
        hit T1/1/1/3/main approvals                                            1
        pay T1/1/1/3/main by=Dee                                               illegal_move
        approve T1/1/1/3/main by=Cy                                            approved
        hit T1/1/1/3/main state                                                approved
        pay T1/1/1/3/main by=Dee                                               paid
    """,
    "two approve in one act; where one is enough the second has nothing left to approve": """
        T1 wagers 1: 2 3                                                       accepted
        T1 record 1: 2=four_of_a_kind 3=royal_flush                            recorded
        verify T1/1/1/3/main by=Ann                                            verified
        approve T1/1/1/3/main by=Bob with=Cy                                   approved
        verify T1/1/1/2/house by=Ann                                           verified
        approve T1/1/1/2/house by=Bob with=Cy                                  illegal_move
        pay T1/1/1/3/main by=Dee with=Eve                                      illegal_move
    """,
    "nobody acts twice on one hit, however the name is written": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=royal_flush                                             recorded
        verify T1/1/1/3/main by=Ann                                            verified
        approve T1/1/1/3/main by=Ann                                           same_person
        approve T1/1/1/3/main by=ANN                                           same_person
        approve T1/1/1/3/main by=Bob with=bob                                  same_person
        approve T1/1/1/3/main by=Bob                                           verified
        approve T1/1/1/3/main by=Cy with=Bob                                   same_person
        approve T1/1/1/3/main by=Cy                                            approved
        pay T1/1/1/3/main by=Ann                                               same_person
        pay T1/1/1/3/main by=Dee                                               paid
    """,
    "an act has a name, of a hit there is": """
        verify T1/1/1/3/main by=Ann                                            no_such_hit
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        verify T1/1/1/3/house                                                  name_needed
        verify T1/1/1/3/main by=Ann                                            no_such_hit
        verify T1/1/1/3/house by=Ann                                           approved
    """,
    "the same act is answered as the first time; it is one person's": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        verify T1/1/1/3/house by=Ann nth=1                                     approved
        verify T1/1/1/3/house by=Ann nth=1                                     approved
        pay T1/1/1/3/house by=Bob nth=3                                        paid
        pay T1/1/1/3/house by=Bob nth=3                                        paid
        pay T1/1/1/3/house by=Cy nth=3                                         illegal_move
        balance paid                                                           10000000000
    """,
    "a prize from the meter waits while an older round of another table is open (case 60)": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T3 wagers 1: 1                                                         accepted
        verify T2/1/1/1/main by=Ann                                            verified
        approve T2/1/1/1/main by=Bob                                           verified
        approve T2/1/1/1/main by=Cy                                            round_open
        T1 record 1: 1                                                         recorded
        approve T2/1/1/1/main by=Cy                                            approved
    """,
    "a younger round, a round of its own table, a withdrawn one: nothing to wait for": """
        T2 wagers 1: 1                                                         accepted
        T1 wagers 1: 1                                                         accepted
        T1 withdraw 1:                                                         withdrawn
        T2 record 1: 1=royal_flush                                             recorded
        T3 wagers 1: 1                                                         accepted
        verify T2/1/1/1/main by=Ann                                            verified
        approve T2/1/1/1/main by=Bob with=Cy                                   approved
    """,
    "a fixed bonus waits for nobody": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=four_of_a_kind                                          recorded
        verify T2/1/1/1/house by=Ann                                           verified
        approve T2/1/1/1/house by=Bob                                          approved
    """,
    "a manager may say with a reason that it need not wait, and is one more person": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        verify T2/1/1/1/main by=Ann                                            verified
        approve T2/1/1/1/main by=Bob                                           verified
        approve T2/1/1/1/main by=Cy manager=Max                                reason_needed
        approve T2/1/1/1/main by=Cy manager=Cy reason=late                     same_person
        approve T2/1/1/1/main by=Cy manager=Bob reason=late                    same_person
        approve T2/1/1/1/main by=Cy manager=Max reason=late                    approved
        pay T2/1/1/1/main by=Max                                               same_person
        pay T2/1/1/1/main by=Dee                                               paid
        T1 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main state                                                paid
        hit T1/1/1/1/main state                                                disputed
    """,
    "a prize of before a round's wagers is no rival of the round's": """
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=royal_flush                                             recorded
        hit T2/1/1/1/main state                                                pending
        hit T1/1/1/1/main state                                                pending
    """,
    "two people resolve a dispute about order; the amounts stand by the commit of the records": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=straight_flush                                          recorded
        hit T2/1/1/1/main state                                                disputed
        hit T1/1/1/1/main state                                                disputed
        verify T2/1/1/1/main by=Ann                                            illegal_move
        resolve T2/1/1/1/main by=Ann reason=films                              name_needed
        resolve T2/1/1/1/main by=Ann with=Bob                                  reason_needed
        resolve T2/1/1/1/main by=Ann with=Bob reason=films                     pending
        verify T2/1/1/1/main by=Bob                                            same_person
        verify T2/1/1/1/main by=Cy                                             verified
        approve T2/1/1/1/main by=Dee with=Eve                                  approved
        hit T1/1/1/1/main state                                                disputed
    """,
    "a dispute about the cards takes new cards, not two people's word": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1=flush settled=off                                       disputed
        resolve T1/1/1/1/house by=Ann with=Bob reason=films                    not_offered
        hit T1/1/1/1/house state                                               disputed
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_hits(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


ORDERS = {
    "two royals": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        given pool/main 12000000000000                                         so
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=royal_flush                                             recorded
    main: by commit T2/1/1/1/main 12000000, T1/1/1/1/main 5000000;
        by wagers T1/1/1/1/main 12000000, T2/1/1/1/main 5000000
    """,
    "a royal, then a straight flush that was wagered before it": """
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        given pool/main 10000000000000                                         so
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=straight_flush                                          recorded
    main: by commit T2/1/1/1/main 10000000, T1/1/1/1/main 500000;
        by wagers T1/1/1/1/main 1000000, T2/1/1/1/main 9000000
    """,
    "two straight flushes against one": """
        T1 wagers 1: 1 2                                                       accepted
        T2 wagers 1: 1                                                         accepted
        given pool/main 10000000000000                                         so
        T2 record 1: 1=straight_flush                                          recorded
        T1 record 1: 1=straight_flush 2=straight_flush                         recorded
    main: by commit T2/1/1/1/main 1000000, T1/1/1/2/main 855000, T1/1/1/1/main 855000;
        by wagers T1/1/1/2/main 950000, T1/1/1/1/main 950000, T2/1/1/1/main 810000
    """,
}


@pytest.mark.parametrize("story", ORDERS.values(), ids=ORDERS.keys())
def test_both_orders_and_both_amounts_are_on_file(story: str) -> None:
    """Each hit that is held about the order carries what either order comes to (PROTOCOL 7)."""
    played, _, reason = story.partition("    main: ")
    floor = Floor()
    floor.play(played)
    reason = f"main: {' '.join(reason.split())}"
    assert len(floor.state.hits) >= 2
    for hit in floor.state.hits.values():
        held, about = hit.acts[-2:]
        assert (hit.state, hit.marks, held) == ("disputed", ("order",), Act("dispute", "", hit.moved, reason))
        assert (about.move, about.commit) == ("about", hit.moved)


def test_one_dispute_is_enough() -> None:
    """A third table's prize finds the others disputed already, and joins them; each was moved once."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T3 wagers 1: 1                                                         accepted
        T3 record 1: 1=straight_flush                                          recorded
        T2 record 1: 1=straight_flush                                          recorded
        T1 record 1: 1=straight_flush                                          recorded
    """)
    assert {hit.state for hit in floor.state.hits.values()} == {"disputed"}
    assert [sum(act.move == "dispute" for act in hit.acts) for hit in floor.state.hits.values()] == [1, 1, 1]


def test_prizes_of_different_pools_have_no_order() -> None:
    """A royal from the main pool and a straight flush from the minor one do not touch each other's money."""
    Floor(two_pool_terms()).play("""
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=straight_flush                                          recorded
        hit T2/1/1/1/main state                                                pending
        hit T1/1/1/1/minor state                                               pending
    """)


def test_an_order_by_wagers_changes_amounts_and_is_not_offered_here() -> None:
    """`order_of_hits` lock: the amounts on file would have to change, which takes a correction."""
    Floor(with_rulings(order_of_hits="lock")).play("""
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        T1 record 1: 1=royal_flush                                             recorded
        resolve T2/1/1/1/main by=Ann with=Bob reason=films                     not_offered
    """)


def test_hits_that_ended_are_remembered_for_a_while() -> None:
    """The state keeps the last 64 ended hits and the accounts of those only; open ones it keeps all."""
    floor = Floor()
    for number in range(1, 71):
        floor.play(f"""
            T1 wagers {number}: 1                                              accepted
            T1 record {number}: 1=flush                                        recorded
            verify T1/1/{number}/1/house by=Ann                                approved
            pay T1/1/{number}/1/house by=Bob                                   paid
        """)
    floor.play("T2 wagers 1: 1  accepted\nT2 record 1: 1=flush  recorded")
    assert [key.round for key in floor.state.hits if key.table == "T1"] == list(range(7, 71))
    payable = [account for account in floor.state.balances if account.startswith("payable/")]
    assert sorted(payable) == sorted(f"payable/{key}" for key in floor.state.hits)
    floor.play("pay T1/1/3/1/house by=Bob nth=3  paid\nverify T1/1/3/1/house by=Cy nth=9  no_such_hit")


@pytest.mark.parametrize(
    ("by", "with_", "value"),
    [
        ("Bob", "ANN", "ANN: verify in commit {verified}"),
        ("Ann", "Bob", "Ann: verify in commit {verified}"),
        ("Bob", "bob", "bob is named twice"),
    ],
)
def test_who_may_not_act_again_is_named_with_what_they_did(by: str, with_: str, value: str) -> None:
    """Of two names that are refused, the answer says which of them acted before, and how."""
    floor = Floor()
    floor.play("T1 wagers 1: 3  accepted\nT1 record 1: 3=royal_flush  recorded\nverify T1/1/1/3/main by=Ann  verified")
    (hit,) = floor.state.hits.values()
    refused = decode_stored(floor.act(MoveHit(str(hit.key), "approve", by, len(hit.acts), with_)).answer)
    assert isinstance(refused, RefusedAnswer)
    assert (refused.code, refused.value) == ("same_person", value.format(verified=hit.moved))


def test_two_who_approve_where_one_is_left_are_told_so() -> None:
    """The move is legal from that state, by one: the answer says what is wrong with it."""
    floor = Floor()
    floor.play("""
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=royal_flush                                             recorded
        verify T1/1/1/3/main by=Ann                                            verified
        approve T1/1/1/3/main by=Bob                                           verified
        approve T1/1/1/3/main by=Cy with=Dee                                   illegal_move
    """)
    assert floor.last.value == "approve by two: it lacks one approval"
    floor.play("approve T1/1/1/3/main by=Cy  approved")


def test_the_round_that_an_approval_waits_for_is_named() -> None:
    """The oldest one, as people void or type it in (table/journal/round), and how many more there are."""
    floor = Floor()
    floor.play("""
        T3 wagers 1: 1                                                         accepted
        T1 wagers 1: 1                                                         accepted
        T2 wagers 1: 1                                                         accepted
        T2 record 1: 1=royal_flush                                             recorded
        verify T2/1/1/1/main by=Ann                                            verified
        approve T2/1/1/1/main by=Bob with=Cy                                   round_open
    """)
    assert floor.last.value == "T3/1/1 and 1 more"
    floor.play("T3 record 1: 1  recorded\napprove T2/1/1/1/main by=Bob with=Cy  round_open")
    assert floor.last.value == "T1/1/1"
