"""Composes the page of a report: headline, warnings and sections in their order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from credence.blocks.text import count, day
from credence.blocks.values import Facts, Note, Section, Verdict, Warnings
from credence.report.render.sections.accounts import accounts_sections
from credence.report.render.sections.events import events_sections
from credence.report.render.sections.management import management_sections
from credence.report.render.sections.payment_practices import practices_sections
from credence.report.render.sections.published_models import formulas_section, models_sections
from credence.report.render.sections.score import limit_section, reasons_section, verdict
from credence.report.render.sections.score_change import change_section
from credence.report.render.sections.sector_position import position_section
from credence.report.render.sections.sources import Contact, closing_sections
from credence.report.render.sections.structure import structure_sections
from credence.report.schema.assessment import Assessment, ProfileRemarks
from credence.report.schema.connections import Connections
from credence.report.schema.report import LtdCompanyData

_MAX_FORMER_NAMES = 3


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The page of a report."""

    name: str
    facts: Sequence[str]
    """The facts below the name: number, status, legal form, day."""
    verdict: Verdict
    warnings: Warnings
    sections: Sequence[Section]
    foot: Sequence[str]


def compose(report: LtdCompanyData, contact: Contact) -> ReportPage:
    """Return the page of a report."""
    assessment = report.Assessment
    today = day(assessment.ReportDate) if assessment and assessment.ReportDate else ""
    remarks = assessment.Remarks if assessment else ()
    return ReportPage(
        name=report.CommercialName or f"Company {report.RegNumber}",
        facts=tuple(_facts(report)),
        verdict=verdict(report),
        warnings=Warnings(tuple(_warnings(report))),
        sections=tuple(_sections(report, contact)),
        foot=(f"Company {report.RegNumber}", *((f"Report of {today}",) if today else ()), *remarks),
    )


def _facts(report: LtdCompanyData) -> Iterator[str]:
    yield f"Company {report.RegNumber}"
    assessment = report.Assessment
    if assessment is None:
        return
    yield from _standing(assessment)
    if assessment.LegalForm:
        yield assessment.LegalForm
    if assessment.ReportDate:
        yield f"Report of {day(assessment.ReportDate)}"
    if assessment.Facts:
        yield assessment.Facts.Words


def _standing(assessment: Assessment) -> Iterator[str]:
    """Yield the register's status and the state of insolvency, as one of the facts below the name."""
    insolvency = assessment.Insolvency.Words if assessment.Insolvency else ""
    found = ", ".join(each for each in (assessment.CompanyStatus or "", insolvency) if each)
    if found:
        yield found[:1].upper() + found[1:]


_AGES = {"OLD-REGISTER": "The facts", "OLD-ACCOUNTS": "newest figures"}
"""Alert about an age -> words of the warning about old facts that say the same."""


def _warnings(report: LtdCompanyData) -> Iterator[Note]:
    if report.Assessment and report.Assessment.Specimen:
        yield Note(report.Assessment.Specimen, head="Specimen")
    age = report.Assessment.Facts.Warning if report.Assessment and report.Assessment.Facts else None
    if age:
        yield Note(age, head="Old facts")
    said = [code for code, words in _AGES.items() if age and words in age]
    for alerts in report.Alerts:
        for note in alerts.Notes:
            if note.AlertCode not in said:
                yield Note(note.AlertNote, head=note.AlertHeader)
    if report.Assessment and report.Assessment.Disagreement:
        yield Note(report.Assessment.Disagreement.Sentence, head="Models disagree with the score")
    if report.Assessment and report.Assessment.AlertsNotTried:
        number = len(report.Assessment.AlertsNotTried)
        yield Note(
            f"{count(number, 'alert')} could not be checked in full because data is missing. See Missing data.",
            head="Some checks could not be run",
        )
    if report.NoticeOfCorrection:
        for each in report.NoticeOfCorrection.NOCDetail:
            yield Note(each.Text, head=f"Disputed: {each.Reference}")


def _sections(report: LtdCompanyData, contact: Contact) -> Iterator[Section]:
    assessment = report.Assessment
    if assessment and assessment.Score:
        yield limit_section(assessment.Score)
        yield reasons_section(assessment.Score)
    if assessment and assessment.ScoreChange:
        yield change_section(assessment.ScoreChange)
    if assessment and assessment.SectorPosition:
        yield position_section(assessment.SectorPosition)
    yield Section("company", "The company", (Facts("", tuple(_identity(report))),))
    yield from accounts_sections(report)
    if assessment:
        yield from models_sections(assessment.PublishedModels, assessment.Disagreement)
    yield from events_sections(report)
    yield from management_sections(report)
    yield from structure_sections(report)
    yield from practices_sections(report)
    yield from closing_sections(report, contact)
    if assessment:
        yield from formulas_section(assessment.PublishedModels)


def _identity(report: LtdCompanyData) -> Iterator[tuple[str, str]]:
    yield "Number", report.RegNumber
    identification, assessment = report.Identification, report.Assessment
    if assessment and assessment.CountryOfOrigin:
        yield "Country", assessment.CountryOfOrigin
    if identification is None:
        return
    if identification.IncorporationDate:
        yield "Incorporated", day(identification.IncorporationDate)
    if identification.DissolutionDate:
        yield "Dissolved", day(identification.DissolutionDate)
    office = identification.RegisteredOffice
    if office:
        lines = (getattr(office, name) for name in office.__struct_fields__)
        yield "Registered office", ", ".join(each for each in lines if each)
    if assessment and assessment.RegisterRemarks:
        yield "Remarks of the register", "; ".join(_remarks(assessment.RegisterRemarks))
    if identification.SICInformation1992:
        yield "Activity", "; ".join(f"{each.Description} ({each.Code})" for each in identification.SICInformation1992)
    if identification.PreviousNames and identification.PreviousNames.PreviousName:
        names = identification.PreviousNames.PreviousName
        text = "; ".join(
            f"{each.Name}{f', until {day(each.DateChanged)}' if each.DateChanged else ''}"
            for each in names[:_MAX_FORMER_NAMES]
        )
        yield (
            "Former names",
            text
            if len(names) <= _MAX_FORMER_NAMES
            else f"{text}; and {count(len(names) - _MAX_FORMER_NAMES, 'more', 'more')}",
        )
    if assessment and assessment.AccountsNextDue:
        yield "Accounts due", day(assessment.AccountsNextDue)
    if assessment and assessment.Connections:
        yield from _around(assessment.Connections)
    if assessment and assessment.ConfirmationStatementNextDue:
        yield "Confirmation statement due", day(assessment.ConfirmationStatementNextDue)


def _around(around: Connections) -> Iterator[tuple[str, str]]:
    if around.LateAccounts:
        yield "Accounts filed late", f"{around.LateAccounts.Late} of {around.LateAccounts.Filed}"
    if around.DissolvedAtSameOffice:
        yield "Dissolved at the same office", count(around.DissolvedAtSameOffice, "company", "companies")


def _remarks(remarks: ProfileRemarks) -> Iterator[str]:
    if remarks.InsolvencyHistory is not None:
        yield "an insolvency history" if remarks.InsolvencyHistory else "no insolvency history"
    if remarks.OfficeUndeliverable is not None:
        yield f"registered office {'undeliverable' if remarks.OfficeUndeliverable else 'deliverable'}"
    if remarks.OfficeInDispute is not None:
        yield f"registered office {'' if remarks.OfficeInDispute else 'not '}in dispute"
