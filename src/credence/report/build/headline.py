"""`Assessment.Headline`: the band in words, with everything that is held against it (docs/judgement.md).

Where what is unknown may move the score by more than its band is wide, the words begin with the range of bands.
"""

from collections.abc import Iterator, Sequence

from credence.report.build.events import Event, last_failure
from credence.report.schema import headline as wire
from credence.report.schema.assessment import InsolvencyState
from credence.scoring.basis.scale import HIGHEST
from credence.scoring.limit import Band, band_of
from credence.scoring.model import Model
from credence.scoring.reservations.found import reservation
from credence.scoring.reservations.judged import Found
from credence.scoring.reservations.table import Reservation
from credence.scoring.score import Score, ScoringResult

NOT_SCORED = "Not scored"
"""The words in place of a band."""

_MILD = frozenset({"A", "B", "C"})
"""Bands whose words are weaker than "high risk", so that a reservation contradicts them."""


def headline(result: ScoringResult, happened: Sequence[Event], insolvency: InsolvencyState) -> wire.BandInWords | None:
    """Return the member; None for a company without a score and without anything against it."""
    found = held_against(result, happened, insolvency)
    if result.score is None and not found:
        return None
    return wire.BandInWords(
        _words(result, found),
        tuple([wire.Reservation(each.code, each.words, each.sentence, each.amount) for each in found]),
    )


def _words(result: ScoringResult, found: Sequence[Reservation]) -> str:
    score = result.score
    words = NOT_SCORED if score is None else _risk(score, result.model)
    if not found or (score and score.failed):
        return words
    *first, last = (each.words for each in found)
    joined = f"{', '.join(first)}{' and ' if first else ''}{last}"
    if score is None:
        return f"{words}; {joined}"
    return f"{words}, but {joined}" if score.band.band in _MILD else f"{words}: {joined}"


def held_against(
    result: ScoringResult, happened: Sequence[Event], insolvency: InsolvencyState
) -> tuple[Reservation, ...]:
    """Return the reservations, and those about events of insolvency, which only the report knows, in the table's order."""
    table = result.model.reservations
    events = [reservation(table.by_code[code][0], Found({})) for code in _events(happened, insolvency)]
    if not events:
        return result.reservations
    return tuple(sorted([*events, *result.reservations], key=lambda each: table.place[each.code]))


def _events(happened: Sequence[Event], insolvency: InsolvencyState) -> Iterator[str]:
    if insolvency.State == "proceedings":
        yield "PROCEEDINGS"
    if insolvency.State == "petition":
        yield "PETITION"
    if insolvency.State == "none known" and last_failure(happened) is not None:
        yield "INSOLVENCY"


def _risk(score: Score, model: Model) -> str:
    """Return the words of the band, or of the range of bands if the interval is wider than the band."""
    bands = model.terms.bands
    best, worst = band_of(score.high, model.terms), band_of(score.low, model.terms)
    if score.failed or best is worst or score.high - score.low <= _width(score.band, bands):
        return score.band.words
    risk = " risk"
    return f"{best.words.removesuffix(risk)} to {worst.words.lower()} (bands {best.band} to {worst.band})"


def _width(band: Band, bands: Sequence[Band]) -> int:
    """Return the points between the edges of a band."""
    place = bands.index(band)
    above = bands[place - 1].lowest if place else HIGHEST + 1
    return above - band.lowest
