"""The gauges and counters that a running service exports to Prometheus (threats E1)."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from credence.background.clock_watch import ClockWatch
from credence.background.node_notes import NodeNotes
from credence.background.sweeping import Sweeper
from credence.clock import day_start
from credence.datasets import catalogue
from credence.datasets.catalogue import CatalogueDamaged
from credence.monitoring.comparison import Comparer
from credence.monitoring.loaded import read_mark
from credence.service import Service
from credence.store.deliveries import Backlog
from credence.telemetry.audit_files import DEEDS, REFUSALS, since

LAG_SAMPLE_SECONDS = 0.5

READINESS_SECONDS = 5.0
"""Seconds between two readiness checks for the gauge."""


class Readiness:
    """The last result of the readiness check (`/readyz`), for the gauge."""

    def __init__(self, check: Callable[[], Awaitable[bool]]) -> None:
        self._check = check
        self.ready: bool | None = None

    async def watch(self) -> None:
        """Repeat the check until cancelled."""
        while True:
            self.ready = await self._check()
            await asyncio.sleep(READINESS_SECONDS)


class EventLoopLag:
    """Sums the delays of a timer of the event loop: the time that slow callbacks cost every request."""

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


class OutboxWatch:
    """The counts of the outbox for its gauges; nothing without outgoing calls and without a mail relay."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.backlog: Backlog | None = None

    async def look(self) -> None:
        """Read the counts from the store."""
        if self._service.outgoing is not None or self._service.settings.mail_relay:
            self.backlog = await self._service.authority.store.backlog()

    def counts(self) -> dict[str, float] | None:
        """Return how many deliveries wait and how many were given up."""
        found = self.backlog
        return None if found is None else {"waiting": found.waiting, "given_up": found.given_up}

    def lag_seconds(self) -> float | None:
        """Return for how many seconds the longest-waiting delivery has been due; 0 if none is due."""
        if self.backlog is None:
            return None
        due = self.backlog.oldest_due_at
        return 0.0 if due is None else max(0.0, (self._service.clock() - due) / 1000)


