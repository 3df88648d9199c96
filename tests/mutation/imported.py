"""Runs tests with a mutant that takes effect at import: `python -m tests.mutation.imported FILE SOURCE TEST…`.

`SOURCE` is the file with the mutated text of the module `FILE`. The exit code is that of pytest.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest


class Mutated(SourceFileLoader):
    """Loads one module from another text."""

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self._source = source

    def get_data(self, path: str) -> bytes:
        return self._source if path == self.path else super().get_data(path)

    def path_stats(self, path: str) -> dict[str, float]:
        raise OSError(path)  # so that no compiled file is read or written


class Finder(MetaPathFinder):
    """Finds that module."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self._source = source

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name.startswith("credence") else None
        if spec is None or spec.origin != self._path:
            return None
        spec.loader = Mutated(name, self._path, self._source)
        return spec


if __name__ == "__main__":
    file, source, *tests = sys.argv[1:]
    sys.meta_path.insert(0, Finder(file, Path(source).read_bytes()))
    sys.exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-o", "tmp_path_retention_policy=none", *tests]))
