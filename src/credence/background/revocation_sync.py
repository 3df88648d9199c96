"""Hears the change log, and says in the log of the service when that has ended and when it begins again (threats L9)."""

from collections.abc import Awaitable, Callable

from credence.service import Service
from credence.store.contract import StoreUnavailable
from credence.telemetry.log import event

Act = Callable[[], Awaitable[None]]


def revocation_sync(service: Service) -> tuple[Act, Act]:
    """Return what hears the change log once, which may take seconds, and what logs once if that is otherwise now."""
    revocation_cache, fault, was_silent = service.authority.revocation_cache, "no answer", False

    async def hear() -> None:
        nonlocal fault
        for _ in range(2):  # again at once, so that one answer that is lost does not use up the time there is
            try:
                await revocation_cache.sync()
            except StoreUnavailable as error:
                fault = str(error)
            else:
                return

    async def tell() -> None:
        nonlocal was_silent
        if revocation_cache.is_stale() == was_silent:
            return
        was_silent = not was_silent
        if was_silent:
            event("revocation_state_stale", fault=fault)
        else:
            event("revocation_state_current")

    return hear, tell
