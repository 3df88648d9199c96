"""One heap for all threads of a process, whose free memory returns to the system (docs/adr/speed.md).

With glibc each thread has a heap of its own, at whose end freed memory stays resident: 20 MB for each thread that has hashed
a password. One heap lends that memory to all threads, and `malloc_trim(3)` returns what none of them uses. Other C libraries
lack `mallopt` and `malloc_trim`; with them nothing is done.
"""

import ctypes

TRIM_SECONDS = 2.0
"""Seconds between two returns of free memory. One takes 0.2 ms, and the next password hash 6 ms more."""

_M_ARENA_MAX = -8
"""The option of `mallopt(3)` for the maximum number of heaps."""

_C_LIBRARY = ctypes.CDLL(None)


def share_one_heap() -> None:
    """Let all threads of this process and of its forks share one heap. Called before the first thread starts."""
    if hasattr(_C_LIBRARY, "mallopt"):
        _C_LIBRARY.mallopt(_M_ARENA_MAX, 1)


async def return_free_memory() -> None:
    """Return the free pages of the heap to the system."""
    if hasattr(_C_LIBRARY, "malloc_trim"):
        _C_LIBRARY.malloc_trim(0)
