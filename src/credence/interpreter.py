"""The Python that runs this program: its version, and whether it was built with optimisations.

`tools/choose_python.sh` runs this file with every Python 3 on the machine, so it uses the standard library alone.
"""

import sys
import sysconfig
from importlib.util import find_spec

TESTED = (11, 12, 13)
"""The minor versions of Python 3 that the tests pass on, the one of each change first."""

DISTRIBUTION_FOLDERS = ("/usr/bin/", "/bin/")
"""Where Linux distributions keep their own Python, which they build with optimisations and do not always say so."""


def is_optimised() -> bool:
    """Return whether this Python was built with profile-guided optimisation (docs/adr/speed.md, *The interpreter*)."""
    program = sys.executable if sys.prefix == sys.base_prefix else getattr(sys, "_base_executable", sys.executable)
    configured = sysconfig.get_config_var("CONFIG_ARGS") or ""
    return "--enable-optimizations" in configured or program.startswith(DISTRIBUTION_FOLDERS)


def main() -> int:
    """Print 1 or 0 for an optimised build, the minor version and the path; return 1 if make cannot install with it."""
    installs = all(find_spec(module) is not None for module in ("venv", "ensurepip"))
    if not installs or sys.version_info[1] not in TESTED:
        return 1
    print(int(is_optimised()), sys.version_info[1], sys.executable)
    return 0


if __name__ == "__main__":
    sys.exit(main())
