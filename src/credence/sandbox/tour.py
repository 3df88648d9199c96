"""The companies that a newcomer opens first, each for what its report shows (D24).

Names of real companies are in no file: only their reports have them (`data/README.md`).
"""

from typing import Final, NamedTuple

from credence.sandbox import specimen
from credence.sandbox.invented import companies


class Stop(NamedTuple):
    """A company of the tour and what its report shows."""

    number: str
    shows: str


FIRST: Final = companies.STATES["subsidiary"]
"""The first report of the tour: a score with all its parts, a limit, accounts of two years, and a parent company."""

REAL: Final = "05193579"
"""A real company that is scored: a listed one, by its entry in the register of May 2020 alone."""

_FILED: Final = "01873499"
"""A real company with filed accounts of two years. No status is in a filing, so it is not scored."""

STOPS: Final = (
    Stop(FIRST, "Very low risk, two years of accounts, part of a group"),
    Stop(companies.BANDS["C"], "Medium risk: thin reserves, so no credit is suggested"),
    Stop(companies.BANDS["E"], "High risk: a petition to wind it up"),
    Stop(companies.STATES["judgments"], "County court judgments"),
    Stop(companies.STATES["insolvent"], "In liquidation"),
    Stop(companies.STATES["group"], "A parent with two subsidiaries"),
    Stop(specimen.NUMBER, "Every field that a report can have"),
    Stop(REAL, "A real company, scored by its register entry of May 2020"),
    Stop(_FILED, "A real company with filed accounts, not scored: its status is unknown"),
)