class HeldWatch:
    """The number of monitoring rules that are held for the operator, for its gauge."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.rules: int | None = None

    async def look(self) -> None:
        """Read the number from the store."""
        _, mark = await read_mark(self._service.authority.store)
        self.rules = len(mark.held)


class Parts(NamedTuple):
    """The parts of the background work that have figures."""

    lag: EventLoopLag
    sweeper: Sweeper
    readiness: Readiness
    outbox: OutboxWatch
    held: HeldWatch
    comparer: Comparer
    clock: ClockWatch
    notes: NodeNotes | None
    """None without a shared store."""


def offer_metrics(service: Service, parts: Parts, path: Path) -> Callable[[], None]:
    """Offer the metrics of this worker to the first process of the node, on the socket at `path`.

    Returns the function that stops this.
    """
    # Imported here: most deployments export no metrics.
    from credence.telemetry.metrics import Timed, Watched, offer

    limiter, passwords, audit = service.rate_limiter, service.authority.passwords, service.audit
    cache, store = service.authority.revocation_cache, service.authority.store
    clock = asyncio.get_running_loop().time
    figures = (
        Watched("credence_ready", "1 if the worker is ready as /readyz has it.", lambda: parts.readiness.ready),
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
            "credence_clock_leaped",
            "1 since a leap of the clock, until it has run evenly for an hour.",
            lambda: parts.clock.leaped,
        ),
        Watched(
            "credence_key_encryption_key_unreadable",
            "1 while the key-encryption keys cannot be read again, on a node of a shared store.",
            lambda: None if parts.notes is None else parts.notes.fault is not None,
        ),
        Watched(
            "credence_shared_counters_up",
            "1 while the shared rate limit counters are in use, 0 while they are unavailable.",
            lambda: limiter.shared_available,
        ),
        Watched("credence_password_queue_length", "Logins that wait for a hashing thread.", lambda: passwords.waiting),
        Watched("credence_audit_lines_lost", "Lines missing in the audit trail.", lambda: audit.lost, total=True),
        Watched(
            "credence_audit_copies_unavailable",
            "Destinations of copies of the audit trail that receive nothing.",
            lambda: audit.copies.unavailable,
        ),
        Watched(
            "credence_refusals_not_shared",
            "Refusals that only the trail of this node has, because too many waited for the shared store.",
            lambda: audit.shared.dropped if audit.shared is not None else None,
            total=True,
        ),
        *(
            Watched(name, f"How far back the {what} reach.", partial(_age_seconds, service, trail))
            for name, what, trail in (
                ("credence_audit_trail_age_seconds", "acts of the audit trail", DEEDS),
                ("credence_refusal_trail_age_seconds", "refusals of the audit trail", REFUSALS),
            )
        ),
        Watched(
            "credence_signing_key_age_seconds",
            "Time since the key of each algorithm began to sign.",
            partial(_key_ages, service),
            label="algorithm",
        ),
        Watched(
            "credence_data_set_age_seconds",
            "Time since the day of each data set in service.",
            partial(_data_set_ages, service),
            label="source",
        ),
        Watched(
            "credence_data_sets_pending",
            "Data sets of which a newer edition is published than the one on this node.",
            partial(pending_data_sets, service.settings.credit_folder),
        ),
        Watched("credence_backup_age_seconds", "Time since the last backup by command.", partial(_backup_age, service)),
        Watched(
            "credence_store_connections",
            "Connections to a shared store, by use; `waiting` are operations without one.",
            lambda: use._asdict() if (use := store.pool_use) is not None else None,
            label="use",
        ),
        Watched(
            "credence_sweep_lag_seconds",
            "Time since all expired rows had been deleted.",
            lambda: parts.sweeper.lag_seconds(clock()),
        ),
        Watched(
            "credence_outbox_deliveries", "Deliveries in the outbox, by state.", parts.outbox.counts, label="state"
        ),
        Watched(
            "credence_outbox_lag_seconds",
            "For how long the delivery that waits longest has been due.",
            parts.outbox.lag_seconds,
        ),
        Watched(
            "credence_monitoring_held_rules",
            "Rules of monitoring whose events are held for the operator.",
            lambda: parts.held.rules,
        ),
        Watched(
            "credence_monitoring_policies_differ",
            "1 while the worker leaves monitoring to nodes with other policies, or another model, than its own.",
            lambda: parts.comparer.leaves_to_others,
        ),
        Watched(
            "credence_certificate_remaining_seconds",
            "Time until the certificate of this node ends; negative after its end.",
            partial(_certificate_seconds, service),
        ),
        Watched("credence_event_loop_lag_seconds", "Total delay of timers.", lambda: parts.lag.seconds, total=True),
        Watched("credence_event_loop_samples", "Timers whose delay was added.", lambda: parts.lag.samples, total=True),
    )
    durations = (
        Timed("credence_store_seconds", "Time of a transaction of the store.", store.seconds),
        Timed("credence_password_hash_seconds", "Time of a password check in its thread.", passwords.hashing_seconds),
    )
    return offer(path, service.counts, figures, durations)


def _key_ages(service: Service) -> dict[str, float]:
    ring, now = service.authority.ring, service.clock()
    since = {key.kid: key.signs_from for key in ring.planned}
    return {algorithm: (now - since[key.kid]) / 1000 for algorithm, key in ring.signing.items() if key.kid in since}


def _data_set_ages(service: Service) -> dict[str, float] | None:
    """Return the age of each data set in seconds, from the day of its data, or from its load if it has no day."""
    now = service.clock()
    try:
        loaded = catalogue.read(service.settings.credit_folder).sources
    except (CatalogueDamaged, OSError):
        return None
    begins = {source: day_start(each.as_of) if each.as_of else each.loaded_at for source, each in loaded.items()}
    return {source: (now - at) / 1000 for source, at in begins.items()}


def pending_data_sets(folder: Path) -> int | None:
    """Return of how many data sets a newer edition is published than is here; None if the catalogue cannot be read."""
    try:
        return len(catalogue.read(folder).pending)
    except (CatalogueDamaged, OSError):
        return None


def _backup_age(service: Service) -> float | None:
    try:
        return service.clock() / 1000 - service.settings.backup_time_file.stat().st_mtime
    except OSError:
        return None


def _certificate_seconds(service: Service) -> float | None:
    until = service.certificate_until
    return None if until is None else (until - service.clock()) / 1000


def _age_seconds(service: Service, trail: str) -> float | None:
    oldest = since(service.settings.audit_folder, trail)
    return None if oldest is None else service.clock() / 1000 - dt.datetime.fromisoformat(oldest).timestamp()
