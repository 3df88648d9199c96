"""Waiting for a condition instead of for a time: a slow machine makes such a test slower, not wrong."""

import asyncio
import time
from collections.abc import Callable

import psycopg

LOOK_EVERY_SECONDS = 0.02

LONGEST_PAUSE_SECONDS = 0.25
"""Between two looks that take long themselves, such as a command: they cost what the awaited programs need."""


def wait_until(holds: Callable[[], bool], seconds: float) -> float:
    """Return how many seconds it took until the condition held. Raises AssertionError when it took more than `seconds`."""
    began = looked = time.monotonic()
    while not holds():
        took = time.monotonic() - looked
        assert time.monotonic() - began < seconds, f"not within {seconds} s"
        time.sleep(max(LOOK_EVERY_SECONDS, min(3 * took, LONGEST_PAUSE_SECONDS)))
        looked = time.monotonic()
    return time.monotonic() - began


async def until(holds: Callable[[], bool], seconds: float) -> None:
    """Return when the condition holds. Raises AssertionError when it takes more than `seconds`."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, f"not within {seconds} s"
        await asyncio.sleep(LOOK_EVERY_SECONDS)


async def until_queries_wait(watching: psycopg.Connection, count: int, seconds: float = 1.5) -> None:
    """Return when so many queries on the database wait for a lock, well within the time that a query has."""

    def wait() -> bool:
        found = watching.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).fetchone()
        return found == (count,)

    await until(wait, seconds)
