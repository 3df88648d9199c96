"""The order in which the tests of a mutant are tried: those that are likely to notice it first, and no two alike."""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import chain, zip_longest
from pathlib import Path


def ordered(tests: Collection[str], module: Path, seconds: Mapping[str, float]) -> list[str]:
    """Return these tests, by turns one of the files about the module and one of the others.

    A file is about a module if their names have a word in common. Of each half the tests that differ most come first: one
    of each function, whatever its parameters, before a second of any, and of these one of each file before a second of any,
    the shortest first. The lines that a test runs say little of what it checks: most tests of a request run the same.
    """
    about = _words(module.stem)
    near = [test for test in tests if about & _words(Path(_file(test)).stem)]
    rest = set(tests).difference(near)
    both = zip_longest(_in_turns(near, seconds), _in_turns(rest, seconds))
    return [test for test in chain.from_iterable(both) if test is not None]


def _in_turns(tests: Collection[str], seconds: Mapping[str, float]) -> list[str]:
    functions: Counter[str] = Counter()
    files: Counter[tuple[str, int]] = Counter()
    turns = {}
    for test in sorted(tests, key=lambda test: (seconds[test], test)):
        function = test.partition("[")[0]
        turn = functions[function]
        functions[function] += 1
        turns[test] = (turn, files[_file(test), turn], seconds[test], test)
        files[_file(test), turn] += 1
    return sorted(tests, key=turns.__getitem__)


def _file(test: str) -> str:
    return test.partition("::")[0]


def _words(stem: str) -> set[str]:
    return {word.rstrip("s") for word in stem.removeprefix("test_").split("_")} - {"", "of", "and"}
