"""Log lines: one JSON object each, the framework's too, without secrets or cards, and every event is on the list."""

import ast
import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from aiohttp.http_exceptions import BadHttpMessage

from jackpot.cli.links import _LOGGED
from jackpot.serving.events import AGENT, SERVER
from jackpot.serving.logs import LogForm, set_up_logs
from tests.support.sources import python

SECRETS = ("hunter2", "swordfish", "Kd")
EVERYWHERE = {"stopping", "metrics", "request", "request_failed", "certificate"}
"""Events of what both programs share."""


def logged(form: LogForm = "json") -> io.StringIO:
    """Everything goes here from now on."""
    stream = io.StringIO()
    set_up_logs(form, "debug", stream)
    return stream


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    """The lines, each an object."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def fail() -> None:
    """Fail as a connection with a password and a card in its words does, and with both in a variable."""
    password, other, card = SECRETS
    assert other
    words = f"postgresql://me:{password}@db/x refused {card}"
    raise ConnectionError(words)


@pytest.mark.parametrize("form", ["json", "console"])
def test_secrets_and_cards_are_hidden_wherever_they_stand(form: LogForm) -> None:
    """In values, lists, objects, addresses, words of an exception and its variables; on a terminal too."""
    stream = logged(form)
    log = structlog.get_logger("test")
    log.info("serving", database_url="postgresql://me:hunter2@db/x", keys={"signing_key": "swordfish"})
    log.info("link_disputed", differences=["cards: Kd at two seats", "the card Kd."], cards=("Kd",))
    logging.getLogger("aiohttp.server").error("redis://:hunter2@host/0 and Kd for %s", "Kd")
    try:
        fail()
    except ConnectionError:
        log.exception("task_failed", task="poster")
    text = stream.getvalue()
    assert "task_failed" in text
    assert "Traceback" in text or "exc_type" in text
    assert [secret for secret in SECRETS if secret in text] == []


def test_what_only_looks_like_a_card_stays() -> None:
    """Ids, tables, times and digests are never touched."""
    stream = logged()
    kept = {"id": "T5s/1/2026-11/2d/void.3.5/1", "table": "4d-2", "digest": "2dAs", "unit": "0.5s"}
    structlog.get_logger("test").info("put_off", **kept)
    (line,) = lines(stream)
    assert {name: line[name] for name in kept} == kept


def test_a_malformed_request_leaves_no_traceback() -> None:
    """The framework's own line about bytes that are no request is information, one line long."""
    stream = logged()
    error = BadHttpMessage("what is this")
    logging.getLogger("aiohttp.server").error("Error handling request", exc_info=error)
    (line,) = lines(stream)
    assert (line["level"], line["event"], line["logger"]) == ("info", "Error handling request", "aiohttp.server")
    assert "exception" not in line


def test_a_line_break_in_a_value_makes_no_second_line() -> None:
    """What a stranger sends cannot write a line of its own."""
    stream = logged()
    structlog.get_logger("test").info("request", route='x\n{"event":"audited"}')
    assert [line["event"] for line in lines(stream)] == ["request"]


def events() -> Iterator[tuple[str, str]]:
    """Every event that is logged, with its package."""
    for source in python("jackpot", "tablelink"):
        for node in ast.walk(source.tree):
            if not (isinstance(node, ast.Call) and _is_log(node.func)):
                continue
            for argument in node.args[:2]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield source.file.partition("/")[0], argument.value


def _is_log(function: ast.expr) -> bool:
    if isinstance(function, ast.IfExp):
        return _is_log(function.body)
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "_log"


def test_every_event_is_on_the_list_and_the_list_holds_no_other() -> None:
    """Who reads logs finds each event explained; one that nobody writes any more is not there."""
    found = set(events()) | {("jackpot", f"link_{kind}") for kind in _LOGGED}
    assert {event for package, event in found if package == "jackpot"} == SERVER.keys() - {"metrics"}
    assert {event for package, event in found if package == "tablelink"} == AGENT.keys() | {"metrics"}
    assert SERVER.keys() >= EVERYWHERE
