"""The only constructor: settings -> store, keys, guards -> ASGI application."""

import asyncio
from collections.abc import Callable
from functools import lru_cache

from credence import __version__, paths
from credence.clock import Clock, system_clock
from credence.credit.holdings import Holdings
from credence.credit.page.origins import Contact
from credence.credit.pages import Pages
from credence.credit.register_in_service import RegisterInService
from credence.credit.reports import Reports
from credence.credit.search.threads import Searches
from credence.crypto.digest import keyed_digest
from credence.guard.caller import CallerPrefixes
from credence.guard.spike import Counters, Key, LocalCounters, SpikeArrest
from credence.guard.spike_limits import SpikeLimits
from credence.http.asgi import AsgiApplication
from credence.identity.guesses import GuessLimits
from credence.identity.password_check import PasswordCheck
from credence.oauth.authority import Authority, ReadKeks
from credence.oauth.keys import load_key_ring, tend_keys
from credence.oauth.secrets import Secrets, load_secrets
from credence.sandbox.companies import INVENTED
from credence.service import Service
from credence.settings import METRICS_HOST, Environment, Settings
from credence.store.contract import Store
from credence.store.mirror import Mirror
from credence.store.sqlite import SqliteStore
from credence.telemetry.audit import AuditTrail
from credence.telemetry.audit_files import AuditFiles
from credence.telemetry.log import event, surprise
from credence.telemetry.loop_lag import LoopLag

LOOK_EVERY = 1
"""Seconds between two looks at the change log that nothing announced: a process may die between commit and bell."""

SWEEP_EVERY = 10
"""Seconds between two looks for rows that nothing can depend on any more and for keys that are due."""

SWEEP_MARGIN = 600_000
"""Milliseconds for which the expired is kept, so that a clock that steps back revives nothing (threats I2, T11)."""

SWEEP_MOST = 10_000
"""Rows freed at a time: short enough not to hold up the writes beside it."""


def application(settings: Settings, read_keks: ReadKeks, clock: Clock = system_clock) -> AsgiApplication:
    """Return the application; its store is opened when the server starts it, in the process that serves."""
    chores: list[asyncio.Task[None]] = []
    endings: list[Callable[[], None]] = []

    async def start() -> Service:
        service = await open_service(settings, open_store(settings), read_keks, clock)
        service.audit.record("started", clock(), version=__version__)
        chores.extend(asyncio.create_task(chore(service)) for chore in (_look_at_the_log, _sweep))
        if settings.metrics_port:
            lag = LoopLag()
            chores.append(asyncio.create_task(lag.measure()))
            endings.append(_tell_metrics(service, lag))
        return service

    async def stop(service: Service) -> None:
        for chore in chores:
            chore.cancel()
        for end in endings:
            await asyncio.to_thread(end)
        await close_service(service)

    return AsgiApplication(start, stop)


def open_store(settings: Settings) -> SqliteStore:
    """Open the store of these settings; StoreUnavailable when it cannot be."""
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    return SqliteStore(settings.store_file)


async def open_service(settings: Settings, store: Store, read_keks: ReadKeks, clock: Clock) -> Service:
    """Put the parts together; Unsealable under the wrong key-encryption key."""
    now, keks = clock(), read_keks()
    await tend_keys(store, keks, settings, now)
    holdings = Holdings(settings.credit_folder)
    secrets, mirror = await load_secrets(store, keks, settings.environment), Mirror(store)
    limits = GuessLimits(
        secrets.digest, settings.password_failures_per_address, settings.password_failures_per_application
    )
    authority = Authority(
        settings=settings,
        store=store,
        mirror=mirror,
        keks=keks,
        read_keks=read_keks,
        secrets=secrets,
        ring=await load_key_ring(store, keks, now),
        passwords=PasswordCheck(store, mirror, limits, settings.password_profile, settings.password_memory),
    )
    await authority.follow(now)
    shared = await open_counters(settings, secrets)
    files = AuditFiles(settings.audit_folder, settings.audit_file_size, settings.audit_files)
    return Service(
        settings=settings,
        clock=clock,
        authority=authority,
        holdings=holdings,
        reports=Reports(holdings, INVENTED if settings.environment is Environment.SANDBOX else None),
        pages=Pages(Contact(settings.support_email, f"{settings.issuer}{paths.MODEL_CARD}")),
        searches=Searches(lambda: RegisterInService(settings.credit_folder), lambda: Holdings(settings.credit_folder)),
        audit=AuditTrail(files, settings.environment),
        spikes=SpikeArrest(LocalCounters(), shared),
        limits_of_spikes=SpikeLimits(
            application=(settings.spike_per_minute, settings.spike_burst),
            account=(settings.spike_account_per_minute, settings.spike_account_burst),
            address=(settings.spike_address_per_minute, settings.spike_address_burst),
        ),
        prefixes=CallerPrefixes(settings.trusted_proxies),
    )


