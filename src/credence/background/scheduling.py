"""How the threads of a process take turns on the cores (docs/adr/speed.md).

The server's thread reads requests, the event loop answers them, and the store's thread commits. A thread that begins to run
as soon as it is woken interrupts the one that woke it, and then waits for the interpreter that the interrupted one has. With
the policy `SCHED_BATCH` (sched(7)) it waits until that one pauses or has used its time, so that requests are read, answered
and committed together.
"""

import os
import sys
from contextlib import suppress


def let_threads_finish() -> None:
    """Let no thread of this process interrupt a running one when it is woken. Called before the first thread starts.

    Another policy, chosen by the operator, stays, and so does one that cannot be changed: a sandbox of containers may forbid
    the call or, like gVisor, know one policy only.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            if os.sched_getscheduler(0) == os.SCHED_OTHER:
                os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
