"""GET /docs/model-card: how the score is made, tested and limited, for everyone it may touch (credit §10).

The card is the one in `docs/`, as Markdown and two drawings, shipped with the tables it describes. Every report names it.
"""

import base64
import re
from functools import cache
from importlib import resources
from itertools import count

from markdown_it import MarkdownIt

from credence.report.render.html import POLICY, STYLE
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import HTML, Answer
from credence.web.messages.caching import cacheable
from credence.web.messages.security_headers import page_headers

MAX_AGE = 300
"""Seconds for which a reader may keep the card."""

FOLDER = resources.files("credence.scoring") / "card"
DRAWINGS = ("model-card-areas.svg", "model-card-calibration.svg")

_OPENING = '<div class="scroll" role="region" tabindex="0" aria-label="Table {}"><table>'
"""What may have to be scrolled can be reached with the keyboard, and then says what it is."""

_HEADERS = page_headers(f"{POLICY}; img-src data:")


async def model_card(_service: Service, request: RequestContext) -> Answer:
    """Return the card as a page."""
    return cacheable(request, page(), MAX_AGE, HTML, _HEADERS)


@cache
def page() -> bytes:
    """Return the card as an HTML document."""
    text = (FOLDER / "model-card.md").read_text(encoding="utf-8")
    content = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    for name in DRAWINGS:
        drawn = base64.b64encode((FOLDER / name).read_bytes()).decode()
        content = content.replace(f'src="{name}"', f'src="data:image/svg+xml;base64,{drawn}"')
    numbers = count(1)
    content = re.sub("<table>", lambda _: _OPENING.format(next(numbers)), content).replace("</table>", "</table></div>")
    return (
        '<!doctype html><html lang="en-GB"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Model card</title>'
        f'<style>{STYLE}</style></head><body><div class="frame"><main class="card">{content}</main></div></body></html>'
    ).encode()
