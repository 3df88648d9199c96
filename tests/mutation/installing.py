"""Puts a mutant in the place of the code that runs, without importing anything again."""

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType

from tests.mutation.mutant import Mutant


class NeedsImport(Exception):
    """The mutant takes effect only when its module is imported."""


def functions_of(files: Sequence[Path]) -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return the functions of these files that exist, by file, qualified name and first line."""
    gc.unfreeze()
    names = set(map(str, files))
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename in names:
            code = each.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(each)
    return found


def install(mutant: Mutant, functions: dict[tuple[str, str, int], list[FunctionType]]) -> None:
    """Give the functions that differ their mutated code. Raises NeedsImport."""
    name = str(mutant.file)
    old = compile(mutant.file.read_text(), name, "exec", dont_inherit=True)
    new = compile(mutant.source, name, "exec", dont_inherit=True)
    if not mutant.in_function:
        raise NeedsImport
    changed = 0
    for before, after in _pairs(old, new):
        if before == after:
            continue
        for function in functions.get((name, before.co_qualname, before.co_firstlineno), ()):
            if len(before.co_freevars) != len(after.co_freevars):
                raise NeedsImport
            function.__code__ = after
            changed += 1
    if not changed:
        raise NeedsImport


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Give each code object inside `old` and what stands in its place in `new`."""
    befores = [each for each in old.co_consts if isinstance(each, CodeType)]
    afters = [each for each in new.co_consts if isinstance(each, CodeType)]
    if len(befores) != len(afters):
        return
    for before, after in zip(befores, afters, strict=True):
        yield before, after
        yield from _pairs(before, after)
