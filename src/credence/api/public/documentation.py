"""GET /docs/NAME.md and /llms.txt: the documentation as Markdown, and its list for language models (llmstxt.org)."""

import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Annotated

from credence import paths
from credence.refusals.refusal import Refused
from credence.refusals.requests import NOT_FOUND
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import MARKDOWN, TEXT, Answer
from credence.web.messages.caching import constant
from credence.web.routing.operation import Content, Parameter

MAX_AGE_SECONDS = 300

FOLDERS = ("", "clients", "adr")
"""The folders of pages in the order of the list; those that most readers do not need come last."""

MAX_SUMMARY_CHARACTERS = 200

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")

_ABOUT = (
    "# Credence\n\n"
    "> A token service (OAuth 2.0, OpenID Connect) and the UK business credit-risk API that its tokens open.\n\n"
    "Agents read reports through the Model Context Protocol at {issuer}/mcp; its page is {issuer}/docs/agents.md. "
    "The HTTP API is described by {issuer}/openapi.json.\n"
)
_TITLES = {"": "Documentation", "clients": "Standard clients", "adr": "Optional"}


_PAGE = "Its name, with `.md`."
_OF_PAGE = Parameter("page", "path", _PAGE, "agents.md")
_OF_FOLDER = (Parameter("folder", "path", "Its folder.", "clients"), Parameter("page", "path", _PAGE, "authlib.md"))


async def documentation_page(
    _service: Service, request: Annotated[RequestContext, _OF_PAGE]
) -> Annotated[Answer, Content(MARKDOWN), NOT_FOUND]:
    """A page of the documentation as Markdown.

    `/llms.txt` lists the pages.

    Raises Refused with 404 for an unknown page.
    """
    page = _pages().get(tuple(request.segments))
    if page is None:
        raise Refused(NOT_FOUND, "path.unknown")
    return constant(request, page.read_bytes(), MAX_AGE_SECONDS, MARKDOWN)


async def further_documentation_page(
    service: Service, request: Annotated[RequestContext, *_OF_FOLDER]
) -> Annotated[Answer, Content(MARKDOWN), NOT_FOUND]:
    """A page of a folder of the documentation as Markdown.

    The folders are `clients` and `adr`.
    """
    return await documentation_page(service, request)


async def list_for_models(service: Service, request: RequestContext) -> Annotated[Answer, Content(TEXT)]:
    """The documentation as a list for language models.

    Title, address and first sentence of every page (llmstxt.org).
    """
    return constant(request, _list(service.settings.issuer), MAX_AGE_SECONDS, TEXT)


@cache
def _pages() -> dict[tuple[str, ...], Traversable]:
    """Return each page by the segments of its path below /docs."""
    root = resources.files("credence") / "documentation"
    found: dict[tuple[str, ...], Traversable] = {}
    for folder in FOLDERS:
        pages = sorted((root / folder).iterdir() if folder else root.iterdir(), key=lambda page: page.name)
        above = (folder,) if folder else ()
        found |= {(*above, page.name): page for page in pages if page.name.endswith(".md")}
    return found


@cache
def _list(issuer: str) -> bytes:
    lines = [_ABOUT.format(issuer=issuer)]
    for folder in FOLDERS:
        lines.append(f"\n## {_TITLES[folder]}\n\n")
        for path, page in _pages().items():
            if "".join(path[:-1]) == folder:
                title, summary = _heading(page.read_text(encoding="utf-8"))
                lines.append(f"- [{title}]({issuer}{paths.DOCS}/{'/'.join(path)}): {summary}\n")
    return "".join(lines).encode()


def _heading(text: str) -> tuple[str, str]:
    """Return the title of a page and its first sentence."""
    lines = [line.strip() for line in text.splitlines()]
    title = next((line[2:] for line in lines if line.startswith("# ")), "Page")
    first = next((line for line in lines if line and line[0].isalpha()), "")
    summary = _LINK.sub(r"\1", first)
    return title, summary if len(summary) <= MAX_SUMMARY_CHARACTERS else f"{summary[: MAX_SUMMARY_CHARACTERS - 1]}…"
