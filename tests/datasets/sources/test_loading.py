"""The one act of loading: whole or not at all, the same again or by the new files (credit §11, threats F2)."""

import csv
import datetime as dt
import threading
from pathlib import Path

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts
from credence.datasets import catalogue
from credence.datasets.credit_data import CreditData
from credence.datasets.loading import load as loading
from credence.datasets.sources import accounts
from credence.datasets.sources.source import LoadError, Record
from credence.sandbox import demonstration_accounts
from credence.sandbox.demonstration_accounts import read_demonstration
from tests.datasets.sources.acts import NOW, held, load, load_companies
from tests.datasets.sources.hand_written import (
    CHARGE,
    answer,
    feed,
    notice,
    officer,
    person,
    persons,
    practice,
    practices,
    write_json,
)


def test_the_summary_counts_every_row_once(tmp_path: Path, folder: Path) -> None:
    load_companies(folder, "00000001")
    file = practices(
        tmp_path / "p.csv",
        practice(),
        practice(**{"Company number": "00000002", "Report Id": "2", "Average time to pay": "?"}),
        practice(**{"Company number": "?", "Report Id": "3"}),
        practice(),
    )
    done = load("payment-practices", folder, file)
    assert (done.rows, done.kept, done.duplicates, done.forgotten) == (4, 2, 1, 0)
    assert done.refused == {"number.malformed": 1}
    assert done.warnings == {"number.unreadable": 1}
    assert (done.companies, done.unknown_companies) == (2, 1)
    assert done.as_of == dt.date(2025, 7, 20)
    with done.rejects.open(newline="") as stream:
        assert list(csv.reader(stream)) == [["place", "reason"], ["p.csv, row 3", "number.malformed"]]


def test_a_date_to_come_does_not_date_the_data(tmp_path: Path, folder: Path) -> None:
    rows = practice(**{"Filing date": "2205-07-20"}), practice(**{"Report Id": "2", "Filing date": "2025-08-01"})
    assert load("payment-practices", folder, practices(tmp_path / "p.csv", *rows)).as_of == dt.date(2025, 8, 1)


def test_without_a_register_the_number_of_unknown_companies_is_unknown(tmp_path: Path, folder: Path) -> None:
    assert load("gazette", folder, feed(tmp_path / "1.json", notice())).unknown_companies is None


def test_the_same_files_again_change_nothing(tmp_path: Path, folder: Path) -> None:
    file = feed(tmp_path / "1.json", notice(), notice("4000002", "2441"))
    load("gazette", folder, file)
    before = held(folder, "00000001")
    again = load("gazette", folder, file)
    assert (again.kept, again.replaced) == (2, 2)
    assert held(folder, "00000001") == before


def test_single_documents_are_added_and_replace_themselves(tmp_path: Path, folder: Path) -> None:
    load("gazette", folder, feed(tmp_path / "1.json", notice(), notice("4000002", published="2026-04-01")))
    load("gazette", folder, feed(tmp_path / "2.json", notice(published="2026-05-05")))
    company = held(folder, "00000001")
    assert company is not None
    assert company.notices is not None
    assert [(each.id, each.published.month) for each in company.notices.value] == [("4000001", 5), ("4000002", 4)]
    assert company.notices.provenance.as_of == dt.date(2026, 5, 5)


def test_a_snapshot_replaces_everything(tmp_path: Path, folder: Path) -> None:
    load("psc", folder, persons(tmp_path, person("00000001"), person("00000002")))
    load("psc", folder, persons(tmp_path, person("00000002"), day="2026-11-02"), accept_fewer=True)
    assert held(folder, "00000001") is None
    assert held(folder, "00000002") is not None


def test_a_snapshot_of_far_fewer_companies_is_taken_only_on_request(tmp_path: Path, folder: Path) -> None:
    ten, nine, eight = (persons(_made(tmp_path / str(n)), *(person(f"{i:08}") for i in range(n))) for n in (10, 9, 8))
    load("psc", folder, ten)
    with pytest.raises(LoadError, match="hold 8 companies and 10 are in service: give --accept-fewer"):
        load("psc", folder, eight)
    assert held(folder, "00000009") is not None
    assert load("psc", folder, nine).companies == 9


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_an_answer_replaces_the_facts_of_its_company_only(tmp_path: Path, folder: Path) -> None:
    """credit §10: what the register deleted is deleted here."""
    load(
        "officers",
        folder,
        write_json(tmp_path / "1.json", answer(officer("00000001", "o1"), officer("00000001", "o2"))),
        write_json(tmp_path / "2.json", answer(officer("00000002", "o1"))),
    )
    load("officers", folder, write_json(tmp_path / "1.json", answer(officer("00000001", "o2"))))
    one, other = held(folder, "00000001"), held(folder, "00000002")
    assert one is not None
    assert one.officers is not None
    assert [each.id for each in one.officers.value] == ["person-o2"]
    assert other is not None


