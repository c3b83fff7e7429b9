"""Under which revision two people void an open round, of which a void may have been answered in a lost life."""

import asyncio
from collections.abc import Mapping, Sequence
from unittest.mock import patch

import pytest

from jackpot.cli import acts
from jackpot.core.answers import Stored
from jackpot.core.ports import Known
from jackpot.core.verdicts import refused
from jackpot.wire.codec import encode
from jackpot.wire.messages import Receipt, VoidAnswer
from jackpot.wire.refusals import Refusal


@pytest.mark.parametrize(
    ("answer", "revision"), [(None, 1), (VoidAnswer([3], []), 1), (refused(Refusal.ROUND_VOIDED), 2)]
)
def test_the_first_but_where_the_tables_own_was_refused(answer: Stored | None, revision: int) -> None:
    """A refusal is its id's answer for ever; whoever repeats a void that was accepted is given that answer again."""

    class Ledger:
        """Holds that one answer."""

        def __init__(self, _url: str, _link: str) -> None:
            """Of any link."""

        async def answers(self, ids: Sequence[str]) -> Mapping[str, Known]:
            """Return the answer under the void's first id."""
            assert list(ids) == ["T1/1/2026-11/17/void.3/1"]
            return {} if answer is None else {ids[0]: Known(bytes(32), encode(answer), Receipt(1, 1, "aa"))}

        async def close(self) -> None:
            """Nothing is open."""

    with patch.object(acts, "PostgresStore", Ledger):
        assert asyncio.run(acts._free_revision("", "southern", ("T1", 1, "2026-11", 17), "void.3")) == revision
