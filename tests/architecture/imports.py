"""The import graph of the program, read from its source without running it."""

import ast
from collections.abc import Container, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "credence"


@dataclass(frozen=True)
class Module:
    """One file: its dotted name, its tree, and the modules it imports, ours by their full names."""

    name: str
    path: str
    tree: ast.Module
    ours: frozenset[str]
    others: frozenset[str]


@cache
def modules() -> Mapping[str, Module]:
    """Return every module of the program by its name. They are read once, when a test first asks."""
    files = {_name(file): file for file in sorted(SOURCE.rglob("*.py"))}
    return {name: _read(name, file, files.keys()) for name, file in files.items()}


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


def room(name: str) -> str:
    """Return the folder at the first level: `oauth` for `credence.oauth.issue`, `credence` for the package itself.

    A folder of `web` is a room of its own: what `web` serves with them imports them too.
    """
    parts = name.split(".")
    if parts[:2] == ["credence", "web"] and (SOURCE / "web" / "/".join(parts[2:3])).is_dir():
        return ".".join(parts[1:3])
    return parts[1] if len(parts) > 1 else parts[0]


def _name(file: Path) -> str:
    parts = ("credence", *file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _read(name: str, file: Path, known: Container[str]) -> Module:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imported = {each if each in known else each.rpartition(".")[0] for each in _imported(tree)}
    ours = frozenset(each for each in imported if each in known and each != name)
    others = frozenset(each.partition(".")[0] for each in imported - ours if each)
    return Module(name, file.relative_to(ROOT).as_posix(), tree, ours, others)


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the full name of everything imported anywhere in the file, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"{alias.name}." for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "an import names its module in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
