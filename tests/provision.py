"""Installs what the tests need from Debian's packages: `python -m tests.provision`, first step of `make test`.

Where it may not install, it says in one line what is missing; the tests that need it are then skipped.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

PACKAGES = {
    "chromium": "chromium",
}
"""Program the tests call -> package that holds it."""


def main() -> int:
    missing = [program for program in PACKAGES if shutil.which(program) is None]
    if not missing:
        return 0
    packages = sorted({PACKAGES[program] for program in missing})
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return say(f"missing: {', '.join(missing)}. Install the packages {' '.join(packages)} to run every test.")
    install = ["apt-get", "install", "--yes", "--no-install-recommends", "--quiet", *packages]
    if not (succeeds(install) or (succeeds(["apt-get", "update", "--quiet"]) and succeeds(install))):
        return say(f"missing: {', '.join(missing)}. apt-get could not install {' '.join(packages)}.")
    return 0


def succeeds(command: Sequence[str]) -> bool:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0


def say(line: str) -> int:
    print(f"provision: {line}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
