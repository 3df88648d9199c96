"""The specimen's score is the one its own facts have, in every place that tells of it (D24)."""

import datetime as dt
from typing import Any

import msgspec

from credence.companies.facts.accounts import Period
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.register import AccountsFiling, Activity, Charges, FormerName
from credence.report.build.group import Group
from credence.report.build.report import build, encode
from credence.sandbox import specimen
from credence.scoring.basis.scale import odds_of
from tests.report.hand_made import ENTRY, filing, period

REPORT: dict[str, Any] = msgspec.json.decode(specimen.report().body)
SCORE: dict[str, Any] = REPORT["Assessment"]["Score"]
SOURCE = Provenance("The specimen", dt.date(2026, 5, 1))


def company() -> Company:
    """The specimen's facts, as its report tells them."""
    who, mortgages = REPORT["Identification"], REPORT["Mortgages"]
    entry = msgspec.structs.replace(
        ENTRY,
        number=REPORT["RegNumber"],
        name=REPORT["CommercialName"],
        incorporated=dt.date.fromisoformat(who["IncorporationDate"]),
        activities=tuple(Activity(each["Code"], each["Description"]) for each in who["SICInformation1992"]),
        former_names=tuple(
            FormerName(each["Name"], dt.date.fromisoformat(each["DateChanged"]))
            for each in who["PreviousNames"]["PreviousName"]
        ),
        accounts=AccountsFiling(next_due=dt.date.fromisoformat(REPORT["Assessment"]["AccountsNextDue"])),
        confirmation_next_due=dt.date.fromisoformat(REPORT["Assessment"]["ConfirmationStatementNextDue"]),
        charges=Charges(mortgages["NumMortgages"], mortgages["NumUnsatMortgages"], 0, mortgages["NumSatMortgages"]),
    )
    years = tuple(column(each) for each in REPORT["Financials"]["Accounts"][:2])
    return Company(
        number=REPORT["RegNumber"], register=Sourced(entry, SOURCE), accounts=Sourced((filing(*years),), SOURCE)
    )


def column(year: dict[str, Any]) -> Period:
    sheet, result, end = year["BalanceSheet"], year["ProfitLoss"], dt.date.fromisoformat(year["DateOfAccounts"])
    total = sheet["TotalFixedNonCurrentAssets"] + sheet["TotalCurrentAssets"]
    return period(
        end,
        dt.date(end.year, 1, 1),
        fixed_assets=sheet["TotalFixedNonCurrentAssets"],
        intangible_assets=sheet["IntangibleAssets"],
        current_assets=sheet["TotalCurrentAssets"],
        stocks=sheet["InventoriesDetails"]["Inventories"],
        debtors=sheet["DebtorsDetails"]["Debtors"],
        cash=sheet["TotalCashDetails"]["TotalCash"],
        creditors_within_year=sheet["TotalCurrentLiabilities"],
        creditors_after_year=sheet["TotalNonCurrentLiabilities"],
        provisions=sheet["ProvisionsDetails"]["Provisions"],
        net_current_assets=sheet["WorkingCapital"],
        net_assets=sheet["NetAssets"],
        tangible_net_assets=sheet["NetWorth"],
        share_capital=sheet["IssuedCapitalDetails"]["IssuedCapital"],
        retained_earnings=sheet["RetainedEarnings"],
        total_assets=total,
        total_liabilities=total - sheet["NetAssets"],
        turnover=result["TurnoverSalesDetails"]["TurnoverSales"],
        operating_profit=result["OperatingProfit"],
        interest_payable=result["InterestPayableDetails"]["InterestPayable"],
        profit_before_tax=result["PreTaxProfitLoss"],
        profit=result["NetProfitLoss"],
        depreciation=year["DisclosureItems"]["DepreciationCharges"],
    )


def made() -> dict[str, Any]:
    """The report on the specimen's facts, made as every report is."""
    decoded: dict[str, Any] = msgspec.json.decode(encode(build(company(), Group(), dt.date(2026, 6, 1))))
    return decoded


def test_its_points_add_up_to_its_score() -> None:
    """credit §7.3."""
    assert sum(each["Points"] for each in SCORE["Lines"]) == SCORE["Score"]


def test_its_score_limit_and_published_models_are_those_of_its_facts() -> None:
    """A new version of the model changes the specimen too."""
    said = made()
    assert said["CommercialDelphi"].items() <= REPORT["CommercialDelphi"].items()
    assert said["Assessment"]["Score"] == SCORE
    assert said["Assessment"]["Headline"] == REPORT["Assessment"]["Headline"]
    assert said["Assessment"]["PublishedModels"] == REPORT["Assessment"]["PublishedModels"]


def test_every_member_tells_the_same_score() -> None:
    delphi, history = REPORT["CommercialDelphi"], REPORT["CommercialDelphiHistory"]["CompanyHistory"]
    (risk,) = REPORT["ScoringData"]["LimitedCompanyDelphiRisk"]
    newest = history["ScoreHistory"][0]
    score = str(SCORE["Score"])
    assert score == delphi["CommDelphiScore"] == history["CommDelphiScore"] == newest["CommDelphiScore"]
    assert score == risk["CommercialDelphiScore"]
    limit = str(SCORE["Limit"]["Amount"])
    assert limit == delphi["CreditLimit"] == newest["CreditLimit"] == risk["CreditLimit"]
    assert limit == delphi["CreditRating"] == newest["CreditRating"] == risk["CreditRating"]
    assert delphi["StabilityOdds"] == history["StabilityOdds"] == f"{odds_of(SCORE['Score']):.0f}:1"
    assert (delphi["CommDelphiBand"], delphi["CommDelphiBandText"]) == (
        history["CommDelphiBand"],
        history["CommDelphiBandText"],
    )
