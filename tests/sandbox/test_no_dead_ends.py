"""The sandbox's own companies and people: searches find them, and every number that an answer names is answered (D24)."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from credence.sandbox.sandbox_data import COMPANIES
from tests.report.schema import faults
from tests.running import RunningServer

REPORT = "/risk/business/v2/registeredcompanycredit"
SEARCH = "/risk/business/v2/businesstargeter"
DIRECTORS = "/risk/business/v2/directortargeter"
DETAILS = "/risk/business/v2/directordetails"


@pytest.fixture(scope="module")
def token(sandbox: RunningServer) -> str:
    return sandbox.tokens()["access_token"]


def get(sandbox: RunningServer, token: str, path: str, **parameters: str) -> Any:
    reply = sandbox.client.get(path, params=parameters or None, headers={"Authorization": f"Bearer {token}"})
    assert reply.status_code == 200, (path, parameters, reply.text)
    return reply.json()


def numbers(document: Any) -> Iterator[str]:
    """The numbers of companies and directors anywhere in a document."""
    match document:
        case dict():
            for name, value in document.items():
                if isinstance(value, str) and (name.endswith("RegNumber") or name == "DirectorNumber"):
                    yield value
                else:
                    yield from numbers(value)
        case list():
            for each in document:
                yield from (each,) if isinstance(each, str) and re.fullmatch("D9999[0-9]{4}", each) else numbers(each)


def test_every_number_that_a_report_of_the_sandbox_names_is_answered(sandbox: RunningServer, token: str) -> None:
    seen: set[str] = set()
    waiting = {"99999999", *COMPANIES}
    while waiting:
        number = waiting.pop()
        seen.add(number)
        path, model = (DETAILS, "DirectorData") if number.startswith("D") else (REPORT, "LtdCompanyData")
        answer = get(sandbox, token, f"{path}/{number}")
        assert set(faults(answer, model)) == set(), number
        waiting |= set(numbers(answer)) - seen
    assert {"D99999999", "D99999998", "D99999997", "D99999996", "99999998", "99999997"} <= seen
    assert len([each for each in seen if each.startswith("D")]) > 20


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"forename": "John", "surname": "Smith"}, "D99999999"),
        ({"forename": "john", "middlenames": "william", "surname": "SMITH"}, "D99999999"),
        ({"surname": "Smith", "dateofbirth": "1972-04"}, "D99999999"),
        ({"surname": "Upname", "secretariesflag": "true"}, "D99999996"),
        ({"surname": "Madeup", "forename": "R"}, "D99999902"),
    ],
)
def test_a_director_search_finds_the_people_of_the_sandbox(
    sandbox: RunningServer, token: str, parameters: dict[str, str], expected: str
) -> None:
    found = get(sandbox, token, DIRECTORS, **parameters)
    assert expected in [each["DirectorNumber"] for each in found["SearchResults"]]


@pytest.mark.parametrize(
    "parameters", [{"surname": "Smith", "forename": "Jane"}, {"surname": "Smith", "dateofbirth": "1990-01"}]
)
def test_a_director_search_for_somebody_else_does_not_find_the_specimen(
    sandbox: RunningServer, token: str, parameters: dict[str, str]
) -> None:
    assert get(sandbox, token, DIRECTORS, **parameters)["SearchResults"] == []


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"businessref": "99999908"}, "99999908"),
        ({"businessref": "99999999"}, "99999999"),
        ({"name": "Invented Judgments Ltd"}, "99999908"),
        ({"name": "invented beginnings"}, "99999901"),
        ({"name": "test specimen trading"}, "99999999"),
        ({"name": "invented", "town": "nowhere"}, "99999903"),
        ({"postcode": "ZZ99 9ZZ"}, "99999910"),
        ({"postcode": "zz99"}, "99999911"),
        ({"name": "placeholder ventures", "excludedissolved": "false"}, "99999997"),
        ({"name": "Exel Computer Systems"}, "01873499"),
        ({"businessref": "1873499"}, "01873499"),
        ({"name": "white ribbon association"}, "00039177"),
        ({"businessref": "00039177"}, "00039177"),
    ],
)
def test_a_company_search_finds_what_has_a_report(
    sandbox: RunningServer, token: str, parameters: dict[str, str], expected: str
) -> None:
    """Invented companies, real ones with filed accounts, and one that is known by its accounts alone."""
    found = get(sandbox, token, SEARCH, **parameters)
    assert set(faults(found, "BusinessTargeterResponse")) == set()
    assert expected in [each["BusinessRef"] for each in found["SearchResults"]]
    assert get(sandbox, token, f"{REPORT}/{expected}")["RegNumber"] == expected


@pytest.mark.parametrize(
    "parameters",
    [
        {"name": "placeholder ventures"},
        {"businessref": "99999908", "searchcorporates": "false"},
        {"name": "invented judgments", "town": "London"},
        {"businessref": "00000001"},
    ],
)
def test_filters_apply_to_the_companies_of_the_sandbox(
    sandbox: RunningServer, token: str, parameters: dict[str, str]
) -> None:
    assert get(sandbox, token, SEARCH, **parameters)["SearchResults"] == []


@pytest.mark.parametrize("number", sorted(set(COMPANIES) - {"99999999"}))
def test_an_invented_company_has_everything_that_clients_read_and_says_that_it_is_invented(
    sandbox: RunningServer, token: str, number: str
) -> None:
    """Report schema §2."""
    report = get(sandbox, token, f"{REPORT}/{number}")
    assert "invented" in report["Assessment"]["Specimen"]
    assert len(report["Financials"]["Accounts"]) == 2
    assert all("TotalFixedNonCurrentAssets" in year["BalanceSheet"] for year in report["Financials"]["Accounts"])
    assert report["ManagementInfo"]["NumDirs"] >= 1
    assert report["ManagementInfo"]["NumSecs"] >= 1
    assert "NumMortgages" in report["Mortgages"]
    assert "SummaryCount" in report["LegalNotices"]
    assert report["CCJs"]["NumberCCJs0To72"] == len(report["CCJs"].get("CCJDetail", []))
    assert len(report["PaymentPerformance"]["PaymentFull"]["CompanyDBTMonthly"]) == 12
    assert not {"CCJs", "PaymentPerformance"} & {each["Member"] for each in report["Assessment"]["NotHeld"]}


def test_each_state_of_a_company_has_an_example(sandbox: RunningServer, token: str) -> None:
    def report(number: str) -> Any:
        return get(sandbox, token, f"{REPORT}/{number}")

    insolvent = report("99999907")
    assert insolvent["CommercialDelphi"]["CreditLimit"] == "0"
    assert {"H", "J"} <= {each["EventType"] for each in insolvent["LegalNotices"]["SummaryLine"]}
    sued = report("99999908")["CCJs"]
    assert (sued["NumberCCJs0To72"], sued["NumberCCJsLast12Months"], sued["ValueCCJsLast12Months"]) == (5, 2, 16_830)
    group = report("99999909")["CorporateStructure"]["Subsidiaries"]
    assert [(each["SubRegNumber"], each["SubStatus"]) for each in group["UKSubsidiaries"]] == [
        ("99999910", "L"),
        ("99999911", "D"),
    ]
    assert report("99999910")["CorporateStructure"]["CompanyOwnership"]["UltParRegNumber"] == "99999909"
    assert report("99999906")["Assessment"]["NotScored"]["Code"] == "unscored.dissolved"


def test_a_real_company_has_no_invented_judgments(sandbox: RunningServer, token: str) -> None:
    report = get(sandbox, token, f"{REPORT}/SC109881")
    assert not {"CCJs", "PaymentPerformance"} & set(report)
    assert "Specimen" not in report["Assessment"]
    assert {"CCJs", "PaymentPerformance"} <= {each["Member"] for each in report["Assessment"]["NotHeld"]}
