"""A release of this checkout, built twice for the whole run, and one of version 0.2.0; this takes minutes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.imports import ROOT
from tests.deploy.conftest import wheel
from tests.once import made_once
from tests.release.older import COMMIT, build_older

__all__ = ["wheel"]


@pytest.fixture(scope="session")
def releases(release: Path) -> tuple[Path, Path]:
    """Two folders with the release of the commit that is checked out, built one after the other."""
    return release, made_once("release-again", build)


@pytest.fixture(scope="session")
def release() -> Path:
    """The release of the commit that is checked out."""
    require_builder()
    return made_once("release", build)


def require_builder() -> None:
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is missing: a release is built on Debian 12")
    if sys.version_info[:2] != (3, 11):
        pytest.skip("a release is built with Python 3.11")


def build(folder: Path) -> None:
    command = [sys.executable, "-m", "tools.release", "build", "--into", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=1500, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def older() -> Path:
    """A folder with the release 0.2.0 and its source, on a machine that can build a release."""
    require_builder()
    if subprocess.run(["git", "cat-file", "-e", COMMIT], cwd=ROOT, capture_output=True, check=False).returncode:
        pytest.skip(f"the history is missing: git fetch --unshallow, for {COMMIT}")
    return made_once("release-before", build_older)
