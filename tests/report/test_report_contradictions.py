"""Accounts whose figures contradict each other are marked with the reason and not scored (credit §3.4, docs/accounts.md)."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts
from tests.report.hand_made import ENTRY, WHOLE, YEAR_2024, YEAR_2025, company, figures, filing, report_on

RESULT = "profit before tax less tax is the profit"
"""YEAR_2025 has a profit before tax of 200 and tax of 40: 160."""


def with_profit(profit: float) -> Accounts:
    changed = msgspec.structs.replace(YEAR_2025.figures, profit=figures(profit=profit).profit)
    contradicts = () if profit == 160 else ("result",)
    year = msgspec.structs.replace(YEAR_2025, figures=changed, contradictions=contradicts)
    return filing(year, YEAR_2024, filed=dt.date(2026, 4, 1))


def report(profit: float) -> dict[str, Any]:
    return report_on(company(register=ENTRY, accounts=(with_profit(profit),)))


OF_PROFIT = (
    "ReturnOnCapital", "ReturnOnAssets", "ReturnOnShareholdersFunds", "PreTaxProfitMargin", "ProfitPerEmp"
)  # fmt: skip


@pytest.mark.parametrize(("profit", "withheld"), [(160, False), (300, True)])
def test_ratios_of_a_profit_that_does_not_follow_are_withheld_with_the_reason(profit: float, withheld: bool) -> None:
    said = report(profit)
    ratios = said["Financials"]["Ratios"][0]
    assert all((name not in ratios) is withheld for name in OF_PROFIT)
    assert "CurrentRatio" in ratios
    reasons = [each["Reason"] for each in said["Assessment"]["NotHeld"] if each["Member"] == "Financials.Ratios"]
    expected = "Profit before tax less tax is not the profit filed for the year to 2025-12-31"
    expected += ": its ratios of profit are withheld."
    assert reasons == ([expected] if withheld else [])


def test_a_year_that_contradicts_itself_is_marked_and_not_scored() -> None:
    said = report(300)
    newest = said["Assessment"]["AccountsFigures"][0]
    assert newest["Contradictions"] == [RESULT]
    notes = {each["AlertCode"]: each["AlertNote"] for each in said["Alerts"][0]["Notes"]}
    assert notes["UNBALANCED"] == (
        f"The figures of the accounts made up to 31 December 2025 fail a check. It does not hold that {RESULT}."
    )
    assert said["Assessment"]["Confidence"]["Level"] == "low"
    scored = said["Assessment"]["Score"]
    assert [each["Code"] for each in scored["Notes"]] == ["ratios.unbalanced"]
    assert not [line for line in scored["Lines"] if line["Layer"] == "ratios"]
    assert "change-in-net-assets" in {each["Code"] for each in scored["Unknown"]}
    assert scored["Limit"]["Amount"] == 0
    assert scored["Limit"]["Reason"] == f"No limit: {notes['UNBALANCED']}"
    assert {each.get("NotComputable") for each in said["Assessment"]["PublishedModels"]} == {
        "The figures of the newest accounts fail a check, so they are not scored."
    }


def test_a_year_without_contradiction_has_no_mark() -> None:
    said = report_on(WHOLE)
    assert all("Contradictions" not in year for year in said["Assessment"]["AccountsFigures"])


def test_a_contradiction_between_two_filings_of_one_year_is_found() -> None:
    """The older filing has net assets of 800 and equity of 800; the newer one restates the net assets alone."""
    older = filing(YEAR_2024, filed=dt.date(2025, 4, 1), document="older")
    restated = msgspec.structs.replace(YEAR_2024, figures=figures(net_assets=1))
    newer = filing(YEAR_2025, restated, filed=dt.date(2026, 4, 1), document="newer")
    years = report_on(company(accounts=(newer, older)))["Assessment"]["AccountsFigures"]
    assert "net assets are the shareholders' funds" in years[1]["Contradictions"]
    assert "Contradictions" not in years[0]
