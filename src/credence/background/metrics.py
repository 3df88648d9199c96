"""Which figures of a running service are told to Prometheus, and where (threats E1)."""

import asyncio
from collections.abc import Callable

from credence.background.loop_lag import LoopLag
from credence.background.sweeping import Sweeper
from credence.service import Service
from credence.settings import METRICS_HOST
from credence.telemetry.log import event


def serve_metrics(service: Service, lag: LoopLag, sweeper: Sweeper) -> Callable[[], None] | None:
    """Tell whoever asks on the port of this worker, the first that is free, and return how to stop; None without one."""
    # Imported here: most deployments tell none.
    from credence.telemetry.metrics import Watched, listen

    limiter, passwords, audit = service.rate_limiter, service.authority.passwords, service.audit
    revocation_cache, store = service.authority.revocation_cache, service.authority.store
    clock = asyncio.get_running_loop().time
    figures = (
        Watched(
            "credence_revocation_state_age_seconds",
            "How long ago the change log was heard.",
            revocation_cache.staleness_seconds,
        ),
        Watched(
            "credence_store_clock_offset_seconds",
            "How far the store's clock is ahead.",
            lambda: store.clock_offset() / 1000,
        ),
        Watched(
            "credence_shared_counters_up",
            "1 while nodes count together, 0 while they cannot.",
            lambda: limiter.shared_available,
        ),
        Watched(
            "credence_password_queue_length",
            "Callers that wait for a password to be hashed.",
            lambda: passwords.waiting,
        ),
        Watched("credence_audit_lines_lost", "Lines missing in the audit trail.", lambda: audit.lost, total=True),
        Watched("credence_sweep_lag_seconds", "Since nothing was left to free.", lambda: sweeper.behind(clock())),
        Watched("credence_event_loop_lag_seconds", "How late turns came, in all.", lambda: lag.seconds, total=True),
        Watched("credence_event_loop_samples", "Turns whose lateness was added up.", lambda: lag.turns, total=True),
    )
    stop = listen(METRICS_HOST, service.settings.metrics_ports, service.counts, figures)
    if stop is None:
        event("metrics_unavailable", port=service.settings.metrics_port)
    return stop
