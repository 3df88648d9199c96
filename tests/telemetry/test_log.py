"""Standard error with a reader that stops reading (threats A11, F8)."""

import subprocess
import sys

STORY = """
from credence.telemetry import log
log.configure(readable=False)
for number in range(100_000):
    log.event("refused", number=number)
print("done", flush=True)
"""


def test_a_blocked_reader_delays_no_caller_and_gets_the_number_of_missing_lines() -> None:
    """A pipe holds 64 KiB, and the lines are some megabytes."""
    with subprocess.Popen(
        [sys.executable, "-c", f"{STORY}\ninput()\nlog.flush()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"done\n"  # although no line has been read
        _, read = process.communicate(b"\n", timeout=60)
    lines = read.splitlines()
    missing = [line for line in lines if b"log_lines_lost" in line]
    assert process.returncode == 0
    assert len(missing) == 1
    assert len(lines) - 1 + int(missing[0].rpartition(b": ")[2].strip(b"}")) == 100_000
    numbers = [line for line in lines if b"number" in line]
    assert b'"number": 0,' in numbers[0]
