"""On what was it measured? Everything that explains a figure, nothing that names the machine."""

import os
import platform
import re
import sqlite3
from importlib.metadata import version
from pathlib import Path

import credence

PACKAGES = ("granian", "uvloop", "cryptography", "argon2-cffi", "msgspec")


def machine(folder: Path) -> dict[str, str | int | float]:
    """Return processor, cores, memory (MiB), kernel, the filesystem under `folder` and the load of the last minute."""
    return {
        "cpu": _first(Path("/proc/cpuinfo"), r"model name\s*:\s*(.+)") or platform.machine(),
        "cores": os.cpu_count() or 0,
        "memory_mib": int(_first(Path("/proc/meminfo"), r"MemTotal:\s*(\d+)") or 0) // 1024,
        "kernel": ".".join(platform.release().split(".")[:2]),
        "filesystem": filesystem(folder),
        "load_before": os.getloadavg()[0],
    }


def versions() -> dict[str, str]:
    """Return the versions of the interpreter and of what a request passes through."""
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "credence": credence.__version__,
        **{package: version(package) for package in PACKAGES},
    }


def described(facts: dict[str, str | int | float]) -> str:
    """Return a name for the kind of machine, fit for a file name."""
    return re.sub(r"[^a-z0-9]+", "-", f"{facts['cpu']} {facts['cores']} cores".lower()).strip("-")


def filesystem(folder: Path) -> str:
    """Return the type of the filesystem that holds the folder: a commit to memory proves nothing."""
    mounts = [line.split()[1:3] for line in Path("/proc/self/mounts").read_text().splitlines()]
    inside = [(point, kind) for point, kind in mounts if folder.resolve().is_relative_to(point)]
    return max(inside, key=lambda mount: len(mount[0]))[1]


def _first(file: Path, pattern: str) -> str | None:
    found = re.search(pattern, file.read_text())
    return found[1].strip() if found else None
