"""Errors that the operator caused are lines; errors of the program keep their traceback."""

import re
import subprocess
from inspect import getsource
from pathlib import Path

import pytest

from credence.cli.exit_codes import ExitCode
from credence.cli.failure import Failure, exit_code, explained
from credence.datasets.sources.source import LoadError, LoadRefused
from credence.deployment import NotReady
from credence.errors import InvalidInput, OperatorError
from credence.refusals.credit import COMPANY_UNKNOWN
from credence.refusals.refusal import Refused
from credence.store.contract import Conflict, StoreUnavailable
from tests.running import PROGRAM, clean_environment, run_command


@pytest.mark.parametrize(
    "error", [ValueError("too many values to unpack (expected 2)"), KeyError("x"), TypeError("x"), RuntimeError("x")]
)
def test_an_error_of_the_program_is_not_explained(error: Exception) -> None:
    assert explained(error) == []


@pytest.mark.parametrize("error", [OperatorError("Do this."), InvalidInput("Do this."), Failure("Do this.")])
def test_an_error_of_the_operator_is_one_line_each(error: Exception) -> None:
    assert explained(error) == ["Do this."]
    assert explained(Failure("One.", "Two.")) == ["One.", "Two."]


def test_input_that_is_not_text_is_refused_in_words(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "account", "create", "x", "--type", "user", "--password-stdin"],
        env=clean_environment(CREDENCE_DATA_DIR=str(tmp_path)),
        input=b"\xff",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (6, b"")
    assert done.stderr == b"credence: Standard input is not valid UTF-8.\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInput("x"), 2),
        (NotReady("x"), 2),
        (FileNotFoundError(2, "No such file or directory", "x"), 3),
        (Refused(COMPANY_UNKNOWN, "company.unknown"), 3),
        (PermissionError(13, "Permission denied", "x"), 4),
        (Conflict("x"), 4),
        (LoadRefused("x"), 4),
        (StoreUnavailable("x"), 5),
        (LoadError("x"), 6),
    ],
)
def test_each_kind_of_failure_has_an_exit_code_of_its_own(error: Exception, code: int) -> None:
    assert exit_code(error) == code


def test_the_table_of_exit_codes_is_that_of_the_program() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")
    table = {int(code): meaning for code, meaning in re.findall(r"^\| (\d+) \| (.+) \|$", page, re.MULTILINE)}
    meanings = re.findall(r'= (\d+)\n    """(.+)"""', getsource(ExitCode))
    assert table == {int(code): meaning for code, meaning in meanings}
    assert len(table) == len(ExitCode)


@pytest.mark.parametrize("name", ["Led\x1b[2Jger", "Ledger\n", "\u202eregdeL", "a\u2028b", "\x9b31m"])
def test_a_name_that_would_act_on_a_terminal_is_refused_and_not_echoed(name: str, tmp_path: Path) -> None:
    """threats A11: names are printed, logged and shown on pages later."""
    for arguments in (["app", "create", name], ["account", "create", "ada", "--type", "user", "--first-name", name]):
        done = run_command(*arguments, CREDENCE_DATA_DIR=str(tmp_path / "data"))
        assert done.returncode == 2
        assert (
            done.stderr == f"credence: Argument {arguments.index(name) + 1} has a character that cannot be printed.\n"
        )
    assert not (tmp_path / "data").exists()
