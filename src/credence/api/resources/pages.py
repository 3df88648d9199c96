"""Parameters of requests for resources: pages of a list, numbers, previews."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from credence.operations import pages
from credence.operations.pages import MAX_PAGE_SIZE as MAX_PAGE_SIZE
from credence.operations.pages import Page
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_PARAMETER
from credence.request_context import RequestContext

T = TypeVar("T")

PAGE_SIZE = 100


def page_of(parameters: Mapping[str, str]) -> Page:
    """Return the page of `page_size` and `page_token`. Raises Refused with 422 if one is malformed."""
    return Page(_key(parameters.get("page_token", "")), whole_number(parameters, "page_size", PAGE_SIZE, MAX_PAGE_SIZE))


def whole_number(parameters: Mapping[str, str], name: str, default: int, most: int, least: int = 1) -> int:
    """Return a parameter as an integer from `least` to `most`. Raises Refused with 422 for anything else."""
    text = parameters.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    return int(text)


def require_parameters(parameters: Mapping[str, str], *known: str) -> None:
    """Raise Refused with 422 for a parameter that the resource does not have: a misspelt filter would return too much."""
    if not parameters.keys() <= set(known):
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")


def is_preview(request: RequestContext) -> bool:
    """Return whether the request is a preview, the one parameter of acts in the management API.

    Raises Refused with 422 for a value other than true and false, and for another parameter: a misspelt one would act.
    """
    require_parameters(request.parameters, "preview")
    value = request.parameters.get("preview", "false")
    if value not in {"true", "false"}:
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    return value == "true"


def first_of(
    found: Sequence[T], key: Callable[[T], str], page: Page, request: RequestContext
) -> tuple[Sequence[T], str, tuple[tuple[str, str], ...]]:
    """Return the entries of a page, the token of the next page and the Link field to it; both are empty on the last page.

    `found` has the entries after `page.after` in the order of their keys: all, or at least one more than the page.
    """
    entries, token = pages.first_of(found, key, page)
    return entries, token, (link_to(request, token),) if token else ()


def link_to(request: RequestContext, token: str) -> tuple[str, str]:
    """Return the Link field to the page with this token (RFC 8288)."""
    query = urlencode({**request.parameters, "page_token": token})
    return "link", f'<{request.path}?{query}>; rel="next"'


def _key(token: str) -> str:
    try:
        return pages.after(token) if token else ""
    except ValueError:
        raise Refused(RESOURCE_PARAMETER, "resource.page_token") from None
