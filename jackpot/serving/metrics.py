"""What a program counts, and how Prometheus reads it: a registry of its own, and labels that strangers cannot multiply.

**Never** takes a label's value from outside as it came: it is one of a known set, or `other` (case 36).
"""

from collections.abc import Collection

from aiohttp import web
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    GCCollector,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

__all__ = ["METHODS", "bounded", "exposition", "new_registry", "request_seconds"]

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that are counted under their own name."""


def new_registry() -> CollectorRegistry:
    """Return a registry that already tells the process's own memory, files and garbage collections."""
    disable_created_metrics()  # type: ignore[no-untyped-call]  # when a series began is a question nobody asks
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


def bounded(value: str, known: Collection[str]) -> str:
    """Return the value where it is a known one, else `other`.

    >>> bounded("T1", {"T1", "T2"}), bounded("T9999", {"T1", "T2"})
    ('T1', 'other')
    """
    return value if value in known else "other"


def request_seconds(prefix: str, registry: CollectorRegistry) -> Histogram:
    """Declare the family of requests answered, by route pattern, method and class of status."""
    return Histogram(
        f"{prefix}_http_request_seconds",
        "Time from a request to its answer.",
        ("route", "method", "status"),
        registry=registry,
        buckets=(0.001, 0.005, 0.025, 0.1, 0.5, 2.5),
    )


def exposition(registry: CollectorRegistry) -> web.Response:
    """Return all families in the text form that Prometheus reads."""
    response = web.Response(body=generate_latest(registry), headers={"Cache-Control": "no-store"})
    response.headers["Content-Type"] = CONTENT_TYPE_LATEST
    return response
