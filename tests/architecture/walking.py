"""Which files of the program some work passes, in the order of their first calls, and how many functions it calls."""

import sys
import threading
from collections import Counter
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


MADE_BY_THE_COMPILER = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")
"""Functions that Python 3.11 makes of expressions; from 3.12 on most of them are none."""


@contextmanager
def calls_by_room() -> Iterator[Counter[str]]:
    """Yield a counter of the calls of functions in this thread, by room. A coroutine that resumes counts again."""
    found: Counter[str] = Counter()

    def add(frame: FrameType, event: str, _argument: object) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and frame.f_code.co_name not in MADE_BY_THE_COMPILER and file.is_relative_to(PROGRAM):
            found[file.relative_to(PROGRAM).parts[0].removesuffix(".py")] += 1

    sys.setprofile(add)
    try:
        yield found
    finally:
        sys.setprofile(None)
