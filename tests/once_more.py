"""Runs the tests that failed once more, alone, and says so: `python -m tests.once_more` after a run of pytest.

Among thousands of tests with real processes, browsers and databases one may meet a race, in itself or in the program. A
failure that repeats itself alone is a failure. One that does not is printed as unsteady, by name, and is to be looked into
before the next change; it does not stop the present one. More than three failures are never unsteady tests.
"""

import json
import subprocess
import sys
from pathlib import Path

MOST = 3

LAST_FAILED = Path(__file__).parents[1] / ".pytest_cache" / "v" / "cache" / "lastfailed"


def main() -> int:
    """Return 0 if the failed tests, three at most, pass alone; 1 otherwise."""
    failed = sorted(json.loads(LAST_FAILED.read_text())) if LAST_FAILED.exists() else []
    if not 0 < len(failed) <= MOST or any("::" not in name for name in failed):
        return 1
    print(f"\nOnce more, alone: {len(failed)} failed", flush=True)
    if subprocess.run([sys.executable, "-m", "pytest", *failed], check=False).returncode != 0:
        return 1
    for name in failed:
        print(f"UNSTEADY: {name} failed beside other tests and passed alone. Find the race.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
