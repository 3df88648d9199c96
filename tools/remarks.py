"""Reads the comments and docstrings of a source file, each with the symbol that it documents."""

import ast
import io
import os
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_NOT_OURS = {"node_modules", "__pycache__"}
_COMMENT_MARKS = {".toml": "#", ".sql": "--", ".lua": "--", ".yaml": "#", ".conf": "#"}


@dataclass(frozen=True, slots=True)
class Remark:
    """A docstring or a block of comments, its first line, and the symbol that it documents ("" for the file)."""

    symbol: str
    line: int
    text: str


def is_source(file: Path) -> bool:
    """Return whether `remarks` can read this file."""
    return file.suffix == ".py" or file.suffix in _COMMENT_MARKS


def own_files(root: Path) -> list[Path]:
    """Return the source files and Markdown pages of the project, without links and what was installed or made there."""
    found: list[Path] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _NOT_OURS)
        files = (Path(folder, name) for name in sorted(names))
        found += (file for file in files if (file.suffix == ".md" or is_source(file)) and not file.is_symlink())
    return found


def remarks(file: Path) -> Iterator[Remark]:
    """Yield the comments and docstrings of a source file; raises KeyError for a kind of file that is not source."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        yield from _python_remarks(text)
    else:
        mark = _COMMENT_MARKS[file.suffix]
        lines = ((number, line.partition(mark)[2]) for number, line in enumerate(text.splitlines(), 1))
        for number, block in _blocks(lines):
            yield Remark("", number, block)


def _python_remarks(source: str) -> Iterator[Remark]:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Remark(_symbol(tree.body, node.lineno), node.lineno, node.value.value)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = ((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)
    for line, block in _blocks(comments):
        yield Remark(_symbol(tree.body, line), line, block)


def _blocks(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield each run of comments on consecutive lines, with the number of its first line."""
    block: list[str] = []
    first = last = 0
    for number, text in lines:
        words = re.sub(r"^#[: ]*", "", text).strip()
        if block and (number != last + 1 or not words):
            yield first, "\n".join(block)
            block = []
        if words:
            first = first if block else number
            block.append(words)
        last = number
    if block:
        yield first, "\n".join(block)


def _symbol(body: Sequence[ast.stmt], line: int) -> str:
    """Return the name of the statement at this line.

    A comment between two statements belongs to the second, a string after a statement to the first.
    """
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
