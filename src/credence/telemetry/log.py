"""One structured line per event on standard error: readable on a terminal, JSON elsewhere (threats A11).

Values are rendered as JSON strings or repr, so no line break or terminal sequence a caller sent can forge a line. There
is no field for a secret: callers name what they log.
"""

import logging
import sys

import structlog


def configure(*, readable: bool) -> None:
    """Set up logging for this process; `readable` is for a person at a terminal."""
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
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def event(name: str, **fields: object) -> None:
    """Log one event with its fields."""
    structlog.get_logger().info(name, **fields)


def surprise(error: BaseException, **fields: object) -> None:
    """Log an error of ours with its traceback; the caller of the service sees only a request id."""
    structlog.get_logger().error("internal_error", exc_info=error, **fields)
