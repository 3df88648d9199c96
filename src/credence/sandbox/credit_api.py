"""The credit API of the sandbox: the specimen, the invented companies and the simulated failure come before real data (D24).

`app` uses these classes instead of their base classes; nothing outside this package knows the sandbox's companies.
"""

import datetime as dt
from collections.abc import Iterable
from functools import lru_cache, partial
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, london_day
from credence.companies.facts.company import Company
from credence.companies.facts.register import RegisterEntry
from credence.datasets.credit_data import CreditData
from credence.datasets.search.query import CompanyQuery
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.report.build.group import Group, group_of
from credence.report.build.report import MEMBERS, NEED_GROUP, build
from credence.report.cache import Document, ReportCache
from credence.report.outline import Outline, outline_in
from credence.report.schema.directors import DirectorTargeterResponse
from credence.report.schema.report import LtdCompanyData
from credence.report.search.companies import encode
from credence.report.search.director_details import FindDirector, director_json
from credence.report.search.director_query import DirectorQuery
from credence.report.search.directors import search_directors
from credence.report.search.threads import Searches
from credence.sandbox import held, sandbox_file, specimen, specimen_director
from credence.sandbox.invented.companies import DAY
from credence.sandbox.invented.judgments_and_payments import with_invented
from credence.sandbox.sandbox_data import COMPANIES, InventedCompanies, Made, SandboxData, sandbox_entries
from credence.sandbox.scenarios import SIMULATED_FAILURE


class SandboxReports(ReportCache):
    """Reports on the companies of the sandbox and of the loaded data.

    Each method raises Refused 500 for the number of the simulated failure; `find` and `find_xml` raise Refused 404 for
    an unknown number, with the companies that are held.
    """

    def __init__(self, credit_data: CreditData, megabytes: int = 1, made: Made = lambda: None) -> None:
        super().__init__(credit_data, megabytes)
        self._data = SandboxData(credit_data, made)
        self._made = made

    def find(self, number: str, now: Milliseconds) -> Document | None:
        """Return the report as JSON."""
        return specimen.report() if _is_specimen(number) else self._known(super().find(number, now), number)

    def find_xml(self, number: str, now: Milliseconds) -> Document | None:
        """Return the report as XML."""
        return specimen.report_xml() if _is_specimen(number) else self._known(super().find_xml(number, now), number)

    def report(self, number: str, now: Milliseconds, members: frozenset[str] = MEMBERS) -> LtdCompanyData | None:
        """Return the report, or only these members of it and the score; the specimen always has all members."""
        if _is_specimen(number):
            return specimen.report_read()
        company = self.company(number)
        if company is None:
            return None
        group = group_of(company, self._data) if members & NEED_GROUP else Group()
        built = build(company, group, london_day(now), members)
        return with_invented(built, self._made() or DAY) if number in COMPANIES and members == MEMBERS else built

    def invented(self, number: str) -> Company | None:
        """Return an invented company, which no data set has; None for another number."""
        return InventedCompanies.company(self._data, number)

    def outline(self, number: str, now: Milliseconds) -> Outline:
        """Return what a list shows of a company."""
        return outline_in(specimen.report_read()) if _is_specimen(number) else super().outline(number, now)

    def _known(self, found: Document | None, number: str) -> Document:
        if found is None:
            raise held.company_unknown(number, self.company)
        return found

    def company(self, number: str) -> Company | None:
        """Return the facts of an invented company, else those of the loaded data."""
        return self._data.company(number)


class SandboxSearches(Searches):
    """Searches that find the sandbox's companies and people as well as those of the loaded data."""

    async def find(self, query: CompanyQuery) -> bytes:
        """Return the answer to a search for companies as JSON; the search name of the specimen finds it alone."""
        found = specimen.search(query)
        return encode(found) if found else await super().find(query)

    def further_entries(self, credit_data: CreditData, query: CompanyQuery) -> Iterable[RegisterEntry]:
        """Return the entries of the sandbox's own companies, and of loaded companies that are not in the register."""
        others = {each.number: each for each in super().further_entries(credit_data, query)}
        return (others | {each.number: each for each in sandbox_entries(credit_data)}).values()

    def directors(self, credit_data: CreditData, query: DirectorQuery) -> DirectorTargeterResponse:
        """Return the directors of the sandbox's companies and of the loaded data."""
        return search_directors(SandboxData(credit_data, lambda: None), query)


def find_sandbox_director(credit_data: CreditData, made: Made) -> FindDirector:
    """Return a function that finds directors of the sandbox and of the loaded data; the specimen's director is fixed."""
    find = partial(director_json, SandboxData(credit_data, made))

    def find_director(number: str, today: dt.date) -> bytes | None:
        if number.upper() == specimen_director.NUMBER:
            return specimen_director.details()
        found = find(number, today)
        if found is None:
            raise held.director_unknown()
        return found

    return find_director


def scenarios_json(path: Path) -> bytes | None:
    """Return the scenarios in the sandbox file as JSON; None before the sandbox is provisioned."""
    try:
        changed = path.stat().st_mtime_ns
    except FileNotFoundError:
        return None
    return _scenarios_json(path, changed)


@lru_cache(maxsize=1)
def _scenarios_json(path: Path, _changed: int) -> bytes:
    contents = sandbox_file.read(path)
    return msgspec.json.encode({"scenarios": contents.scenarios if contents else ()})


def _is_specimen(number: str) -> bool:
    if number == SIMULATED_FAILURE:
        raise Refused(INTERNAL, "sandbox.simulated_failure")
    return number == specimen.NUMBER
