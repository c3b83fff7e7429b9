"""What the comparisons share: a source of chance that a run can be repeated with."""

import random
import zlib

import pytest


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Give each test its own chance, drawn from the seed that the run's header prints."""
    seed = f"{request.config.getoption('hypothesis_seed')}/{request.node.name}"
    print(f"chance of this test: {seed}")  # noqa: T201 - pytest shows it where the test fails
    return random.Random(zlib.crc32(seed.encode()))
