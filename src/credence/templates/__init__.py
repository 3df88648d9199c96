"""HTML pages: Jinja with autoescape, one layout, and the style of a page inside it.

`layout.html.jinja` is the frame of every page; a page's template begins with `{% extends layout %}`.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

_ENVIRONMENT = Environment(autoescape=True, undefined=StrictUndefined)


class Style(NamedTuple):
    """A style sheet for the `style` element, and the policy that allows it and nothing else."""

    css: Markup
    policy: str
    """Content-Security-Policy (CSP Level 3): no script, and nothing loaded from elsewhere (threats E4)."""


def load_style(package: str, name: str, colours: Mapping[str, str] = MappingProxyType({})) -> Style:
    """Return the style sheet `name` of a package, in which `colours` replaces some of its colours by others."""
    css = (resources.files(package) / name).read_text(encoding="utf-8")
    for colour, other in colours.items():
        css = css.replace(colour, other)
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return Style(Markup(css), policy)  # noqa: S704 - a file of the package


def load_template(package: str, name: str, **names: object) -> Template:
    """Return the template `name` of a package, in which `names` are known.

    Line breaks and indentation between its elements are removed, so a significant space is written `{{ " " }}`.
    Compiling takes some 50 ms, so pages load their template when they are first rendered.
    """
    return _compile(package, name, {"layout": _compile("credence.templates", "layout.html.jinja", {}), **names})


def _compile(package: str, name: str, names: Mapping[str, object]) -> Template:
    source = (resources.files(package) / name).read_text(encoding="utf-8")
    return _ENVIRONMENT.from_string(re.sub(r"\n\s*", "", source), dict(names))
