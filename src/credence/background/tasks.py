"""The periodic tasks of a running service. A task that fails is run again at its next time."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from credence.background.clock_watch import ClockWatch
from credence.background.delivering import delivery_engines
from credence.background.heap import TRIM_SECONDS, return_free_memory
from credence.background.metrics import EventLoopLag, HeldWatch, OutboxWatch, Parts, Readiness, offer_metrics
from credence.background.monitoring import certificate_check, clock_comparison, credit_data_check, revocation_sync
from credence.background.node_notes import NodeNotes
from credence.background.sharing import (
    REFUSAL_SHARING_SECONDS,
    REQUEST_SHARING_SECONDS,
    refusal_sharing,
    request_deletion,
    request_sharing,
)
from credence.background.sharing import TRIM_SECONDS as TRIM_REQUESTS_SECONDS
from credence.background.sweeping import Sweeper
from credence.crypto.randomness import random_bytes
from credence.datasets.credit_data import DAMAGED_FILES
from credence.mail.notices import notices_of
from credence.monitoring.comparison import Comparer
from credence.monitoring.data import NodeData
from credence.monitoring.ledger.matching import match_customers
from credence.monitoring.mailing import queue_alert_mails
from credence.monitoring.webhooks.digests import send_digests
from credence.oauth.keys.rotation import rotate_keys
from credence.oauth.signals.delivering import settle_signals
from credence.outbox.engine import DeliveryEngine
from credence.request_log.log_file import LogFile
from credence.request_log.waiting import Waiting
from credence.service import Service
from credence.sign_in.alert_mail import sender_of
from credence.store.contract import StoreUnavailable
from credence.store.nodes import BEAT_SECONDS
from credence.telemetry.log import log_unexpected, store_unavailable
from credence.transport.sockets import INSPECTION_INTERVAL_SECONDS, Sockets, close_expired

SYNC_SECONDS = 1.0
"""Seconds between two reads of the change log, for changes that were not notified: a process may crash after its commit."""

DATA_CHECK_SECONDS = 1.0

KEY_ROTATION_SECONDS = 10.0
"""Seconds between two checks for signing keys that are due, and for expired revocations in the cache."""

TICK_SECONDS = 1.0
"""Seconds between two checks of the deadlines of request bodies and answers in `transport/`."""

CERTIFICATE_SECONDS = 600.0
"""Seconds between two checks of the end of the certificate."""

SWEEP_SECONDS = 10.0
"""Seconds between the end of one sweep of the store and the start of the next."""

READERS_SECONDS = 10.0
"""Seconds between two writes of the report reads: which application read the report on which company."""

OUTBOX_SECONDS = 15.0
"""Seconds between two counts of the outbox, and of the held rules of monitoring, for their gauges."""

COMPARISON_SECONDS = 2.0
"""Seconds between two checks for data that was put in service and for companies that were added to a portfolio."""

SIGNAL_SECONDS = 1.0
"""Seconds between two checks for changes that become signals."""

MATCHING_SECONDS = 1.0
"""Seconds between two checks for customers of ledgers whose companies are to be searched."""

DIGEST_SECONDS = 60.0
"""Seconds between two checks whether the summaries of the day (digests), or the alerts of the morning by mail, are due."""

KEPT_EXPIRED_MS = 3 * 86_400_000
"""Milliseconds for which expired rows are kept.

