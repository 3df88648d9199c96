"""A latency histogram that costs a fraction of a microsecond for each observation, because every request makes one."""

from bisect import bisect_left

BOUNDS_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds, inclusive as in Prometheus. The objectives of `deploy/prometheus` are among them."""


class Histogram:
    """The durations of one kind of work since the start of the process. Several threads may observe."""

    __slots__ = ("buckets", "seconds")

    def __init__(self) -> None:
        self.buckets = [0] * (len(BOUNDS_SECONDS) + 1)
        """Observations by the smallest bound that is not less; the last element counts those above all bounds."""
        self.seconds = 0.0
        """The sum of all observations."""

    def observe(self, seconds: float) -> None:
        """Add one duration."""
        self.buckets[bisect_left(BOUNDS_SECONDS, seconds)] += 1
        self.seconds += seconds

    @property
    def count(self) -> int:
        """The number of observations."""
        return sum(self.buckets)

    def cumulative(self) -> list[tuple[str, float]]:
        """Return each bound, as Prometheus writes it, with the number of observations up to it."""
        found, total = [], 0
        for bound, number in zip((*map(str, BOUNDS_SECONDS), "+Inf"), self.buckets, strict=True):
            total += number
            found.append((bound, float(total)))
        return found
