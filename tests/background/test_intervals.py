"""Refusals are shared once a second, blocks of the request log every five seconds: neither has the interval of the other."""

from collections.abc import Coroutine, Iterable
from typing import Any

from credence.background.clock_watch import ClockWatch
from credence.background.tasks import _logging, _sharing
from credence.request_log.waiting import Waiting
from tests.deployment import OpenDeployment


def intervals(tasks: Iterable[Coroutine[Any, Any, None]]) -> dict[str, float]:
    """Return for each function the seconds between its calls; the tasks are closed before they begin."""
    found = {}
    for task in tasks:
        repeated = task.cr_frame.f_locals  # type: ignore[attr-defined]
        found[repeated["task"].__qualname__.split(".")[0]] = repeated["seconds"]
        task.close()
    return found


async def test_refusals_are_shared_every_second_and_requests_every_five(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    service = (await open_deployment(store=migrated_postgres)).service
    _notes, sharing, _leave = _sharing(service)
    stop, logging = _logging(service, Waiting(()), ClockWatch(service.clock))
    assert intervals(sharing) == {"NodeNotes": 2.0, "refusal_sharing": 1.0}
    assert intervals(logging) == {"_logging": 1.0, "request_sharing": 5.0}
    await stop()
