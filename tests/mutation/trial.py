"""Tries the mutants of a package against the tests that pytest collects."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.mutation.coverage_of_tests import recorded
from tests.mutation.forks import KILLED, POLL_SECONDS, SURVIVED, Fork, Outcome, forked, run_items
from tests.mutation.installing import NeedsImport, functions_of, install
from tests.mutation.mutant import ROOT, Mutant

CPU_SECONDS = 20
"""Beyond ten times what the tests took without the fault."""

MOST_LEFT_OUT = 5
"""Tests that fail without a fault: with more of them something is wrong, and a mutant would survive for want of tests."""

WAIT_SECONDS = 600
"""Beyond five times that, until a fork that waits for something is ended: others may use the machine as well."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant: `killed` by the test `by`, `endless`, `ended` (the process itself), `waits` or `survived`."""

    mutant: Mutant
    outcome: str
    by: str


@dataclass(slots=True)
class Trial:
    """What is to be tried, and what came of it."""

    package: str
    mutants: Sequence[Mutant]
    folder: Path
    jobs: int
    most_tests: int | None
    results: list[Result] = field(default_factory=list)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        items = {item.nodeid: item for item in session.items}
        began = time.monotonic()
        covered = recorded(session.items, self.package, self.folder)
        left_out = sorted(set(items) - set(covered.seconds))
        if len(left_out) > MOST_LEFT_OUT:
            raise RuntimeError(f"{len(left_out)} of {len(items)} tests fail without a fault, {left_out[0]} first")
        print(
            f"{len(items)} tests in {time.monotonic() - began:.0f} s; left out, for they fail: {left_out}", flush=True
        )
        functions = functions_of(sorted({mutant.file for mutant in self.mutants}))
        running: list[tuple[Mutant, list[str], Fork]] = []
        waiting = list(reversed(self.mutants))
        while waiting or running:
            while waiting and len(running) < self.jobs:
                mutant = waiting.pop()
                names = covered.tests_of(mutant, f"tests/{self.package}/")[: self.most_tests]
                seconds = sum(covered.seconds[name] for name in names)

                def work(mutant: Mutant = mutant, names: Sequence[str] = names) -> Outcome:
                    if not names:
                        return None
                    try:
                        if not covered.runs(mutant):
                            raise NeedsImport
                        install(mutant, functions)
                    except NeedsImport:
                        return run_imported(mutant, names, self.folder)
                    return run_items([items[name] for name in names])

                limit = CPU_SECONDS + 10 * seconds
                running.append(
                    (mutant, names, forked(work, cpu_seconds=int(limit), wall_seconds=WAIT_SECONDS + 5 * limit))
                )
            time.sleep(POLL_SECONDS)
            running = [each for each in running if not self._ended(*each)]
        return True

    def _ended(self, mutant: Mutant, names: list[str], fork: Fork) -> bool:
        code = fork.poll()
        if code is None:
            return False
        outcomes = {SURVIVED: "survived", KILLED: "killed", -signal.SIGXCPU: "endless", -signal.SIGALRM: "waits"}
        result = Result(mutant, outcomes.get(code, "ended"), fork.failed())
        self.results.append(result)
        which = f"{names.index(result.by) + 1} of " if result.by in names else ""
        print(f"{mutant.path}:{mutant.line} {result.outcome}: {which}{len(names)} tests {result.by}", flush=True)
        if result.outcome != "killed":
            print(f"  - {mutant.before}\n  + {mutant.after}", flush=True)
        return True


def killed_by(trial: Trial, folders: Sequence[str]) -> list[Result]:
    """Collect the tests of these folders, try the mutants and return the results."""
    arguments = ["-q", "--capture=no", "-p", "no:cacheprovider", "-o", "tmp_path_retention_policy=none", *folders]
    pytest.main(arguments, plugins=[trial])
    return trial.results


def run_imported(mutant: Mutant, names: Sequence[str], folder: Path) -> Outcome:
    """Run tests in a process of their own that collects them and imports the mutant."""
    source = folder / f"{os.getpid()}.py"
    source.write_text(mutant.source)
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation.imported", str(mutant.file), str(source), *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return None if done.returncode == 0 else (failed or ["at import"])[0]
