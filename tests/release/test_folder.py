"""The folder of a release: what `--into` deletes there."""

from pathlib import Path

import pytest

from tools.release.building import Refused, emptied


def test_a_folder_with_other_files_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "SHA256SUMS").write_text("")
    (tmp_path / "thesis.md").write_text("the work of years")
    with pytest.raises(Refused, match=r"such as thesis\.md"):
        emptied(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["SHA256SUMS", "thesis.md"]


def test_a_folder_of_the_name_of_a_release_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "changes.md").mkdir()
    with pytest.raises(Refused):
        emptied(tmp_path)


def test_the_files_of_an_earlier_release_are_deleted(tmp_path: Path) -> None:
    for name in (
        "credence_server-0.2.0-py3-none-any.whl",
        "credence_server-0.2.0.tar.gz",
        "credence_0.2.0_amd64.deb",
        "credence-0.2.0.tgz",
        "credence-0.2.0.oci.tar",
        "credence-0.2.0.cdx.json",
        "credence.service",
        "release-key.pem",
        "SHA256SUMS.sig",
    ):
        (tmp_path / name).write_text("")
    emptied(tmp_path)
    assert list(tmp_path.iterdir()) == []
