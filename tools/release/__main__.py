"""`python -m tools.release`: builds the release of the commit that is checked out."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.release import building, debian_packages, signing

ROOT = Path(__file__).parents[2]
_LOCK = ROOT / "deploy" / "container" / "debian.lock"
_LOCK_HEAD = (
    "# Debian 12 packages of the image, amd64: name, version, SHA-256. Renewed by: python -m tools.release lock\n"
)


def main() -> int:
    """Run what the command line names; the exit code is 0, or 1 with a sentence."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    build = commands.add_parser("build", help="build the release into a folder")
    build.add_argument("--into", type=Path, default=ROOT / "dist")
    build.add_argument("--sign-with", type=Path, help="private key (Ed25519, PEM) of the release")
    commands.add_parser("lock", help="lock the newest Debian packages of the image")
    arguments = parser.parse_args()
    downloads = _downloads()
    try:
        if arguments.command == "lock":
            _LOCK.write_text(_LOCK_HEAD + debian_packages.lock_lines(downloads), encoding="utf-8")
            return 0
        with tempfile.TemporaryDirectory() as folder:
            commit = _exported(Path(folder))
            built = building.build(commit, arguments.into, downloads)
        if arguments.sign_with:
            signing.sign(arguments.into, arguments.sign_with)
    except (building.Refused, debian_packages.NotServed, signing.NotSigned) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    for file in built:
        print(file)
    return 0


def _exported(folder: Path) -> building.Commit:
    """Write the files of the commit into a folder: what is not committed is no part of a release."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    facts = subprocess.run(
        ["git", "log", "-1", "--format=%H %ct"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    return building.Commit(folder, facts[0], int(facts[1]))


def _downloads() -> Path:
    """Return where downloads are kept, so that a second build needs no network."""
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "credence" / "release"
    kept.mkdir(parents=True, exist_ok=True)
    return kept


if __name__ == "__main__":
    sys.exit(main())
