"""The program with the packages that it needs, as it lies under `/opt/credence` in the image and in the Debian package.

A virtual environment for the python3.11 of Debian, without pip and without scripts but `credence`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.release.archives import Entry, folder_entries

HOME = "opt/credence"
SITE = f"{HOME}/lib/python3.11/site-packages"
_PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_24_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
_TARGET = ("--python-version=3.11", "--implementation=cp", *(f"--platform={each}" for each in _PLATFORMS))
_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
_SCRIPT = b"""#!/opt/credence/bin/python
import sys

from credence.cli import main

sys.exit(main())
"""
_ENVIRONMENT = b"home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11\n"


def download(requirements: Path, folder: Path) -> None:
    """Download what a file of locked requirements names, each by its hash, unless the folder holds it."""
    if not _complete(requirements, folder):
        _pip(
            "download",
            *_TARGET,
            "--no-deps",
            "--only-binary=:all:",
            "--require-hashes",
            f"--dest={folder}",
            "-r",
            requirements,
        )


def install(requirements: Path, downloads: Path, wheel: Path, folder: Path) -> None:
    """Install the locked packages and the wheel into a folder, without a download and without compiled files."""
    common = (
        "install",
        *_TARGET,
        "--no-deps",
        "--only-binary=:all:",
        "--no-index",
        "--no-compile",
        f"--target={folder}",
    )
    _pip(*common, f"--find-links={downloads}", "--require-hashes", "-r", requirements)
    shutil.rmtree(folder / "bin", ignore_errors=True)  # scripts for the interpreter that installs
    name, version = wheel.name.split("-")[:2]
    # By name and version: a path would be written into direct_url.json.
    _pip(*common, f"--find-links={wheel.parent}", f"{name}=={version}")
    shutil.rmtree(folder / "bin")


def compiled(folder: Path, place: str) -> None:
    """Compile the modules of a folder for the absolute place at which it will lie.

    The image is read-only, and Python would compile them at every start. A compiled file has the hash of its source, not its
    time, and is not compared with it.
    """
    command = (sys.executable, "-m", "compileall", "-q", "-j1", "--invalidation-mode=unchecked-hash")
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    subprocess.run([*command, f"-s{folder}", f"-p{place}", str(folder)], env=environment, check=True)


def entries(packages: Path) -> tuple[list[Entry], list[Entry]]:
    """Return the entries of the environment in two parts: what others made, and Credence."""
    installed = folder_entries(packages, SITE)
    theirs = [each for each in installed if not each.path.startswith(f"{SITE}/credence")]
    ours = [each for each in installed if each.path.startswith(f"{SITE}/credence")]
    ours += [Entry(f"{HOME}/bin/credence", _SCRIPT, 0o755)]
    theirs += [
        Entry(f"{HOME}/bin/python", "/usr/bin/python3.11", 0o777),
        Entry(f"{HOME}/pyvenv.cfg", _ENVIRONMENT),
    ]
    return theirs, ours


def _complete(requirements: Path, folder: Path) -> bool:
    command = [*_PIP, "download", *_TARGET, "--no-deps", "--only-binary=:all:", "--require-hashes", "--no-index"]
    places = [f"--find-links={folder}", f"--dest={folder}", "-r", str(requirements)]
    return subprocess.run([*command, *places], capture_output=True, check=False).returncode == 0


def _pip(*words: str | Path) -> None:
    subprocess.run([*_PIP, *map(str, words)], check=True)
