"""How close callers are to their rates, and what another rate would have refused, by the log of this node (D16, D30)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address

from credence.access.caller_address import address_prefix
from credence.clock import Milliseconds
from credence.ratelimit.limits import rate_limit
from credence.ratelimit.local_counters import LocalCounters
from credence.request_log.counting import Counted, count
from credence.request_log.query import read_query
from credence.request_log.record import Record
from credence.request_log.search import search
from credence.settings import Settings
from credence.store.records import Application

MINUTE_MS = 60_000

MAX_REPLAYED = 20_000
"""Requests of an application that a preview counts again."""

MAX_REFUSED = 5_000
"""Refusals of a day that are counted by caller."""

BUDGET_SECONDS = 0.03
"""How long the log is read for one of these questions."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a rate would have refused of the newest requests of an application."""

    requests: int
    refused: int
    since: Milliseconds
    """Of the first of these requests."""


def rate_of(application: Application, settings: Settings) -> int:
    """Return the requests per minute that an application may send; 0 for no limit."""
    own = application.spike_per_minute
    return settings.spike_per_minute if own is None else own


def last_minute(settings: Settings, now: Milliseconds) -> Counted:
    """Return the requests of the last minute by application, account and address. Raises OSError."""
    found = count(settings.request_log_file, now - MINUTE_MS, BUDGET_SECONDS)
    networks = Counter[str]()
    for address, requests in found.addresses.items():
        networks[address_prefix(ip_address(address))] += requests
    found.addresses = networks
    return found


def refused_today(settings: Settings, now: Milliseconds) -> tuple[list[Record], bool]:
    """Return the newest requests of a day that a rate refused, and whether there may be more. Raises OSError."""
    query = read_query("reason:spike.* since:1d", now)
    found = search(settings.request_log_file, query, MAX_REFUSED, budget=BUDGET_SECONDS)
    return list(found.records), found.next is not None


def newest_request(
    settings: Settings, application: Application, now: Milliseconds
) -> tuple[Milliseconds, Milliseconds]:
    """Return when the application's newest request came, 0 for none found, and from when on was searched, 0 for all.

    Raises OSError.
    """
    query = read_query(f"client:{application.client_id}", now)
    found = search(settings.request_log_file, query, 1, budget=BUDGET_SECONDS)
    return (found.records[0].at if found.records else 0), found.looked_back_to


def effect_of(settings: Settings, application: Application, per_minute: int, now: Milliseconds) -> Effect:
    """Return what this rate would have refused of the requests of the last hour. Raises OSError.

    Each request counts once, at the time at which it came; its answer does not matter.
    """
    query = read_query(f"client:{application.client_id} since:1h", now)
    found = search(settings.request_log_file, query, MAX_REPLAYED, budget=BUDGET_SECONDS)
    times = sorted(each.at for each in found.records)
    return Effect(len(times), _refused(times, per_minute, settings.spike_burst), times[0] if times else now)


def _refused(times: Iterable[Milliseconds], per_minute: int, burst: int) -> int:
    limit = rate_limit("application", per_minute, burst)
    if limit is None:
        return 0
    counters = LocalCounters()
    decisions = [counters.admit([(limit, "")], (), at) for at in times]
    return sum(each is not None and not each.admitted for each in decisions)
