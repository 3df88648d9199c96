"""What is damaged of the credit data is in the log once, and not with every request that meets it (threats F9)."""

from collections.abc import Awaitable, Callable

from credence.datasets.credit_data import DAMAGED_FILES
from credence.service import Service
from credence.telemetry.log import event


def log_new_faults(service: Service) -> Callable[[], Awaitable[None]]:
    """Return what looks for damage and logs that which is new since its last look."""
    told: set[str] = set()

    async def look() -> None:
        found = faults(service)
        for fault in found - told:
            event("credit_data_unreadable", fault=fault)
        told.clear()
        told.update(found)

    return look


def faults(service: Service) -> set[str]:
    """Return everything that is damaged, each with the file and what to do about it."""
    credit_data = service.credit_data
    try:
        credit_data.company("00000000")
        return {*credit_data.reload_errors, *credit_data.source_errors.values()}
    except DAMAGED_FILES as fault:
        return {str(fault)}
