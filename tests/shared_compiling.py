"""Divides the compiling of the test files among the processes that run tests.

Each process collects every test, so it imports every file, and pytest compiles a file that has no compiled form yet. If all
began with the same file, each would compile all of them. Each begins at another file and finds compiled what the others did.
"""

import importlib
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

from tests.sweeps import LONG
from tests.when_changed import is_unchanged

TESTS = Path(__file__).parent


def pytest_sessionstart(session: pytest.Session) -> None:
    """Import the test files, beginning at this process's part, if this is one of several that run all tests."""
    worker: dict[str, str | int] | None = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != session.config.getini("testpaths"):
        return
    left_out = {folder for folder in TESTS.iterdir() if not LONG and is_unchanged(folder)}
    files = sorted(file for file in TESTS.rglob("test_*.py") if left_out.isdisjoint(file.parents))
    first = len(files) * int(str(worker["workerid"]).removeprefix("gw")) // int(worker["workercount"])
    for file in files[first:] + files[:first]:
        name = ".".join(file.relative_to(TESTS.parent).with_suffix("").parts)
        # A file that fails or warns fails again when pytest collects it, and pytest reports why.
        with warnings.catch_warnings(), suppress(Exception):
            warnings.simplefilter("error")
            importlib.import_module(name)
