"""GET /oauth2/v1/statuslists: status lists with which other verifiers check revocation (threats section 7).

draft-ietf-oauth-status-list §8 and §9. A verifier that caches a list for its `ttl` fetches it once for many tokens.
"""

import re
from typing import Annotated

import msgspec
from msgspec import Struct

from credence.meanings import meaning
from credence.oauth.status_lists import MEDIA_TYPE, TTL_SECONDS, lists_of
from credence.oauth.tokens.status_claim import uri
from credence.refusals.refusal import Refused
from credence.refusals.requests import NOT_FOUND
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Answer
from credence.web.messages.caching import cacheable, in_either_coding
from credence.web.routing.operation import TEXT, Content, Parameter

_NUMBER = re.compile("0|[1-9][0-9]{0,8}").fullmatch
_OF_LIST = Parameter("list", "path", "The number of the list.", "0", {**TEXT, "pattern": "^(0|[1-9][0-9]{0,8})$"})


class StatusListUris(Struct):
    """Status List Aggregation (draft-ietf-oauth-status-list §9.3)."""

    status_lists: Annotated[list[str], meaning("The address of every status list.")]


async def status_list(
    service: Service, request: Annotated[RequestContext, _OF_LIST]
) -> Annotated[Answer, Content(MEDIA_TYPE), NOT_FOUND]:
    """Status list.

    The revocation of a million access tokens, one bit each: a token whose `status` claim names this address is valid only
    while the bit at `idx` is 0. A signed JWT of draft-ietf-oauth-status-list; cache it for `ttl` seconds and never past
    `exp`.

    Raises Refused with 404 if no token refers to it.
    """
    if not _NUMBER(request.segment):
        raise Refused(NOT_FOUND, "status_list.unknown")
    found = await service.status_lists.current(service.authority, int(request.segment), request.now)
    if found is None:
        raise Refused(NOT_FOUND, "status_list.unknown")
    return in_either_coding(request, found.token, found.gzipped, TTL_SECONDS, MEDIA_TYPE)


async def status_lists(service: Service, request: RequestContext) -> Annotated[Answer, StatusListUris]:
    """Every status list.

    The URIs of all lists, for verifiers that fetch them in advance.
    """
    blocks = await service.authority.store.status_block_numbers()
    found = [uri(service.settings.issuer, number) for number in lists_of(blocks)]
    return cacheable(request, msgspec.json.encode({"status_lists": found}), TTL_SECONDS)
