"""The Debian packages that the root of the image is made from, locked by version and hash in `deploy/container/debian.lock`.

Only what the program loads: the C library, the interpreter with its standard library, and the libraries of both. There is no
shell, no package manager and no program but Python.
"""

import hashlib
import io
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tools.release.archives import Entry

NAMES = (
    "base-files",
    "ca-certificates",
    "libbz2-1.0",
    "libc6",
    "libcrypt1",
    "libexpat1",
    "libffi8",
    "libgcc-s1",
    "liblzma5",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "libsqlite3-0",
    "libssl3",
    "libstdc++6",
    "libuuid1",
    "python3.11-minimal",
    "zlib1g",
)
ARCHITECTURE = "amd64"
_IN_USR = ("bin", "lib", "lib64", "sbin")
_MODULES_LEFT_OUT = ("_curses", "_curses_panel", "_dbm", "nis", "readline")
"""Modules of Python whose libraries are left out: terminals, and databases that nothing here uses."""
_FOLDERS_LEFT_OUT = (
    "etc/cron",
    "etc/skel",
    "home",
    "root",
    "usr/games",
    "usr/lib/python3.11/distutils",
    "usr/lib/python3.11/lib2to3",
    "usr/lib/python3.11/pydoc_data",
    "usr/lib/valgrind",
    "usr/share/applications",
    "usr/share/bash-completion",
    "usr/share/binfmts",
    "usr/share/lintian",
    "usr/share/locale",
    "usr/share/man",
    "usr/share/pixmaps",
    "var/lib/dpkg",
)


class NotServed(Exception):
    """A locked package cannot be had, or is another one: `python -m tools.release lock` renews the lock."""


@dataclass(frozen=True)
class Package:
    """A package of Debian 12 with the SHA-256 of its file."""

    name: str
    version: str
    sha256: str

    @property
    def file(self) -> str:
        """Return the name under which apt keeps it."""
        return f"{self.name}_{quote(self.version, safe='+~.-')}_{ARCHITECTURE}.deb".replace("%3A", "%3a")


def read_lock(file: Path) -> list[Package]:
    """Return the packages of a lock file, a line each: name, version, hash."""
    lines = (line.split("#")[0].split() for line in file.read_text(encoding="utf-8").splitlines())
    return [Package(*words) for words in lines if words]


def lock_lines(folder: Path) -> str:
    """Return the lock of the newest packages that apt offers; they are downloaded into a folder."""
    subprocess.run(["apt-get", "-q", "download", *NAMES], cwd=folder, check=True)
    lines = []
    for name in NAMES:
        (file,) = (each for each in folder.glob(f"{name}_*.deb"))
        version = _field(file, "Version")
        lines.append(f"{name} {version} {hashlib.sha256(file.read_bytes()).hexdigest()}")
    return "\n".join(lines) + "\n"


def fetched(package: Package, folder: Path) -> Path:
    """Return the file of a package, downloaded by apt if the folder does not hold it yet.

    Raise NotServed if its bytes are not those of the lock.
    """
    found = _held(package, folder)
    if found is None:
        command = ["apt-get", "-q", "download", f"{package.name}={package.version}"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        found = _held(package, folder)
        if done.returncode != 0 or found is None:
            raise NotServed(f"{package.name} {package.version}: {done.stderr.strip() or 'no file'}")
    if hashlib.sha256(found.read_bytes()).hexdigest() != package.sha256:
        raise NotServed(f"{package.name} {package.version}: not the file of the lock")
    return found


def _held(package: Package, folder: Path) -> Path | None:
    names = (package.file, package.file.replace(f"_{ARCHITECTURE}.deb", "_all.deb"))
    return next((folder / name for name in names if (folder / name).is_file()), None)


def entries(file: Path) -> list[Entry]:
    """Return what the image takes of a package, and its control file, from which scanners learn what is installed."""
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", file], capture_output=True, check=True).stdout
    found = []
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            path = _in_usr(member.name.removeprefix("./").rstrip("/"))
            if not path or not _is_wanted(path):
                continue
            if member.isdir():
                found.append(Entry(path, None, member.mode))
            elif member.issym():
                found.append(Entry(path, member.linkname, 0o777))
            elif (stream := archive.extractfile(member)) is not None:
                found.append(Entry(path, stream.read(), member.mode))
    control = subprocess.run(["dpkg-deb", "--field", file], capture_output=True, check=True).stdout
    return [*found, Entry(f"var/lib/dpkg/status.d/{_field(file, 'Package')}", control)]


def _field(file: Path, name: str) -> str:
    return subprocess.run(
        ["dpkg-deb", "--field", file, name], capture_output=True, text=True, check=True
    ).stdout.strip()


def _in_usr(path: str) -> str:
    """Return where a path is with /lib as a link into /usr, as Debian 12 has it."""
    top = path.split("/")[0]
    return "" if path in _IN_USR else f"usr/{path}" if top in _IN_USR else path


def _is_wanted(path: str) -> bool:
    if any(path == left or path.startswith(f"{left}/") for left in _FOLDERS_LEFT_OUT):
        return False
    if path.startswith("usr/share/doc/"):
        return path.endswith("/copyright")
    name = path.rsplit("/", 1)[-1]
    return not ("lib-dynload/" in path and name.split(".")[0] in _MODULES_LEFT_OUT)
