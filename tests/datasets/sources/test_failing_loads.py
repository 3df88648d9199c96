"""Loads that fail: whatever happens, nothing is half loaded and the old data set serves (credit §11, threats F2)."""

import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from credence.datasets.credit_data import CreditData
from credence.datasets.sources.source import LoadError
from tests.datasets.sources.acts import held, load, load_companies
from tests.datasets.sources.hand_written import (
    feed,
    notice,
    person,
    persons,
    practice,
    practices,
    snapshot_of_persons,
    totals,
)
from tests.forked import ForkedProcess
from tests.running import clean_environment, run_process


def test_files_that_hold_nothing_to_keep_replace_nothing(tmp_path: Path, folder: Path) -> None:
    load("payment-practices", folder, practices(tmp_path / "p.csv", practice()))
    with pytest.raises(LoadError, match="hold nothing that can be kept"):
        load("payment-practices", folder, practices(tmp_path / "q.csv", practice(**{"Company number": "?"})))
    assert held(folder, "00000001") is not None


@pytest.mark.parametrize(
    ("content", "reason"), [(b"PK\x03\x04 and no more", "zip.damaged 1"), (b"", "document.markup 1")]
)
def test_a_load_that_keeps_nothing_gives_reasons_and_places(
    tmp_path: Path, folder: Path, content: bytes, reason: str
) -> None:
    """credit §11: an operator learns from the one line what is wrong with the files, from the rejects where."""
    file = tmp_path / "Accounts_Bulk_Data-2026-10-01.zip"
    file.write_bytes(content)
    with pytest.raises(LoadError, match=f"{reason}. See .*accounts.rejects.csv"):
        load("accounts", folder, file)
    assert reason.partition(" ")[0] in (folder / "accounts.rejects.csv").read_text()


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


def _command(folder: Path, *arguments: str, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*prefix, sys.executable, "-m", "credence", "data", *arguments],
        env=_environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _environment(folder: Path) -> dict[str, str]:
    return clean_environment(CREDENCE_DATA_DIR=str(folder.parent))


def _slow_snapshot(tmp_path: Path) -> Path:
    """A snapshot that never ends: a pipe that somebody has opened for writing."""
    path = tmp_path / "psc-snapshot-2026-02-02_1of1.txt"
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
    load("psc", folder, persons(tmp_path, person("00000001"), day="2026-02-01"))
    pipe = _slow_snapshot(tmp_path)
    running = ForkedProcess(["data", "load", "psc", str(pipe)], _environment(folder), tmp_path / "output")
    end = _begun(pipe, folder)
    running.kill()
    running.wait(timeout=60)
    os.close(end)
    assert (folder / "psc.sqlite.draft").exists()
    assert held(folder, "00000001") is not None
    load("psc", folder, persons(tmp_path, person("00000003"), day="2026-11-03"))
    assert held(folder, "00000003") is not None
    assert list(folder.glob("*draft*")) == []


def test_a_second_load_of_a_source_is_refused_while_one_runs(tmp_path: Path, folder: Path) -> None:
    pipe = _slow_snapshot(tmp_path)
    output = tmp_path / "output"
    running = ForkedProcess(["data", "load", "psc", str(pipe)], _environment(folder), output)
    end = _begun(pipe, folder)
    try:
        variables = {"CREDENCE_DATA_DIR": str(folder.parent)}
        second = run_process("data", "load", "psc", str(persons(tmp_path, person("00000001"))), **variables)
        assert (second.returncode, second.stderr) == (4, "credence: psc is being loaded by another process.\n")
        other = run_process("data", "load", "gazette", str(feed(tmp_path / "1.json", notice())), **variables)
        assert other.returncode == 0  # another source is another matter
        os.write(end, json.dumps(totals(50)).encode() + b"\n")
    finally:
        os.close(end)
    assert running.wait(timeout=60) == 0, output.read_text()
    company = held(folder, "00000002")
    assert company is not None
    assert held(folder, "00000001") is not None  # by its notice


def test_a_full_disk_is_reported_in_one_line_and_the_old_data_stays(tmp_path: Path, folder: Path) -> None:
    """threats F2: a limit on the size of files stands for the full disk."""
    load("psc", folder, persons(tmp_path, person("00000001"), day="2026-02-01"))
    many = (person(f"{number:08}", etag="x") for number in range(2, 6_000))
    full = _command(
        folder,
        "load",
        "psc",
        str(persons(tmp_path, *many, day="2026-02-02")),
        prefix=("bash", "-c", 'ulimit -f 300; exec "$@"', "bash"),
    )
    _, said = full.communicate(timeout=60)
    assert (full.returncode, said.count("\n")) == (4, 1), said
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


def test_a_data_set_whose_file_was_lost_stops_no_other(tmp_path: Path, folder: Path) -> None:
    """credit §11: what cannot be read is left out, so that the rest of a report still stands."""
    load_companies(folder, "00000001")
    load("gazette", folder, feed(tmp_path / "1.json", notice()))
    (file,) = folder.glob("gazette-*.sqlite")
    file.unlink()
    reader = CreditData(folder)
    company = reader.company("00000001")
    assert company is not None
    assert company.register is not None
    assert company.notices is None
    assert reader.company("00000002") is None  # the register says that there is no such company
    assert reader.source_errors["gazette"].endswith("not there: load it again with `credence data load gazette`.")
    reader.close()
