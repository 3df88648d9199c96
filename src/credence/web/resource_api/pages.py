"""Pages of a list by the key of their last entry, which stays right while entries come and go; an offset does not."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

from credence.crypto import base64url
from credence.refusals import RESOURCE_PARAMETER, Refused
from credence.request_context import RequestContext

T = TypeVar("T")

PAGE_SIZE = 100
MAX_PAGE_SIZE = 1_000
_MAX_TOKEN = 400


class Page(NamedTuple):
    """The part of a list that a request wants: at most `size` entries with keys above `after`."""

    after: str
    size: int


def page_of(parameters: Mapping[str, str]) -> Page:
    """Return the page of `page_size` and `page_token`; Refused with 422 for another form."""
    return Page(_key(parameters.get("page_token", "")), whole_number(parameters, "page_size", PAGE_SIZE, MAX_PAGE_SIZE))


def whole_number(parameters: Mapping[str, str], name: str, default: int, most: int, least: int = 1) -> int:
    """Return a parameter from `least` to `most`; Refused with 422 for anything else."""
    text = parameters.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")
    return int(text)


def require_parameters(parameters: Mapping[str, str], *known: str) -> None:
    """Refuse with 422 a parameter that the resource does not have: a misspelt filter would return too much."""
    if not parameters.keys() <= set(known):
        raise Refused(RESOURCE_PARAMETER, "resource.parameter")


def first_of(
    found: Sequence[T], key: Callable[[T], str], page: Page, request: RequestContext
) -> tuple[Sequence[T], str, tuple[tuple[str, str], ...]]:
    """Return the entries of a page, and the token of the next page with the Link field to it, both empty on the last page.

    `found` has the entries after `page.after` in the order of their keys: all, or at least one more than the page.
    """
    entries = found[: page.size]
    if len(found) == len(entries):
        return entries, "", ()
    last = key(entries[-1])
    return entries, _token_of(last), (_link_to_next(request, last),)


def _token_of(key: str) -> str:
    """Return the page token after this key. Clients must not read it."""
    return base64url.encode(key.encode())


def _link_to_next(request: RequestContext, key: str) -> tuple[str, str]:
    """Return the Link field to the page after this key (RFC 8288)."""
    query = urlencode({**request.parameters, "page_token": _token_of(key)})
    return "link", f'<{request.path}?{query}>; rel="next"'


def _key(token: str) -> str:
    if not token:
        return ""
    try:
        if len(token) > _MAX_TOKEN:
            raise ValueError
        key = base64url.decode(token).decode()
    except ValueError:
        raise Refused(RESOURCE_PARAMETER, "resource.page_token") from None
    if "\0" in key:
        raise Refused(RESOURCE_PARAMETER, "resource.page_token")
    return key
