"""The report of a registered company (D21, report schema)."""

import datetime as dt
import re
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.credit import codes, dataset, report
from credence.credit.facts.company import Company, Held
from credence.credit.facts.provenance import Provenance
from credence.credit.facts.register import AccountsFiling, Charges, Office, RegisterEntry
from credence.credit.holdings import Holdings
from credence.credit.office import location
from credence.credit.register import Register

from .schema import faults

NOTHING = RegisterEntry(
    number="00000001",
    name="PLACEHOLDER LIMITED",
    category="",
    status="",
    country_of_origin="",
    incorporated=None,
    dissolved=None,
    office=Office(),
    activities=(),
    former_names=(),
    accounts=AccountsFiling(),
    confirmation_next_due=None,
    confirmation_last_made_up=None,
    annual_return_last_made_up=None,
    charges=Charges(),
)
"""A company of which the register says next to nothing."""


def company_of(entry: RegisterEntry) -> Company:
    return Company(number=entry.number, register=Held(entry, Provenance("source")))


def report_on(company: Company) -> dict[str, Any]:
    """The report as a client reads it."""
    decoded: dict[str, Any] = msgspec.json.decode(report.encode(report.build(company)))
    return decoded


def report_from(register: Register, number: str) -> dict[str, Any]:
    """The report on a company in the sample."""
    company = Holdings(register).company(number)
    assert company is not None
    return report_on(company)


def test_every_company_of_the_sample_gives_a_report_that_keeps_the_schema(sample_file: Path) -> None:
    connection = sqlite3.connect(sample_file)
    entries = connection.execute("SELECT entry FROM company").fetchall()
    connection.close()
    found: set[str] = set()
    for (entry,) in entries:
        facts = company_of(dataset.decode_entry(entry))
        encoded = report.encode(report.build(facts))
        assert b"null" not in re.sub(rb'"(\\.|[^"\\])*"', b"", encoded)
        found.update(faults(msgspec.json.decode(encoded), "LtdCompanyData"))
    assert len(entries) == 4537
    assert found == set()


def test_the_register_facts_stand_where_the_schema_wants_them(sample: Register) -> None:
    said = report_from(sample, "01051677")
    identification = said["Identification"]
    office = identification.pop("RegisteredOffice")
    assert set(office) == {
        "LocationLine1",
        "LocationLine2",
        "LocationLine3",
        "LocationLine4",
        "LocationLine5",
        "Postcode",
    }
    assert said["RegNumber"] == "01051677"
    assert said["CommercialName"] == "LATCHMERE PROPERTIES LIMITED"
    assert identification == {
        "LegalStatus": "2",
        "IncorporationDate": "1972-04-26",
        "SICInformation1992": [{"Code": "41100", "Description": "Development of building projects"}],
        "PreviousNames": {"NumPrevNames": 0},
        "FilingDetails": {
            "LatestAccounts": "2019-06-30",
            "LatestReturns": "2020-01-24",
            "LatestAccountType": "8",
            "AccountsRefDate": {"DD": "27", "MM": "06"},
        },
    }
    assert said["Mortgages"] == {"NumMortgages": 142, "NumSatMortgages": 133, "NumUnsatMortgages": 9}


def test_former_names_are_counted_and_stand_newest_first(sample: Register) -> None:
    names = report_from(sample, "03092241")["Identification"]["PreviousNames"]
    assert names["NumPrevNames"] == len(names["PreviousName"]) == 5
    assert names["PreviousName"][0] == {"Name": "MODERN WORKING LIMITED", "DateChanged": "2019-11-05"}
    assert names["PreviousName"][4] == {"Name": "SALES AND MARKETING SELECTION LIMITED", "DateChanged": "2005-01-21"}


def test_the_assessment_says_status_form_source_day_and_attribution(sample: Register) -> None:
    said = report_from(sample, "02156760")["Assessment"]
    assert said["CompanyStatus"] == "ADMINISTRATION ORDER"
    assert said["LegalForm"] == "Private company limited by shares"
    assert said["Source"] == "Companies House, Free Company Data Product"
    assert said["SnapshotDate"] == "2020-05-01"
    assert said["Attribution"] == "Contains public register information from Companies House"
    assert said["ActivityClassification"] == "SIC 2003"
    assert said["AccountsNextDue"] == "2003-01-31"


