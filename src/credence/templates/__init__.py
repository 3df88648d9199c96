"""HTML pages: Jinja with autoescape, one layout, and the style of a page inside it.

`layout.html.jinja` is the frame of every page; a page's template begins with `{% extends layout %}`.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

_SPACE = re.compile(r"\s*([{};:,])\s+")
_INDENT = re.compile(r"\n(?:\s+|//[^\n]*\n\s*)+")
"""Space in style sheets, and indentation and lines of comments in scripts, which pages leave out."""

_ENVIRONMENT = Environment(autoescape=True, undefined=StrictUndefined)


BRAND = Markup(
    '<svg class="brand" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">'
    '<path fill="currentColor" d="M16 2 28 7v8c0 7.2-4.9 12.4-12 15C8.9 27.4 4 22.2 4 15V7z"/>'
    '<path fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round" '
    'd="m10.5 16 4 4 7.5-8"/></svg>'
)
"""The mark of Credence next to its name: a shield with a tick, in the colour of its text."""


class Style(NamedTuple):
    """A style sheet for the `style` element, and the policy that allows it and nothing else."""

    css: Markup
    policy: str
    """Content-Security-Policy (CSP Level 3): no script, and nothing loaded from elsewhere (threats E4)."""


def load_style(
    package: str,
    name: str,
    colours: Mapping[str, str] = MappingProxyType({}),
    before: tuple[tuple[str, str], ...] = (),
) -> Style:
    """Return the style sheet `name` of a package, in which `colours` replaces some of its colours by others.

    `before` names the packages and style sheets whose rules precede it.
    """
    css = "".join(
        (resources.files(each) / sheet).read_text(encoding="utf-8") for each, sheet in (*before, (package, name))
    )
    css = _SPACE.sub(r"\1", css)
    for colour, other in colours.items():
        css = css.replace(colour, other)
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return Style(Markup(css), policy)  # noqa: S704 - a file of the package


class Script(NamedTuple):
    """A script inside a page, and the source of the policy that allows it."""

    text: Markup
    digest: str


@cache
def load_script(package: str, *names: str) -> Script:
    """Return these scripts of a package as one."""
    return load_scripts(*((package, name) for name in names))


@cache
def load_scripts(*files: tuple[str, str]) -> Script:
    """Return these scripts, each a pair of package and name, as one."""
    text = "".join((resources.files(package) / name).read_text(encoding="utf-8") for package, name in files)
    text = _INDENT.sub("\n", text)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Script(Markup(text), f"sha256-{digest}")  # noqa: S704 - a file of the package


def load_template(package: str, name: str, **names: object) -> Template:
    """Return the template `name` of a package, in which `names` are known.

    Line breaks and indentation between its elements are removed, so a significant space is written `{{ " " }}`.
    Compiling takes some 50 ms, so pages load their template when they are first rendered.
    """
    return load_part(package, name, layout=load_part("credence.templates", "layout.html.jinja"), **names)


def load_part(package: str, name: str, **names: object) -> Template:
    """Return a template that others import macros from or extend."""
    source = (resources.files(package) / name).read_text(encoding="utf-8")
    return _ENVIRONMENT.from_string(re.sub(r"\n\s*", "", source), names)
