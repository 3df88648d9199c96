"""Officers by role and tenure; their names are only in the JSON (credit §9, §10)."""

import datetime as dt
from collections.abc import Iterator

from credence.blocks.text import NONE, UNKNOWN, count, day
from credence.blocks.values import Block, Facts, Note, Section, Table, capped
from credence.companies.durations import whole_years
from credence.report.schema.assessment import OfficersVerified
from credence.report.schema.connections import Connections
from credence.report.schema.management import Directorship, ManagementInfo, Secretaryship
from credence.report.schema.report import LtdCompanyData


def management_sections(report: LtdCompanyData) -> Iterator[Section]:
    """Yield the section of the officers, if the report has any."""
    if report.ManagementInfo is not None:
        assessment = report.Assessment
        today = assessment.ReportDate if assessment else None
        verified = assessment.IdentityVerification if assessment else None
        around = assessment.Connections if assessment else None
        blocks = (*_officers(report.ManagementInfo, today, verified), *_failed(around))
        yield Section("officers", "Officers", blocks)


def _officers(info: ManagementInfo, today: dt.date | None, verified: OfficersVerified | None) -> Iterator[Block]:
    counts = [("Directors in office", str(info.NumCurrDirs)), ("Former directors", str(info.NumPrevDirs))]
    if info.DirectorAvgLength is not None:
        counts.append(("Tenure on average", count(info.DirectorAvgLength, "year")))
    if info.NumAppointmentsLast12 is not None:
        counts.append(("Appointed in the last year", str(info.NumAppointmentsLast12)))
    if info.NumResignationsLast12 is not None:
        counts.append(("Resigned in the last year", str(info.NumResignationsLast12)))
    if verified is not None:
        counts.append(("Identity verified", f"{verified.Verified} of {count(verified.Officers, 'officer')}"))
    if verified is not None and verified.NextDue:
        counts.append(("Next identity to be verified by", day(verified.NextDue)))
    yield Facts("", tuple(counts))
    directors, secretaries = info.Directors, info.Secretaries
    officers: tuple[Directorship | Secretaryship, ...] = (
        *(directors.CurrentDirector if directors else ()),
        *(secretaries.CurrentSecretary if secretaries else ()),
        *(directors.PreviousDirector if directors else ()),
        *(secretaries.PreviousSecretary if secretaries else ()),
    )
    rows, more = capped(officers, lambda each: _row(each, today))
    if rows:
        heads = ("Role", "Kind", "Appointed", "Resigned", "Tenure")
        yield Table("Officers by role and tenure, those in office first", heads, rows, numbers=(4,), more=more)
    yield Note("Names of people are left out of the page; the JSON of this report has them.")


def _failed(around: Connections | None) -> Iterator[Block]:
    """Yield other companies of present directors that failed; no director is named."""
    if around is None or around.DirectorsCompaniesFailed is None:
        return
    number = around.DirectorsCompaniesFailed
    yield Note(
        f"Other companies that failed while a present director was their director, or within a year after: {number}. "
        "Only companies whose officers and cases are on record count. It says nothing about the conduct of a person."
    )
    rows, more = capped(
        around.FailedCompanies, lambda each: (each.Name or UNKNOWN, each.RegNumber, each.Event, day(each.Date))
    )
    if rows:
        yield Table("Failed companies of present directors", ("Company", "Number", "Event", "Date"), rows, more=more)


def _row(officer: Directorship | Secretaryship, today: dt.date | None) -> tuple[str, ...]:
    director = isinstance(officer, Directorship)
    flag = officer.DirectorCompanyFlag if isinstance(officer, Directorship) else officer.SecretaryCompanyFlag
    before = "before " if officer.AppointmentDate and officer.AppointmentIndicator == "P" else ""
    return (
        "Director" if director else "Secretary",
        "Company" if flag == "Y" else "Person",
        f"{before}{day(officer.AppointmentDate)}",
        day(officer.ResignationDate) if officer.ResignationDate else NONE,
        _tenure(officer.AppointmentDate, officer.ResignationDate or today),
    )


def _tenure(start: dt.date | None, end: dt.date | None) -> str:
    if start is None or end is None or end < start:
        return UNKNOWN
    years = whole_years(start, end)
    return count(years, "year") if years else "under a year"
