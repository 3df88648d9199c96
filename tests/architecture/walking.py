"""Which files of the program some work passes, in the order of their first calls."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import credence

PROGRAM = Path(credence.__file__).parent


@contextmanager
def files_of_calls() -> Iterator[list[str]]:
    """Yield a list that gets each file of the program when a function of it is called for the first time in this block."""
    found: dict[str, str] = {}
    files: list[str] = []

    def add(frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name not in found:
            file = Path(name)
            found[name] = file.relative_to(PROGRAM).as_posix() if file.is_relative_to(PROGRAM) else ""
            if found[name]:
                files.append(found[name])

    threading.setprofile(add)
    sys.setprofile(add)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def rooms_of(files: list[str]) -> set[str]:
    """Return the folders at the first level that these files are in; a file of the root is in none."""
    return {file.partition("/")[0] for file in files if "/" in file}
