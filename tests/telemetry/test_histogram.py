"""The latency histogram: bounds as Prometheus has them, and cheap enough for every request."""

from credence.telemetry.histogram import BOUNDS_SECONDS, Histogram


def test_a_bound_is_inclusive_and_what_is_above_all_bounds_is_counted_too() -> None:
    """Prometheus, data model of histograms: `le` is less than or equal."""
    histogram = Histogram()
    for seconds in (0.0001, 0.0005, 0.0006, 10.0, 11.0):
        histogram.observe(seconds)
    found = dict(histogram.cumulative())
    assert (found["0.0005"], found["0.001"], found["5.0"], found["10.0"], found["+Inf"]) == (2, 3, 3, 4, 5)
    assert (histogram.count, round(histogram.seconds, 4)) == (5, 21.0012)
    assert len(found) == len(BOUNDS_SECONDS) + 1
