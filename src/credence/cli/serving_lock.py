"""One server at a time serves a data folder: two would each believe that they alone write to its store."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from credence.cli.failure import Failure

PATIENCE = 5.0
"""Seconds for which a server that is about to end is waited for."""

_PAUSE = 0.1
"""Seconds between two attempts."""


@contextmanager
def serving_alone(data_dir: Path) -> Iterator[IO[str]]:
    """Keep every other server from this data folder and yield the file that does so; Failure while another has it.

    The system ends this with the process, however it dies. A forked process has to close its copy of the file, or it
    keeps the folder after its parent.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir / "serving.lock"
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as lock:
        if not _locked(lock):
            raise Failure(f"Another server serves {data_dir}: stop it, or choose another folder with --data-dir.")
        yield lock


def _locked(lock: IO[str]) -> bool:
    never = threading.Event()  # nobody sets it: it is waited on to let time pass
    for _ in range(max(1, round(PATIENCE / _PAUSE))):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            never.wait(_PAUSE)
        else:
            return True
    return False