async def open_counters(settings: Settings, secrets: Secrets) -> Counters | None:
    """Reach for the counters that nodes share; None when the settings name none. Being away is no reason not to start."""
    if not settings.counters_url:
        return None
    # Imported here: it is a tenth of a second and some megabytes that most deployments need not spend.
    from credence.guard.spike_shared import SharedCounters

    def name_of(kind: str, key: Key) -> str:
        octets = key.encode() if isinstance(key, str) else key
        return f"credence:spike:{keyed_digest(secrets.digest, 'spike counter', kind.encode(), octets)[:16].hex()}"

    def changed(fault: str | None) -> None:
        if fault is None:
            event("counters_shared_again")
        else:
            event("counters_away", fault=fault, counting="locally")

    shared = SharedCounters(settings.counters_url, lru_cache(maxsize=8192)(name_of), changed)
    await shared.open()
    return shared


async def close_service(service: Service) -> None:
    """Finish what was accepted and let go of everything."""
    await service.authority.passwords.close()
    await service.spikes.close()
    await service.authority.store.close()
    service.searches.close()
    service.pages.close()
    service.holdings.close()
    service.audit.close()


def _tell_metrics(service: Service, lag: LoopLag) -> Callable[[], None]:
    """Tell whoever asks on the port of this worker, the first that is free, and return how to stop."""
    # Imported here, like the shared counters: most deployments need neither.
    from credence.telemetry.metrics import Watched, listen

    figures = (
        Watched(
            "credence_counters_up", "1 while nodes count together, 0 while they cannot.", lambda: service.spikes.shared
        ),
        Watched("credence_password_queue", "Callers that wait for a password to be hashed.", lambda: passwords.waiting),
        Watched(
            "credence_audit_lines_lost", "Lines missing in the audit trail.", lambda: service.audit.lost, total=True
        ),
        Watched("credence_event_loop_lag_seconds", "How late turns came, in all.", lambda: lag.seconds, total=True),
        Watched("credence_event_loop_turns", "Turns whose lateness was added up.", lambda: lag.turns, total=True),
    )
    passwords = service.authority.passwords
    end = listen(METRICS_HOST, service.settings.metrics_ports, service.counts, figures)
    if end is None:
        event("metrics_unavailable", port=service.settings.metrics_port)
        return lambda: None
    return end


async def _look_at_the_log(service: Service) -> None:
    while True:
        await asyncio.sleep(LOOK_EVERY)
        try:
            await service.authority.mirror.follow(anyway=True)
        except Exception as error:  # noqa: BLE001 - a chore that fails today is tried again
            surprise(error)


async def _sweep(service: Service) -> None:
    """Free space for as long as the service runs. It decides nothing: expiry is judged at each read (threats L11)."""
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        now = service.clock()
        try:
            service.authority.mirror.forget_expired(now - SWEEP_MARGIN)
            await service.authority.store.sweep(now - SWEEP_MARGIN, SWEEP_MOST)
            await tend_keys(service.authority.store, service.authority.keks, service.settings, now)
        except Exception as error:  # noqa: BLE001 - a chore that fails today is tried again
            surprise(error)
