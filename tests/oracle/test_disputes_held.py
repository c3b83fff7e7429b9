"""Whether a stranger sees that a prize goes on while the order against another is undecided (PROTOCOL 7)."""

import json

import pytest

from tests.oracle.lives_model import LivesModel
from tests.support.floor import Floor

STORY = """
    T1 wagers 1: 1                                                         accepted
    T2 wagers 1: 1                                                         accepted
    T1 record 1: 1=straight_flush                                          recorded
    T3 wagers 1: 1                                                         accepted
    T2 record 1: 1=royal_flush                                             recorded
    T3 record 1: 1=royal_flush                                             recorded
    decide T1/1/1/1/main order=wagers manager=Max                          ordered
"""


@pytest.mark.parametrize(
    ("version", "faults"),
    [(3, []), (2, ["T2/1/1/1/main is pending, and the order against ('T3', 1, 1) is undecided since 13"])],
)
def test_a_prize_that_goes_on_too_soon_is_seen(version: int, faults: list[str]) -> None:
    """Decide version 2 let T2's prize go on with T3's dispute open: the model says so, and of version 3 nothing."""
    floor, model, seen = Floor(), LivesModel(), list[str]()
    floor.version = version
    floor.play(STORY)
    for batch in floor.batches:
        body = json.loads(batch.body)
        for command in body["commands"]:
            list(model.command(command))
        list(model.end_of_batch(body["entries"]))
        seen += [fault for hit in body["hits"] for fault in model.way_faults(hit)]
    assert seen == faults
