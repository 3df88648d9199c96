"""What every page for people is made of: frozen values, the macros that write them as HTML, and their style.

Console, portal and workbench show them, and so does the report, which Typst also writes as PDF from the same values.
"""

from functools import cache

from jinja2 import Template

from credence.blocks.text import count, shown
from credence.templates import load_part

STYLE = ("credence.blocks", "blocks.css")
"""The style sheet of the blocks, for the pages that have any."""

CODE_STYLE, CODE_SCRIPT = ("credence.blocks", "code.css"), ("credence.blocks", "code.js")
"""Style sheet and script of programs to be copied; without the script their tabs work as well."""


@cache
def blocks_template() -> Template:
    """Return the template with a macro for each block.

    Imported without context, its macros clean every text as `shown` does; imported with context, as the page's `clean`.
    """
    return load_part("credence.blocks", "blocks.html.jinja", clean=shown, count=count)
