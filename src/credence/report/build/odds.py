"""Expresses a probability of failure in comparable words: 0.13% is 1 in 770, a quarter of the national rate."""

from functools import lru_cache

_PARTS = (
    (1 / 10, "a tenth"),
    (1 / 8, "an eighth"),
    (1 / 5, "a fifth"),
    (1 / 4, "a quarter"),
    (1 / 3, "a third"),
    (1 / 2, "half"),
    (2 / 3, "two thirds"),
    (3 / 4, "three quarters"),
)
"""Share of the national rate, and its words."""

_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}


@lru_cache(maxsize=256)
def in_words(probability: float, national: float) -> str:
    """Return a probability between 0 and 1 as "1 in 770", compared with the national rate of failure.

    The result is cached, because there are only about a hundred scores.
    """
    return f"1 in {_two_figures(1 / probability):,}, {_compared(probability / national)} the national rate"


def _compared(ratio: float) -> str:
    if ratio < _PARTS[0][0] * 0.9:
        return f"1/{_two_figures(1 / ratio):,} of"
    if ratio < 0.85:
        words = min(_PARTS, key=lambda part: abs(part[0] - ratio))[1]
        return words if words == "half" else f"{words} of"
    if ratio <= 1.15:
        return "about"
    whole = round(ratio)
    if whole in _TIMES and abs(ratio - whole) <= 0.15 * whole:
        return _TIMES[whole]
    return f"{ratio:.1f} times" if ratio < 10 else f"{_two_figures(ratio):,} times"


def _two_figures(value: float) -> int:
    return int(float(f"{value:.2g}"))
