"""Tests that take long and depend on few files run when one of those files has changed, and in `make test-long`.

They have the marker `when_changed`, or their folder is one of `FOLDERS`, which a whole run then does not even import.
`when_changed.json` keeps, for each of them, the digest of what it depends on as that was when it last passed here:
`python -m tests.when_changed` runs those whose inputs have changed and writes it; until then each run of all tests
runs them, and says so at its end.
"""

import hashlib
import json
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PASSED = Path(__file__).with_suffix(".json")
MARKER = "when_changed"


@dataclass(frozen=True)
class Inputs:
    """What tests depend on: files of the checkout, and packages."""

    patterns: tuple[str, ...]
    packages: tuple[str, ...]

    def files(self) -> set[Path]:
        """Return the files, each pattern of which has one."""
        found = {pattern: {file for file in ROOT.glob(pattern) if file.is_file()} for pattern in self.patterns}
        assert all(found.values()), found
        return {file for files in found.values() for file in files if "__pycache__" not in file.parts}


FOLDERS = {
    "tests/training": Inputs(
        (
            "tests/training/**/*",
            "training/**/*",
            *(
                f"src/credence/{folder}/**/*"
                for folder in ("backtest", "companies", "datasets", "refusals", "sandbox", "scoring")
            ),
            "src/credence/*.py",
            "docs/model-card*",
            "docs/credit.md",
            "docs/adr/score.md",
            "docs/measure-the-score.md",
            "tests/architecture/imports.py",
            "tools/__init__.py",
            "tools/imports.py",
            "tests/backtest/planted.py",
            "tests/datasets/accounts/filings.py",
            "tests/datasets/snapshots.py",
            "tests/datasets/sources/hand_written.py",
        ),
        ("numpy", "scipy", "scikit-learn", "interpret-core"),
    )
}
"""`tests/training/test_inputs.py` holds that no file is missing that these tests import."""


def deselect_unchanged(items: list[pytest.Item]) -> list[pytest.Item]:
    """Take the tests whose inputs are those with which they passed out of `items`, and return them."""
    passed = json.loads(PASSED.read_text())
    unchanged = [item for item in items if _marker(item) and passed.get(_name(item)) == _digest(item)]
    items[:] = [item for item in items if item not in unchanged]
    return unchanged


def is_unchanged(path: Path) -> bool:
    """Whether this is a folder whose inputs are those with which its tests passed."""
    name = path.relative_to(ROOT).as_posix()
    return name in FOLDERS and json.loads(PASSED.read_text()).get(name) == _digest_of_folder(name)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a folder whose inputs have not changed out of a run of all tests; None lets others decide."""
    whole = config.args == config.getini("testpaths") and not _is_long()
    return True if whole and collection_path.is_dir() and is_unchanged(collection_path) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests ran because what they depend on has changed."""
    ran = {
        each.nodeid.partition("[")[0] for each in terminalreporter.stats.get("passed", []) if MARKER in each.keywords
    }
    if ran and not _is_long():
        terminalreporter.section(f"{MARKER}: until `python -m tests.when_changed`, each run has these")
    for name in sorted(ran):
        terminalreporter.line(name)


class Collected:
    """Keeps the tests of a run that depend on few files, and leaves the others out."""

    def __init__(self) -> None:
        self.items: list[pytest.Item] = []
        self.folders = [name for name in FOLDERS if not is_unchanged(ROOT / name)]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [each for each in items if _marker(each) or each.nodeid.startswith(tuple(self.folders))]
        self.items = items


def main() -> int:
    """Run those of these tests whose inputs changed, keep what they depend on if all pass, and return the exit code."""
    collected = Collected()
    code = pytest.main(["-m", "", str(ROOT / "tests")], plugins=[collected])
    if code == 0:
        digests = json.loads(PASSED.read_text())
        digests |= {_name(item): _digest(item) for item in collected.items if _marker(item)}
        digests |= {name: _digest_of_folder(name) for name in collected.folders}
        PASSED.write_text(json.dumps(digests, indent=2, sort_keys=True) + "\n")
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


def _is_long() -> bool:
    from tests.sweeps import LONG  # late: it imports Hypothesis, which pytest has to load before `main` does

    return LONG


def _marker(item: pytest.Item) -> pytest.Mark | None:
    return item.get_closest_marker(MARKER)


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _digest(item: pytest.Item) -> str:
    """Return one digest of the files and the versions of the packages that the marker names, and of the test's own file."""
    marker = _marker(item)
    assert marker is not None
    return _digest_of(Inputs(marker.args, tuple(marker.kwargs.get("packages", ()))), item.path)


def _digest_of_folder(name: str) -> str:
    return _digest_of(FOLDERS[name], Path(__file__))


@cache
def _digest_of(inputs: Inputs, file_of_tests: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(inputs.files() | {file_of_tests}):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    for package in inputs.packages:
        digest.update(f"{package} {version(package)}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
