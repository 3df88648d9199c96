"""What a reader sees of the import graph: which rooms a room imports, what it is for, and which arrows a drawing needs."""

import ast
from collections import Counter
from collections.abc import Collection
from functools import cache

from tools.imports import FLOORS, modules, room

GROUND = frozenset(FLOORS[-1])
"""The rooms of the lowest floor, which every other may import: they are in no list of imports."""


@cache
def imports() -> dict[str, Counter[str]]:
    """Return for each room the rooms it imports, apart from those of the ground floor, each with the number of imports."""
    found: dict[str, Counter[str]] = {room(name): Counter() for name in modules()}
    for module in modules().values():
        rooms = [room(name) for name in module.ours]
        found[room(module.name)].update(each for each in rooms if each != room(module.name) and each not in GROUND)
    return found


def purpose(name: str) -> str:
    """Return the first sentence of the docstring of a room."""
    module = modules()["credence" if name == "credence" else f"credence.{name}"]
    text = ast.get_docstring(module.tree) or ""
    return text.partition("\n\n")[0].replace("\n", " ")


def arrows(drawn: Collection[str]) -> list[tuple[str, str]]:
    """Return the imports among these rooms that do not follow from others: without them something could not be reached."""
    below = {name: _below(name) for name in imports()}
    return [
        (name, other)
        for name in drawn
        for other in drawn
        if other in imports()[name]
        and not any(other in below[between] for between in imports()[name] if between in drawn and between != other)
    ]


def _below(name: str) -> set[str]:
    """Return every room that this one imports, or that one of those imports."""
    found: set[str] = set()
    waiting = [*imports()[name]]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += imports()[each]
    return found
