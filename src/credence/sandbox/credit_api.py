"""The credit API of the sandbox: the specimen, the invented companies and the simulated failure come before real data (D24).

`app` puts these in the place of the parts they extend; nothing outside this package knows the sandbox's companies.
"""

import datetime as dt
from functools import lru_cache
from pathlib import Path

import msgspec

from credence.clock import Milliseconds
from credence.companies.facts.company import Company
from credence.datasets.search.query import CompanyQuery
from credence.refusals import INTERNAL, Refused
from credence.report.cache import Document, ReportCache
from credence.report.schema.directors import DirectorData
from credence.report.schema.report import LtdCompanyData
from credence.report.search.companies import encode
from credence.report.search.director_details import FindDirector
from credence.report.search.director_query import DirectorQuery
from credence.report.search.threads import Searches
from credence.sandbox import sandbox_file, specimen, specimen_director
from credence.sandbox.companies import INVENTED
from credence.sandbox.scenarios import SIMULATED_FAILURE


class SandboxReports(ReportCache):
    """Reports with the companies of the sandbox; each method raises Refused 500 for the simulated failure."""

    def find(self, number: str, now: Milliseconds) -> Document | None:
        """Return the report as JSON."""
        return specimen.report() if _is_specimen(number) else super().find(number, now)

    def find_xml(self, number: str, now: Milliseconds) -> Document | None:
        """Return the report as XML."""
        return specimen.report_xml() if _is_specimen(number) else super().find_xml(number, now)

    def report(self, number: str, now: Milliseconds) -> LtdCompanyData | None:
        """Return the report itself."""
        return specimen.report_read() if _is_specimen(number) else super().report(number, now)

    def company(self, number: str) -> Company | None:
        """Return the facts of an invented company, else those of the register."""
        return INVENTED.get(number) or super().company(number)


class SandboxSearches(Searches):
    """Searches that find the specimen by its name and number, and its director by the whole name."""

    async def find(self, query: CompanyQuery) -> bytes:
        """Return the answer to a search for companies as JSON."""
        found = specimen.search(query)
        return encode(found) if found else await super().find(query)

    async def find_directors(self, query: DirectorQuery) -> bytes:
        """Return the answer to a search for directors as JSON."""
        found = specimen_director.search(query)
        return encode(found) if found else await super().find_directors(query)


def with_specimen_director(find: FindDirector) -> FindDirector:
    """Return `find` extended by the specimen's director."""

    def find_director(number: str, today: dt.date) -> DirectorData | None:
        return specimen_director.DATA if number.upper() == specimen_director.NUMBER else find(number, today)

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
