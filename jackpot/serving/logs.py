"""Where log lines go and what they look like: JSON in production, coloured on a terminal, one line each, no secrets.

The framework's own loggers go through the same chain. A request that was merely malformed leaves no traceback.
"""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, Literal, TextIO

import structlog
from aiohttp.http_exceptions import HttpProcessingError

__all__ = ["LogForm", "LogLevel", "hide_secrets", "set_up_logs", "without_secrets"]

LogForm = Literal["auto", "json", "console"]
LogLevel = Literal["debug", "info", "warning", "error"]

_SECRET = re.compile(r"password|secret|token|private|signing_key|authorization|cookie|\bpin\b", re.IGNORECASE)
# The values of a failing function's variables are never logged: an address with its password, a key, unseen cards.
_IN_JSON = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
_ON_TERMINAL = structlog.dev.RichTracebackFormatter(show_locals=False)
_IN_URL = re.compile(r"(?<=://)([^/@\s:]*):([^/@\s]+)@")
_IN_QUERY = re.compile(r"(?<=[?&])((?:ssl_?)?password)=[^&\s]*", re.IGNORECASE)


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
        [structlog.dev.ConsoleRenderer(colors=True, exception_formatter=_ON_TERMINAL)]
        if terminal
        else [structlog.processors.ExceptionRenderer(_IN_JSON), structlog.processors.JSONRenderer()]
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
    """Put `***` in place of values whose name says that they are secret, and of passwords in addresses.

    >>> dict(hide_secrets(None, "", {"url": "redis://me:hunter2@host/0", "password": "x", "table": "T1"}))
    {'url': 'redis://me:***@host/0', 'password': '***', 'table': 'T1'}
    """
    for name, value in line.items():
        if _SECRET.search(name):
            line[name] = "***"
        elif isinstance(value, str) and "://" in value:
            line[name] = without_secrets(value)
    return line


def without_secrets(text: str) -> str:
    """Return a text with `***` in place of the passwords of addresses in it.

    >>> without_secrets("postgresql://me:a@db/x?sslmode=require&password=b")
    'postgresql://me:***@db/x?sslmode=require&password=***'
    """
    return _IN_QUERY.sub(r"\1=***", _IN_URL.sub(r"\1:***@", text))


def _no_traceback_for_strangers(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError) and error.code < 500:
        record.exc_info = None
        record.levelno, record.levelname = logging.INFO, "INFO"
    return True
