"""What a release is made of: a bill of materials (CycloneDX 1.6) and a statement of provenance (SLSA 1.0)."""

import hashlib
import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zipfile import ZipFile

from tools.release.debian_packages import ARCHITECTURE, Package


@dataclass(frozen=True)
class Component:
    """One part of a release: its package URL is its name everywhere."""

    name: str
    version: str
    purl: str
    sha256: str
    licence: str = ""

    def described(self) -> dict[str, Any]:
        """Return the component as CycloneDX has it."""
        found: dict[str, Any] = {
            "type": "library",
            "bom-ref": self.purl,
            "name": self.name,
            "version": self.version,
            "purl": self.purl,
            "hashes": [{"alg": "SHA-256", "content": self.sha256}],
        }
        return found | ({"licenses": [{"expression": self.licence}]} if self.licence else {})


_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "release.credence.invalid")


def debian_component(package: Package) -> Component:
    """Return a Debian package as a component."""
    purl = f"pkg:deb/debian/{package.name}@{quote(package.version, safe='.+-~')}?arch={ARCHITECTURE}&distro=debian-12"
    return Component(package.name, package.version, purl, package.sha256)


def python_component(wheel: Path) -> Component:
    """Return a wheel as a component, with the licence that its metadata states."""
    with ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA") and each.count("/") == 1)
        about = message_from_bytes(archive.read(name))
    purl = f"pkg:pypi/{about['Name'].lower().replace('_', '-')}@{about['Version']}"
    return Component(about["Name"], about["Version"], purl, _sha256(wheel), about["License-Expression"] or "")


def bill_of_materials(release: Component, parts: Sequence[Component], created: str) -> bytes:
    """Return the bill of materials of the image; its serial number follows from its content."""
    content = "".join(each.purl + each.sha256 for each in (release, *parts))
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_NAMESPACE, content)}",
        "version": 1,
        "metadata": {"timestamp": created, "component": release.described() | {"type": "application"}},
        "components": [each.described() for each in parts],
        "dependencies": [{"ref": release.purl, "dependsOn": sorted(each.purl for each in parts)}],
    }
    return json.dumps(document, indent=1, sort_keys=True).encode() + b"\n"


def provenance(files: Iterable[Path], commit: str, parts: Sequence[Component]) -> bytes:
    """Return an in-toto statement (v1) on the files of a release: from which commit, how, and from what they are made."""
    source = "https://credence.example/source"
    document = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": each.name, "digest": {"sha256": _sha256(each)}} for each in files],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{source}/docs/releasing.md",
                "externalParameters": {"command": "make release", "commit": commit},
                "resolvedDependencies": [
                    {"uri": "git+" + source, "digest": {"gitCommit": commit}},
                    *({"uri": each.purl, "digest": {"sha256": each.sha256}} for each in parts),
                ],
            },
            "runDetails": {"builder": {"id": f"{source}/tools/release"}},
        },
    }
    return json.dumps(document, indent=1, sort_keys=True).encode() + b"\n"


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
