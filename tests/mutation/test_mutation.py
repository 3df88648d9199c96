"""The tool that plants faults, by faults planted in a module of the test."""

import importlib.util
import tomllib
from pathlib import Path

import pytest

from tests import time_limit
from tests.mutation.equivalent import LIST, reason_of
from tests.mutation.forks import KILLED, SURVIVED, Outcome, forked, run_items
from tests.mutation.installing import NeedsImport, functions_of, install
from tests.mutation.mutant import ROOT, Mutant
from tests.mutation.order_of_tests import ordered

SOURCE = "LIMIT = 2\n\n\ndef outer(n):\n    def inner(m):\n        return m < LIMIT\n\n    return inner(n)\n"


def planted(file: Path, before: str, after: str) -> Mutant:
    line = next(number for number, text in enumerate(SOURCE.splitlines(), 1) if before in text)
    return Mutant(file, line, range(line, line + 1), line > 1, before, after, SOURCE.replace(before, after))


@pytest.mark.parametrize(
    ("before", "after", "code", "said"),
    [
        ("m < LIMIT", "m <= LIMIT", KILLED, "the limit is in"),
        ("m < LIMIT", "LIMIT > m", SURVIVED, ""),
        ("inner(n)", "inner(n) or n == 2", KILLED, "the limit is in"),
    ],
)
def test_a_fork_runs_the_mutated_function_and_this_process_does_not(
    tmp_path: Path, before: str, after: str, code: int, said: str
) -> None:
    file = tmp_path / "planted.py"
    file.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("planted", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    functions = functions_of([file])

    def work() -> str | None:
        install(planted(file, before, after), functions)
        return "the limit is in" if module.outer(2) else None

    assert forked(work, cpu_seconds=60).wait() == (code, said)
    assert module.outer(2) is False


def test_a_constant_takes_effect_at_import(tmp_path: Path) -> None:
    file = tmp_path / "planted.py"
    file.write_text(SOURCE)
    with pytest.raises(NeedsImport):
        install(planted(file, "LIMIT = 2", "LIMIT = 3"), {})


def test_each_mutant_that_changes_nothing_is_of_a_line_that_is_there_and_has_a_reason() -> None:
    for each in tomllib.loads(LIST.read_text()).get("mutant", []):
        lines = " ".join(line.strip() for line in (ROOT / each["file"]).read_text().splitlines())
        assert each["before"] in lines, each
        assert each["before"] != each["after"], each
        assert each["reason"].endswith("."), each


def test_tests_about_the_module_and_others_take_turns_and_the_most_different_come_first() -> None:
    seconds = {
        "tests/a/test_rates.py::test_one[x]": 0.1,
        "tests/a/test_rates.py::test_one[y]": 0.2,
        "tests/a/test_rates.py::test_two": 0.9,
        "tests/b/test_other.py::test_three": 0.3,
        "tests/b/test_other.py::test_four": 0.4,
        "tests/b/test_third.py::test_five": 0.5,
    }
    assert ordered(seconds, Path("src/rate.py"), seconds) == [
        "tests/a/test_rates.py::test_one[x]",
        "tests/b/test_other.py::test_three",
        "tests/a/test_rates.py::test_two",
        "tests/b/test_third.py::test_five",
        "tests/a/test_rates.py::test_one[y]",
        "tests/b/test_other.py::test_four",
    ]


class Tried:
    """Runs the collected tests as they are run for a mutant, at a limit of a second."""

    def __init__(self) -> None:
        self.failed: Outcome = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        time_limit.LIMIT_SECONDS = 1
        self.failed = run_items(session.items)
        return True


def test_a_test_that_hangs_fails_at_its_limit(tmp_path: Path) -> None:
    (tmp_path / "test_inner.py").write_text(
        "import threading\n\n\ndef test_short():\n    pass\n\n\ndef test_hangs():\n    threading.Event().wait(600)\n"
    )

    def work() -> Outcome:
        tried = Tried()
        # The fault handler of the process that forks has a thread, for which that of the fork would wait.
        options = ["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", f"--rootdir={tmp_path}"]
        pytest.main([*options, str(tmp_path)], plugins=[tried])
        return tried.failed

    assert forked(work, cpu_seconds=60, wall_seconds=120).wait() == (KILLED, "test_inner.py::test_hangs")


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ('X = "SELECT a FROM b"', 'X = "select a from b"', True),
        ("X = \"SELECT a FROM b WHERE c = 'd'\"", "X = \"select a from b where c = 'd'\"", True),
        ("X = \"SELECT a FROM b WHERE c = 'D'\"", "X = \"select a from b where c = 'd'\"", False),
        ('X = "PRAGMA a = 1"', 'X = "PRAGMA A = 1"', True),
        ("X = \"SELECT a FROM b WHERE c = 'D'\"", "X = \"SELECT A FROM B WHERE C = 'D'\"", False),
        ('X = "SELECT a FROM b"', 'X = "XXSELECT a FROM bXX"', False),
        ('X = "Selected"', 'X = "selected"', False),
        ('open(x, encoding="utf-8")', 'open(x, encoding="UTF-8")', True),
        ('open(x, encoding="utf-8")', 'open(x, encoding="XXutf-8XX")', False),
        ('open("a", encoding="utf-8")', 'open("A", encoding="utf-8")', False),
        ("f(x)", "f(None)", False),
    ],
)
def test_sql_and_the_name_of_an_encoding_have_no_capital_letters(before: str, after: str, same: bool) -> None:
    mutant = Mutant(ROOT / "x.py", 1, range(1, 2), False, before, after, "")
    assert (reason_of(mutant) is not None) is same
