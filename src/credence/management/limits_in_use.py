"""How close callers are to their rates, and what another rate would have refused, by the log of this node (D16, D30)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from credence.clock import DAY_MS, Milliseconds
from credence.ratelimit.limits import rate_limit
from credence.ratelimit.local_counters import LocalCounters
from credence.request_log.counting import Counted, Refusals, count, count_of, count_refusals
from credence.request_log.query import read_query
from credence.request_log.search import search
from credence.settings import Settings
from credence.store.records import Application

MINUTE_MS = 60_000

MAX_REPLAYED = 20_000
"""Maximum number of requests that a preview of a limit counts again."""

BUDGET_SECONDS = 0.02
"""How long the log is read for one question. A screen has two, and must be answered in a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Effect:
    """How many of the newest requests of an application a rate would have refused."""

    requests: int
    refused: Sequence[int]
    """The number of refused requests, for each of the rates."""
    since: Milliseconds
    """The time of the first of these requests; without requests, the start of the period searched."""
    is_partial: bool
    """Whether the period was cut short, so that older requests of the hour were not read."""


def rate_of(application: Application, settings: Settings) -> int:
    """Return the requests per minute that an application may send; 0 means no limit."""
    own = application.spike_per_minute
    return settings.spike_per_minute if own is None else own


def last_minute(settings: Settings, now: Milliseconds) -> Counted:
    """Return the requests of the last minute by application, account and network. Raises OSError."""
    return count(settings.request_log_file, now - MINUTE_MS, BUDGET_SECONDS)


def last_minute_of(settings: Settings, application: Application, now: Milliseconds) -> Counted:
    """Return the number of requests of an application in the last minute. Raises OSError."""
    return count_of(settings.request_log_file, application.client_id, now - MINUTE_MS, BUDGET_SECONDS)


def refused_today(settings: Settings, now: Milliseconds) -> Refusals:
    """Return the requests of the last day that a rate limit refused, by caller. Raises OSError."""
    return count_refusals(settings.request_log_file, now - DAY_MS, BUDGET_SECONDS)


def newest_request(
    settings: Settings, application: Application, now: Milliseconds
) -> tuple[Milliseconds, Milliseconds]:
    """Return the time of the application's newest request, 0 if none was found, and the start of the period searched.

    The second is 0 if the whole log was searched. Raises OSError.
    """
    query = read_query(f"client:{application.client_id}", now)
    found = search(settings.request_log_file, query, 1, budget=BUDGET_SECONDS)
    return (found.records[0].at if found.records else 0), found.looked_back_to


def effect_of(settings: Settings, application: Application, rates: Sequence[int], now: Milliseconds) -> Effect:
    """Return how many requests of the last hour each of these rates would have refused. Raises OSError.

    Each request counts once, at its time of arrival, regardless of its answer.
    """
    query = read_query(f"client:{application.client_id} since:1h", now)
    found = search(settings.request_log_file, query, MAX_REPLAYED, budget=BUDGET_SECONDS)
    times = sorted(each.at for each in found.records)
    refused = [_refused(times, each, settings.spike_burst) for each in rates]
    since = times[0] if times else max(query.since, found.looked_back_to)
    return Effect(len(times), refused, since, found.next is not None)


def _refused(times: Iterable[Milliseconds], per_minute: int, burst: int) -> int:
    limit = rate_limit("application", per_minute, burst)
    if limit is None:
        return 0
    counters = LocalCounters()
    decisions = [counters.admit([(limit, "")], (), at) for at in times]
    return sum(each is not None and not each.admitted for each in decisions)
