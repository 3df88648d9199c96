"""Divides the compiling of the test files among the processes that run tests.

Each process collects every test, so it imports every file, and pytest compiles a file that has no compiled form yet. If all
began with the same file, each would compile all of them. Each begins at another file and finds compiled what the others did.
"""

import importlib
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def pytest_sessionstart(session: pytest.Session) -> None:
    """Import the test files, beginning at this process's part, if this is one of several that run all tests."""
    worker: dict[str, str | int] | None = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != session.config.getini("testpaths"):
        return
    files = sorted(TESTS.rglob("test_*.py"))
    first = len(files) * int(str(worker["workerid"]).removeprefix("gw")) // int(worker["workercount"])
    for file in files[first:] + files[:first]:
        name = ".".join(file.relative_to(TESTS.parent).with_suffix("").parts)
        # A file that fails or warns fails again when pytest collects it, and pytest reports why.
        with warnings.catch_warnings(), suppress(Exception):
            warnings.simplefilter("error")
            importlib.import_module(name)
