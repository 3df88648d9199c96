"""Which tests run which lines of a package, and how long each takes."""

import pickle
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from coverage import Coverage

from tests.mutation.forks import Outcome, forked, run_items
from tests.mutation.mutant import SOURCE, Mutant
from tests.mutation.order_of_tests import ordered


@dataclass(frozen=True, slots=True)
class Covered:
    """`lines` are the tests of each line of each file, by node id; `seconds` is how long each test took."""

    lines: Mapping[str, Mapping[int, frozenset[str]]] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)

    def tests_of(self, mutant: Mutant, folder: str) -> list[str]:
        """Return the tests of a mutant in the order in which they are tried: those of the mutated line, then of its file.

        What is cached runs in the first test alone that needs it, and what takes effect at import in none: there those come
        first that run a line of the package with the name that the statement defines. A statement over several lines has no
        code on some of them.
        """
        lines = self.lines.get(str(mutant.file), {})
        found: frozenset[str] = frozenset()
        if mutant.in_function:
            found = lines.get(mutant.line, found) or next((lines[n] for n in mutant.lines if lines.get(n)), found)
        else:
            found = self._naming(mutant)
        of_file = frozenset().union(*lines.values())
        rest = (of_file or frozenset(test for test in self.seconds if test.startswith(folder))) - found
        return [*ordered(found, mutant.file, self.seconds), *ordered(rest, mutant.file, self.seconds)]

    def _naming(self, mutant: Mutant) -> frozenset[str]:
        """Return the tests that run a line with the name that the mutated statement defines."""
        statement = mutant.file.read_text().splitlines()[mutant.lines.start - 1]
        defined = re.match(r"\s*(?:async def |def |class )?(\w+)", statement)
        if defined is None:
            return frozenset()
        names = re.compile(rf"\b{defined[1]}\b").search
        return frozenset().union(
            *(
                self.lines[file].get(number, ())
                for file in self.lines
                for number, text in enumerate(Path(file).read_text().splitlines(), 1)
                if names(text)
            )
        )

    def runs(self, mutant: Mutant) -> bool:
        """Tell whether a test runs the mutated line."""
        lines = self.lines.get(str(mutant.file), {})
        return mutant.in_function and any(lines.get(number) for number in (mutant.line, *mutant.lines))


def recorded(items: Sequence[pytest.Item], package: str, folder: Path) -> Covered:
    """Run the tests in a fork and return what they cover; tests that fail are left out."""
    answer = folder / "covered.pickle"

    def record() -> Outcome:
        coverage = Coverage(data_file=None, source=[str(SOURCE / package)], branch=False)
        coverage.start()
        seconds: dict[str, float] = {}
        for number, item in enumerate(items):
            coverage.switch_context(item.nodeid)
            began = time.perf_counter()
            if run_items(items[number : number + 1], following=items[number + 1 : number + 2]) is None:
                seconds[item.nodeid] = time.perf_counter() - began
        coverage.stop()
        data = coverage.get_data()
        lines = {
            file: {
                line: frozenset(test for test in tests if test in seconds)
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        answer.write_bytes(pickle.dumps(Covered(lines, seconds)))
        return None

    code, fault = forked(record, cpu_seconds=None).wait()
    if code:
        raise RuntimeError(f"the tests without a fault ended with {code}: {fault}")
    covered = pickle.loads(answer.read_bytes())  # noqa: S301 - the fork wrote it
    assert isinstance(covered, Covered)
    return covered
