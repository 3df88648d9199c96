"""Writes a page as one self-contained HTML document: style inside, no script, no external resources."""

from functools import cache

from jinja2 import Template
from markupsafe import Markup

from credence.report.render.page.blocks import Page, page_data
from credence.report.render.page.text import count
from credence.templates import load_part, load_style, load_template

BLOCKS_STYLE = ("credence.report.render", "blocks.css")
"""The style sheet of the blocks, for other pages that show them."""

STYLE = load_style("credence.report.render", "page.css", before=(BLOCKS_STYLE,))
"""The style with its content security policy, which is also a meta element, because readers save the page as a file."""


def html(page: Page) -> bytes:
    """Return the page as an HTML document in UTF-8."""
    # Drawings are our own markup; they escape the text inside them (charts/drawing.py).
    return _template().render(page=page_data(page, Markup)).encode()


@cache
def _template() -> Template:
    return load_template("credence.report.render", "page.html.jinja", style=STYLE, blocks=blocks_template())


def blocks_template() -> Template:
    """Return the template with a macro for the blocks."""
    return load_part("credence.report.render", "blocks.html.jinja", count=count)
