"""The access log: a line for each answer, or only for each error; off by default."""

from collections.abc import Callable
from functools import partial

from credence.request_context import RequestContext
from credence.settings import Settings
from credence.telemetry.log import event
from credence.web.messages.recorded import described

LogAnswer = Callable[[RequestContext, int, float], None]
"""Takes a request, the status of its answer and the seconds that it took."""

FIRST_ERROR = 400


def access_log(settings: Settings) -> LogAnswer | None:
    """Return the function that logs an answer, None if the log is off.

    Called once at start, so that a server without it pays nothing.
    """
    if settings.access_log == "off":
        return None
    return partial(_log, settings, FIRST_ERROR if settings.access_log == "errors" else 0)


def _log(settings: Settings, least_status: int, request: RequestContext, status: int, seconds: float) -> None:
    if status >= least_status:
        event(
            "answered",
            **{name: value for name, value in described(settings, request).items() if value is not None},
            application=request.client_id,
            status=status,
            milliseconds=round(seconds * 1000, 3),
        )
