"""Does the processor time of a piece of work grow with the size of its input, or faster? The exponent says it."""

import gc
import math
import time
from collections.abc import Callable, Sequence

SIZES = (2_048, 4_096, 8_192, 16_384, 32_768, 65_536)
"""Octets."""

LEAST = 0.02
"""Seconds of processor time that one figure rests on."""


def seconds_of(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the processor time of one piece of work: the best of several batches, since all noise only adds."""
    count = 1
    while _batch(work, count) < LEAST:
        count *= 2
    return min(_batch(work, count) for _ in range(repeats)) / count


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the slope of the least-squares line through the logarithms: 1 is linear, 2 quadratic."""
    xs, ys = [math.log(size) for size in sizes], [math.log(each) for each in seconds]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - middle_x) ** 2 for x in xs)


def _batch(work: Callable[[], object], count: int) -> float:
    gc.disable()
    try:
        start = time.process_time()
        for _ in range(count):
            work()
        return time.process_time() - start
    finally:
        gc.enable()