def test_what_is_deleted_is_not_in_the_file_either(tmp_path: Path, folder: Path) -> None:
    load("officers", folder, write_json(tmp_path / "1.json", answer(officer("00000001", name="UNUSUAL, Ada"))))
    load("officers", folder, write_json(tmp_path / "1.json", answer(officer("00000001", "o2"))))
    (file,) = folder.glob("officers-*.sqlite")
    assert b"UNUSUAL" not in file.read_bytes()


def test_a_reader_keeps_the_old_data_set_until_the_switch_and_then_sees_the_new_one(
    tmp_path: Path, folder: Path
) -> None:
    load("psc", folder, persons(tmp_path, person("00000001")))
    reader = CreditData(folder)
    version = reader.data_version
    seen = []
    lines = (person("00000002", str(number)) for number in range(1_200))
    load(
        "psc",
        folder,
        persons(tmp_path, *lines, day="2026-11-02"),
        progress=lambda _: seen.append(reader.company("00000001") is not None),
    )
    assert set(seen) == {True}
    assert reader.company("00000001") is None
    assert reader.company("00000002") is not None
    assert reader.data_version != version
    reader.close()
    assert len(list(folder.glob("psc-*.sqlite"))) == 1


def test_while_loads_follow_each_other_every_read_is_of_one_whole_data_set(tmp_path: Path, folder: Path) -> None:
    def snapshot(edition: int) -> Path:
        lines = (person("00000001", f"{edition} {number}", name=str(edition)) for number in range(20))
        return persons(tmp_path, *lines)

    load("psc", folder, snapshot(0))
    faults: list[Exception] = []

    def replace_often() -> None:
        try:
            for edition in range(1, 31):
                load("psc", folder, snapshot(edition))
        except Exception as fault:  # noqa: BLE001 - told by the thread that watches
            faults.append(fault)

    loads = threading.Thread(target=replace_often)
    reader = CreditData(folder)
    seen = []
    loads.start()
    while loads.is_alive():
        company = reader.company("00000001")
        assert company is not None
        assert company.owners is not None
        seen.append([each.name for each in company.owners.value])
    loads.join()
    reader.close()
    assert faults == []
    assert {len(names) for names in seen} == {20}
    assert {len(set(names)) for names in seen} == {1}
    editions = [int(names[0]) for names in seen]
    assert editions == sorted(editions)


def test_a_data_set_of_another_layout_is_not_added_to(tmp_path: Path, folder: Path) -> None:
    load("charges", folder, write_json(tmp_path / "c.json", answer(CHARGE)))
    entry = catalogue.read(folder).sources["charges"]
    (tmp_path / "old").write_bytes((folder / entry.file).read_bytes())
    catalogue.activate(folder, "charges", tmp_path / "old", msgspec.structs.replace(entry, layout=0))
    done = load("charges", folder, write_json(tmp_path / "d.json", answer(CHARGE, company_number="00000001")))
    assert (done.kept, done.replaced) == (1, 0)


def test_real_accounts_take_the_place_of_the_demonstration_and_are_not_mixed_with_it(folder: Path) -> None:
    filings = list(read_demonstration())
    loading.load(demonstration_accounts.SOURCE, [], folder, NOW)
    assert held(folder, filings[0].company) is not None
    real = msgspec.structs.replace(accounts.SOURCE, read=lambda _: iter(filings[1:3]))
    loading.load(real, [], folder, NOW)
    assert held(folder, filings[0].company) is None
    company = held(folder, filings[1].company)
    assert company is not None
    assert company.accounts is not None
    assert company.accounts.value == (filings[1].fact,)
    assert company.accounts.provenance.source == accounts.SOURCE.publisher


def test_accounts_come_newest_first_and_of_one_date_the_one_filed_later(folder: Path) -> None:
    (first, *_) = read_demonstration()
    assert isinstance(first.fact, Accounts)
    days = [("c", dt.date(2024, 1, 31), None), ("b", dt.date(2025, 1, 31), 5), ("a", dt.date(2025, 1, 31), 9)]
    records = [
        Record(
            first.company,
            name,
            msgspec.structs.replace(
                first.fact, document=name, balance_sheet_date=day, filed=filed and dt.date(2025, filed, 1)
            ),
        )
        for name, day, filed in days
    ]
    loading.load(msgspec.structs.replace(accounts.SOURCE, read=lambda _: iter(records)), [], folder, NOW)
    company = held(folder, first.company)
    assert company is not None
    assert company.accounts is not None
    assert [each.document for each in company.accounts.value] == ["a", "b", "c"]


def test_the_catalogue_has_the_counts_and_dates_of_a_load(tmp_path: Path, folder: Path) -> None:
    file = persons(tmp_path, person("00000001"), person("00000001", "p2"))
    load("psc", folder, file)
    entry = catalogue.read(folder).sources["psc"]
    assert (entry.as_of, entry.loaded_at) == (dt.date(2026, 11, 1), NOW)
    assert (entry.companies, entry.facts) == (1, 2)
    assert entry.files == {file.name: (file.stat().st_size, file.stat().st_mtime_ns)}
