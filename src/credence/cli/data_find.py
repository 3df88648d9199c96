"""`credence data find` and `credence data show`: the companies on record, and the facts on record about one (D23)."""

import asyncio
from contextlib import closing
from typing import Annotated

import msgspec
import typer

from credence.app import open_reports, open_searches
from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import NotFound
from credence.cli.output import print_many, say
from credence.clock import system_clock
from credence.companies.facts.company import PARTS
from credence.companies.number import normalise
from credence.datasets.credit_data import CreditData
from credence.datasets.search.query import CompanyQuery
from credence.refusals.refusal import Refused
from credence.report.build.structure import company_name
from credence.report.cache import ReportCache
from credence.report.schema.search import BusinessTargeterResponse
from credence.settings import Settings

_STATUSES = {"A": "active", "D": "dissolved", " ": "unknown"}


def find(
    name: Annotated[
        list[str], typer.Argument(help="The current or a former name, or its beginning; misspellings are tolerated.")
    ],
    everything: Annotated[bool, typer.Option("--all", help="Dissolved companies too.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Find companies by name, best first, at most 50."""
    settings, now = settings_of(data_dir), system_clock()
    found = asyncio.run(_search(settings, CompanyQuery(name=" ".join(name), exclude_dissolved=not everything)))
    if not found.SearchResults and not as_json:
        raise NotFound("No company with this name was found: `credence data status` shows the loaded sources.")
    rows = []
    with closing(CreditData(settings.credit_folder)) as credit_data:
        reports = open_reports(settings, credit_data)
        for each in found.SearchResults:
            seen = reports.outline(each.BusinessRef, now)
            rows.append(
                {
                    "number": each.BusinessRef,
                    "name": each.CommercialName,
                    "status": seen.event or _STATUSES[each.BusinessStatus],
                    "band": seen.band or None,
                    "postcode": (each.BusinessLocation.Postcode or "") if each.BusinessLocation else "",
                }
            )
    print_many(rows, as_json=as_json)


def show(
    number: Annotated[str, typer.Argument(help="The company's number, such as 01234567.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show which facts about a company are on record, of which day and from which source."""
    settings = settings_of(data_dir)
    normal = normalise(number)
    with closing(CreditData(settings.credit_folder)) as credit_data:
        reports = open_reports(settings, credit_data)
        company = reports.company(normal)
        if company is None:
            raise NotFound(_unknown(reports, normal))
    rows = []
    for part in PARTS:
        found = getattr(company, part)
        facts = found.value if found else ()
        rows.append(
            {
                "part": part.replace("_", " "),
                "facts": "not on record" if found is None else len(facts) if isinstance(facts, tuple) else 1,
                "as_of": found.provenance.as_of if found else None,
                "source": found.provenance.source if found else None,
            }
        )
    if not as_json:
        say(f"{company.number}  {company_name(company) or 'name not on record'}")
    print_many([msgspec.to_builtins(row) for row in rows], as_json=as_json)


def _unknown(reports: ReportCache, number: str) -> str:
    """Return the text for a company without a report; in the sandbox it names those on record."""
    try:
        reports.find(number, system_clock())
    except Refused as refused:
        return refused.refusal.message
    return f"There is no data on company {number}: `credence data status` shows the loaded sources."


async def _search(settings: Settings, query: CompanyQuery) -> BusinessTargeterResponse:
    with closing(open_searches(settings)) as searches:
        return msgspec.json.decode(await searches.find(query), type=BusinessTargeterResponse)
