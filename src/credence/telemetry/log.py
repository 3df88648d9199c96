"""One structured line per event on standard error: readable on a terminal, JSON elsewhere (threats A11).

The levels: `error` for events that an operator must act on, `warning` for those to investigate, `info` for the rest.

Values are rendered as JSON strings or repr, so no line break or terminal sequence from a caller can forge a line. No field
contains a secret: each call names the fields that it logs. A thread writes the lines: if the reader of standard error stops
reading, the service continues, and a later line reports how many are missing.
"""

import datetime as dt
import json
import logging
import os
from collections.abc import Sequence

import structlog
from typing_extensions import override

from credence.telemetry.line_writer import LineWriter

_STANDARD_ERROR = 2

_FLUSH_SECONDS = 5.0

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}

_GRANIAN = {"_granian": {"handlers": ["console"], "propagate": False}}

_writers: list[LineWriter] = []


def configure(*, readable: bool, level: str = "info", node: str = "") -> None:
    """Set up logging for this process, from `level` upwards; `readable` means text for a terminal instead of JSON.

    `node` is the name of this node, which is added to every line unless it is empty.
    """
    flush()

    def name_node(_logger: object, _method: str, fields: structlog.typing.EventDict) -> structlog.typing.EventDict:
        return {**fields, "node": node} if node else fields

    lines = LineWriter(_write, lambda count: _lost(count, node, readable=readable))
    _writers[:] = [lines]
    renderer: structlog.typing.Processor
    renderer = structlog.dev.ConsoleRenderer(colors=False) if readable else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            name_node,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=lambda *_: _Queued(lines),
        cache_logger_on_first_use=True,
    )


os.register_at_fork(after_in_child=_writers.clear)
"""A forked process does not have the thread that writes; it configures its own log."""


def event(name: str, **fields: object) -> None:
    """Log one event with its fields."""
    structlog.get_logger().info(name, **fields)


def warning(name: str, **fields: object) -> None:
    """Log an event that should be investigated."""
    structlog.get_logger().warning(name, **fields)


def error(name: str, **fields: object) -> None:
    """Log an event on which an operator must act."""
    structlog.get_logger().error(name, **fields)


def log_unexpected(error: BaseException, **fields: object) -> None:
    """Log an unexpected error with its traceback. The client gets only the request id."""
    structlog.get_logger().error("internal_error", exc_info=error, **fields)


def store_unavailable(error: BaseException, **fields: object) -> None:
    """Log that the store is unavailable, and why. It is not a programming error, so there is no traceback (threats F2)."""
    structlog.get_logger().error("store_unavailable", fault=str(error), **fields)


def flush() -> None:
    """Wait until all lines have been written, before the process exits."""
    for lines in _writers:
        lines.flush(_FLUSH_SECONDS)


class _Queued:
    """The logger that structlog writes to, with a method for each level in use."""

    def __init__(self, lines: LineWriter) -> None:
        self._lines = lines

    def info(self, message: str) -> None:
        self._lines.put(f"{message}\n".encode())

    warning = error = info


def _write(lines: Sequence[bytes]) -> None:
    rest = memoryview(b"".join(lines))
    while rest:
        rest = rest[os.write(_STANDARD_ERROR, rest) :]


def _lost(count: int, node: str, *, readable: bool) -> bytes:
    fields = {"event": "log_lines_lost", "level": "error"} | ({"node": node} if node else {}) | {"lines": count}
    text = f"{count} lines of the log are missing here" if readable else json.dumps(fields)
    return f"{text}\n".encode()


class ServerFormatter(logging.Formatter):
    """Formats the lines of the HTTP server and of libraries, for example about a killed worker, like our own lines."""

    def __init__(self, *, node: str) -> None:
        super().__init__()
        self._node = node

    @override
    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON; a traceback is one of its members."""
        at = dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat().replace("+00:00", "Z")
        fields = {"event": "server", "message": record.getMessage(), "level": record.levelname.lower(), "timestamp": at}
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields | ({"node": self._node} if self._node else {}))


def server_logging(*, readable: bool, node: str) -> dict[str, object]:
    """Return the configuration of `logging` (`logging.config.dictConfig`) for the HTTP server and for libraries.

    They write their lines in the form of our own, libraries from warnings upwards.
    """
    formatter: dict[str, object] = {"()": "logging.Formatter", "fmt": "[%(levelname)s] %(message)s"}
    if not readable:
        formatter = {"()": f"{__name__}.{ServerFormatter.__name__}", "node": node}
    console = {"formatter": "generic", "class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
    root = {"handlers": ["console"], "level": "WARNING"}
    return {"formatters": {"generic": formatter}, "handlers": {"console": console}, "loggers": _GRANIAN, "root": root}
