"""Every Markdown page of the repository names files, programs and packages that exist."""

import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOREIGN = {".venv", ".pytest_cache", "node_modules", "dist"}
"""Folders whose files are not the project's."""


def own_pages() -> Iterator[Path]:
    """The pages outside `FOREIGN`, which has a hundred times as many files and is not looked into."""
    for folder, below, files in os.walk(ROOT):
        below[:] = [name for name in below if name not in FOREIGN]
        yield from (Path(folder, name) for name in files if name.endswith(".md"))


PAGES = sorted(own_pages())
TEXTS = [
    *PAGES,
    *(
        file
        for folder in ("src", "deploy", "training")
        for file in (ROOT / folder).rglob("*.*")
        if file.suffix != ".pyc"
    ),
]

_path = re.compile(r"`((?:tests|bench|deploy|tools|docs|src)/[\w./-]+\.\w+)`").findall
_installed = re.compile(r"pip3? install[^\n`]*?['\" ](credence[\w-]*)(?![\w/-])", re.IGNORECASE).findall
_module = re.compile(r"python -m ((?:tests|bench|tools|training)[\w.]*\w)").findall


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_file_that_a_page_names_exists(page: Path) -> None:
    """A promise that cites a deleted test is not checked by anything."""
    assert [path for path in _path(page.read_text()) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_program_that_a_page_names_exists(page: Path) -> None:
    assert [name for name in _module(page.read_text()) if importlib.util.find_spec(name) is None] == []


def test_no_page_or_message_installs_the_project_by_a_name_on_an_index() -> None:
    """The project holds no name on a public index, so such a line would install somebody else's program."""
    texts = {text: text.read_text(encoding="utf-8", errors="ignore") for text in TEXTS if text.is_file()}
    assert {str(text.relative_to(ROOT)) for text, content in texts.items() if _installed(content)} == set()


@pytest.mark.parametrize("line", ["pip install 'credence[training]'", "pip install -U credence-server"])
def test_a_line_that_installs_by_name_is_found(line: str) -> None:
    assert _installed(line)
    assert not _installed("/opt/credence/bin/pip install --no-deps .")
