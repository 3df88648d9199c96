"""An archive of a release depends on the content of its files, and on nothing of the machine that builds it."""

import io
import os
import tarfile
from pathlib import Path

from tools.release.archives import Entry, compressed, folder_entries, owned, tar

AT = 1_795_000_000


def made(folder: Path, names: list[str]) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def test_neither_the_order_nor_the_times_nor_the_masks_of_files_change_an_archive(tmp_path: Path) -> None:
    names = ["b/two", "a", "b/one"]
    first, second = made(tmp_path / "first", names), made(tmp_path / "second", names[::-1])
    os.utime(second / "a", (1, 1))
    (second / "a").chmod(0o600)
    archives = [compressed(tar(folder_entries(each, "x"), AT)) for each in (first, second)]
    assert archives[0] == archives[1]


def test_an_archive_has_the_folders_above_its_files_and_one_time_and_names_no_user() -> None:
    entries = [
        Entry("a/b/run", b"1", 0o755),
        Entry("a/link", "b/run", 0o777),
        *owned([Entry("data", None, 0o700)], 10001),
    ]
    with tarfile.open(fileobj=io.BytesIO(tar(entries, AT))) as archive:
        members = archive.getmembers()
    assert [each.name for each in members] == ["a", "a/b", "a/b/run", "a/link", "data"]
    assert {(each.mtime, each.uname, each.gname) for each in members} == {(AT, "", "")}
    assert [oct(each.mode) for each in members] == ["0o755", "0o755", "0o755", "0o777", "0o700"]
    assert [each.uid for each in members] == [0, 0, 0, 0, 10001]
