"""`make` installs with the best Python of the machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from credence.interpreter import TESTED

ROOT = Path(__file__).parents[2]


def chosen(path: str) -> subprocess.CompletedProcess[str]:
    """Return what the script does on a machine whose programs are those of a PATH."""
    return subprocess.run(
        ["/bin/sh", "tools/choose_python.sh"], cwd=ROOT, env={"PATH": path}, capture_output=True, text=True, check=False
    )


def machine(folder: Path, **pythons: str) -> str:
    """Return the PATH of a machine with these programs, each of which describes itself by this line."""
    for name in ("sort", "sh"):
        (folder / name).symlink_to(str(shutil.which(name)))
    for name, line in pythons.items():
        program = folder / name.replace("_", ".")
        program.write_text(f"#!/bin/sh\necho {line}\n")
        program.chmod(0o755)
    return str(folder)


def test_a_python_of_this_machine_is_found() -> None:
    found = chosen(os.pathsep.join([str(Path(sys.executable).resolve().parent), os.environ["PATH"]]))
    program = found.stdout.strip()
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert int(version.split(".")[1]) in TESTED
    assert program in found.stderr


@pytest.mark.parametrize(
    ("pythons", "path"),
    [
        ({"python3_11": "0 11 /plain", "python3_13": "1 13 /optimised"}, "/optimised"),
        (
            {"python3_12": "1 12 /usual", "python3_13": "1 13 /newer", "python3_11": "1 11 /of-each-change"},
            "/of-each-change",
        ),
        ({"python3": "0 12 /plain"}, "/plain"),
    ],
    ids=["an optimised build before a plain one", "the version of each change before newer ones", "a plain one"],
)
def test_the_best_python_is_chosen(tmp_path: Path, pythons: dict[str, str], path: str) -> None:
    assert chosen(machine(tmp_path, **pythons)).stdout.strip() == path


def test_a_machine_without_python_is_told_what_to_install(tmp_path: Path) -> None:
    found = chosen(machine(tmp_path))
    assert found.returncode == 1
    assert found.stderr.strip() == (
        "Install Python 3.11, 3.12 or 3.13 with its module venv (on Debian and Ubuntu: apt install python3-venv)."
    )
