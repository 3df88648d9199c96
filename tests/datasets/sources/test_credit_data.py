"""All data sets together: what is not loaded, what is loaded and empty, and what cannot be read (credit §11)."""

import datetime as dt
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from credence.companies.facts.people import director_number
from credence.companies.ownership import Subsidiaries
from credence.datasets import catalogue
from credence.datasets.catalogue import CatalogueDamaged
from credence.datasets.credit_data import CreditData
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.fact_kinds import surname_key
from credence.report.search.director_query import director_query
from credence.report.search.directors import search_directors
from tests.datasets.sources.acts import held, load, load_companies
from tests.datasets.sources.hand_written import (
    answer,
    body,
    feed,
    notice,
    officer,
    person,
    persons,
    practice,
    practices,
    write_json,
)


def test_a_part_that_is_not_loaded_is_none_and_a_part_without_anything_is_empty(tmp_path: Path, folder: Path) -> None:
    load_companies(folder, "00000001")
    load("psc", folder, persons(tmp_path, person("00000002")))
    company = held(folder, "00000001")
    assert company is not None
    assert company.owners is not None
    assert company.owners.value == ()
    assert company.owners.provenance.as_of == dt.date(2026, 11, 1)
    assert company.owners.provenance.retrieved == dt.date(2026, 11, 5)
    assert company.owners.provenance.licence == "Contains public register information from Companies House"
    assert (company.notices, company.officers, company.accounts) == (None, None, None)


def test_a_source_that_was_not_asked_about_a_company_has_unknown_facts(tmp_path: Path, folder: Path) -> None:
    load_companies(folder, "00000001", "00000002", "00000003")
    asked = write_json(tmp_path / "00000002-charges-1.json", answer())
    load("charges", folder, asked)
    one, two = held(folder, "00000001"), held(folder, "00000002")
    assert one is not None
    assert one.charges is None
    assert two is not None
    assert two.charges is not None
    assert two.charges.value == ()


def test_answers_about_single_companies_are_dated_by_their_load_alone(tmp_path: Path, folder: Path) -> None:
    """The newest appointment of anybody says nothing about how old the list of a company is."""
    load("officers", folder, write_json(tmp_path / "1.json", answer(officer("00000001"))))
    company = held(folder, "00000001")
    assert company is not None
    assert company.officers is not None
    said = company.officers.provenance
    assert (said.as_of, said.retrieved) == (None, dt.date(2026, 11, 5))


def test_a_company_known_from_one_source_alone_is_known(tmp_path: Path, folder: Path) -> None:
    load("payment-practices", folder, practices(tmp_path / "p.csv", practice()))
    company = held(folder, "00000001")
    assert company is not None
    assert company.register is None
    assert company.payment_practices is not None
    assert held(folder, "00000002") is None


def test_facts_come_newest_first(tmp_path: Path, folder: Path) -> None:
    rows = [practice(**{"Report Id": str(n), "End date": day}) for n, day in enumerate(("2024-06-30", "2025-12-31"))]
    load("payment-practices", folder, practices(tmp_path / "p.csv", *rows))
    company = held(folder, "00000001")
    assert company is not None
    assert company.payment_practices is not None
    assert [each.id for each in company.payment_practices.value] == ["1", "0"]


def test_a_reader_sees_each_load_at_its_next_read_and_a_removal_too(tmp_path: Path, folder: Path) -> None:
    reader = CreditData(folder)
    assert reader.company("00000001") is None
    versions = {reader.data_version}
    load("gazette", folder, feed(tmp_path / "1.json", notice()))
    assert reader.company("00000001") is not None
    versions.add(reader.data_version)
    load_companies(folder, "00000003")
    assert reader.company("00000003") is not None
    versions.add(reader.data_version)
    assert catalogue.remove(folder, "gazette") is True
    assert reader.company("00000001") is None
    versions.add(reader.data_version)
    assert len(versions) == 4
    assert list(folder.glob("gazette-*.sqlite")) == []
    reader.close()


def test_a_load_between_catalogue_and_read_loses_nothing(tmp_path: Path, folder: Path) -> None:
    """The files that a load removes are read to the end by whoever has them open."""
    load_companies(folder, "00000001")
    load("gazette", folder, feed(tmp_path / "1.json", notice()))
    reader = CreditData(folder)
    before = reader.company("00000001")
    for file in folder.glob("*.sqlite"):
        file.unlink()
    assert reader.company("00000001") == before
    reader.close()


def relayout(folder: Path, source: str) -> None:
    """Make a data set one of another layout."""
    entry = catalogue.read(folder).sources[source]
    draft = folder / "relaid"
    draft.write_bytes((folder / entry.file).read_bytes())
    with sqlite3.connect(draft) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    catalogue.activate(folder, source, draft, entry)


