"""The report of a registered company: the schema, the fields clients must find, and what the register alone gives.

D21, report schema §2, §3, §8 and §9.
"""

import datetime as dt
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.register import Charges, Office
from credence.datasets import register_schema
from credence.datasets.register import RegisterReader
from credence.report.build.group import Group
from credence.report.build.identification import location
from credence.report.build.report import build, encode
from tests import sweeps
from tests.report.hand_made import ENTRY, NOTHING, TODAY, WHOLE, YEAR_2024, YEAR_2025, company, filing, held, report_on
from tests.report.must_have import lacking
from tests.report.schema import faults

PARTS = [name for name in Company.__struct_fields__ if name not in {"number", "scores", "disputes"}]

HAND_MADE = {
    "every part": WHOLE,
    "next to nothing": company(register=NOTHING),
    "accounts alone": company(accounts=(filing(YEAR_2025, YEAR_2024, name="PLACEHOLDER LIMITED"),)),
    "parts without anything in them": company(
        accounts=(), officers=(), owners=(), charges=(), insolvency=(), notices=(), filings=(), payment_practices=()
    ),
    **{
        f"only {part}": Company(number="00000001", **{part: getattr(WHOLE, part)})
        for part in WHOLE.__struct_fields__[1:]
    },
}


def report_from(register: RegisterReader, number: str) -> dict[str, Any]:
    """The report on a company in the sample."""
    entry = register.entry(number)
    assert entry is not None
    return report_on(Company(number=number, register=held(entry, dt.date(2020, 5, 1))))


def entries_of(sample_file: Path) -> Iterator[Company]:
    """Every company of the sample."""
    connection = sqlite3.connect(sample_file)
    rows = connection.execute("SELECT entry FROM company").fetchall()
    connection.close()
    for (row,) in rows:
        entry = register_schema.decode_entry(row)
        yield Company(number=entry.number, register=held(entry))


@pytest.mark.sweep
def test_the_reports_of_real_companies_conform_to_the_schema(sample_file: Path) -> None:
    """Report schema §2 and §3: names and types as in the tables, never null, and every field that clients read."""
    found: set[str] = set()
    subjects = list(entries_of(sample_file))
    for subject in sweeps.sample(subjects, 200):
        encoded = encode(build(subject, Group(), TODAY))
        assert b"null" not in re.sub(rb'"(\\.|[^"\\])*"', b"", encoded)
        report = msgspec.json.decode(encoded)
        found.update(faults(report, "LtdCompanyData"))
        found.update(lacking(subject, report))
    assert len(subjects) == 4537
    assert found == set()


@pytest.mark.parametrize("subject", HAND_MADE.values(), ids=list(HAND_MADE))
def test_a_report_from_any_facts_conforms_to_the_schema(subject: Company) -> None:
    """Report schema §2 and §3."""
    for group in (Group(), Group(top=WHOLE, subsidiaries=(WHOLE, Company(number="00000003")), subsidiaries_in_all=2)):
        report = report_on(subject, group)
        assert set(faults(report, "LtdCompanyData")) == set()
        assert set(lacking(subject, report)) == set()


def test_the_register_facts_are_in_the_members_of_the_schema(sample: RegisterReader) -> None:
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


def test_former_names_are_counted_and_listed_newest_first(sample: RegisterReader) -> None:
    names = report_from(sample, "03092241")["Identification"]["PreviousNames"]
    assert names["NumPrevNames"] == len(names["PreviousName"]) == 5
    assert names["PreviousName"][0] == {"Name": "MODERN WORKING LIMITED", "DateChanged": "2019-11-05"}
    assert names["PreviousName"][4] == {"Name": "SALES AND MARKETING SELECTION LIMITED", "DateChanged": "2005-01-21"}


def test_the_assessment_has_status_legal_form_source_day_and_licence(sample: RegisterReader) -> None:
    said = report_from(sample, "02156760")["Assessment"]
    assert said["CompanyStatus"] == "ADMINISTRATION ORDER"
    assert said["LegalForm"] == "Private company limited by shares"
    (origin,) = said["Provenance"]
    assert origin["Part"] == "Register"
    assert origin["Source"] == "A source"
    assert origin["AsOf"] == "2020-05-01"
    assert said["Licences"] == ["A licence line"]
    assert said["ActivityClassification"] == "SIC 2003"
    assert said["AccountsNextDue"] == "2003-01-31"


