"""Who may read the memory of a process (threats A11, T13).

A core dump has keys and passwords in clear, and on many machines a program of the system keeps it or sends it on. A process
that is not dumpable (`PR_SET_DUMPABLE`, prctl(2)) makes none, and no other process of its user reads its memory or `/proc`.
"""

import ctypes
import resource
import sys
from collections.abc import Iterable
from contextlib import suppress

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
