"""Linters of OpenAPI and a generator of clients find nothing wrong with the documents of both APIs."""

import json
import subprocess
from pathlib import Path

import msgspec
import pytest

from credence.api.reference.documented import documented
from credence.api.reference.openapi import document
from credence.settings import Settings
from credence.web.routes import mounted
from credence.web.routes_for_management import MANAGEMENT
from tests.strangers.ordinary_programs import NPM, build
from tests.strangers.programs import needs

FOLDER = Path(__file__).parent / "descriptions"
SETTINGS = Settings(base_url="https://credit.test/", support_email="help@credit.test")
PUBLIC, MANAGED = "public.json", "management.json"

pytestmark = [
    needs("npm"),
    pytest.mark.when_changed(
        "tests/operations/frozen/openapi*.txt",  # change whenever a document does
        "tests/strangers/descriptions/*",
    ),
]


@pytest.fixture(scope="module")
def tools() -> Path:
    return build(FOLDER, [NPM])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with both documents."""
    public = document(documented(mounted(SETTINGS), SETTINGS), SETTINGS)
    (tmp_path / PUBLIC).write_bytes(msgspec.json.encode(public))
    (tmp_path / MANAGED).write_bytes(msgspec.json.encode(document(MANAGEMENT, SETTINGS, nulls=True)))
    return tmp_path


def run(tools: Path, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    program = str(tools / "node_modules" / ".bin" / command[0])
    return subprocess.run([program, *command[1:]], cwd=folder, check=False, capture_output=True, text=True, timeout=240)


@pytest.mark.parametrize("name", [PUBLIC, MANAGED])
def test_redocly_finds_nothing(tools: Path, folder: Path, name: str) -> None:
    found = run(tools, folder, "redocly", "lint", name, "--format", "json")
    assert json.loads(found.stdout)["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}


def test_spectral_finds_nothing(tools: Path, folder: Path) -> None:
    rules = str(tools / ".spectral.yaml")
    found = run(tools, folder, "spectral", "lint", PUBLIC, MANAGED, "--ruleset", rules, "--fail-severity", "hint")
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("name", [PUBLIC, MANAGED])
def test_the_types_of_openapi_typescript_compile(tools: Path, folder: Path, name: str) -> None:
    assert run(tools, folder, "openapi-typescript", name, "-o", "types.ts").returncode == 0
    compiled = run(tools, folder, "tsc", "--noEmit", "--strict", "types.ts")
    assert compiled.returncode == 0, compiled.stdout
