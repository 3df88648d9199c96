"""The answer of a backtest as values, which `answer.json` has and the page shows."""

import datetime as dt

import msgspec

from credence.backtest.calibration import Calibration
from credence.backtest.discrimination import Area, Capture, Difference

LEAST_FAILURES = 20
"""With fewer failures than this, the answer says that it shows little."""


class Left(msgspec.Struct, frozen=True):
    """Companies whose outcome the files do not tell, and what it could change at most."""

    unresolved: int
    """Left the register for an unknown reason, or have a status there whose meaning is not known."""
    unknown_liquidations: int
    """In liquidation, and no notice or case says whether it is solvent; the main figures count them as failed."""
    least_rate: float
    greatest_rate: float
    """The failure rate if none, and if all of both kinds failed."""
    least_auc: float | None
    greatest_auc: float | None


class Group(msgspec.Struct, frozen=True):
    """The companies of one value of a property."""

    name: str
    companies: int
    failed: int
    expected: float
    observed: float
    low: float
    high: float
    area: Area


class Rival(msgspec.Struct, frozen=True):
    """Another way to rank companies, on the companies for which it gives a value."""

    name: str
    area: Area
    ours: Area
    """Of the score on the same companies."""
    difference: Difference | None
    """The area of the score less that of the rival."""
    why_not: str = ""
    """Why it gives no value to any company."""


class Drift(msgspec.Struct, frozen=True):
    """How far the values of one input differ from those of the data that its points were fitted to."""

    code: str
    companies: int
    index: float
    """Population stability index (`scoring.runs.figures`)."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """All measures of one backtest."""

    model: str
    """Version, and the first 12 digits of the hash."""
    at: dt.date
    until: dt.date
    months: int
    files: dict[str, tuple[str, ...]]
    """What was read -> names of the files."""
    companies: int
    """In the register on the day."""
    excluded: dict[str, int]
    """Reason -> companies that had no score, or had failed."""
    outcomes: dict[str, int]
    """Kind of outcome -> scored companies."""
    failures_by_month: dict[str, int]
    """Month -> failures with a known day in it."""
    area: Area
    """Failed against survived. Companies dissolved without insolvency, converted or wound up solvent are in neither."""
    area_with_other_ends: Area
    """Failed against all others that are resolved: those ends count as not failed."""
    area_of_dissolution: Area
    """Dissolved without insolvency against survived: what the score says of an end that it does not predict."""
    groups: int
    """Corporate groups with two or more of the companies; 0 if no persons with control were given."""
    left: Left
    calibration: Calibration | None
    captures: tuple[Capture, ...]
    breakdowns: dict[str, tuple[Group, ...]]
    rivals: tuple[Rival, ...]
    drift: tuple[Drift, ...]
    caveats: tuple[str, ...]
