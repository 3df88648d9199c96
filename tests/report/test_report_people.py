"""Officers, owners and the group in the report (report schema §8 rows 4 and 5, credit §10)."""

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.people import Officer, Owner, director_number, is_director_number
from credence.companies.ownership import Subsidiaries
from credence.report.build.group import Group, group_of
from tests.report.hand_made import (
    DIRECTOR,
    ENTRY,
    FORMER_DIRECTOR,
    HOLDING,
    PERSON,
    SECRETARY,
    WHOLE,
    company,
    filing,
    held,
    period,
    report_on,
)


def management_of(*officers: Officer, today: dt.date = dt.date(2026, 6, 1)) -> dict[str, Any]:
    """The member ManagementInfo of a company with these officers."""
    found: dict[str, Any] = report_on(company(officers=officers), today=today)["ManagementInfo"]
    return found


def test_officers_are_counted_and_listed_by_role() -> None:
    said = management_of(DIRECTOR, FORMER_DIRECTOR, SECRETARY)
    assert {name: said[name] for name in ("NumDirs", "NumSecs", "NumCurrDirs", "NumPrevDirs")} == {
        "NumDirs": 2,
        "NumSecs": 1,
        "NumCurrDirs": 1,
        "NumPrevDirs": 1,
    }
    (current,) = said["Directors"]["CurrentDirector"]
    assert current["DirectorDetails"]["Name"] == {
        "Forename": "Ada",
        "MiddleNames": "Jane Invented",
        "Surname": "Specimen",
        "Prefix": "Dr",
    }
    assert (current["AppointmentDate"], current["AppointmentIndicator"]) == ("2020-06-01", "E")
    assert current["DirectorshipLength"] == 6
    (previous,) = said["Directors"]["PreviousDirector"]
    assert (previous["AppointmentDate"], previous["AppointmentIndicator"]) == ("1992-01-01", "P")
    assert previous["DirectorCompanyFlag"] == "Y"
    assert previous["DirectorDetails"]["CommercialDetail"] == {"Name": "NOMINEE SERVICES LIMITED"}
    (secretary,) = said["Secretaries"]["CurrentSecretary"]
    assert secretary["SecretaryDetails"]["Name"] == {"Forename": "Max", "Surname": "Placeholder"}


def test_comings_and_goings_of_the_last_twelve_months_are_counted() -> None:
    came = msgspec.structs.replace(DIRECTOR, id="new", appointed=dt.date(2025, 6, 2))
    just_not = msgspec.structs.replace(DIRECTOR, id="old", appointed=dt.date(2025, 6, 1))
    said = management_of(came, just_not, FORMER_DIRECTOR)
    assert (said["NumAppointmentsLast12"], said["NumResignationsLast12"]) == (1, 1)


def test_no_officers_held_and_none_in_office_are_told_apart() -> None:
    assert management_of()["NumDirs"] == 0
    assert "ManagementInfo" not in report_on(company(register=ENTRY))


@pytest.mark.parametrize(
    ("today", "age"),
    [
        (dt.date(2026, 2, 28), "45"),
        (dt.date(2026, 3, 1), None),
        (dt.date(2026, 3, 31), None),
        (dt.date(2026, 4, 1), "46"),
    ],
)
def test_an_age_never_betrays_the_day_of_birth(today: dt.date, age: str | None) -> None:
    """Credit §10: born in March 1980; in March the age depends on the day, so none is sent."""
    (current,) = management_of(DIRECTOR, today=today)["Directors"]["CurrentDirector"]
    assert current["DirectorDetails"].get("DirectorAge") == age


@pytest.mark.parametrize("year", [-5, 1, 1900, 2027, 99_999])
def test_an_age_that_nobody_has_is_unknown(year: int) -> None:
    """Unknown is left out: a slip in the register is no age."""
    slip = msgspec.structs.replace(DIRECTOR, birth_year=year)
    (current,) = management_of(slip)["Directors"]["CurrentDirector"]
    assert "DirectorAge" not in current["DirectorDetails"]
    assert "DirectorAvgAge" not in management_of(slip)


def test_an_average_needs_every_age() -> None:
    unknown = msgspec.structs.replace(DIRECTOR, id="x", birth_month=None)
    assert management_of(DIRECTOR)["DirectorAvgAge"] == 46
    assert "DirectorAvgAge" not in management_of(DIRECTOR, unknown)


def test_no_birth_address_residence_or_conviction_is_ever_sent() -> None:
    """Credit §10."""
    report = report_on(WHOLE)
    del report["Assessment"]["PublishedModels"]  # their sources have years
    text = str(report)
    for name in ("DateOfBirth", "'Location'", "Conviction", "1980", "England'}", "Disqual"):
        assert name not in text.replace("'ParCountry': 'England'", "").replace("'Country': 'England'", ""), name


def test_a_director_has_one_number_at_every_company() -> None:
    """Report schema §1: letters and digits, the same whatever the case in which clients send it back."""
    number = director_number("abcDEF-1_2")
    assert number == director_number("abcDEF-1_2")
    assert number != director_number("ABCDEF-1_2")
    assert is_director_number(number)
    assert len(number) == 17
    assert re.fullmatch(r"D[A-Z2-7]{16}", number)


class Register:
    """Companies by number, with who owns whom as the credit_data would say."""

    def __init__(self, *companies: Company) -> None:
        self._companies = {each.number: each for each in companies}

    def company(self, number: str) -> Company | None:
        return self._companies.get(number)

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        for each in self._companies.values():
            for officer in each.officers.value if each.officers else ():
                if director_number(officer.id) == key:
                    yield each.number, officer

    def subsidiaries(self, number: str) -> Subsidiaries | None:
        return Subsidiaries(
            tuple(
                each.number
                for each in self._companies.values()
                if each.owners and any(owner.registration_number == number for owner in each.owners.value)
            )
        )


