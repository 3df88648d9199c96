"""`Assessment.Headline`: the band in words, with everything in the report that speaks against it (docs/report.md).

The score has no points for the group, the text of the accounts or the published models. So if the band says low or moderate
risk while one of these indicates more, the headline names it.
"""

from collections.abc import Iterator

from credence.report.build.alerts import AlertFacts
from credence.report.build.disagreement import LOW_RISK, disagreement
from credence.report.build.insolvency import insolvency
from credence.report.build.published_models import published_models
from credence.report.schema import headline as wire
from credence.report.schema.assessment import InsolvencyState
from credence.scoring.day import days_of
from credence.scoring.score import Score, ScoringResult

MILD = LOW_RISK | {"C"}
"""Bands whose words are weaker than "high risk"."""

_NOT_COUNTED = {
    "INSOLVENCY-HISTORY": "the register notes an insolvency history",
    "GOING-CONCERN": "its accounts state a material uncertainty about going concern",
    "OPINION": "the auditor's opinion is not clean",
    "UNBALANCED": "the figures of its accounts fail a check",
    "GROUP-WEAKER": "the group is weaker",
    "OFFICE": "its registered office is undeliverable or in dispute",
}
"""Code of an alert without points in the score -> its words against the band."""


def headline_of(facts: AlertFacts, result: ScoringResult, score: Score) -> wire.BandInWords:
    """Return the member for a company with a score, from the facts alone."""
    company = facts.company
    insolvent = insolvency(company, facts.events, result.model.legal, days_of(company, facts.today))
    return headline(facts, score, insolvent, disagreement(published_models(company), result))


def headline(
    facts: AlertFacts,
    score: Score,
    insolvency: InsolvencyState,
    differ: wire.DisagreementOfModels | None,
) -> wire.BandInWords:
    """Return the member for a company with a score."""
    found = tuple(_reservations(facts, score, insolvency, differ))
    words = score.band.words
    if found:
        *first, last = (each.Words for each in found)
        words += f", but {', '.join(first)}{' and ' if first else ''}{last}"
    return wire.BandInWords(words, found)


def _reservations(
    facts: AlertFacts,
    score: Score,
    insolvency: InsolvencyState,
    differ: wire.DisagreementOfModels | None,
) -> Iterator[wire.Reservation]:
    if score.failed or score.band.band not in MILD:
        return
    if insolvency.State == "proceedings":
        yield wire.Reservation("PROCEEDINGS", "insolvency proceedings are open")
    raised = {note.AlertCode for note in facts.alerts.Notes}
    if insolvency.State == "none known" and "INSOLVENCY" in raised:
        yield wire.Reservation("INSOLVENCY", "an insolvency event of the past is on record")
    for code, words in _NOT_COUNTED.items():
        if code in raised:
            yield wire.Reservation(code, words)
    if differ is not None:
        number = len(differ.Models)
        models = "a published model says" if number == 1 else f"{number} published models say"
        yield wire.Reservation("MODELS", f"{models} distress")
    if score.limit.amount == 0 and score.band.band in LOW_RISK:
        yield wire.Reservation("NO-LIMIT", "the suggested limit is 0")
