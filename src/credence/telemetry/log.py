"""One structured line per event on standard error: readable on a terminal, JSON elsewhere (threats A11).

Values are rendered as JSON strings or repr, so no line break or terminal sequence from a caller can forge a line. No field
contains a secret: each call names the fields that it logs. A thread writes the lines: if the reader of standard error stops
reading, the service continues, and a later line reports how many are missing.
"""

import logging
import os
from collections.abc import Sequence

import structlog

from credence.telemetry.line_writer import LineWriter

_STANDARD_ERROR = 2

_FLUSH_SECONDS = 5.0

_writers: list[LineWriter] = []


def configure(*, readable: bool) -> None:
    """Set up logging for this process; `readable` means text for a terminal instead of JSON."""
    flush()
    lines = LineWriter(_write, lambda count: _lost(count, readable=readable))
    _writers[:] = [lines]
    renderer: structlog.typing.Processor
    renderer = structlog.dev.ConsoleRenderer(colors=False) if readable else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: _Queued(lines),
        cache_logger_on_first_use=True,
    )


def event(name: str, **fields: object) -> None:
    """Log one event with its fields."""
    structlog.get_logger().info(name, **fields)


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

    error = info


def _write(lines: Sequence[bytes]) -> None:
    rest = memoryview(b"".join(lines))
    while rest:
        rest = rest[os.write(_STANDARD_ERROR, rest) :]


def _lost(count: int, *, readable: bool) -> bytes:
    text = (
        f"{count} lines of the log are missing here" if readable else f'{{"event": "log_lines_lost", "lines": {count}}}'
    )
    return f"{text}\n".encode()
