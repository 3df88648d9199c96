"""The gauges and counters that a running service exports to Prometheus (threats E1)."""

import asyncio
import datetime as dt
from collections.abc import Callable
from functools import partial

from credence.background.sweeping import Sweeper
from credence.service import Service
from credence.settings import METRICS_HOST
from credence.telemetry.audit_files import DEEDS, REFUSALS, since
from credence.telemetry.log import event

LAG_SAMPLE_SECONDS = 0.5


class EventLoopLag:
    """Adds up by how much the event loop delays a timer: the time that slow callbacks cost every request."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.samples = 0

    async def measure(self) -> None:
        """Take samples until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_SAMPLE_SECONDS
            await asyncio.sleep(LAG_SAMPLE_SECONDS)
            self.seconds += max(0.0, loop.time() - due)
            self.samples += 1


def serve_metrics(service: Service, lag: EventLoopLag, sweeper: Sweeper) -> Callable[[], None] | None:
    """Serve metrics on the first free one of the metrics ports and return how to stop; log and return None without one."""
    # Imported here: most deployments export no metrics.
    from credence.telemetry.metrics import Watched, listen

    limiter, passwords, audit = service.rate_limiter, service.authority.passwords, service.audit
    cache, store = service.authority.revocation_cache, service.authority.store
    clock = asyncio.get_running_loop().time
    figures = (
        Watched(
            "credence_revocation_state_age_seconds",
            "Time since the change log was last read completely.",
            cache.staleness_seconds,
        ),
        Watched(
            "credence_store_clock_offset_seconds",
            "How far the store's clock is ahead of this machine's.",
            lambda: store.clock_offset() / 1000,
        ),
        Watched(
            "credence_shared_counters_up",
            "1 while the shared rate limit counters are in use, 0 while they are unavailable.",
            lambda: limiter.shared_available,
        ),
        Watched("credence_password_queue_length", "Logins that wait for a hashing thread.", lambda: passwords.waiting),
        Watched("credence_audit_lines_lost", "Lines missing in the audit trail.", lambda: audit.lost, total=True),
        *(
            Watched(name, f"How far back the {what} reach.", partial(_age_seconds, service, trail))
            for name, what, trail in (
                ("credence_audit_trail_age_seconds", "acts of the audit trail", DEEDS),
                ("credence_refusal_trail_age_seconds", "refusals of the audit trail", REFUSALS),
            )
        ),
        Watched(
            "credence_sweep_lag_seconds",
            "Time since all expired rows had been deleted.",
            lambda: sweeper.lag_seconds(clock()),
        ),
        Watched("credence_event_loop_lag_seconds", "Total delay of timers.", lambda: lag.seconds, total=True),
        Watched("credence_event_loop_samples", "Timers whose delay was added.", lambda: lag.samples, total=True),
    )
    stop = listen(METRICS_HOST, service.settings.metrics_ports, service.counts, figures)
    if stop is None:
        event("metrics_unavailable", port=service.settings.metrics_port)
    return stop


def _age_seconds(service: Service, trail: str) -> float | None:
    oldest = since(service.settings.audit_folder, trail)
    return None if oldest is None else service.clock() / 1000 - dt.datetime.fromisoformat(oldest).timestamp()
