"""Finished reports are at hand byte by byte, compressed or not, in bounded memory (threats A12)."""

import random
import tracemalloc

from credence.report.cache import READ_LATELY, FinishedReports, document

MEGABYTE = 1024 * 1024


def report(number: int, octets: int = 8_000) -> bytes:
    """Return a body of that many octets of which nine tenths are in every other one too."""
    own = random.Random(number).randbytes(octets // 10)
    return b"what every report says ".ljust(octets - len(own), b".") + own


def test_a_report_comes_back_byte_by_byte_however_many_others_were_read_since() -> None:
    finished = FinishedReports(MEGABYTE)
    bodies = {str(number): report(number) for number in range(200)}
    for number, body in bodies.items():
        finished.put(number, document(body))
    for number, body in bodies.items():
        assert finished.get(number) == document(body)


def test_a_report_like_no_other_and_one_longer_than_the_memory_come_back() -> None:
    finished = FinishedReports(MEGABYTE)
    alone, long = random.Random(1).randbytes(9_000), report(2, octets=2 * MEGABYTE)
    finished.put("alone", document(alone))
    finished.put("long", document(long))
    for number in range(100):
        finished.put(str(number), document(report(number)))
    assert finished.get("alone") == document(alone)
    assert finished.get("long") == document(long)


def test_what_was_not_read_for_longest_is_dropped() -> None:
    finished = FinishedReports(MEGABYTE)
    for number in range(1_000):
        finished.put(str(number), document(report(number)))
        assert finished.get("0") is not None
    assert finished.get("1") is None


def test_a_compressed_report_that_is_read_again_soon_is_plain() -> None:
    finished = FinishedReports(MEGABYTE)
    for number in range(200):
        finished.put(str(number), document(report(number)))
    assert finished.get("0") is not finished.get("0")  # decompressed for each of its first two reads
    assert finished.get("0") is finished.get("0")


def test_a_compressed_report_that_is_read_again_after_many_others_stays_compressed() -> None:
    finished = FinishedReports(4 * MEGABYTE)
    numbers = [str(number) for number in range(3 * READ_LATELY)]
    for number in numbers:
        finished.put(number, document(report(int(number))))
    compressed = numbers[: 2 * READ_LATELY + 2]
    for number in compressed * 2:
        assert finished.get(number) == document(report(int(number)))
    assert finished.get("0") is not finished.get("0")


def test_the_memory_is_bounded() -> None:
    finished = FinishedReports(MEGABYTE)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(1_000):
            finished.put(str(number), document(report(number)))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 1.25 * MEGABYTE


def test_after_the_data_has_changed_none_is_at_hand() -> None:
    finished = FinishedReports(MEGABYTE)
    for number in range(200):
        finished.put(str(number), document(report(number)))
    finished.clear()
    assert not any(finished.get(str(number)) for number in range(200))
