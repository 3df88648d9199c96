"""A large snapshot is read by several processes; nobody can tell but by the clock (credit §2.2)."""

import csv
import multiprocessing
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from credence.datasets.loading.load import load_register
from credence.datasets.register import RegisterReader
from credence.datasets.sources.source import LoadError
from tests.datasets.snapshots import company, load, snapshot
from tests.datasets.sources.acts import held, load_companies

ROWS = 8_000
"""Of a kilobyte each: more than one process reads by itself."""

SERVES_FOR = 60
"""Seconds within which a process that has nothing left to do must have ended."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot with values of two lines, and here and there a row that cannot be kept."""
    row = company("NUMBER", "NAME LTD", RegAddress_AddressLine1="FIRST\nSECOND", RegAddress_County="X" * 700)
    header, line = snapshot([row]).split("\n", 1)
    numbers = [f"{n:08}" for n in range(ROWS)]
    numbers[7_000], numbers[7_500] = "00000001", "not one"
    file = tmp_path_factory.mktemp("large") / "large.csv"
    file.write_text(header + "\n" + "".join(line.replace("NUMBER", number) for number in numbers), encoding="utf-8")
    return file


def test_every_row_is_accounted_for_in_the_order_of_the_file(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("credence.datasets.loading.register_writing._PROGRESS_ROWS", 1_000)
    seen: set[str] = set()
    summary = load([large], tmp_path / "set", lambda _: seen.update(readers()))
    assert seen
    assert summary.rows == ROWS
    assert summary.kept == ROWS - 2
    with summary.rejects.open(encoding="utf-8", newline="") as stream:
        assert list(csv.reader(stream))[1:] == [
            ["7001", "00000001", "number.duplicate"],
            ["7501", "not one", "number.malformed"],
        ]
    register = RegisterReader(tmp_path / "set")
    for number in ("00000000", "00006999", "00007999"):
        entry = register.entry(number)
        assert entry is not None
        assert entry.office.line_1 == "FIRST SECOND"
    register.close()
    assert readers() == []


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The folder of a register that serves."""
    folder = tmp_path / "data" / "credit"
    folder.parent.mkdir()
    load_companies(folder, "00000001")
    return folder


def test_a_reader_that_dies_ends_the_load_and_the_old_data_set_serves(
    large: Path, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("credence.datasets.loading.register_writing._PROGRESS_ROWS", 1_000)
    killed: list[int | None] = []

    def kill(_: int) -> None:
        for process in multiprocessing.active_children():
            if not killed:
                process.kill()
                killed.append(process.pid)

    with pytest.raises(LoadError, match="ended unexpectedly"):
        load_register([large], old, 1, kill)
    assert killed
    assert readers() == []
    assert held(old, "00000001") is not None
    assert held(old, "00000002") is None


def test_an_interrupted_load_leaves_no_reader_behind(large: Path, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("credence.datasets.loading.register_writing._PROGRESS_ROWS", 1_000)

    def interrupt(_: int) -> None:
        if readers():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_register([large], old, 1, interrupt)
    assert readers() == []


LOADER = """
import multiprocessing, sys
from pathlib import Path
from credence.datasets.loading import register_writing
from credence.datasets.loading.load import load_register

def tell(_):
    children = [child.pid for child in multiprocessing.active_children()]
    if children:
        print(*children, flush=True)
        sys.stdin.read()

if __name__ == "__main__":
    register_writing._PROGRESS_ROWS = 1_000
    load_register([Path(sys.argv[1])], Path(sys.argv[2]), 0, tell)
"""


def test_the_readers_of_a_load_that_is_killed_end_too(large: Path, tmp_path: Path) -> None:
    script = tmp_path / "loader.py"
    script.write_text(LOADER, encoding="utf-8")
    command = [sys.executable, str(script), str(large), str(tmp_path / "set")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as loader:
        assert loader.stdout is not None
        pids = [int(pid) for pid in loader.stdout.readline().split()]
        descriptors = [os.pidfd_open(pid) for pid in pids]
        loader.send_signal(signal.SIGKILL)
        for descriptor in descriptors:
            assert ended(descriptor)
            os.close(descriptor)
    assert pids


def ended(descriptor: int) -> bool:
    """Wait for the end of a process that is not ours; its descriptor becomes readable."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(SERVES_FOR * 1000))


def readers() -> list[str]:
    """The readers of this process that run."""
    return [process.name for process in multiprocessing.active_children()]
