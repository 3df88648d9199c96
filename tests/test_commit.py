"""The commit that a program from a checkout names is the one that git names."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from credence.commit import commit_of


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    return subprocess.run(
        ["git", "-C", folder, *who, *words], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=trunk/next")
    (folder / "pyproject.toml").write_text("")
    git(folder, "add", "pyproject.toml")
    git(folder, "commit", "--quiet", "--message=First")
    return folder


def as_it_is(folder: Path) -> Path:
    return folder


def with_packed_references(folder: Path) -> Path:
    git(folder, "pack-refs", "--all")
    return folder


def without_a_branch(folder: Path) -> Path:
    git(folder, "checkout", "--quiet", "--detach")
    return folder


def in_a_worktree(folder: Path) -> Path:
    git(folder, "worktree", "add", "--quiet", "-b", "other", str(folder.parent / "worktree"))
    return folder.parent / "worktree"


@pytest.mark.parametrize("arranged", [as_it_is, with_packed_references, without_a_branch, in_a_worktree])
def test_the_commit_is_that_of_git(checkout: Path, arranged: Callable[[Path], Path]) -> None:
    folder = arranged(checkout)
    assert commit_of(folder) == git(folder, "rev-parse", "HEAD")[:12]


def test_a_folder_without_git_and_a_checkout_without_a_commit_have_none(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    assert commit_of(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert commit_of(tmp_path) is None


def test_a_repository_that_only_holds_an_installation_is_no_checkout(checkout: Path) -> None:
    """Such as a folder of settings under git, with the virtual environment in it."""
    (checkout / "pyproject.toml").unlink()
    assert commit_of(checkout) is None
