"""Tests that take long and depend on few files run when one of those files has changed, and in `make test-long`.

`when_changed.json` keeps, for each of them, the digest of what it depends on as that was when it last passed here:
`python -m tests.when_changed` runs them all and writes it.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PASSED = Path(__file__).with_suffix(".json")
MARKER = "when_changed"


def deselect_unchanged(items: list[pytest.Item]) -> list[pytest.Item]:
    """Take the tests whose inputs are those with which they passed out of `items`, and return them."""
    passed = json.loads(PASSED.read_text())
    unchanged = [item for item in items if _marker(item) and passed.get(_name(item)) == _digest(item)]
    items[:] = [item for item in items if item not in unchanged]
    return unchanged


class Collected:
    """Keeps the tests of a run."""

    def __init__(self) -> None:
        self.items: list[pytest.Item] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = session.items


def main() -> int:
    """Run these tests, keep what they depend on if they all pass, and return the exit code."""
    os.environ["CREDENCE_TEST_LONG"] = "1"
    collected = Collected()
    code = pytest.main(["-m", MARKER, str(ROOT / "tests")], plugins=[collected])
    if code == 0:
        digests = {_name(item): _digest(item) for item in collected.items}
        PASSED.write_text(json.dumps(digests, indent=2, sort_keys=True) + "\n")
    return int(code)


def _marker(item: pytest.Item) -> pytest.Mark | None:
    return item.get_closest_marker(MARKER)


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _digest(item: pytest.Item) -> str:
    """Return one digest of the files and the versions of the packages that the marker names, and of the test's own file."""
    marker = _marker(item)
    assert marker is not None
    return _digest_of(marker.args, tuple(marker.kwargs.get("packages", ())), item.path)


@cache
def _digest_of(patterns: Iterable[str], packages: Iterable[str], of_test: Path) -> str:
    files = {file for pattern in patterns for file in ROOT.glob(pattern) if file.is_file()} | {of_test}
    assert all(any(ROOT.glob(pattern)) for pattern in patterns), patterns
    digest = hashlib.sha256()
    for file in sorted(file for file in files if "__pycache__" not in file.parts):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    for package in packages:
        digest.update(f"{package} {version(package)}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