def test_what_is_not_held_is_named_and_is_not_in_the_report(sample: Register) -> None:
    said = report_from(sample, "IP00261C")
    not_held = {each["Member"] for each in said["Assessment"]["NotHeld"]}
    assert {"CCJs", "CommercialDelphi", "Financials", "PaymentPerformance"} <= not_held
    assert not not_held & set(said)


def test_a_society_has_code_0_and_its_form_in_the_words_of_the_register(sample: Register) -> None:
    said = report_from(sample, "IP00261C")
    assert said["Identification"]["LegalStatus"] == "0"
    assert said["Assessment"]["LegalForm"] == "Registered Society"
    assert said["Identification"]["FilingDetails"] == {"LatestAccountType": "0"}


def test_what_the_register_does_not_say_is_left_out() -> None:
    assert report_on(company_of(NOTHING)) == {
        "RegNumber": "00000001",
        "CommercialName": "PLACEHOLDER LIMITED",
        "Identification": {"PreviousNames": {"NumPrevNames": 0}, "FilingDetails": {}},
        "Assessment": {
            "Source": "source",
            "NotHeld": [{"Member": each.Member, "Reason": each.Reason} for each in report.NOT_HELD],
        },
    }


def test_the_annual_return_counts_only_until_there_is_a_confirmation_statement() -> None:
    returned = msgspec.structs.replace(NOTHING, annual_return_last_made_up=dt.date(2015, 8, 17))
    confirmed = msgspec.structs.replace(returned, confirmation_last_made_up=dt.date(2019, 8, 17))
    for entry, day in ((returned, "2015-08-17"), (confirmed, "2019-08-17")):
        said = report_on(company_of(entry))
        assert said["Identification"]["FilingDetails"] == {"LatestReturns": day}


def test_a_count_of_zero_is_sent_and_a_missing_one_is_not() -> None:
    entry = msgspec.structs.replace(NOTHING, charges=Charges(total=0, satisfied=0, outstanding=0))
    assert report_on(company_of(entry))["Mortgages"] == {
        "NumMortgages": 0,
        "NumSatMortgages": 0,
    }


def test_seven_parts_of_an_address_share_five_lines_and_none_is_lost() -> None:
    office = Office("A Person", "12", "Line 1", "Line 2", "Town", "County", "Country", "ZZ99 9ZZ")
    found = location(office)
    assert found is not None
    assert found.LocationLine1 == "c/o A Person, PO Box 12, Line 1"
    assert [found.LocationLine2, found.LocationLine5, found.Postcode] == ["Line 2", "Country", "ZZ99 9ZZ"]


@pytest.mark.parametrize(
    ("category", "code"),
    [
        ("Private Limited Company", "2"),
        ("PRIVATE LIMITED COMPANY", "2"),
        ("Public Limited Company", "3"),
        ("Private Unlimited Company", "1"),
        ("PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)", "5"),
        ("PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption)", "A"),
        ("Limited Partnership", "6"),
        ("Converted/Closed", "8"),
        ("Limited Liability Partnership", "0"),
        ("Something New", "0"),
    ],
)
def test_the_legal_status_follows_the_category(category: str, code: str) -> None:
    form = codes.legal_form(category)
    assert form is not None
    assert form.code == code


@pytest.mark.parametrize(
    ("category", "code"),
    [("NO ACCOUNTS FILED", "0"), ("GROUP", "4"), ("MICRO ENTITY", "G"), ("UNAUDITED ABRIDGED", "Z"), ("", None)],
)
def test_the_accounts_type_follows_the_accounts_category(category: str, code: str | None) -> None:
    assert codes.accounts_type(category) == code


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("Active", "A"),
        ("Active - Proposal to Strike off", "A"),
        ("Dissolved", "D"),
        ("Liquidation", " "),
        ("In Administration", " "),
        ("Dreaming", " "),
        ("", " "),
    ],
)
def test_only_what_is_surely_active_is_called_active(status: str, code: str) -> None:
    assert codes.business_status(msgspec.structs.replace(NOTHING, status=status)) == code


def test_a_day_of_dissolution_means_dissolved_whatever_the_status() -> None:
    entry = msgspec.structs.replace(NOTHING, status="Active", dissolved=dt.date(2020, 1, 1))
    assert codes.business_status(entry) == "D"
