"""axe-core in a page of a browser."""

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"

needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing: python -m tests.provision")

OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules whose outcome another colour scheme can change: it sets nothing but colours."""

OF_WIDTH = ("target-size", "scrollable-region-focusable")
"""The rules whose outcome another width of the window can change: no style shows, hides or renames an element by width."""

_RUN = """async only => {
    const found = await axe.run({resultTypes: ["violations"], ...(only.length && {runOnly: only})})
    const all = [...found.passes, ...found.violations, ...found.incomplete, ...found.inapplicable]
    return {
        rules: new Set(all.map(each => each.id)).size,
        passes: found.passes.length,
        complaints: found.violations.flatMap(each => each.nodes.map(node => `${each.id}: ${node.html}`)),
    }
}"""
"""The whole result would be megabytes, which Python reads slowly."""


MOST_COMPRESSED_BYTES = 60_000
"""What any page may weigh; the first page of the sign-in has less (`web/test_courtesies.py`)."""


def complaints(page: Page, only: Sequence[str] = ()) -> list[str]:
    """Return everything that axe finds on the page, or what `only` these rules find, a line each; and what is too heavy."""
    weight = len(gzip.compress(page.content().encode()))
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(_RUN, list(only))
    assert found["rules"] == len(only) if only else found["passes"] > 10, "axe did not check the page"
    lines: list[str] = found["complaints"]
    return [*lines, *([f"{weight:,} bytes, compressed"] if weight >= MOST_COMPRESSED_BYTES else [])]
