"""The bill of materials and the provenance of a release, from three of its parts."""

import json
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from tests.architecture.imports import ROOT
from tools.release.debian_packages import NotServed, Package, fetched, read_lock
from tools.release.materials import bill_of_materials, debian_component, provenance, python_component

LOCK = read_lock(ROOT / "deploy" / "container" / "debian.lock")
CREATED = "2026-11-24T18:00:00Z"


def test_the_bill_of_materials_is_valid_and_the_same_for_the_same_parts(wheel: Path) -> None:
    made = [bill_of_materials(python_component(wheel), list(map(debian_component, LOCK)), CREATED) for _ in range(2)]
    assert made[0] == made[1]
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(made[0].decode()) is None
    document = json.loads(made[0])
    assert document["metadata"]["component"]["licenses"] == [{"expression": "Apache-2.0"}]
    assert [PackageURL.from_string(each["purl"]).version for each in document["components"]] == [
        each.version for each in LOCK
    ]


def test_the_provenance_names_the_files_with_their_hashes_and_the_commit(tmp_path: Path) -> None:
    """The hash is that of the three bytes "abc" in FIPS 180-4."""
    (tmp_path / "file").write_bytes(b"abc")
    found = json.loads(provenance([tmp_path / "file"], "0" * 40, [debian_component(LOCK[0])]))
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert found["subject"] == [{"name": "file", "digest": {"sha256": abc}}]
    sources = found["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert sources[0]["digest"] == {"gitCommit": "0" * 40}
    assert sources[1]["digest"] == {"sha256": LOCK[0].sha256}


def test_a_package_that_is_not_the_file_of_the_lock_is_refused(tmp_path: Path) -> None:
    package = Package("zlib1g", "1:1.2.13.dfsg-1", LOCK[-1].sha256)
    (tmp_path / "zlib1g_1%3a1.2.13.dfsg-1_amd64.deb").write_bytes(b"another")
    with pytest.raises(NotServed, match="not the file of the lock"):
        fetched(package, tmp_path)
