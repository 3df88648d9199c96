"""The specimen company of the sandbox (D24, report schema §2)."""

import itertools
import re
from typing import Any

import msgspec
import pytest

from credence.companies.number import normalise
from credence.datasets.search.query import CompanyQuery, company_query
from credence.report.search.companies import encode
from credence.sandbox import specimen
from tests.report.schema import MODELS, faults

REPORT: dict[str, Any] = msgspec.json.decode(specimen.report().body)
YEARS: list[dict[str, Any]] = REPORT["Financials"]["Accounts"]

MUST_HAVE = (
    "RegNumber",
    "CommercialName",
    "Identification.IncorporationDate",
    "Identification.LegalStatus",
    "Identification.SICInformation1992.0.Code",
    "Identification.SICInformation1992.0.Description",
    "CommercialDelphi.CommDelphiScore",
    "CommercialDelphi.CommDelphiBand",
    "CommercialDelphi.CommDelphiBandText",
    "CommercialDelphi.CreditLimit",
    "CommercialDelphi.CreditRating",
    "Financials.Accounts.0.DateOfAccounts",
    "Financials.Accounts.0.BalanceSheet.TotalCurrentAssets",
    "Financials.Accounts.0.BalanceSheet.TotalFixedNonCurrentAssets",
    "Financials.Accounts.0.BalanceSheet.NetWorth",
    "Financials.Accounts.0.ProfitLoss.TurnoverSalesDetails.TurnoverSales",
    "Financials.Accounts.0.DisclosureItems.NumberEmployees",
    "Mortgages.NumMortgages",
    "LegalNotices.SummaryCount",
    "ManagementInfo.Directors.CurrentDirector.0.DirectorNumber",
    "ManagementInfo.Directors.CurrentDirector.0.NumberConvictions",
    "ManagementInfo.Directors.CurrentDirector.0.DirectorDetails.Name.Forename",
    "ManagementInfo.Directors.CurrentDirector.0.DirectorDetails.Name.MiddleNames",
    "ManagementInfo.Directors.CurrentDirector.0.DirectorDetails.Name.Surname",
    "ManagementInfo.Directors.CurrentDirector.0.DirectorDetails.Nationality",
    "ManagementInfo.Secretaries.CurrentSecretary.0.DirectorNumber",
    "CCJs.NumberCCJs0To72",
    "CCJs.ValueCCJs0To72",
    "CCJs.NumberCCJsLast12Months",
    "CCJs.ValueCCJsLast12Months",
    "DirectorExpandedSummary.0.NumCIFAS",
    "LimitedCompanyCAISPortfolioSummary.0.MonthlyData.0.CurrentBalance",
)
"""What clients read (report schema §2); a number is a place in an array."""


def test_it_keeps_the_schema_and_shows_every_part_of_a_report_but_the_error() -> None:
    assert set(faults(REPORT, "LtdCompanyData")) == set()
    assert set(REPORT) == set(MODELS["LtdCompanyData"]) - {"Error"} | {"Assessment"}


@pytest.mark.parametrize("path", MUST_HAVE)
def test_it_has_every_member_that_clients_read(path: str) -> None:
    value: Any = REPORT
    for step in path.split("."):
        value = value[int(step)] if step.isdigit() else value[step]
    assert value not in (None, "")


def test_it_says_that_it_is_a_specimen() -> None:
    assert "fictitious" in REPORT["Assessment"]["Specimen"]


def test_it_is_sent_without_null_and_without_idle_spaces() -> None:
    outside_texts = re.sub(rb'"(\\.|[^"\\])*"', b"", specimen.report().body)
    assert b"null" not in outside_texts
    assert b" " not in outside_texts


def test_its_five_years_of_accounts_stand_newest_first() -> None:
    assert [year["DateOfAccounts"] for year in YEARS] == [f"{year}-12-31" for year in (2025, 2024, 2023, 2022, 2021)]


