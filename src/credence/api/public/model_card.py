"""GET /docs/model-card: how the score is calculated, tested and limited (credit §10). Every report links to it.

The source is Markdown with two drawings in `docs/`; it is part of the package.
"""

import base64
import re
from functools import cache
from importlib import resources
from itertools import count
from typing import Annotated

from markupsafe import Markup

from credence.report.render.html import STYLE
from credence.request_context import RequestContext
from credence.service import Service
from credence.templates import load_template
from credence.web.messages.answer import HTML, Answer
from credence.web.messages.caching import constant
from credence.web.messages.security_headers import page_headers
from credence.web.routing.operation import Content

MAX_AGE_SECONDS = 300

FOLDER = resources.files("credence.scoring") / "card"
DRAWINGS = ("model-card-areas.svg", "model-card-calibration.svg")

_OPENING = '<div class="scroll" role="region" tabindex="0" aria-label="Table {}"><table>'
"""The opening tags of a table in a region that may scroll sideways.

The region has a name and can be reached with the keyboard.
"""

_HEADERS = page_headers(f"{STYLE.policy}; img-src data:")


async def model_card(_service: Service, request: RequestContext) -> Annotated[Answer, Content(HTML)]:
    """Model card of the score.

    How the score is made, tested and limited. Every report page links to it.
    """
    return constant(request, page(), MAX_AGE_SECONDS, HTML, _HEADERS)


@cache
def page() -> bytes:
    """Return the model card as an HTML document."""
    text = (FOLDER / "model-card.md").read_text(encoding="utf-8")
    from markdown_it import MarkdownIt  # imported late: it takes a megabyte, for one page

    content = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    for name in DRAWINGS:
        drawn = base64.b64encode((FOLDER / name).read_bytes()).decode()
        content = content.replace(f'src="{name}"', f'src="data:image/svg+xml;base64,{drawn}"')
    numbers = count(1)
    content = re.sub("<table>", lambda _: _OPENING.format(next(numbers)), content).replace("</table>", "</table></div>")
    template = load_template("credence.api.public", "model_card.html.jinja", style=STYLE)
    return template.render(content=Markup(content)).encode()  # noqa: S704 - rendered from Markdown without raw HTML
