"""From the files of a commit to the files of a release."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tools.release import debian_package, debian_packages, image, materials, program
from tools.release.archives import Entry, compressed, folder_entries, tar

SUMS = "SHA256SUMS"
SIGNATURE = f"{SUMS}.sig"
PUBLIC_KEY = "release-key.pem"
UNSUMMED = (SUMS, SIGNATURE, PUBLIC_KEY)
_COPIED = {
    "requirements/run.txt": "requirements.txt",
    "requirements/otel.txt": "requirements-otel.txt",
    "deploy/systemd/credence.service": "credence.service",
    "deploy/systemd/credence.env": "credence.env",
    "deploy/systemd/credence.sysusers": "credence.sysusers",
    "docs/credence.1": "credence.1",
}
_OF_A_RELEASE = re.compile(
    r"credence(_server)?[-_][^/]+(\.whl|\.tar\.gz|\.tgz|\.oci\.tar|\.deb|\.json)|"
    + "|".join(map(re.escape, (*_COPIED.values(), "changes.md", *UNSUMMED)))
)
"""The names of the files of a release, of any version."""
_INTERPRETER = (3, 11)


class Refused(Exception):
    """This machine or this commit cannot give a release."""


@dataclass(frozen=True)
class Commit:
    """The files of a commit in a folder, its id and its time in seconds since 1970."""

    folder: Path
    id: str
    seconds: int

    @property
    def description(self) -> str:
        """Return the sentence that the project states about itself."""
        about = tomllib.loads((self.folder / "pyproject.toml").read_text(encoding="utf-8"))
        return str(about["project"]["description"])

    @property
    def version(self) -> str:
        """Return the version that the program states."""
        text = (self.folder / "src" / "credence" / "__init__.py").read_text(encoding="utf-8")
        return str(re.findall(r'(?m)^__version__ = "(.+)"$', text)[0])


def build(commit: Commit, into: Path, downloads: Path) -> list[Path]:
    """Build a release into a folder, in place of the release that it has, and return its files.

    Raise Refused if the interpreter is not the one of the image, if the changelog has no section for the version, or if the
    folder has files of anything else.
    """
    if sys.version_info[:2] != _INTERPRETER:
        raise Refused(
            "A release is built with Python 3.11, whose compiled files the image has: make PYTHON=python3.11."
        )
    changes = _changes(commit)
    created = datetime.fromtimestamp(commit.seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    emptied(into)
    wheel = _distributions(commit, into)
    for source, name in _COPIED.items():
        shutil.copyfile(commit.folder / source, into / name)
    (into / "changes.md").write_text(changes, encoding="utf-8")

    chart = folder_entries(commit.folder / "deploy" / "helm" / "credence", "credence", _is_of_the_chart)
    (into / f"credence-{commit.version}.tgz").write_bytes(compressed(tar(chart, commit.seconds)))

    requirements = commit.folder / "requirements" / "otel.txt"
    program.download(requirements, downloads)
    lock = debian_packages.read_lock(commit.folder / "deploy" / "container" / "debian.lock")
    debian = [debian_packages.fetched(each, downloads) for each in lock]
    with tempfile.TemporaryDirectory() as folder:
        packages = Path(folder) / "packages"
        program.install(requirements, downloads, wheel, packages)
        program.compiled(packages, f"/{program.SITE}")
        theirs, ours = program.entries(packages)
        root = _with_compiled_library(image.debian_root(debian), Path(folder))
        labels = image.Labels(commit.version, commit.description, commit.id, created)
        (into / f"credence-{commit.version}.oci.tar").write_bytes(
            image.archive([root, theirs, ours], labels, commit.seconds)
        )
        package = debian_package.build(commit.folder, [*theirs, *ours], commit.version, commit.seconds)
        (into / f"credence_{commit.version}_{debian_packages.ARCHITECTURE}.deb").write_bytes(package)

    wheels = sorted(
        file for file in downloads.glob("*.whl") if _sha256(file) in requirements.read_text(encoding="utf-8")
    )
    parts = [*map(materials.python_component, wheels), *map(materials.debian_component, lock)]
    bill = materials.bill_of_materials(materials.python_component(wheel), parts, created)
    (into / f"credence-{commit.version}.cdx.json").write_bytes(bill)
    statement = materials.provenance(sorted(into.iterdir()), commit.id, parts)
    (into / f"credence-{commit.version}.provenance.json").write_bytes(statement)
    return write_sums(into)


def emptied(into: Path) -> None:
    """Make the folder, or delete the files of a release in it; raise Refused, and delete nothing, if it has others."""
    into.mkdir(parents=True, exist_ok=True)
    found = list(into.iterdir())
    others = [file.name for file in found if not (_OF_A_RELEASE.fullmatch(file.name) and file.is_file())]
    if others:
        raise Refused(f"{into} has files that are not of a release, such as {min(others)}: name another folder.")
    for file in found:
        file.unlink()


def _is_of_the_chart(path: str) -> bool:
    """Whether a file belongs to the packed chart: not what its files are made from."""
    return not path.endswith(".template.yaml")


def _changes(commit: Commit) -> str:
    """Return the section of the changelog for the version."""
    text = (commit.folder / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"(?ms)^## {re.escape(commit.version)}\b.*?(?=^## |\Z)", text)
    if found is None:
        raise Refused(f"CHANGELOG.md has no section {commit.version}.")
    return found[0]


def _distributions(commit: Commit, into: Path) -> Path:
    """Build wheel and source distribution, and return the wheel."""
    code = "import sys; from flit_core import buildapi as b; b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])"
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(commit.seconds)}
    subprocess.run([sys.executable, "-c", code, str(into.resolve())], cwd=commit.folder, env=environment, check=True)
    (wheel,) = into.glob("*.whl")
    for built in into.iterdir():
        built.chmod(0o644)
    return wheel


def _with_compiled_library(root: Sequence[Entry], folder: Path) -> list[Entry]:
    """Return the root with compiled files of the standard library, which the installation of the package would make."""
    place = "usr/lib/python3.11"
    library = folder / "library"
    for each in root:
        if each.path.startswith(f"{place}/") and each.path.endswith(".py") and isinstance(each.content, bytes):
            file = library / each.path.removeprefix(f"{place}/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(each.content)
    program.compiled(library, f"/{place}")
    made = [each for each in folder_entries(library, place) if each.path.endswith(".pyc")]
    return [*root, *made]


def write_sums(into: Path) -> list[Path]:
    """Write the checksums of a release as `sha256sum` has them, and return its files."""
    files = sorted(file for file in into.iterdir() if file.name not in UNSUMMED)
    lines = [f"{_sha256(file)}  {file.name}\n" for file in files]
    (into / SUMS).write_text("".join(lines), encoding="ascii")
    return [*files, into / SUMS]


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
