"""The memory that a worker has freed is not resident any longer (docs/adr/speed.md)."""

import platform
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import StartServer

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has a heap for each thread")

HEAP_BYTES = 64 * 1024 * 1024
"""Size and alignment of the address space of a thread's heap in glibc."""

HASH = """
import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from credence.background.heap import return_free_memory, share_one_heap
from credence.crypto.passwords import hash_password

def resident_pages():
    return int(Path("/proc/self/statm").read_text().split()[1])

share_one_heap()
with ThreadPoolExecutor(1) as threads:
    for _ in range(3):  # the first takes its memory from the system alone
        threads.submit(hash_password, "standard", "a password").result()
    before = resident_pages()
    asyncio.run(return_free_memory())
    print((before - resident_pages()) * 4)
"""
"""Hashes passwords in a thread and prints the KiB that were returned afterwards."""


def test_the_memory_of_a_password_hash_is_returned() -> None:
    done = subprocess.run([sys.executable, "-c", HASH], capture_output=True, text=True, timeout=60, check=True)
    assert int(done.stdout) > 0.9 * 19_456


def test_no_thread_of_a_worker_has_a_heap_of_its_own(start_server: StartServer) -> None:
    server = start_server()
    assert server.tokens()
    master = server.process.pid
    (worker,) = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    assert heaps_of_threads(Path(f"/proc/{worker}/maps").read_text()) == []


def heaps_of_threads(maps: str) -> list[str]:
    """Return the first lines of the mappings that glibc makes for a thread's heap: its used part, then the rest."""
    found = []
    for used, rest in pairwise(maps.splitlines()):
        start, middle, *_ = (int(each, 16) for each in re.split(r"[- ]", used)[:2])
        end = int(re.split(r"[- ]", rest)[1], 16)
        anonymous = used.split()[1:] == ["rw-p", "00000000", "00:00", "0"] and rest.split()[1] == "---p"
        if anonymous and start % HEAP_BYTES == 0 and end - start == HEAP_BYTES and middle < end:
            found.append(used)
    return found
