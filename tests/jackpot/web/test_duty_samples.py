"""Rates and percentiles of the duty page are those of Prometheus, and its memory is bounded."""

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from jackpot.web.duty_samples import EVERY_S, History, sample_of


def test_what_is_not_counted_is_no_data_and_not_nought() -> None:
    """A family without a series has no total, so that nobody reads calm off silence."""
    history = History()
    history.take(sample_of([], 0, 0))
    assert history.now is not None
    assert history.now.total("jackpot_wagers_accepted_total") is None
    assert history.increase("jackpot_wagers_accepted_total") is None
    assert history.rate("jackpot_wagers_accepted_total") is None
    assert history.quantile("jackpot_answer_seconds", 0.99) is None


def test_a_counter_that_begins_anew_loses_nothing() -> None:
    """A count that falls was begun again: what it has now is what came since, as `increase` has it."""
    history = History()
    for at, value in enumerate((10, 14, 3, 5)):
        registry = CollectorRegistry()
        Counter("jackpot_wagers", "Wagers.", ["link"], registry=registry).labels("south").inc(value)
        history.take(sample_of(registry.collect(), at * EVERY_S, at))
    assert history.increase("jackpot_wagers_total", link="south") == 4 + 3 + 2


def test_a_percentile_is_that_of_the_window_alone() -> None:
    """What was slow before the window does not count; within a bucket the value is interpolated."""
    registry = CollectorRegistry()
    seconds = Histogram("jackpot_answer_seconds", "Answers.", registry=registry, buckets=(0.1, 0.2, 1.0))
    history = History()
    for _ in range(100):
        seconds.observe(0.9)
    history.take(sample_of(registry.collect(), 0, 0))
    for _ in range(100):
        seconds.observe(0.15)
    history.take(sample_of(registry.collect(), EVERY_S, 1))
    assert history.quantile("jackpot_answer_seconds", 0.5) == pytest.approx(0.15)
    assert history.quantile("jackpot_answer_seconds", 0.99) == pytest.approx(0.199)


def test_an_observation_past_every_bound_counts_as_the_last_bound() -> None:
    """Nothing is known above the last bound, so nothing greater is claimed."""
    registry = CollectorRegistry()
    seconds = Histogram("jackpot_answer_seconds", "Answers.", registry=registry, buckets=(0.1, 5.0))
    history = History()
    history.take(sample_of(registry.collect(), 0, 0))
    seconds.observe(60)
    history.take(sample_of(registry.collect(), EVERY_S, 1))
    assert history.quantile("jackpot_answer_seconds", 0.99) == 5.0


def test_days_of_samples_keep_an_hour_of_points() -> None:
    """A page that nobody closes, and a server that runs for months, hold no more than an hour."""
    history = History()
    for at in range(10_000):
        history.take(sample_of([], at * EVERY_S, at))
        history.draw("south/queue", float(at))
    assert len(history.window) == 91
    assert len(history.lines["south/queue"]) == 361
    assert history.lines["south/queue"][-1] == (9_999, 9_999.0)


def test_an_older_sample_keeps_its_counts_alone() -> None:
    """Gauges of thousands of tables are held once; what is asked of older samples is what rose since."""
    registry = CollectorRegistry()
    Gauge("jackpot_table_connected", "x", ["table"], registry=registry).labels("T1").set(1)
    Counter("jackpot_wagers_accepted", "x", registry=registry).inc()
    history = History()
    for at in range(3):
        history.take(sample_of(registry.collect(), at * EVERY_S, at))
    older, old, newest = (sample.values.keys() for sample in history.window)
    assert older == old == {"jackpot_wagers_accepted_total"}
    assert newest >= {"jackpot_wagers_accepted_total", "jackpot_table_connected"}


def test_what_happens_seldom_is_looked_for_longer() -> None:
    """What rose ten minutes ago is no more in the last five, and still in the last fifteen."""
    registry = CollectorRegistry()
    lost = Counter("jackpot_outcomes_unknown", "x", registry=registry)
    history = History()
    for at in range(61):
        if at == 1:
            lost.inc()
        history.take(sample_of(registry.collect(), at * EVERY_S, at))
    assert history.increase("jackpot_outcomes_unknown_total") == 0
    assert history.increase("jackpot_outcomes_unknown_total", seconds=900) == 1