def test_a_society_has_code_0_and_its_form_in_the_words_of_the_register(sample: RegisterReader) -> None:
    said = report_from(sample, "IP00261C")
    assert said["Identification"]["LegalStatus"] == "0"
    assert said["Assessment"]["LegalForm"] == "Registered Society"
    assert said["Identification"]["FilingDetails"] == {"LatestAccountType": "0"}


def test_unknown_register_facts_are_left_out() -> None:
    said = report_on(company(register=NOTHING))
    assert said["Identification"] == {"FilingDetails": {}}
    named = {"RegNumber", "CommercialName", "Identification", "ScoringData", "Alerts", "Assessment"}
    assert set(said) == named | {"NoticeOfCorrection"}
    assert said["ScoringData"] == {}


def test_a_company_with_accounts_only_has_a_report_of_its_accounts_only() -> None:
    """Report schema §8: a member without a source is left out."""
    said = report_on(company(accounts=(filing(YEAR_2025, name="PLACEHOLDER LIMITED"),)))
    assert said["CommercialName"] == "PLACEHOLDER LIMITED"
    assert said["Identification"] == {
        "Currency": "GBP",
        "IssuedCapital": 100,
        "FilingDetails": {"LatestAccounts": "2025-12-31"},
    }
    assert "Mortgages" not in said
    assert "CompanyStatus" not in said["Assessment"]


def test_the_annual_return_counts_only_until_there_is_a_confirmation_statement() -> None:
    returned = msgspec.structs.replace(NOTHING, annual_return_last_made_up=dt.date(2015, 8, 17))
    confirmed = msgspec.structs.replace(returned, confirmation_last_made_up=dt.date(2019, 8, 17))
    for entry, day in ((returned, "2015-08-17"), (confirmed, "2019-08-17")):
        assert report_on(company(register=entry))["Identification"]["FilingDetails"] == {"LatestReturns": day}


def test_the_filing_history_gives_receipt_days_and_changes() -> None:
    """Report schema §8, row 3: 31 December to 10 April are 100 days."""
    said = report_on(WHOLE)["Identification"]
    details = said["FilingDetails"]
    assert details["LatestAccountsReceived"] == "2026-04-10"
    assert details["NumberDaysToFileAccounts"] == 100
    assert details["NumAccountsOnFile"] == 1
    assert said["CROChanges"] == {
        "NumCROChanges": 1,
        "CROChangeDetail": [{"DocumentDate": "2026-01-02", "DocumentType": "AD01"}],
    }


def test_a_count_of_zero_is_sent_and_a_missing_one_is_not() -> None:
    entry = msgspec.structs.replace(NOTHING, charges=Charges(total=0, satisfied=0, outstanding=0))
    assert report_on(company(register=entry))["Mortgages"] == {"NumMortgages": 0, "NumSatMortgages": 0}


def test_charges_are_listed_with_lenders_and_without_particulars() -> None:
    """Report schema §8, row 15; credit §10: particulars may describe a home."""
    said = report_on(WHOLE)["Mortgages"]
    assert said["DateMostRecentMort"] == "2026-02-01"
    assert said["RecMortDateFlag"] == "C"
    assert said["DateMostRecentSat"] == "2019-05-05"
    new, old = said["MortgageDetail"]
    assert new["FullySatisfiedIndicator"] == "N"
    assert new["LenderDetails"] == [{"LenderName": "IMAGINARY BANK PLC"}]
    assert new["ChargeType"] == "A registered charge, with floating charge over the whole undertaking"
    assert "A house in Nowhere" not in str(said)
    assert (old["FullySatisfiedIndicator"], old["NumberLenders"]) == ("F", 2)


def test_charges_are_counted_from_the_list_if_the_register_has_no_count() -> None:
    said = report_on(Company(number="00000001", charges=WHOLE.charges))["Mortgages"]
    assert (said["NumMortgages"], said["NumSatMortgages"], said["NumUnsatMortgages"]) == (2, 1, 1)


def test_all_seven_parts_of_an_address_fit_into_five_lines() -> None:
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
def test_only_certainly_active_companies_are_called_active(status: str, code: str) -> None:
    assert codes.business_status(msgspec.structs.replace(NOTHING, status=status)) == code


def test_a_day_of_dissolution_means_dissolved_under_any_status() -> None:
    entry = msgspec.structs.replace(ENTRY, status="Active", dissolved=dt.date(2020, 1, 1))
    assert codes.business_status(entry) == "D"
