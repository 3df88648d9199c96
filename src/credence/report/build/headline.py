"""`Assessment.Headline`: the band in words, with everything that is held against it (docs/judgement.md).

Where what is unknown may move the score by more than its band is wide, the words begin with the range of bands.
"""

from collections.abc import Iterator, Sequence

from credence.report.build.alerts import AlertFacts
from credence.report.schema import headline as wire
from credence.report.schema.assessment import InsolvencyState
from credence.scoring.basis.scale import HIGHEST
from credence.scoring.limit import Band, band_of
from credence.scoring.model import Model
from credence.scoring.reservations.found import reservation
from credence.scoring.reservations.judged import Found
from credence.scoring.reservations.table import Reservation
from credence.scoring.score import Score

_MILD = frozenset({"A", "B", "C"})
"""Bands whose words are weaker than "high risk", so that a reservation contradicts them."""


def headline(facts: AlertFacts, score: Score, insolvency: InsolvencyState) -> wire.BandInWords:
    """Return the member for a company with a score."""
    found = _with_events(facts, score, insolvency)
    words = _risk(score, facts.result.model)
    if found and not score.failed:
        *first, last = (each.words for each in found)
        joined = f"{', '.join(first)}{' and ' if first else ''}{last}"
        words += f", but {joined}" if score.band.band in _MILD else f": {joined}"
    return wire.BandInWords(
        words, tuple([wire.Reservation(each.code, each.words, each.sentence, each.amount) for each in found])
    )


def _with_events(facts: AlertFacts, score: Score, insolvency: InsolvencyState) -> list[Reservation]:
    """Return the reservations, and those about events of insolvency, which only the report knows, in the table's order."""
    table = facts.result.model.reservations
    events = [reservation(table.by_code[code][0], Found({})) for code in _events(facts, score, insolvency)]
    return sorted([*events, *facts.result.reservations], key=lambda each: table.place[each.code])


def _events(facts: AlertFacts, score: Score, insolvency: InsolvencyState) -> Iterator[str]:
    if insolvency.State == "proceedings" and not score.failed:
        yield "PROCEEDINGS"
    if insolvency.State == "none known" and any(note.AlertCode == "INSOLVENCY" for note in facts.alerts.Notes):
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
