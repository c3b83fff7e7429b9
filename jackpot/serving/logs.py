"""Where log lines go and what they look like: JSON in production, coloured on a terminal, one line each, no secrets.

The framework's own loggers go through the same chain. A request that was merely malformed leaves no traceback.
"""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, Literal, TextIO

import structlog
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

__all__ = ["LogForm", "LogLevel", "hide_secrets", "set_up_logs", "without_secrets"]

LogForm = Literal["auto", "json", "console"]
LogLevel = Literal["debug", "info", "warning", "error"]

_SECRET = re.compile(r"password|secret|token|private|signing_key|authorization|cookie|\bpin\b", re.IGNORECASE)
# The values of a failing function's variables are never logged: an address with its password, a key, unseen cards.
_IN_JSON = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
_IN_URL = re.compile(r"(?<=://)([^/@\s:]*):([^/@\s]+)@")
_IN_QUERY = re.compile(r"(?<=[?&])((?:ssl_?)?password)=[^&\s]*", re.IGNORECASE)

_CARD = re.compile(r"(?<![A-Za-z0-9_./-])(?:10|[2-9TJQKA])[shdc](?![A-Za-z0-9_/-]|[.:][A-Za-z0-9])")


def set_up_logs(form: LogForm = "auto", level: LogLevel = "info", stream: TextIO | None = None) -> None:
    """Send all log lines of this process to a stream (standard error), in the form asked for.

    `auto` is coloured on a terminal and JSON elsewhere. **If repeated** the last call holds.
    """
    stream = stream or sys.stderr
    terminal = stream.isatty() if form == "auto" else form == "console"
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide_secrets,
    ]
    last: list[structlog.types.Processor] = (
        [structlog.dev.ConsoleRenderer(colors=True, exception_formatter=structlog.dev.plain_traceback), _clean_text]
        if terminal
        else [structlog.processors.ExceptionRenderer(_IN_JSON), hide_secrets, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.PositionalArgumentsFormatter(), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    handler.addFilter(_no_traceback_for_strangers)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for talkative in ("asyncio", "alembic"):
        logging.getLogger(talkative).setLevel(logging.WARNING)


def hide_secrets(_logger: object, _method: str, line: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Put `***` in place of values whose name says that they are secret, of passwords in addresses, and of cards.

    However deep they stand. The one place for it: whoever logs need not think of it, and no card is in a log (case 51).

    >>> dict(hide_secrets(None, "", {"url": "redis://me:hunter2@host/0", "password": "x", "table": "T1"}))
    {'url': 'redis://me:***@host/0', 'password': '***', 'table': 'T1'}
    >>> dict(hide_secrets(None, "", {"differences": ["cards: As at two seats"], "all": {"pin": "1234"}}))
    {'differences': ['cards: *** at two seats'], 'all': {'pin': '***'}}
    """
    for name, value in line.items():
        line[name] = _clean(name, value)
    return line


def _clean(name: object, value: object) -> object:
    if isinstance(name, str) and _SECRET.search(name):
        return "***"
    if isinstance(value, str):
        return _CARD.sub("***", without_secrets(value) if "://" in value else value)
    if isinstance(value, Mapping):
        return {each: _clean(each, part) for each, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean("", part) for part in value]
    return value


def _clean_text(_logger: object, _method: str, text: Any) -> str:
    """Clean what a terminal is shown: a traceback is made with the line itself."""
    return str(_clean("", text))


def without_secrets(text: str) -> str:
    """Return a text with `***` in place of the passwords of addresses in it.

    >>> without_secrets("postgresql://me:a@db/x?sslmode=require&password=b")
    'postgresql://me:***@db/x?sslmode=require&password=***'
    """
    return _IN_QUERY.sub(r"\1=***", _IN_URL.sub(r"\1:***@", text))


def _no_traceback_for_strangers(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, web.RequestPayloadError) or (isinstance(error, HttpProcessingError) and error.code < 500):
        record.exc_info = None
        record.levelno, record.levelname = logging.INFO, "INFO"
    return True
