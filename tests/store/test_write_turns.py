"""Processes that write one SQLite file take turns (sqlite/write_turns.py)."""

import fcntl
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from credence.store.contract import StoreUnavailable
from credence.store.sqlite.write_turns import LOCK_TIMEOUT_SECONDS, WriteTurns
from tests.waiting import wait_until

PATIENCE = 60.0

HOLD = """
import sys
from pathlib import Path
from credence.store.sqlite.write_turns import WriteTurns
with WriteTurns(Path(sys.argv[1])).turn():
    print("mine", flush=True)
    sys.stdin.read()
"""


def test_who_had_the_turn_waits_for_who_has_waited(tmp_path: Path) -> None:
    order = []
    with closing(WriteTurns(tmp_path / "s")) as here, closing(WriteTurns(tmp_path / "s")) as there:

        def take() -> None:
            with there.turn():
                order.append("there")

        waiter = threading.Thread(target=take)
        with here.turn() as waited:
            assert waited == 0
            waiter.start()
            wait_until(lambda: is_locked(tmp_path / "s-next"), PATIENCE)
            order.append("here")
        with here.turn():
            order.append("here again")
        waiter.join()
    assert order == ["here", "there", "here again"]


def test_a_turn_that_does_not_end_is_not_waited_for_longer_than_a_second(tmp_path: Path) -> None:
    """threats §3; afterwards nothing is left behind, and the next turn comes at once."""
    with closing(WriteTurns(tmp_path / "s")) as here, closing(WriteTurns(tmp_path / "s")) as there:
        with here.turn():
            began = time.monotonic()
            with pytest.raises(StoreUnavailable, match="another process"), there.turn():
                pass
            assert time.monotonic() - began >= LOCK_TIMEOUT_SECONDS
        with here.turn() as waited:
            assert waited == 0
        with there.turn() as waited:
            assert waited == 0


def test_the_turn_of_a_process_that_is_killed_is_free(tmp_path: Path) -> None:
    """threats F1."""
    with closing(WriteTurns(tmp_path / "s")) as here:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path / "s")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"mine\n"
            assert is_locked(tmp_path / "s-turn")
            holder.send_signal(signal.SIGKILL)
            holder.wait(PATIENCE)
        with here.turn() as waited:
            assert waited == 0


def is_locked(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
