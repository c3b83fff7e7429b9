"""What every test gets: one Hypothesis profile with its seed printed, and the embedded servers."""

import logging
import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import structlog

pytest_plugins = ["tests.support.embedded_fixture"]

hypothesis.settings.register_profile(
    "default",
    deadline=None,  # a slow machine is not a wrong answer
    print_blob=True,
    database=None,  # the seed printed below is the one way to repeat a run
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile("thorough", parent=hypothesis.settings.get_profile("default"), max_examples=2_000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Fix Hypothesis's seed before it is read, so that the header can name it: one for all workers."""
    workerinput: dict[str, str] | None = getattr(config, "workerinput", None)
    if workerinput is not None:
        config.option.hypothesis_seed = workerinput["hypothesis_seed"]
    elif config.getoption("hypothesis_seed", None) is None:
        config.option.hypothesis_seed = str(int.from_bytes(os.urandom(4)))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give a worker the seed that the header names: of its own it would have none."""
    node.workerinput["hypothesis_seed"] = node.config.option.hypothesis_seed


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread tests over workers by whole files, and those that need a browser as one: two would take all cores."""
    for item in items:
        whole = item.path.parent if item.path.parent.name == "browser" else item.path
        item.add_marker(pytest.mark.xdist_group(whole.relative_to(item.config.rootpath).as_posix()))


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Refuse cases out of a set: each worker would count them in another order, and no test would run at all."""
    for marker in metafunc.definition.iter_markers("parametrize"):
        if any(isinstance(one, set | frozenset) for one in (*marker.args[1:], marker.kwargs.get("argvalues"))):
            msg = f"{metafunc.definition.nodeid}: the cases {marker.args[0]!r} are a set, which has no order"
            raise pytest.UsageError(msg)


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """Leave logging as it was found: where lines go must not be a stream that another test has closed since."""
    root, structured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    structlog.configure(**structured)


def pytest_report_header(config: pytest.Config) -> str:
    """Name the seed with which this run can be repeated."""
    return f"repeat this run with --hypothesis-seed={config.getoption('hypothesis_seed')}"
