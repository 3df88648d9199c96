"""Whole reports against whole expectations, worked out by hand from the filings (reports/README.md)."""

import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Company
from credence.datasets.sources import accounts
from credence.datasets.sources.source import Record
from tests.datasets.accounts.filings import FILINGS
from tests.report.hand_made import WHOLE, held, report_on

GOLDEN = Path(__file__).parent / "reports"
PRODUCT = FILINGS / "Accounts_Bulk_Data-2023-03-02.zip"


def expected(name: str) -> dict[str, Any]:
    """A golden report."""
    decoded: dict[str, Any] = msgspec.json.decode((GOLDEN / f"{name}.json").read_bytes())
    return decoded


def without_assessment(report: dict[str, Any]) -> dict[str, Any]:
    """The report as a client of the wire alone knows it."""
    return {member: value for member, value in report.items() if member != "Assessment"}


def test_the_report_of_the_invented_company_equals_the_hand_made_one() -> None:
    assert without_assessment(report_on(WHOLE)) == expected("invented")


@pytest.mark.parametrize("number", ["SC722766", "NI682066"])
def test_the_report_of_a_real_filing_equals_the_hand_made_one(number: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(PRODUCT) as product:
        (member,) = (name for name in product.namelist() if number in name)
        product.extract(member, tmp_path)
    (read,) = accounts.read([tmp_path / member])
    assert isinstance(read, Record)
    assert isinstance(read.fact, Accounts)
    company = Company(number=number, accounts=held((read.fact,)))
    assert without_assessment(report_on(company)) == expected(number)
