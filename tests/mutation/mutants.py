"""The mutants of a package: copies of a module with one fault each.

The operators are those of mutmut, and two more that suit a program whose checks raise: a statement that raises or only
calls something is left out, and the condition of an `if` is negated. mutmut's own runner is not used: it copies the tree,
puts all variants of each function into it, and collects the tests again for each.
"""

import difflib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import libcst as cst
from libcst import matchers
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

from tests.mutation.mutant import SOURCE, Mutant

LEFT_ALONE = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal)
"""What has no behaviour that a test could show, or none but that of another package."""

STATEMENTS = (cst.BaseStatement, cst.BaseSmallStatement)

NAMES_ONLY = ("TypeVar", "NewType", "ParamSpec", "cast")
"""Calls that are for the type checker."""


def sampled(package: str, count: int | None, seed: int) -> tuple[int, list[Mutant]]:
    """Return how many mutants a package has, and a sample of them, the same for the same source and seed."""
    places = [place for file in sorted((SOURCE / package).rglob("*.py")) for place in _places(file)]
    chosen = sorted(range(len(places)))
    if count is not None and count < len(places):
        chosen = sorted(random.Random(f"{package} {seed}").sample(chosen, count))
    return len(places), [_mutant(places[number]) for number in chosen]


@dataclass(frozen=True, slots=True)
class _Place:
    file: Path
    module: cst.Module
    node: cst.CSTNode
    instead: cst.CSTNode
    line: int
    lines: range
    in_function: bool


def _places(file: Path) -> list[_Place]:
    wrapper = MetadataWrapper(cst.parse_module(file.read_text()))
    visitor = _Visitor(file, wrapper.module)
    wrapper.visit(visitor)
    return visitor.places


def _mutant(place: _Place) -> Mutant:
    old = place.module.code
    changed = place.module.deep_replace(place.node, place.instead)
    assert isinstance(changed, cst.Module)
    before, after = _lines_that_differ(old, changed.code)
    return Mutant(
        place.file, place.line, place.lines, place.in_function, before=before, after=after, source=changed.code
    )


def _lines_that_differ(old: str, new: str) -> tuple[str, str]:
    lines = list(difflib.ndiff(old.splitlines(), new.splitlines()))
    before, after = (" ".join(line[2:].strip() for line in lines if line.startswith(sign)) for sign in ("- ", "+ "))
    return before, after


class _Visitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, file: Path, module: cst.Module) -> None:
        super().__init__()
        self.places: list[_Place] = []
        self._file = file
        self._module = module
        self._bodies = 0
        self._statements: list[range] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, STATEMENTS):
            position = self.get_metadata(PositionProvider, node)
            self._statements.append(range(position.start.line, position.end.line + 1))
        if isinstance(node, LEFT_ALONE) or _only_words(node) or _only_types(node):
            return False
        for instead in _instead_of(node):
            position = self.get_metadata(PositionProvider, node, None)
            lines = self._statements[-1]
            line = position.start.line if position else lines.start
            self.places.append(_Place(self._file, self._module, node, instead, line, lines, self._bodies > 0))
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, STATEMENTS):
            self._statements.pop()

    def visit_FunctionDef_body(self, node: cst.FunctionDef) -> None:  # noqa: ARG002, N802 - libcst calls it by this name
        self._bodies += 1

    def leave_FunctionDef_body(self, node: cst.FunctionDef) -> None:  # noqa: ARG002, N802 - libcst calls it by this name
        self._bodies -= 1


def _only_words(node: cst.CSTNode) -> bool:
    """Tell whether a node is a docstring, or the statement that holds one."""
    words = matchers.Expr(matchers.SimpleString() | matchers.ConcatenatedString())
    return bool(matchers.matches(node, words | matchers.SimpleStatementLine(body=[words])))


def _only_types(node: cst.CSTNode) -> bool:
    names = [matchers.Name(name) for name in NAMES_ONLY]
    return bool(matchers.matches(node, matchers.Call(func=matchers.OneOf(*names))))


def _instead_of(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for kind, operator in (*mutation_operators, *OURS):
        if isinstance(node, kind):
            yield from operator(node)


def _leave_out(node: cst.SimpleStatementLine) -> Iterable[cst.CSTNode]:
    call = matchers.Call()
    for number, statement in enumerate(node.body):
        if matchers.matches(statement, matchers.Raise() | matchers.Expr(call | matchers.Await(call))):
            yield node.with_changes(body=[*node.body[:number], cst.Pass(), *node.body[number + 1 :]])


def _negate(node: cst.If) -> Iterable[cst.CSTNode]:
    condition = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield node.with_changes(
        test=cst.UnaryOperation(cst.Not(), condition), whitespace_before_test=cst.SimpleWhitespace(" ")
    )


OURS: Sequence[tuple[type[cst.CSTNode], Callable[..., Iterable[cst.CSTNode]]]] = (
    (cst.SimpleStatementLine, _leave_out),
    (cst.If, _negate),
)