If a clock is set back, no row is missing that ends a token (threats I2, T11).
"""

Stop = Callable[[], Awaitable[None]]


def start_tasks(service: Service, readiness: Callable[[], Awaitable[bool]], metrics: Path | None = None) -> Stop:
    """Start all tasks and return the function that stops them.

    `readiness` makes the check of /readyz. If `metrics` is given, the worker offers its metrics on the socket at that
    path.
    """
    sweeper, watch = Sweeper(service.authority.store), ClockWatch(service.clock)
    tasks = [
        *(_repeat(SYNC_SECONDS, task) for task in revocation_sync(service)),
        _repeat(KEY_ROTATION_SECONDS, partial(_rotate_keys, service, watch)),
    ]
    tasks.append(_repeat_at_once(SWEEP_SECONDS, partial(_sweep, service, sweeper, watch)))
    tasks.append(_repeat(DATA_CHECK_SECONDS, credit_data_check(service)))
    tasks.append(_repeat(SYNC_SECONDS, clock_comparison(service)))
    tasks.append(_repeat(TICK_SECONDS, partial(_tick, service)))
    tasks.append(_repeat(TRIM_SECONDS, return_free_memory))
    tasks.append(_repeat(READERS_SECONDS, partial(_store_readers, service)))
    settings = service.settings
    data = NodeData(settings.credit_folder, settings.policy_folder, invented=service.reports.invented)
    comparer = Comparer(service.authority.store, data, service.clock, random_bytes(8).hex())
    tasks.append(_repeat(COMPARISON_SECONDS, partial(_compare, comparer)))
    if sys.platform == "linux":
        tasks.append(
            _repeat(INSPECTION_INTERVAL_SECONDS, partial(_close_expired, service, Sockets(service.settings.port)))
        )
    tasks.append(_repeat(SIGNAL_SECONDS, partial(_settle_signals, service)))
    tasks.append(_repeat(MATCHING_SECONDS, partial(_match_customers, service)))
    engines = delivery_engines(service)
    tasks.append(_repeat(DIGEST_SECONDS, partial(_send_digests, service)))
    tasks.append(_repeat(DIGEST_SECONDS, partial(_queue_alert_mails, service)))
    tasks.extend(map(DeliveryEngine.run, engines))
    stop_logging: Stop = _nothing
    if service.request_log is not None:
        stop_logging, logging = _logging(service, service.request_log, watch)
        tasks += logging
    else:
        delete = request_deletion(service.settings.request_log_file, service.authority.store.requests)
        tasks.append(_repeat_at_once(TRIM_REQUESTS_SECONDS, delete))
    stop_following = stop_metrics = None
    if service.certificate_until is not None:
        tasks.append(_repeat_at_once(CERTIFICATE_SECONDS, certificate_check(service)))
    if service.settings.store:
        # Imported here: a node with a SQLite store does not need the PostgreSQL driver.
        from credence.datasets.replication.following import follow_in_thread

        stop_following = follow_in_thread(service.settings.store, service.settings.credit_folder)
    notes, sharing, leave = _sharing(service)
    tasks += sharing
    if metrics is not None:
        lag, ready, outbox, held = EventLoopLag(), Readiness(readiness), OutboxWatch(service), HeldWatch(service)
        tasks += [lag.measure(), ready.watch(), _repeat_at_once(OUTBOX_SECONDS, outbox.look)]
        tasks.append(_repeat_at_once(OUTBOX_SECONDS, held.look))
        parts = Parts(lag, sweeper, ready, outbox, held, comparer, watch, notes)
        stop_metrics = offer_metrics(service, parts, metrics)
    running = [asyncio.create_task(task) for task in tasks]

    async def stop() -> None:
        for task in running:
            task.cancel()
        await asyncio.gather(*map(DeliveryEngine.close, engines))
        with suppress(StoreUnavailable):
            await _store_readers(service)
            await leave()
        await stop_logging()
        for each in (stop_following, stop_metrics, data.close):
            if each is not None:
                await asyncio.to_thread(each)

    return stop


def _sharing(service: Service) -> tuple[NodeNotes | None, list[Coroutine[Any, Any, None]], Stop]:
    """Return the row of a process that shares its store with others, its tasks, and the function to call when it stops."""
    store, queue = service.authority.store, service.audit.shared
    if store.nodes is None or store.refusals is None or queue is None:
        return None, [], _nothing
    notes, share = NodeNotes(service, store.nodes), refusal_sharing(service, queue, store.refusals)

    async def leave() -> None:
        await notes.leave()
        await share()

    return notes, [_repeat_at_once(BEAT_SECONDS, notes.note), _repeat_at_once(REFUSAL_SHARING_SECONDS, share)], leave


def _logging(service: Service, waiting: Waiting, watch: ClockWatch) -> tuple[Stop, list[Coroutine[Any, Any, None]]]:
    """Return the tasks that write the request log of this process and share it, and the function to call when it stops."""
    settings, requests = service.settings, service.authority.store.requests
    shares = requests is not None
    log = LogFile(settings.request_log_file, settings.request_log_megabytes, settings.request_log_days, shares=shares)
    share = request_sharing(service, log, requests, watch) if requests is not None else None

    async def write() -> None:
        taken, deletes_old = waiting.take(), watch.trusted() is not None
        await asyncio.to_thread(log.write, waiting, taken, service.clock(), deletes_old=deletes_old)

    async def stop() -> None:
        await write()
        if share is not None:
            with suppress(StoreUnavailable):
                await share(stops=True)
        await asyncio.to_thread(log.close)

    tasks = [_repeat(TICK_SECONDS, write)]
    return stop, tasks if share is None else [*tasks, _repeat(REQUEST_SHARING_SECONDS, share)]


async def _nothing() -> None:
    pass


async def _repeat(seconds: float, task: Callable[[], Awaitable[None]]) -> None:
    await asyncio.sleep(seconds)
    await _repeat_at_once(seconds, task)


async def _repeat_at_once(seconds: float, task: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await task()
        except StoreUnavailable as error:
            store_unavailable(error)
        except Exception as error:  # noqa: BLE001 - the task is run again at its next time
            log_unexpected(error)
        await asyncio.sleep(seconds)


async def _tick(service: Service) -> None:
    service.bodies.tick()
    service.answers.tick()
    service.audit.tick(service.clock())


async def _store_readers(service: Service) -> None:
    await service.unsaved_reads.store(service.authority.store, service.clock())


async def _compare(comparer: Comparer) -> None:
    with suppress(*DAMAGED_FILES):  # `credit_data_check` logs them
        await comparer.run()


async def _match_customers(service: Service) -> None:
    with suppress(*DAMAGED_FILES):
        await match_customers(service.authority.store, service.searches, service.clock)


async def _send_digests(service: Service) -> None:
    await send_digests(service.authority.store, service.clock())


async def _queue_alert_mails(service: Service) -> None:
    authority = service.authority
    if service.settings.mail_relay:
        await queue_alert_mails(authority.store, sender_of(authority), service.clock())


async def _settle_signals(service: Service) -> None:
    await settle_signals(service.authority, service.clock(), notices_of if service.settings.mail_relay else None)


async def _close_expired(service: Service, sockets: Sockets) -> None:
    settings = service.settings
    await close_expired(sockets, service.answers, settings.trusted_proxies, settings.connections_per_address)


async def _rotate_keys(service: Service, watch: ClockWatch) -> None:
    now, authority = watch.trusted(), service.authority
    await authority.applications.follow(authority.store, authority.revocation_cache)
    await authority.follow_keys(service.clock())  # without requests, only this reads new key-encryption keys
    if now is not None:
        authority.revocation_cache.forget_expired(now - KEPT_EXPIRED_MS)
        await rotate_keys(authority.store, authority.keks, service.settings, authority.applications.algorithms, now)


async def _sweep(service: Service, sweeper: Sweeper, watch: ClockWatch) -> None:
    """Delete expired rows while the clock is trusted. The first run creates partitions at once, before the first login."""
    now = watch.trusted()
    if not watch.leaped:
        await service.authority.store.prepare(service.clock())
    await sweeper.sweep(None if now is None else now - KEPT_EXPIRED_MS)
