"""The wheel, installed away from the checkout, is the whole service and nothing more."""

import re
import subprocess
import sys
import sysconfig
import zipfile
from email import message_from_bytes
from fnmatch import fnmatch
from pathlib import Path

import pytest

from credence import __version__
from tests.architecture.imports import ROOT
from tests.running import clean_environment, start

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
LARGEST_BYTES = 11 * 256 * 1024
"""Of the wheel, and the one place that says so: the program and its index of files take some 1.7 MiB, the pages of
documentation that it serves 0.35 MiB, and the sample data of the sandbox 0.3 MiB."""


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; its dependencies are those of this one, and nothing is downloaded."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120)
    python = folder / "bin" / "python"
    subprocess.run([*PIP, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    # A path in a .pth file adds the packages there but not their own .pth files, so this checkout stays out of reach.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin"


def test_the_wheel_is_named_and_licensed_for_the_project(wheel: Path) -> None:
    assert wheel.name == f"credence_server-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        about = f"credence_server-{__version__}.dist-info"
        metadata = message_from_bytes(archive.read(f"{about}/METADATA"))
        assert {f"{about}/licenses/LICENSE", f"{about}/licenses/NOTICE"} <= set(archive.namelist())
    assert (metadata["Name"], metadata["License-Expression"]) == ("credence-server", "Apache-2.0")
    assert metadata["Author"] == "Credence contributors"


def test_the_wheel_carries_the_package_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {"credence", f"credence_server-{__version__}.dist-info"}
    words = {name: set(re.split(r"[^a-z]", name.lower())) for name in names}
    assert [name for name in names if words[name] & {"test", "tests", "conftest", "training", "polish"}] == []
    assert [name for name in names if "cohort" in name and not name.endswith(".py")] == []
    assert wheel.stat().st_size < LARGEST_BYTES


def test_every_data_file_of_the_wheel_is_in_the_notice(wheel: Path) -> None:
    patterns = re.findall(r"[\w.*-]+\.(?:zip|json|toml|txt)", (ROOT / "NOTICE").read_text(encoding="utf-8"))
    with zipfile.ZipFile(wheel) as archive:
        data = [Path(name).name for name in archive.namelist() if "/data/" in name or name.endswith(".txt")]
    data = [name for name in data if name not in {"README.md", "entry_points.txt"}]
    assert len(data) > 5
    assert [name for name in data if not any(fnmatch(name, pattern) for pattern in patterns)] == []


def test_the_installed_command_serves(installed: Path, tmp_path: Path) -> None:
    code = "import credence, importlib.util as u; print(credence.__file__); print(u.find_spec('training'))"
    found = subprocess.run([installed / "python", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[0].startswith(str(installed.parent))
    assert found.stdout.splitlines()[1] == "None"

    server = start(tmp_path / "data", tmp_path / "output", program=(str(installed / "credence"),))
    try:
        report = server.report(server.tokens()["access_token"])
        assert report.status_code == 200
        page = server.client.get("/docs/model-card")
        assert page.status_code == 200
    finally:
        assert server.stop() == 0


def test_the_installed_command_prints_its_version_and_completes(installed: Path) -> None:
    def answer(*arguments: str, **variables: str) -> str:
        done = subprocess.run(
            [installed / "credence", *arguments],
            env=clean_environment(**variables),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert answer("--version") == f"credence {__version__}\n"
    words = {"COMP_WORDS": "credence keys re", "COMP_CWORD": "2", "_CREDENCE_COMPLETE": "complete_bash"}
    assert sorted(answer(**words).split()) == ["reseal", "revoke"]
