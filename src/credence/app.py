"""The only constructor: settings -> store, keys, guards -> ASGI application."""

import asyncio

from credence import paths
from credence.clock import Clock, system_clock
from credence.credit.holdings import Holdings
from credence.credit.page.origins import Contact
from credence.credit.pages import Pages
from credence.credit.register_in_service import RegisterInService
from credence.credit.reports import Reports
from credence.credit.search.threads import Searches
from credence.http.asgi import AsgiApplication
from credence.identity.password_check import PasswordCheck
from credence.oauth.authority import Authority, ReadKeks
from credence.oauth.keys import load_key_ring, tend_keys
from credence.oauth.secrets import load_secrets
from credence.sandbox.companies import INVENTED
from credence.service import Service
from credence.settings import Environment, Settings
from credence.store.contract import Store
from credence.store.mirror import Mirror
from credence.store.sqlite import SqliteStore
from credence.telemetry.log import surprise

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

    async def start() -> Service:
        service = await open_service(settings, open_store(settings), read_keks, clock)
        chores.extend(asyncio.create_task(chore(service)) for chore in (_look_at_the_log, _sweep))
        return service

    async def stop(service: Service) -> None:
        for chore in chores:
            chore.cancel()
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
    authority = Authority(
        settings=settings,
        store=store,
        mirror=Mirror(store),
        keks=keks,
        read_keks=read_keks,
        secrets=await load_secrets(store, keks, settings.environment),
        ring=await load_key_ring(store, keks, now),
        passwords=PasswordCheck(settings.password_profile, settings.password_memory),
    )
    await authority.follow(now)
    searches = Searches(lambda: RegisterInService(settings.credit_folder), lambda: Holdings(settings.credit_folder))
    reports = Reports(holdings, INVENTED if settings.environment is Environment.SANDBOX else None)
    pages = Pages(Contact(settings.support_email, f"{settings.issuer}{paths.MODEL_CARD}"))
    return Service(settings, clock, authority, holdings, reports, pages, searches)


async def close_service(service: Service) -> None:
    """Finish what was accepted and let go of everything."""
    service.authority.passwords.close()
    await service.authority.store.close()
    service.searches.close()
    service.pages.close()
    service.holdings.close()


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
