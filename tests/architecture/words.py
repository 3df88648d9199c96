"""Reads names and prose of the repository for `test_words.py`."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.architecture.imports import ROOT
from tools.remarks import is_source, own_files, remarks

TABLE = Path(__file__).with_name("retired_words.toml")
GIVEN = {"docs/specification.md"}
"""Pages whose words are not the project's."""

SHOWN = (
    *("sites", "sign_in", "operations", "cli", "mail", "refusals", "management", "setting_groups"),
    *("oauth", "identity", "api", "monitoring", "scoring", "telemetry"),
)
"""The areas whose texts people read: pages, messages, help, refusals, the API's descriptions, settings (docs/style.md)."""

_code = re.compile(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|(?<=is )None\b")
"""What is no word of a sentence: code, targets of links, tags, and the value None."""


@dataclass(frozen=True)
class Retired:
    """A word that must not come back, the word to use, and the areas that still have it.

    A `name` is an identifier and matches in its own case; a word of sentences matches in any case.
    """

    word: str
    use: str
    still_in: tuple[str, ...] = ()
    name: bool = False

    def matches(self, text: str) -> bool:
        if self.word.lower() not in text.lower():
            return False
        case = re.NOFLAG if self.name else re.IGNORECASE
        return re.search(rf"(?<![\w/.-]){re.escape(self.word)}(?![\w/-])", text, case) is not None


@cache
def retired(kind: str) -> list[Retired]:
    """Return the entries of the table for `prose`, `name` or `shown`."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return [
        Retired(each["word"], each["use"], tuple(each.get("still_in", ())), name=kind == "name") for each in table[kind]
    ]


def area(file: Path) -> str:
    """Return the part of the repository that is reworded as a whole: `docs`, `tests`, or a folder of the program."""
    parts = file.relative_to(ROOT).parts
    return parts[2].removesuffix(".py") if parts[0] == "src" else parts[0]


@cache
def prose() -> dict[Path, str]:
    """Return the docstrings and comments of each file of the program, and the text of each page without its code."""
    files = [file for file in own_files(ROOT / "src") if is_source(file)]
    program = {file: _code.sub(" ", "\n".join(remark.text for remark in remarks(file))) for file in files}
    pages = {file: _code.sub(" ", file.read_text(encoding="utf-8")) for file in _pages()}
    return program | pages


@cache
def shown() -> dict[Path, str]:
    """Return the sentences of each file of the areas in `SHOWN`: texts with a blank, without docstrings and comments.

    Of a table in TOML these are its values.
    """
    files = [file for area in SHOWN for file in (ROOT / "src" / "credence" / area).rglob("*")]
    program = {file: "\n".join(_sentences(file.read_text(encoding="utf-8"))) for file in files if file.suffix == ".py"}
    program |= {
        file: "\n".join(re.findall(r'= "(.* .*)"', file.read_text(encoding="utf-8")))
        for file in files
        if file.suffix == ".toml"
    }
    templates = {file: file.read_text(encoding="utf-8") for file in files if file.suffix == ".jinja"}
    return program | {file: re.sub(r"\{[#%{].*?[#%}]\}|<[^>]*>", " ", text) for file, text in templates.items()}


def _sentences(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    helps = {id(each) for each in _helps(tree)}
    remarks = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)} - helps
    for each in ast.walk(tree):
        if (
            isinstance(each, ast.Constant)
            and isinstance(each.value, str)
            and " " in each.value
            and id(each) not in remarks
        ):
            yield _code.sub(" ", each.value)


def _helps(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the docstrings that people read as help: of functions that a call declares, such as `@operation(…)`."""
    for each in ast.walk(tree):
        if (
            isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
            and isinstance(each.body[0], ast.Expr)
            and any(isinstance(decorator, ast.Call) for decorator in each.decorator_list)
        ):
            yield each.body[0].value


@cache
def names() -> dict[Path, str]:
    """Return the text of every file in which an identifier may stand."""
    folders = ("src", "tests", "tools", "bench", "training")
    files = [file for folder in folders for kind in ("*.py", "*.toml") for file in (ROOT / folder).rglob(kind)]
    files += _pages()
    own = {TABLE, ROOT / "CHANGELOG.md"}
    return {file: file.read_text(encoding="utf-8") for file in files if file not in own}


def _pages() -> list[Path]:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return [page for page in pages if page.relative_to(ROOT).as_posix() not in GIVEN]
