"""Errors that the operator caused are lines; errors of the program keep their traceback."""

import subprocess
from pathlib import Path

import pytest

from credence.cli.failure import Failure, explained
from credence.errors import InvalidInput, OperatorError
from tests.running import PROGRAM, clean_environment


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
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"credence: Standard input is not valid UTF-8.\n"
