"""axe-core in a page of a browser."""

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"

_RUN = """axe.run({resultTypes: ["violations"]}).then(found => ({
    passes: found.passes.length,
    complaints: found.violations.flatMap(each => each.nodes.map(node => `${each.id}: ${node.html}`)),
}))"""
"""The whole result would be megabytes, which Python reads slowly."""


def complaints(page: Page) -> list[str]:
    """Return everything that axe finds on the page, a line each."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(_RUN)
    assert found["passes"] > 10, "axe did not check the page"
    lines: list[str] = found["complaints"]
    return lines
