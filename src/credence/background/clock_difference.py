"""Says in the log when the clocks of this machine and of the store are apart, and when they agree again (threats T11)."""

from collections.abc import Awaitable, Callable

from credence.service import Service
from credence.telemetry.log import event

APART = 5_000
"""Milliseconds."""


def compare_clocks(service: Service) -> Callable[[], Awaitable[None]]:
    """Return what compares them once and logs what is otherwise than the last time."""
    store, were_apart = service.authority.store, False

    async def compare() -> None:
        nonlocal were_apart
        ahead = store.clock_offset()
        if (abs(ahead) > APART) != were_apart:
            were_apart = not were_apart
            event(
                "clock_difference_too_large" if were_apart else "clock_difference_normal",
                clock_offset_seconds=ahead / 1000,
            )

    return compare
