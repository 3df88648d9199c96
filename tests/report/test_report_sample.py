"""The report of every company whose filed accounts the sandbox demonstrates (credit §5, report schema §2 and §3)."""

import itertools
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Company
from credence.datasets.sources.source import Record
from credence.report.build.group import Group
from credence.report.build.report import build, encode
from credence.report.schema import xml
from credence.sandbox.demonstration_accounts import read_demonstration
from tests.report.hand_made import TODAY, held
from tests.report.must_have import lacking
from tests.report.schema import faults

BESIDE = {"Prepayments", "Unpaid share capital"}
"""Assets that some layouts show outside fixed and current ones, and others within."""


@pytest.fixture(scope="module")
def companies() -> dict[str, Company]:
    """Every company with accounts in the demonstration, by number."""
    filings: dict[str, list[Accounts]] = {}
    for read in read_demonstration():
        if isinstance(read, Record) and isinstance(read.fact, Accounts):
            filings.setdefault(read.company, []).append(read.fact)
    return {number: Company(number=number, accounts=held(tuple(found))) for number, found in filings.items()}


def reports(companies: dict[str, Company]) -> Iterator[tuple[Company, dict[str, Any]]]:
    """Each company with its report as a client reads it."""
    for company in companies.values():
        yield company, msgspec.json.decode(encode(build(company, Group(), TODAY)))


def test_every_company_with_accounts_has_a_report_that_conforms_to_the_schema(companies: dict[str, Company]) -> None:
    found: set[str] = set()
    for company, report in reports(companies):
        found.update(faults(report, "LtdCompanyData"))
        found.update(lacking(company, report))
    assert len(companies) == 421
    assert found == set()


def test_nearly_every_one_has_a_balance_sheet(companies: dict[str, Company]) -> None:
    """Credit §3.5: net assets are told in 154 of 156 newer accounts; without a total there is no sheet."""
    with_sheet = sum("BalanceSheet" in report["Financials"]["Accounts"][0] for _, report in reports(companies))
    assert with_sheet >= 415


def test_the_lines_of_a_balance_sheet_add_up(companies: dict[str, Company]) -> None:
    """Credit §3.4: FA + CA - CL = TALCL wherever the report calls the accounts balanced."""
    for _, report in reports(companies):
        figures = report["Assessment"]["AccountsFigures"][0]
        sheet = report["Financials"]["Accounts"][0].get("BalanceSheet", {})
        needed = ("TotalCurrentAssets", "TotalCurrentLiabilities", "CapitalEmployed")
        if not figures.get("Balanced") or not all(name in sheet for name in needed):
            continue
        beside = {each["Figure"]: each["Value"] for each in figures["Figures"] if each["Figure"] in BESIDE}
        left = sheet["TotalFixedNonCurrentAssets"] + sheet["TotalCurrentAssets"] - sheet["TotalCurrentLiabilities"]
        sums = {left + sum(some) for n in range(len(beside) + 1) for some in itertools.combinations(beside.values(), n)}
        tolerance = 2_000 if left % 1_000 == 0 else 2  # some filings are in thousands
        assert min(abs(each - sheet["CapitalEmployed"]) for each in sums) <= tolerance


def test_every_report_is_well_formed_xml(companies: dict[str, Company]) -> None:
    for company in companies.values():
        root = ET.fromstring(xml.report_xml(build(company, Group(), TODAY)))
        assert root.findtext("RegNumber") == company.number
