"""Clients that generators make from the documents of both APIs at their defaults compile and have everything.

For C# no compiler is among the packages of the test machines. Types for TypeScript are in `test_descriptions.py`.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.strangers.ordinary_programs import build
from tests.strangers.programs import needs
from tests.strangers.test_descriptions import MANAGED, PUBLIC, folder

__all__ = ["folder"]

FOLDER = Path(__file__).parent / "generated"

EXPECTED = re.compile(
    r"Generating |Warning\(s\) encountered|WARNING parsing |Unsupported content type (application/xml|text/csv)$|"
    r"Cannot parse response .*\(Unsupported content_type image/|Skipping Integration|If you"
)
"""Lines of openapi-python-client that name no loss: it makes one method, for JSON or a form, and reads no pictures."""

pytestmark = [pytest.mark.long, pytest.mark.parametrize("name", [PUBLIC, MANAGED])]


@pytest.fixture(scope="module")
def python() -> Path:
    install = ["venv/bin/pip", "install", "--quiet", "--require-hashes", "--no-deps", "-r", "requirements.txt"]
    return build(FOLDER, [[sys.executable, "-m", "venv", "venv"], install]) / "venv" / "bin" / "python"


@needs("mvn")
def test_the_client_of_openapi_generator_compiles_in_java(folder: Path, name: str) -> None:
    shutil.copy(FOLDER / "pom.xml", folder)
    command = ["mvn", "-q", "-B", "compile", f"-Ddocument={folder / name}"]
    made = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, timeout=900)
    assert made.returncode == 0, re.findall(r"^\[ERROR\].*\.java.*$", made.stdout, re.MULTILINE)
    assert list((folder / "target" / "classes").rglob("*Api.class"))


def test_the_client_of_openapi_python_client_has_every_operation_and_model(
    folder: Path, python: Path, name: str
) -> None:
    command = [str(python), "-m", "openapi_python_client", "generate", "--path", name, "--meta", "none"]
    made = subprocess.run(
        [*command, "--output-path", "client"], cwd=folder, check=False, capture_output=True, text=True, timeout=300
    )
    assert made.returncode == 0, made.stderr
    lines = (made.stdout + made.stderr).splitlines()
    assert [line for line in lines if line[:1].isupper() and not EXPECTED.match(line)] == []
    compiled = subprocess.run(
        [python, "-m", "compileall", "-q", "client"], cwd=folder, check=False, capture_output=True
    )
    assert compiled.returncode == 0
