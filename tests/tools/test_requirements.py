"""The locked packages can be installed with every Python 3.11, as the pages say."""

from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]


def _locked(file: Path) -> list[Requirement]:
    lines = (line.removesuffix("\\").strip() for line in file.read_text().splitlines())
    locked = [Requirement(line) for line in lines if line and line[0].isalpha()]
    return [each for each in locked if each.marker is None or each.marker.evaluate()]


@pytest.mark.parametrize("name", ["run", "otel", "dev"])
def test_locked_packages_accept_the_first_release_of_python_3_11(name: str) -> None:
    locked = _locked(ROOT / "requirements" / f"{name}.txt")
    metadata = {str(each): distribution(each.name).metadata for each in locked}
    asked = {each: what["Requires-Python"] for each, what in metadata.items() if "Requires-Python" in what}
    assert asked
    assert [each for each, python in asked.items() if "3.11.0" not in SpecifierSet(python)] == []
