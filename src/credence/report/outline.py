"""What a list shows of a company. Every value is the one that its report has on the same day, or unknown."""

import datetime as dt
from typing import NamedTuple

from credence.companies.facts.company import Company
from credence.report.build.structure import company_name
from credence.report.schema.report import LtdCompanyData
from credence.scoring.score import score_company


class Outline(NamedTuple):
    """Name, status in the register's words, band, score and limit in pounds; None and empty texts mean unknown."""

    name: str = ""
    status: str = ""
    band: str = ""
    score: int | None = None
    limit: int | None = None


def outline_of(company: Company, today: dt.date) -> Outline:
    """Return the outline of a company on a day; costs a tenth of its report."""
    status = company.register.value.status if company.register else ""
    score = score_company(company, today).score
    name = company_name(company) or ""
    return Outline(name, status, score.band.band, score.score, score.limit.amount) if score else Outline(name, status)


def outline_in(report: LtdCompanyData) -> Outline:
    """Return the outline of a company whose report is made already."""
    assessment = report.Assessment
    score = assessment.Score if assessment else None
    name, status = report.CommercialName or "", (assessment.CompanyStatus if assessment else None) or ""
    return Outline(name, status, score.Band, score.Score, score.Limit.Amount) if score else Outline(name, status)
