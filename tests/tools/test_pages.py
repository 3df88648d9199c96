"""What the pages name is there: tests and other files by their paths, programs by their modules."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

_path = re.compile(r"`((?:tests|bench|deploy|tools|docs|src)/[\w./-]+\.\w+)`").findall
_module = re.compile(r"python -m ((?:tests|bench|tools|training)[\w.]*\w)").findall


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_file_that_a_page_names_is_there(page: Path) -> None:
    """A promise that names a test which has gone is held by nothing."""
    assert [path for path in _path(page.read_text()) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_program_that_a_page_names_is_there(page: Path) -> None:
    """As the long runs of docs/reliability.md."""
    assert [name for name in _module(page.read_text()) if importlib.util.find_spec(name) is None] == []