@pytest.mark.parametrize("year", YEARS, ids=lambda year: year["DateOfAccounts"])
def test_each_balance_sheet_balances(year: dict[str, Any]) -> None:
    sheet = year["BalanceSheet"]
    assert sheet["TotalFixedNonCurrentAssets"] == (
        sheet["TangibleAssetsDetails"]["TangibleAssets"] + sheet["IntangibleAssets"]
    )
    assert sheet["TotalCurrentAssets"] == (
        sheet["InventoriesDetails"]["Inventories"]
        + sheet["DebtorsDetails"]["Debtors"]
        + sheet["TotalCashDetails"]["TotalCash"]
    )
    assert sheet["TotalCurrentLiabilities"] == (
        sheet["CreditorsDetails"]["Creditors"] + sheet["FinancialLiabilitiesDetails"]["FinancialLiabilities"]
    )
    assert sheet["WorkingCapital"] == sheet["TotalCurrentAssets"] - sheet["TotalCurrentLiabilities"]
    assert sheet["CapitalEmployed"] == sheet["TotalFixedNonCurrentAssets"] + sheet["WorkingCapital"]
    assert sheet["NetAssets"] == (
        sheet["CapitalEmployed"] - sheet["TotalNonCurrentLiabilities"] - sheet["ProvisionsDetails"]["Provisions"]
    )
    assert sheet["TotalShareholdersFunds"] == sheet["NetAssets"]
    assert sheet["TotalShareholdersFunds"] == (
        sheet["IssuedCapitalDetails"]["IssuedCapital"] + sheet["SharePremium"] + sheet["RetainedEarnings"]
    )
    assert sheet["NetWorth"] == sheet["TotalShareholdersFunds"] - sheet["IntangibleAssets"]


@pytest.mark.parametrize("year", YEARS, ids=lambda year: year["DateOfAccounts"])
def test_each_profit_and_loss_account_adds_up(year: dict[str, Any]) -> None:
    account = year["ProfitLoss"]
    assert account["GrossProfit"] == account["TurnoverSalesDetails"]["TurnoverSales"] - account["CostOfSales"]
    assert account["OperatingProfit"] == account["GrossProfit"] - account["OperatingExpenses"]
    assert account["PreTaxProfitLoss"] == (
        account["OperatingProfit"] - account["InterestPayableDetails"]["InterestPayable"]
    )
    assert account["NetProfitLoss"] == account["PreTaxProfitLoss"] - account["Taxation"]


@pytest.mark.parametrize(("later", "earlier"), list(itertools.pairwise(YEARS)), ids=["2025", "2024", "2023", "2022"])
def test_what_is_earned_and_not_paid_out_is_retained(later: dict[str, Any], earlier: dict[str, Any]) -> None:
    retained = later["ProfitLoss"]["NetProfitLoss"] - later["ProfitLoss"]["Dividends"]
    assert later["BalanceSheet"]["RetainedEarnings"] == earlier["BalanceSheet"]["RetainedEarnings"] + retained


def test_its_judgments_are_counted_the_same_in_every_place() -> None:
    judgments = REPORT["CCJs"]
    periods = ("Last12Months", "13To24", "25To36", "37To48", "49To60", "61To72")
    assert judgments["NumberCCJs0To72"] == sum(judgments[f"NumberCCJs{each}"] for each in periods)
    assert judgments["ValueCCJs0To72"] == sum(judgments[f"ValueCCJs{each}"] for each in periods)
    assert judgments["NumberCCJs0To72"] == len(judgments["CCJDetail"])
    assert REPORT["ScoringData"]["NumberCCJs0To72"] == judgments["NumberCCJs0To72"]


@pytest.mark.parametrize("parameters", [{"name": "TEST"}, {"name": " test "}, {"name": "Test", "town": "Nowhere"}])
def test_a_search_for_it_finds_it_alone(parameters: dict[str, str]) -> None:
    answer = specimen.search(company_query(parameters))
    assert answer is not None
    said = msgspec.json.decode(encode(answer))
    assert set(faults(said, "BusinessTargeterResponse")) == set()
    assert said["SearchSummary"]["NumberMatches"] == 1
    (result,) = said["SearchResults"]
    assert result["BusinessRef"] == specimen.NUMBER == normalise("99999999")
    assert result["CommercialName"] == REPORT["CommercialName"]


@pytest.mark.parametrize("name", ["", "TESTER", "TEST LTD", "A TEST"])
def test_another_name_is_searched_for_as_every_name_is(name: str) -> None:
    assert specimen.search(CompanyQuery(name=name)) is None


@pytest.mark.parametrize(
    "parameters", [{"searchcorporates": "false"}, {"town": "London"}, {"postcode": "SW1A 1AA"}, {"postcode": "ZZ98"}]
)
def test_filters_apply_to_its_answer_too(parameters: dict[str, str]) -> None:
    answer = specimen.search(company_query({"name": "TEST"} | parameters))
    assert answer is not None
    assert answer.SearchResults == ()
    assert answer.SearchSummary.NumberMatches == 0
