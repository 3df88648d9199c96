"""How this process uses memory and cores (docs/adr/speed.md), and who may read its memory (threats A11, T13).

With glibc each thread has a heap of its own, at whose end freed memory stays resident: 20 MB for each thread that has hashed
a password. One heap lends that memory to all threads, and `malloc_trim(3)` returns what none of them uses. Other C libraries
lack `mallopt` and `malloc_trim`; with them nothing is done.

The server's thread reads requests, the event loop answers them, and the store's thread commits. A thread that begins to run
as soon as it is woken interrupts the one that woke it, and then waits for the interpreter that the interrupted one has. With
the policy `SCHED_BATCH` (sched(7)) it waits until that one pauses or has used its time, so that requests are read, answered
and committed together.

A core dump has keys and passwords in clear, and on many machines a program of the system keeps it or sends it on. A process
that is not dumpable (`PR_SET_DUMPABLE`, prctl(2)) makes none, and no other process of its user reads its memory or `/proc`.
"""

import ctypes
import os
import resource
import sys
from collections.abc import Iterable
from contextlib import suppress

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


def let_threads_finish() -> None:
    """Let no thread of this process interrupt a running one when it is woken. Called before the first thread starts.

    Another policy, chosen by the operator, stays, and so does one that cannot be changed: a sandbox of containers may forbid
    the call or, like gVisor, know one policy only.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            if os.sched_getscheduler(0) == os.SCHED_OTHER:
                os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


_PR_SET_DUMPABLE = 4

_MOST_BYTES = 1
"""The size of a core dump of this limit is zero, and unlike with 0 the kernel starts no program for it (core(5))."""


def forbid_dumps() -> None:
    """Let this process and its forks make no core dump, and no other process of the user read their memory."""
    limit_dumps()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def limit_dumps() -> None:
    """Let this process and its forks make no core dump."""
    with suppress(ValueError, OSError):  # a lower limit is fine too
        resource.setrlimit(resource.RLIMIT_CORE, (_MOST_BYTES, _MOST_BYTES))


def shares_output(audit_copies: Iterable[str]) -> bool:
    """Return whether other processes write to the output of this one, as the audit copies of commands in a container do.

    The kernel lets them open it below `/proc` only if this process is dumpable.
    """
    return any(each.startswith("file:///proc/") for each in audit_copies)
