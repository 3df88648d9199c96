"""Plants faults in one package, one by one, and counts those at which a test fails: `python -m tests.mutation PACKAGE`.

Needs mutmut for its operators; it is no locked dependency: `pip install --no-deps mutmut libcst`.
One process collects the tests and records which of them run which lines. For each mutant it forks; the fork gives its
functions the mutated code and runs the tests of that line until one fails (`order_of_tests`). A test that starts the program
as another process does not count: the fault is only in the fork. A mutant that waits until its time is over does not count
as killed, for a busy machine does the same.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

from tests.mutation.mutant import ROOT

TESTS = {
    "oauth": (
        *("tests/oauth", "tests/conformance", "tests/cli/test_app_auth*.py", "tests/management/test_clocks.py"),
        *("tests/sign_in/test_au*.py", "tests/sign_in/test_attacks_on_codes.py", "tests/sign_in/test_back*.py"),
        *("tests/sign_in/test_c*.py", "tests/sign_in/test_open_registration.py", "tests/sign_in/test_[dgnprs]*.py"),
        *("tests/management/test_who_may.py", "tests/spec/test_error_table.py", "tests/web/test_metadata_places.py"),
    ),
    "crypto": (
        "tests/crypto",
        "tests/oauth/test_*key*.py",
        "tests/oauth/test_dpop*.py",
        "tests/sign_in/test_*passkeys.py",
        "tests/identity/test_passwords.py",
        "tests/identity/test_same_cost.py",
        "tests/sign_in/test_devices.py",
        "tests/cli/test_keys.py",
    ),
    "ratelimit": (
        *("tests/ratelimit", "tests/spec/test_spike_arrest.py", "tests/console/test_limits.py"),
        *(
            "tests/sign_in/test_guessing.py",
            "tests/sign_in/test_open_registration.py",
            "tests/workbench/test_readers.py",
        ),
    ),
    "screening": ("tests/screening", "tests/web/test_forms.py"),
    "access": ("tests/access", "tests/web/test_hosts.py", "tests/web/test_scenarios_from_elsewhere.py"),
    "store": (
        *("tests/store/test_contract*.py", "tests/store/test_sqlite.py", "tests/store/test_postgres.py"),
        *("tests/store/test_re*.py", "tests/store/test_sh*.py", "tests/store/test_sw*.py", "tests/store/test_tr*.py"),
        *("tests/store/test_backup.py", "tests/store/test_move.py", "tests/store/test_change_counter.py"),
        *("tests/store/test_write_turns.py", "tests/store/test_checkpoints.py", "tests/store/test_postgres_buckets.py"),
        *("tests/datasets/replication/test_fetching.py", "tests/datasets/replication/test_interruptions.py"),
    ),
}
"""The tests that are tried for each package: those about it, and a few that use it; more would cost more than they find."""

GOAL_PERCENT = 90


def main() -> int:
    options = _options()
    if find_spec("mutmut") is None or find_spec("libcst") is None:
        print("Needs mutmut: pip install --no-deps mutmut libcst", file=sys.stderr)
        return 2
    from tests.mutation.equivalent import reason_of
    from tests.mutation.mutants import sampled
    from tests.mutation.trial import Trial, killed_by
    from tests.postgres import GIVEN, postgres_server

    total, mutants = sampled(options.package, options.sample, options.seed)
    mutants = [mutant for mutant in mutants if options.only in mutant.path]
    judged = [(mutant, reason_of(mutant)) for mutant in mutants]
    tried = [mutant for mutant, reason in judged if reason is None]
    print(f"{options.package}: {len(mutants)} of {total} mutants, seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, postgres_server(fsync="off", full_page_writes="off") as server:
        os.environ[GIVEN] = server.url
        trial = Trial(options.package, tried, Path(folder), options.jobs, options.tests)
        patterns = options.folders or TESTS[options.package]
        results = killed_by(trial, [str(path) for pattern in patterns for path in sorted(ROOT.glob(pattern))])
    counts = Counter(result.outcome for result in results)
    killed = sum(counts.values()) - counts["survived"] - counts["waits"]
    share = 100 * killed / max(1, sum(counts.values()))
    print(
        f"{options.package}: {killed} of {sum(counts.values())} killed, {share:.1f} % ({dict(counts)}); "
        f"{len(mutants) - len(tried)} more change nothing (tests/mutation/equivalent.toml)"
    )
    return 0 if share >= GOAL_PERCENT else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=TESTS)
    parser.add_argument("--sample", type=int, help="how many mutants, chosen by the seed; all if not given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--tests", type=int, help="how many tests a mutant has to survive; if not given, all")
    parser.add_argument("--only", default="", help="only mutants of files with this in their path")
    parser.add_argument("--folders", nargs="*", help="patterns of tests to try instead of those of the table")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
