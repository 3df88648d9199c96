"""What is known of a watched company now, and the bands it had, kept with its observation.

Rules do not compare it, so it is also right while a rule is held. The screens of a book of thousands of customers read it
instead of making that many reports.
"""

import datetime as dt
from typing import Any

import msgspec

from credence.companies.facts.company import Company
from credence.report.outline import Outline
from credence.scoring.limit import Terms, band_of

SEEN = "seen"
BANDS = "bands"
SECTION = "section"
PARENTS = "parents"
"""The names of the values in an observation."""

KEPT_DAYS = 400
MAX_BANDS = 24


class BandSince(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The first day of a band; an empty band means not scored."""

    day: dt.date
    band: str


class Standing(msgspec.Struct, frozen=True, gc=False):
    """What is known of a company. `seen` is None before the first comparison of complete data."""

    seen: Outline | None = None
    bands: tuple[BandSince, ...] = ()
    """The bands, the earliest first."""
    section: str = ""
    """The letter of the section of SIC 2007; empty if it is unknown."""
    parents: tuple[str, ...] = ()
    """The numbers of the companies that hold the majority of it."""

    def band_on(self, day: dt.date) -> str | None:
        """Return the band on a day, empty if it was not scored; None if that is unknown."""
        return next((each.band for each in reversed(self.bands) if each.day <= day), None)


standing_in = msgspec.msgpack.Decoder(Standing).decode
"""Returns the standing in an encoded observation."""


def past_bands(company: Company, terms: Terms) -> list[list[str]]:
    """Return the bands of earlier scoring runs as an observation has them, the earliest first."""
    past = company.scores.past[:MAX_BANDS] if company.scores else ()
    return [[each.run.isoformat(), band_of(each.score, terms).band] for each in reversed(past)]


def with_bands(old: dict[str, Any], new: dict[str, Any], today: dt.date) -> dict[str, Any]:
    """Return an observation with the bands of the one before, and the present band if it is another one.

    Without an earlier observation they are those of the scoring runs, which `new` has.
    """
    bands: list[list[str]] = list(old.get(BANDS) or new.get(BANDS, ()))
    if SEEN not in new:
        return {**new, BANDS: bands} if bands else new
    band = msgspec.convert(new[SEEN], Outline).band
    if not bands or bands[-1][1] != band:
        bands.append([today.isoformat(), band])
    first = (today - dt.timedelta(days=KEPT_DAYS)).isoformat()
    while len(bands) > MAX_BANDS or (len(bands) > 1 and bands[1][0] <= first):
        del bands[0]
    return {**new, BANDS: bands}
