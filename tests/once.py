"""What the processes of one run of the tests make once for all of them: the first that needs it makes it."""

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

SHARED = "TESTS_SHARED_FOLDER"
"""Names the folder of the whole run; `conftest.py` sets it in each of several processes.

Commands refuse a name that begins with CREDENCE_ and is no setting, also those that a test calls in its own process.
"""


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that `make` has filled, which nobody may change. A process that runs tests alone makes its own."""
    folder = _folder() / name
    with (_folder() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)  # of a process that was ended while it made it
            part.mkdir(mode=0o700)
            make(part)
            part.rename(folder)
    return folder


@cache
def _folder() -> Path:
    if SHARED in os.environ:
        return Path(os.environ[SHARED])
    folder = Path(tempfile.mkdtemp(prefix="credence-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
