"""The pictures of the README show the pages as they are, and are small."""

import json
import re
from pathlib import Path

import pytest

from tests.browser import needs_chromium
from tests.conftest import StartServer
from tests.pictures import CONTENTS, FOLDER, MAX_BYTES, THEMES, digest_of, taken
from tests.ports import free_port

PICTURES = sorted(f"{name}-{theme}" for name in ("console", "portal", "report") for theme in THEMES)


@pytest.mark.long
@needs_chromium
def test_each_picture_shows_the_page_as_it_is(start_server: StartServer) -> None:
    server = start_server(CREDENCE_MANAGE_PORT=str(free_port()))
    found = {name: digest_of(page) for name, page in taken(server)}
    assert found == json.loads(CONTENTS.read_text(encoding="utf-8")), "take them again: make pictures"


def test_each_picture_is_there_small_and_described_where_it_is_shown() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.webp")) == PICTURES
    assert all(file.stat().st_size < MAX_BYTES for file in FOLDER.glob("*.webp"))
    root = Path(__file__).parents[2]
    pages = [page.read_text(encoding="utf-8") for page in (root / "README.md", *(root / "docs").glob("*.md"))]
    assert all(any(f"pictures/{name}.webp" in page for page in pages) for name in PICTURES)
    shown = [tag for page in pages for tag in re.findall("^ *<img [^>]*>", page, re.MULTILINE)]
    assert shown
    assert [tag for tag in shown if not re.search('alt="[^"]{40,}"', tag)] == []
