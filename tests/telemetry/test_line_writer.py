"""A thread writes lines in order and reports lost ones (threats F2, A11)."""

import threading
from collections.abc import Sequence

from credence.telemetry.line_writer import LineWriter


def told(count: int) -> bytes:
    return b"%d missing\n" % count


class Paper:
    """Keeps the written lines; can refuse lines or block."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.full = False
        self.going = threading.Event()
        self.going.set()

    def write(self, lines: Sequence[bytes]) -> None:
        self.going.wait()
        if self.full:
            raise OSError(28, "No space left on device")
        self.lines.extend(lines)


def numbered(count: int) -> list[bytes]:
    return [b"%d\n" % number for number in range(count)]


def test_every_line_is_written_once_and_in_order() -> None:
    paper = Paper()
    writer = LineWriter(paper.write, told)
    for line in numbered(5_000):
        writer.put(line)
    assert writer.flush(10)
    assert paper.lines == numbered(5_000)
    writer.close(10)


def test_a_blocked_writer_delays_no_caller_and_lines_beyond_the_bound_are_counted() -> None:
    paper = Paper()
    writer = LineWriter(paper.write, told, max_waiting=10)
    paper.going.clear()
    for line in numbered(1_000):
        writer.put(line)  # returns, although nothing is written
    lost = writer.lost
    assert 1_000 - 11 - 500 <= lost <= 1_000 - 10  # the thread may hold some lines while it waits
    paper.going.set()
    assert writer.flush(10)
    writer.put(b"next\n")
    assert writer.flush(10)
    assert b"%d missing\n" % lost in paper.lines
    assert len([line for line in paper.lines if b"missing" not in line]) == 1_001 - lost
    writer.close(10)


def test_lost_lines_are_reported_when_writing_works_again() -> None:
    """threats F2: the loss is reported, and writing recovers without a restart."""
    paper = Paper()
    faults: list[str | None] = []
    writer = LineWriter(paper.write, told, faults.append)
    paper.full = True
    for line in (b"a\n", b"b\n"):
        writer.put(line)
        assert writer.flush(10)
    assert (writer.fault, writer.lost) == ("No space left on device", 2)
    paper.full = False
    assert writer.flush(10)  # nothing new is needed
    assert paper.lines == [b"2 missing\n"]
    assert writer.fault is None
    writer.put(b"c\n")
    assert writer.flush(10)
    assert paper.lines == [b"2 missing\n", b"c\n"]
    assert faults == ["No space left on device", None]
    writer.close(10)


def test_closing_writes_the_queued_lines() -> None:
    paper = Paper()
    writer = LineWriter(paper.write, told)
    for line in numbered(100):
        writer.put(line)
    writer.close(10)
    assert paper.lines == numbered(100)


def test_a_writer_that_never_wrote_can_be_closed() -> None:
    writer = LineWriter(Paper().write, told)
    assert writer.flush(0)
    writer.close(0)
