"""Search for directors, and one director in detail (report schema §1, credit §10). All people are invented."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.people import Officer, director_number
from credence.datasets.fact_kinds import OFFICERS
from credence.refusals.refusal import Refused
from credence.report.search.director_details import director_data
from credence.report.search.director_query import DirectorQuery, director_query
from credence.report.search.directors import MAX_RESULTS, search_directors
from credence.sandbox import specimen_director
from tests.report.hand_made import DIRECTOR, ENTRY, FORMER_DIRECTOR, SECRETARY, TODAY, held
from tests.report.schema import MODELS, faults


class Officers:
    """Officers by company, found by the keys under which the data set keeps them."""

    def __init__(self, *posts: tuple[str, Officer], dissolved: frozenset[str] = frozenset()) -> None:
        self._posts, self._dissolved = posts, dissolved

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        return ((number, each) for number, each in self._posts if key in OFFICERS.mentions(each))

    def company(self, number: str) -> Company | None:
        ended = dt.date(2022, 6, 1) if number in self._dissolved else None
        entry = msgspec.structs.replace(ENTRY, name=f"NUMBER {number}", dissolved=ended)
        return Company(number=number, register=held(entry))


ADA = DIRECTOR
"""Dr Ada Jane Invented Specimen, born in March 1980."""
ADAM = msgspec.structs.replace(ADA, id="adam", forenames="Adam", birth_year=1990)
BEA = msgspec.structs.replace(ADA, id="bea", forenames="Bea", role="secretary")

KNOWN = Officers(
    ("00000001", ADAM), ("00000001", ADA), ("00000002", BEA), ("00000003", FORMER_DIRECTOR), ("00000003", SECRETARY)
)


def found(**parameters: str) -> list[str]:
    """The forenames, or the names of bodies, that a search finds."""
    said = msgspec.json.decode(msgspec.json.encode(search_directors(KNOWN, director_query(parameters))))
    assert set(faults(said, "DirectorTargeterResponse")) == set()
    assert said["SearchSummary"]["NumberMatches"] == len(said["SearchResults"])
    names = [each["DirectorDetails"]["Name"] for each in said["SearchResults"]]
    return [each.get("Forename", each["Surname"]) for each in names]


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"surname": "Specimen"}, ["Ada", "Adam"]),
        ({"surname": "SPECIMEN "}, ["Ada", "Adam"]),
        ({"surname": "Specimen", "forename": "adam"}, ["Adam"]),
        ({"surname": "Specimen", "forename": "Ad"}, ["Ada", "Adam"]),
        ({"surname": "Specimen", "forename": "Ada", "middlenames": "J"}, ["Ada"]),
        ({"surname": "Specimen", "forename": "Ada", "middlenames": "K"}, []),
        ({"surname": "Specimen", "dateofbirth": "1980-03"}, ["Ada"]),
        ({"surname": "Specimen", "dateofbirth": "1980-03-31"}, ["Ada"]),
        ({"surname": "Specimen", "dateofbirth": "1981-03-31"}, []),
        ({"surname": "Specimen", "secretariesflag": "true"}, ["Ada", "Adam", "Bea"]),
        ({"surname": "Specimen", "secretariesflag": "true", "directorsflag": "false"}, ["Bea"]),
        ({"surname": "Specim"}, []),
        ({"surname": "Nominee Services Ltd"}, ["NOMINEE SERVICES LIMITED"]),
        ({"surname": "Specimen", "town": "Nowhere", "postcode": "ZZ99 9ZZ", "street": "Any"}, ["Ada", "Adam"]),
    ],
)
def test_a_director_is_found_by_surname_and_narrowed_by_the_rest(parameters: dict[str, str], names: list[str]) -> None:
    assert found(**parameters) == names


def test_the_whole_forename_comes_before_a_longer_one() -> None:
    assert found(surname="Specimen", forename="Ada") == ["Ada", "Adam"]


def test_one_person_with_several_appointments_is_one_result() -> None:
    posts = [(f"{n:08}", ADA) for n in range(9)] + [("00000001", msgspec.structs.replace(ADA, role="secretary"))]
    (result,) = search_directors(Officers(*posts), DirectorQuery("Specimen", secretaries=True)).SearchResults
    assert result.DirectorNumber == director_number(ADA.id)
    assert (result.DirectorFlag, result.SecretaryFlag) == ("Y", "Y")


def test_a_common_name_has_a_limited_number_of_results() -> None:
    many = Officers(*((f"{n:08}", msgspec.structs.replace(ADA, id=str(n))) for n in range(MAX_RESULTS + 5)))
    assert search_directors(many, DirectorQuery("Specimen")).SearchSummary.NumberMatches == MAX_RESULTS


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"surname": " "},
        {"surname": "-."},
        {"forename": "Ada"},
        {"surname": "S" * 161},
        {"surname": "Specimen", "dateofbirth": "03/1980"},
        {"surname": "Specimen", "dateofbirth": "1980-13"},
        {"surname": "Specimen", "directorsflag": "perhaps"},
        {"surname": "Specimen", "postcode": "ZZ99-9ZZ"},
        {"surname": "Specimen", "town": "N0where!"},
    ],
)
def test_a_search_without_a_surname_or_with_a_malformed_parameter_is_refused(parameters: dict[str, str]) -> None:
    """Report schema §6: 422."""
    with pytest.raises(Refused) as refused:
        director_query(parameters)
    assert refused.value.refusal.status == 422


def test_without_officers_loaded_nothing_is_found() -> None:
    """Report schema §1: no match is 200 with empty SearchResults."""
    said = msgspec.json.decode(msgspec.json.encode(search_directors(Officers(), DirectorQuery("Specimen"))))
    assert said == {"SearchSummary": {"NumberMatches": 0, "Surname": "Specimen"}, "SearchResults": []}
    assert director_data(Officers(), director_number(ADA.id), TODAY) is None


def details(known: Officers, officer: Officer) -> dict[str, Any]:
    """One director as a client reads it."""
    data = director_data(known, director_number(officer.id).lower(), TODAY)
    said: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(data))
    assert set(faults(said, "DirectorData")) == set()
    return said


def test_appointments_are_listed_by_kind_and_newest_first() -> None:
    left = msgspec.structs.replace(ADA, resigned=dt.date(2023, 5, 31))
    early = msgspec.structs.replace(ADA, appointed=dt.date(2012, 6, 1))
    known = Officers(
        ("00000001", early),
        ("00000002", ADA),
        ("00000003", left),
        ("00000004", early),
        ("00000005", left),
        ("00000006", msgspec.structs.replace(early, role="secretary")),
        dissolved=frozenset({"00000004", "00000005"}),
    )
    said = details(known, ADA)
    numbers = {
        kind: [post["CommercialDetail"]["RegNumber"] for post in posts]
        for member in ("Directorships", "Secretaryships")
        for kind, posts in said[member].items()
    }
    assert numbers == {
        "CurrentDirector": ["00000002", "00000001"],
        "PreviousDirector": ["00000003"],
        "CurrentDissolvedDirector": ["00000004"],
        "PreviousDissolvedDirector": ["00000005"],
        "CurrentSecretary": ["00000006"],
    }
    (dissolved,) = said["Directorships"]["CurrentDissolvedDirector"]
    assert dissolved == {
        "CommercialDetail": {"RegNumber": "00000004", "Name": "NUMBER 00000004"},
        "AppointmentDate": "2012-06-01",
        "AppointmentIndicator": "E",
        "DissolutionDate": "2022-06-01",
        "DirectorshipLength": "10",
        "LatestReturns": "2025-06-02",
        "Occupation": "Engineer",
        "Position": "Director",
    }


def test_a_person_has_name_and_nationality_and_a_company_its_name() -> None:
    """Credit §10: no date of birth, no address."""
    said = details(Officers(("00000001", ADA)), ADA)
    assert said["DirectorCompanyFlag"] == "N"
    assert said["DirectorDetails"] == {
        "Name": {"Surname": "Specimen", "Forename": "Ada", "MiddleNames": "Jane Invented", "Prefix": "Dr"},
        "Nationality": "British",
    }
    body = details(KNOWN, FORMER_DIRECTOR)
    assert body["DirectorDetails"] == {"CommercialDetail": {"Name": "NOMINEE SERVICES LIMITED"}}


def test_the_specimen_has_every_member_of_the_clients_model() -> None:
    """D24, report schema §1: all but the error, which stands for a failure."""
    said = msgspec.json.decode(specimen_director.details())
    assert set(faults(said, "DirectorData")) == set()
    assert set(said) == set(MODELS["DirectorData"]) - {"Error"}
    assert said["DirectorNumber"] == "D99999999"
