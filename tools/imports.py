"""The rooms of the program with their floors, and its import graph, read from its source without running it."""

import ast
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "credence"


FLOORS = (
    ("__main__",),
    ("cli",),
    ("server",),
    ("app", "deployment"),
    ("web", "background"),
    ("sites",),
    ("sign_in",),
    ("api",),
    ("web.routing",),
    ("web.dialects",),
    ("web.messages",),
    ("service", "serving_pair"),
    ("mcp",),
    ("operations",),
    ("monitoring", "management"),
    ("sandbox", "policy", "mail"),
    ("oauth", "report", "doctor", "backtest"),
    ("scoring", "settings", "request_context"),
    ("datasets", "identity", "ratelimit", "outbox", "setting_groups"),
    ("store", "companies", "transport", "outgoing", "request_log", "setting_types", "tls"),
    ("crypto", "telemetry", "screening", "access", "blocks"),
    (
        "refusals",
        "clock",
        "clock_tolerances",
        "commit",
        "errors",
        "files",
        "interpreter",
        "meanings",
        "paths",
        "pictures",
        "computed_once",
        "csv_writing",
        "generational_cache",
        "loop_pass",
        "shared_task",
        "templates",
        "token_lifetime_limits",
        "credence",
    ),
)
"""From the top. A room may import from the floors below it and from itself, never from its neighbours."""


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
    """Return every module of the program by its name. They are read once."""
    files = {_name(file): file for file in sorted(SOURCE.rglob("*.py"))}
    return {name: _read(name, file, files.keys()) for name, file in files.items()}


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
            if node.level:
                raise ValueError("an import names its module in full")
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