def test_a_data_set_of_another_layout_names_its_command_and_stops_no_other(tmp_path: Path, folder: Path) -> None:
    load_companies(folder, "00000001")
    load("psc", folder, persons(tmp_path, person("00000001")))
    relayout(folder, "psc")
    reader = CreditData(folder)
    company = reader.company("00000001")
    assert company is not None
    assert company.owners is None
    assert company.register is not None
    assert reader.company("00000002") is None  # the register says that there is no such company
    (said,) = reader.source_errors.values()
    assert said.endswith("has layout 99, not 1: load it again with `credence data load psc`.")
    reader.close()


def test_no_company_is_unknown_while_the_register_is_unreadable(tmp_path: Path, folder: Path) -> None:
    load_companies(folder, "00000001")
    load("gazette", folder, feed(tmp_path / "1.json", notice()))
    relayout(folder, "register")
    reader = CreditData(folder)
    known = reader.company("00000001")
    assert known is not None  # by its notice
    assert known.register is None
    for _ in range(2):
        with pytest.raises(UnusableDataSet, match="layout 99"):
            reader.company("00000002")
    reader.close()


def test_a_damaged_catalogue_is_an_error_and_not_an_empty_one(folder: Path) -> None:
    load_companies(folder, "00000001")
    (folder / catalogue.NAME).write_text("{")
    reader = CreditData(folder)
    for _ in range(2):
        with pytest.raises(CatalogueDamaged, match="load every source again"):
            reader.company("00000001")
    reader.close()


def test_a_catalogue_with_a_missing_file_is_an_error(tmp_path: Path, folder: Path) -> None:
    load("gazette", folder, feed(tmp_path / "1.json", notice()))
    (file,) = folder.glob("gazette-*.sqlite")
    file.unlink()
    reader = CreditData(folder)
    with pytest.raises(UnusableDataSet, match="names a data set that is not there"):
        reader.company("00000001")
    reader.close()


def test_subsidiaries_are_companies_with_a_present_majority_owner(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quarter = ["ownership-of-shares-25-to-50-percent"]
    load(
        "psc",
        folder,
        persons(
            tmp_path,
            body("00000002", "1"),  # the register drops leading zeros
            body("00000003", "00000001", natures_of_control=quarter),
            body("00000004", "00000001", ceased_on="2020-01-01"),
            body("00000005", "00000009"),
            person("00000001"),
        ),
    )
    reader = CreditData(folder)
    assert reader.subsidiaries("00000001") == Subsidiaries(("00000002",))
    assert reader.subsidiaries("00000008") == Subsidiaries(())
    monkeypatch.setattr("credence.datasets.credit_data._MAX_SUBSIDIARIES", 2)
    assert reader.subsidiaries("00000001") == Subsidiaries(("00000002",), cut=True)
    reader.close()
    nothing = CreditData(tmp_path / "nothing")
    assert nothing.subsidiaries("00000001") is None
    nothing.close()


def test_officers_are_found_by_surname_and_by_the_number_of_the_person(tmp_path: Path, folder: Path) -> None:
    """Report schema §1: the number of a director is the same at every company."""
    links = {"officer": {"appointments": "/officers/same/appointments"}}
    first = officer("00000001", links={"self": "/company/00000001/appointments/a", **links})
    second = officer("00000002", links={"self": "/company/00000002/appointments/b", **links})
    other = officer("00000002", "c", name="OTHER, Bo")
    load("officers", folder, write_json(tmp_path / "1.json", answer(first)))
    load("officers", folder, write_json(tmp_path / "2.json", answer(second, other)))
    reader = CreditData(folder)
    assert [number for number, _ in reader.appointments(director_number("same"))] == ["00000001", "00000002"]
    assert [each.surname for _, each in reader.appointments(surname_key("Other"))] == ["OTHER"]
    assert list(reader.appointments(surname_key("Nobody"))) == []
    reader.close()


def test_a_forename_finds_those_who_stand_behind_many_of_the_surname(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report schema §1: a search reads so many companies of a name and no more; a first letter makes them fewer."""
    monkeypatch.setattr("credence.datasets.credit_data._MAX_APPOINTMENTS", 2)
    for number, name in (("00000001", "SAMPLE, Ada"), ("00000002", "SAMPLE, Bo"), ("00000003", "SAMPLE, Zoe")):
        entry = officer(number, id_=number, name=name)
        load("officers", folder, write_json(tmp_path / f"{number}.json", answer(entry)))
    with closing(CreditData(folder)) as reader:

        def found(**parameters: str) -> list[str | None]:
            answered = search_directors(reader, director_query({"surname": "Sample", **parameters}))
            return [each.DirectorDetails.Name.Forename for each in answered.SearchResults]

        assert found() == ["Ada", "Bo"]
        assert found(forename="zo") == ["Zoe"]
        assert found(forename="Zara") == []


def test_the_parts_of_every_source_are_parts_of_a_company() -> None:
    from credence.companies.facts.company import Company
    from credence.datasets.fact_kinds import FACT_KINDS

    held_in = {field.name for field in msgspec.structs.fields(Company)}
    assert {part.field for part in FACT_KINDS} == held_in - {"number", "register", "scores", "disputes", "unreadable"}
