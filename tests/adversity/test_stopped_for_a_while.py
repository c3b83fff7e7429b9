"""A part of the site stands still for ten seconds under play, and all comes back by itself.

The same for a minute each, as a person runs it: `python -m tests.support.stopped`; see deploy/OBSERVED.md.
"""

from collections.abc import Iterator

import pytest

from tests.support.stopped import NOTHING, Watch, accounts, exercise, watched_site

STOPPED_S = 10.0


@pytest.fixture(scope="module")
def watch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watch]:
    """A site at play, watched."""
    with watched_site(tmp_path_factory.mktemp("stopped"), tables=3) as watching:
        yield watching


@pytest.mark.parametrize("part", ["server", "Redis", "Postgres"])
def test_a_part_that_stands_still_is_told_of_and_comes_back(watch: Watch, part: str) -> None:
    """The board says NOT LIVE in six seconds, an alert is on its way, and without a person all is as it was."""
    timeline = exercise(watch, part, STOPPED_S)
    told_s = [at_s for at_s, _, said in timeline.rows if "NOT LIVE" in said.board.upper()]
    assert told_s, timeline.table()
    assert told_s[0] < 8, timeline.table()  # six seconds by the page's own clock, and two for looking
    assert any("pending" in said.alerts for _, _, said in timeline.rows), timeline.table()
    if part == "server":
        assert any(said.feed == NOTHING for _, _, said in timeline.rows), timeline.table()
    assert accounts(watch.site)["differences"] in ([], 0), timeline.table()
