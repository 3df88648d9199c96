"""The pauses between attempts to fetch or change a shared data set that another process or node has at the moment."""

PAUSES_SECONDS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""A small data set is fetched or published in some hundredths of a second."""
