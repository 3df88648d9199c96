"""Tags: the places in code and tests that say which rule they are about, `spec §7.3` or `D7`.

They are plain text in comments and docstrings; several of one kind may share the word, as in `spec §4.3, §5.9 and §7`.
Anything else with a section sign, such as an RFC, is no tag.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_NUMBER = r"§\d+(?:\.\d+)*"
_SPECIFICATION = re.compile(rf"\bspec ({_NUMBER}(?:(?:,| and|, and) {_NUMBER})*)")
_DECISION = re.compile(r"\bD\d{1,3}\b")
_COMMENT = {".toml": "#", ".sql": "--"}


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """A rule named in a file, `path` from the root of the project, under `symbol`: a function, class or value, or none."""

    rule: str
    path: str
    symbol: str


def find_tags(root: Path, folder: str) -> list[Tag]:
    """Return the tags of every source file below a folder, each once, in order."""
    found: set[Tag] = set()
    for file in (root / folder).rglob("*"):
        if file.suffix == ".py" or file.suffix in _COMMENT:
            path = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8")
            remarks = _remarks(text) if file.suffix == ".py" else _comment_lines(text, _COMMENT[file.suffix])
            found |= {Tag(rule, path, symbol) for symbol, remark in remarks for rule in tags_in(remark)}
    return sorted(found)


def tags_in(remark: str) -> Iterator[str]:
    """Yield the rules that a comment or docstring names."""
    joined = " ".join(remark.split())
    for match in _SPECIFICATION.finditer(joined):
        for number in re.findall(_NUMBER, match[1]):
            yield f"spec {number}"
    yield from _DECISION.findall(joined)


def _remarks(source: str) -> Iterator[tuple[str, str]]:
    """Yield the comments and docstrings of a Python file, each with the symbol it belongs to."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield _symbol(tree.body, node.lineno), node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield _symbol(tree.body, token.start[0]), token.string


def _comment_lines(text: str, mark: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        yield "", line.partition(mark)[2]


def _symbol(body: Sequence[ast.stmt], line: int) -> str:
    """Return the name of what stands at this line; a comment before a statement belongs to it, a text after it too."""
    for index, statement in enumerate(body):
        if line > (statement.end_lineno or 0):
            continue
        if isinstance(statement, ast.Expr):
            return _name(body[index - 1], line) if index else ""
        return _name(statement, line)
    return ""


def _name(statement: ast.stmt, line: int) -> str:
    match statement:
        case ast.ClassDef(name=name, body=body) if line >= body[0].lineno:
            inner = _symbol(body, line)
            return f"{name}.{inner}" if inner else name
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""
