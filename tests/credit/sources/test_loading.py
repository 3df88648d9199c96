"""The one act of loading: whole or not at all, the same again or by the new files (credit §11, threats F2)."""

import csv
import datetime as dt
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import msgspec
import pytest

from credence.credit import catalogue
from credence.credit.facts.accounts import Accounts
from credence.credit.holdings import Holdings
from credence.credit.sources import LoadError, loading
from credence.credit.sources.accounts.demonstration import read_demonstration
from credence.credit.sources.offered import DEMONSTRATION, FILED_ACCOUNTS
from credence.credit.sources.record import Record
from tests.running import clean_environment

from .acts import NOW, held, load, load_companies
from .hand_written import (
    CHARGE,
    answer,
    feed,
    notice,
    officer,
    person,
    persons,
    practice,
    practices,
    snapshot_of_persons,
    totals,
    write_json,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "credit"


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


def test_without_a_register_nobody_can_say_which_companies_are_unknown(tmp_path: Path, folder: Path) -> None:
    assert load("gazette", folder, feed(tmp_path / "1.json", notice())).unknown_companies is None


def test_the_same_files_again_change_nothing(tmp_path: Path, folder: Path) -> None:
    file = feed(tmp_path / "1.json", notice(), notice("4000002", "2450"))
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
    load("psc", folder, persons(tmp_path, person("00000002"), day="2026-11-02"))
    assert held(folder, "00000001") is None
    assert held(folder, "00000002") is not None


def test_an_answer_replaces_all_that_is_held_of_its_company_alone(tmp_path: Path, folder: Path) -> None:
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


def test_files_that_hold_nothing_to_keep_replace_nothing(tmp_path: Path, folder: Path) -> None:
    load("payment-practices", folder, practices(tmp_path / "p.csv", practice()))
    with pytest.raises(LoadError, match="hold nothing that can be kept"):
        load("payment-practices", folder, practices(tmp_path / "q.csv", practice(**{"Company number": "?"})))
    assert held(folder, "00000001") is not None


@pytest.mark.parametrize("damage", ["truncated", "not a zip", "another member", "a bomb", "missing"])
def test_a_damaged_file_is_named_and_nothing_is_half_loaded(tmp_path: Path, folder: Path, damage: str) -> None:
    load("psc", folder, persons(tmp_path, person("00000001")))
    path = tmp_path / "psc-snapshot-2026-11-02.zip"
    lines = [person(f"{number:08}") for number in range(2_000)]
    whole = snapshot_of_persons(tmp_path / "s.txt", *lines, totals(len(lines)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if damage == "a bomb":
            archive.writestr("s.txt", b"\n" * 50_000_000)
        else:
            archive.write(whole, "other.pdf" if damage == "another member" else "s.txt")
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:-2_000])
    if damage == "not a zip":
        path.write_bytes(whole.read_bytes())
    if damage == "missing":
        path.unlink()
    with pytest.raises(LoadError, match=path.name):
        load("psc", folder, path)
    assert held(folder, "00000001") is not None
    assert held(folder, "00000002") is None
    assert [each.name for each in folder.glob("*draft*")] == []


def test_a_flaw_in_the_middle_of_a_zip_leaves_the_old_data_serving(tmp_path: Path, folder: Path) -> None:
    load("psc", folder, persons(tmp_path, person("00000001")))
    lines = [person(f"{number:08}", etag=os.urandom(20).hex()) for number in range(2_000)]
    path = tmp_path / "s.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(snapshot_of_persons(tmp_path / "s.txt", *lines, totals(len(lines))), "s.txt")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(LoadError, match=r"s\.zip cannot be read"):
        load("psc", folder, path)
    assert held(folder, "00000002") is None


def test_a_reader_keeps_the_old_data_set_until_the_switch_and_then_sees_the_new_one(
    tmp_path: Path, folder: Path
) -> None:
    load("psc", folder, persons(tmp_path, person("00000001")))
    reader = Holdings(folder)
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
    reader = Holdings(folder)
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


def _command(folder: Path, *arguments: str, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*prefix, sys.executable, "-m", "credence", "data", *arguments],
        env=clean_environment(CREDENCE_DATA_DIR=str(folder.parent)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _slow_snapshot(tmp_path: Path) -> Path:
    """A snapshot that never ends: a pipe that somebody has opened for writing."""
    path = tmp_path / "psc-snapshot-2026-11-02_1of1.txt"
    os.mkfifo(path)
    return path


def _begun(pipe: Path, folder: Path) -> int:
    """Hand the load its first lines and wait until it has a draft; return the end of the pipe that keeps it waiting."""
    end = os.open(pipe, os.O_WRONLY)  # waits until the load opens the other end
    os.write(end, b"".join(json.dumps(person("00000002", str(n))).encode() + b"\n" for n in range(50)))
    deadline = time.monotonic() + 60
    while not (folder / "psc.sqlite.draft").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return end


def test_a_load_that_is_killed_leaves_the_old_data_serving_and_the_next_one_cleans_up(
    tmp_path: Path, folder: Path
) -> None:
    load("psc", folder, persons(tmp_path, person("00000001")))
    pipe = _slow_snapshot(tmp_path)
    running = _command(folder, "load", "psc", str(pipe))
    end = _begun(pipe, folder)
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=60)
    os.close(end)
    assert (folder / "psc.sqlite.draft").exists()
    assert held(folder, "00000001") is not None
    load("psc", folder, persons(tmp_path, person("00000003"), day="2026-11-03"))
    assert held(folder, "00000003") is not None
    assert list(folder.glob("*draft*")) == []


def test_a_second_load_of_a_source_is_refused_while_one_runs(tmp_path: Path, folder: Path) -> None:
    pipe = _slow_snapshot(tmp_path)
    running = _command(folder, "load", "psc", str(pipe))
    end = _begun(pipe, folder)
    try:
        second = _command(folder, "load", "psc", str(persons(tmp_path, person("00000001"))))
        _, said = second.communicate(timeout=60)
        assert (second.returncode, said) == (2, "credence: psc is being loaded by another process.\n")
        other = _command(folder, "load", "gazette", str(feed(tmp_path / "1.json", notice())))
        other.communicate(timeout=60)
        assert other.returncode == 0  # another source is another matter
        os.write(end, json.dumps(totals(50)).encode() + b"\n")
    finally:
        os.close(end)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 0, said
    company = held(folder, "00000002")
    assert company is not None
    assert held(folder, "00000001") is not None  # by its notice


def test_a_disk_that_fills_up_is_said_in_one_line_and_the_old_data_stays(tmp_path: Path, folder: Path) -> None:
    """threats F2: a limit on the size of files stands for the full disk."""
    load("psc", folder, persons(tmp_path, person("00000001")))
    many = (person(f"{number:08}", etag="x") for number in range(2, 6_000))
    full = _command(
        folder,
        "load",
        "psc",
        str(persons(tmp_path, *many, day="2026-11-02")),
        prefix=("bash", "-c", 'ulimit -f 300; exec "$@"', "bash"),
    )
    _, said = full.communicate(timeout=60)
    assert (full.returncode, said.count("\n")) == (2, 1), said
    assert "cannot be written" in said
    assert held(folder, "00000001") is not None
    assert held(folder, "00000002") is None
    assert list(folder.glob("*draft*")) == []


def test_what_a_load_left_that_died_before_the_switch_goes_with_the_next(tmp_path: Path, folder: Path) -> None:
    """A data set that is in its place but that the catalogue does not name."""
    load("psc", folder, persons(tmp_path, person("00000001")))
    (folder / "psc-2.sqlite").write_bytes(b"left behind")
    (folder / "psc-77.sqlite").write_bytes(b"left behind")
    assert held(folder, "00000001") is not None
    load("psc", folder, persons(tmp_path, person("00000002"), day="2026-11-02"))
    assert held(folder, "00000002") is not None
    assert [path.name for path in folder.glob("psc-*.sqlite")] == ["psc-2.sqlite"]


def test_a_data_set_of_another_layout_is_not_added_to(tmp_path: Path, folder: Path) -> None:
    load("charges", folder, write_json(tmp_path / "c.json", answer(CHARGE)))
    entry = catalogue.read(folder).sources["charges"]
    (tmp_path / "old").write_bytes((folder / entry.file).read_bytes())
    catalogue.switch(folder, "charges", tmp_path / "old", msgspec.structs.replace(entry, layout=0))
    done = load("charges", folder, write_json(tmp_path / "d.json", answer(CHARGE, company_number="00000001")))
    assert (done.kept, done.replaced) == (1, 0)


def test_real_accounts_take_the_place_of_the_demonstration_and_are_not_mixed_with_it(folder: Path) -> None:
    filings = list(read_demonstration())
    loading.load(DEMONSTRATION, [], folder, NOW)
    assert held(folder, filings[0].company) is not None
    real = msgspec.structs.replace(FILED_ACCOUNTS, read=lambda _: iter(filings[1:3]))
    loading.load(real, [], folder, NOW)
    assert held(folder, filings[0].company) is None
    company = held(folder, filings[1].company)
    assert company is not None
    assert company.accounts is not None
    assert company.accounts.value == (filings[1].fact,)
    assert company.accounts.provenance.source == FILED_ACCOUNTS.publisher


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
    loading.load(msgspec.structs.replace(FILED_ACCOUNTS, read=lambda _: iter(records)), [], folder, NOW)
    company = held(folder, first.company)
    assert company is not None
    assert company.accounts is not None
    assert [each.document for each in company.accounts.value] == ["a", "b", "c"]


def test_the_catalogue_says_what_is_held_and_when_it_came(tmp_path: Path, folder: Path) -> None:
    file = persons(tmp_path, person("00000001"), person("00000001", "p2"))
    load("psc", folder, file)
    entry = catalogue.read(folder).sources["psc"]
    assert (entry.as_of, entry.loaded_at) == (dt.date(2026, 11, 1), NOW)
    assert (entry.companies, entry.facts) == (1, 2)
    assert entry.files == {file.name: (file.stat().st_size, file.stat().st_mtime_ns)}
