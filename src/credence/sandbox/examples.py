"""The specimen as the examples of the API reference, the same in every environment (D24), and the companies to open first.

Names of real companies are in no file: only their reports have them (`data/README.md`).
"""

import datetime as dt
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from credence.datasets.search.query import CompanyQuery
from credence.report.build.group import group_of
from credence.report.build.report import build
from credence.report.schema.directors import DirectorData
from credence.report.schema.report import LtdCompanyData
from credence.report.search.director_query import DirectorQuery
from credence.report.search.directors import search_directors
from credence.sandbox import specimen, specimen_director
from credence.sandbox.certificates import authority_of
from credence.sandbox.invented import companies
from credence.sandbox.invented.companies import DAY
from credence.sandbox.invented.judgments_and_payments import with_invented
from credence.sandbox.sandbox_data import COMPANIES, InventedCompanies
from credence.settings import Environment, Settings

_DAY = dt.date(2026, 6, 1)


def ca_file(settings: Settings) -> Path | None:
    """Return the file of the certificate authority that clients of a sandbox must trust; None outside the sandbox."""
    return authority_of(settings) if settings.environment is Environment.SANDBOX else None


@cache
def invented_reports() -> tuple[dict[str, Any], ...]:
    """Return the reports on the invented companies, which have members that the specimen lacks."""
    known = InventedCompanies()
    reports = (build(each, group_of(each, known), _DAY) for each in COMPANIES.values() if each.number != COMPANY_NUMBER)
    return tuple(msgspec.to_builtins(with_invented(report, DAY)) for report in reports)


COMPANY_NUMBER = specimen.NUMBER
COMPANY_NAME = specimen.SEARCH_NAME
REPORT = msgspec.to_builtins(msgspec.json.decode(specimen.report().body, type=LtdCompanyData))
REPORT_XML = specimen.report_xml().body[:1_000].decode() + "…"
COMPANY_SEARCH = msgspec.to_builtins(specimen.search(CompanyQuery(name=specimen.SEARCH_NAME)))

DIRECTOR_NUMBER = specimen_director.NUMBER
SURNAME, FORENAME, MIDDLE = specimen_director.SURNAME, specimen_director.FORENAME, specimen_director.MIDDLE
DIRECTOR = msgspec.to_builtins(msgspec.json.decode(specimen_director.details(), type=DirectorData))
DIRECTOR_SEARCH = msgspec.to_builtins(search_directors(InventedCompanies(), DirectorQuery(SURNAME, FORENAME, MIDDLE)))


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
