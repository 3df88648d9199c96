"""Writes a page as one self-contained HTML document: style inside, no script, no external resources."""

from functools import cache

from jinja2 import Template

from credence import blocks
from credence.blocks.text import shown
from credence.report.render.compose import ReportPage
from credence.templates import load_style, load_template

STYLE = load_style("credence.report.render", "page.css", before=(blocks.STYLE,))
"""The style with its content security policy, which is also a meta element, because readers save the page as a file."""


def html(page: ReportPage) -> bytes:
    """Return the page as an HTML document in UTF-8."""
    return _template().render(page=page).encode()


@cache
def _template() -> Template:
    names = {"style": STYLE, "blocks": blocks.blocks_template(), "clean": shown}
    return load_template("credence.report.render", "page.html.jinja", **names)
