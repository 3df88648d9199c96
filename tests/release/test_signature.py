"""The commands of docs/releasing.md with which a release is verified, run as they are printed."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.architecture.imports import ROOT
from tools.release.building import write_sums
from tools.release.signing import NotSigned, sign

PAGE = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")


def commands(section: str) -> str:
    text = PAGE.split(f"## {section}\n", 1)[1].split("\n## ")[0]
    return "".join(re.findall(r"```sh\n(.+?)```", text, re.DOTALL))


def verified(release: Path) -> bool:
    done = subprocess.run(
        ["sh", "-eu"], input=commands("Verify a release"), text=True, cwd=release, capture_output=True, check=False
    )
    return done.returncode == 0


@pytest.fixture
def key(tmp_path: Path) -> Path:
    subprocess.run(["sh", "-eu"], input=commands("The key"), text=True, cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "release-key-private.pem"


@pytest.fixture
def release(tmp_path: Path, key: Path) -> Path:
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "credence_server-0.3.0-py3-none-any.whl").write_bytes(b"a wheel")
    write_sums(folder)
    sign(folder, key, None)
    return folder


def test_the_signature_of_a_release_is_verified(release: Path) -> None:
    assert verified(release)


def test_another_file_under_a_name_of_the_release_is_refused(release: Path) -> None:
    (release / "credence_server-0.3.0-py3-none-any.whl").write_bytes(b"another")
    assert not verified(release)


def test_checksums_that_the_key_did_not_sign_are_refused(release: Path) -> None:
    (release / "credence_server-0.3.0-py3-none-any.whl").write_bytes(b"another")
    write_sums(release)
    assert not verified(release)


def test_another_key_than_that_of_the_project_does_not_sign(release: Path, key: Path, tmp_path: Path) -> None:
    (tmp_path / "other.pem").write_text("another public key")
    with pytest.raises(NotSigned, match=r"not the one of other\.pem"):
        sign(release, key, tmp_path / "other.pem")
    with pytest.raises(NotSigned, match="OpenSSL"):
        sign(release, tmp_path / "missing.pem", None)
