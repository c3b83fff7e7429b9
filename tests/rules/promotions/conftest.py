"""What the tests of promotions share: a document that every book takes, and a change made in it."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

ABSENT = "absent"
_STEPS = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def change_at(document: Any, path: str, value: Any) -> None:
    """Put a value at a path of a document, or take what stands there away; made on the way where nothing stands."""
    steps: list[str | int] = [name or int(place) for name, place in _STEPS.findall(path)]
    for step in steps[:-1]:
        document = document.setdefault(step, {}) if isinstance(step, str) else document[step]
    last: Any = steps[-1]
    if value == ABSENT:
        del document[last]
    else:
        document[last] = value


@pytest.fixture(scope="session")
def gold_draw() -> dict[str, Any]:
    """A promotion with which nothing is wrong."""
    document: dict[str, Any] = json.loads((Path(__file__).parent / "gold_draw.json").read_bytes())
    return document


@pytest.fixture
def document(gold_draw: dict[str, Any]) -> Callable[..., bytes]:
    """The promotion's document for games, changed as a text says: ``path = value``, and more after `` & ``."""

    def made(changes: str = "", games: tuple[str, ...] = ("caribbean_stud",)) -> bytes:
        copy = deepcopy(gold_draw) | {"games": list(games)}
        for each in filter(None, changes.split(" & ")):
            path, value = each.split(" = ", 1)
            change_at(copy, path.strip(), ABSENT if value.strip() == ABSENT else json.loads(value))
        return json.dumps(copy, indent=1).encode()

    return made
