"""Folders of the program that import each other."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from tools.imports import FLOORS, ROOT, Module, modules, room

__all__ = ["FLOORS", "ROOT", "Module", "circles", "folder_imports", "modules", "room"]


def folder_imports(read: Mapping[str, Module]) -> dict[str, set[str]]:
    """Return for each folder the other folders it imports, by their names inside the package."""
    imports: dict[str, set[str]] = {}
    for module in read.values():
        own = imports.setdefault(_folder(module), set())
        own |= {_folder(read[name]) for name in module.ours} - {_folder(module)}
    return imports


def circles(imports: Mapping[str, AbstractSet[str]]) -> list[set[str]]:
    """Return the sets of nodes that reach each other, in alphabetical order."""
    reached = {node: _reached(imports, node) for node in imports}
    found = [
        {other for other in reached[node] if node in reached[other]}
        for node in sorted(imports)
        if node in reached[node]
    ]
    return [circle for number, circle in enumerate(found) if circle not in found[:number]]


def _reached(imports: Mapping[str, AbstractSet[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = list(imports[start])
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += imports[node]
    return reached


def _folder(module: Module) -> str:
    """Return the dotted folder of a module; a module of the root is a folder of its own."""
    parts = Path(module.path).relative_to("src/credence").parts
    return ".".join(parts[:-1]) or module.name
