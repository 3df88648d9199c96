"""Version 0.2.0 as a release: the program from the history, in today's package and image.

It was released as a wheel and as resources for Kubernetes; the package and the image came with 0.3.0.
"""

import shutil
import subprocess
from pathlib import Path

from tests.architecture.imports import ROOT
from tools.release import building
from tools.release.__main__ import _downloads

VERSION = "0.2.0"
COMMIT = "85a4911c"
"""The commit that made the version and its section of the changelog; there is no tag."""

_PACKAGING = (
    *("deploy/container", "deploy/debian", "deploy/haproxy", "deploy/helm", "deploy/prometheus", "deploy/systemd"),
    "docs/credence.1",
)


def build_older(folder: Path) -> None:
    """Build the release into `folder/release`, and keep its source in `folder/source`.

    Raises CalledProcessError where the history is missing, as in a shallow clone.
    """
    source = folder / "source"
    source.mkdir()
    seconds = int(_git("log", "-1", "--format=%ct", COMMIT))
    archive = _git("archive", COMMIT)
    subprocess.run(["tar", "-x"], cwd=source, input=archive, check=True)
    for name in _PACKAGING:
        shutil.rmtree(source / name, ignore_errors=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    shutil.copy(source / "requirements" / "run.txt", source / "requirements" / "otel.txt")
    commit = building.Commit(source, COMMIT, seconds)
    assert commit.version == VERSION
    building.build(commit, folder / "release", _downloads())


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
