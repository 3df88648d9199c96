"""Expresses a probability of failure in comparable words: of 1,000 such companies 6 fail within a year."""

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
    """Return a probability between 0 and 1 as failures among 1,000 companies, compared with the national rate of failure.

    The result is cached, because there are only about a hundred scores.
    """
    number = round(probability * 1000)
    fail = f"{number} {'fails' if number == 1 else 'fail'}" if number else "fewer than 1 fails"
    one_in = f"1 in {_two_figures(1 / probability):,}"
    compared = f"{_compared(probability / national)} the national rate"
    return f"of 1,000 such companies {fail} within a year ({one_in}), {compared}"


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
