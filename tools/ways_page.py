"""`docs/ways-to-the-book.md`: each reading and act of the book, and the ways to it, from their declarations."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import FunctionType

from credence import paths
from credence.mcp.tools import TOOLS
from credence.operations.operation import Operation
from credence.operations.reading import Reading
from credence.operations.table import OPERATIONS
from credence.operations.webhooks import WEBHOOK
from credence.sites import workbench
from credence.sites.kit.screen import Screen

_PAGE = """\
# Ways to the book

Generated from the declarations in `operations/` by `python -m tools.generate`.

What an application watches, its ledgers, limits and alerts are read in the same way in the workbench, by the \
[monitoring API](monitoring.md), by command and, for agents, by [tools](agents.md).
Every command of this table works at the machine and from elsewhere (`--at`), unless the table says so.
A person in the workbench decides on limits; agents read, and the one act that they have is to watch companies.
Webhooks have [their own page](webhooks.md).

{table}

{reasons}
"""
AGENTS_READ = "Agents read; people and programs act."
"""Why agents have no tool for an act."""


def of_the_book() -> list[Operation | Reading]:
    """Return the readings and acts of the book in their order."""
    return [each for each in OPERATIONS if each.on.base == paths.MONITORING and each.on is not WEBHOOK]


def api_of(declared: Operation | Reading) -> str:
    """Return method and path of the route; empty without one."""
    if isinstance(declared, Reading):
        return f"GET {declared.path}" if declared.api is not None else ""
    return f"{declared.method} {declared.path}" if declared.api is not None else declared.by_hand_at


def tool_of(declared: Operation | Reading) -> str:
    """Return the name of the tool of agents; empty without one."""
    return next((each.name for each in TOOLS if each.of is declared), "")


def in_workbench(declared: Operation | Reading) -> bool:
    """Return whether a screen of the workbench names the declaration: it performs the act, or shows what is read."""
    return any(each is declared for module in _modules() for each in _named(module))


def missing(declared: Operation | Reading) -> Iterator[tuple[str, str]]:
    """Yield each way that is missing, and why: empty without a reason."""
    is_act = isinstance(declared, Operation)
    if not api_of(declared):
        yield "API", declared.here_only if isinstance(declared, Operation) else ""
    if not declared.is_command:
        yield "command", declared.here_only if isinstance(declared, Operation) else ""
    if not tool_of(declared):
        yield "tool", AGENTS_READ if is_act else declared.no_tool if isinstance(declared, Reading) else ""
    if not in_workbench(declared):
        yield "workbench", (declared.no_screen or declared.here_only) if isinstance(declared, Operation) else ""


def render() -> str:
    """Return the page."""
    lines = ["| What | Workbench | API | Command | Tool |", "| --- | --- | --- | --- | --- |"]
    reasons: dict[str, list[str]] = {}
    for each in of_the_book():
        command = f"`{each.name}`" if each.is_command else ""
        if command and not api_of(each):
            command += " (at the machine)"
        cells = ("yes" if in_workbench(each) else "", _code(api_of(each)), command, _code(tool_of(each)))
        lines.append(f"| {each.title} | {' | '.join(cells)} |")
        for way, reason in missing(each):
            if reason != AGENTS_READ:
                reasons.setdefault(f"{each.title}: {reason}", []).append(way)
    said = [f"- {about.replace(': ', f', no {_listed(ways)}: ', 1)}" for about, ways in reasons.items()]
    return _PAGE.format(table="\n".join(lines), reasons="\n".join(said))


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _listed(ways: list[str]) -> str:
    return " or ".join([", ".join(ways[:-1]), ways[-1]] if len(ways) > 1 else ways)


def _modules() -> Iterator[object]:
    for each in iter_modules(workbench.__path__, f"{workbench.__name__}."):
        yield import_module(each.name)


def _named(module: object) -> Iterator[object]:
    for value in vars(module).values():
        yield value
        if isinstance(value, Screen):
            yield from value.shows
        if isinstance(value, FunctionType) and value.__module__.startswith("credence.operations."):
            yield from (value.__globals__.get(name) for name in value.__code__.co_names)
