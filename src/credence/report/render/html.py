"""Writes a page as one self-contained HTML document: style inside, no script, nothing loaded from elsewhere."""

import base64
import hashlib
import re
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from credence.report.render.page.blocks import Page, page_data
from credence.report.render.page.text import count

FOLDER = resources.files("credence.report.render")
STYLE = (FOLDER / "page.css").read_text(encoding="utf-8")
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy: the page may apply its own style and nothing else. The page also carries it as a meta element,
because readers keep the page as a file."""


def html(page: Page) -> bytes:
    """Return the page as an HTML document in UTF-8."""
    # Drawings are markup of our own; they escape the text inside them (charts/drawing.py).
    return _TEMPLATE.render(page=page_data(page, Markup)).encode()


def _template() -> str:
    """Return the template without the line breaks and indentation between its elements."""
    return re.sub(r"\n\s*", "", (FOLDER / "page.html.jinja").read_text(encoding="utf-8"))


_ENVIRONMENT = Environment(autoescape=True, undefined=StrictUndefined)
_TEMPLATE = _ENVIRONMENT.from_string(_template(), {"count": count, "policy": POLICY, "style": Markup(STYLE)})  # noqa: S704
