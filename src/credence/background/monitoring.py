"""Keeps the revocation cache in sync and logs, once for each change: stale state, clock difference, damaged credit data."""

from collections.abc import Awaitable, Callable

from credence.clock import date_of
from credence.datasets.credit_data import DAMAGED_FILES
from credence.service import Service
from credence.store.contract import StoreUnavailable
from credence.telemetry.log import error, event, warning
from credence.tls import DAY_MS, WARNING_DAYS, days_left

Task = Callable[[], Awaitable[None]]

CLOCK_DIFFERENCE_MS = 5_000
"""Milliseconds between this machine's clock and the store's above which the difference is logged (threats T11)."""


def revocation_sync(service: Service) -> tuple[Task, Task]:
    """Return a function that reads the change log once, and one that logs whether the cache became stale (threats L9).

    The first may take seconds. They are separate so that a read in progress does not delay the log line.
    """
    cache, fault, was_stale = service.authority.revocation_cache, "no answer", False

    async def sync() -> None:
        nonlocal fault
        for _ in range(2):  # one failed read must not use up the allowed time
            try:
                await cache.sync()
            except StoreUnavailable as error:
                fault = str(error)
            else:
                return

    async def log_state() -> None:
        nonlocal was_stale
        if cache.is_stale() == was_stale:
            return
        was_stale = not was_stale
        if was_stale:
            error("revocation_state_stale", fault=fault)
        else:
            event("revocation_state_current")

    return sync, log_state


def clock_comparison(service: Service) -> Task:
    """Return a function that compares the clocks of machine and store, and logs when they begin or cease to differ.

    They differ if the difference exceeds `CLOCK_DIFFERENCE_MS` (threats T11).
    """
    store, exceeded = service.authority.store, False

    async def compare() -> None:
        nonlocal exceeded
        offset = store.clock_offset()
        if (abs(offset) > CLOCK_DIFFERENCE_MS) != exceeded:
            exceeded = not exceeded
            if exceeded:
                error("clock_difference_too_large", clock_offset_seconds=offset / 1000)
            else:
                event("clock_difference_normal", clock_offset_seconds=offset / 1000)

    return compare


def credit_data_check(service: Service) -> Task:
    """Return a function that checks for damaged credit data and logs each fault once (threats F9)."""
    logged: set[str] = set()

    async def check() -> None:
        found = faults(service)
        for fault in found - logged:
            error("credit_data_unreadable", fault=fault)
        logged.clear()
        logged.update(found)

    return check


def certificate_check(service: Service) -> Task:
    """Return a function that logs, once a day from 21 days before its end, how long the certificate of the node is valid."""
    logged: int | None = None

    async def check() -> None:
        nonlocal logged
        until, now = service.certificate_until, service.clock()
        if until is None or until - now > WARNING_DAYS * DAY_MS or logged == now // DAY_MS:
            return
        logged = now // DAY_MS
        log, name = (warning, "certificate_expires_soon") if until >= now else (error, "certificate_expired")
        log(name, days=days_left(until, now), expires=date_of(until).isoformat())

    return check


def faults(service: Service) -> set[str]:
    """Return the faults of the credit data; each text names the damaged file and the remedy."""
    credit_data = service.credit_data
    try:
        credit_data.company("00000000")
        return {*credit_data.reload_errors, *credit_data.source_errors.values()}
    except DAMAGED_FILES as fault:
        return {str(fault)}