def owned(number: str, *owners: Owner) -> Company:
    """A company with a name and owners."""
    return Company(
        number=number, register=held(msgspec.structs.replace(ENTRY, name=f"NUMBER {number}")), owners=held(owners)
    )


def holder(number: str, **changed: Any) -> Owner:
    """A body that holds everything."""
    return msgspec.structs.replace(HOLDING, registration_number=number, **changed)


def structure_of(subject: Company, *others: Company) -> dict[str, Any]:
    """The member CorporateStructure of a company among others."""
    known = Register(subject, *others)
    found: dict[str, Any] = report_on(subject, group_of(subject, known))["CorporateStructure"]
    return found


def test_a_body_with_a_majority_is_the_parent() -> None:
    said = structure_of(owned("00000001", HOLDING))["CompanyOwnership"]
    assert said["ParRegNumber"] == "00000002"
    assert said["ParentDetail"] == {"CommercialName": "HOLDINGS OF NOWHERE LIMITED"}
    assert said["CorporateShareholder"][0]["Holding"] == "75 to 100"


@pytest.mark.parametrize(
    "owner",
    [
        PERSON,
        msgspec.structs.replace(HOLDING, natures=("ownership-of-shares-25-to-50-percent",)),
        msgspec.structs.replace(HOLDING, natures=("significant-influence-or-control",)),
        msgspec.structs.replace(HOLDING, ceased=dt.date(2020, 1, 1)),
    ],
    ids=["a person", "a quarter", "influence", "former"],
)
def test_who_holds_no_majority_today_is_no_parent(owner: Owner) -> None:
    assert "ParRegNumber" not in structure_of(owned("00000001", owner)).get("CompanyOwnership", {})


def test_two_that_claim_a_majority_are_no_parent() -> None:
    assert "ParRegNumber" not in structure_of(owned("00000001", HOLDING, holder("3", id="x")))["CompanyOwnership"]


def test_a_former_parent_is_named_as_such() -> None:
    former = msgspec.structs.replace(HOLDING, ceased=dt.date(2020, 1, 1))
    assert structure_of(owned("00000001", former))["CompanyOwnership"]["PrevParRegNumber"] == "00000002"


def test_the_ultimate_parent_stands_at_the_end_of_a_whole_chain() -> None:
    """Report schema §8, row 4: only when the chain is complete."""
    middle, top = owned("00000002", holder("00000003")), owned("00000003", PERSON)
    said = structure_of(owned("00000001", HOLDING), middle, top)["CompanyOwnership"]
    assert (said["ParRegNumber"], said["UltParRegNumber"]) == ("00000002", "00000003")
    assert said["UltParentDetail"] == {"CommercialName": "NUMBER 00000003"}


@pytest.mark.parametrize(
    "others",
    [
        (),
        (Company(number="00000002", register=held(ENTRY)),),
        (owned("00000002", holder("00000001")),),
        (owned("00000002", holder("HRB 1", country="Germany")),),
        (owned("00000002", msgspec.structs.replace(HOLDING, natures=("significant-influence-or-control",))),),
    ],
    ids=["parent unknown", "its owners unknown", "in a ring", "foreign", "another body has a say"],
)
def test_a_chain_with_a_gap_names_no_ultimate_parent(others: tuple[Company, ...]) -> None:
    assert "UltParRegNumber" not in structure_of(owned("00000001", HOLDING), *others)["CompanyOwnership"]


def test_subsidiaries_are_counted_and_listed_with_their_state() -> None:
    dissolved = owned("00000005", holder("00000001"))
    dissolved = msgspec.structs.replace(
        dissolved, register=held(msgspec.structs.replace(ENTRY, status="Dissolved", name="GONE LIMITED"))
    )
    dormant = msgspec.structs.replace(
        owned("00000006", holder("00000001")),
        accounts=held((filing(period(dt.date(2025, 12, 31), cash=1), dormant=True),)),
    )
    said = structure_of(owned("00000001", PERSON), owned("00000004", holder("00000001")), dissolved, dormant)
    tree = said["Subsidiaries"]
    assert (tree["TreePosition"], tree["TotalNumUKSubs"]) == ("3", 3)
    assert [(each["SubRegNumber"], each["SubStatus"]) for each in tree["UKSubsidiaries"]] == [
        ("00000004", "L"),
        ("00000005", "S"),
        ("00000006", "D"),
    ]


def test_a_count_of_subsidiaries_that_stopped_says_so() -> None:
    said = report_on(owned("00000001", PERSON), Group(subsidiaries=(), subsidiaries_in_all=700, subsidiaries_cut=True))
    absent = {each["Member"]: each["Reason"] for each in said["Assessment"]["NotHeld"]}
    assert "there are at least 700." in absent["CorporateStructure.Subsidiaries"]


@pytest.mark.parametrize(("owner", "position"), [(PERSON, "1"), (HOLDING, "2")])
def test_a_company_without_subsidiaries_is_independent_or_one_itself(owner: Owner, position: str) -> None:
    """Report schema §4."""
    assert structure_of(owned("00000001", owner))["Subsidiaries"] == {
        "TreePosition": position,
        "TotalNumImmediateSubs": 0,
        "TotalNumUKSubs": 0,
    }


def test_without_owners_loaded_nothing_is_said_of_structure() -> None:
    said = report_on(company(register=ENTRY), Group())
    assert "CorporateStructure" not in said
    assert "CorporateStructure" in {each["Member"] for each in said["Assessment"]["NotHeld"]}
