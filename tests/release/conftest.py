"""A release of this checkout, built twice for the whole run; this takes minutes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.imports import ROOT
from tests.deploy.conftest import wheel
from tests.once import made_once

__all__ = ["wheel"]


@pytest.fixture(scope="session")
def releases() -> tuple[Path, Path]:
    """Two folders with the release of the commit that is checked out, built one after the other."""
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is missing: a release is built on Debian 12")
    if sys.version_info[:2] != (3, 11):
        pytest.skip("a release is built with Python 3.11")
    folder = made_once("releases", build_twice)
    return folder / "first", folder / "second"


def build_twice(folder: Path) -> None:
    for name in ("first", "second"):
        command = [sys.executable, "-m", "tools.release", "build", "--into", str(folder / name)]
        subprocess.run(command, cwd=ROOT, check=True, timeout=1500, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def release(releases: tuple[Path, Path]) -> Path:
    return releases[0]
