"""The commit of the checkout that the program runs from.

Git's files are read (gitrepository-layout(5)) and `git` is not called: a service may run where it is not installed, or as a
user whom git does not trust with the folder.
"""

from functools import cache
from pathlib import Path

_DIGITS = 12
_ROOT = Path(__file__).parents[2]


@cache
def running_commit() -> str | None:
    """Return the first twelve digits of the commit, or None when the program does not run from a checkout."""
    return commit_of(_ROOT)


def commit_of(checkout: Path) -> str | None:
    """Return the first twelve digits of the commit that is checked out in a folder, or None if it is no checkout of ours."""
    try:
        if not (checkout / "pyproject.toml").is_file():
            return None
        found = _head(_git_folder(checkout))
    except (OSError, UnicodeDecodeError):
        return None
    return found[:_DIGITS] if found else None


def _git_folder(checkout: Path) -> Path:
    """Return the folder with HEAD: of a worktree or submodule `.git` is a file that names it."""
    place = checkout / ".git"
    if place.is_dir():
        return place
    return checkout / place.read_text(encoding="utf-8").removeprefix("gitdir:").strip()


def _head(folder: Path) -> str | None:
    head = (folder / "HEAD").read_text(encoding="ascii").strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    common = folder / "commondir"
    shared = folder / common.read_text(encoding="utf-8").strip() if common.is_file() else folder
    loose = shared / name
    if loose.is_file():
        return loose.read_text(encoding="ascii").strip()
    packed = shared / "packed-refs"
    lines = packed.read_text(encoding="utf-8").splitlines() if packed.is_file() else []
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), None)
